"""A table followed through its log: the state and everything people look back on, folded record by record.

The owner of a table and every other process keep one of these; all that differs is where the next record comes from.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from punto.roads.data import to_data
from punto.roads.roads import Roads
from punto.rules.cards import Card
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from punto.service.books import Books
from punto.service.dealer import needs_shoe
from punto.table import events as e
from punto.table.evolve import evolve
from punto.table.state import State, new_table

LAST_ROUNDS = 20
_NOT_LOOKED_BACK_ON = frozenset({e.BetPlaced, e.BetRaised, e.BetWithdrawn, e.BetsClosed, e.ResultDeclared})
"""Most of a log, so they are passed over at once."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An event with its place in the log and its time of day."""

    seq: int
    at: int
    event: e.Event
    after: tuple[State, Books] | None = field(default=None, repr=False, compare=False)
    """What the event leads to, where it was decided here."""


@dataclass(slots=True)
class PlayedShoe:
    """A shoe as it is published: what was promised, what came out of it, round by round."""

    number: int
    decks: int
    loaded: e.ShoeLoaded
    dealt: list[Card] = field(default_factory=list)
    burned: set[int] = field(default_factory=set)  # places in `dealt` of cards that came out and were of no use
    rounds: list[tuple[int, tuple[Card, ...], bool]] = field(default_factory=list)


@dataclass(slots=True)
class RoundSpan:
    """Where a round stands in the log, from its call to its end."""

    number: int
    first: int
    last: int | None = None


class FollowedTable:
    """What the log of one table has come to, up to and with record `seq`."""

    def __init__(self, table: str, sheet: Sheet) -> None:
        self.id = table
        self.sheet = sheet
        self.effective: str | None = None
        self.seq = 0
        self.at = 0
        self.state: State = new_table(sheet)
        self.books = Books(table)
        self.roads = Roads()
        self._drawn: tuple[Roads, dict[str, Any]] | None = None
        self.results: deque[tuple[int, Round]] = deque(maxlen=LAST_ROUNDS)
        self.shoes: dict[int, PlayedShoe] = {}
        self.spans: list[RoundSpan] = []
        self.settled: e.RoundSettled | None = None
        self.ruled: e.IncidentRuled | None = None

    @property
    def roads_data(self) -> dict[str, Any]:
        """The roads as plain data, made once for each round and never changed in place."""
        if self._drawn is None or self._drawn[0] is not self.roads:
            self._drawn = self.roads, to_data(self.roads)
        return self._drawn[1]

    def apply(self, happened: Happened) -> None:
        """Take the next record; a gap is the caller's mistake."""
        if happened.seq != self.seq + 1:
            raise AssertionError(f"record {happened.seq} of {self.id} cannot follow {self.seq}")
        event = happened.event
        if type(event) not in _NOT_LOOKED_BACK_ON:
            self._look_back(happened)
        if happened.after is not None:
            self.state, self.books = happened.after
        else:
            _, self.books = self.books.moves(happened.seq, event)
            self.state = evolve(self.state, event)
        self.seq, self.at = happened.seq, happened.at

    def _look_back(self, happened: Happened) -> None:
        match happened.event:
            case e.TableOpened(effective=effective):
                self.effective = effective
            case e.TableClosed():
                self.effective = None
            case e.ShoeLoaded() as event:
                decks = self.state.settings.decks if self.state.settings else 0
                self.shoes[event.shoe] = PlayedShoe(event.shoe, decks, event)
                self.roads = Roads()
            case e.BetsOpened(round=number):
                self.spans.append(RoundSpan(number, happened.seq))
            case e.CardDealt(shoe=shoe, card=card, carried=False):
                self.shoes[shoe].dealt.append(card)
            case e.CardsRelaid() as event if self.state.shoe:
                self._relaid(self.state.shoe.number, event)
            case e.RoundSettled() as event:
                self.settled = event
                self._finished(event.round, event.cards)
            case e.RoundVoided() as event if self.state.shoe:
                self.shoes[self.state.shoe.number].rounds.append((event.round, event.cards, True))
            case e.RoundAdjusted() as event if self.state.shoe:
                self.spans[-1].last = happened.seq
                played = self.shoes[self.state.shoe.number]
                played.rounds = [
                    (n, cards, void or (event.void and n == event.round)) for n, cards, void in played.rounds
                ]
            case e.RoundClosed():
                self.spans[-1].last = happened.seq
            case e.IncidentRuled() as event:
                self.ruled = event
            case e.IncidentReported():
                self.ruled = None

    def _relaid(self, shoe: int, event: e.CardsRelaid) -> None:
        """Cards put in order: at a shoe read by hand the whole list may change, at any shoe there may be more."""
        played, now = self.shoes[shoe], [*event.after, *event.carried]
        in_play = [place for place in range(len(played.dealt)) if place not in played.burned]
        of_round = in_play[len(in_play) - len(event.before) :]
        start = of_round[0] if of_round else len(played.dealt)
        for place in sorted(place for place in played.burned if place >= start):
            now.insert(place - start, played.dealt[place])
        played.dealt[start:] = [*now, *event.burned]
        played.burned |= set(range(len(played.dealt) - len(event.burned), len(played.dealt)))

    def _finished(self, number: int, cards: tuple[Card, ...]) -> None:
        settings, shoe = self.state.settings, self.state.shoe
        if settings is None or shoe is None:
            return
        self.shoes[shoe.number].rounds.append((number, cards, False))
        round_ = deal(cards, settings.decks)
        if not isinstance(round_, Refusal):
            self.roads = self.roads.append(round_.outcome)
            self.results.append((number, round_))

    def span(self, number: int) -> RoundSpan | None:
        """Where a round stands in the log."""
        place = number - 1
        return self.spans[place] if 0 <= place < len(self.spans) and self.spans[place].number == number else None

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
