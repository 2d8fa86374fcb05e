"""What happened at a table. Events are the log; state is their fold, and ledger, displays and audits fold them too.

Money moves only in BetPlaced, BetRaised, BetWithdrawn and BetDisplaced (stakes), in the lines of BetsReturned,
RoundVoided and RoundSettled (each bet ends in exactly one of them), and in RoundAdjusted (corrections of a settled
round).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents, Odds
from punto.rules.outcome import Winner
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Role, Ruling
from punto.table.commands import Actor, BetLimits, Claim, Decision, Facts, Option, SqueezeOf, kind_of


@dataclass(frozen=True, slots=True)
class Event:
    """What every event carries: who caused it."""

    by: Actor


class Why(StrEnum):
    """Why a whole stake went back without a result."""

    VOID = "void"
    OPTION = "option"
    RECONSTRUCTED = "reconstructed"
    INSURANCE_NEGLECTED = "insurance-neglected"


@dataclass(frozen=True, slots=True)
class Returned:
    """A bet that ended by its whole stake going back, and the paragraph (none where the House decided)."""

    bet: Bet
    why: Why
    rule: str | None

    @property
    def returned_cents(self) -> Cents:
        """What goes back."""
        return self.bet.stake_cents


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A correction of a bet already settled: what it had given back, what it should, and the difference."""

    bet: Bet
    before_cents: Cents
    after_cents: Cents
    correction_cents: Cents
    rule: str | None


# ------------------------------------------------------------------------------------------- the table and its shoe


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """A table, as it was set up. `effective` pins the edition of the sheet."""

    table: str
    game: str
    effective: str
    decks: int
    boxes: int
    minimum_cents: Cents
    differential_cents: Cents
    unit_cents: Cents
    layout: str | None
    sides: tuple[BetLimits, ...]
    face_down: bool
    live: bool
    without_insurance: bool
    second_person: bool
    notice: str | None


@dataclass(frozen=True, slots=True)
class TableClosed(Event):
    """The table is closed."""


@dataclass(frozen=True, slots=True)
class ShoeLoaded(Event):
    """A shoe; its order and the salt of its commitment, where handed in, are for the log alone (see `public`)."""

    shoe: int
    count: int
    cut: int | None
    commitment: str | None
    cards: tuple[Card, ...] = ()
    salt: str | None = None


@dataclass(frozen=True, slots=True)
class CutCardDrawn(Event):
    """The cut card came; the round with this number is the last of the shoe."""

    shoe: int
    last_round: int


@dataclass(frozen=True, slots=True)
class ShoeRemoved(Event):
    """The shoe goes out of play when the round ends; a new one must come before the next."""

    shoe: int
    rule: str | None
    reason: str


# ------------------------------------------------------------------------------------------- patrons and bets


@dataclass(frozen=True, slots=True)
class PatronSeated(Event):
    """A patron sat down. A notice that binds everyone who joins comes with it."""

    patron: str
    box: int
    notice: str | None


@dataclass(frozen=True, slots=True)
class PatronStood(Event):
    """A patron stands behind a box."""

    patron: str
    box: int
    notice: str | None


@dataclass(frozen=True, slots=True)
class PatronLeft(Event):
    """A patron went. Bets that lie stay and are settled all the same, by the paragraph if the sheet has one."""

    patron: str
    rule: str | None
    bets_stay: bool = False


@dataclass(frozen=True, slots=True)
class BetPlaced(Event):
    """A bet lies; all of its stake is new. `rule` is the paragraph by which staff placed it, if one was needed."""

    round: int
    bet: Bet
    as_it_lies: bool = False
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class BetRaised(Event):
    """More on a bet; `bet` is how it lies now."""

    round: int
    bet: Bet
    added_cents: Cents
    as_it_lies: bool = False
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class BetWithdrawn(Event):
    """Less on a bet, or nothing: `bet` is how it lay before."""

    round: int
    bet: Bet
    returned_cents: Cents


@dataclass(frozen=True, slots=True)
class BetDisplaced(Event):
    """The part of a bet that must give way at the Differential goes back; `bet` is how it lay before."""

    round: int
    bet: Bet
    returned_cents: Cents
    rule: str | None


@dataclass(frozen=True, slots=True)
class RaiseAsked(Event):
    """A bet below the minimum was seen in time: its patron must raise or withdraw it before bets close."""

    round: int
    bet: Bet
    minimum_cents: Cents
    rule: str | None


# ------------------------------------------------------------------------------------------- the round


@dataclass(frozen=True, slots=True)
class BetsOpened(Event):
    """A round begins with its call."""

    round: int
    shoe: int
    last_of_shoe: bool
    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class BetsClosed(Event):
    """The second call."""

    round: int
    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class CardDealt(Event):
    """A card, the hand it goes to, and its place in the round from 1; `carried` came with the round before."""

    round: int
    shoe: int
    place: int
    card: Card
    hand: Hand
    rule: str
    face_down: bool = False
    carried: bool = False
    reading: int | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """What may be insured, under which bet, and what it pays."""

    on: str
    hand: Hand
    odds: Odds
    rule: str


