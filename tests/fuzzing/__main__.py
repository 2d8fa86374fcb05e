"""Fuzzes the readers of outside input: `python -m tests.fuzzing --cases 100000 [--target records] [--first SEED]`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzzing.runner import FoundError, run
from tests.fuzzing.targets import TARGETS

MOST_SHOWN = 8


def main() -> int:
    """Run the targets one after another. Returns 1 if a case of any of them fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--cases", type=int, default=10_000, help="cases of each target")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS), help="one target; all without it")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first case; each next has the next one")
    options = parser.parse_args()
    failed = 0
    for name in options.target or TARGETS:
        began = time.process_time()
        try:
            counted = run(TARGETS[name], options.cases, options.first)
        except FoundError as error:
            failed = 1
            print(f"{name}: {error}", flush=True)
            continue
        counts = ", ".join(f"{kind} {count:,}" for kind, count in counted.most_common(MOST_SHOWN))
        seconds = time.process_time() - began
        print(f"{name}: {counts} ({seconds:.0f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
