"""Work on the lines of a file, on all cores, with the answers in the order of the lines and little in memory."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from io import BufferedIOBase
from typing import Any, TypeVar

Answer = TypeVar("Answer")

PART_BYTES = 1 << 18
"""The size of a part: large enough that handing it to another process costs little."""

SMALL_PART_BYTES = PART_BYTES // 16
"""A smaller part came from a stream that is slower than the work, so its answer is given at once."""

ALONE_BYTES = 4 << 20
"""The bytes handled in this process alone. Starting others takes longer than that."""


def whole_lines(stream: BufferedIOBase) -> Iterator[bytes]:
    """The rest of a stream in parts of whole lines, each as soon as it can be read."""
    pieces: list[bytes] = []
    while piece := stream.read1(PART_BYTES):
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*pieces, piece[:end]])
            pieces = []
        pieces.append(piece[end:])
    if any(pieces):
        yield b"".join(pieces)


def in_order(
    work: Callable[[bytes], Answer], parts: Iterable[bytes], *, alone_bytes: int = ALONE_BYTES
) -> Iterator[Answer]:
    """The results of the work on each part, in the order of the parts. A long input is shared out over all cores.

    Each process has at most one part, and the oldest part is waited for: so order is kept, and memory is bounded.
    """
    cores, done, at_work = _cores(), 0, deque[Any]()
    with ExitStack() as stack:
        pool = None
        for part in parts:
            alone = done < alone_bytes or cores == 1 or len(part) < SMALL_PART_BYTES
            done += len(part)
            while at_work and (alone or len(at_work) == cores):
                yield at_work.popleft().get()
            if alone:
                yield work(part)
            else:
                pool = pool or stack.enter_context(_processes(cores))
                at_work.append(pool.apply_async(work, (part,)))
        for result in at_work:
            yield result.get()


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processes(count: int) -> Any:
    from multiprocessing import get_context  # a short input needs no processes

    # Ctrl-C reaches every process of a terminal. Those that are started while it is ignored go on ignoring it.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return get_context("spawn").Pool(count)
    finally:
        signal.signal(signal.SIGINT, handler)
