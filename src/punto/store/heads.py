"""The head file, outside the database: where every stream ended. It is synced after each commit.

A database that was edited, rolled back or truncated does not match its heads and is refused at start. The file has two
halves, written alternately and in place, so that an interrupted write damages only one. Each half is one line with a
checksum and JSON, which people can read too. Space for a stream is reserved before its first commit, so that a full
disk refuses the commit and cannot stop the head after it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import queue
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from punto.store.errors import BrokenStoreError, DiskFullError, RefusedStoreError
from punto.store.locks import lock
from punto.store.records import NO_HASH, Tail

T = TypeVar("T")
_SMALLEST_HALF = 8 * 1024
_LARGEST = 2**63
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
_sync = getattr(os, "fdatasync", os.fsync)


@dataclass(frozen=True, slots=True)
class Heads:
    """The contents of a head file: the id of its store, and the last sequence number and hash of each stream.

    `accepted` lists what somebody accepted on trust (a missing head, an older database) and the log does not hold yet.
    """

    store: str
    streams: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    accepted: tuple[str, ...] = ()


def read_heads(path: Path) -> Heads | None:
    """The heads in a file, or None if there is no such file."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RefusedStoreError("head-unreadable", f"cannot read {path}: {error.strerror}") from None
    return _newest(content, path)[1]


def _newest(content: bytes, path: Path) -> tuple[int, Heads]:
    middle = len(content) // 2
    halves = [half for half in (_parse(content[:middle]), _parse(content[middle:])) if half]
    if not halves:
        raise RefusedStoreError("head-unreadable", f"{path} is not a head file, or both its halves are damaged")
    return max(halves, key=lambda half: half[0])


def _parse(half: bytes) -> tuple[int, Heads] | None:
    try:
        check, _, text = half.decode().rstrip().partition(" ")
        if hashlib.sha256(text.encode()).hexdigest() != check:
            return None
        data = json.loads(text)
        streams = {name: (int(seq), str(hash_)) for name, (seq, hash_) in data["streams"].items()}
        return int(data["generation"]), Heads(str(data["store"]), streams, tuple(map(str, data.get("accepted", ()))))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None


def _text(generation: int, heads: Heads) -> bytes:
    data = {"generation": generation, "store": heads.store, "streams": heads.streams}
    text = msgspec.json.encode(data | ({"accepted": heads.accepted} if heads.accepted else {}), order="sorted")
    return f"{hashlib.sha256(text).hexdigest()} ".encode() + text


def _space_for(store: str, streams: Iterable[str], accepted: tuple[str, ...]) -> int:
    """The bytes that a half needs for these streams, with the largest possible numbers."""
    return len(_text(_LARGEST, Heads(store, dict.fromkeys(streams, (_LARGEST, NO_HASH)), accepted))) + 1


def all_waiting(jobs: queue.SimpleQueue[T | None]) -> Iterator[list[T]]:
    """Whatever waits in a queue, once there is something, again and again until a None is among it."""
    waiting: list[T | None] = []
    while None not in waiting:
        waiting = [jobs.get()]
        with suppress(queue.Empty):
            while True:
                waiting.append(jobs.get_nowait())
        yield [job for job in waiting if job is not None]


