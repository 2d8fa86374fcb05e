"""The store in an SQLite file: write-ahead log, synchronous=FULL, one thread that writes.

Batches that wait during a sync go into the next commit together, each in its own savepoint. One sync then makes many
batches durable, and a refused batch does not affect the others.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from punto.store import errors, schema
from punto.store.batches import Rows, accounts_of, keys_of, records_in
from punto.store.fold import FoldedBefore, LogFold, SavedFold
from punto.store.heads import HeadFile, all_waiting
from punto.store.interface import Reading, Store, as_tail
from punto.store.locks import DatabaseLock
from punto.store.records import (
    POSTING_COLUMNS,
    RECORD_COLUMNS,
    TAIL_COLUMNS,
    Appended,
    Batch,
    Lease,
    Sign,
    StoredReply,
    Tail,
    check_stream,
)
from punto.store.sql import SET_PERSON, SET_TABLE, StoreSnapshot

T = TypeVar("T")


_AMONG = "IN (SELECT value FROM json_each($1))"
"""One of a list, which `fetch` binds as JSON."""
_CHECKPOINT_ROWS = 20_000
_LOCK_WAIT_SECONDS = 5
# Closing the last connection syncs, which must not happen after a failed sync. These connections stay open.
_ABANDONED: list[sqlite3.Connection] = []
_SHARED_MEMORY_FULL = {sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP}


@dataclass(slots=True)
class _Job:
    """Work in a write transaction. The future gets its result when it is durable."""

    work: Callable[[sqlite3.Connection], Any]
    future: Future[Any]
    result: Any = None
    error: Exception | None = None


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection without implicit transactions."""
    address = f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    connection = sqlite3.connect(
        address, uri=True, isolation_level=None, check_same_thread=False, timeout=_LOCK_WAIT_SECONDS
    )
    connection.execute("PRAGMA synchronous=FULL")
    # The writer makes the checkpoints, because an error in an automatic one would go unnoticed.
    connection.execute("PRAGMA wal_autocheckpoint=0")
    return connection


def store_error(error: sqlite3.Error) -> errors.StoreError:
    """The store error for an error of SQLite: the disk is full, the commit could not begin, or the disk failed."""
    code = getattr(error, "sqlite_errorcode", None) or sqlite3.SQLITE_ERROR
    if code & 0xFF == sqlite3.SQLITE_FULL or code in _SHARED_MEMORY_FULL:
        return errors.DiskFullError("the disk is full; nothing was written")
    if code & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return errors.UnavailableError("the database is being written by another process")
    return errors.BrokenStoreError(f"the database failed: {error}")


