"""Patrons for bench_scale, in a process of their own: bots that move to another server when theirs is gone.

Reads what to do from standard input as one line of JSON. Each line after it asks for the figures since the last, which
come as one line of JSON; the end of standard input lets the bots leave.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvloop

from punto.client import Client, ConnectionLostError, RefusedByServerError
from punto.client.bots import Bot, Tally
from punto.client.live import LiveTable, new_key
from punto.protocol.views import TableSummary

TRIES = 2
"""How often a bot tries its server again before it goes to the next, as a load balancer would."""
RETRIES = 8
"""How often a command is sent again while its table changes hands."""
JOINS_AT_ONCE = 8
CREDIT_CENTS = 10_000_000
PAUSE_SECONDS = 0.2


@dataclass(slots=True)
class Seen:
    """What the bots of this process saw."""

    seconds: list[float] = field(default_factory=list)
    """How long each bet took, from its first sending to its answer."""
    stored: list[str] = field(default_factory=list)
    """The whole keys of all bets that were acknowledged."""
    moved: int = 0
    """How often a bot had to go to another server."""


class Terminal(LiveTable):
    """Notes the time and the key of each bet."""

    def __init__(self, client: Patron, table: str, seen: Seen) -> None:
        super().__init__(client.address, table, client.token, tries=TRIES, retries=RETRIES)
        self._person, self._seen = client.person.id if client.person else "", seen

    async def command(self, kind: str, key: str | None = None, /, **fields: object) -> int:
        """See `LiveTable`."""
        key, started = key or new_key(), time.monotonic()
        seq = await super().command(kind, key, **fields)
        if kind == "place-bet":
            self._seen.seconds.append(time.monotonic() - started)
            self._seen.stored.append(f"{self._person}:{key}")
        return seq


class Patron(Client):
    """A client whose terminals are counted. All that go to one server share its connections."""

    def __init__(self, http: httpx.AsyncClient, admitted: Client, seen: Seen) -> None:
        super().__init__(str(http.base_url), admitted.token, retries=0, http=http)
        self.person, self._seen = admitted.person, seen

    def watch(self, table: str, *, tries: int = TRIES) -> LiveTable:
        """See `Client`."""
        del tries
        return Terminal(self, table, self._seen)


async def play(ask: dict[str, Any], tally: Tally, seen: Seen) -> None:
    """Join, take a place and play, each bot at its own table, until cancelled."""
    joins = asyncio.Semaphore(JOINS_AT_ONCE)
    servers = [httpx.AsyncClient(base_url=address, timeout=30, trust_env=False) for address in ask["addresses"]]
    async with Client(ask["addresses"][0], retries=30) as house:
        tables = sorted(await house.tables(), key=lambda table: table.id)

        async def one(place: int) -> None:
            async with joins:
                admitted = await _join(house, f"{ask['name']} {place}")
            tally.patrons += 1
            first = place % len(tables)
            await _stay(servers, place // len(tables), admitted, tables[first:] + tables[:first], tally, seen)

        async with asyncio.TaskGroup() as group:
            for place in range(ask["first"], ask["bots"], ask["step"]):
                group.create_task(one(place))


async def _join(house: Client, name: str) -> Client:
    """Come in and buy credits for the whole run, however long the house is too busy for it."""
    while True:
        try:
            patron = await house.join(name)
            await patron.buy(CREDIT_CENTS)
        except (RefusedByServerError, ConnectionLostError):
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            return patron


async def _stay(
    servers: list[httpx.AsyncClient],
    first: int,
    admitted: Client,
    tables: list[TableSummary],
    tally: Tally,
    seen: Seen,
) -> None:
    """Play at one server after the other; the next when one is gone."""
    for turn in itertools.count(first):
        random_ = random.Random(f"{turn}/{admitted.token}")
        client = Patron(servers[turn % len(servers)], admitted, seen)
        try:
            await Bot(client, tables, tally, random_).play()
        except RefusedByServerError as refused:
            tally.refused[refused.code] += 1
        except ConnectionLostError:
            seen.moved += 1
        await asyncio.sleep(PAUSE_SECONDS)


async def main() -> None:
    """Do what standard input asks for."""
    loop = asyncio.get_running_loop()
    ask = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    tally, seen = Tally(), Seen()
    playing = asyncio.create_task(play(ask, tally, seen))
    while await loop.run_in_executor(None, sys.stdin.readline):
        if playing.done():
            playing.result()
        _tell({"seconds": seen.seconds, "patrons": tally.patrons, "refused": dict(tally.refused), "moved": seen.moved})
        seen.seconds, seen.moved = [], 0
        tally.refused.clear()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    _tell({"stored": seen.stored})


def _tell(figures: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(main())
