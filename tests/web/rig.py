"""The real edge on a free loopback port, over a real house: what the tests of HTTP and WebSocket share."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect

from punto.client import Client, RefusedByServerError
from punto.protocol.views import NewTable, Reply
from punto.rules.refusals import Refusal
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import EdgeLimits, HouseSettings
from punto.service.world import World
from punto.table.automatic import Timing
from punto.web import http, sockets
from punto.web.server import listening
from tests.patience import PATIENCE_SECONDS

http.REQUEST_SECONDS = sockets.HELLO_SECONDS = PATIENCE_SECONDS  # of every edge in this process
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
}
AUTOMATIC = PIT | {"table": "auto", "mode": "automatic"}
# Player 5 and 4, Banker 7: a natural 9, nobody draws.
NATURAL = ("5h", "Ks", "4d", "7c")
TLS = ssl.create_default_context()
"""One for all clients: it takes longer to make than a client, and nothing here is encrypted."""


def http_to(origin: str, **options: Any) -> httpx.AsyncClient:
    """A client of HTTP with time for its answers."""
    return httpx.AsyncClient(base_url=origin, trust_env=False, timeout=PATIENCE_SECONDS, **options)


def socket_to(url: str, **options: Any) -> connect:
    """A WebSocket that has time to open and asks for no sign of life: only the house ends it."""
    return connect(url, compression=None, proxy=None, open_timeout=PATIENCE_SECONDS, ping_interval=None, **options)


class Edge:
    """A house that answers at `address`, and short ways to do what every test does."""

    def __init__(self, house: House, port: int) -> None:
        self.house, self.port = house, port
        self.address = f"http://127.0.0.1:{port}"
        self.http = http_to(self.address, verify=TLS)
        self.public = Client(self.address, retries=0, http=self.http)
        self._second: Client | None = None

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

    async def confirmed(self, who: Client, kind: str, table: str = "pit", **fields: Any) -> Reply:
        """What waits for a second person, and the reply to the one who approves it."""
        await who.command(table, kind, **fields)
        return await self.approve(table)

    async def approve(self, table: str = "pit") -> Reply:
        """A second person approves what was proposed."""
        if self._second is None:
            self._second = await self.person("Second", "pit-supervisor")
        return await self._second.command(table, "decide", decision="approve")

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
        async with _listening(house) as port:
            served = Edge(house, port)
            try:
                yield served
            finally:
                await served.http.aclose()
                await house.close()
    finally:
        await house.close()


@asynccontextmanager
async def _listening(house: House) -> AsyncIterator[int]:
    """Serve a house as `punto serve` does, but let the process look for garbage as it always does.

    A server looks through all it has when it starts. That is little there, and much in a process that runs tests.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("punto.web.server._rare_garbage_collection", nullcontext)
        async with listening(house) as port:
            yield port


async def refusal(work: Coroutine[Any, Any, Any]) -> RefusedByServerError:
    """How the server refuses."""
    try:
        answer = await work
    except RefusedByServerError as refused:
        return refused
    raise AssertionError(f"it was not refused: {answer}")
