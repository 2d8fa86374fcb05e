"""Shoes dealt until enough rounds are counted, on any backend."""

from __future__ import annotations

import time
from dataclasses import dataclass

from punto.rules.refusals import RefusedError
from punto.simulation.backends import Job, Report, Resources, open_backend
from punto.simulation.counts import Counts
from punto.simulation.refusals import RoundsInvalid, SplitsInvalid
from punto.simulation.shoe import Shoe

MOST_ROUNDS_COUNTED = 10**17
"""More than any machine deals in a year; counts and their sums stay far within 64 bits."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What was counted, how long the dealing took (compiling apart), and whether an interruption cut it short."""

    shoe: Shoe
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
    shoe: Shoe,
    rounds: int,
    seed: int = 0,
    *,
    backend: str = "numba",
    splits: tuple[int, ...] = (),
    resources: Resources | None = None,
    report: Report = lambda _: None,
) -> Simulation:
    """Deal whole blocks of shoes until at least so many rounds are counted; it ends within a block or two of them.

    The same shoe, rounds, seed and backend give the same counts, whatever the threads or workers. Rounds up to each
    number in `splits` are counted apart; those that every shoe is sure to have always are, to be held against the
    exact figures. An interruption (Ctrl-C) ends the dealing and gives what was counted so far.

    A RefusedError says what cannot be done.
    """
    if not 0 < rounds <= MOST_ROUNDS_COUNTED:
        raise RefusedError(RoundsInvalid(str(rounds), MOST_ROUNDS_COUNTED))
    if any(split < 1 for split in splits):
        raise RefusedError(SplitsInvalid(",".join(map(str, splits))))
    job = Job(shoe, seed, tuple(sorted({*splits, shoe.sure_rounds})))
    dealer = open_backend(backend, job, resources or Resources())
    interrupted = False
    start = time.perf_counter()
    try:
        blocks = 0
        while batch := _next_batch(rounds, dealer.counts().rounds, blocks, dealer.shoes_per_block * shoe.most_rounds):
            dealer.deal(blocks, batch, report)
            blocks += batch
    except KeyboardInterrupt:
        interrupted = True
    finally:
        seconds = time.perf_counter() - start
        counts = dealer.counts()
        dealer.close()
    return Simulation(shoe, seed, backend, counts, seconds, interrupted)


def _next_batch(target: int, rounds: int, blocks: int, most_per_block: int) -> int:
    """How many blocks to deal next. It looks only at whole batches already dealt, so it is the same on every machine.

    The first batch cannot deal too many; the next ones close in on the target by the rounds a block has had so far.
    """
    missing = target - rounds
    if missing <= 0:
        return 0
    if not blocks:
        return max(1, missing // most_per_block)
    batch = missing * blocks // rounds
    return batch - batch // 200 if batch > 400 else batch + 1
