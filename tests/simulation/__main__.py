"""Run one seed, or a campaign of many: what failed in them, what was reached, and every seed with something wrong.

    python -m tests.simulation --seed 7
    python -m tests.simulation --seeds 1000 --first 1 --processes 2

A seed gives one history, byte for byte. Where something is wrong, the history is written to a file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from punto.protocol.refusals import REFUSALS
from punto.table import acts
from tests.simulation.scenario import Tally, run

SEEDS_PER_WORKER = 50
"""Seeds after which a worker is replaced, so that what libraries hold on to does not pile up."""
Ran = tuple[int, str, list[str], Tally]
"""A seed, the hash of its history, what was wrong, and what was counted."""


def main() -> int:
    """Run seeds; 1 if anything is wrong in one."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description="Simulate the house.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=int, help="run this seed")
    which.add_argument("--seeds", type=int, help="run so many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of the seeds")
    parser.add_argument("--processes", type=int, default=1, help="how many seeds run at once")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many seconds")
    parser.add_argument("--folder", type=Path, default=Path("failed-seeds"), help="where failed histories go")
    chosen = parser.parse_args()
    first, seeds = (chosen.first, chosen.seeds) if chosen.seed is None else (chosen.seed, 1)
    tally, count, failed, began = Tally(), 0, 0, time.monotonic()
    for seed, hashed, problems, ran in _campaign(range(first, first + seeds), chosen.processes, chosen.folder):
        tally += ran
        count += 1
        failed += bool(problems)
        for problem in problems:
            _say(f"seed {seed}: {problem}")
        if seeds == 1:
            _say(f"history {hashed}")
        if count % 100 == 0:
            _say(f"{count} seeds, {tally['rounds', '']} rounds in {time.monotonic() - began:.0f} s")
        if time.monotonic() - began > chosen.seconds:
            break
    for line in _report(tally, time.monotonic() - began):
        _say(line)
    _say(f"{count} seeds, {failed} of them with something wrong")
    return 1 if failed else 0


def _campaign(seeds: range, processes: int, folder: Path) -> Iterator[Ran]:
    asked = [(seed, folder) for seed in seeds]
    if processes == 1 or len(asked) == 1:
        yield from map(_run, asked)
        return
    with multiprocessing.get_context("forkserver").Pool(processes, maxtasksperchild=SEEDS_PER_WORKER) as pool:
        yield from pool.imap_unordered(_run, asked)


def _run(ask: tuple[int, Path]) -> Ran:
    seed, folder = ask
    result = run(seed)
    if result.problems:
        result.history.write(folder / f"seed-{seed}.jsonl")
    return seed, result.history.hash, result.problems, result.tally


def _report(tally: Tally, seconds: float) -> Iterator[str]:
    """What was counted, a line at a time."""
    found: dict[str, Counter[str]] = {group: Counter() for group in ("entry", "fault", "answer", "pair")}
    for (group, name), count in sorted(tally.items()):
        found.setdefault(group, Counter())[name] += count
    rounds, hours = tally["rounds", ""], tally["virtual-ms", ""] / 3_600_000
    yield f"{rounds} rounds, {hours:.1f} virtual hours in {seconds:.0f} s: {rounds / max(seconds, 1e-9):.1f} a second"
    for group in ("entry", "fault", "answer"):
        yield f"{group}: " + ", ".join(f"{name} {count}" for name, count in found[group].items())
    known = set(REFUSALS)
    yield f"refusal codes never seen of {len(known)}: " + ", ".join(sorted(known - found["answer"].keys()))
    legal = {f"{phase.value}/{name}" for name, kind in acts.COMMANDS.items() for phase in kind.during}
    yield f"phase and command never accepted of {len(legal)}: " + ", ".join(sorted(legal - found["pair"].keys()))


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
