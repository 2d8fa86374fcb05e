"""Work on the lines of a file, on all cores, with the answers in the order of the lines and little in memory."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedIOBase
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

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
    """The results of the work on each part, in the order of the parts. A long input is shared out over all cores."""
    parts = iter(parts)
    cores, done = _cores(), 0
    for part in parts:
        yield work(part)
        done += len(part)
        if done >= alone_bytes and cores > 1:
            yield from _in_processes(work, parts, cores)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _in_processes(work: Callable[[bytes], Answer], parts: Iterator[bytes], count: int) -> Iterator[Answer]:
    """Each process has at most one part, and the oldest part is waited for: so order is kept, and memory is bounded."""
    with _processes(work, count) as processes:
        free = deque(processes)
        at_work: deque[Connection] = deque()
        for part in parts:
            small = len(part) < SMALL_PART_BYTES
            while at_work and (small or not free):
                process = at_work.popleft()
                yield process.recv()
                free.append(process)
            if small:
                yield work(part)
                continue
            process = free.popleft()
            process.send_bytes(part)
            at_work.append(process)
        for process in at_work:
            yield process.recv()


@contextmanager
def _processes(work: Callable[[bytes], Answer], count: int) -> Iterator[list[Connection]]:
    """Connections to processes that do the work. They end when their connections close, however this process ends."""
    from multiprocessing import get_context  # a short input needs no processes

    context = get_context("spawn")
    with ExitStack() as stack:
        connections = []
        # Ctrl-C reaches every process of a terminal. Those that are started while it is ignored go on ignoring it.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for _ in range(count):
                ours, theirs = context.Pipe()
                process = context.Process(target=_answer, args=(work, theirs), daemon=True)
                process.start()
                theirs.close()
                stack.callback(process.join)
                stack.callback(ours.close)
                connections.append(ours)
        finally:
            signal.signal(signal.SIGINT, handler)
        yield connections


def _answer(work: Callable[[bytes], Answer], connection: Connection) -> None:
    """Do the work on each part that comes, until there are no more."""
    while True:
        try:
            part = connection.recv_bytes()
        except (EOFError, OSError):  # the first between two parts, the second within one
            return
        answer = work(part)
        try:
            connection.send(answer)
        except OSError:  # nobody waits for it any more
            return