class HeadFile:
    """A head file that only this process writes, in a thread, while the next commit is made."""

    def __init__(
        self, path: Path, store: str, streams: Mapping[str, tuple[int, str]], accepted: tuple[str, ...] = ()
    ) -> None:
        """Create or continue the file. The caller has compared its contents with the database, or accepted them."""
        self._path = path
        self._store = store
        self._streams = dict(streams)
        self._reserved = set(streams)
        self._accepted = accepted
        self._lock = threading.Lock()  # of the file, which `reserve` may exchange while the thread waits for work
        self._file, self._generation, self._half = self._open()
        self._queue: queue.SimpleQueue[tuple[list[Tail], Future[None]] | None] = queue.SimpleQueue()
        self._broken: BrokenStoreError | None = None
        self._thread = threading.Thread(target=self._run, name=f"heads of {path.name}", daemon=True)
        self._thread.start()
        self.submit(()).result()  # The database may be ahead of the file, or newly accepted.

    def has_room_for(self, stream: str) -> bool:
        """True if the file has space for the head of a stream."""
        return stream in self._reserved

    def reserve(self, stream: str) -> None:
        """Reserve space for a stream before its first commit; raises DiskFullError. Do not call from an event loop."""
        if stream in self._reserved:
            return
        with self._lock:
            if self._broken:
                raise self._broken
            need = _space_for(self._store, [*self._reserved, stream], self._accepted)
            try:
                if need > self._half:
                    self._file, self._half = self._renew(self._file, self._generation, need * 2)
            except OSError as error:
                if error.errno in _NO_ROOM:
                    raise DiskFullError("the disk is full; nothing was written") from None
                self._broken = BrokenStoreError(f"{self._path} could not be made larger: {error.strerror}")
                raise self._broken from None
            self._reserved.add(stream)

    @property
    def accepted(self) -> tuple[str, ...]:
        """The accepted sentences that are not `noted` yet."""
        return self._accepted

    def noted(self) -> Future[None]:
        """Clear what was accepted, because the log holds it now."""
        with self._lock:
            self._accepted = ()
        return self.submit(())

    def submit(self, tails: Iterable[Tail]) -> Future[None]:
        """Write these heads. The future is done when they are on disk. Waiting writes share one sync."""
        future: Future[None] = Future()
        self._queue.put((list(tails), future))
        return future

    def close(self) -> None:
        """Finish waiting writes and close the file."""
        self._queue.put(None)
        self._thread.join()
        os.close(self._file)

    def _open(self) -> tuple[int, int, int]:
        descriptor, generation, half = -1, 0, 0
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            self._lock_file(descriptor)
            content = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
            if content:
                (generation, before), half = _newest(content, self._path), len(content) // 2
                self._accepted = (*before.accepted, *self._accepted)
            need = _space_for(self._store, self._streams, self._accepted)
            if half < need:
                descriptor, half = self._renew(descriptor, generation, max(_SMALLEST_HALF, need * 2))
        except OSError as error:
            if descriptor >= 0:
                with suppress(OSError):
                    os.close(descriptor)
            raise RefusedStoreError("head-unwritable", f"cannot write {self._path}: {error.strerror}") from None
        return descriptor, generation, half

    def _renew(self, old: int, generation: int, half: int) -> tuple[int, int]:
        """Replace the file with a larger one atomically. Returns its descriptor and the size of a half."""
        fresh = self._path.with_name(self._path.name + ".new")
        descriptor = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        self._lock_file(descriptor)
        try:
            text = _text(generation, self._heads()).ljust(half - 1) + b"\n"
            _write_whole(descriptor, text * 2, 0)
            os.fsync(descriptor)
            fresh.replace(self._path)
        except OSError:  # the old file is still complete and in place
            os.close(descriptor)
            with suppress(OSError):
                fresh.unlink()
            raise
        try:
            sync_folder(self._path.parent)
        except OSError as error:  # it is unknown which file has the name now
            raise OSError(errno.EIO, error.strerror) from None
        os.close(old)  # Not earlier: its lock excluded other processes until here.
        return descriptor, half

    def _heads(self) -> Heads:
        return Heads(self._store, self._streams, self._accepted)

    def _lock_file(self, descriptor: int) -> None:
        lock(descriptor, f"another process is writing {self._path}: each process needs its own head file")

    def _run(self) -> None:
        for jobs in all_waiting(self._queue):
            if jobs:
                with self._lock:
                    self._write([tail for tails, _ in jobs for tail in tails])
            for _, future in jobs:
                if self._broken:
                    future.set_exception(self._broken)
                else:
                    future.set_result(None)

    def _write(self, tails: list[Tail]) -> None:
        if self._broken:
            return  # Do not try again on a disk that failed.
        for tail in tails:
            if tail.seq > self._streams.get(tail.stream, (0, ""))[0]:
                self._streams[tail.stream] = (tail.seq, tail.hash)
        self._generation += 1
        text = _text(self._generation, self._heads())
        try:
            if len(text) + 1 > self._half:
                self._file, self._half = self._renew(self._file, self._generation, len(text) * 2)
                return
            _write_whole(self._file, text.ljust(self._half - 1) + b"\n", self._half * (self._generation % 2))
            _sync(self._file)
        except OSError as error:
            self._broken = BrokenStoreError(f"{self._path} could not be synced: {error.strerror}")


def _write_whole(descriptor: int, content: bytes, at: int) -> None:
    """Write all bytes. On a nearly full disk the first write is partial, and only the next one raises an error."""
    while content:
        written = os.pwrite(descriptor, content, at)
        content, at = content[written:], at + written


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system supports it."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_file(path: Path, content: bytes, put: Callable[[str, Path], object] = os.replace) -> None:
    """Make a file whole and durable before it has its name, for its owner alone; OSError where that fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        put(name, path)
    finally:
        Path(name).unlink(missing_ok=True)
    sync_folder(path.parent)
