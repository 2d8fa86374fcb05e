"""The software as it is installed: one fingerprint over all of it, for whoever compares it with what was approved."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import punto

PACKAGE = Path(punto.__file__).parent


@cache
def fingerprint() -> str:
    """The SHA-256 over the name and the contents of every file of the package, but those that Python writes itself."""
    total = hashlib.sha256()
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for name, path in sorted([(path.relative_to(PACKAGE).as_posix(), path) for path in files]):
        total.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()
