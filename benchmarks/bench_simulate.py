"""Full shoes with every outcome counted: one core against plain Python, two cores against one, Dask against threads."""

from __future__ import annotations

import os
import time

from benchmarks import plain_simulator
from benchmarks.harness import Comparison, best_seconds
from punto.simulation.backends import DealJob, Resources, open_backend
from punto.simulation.on_cpu import CpuDealer
from punto.simulation.shoe import SimulatedShoe

PLAIN_ROUNDS = 100_000
BLOCKS = 20_000
"""Blocks of 64 shoes: some 105 million rounds."""
DASK_BLOCKS = int(os.environ.get("PUNTO_BENCH_DASK_BLOCKS", "1910000"))
"""The promised 10^10 rounds, unless fewer are asked for."""


def _quiet(_rounds: int) -> None:
    pass


def _seconds(job: DealJob, threads: int, blocks: int) -> tuple[float, int]:
    """The best time to deal these blocks, and the rounds they have."""
    dealer = CpuDealer(job, Resources(threads))
    seconds = best_seconds(lambda: dealer.deal(0, blocks, _quiet), 3)
    rounds = dealer.counts().rounds // 3
    dealer.close()
    return seconds, rounds


def run() -> list[Comparison]:
    """Measure; the times of the baselines are scaled to as many rounds as ours dealt."""
    shoe = SimulatedShoe.of_decks(8)
    job = DealJob(shoe, 7, (shoe.sure_rounds,))
    plain = best_seconds(lambda: plain_simulator.simulate(PLAIN_ROUNDS), 3)
    one, rounds = _seconds(job, 1, BLOCKS)
    two, _ = _seconds(job, 2, BLOCKS)
    threads, many = _seconds(job, 2, DASK_BLOCKS)
    dealer = open_backend("dask", job, Resources(2))
    start = time.perf_counter()
    dealer.deal(0, DASK_BLOCKS, _quiet)
    dask = time.perf_counter() - start
    dealer.close()
    speed = f"{rounds / one / 1e6:,.0f} million rounds a second against {PLAIN_ROUNDS / plain / 1e6:.2f}"
    return [
        Comparison("simulate, one core", "plain Python", one, plain * rounds / PLAIN_ROUNDS, 150, note=speed),
        Comparison(
            "simulate, two cores", "one core", two, one, 1.8, note=f"{rounds / two / 1e6:,.0f} million a second"
        ),
        Comparison(
            "simulate, two Dask workers",
            "two threads",
            dask,
            threads,
            1.1,
            "cost",
            f"{many / dask / 1e6:,.0f} million a second",
        ),
    ]
