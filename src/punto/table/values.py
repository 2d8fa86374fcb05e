"""Values that commands, events and the state of a table share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents, Odds
from punto.rules.settlement import Bet, Line


class Spot(NamedTuple):
    """The key of a placed bet: patron, box, bet and, for insurance, window."""

    box: int
    patron: str
    on: str
    window: Window | None = None


def spot_of(bet: Bet) -> Spot:
    """The spot of a bet."""
    return Spot(bet.box, bet.patron, bet.on, bet.window)


def printable(name: str) -> bool:
    """True if a name can be shown to people."""
    return bool(name.strip()) and name.isprintable()


# ------------------------------------------------------------------------------------------- settings


@dataclass(frozen=True, slots=True)
class BetLimits:
    """The minimum and maximum stake of one patron on a side bet or on insurance in one box."""

    on: str
    minimum_cents: Cents
    maximum_cents: Cents


class Consent(StrEnum):
    """The House's policy on requests that waive the second insurance window for everyone."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


class Burn(StrEnum):
    """The cards that are burned before the first round of a shoe: none, or the first card and as many as it counts."""

    NONE = "none"
    FIRST_CARD = "first-card"


# ------------------------------------------------------------------------------------------- squeezes


class SqueezeOf(StrEnum):
    """The cards that a patron may ask to squeeze at a face-down table."""

    CARD = "card"
    BANKER_THIRD_FIRST = "banker-third-first"
    SHOW_BANKER_THIRD = "show-banker-third"

    @property
    def waives(self) -> bool:
        """True if consent cancels the second insurance window for everyone."""
        return self is not SqueezeOf.CARD


# ------------------------------------------------------------------------------------------- ends of bets


class ReturnReason(StrEnum):
    """The reason for which a whole stake was returned without a result."""

    VOID = "void"
    OPTION = "option"
    RECONSTRUCTED = "reconstructed"
    INSURANCE_NEGLECTED = "insurance-neglected"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Returned:
    """A bet that ended with the return of its whole stake, and the paragraph (None where the House decided)."""

    bet: Bet
    reason: ReturnReason
    rule: str | None

    result = Result.RETURNED
    net_cents = Cents(0)

    @property
    def returned_cents(self) -> Cents:
        """The returned amount."""
        return self.bet.stake_cents


@dataclass(frozen=True, slots=True)
class Paid:
    """A bet that ended by a decision before the round was settled: what it returned in all, and at which odds."""

    result = Result.WIN

    bet: Bet
    odds: Odds
    returned_cents: Cents
    rule: str | None

    @property
    def net_cents(self) -> Cents:
        """The patron's gain."""
        return Cents(self.returned_cents - self.bet.stake_cents)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A correction of a settled bet: what it returned, what it should have returned, and the difference.

    `line` is the bet's new line, where the rules settled it again. What someone with authority `decided` for a bet
    stays when the cards of its round are corrected.
    """

    result = Result.RETURNED

    bet: Bet
    before_cents: Cents
    after_cents: Cents
    correction_cents: Cents
    rule: str | None
    line: Line | None = None
    decided: bool = False

    @property
    def net_cents(self) -> Cents:
        """The patron's gain by the correction."""
        return self.correction_cents


@dataclass(frozen=True, slots=True)
class RecordedBet:
    """A bet of a round that has ended, and what it has returned by now, corrections included.

    `decided` says that someone with authority decided what it returns.
    """

    bet: Bet
    returned_cents: Cents
    decided: bool = False


def adjustment(
    ended: RecordedBet | Paid, after: int, rule: str | None, line: Line | None = None, *, decided: bool = False
) -> Adjustment:
    """The correction of a bet that has ended from what it returned to what it should have."""
    before = ended.returned_cents
    return Adjustment(ended.bet, before, Cents(after), Cents(after - before), rule, line, decided)


BetLine = Line | Returned | Paid | Adjustment
"""The lines that end a bet."""

ToldCode = Literal[
    "round-voided",
    "bets-returned",
    "bets-paid",
    "voided-later",
    "round-adjusted",
    "correction-owed",
    "amount-decided",
    "amount-owed",
]
"""The kinds of news that a patron must read."""


class Told(NamedTuple):
    """News that a patron must read: as what, and the amount."""

    patron: str
    code: ToldCode
    cents: int


def sums_told(code: ToldCode, amounts: Iterable[tuple[str, int]]) -> tuple[Told, ...]:
    """The same news to several patrons, each with the sum of their amounts."""
    sums = Counter[str]()
    for patron, cents in amounts:
        sums[patron] += cents
    return tuple([Told(patron, code, cents) for patron, cents in sums.items()])


# ------------------------------------------------------------------------------------------- before bets close


class BoxProblem(StrEnum):
    """The problems of a box that the Dealer should put right before bets close."""

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


# ------------------------------------------------------------------------------------------- incidents


@dataclass(frozen=True, slots=True)
class Claim:
    """A patron's original bet that was meant to be insured."""

    patron: str
    box: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of an incident. Each situation needs its own facts; the others stay empty.

    `cards` are all cards of the round in the order in which they left the shoe, including an excess or exposed card.
    For cards that came out at the same time, `cards` are only those, in any order. `hand` is the hand that has the
    wrong number of cards, and `hand_count` that number. `player_cards` and `banker_cards` are those that lie in each
    hand, where the hands go on as they are.
    """

    cards: tuple[Card, ...] = ()
    reconstructible: bool | None = None
    hand: Hand | None = None
    patron: str | None = None
    box: int | None = None
    on: str | None = None
    window: Window | None = None
    claims: tuple[Claim, ...] = ()
    round: int | None = None
    note: str | None = None
    hand_count: int | None = None
    player_cards: tuple[Card, ...] = ()
    banker_cards: tuple[Card, ...] = ()


NO_FACTS = Facts()


class Option(StrEnum):
    """The options of a patron after a dealing error."""

    CONTINUE = "continue"
    TAKE_BACK = "take-back"


class Decision(StrEnum):
    """The decisions that can answer an open case."""

    VOID = "void"
    CONTINUE = "continue"
    OPTIONS = "options"
    RECONSTRUCT = "reconstruct"
    ORDER = "order"
    APPROVE = "approve"
    DECLINE = "decline"
    DISPUTE = "dispute"
    RETURN_BETS = "return-bets"
    PAY_BETS = "pay-bets"
    PAY_AMOUNT = "pay-amount"
    CHARGE_AMOUNT = "charge-amount"


class Waits(StrEnum):
    """The answer that an open case waits for."""

    CHOICES = "choices"
    DECISION = "decision"
    ORDER = "order"
    APPROVAL = "approval"
    CONFIRMATION = "confirmation"
    CORRECTION = "correction"


class CardChange(StrEnum):
    """The ways in which recorded cards were changed."""

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
