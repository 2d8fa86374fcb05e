"""A house for tests: in memory or on disk, on a clock that the test advances."""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from typing import Any, cast

import msgspec

from punto.protocol.codec import Reader, read_command_by
from punto.protocol.views import NewTable, TableSummary
from punto.rules.refusals import Refusal, Refused
from punto.service.analyst import Analyst
from punto.service.audit.replay import HouseReplay
from punto.service.cluster.bus import Bus
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import HouseKey
from punto.service.viewing.subscriptions import Subscription
from punto.service.world import World
from punto.store.audit import AuditProblem, audit
from punto.table.act import Command
from punto.table.automatic import Timing
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE_SECONDS

PACE = Timing(betting_ms=10_000, card_ms=1_000, insurance_ms=5_000, pause_ms=3_000)
SETTINGS = HouseSettings(timing=PACE, stop_ms=0)
KEYS = itertools.count(1)
NATURAL = "5h Ks 4d 7c"
"""Player 9, Banker 7."""

ETG: dict[str, Any] = {
    "table": "etg",
    "game": "non-commission",
    "mode": "automatic",
    "decks": 8,
    "boxes": 5,
    "minimum_cents": 1_000,
    "differential_cents": 500_000,
    "unit_cents": 100,
}
TIGER: dict[str, Any] = {
    "table": "tiger",
    "game": "da-hu-ying-xiong",
    "mode": "automatic",
    "decks": 8,
    "layout": "bean-9",
    "minimum_cents": 1_000,
    "differential_cents": 500_000,
    "unit_cents": 100,
}
PIT: dict[str, Any] = TIGER | {"table": "pit", "game": "commission", "mode": "live"}
_NEW_TABLE: Reader[Any] = Reader(NewTable)


def plain(shown: object) -> Any:
    """What someone reads of a struct, or of several: plain data, as JSON has it."""
    return json.loads(msgspec.json.encode(shown))


def taken(reader: Subscription) -> list[dict[str, Any]]:
    """All that waits for a reader, as it is sent."""
    return [json.loads(message.text) for message in reader.take()]


def kinds(reply: Reply) -> list[str]:
    """The kinds of the events of a reply."""
    return [str(each.event.__struct_config__.tag) for each in reply.events]


def code(answer: object) -> str:
    """The code of a refusal, or of the refusal in a reply; nothing where there is none."""
    refusal = answer.refused if isinstance(answer, Reply) else answer
    return refusal.code if isinstance(refusal, Refusal) else ""


