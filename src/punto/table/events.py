"""The events of a table, which make up its log. State, ledger, displays and audits are computed from them.

Money moves only in BetPlaced, BetRaised, BetWithdrawn and BetDisplaced (stakes), in the lines of BetsReturned,
RoundVoided and RoundSettled (each bet ends in exactly one of them), and in RoundAdjusted (corrections of a settled
round).

Class and field names are stored in logs, so they stay: `CardsRelaid`, `as_it_lies` and `why` too.
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
from punto.rules.sheet import Device, Role, Ruling
from punto.table.commands import Actor, BetLimits, Burn, Claim, Consent, Decision, Facts, Option, SqueezeOf, kind_of


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events: who caused it."""

    by: Actor


class ReturnReason(StrEnum):
    """Why a whole stake was returned without a result."""

    VOID = "void"
    OPTION = "option"
    RECONSTRUCTED = "reconstructed"
    INSURANCE_NEGLECTED = "insurance-neglected"


@dataclass(frozen=True, slots=True)
class Returned:
    """A bet that ended with the return of its whole stake, and the paragraph (None where the House decided)."""

    bet: Bet
    why: ReturnReason
    rule: str | None

    @property
    def returned_cents(self) -> Cents:
        """The returned amount."""
        return self.bet.stake_cents


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A correction of a settled bet: what it returned, what it should have returned, and the difference."""

    bet: Bet
    before_cents: Cents
    after_cents: Cents
    correction_cents: Cents
    rule: str | None


# ------------------------------------------------------------------------------------------- the table and its shoe


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """A table was opened with these settings. `effective` is the edition of the sheet."""

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
    waiver_consent: Consent = Consent.ASK
    device: Device = Device.CARD_SHOE
    burn: Burn = Burn.NONE


@dataclass(frozen=True, slots=True)
class TableClosed(Event):
    """The table was closed."""


@dataclass(frozen=True, slots=True)
class ShoeLoaded(Event):
    """A shoe was loaded. Its order and the salt of its commitment, if given, are for the log alone (see `public`).

    `checked` and `shuffled` say what was recorded of its cards before. A virtual shoe is made checked and shuffled.
    """

    shoe: int
    count: int
    cut: int | None
    commitment: str | None
    cards: tuple[Card, ...] = ()
    salt: str | None = None
    checked: bool = False
    shuffled: bool = False


@dataclass(frozen=True, slots=True)
class DecksChecked(Event):
    """The decks for the next shoe were checked and are complete."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsShuffled(Event):
    """The cards for the next shoe were shuffled."""


@dataclass(frozen=True, slots=True)
class CardsBurned(Event):
    """The first card of a shoe was shown and burned, with as many unseen cards as it counts."""

    shoe: int
    card: Card
    unseen: int


@dataclass(frozen=True, slots=True)
class ShoeCounted(Event):
    """All cards of a shoe were counted after its last round: how many it should have, and how many it has."""

    shoe: int
    expected: int
    count: int


@dataclass(frozen=True, slots=True)
class CutCardDrawn(Event):
    """The cut card came out. `last_round` is the number of the shoe's last round."""

    shoe: int
    last_round: int


@dataclass(frozen=True, slots=True)
class ShoeRemoved(Event):
    """The shoe leaves play when the round ends. The next round needs a new one."""

    shoe: int
    rule: str | None
    reason: str


# ------------------------------------------------------------------------------------------- patrons and bets


@dataclass(frozen=True, slots=True)
class PatronSeated(Event):
    """A patron sat down."""

    patron: str
    box: int


@dataclass(frozen=True, slots=True)
class PatronStood(Event):
    """A patron stands behind a box."""

    patron: str
    box: int


@dataclass(frozen=True, slots=True)
class PatronLeft(Event):
    """A patron left. Placed bets stay and are settled, by `rule` if the sheet has one."""

    patron: str
    rule: str | None
    bets_stay: bool = False


