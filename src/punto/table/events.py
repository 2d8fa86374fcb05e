"""The events of a table, which make up its log. State, ledger, displays and audits are computed from them.

Money moves only in BetPlaced, BetRaised, BetWithdrawn and BetDisplaced (stakes), in the lines of BetsReturned,
BetsPaid, RoundVoided and RoundSettled (each bet ends in exactly one of them), in RoundAdjusted (corrections of a
settled round), and in AmountDecided.

Class and field names are stored in logs, so they stay: `CardsRelaid`, `as_it_lies` and `why` too.
"""

from __future__ import annotations

from collections import Counter
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
    DECIDED = "decided"


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
class Paid:
    """A bet that ended by a decision before the round was settled: what it returned in all, and at which odds."""

    bet: Bet
    odds: Odds
    returned_cents: Cents
    rule: str | None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A correction of a settled bet: what it returned, what it should have returned, and the difference.

    `line` is the bet's new line, where the rules settled it again. What someone with authority `decided` for a bet
    stays when the cards of its round are corrected.
    """

    bet: Bet
    before_cents: Cents
    after_cents: Cents
    correction_cents: Cents
    rule: str | None
    line: Line | None = None
    decided: bool = False


class BoxProblem(StrEnum):
    """What the Dealer should put right in a box before bets close."""

    OVER_DIFFERENTIAL = "over-differential"
    BELOW_MINIMUM = "below-minimum"
    ABOVE_MAXIMUM = "above-maximum"
    NO_SEATED_BET = "no-seated-bet"


@dataclass(frozen=True, slots=True)
class BoxWarning:
    """A box to check before bets close: what is wrong, the amount placed, and the limit it should keep, if any.

    It is about one bet of a patron, or (without them) about the whole box.
    """

    problem: BoxProblem
    box: int
    amount_cents: Cents
    limit_cents: Cents | None
    rule: str | None
    patron: str | None = None
    on: str | None = None


# ------------------------------------------------------------------------------------------- the table and its shoe


@dataclass(frozen=True, slots=True)
class TableOpened(Event):
    """A table was opened with these settings. `effective` is the edition of the sheet, `fingerprint` its SHA-256.

    Logs of earlier versions have no fingerprint, and live tables without `second_person`; there one person alone could
    void and correct.
    """

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
    second_role: Role = Role.PIT_SUPERVISOR
    private: bool = False
    waiver_consent: Consent = Consent.ASK
    device: Device = Device.CARD_SHOE
    burn: Burn = Burn.NONE
    name: str = ""
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class LimitsChanged(Event):
    """The limits were changed between rounds. They take effect with the call that opens `from_round`."""

    from_round: int
    minimum_cents: Cents
    differential_cents: Cents
    sides: tuple[BetLimits, ...]
    rule: str | None


@dataclass(frozen=True, slots=True)
class InsuranceChanged(Event):
    """At a patron's request a private table offers insurance from `from_round` on, or offers it no more."""

    from_round: int
    patron: str
    offered: bool
    rule: str


@dataclass(frozen=True, slots=True)
class TableClosed(Event):
    """The table was closed. Shoe and seats stay for its next opening if `keeps` says so."""

    keeps: bool = False


@dataclass(frozen=True, slots=True)
class PlaySuspended(Event):
    """No round begins until play is resumed. A round in progress is finished."""

    reason: str


@dataclass(frozen=True, slots=True)
class PlayResumed(Event):
    """Rounds may begin again."""


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
    """A patron left. Placed bets stay and are settled, by `rule` if the sheet has one.

    With `absent`, the House freed the place of a patron who was gone.
    """

    patron: str
    rule: str | None
    bets_stay: bool = False
    absent: bool = False


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


# ------------------------------------------------------------------------------------------- staff


@dataclass(frozen=True, slots=True)
class StaffOnDuty(Event):
    """Someone came on duty at the table, in their own position."""


@dataclass(frozen=True, slots=True)
class StaffOffDuty(Event):
    """Someone went off duty."""


