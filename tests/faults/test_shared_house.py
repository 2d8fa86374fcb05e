"""Two processes' worth of a house on a real PostgreSQL and a real NATS, on the machine's own clock."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from punto.protocol.codec import read_command_by
from punto.protocol.views import NewTable
from punto.rules.refusals import Refusal
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.settings import HouseSettings
from punto.service.viewing.subscriptions import Subscription
from punto.table.automatic import Timing
from tests.faults.invariants import check
from tests.nats_server import NatsServer
from tests.postgres import PostgresServer
from tests.service.rig import ETG

PACE = Timing(betting_ms=400, card_ms=10, insurance_ms=10, pause_ms=20)
_numbers = count(1)


@pytest.fixture(scope="module")
def nats_server() -> Iterator[NatsServer]:
    server = NatsServer()
    server.start()
    yield server
    server.kill()


@asynccontextmanager
async def shared(
    postgres: PostgresServer, bus: NatsServer, folder: Path, *, lease_ms: int = 6_000
) -> AsyncIterator[tuple[House, House, Person, str]]:
    """Two houses on one database; the first owns the table, and keeps it however busy the machine is."""
    number = next(_numbers)
    name = f"shared_{number}"
    postgres.sql("postgres", f"CREATE DATABASE {name}")
    houses: list[House] = []
    for owner in ("one", "two"):
        settings = HouseSettings(
            database=postgres.address(name),
            head=str(folder / f"{owner}.head"),
            key=str(folder / "shoes.key"),
            bus=bus.address,
            bus_prefix=f"punto{number}",
            owner=owner,
            timing=PACE,
            always_on=True,
            lease_ms=lease_ms,
            stop_ms=0,
        )
        houses.append(await open_house(replace(settings, adopt_head=bool(houses))))
    one, other = houses
    try:
        made = await one.people.create(SET_UP, "Ann", "patron")
        assert isinstance(made, tuple)
        await one.cashier.buy(made[0], 100_000, "buy")
        assert not isinstance(await one.setup.set_up(SET_UP, msgspec.convert(ETG, NewTable)), Refusal)
        while "etg" not in other.registry.hosts:
            await asyncio.sleep(0.01)
        yield one, other, made[0], name
    finally:
        for house in houses:
            await house.close()


async def until(reader: Subscription, kind: str) -> dict[str, Any]:
    async for message in reader:
        seen: dict[str, Any] = json.loads(message.text)
        if seen.get("event", {}).get("kind") == kind:
            return seen
    raise AssertionError("the reader was dropped")


async def give(house: House, ann: Person, key: str, **command: Any) -> Reply:
    return await house.command(ann, "etg", read_command_by(command, ann.actor), key)


async def bet(house: House, ann: Person, reader: Subscription, key: str) -> Any:
    """Bet in a round that is open, by however many tries it takes; each try of its own key."""
    for attempt in count():
        opened = await until(reader, "bets-opened")
        command = {"kind": "place-bet", "box": 1, "on": "tie", "stake_cents": 1_000, "round": opened["event"]["round"]}
        reply = await give(house, ann, f"{key}-{attempt}", **command)
        if reply.refused is None:
            return reply
        assert reply.refused.code in {"bets-not-open", "bets-closed", "round-mismatch", "round-held"}, reply.refused
    return None


async def test_a_terminal_of_one_process_plays_at_a_table_of_another(
    postgres: PostgresServer, nats_server: NatsServer, tmp_path: Path
) -> None:
    async with shared(postgres, nats_server, tmp_path) as (one, other, ann, _):
        reader = other.subscribe("etg", ann)
        assert (await give(other, ann, "sit", kind="sit", box=1)).refused is None
        reply = await bet(other, ann, reader, "bet")
        settled = await until(reader, "round-settled")
        assert settled["event"]["lines"][0]["bet"]["stake_cents"] == 1_000
        assert len(one.registry.runners) == 1
        assert len(other.registry.runners) == 0
        await check(other.store, [("etg", reply)])


async def test_the_bus_may_die_and_the_house_plays_on(
    postgres: PostgresServer, nats_server: NatsServer, tmp_path: Path
) -> None:
    async with shared(postgres, nats_server, tmp_path) as (one, other, ann, _):
        reader, far = one.subscribe("etg", ann), other.subscribe("etg", None)
        assert (await give(one, ann, "sit", kind="sit", box=1)).refused is None
        nats_server.kill()
        reply = await bet(one, ann, reader, "bet")
        # What the bus did not bring is read from the store.
        message = await until(far, "bet-placed")
        assert message["seq"] == reply.events[-1].seq
        nats_server.start()
        await until(far, "round-settled")
        await check(one.store, [("etg", reply)])
