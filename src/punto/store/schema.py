"""The schema of a store: made when a database is opened first, and compared with the database byte for byte."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from punto.store.errors import RefusedStoreError

if TYPE_CHECKING:
    import asyncpg

FORMAT = "1"
"""The format of the database that this program reads and writes."""
OLDER = "database-older"
"""The code of the refusal of such a database as punto 0.x wrote."""
_LOCK = 7_239_480_551
_POSSIBLE = (
    "(cents >= 0 OR account = 'cash-desk' OR account LIKE 'house:%' OR account LIKE 'owed:%' "
    "OR account LIKE 'chips:%') AND (cents <= 0 OR account NOT LIKE 'owed:%')"
)
"""Must agree with `punto.ledger.accounts.may_be_negative` and `may_be_positive`."""
_TABLES = """
CREATE TABLE meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE streams (
  name TEXT NOT NULL PRIMARY KEY, seq BIGINT NOT NULL, hash TEXT NOT NULL, fence BIGINT NOT NULL, owner TEXT,
  expires_ms BIGINT NOT NULL, signature TEXT,
  CONSTRAINT streams_count_up CHECK (seq >= 0 AND fence >= 0)
);
CREATE TABLE records (
  id {number}, stream TEXT NOT NULL, seq BIGINT NOT NULL, time_ms BIGINT NOT NULL,
  fence BIGINT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, key TEXT, body_hash TEXT, reply TEXT,
  fingerprints TEXT, hash TEXT NOT NULL, mac TEXT,
  CONSTRAINT records_by_stream UNIQUE (stream, seq),
  CONSTRAINT records_count_from_one CHECK (seq > 0),
  CONSTRAINT records_reply_whole CHECK ((key IS NULL) = (body_hash IS NULL) AND (key IS NULL) = (reply IS NULL))
);
CREATE UNIQUE INDEX records_by_key ON records (key) WHERE key IS NOT NULL;
CREATE TABLE postings (
  record BIGINT NOT NULL, line INTEGER NOT NULL, transfer INTEGER NOT NULL, reason TEXT NOT NULL,
  reference TEXT NOT NULL, account TEXT NOT NULL, cents BIGINT NOT NULL, balance_cents BIGINT NOT NULL,
  PRIMARY KEY (record, line),
  CONSTRAINT postings_move_something CHECK (cents <> 0)
){by_key};
CREATE INDEX postings_by_account ON postings (account, record, line);
CREATE TABLE balances (
  account TEXT NOT NULL PRIMARY KEY, cents BIGINT NOT NULL,
  CONSTRAINT balances_not_overdrawn CHECK ({possible})
);
CREATE TABLE people (
  id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, token_hash TEXT UNIQUE
);
CREATE TABLE table_settings (name TEXT NOT NULL PRIMARY KEY, settings TEXT NOT NULL);
"""
_SQLITE = _TABLES.format(number="INTEGER PRIMARY KEY", by_key=" WITHOUT ROWID", possible=_POSSIBLE) + "".join(
    [
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;\n"
        for table in ("records", "postings")
        for change in ("UPDATE", "DELETE")
    ]
)
_POSTGRES = (
    _TABLES.format(number="BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", by_key="", possible=_POSSIBLE)
    + """
CREATE FUNCTION punto_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$;
CREATE TRIGGER records_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON records
  EXECUTE FUNCTION punto_append_only();
CREATE TRIGGER postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
  EXECUTE FUNCTION punto_append_only();
"""
)

SQLITE_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master"
"""Every object of an SQLite file."""
_STATISTICS = {
    ("table", "sqlite_stat1", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("table", "sqlite_stat4", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
}
"""The tables that `ANALYZE` makes. Statistics are the planner's, and anyone may collect them."""

POSTGRES_OBJECTS = """
WITH here AS (SELECT current_schema()::regnamespace::oid AS id),
ours AS (SELECT oid, relname, relkind FROM pg_class, here WHERE relnamespace = here.id AND relkind NOT IN ('i', 't')
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')),
found (name, made) AS (
SELECT 'relation ' || relname, relkind::text || ' ' || CASE WHEN c.relrowsecurity THEN 'row security' ELSE '' END
  || relpersistence::text FROM ours JOIN pg_class c USING (oid, relname, relkind)
UNION ALL SELECT 'column ' || relname || '.' || attname, format_type(atttypid, atttypmod) || ' ' || attnotnull::text
  || ' ' || attidentity::text || ' ' || attcollation::regcollation::text || ' '
  || coalesce(pg_get_expr(adbin, adrelid), '') FROM ours JOIN pg_attribute ON attrelid = oid
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped AND ours.relkind <> 'S'
UNION ALL SELECT 'sequence ' || relname, concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin,
  seqmax, seqcycle) FROM ours JOIN pg_sequence ON seqrelid = oid
UNION ALL SELECT 'constraint ' || conname, relname || ' ' || pg_get_constraintdef(pg_constraint.oid)
  || ' ' || convalidated::text FROM pg_constraint JOIN ours ON conrelid = ours.oid WHERE contype <> 'n'
UNION ALL SELECT 'index ' || i.relname, pg_get_indexdef(i.oid) || ' ' || indisvalid::text || ' ' || indisready::text
  FROM pg_index JOIN pg_class i ON i.oid = indexrelid JOIN ours ON ours.oid = indrelid
UNION ALL SELECT 'trigger ' || tgname, pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text
  FROM pg_trigger JOIN ours ON tgrelid = ours.oid WHERE NOT tgisinternal
UNION ALL SELECT 'rule ' || rulename, pg_get_ruledef(pg_rewrite.oid) FROM pg_rewrite JOIN ours ON ev_class = ours.oid
UNION ALL SELECT 'policy ' || polname, relname FROM pg_policy JOIN ours ON polrelid = ours.oid
UNION ALL SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')',
  CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(pg_proc.oid) ELSE prokind::text END
  FROM pg_proc, here WHERE pronamespace = here.id
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
UNION ALL SELECT 'event trigger ' || evtname, evtevent FROM pg_event_trigger)
SELECT name, replace(made, quote_ident(current_schema()) || '.', '') FROM found
"""
"""Every object of a PostgreSQL schema that could change what is written or read, but those of extensions."""

