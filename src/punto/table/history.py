"""What people look back on, folded from the events of a table: its last rounds and shoes, and where each is in the log.

A table holds its last few shoes in memory. Older ones are folded again from the log when somebody asks, so that a table
that runs for years needs no more memory than one that began today.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.money import Cents
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from punto.table import events as e
from punto.table.automatic import needs_shoe
from punto.table.state import State, new_table, spot_of

LAST_ROUNDS = 20
SHOES_AT_HAND = 8
"""Shoes of a table that are held in memory; the last round of the one before the present can still be corrected."""
NOT_LOOKED_BACK_ON = frozenset({e.BetPlaced, e.BetRaised, e.BetWithdrawn, e.BetsClosed, e.ResultDeclared})
"""Most of a log, so they are passed over at once."""


@dataclass(slots=True)
class PlayedShoe:
    """A shoe as it is published: what was committed to, what came out of it, round by round."""

    number: int
    decks: int
    loaded: e.ShoeLoaded
    dealt: list[Card | None] = field(default_factory=list)  # None for each card that nobody has seen
    burned: dict[int, e.CardsRelaid] = field(default_factory=dict)  # places in `dealt` of cards nobody got, and why
    carried: dict[int, e.CardsRelaid] = field(default_factory=dict)  # and of those that came out before their round
    rounds: list[tuple[int, tuple[Card, ...], bool]] = field(default_factory=list)
    first_burn: int = 0
    """How many cards were burned before the first round."""
    void: dict[int, e.RoundVoided] = field(default_factory=dict)
    """The places in `dealt` of the cards that a void round had from its first closed one on, and why it was void."""
    _closed: dict[int, int] = field(default_factory=dict)  # the closed cards of the round: where each is in `dealt`
    _places: dict[int, list[int]] = field(default_factory=dict)  # where the cards of each round are in `dealt`

    def take(self, event: e.Event) -> None:
        """Take an event of the table while this shoe is in play."""
        match event:
            case e.CardsBurned():
                self.first_burn = 1 + event.unseen
                self.dealt += [event.card, *[None] * event.unseen]
            case e.CardDealt(carried=False):
                if event.closed:
                    self._closed[event.place] = len(self.dealt)
                self.dealt.append(None if event.closed else event.card)
            case e.CardOpened():
                self.dealt[self._closed.pop(event.place)] = event.card
            case e.CardsRelaid():
                self._relaid(event)
            case e.RoundSettled():
                self.rounds.append((event.round, event.cards, False))
                self._places[event.round] = self._places_of(event.round, len(event.cards))
            case e.RoundVoided():
                self.rounds.append((event.round, event.cards, True))
                if self._closed:
                    self.void |= dict.fromkeys(range(min(self._closed.values()), len(self.dealt)), event)
                    self._closed = {}
            case e.RoundAdjusted():
                self.correct(event)

    def correct(self, event: e.RoundAdjusted) -> None:
        """Take the correction of a settled round, which may come when another shoe is in play already."""
        for place, (number, cards, void) in enumerate(self.rounds):
            if number == event.round:
                self.rounds[place] = (number, event.cards or cards, event.void or void)
                if event.cards and number in self._places:
                    self._replace_cards(self._places[number], cards, event.cards)

    def _places_of(self, number: int, count: int) -> list[int]:
        """Where the last cards in play are in `dealt`, but for those carried from this round to the next."""
        in_play = self._in_play()
        carried = sum([why.round == number for why in self.carried.values()])
        return in_play[: len(in_play) - carried][max(len(in_play) - carried - count, 0) :]

    def _in_play(self) -> list[int]:
        """The places in `dealt` of cards that went to rounds."""
        aside = self.burned.keys() | self.void.keys()
        return [place for place in range(self.first_burn, len(self.dealt)) if place not in aside]

    def _replace_cards(self, places: list[int], before: tuple[Card, ...], after: tuple[Card, ...]) -> None:
        """Put the cards of a round as they actually were in place of those that were recorded."""
        if len(places) != len(before):
            return  # another shoe gave some of them
        for place, card in zip(places, after, strict=False):
            self.dealt[place] = card
        for place in reversed(places[len(after) :]):
            del self.dealt[place]
            places.remove(place)
            self._shift(place, -1)
        for card in after[len(before) :]:
            place = places[-1] + 1
            self.dealt.insert(place, card)
            self._shift(place, 1)
            places.append(place)

    def _shift(self, start: int, by: int) -> None:
        """All places from `start` on move, because a card before them came or went."""
        self.burned = {place + by * (place >= start): why for place, why in self.burned.items()}
        self.carried = {place + by * (place >= start): why for place, why in self.carried.items()}
        self.void = {place + by * (place >= start): why for place, why in self.void.items()}
        self._closed = {at: place + by * (place >= start) for at, place in self._closed.items()}
        for places in self._places.values():
            places[:] = [place + by * (place >= start) for place in places]

    def _relaid(self, event: e.CardsRelaid) -> None:
        """Cards put in order: at a shoe read by hand the whole list may change, at any shoe there may be more."""
        in_play = self._in_play()
        before = len(event.before) + len(self._closed)
        other = max(before - len(in_play), 0)  # cards of the last round, where another shoe gave them
        of_round = in_play[len(in_play) + other - before :]
        self._closed = {}
        start = of_round[0] if of_round else len(self.dealt)
        now: list[Card | None] = [*[*event.after, *event.carried][other:]]
        burned = {place: why for place, why in self.burned.items() if place < start}
        for place in sorted(self.burned.keys() - burned.keys()):
            at = min(place - start, len(now))
            now.insert(at, self.dealt[place])
            burned[start + at] = self.burned[place]
        in_play = [place for place in range(start, start + len(now)) if place not in burned]
        taken = set(in_play[: len(in_play) - len(event.carried)])
        earlier = {place: why for place, why in self.carried.items() if place not in taken or why.round < event.round}
        self.carried = dict.fromkeys(in_play[len(taken) :], event) | earlier
        self.dealt[start:] = [*now, *event.burned]
        self.burned = burned | dict.fromkeys(range(start + len(now), len(self.dealt)), event)


class Span(NamedTuple):
    """Where a round stands in the log, from its call to its end; None while it is under way."""

    first: int
    last: int | None


class SavedPlaces(NamedTuple):
    """Where rounds and shoes stand, in a checkpoint: arrays as bytes."""

    rounds: bytes
    ends: bytes
    shoes: bytes
    decks: bytes
    later: dict[int, tuple[int, ...]]


class Places:
    """Where the rounds and shoes of a table stand in its log: a few bytes for each, since there is no end to them."""

    def __init__(self) -> None:
        self._rounds, self._ends = array("q"), array("q")
        self._shoes, self._decks = array("q"), array("H")
        self._later: dict[int, tuple[int, ...]] = {}

    @property
    def _arrays(self) -> tuple[array[int], ...]:
        return self._rounds, self._ends, self._shoes, self._decks

    def save(self) -> SavedPlaces:
        """A copy for a checkpoint."""
        rounds, ends, shoes, decks = [each.tobytes() for each in self._arrays]
        return SavedPlaces(rounds, ends, shoes, decks, dict(self._later))

    @classmethod
    def restore(cls, saved: SavedPlaces) -> Places:
        """The places of a checkpoint."""
        places = cls()
        for each, data in zip(places._arrays, (saved.rounds, saved.ends, saved.shoes, saved.decks), strict=True):
            each.frombytes(data)
        places._later = dict(saved.later)
        return places

    def opened(self, seq: int) -> None:
        """The next round was called."""
        self._rounds.append(seq)
        self._ends.append(0)

    def ended(self, seq: int) -> None:
        """The last round ended, or was corrected before anything else happened."""
        self._ends[-1] = seq

    def changed(self, number: int, seq: int) -> None:
        """A round that has ended was corrected, or something was decided about it."""
        self._later[number] = (*self.later(number), seq)

    def later(self, number: int) -> tuple[int, ...]:
        """The records after a round's end that are about it."""
        return self._later.get(number, ())

    def loaded(self, seq: int, decks: int) -> None:
        """The next shoe was put in."""
        self._shoes.append(seq)
        self._decks.append(decks)

    def round(self, number: int) -> Span | None:
        """Where a round stands."""
        if not 0 < number <= len(self._rounds):
            return None
        return Span(self._rounds[number - 1], self._ends[number - 1] or None)

    def shoe_at(self, seq: int) -> int:
        """The number of the shoe that was in play at a record; 0 before the first."""
        return bisect_right(self._shoes, seq)

    def shoe(self, number: int) -> tuple[int, int] | None:
        """The record with which a shoe was put in, and its decks."""
        return (self._shoes[number - 1], self._decks[number - 1]) if 0 < number <= len(self._shoes) else None


