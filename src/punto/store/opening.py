"""Opening a store by its address: make its tables, audit it against its head, then return it."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from punto.rules.words import counted
from punto.store import schema
from punto.store.audit import AuditReport, audit, audit_since
from punto.store.errors import RefusedStoreError
from punto.store.fold import Checkpoint
from punto.store.heads import HeadFile, Heads, read_heads, sync_folder
from punto.store.interface import Store
from punto.store.leases import wall_clock_ms
from punto.store.locks import DatabaseLock
from punto.store.memory import MemoryStore
from punto.store.records import Sign, Signer
from punto.store.sql import StoreSnapshot
from punto.store.sqlite import SqliteStore, connect, snapshot

if TYPE_CHECKING:
    import asyncpg

    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]

SQLITE = "sqlite:///"
_POSTGRES = ("postgresql://", "postgres://")
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")

log = logging.getLogger("punto.store")
MAX_LISTED = 20
"""The maximum number of streams listed when a head file is recreated."""
Check = Callable[[StoreSnapshot], Awaitable[None]]
"""A caller's check before anything else. It raises RefusedStoreError if the database is not the caller's."""


@dataclass(frozen=True, slots=True)
class _OpenOptions:
    """The options of `open_store`."""

    head: Path
    adopt_head: bool
    clock: Callable[[], int] | None
    signer: Signer | None
    check: Check | None
    checkpoint: Checkpoint | None


async def open_store(
    address: str,
    *,
    head: Path | None = None,
    adopt_head: bool = False,
    clock: Callable[[], int] | None = None,
    signer: Signer | None = None,
    check: Check | None = None,
    checkpoint: Checkpoint | None = None,
) -> Store:
    """Open `memory:`, `sqlite:///FILE` (created if missing) or `postgresql://…`; raises RefusedStoreError.

    `head` is the head file: by default the SQLite file's name with `.head`. Each process on one PostgreSQL names its
    own. A database with records but without its head file is refused, unless `adopt_head` accepts it (a new process, or
    a backup in a new place); `Store.findings` then has that. With a `signer` every tail must have its signature,
    and each commit signs the new tail. Without one, nothing is signed and no signature is checked. With a `checkpoint`
    only later records are read, if it is one of this log; if it is not, all are, and that is a finding.
    """
    if address == "memory:":
        return MemoryStore(clock or wall_clock_ms, signer("") if signer else None)
    if not address.startswith((SQLITE, *_POSTGRES)):
        raise _unknown(address)
    if (head := head or default_head(address)) is None:
        raise RefusedStoreError("head-missing", "a PostgreSQL store needs a file that keeps its heads; name one")
    options = _OpenOptions(head, adopt_head, clock, signer, check, checkpoint)
    if address.startswith(SQLITE):
        return await _open_sqlite(sqlite_path(address), options)
    return await _open_postgres(address, options)


def sqlite_path(address: str) -> Path:
    """The file of an `sqlite:///` address."""
    name = address.removeprefix(SQLITE)
    if not name or "?" in name:
        raise _unknown(address)
    return Path(name)


def default_head(address: str) -> Path | None:
    """The default head file of a database; None for PostgreSQL."""
    if not address.startswith(SQLITE):
        return None
    path = sqlite_path(address)
    return path.with_name(path.name + ".head")


def public(address: str) -> str:
    """An address without its password, for display."""
    return _PASSWORD.sub(r"\1@", address)


def _unknown(address: str) -> RefusedStoreError:
    message = f"{public(address)!r} is not a database: use sqlite:///FILE, postgresql://… or memory:"
    return RefusedStoreError("database-unknown", message)


def is_older(path: Path) -> bool:
    """True if a file is a database of punto 0.x."""
    try:
        if path.is_file():
            _look_at_sqlite(path)
    except RefusedStoreError as error:
        return error.code == schema.OLDER
    return False


@asynccontextmanager
async def open_snapshot(address: str) -> AsyncIterator[tuple[StoreSnapshot, str]]:
    """A database's snapshot and the id of its store. Nothing is created or locked."""
    if address.startswith(SQLITE):
        path = sqlite_path(address)
        store = _require_store(await asyncio.to_thread(_look_at_sqlite, path), str(path))
        async with snapshot(path) as view:
            yield view, store
    elif address.startswith(_POSTGRES):
        from punto.store import postgres

        pool = await _connect(address)
        try:
            store = _require_store(await _look_at_postgres(pool, address), public(address))
            async with postgres.snapshot(pool) as view:
                yield view, store
        finally:
            await pool.close()
    else:
        raise _unknown(address)


