"""The fence: inside it nothing real can be reached. Clocks, random bytes, sockets and threads raise."""

from __future__ import annotations

import gc
import logging
import os
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from tests.simulation.loop import SeededLoop

EPOCH_S = 1_763_200_000
"""The time of day at which every run begins."""
_CLOCKS = ("time", "monotonic", "perf_counter")


class FencedError(BaseException):
    """Something asked for the real world. No handler of the house may take it for an error of its own."""


def _refuse(what: str) -> Callable[..., Any]:
    def refused(*_: object, **__: object) -> Any:
        raise FencedError(f"{what} was asked for inside the simulation")

    return refused


def _clock(loop: SeededLoop, name: str, factor: int) -> Callable[[], Any]:
    """A clock that raises for the house, and shows virtual time to libraries that only note it."""

    def read() -> Any:
        if sys._getframe(1).f_globals.get("__name__", "").startswith("punto"):
            raise FencedError(f"time.{name} was asked for inside the simulation")
        now = loop.time() + (EPOCH_S if name.startswith("time") else 0)
        return int(now * factor) if factor > 1 else now

    return read


@contextmanager
def fence(loop: SeededLoop) -> Iterator[None]:
    """Keep the real world out."""
    with ExitStack() as stack:
        for name in _CLOCKS:
            stack.enter_context(patch.object(time, name, _clock(loop, name, 1)))
            stack.enter_context(patch.object(time, f"{name}_ns", _clock(loop, f"{name}_ns", 10**9)))
        for place, name in ((os, "urandom"), (random, "_urandom"), (socket, "socket"), (threading.Thread, "start")):
            stack.enter_context(patch.object(place, name, _refuse(name)))
        logging.disable(logging.CRITICAL)
        stack.callback(logging.disable, logging.NOTSET)
        if gc.isenabled():
            gc.disable()  # when it runs depends on all that ran before in this process
            stack.callback(gc.enable)
        yield
