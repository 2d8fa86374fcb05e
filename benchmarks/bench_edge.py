"""The real edge on loopback: durable bets a second over HTTP, and one event to 2,000 WebSocket terminals.

The server runs in one process, the terminals in another (benchmarks/terminals.py): two processes on two cores.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, TypeGuard

import asyncpg
import msgspec
import uvloop

from benchmarks.harness import Comparison
from punto.protocol.codec import command_by, new_command
from punto.protocol.views import EventMessage, NewTable
from punto.rules.refusals import Refusal
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.settings import EdgeLimits, HouseSettings
from punto.web.server import listening
from tests.postgres import PostgresServer

PATRONS = 256
SECONDS = 3.0
TURNS = 3
TERMINALS = 2_000
ROUNDS = 5
PAUSE_SECONDS = 1.5
NATURAL = ("5h", "Ks", "4d", "7c")
WIDE = EdgeLimits(messages_per_second=1_000_000, burst=1_000_000, connections=10_000)
TABLE: dict[str, Any] = {
    "table": "bench",
    "game": "non-commission",
    "mode": "live",
    "decks": 8,
    "boxes": PATRONS,
    "minimum_cents": 100,
    "differential_cents": 1_000_000_000,
    "unit_cents": 1,
}


def run() -> list[Comparison]:
    """Measure bets into both databases, then the fan-out."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as name:
        results = [_into_sqlite(Path(name))]
    server = PostgresServer(on_disk=True)
    try:
        server.start()
        with tempfile.TemporaryDirectory() as name:
            results.append(_into_postgresql(server, Path(name)))
    finally:
        server.close()
    return [*results, uvloop.run(_fan_out())]


def _into_sqlite(folder: Path) -> Comparison:
    def bets(batch: int, turn: int) -> float:
        return _measured(HouseSettings(f"sqlite:///{folder}/{batch}-{turn}.db", edge=replace(WIDE, batch=batch)))

    ours, single = _best(lambda turn: (bets(WIDE.batch, turn), bets(1, turn)))
    note = f"{ours:,.0f} durable bets a second over HTTP, the baseline {single:,.0f}"
    return Comparison("bets into SQLite", "same edge, one bet a transaction", 1 / ours, 1 / single, 5, note=note)


def _into_postgresql(server: PostgresServer, folder: Path) -> Comparison:
    def bets(turn: int) -> tuple[float, float]:
        server.sql("postgres", f"CREATE DATABASE bench{turn}")
        address = server.address(f"bench{turn}")
        ours = _measured(HouseSettings(address, head=str(folder / f"head{turn}"), edge=WIDE))
        return ours, uvloop.run(_one_connection(address))

    ours, single = _best(bets)
    note = f"{ours:,.0f} durable bets a second over HTTP, the baseline {single:,.0f}"
    return Comparison(
        "bets into PostgreSQL", "one connection, one bet's rows a transaction", 1 / ours, 1 / single, 3, note=note
    )


# ------------------------------------------------------------------------------------------- bets


def _best(bets: Callable[[int], tuple[float, float]]) -> tuple[float, float]:
    """The best of several turns of ours and of the baseline: noise on a shared machine only ever takes away."""
    turns = [bets(turn) for turn in range(TURNS)]
    return max(ours for ours, _ in turns), max(single for _, single in turns)


