"""Auditing a million records: chain, gaps, ledger, bets and keys, against SQLite reading the same rows.

Then the same log in two processes, against one. Then its chain and ledger alone, without SQLite's own check of indexes,
against a budget of 5 s.

Then a log of real play with the replay of every table, its shoes opened and its cards followed: in as many processes as
there are cores, against the same in one.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import AsyncMock, patch

from benchmarks.harness import Comparison, best_seconds
from benchmarks.logs import fill, fill_played
from punto.service.audit.house_audit import Replaying, audit_house
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.house_key import HouseKey
from punto.store.audit import AuditReport, audit
from punto.store.opening import open_snapshot, open_store
from punto.store.range_audit import audit_in_ranges

RECORDS = 1_000_000
PLAYED = 200_000
TABLES = 4
NEVER = 2**62
BUDGET = 5.0


def run() -> list[Comparison]:
    """Measure both over one log each."""
    with tempfile.TemporaryDirectory() as folder:
        return [*_chain(Path(folder, "chain.db")), _replay(Path(folder, "played.db"))]


def _chain(path: Path) -> list[Comparison]:
    asyncio.run(_fill(path))

    def ours() -> AuditReport:
        return _whole(asyncio.run(_audit(path)))

    def plain_read() -> None:
        connection = sqlite3.connect(path)
        for table in ("records", "postings"):
            cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608
            while cursor.fetchmany(20_000):
                pass
        connection.close()

    report = ours()
    seconds, baseline = best_seconds(ours, 2), best_seconds(plain_read, 2)
    note = f"{report.records:,} records, {report.postings:,} postings in {seconds:.1f} s in one process"
    two = best_seconds(lambda: _whole(asyncio.run(_audit_in_two(path))), 2)
    chain = best_seconds(lambda: _whole(asyncio.run(_audit_in_two(path, indexes=False))), 2)
    return [
        Comparison("audit", "sqlite3 reads the same rows", seconds, baseline, 5, "cost", note),
        Comparison("audit in two processes", "the same in one process", two, seconds, 1, "cost", f"{two:.1f} s"),
        Comparison("chain and ledger in two", "a budget of 5 s", chain, BUDGET, 1, "cost", f"{chain:.1f} s"),
    ]


def _replay(path: Path) -> Comparison:
    key = path.with_name("played.key")
    house_key = HouseKey(key)
    house_key.make()
    asyncio.run(_fill_played(path, ShoeCipher(house_key)))
    house = Replaying(f"sqlite:///{path}", key)
    report = _whole(asyncio.run(_audit_house(house, 0)))
    together = best_seconds(lambda: asyncio.run(_audit_house(house, 0)), 2)
    alone = best_seconds(lambda: asyncio.run(_audit_house(house, NEVER)), 2)
    each = f"{together / report.records * 1e6:.0f} µs a record, {alone / report.records * 1e6:.0f} in one process"
    note = f"{report.replayed:,} records of {TABLES} tables in {together:.1f} s on {os.cpu_count()} cores: {each}"
    return Comparison("audit with replay", "the same in one process", together, alone, 1, "cost", note)


def _whole(report: AuditReport) -> AuditReport:
    assert not report.problems  # noqa: S101 — a bad log might be cheaper to audit
    return report


async def _fill(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    await fill(store, RECORDS)
    await store.close()


async def _fill_played(path: Path, cipher: ShoeCipher) -> None:
    store = await open_store(f"sqlite:///{path}")
    await fill_played(store, PLAYED, TABLES, cipher)
    await store.close()


async def _audit(path: Path) -> AuditReport:
    async with open_snapshot(f"sqlite:///{path}") as (snapshot, _):
        return await audit(snapshot)


async def _audit_in_two(path: Path, *, indexes: bool = True) -> AuditReport:
    async with open_snapshot(f"sqlite:///{path}") as (snapshot, _):
        unchecked = nullcontext() if indexes else patch.object(snapshot, "damage", AsyncMock(return_value=None))
        with unchecked:
            return await audit_in_ranges(snapshot, f"sqlite:///{path}", 2)


async def _audit_house(house: Replaying, worth: int) -> AuditReport:
    async with open_snapshot(house.address) as (snapshot, _):
        return (await audit_house(snapshot, house, worth=worth))[0]
