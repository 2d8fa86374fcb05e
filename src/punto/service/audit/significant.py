"""Significant events: what a house must be able to show later without looking for it."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from punto.protocol.views import SignificantEvent
from punto.rules.settlement import Line
from punto.service.audit.house_log import OPEN_DOOR, SIGNIFICANT, HouseLog
from punto.service.audit.observer import Observer
from punto.service.people.person import Names
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.incident_views import show_effect
from punto.store.records import Record
from punto.table import acts
from punto.table.effects import effect_of_event
from punto.table.state import State

MOST_AT_HAND = 10_000
"""Significant events that are held in memory: the newest."""


class SignificantEvents(Observer):
    """The significant events of all tables and of the house itself, the newest of them at hand."""

    def __init__(self, log: HouseLog, large_win_cents: int, names: Names) -> None:
        self._log, self._large_win_cents, self._names = log, large_win_cents, names
        self._lines: list[SignificantEvent] = []

    def observe(self, table: FollowedTable, recorded: RecordedEvent, before: State) -> None:
        """Hold the significant events that an event of a table is."""
        if lines := significant(table.id, recorded, self._large_win_cents):
            effect = show_effect(effect_of_event(before, recorded.event), self._names)
            self.add([replace(line, effect=effect) for line in lines])

    def observe_record(self, record: Record) -> None:
        """Hold the significant event that a record of the house is."""
        if record.kind not in SIGNIFICANT:
            return
        told: dict[str, str | int] = msgspec.json.decode(record.payload)
        # Whoever comes in by the open door is no news: anyone could fill the list with such lines.
        if (by := str(told.pop("by", "house"))) != OPEN_DOOR:
            heading = SIGNIFICANT[record.kind]
            self.add([SignificantEvent(record.time_ms, None, record.seq, heading, record.kind, told, None, by)])

    def add(self, lines: list[SignificantEvent]) -> None:
        """Hold lines at hand, in whichever order they come."""
        self._lines += lines
        if len(self._lines) > 2 * MOST_AT_HAND:
            self._lines = self._newest()

    def save(self) -> list[SignificantEvent]:
        """All that is at hand, for a checkpoint."""
        return list(self._lines)

    def restore(self, lines: list[SignificantEvent]) -> None:
        """Begin with what a checkpoint has."""
        self._lines = lines

    async def newest(
        self, limit: int = 100, before: int | None = None, *, table: str | None = None, heading: str | None = None
    ) -> list[SignificantEvent]:
        """Significant events (before a time, of a table, under a heading), newest first.

        A page may be longer than asked for: it has all of its last moment, so that the next begins before that.
        """
        await self._log.refresh()
        found = [
            line
            for line in self._newest()
            if (before is None or line.at_ms < before)
            and table in {None, line.table}
            and heading in {None, line.heading}
        ]
        end = limit
        while 0 < end < len(found) and found[end].at_ms == found[end - 1].at_ms:
            end += 1
        return found[:end]

    def _newest(self) -> list[SignificantEvent]:
        return sorted(self._lines, key=lambda line: -line.at_ms)[:MOST_AT_HAND]


def significant(table: str, recorded: RecordedEvent, large_win_cents: int) -> list[SignificantEvent]:
    """The significant events that an event of a table is."""
    event = recorded.event
    if event.significant is not None:
        rule = getattr(event, "rule", None)
        return [_line(table, recorded, event.significant, event.kind, rule, **_parameters(event))]
    if not isinstance(event, acts.RoundSettled):
        return []
    return [
        _line(table, recorded, "large-win", "large-win", line.rule, round=event.round, **_win(line))
        for line in event.lines
        if line.net_cents >= large_win_cents
    ]


_TOLD = (
    *("round", "from_round", "shoe", "case", "situation", "note", "decision", "reason", "change", "got", "expected"),
    *("decks", "minimum_cents", "differential_cents", "patron", "amount_cents", "person", "position", "offered"),
)
"""The fields that are told, where an event, its settings or its facts have them."""


def _parameters(event: acts.Event) -> dict[str, str | int]:
    sources = [each for each in (event, getattr(event, "settings", None), getattr(event, "facts", None)) if each]
    values = {name: getattr(each, name) for each in reversed(sources) for name in _TOLD if hasattr(each, name)}
    return {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in values.items()
        if value not in (None, "")
    }


def _win(line: Line) -> dict[str, str | int]:
    return {"patron": line.bet.patron, "net_cents": line.net_cents}


def _line(
    table: str, recorded: RecordedEvent, heading: str, code: str, rule: str | None, **parameters: str | int
) -> SignificantEvent:
    by = recorded.event.by.text
    return SignificantEvent(recorded.at, table, recorded.seq, heading, code, parameters, rule, by)
