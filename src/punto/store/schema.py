"""Updates the schema with Alembic when a store is opened.

Alembic and SQLAlchemy are imported only if there is an update to do, so that a current database opens at once.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from punto.store.errors import RefusedStoreError

if TYPE_CHECKING:
    import asyncpg
    from sqlalchemy import Connection

REVISIONS = ("0003", "0004")
"""All revisions of the schema; this program uses the last. A test compares them with the scripts."""

CURRENT = REVISIONS[-1]
# Alembic holds its state in global variables.
_ONE_AT_A_TIME = threading.Lock()
_MIGRATION_LOCK = 7_239_480_551

SQLITE_OBJECTS = (
    "SELECT type || ' ' || name, tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master "
    "WHERE name NOT LIKE 'sqlite_stat%'"
)
"""Every object of an SQLite file, by name. Statistics are the planner's, and anyone may collect them."""

POSTGRES_OBJECTS = """
WITH here AS (SELECT current_schema()::regnamespace::oid AS id),
ours AS (SELECT oid, relname, relkind FROM pg_class, here WHERE relnamespace = here.id AND relkind NOT IN ('i', 't')
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')),
found (name, made) AS (
SELECT 'relation ' || relname, relkind::text || ' ' || CASE WHEN c.relrowsecurity THEN 'row security' ELSE '' END
  FROM ours JOIN pg_class c USING (oid, relname, relkind)
UNION ALL SELECT 'column ' || relname || '.' || attname, format_type(atttypid, atttypmod) || ' ' || attnotnull::text
  || ' ' || attidentity::text || ' ' || coalesce(pg_get_expr(adbin, adrelid), '')
  FROM ours JOIN pg_attribute ON attrelid = oid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped AND ours.relkind <> 'S'
UNION ALL SELECT 'constraint ' || conname, relname || ' ' || pg_get_constraintdef(pg_constraint.oid)
  || ' ' || convalidated::text FROM pg_constraint JOIN ours ON conrelid = ours.oid WHERE contype <> 'n'
UNION ALL SELECT 'index ' || i.relname, pg_get_indexdef(i.oid) || ' ' || indisvalid::text || ' ' || indisready::text
  FROM pg_index JOIN pg_class i ON i.oid = indexrelid JOIN ours ON ours.oid = indrelid
UNION ALL SELECT 'trigger ' || tgname, pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text
  FROM pg_trigger JOIN ours ON tgrelid = ours.oid WHERE NOT tgisinternal
UNION ALL SELECT 'rule ' || rulename, pg_get_ruledef(pg_rewrite.oid) FROM pg_rewrite JOIN ours ON ev_class = ours.oid
UNION ALL SELECT 'policy ' || polname, relname FROM pg_policy JOIN ours ON polrelid = ours.oid
UNION ALL SELECT 'function ' || proname || '(' || pg_get_function_identity_arguments(pg_proc.oid) || ')', prosrc
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
"""What changes with every table, trigger, trigger function or rule that is made, changed or dropped where a batch is
written, and is cheap enough for every commit. `POSTGRES_OBJECTS` then says whether the change matters."""


def plain_object(text: str) -> str:
    """What an object is made of, however it is spaced and quoted."""
    return re.sub(r"[\s\"]+", "", text)


def differences(found: Mapping[str, str], kind: str) -> list[str]:
    """How the objects of a database differ from those that the program makes, a sentence each."""
    file = Path(__file__).with_name(f"schema_{kind}.json")
    expected: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    changes = [f"the {name} is missing" for name in sorted(expected.keys() - found.keys())]
    changes += [f"the {name} is not one of punto's" for name in sorted(found.keys() - expected.keys())]
    both = sorted(found.keys() & expected.keys())
    return changes + [f"the {name} was changed" for name in both if plain_object(found[name]) != expected[name]]


def check_revision(found: list[str], address: str) -> bool:
    """Whether a database is current. An older one can be updated; any other is refused."""
    if found and found[0] not in REVISIONS:
        message = f"{address} has schema {found[0]}, which this version of punto does not know; it knows {CURRENT}"
        raise RefusedStoreError("schema-unknown", message)
    return found == [CURRENT]


def upgrade_sqlite(path: Path) -> None:
    """Update an SQLite file in one transaction; other processes wait for it."""
    with _ONE_AT_A_TIME:
        _upgrade_sqlite(path)


def _upgrade_sqlite(path: Path) -> None:
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # Only the owner may read the file.
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    try:
        # The file stores the journal mode, which cannot be changed within a transaction.
        connection.execute("PRAGMA journal_mode=WAL")
        engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        with engine.connect() as wrapped:
            # Not earlier: connecting rolls back an open transaction. No process ever sees a partial schema.
            wrapped.exec_driver_sql("BEGIN EXCLUSIVE")
            _upgrade(wrapped)
            wrapped.commit()
        engine.dispose()
    finally:
        connection.close()


def upgrade_postgres(dsn: str) -> None:
    """Update a PostgreSQL database in one transaction; other processes wait for it. Do not call from an event loop."""
    with _ONE_AT_A_TIME:
        asyncio.run(_upgrade_postgres(dsn))


async def _upgrade_postgres(dsn: str) -> None:
    import asyncpg
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    async def connect() -> asyncpg.Connection:
        return await asyncpg.connect(dsn)

    engine = create_async_engine("postgresql+asyncpg://", async_creator=connect, poolclass=NullPool)
    async with engine.begin() as connection:
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        await connection.run_sync(_upgrade)
    await engine.dispose()


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
