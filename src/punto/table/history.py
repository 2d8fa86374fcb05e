"""The past of a table, folded from its events: its last rounds and shoes, and where each is in the log.

A table holds its last shoes in memory. Older ones are folded again from the log when somebody asks, so that a table
that runs for years needs no more memory than one that began today.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.money import Cents
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from punto.table.act import Event
from punto.table.acts.announcements import ResultDeclared
from punto.table.acts.bets import BetPlaced, BetRaised, BetWithdrawn
from punto.table.acts.cards import CardDealt, CardOpened
from punto.table.acts.rounds import BetsClosed, BetsOpened, RoundClosed, RoundSettled
from punto.table.acts.settings import TableClosed, TableOpened
from punto.table.acts.shoe import CardsBurned, ShoeLoaded
from punto.table.automatic import needs_shoe
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.rulings.cases import IncidentReported, IncidentRuled
from punto.table.rulings.decided_money import AmountDecided
from punto.table.rulings.neglected import InsuranceClaimed
from punto.table.rulings.reorder import CardsReordered
from punto.table.rulings.void import RoundVoided
from punto.table.state import State, new_table
from punto.table.values import spot_of

LAST_ROUNDS = 20
SHOES_AT_HAND = 2
"""Shoes of a table that are held in memory: the present one, and the one before, which people check and correct."""
STATES_AT_HAND = 8
"""States before the last shoes that are held in memory, from which earlier rounds are folded."""
NOT_LOOKED_BACK_ON = frozenset({BetPlaced, BetRaised, BetWithdrawn, BetsClosed, ResultDeclared})
"""Most of a log, so they are passed over at once."""


class Fate(StrEnum):
    """The fate of a card. CLOSED are the cards that a void round had from its first closed one on."""

    PLAYED = "played"
    CARRIED = "carried"
    CLOSED = "closed"
    BURNED = "burned"


@dataclass(slots=True)
class ShoeCard:
    """A card that came out of a shoe. `card` is None while nobody has seen it.

    `came` is the round in or after which it came out, `round` the one that got it, None if there is none yet. While
    that round goes on, `kept` says that no later ruling of it lays this card. `rule` and `reason` are of the ruling by
    which it was carried or its round was void.
    """

    card: Card | None
    came: int
    round: int | None
    fate: Fate = Fate.PLAYED
    rule: str | None = None
    reason: str = ""
    kept: bool = False

    def put_aside(self, fate: Fate, ruling: CardsReordered | RoundVoided) -> None:
        """Take the card from its round. Of several rulings that carry it, the first says why."""
        self.round = None
        if self.fate is not fate:
            self.fate, self.rule, self.reason = fate, ruling.rule, ruling.reason


@dataclass(slots=True)
class PlayedShoe:
    """A shoe as it is published: what was committed to, and every card that came out of it, in order.

    A full set of a shuffler comes without the cards carried from the round before: they count as its first. `ended`
    says of each round that has ended whether it is void.
    """

    number: int
    decks: int
    loaded: ShoeLoaded
    dealt: list[ShoeCard] = field(default_factory=list)
    ended: dict[int, bool] = field(default_factory=dict)

    @property
    def seen(self) -> list[Card]:
        """The cards that someone has seen, in the order in which they came out."""
        return [each.card for each in self.dealt if each.card is not None]

    @property
    def rounds(self) -> list[tuple[int, tuple[Card, ...], bool]]:
        """The rounds that have ended, each with its cards, and whether it is void."""
        cards: dict[int | None, list[Card]] = {number: [] for number in self.ended}
        for each in self.dealt:
            if each.card is not None and each.round in cards:
                cards[each.round].append(each.card)
        return [(number, tuple(cards[number]), void) for number, void in self.ended.items()]

    def take(self, event: Event) -> None:
        """Take an event of the table while this shoe is in play."""
        match event:
            case CardsBurned():
                self.dealt += [ShoeCard(each, 0, None, Fate.BURNED) for each in (event.card, *[None] * event.unseen)]
            case CardDealt():
                if event.carried and (waiting := self._places(None)):
                    first = self.dealt[waiting[0]]
                    first.round = event.round
                    first.fate = Fate.PLAYED if first.came == event.round else first.fate
                else:
                    self.dealt.append(ShoeCard(None if event.closed else event.card, event.round, event.round))
            case CardOpened():
                self.dealt[self._places(event.round)[event.place - 1]].card = event.card
            case CardsReordered():
                self._reorder(event)
            case RoundSettled():
                self.ended[event.round] = False
            case RoundClosed():
                for each in self.dealt:
                    each.kept = False
            case RoundVoided():
                self.ended[event.round] = True
                for place in self._places(event.round)[len(event.cards) :]:
                    self.dealt[place].put_aside(Fate.CLOSED, event)
            case RoundAdjusted():
                self.correct(event)

    def correct(self, event: RoundAdjusted) -> None:
        """Take the correction of a settled round, which may come when another shoe is in play already."""
        if event.round in self.ended:
            self.ended[event.round] |= event.void
            if event.cards:
                places = self._places(event.round)
                self._lay(places, event.cards, event.round, places[-1] + 1 if places else len(self.dealt))

    def _reorder(self, event: CardsReordered) -> None:
        """Cards put in order: at a shoe read by hand the whole list may change, at any shoe there may be more.

        What the round has kept for the next stays where it came out.
        """
        places = [*self._places(event.round), *[each for each in self._places(None) if not self.dealt[each].kept]]
        kept = sum([each.kept for each in self.dealt])
        before = len(event.before) - kept + sum([self.dealt[place].card is None for place in places])
        places = places[max(len(places) - before, 0) :]
        aside = [*event.carried, *event.kept[kept:]]
        cards = [*event.after, *aside][before - len(places) :]  # without those that another shoe gave
        taken = len(cards) - len(aside)
        for at, each in enumerate(self._lay(places, cards, event.round, len(self.dealt))):
            if at >= taken:
                each.put_aside(Fate.CARRIED, event)
                each.kept = at >= taken + len(event.carried)
            elif each.came == event.round:
                each.fate = Fate.PLAYED

    def _places(self, number: int | None) -> list[int]:
        """The places in `dealt` of a round's cards; None for those that are carried to the next round."""
        return [
            place
            for place, each in enumerate(self.dealt)
            if each.round == number and each.fate in (Fate.PLAYED, Fate.CARRIED)
        ]

    def _lay(self, places: list[int], cards: Sequence[Card], number: int, at: int) -> list[ShoeCard]:
        """Put cards of a round in place of others. If there are fewer, the last ones go; more come at `at`."""
        laid = [self.dealt[place] for place in places[: len(cards)]]
        more = [ShoeCard(None, number, number) for _ in cards[len(laid) :]]
        self.dealt[at:at] = more
        for place in reversed(places[len(cards) :]):
            del self.dealt[place]
        laid += more
        for each, card in zip(laid, cards, strict=True):
            each.card, each.round = card, number
        return laid