@dataclass(frozen=True, slots=True)
class PositionAssigned(Event):
    """Someone on duty acts in this position from now on, which may be their own again."""

    person: str
    own: Role
    position: Role
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
    """Bets closed with the second call. `warnings` are the boxes that were still to be checked."""

    round: int
    says: str
    rule: str
    warnings: tuple[BoxWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class CardDealt(Event):
    """A card was dealt to a hand. `place` counts from 1. A `carried` card left the shoe in the previous round.

    A `closed` card waits to be opened. The order of a virtual shoe tells its value; one that was read from a real shoe
    is for the log alone (see `public`). A face-down card that is not closed was named as it was dealt.
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
class InsuranceAnnounced(Event):
    """A patron told the Dealer in the first window to insure later. That keeps the right to the second window."""

    round: int
    patron: str
    rule: str


@dataclass(frozen=True, slots=True)
class InsuranceForgone(Event):
    """These patrons let an offer of the first window pass. They cannot insure in the second window of this round."""

    round: int
    patrons: tuple[str, ...]
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
class SqueezePassed(Event):
    """A patron gave up the squeeze of the card at a place. The Dealer opens it."""

    round: int
    patron: str
    place: int
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
    """A settled round was corrected, or a void one in which bets had been paid by decision.

    `void` means that a settled round has no result any more.

    `cards_before` are the cards as they had been recorded; earlier versions left them out where the cards stand.
    `cards` are as they actually were, empty where the cards stand. `shoe` is the shoe of the round. With `reverses`,
    the ledger reverses the old line of each bet and posts the new one. Logs of earlier versions have corrections
    without it, which post the difference alone.
    """

    round: int
    lines: tuple[Adjustment, ...]
    void: bool
    rule: str | None
    reason: str
    reverses: bool = False
    shoe: int | None = None
    cards_before: tuple[Card, ...] = ()
    cards: tuple[Card, ...] = ()


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
    """The ruling needs a higher role than the reporter's. The round is held until that role approves.

    About an earlier round `corrections` are what approval posts, and `cards` are those of the round: the state, from
    which the effect of an approval is worked out, holds the present only.
    """

    case: int
    to: Role
    rule: str | None
    corrections: tuple[Adjustment, ...] = ()
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectionAsked(Event):
    """The shoe's readings have a gap. The round is held until someone corrects the cards."""

    case: int
    to: Role
    expected: int
    got: int
    card: Card | None


class CardChange(StrEnum):
    """How recorded cards were changed."""

    ORDER = "order"
    ADDITION = "addition"
    REMOVAL = "removal"
    SUBSTITUTION = "substitution"

    @classmethod
    def between(cls, before: tuple[Card, ...], after: tuple[Card, ...]) -> CardChange:
        """The change from the cards that were recorded to those that are. New cards in another order are an order."""
        was, now = Counter(before), Counter(after)
        if was - now:
            return cls.SUBSTITUTION if now - was else cls.REMOVAL
        return cls.ORDER if after[: len(before)] != before or after == before else cls.ADDITION


@dataclass(frozen=True, slots=True)
class CardsRelaid(Event):
    """The recorded cards of the round were changed. Cards it does not need are carried to the next round.

    `burned` cards were discarded, in logs of earlier versions. `reading` is the last reading of the electronic shoe
    after this. `change` is None in logs of earlier versions.
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
    change: CardChange | None = None


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
    """A change of cards, a void or an adjustment waits for a second person. `events` follow if that person approves.

    `to` is the lowest role of that person; logs of earlier versions do not name it.
    """

    case: int
    events: tuple[Event, ...]
    to: Role | None = None


@dataclass(frozen=True, slots=True)
class DecisionMade(Event):
    """The case was decided, with the reason."""

    case: int
    decision: Decision
    reason: str


@dataclass(frozen=True, slots=True)
class LimitsLifted(Event):
    """By decision, bets over the Differential, or (`sides`) side bets over their maximum, are settled as they are."""

    case: int
    round: int
    sides: bool = False


@dataclass(frozen=True, slots=True)
class BetsPaid(Event):
    """By decision, bets left the round and were paid."""

    case: int
    round: int
    lines: tuple[Paid, ...]


@dataclass(frozen=True, slots=True)
class ProRataDecided(Event):
    """By decision, bets over the limits are scaled pro rata where the sheet has no rule for it."""

    case: int
    round: int


@dataclass(frozen=True, slots=True)
class AmountDecided(Event):
    """By decision, the House paid a patron an amount; a negative amount is taken from the patron."""

    case: int
    round: int
    patron: str
    amount_cents: Cents
    rule: str | None
    reason: str


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
        SqueezePassed,
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
        StaffOnDuty,
        StaffOffDuty,
        PositionAssigned,
        BetsPaid,
        ProRataDecided,
        AmountDecided,
        InsuranceAnnounced,
        InsuranceForgone,
        LimitsChanged,
        InsuranceChanged,
        CardOpened,
        DecksChecked,
        CardsShuffled,
        CardsBurned,
        ShoeCounted,
        PlaySuspended,
        PlayResumed,
    )
}
"""Every event by its name in JSON."""
