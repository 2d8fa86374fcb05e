"""Starting commands, against Python that only imports the packages which they need: processor time of the process."""

from __future__ import annotations

from benchmarks.harness import Comparison, python_seconds

COMMANDS = (
    ("--help", "cyclopts, rich.console", 3.0),
    ("odds commission", "cyclopts, rich.console, numpy", 3.5),
    ("settle examples/insured-banker.json", "cyclopts, rich.console", 4.0),
)
"""Commands, the packages that they need, and how many times the import of those they may take."""
TURNS = 6


def run() -> list[Comparison]:
    """Measure each command."""
    return [_compare(*each) for each in COMMANDS]


def _compare(command: str, packages: str, promise: float) -> Comparison:
    ours = min([python_seconds("-m", "punto", *command.split()) for _ in range(TURNS)])
    imports = min([python_seconds("-c", f"import {packages}") for _ in range(TURNS)])
    name, note = f"start: punto {command.split()[0]}", f"{ours * 1000:,.0f} ms"
    return Comparison(name, f"import {packages}", ours, imports, promise, "cost", note)
