"""The CUDA kernel's own source, built for this machine by a C++ compiler, against the exact distribution.

What only a GPU can show (speed, atomics, bank conflicts) is in benchmarks/gpu.py.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.gpu import chi_square
from punto.rules.composition import Burn
from punto.simulation import strands
from punto.simulation.backends import DealJob, Resources
from punto.simulation.counts import CODES, MAX_ROUNDS, Counts
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import simulate
from punto.simulation.strands import MODULUS, MULTIPLIER, SHOES, STRETCH, macros

SOURCE = Path(strands.__file__).with_name("kernel.cu")
Deal = Callable[[DealJob, int, int], Counts]

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler here")


@pytest.fixture(scope="module")
def deal(tmp_path_factory: pytest.TempPathFactory) -> Deal:
    """Deals strands with the kernel's code on this machine."""
    folder = tmp_path_factory.mktemp("kernel")
    built: dict[tuple[str, ...], ctypes.CDLL] = {}

    def build(macros: tuple[str, ...]) -> ctypes.CDLL:
        if macros not in built:
            library = folder / f"kernel{len(built)}.so"
            command = ["g++", "-x", "c++", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", *macros]
            subprocess.run([*command, "-o", str(library), str(SOURCE)], check=True)
            built[macros] = ctypes.CDLL(str(library))
        return built[macros]

    def run(job: DealJob, first: int, count: int) -> Counts:
        given = strands.arguments(job)
        codes = np.zeros((len(job.splits) + 1, CODES), np.uint64)
        lengths = np.zeros(MAX_ROUNDS, np.uint64)
        long, short = ctypes.c_uint64, ctypes.c_uint32

        def array(values: np.ndarray[tuple[int, ...], np.dtype[np.unsignedinteger]]) -> ctypes.c_void_p:
            return values.ctypes.data_as(ctypes.c_void_p)

        build(macros(job)).deal_on_host(
            long(given.start), array(given.jumps), long(first), short(count), array(given.full), short(given.stop),
            short(given.burn_card), array(given.ends), array(codes), long(CODES), array(lengths),
        )  # fmt: skip
        return strands.to_counts(job, codes, lengths)

    return run


@needs_compiler
@pytest.mark.parametrize(
    "shoe",
    [
        SimulatedShoe.of_decks(8),
        SimulatedShoe.of_decks(10, burn=Burn.CARD),
        SimulatedShoe.of_decks(5, 60, 7),
        SimulatedShoe.of_shuffler(8),
    ],
    ids=str,
)
def test_the_gpu_kernel_deals_the_exact_distribution(deal: Deal, shoe: SimulatedShoe) -> None:
    counts = deal(DealJob(shoe, 7, (1, shoe.sure_rounds)), 0, 400)
    assert counts.shoes == 400 * SHOES
    assert counts.rounds == counts.histogram.sum()
    assert counts.first(1).sum() == counts.shoes
    assert abs(chi_square(counts.first(shoe.sure_rounds), shoe)[2]) < 4
    assert abs(chi_square(counts.first(1), shoe)[2]) < 4


@needs_compiler
def test_launches_give_the_same_counts(deal: Deal) -> None:
    job = DealJob(SimulatedShoe.of_decks(8), 3, (67,))
    one, early, late = deal(job, 0, 30), deal(job, 0, 11), deal(job, 11, 19)
    assert (one.rows == early.rows + late.rows).all()
    assert (one.reached == early.reached + late.reached).all()


@needs_compiler
def test_both_kernels_have_as_many_rounds_in_a_shoe(deal: Deal) -> None:
    shoe = SimulatedShoe.of_decks(8)
    gpu = deal(DealJob(shoe, 7, (67,)), 0, 400)
    cpu = simulate(shoe, 10_000_000, 7, resources=Resources(2)).counts
    assert abs(gpu.rounds / gpu.shoes - cpu.rounds / cpu.shoes) < 0.03


@needs_compiler
def test_a_shoe_of_one_rank_is_dealt_to_its_end(deal: Deal) -> None:
    aces = SimulatedShoe((40, *[0] * 12), cut=5)
    assert deal(DealJob(aces, 7, (1,)), 0, 1).rounds_per_shoe == {6: SHOES}


def test_strands_are_stretches_of_one_sequence_that_do_not_meet() -> None:
    """Jump i is 2^(i) stretches of multiplications: the table goes by doubling, and the first is a stretch long."""
    jumps = [int(jump) for jump in strands.arguments(DealJob(SimulatedShoe.of_decks(8), 7)).jumps]
    state = 1
    for _ in range(STRETCH):
        state = state * MULTIPLIER % MODULUS
    assert jumps[0] == state
    assert all(later == earlier * earlier % MODULUS for earlier, later in pairwise(jumps))
    assert 4 * SHOES * SimulatedShoe.of_decks(10, 5).max_rounds < STRETCH
    assert 2 ** len(jumps) * STRETCH <= MODULUS // 2


def test_the_seed_gives_the_start_of_the_sequence() -> None:
    starts = {strands.arguments(DealJob(SimulatedShoe.of_decks(8), seed)).start for seed in range(200)}
    assert len(starts) == 200
    assert all(0 < start < MODULUS for start in starts)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no CUDA compiler here")
def test_the_gpu_kernel_compiles_for_the_gpu(tmp_path: Path) -> None:
    job = DealJob(SimulatedShoe.of_decks(8), 7, (1, 67))
    command = ["nvcc", "-arch=sm_90", "-cubin", *macros(job), "-o", str(tmp_path / "kernel.cubin"), str(SOURCE)]
    subprocess.run(command, check=True, capture_output=True)