def _require_store(found: str | None, address: str) -> str:
    if found is None:
        raise RefusedStoreError("not-a-store", f"{address} holds no store of punto")
    return found


async def _verify(snapshot: StoreSnapshot, store: str, heads: Heads | None, options: _OpenOptions) -> AuditReport:
    """Audit a snapshot against the heads, which were read before it. RefusedStoreError names the first bad record."""
    check_heads(heads, store, options.head)
    if heads is None and not options.adopt_head and any(tail.seq for tail in await snapshot.tails()):
        message = (
            f"{options.head}, the head file of this database, is missing: "
            "if that is as it must be, as for a new process of a house, start once with --adopt-head"
        )
        raise RefusedStoreError("head-missing", message)
    if options.check:
        await options.check(snapshot)
    sign = options.signer(store) if options.signer else None
    refused = None
    if options.checkpoint and heads:
        resumed = await _resume(snapshot, options.checkpoint, heads, sign)
        if isinstance(resumed, AuditReport):
            return resumed
        refused = resumed
        log.warning("the checkpoint is not used, and the log is read from its first record: %s", refused)
    report = await audit(snapshot, heads=heads, sign=sign, keys=True)
    if refused:
        report.fold.find("checkpoint-refused", refused)
    if report.first:
        hint = f"; {options.head} is there, so it is `punto audit --accept` that can replace it" if heads else ""
        raise RefusedStoreError(report.first.code, report.first.message + (hint if options.adopt_head else ""))
    return report


async def _resume(
    snapshot: StoreSnapshot, checkpoint: Checkpoint, heads: Heads, sign: Sign | None
) -> AuditReport | str:
    """The log beyond a checkpoint, or the reason why it must be read from its first record."""
    try:
        report = await audit_since(snapshot, checkpoint, heads, sign)
    except (RefusedStoreError, TypeError, ValueError, AttributeError) as error:
        return f"the database cannot be read on from there ({error})"
    if isinstance(report, str):
        return report
    if report.first:
        return report.first.message
    # Records beyond it mean that the last process did not stop by itself, and a disk may have failed with it.
    damaged = await snapshot.damage() if report.records else None
    return report if damaged is None else f"the database is damaged: {damaged}"


def accept(head: Path, store: str, heads: Heads | None, report: AuditReport) -> None:
    """Recreate the head file from a database that is otherwise good, and record in it what changed."""
    streams = {tail.stream: (tail.seq, tail.hash) for tail in report.tails}
    before = heads.streams if heads else {}
    changed = [
        f"{stream} from {_place(before.get(stream))} to {_place(streams.get(stream))}"
        for stream in sorted(before.keys() | streams.keys())
        if before.get(stream) != streams.get(stream)
    ]
    more = [f"and {len(changed) - MAX_LISTED} more"] if len(changed) > MAX_LISTED else []
    says = f"{head.name} was made anew by an audit that accepted the database: "
    HeadFile(head, store, streams, (says + ", ".join(changed[:MAX_LISTED] + more),) if changed else ()).close()


def _place(head: tuple[int, str] | None) -> str:
    return f"{head[0]} ({head[1][:8]})" if head else "nothing"


def check_heads(heads: Heads | None, store: str, head: Path | None) -> None:
    """Refuse heads of another store."""
    if heads and heads.store != store:
        message = f"{head} belongs to another database: the database was replaced, or the wrong one is named"
        raise RefusedStoreError("head-of-another", message)


# ------------------------------------------------------------------------------------------- SQLite


async def _open_sqlite(path: Path, options: _OpenOptions) -> Store:
    await asyncio.to_thread(_find_sqlite, path, options.head)  # do not touch a file that is not a store
    lock = DatabaseLock(path)
    try:
        store = await asyncio.to_thread(_make_sqlite, path, options.head)
        heads = read_heads(options.head)
        async with snapshot(path) as view:
            report = await _verify(view, store, heads, options)
        head, sign = _head_file(options.head, store, heads, report), options.signer(store) if options.signer else None
        return SqliteStore(path, head, options.clock or wall_clock_ms, sign, lock, report.fold)
    except BaseException:
        lock.release()
        raise


