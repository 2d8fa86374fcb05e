"""The objects of a fresh database, as the program compares every database with them.

`python -m tests.contract.schemas` writes them into the package after a new revision of the schema.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import asyncpg

from punto.store import schema
from tests.postgres import PostgresServer

FOLDER = Path(schema.__file__).parent


def of_sqlite(path: Path) -> dict[str, str]:
    """What the migrations make in a file."""
    schema.upgrade_sqlite(path)
    with closing(sqlite3.connect(path)) as connection:
        return _plain(connection.execute(schema.SQLITE_OBJECTS).fetchall())


def of_postgres(server: PostgresServer, database: str) -> dict[str, str]:
    """What the migrations make in an empty database."""
    schema.upgrade_postgres(server.address(database))
    return _plain(asyncio.run(_fetch(server.address(database))))


async def _fetch(dsn: str) -> list[tuple[str, str]]:
    connection = await asyncpg.connect(dsn)
    try:
        return [(row[0], row[1]) for row in await connection.fetch(schema.POSTGRES_OBJECTS)]
    finally:
        await connection.close()


def _plain(rows: list[tuple[str, str]]) -> dict[str, str]:
    return {name: schema.plain_object(made) for name, made in rows}


def text(found: dict[str, str]) -> str:
    """As it stands in the file."""
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Write both files."""
    server = PostgresServer()
    with tempfile.TemporaryDirectory() as name:
        try:
            server.start()
            server.sql("postgres", "CREATE DATABASE fresh")
            made = {"sqlite": of_sqlite(Path(name, "fresh.db")), "postgres": of_postgres(server, "fresh")}
        finally:
            server.close()
    for kind, found in made.items():
        (FOLDER / f"schema_{kind}.json").write_text(text(found), encoding="utf-8")


if __name__ == "__main__":
    main()
