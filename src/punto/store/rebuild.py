"""Making the derived tables anew from the verified log: balances, leases, indexes and, in SQLite, the whole schema.

The log itself is never repaired. A database whose log is damaged is restored from a copy that reaches its head.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from punto.store import schema
from punto.store.audit import AuditReport, audit
from punto.store.errors import RefusedStoreError
from punto.store.fold import LogFold
from punto.store.heads import read_heads, sync_folder
from punto.store.locks import DatabaseLock
from punto.store.opening import check_heads, default_head, open_snapshot, sqlite_path
from punto.store.records import POSTING_COLUMNS, RECORD_COLUMNS, Signer, StoredPerson

_DERIVED = frozenset({"balance-mismatch", "row-added", "schema-changed", "database-damaged"})
"""Problems of a database that can be rebuilt. Not `row-changed`: a token's hash stands only in its row."""
_IN_POSTGRES = _DERIVED - {"schema-changed"}
_COPIED = {
    "meta": "name, value",
    "records": RECORD_COLUMNS,
    "postings": POSTING_COLUMNS,
    "people": "id, name, role, token_hash",
    "table_settings": "name, settings",
}
_PROVED = {"people": "person", "table_settings": "table"}
Allow = Callable[[list[StoredPerson]], None]
"""Given everyone whom the log proves; raises where they may not have the database rebuilt."""


async def rebuild(address: str, head: Path | None, signer: Signer | None, allow: Allow) -> tuple[str, ...]:
    """Rebuild a database that no process has open. Returns what was wrong with it; RefusedStoreError says why not."""
    if address.startswith("sqlite:///"):
        path = sqlite_path(address)
        lock = DatabaseLock(path)
        try:
            report = await _verified(address, head, signer, _DERIVED, allow)
            await asyncio.to_thread(_rebuild_sqlite, path, report.fold)
        finally:
            lock.release()
    else:
        report = await _verified(address, head, signer, _IN_POSTGRES, allow)
        await _rebuild_postgres(address, report.fold)
    return tuple(problem.message for problem in report.problems)


async def _verified(
    address: str, head: Path | None, signer: Signer | None, derived: Iterable[str], allow: Allow
) -> AuditReport:
    """The audit of a database whose log, signatures and heads are right, whatever was derived from them."""
    head = head or default_head(address)
    heads = read_heads(head) if head else None
    async with open_snapshot(address) as (snapshot, store):
        check_heads(heads, store, head)
        report = await audit(snapshot, heads=heads, sign=signer(store) if signer else None)
        people = [row for row in await snapshot.people() if report.fold.proves("person", row)]
    for problem in report.problems:
        if problem.code not in derived:
            raise RefusedStoreError(problem.code, f"this cannot be rebuilt: {problem.message}")
    allow([StoredPerson(*row) for row in people])
    return report


def _name(table: str) -> str:
    return _COPIED[table].partition(",")[0]


def _rebuild_sqlite(path: Path, fold: LogFold) -> None:
    """Make a new file beside the old one and let it take its place; the old one stays as FILE.before-rebuild."""
    fresh = path.with_name(path.name + ".rebuilt")
    for name in (fresh, Path(f"{fresh}-wal"), Path(f"{fresh}-shm")):
        name.unlink(missing_ok=True)
    schema.make_sqlite(fresh)
    with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("ATTACH ? AS old", (str(path),))
        connection.execute("BEGIN")
        connection.execute("DELETE FROM meta")
        for table, columns in _COPIED.items():
            # Not by an index, which may be the one that is damaged.
            connection.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM old.{table} NOT INDEXED")  # noqa: S608
        connection.execute(
            "INSERT INTO streams SELECT name, seq, hash, fence, NULL, 0, signature FROM old.streams NOT INDEXED"
        )
        connection.executemany("INSERT INTO balances VALUES (?, ?)", fold.balances.items())
        for table, kind in _PROVED.items():
            rows = connection.execute(f"SELECT {_COPIED[table]} FROM {table}").fetchall()  # noqa: S608
            planted = [row[:1] for row in rows if not fold.proves(kind, row)]
            connection.executemany(f"DELETE FROM {table} WHERE {_name(table)} = ?", planted)  # noqa: S608
        connection.execute("COMMIT")
        connection.execute("DETACH old")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    path.replace(path.with_name(path.name + ".before-rebuild"))
    for name in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        name.unlink(missing_ok=True)
    fresh.replace(path)
    sync_folder(path.parent)


async def _rebuild_postgres(dsn: str, fold: LogFold) -> None:
    import asyncpg

    connection = await asyncpg.connect(dsn)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE streams, balances, people, table_settings IN ACCESS EXCLUSIVE MODE")
            ends = {row["name"]: (row["seq"], row["hash"]) for row in await connection.fetch("SELECT * FROM streams")}
            if any(fold.end(stream) != end for stream, end in ends.items()):
                raise RefusedStoreError("store-in-use", "another process has written to the database meanwhile")
            await connection.execute("DELETE FROM balances")
            await connection.executemany("INSERT INTO balances VALUES ($1, $2)", list(fold.balances.items()))
            for table, kind in _PROVED.items():
                rows = [tuple(row) for row in await connection.fetch(f"SELECT {_COPIED[table]} FROM {table}")]  # noqa: S608
                planted = [row[0] for row in rows if not fold.proves(kind, row)]
                await connection.execute(f"DELETE FROM {table} WHERE {_name(table)} = ANY($1)", planted)  # noqa: S608
            await connection.execute("UPDATE streams SET owner = NULL, expires_ms = 0")
            for table in (*_COPIED, "balances", "streams"):
                await connection.execute(f"REINDEX TABLE {table}")
    finally:
        await connection.close()
