"""Auditing a million records: chain, gaps, ledger, bets and keys, against SQLite reading the same rows."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from pathlib import Path

from benchmarks.harness import Comparison, best_seconds
from benchmarks.logs import fill
from punto.store.audit import Report, audit
from punto.store.opening import open_snapshot, open_store

RECORDS = 1_000_000


def run() -> list[Comparison]:
    """Measure both over one log."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name).joinpath("punto.db")
        asyncio.run(_fill(path))

        def ours() -> Report:
            report = asyncio.run(_audit(path))
            assert not report.problems  # noqa: S101 — a bad log might be cheaper to audit
            return report

        def plain_read() -> None:
            connection = sqlite3.connect(path)
            for table in ("records", "postings"):
                cursor = connection.execute(f"SELECT * FROM {table}")  # noqa: S608
                while cursor.fetchmany(20_000):
                    pass
            connection.close()

        report = ours()
        seconds, baseline = best_seconds(ours, 2), best_seconds(plain_read, 2)
    note = f"{report.records:,} records, {report.postings:,} postings in {seconds:.1f} s on one core"
    return [Comparison("audit", "sqlite3 reads the same rows", seconds, baseline, 5, "cost", note)]


async def _fill(path: Path) -> None:
    store = await open_store(f"sqlite:///{path}")
    await fill(store, RECORDS)
    await store.close()


async def _audit(path: Path) -> Report:
    async with open_snapshot(f"sqlite:///{path}") as (snapshot, _):
        return await audit(snapshot)