class RoundPlace(NamedTuple):
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

    def round(self, number: int) -> RoundPlace | None:
        """Where a round stands."""
        if not 0 < number <= len(self._rounds):
            return None
        return RoundPlace(self._rounds[number - 1], self._ends[number - 1] or None)

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
        """The shoe in play and the one before it; the log has the others."""
        self.before_shoes: dict[int, State] = {}
        """The states before each of the last few shoes was put in."""
        self.places = Places()
        self.settled: RoundSettled | None = None
        """The ends of the last round's bets, as corrections leave them; all those of a void round were returned."""
        self.ruled: IncidentRuled | None = None

    def look_back(self, seq: int, event: Event) -> None:
        """Take the event of record `seq`, which the state has not taken yet, into the history."""
        if self.state.shoe is not None and not isinstance(event, ShoeLoaded | RoundAdjusted):
            self.shoes[self.state.shoe.number].take(event)
        match event:
            case TableOpened():
                self.effective, self.fingerprint = event.effective, event.fingerprint
            case TableClosed():
                self.effective, self.fingerprint = None, ""
            case ShoeLoaded():
                decks = self.state.settings.decks if self.state.settings else 0
                self.shoes[event.shoe] = PlayedShoe(event.shoe, decks, event)
                self.before_shoes[event.shoe] = self.state
                self.shoes.pop(event.shoe - SHOES_AT_HAND, None)
                self.before_shoes.pop(event.shoe - STATES_AT_HAND, None)
                self.places.loaded(seq, decks)
            case BetsOpened():
                self.places.opened(seq)
            case RoundSettled():
                self.settled = event
                if (round_ := self._round(event.cards)) is not None:
                    self.results.append((event.round, round_))
            case RoundVoided():
                self.settled = RoundSettled(event.by, event.round, event.cards, (), event.lines, Cents(0))
            case RoundAdjusted():
                self._look_back_on_correction(seq, event)
            case AmountDecided() | InsuranceClaimed():
                if self.state.round is None or self.state.round.number != event.round:
                    self.places.changed(event.round, seq)
            case RoundClosed():
                self.places.ended(seq)
            case IncidentRuled():
                self.ruled = event
            case IncidentReported():
                self.ruled = None

    def _look_back_on_correction(self, seq: int, event: RoundAdjusted) -> None:
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
        """True if no card will come out of a shoe any more, so that its order may be opened."""
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


def _settled_after(settled: RoundSettled, event: RoundAdjusted) -> RoundSettled:
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
