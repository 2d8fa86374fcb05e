"""The CUDA backend: one shoe for each thread on an NVIDIA GPU, with CuPy."""

from __future__ import annotations

import threading
from contextvars import copy_context
from typing import Any

import cupy
import numpy as np

from punto.analysis.compiled import say_once
from punto.rules.refusals import Refused
from punto.simulation import strands
from punto.simulation.backends import DealJob, OnProgress, Resources
from punto.simulation.counts import CODES, MAX_ROUNDS, Counts
from punto.simulation.refusals import BackendUnavailable

WAVES = 8
"""The number of times a launch fills the GPU: about a tenth of a second, after which progress is reported."""

COMPILING_AFTER_SECONDS = 0.5
"""A kernel that is not ready after this time is not loaded, but compiled."""


class GpuDealer:
    """Launches strands of shoes until all are dealt. The counts stay on the device until they are read."""

    shoes_per_block = strands.SHOES

    def __init__(self, job: DealJob, _resources: Resources, threads: int | None = None) -> None:
        self._job = job
        try:
            device = cupy.cuda.Device()
            self._threads = threads or _fitting(job, device.attributes["MaxSharedMemoryPerBlockOptin"])
            module = cupy.RawModule(
                code=strands.source(), options=("--std=c++17", *strands.macros(job, self._threads)), backend="nvrtc"
            )
            # CuPy keeps the kernel and does not tell whether it had it: what takes longer is being compiled.
            notice = threading.Timer(COMPILING_AFTER_SECONDS, copy_context().run, [say_once, "compiling-kernel"])
            notice.start()
            try:
                self._kernel = module.get_function("deal")
            finally:
                notice.cancel()
            self._kernel.max_dynamic_shared_size_bytes = strands.shared_bytes(job, self._threads)
            self._kernel.preferred_shared_memory_carveout = 100
        except Exception as error:  # drivers, compilers and toolkits raise many kinds of error
            raise Refused(BackendUnavailable("gpu-unusable", detail=str(error))) from None
        self._strands_a_launch = WAVES * self._threads * device.attributes["MultiProcessorCount"]
        given = strands.arguments(job)
        self._start, self._stop, self._burn_card = given.start, given.stop, given.burn_card
        self._jumps, self._full, self._ends = map(cupy.asarray, (given.jumps, given.full, given.ends))
        self._codes: Any = cupy.zeros((len(job.splits) + 1, CODES), np.uint64)
        self._lengths: Any = cupy.zeros(MAX_ROUNDS, np.uint64)

    def deal(self, first: int, blocks: int, report: OnProgress) -> None:
        """Launch these strands a few waves at a time. On an interruption, the current launch is counted whole."""
        try:
            for start in range(first, first + blocks, self._strands_a_launch):
                self._launch(start, min(self._strands_a_launch, first + blocks - start))
                cupy.cuda.Device().synchronize()
                by_length = cupy.asnumpy(self._lengths)
                report(int(by_length @ np.arange(MAX_ROUNDS, dtype=np.uint64)))
        finally:
            cupy.cuda.Device().synchronize()

    def _launch(self, first: int, strands_now: int) -> None:
        threads = self._threads
        arguments = (
            np.uint64(self._start), self._jumps, np.uint64(first), np.uint32(strands_now), self._full,
            np.uint32(self._stop), np.uint32(self._burn_card), self._ends, self._codes, np.uint64(CODES), self._lengths,
        )  # fmt: skip
        shared = strands.shared_bytes(self._job, threads)
        self._kernel((-(-strands_now // threads),), (threads,), arguments, shared_mem=shared)

    def counts(self) -> Counts:
        """All that was dealt so far."""
        return strands.to_counts(self._job, cupy.asnumpy(self._codes), cupy.asnumpy(self._lengths))

    def close(self) -> None:
        """Do nothing: memory is freed with this object."""


def _fitting(job: DealJob, shared_bytes: int) -> int:
    """As many threads, in whole warps, as fit the GPU's shared memory."""
    fewer = range(strands.THREADS, 32, -32)
    return next((threads for threads in fewer if strands.shared_bytes(job, threads) <= shared_bytes), 32)
