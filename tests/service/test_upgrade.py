"""A house of 0.1.0 that lost power in the middle of two rounds is opened by this version and plays on.

`tests/data/house_0_1_0.py` made the databases, with the program of that time.
"""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import asyncpg

from punto.rules.refusals import Refusal
from punto.service.audit.house_audit import Replaying, audit_house
from punto.service.people.person import Person
from punto.service.settings import HouseSettings
from punto.store import schema
from punto.store.opening import open_snapshot
from tests.manual_clock import ManualClock
from tests.postgres import PostgresServer
from tests.service.rig import SETTINGS, Rig, rig

EARLIER = Path(__file__).parents[1] / "data"
MUCH_LATER_MS = 1_800_000_000_000
"""When the leases of the process that lost power are over."""


def unpack(name: str) -> bytes:
    return gzip.decompress((EARLIER / f"house-0.1.0.{name}.gz").read_bytes())


def settings_of(kind: str, database: str, folder: Path) -> HouseSettings:
    """The settings of a house, with its head and its key in place."""
    head, key = folder / "house.head", folder / "house.key"
    head.write_bytes(unpack(f"{kind}.head"))
    key.write_bytes(unpack(f"{kind}.key"))
    return replace(SETTINGS, database=database, head=str(head), key=str(key))


async def goes_on(settings: HouseSettings) -> None:
    """Open a house, see what became of its rounds, play another one at each table, and audit it whole."""
    async with rig(settings, clock=ManualClock(MUCH_LATER_MS)) as r:
        ann, bo, dan, sue = [await _known(r, name) for name in ("ann", "bo", "dan", "sue")]
        # At the automatic table one card decided nothing: the sheet gives the stake back.
        interrupted = await r.house.history.round("etg", bo, 1)
        assert not isinstance(interrupted, Refusal)
        assert interrupted.void
        # At the live table a person confirms the same, and until then cards and bets lie where they lay.
        assert r.house.snapshot("pit", None).phase == "held"
        assert r.house.snapshot("pit", None).round == 3
        assert (await r.house.me("pit", ann)).in_play_cents == 10_000
        await r.done(sue, "pit", "decide", "new-1", decision="approve")
        assert (await r.house.me("pit", ann)).in_play_cents == 0
        earlier = await r.house.history.round("pit", ann, 2)
        assert not isinstance(earlier, Refusal)
        assert (str(earlier.cards), earlier.lines[0].result) == ("9h 3h Ks Kd", "lose")
        # Both play on, under keys that 0.1.0 did not use.
        await r.done(dan, "pit", "open-bets", "new-2")
        await r.done(ann, "pit", "place-bet", "new-3", box=1, on="player", stake_cents=1_000)
        reader = r.house.subscribe("etg", None)
        await r.until(reader, "bets-opened")
        await r.done(bo, "etg", "place-bet", "new-4", box=2, on="player", stake_cents=2_000)
        await r.until(reader, "round-closed")
    replaying = Replaying(settings.database, key=Path(str(settings.key)))
    async with open_snapshot(settings.database) as (snapshot, store):
        report, encrypted = await audit_house(snapshot, replaying, sign=replaying.sign(store))
    assert report.problems == ()
    assert (report.bets_open, encrypted) == (1, 0)


async def _known(r: Rig, name: str) -> Person:
    person = await r.house.people.find(name)
    assert person is not None
    return person


async def test_a_house_of_the_first_version_goes_on_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    file.write_bytes(unpack("db"))
    await goes_on(settings_of("db", f"sqlite:///{file}", tmp_path))
    with closing(sqlite3.connect(file)) as connection:
        found = dict(connection.execute(schema.SQLITE_OBJECTS).fetchall())
    assert schema.differences(found, "sqlite") == []


async def test_a_house_of_the_first_version_goes_on_postgres(tmp_path: Path, postgres: PostgresServer) -> None:
    postgres.sql("postgres", "CREATE DATABASE earlier")
    postgres.sql("earlier", unpack("sql").decode())
    await goes_on(settings_of("sql", postgres.address("earlier"), tmp_path))
    connection = await asyncpg.connect(postgres.address("earlier"))
    try:
        found = {row[0]: row[1] for row in await connection.fetch(schema.POSTGRES_OBJECTS)}
    finally:
        await connection.close()
    assert schema.differences(found, "postgres") == []
