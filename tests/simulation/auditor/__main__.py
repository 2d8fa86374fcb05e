"""`python -m tests.simulation.auditor FILE …`: print what is wrong in histories; the status is 1 if anything is."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.simulation.auditor.auditor import Auditor


def main(paths: list[str]) -> int:
    """Audit files; the exit status."""
    found = False
    for path in paths:
        auditor = Auditor()
        with Path(path).open("rb") as lines:
            for line in lines:
                auditor.take_line(line)
        for violation in auditor.violations():
            found = True
            print(violation if len(paths) == 1 else f"{path}: {violation}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
