"""Files as commands read and write them; whatever goes wrong is said in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from punto.cli.output import Failure


def called(file: str) -> str:
    """What to call a file in a sentence: `-` is standard input."""
    return "standard input" if file == "-" else file


@contextmanager
def reading(file: str) -> Iterator[TextIO]:
    """A file, or standard input for `-`, as UTF-8 text, for as long as it is read."""
    try:
        if file == "-":
            yield sys.stdin
        else:
            with Path(file).open(encoding="utf-8-sig") as stream:
                yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure("file-unreadable", f"cannot read {file}: {error.strerror}") from None
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
