"""Significant events: what a house must be able to show later without looking for it."""

from __future__ import annotations

from typing import Any

from punto.rules.money import money
from punto.service.audit.house_log import HouseLog
from punto.service.tables.recorded_event import RecordedEvent
from punto.table import events as e

OVERRIDES = {
    e.RoundAdjusted: "a settled round was corrected",
    e.CardsRelaid: "cards were put in another order",
    e.LimitsLifted: "bets over the limits were settled as they lay",
    e.ShoeRemoved: "a shoe was taken out of play",
}
PARAMETERS = {
    e.TableOpened: "the table was opened with its limits and settings",
    e.TableClosed: "the table was closed",
}

MOST_AT_HAND = 10_000
"""Significant events that are held in memory: the newest."""
_NEVER = frozenset({e.BetPlaced, e.BetRaised, e.BetWithdrawn, e.CardDealt})
"""Most of a log, so they are passed over at once."""


class SignificantEvents:
    """The significant events of all tables and of the house itself, the newest of them at hand."""

    def __init__(self, log: HouseLog, large_win_cents: int) -> None:
        self._log, self._large_win_cents = log, large_win_cents
        self._lines: list[dict[str, Any]] = []

    def observe(self, table: str, recorded: RecordedEvent) -> None:
        """Look at the next event of a table."""
        if lines := significant(table, recorded, self._large_win_cents):
            self.add(lines)

    def add(self, lines: list[dict[str, Any]]) -> None:
        """Hold lines at hand, in whichever order they come."""
        self._lines += lines
        if len(self._lines) > 2 * MOST_AT_HAND:
            self._lines = self._newest()

    async def refresh(self) -> None:
        """Take in what the house's own log has since this was last asked."""
        self.add(await self._log.news())

    async def newest(self, limit: int, before: int | None) -> list[dict[str, Any]]:
        """Significant events (before a time), newest first.

        A page may be longer than asked for: it has all of its last moment, so that the next begins before that.
        """
        await self.refresh()
        found = [line for line in self._newest() if before is None or line["at"] < before]
        end = limit
        while 0 < end < len(found) and found[end]["at"] == found[end - 1]["at"]:
            end += 1
        return found[:end]

    def _newest(self) -> list[dict[str, Any]]:
        return sorted(self._lines, key=lambda line: -line["at"])[:MOST_AT_HAND]


def significant(table: str, recorded: RecordedEvent, large_win_cents: int) -> list[dict[str, Any]]:
    """The significant events that an event of a table is."""
    event = recorded.event
    if type(event) in _NEVER:
        return []
    match event:
        case e.RoundVoided():
            return [_line(table, recorded, "void", f"round {event.round} was void: {event.reason}", event.rule)]
        case e.RoundSettled():
            return [
                _line(table, recorded, "large-win", f"{line.bet.patron} won {money(line.net_cents)}", line.rule)
                for line in event.lines
                if line.net_cents >= large_win_cents
            ]
        case e.CorrectionAsked():
            says = f"the shoe sent reading {event.got} where {event.expected} was due: the table is held"
            return [_line(table, recorded, "feed-gap", says, None)]
        case e.IncidentReported():
            return [_line(table, recorded, "incident", f"case {event.case}: {event.says}", None)]
        case e.DecisionMade():
            says = f"case {event.case} was decided: {event.decision}" + (f", {event.reason}" if event.reason else "")
            return [_line(table, recorded, "decision", says, None)]
    for kinds, name in ((OVERRIDES, "override"), (PARAMETERS, "parameters")):
        if (change := kinds.get(type(event))) is not None:
            reason = getattr(event, "reason", "")
            text = f"{change}: {reason}" if reason else change
            return [_line(table, recorded, name, text, getattr(event, "rule", None))]
    return []


def _line(table: str, recorded: RecordedEvent, kind: str, says: str, rule: str | None) -> dict[str, Any]:
    event = recorded.event
    return {
        "at": recorded.at,
        "table": table,
        "seq": recorded.seq,
        "kind": kind,
        "says": says,
        "rule": rule,
        "by": event.by.text,
    }