def _measured(settings: HouseSettings) -> float:
    """Bets a second of a server in a process of its own, as servers run: nothing is left over from another."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as own:
        return own.submit(_serve_bets, settings).result()


def _serve_bets(settings: HouseSettings) -> float:
    return uvloop.run(_bets(settings))


async def _bets(settings: HouseSettings) -> float:
    """Bets a second that all patrons together get answered."""
    async with _open_table(settings) as (house, dealer):
        tokens = [await _seated(house, box) for box in range(1, PATRONS + 1)]
        await _do(house, dealer, "load-shoe")
        await _do(house, dealer, "open-bets")
        async with listening(house) as port:
            told = await _terminals({"port": port, "tokens": tokens, "seconds": SECONDS})
        if told["refused"]:
            raise RuntimeError(told["refused"])
        return float(told["bets"] / told["seconds"])


@asynccontextmanager
async def _open_table(settings: HouseSettings) -> AsyncIterator[tuple[House, Person]]:
    house = await open_house(replace(settings, stop_ms=0))
    try:
        made = await house.setup.set_up(SET_UP, msgspec.convert(TABLE, NewTable))
        dealer = await house.people.create(SET_UP, "Dan", "dealer")
        if isinstance(made, Refusal) or isinstance(dealer, Refusal):
            raise TypeError(f"{made} {dealer}")
        yield house, dealer[0]
    finally:
        await house.close()


async def _seated(house: House, box: int) -> str:
    made = await house.people.create(SET_UP, f"P{box}", "patron")
    if isinstance(made, Refusal):
        raise TypeError(made.code)
    person, token = made
    await house.cashier.buy(person, 100_000_000, "buy")
    await _do(house, person, "sit", box=box)
    return token


async def _do(house: House, person: Person, kind: str, **fields: object) -> None:
    reply = await house.command(
        person, "bench", command_by(new_command(kind, **fields), person.actor), f"{kind}-{time.monotonic_ns()}"
    )
    if reply.refused is not None:
        raise RuntimeError(reply.refused.code)


def _is_result(message: msgspec.Struct) -> TypeGuard[EventMessage]:
    return isinstance(message, EventMessage) and message.event.__struct_config__.tag == "round-settled"


async def _terminals(ask: dict[str, Any]) -> dict[str, Any]:
    process = await _start(ask)
    out, _ = await process.communicate()
    told: dict[str, Any] = json.loads(out)
    return told


async def _start(ask: dict[str, Any]) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "benchmarks.terminals",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**26,
    )
    if process.stdin is None:
        raise AssertionError("a pipe was asked for")
    process.stdin.write(json.dumps(ask).encode() + b"\n")
    await process.stdin.drain()
    return process


async def _one_connection(address: str) -> float:
    """Bets a second of one connection that commits one bet's rows at a time: its record, two postings, two balances."""
    connection = await asyncpg.connect(address)
    await connection.execute(
        """CREATE TABLE plain_records (id bigserial PRIMARY KEY, stream text, seq int, payload text, key text UNIQUE);
        CREATE TABLE plain_postings (record bigint, line int, account text, cents bigint, PRIMARY KEY (record, line));
        CREATE TABLE plain_balances (account text PRIMARY KEY, cents bigint CHECK (cents >= 0));
        INSERT INTO plain_balances VALUES ('patron', 1000000000), ('bets', 0)"""
    )
    payload = json.dumps({"kind": "bet-placed", "round": 1, "bet": {"box": 1, "patron": "p1", "on": "tie"}}) * 2
    record = await connection.prepare(
        "INSERT INTO plain_records (stream, seq, payload, key) VALUES ('bench', $1, $2, $3) RETURNING id"
    )
    done, start = 0, time.monotonic()
    while time.monotonic() < start + SECONDS:
        async with connection.transaction():
            number = await record.fetchval(done, payload, f"key-{done}")
            await connection.execute(
                "INSERT INTO plain_postings VALUES ($1, 1, 'patron', -100), ($1, 2, 'bets', 100)", number
            )
            await connection.execute(
                "UPDATE plain_balances SET cents = cents + CASE account WHEN 'bets' THEN 100 ELSE -100 END"
            )
        done += 1
    seconds = time.monotonic() - start
    await connection.close()
    return done / seconds


# ------------------------------------------------------------------------------------------- fan-out


async def _fan_out() -> Comparison:
    """The time from a result being told to each terminal having it, over several rounds."""
    async with _open_table(HouseSettings(edge=WIDE)) as (house, dealer), listening(house) as port:
        first = house.subscribe("bench", None)  # told before any terminal, so its time is the start
        process = await _start({"port": port, "watch": TERMINALS})
        if process.stdout is None:
            raise AssertionError("a pipe was asked for")
        await process.stdout.readline()
        await _do(house, dealer, "load-shoe")
        told: dict[int, int] = {}
        for _ in range(ROUNDS):
            for kind in ("open-bets", "close-bets"):
                await _do(house, dealer, kind)
            for card in NATURAL:
                await _do(house, dealer, "deal", card=card)
            await asyncio.sleep(PAUSE_SECONDS)  # a table has its pace: the cards are seen before the result comes
            first.take()
            settling = asyncio.create_task(_do(house, dealer, "settle"))
            while not _is_result(message := (await anext(first)).struct):
                pass
            told[message.seq] = time.monotonic_ns()
            await settling
            await asyncio.sleep(PAUSE_SECONDS)
        out, _ = await process.communicate(b"\n")
    seen = json.loads(out)["seen"]
    times = [sorted([at - start for at in seen.get(str(seq), ())]) for seq, start in told.items()]
    if any(len(each) != TERMINALS for each in times):
        raise RuntimeError(f"not all terminals saw all results: {[len(each) for each in times]}")
    middle = median(each[len(each) // 2] for each in times) / 1e9
    late = median(each[len(each) * 99 // 100] for each in times) / 1e9
    note = f"all of {TERMINALS:,} terminals; median {middle * 1e3:.0f} ms, p99 {late * 1e3:.0f} ms"
    return Comparison("p99 of a result's delivery", "its median", late, middle, 3, "cost", note)
