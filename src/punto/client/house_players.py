"""The players of a demonstration: they bet at its automatic tables, so that a newcomer sees cards and roads.

They are named as such (`Demo 1`), bet the least there is, and make way: for whoever looks for a seat, and for whoever
stands behind them. They never ask to squeeze, and answer at once where a round is held for their choice.
"""

from __future__ import annotations

import asyncio
import random

from punto.client.bots import Bot, Tally
from punto.client.errors import ConnectionLostError, RefusedByServerError
from punto.client.http import Client
from punto.client.live import LiveTable
from punto.protocol.views import TableSummary
from punto.table.ways import Amount

AT_A_TABLE = 2
FREE_SEATS = 3
"""Seats that are left to patrons."""
SEED = 8


class HousePlayer(Bot):
    """A player of the house at one table, until cancelled."""

    look_again_seconds = 20.0

    async def _take_place(self, table: LiveTable) -> bool:
        free = [way.box for way in table.ways("sit")]
        if len(free) <= FREE_SEATS:
            return False
        # The first seats are those that a terminal takes for its patron.
        return await self._try(table, "sit", box=self._random.choice(free[FREE_SEATS:]))

    async def _play(self, table: LiveTable) -> None:
        def due() -> str | None:
            return next((kind for kind in ("choose", "place-bet") if self._is_due(table, kind)), None)

        while True:
            await table.until(lambda: self._is_in_the_way(table) or due() is not None)
            if self._is_in_the_way(table) or (kind := due()) is None:
                return
            self._done[kind] = self._occasion(table, kind)
            await (self._choose if kind == "choose" else self._bet)(table)

    @staticmethod
    def _is_in_the_way(table: LiveTable) -> bool:
        boxes = table.view.boxes
        stands_behind = any(each.standing for each in boxes if each.box == table.me.box)
        return stands_behind or sum(each.seated is None for each in boxes) < FREE_SEATS

    def _amount(self, accepted: Amount, most_cents: int) -> int:  # noqa: ARG002
        return accepted.minimum_cents


async def play_for_house(door: Client) -> None:
    """Let players of the house come in and play until cancelled, at tables that play by themselves."""
    found = await door.tables()
    tables = [each for each in found if each.mode == "automatic" and not (each.face_down or each.private)]

    async def one(place: int, table: TableSummary) -> None:
        random_ = random.Random(f"{SEED}/{place}")  # noqa: S311 — what is bet need not be unguessable
        try:
            async with await door.join(f"Demo {place}") as client:
                await HousePlayer(client, [table], Tally(), random_).play()
        except (RefusedByServerError, ConnectionLostError):
            return  # without an open door, or while the server stops

    async with asyncio.TaskGroup() as group:
        for place, table in enumerate(tables * AT_A_TABLE, start=1):
            group.create_task(one(place, table))
