"""The refusals of a table: one class for each reason. If several apply, the first of the module is given.

Those that a table shares with records of rounds have their place here, too.
"""

from __future__ import annotations

from enum import StrEnum

from punto.rules import refusals as shared
from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import AskedBy, Device, Role
from punto.table.phases import Phase
from punto.table.values import Decision, SqueezeOf, Waits


class NotNow(Refusal):
    """The base of refusals of what can be done, but not as things stand now."""


# ------------------------------------------------------------------------------------------- who and when


class CommandUnknown(Refusal):
    """No command or event has this name."""

    name: str
    known: tuple[str, ...]


class NotPermitted(Refusal):
    """The actor lacks the authority; `role` has it, and every higher role."""

    role: str


class NotYours(Refusal):
    """A patron acts for someone else."""


class TableNotOpen(NotNow):
    """The table is not open."""


class RoundHeld(NotNow):
    """An open case holds the table; `waits` says what it waits for."""

    case: int
    waits: Waits
    role: Role | None


class BetsNotOpen(NotNow):
    """No round is open for bets; `call` opens the next."""

    call: str


class BetsClosed(NotNow):
    """Bets have closed with `call`; no bet can be placed, raised or withdrawn."""

    call: str


class NoInsurance(StrEnum):
    """The reasons for which no insurance is on offer."""

    NOT_IN_GAME = "not-in-game"
    NOT_AT_TABLE = "not-at-table"
    WAIVED = "waived"
    WINDOW_CLOSED = "window-closed"
    FORGONE = "forgone"


class InsuranceClosed(NotNow):
    """No insurance is on offer now."""

    problem: NoInsurance


class PlaceNotDue(NotNow):
    """The card was meant for another place of the round: somebody else dealt meanwhile."""

    place: int
    due: int


class ReadingRepeated(NotNow):
    """The electronic shoe repeated a reading; its card is dealt once."""

    reading: int


class WrongPhase(NotNow):
    """The command is not legal in this phase. A card that came out all the same is reported as `situation`."""

    command: str
    phase: Phase
    situation: str | None = None


class RoundMismatch(NotNow):
    """The command is meant for another round."""

    round: int
    current: int | None


# ------------------------------------------------------------------------------------------- the table and its shoe


class SheetIncomplete(Refusal):
    """The sheet is mathematics only: it leaves out what a table needs."""

    sheet: str
    missing: tuple[str, ...]


class GameMismatch(Refusal):
    """The command names another game than the table's sheet."""

    game: str
    sheet: str


class NameInvalid(Refusal):
    """A name is empty, too long, or cannot be printed."""


class TableNameInvalid(Refusal):
    """People cannot call a table by this name."""

    maximum_length: int


class LayoutNotAllowed(Refusal):
    """The sheet has no such layout, or no such number of boxes."""

    layout: str | None
    boxes: int | None
    known: tuple[str, ...]


DecksNotAllowed = shared.DecksNotAllowed
LimitsInvalid = shared.LimitsInvalid


class PrivateNotAllowed(Refusal):
    """The sheet does not let a table run without insurance."""


class SecondRoleTooLow(Refusal):
    """A second person has at least `role`."""

    role: Role


class NotPrivate(NotNow):
    """Only a private table may stop offering insurance."""


class RequestMissing(Refusal):
    """A table is opened without insurance at the request of a patron, who must be named."""


class AgreementMissing(NotNow):
    """Insurance is offered no more between rounds only if all patrons who are present agree."""


class DeviceNotAllowed(Refusal):
    """The sheet does not know this dealing device."""

    device: Device
    known: tuple[Device, ...]


class BurnNotAllowed(Refusal):
    """From a shuffler no card is burned: every round is dealt from the full set."""


class PlaySuspended(Refusal):
    """Play is suspended at the table, and no round begins until it is resumed."""

    reason: str


class ShoeInvalid(Refusal):
    """The order is not one of these decks, or the cut card is outside it."""

    decks: int
    cards: int


class ShoeMissing(NotNow):
    """No shoe is in play."""


class ShoeFinished(NotNow):
    """The shoe has had its last round, or is out of play; load a new one first."""

    shoe: int


