"""`python -m tests.mutation`: put mistakes into the core one at a time, and say which ones no test notices."""

from __future__ import annotations

import argparse
import random
import sys
import tomllib
from collections import Counter
from pathlib import Path

from tests.mutation.mutants import every_mutant
from tests.mutation.trial import Trial, measured

BASELINE = Path(__file__).with_name("baseline.toml")


def baseline() -> dict[str, str]:
    """The reason why each known survivor makes no difference that a test could notice."""
    return dict(tomllib.loads(BASELINE.read_text(encoding="utf-8")))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, help="try only so many, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", action="append", help="such as rules/tableau.py or sheets/easy-six.toml")
    parser.add_argument("--budget", type=float, default=10, help="seconds of tests for a mutant (10)")
    parser.add_argument("--measure", action="store_true", help="measure again which tests run which lines")
    given = parser.parse_args()
    known = baseline()
    mutants = [mutant for mutant in every_mutant() if not given.module or mutant.file in given.module]
    if given.sample is not None:
        chosen = sorted(random.Random(given.seed).sample(range(len(mutants)), min(given.sample, len(mutants))))
        mutants = [mutants[place] for place in chosen]
    trial = Trial(measured(anew=given.measure), given.budget)
    ended: Counter[str] = Counter()
    for mutant in mutants:
        noticed = mutant.key not in known and trial.attempt(mutant)
        ended["excused" if mutant.key in known else "killed" if noticed else "survived"] += 1
        if mutant.key not in known and not noticed:
            print(f"survived {mutant.key} (line {max(mutant.lines, default=0)})", flush=True)
    print(f"{len(mutants)} mutants: " + ", ".join(f"{count} {how}" for how, count in sorted(ended.items())))
    return 1 if ended["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
