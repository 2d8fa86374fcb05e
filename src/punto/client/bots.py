"""Patrons that play by themselves, so that tables can be seen, tried and loaded.

They know no rules: what is offered, and within which limits, they read from sheet and table as any terminal does.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from punto.client.errors import LostError, RefusedByServerError
from punto.client.http import Client
from punto.client.live import LiveTable

T = TypeVar("T")
Tables = list[dict[str, Any]]
Bets = dict[str, list[str]]

JOINING = 16
"""Bots that come in at once."""
CREDIT_ROUNDS = 200
"""How many of the table's minimum a bot buys credits for."""
LEAVING_SECONDS = 10
LOOK_AGAIN_SECONDS = 2
"""After a table without room."""
BETTING = "betting"


@dataclass(slots=True)
class Tally:
    """What all bots together have done."""

    patrons: int = 0
    bets: int = 0
    insured: int = 0
    chosen: int = 0
    bought_cents: int = 0
    cashed_cents: int = 0
    lost_connections: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    seen_rounds: set[tuple[str, int]] = field(default_factory=set)

    def data(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "patrons": self.patrons,
            "bets": self.bets,
            "insured": self.insured,
            "chosen": self.chosen,
            "rounds": len(self.seen_rounds),
            "bought_cents": self.bought_cents,
            "cashed_cents": self.cashed_cents,
            "lost_connections": self.lost_connections,
            "refused": dict(self.refused),
        }


