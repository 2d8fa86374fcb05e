"""A table followed through its log: the state and everything people look back on, folded record by record.

The owner of a table and every other process keep one of these; all that differs is where the next record comes from.
"""

from __future__ import annotations

from collections import deque

from punto.ledger.bet_ledger import BetLedger
from punto.roads.roads import Roads
from punto.rules.cards import Card
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from punto.service.shoes.shoe_history import SHOES_AT_HAND, Places, PlayedShoe
from punto.service.tables.recorded_event import RecordedEvent
from punto.table import events as e
from punto.table.automatic import needs_shoe
from punto.table.evolve import evolve
from punto.table.state import State, new_table

LAST_ROUNDS = 20
_NOT_LOOKED_BACK_ON = frozenset({e.BetPlaced, e.BetRaised, e.BetWithdrawn, e.BetsClosed, e.ResultDeclared})
"""Most of a log, so they are passed over at once."""


class FollowedTable:
    """What the log of one table has come to, up to and with record `seq`."""

    def __init__(self, table: str, sheet: Sheet) -> None:
        self.id = table
        self.sheet = sheet
        self.effective: str | None = None
        self.seq = 0
        self.at = 0
        self.state: State = new_table(sheet)
        self.bet_ledger = BetLedger(table)
        self.roads = Roads()
        self.results: deque[tuple[int, Round]] = deque(maxlen=LAST_ROUNDS)
        self.shoes: dict[int, PlayedShoe] = {}
        """The last few shoes; the log has the others."""
        self.places = Places()
        self.settled: e.RoundSettled | None = None
        self.ruled: e.IncidentRuled | None = None

    def apply(self, recorded: RecordedEvent) -> None:
        """Take the next record; a gap is the caller's mistake."""
        if recorded.seq != self.seq + 1:
            raise AssertionError(f"record {recorded.seq} of {self.id} cannot follow {self.seq}")
        event = recorded.event
        if type(event) not in _NOT_LOOKED_BACK_ON:
            self._look_back(recorded)
        if recorded.after is not None:
            self.state, self.bet_ledger = recorded.after
        else:
            _, self.bet_ledger = self.bet_ledger.moves(recorded.seq, event)
            self.state = evolve(self.state, event)
        self.seq, self.at = recorded.seq, recorded.at

    def _look_back(self, recorded: RecordedEvent) -> None:
        if self.state.shoe is not None and not isinstance(recorded.event, e.ShoeLoaded | e.RoundAdjusted):
            self.shoes[self.state.shoe.number].take(recorded.event)
        match recorded.event:
            case e.TableOpened(effective=effective):
                self.effective = effective
            case e.TableClosed():
                self.effective = None
            case e.ShoeLoaded() as event:
                decks = self.state.settings.decks if self.state.settings else 0
                self.shoes[event.shoe] = PlayedShoe(event.shoe, decks, event)
                self.shoes.pop(event.shoe - SHOES_AT_HAND, None)
                self.places.loaded(recorded.seq, decks)
                self.roads = Roads()
            case e.BetsOpened():
                self.places.opened(recorded.seq)
            case e.RoundSettled() as event:
                self.settled = event
                self._finished(event.round, event.cards)
            case e.RoundAdjusted() as event:
                self.places.ended(recorded.seq)
                for played in self.shoes.values():  # by now another shoe may be in play
                    played.correct(event)
            case e.RoundClosed():
                self.places.ended(recorded.seq)
            case e.IncidentRuled() as event:
                self.ruled = event
            case e.IncidentReported():
                self.ruled = None

    def _finished(self, number: int, cards: tuple[Card, ...]) -> None:
        settings, shoe = self.state.settings, self.state.shoe
        if settings is None or shoe is None:
            return
        round_ = deal(cards, settings.decks)
        if not isinstance(round_, Refusal):
            self.roads = self.roads.append(round_.outcome)
            self.results.append((number, round_))

    def is_over(self, shoe: int) -> bool:
        """Whether no card will come out of a shoe any more, so that its order may be opened."""
        current = self.state.shoe
        if current is None or current.number != shoe:
            return True
        return self.state.round is None and needs_shoe(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the cards on the table, once they are complete."""
        if self.state.round is None or self.state.settings is None:
            return None
        round_ = deal(self.state.round.cards, self.state.settings.decks)
        return None if isinstance(round_, Refusal) else round_.outcome
