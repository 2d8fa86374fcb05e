"""Many seeds: how fast they ran, what failed in them, what was reached, and every seed in which something is wrong."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from punto.protocol.refusals import REFUSALS
from punto.table import acts
from tests.simulation.scenario import run

SEEDS_PER_WORKER = 50
"""Seeds after which a worker is replaced, so that what libraries hold on to does not pile up."""


@dataclass
class Ran:
    """What a campaign keeps of a run."""

    seed: int
    problems: list[str]
    rounds: int
    virtual_ms: int
    faults: Counter[str]
    codes: Counter[str]
    pairs: Counter[tuple[str, str]]
    written: Path | None = None


@dataclass
class Campaign:
    """The sum of many runs."""

    seconds: float = 0
    seeds: int = 0
    rounds: int = 0
    virtual_ms: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: list[Ran] = field(default_factory=list)

    def take(self, ran: Ran) -> None:
        """Add a run."""
        self.seeds += 1
        self.rounds += ran.rounds
        self.virtual_ms += ran.virtual_ms
        self.faults += ran.faults
        self.codes += ran.codes
        self.pairs += ran.pairs
        if ran.problems:
            self.failed.append(ran)

    def text(self) -> Iterator[str]:
        """The report, a line at a time."""
        hours = self.virtual_ms / 3_600_000
        yield f"{self.seeds} seeds, {self.rounds} rounds, {hours:.1f} virtual hours in {self.seconds:.0f} s:"
        yield f"  {self.rounds / max(self.seconds, 1e-9):.1f} rounds a second"
        yield "faults: " + ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        known = set(REFUSALS)
        yield f"refusal codes: {len(known & set(self.codes))} of {len(known)}"
        yield "  never seen: " + ", ".join(sorted(known - set(self.codes)))
        legal = {(phase.value, name) for name, kind in acts.COMMANDS.items() for phase in kind.during}
        yield f"phase and command: {len(legal & set(self.pairs))} of {len(legal)} accepted"
        yield "  never accepted: " + ", ".join(f"{phase}/{kind}" for phase, kind in sorted(legal - set(self.pairs)))
        for ran in self.failed:
            yield f"seed {ran.seed} ({ran.written}):"
            yield from (f"  {problem}" for problem in ran.problems[:5])


def run_seed(seed: int, folder: Path | None = None) -> Ran:
    """Run a seed. Where something is wrong, its history is written to `folder`."""
    result = run(seed)
    ran = Ran(seed, result.problems, result.rounds, result.virtual_ms, result.faults, result.codes, result.pairs)
    if result.problems and folder is not None:
        ran.written = folder / f"seed-{seed}.jsonl"
        result.history.write(ran.written)
    return ran


def _run(ask: tuple[int, Path]) -> Ran:
    return run_seed(*ask)


def run_campaign(
    seeds: Iterable[int], processes: int, folder: Path, most_seconds: float
) -> Iterator[tuple[Ran, Campaign]]:
    """Run seeds in several processes, for so long at most; each run with the sum so far."""
    campaign, started = Campaign(), time.monotonic()
    context = multiprocessing.get_context("forkserver")
    with context.Pool(processes, maxtasksperchild=SEEDS_PER_WORKER) as pool:
        for ran in pool.imap_unordered(_run, ((seed, folder) for seed in seeds)):
            campaign.take(ran)
            campaign.seconds = time.monotonic() - started
            yield ran, campaign
            if campaign.seconds > most_seconds:
                return
