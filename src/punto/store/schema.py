"""Updates the schema with Alembic when a store is opened.

Alembic and SQLAlchemy are imported only if there is an update to do, so that a current database opens at once.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
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
