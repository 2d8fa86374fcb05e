"""The interface of the backends, which deal blocks of shoes and add up the counts; their list, and opening one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol

from punto.extras import naming_extras
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused
from punto.simulation.counts import Counts
from punto.simulation.refusals import BackendUnavailable, BackendUnknown
from punto.simulation.shoe import SimulatedShoe

OnProgress = Callable[[int], None]
"""Gets the number of rounds dealt so far, from time to time."""


@dataclass(frozen=True, slots=True)
class DealJob:
    """A deal: a shoe, a seed, and round numbers after which rounds are counted separately, in ascending order."""

    shoe: SimulatedShoe
    seed: int
    splits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Resources:
    """The means of dealing: threads or local workers (by default all cores), or the address of a Dask cluster."""

    threads: int | None = None
    cluster: str | None = None

    @property
    def cores(self) -> int:
        """The number of threads or local workers."""
        if self.threads is not None:
            return self.threads
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Dealer(Protocol):
    """A backend for one job. The counts of a block depend only on the job and the block's number."""

    shoes_per_block: int

    def deal(self, first: int, blocks: int, report: OnProgress) -> None:
        """Deal these blocks and add them up. Interrupted, it adds up whole blocks or nothing, and raises at once."""

    def counts(self) -> Counts:
        """All that was dealt so far."""

    def close(self) -> None:
        """Release threads, workers and device memory."""


BACKENDS = {"numba": "on_cpu.CpuDealer", "cuda": "on_gpu.GpuDealer", "dask": "on_cluster.ClusterDealer"}
"""The dealer of every backend by name; the first is the default."""


def open_backend(name: str, job: DealJob, resources: Resources) -> Dealer:
    """A dealer of this backend, compiled and ready. Raises Refused, also if its package is not installed."""
    if name not in BACKENDS:
        raise Refused(BackendUnknown(quoted(name), tuple(BACKENDS)))
    if resources.threads is not None and resources.threads < 1:
        raise Refused(BackendUnavailable("no-threads", str(resources.threads)))
    module, _, dealer = BACKENDS[name].partition(".")
    with naming_extras():
        imported = import_module(f"punto.simulation.{module}")
    made: Dealer = getattr(imported, dealer)(job, resources)
    return made