@dataclass(frozen=True, slots=True)
class BetPlaced(Event):
    """A new bet was placed. `rule` is the paragraph by which staff placed it, if one was needed.

    `as_it_lies` says that the Dealer recorded chips already on the layout.
    """

    round: int
    bet: Bet
    as_it_lies: bool = False
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class BetRaised(Event):
    """A bet was raised. `bet` is the bet after it."""

    round: int
    bet: Bet
    added_cents: Cents
    as_it_lies: bool = False
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class BetWithdrawn(Event):
    """A bet was withdrawn in part or whole. `bet` is the bet before it."""

    round: int
    bet: Bet
    returned_cents: Cents


@dataclass(frozen=True, slots=True)
class BetDisplaced(Event):
    """The part of a bet over the Differential was returned. `bet` is the bet before it."""

    round: int
    bet: Bet
    returned_cents: Cents
    rule: str | None


@dataclass(frozen=True, slots=True)
class RaiseAsked(Event):
    """A bet below the minimum was noticed in time. Its patron must raise or withdraw it before bets close."""

    round: int
    bet: Bet
    minimum_cents: Cents
    rule: str | None


# ------------------------------------------------------------------------------------------- the round


@dataclass(frozen=True, slots=True)
class BetsOpened(Event):
    """A round began with the first call."""

    round: int
    shoe: int
    last_of_shoe: bool
    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class BetsClosed(Event):
    """Bets closed with the second call."""

    round: int
    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class CardDealt(Event):
    """A card was dealt to a hand. `place` counts from 1. A `carried` card left the shoe in the previous round.

    A `closed` card waits to be opened. Until then its value, if the table knows it, is for the log alone (see
    `public`). A face-down card that is not closed was named as it was dealt.
    """

    round: int
    shoe: int
    place: int
    card: Card | None
    hand: Hand
    rule: str
    face_down: bool = False
    carried: bool = False
    reading: int | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class CardOpened(Event):
    """A closed card was opened. `squeezed_by` is the patron who had its squeeze, if anyone had."""

    round: int
    place: int
    card: Card
    hand: Hand
    rule: str
    squeezed_by: str | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """One insurance bet on offer, its hand and its odds."""

    on: str
    hand: Hand
    odds: Odds
    rule: str


