"""The host's part for `kernel.cu`: streams, the packed shoe, and macros. It needs only NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import numpy as np
import numpy.typing as npt

from punto.simulation import streams
from punto.simulation.backends import DealJob
from punto.simulation.counts import CODES, MAX_ROUNDS, Counts, Histogram

SHOES = 256
"""Shoes in a strand: one thread's work, and the GPU backend's block."""
PLAYS = 400

# These must agree with kernel.cu.
MULTIPLIER = 4294883355
MODULUS = MULTIPLIER * 2**32 - 1
STRETCH = 2**20
"""The random words of a strand. It uses about 65,000 at most, and 2^42 strands fit the sequence."""
JUMPS = 42


THREADS = 512
"""The threads of a block that are the fastest on an H200."""


def macros(job: DealJob, threads: int = THREADS) -> tuple[str, ...]:
    """Definitions for the compiler."""
    values = {"THREADS": threads, "CARDS": job.shoe.cards, "ROWS": len(job.splits) + 1, "SHOES": SHOES}
    return tuple([f"-D{name}={value}" for name, value in values.items()])


def shared_bytes(job: DealJob, threads: int = THREADS) -> int:
    """The shared memory of a block."""
    return 4 * (-(-job.shoe.cards // 4) * threads + (len(job.splits) + 1) * PLAYS + MAX_ROUNDS)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of the kernel besides the strands and the counters."""

    start: int
    jumps: npt.NDArray[np.uint64]
    full: npt.NDArray[np.uint32]
    stop: int
    burn_card: int
    ends: npt.NDArray[np.uint32]


def source() -> str:
    """The kernel's source."""
    return (resources.files("punto.simulation") / "kernel.cu").read_text()


def arguments(job: DealJob) -> Arguments:
    """The kernel's arguments for a job. The seed gives the start of strand 0 in the one long sequence."""
    high, low = (int(word) for word in streams.keys(job.seed, 2))
    step = pow(MULTIPLIER, STRETCH, MODULUS)
    jumps = [pow(step, 2**i, MODULUS) for i in range(JUMPS)]
    cards = [rank | (rank if rank < 10 else 0) << 4 for rank, n in enumerate(job.shoe.counts, 1) for _ in range(n)]
    packed = np.zeros(-(-len(cards) // 4) * 4, np.uint8)
    packed[: len(cards)] = cards
    array = job.shoe.as_array()
    return Arguments(
        1 + (high << 64 | low) % (MODULUS - 1),
        np.array(jumps, np.uint64),
        packed.view("<u4").astype(np.uint32),
        int(array[13]),
        int(array[14]),
        np.array([*job.splits, 0], np.uint32),
    )


def to_counts(job: DealJob, codes: npt.NDArray[np.uint64], lengths: npt.NDArray[np.uint64]) -> Counts:
    """The kernel's counts in the common form."""
    by_length: Histogram = lengths.astype(np.int64)
    reached: Histogram = by_length[::-1].cumsum()[::-1] - by_length
    return Counts.of_codes(job.splits, codes.astype(np.int64).reshape(-1, CODES), reached)
