"""Run seeds: `python -m tests.simulation --seed 7`, or a campaign with `--seeds 1000 --first 1 --processes 2`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.simulation.scenario import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="one seed")
    parser.add_argument("--write", type=Path, help="write the history to this file")
    parser.add_argument("--no-faults", action="store_true")
    chosen = parser.parse_args()
    started = time.perf_counter()
    result = run(chosen.seed, faults=not chosen.no_faults)
    took = time.perf_counter() - started
    if chosen.write:
        result.history.write(chosen.write)
    size = sum(map(len, result.history.lines))
    sys.stdout.write(
        f"seed {result.seed}: {result.history.hash} {result.rounds} rounds, {len(result.history.lines)} entries, {size} bytes, {result.virtual_ms} ms, {result.steps} steps, {took:.2f} s\n"
    )
    sys.stdout.write(
        f"{dict(result.history.counts)}\n{dict(result.faults)}\n{dict(result.codes)}\n{len(result.pairs)} pairs\n"
    )
    for problem in result.problems:
        sys.stdout.write(f"{problem}\n")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
