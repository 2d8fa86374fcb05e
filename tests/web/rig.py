"""The real edge on a free loopback port, over a real house: what the tests of HTTP and WebSocket share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import msgspec

from punto.client import Client, RefusedByServerError
from punto.protocol.views import NewTable
from punto.rules.refusals import Refusal
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import EdgeLimits, HouseSettings
from punto.service.world import World
from punto.table.automatic import Timing
from punto.web.server import listening

WIDE = EdgeLimits(messages_per_second=100_000, burst=100_000)
SETTINGS = HouseSettings(open_door=True, free_credit=True, stop_ms=0, edge=WIDE, timing=Timing(200, 5, 20, 20))

PIT: dict[str, Any] = {
    "table": "pit",
    "game": "commission",
    "mode": "live",
    "decks": 8,
    "layout": "bean-9",
    "minimum_cents": 1_000,
    "differential_cents": 500_000,
    "unit_cents": 100,
    "second_person": False,
}
AUTOMATIC = PIT | {"table": "auto", "mode": "automatic"}
# Player 5 and 4, Banker 7: a natural 9, nobody draws.
NATURAL = ("5h", "Ks", "4d", "7c")


class Edge:
    """A house that answers at `address`, and short ways to do what every test does."""

    def __init__(self, house: House, port: int) -> None:
        self.house, self.port = house, port
        self.address = f"http://127.0.0.1:{port}"
        self.http = httpx.AsyncClient(base_url=self.address, trust_env=False, timeout=30)
        self.public = Client(self.address, retries=0, http=self.http)

    async def person(self, name: str, role: str = "patron", cents: int = 0) -> Client:
        made = await self.house.people.create(SET_UP, name, role)
        assert not isinstance(made, Refusal), made
        client = self.public.with_token(made[1])
        await client.me()
        if cents:
            await client.buy(cents)
        return client

    async def table(self, spec: dict[str, Any] = PIT, **changes: Any) -> str:
        made = await self.house.setup.set_up(SET_UP, msgspec.convert(spec | changes, NewTable))
        assert not isinstance(made, Refusal), made
        return made.id

    async def betting(self, dealer: Client, table: str = "pit") -> None:
        """A table with a shoe, open for bets."""
        await dealer.command(table, "load-shoe")
        await dealer.command(table, "open-bets")

    async def deal(self, dealer: Client, cards: tuple[str, ...] = NATURAL, table: str = "pit") -> None:
        """Close bets, deal and settle."""
        await dealer.command(table, "close-bets")
        for card in cards:
            await dealer.command(table, "deal", card=card)
        await dealer.command(table, "settle")


@asynccontextmanager
async def edge(world: World | None = None, **changes: Any) -> AsyncIterator[Edge]:
    """A house with its edge; on the machine's clock unless another world is given."""
    house = await open_house(replace(SETTINGS, **changes), world)
    try:
        async with listening(house) as port:
            served = Edge(house, port)
            try:
                yield served
            finally:
                await served.http.aclose()
                await house.close()
    finally:
        await house.close()


async def refusal(work: Coroutine[Any, Any, Any]) -> RefusedByServerError:
    """How the server refuses."""
    try:
        answer = await work
    except RefusedByServerError as refused:
        return refused
    raise AssertionError(f"it was not refused: {answer}")
