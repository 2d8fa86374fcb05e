"""A table followed through its log: its state, history, bets in play and roads, folded record by record.

The owner of a table and every other process keep one of these; all that differs is where the next record comes from.
"""

from __future__ import annotations

from typing import NamedTuple

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.table_day import COUNTED, FROM_MIDNIGHT, GamingDay, TableDay
from punto.roads.roads import Roads
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from punto.store.errors import UnfoundedPostingsError
from punto.store.records import Record
from punto.table import acts
from punto.table.acts.shoe import has_shuffler
from punto.table.engine import evolve
from punto.table.history import NOT_LOOKED_BACK_ON, TableHistory
from punto.table.state import State

ROUNDS_ON_A_PAGE = 72
"""The rounds that the roads of a shuffler show before they begin anew: about as many as a shoe has."""


class RecordedEvent(NamedTuple):
    """An event with its place in the log and its time of day."""

    seq: int
    at: int
    event: acts.Event
    after: tuple[State, BetLedger] | None = None
    """The state after the event, where it was decided here."""
    record: Record | None = None
    """The record that it was read from."""


class FollowedTable(TableHistory):
    """A table as its log has it, up to and with record `seq`."""

    def __init__(self, table: str, sheet: Sheet, gaming_day: GamingDay = FROM_MIDNIGHT) -> None:
        super().__init__(sheet)
        self.id = table
        self.seq = 0
        self.gaming_day = gaming_day
        self.day = TableDay()
        """The figures of the gaming day of the last event that changed them."""
        self.bet_ledger = BetLedger(table)
        self.roads = Roads()
        self.reported_at: dict[int, int] = {}
        """When each open case was reported."""

    @property
    def name(self) -> str:
        """The name that people call the table by."""
        return self.state.settings.shown_name if self.state.settings else self.id

    def apply(self, recorded: RecordedEvent) -> None:
        """Take the next record; a gap is the caller's mistake."""
        if recorded.seq != self.seq + 1:
            raise AssertionError(f"record {recorded.seq} of {self.id} cannot follow {self.seq}")
        event = recorded.event
        if type(event) not in NOT_LOOKED_BACK_ON:
            self.look_back(recorded.seq, event)
            self._draw_roads(event)
            if isinstance(event, acts.IncidentReported):
                self.reported_at[event.case] = recorded.at
            elif isinstance(event, acts.CaseClosed):
                self.reported_at.pop(event.case, None)
        counted, record = type(event) in COUNTED, recorded.record
        if counted or recorded.after is None:
            moves, bet_ledger = self.bet_ledger.moves(recorded.seq, event)
            if record is not None and not record.moved_by(moves):
                raise UnfoundedPostingsError(f"{record.stream} {record.seq}", record.kind)
        if counted:
            day = self.gaming_day.number(recorded.at)
            self.day = self.day.after(day, recorded.at, event, self.state, moves)
        if recorded.after is not None:
            self.state, self.bet_ledger = recorded.after
        else:
            self.bet_ledger, self.state = bet_ledger, evolve(self.state, event)
        self.seq = recorded.seq

    def _draw_roads(self, event: acts.Event) -> None:
        if isinstance(event, acts.ShoeLoaded):
            # Every round at a shuffler has a shoe of its own: its roads go on to the end of the page.
            goes_on = self.state.settings is not None and has_shuffler(self.state)
            self.roads = self.roads if goes_on and self.roads.rounds < ROUNDS_ON_A_PAGE else Roads()
        elif isinstance(event, acts.RoundSettled) and self.results and self.results[-1][0] == event.round:
            self.roads = self.roads.append(self.results[-1][1].outcome)
        elif isinstance(event, acts.RoundAdjusted) and (event.cards or event.void) and self.state.shoe is not None:
            rounds = self.shoes[self.state.shoe.number].rounds
            dealt = [deal(cards, self.sheet.decks.maximum) for _, cards, void in rounds if not void]
            self.roads = Roads.of([round_.outcome for round_ in dealt if isinstance(round_, Round)])
