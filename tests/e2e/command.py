"""Runs the real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def punto(
    *arguments: str, stdin: str | bytes = "", cwd: Path = ROOT, columns: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `punto` with these arguments; whatever happens, a user must never see a traceback."""
    environment = os.environ | ({"COLUMNS": columns} if columns else {})
    given = stdin if isinstance(stdin, bytes) else stdin.encode()
    done = subprocess.run(
        [sys.executable, "-m", "punto", *arguments],
        input=given,
        capture_output=True,
        cwd=cwd,
        check=False,
        env=environment,
    )
    result = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in result.stderr, result.stderr
    return result
