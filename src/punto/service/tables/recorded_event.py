"""An event of a table as it stands in the log."""

from __future__ import annotations

from typing import NamedTuple

from punto.ledger.bet_ledger import BetLedger
from punto.table import events as e
from punto.table.state import State


class RecordedEvent(NamedTuple):
    """An event with its place in the log and its time of day."""

    seq: int
    at: int
    event: e.Event
    after: tuple[State, BetLedger] | None = None
    """What the event leads to, where it was decided here."""
