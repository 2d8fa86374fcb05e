"""Loops that numba compiles. The machine code is cached next to the code or in the user's folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit


def compiled(**options: Any) -> Callable[[Any], Any]:
    """Compile a function when it is first called, with these options of numba's `njit`.

    If no folder is writable, the code is compiled again in each run, with a message.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # numba found no folder for it
            _say_not_kept()
            return njit(**options)(function)

    return decorate


@cache
def _say_not_kept() -> None:
    sys.stderr.write(
        "punto: no folder may be written for compiled code, so every run compiles anew; "
        "NUMBA_CACHE_DIR can name one [cache-unwritable]\n"
    )
