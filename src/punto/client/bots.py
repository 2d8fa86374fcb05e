"""Patrons that play by themselves, so that tables can be seen, tried and loaded.

They know no rules: what they may do, and within which limits, they read from the table's choices as any terminal does.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from punto.client.errors import ConnectionLostError, RefusedByServerError
from punto.client.http import Client
from punto.client.live import LiveTable, new_key
from punto.protocol.refusals import TableUnknown
from punto.protocol.views import TableSummary
from punto.table import acts
from punto.table.ways import Amount

T = TypeVar("T")

JOINS_AT_ONCE = 16
"""Bots that come in at once."""
CREDIT_ROUNDS = 200
"""The credits that a bot buys, in smallest possible bets."""
LARGEST_BET = 10
"""The largest bet of a bot, in smallest possible bets."""
LEAVING_SECONDS = 10
LOOK_AGAIN_SECONDS = 2.0
"""After a table without room."""


@dataclass(slots=True)
class Tally:
    """The work of all bots together."""

    patrons: int = 0
    bets: int = 0
    insured: int = 0
    chosen: int = 0
    bought_cents: int = 0
    cashed_cents: int = 0
    lost_connections: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seen_rounds: set[tuple[str, int]] = field(default_factory=set)

    @property
    def rounds(self) -> int:
        """The number of rounds that they saw, at all tables."""
        return len(self.seen_rounds)


class Bot:
    """One patron at one table, until cancelled."""

    def __init__(
        self,
        client: Client,
        tables: list[TableSummary],
        tally: Tally,
        random_: random.Random,
        desk: Client | None = None,
    ) -> None:
        """`desk` has the token of someone who sells credits, where patrons do not help themselves to them."""
        self._client, self._desk = client, desk
        self._tables, self._tally, self._random = tables, tally, random_
        self._done: dict[str, object] = {}
        """For each command, when it was last given at this table."""

    async def play(self) -> None:
        """Find a table with a place, starting at the first, and play there until cancelled; then go and cash out."""
        for summary in itertools.cycle(self._tables):
            await self._visit(summary.id)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def _visit(self, name: str) -> None:
        self._done.clear()
        async with self._client.watch(name) as table:
            try:
                if await self._take_place(table):
                    await self._play(table)
            finally:
                self._tally.lost_connections += table.reconnected
                await asyncio.shield(asyncio.create_task(self._leave(name)))

    async def _leave(self, table: str) -> None:
        with contextlib.suppress(ConnectionLostError, TimeoutError):
            async with asyncio.timeout(LEAVING_SECONDS):
                await self._count_refusal(self._client.command(table, "leave"))
                if ticket := await self._count_refusal(self._client.cash_out()):
                    self._tally.cashed_cents += ticket.amount_cents

    async def _count_refusal(self, work: Awaitable[T]) -> T | None:
        """The answer to a request; a refusal is counted and gives None."""
        try:
            return await work
        except RefusedByServerError as refused:
            self._tally.refused[refused.code] += 1
            return None

    async def _try(self, table: LiveTable, kind: str, **fields: object) -> bool:
        """True if the table allowed it."""
        return await self._count_refusal(table.command(kind, **fields)) is not None

    # --------------------------------------------------------------------------------------- at a table

    async def _take_place(self, table: LiveTable) -> bool:
        """Sit where nobody sits, or stand where somebody does; False if there is no room.

        A bot that comes back after a lost connection may still have its place.
        """
        if table.me.box is not None:
            return True
        for act in (acts.Sit, acts.Stand):
            ways = table.ways(act)
            self._random.shuffle(ways)
            for way in ways:
                if way in table.ways(act) and await self._try(table, act.kind, box=way.box):
                    await table.until(lambda: table.me.box is not None)
                    return True
        return False

    async def _play(self, table: LiveTable) -> None:
        given = {"choose": self._choose, "place-bet": self._bet, "insure": self._insure}
        while True:
            await table.until(lambda: any(self._is_due(table, kind) for kind in given))
            kind = next(kind for kind in given if self._is_due(table, kind))
            self._done[kind] = self._occasion(table, kind)
            await given[kind](table)

    def _is_due(self, table: LiveTable, kind: str) -> bool:
        """True if this command may be given, and was not given yet in this case, round or window."""
        return self._done.get(kind) != self._occasion(table, kind) and bool(table.ways(acts.COMMANDS[kind]))

    def _occasion(self, table: LiveTable, kind: str) -> object:
        view = table.view
        match kind:
            case "choose":
                return view.case.case if view.case else None
            case "insure":
                return view.round, view.phase
        return view.round

    async def _choose(self, table: LiveTable) -> None:
        way = self._random.choice(table.ways(acts.Choose))
        if await self._try(table, "choose", option=way.option):
            self._tally.chosen += 1

    async def _bet(self, table: LiveTable) -> None:
        round_, ways = table.view.round, table.ways(acts.PlaceBet)
        self._tally.seen_rounds.add((table.table, round_))
        for way in self._random.sample(ways, k=min(len(ways), self._random.randint(1, 3))):
            stake = self._amount(way.amount, LARGEST_BET * way.amount.minimum_cents)
            if (table.me.balance_cents or 0) < stake:
                credits_cents = CREDIT_ROUNDS * way.amount.minimum_cents
                await self._buy(credits_cents)
                self._tally.bought_cents += credits_cents
            if await self._try(table, "place-bet", box=way.box, on=way.on, stake_cents=stake, round=round_):
                self._tally.bets += 1

    async def _buy(self, cents: int) -> None:
        try:
            await self._client.buy(cents)
        except RefusedByServerError:
            if self._desk is None or self._client.person is None:
                raise
            path = f"/api/people/{self._client.person.id}/credits"
            await self._desk.post(path, {"amount_cents": cents}, key=new_key())

    async def _insure(self, table: LiveTable) -> None:
        round_ = table.view.round
        for way in table.ways(acts.Insure):
            if self._random.random() < 0.5:
                continue
            stake = self._amount(way.amount, table.me.balance_cents or 0)
            if stake and await self._try(table, "insure", box=way.box, on=way.on, stake_cents=stake, round=round_):
                self._tally.insured += 1

    def _amount(self, accepted: Amount, most_cents: int) -> int:
        """Some amount that is accepted and not above the most; 0 if there is none."""
        least, step = accepted.minimum_cents, accepted.step_cents
        steps = (min(accepted.maximum_cents, most_cents) - least) // step
        return least + step * self._random.randint(0, steps) if steps >= 0 else 0


async def play(house: Client, patrons: int, tables: Iterable[str], tally: Tally, *, seed: int) -> None:
    """Fill tables with so many patrons, evenly, and play until cancelled.

    They join by the open door or, where `house` has the token of someone who may, are let in and sold credits. A
    RefusedByServerError or ConnectionLostError says why one of them cannot play; then all leave.
    """
    wanted = set(tables)
    open_tables = [table for table in await house.tables() if not wanted or table.id in wanted]
    if missing := wanted - {table.id for table in open_tables}:
        raise RefusedByServerError(TableUnknown(min(missing)))
    if not open_tables:
        raise ConnectionLostError("the server has no tables")
    room = asyncio.Semaphore(JOINS_AT_ONCE)

    async def one(place: int) -> None:
        first = place % len(open_tables)
        nearest = open_tables[first:] + open_tables[:first]
        random_ = random.Random(f"{seed}/{place}")  # noqa: S311 — what a bot bets need not be unguessable
        async with room:
            name = f"Bot {place + 1}"
            client = await (house.join(name) if house.token is None else house.admit(name, "patron"))
        tally.patrons += 1
        await Bot(client, nearest, tally, random_, None if house.token is None else house).play()

    try:
        async with asyncio.TaskGroup() as group:
            for place in range(patrons):
                group.create_task(one(place))
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
