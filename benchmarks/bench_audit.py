"""Auditing a log: chain, gaps, ledger, bets and keys.

Against reading the same rows with `sqlite3` and hashing them with `hashlib`.

Then a log of real play with the replay of every table, its shoes opened and its cards followed: in as many processes as
there are cores, against the same in one.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import tempfile
import time
from pathlib import Path

from benchmarks.harness import Comparison, best_seconds
from benchmarks.logs import fill, fill_played
from punto.service.audit.house_audit import Replaying, audit_house
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.house_key import HouseKey
from punto.store.audit import AuditReport, audit
from punto.store.opening import open_snapshot, open_store

RECORDS = 250_000
PLAYED = 200_000
TABLES = 4
NEVER = 2**62


def run() -> list[Comparison]:
    """Measure both over one log each."""
    with tempfile.TemporaryDirectory() as folder:
        return [_chain(Path(folder, "chain.db")), _replay(Path(folder, "played.db"))]


def _chain(path: Path) -> Comparison:
    asyncio.run(_fill(path))

    def ours() -> AuditReport:
        return _whole(asyncio.run(_audit(path)))

    report = ours()
    seconds = best_seconds(ours, 2, clock=time.process_time)
    baseline = best_seconds(lambda: _read_and_hash(path), 2, clock=time.process_time)
    note = f"{report.records:,} records, {report.postings:,} postings in {seconds:.1f} s in one process"
    return Comparison("audit", "sqlite3 reads and hashlib hashes the rows", seconds, baseline, 3, "cost", note)


def _read_and_hash(path: Path) -> str:
    """A hash of the records and of their postings."""
    connection, digest = sqlite3.connect(path), hashlib.sha256()
    for table in ("records", "postings"):
        for row in connection.execute(f"SELECT * FROM {table}"):  # noqa: S608
            digest.update(repr(row).encode())
    connection.close()
    return digest.hexdigest()


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


async def _audit_house(house: Replaying, worth: int) -> AuditReport:
    async with open_snapshot(house.address) as (snapshot, _):
        return (await audit_house(snapshot, house, worth=worth))[0]
