"""Run every benchmark, or those whose names are given: `python -m benchmarks settle`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.harness import show


def main() -> None:
    """Run the asked-for benchmarks in turn and print one table; exit status 1 if a promise was missed."""
    names = sys.argv[1:] or sorted(path.stem[6:] for path in Path(__file__).parent.glob("bench_*.py"))
    comparisons = [each for name in names for each in import_module(f"benchmarks.bench_{name}").run()]
    show(comparisons)
    sys.exit(0 if all(each.kept for each in comparisons) else 1)


if __name__ == "__main__":
    main()