class TableHistory:
    """A table's state with its history. Whoever folds the log calls `look_back` and then sets the next state."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.effective: str | None = None
        self.fingerprint = ""
        """The SHA-256 of the sheet that the table was opened under, where it is open and its log says so."""
        self.state: State = new_table(sheet)
        self.results: deque[tuple[int, Round]] = deque(maxlen=LAST_ROUNDS)
        self.shoes: dict[int, PlayedShoe] = {}
        """The last few shoes; the log has the others."""
        self.before_shoes: dict[int, State] = {}
        """The states before those shoes were put in."""
        self.places = Places()
        self.settled: e.RoundSettled | None = None
        self.ruled: e.IncidentRuled | None = None

    def look_back(self, seq: int, event: e.Event) -> None:
        """Take the event of record `seq`, which the state has not taken yet, into the history."""
        if self.state.shoe is not None and not isinstance(event, e.ShoeLoaded | e.RoundAdjusted):
            self.shoes[self.state.shoe.number].take(event)
        match event:
            case e.TableOpened():
                self.effective, self.fingerprint = event.effective, event.fingerprint
            case e.TableClosed():
                self.effective, self.fingerprint = None, ""
            case e.ShoeLoaded():
                decks = self.state.settings.decks if self.state.settings else 0
                self.shoes[event.shoe] = PlayedShoe(event.shoe, decks, event)
                self.before_shoes[event.shoe] = self.state
                for held in (self.shoes, self.before_shoes):
                    held.pop(event.shoe - SHOES_AT_HAND, None)
                self.places.loaded(seq, decks)
            case e.BetsOpened():
                self.places.opened(seq)
            case e.RoundSettled():
                self.settled = event
                if (round_ := self._round(event.cards)) is not None:
                    self.results.append((event.round, round_))
            case e.RoundAdjusted():
                self._look_back_on_correction(seq, event)
            case e.AmountDecided() | e.InsuranceClaimed():
                if self.state.round is None or self.state.round.number != event.round:
                    self.places.changed(event.round, seq)
            case e.RoundClosed():
                self.places.ended(seq)
            case e.IncidentRuled():
                self.ruled = event
            case e.IncidentReported():
                self.ruled = None

    def _look_back_on_correction(self, seq: int, event: e.RoundAdjusted) -> None:
        if self.state.round is None and event.round == self.state.rounds:
            self.places.ended(seq)
        elif self.state.round is None or event.round != self.state.round.number:
            self.places.changed(event.round, seq)
        for played in self.shoes.values():  # by now another shoe may be in play
            played.correct(event)
        if self.settled is not None and self.settled.round == event.round:
            self.settled = _settled_after(self.settled, event)
        dealt = deal(event.cards, self.sheet.decks.maximum) if event.cards else None
        results = [
            (number, dealt if isinstance(dealt, Round) and number == event.round else round_)
            for number, round_ in self.results
            if not (event.void and number == event.round)
        ]
        self.results = deque(results, maxlen=LAST_ROUNDS)

    def state_before(self, number: int) -> tuple[int, State]:
        """The latest known state before the shoe of a round was put in, and the record that led to it."""
        span = self.places.round(number)
        shoe = self.places.shoe_at(span.first) if span else 0
        place, state = self.places.shoe(shoe), self.before_shoes.get(shoe)
        return (place[0] - 1, state) if place and state else (0, new_table(self.sheet))

    def is_over(self, shoe: int) -> bool:
        """Whether no card will come out of a shoe any more, so that its order may be opened."""
        current = self.state.shoe
        if current is None or current.number != shoe:
            return True
        return self.state.round is None and needs_shoe(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the cards on the table, once they are complete."""
        round_ = self._round(self.state.round.cards) if self.state.round is not None else None
        return round_.outcome if round_ is not None else None

    def _round(self, cards: tuple[Card, ...]) -> Round | None:
        """The round that these cards make, if they are complete."""
        round_ = deal(cards, self.state.settings.decks) if self.state.settings is not None else None
        return None if isinstance(round_, Refusal) else round_


def _settled_after(settled: e.RoundSettled, event: e.RoundAdjusted) -> e.RoundSettled:
    """A settlement as a correction leaves it."""
    corrected = {spot_of(each.bet): each for each in event.lines}
    lines = []
    for line in settled.lines:
        each = corrected.get(spot_of(line.bet))
        if each is not None:
            net = Cents(each.after_cents - each.bet.stake_cents)
            result = Result.RETURNED if not net else Result.WIN if net > 0 else Result.LOSE
            line = each.line or replace(line, returned_cents=each.after_cents, net_cents=net, result=result)
        lines.append(line)
    return replace(settled, lines=tuple(lines))
