"""The Dask backend: the numba backend's blocks on any Dask cluster, with exactly the same counts."""

from __future__ import annotations

import logging
import signal
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from distributed import Client, LocalCluster

from punto.rules.refusals import Refused
from punto.simulation import kernel
from punto.simulation.backends import DealJob, OnProgress, Resources
from punto.simulation.counts import CODES, MAX_ROUNDS, Counts, Histogram
from punto.simulation.on_cpu import Tally
from punto.simulation.refusals import BackendUnavailable

CHUNK = 24_000
"""Blocks in a task: less than a second of work, for a quick reaction to Ctrl-C with little overhead."""
_AHEAD = 3
"""Tasks submitted for each thread at a time: enough that none waits, few enough to limit memory."""
_CONNECT_SECONDS = 10


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started here ignore Ctrl-C, which a terminal sends to them too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


Part = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Histogram]


def count_chunk(job: DealJob, first: int, blocks: int) -> Part:
    """A task: deal these blocks. Returns the indices that were counted, their counts and the lengths of the shoes."""
    tally = Tally(job)
    tally.deal(first, blocks)
    codes = tally.codes.reshape(-1)
    places = np.flatnonzero(codes)
    return places, codes[places], tally.reached


class ClusterDealer:
    """Submits chunks of blocks to a cluster by address, or to local workers of one thread each."""

    shoes_per_block = kernel.LANES

    def __init__(self, job: DealJob, resources: Resources) -> None:
        self._job = job
        self._codes: Histogram = np.zeros((len(job.splits) + 1, CODES), np.int64)
        self._reached: Histogram = np.zeros(MAX_ROUNDS, np.int64)
        self._cluster: Any = None
        if resources.cluster is None:
            with _deaf_to_ctrl_c():
                self._cluster = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=resources.cores,
                    threads_per_worker=1,
                    dashboard_address=":0",
                    silence_logs=logging.CRITICAL,
                )
        try:
            self._client = Client(  # type: ignore[no-untyped-call]
                resources.cluster or self._cluster, timeout=_CONNECT_SECONDS
            )
        except (OSError, ValueError) as error:
            silent = BackendUnavailable("cluster-silent", str(resources.cluster), str(error))
            raise Refused(silent) from None
        # Every worker compiles, or loads compiled code, before the time is measured.
        self._client.run(count_chunk, job, 0, 0)

    def deal(self, first: int, blocks: int, report: OnProgress) -> None:
        """Deal these blocks. On an interruption, unfinished tasks are cancelled and not counted."""
        threads = sum(self._client.nthreads().values())  # type: ignore[no-untyped-call]
        chunk = max(1, min(CHUNK, -(-blocks // threads)))
        starts = iter(range(first, first + blocks, chunk))
        waiting: deque[Any] = deque()

        def hand_out() -> None:
            if (start := next(starts, None)) is not None:
                size = min(chunk, first + blocks - start)
                waiting.append(self._client.submit(count_chunk, self._job, start, size, pure=False))

        try:
            for _ in range(_AHEAD * threads):
                hand_out()
            while waiting:
                places, counts, reached = waiting[0].result()
                waiting.popleft()
                hand_out()
                self._codes.reshape(-1)[places] += counts
                self._reached += reached
                report(int(self._reached.sum()))
        finally:
            self._client.cancel(list(waiting))  # type: ignore[no-untyped-call]

    def counts(self) -> Counts:
        """All that was dealt so far."""
        return Counts.of_codes(self._job.splits, self._codes, self._reached)

    def close(self) -> None:
        """Disconnect from the cluster; stop it if it was started here."""
        self._client.close()  # type: ignore[no-untyped-call]
        if self._cluster is not None:
            self._cluster.close()
