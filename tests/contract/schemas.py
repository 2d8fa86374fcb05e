"""The objects of a fresh PostgreSQL database, as the program compares every database with them.

`python -m tests.contract.schemas` writes them into the package after a change of the schema.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from punto.store import schema
from punto.store.postgres import connect_pool
from tests.postgres import PostgresServer

FILE = Path(schema.__file__).with_name("schema_postgres.json")


async def of_postgres(server: PostgresServer, database: str) -> dict[str, str]:
    """What the program makes in an empty database."""
    pool = await connect_pool(server.address(database))
    try:
        await schema.make_postgres(pool)
        return {row[0]: row[1] for row in await pool.fetch(schema.POSTGRES_OBJECTS)}
    finally:
        await pool.close()


def main() -> None:
    """Write the file."""
    server = PostgresServer()
    try:
        server.start()
        server.sql("postgres", "CREATE DATABASE fresh")
        found = asyncio.run(of_postgres(server, "fresh"))
    finally:
        server.close()
    FILE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
