"""Shoes dealt until enough rounds are counted, on any backend."""

from __future__ import annotations

import time
from dataclasses import dataclass

from punto.rules.reasons import shorten
from punto.rules.refusals import Refused
from punto.rules.shoe_refusals import RoundsInvalid
from punto.simulation.backends import DealJob, OnProgress, Resources, open_backend
from punto.simulation.counts import Counts
from punto.simulation.refusals import SplitsInvalid
from punto.simulation.shoe import SimulatedShoe

MAX_ROUNDS_COUNTED = 10**17
"""The maximum number of rounds: more than any machine deals in a year, and safe for sums in 64 bits."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The counts, the duration without compilation, and whether the simulation was interrupted."""

    shoe: SimulatedShoe
    seed: int
    backend: str
    counts: Counts
    seconds: float
    interrupted: bool = False

    @property
    def rounds_per_second(self) -> float:
        """The speed of the dealing."""
        return self.counts.rounds / self.seconds if self.seconds else 0.0


def simulate(
    shoe: SimulatedShoe,
    rounds: int,
    seed: int = 0,
    *,
    backend: str = "numba",
    splits: tuple[int, ...] = (),
    resources: Resources | None = None,
    report: OnProgress = lambda _: None,
) -> Simulation:
    """Deal whole blocks of shoes until at least `rounds` rounds are counted; it deals at most about two blocks more.

    The same shoe, rounds, seed and backend give the same counts, whatever the threads or workers. Rounds up to each
    number in `splits` are counted separately. So are the rounds that every shoe has, to compare with the exact figures.
    An interruption (Ctrl-C) stops the dealing and returns the counts so far.

    Raises Refused.
    """
    if not 0 < rounds <= MAX_ROUNDS_COUNTED:
        raise Refused(RoundsInvalid(shorten(rounds), MAX_ROUNDS_COUNTED))
    if any(split < 1 for split in splits):
        raise Refused(SplitsInvalid(",".join(map(str, splits))))
    job = DealJob(shoe, seed, tuple(sorted({*splits, shoe.sure_rounds})))
    dealer = open_backend(backend, job, resources or Resources())
    interrupted = False
    start = time.perf_counter()
    try:
        blocks = 0
        while batch := _next_batch(rounds, dealer.counts().rounds, blocks, dealer.shoes_per_block * shoe.max_rounds):
            dealer.deal(blocks, batch, report)
            blocks += batch
    except KeyboardInterrupt:
        interrupted = True
    finally:
        seconds = time.perf_counter() - start
        counts = dealer.counts()
        dealer.close()
    return Simulation(shoe, seed, backend, counts, seconds, interrupted)


def _next_batch(target: int, rounds: int, blocks: int, maximum_per_block: int) -> int:
    """The number of blocks to deal next. It depends only on whole batches, so it is the same on every machine.

    The first batch cannot deal too many. The next ones approach the target by the average rounds of a block so far.
    """
    missing = target - rounds
    if missing <= 0:
        return 0
    if not blocks:
        return max(1, missing // maximum_per_block)
    batch = missing * blocks // rounds
    return batch - batch // 200 if batch > 400 else batch + 1
