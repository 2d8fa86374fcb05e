"""A table followed through its log: its state, history, bets in play and roads, folded record by record.

The owner of a table and every other process keep one of these; all that differs is where the next record comes from.
"""

from __future__ import annotations

from typing import NamedTuple

from punto.ledger.bet_ledger import BetLedger
from punto.roads.roads import Roads
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from punto.table import events as e
from punto.table.evolve import evolve
from punto.table.history import NOT_LOOKED_BACK_ON, TableHistory
from punto.table.state import State


class RecordedEvent(NamedTuple):
    """An event with its place in the log and its time of day."""

    seq: int
    at: int
    event: e.Event
    after: tuple[State, BetLedger] | None = None
    """What the event leads to, where it was decided here."""


class FollowedTable(TableHistory):
    """What the log of one table has come to, up to and with record `seq`."""

    def __init__(self, table: str, sheet: Sheet) -> None:
        super().__init__(sheet)
        self.id = table
        self.seq = 0
        self.bet_ledger = BetLedger(table)
        self.roads = Roads()

    def apply(self, recorded: RecordedEvent) -> None:
        """Take the next record; a gap is the caller's mistake."""
        if recorded.seq != self.seq + 1:
            raise AssertionError(f"record {recorded.seq} of {self.id} cannot follow {self.seq}")
        event = recorded.event
        if type(event) not in NOT_LOOKED_BACK_ON:
            self.look_back(recorded.seq, event)
            self._draw_roads(event)
        if recorded.after is not None:
            self.state, self.bet_ledger = recorded.after
        else:
            _, self.bet_ledger = self.bet_ledger.moves(recorded.seq, event)
            self.state = evolve(self.state, event)
        self.seq = recorded.seq

    def _draw_roads(self, event: e.Event) -> None:
        if isinstance(event, e.ShoeLoaded):
            self.roads = Roads()
        elif isinstance(event, e.RoundSettled) and self.results and self.results[-1][0] == event.round:
            self.roads = self.roads.append(self.results[-1][1].outcome)
        elif isinstance(event, e.RoundAdjusted) and (event.cards or event.void) and self.state.shoe is not None:
            rounds = self.shoes[self.state.shoe.number].rounds
            dealt = [deal(cards, self.sheet.decks.maximum) for _, cards, void in rounds if not void]
            self.roads = Roads.of([round_.outcome for round_ in dealt if isinstance(round_, Round)])
