"""How every benchmark measures and reports: ours against a named baseline, in one run, as a ratio."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """Our time against a baseline's for the same work, and the ratio that was promised.

    `speedup` promises are of the form "at least so many times faster"; `cost` ones "no more than so many times".
    """

    name: str
    baseline: str
    ours_seconds: float
    baseline_seconds: float
    promise: float
    kind: str = "speedup"
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster we are, or how many times the baseline's time we take."""
        if self.kind == "speedup":
            return self.baseline_seconds / self.ours_seconds
        return self.ours_seconds / self.baseline_seconds

    @property
    def kept(self) -> bool:
        """Whether the promise held in this run."""
        return self.ratio >= self.promise if self.kind == "speedup" else self.ratio <= self.promise


def best_seconds(
    work: Callable[[], object], repeats: int = 5, *, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The shortest of several timings: noise on a shared machine only ever adds.

    With `time.process_time` as the clock, only the processor time of this process counts.
    """
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        work()
        best = min(best, clock() - start)
    return best


def python_seconds(*arguments: str, **environment: str) -> float:
    """The processor time of a whole Python process: its start and its imports too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=os.environ | environment, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(comparisons: list[Comparison]) -> None:
    """Print the comparisons as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("what", "baseline", "ratio", "promised", "", "note", title="Benchmarks (one run, this machine)")
    for each in comparisons:
        sign = "≥" if each.kind == "speedup" else "≤"
        mark = "[green]kept[/]" if each.kept else "[red]missed[/]"
        table.add_row(each.name, each.baseline, f"{each.ratio:,.2f}×", f"{sign} {each.promise:g}×", mark, each.note)
    Console(width=150).print(table)