def _head_file(head: Path, store: str, heads: Heads | None, report: AuditReport) -> HeadFile:
    accepted: tuple[str, ...] = ()
    if heads is None and report.records:
        found = f"{counted(report.records, 'record')} in {counted(len(report.tails), 'stream')}"
        accepted = (f"{head.name} was missing, and the database was taken as it was, with {found}",)
    return HeadFile(head, store, {tail.stream: (tail.seq, tail.hash) for tail in report.tails}, accepted)


def _find_sqlite(path: Path, head: Path) -> str | None:
    """The id of the store in a file; None for a file that does not exist yet, or is empty."""
    if not path.exists():
        if heads := read_heads(head):
            message = f"{path} is missing, but {head} says that it held {len(heads.streams)} streams"
            raise RefusedStoreError("database-missing", message)
        if not path.parent.is_dir():
            raise RefusedStoreError("database-unreadable", f"cannot make {path}: {path.parent} is not a folder")
        return None
    return _look_at_sqlite(path)


def _make_sqlite(path: Path, head: Path) -> str:
    """The id of the store in a file, which is made first where there is none."""
    if (store := _find_sqlite(path, head)) is not None:
        return store
    try:
        schema.make_sqlite(path)
        sync_folder(path.parent)
    except (sqlite3.Error, OSError) as error:
        raise RefusedStoreError("database-unreadable", f"cannot make {path}: {error}") from None
    return _require_store(_look_at_sqlite(path), str(path))


def _look_at_sqlite(path: Path) -> str | None:
    """The id of the store in a file; None for an empty one."""
    if not path.is_file():
        raise RefusedStoreError("database-missing", f"there is no database at {path}")
    try:
        connection = connect(path, read_only=True)
        try:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables:
                return None
            if "alembic_version" in tables:
                raise schema.refuse_older(str(path))
            if "meta" not in tables:
                raise RefusedStoreError("not-a-store", f"{path} is a database, but not one of punto's")
            return schema.store_id(connection.execute("SELECT name, value FROM meta NOT INDEXED").fetchall(), str(path))
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the message of SQLite may quote a damaged name
        raise RefusedStoreError("database-unreadable", f"cannot read {path}: {error}") from None


# ------------------------------------------------------------------------------------------- PostgreSQL


async def _open_postgres(dsn: str, options: _OpenOptions) -> Store:
    from punto.store import postgres

    pool = await _connect(dsn)
    try:
        if await pool.fetchval("SHOW fsync") != "on":
            message = f"{public(dsn)} runs with fsync off: commits may be lost, so it cannot store money"
            raise RefusedStoreError("not-durable", message)  # noqa: TRY301 — the pool is closed below
        if (store := await _look_at_postgres(pool, dsn)) is None:
            await schema.make_postgres(pool)
            store = _require_store(await _look_at_postgres(pool, dsn), public(dsn))
        heads = read_heads(options.head)
        async with postgres.snapshot(pool) as view:
            report, version = await _verify(view, store, heads, options), await view.schema_version()
        sign = options.signer(store) if options.signer else None
        head = _head_file(options.head, store, heads, report)
        return postgres.PostgresStore(pool, head, options.clock, sign, report.fold, version)
    except BaseException:
        await pool.close()
        raise


async def _connect(dsn: str) -> Pool:
    import asyncpg

    from punto.store.postgres import connect_pool

    try:
        return await connect_pool(dsn)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise RefusedStoreError("database-unreadable", f"cannot reach {public(dsn)}: {reason}") from None


async def _look_at_postgres(pool: Pool, dsn: str) -> str | None:
    """The id of the store in a database; None for one without tables of punto."""
    if await pool.fetchval("SELECT to_regclass('alembic_version') IS NOT NULL"):
        raise schema.refuse_older(public(dsn))
    if not await pool.fetchval("SELECT to_regclass('meta') IS NOT NULL"):
        return None
    return schema.store_id([tuple(row) for row in await pool.fetch("SELECT name, value FROM meta")], public(dsn))