POSTGRES_VERSION = """
WITH ours AS (SELECT oid, xmin FROM pg_class WHERE relnamespace = current_schema()::regnamespace
  AND relname IN ('records', 'postings', 'balances', 'streams', 'people', 'table_settings')),
triggers AS (SELECT pg_trigger.oid, pg_trigger.xmin, tgfoid FROM pg_trigger JOIN ours ON tgrelid = ours.oid),
found AS (SELECT oid, xmin FROM ours UNION ALL SELECT oid, xmin FROM triggers
  UNION ALL SELECT oid, xmin FROM pg_proc WHERE oid IN (SELECT tgfoid FROM triggers)
  UNION ALL SELECT pg_rewrite.oid, pg_rewrite.xmin FROM pg_rewrite JOIN ours ON ev_class = ours.oid)
SELECT string_agg(oid || ':' || xmin, ' ' ORDER BY oid) FROM found
"""
"""A value that changes with every table, trigger, trigger function or rule that is made, changed or dropped
where a batch is written, and is cheap enough for every commit. `POSTGRES_OBJECTS` then says whether the change
matters."""


def sqlite_in_memory() -> sqlite3.Connection:
    """The tables in a database that is gone when it is closed."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(_SQLITE)
    return connection


SqliteObject = tuple[str, str, str, str | None]


@cache
def _sqlite_expected() -> frozenset[SqliteObject]:
    with closing(sqlite_in_memory()) as connection:
        return frozenset(connection.execute(SQLITE_OBJECTS).fetchall())


def sqlite_changes(found: Iterable[SqliteObject]) -> list[str]:
    """The differences of a file's objects from those that the program makes, a sentence each."""
    return _changes(_by_name([each for each in found if each not in _STATISTICS]), _by_name(_sqlite_expected()))


def _by_name(objects: Iterable[SqliteObject]) -> dict[str, str]:
    found: dict[str, str] = {}
    for type_, name, table, sql in objects:
        again = " that is there twice" if f"{type_} {name}" in found else ""
        found[f"{type_} {name}{again}"] = f"{table} {sql}"
    return found


def postgres_changes(found: Mapping[str, str]) -> list[str]:
    """The differences of a database's objects from those that the program makes, a sentence each."""
    file = Path(__file__).with_name("schema_postgres.json")
    return _changes(found, json.loads(file.read_text(encoding="utf-8")))


def _changes(found: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    changes = [f"the {name} is missing" for name in sorted(expected.keys() - found.keys())]
    changes += [f"the {name} is not one of punto's" for name in sorted(found.keys() - expected.keys())]
    both = sorted(found.keys() & expected.keys())
    return changes + [f"the {name} was changed" for name in both if found[name] != expected[name]]


def store_id(meta: Iterable[tuple[object, object]], address: str) -> str:
    """The id of a store by the rows of `meta`, which were written with its tables, and nothing beside them."""
    rows = sorted(meta, key=repr)
    if [name for name, _ in rows] != ["format", "store"] or not all(type(value) is str for _, value in rows):
        message = f"{address} has the tables of punto, but not their one format and id: restore it from a backup"
        raise RefusedStoreError("meta-missing", message)
    (_, format_), (_, store) = rows
    if format_ != FORMAT:
        message = f"{address} has format {format_}, which this version of punto does not know; it knows {FORMAT}"
        raise RefusedStoreError("schema-unknown", message)
    return str(store)


def refuse_older(address: str) -> RefusedStoreError:
    """The reason why a database of a version before 1.0 is not opened."""
    message = (
        f"{address} was written by punto 0.x, which this version does not read: keep it with the version that wrote "
        "it, and begin a new database here"
    )
    return RefusedStoreError(OLDER, message)


def _meta() -> list[tuple[str, str]]:
    return [("format", FORMAT), ("store", secrets.token_hex(16))]


def make_sqlite(path: Path) -> None:
    """Make the tables in a file, unless they are there, in one transaction; other processes wait for it."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # Only the owner may read the file.
    with closing(sqlite3.connect(path, isolation_level=None, timeout=10)) as connection:
        # The file stores the journal mode, which cannot be changed within a transaction.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("BEGIN EXCLUSIVE")
        if not connection.execute(SQLITE_OBJECTS).fetchall():
            # Not by executescript, which would end the transaction.
            for statement in _SQLITE.split(";\n"):
                connection.execute(statement)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", _meta())
        connection.execute("COMMIT")


async def make_postgres(pool: asyncpg.Pool[asyncpg.Record]) -> None:
    """Make the tables in a database, unless they are there, in one transaction; other processes wait for it."""
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
        # Not to_regclass: what that finds may be from before the lock.
        here = "relname = 'meta' AND relnamespace = current_schema()::regnamespace"
        if not await connection.fetchval(f"SELECT EXISTS (SELECT FROM pg_class WHERE {here})"):  # noqa: S608
            await connection.execute(_POSTGRES)
            await connection.executemany("INSERT INTO meta VALUES ($1, $2)", _meta())
