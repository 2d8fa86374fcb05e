"""Runs `punto` in this process, as its users run it; `tests/e2e/command.py` starts one of its own."""

from __future__ import annotations

import asyncio
import io
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from punto.cli.main import main

ROOT = Path(__file__).parents[2]


class Shown(NamedTuple):
    """The exit status of a command, what it wrote, and what it complained of."""

    returncode: int
    stdout: str
    stderr: str


def punto(
    *arguments: str, stdin: str | bytes = "", lang: str = "", cwd: Path = ROOT, columns: str | None = None
) -> Shown:
    """Run `punto` with these arguments, this input and this language of the system.

    Where a loop runs, in a thread beside it: commands start a loop of their own.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(arguments, stdin, lang, cwd, columns)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_run, arguments, stdin, lang, cwd, columns).result()


def _run(arguments: tuple[str, ...], stdin: str | bytes, lang: str, cwd: Path, columns: str | None) -> Shown:
    given = stdin if isinstance(stdin, bytes) else stdin.encode(errors="surrogateescape")
    out, err = io.BytesIO(), io.BytesIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(io.TextIOWrapper(out, "utf-8", write_through=True)),
        redirect_stderr(io.TextIOWrapper(err, "utf-8", write_through=True)),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", "Cyclopts application invoked")  # it reads sys.argv, as for its users
        patch.chdir(cwd)
        if columns:
            patch.setenv("COLUMNS", columns)
        for name in ("LC_ALL", "LC_MESSAGES"):
            patch.delenv(name, raising=False)
        patch.setenv("LANG", lang)
        patch.setattr(sys, "argv", ["punto", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        with pytest.raises(SystemExit) as end:
            main()
        return Shown(int(end.value.code or 0), *[each.getvalue().decode() for each in (out, err)])
