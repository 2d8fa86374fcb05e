"""The GPU kernel measured by the threads of a block, and its counts held against the exact distribution.

    python -m benchmarks.gpu                     measure (through CuPy, or nvcc where there is no CuPy)
    python -m benchmarks.gpu --nvcc              measure through nvcc all the same
    python -m benchmarks.gpu --save counts.npz   and keep the last counts
    python -m benchmarks.gpu --check counts.npz  hold kept counts against the exact distribution, on any machine

It needs NumPy, and for the check what `punto.analysis.counting` needs. Any threads give the same counts.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from punto.simulation import strands
from punto.simulation.backends import DealJob
from punto.simulation.counts import MAX_ROUNDS, Counts
from punto.simulation.shoe import SimulatedShoe

REPEATS = 3
MULTIPROCESSORS = 132
"""Of an H200."""
SHARED_BYTES = 227 * 1024
"""Shared memory that one block may have there; a multiprocessor has 1 KiB more, and each block takes 1 KiB besides."""
WAVES = 4
SAME_STRANDS = 4096
THREADS = (256, 352, 448, 480, 512, 544)
Measure = Callable[[DealJob, int, int], tuple[float, Counts]]


def with_cupy(job: DealJob, threads: int, count: int) -> tuple[float, Counts]:
    """The best time of a launch, and its counts, through the product's own backend."""
    import cupy

    from punto.simulation.backends import Resources
    from punto.simulation.on_gpu import GpuDealer

    dealer: Any = GpuDealer(job, Resources(), threads)
    best = float("inf")
    for repeat in range(REPEATS + 1):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        dealer._codes[:], dealer._lengths[:] = 0, 0  # noqa: SLF001 — each repeat deals the same strands
        begin.record()
        dealer._launch(0, count)  # noqa: SLF001
        end.record()
        end.synchronize()
        if repeat:
            best = min(best, cupy.cuda.get_elapsed_time(begin, end) / 1000)
    return best, dealer.counts()


def with_nvcc(job: DealJob, threads: int, count: int) -> tuple[float, Counts]:
    """The same through a small program built for the occasion."""
    given = strands.arguments(job)
    head = np.array(
        [given.start, given.stop, given.burn_card, len(given.jumps), len(given.full), len(given.ends)], np.uint64
    )
    program = _build(strands.macros(job, threads))
    with tempfile.TemporaryDirectory() as folder:
        arguments, counts = Path(folder) / "arguments", Path(folder) / "counts"
        arguments.write_bytes(b"".join(part.tobytes() for part in (head, given.jumps, given.full, given.ends)))
        command = [program, arguments, counts, count, REPEATS, strands.shared_bytes(job, threads)]
        done = subprocess.run([str(each) for each in command], check=True, capture_output=True, text=True)
        numbers = np.frombuffer(counts.read_bytes(), np.uint64)
    return float(done.stdout), strands.to_counts(job, numbers[:-MAX_ROUNDS], numbers[-MAX_ROUNDS:])


@cache
def _build(macros: tuple[str, ...]) -> Path:
    program = Path(tempfile.mkdtemp()) / "driver"
    source = Path(__file__).parent / "gpu_driver.cu"
    build = [
        shutil.which("nvcc") or "nvcc",
        "-O3",
        "-std=c++17",
        "-arch=sm_90",
        *macros,
        "-o",
        str(program),
        str(source),
    ]
    subprocess.run(build, check=True)
    return program


def chi_square(observed: npt.NDArray[np.int64], shoe: SimulatedShoe) -> tuple[float, int, float]:
    """Chi-square of a histogram against the exact first round: the statistic, its degrees of freedom, and sigmas.

    Outcomes expected fewer than ten times are taken together. For so many degrees of freedom the statistic is normal.
    """
    from punto.analysis.counting import distribution
    from punto.rules.composition import Composition

    known = distribution(Composition(shoe.counts))
    expected = known.joint.reshape(-1) / known.total * observed.sum()
    common = expected >= 10
    seen = np.append(observed[common], observed[~common].sum())
    due = np.append(expected[common], expected[~common].sum())
    keep = due > 0
    statistic = float(((seen[keep] - due[keep]) ** 2 / due[keep]).sum())
    freedom = int(keep.sum()) - 1
    return statistic, freedom, (statistic - freedom) / (2 * freedom) ** 0.5


def measure(how: Measure, decks: int, save: str | None) -> int:
    """Print a table by the number of threads; 1 if any two gave different counts."""
    shoe = SimulatedShoe.of_decks(decks)
    job = DealJob(shoe, 7, (1, shoe.sure_rounds))
    print("| threads a block | billion rounds/s | rounds | same counts |")
    print("|---|---|---|---|")
    reference: Counts | None = None
    wrong = 0
    for threads in THREADS:
        blocks = (SHARED_BYTES + 1024) // (strands.shared_bytes(job, threads) + 1024)
        if not blocks:
            print(f"| {threads} | does not fit | | |")
            continue
        some = how(job, threads, SAME_STRANDS)[1]
        reference = reference or some
        equal = bool((reference.rows == some.rows).all())
        wrong |= not equal
        seconds, counts = how(job, threads, WAVES * MULTIPROCESSORS * blocks * threads)
        speed, same = counts.rounds / seconds / 1e9, "yes" if equal else "NO"
        print(f"| {threads} | {speed:.1f} | {counts.rounds:,} | {same} |", flush=True)
        if save:
            np.savez_compressed(
                save, first=counts.first(1), sure=counts.first(shoe.sure_rounds), all=counts.histogram, decks=decks
            )
    return wrong


def check(file: str) -> None:
    """Say how kept counts compare with the exact distribution."""
    kept = np.load(file)
    shoe = SimulatedShoe.of_decks(int(kept["decks"]))
    for name, what in (
        ("first", "first rounds"),
        ("sure", "rounds every shoe has"),
        ("all", "all rounds"),
    ):
        statistic, freedom, sigmas = chi_square(kept[name], shoe)
        print(f"{what}: {kept[name].sum():,} rounds, chi-square {statistic:,.1f} on {freedom:,}: {sigmas:+.2f} sigma")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", action="store_true")
    parser.add_argument("--decks", type=int, default=8)
    parser.add_argument("--save")
    parser.add_argument("--check")
    options = parser.parse_args()
    if options.check:
        check(options.check)
        return
    how: Measure = with_nvcc
    if not options.nvcc:
        try:
            import cupy  # noqa: F401

            how = with_cupy
        except ImportError:
            print("CuPy is not here: building with nvcc", file=sys.stderr)
    print(f"measured through {how.__name__.removeprefix('with_')}", file=sys.stderr)
    sys.exit(measure(how, options.decks, options.save))


if __name__ == "__main__":
    main()