@dataclass(frozen=True, slots=True)
class InsuranceOffered(Event):
    """An insurance window opened. It closes with the next card."""

    round: int
    window: Window
    offers: tuple[Offered, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class SqueezeAsked(Event):
    """A patron asked for a squeeze."""

    round: int
    patron: str
    what: SqueezeOf
    rule: str


@dataclass(frozen=True, slots=True)
class SqueezeAnswered(Event):
    """The House answered. Consent to see Banker's third card first waives the second window for everyone."""

    round: int
    patron: str
    what: SqueezeOf
    consent: bool
    waives_second_window: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ResultDeclared(Event):
    """All cards are dealt."""

    round: int
    winner: Winner
    player_points: int
    banker_points: int
    rule: str


@dataclass(frozen=True, slots=True)
class RoundSettled(Event):
    """Every bet still in the round ended: by a line of the rules, or by a return."""

    round: int
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    returned: tuple[Returned, ...]
    house_cents: Cents


@dataclass(frozen=True, slots=True)
class RoundVoided(Event):
    """The round has no result. Every bet still in it is returned."""

    round: int
    cards: tuple[Card, ...]
    lines: tuple[Returned, ...]
    rule: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundAdjusted(Event):
    """The settled round was corrected before the next one. `void` means that it has no result any more."""

    round: int
    lines: tuple[Adjustment, ...]
    void: bool
    rule: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class RoundClosed(Event):
    """The round is over."""

    round: int


# ------------------------------------------------------------------------------------------- incidents


@dataclass(frozen=True, slots=True)
class IncidentReported(Event):
    """An incident was reported. `case` is its number."""

    case: int
    round: int
    situation: str
    facts: Facts


class Finding(StrEnum):
    """The effect of a ruling, where its name does not say it."""

    NOTHING_TO_VOID = "nothing-to-void"
    SEEN_TOO_LATE = "seen-too-late"
    CONCLUDED = "concluded"
    UNDECIDED = "undecided"
    NOT_RECONSTRUCTIBLE = "not-reconstructible"


@dataclass(frozen=True, slots=True)
class IncidentRuled(Event):
    """The sheet's answer, with its paragraph."""

    case: int
    ruling: Ruling
    rule: str | None
    finding: Finding | None = None


@dataclass(frozen=True, slots=True)
class IncidentReferred(Event):
    """No paragraph answers. The round is held for a decision."""

    case: int
    to: Role
    rule: str | None


@dataclass(frozen=True, slots=True)
class OrderAsked(Event):
    """Cards came out at the same time. The round is held until someone with authority decides their order."""

    case: int
    to: Role
    cards: tuple[Card, ...]
    rule: str | None


@dataclass(frozen=True, slots=True)
class ApprovalAsked(Event):
    """The ruling needs a higher role than the reporter's. The round is held until that role approves."""

    case: int
    to: Role
    rule: str | None


@dataclass(frozen=True, slots=True)
class CorrectionAsked(Event):
    """The shoe's readings have a gap. The round is held until someone corrects the cards."""

    case: int
    to: Role
    expected: int
    got: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class CardsRelaid(Event):
    """The cards of the round were put in their intended order. Cards it does not need are carried to the next round.

    `burned` cards are discarded. `reading` is the last reading of the electronic shoe after this.
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
    """These patrons may continue or take their bets back. The round is held until each has chosen."""

    case: int
    round: int
    patrons: tuple[str, ...]
    reconstructed: bool
    rule: str | None
    continue_rule: str | None
    take_back_rule: str | None


@dataclass(frozen=True, slots=True)
class OptionChosen(Event):
    """A patron chose."""

    case: int
    patron: str
    option: Option
    rule: str | None


@dataclass(frozen=True, slots=True)
class BetsReturned(Event):
    """Bets left the round with their whole stake."""

    round: int
    lines: tuple[Returned, ...]


@dataclass(frozen=True, slots=True)
class InsuranceClaimed(Event):
    """Patrons had meant to insure. If that insurance would have won, their original bets are returned."""

    case: int
    round: int
    window: Window
    claims: tuple[Claim, ...]
    rule: str | None


@dataclass(frozen=True, slots=True)
class ConfirmationAsked(Event):
    """A void or an adjustment waits for a second person. `events` follow if that person approves."""

    case: int
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class DecisionMade(Event):
    """The case was decided, with the reason."""

    case: int
    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class LimitsLifted(Event):
    """By decision, bets over the limits are settled without scaling."""

    case: int
    round: int


@dataclass(frozen=True, slots=True)
class CaseClosed(Event):
    """The case waits for nothing more. The round continues in the phase that its cards give."""

    case: int


EVENTS: dict[str, type[Event]] = {
    kind_of(each): each
    for each in (
        TableOpened,
        TableClosed,
        ShoeLoaded,
        CutCardDrawn,
        ShoeRemoved,
        PatronSeated,
        PatronStood,
        PatronLeft,
        BetPlaced,
        BetRaised,
        BetWithdrawn,
        BetDisplaced,
        RaiseAsked,
        BetsOpened,
        BetsClosed,
        CardDealt,
        InsuranceOffered,
        SqueezeAsked,
        SqueezeAnswered,
        ResultDeclared,
        RoundSettled,
        RoundVoided,
        RoundAdjusted,
        RoundClosed,
        IncidentReported,
        IncidentRuled,
        IncidentReferred,
        OrderAsked,
        ApprovalAsked,
        CorrectionAsked,
        CardsRelaid,
        OptionsOffered,
        OptionChosen,
        BetsReturned,
        InsuranceClaimed,
        ConfirmationAsked,
        DecisionMade,
        LimitsLifted,
        CaseClosed,
        CardOpened,
        DecksChecked,
        CardsShuffled,
        CardsBurned,
        ShoeCounted,
    )
}
"""Every event by its name in JSON."""
