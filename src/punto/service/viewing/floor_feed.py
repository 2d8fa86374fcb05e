"""The floor as it is pushed to the pit desk: figures, open cases and significant events, each part when it changed.

Many commits may come in a moment. They are shown together, at most once in `PACE_MS`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET

from punto.protocol import views as v
from punto.service.analyst import Analyst
from punto.service.audit.observer import Observer
from punto.service.audit.significant import SignificantEvents
from punto.service.part import Part
from punto.service.people.person import Names
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.floor import cards_gone, course, favourable_bets, floor
from punto.service.viewing.subscriptions import Message, Subscription
from punto.service.viewing.table_views import incidents
from punto.table.state import State

PACE_MS = 250
SIGNIFICANT = 60
"""Significant events that the pit desk shows."""
_PEOPLE = ("patron", "person")
"""The parameters of significant events that name someone."""

Parts = tuple[v.Floor, tuple[v.Incident, ...], tuple[v.SignificantEvent, ...], dict[str, str]]


@dataclass(eq=False, repr=False)
class FloorFeed(Part, Observer):
    """Those who watch the floor, and what each has been shown."""

    _tables: Callable[[], Sequence[FollowedTable]]
    _names: Names
    _significant: SignificantEvents
    _shown: dict[Subscription, Parts | None] = field(default_factory=dict)
    _favourable: dict[str, tuple[tuple[int, int], tuple[str, ...]]] = field(default_factory=dict)
    """The bets that favour patrons at each table, with the shoe and the cards gone they were worked out for."""
    _analysing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held so that figures of a moment ago, worked out at the same time, do not replace newer ones."""
    _changed: bool = False
    _pushing: asyncio.Task[None] | None = None

    async def now(self) -> v.Floor:
        """The floor at this moment."""
        tables, day = list(self._tables()), self._settings.gaming_day.number(self._clock.now_ms())
        if self._world.analyst is None:
            return floor(tables, self._balances, day, self._names)
        async with self._analysing:
            for table in tables:
                await self._analyse(self._world.analyst, table)
        favourable = {table: bets for table, (_, bets) in self._favourable.items()}
        return floor(tables, self._balances, day, self._names, self._world.analyst, favourable)

    async def course(self) -> list[v.FloorHour]:
        """How the win of the present gaming day came about; nothing where no edges are worked out."""
        if self._world.analyst is None:
            return []
        await self.now()  # a thread works the edges out
        return course(self._tables(), self._settings.gaming_day.number(self._clock.now_ms()), self._world.analyst)

    async def _analyse(self, analyst: Analyst, table: FollowedTable) -> None:
        """Let a thread work out what takes a while: the edges of a game, and what the cards left favour."""
        state, known = table.state, self._favourable.get(table.id)
        gone, first_bet = cards_gone(table), next(iter(table.sheet.bets))
        at = state.shoes, len(gone)
        in_deal = state.round is not None and state.round.dealt
        if state.settings is None or in_deal or (known is not None and known[0] == at):
            return
        decks = state.settings.decks
        await asyncio.to_thread(analyst.bet_edge, table.sheet, decks, first_bet)
        self._favourable[table.id] = at, await asyncio.to_thread(favourable_bets, analyst, table.sheet, decks, gone)

    # --------------------------------------------------------------------------------------- readers

    def subscribe(self) -> Subscription:
        """A new reader: with the whole floor, then with each part that changes."""
        reader = Subscription(self._settings.edge.queued_messages, self._gone)
        self._shown[reader] = None
        self.changed()
        return reader

    def _gone(self, reader: Subscription) -> None:
        self._shown.pop(reader, None)

    def observe(self, table: FollowedTable, recorded: RecordedEvent, before: State) -> None:
        """Show the floor again."""
        del table, recorded, before
        self.changed()

    def house_moved(self, balances: Mapping[str, int]) -> None:
        """Show the floor again: patrons may owe less."""
        del balances
        self.changed()

    def changed(self) -> None:
        """Something that the floor shows may have changed."""
        self._changed = True
        if self._shown and self._pushing is None and not self._supervisor.closing:
            self._pushing = self._supervisor.spawn(self._push())

    async def _push(self) -> None:
        try:
            while self._changed and self._shown:
                self._changed = False
                await self._show()
                await self._clock.sleep_until(self._clock.steady_ms() + PACE_MS)
        finally:
            self._pushing = None

    async def _show(self) -> None:
        """Show every reader the parts that they have not seen as they are now."""
        open_cases = tuple(incidents(self._tables(), self._names))
        significant = tuple(await self._significant.newest(SIGNIFICANT))
        parts = await self.now(), open_cases, significant, self._people(open_cases, significant)
        for reader, before in list(self._shown.items()):
            if before != parts:
                self._shown[reader] = parts
                reader.put([Message(_message(self._clock.now_ms(), before, parts))])

    def _people(self, incidents: Sequence[v.Incident], events: Sequence[v.SignificantEvent]) -> dict[str, str]:
        """The names of those who are named in incidents and events by id."""
        actors = [*[each.reported_by for each in incidents], *[each.by for each in events]]
        actors += [each.by for each in incidents if each.by is not UNSET]
        ids = {actor.partition(":")[2].partition("@")[0] or actor for actor in actors}
        ids |= {str(each.parameters[name]) for each in events for name in _PEOPLE if name in each.parameters}
        return {person: self._names(person) for person in sorted(ids)}

    def close(self) -> None:
        """End every subscription."""
        for reader in list(self._shown):
            reader.close()


def _message(now_ms: int, before: Parts | None, now: Parts) -> v.FloorMessage:
    """The parts that a reader has not seen as they are."""
    seen = before or (UNSET,) * len(now)
    changed: list[Any] = [UNSET if part == old else part for part, old in zip(now, seen, strict=True)]
    return v.FloorMessage(now_ms, *changed)
