"""Reading and writing files for commands. Every error becomes a refusal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import cast

from punto.cli.output import named
from punto.cli.refusals import FileUnreadable, FileUnwritable, OptionUnknown
from punto.rules.reasons import Problem
from punto.rules.refusals import Refused

BOM = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before UTF-8 text."""


@contextmanager
def reading_bytes(file: str) -> Iterator[BufferedIOBase]:
    """A file, or standard input for `-`, open for reading bytes."""
    if file == "-":
        yield cast("BufferedIOBase", sys.stdin.buffer)
        return
    if file.startswith("-"):
        raise Refused(OptionUnknown(file))
    try:
        stream = Path(file).open("rb")  # noqa: SIM115 — the with is below, so that only opening is guarded here
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None)
        problem = "" if reason else Problem.NOT_A_PATH
        raise Refused(FileUnreadable(file, problem=problem, detail=reason or "")) from None
    with stream:
        yield stream


def read_text(file: str) -> str:
    """The whole of a file, or of standard input for `-`, as UTF-8 text."""
    with reading_bytes(file) as stream:
        try:
            return stream.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Refused(FileUnreadable(**named(file), problem="not-text-file", detail=error.reason)) from None


def write_file(file: str, content: str) -> None:
    """Write text to a file, or to standard output for `-`."""
    if file == "-":
        sys.stdout.write(content)
        return
    try:
        Path(file).write_text(content, encoding="utf-8")
    except OSError as error:
        raise Refused(FileUnwritable(file, detail=error.strerror or "")) from None
