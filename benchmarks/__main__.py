"""Run every benchmark, or those whose names are given: `python -m benchmarks settle`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.harness import show


def main() -> None:
    """Run the asked-for benchmarks in turn and print one table."""
    names = sys.argv[1:] or sorted(path.stem[6:] for path in Path(__file__).parent.glob("bench_*.py"))
    show([each for name in names for each in import_module(f"benchmarks.bench_{name}").run()])


if __name__ == "__main__":
    main()