@dataclass(frozen=True, slots=True)
class InsuranceOffered(Event):
    """A window is open until the next card."""

    round: int
    window: Window
    offers: tuple[Offered, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class SqueezeAsked(Event):
    """A patron asked."""

    round: int
    patron: str
    what: SqueezeOf
    rule: str


@dataclass(frozen=True, slots=True)
class SqueezeAnswered(Event):
    """The House answered; with consent to see Banker's third first, the second window is waived for all."""

    round: int
    patron: str
    what: SqueezeOf
    consent: bool
    waives_second_window: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ResultDeclared(Event):
    """All cards are out."""

    round: int
    winner: Winner
    player_points: int
    banker_points: int
    rule: str


@dataclass(frozen=True, slots=True)
class RoundSettled(Event):
    """Every bet still in the round, by a line of the rules or by a return."""

    round: int
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    returned: tuple[Returned, ...]
    house_cents: Cents


@dataclass(frozen=True, slots=True)
class RoundVoided(Event):
    """The round has no result: every bet still in it goes back."""

    round: int
    cards: tuple[Card, ...]
    lines: tuple[Returned, ...]
    rule: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundAdjusted(Event):
    """The settled round is corrected before the next began; `void` when it lost its result altogether."""

    round: int
    lines: tuple[Adjustment, ...]
    void: bool
    rule: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundClosed(Event):
    """The round is over."""

    round: int


# ------------------------------------------------------------------------------------------- irregularities


@dataclass(frozen=True, slots=True)
class IncidentReported(Event):
    """An irregularity was seen; `case` numbers it."""

    case: int
    round: int
    situation: str
    says: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class IncidentRuled(Event):
    """The sheet's answer, with its paragraph and what it means in words."""

    case: int
    ruling: Ruling
    rule: str | None
    says: str


@dataclass(frozen=True, slots=True)
class IncidentReferred(Event):
    """No paragraph answers: the round is held for someone's decision."""

    case: int
    to: Role
    rule: str | None


@dataclass(frozen=True, slots=True)
class OrderAsked(Event):
    """Cards came out at once: the round is held until someone with authority says which was first."""

    case: int
    to: Role
    cards: tuple[Card, ...]
    rule: str | None


@dataclass(frozen=True, slots=True)
class ApprovalAsked(Event):
    """The ruling needs a higher role than the one who reported: held until that role approves."""

    case: int
    to: Role
    rule: str | None


@dataclass(frozen=True, slots=True)
class CorrectionAsked(Event):
    """The shoe's readings have a gap: held until someone says which cards lie."""

    case: int
    to: Role
    expected: int
    got: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardsRelaid(Event):
    """The cards of the round were put in their intended order; what the round does not need is carried to the next.

    `burned` cards came out and are of no use any more. `reading` is the last that the electronic shoe has then given.
    """

    case: int
    round: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    carried: tuple[Card, ...]
    rule: str | None
    reason: str
    burned: tuple[Card, ...] = ()
    reading: int | None = None


@dataclass(frozen=True, slots=True)
class OptionsOffered(Event):
    """These patrons go on or take their bets back: held until each has chosen."""

    case: int
    round: int
    patrons: tuple[str, ...]
    reconstructed: bool
    rule: str | None
    continue_rule: str | None
    take_back_rule: str | None


@dataclass(frozen=True, slots=True)
class OptionChosen(Event):
    """A patron's choice."""

    case: int
    patron: str
    option: Option
    rule: str | None


@dataclass(frozen=True, slots=True)
class BetsReturned(Event):
    """Bets that left the round with their whole stake."""

    round: int
    lines: tuple[Returned, ...]


@dataclass(frozen=True, slots=True)
class InsuranceClaimed(Event):
    """Patrons who had meant to insure: should that insurance have won, their original bets will go back."""

    case: int
    round: int
    window: Window
    claims: tuple[Claim, ...]
    rule: str | None


@dataclass(frozen=True, slots=True)
class ConfirmationAsked(Event):
    """A void or an adjustment waits for a second person; `events` is what will then have happened."""

    case: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DecisionMade(Event):
    """The one whom the case waited for answered, and why."""

    case: int
    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class LimitsLifted(Event):
    """By decision, bets over the limits are settled as they lie."""

    case: int
    round: int


@dataclass(frozen=True, slots=True)
class CaseClosed(Event):
    """Nothing waits any more: the round goes on where it stood, or where its cards now put it."""

    case: int


EVENTS: dict[str, type[Event]] = {
    kind_of(each): each
    for each in list(globals().values())
    if isinstance(each, type) and issubclass(each, Event) and each is not Event
}
"""Every event under its name in JSON."""
