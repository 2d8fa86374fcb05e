"""Run one seed, or a campaign of many.

    python -m tests.simulation --seed 7
    python -m tests.simulation --seeds 1000 --first 1 --processes 2

A seed gives one history, byte for byte. Where something is wrong, the history is written to a file, which the auditor
reads again: `python -m tests.simulation.auditor FILE`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.simulation.campaign import Campaign, Ran, run_campaign
from tests.simulation.scenario import run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description="Simulate the house.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=int, help="run this seed")
    which.add_argument("--seeds", type=int, help="run so many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of the seeds")
    parser.add_argument("--processes", type=int, default=1, help="how many seeds run at once")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--write", type=Path, help="write the history of the seed to this file")
    parser.add_argument("--folder", type=Path, default=Path("failed-seeds"), help="where failed histories go")
    parser.add_argument("--no-faults", action="store_true", help="let nothing fail")
    chosen = parser.parse_args()
    if chosen.seed is not None:
        return _one(chosen.seed, chosen.write, chosen.folder, faults=not chosen.no_faults)
    seeds = range(chosen.first, chosen.first + chosen.seeds)
    return _many(run_campaign(seeds, chosen.processes, chosen.folder, chosen.seconds))


def _one(seed: int, file: Path | None, folder: Path, *, faults: bool) -> int:
    result = run(seed, faults=faults)
    if result.problems and file is None:
        file = folder / f"seed-{seed}.jsonl"
    if file is not None:
        result.history.write(file)
    _say(f"seed {seed}: {result.rounds} rounds in {result.virtual_ms} virtual ms, {result.steps} callbacks")
    _say(f"history {result.history.hash}, {len(result.history.lines)} entries")
    for name, counts in (("entries", result.history.counts), ("faults", result.faults), ("answers", result.codes)):
        _say(f"{name}: " + ", ".join(f"{each} {count}" for each, count in sorted(counts.items())))
    for problem in result.problems:
        _say(f"wrong: {problem}")
    if file is not None:
        _say(f"written to {file}")
    return 1 if result.problems else 0


def _many(runs: Iterator[tuple[Ran, Campaign]]) -> int:
    campaign = Campaign()
    for ran, campaign in runs:
        for problem in ran.problems:
            _say(f"seed {ran.seed}: {problem}")
        if campaign.seeds % 100 == 0:
            _say(f"{campaign.seeds} seeds, {campaign.rounds} rounds in {campaign.seconds:.0f} s")
    for line in campaign.text():
        _say(line)
    return 1 if campaign.failed else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
