"""One line on standard error that shows how far a long piece of work is."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from punto.texts import LANGUAGE, text

EVERY_SECONDS = 0.1


class Progress:
    """A progress line, which counts by a noun of the commands' texts. Shown where it is watched, unless told."""

    def __init__(self, total: int, noun: str, *, shown: bool | None) -> None:
        self._total, self._noun = max(total, 1), noun
        self._shown = _is_watched() if shown is None else shown
        self._start = self._last = time.monotonic()
        self._width = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            self._write("")

    def update(self, done: int, total: int | None = None) -> None:
        """Say how much is done, and of how much if that is known only now, unless that was said a moment ago."""
        self._total = total or self._total
        now = time.monotonic()
        if not self._shown or now - self._last < EVERY_SECONDS:
            return
        self._last = now
        share = min(done / self._total, 1)
        bar = "█" * int(share * 20)
        speed = done / (now - self._start)
        noun = text("commands", self._noun, LANGUAGE.get())
        self._write(f"{bar:·<20} {share:4.0%}  {done:,} {noun}, {speed:,.0f}/s")

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line:<{self._width}}" + ("" if line else "\r"))
        sys.stderr.flush()
        self._width = len(line)


def _is_watched() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
