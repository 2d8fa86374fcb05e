"""`python -m tests.mutation`: put mistakes into the core one at a time, and say which ones no test notices."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

from tests.mutation.code import Mutant, code_mutants, modules
from tests.mutation.coverage_map import BUILD, coverage_map
from tests.mutation.running import AnyMutant, Tried, preload, try_all
from tests.mutation.sheets import GAMES, sheet_mutants

BASELINE = Path(__file__).with_name("baseline.toml")


def baseline() -> dict[str, str]:
    """The reason why each known survivor makes no difference that a test could notice."""
    return dict(tomllib.loads(BASELINE.read_text(encoding="utf-8")))


def every_mutant() -> list[AnyMutant]:
    """All mutants of code and of sheets, the smallest modules first."""
    code: list[AnyMutant] = [mutant for name in modules() for mutant in code_mutants(name)]
    return code + [mutant for game in GAMES for mutant in sheet_mutants(game)]


def campaign(mutants: list[AnyMutant], *, budget: float, stale: bool = False) -> list[Tried]:
    """Try mutants, and print each that no test noticed."""
    found = coverage_map(stale=stale)
    preload()
    known, tried = baseline(), list[Tried]()

    def told(each: Tried) -> None:
        tried.append(each)
        with (BUILD / "tried.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps([each.mutant.file, each.mutant.key, each.noticed]) + "\n")
        if each.noticed is None and each.mutant.key not in known:
            print(f"survived {where(each.mutant)} ({each.asked} tests)", flush=True)

    try_all(mutants, found, budget, told)
    return tried


def where(mutant: AnyMutant) -> str:
    """A mutant in one line."""
    if isinstance(mutant, Mutant):
        return f"{mutant.file}:{mutant.line} {mutant.within}: {mutant.change}"
    return mutant.key


def new_survivors(tried: list[Tried]) -> list[str]:
    """The mutants that no test noticed and no reason excuses."""
    known = baseline()
    return [where(each.mutant) for each in tried if each.noticed is None and each.mutant.key not in known]


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, help="try only so many, drawn by the seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", action="append", help="such as rules/tableau.py or sheets/easy-six.toml")
    parser.add_argument("--budget", type=float, default=10, help="seconds of tests for a mutant (10)")
    parser.add_argument("--stale", action="store_true", help="do not measure again which tests run which lines")
    parser.add_argument("--only", type=Path, help="only the mutants whose keys are in this file, one a line")
    given = parser.parse_args()
    mutants = [mutant for mutant in every_mutant() if not given.module or mutant.file in given.module]
    if given.only:
        keys = set(given.only.read_text(encoding="utf-8").splitlines())
        mutants = [mutant for mutant in mutants if mutant.key in keys]
    if given.sample is not None and given.sample < len(mutants):
        chosen = sorted(random.Random(given.seed).sample(range(len(mutants)), given.sample))
        mutants = [mutants[place] for place in chosen]
    start = time.monotonic()
    tried = campaign(mutants, budget=given.budget, stale=given.stale)
    known, survived = baseline(), new_survivors(tried)
    killed = Counter(each.mutant.file for each in tried if each.noticed is not None)
    excused = Counter(each.mutant.file for each in tried if each.noticed is None and each.mutant.key in known)
    for file, count in Counter(each.mutant.file for each in tried).items():
        alive = count - killed[file] - excused[file]
        print(f"{file}: {count} mutants, {killed[file]} killed, {excused[file]} equivalent, {alive} survived")
    total = f"{len(tried)} mutants, {killed.total()} killed, {excused.total()} equivalent, {len(survived)} survived"
    print(f"{total}, in {time.monotonic() - start:.0f} s")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
