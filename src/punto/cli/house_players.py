"""The players of a demonstration: they bet at its automatic tables, so that a newcomer sees cards and roads.

They are named as such (`Demo 1`), bet the least there is, and make way: for whoever looks for a seat, and for whoever
stands behind them. They never ask to squeeze, and answer at once where a round is held for their choice.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from uuid import uuid4

from punto.ledger.accounts import patron_account
from punto.protocol.codec import read_command_by
from punto.rules.refusals import Refusal
from punto.service.house import House
from punto.service.people.person import Person
from punto.store.errors import StoreError
from punto.table import acts
from punto.table.engine import choices
from punto.table.state import State
from punto.table.ways import BetWay, Chosen, W, Way, choice_of

AT_A_TABLE = 2
FREE_SEATS = 3
"""Seats that are left to patrons."""
LOOK_AGAIN_SECONDS = 20.0
"""After a table without room."""
CREDIT_ROUNDS = 200
"""The credits that a player takes, in smallest possible bets."""
SEED = 8


async def play_for_house(house: House) -> None:
    """Let players of the house come in and play until cancelled, at tables that play by themselves."""
    tables = [each.id for each in house.tables() if each.mode == "automatic" and not (each.face_down or each.private)]
    async with asyncio.TaskGroup() as group:
        for place, table in enumerate(tables * AT_A_TABLE, start=1):
            admitted = await house.people.join(f"Demo {place}")
            if not isinstance(admitted, Refusal):
                random_ = random.Random(f"{SEED}/{place}")  # noqa: S311 — what is bet need not be unguessable
                group.create_task(HousePlayer(house, table, admitted[0], random_).play())


class HousePlayer:
    """A player of the house at one table."""

    def __init__(self, house: House, table: str, person: Person, random_: random.Random) -> None:
        self._house, self._table, self._person, self._random = house, table, person, random_
        self._done: dict[str, int] = {}
        """For each command, the round or case in which it was last given."""

    async def play(self) -> None:
        """Play whenever there is room, until cancelled."""
        while True:
            # The first seats are those that a terminal takes for its patron.
            seats = self._ways(acts.Sit)[FREE_SEATS:]
            if seats and await self._give("sit", box=self._random.choice(seats).box):
                try:
                    await self._stay()
                finally:
                    await self._give("leave")
            await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def _stay(self) -> None:
        """Play until somebody needs the seat, or the house closes."""
        reader = self._house.subscribe(self._table, self._person)
        try:
            async for _ in reader:
                reader.take()
                if self._is_in_the_way():
                    return
                state = self._state
                if self._is_due(acts.Choose, state.case.number if state.case else 0):
                    await self._give("choose", option=self._random.choice(self._ways(acts.Choose)).option)
                if self._is_due(acts.PlaceBet, state.rounds):
                    await self._bet(self._ways(acts.PlaceBet))
        finally:
            reader.close()

    @property
    def _state(self) -> State:
        return self._house.followed(self._table).state

    def _ways(self, act: Chosen[W]) -> list[W]:
        """The ways in which a command is accepted now."""
        return [way for way in choice_of(choices(self._state, self._person.actor), act).ways if way.refusal is None]

    def _is_due(self, act: Chosen[Way], occasion: int) -> bool:
        """True if a command can be given that was not given yet in this round or case."""
        if self._done.get(act.kind) == occasion or not self._ways(act):
            return False
        self._done[act.kind] = occasion
        return True

    def _is_in_the_way(self) -> bool:
        state, boxes = self._state, self._state.settings.boxes if self._state.settings else 0
        box = state.sits_at(self._person.id)
        return boxes - len(state.seats) < FREE_SEATS or any(behind == box for behind, _ in state.standing)

    async def _bet(self, ways: list[BetWay]) -> None:
        for way in self._random.sample(ways, k=min(len(ways), self._random.randint(1, 3))):
            cents = way.amount.minimum_cents
            if self._house.balances.get(patron_account(self._person.id), 0) < cents:
                with suppress(StoreError):
                    await self._house.cashier.buy(self._person, CREDIT_ROUNDS * cents, uuid4().hex)
            await self._give("place-bet", box=way.box, on=way.on, stake_cents=cents, round=self._state.rounds)

    async def _give(self, kind: str, **fields: object) -> bool:
        """Give a command. False for one that is refused: the table has moved on."""
        command = read_command_by({"kind": kind, **fields}, self._person.actor)
        return (await self._house.command(self._person, self._table, command, uuid4().hex)).refused is None