class ShoeStays(NotNow):
    """The shoe stays in play: it was not removed, and no ruling of this round allows that."""

    shoe: int


class CutCardKnown(NotNow):
    """The place of the cut card is known, or the cut card came out already."""


class NoCutCard(NotNow):
    """A shuffler has no cut card."""


class BurnPending(NotNow):
    """The first card of the shoe has not been burned yet."""


class BurnNotDue(NotNow):
    """No card is to be burned now."""


class CountNotDue(NotNow):
    """The shoe was counted already, or its order is known."""


class ShoeEmpty(NotNow):
    """The shoe has no card left."""


class CardNotGiven(Refusal):
    """This shoe is read one card at a time, and no card was given."""


class CardNotNext(Refusal):
    """The card is not the next one of the shoe."""

    card: Card


CardCopies = shared.CardCopies
BoxUnknown = shared.BoxUnknown


# ------------------------------------------------------------------------------------------- patrons and bets


class BoxTaken(NotNow):
    """Another patron sits at the box."""

    box: int


class StandingClosed(Refusal):
    """The House takes no bets behind a box at this table."""


class NobodySeated(NotNow):
    """Nobody sits at the box, so nobody can stand behind it."""

    box: int


class AlreadyThere(NotNow):
    """The patron has a place at this box, or a seat at another."""

    box: int


class NotAtBox(Refusal):
    """The patron has no place at the box, or (without one) at the table."""

    box: int | None


class PatronAway(NotNow):
    """The patron walked away from this round."""


BetNotOffered = shared.BetNotOffered


class NotLive(Refusal):
    """Staff record bets, and do what a patron asks of them, only at a live table."""


class TerminalsOnly(Refusal):
    """Bets of this game are made at the player terminals alone; staff make none, and there are no chips to record."""


class BetExists(NotNow):
    """The bet was placed already; it can be raised."""

    box: int
    on: str


class BetUnknown(Refusal):
    """There is no such bet."""

    box: int | None
    on: str | None


InsuranceHandNotOnOffer = shared.InsuranceHandNotOnOffer
InsuranceWithoutOriginal = shared.InsuranceWithoutOriginal
StakeInvalid = shared.StakeInvalid
StakeOffUnit = shared.StakeOffUnit


class StakeBelowMinimum(Refusal):
    """The bet would be below the minimum: raise it or withdraw it."""

    on: str
    stake_cents: Cents
    minimum_cents: Cents


class StakeAboveMaximum(Refusal):
    """The bet would pass the maximum of this side bet."""

    on: str
    stake_cents: Cents
    maximum_cents: Cents


class OverDifferential(Refusal):
    """The box would pass the maximum Differential; at most `maximum_cents` can be added on this bet."""

    box: int
    on: str
    differential_cents: Cents
    maximum_cents: Cents


class NoSeatedBet(NotNow):
    """Nobody who sits at the box has a bet in it, so no standing bet is taken there."""

    box: int


InsuranceOverCap = shared.InsuranceOverCap


class NothingToChange(NotNow):
    """The table runs in this way already."""


class NothingToAnnounce(NotNow):
    """The patron has no offer that the next card would forgo, so no announcement is recorded."""


class NothingToDecline(NotNow):
    """The patron has no insurance on offer, or answered the offer of this window already."""


class WithinLimits(NotNow):
    """No bet is outside the limits in this way."""


class OutsideLimits(NotNow):
    """Bets in these boxes are outside the limits, and the call to close has no reason."""

    boxes: tuple[int, ...]


# ------------------------------------------------------------------------------------------- squeeze


class SqueezeNotOffered(Refusal):
    """The sheet or the table does not offer this squeeze."""

    squeeze: SqueezeOf


class SqueezeTooLate(NotNow):
    """The card of this squeeze has come, or will not come."""

    squeeze: SqueezeOf


class SqueezeNotHighest(Refusal):
    """The sheet does not let this patron ask."""

    asked_by: AskedBy


class SqueezePending(NotNow):
    """Another request came first and waits for the House's answer."""


class SqueezeRepeated(NotNow):
    """The patron has asked this for the same card, or another has its squeeze; the House's answer stands."""


class SqueezeNotAsked(NotNow):
    """There is no request to answer."""


