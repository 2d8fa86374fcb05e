"""Durable bets: committed together against one commit for each, in SQLite and in a real PostgreSQL, on this disk."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from benchmarks.harness import Comparison
from benchmarks.logs import PATRONS, bet, bought
from punto.store.interface import Store
from punto.store.opening import open_store
from punto.store.records import Batch
from tests.postgres import PostgresServer

TOGETHER = 5_000
WAITING = 100
"""Bets that wait together: what a busy table gathers while the commit before is being synced."""
ONE_BY_ONE = 200


def run() -> list[Comparison]:
    """Measure both stores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        address = f"sqlite:///{folder.joinpath('punto.db')}"
        results = asyncio.run(_compare("SQLite", address, folder.joinpath("sqlite.head"), 5))
        server = PostgresServer(on_disk=True)
        try:
            server.start()
            server.sql("postgres", "CREATE DATABASE bench")
            results += asyncio.run(_compare("PostgreSQL", server.address("bench"), folder.joinpath("pg.head"), 3))
        finally:
            server.close()
    return results


async def _compare(kind: str, address: str, head: Path, promise: int) -> list[Comparison]:
    store = await open_store(address, head=head)
    await store.append(bought())
    many = await _best(lambda n: _append(store, f"many{n}", TOGETHER, WAITING)) / TOGETHER
    four = await _best(lambda n: _tables(store, n)) / TOGETHER
    single = await _best(lambda n: _append(store, f"one{n}", ONE_BY_ONE, 1)) / ONE_BY_ONE
    await store.close()
    baseline = "one commit for each bet"
    note = f"{1 / many:,.0f} durable bets a second, the baseline {1 / single:,.0f}"
    return [
        Comparison(f"bets into {kind}, {WAITING} a commit", baseline, many, single, promise, note=note),
        Comparison(f"bets into {kind}, four tables", baseline, four, single, promise, note=f"{1 / four:,.0f} a second"),
    ]


async def _best(work: Callable[[int], Awaitable[None]]) -> float:
    best = float("inf")
    for number in range(3):
        start = time.perf_counter()
        await work(number)
        best = min(best, time.perf_counter() - start)
    return best


async def _append(store: Store, table: str, bets: int, together: int) -> None:
    for start in range(0, bets, together):
        units = tuple(bet(table, number, f"p{number % PATRONS}") for number in range(start, start + together))
        await store.append(Batch(table, start, start, units))


async def _tables(store: Store, number: int) -> None:
    await asyncio.gather(*[_append(store, f"four{number}-{table}", TOGETHER // 4, WAITING // 4) for table in range(4)])
