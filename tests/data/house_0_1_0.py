"""Makes the databases of 0.1.0 that `tests/service/test_upgrade.py` opens.

Run it in a checkout of the last commit of that version (1ca8af4), with the folder to write to:
`PYTHONPATH=src:. POSTGRES_BINARIES=… python house_0_1_0.py FOLDER`.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from punto.service.settings import HouseSettings
from tests.postgres import PostgresServer
from tests.service.rig import ETG, PACE, PIT, Rig, crash, rig

NAME = "house-0.1.0"


async def play(r: Rig) -> None:
    """A void round, a settled one and one with two cards at a live table; a round with one card at an automatic one."""
    ann, bo = await r.person("Ann", cents=100_000), await r.person("Bo", cents=50_000)
    dan, sue = await r.person("Dan", "dealer"), await r.person("Sue", "shift-manager")
    await r.table(PIT)
    await r.done(ann, "pit", "sit", box=1)
    await r.done(bo, "pit", "stand", box=1)

    async def deal(*cards: str) -> None:
        await r.done(dan, "pit", "open-bets")
        await r.done(ann, "pit", "place-bet", box=1, on="banker", stake_cents=10_000)
        await r.done(bo, "pit", "place-bet", box=1, on="tie", stake_cents=1_000)
        await r.done(dan, "pit", "close-bets")
        for card in cards:
            await r.done(dan, "pit", "deal", card=card)

    await r.done(dan, "pit", "load-shoe")
    await deal("5h")
    await r.confirmed(sue, "pit", "report", situation="foreign-card", facts={"cards": "5h"})
    await r.done(dan, "pit", "load-shoe")
    await deal("9h", "3h", "Ks", "Kd")
    await r.done(dan, "pit", "settle")
    await deal("2h", "3d")

    await r.table(ETG)
    reader = r.house.subscribe("etg", None)
    await r.until(reader, "bets-opened")
    await r.done(bo, "etg", "sit", box=2)
    await r.done(bo, "etg", "place-bet", box=2, on="player", stake_cents=2_000)
    await r.until(reader, "card-dealt")


async def lose_power(database: str, head: Path, save: Callable[[], bytes]) -> tuple[bytes, bytes, bytes]:
    """What is left of a house that loses power in the middle of its rounds: the database, its head and its key."""
    async with rig(HouseSettings(timing=PACE, stop_ms=0, database=database, head=str(head))) as r:
        await play(r)
        await crash(r.house)
        return save(), head.read_bytes(), head.with_suffix(".key").read_bytes()


def save_sqlite(file: Path) -> bytes:
    """A file as it stands, with what is still in its journal."""
    copy = file.with_name("copy.db")
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy.read_bytes()


def save_postgres(address: str, binaries: Path) -> bytes:
    """A database as SQL, without the lines that only psql reads."""
    command = [str(binaries / "pg_dump"), address, "--inserts", "--no-owner", "--no-privileges", "--no-comments"]
    lines = subprocess.check_output(command).splitlines(keepends=True)
    return b"".join([line for line in lines if not line.startswith((b"\\", b"--", b"\n"))])


def main(folder: Path) -> None:
    """Make both databases and write them."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "house.db"
        head = Path(scratch) / "house.head"
        of_sqlite = asyncio.run(lose_power(f"sqlite:///{file}", head, lambda: save_sqlite(file)))
        server = PostgresServer()
        server.start()
        try:
            server.sql("postgres", "CREATE DATABASE house")
            address, binaries = server.address("house"), Path(os.environ["POSTGRES_BINARIES"])
            head = Path(scratch) / "postgres.head"
            of_postgres = asyncio.run(lose_power(address, head, lambda: save_postgres(address, binaries)))
        finally:
            server.close()
    for kind, parts in (("db", of_sqlite), ("sql", of_postgres)):
        for end, part in zip((kind, f"{kind}.head", f"{kind}.key"), parts, strict=True):
            (folder / f"{NAME}.{end}.gz").write_bytes(gzip.compress(part, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
