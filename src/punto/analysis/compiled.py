"""Loops that numba compiles. The machine code is cached next to the code or in the user's folder.

Compiling takes seconds, so a line on standard error says so, once in a process and only if the cache does not have it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

from punto.extras import naming_extras
from punto.texts import LANGUAGE, text

with naming_extras("simulation"):
    from numba import njit
    from numba.core import event as numba_events

ONLY_CALLED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of a function that compiled code alone calls: numba compiles no entries to it from Python and C."""


def compiled(**options: Any) -> Callable[[Any], Any]:
    """Compile a function when it is first called, with these options of numba's `njit`.

    If no folder is writable, the code is compiled again in each run, with a message.
    """
    options = {"no_cfunc_wrapper": True, **options}

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return njit(cache=True, **options)(function)
        except RuntimeError:  # numba found no folder for it
            say_once("cache-unwritable", " [cache-unwritable]")
            return njit(**options)(function)

    return decorate


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a small function into every compiled one that calls it."""
    return njit(forceinline=True, **ONLY_CALLED)(function)


@cache
def say_once(key: str, code: str = "") -> None:
    """Say that something is compiled, for whoever waits for it."""
    sys.stderr.write(f"punto: {text('commands', key, LANGUAGE.get())}{code}\n")
    sys.stderr.flush()


class _CompileListener(numba_events.Listener):
    """Hears of every function that numba compiles, but not of those that it finds in its cache."""

    def on_start(self, event: numba_events.Event) -> None:
        """Say it, if the function is one of ours."""
        module = event.data["dispatcher"].py_func.__module__
        if module.partition(".")[0] == "punto":
            say_once("compiling-loops")

    def on_end(self, event: numba_events.Event) -> None:
        """Do nothing: the result follows."""


numba_events.register("numba:compile", _CompileListener())  # type: ignore[no-untyped-call]
