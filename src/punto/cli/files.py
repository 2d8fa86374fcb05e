"""Files as commands read and write them; whatever goes wrong is said in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from punto.cli.output import Failure


def called(file: str) -> str:
    """What to call a file in a sentence: `-` is standard input."""
    return "standard input" if file == "-" else file


BOM = b"\xef\xbb\xbf"
"""What some editors put before UTF-8 text."""


@contextmanager
def reading_bytes(file: str) -> Iterator[BinaryIO]:
    """A file, or standard input for `-`, as bytes, for as long as it is read."""
    if file == "-":
        yield sys.stdin.buffer
        return
    if file.startswith("-"):
        raise Failure("option-unknown", f"{file} is not an option here, nor a file; ./{file} would be one")
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 — the with is below, so that only opening is guarded here
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is no path"
        raise Failure("file-unreadable", f"cannot read {file}: {reason}") from None
    with stream:
        yield stream


def read_text(file: str) -> str:
    """All of a file, or of standard input for `-`, as UTF-8 text."""
    with reading_bytes(file) as stream:
        try:
            return stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Failure("file-unreadable", f"{called(file)} is not UTF-8 text: {error.reason}") from None


def write_file(file: str, content: str) -> None:
    """Write text to a file, or to standard output for `-`."""
    if file == "-":
        sys.stdout.write(content)
        return
    try:
        Path(file).write_text(content, encoding="utf-8")
    except OSError as error:
        raise Failure("file-unwritable", f"cannot write {file}: {error.strerror}") from None