class Rig:
    """A house, its clock, and short ways to do what every test does."""

    def __init__(self, house: House, clock: ManualClock) -> None:
        self.house, self.clock = house, clock
        self._second: Person | None = None

    async def person(self, name: str, role: str = "patron", cents: int = 0) -> Person:
        made = await self.house.people.create(SET_UP, name, role)
        assert not isinstance(made, Refusal), made
        if cents:
            assert (await self.house.cashier.buy(made[0], cents, self.key())).refused is None
        return made[0]

    async def set_up(self, by: Person, spec: dict[str, Any]) -> TableSummary | Refusal:
        """Set a table up, read as the edge reads it."""
        try:
            return await self.house.setup.set_up(by, _NEW_TABLE.read(spec))
        except Refused as error:
            return error.refusal

    async def table(self, spec: dict[str, Any], **changes: Any) -> str:
        made = await self.set_up(SET_UP, spec | changes)
        assert not isinstance(made, Refusal), made
        return made.id

    def asked(self, who: Person, kind: str, **fields: Any) -> Command:
        """A command, read as the edge reads it; a Refused says why not."""
        return read_command_by({"kind": kind} | fields, who.actor)

    async def give(self, who: Person, table: str, kind: str, key: str | None = None, **fields: Any) -> Reply:
        try:
            command = self.asked(who, kind, **fields)
        except Refused as error:
            return Reply(refused=error.refusal)
        return await self.house.command(who, table, command, key or self.key())

    async def done(self, who: Person, table: str, kind: str, key: str | None = None, **fields: Any) -> Reply:
        reply = await self.give(who, table, kind, key, **fields)
        assert reply.refused is None, reply.refused
        return reply

    async def confirmed(self, who: Person, table: str, kind: str, **fields: Any) -> Reply:
        """What waits for a second person, and the reply to the one who approves it."""
        asked = await self.done(who, table, kind, **fields)
        assert kinds(asked)[-1] == "confirmation-asked", kinds(asked)
        return await self.done(await self.second(), table, "decide", decision="approve")

    async def seated(self, spec: dict[str, Any], cents: int) -> tuple[Person, str, Subscription]:
        """Ann at box 1 of a new automatic table that takes bets, the table, and what she reads there."""
        ann, table = await self.person("Ann", cents=cents), await self.table(spec)
        reader = self.house.subscribe(table, ann)
        await self.until(reader, "bets-opened")
        await self.done(ann, table, "sit", box=1)
        return ann, table, reader

    async def live(self, cents: int, **changes: Any) -> tuple[Person, Person, str]:
        """Ann at box 1 of a new live table with a shoe, its Dealer, and the table."""
        ann, dan = await self.person("Ann", cents=cents), await self.person("Dan", "dealer")
        table = await self.table(PIT, **changes)
        await self.done(ann, table, "sit", box=1)
        await self.done(dan, table, "load-shoe")
        return ann, dan, table

    async def betting(self, dealer: Person, table: str) -> None:
        """A table with a shoe, open for bets."""
        await self.done(dealer, table, "load-shoe")
        await self.done(dealer, table, "open-bets")

    async def deal(self, dealer: Person, table: str, cards: str = NATURAL) -> None:
        """Close bets, deal these cards and settle."""
        await self.done(dealer, table, "close-bets")
        for card in cards.split():
            await self.done(dealer, table, "deal", card=card)
        await self.done(dealer, table, "settle")

    async def play(self, dealer: Person, table: str, *bets: tuple[Person, str, int], cards: str = NATURAL) -> None:
        """A round with these bets in box 1, each by whom, on what, and how many cents."""
        await self.done(dealer, table, "open-bets")
        for who, on, cents in bets:
            await self.done(who, table, "place-bet", box=1, on=on, stake_cents=cents)
        await self.deal(dealer, table, cards)

    async def second(self) -> Person:
        """Who confirms what others propose."""
        if self._second is None:
            self._second = await self.person("Second", "pit-supervisor")
        return self._second

    async def until(self, reader: Subscription, kind: str) -> dict[str, Any]:
        """Let time pass until the reader sees an event of this kind."""
        return await self.until_seen(reader, lambda message: message.get("event", {}).get("kind") == kind)

    async def until_seen(self, reader: Subscription, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        async def pass_time() -> None:
            while True:
                await self.clock.step()

        time = asyncio.create_task(pass_time())
        try:
            async for message in reader:
                if wanted(seen := json.loads(message.text)):
                    return cast(dict[str, Any], seen)
            raise AssertionError("the reader was closed before it saw what it waited for")
        finally:
            time.cancel()

    @staticmethod
    def key() -> str:
        return f"key-{next(KEYS)}"


def world(clock: ManualClock, store: Any = None, bus: Bus | None = None, analyst: Analyst | None = None) -> World:
    """The machine's world, but on this clock, and with this store, bus and analyst where they are given."""
    made = replace(World.with_clock(clock), analyst=analyst)
    if store is not None:

        async def open_store(*_: Any, **__: Any) -> Any:
            return store

        made = replace(made, open_store=open_store)
    if bus is not None:

        async def open_bus(_: str | None) -> Bus:
            return bus

        made = replace(made, open_bus=open_bus)
    return made


@asynccontextmanager
async def rig(
    settings: HouseSettings = SETTINGS,
    *,
    clock: ManualClock | None = None,
    store: Any = None,
    bus: Bus | None = None,
    analyst: Analyst | None = None,
    **changes: Any,
) -> AsyncIterator[Rig]:
    """A house that is closed at the end; one without an end is a failure, not a wait."""
    clock = clock or ManualClock()
    async with asyncio.timeout(PATIENCE_SECONDS):
        house = await open_house(replace(settings, **changes), world(clock, store, bus, analyst))
        try:
            yield Rig(house, clock)
            assert not house.failed.done(), house.failed.result()
        finally:
            await house.close()


@asynccontextmanager
async def pair(
    store: Any, clock: ManualClock, bus: Bus | None = None, **changes: Any
) -> AsyncIterator[tuple[Rig, Rig]]:
    """Two processes of one house, on this store, clock and bus."""
    shared = replace(SETTINGS, database="postgresql://the.store.is.handed.in", **changes)
    async with (
        rig(shared, clock=clock, store=store, bus=bus, owner="one") as one,
        rig(shared, clock=clock, store=store, bus=bus, owner="two") as other,
    ):
        yield one, other


async def problems(store: Any, key: HouseKey | None = None) -> list[AuditProblem]:
    """The problems that an audit finds."""
    async with store.snapshot() as snapshot:
        return list((await audit(snapshot, replay=HouseReplay(key))).problems)


async def gather(*work: Awaitable[Any]) -> list[Any]:
    return list(await asyncio.gather(*work))


async def crash(house: House) -> None:
    """What a power cut leaves: nothing is finished, released or closed. A commit under way may or may not have been."""
    tasks = [*house.supervisor._tasks, *[each._task for each in house.registry.runners.values() if each._task]]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def edit(settings: HouseSettings, *statements: str) -> None:
    """Change the SQLite file of a house behind its back."""
    with closing(sqlite3.connect(settings.database.removeprefix("sqlite:///"))) as connection:
        connection.executescript(";".join(statements))