class Bot:
    """One patron at one table, until cancelled."""

    def __init__(
        self,
        client: Client,
        tables: list[dict[str, Any]],
        bets: dict[str, list[str]],
        tally: Tally,
        chance: random.Random,
    ) -> None:
        self._client, self._tables, self._bets_of, self._tally, self._chance = client, tables, bets, tally, chance
        self._forget()

    def _forget(self) -> None:
        """Nothing done yet at this table."""
        self._round = 0
        self._insured: tuple[int, str] | None = None
        self._chosen = 0

    async def play(self) -> None:
        """Find a table with a place, starting at the first, and play there until cancelled; then go and cash out."""
        for summary in itertools.cycle(self._tables):
            await self._visit(summary)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def _visit(self, summary: dict[str, Any]) -> None:
        self._forget()
        minimum = summary["minimum"] or 1
        async with self._client.watch(summary["id"]) as table:
            try:
                if await self._take_place(table):
                    await self._play(table, self._bets_of[summary["game"]], minimum)
            finally:
                self._tally.lost_connections += table.reconnected
                await asyncio.shield(asyncio.create_task(self._go(summary["id"])))

    async def _buy(self, cents: int) -> None:
        await self._client.buy(cents)
        self._tally.bought_cents += cents

    async def _go(self, table: str) -> None:
        with contextlib.suppress(LostError, TimeoutError):
            async with asyncio.timeout(LEAVING_SECONDS):
                await self._count(self._client.command(table, "leave"))
                if ticket := await self._count(self._client.cash_out()):
                    self._tally.cashed_cents += ticket["cents"]

    async def _count(self, work: Awaitable[T]) -> T | None:
        """What was asked for; a refusal is counted and gives None."""
        try:
            return await work
        except RefusedByServerError as refused:
            self._tally.refused[refused.code] += 1
            return None

    async def _play(self, table: LiveTable, bets: list[str], minimum: int) -> None:
        while True:
            await table.until(lambda: self._something_to_do(table))
            view = table.view
            if view["me"]["options"] is not None and self._chosen != view["me"]["options"]["case"]:
                self._chosen = view["me"]["options"]["case"]
                if await self._try(table, "choose", option=self._chance.choice(["continue", "take-back"])):
                    self._tally.chosen += 1
            elif view["phase"] == BETTING and view["round"] != self._round:
                self._round = view["round"]
                self._tally.seen_rounds.add((table.table, self._round))
                await self._bet(table, bets, minimum)
            else:
                self._insured = (view["round"], view["phase"])
                await self._insure(table)

    def _something_to_do(self, table: LiveTable) -> bool:
        view, mine = table.view, table.me
        if mine.get("options") is not None and self._chosen != mine["options"]["case"]:
            return True
        if view["phase"] == BETTING and view["round"] != self._round:
            return True
        return bool(mine.get("insurable")) and self._insured != (view["round"], view["phase"])

    async def _take_place(self, table: LiveTable) -> bool:
        """Sit where nobody sits, or stand where somebody does; False if there is no room."""
        boxes = table.view["boxes"]
        ways = [("sit", box["box"]) for box in boxes if box["seated"] is None]
        self._chance.shuffle(ways)
        ways += [("stand", box["box"]) for box in self._chance.sample(boxes, k=min(1, len(boxes)))]
        for kind, box in ways:
            taken = table.view["boxes"][box - 1]["seated"] is not None
            if taken == (kind == "stand") and await self._try(table, kind, box=box):
                await table.until(lambda: bool(table.me.get("box")))
                return True
        return False

    async def _bet(self, table: LiveTable, bets: list[str], minimum: int) -> None:
        unit = table.view["table"]["limits"]["unit"]
        sides = {side["on"]: side for side in table.view["table"]["limits"]["sides"]}
        for on in self._chance.sample(bets, k=min(len(bets), self._chance.randint(1, 3))):
            least = max(minimum, sides.get(on, {}).get("minimum", 0))
            most = min(10 * least, sides.get(on, {}).get("maximum", 10 * least))
            stake = max(least, self._chance.randint(least, most) // unit * unit)
            if table.me["balance"] < stake:
                await self._buy(CREDIT_ROUNDS * minimum)
            if await self._try(
                table, "place-bet", box=table.me["box"], on=on, stake_cents=stake, round=self._round
            ):
                self._tally.bets += 1

    async def _insure(self, table: LiveTable) -> None:
        unit = table.view["table"]["limits"]["unit"]
        for on, cap in list(table.me["insurable"].items()):
            stake = min(cap["stake_cents_max"], table.me["balance"]) // unit * unit
            if stake > 0 and self._chance.random() < 0.5:
                stake = self._chance.randrange(unit, stake + unit, unit)
                if await self._try(table, "insure", box=table.me["box"], on=on, stake_cents=stake):
                    self._tally.insured += 1

    async def _try(self, table: LiveTable, kind: str, **fields: Any) -> bool:
        """Whether the table let it happen."""
        return await self._count(table.command(kind, **fields)) is not None


async def play(house: Client, patrons: int, tables: Iterable[str], tally: Tally, *, seed: int) -> None:
    """Fill tables with so many patrons, evenly, and play until cancelled.

    They join by the open door or, where `house` has the token of someone who may, are let in. A RefusedByServerError or
    LostError says why that cannot be.
    """
    wanted = set(tables)
    open_tables = [table for table in await house.tables() if not wanted or table["id"] in wanted]
    if missing := wanted - {table["id"] for table in open_tables}:
        raise RefusedByServerError("table-unknown", f"no table has the id {min(missing)!r}")
    if not open_tables:
        raise RefusedByServerError("table-unknown", "the server has no tables")
    bets = {table["game"]: await _bets_of(house, table["game"]) for table in open_tables}
    room = asyncio.Semaphore(JOINING)

    async def one(place: int) -> None:
        first = place % len(open_tables)
        nearest = open_tables[first:] + open_tables[:first]
        chance = random.Random(f"{seed}/{place}")  # noqa: S311 — what a bot bets need not be unguessable
        async with room:
            name = f"Bot {place + 1}"
            client = await (house.join(name) if house.token is None else house.admit(name, "patron"))
        tally.patrons += 1
        await Bot(client, nearest, bets, tally, chance).play()

    async with asyncio.TaskGroup() as group:
        for place in range(patrons):
            group.create_task(one(place))


async def _bets_of(house: Client, game: str) -> list[str]:
    """The ids of a game's original and side bets."""
    return list((await house.get(f"/api/games/{game}"))["bets"])
