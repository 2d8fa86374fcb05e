"""Starting commands, against starting Python itself: processor time of the whole process, from start to end."""

from __future__ import annotations

import resource
import subprocess
import sys

from benchmarks.harness import Comparison, best_seconds

COMMANDS = ((("--help",), 18.0), (("settle", "examples/insured-banker.json"), 30.0), (("odds", "commission"), 130.0))
"""Commands, and how many times the time of Python alone each may take. The loops of `odds` are compiled already."""


def run() -> list[Comparison]:
    """Measure each command."""
    python = _seconds("-c", "pass")
    comparisons = []
    for arguments, promise in COMMANDS:
        seconds = _seconds("-m", "punto", *arguments)
        name = f"start: punto {arguments[0]}"
        note = f"{seconds * 1000:,.0f} ms"
        comparisons.append(Comparison(name, "python -c pass", seconds, python, promise, "cost", note))
    return comparisons


def _seconds(*arguments: str) -> float:
    def work() -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    work()
    return best_seconds(work, clock=_children_seconds)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
