"""Significant events: what a house must be able to show later without looking for it."""

from __future__ import annotations

from typing import Any

from punto.rules.money import money
from punto.service.tables.followed_table import RecordedEvent
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


_NEVER = frozenset({e.BetPlaced, e.BetRaised, e.BetWithdrawn, e.CardDealt})
"""Most of a log, so they are passed over at once."""


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
        if (told := kinds.get(type(event))) is not None:
            reason = getattr(event, "reason", "")
            text = f"{told}: {reason}" if reason else told
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


def desk_line(seq: int, at: int, kind: str, says: str, by: str) -> dict[str, Any]:
    """A significant event of the house itself."""
    return {"at": at, "table": None, "seq": seq, "kind": kind, "says": says, "rule": None, "by": by}
