"""Starting commands, against a budget or starting Python itself: processor time of the whole process."""

from __future__ import annotations

import resource
import subprocess
import sys

from benchmarks.harness import Comparison, best_seconds

BUDGETS = ((("--help",), 0.2), (("odds", "commission"), 0.6))
"""Commands, and the seconds that each may take on a machine with nothing else to do."""
SETTLE = "settle", "examples/insured-banker.json"
SETTLE_PROMISE = 30.0
"""How many times the time of Python alone."""


def run() -> list[Comparison]:
    """Measure each command."""
    comparisons = []
    for arguments, budget in BUDGETS:
        seconds = _seconds("-m", "punto", *arguments)
        name, baseline = f"start: punto {arguments[0]}", f"a budget of {budget} s"
        comparisons.append(Comparison(name, baseline, seconds, budget, 1, "cost", _note(seconds)))
    seconds, python = _seconds("-m", "punto", *SETTLE), _seconds("-c", "pass")
    settle = Comparison(
        "start: punto settle", "python -c pass", seconds, python, SETTLE_PROMISE, "cost", _note(seconds)
    )
    return [*comparisons, settle]


def _note(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"


def _seconds(*arguments: str) -> float:
    def work() -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    work()
    return best_seconds(work, clock=_children_seconds)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