class OneWriterStore(Store):
    """A store of one process in tables of SQLite: a single writer does one work after another."""

    _among = _AMONG
    _clock: Callable[[], int]

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work in a transaction of its own, which others may share; its result, once that is durable."""
        raise NotImplementedError

    async def append(self, batch: Batch) -> Appended:
        return await self._write(lambda connection: self._append(connection, batch))

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        check_stream(stream)
        now = self._clock()

        def work(connection: sqlite3.Connection) -> Lease:
            select = "SELECT owner, expires_ms, fence FROM streams WHERE name = ?"
            held = connection.execute(select, (stream,)).fetchone() or (None, 0, 0)
            lease = self._next_lease(Lease(stream, owner, 0, now + ttl_ms), held, now)
            connection.execute(
                "INSERT INTO streams VALUES (?, 0, ?, ?, ?, ?, NULL) ON CONFLICT (name) DO UPDATE "
                "SET fence = excluded.fence, owner = excluded.owner, expires_ms = excluded.expires_ms",
                (stream, Tail(stream).hash, lease.fence, owner, lease.expires_ms),
            )
            return lease

        return await self._write(work)

    async def renew(self, lease: Lease, ttl_ms: int) -> Lease:
        return await self._set_expiry(replace(lease, expires_ms=self._clock() + ttl_ms))

    async def release(self, lease: Lease) -> None:
        with suppress(errors.FencedOutError):
            await self._set_expiry(replace(lease, expires_ms=0))

    async def _set_expiry(self, lease: Lease) -> Lease:
        def work(connection: sqlite3.Connection) -> Lease:
            if (current := _tail(connection, lease.stream).fence) != lease.fence:
                raise errors.FencedOutError(lease.stream, lease.fence, current)
            connection.execute("UPDATE streams SET expires_ms = ? WHERE name = ?", (lease.expires_ms, lease.stream))
            return lease

        return await self._write(work)

    def _append(self, connection: sqlite3.Connection, batch: Batch) -> Appended:
        rows = self._decide(connection, batch)
        self._insert(connection, batch, rows)
        return Appended(rows.tail, rows.balances)

    def _decide(self, connection: sqlite3.Connection, batch: Batch) -> Rows:
        """The rows that a batch would write now; raises where it is refused."""
        tail, fold = _tail(connection, batch.stream), self._fold
        held = carry_out(connection, self._row_balances(accounts_of(batch)))
        replies = carry_out(connection, self._replies([key for key in keys_of(batch) if key in fold.keys]))
        first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM records").fetchone()[0]
        rows = self._rows(batch, tail, range(first, first + records_in(batch)), held, replies)
        if fold.end(batch.stream) != (tail.seq, tail.hash):
            raise errors.ForgedError(tail)  # only this process writes to the tables
        return rows

    def _insert(self, connection: sqlite3.Connection, batch: Batch, rows: Rows) -> None:
        """Write a batch to the tables and to the fold."""
        _insert(connection, rows)
        connection.executemany(SET_PERSON.replace("$", "?"), map(astuple, batch.people))
        connection.executemany(SET_TABLE.replace("$", "?"), map(astuple, batch.tables))
        self._fold.apply(rows)

    async def _held(self, accounts: Sequence[str]) -> dict[str, int]:
        return await self._write(lambda writer: self._fold.held(carry_out(writer, self._row_balances(accounts))))

    async def _proved_now(self, kind: str, query: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        proves = self._fold.proves_or_finds
        return await self._write(lambda writer: [row for row in fetch(writer, *query) if proves(kind, row)])

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """Only this process writes, so a key that the fold lacks has not been used."""
        used = [key for key in keys if key in self._fold.keys]
        return await super().replies(used) if used else {}


class SqliteStore(OneWriterStore):
    """One file, one writer thread, two reader threads. Made by `open_store`.

    Tables need keys, balances and a few records to decide. These queries never wait behind a query of the history.
    """

    _head: HeadFile

    def __init__(
        self,
        path: Path,
        head: HeadFile,
        clock: Callable[[], int],
        sign: Sign | None,
        lock: DatabaseLock,
        fold: LogFold,
    ) -> None:
        super().__init__(head, fold, sign)
        self._undone: list[tuple[Rows, FoldedBefore]] = []  # what the fold has of the transaction under way
        self._seen: int | None = None  # the writes of others up to which the schema is known to be the one expected
        self._path, self._clock, self._lock = path, clock, lock
        self._writer = connect(path)
        threads = [ThreadPoolExecutor(1, f"reader of {path.name}") for _ in range(2)]
        self._readers = [(connect(path, read_only=True), thread) for thread in threads]
        # The file stores this mode, but a backup made by `VACUUM INTO` does not have it.
        self._writer.execute("PRAGMA journal_mode=WAL")
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._broken: errors.StoreError | None = None
        self._rows_since_checkpoint = 0
        self._thread = threading.Thread(target=self._run, name=f"writer of {path.name}", daemon=True)
        self._thread.start()

    # ---------------------------------------------------------------------------------------- writing

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        # Do the work even if the caller no longer waits.
        future: Future[T] = Future()
        self._jobs.put(_Job(work, future))
        return await asyncio.shield(asyncio.wrap_future(future))

    def _decide(self, connection: sqlite3.Connection, batch: Batch) -> Rows:
        self._head.reserve(batch.stream)
        self._check_schema(connection)
        return super()._decide(connection, batch)

    def _insert(self, connection: sqlite3.Connection, batch: Batch, rows: Rows) -> None:
        before = self._fold.before(batch, rows)
        super()._insert(connection, batch, rows)
        self._undone.append((rows, before))
        self._rows_since_checkpoint += len(rows.records) + sum(map(len, rows.postings))

    def _check_schema(self, connection: sqlite3.Connection) -> None:
        """Write nothing under a schema that somebody has changed.

        The transaction has the write lock, so the schema stays as it is until the commit. The connection counts what
        others write, which costs little to read; the number of the schema itself could be set back.
        """
        (seen,) = connection.execute("PRAGMA data_version").fetchone()
        if seen != self._seen:
            self._fold.refuse_schema(schema.sqlite_changes(connection.execute(schema.SQLITE_OBJECTS).fetchall()))
            self._seen = seen

    # ---------------------------------------------------------------------------------------- the writer's thread

    def _run(self) -> None:
        for jobs in all_waiting(self._jobs):
            if jobs:
                self._commit(jobs)
                self._deliver(jobs)
            if self._rows_since_checkpoint > _CHECKPOINT_ROWS:
                self._checkpoint()

    def _commit(self, jobs: list[_Job]) -> None:
        """Do the jobs in one transaction. Each gets its own result, or all get the same error."""
        self._undone.clear()
        try:
            if self._broken:
                raise self._broken
            self._writer.execute("BEGIN IMMEDIATE")
            for job in jobs:
                try:
                    job.result = attempt(self._writer, job.work)
                except sqlite3.Error:
                    raise
                except Exception as error:  # A fault in one job does not affect the others.
                    job.error = error
            self._writer.execute("COMMIT")
        except (sqlite3.Error, errors.StoreError) as error:
            reason = store_error(error) if isinstance(error, sqlite3.Error) else error
            if not isinstance(reason, errors.BrokenStoreError):
                reason = self._roll_back() or reason
            if isinstance(reason, errors.BrokenStoreError):
                self._broken = reason
            for rows, before in reversed(self._undone):
                self._fold.undo(rows, before)
            for job in jobs:
                job.error = job.error or reason

    def _roll_back(self) -> errors.BrokenStoreError | None:
        """Roll back. If that fails too, the contents of the database are unknown."""
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error as error:
            return errors.BrokenStoreError(f"the database could not be rolled back: {error}")
        return None

    def _deliver(self, jobs: list[_Job]) -> None:
        """Resolve the futures: refusals at once, successes when the heads are on disk too."""
        done = [job for job in jobs if job.error is None]
        tails = [job.result.tail for job in done if isinstance(job.result, Appended)]

        def notify(written: Future[None] | None = None) -> None:
            broken = written.exception() if written else None
            for job in done:
                if broken:
                    job.future.set_exception(broken)
                else:
                    job.future.set_result(job.result)

        for job in jobs:
            if job.error:
                job.future.set_exception(job.error)
        if tails:
            written = self._head.submit(tails)
            written.add_done_callback(self._note_broken)
            written.add_done_callback(notify)
        else:
            notify()

    def _note_broken(self, written: Future[None]) -> None:
        if isinstance(error := written.exception(), errors.StoreError):
            self._broken = error

    def _checkpoint(self) -> None:
        """Move the write-ahead log into the database. A full disk is not fatal; a failed disk is."""
        self._rows_since_checkpoint = 0
        try:
            if not self._broken:
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error as error:
            if isinstance(reason := store_error(error), errors.BrokenStoreError):
                self._broken = reason

    # ---------------------------------------------------------------------------------------- reading

    async def _read(self, reading: Reading[T], *, long: bool = False) -> T:
        connection, thread = self._readers[long]

        def safely() -> T:
            try:
                return carry_out(connection, reading)
            except sqlite3.Error as error:
                raise store_error(error) from error

        return await asyncio.get_running_loop().run_in_executor(thread, safely)

    async def save_fold(self) -> SavedFold:
        # The writer makes the copy between two batches. If its commit fails, so does this.
        return await self._write(lambda _: self._fold.save())

    def snapshot(self) -> AbstractAsyncContextManager[SqliteSnapshot]:
        return snapshot(self._path)

    async def close(self) -> None:
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        for connection, thread in self._readers:
            thread.shutdown()
            connection.close()
        await asyncio.to_thread(self._head.close)
        self._checkpoint()
        if self._broken:
            _ABANDONED.append(self._writer)
        else:
            self._writer.close()
        self._lock.release()


@asynccontextmanager
async def snapshot(path: Path) -> AsyncIterator[SqliteSnapshot]:
    """An SQLite file at one moment, read on its own connection. The file need not be open as a store."""
    connection = connect(path, read_only=True)
    view = SqliteSnapshot(connection, path)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM meta").fetchone()
        yield view
    finally:
        with view.in_use:  # a page may still be read ahead; do not close the connection during that
            connection.close()


class SqliteSnapshot(StoreSnapshot):
    """A read transaction of a file or, without a path, of a copy in memory."""

    _joined = "CROSS JOIN"  # SQLite would else begin with the postings of the whole log
    _whole = " NOT INDEXED"

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection, self._path = connection, path
        self.in_use = threading.Lock()

    async def repeated_key(self) -> str | None:
        # Quickly by the index of keys; where somebody made that one wrong, `damage` or `schema_changes` says so.
        rows = await self._rows(
            "SELECT key FROM records WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1 LIMIT 1"
        )
        return rows[0][0] if rows else None

    async def schema_changes(self) -> list[str]:
        return schema.sqlite_changes(await self._rows(schema.SQLITE_OBJECTS))

    async def damage(self) -> str | None:
        """`quick_check` would compare no index with its table. This runs on its own connection, beside the rest."""
        if self._path is None:
            return None
        try:
            connection = connect(self._path, read_only=True)
        except sqlite3.Error as error:
            return str(error)

        def check() -> str | None:
            try:
                with closing(connection):
                    found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
            except (sqlite3.Error, UnicodeDecodeError) as error:
                return str(error)
            return None if found == "ok" else found.strip().replace("\n", "; ")

        try:
            return await asyncio.to_thread(check)
        except asyncio.CancelledError:  # a house that stops does not wait for it
            with suppress(sqlite3.ProgrammingError):
                connection.interrupt()
            raise

    async def _rows(self, select: str, *values: object) -> list[Any]:
        if self._path is None:
            return fetch(self._connection, select, *values)

        def read() -> list[Any]:
            try:
                with self.in_use:
                    return fetch(self._connection, select, *values)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise errors.RefusedStoreError("database-unreadable", f"the database cannot be read: {error}") from None

        return await asyncio.to_thread(read)


# ------------------------------------------------------------------------------------------- statements


def fetch(connection: sqlite3.Connection, select: str, *values: object) -> list[Any]:
    """The rows that a query gives, with its values written `$1`, `$2`, and so on."""
    bound = [json.dumps(each) if isinstance(each, list) else each for each in values]
    return connection.execute(select.replace("$", "?"), bound).fetchall()


def carry_out(connection: sqlite3.Connection, reading: Reading[T]) -> T:
    """The result of a reading, on this connection."""
    try:
        query = next(reading)
        while True:
            query = reading.send(fetch(connection, *query))
    except StopIteration as done:
        return cast(T, done.value)


def _tail(connection: sqlite3.Connection, stream: str) -> Tail:
    rows = fetch(connection, f"SELECT {TAIL_COLUMNS} FROM streams WHERE name = $1", stream)
    return as_tail(rows[0]) if rows else Tail(stream)


def attempt(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Do work whole or not at all."""
    connection.execute("SAVEPOINT job")
    try:
        try:
            result = work(connection)
        except sqlite3.IntegrityError as error:
            raise errors.StoreError(f"the database refused what would make it inconsistent: {error}") from error
    except sqlite3.Error:
        raise
    except Exception:
        connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")
        raise
    connection.execute("RELEASE job")
    return result


def _insert(connection: sqlite3.Connection, rows: Rows) -> None:
    values = ", ".join("?" * 13)
    connection.executemany(f"INSERT INTO records ({RECORD_COLUMNS}) VALUES ({values})", rows.records)
    postings = [posting for lines in rows.postings for posting in lines]
    connection.executemany(f"INSERT INTO postings ({POSTING_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", postings)
    connection.executemany(
        "INSERT INTO balances VALUES (?, ?) ON CONFLICT (account) DO UPDATE SET cents = excluded.cents",
        list(rows.balances.items()),
    )
    tail = rows.tail
    connection.execute(
        "INSERT INTO streams VALUES (?, ?, ?, ?, NULL, 0, ?) ON CONFLICT (name) DO UPDATE "
        "SET seq = excluded.seq, hash = excluded.hash, signature = excluded.signature",
        (tail.stream, tail.seq, tail.hash, tail.fence, tail.signature),
    )
