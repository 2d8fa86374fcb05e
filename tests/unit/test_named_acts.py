"""The acts of a table as methods of the library's table."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.named_acts import FILE, module


def test_the_methods_are_those_of_the_acts() -> None:
    command = [sys.executable, "-m", "ruff", "format", "-q", "--stdin-filename", str(FILE), "-"]
    written = subprocess.run(command, input=module(), capture_output=True, text=True, check=True).stdout
    assert FILE.read_text(encoding="utf-8") == written, "run python -m tests.docs.named_acts and ruff format"