class SqueezeUncertain(NotNow):
    """Banker's third card is not certain to come, so it cannot come before Player's third is opened."""


class CardNotClosed(NotNow):
    """There is no closed card at this place, or (without one) on the table."""

    place: int | None


class SqueezeNotGranted(Refusal):
    """The patron has no permission to open the card at this place or, without one, any closed card."""

    place: int | None


class CardStaysClosed(NotNow):
    """Banker's third card must be open before the card at this place is opened."""

    place: int


class CardKnown(Refusal):
    """The table knows the card at this place; it is opened without naming it."""

    place: int


# ------------------------------------------------------------------------------------------- incidents


class SituationUnknown(Refusal):
    """No situation of this game has this name."""

    situation: str
    known: tuple[str, ...]


class AlreadyOnDuty(NotNow):
    """The actor is on duty at the table already."""


class NotOnDuty(NotNow):
    """Nobody of this name is on duty at the table; without a name, nobody else is."""

    person: str | None


class PositionNotAssignable(Refusal):
    """The actor cannot let anyone act in this position; `positions` are those that they can assign."""

    position: str
    positions: tuple[str, ...]


class SamePerson(Refusal):
    """A second person must confirm."""


class DecisionNotOpen(NotNow):
    """The open case does not wait for this decision."""

    case: int
    waits: Waits
    decisions: tuple[Decision, ...]


class NoChoiceOpen(NotNow):
    """The patron has no choice to make."""


class ReasonMissing(Refusal):
    """The decision needs a reason."""


class FactsMissing(Refusal):
    """The ruling needs facts that were not given."""

    situation: str
    facts: tuple[str, ...]


class Contradiction(StrEnum):
    """The reasons for which facts are not possible at this table in this phase."""

    ALREADY_VOID = "already-void"
    BETS_OPEN = "bets-open"
    CARDS_CLOSED = "cards-closed"
    CARDS_KNOWN = "cards-known"
    CARDS_MISSING = "cards-missing"
    CUT_CARD_IN = "cut-card-in"
    DEALT_FACE_UP = "dealt-face-up"
    ENOUGH_CARDS = "enough-cards"
    FEW_CARDS_LEFT = "few-cards-left"
    FORGONE = "forgone"
    HANDS_NOT_DEALT = "hands-not-dealt"
    NO_BET = "no-bet"
    NO_CARD_YET = "no-card-yet"
    NO_INSURANCE = "no-insurance"
    NO_OFFER = "no-offer"
    NO_ROUND = "no-round"
    NOT_NEGLECTED = "not-neglected"
    NOT_BELOW_MINIMUM = "not-below-minimum"
    NOT_THESE_CARDS = "not-these-cards"
    NOTHING_OVER = "nothing-over"
    NUMBER_RIGHT = "number-right"
    OFFERED = "offered"
    ONE_CARD = "one-card"
    RECONSTRUCTIBLE = "reconstructible"
    ROUND_NOT_OVER = "round-not-over"
    SETTLED = "settled"
    SHOE_KNOWN = "shoe-known"
    WALKED_AWAY = "walked-away"
    WAIVED = "waived"
    WAS_AWAY = "was-away"
    WINDOW_OPEN = "window-open"
    SAME_CARDS = "same-cards"
    BETTING = "betting"


class FactsContradict(Refusal):
    """The facts are not possible at this table in this phase; `problem` says why."""

    problem: Contradiction
    cards: tuple[Card, ...] = ()
    hand: Hand | None = None


class NothingToRecover(NotNow):
    """No round is in progress."""


class RoundNotSettled(NotNow):
    """No round of this number has been settled."""

    round: int


CardMissing = shared.CardMissing
CardTooMany = shared.CardTooMany


class InputsMissing(Refusal):
    """The decision needs something that was not given."""

    decision: Decision
    inputs: tuple[str, ...]


class AmountOutOfRange(Refusal):
    """The amount is not positive, or too large."""

    amount_cents: Cents


_BASES = (Refusal, NotNow)
TABLE_REFUSALS: tuple[type[Refusal], ...] = tuple(
    [each for each in globals().values() if isinstance(each, type) and issubclass(each, Refusal) and each not in _BASES]
)
"""The refusals of commands in order of precedence: who, when, then what."""
