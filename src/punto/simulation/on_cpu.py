"""The numba backend: blocks of 64 shoes on all cores of this machine."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from punto.simulation import kernel, streams
from punto.simulation.backends import DealJob, OnProgress, Resources
from punto.simulation.counts import CODES, MAX_ROUNDS, Counts, Histogram

CHUNK = 1_000
"""Blocks a thread takes at a time: about 30 ms, for a quick reaction to an interruption."""
_POLL_SECONDS = 0.1


class Tally:
    """One thread's counts over all the blocks it deals, so that memory does not grow with rounds."""

    def __init__(self, job: DealJob) -> None:
        self._keys = streams.keys(job.seed, kernel.SEED_WORDS)
        self._shoe = job.shoe.as_array()
        self._ends = np.array(job.splits, np.int64)
        self.codes: Histogram = np.zeros((len(job.splits) + 1, CODES), np.int64)
        self.reached: Histogram = np.zeros(MAX_ROUNDS, np.int64)
        self.rounds = 0

    def deal(self, first: int, blocks: int) -> None:
        """Deal these blocks and add them to the counts."""
        kernel.count_blocks(self._keys, first, blocks, self._shoe, self._ends, self.codes, self.reached)
        self.rounds = int(self.reached.sum())


class CpuDealer:
    """Threads that take chunks of blocks in turn. The kernel releases the GIL, so they run in parallel."""

    shoes_per_block = kernel.LANES

    def __init__(self, job: DealJob, resources: Resources) -> None:
        self._job = job
        self._tallies = [Tally(job) for _ in range(resources.cores)]
        self._tallies[0].deal(0, 0)  # compiles, or loads compiled code
        self._pool = ThreadPoolExecutor(resources.cores)

    def deal(self, first: int, blocks: int, report: OnProgress) -> None:
        """Deal these blocks. On an interruption, every thread finishes its chunk and the rest is not dealt."""
        chunks = itertools.count(first, CHUNK)
        stop = threading.Event()
        last = first + blocks

        def work(tally: Tally) -> None:
            # `next` on a count is atomic: no two threads get the same chunk.
            while not stop.is_set() and (start := next(chunks)) < last:
                tally.deal(start, min(CHUNK, last - start))

        running = {self._pool.submit(work, tally) for tally in self._tallies}
        try:
            while running:
                done, running = wait(running, _POLL_SECONDS)
                for each in done:
                    each.result()
                report(sum(tally.rounds for tally in self._tallies))
        finally:
            stop.set()
            wait(running)

    def counts(self) -> Counts:
        """All that was dealt so far."""
        codes: Histogram = sum((tally.codes for tally in self._tallies[1:]), self._tallies[0].codes)
        reached: Histogram = sum((tally.reached for tally in self._tallies[1:]), self._tallies[0].reached)
        return Counts.of_codes(self._job.splits, codes, reached)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()
