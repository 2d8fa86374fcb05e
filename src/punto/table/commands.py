"""The commands of a table. A command says who gives it; the caller supplies time, ids and the order of cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from punto.rules.cards import Card
from punto.rules.differential import ONE_CENT, Limits
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents, Odds
from punto.rules.refusals import kebab
from punto.rules.settlement import Bet
from punto.rules.sheet import Device, Role

PATRON_ROLE = "patron"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a person with a staff role, or a patron (role None). Written as `dealer:dan` or `patron:ann`.

    Whoever acts in another position has that as `role` and their own as `own`: `pit-supervisor:dan@dealer`.
    """

    person: str
    role: Role | None = None
    own: Role | None = None

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Parse `role:person` or `position:person@role`. Raises ValueError with the reason."""
        role, _, person = text.partition(":")
        if not person or role not in {PATRON_ROLE, *Role}:
            raise ValueError(f"{text!r} is not role:person with a role of {PATRON_ROLE}, {', '.join(Role)}")
        if role == PATRON_ROLE:
            return cls(person)
        name, at, own = person.rpartition("@")
        return cls(name, Role(role), Role(own)) if at and own in set(Role) else cls(person, Role(role))

    @property
    def text(self) -> str:
        """The actor as `role:person`, or as `position:person@role`."""
        return f"{self.role or PATRON_ROLE}:{self.person}" + (f"@{self.own}" if self.own else "")

    def may_act_as(self, role: Role) -> bool:
        """Whether this actor has at least the authority of a role, by their position or their own role."""
        if self.role is None:
            return False
        return self.role.level >= role.level or (self.own is not None and self.own.level >= role.level)


class Spot(NamedTuple):
    """The key of a placed bet: patron, box, bet and, for insurance, window."""

    box: int
    patron: str
    on: str
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """The base of all commands."""

    by: Actor


@dataclass(frozen=True, slots=True)
class PatronCommand(Command):
    """A command that a patron gives, or staff on the patron's behalf."""

    patron: str


@dataclass(frozen=True, slots=True)
class BetCommand(PatronCommand):
    """A patron's command about a bet in a box."""

    box: int
    on: str


# ------------------------------------------------------------------------------------------- the table and its shoe


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


@dataclass(frozen=True, slots=True)
class OpenTable(Command):
    """Open a table. A game on player terminals has no layout; `boxes` is the number of its terminals.

    At a live table changes of recorded cards, voids and adjustments wait for another person of at least `second_role`.
    `second_person` asks for the same at an automatic one. People call
    the table by its `name`; without one, by its id.
    Without a `waiver_consent` the House is asked at a live table; at an automatic one it never consents, so that one
    patron cannot end the second insurance window for all.
    """

    table: str
    game: str
    decks: int
    minimum_cents: Cents
    differential_cents: Cents
    unit_cents: Cents = ONE_CENT
    layout: str | None = None
    boxes: int | None = None
    sides: tuple[BetLimits, ...] = ()
    face_down: bool = False
    live: bool = False
    without_insurance: bool = False
    second_person: bool = False
    second_role: Role = Role.PIT_SUPERVISOR
    private: bool = False
    waiver_consent: Consent | None = None
    device: Device = Device.CARD_SHOE
    burn: Burn = Burn.NONE
    name: str = ""


@dataclass(frozen=True, slots=True)
class ChangeLimits(Command):
    """Between rounds, change the limits of the table. `sides` replaces all limits of side bets and insurance."""

    minimum_cents: Cents
    differential_cents: Cents
    sides: tuple[BetLimits, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeInsurance(PatronCommand):
    """Between rounds, offer insurance at a private table or offer it no more, as a patron asks."""

    offered: bool


@dataclass(frozen=True, slots=True)
class CloseTable(Command):
    """Close the table between rounds."""


@dataclass(frozen=True, slots=True)
class SuspendPlay(Command):
    """Let no round begin until play is resumed. A round in progress is finished, and everyone keeps their place."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResumePlay(Command):
    """Let rounds begin again."""


@dataclass(frozen=True, slots=True)
class LoadShoe(Command):
    """Load a shoe. A virtual shoe comes with its order in `cards`; otherwise cards are read one at a time.

    `cut` is the number of cards before the cut card. It is None where that is not known; the Dealer then reports the
    cut card. `commitment` is the hash of the order, if the caller made one.
    """

    cards: tuple[Card, ...] = ()
    cut: int | None = None
    commitment: str | None = None
    salt: str | None = None


@dataclass(frozen=True, slots=True)
class CheckDecks(Command):
    """Record that the decks for the next shoe were checked, with the number of cards found."""

    count: int


@dataclass(frozen=True, slots=True)
class ShuffleCards(Command):
    """Record that the cards for the next shoe were shuffled."""


@dataclass(frozen=True, slots=True)
class BurnCards(Command):
    """Burn the first card of a new shoe, which is named, and as many unseen cards as it counts."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class CountShoe(Command):
    """Record the count of all cards of a shoe after its last round."""

    count: int


@dataclass(frozen=True, slots=True)
class CutCard(Command):
    """Report that the cut card came out of a shoe that is read one card at a time."""


@dataclass(frozen=True, slots=True)
class ReplaceShoe(Command):
    """Take the shoe out of play: at the end of this round, or now if no round is in progress."""

    reason: str


# ------------------------------------------------------------------------------------------- patrons and bets


@dataclass(frozen=True, slots=True)
class Sit(PatronCommand):
    """Seat a patron at a box."""

    box: int


@dataclass(frozen=True, slots=True)
class Stand(PatronCommand):
    """Let a patron stand behind a box and bet on it together with the seated patron."""

    box: int


@dataclass(frozen=True, slots=True)
class Leave(PatronCommand):
    """Let a patron leave. Bets that were placed stay. With `absent`, the House frees the place of one who is gone."""

    absent: bool = False


@dataclass(frozen=True, slots=True)
class PlaceBet(BetCommand):
    """Place a new bet. With `round`, the bet is refused in any other round."""

    stake_cents: Cents
    round: int | None = None


@dataclass(frozen=True, slots=True)
class RaiseBet(BetCommand):
    """Add to a placed bet."""

    add_cents: Cents
    round: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawBet(BetCommand):
    """Take back part of a placed bet, or all of it (None)."""

    take_cents: Cents | None = None
    round: int | None = None


class BetStake(NamedTuple):
    """A bet, and how much shall be staked on it."""

    on: str
    stake_cents: Cents


@dataclass(frozen=True, slots=True)
class PlaceBets(PatronCommand):
    """Let a patron's bets in a box stand as `stakes` says. A bet that is not named is withdrawn.

    All changes are made, or none. Whoever sends the same stakes again changes nothing.
    """

    box: int
    stakes: tuple[BetStake, ...]
    round: int | None = None


@dataclass(frozen=True, slots=True)
class RecordBet(BetCommand):
    """At a live table, record the chips on a spot of the layout, whatever the limits. Zero means that it is empty."""

    stake_cents: Cents


@dataclass(frozen=True, slots=True)
class Insure(BetCommand):
    """Insure a hand in the open window, or add to that insurance."""

    stake_cents: Cents
    round: int | None = None


@dataclass(frozen=True, slots=True)
class AnnounceInsurance(PatronCommand):
    """At a live table, record within the first window that a patron told the Dealer to insure later in the round."""


# ------------------------------------------------------------------------------------------- staff


@dataclass(frozen=True, slots=True)
class ComeOnDuty(Command):
    """Come on duty at the table."""


@dataclass(frozen=True, slots=True)
class GoOffDuty(Command):
    """Go off duty. Acting in another position ends with it."""


@dataclass(frozen=True, slots=True)
class AssignPosition(Command):
    """Let someone who is on duty act in another position; without a position, in their own again."""

    person: str
    position: Role | None = None


# ------------------------------------------------------------------------------------------- the round


@dataclass(frozen=True, slots=True)
class OpenBets(Command):
    """Call for bets. This begins a round."""


@dataclass(frozen=True, slots=True)
class CloseBets(Command):
    """Call that betting has ended."""


@dataclass(frozen=True, slots=True)
class Deal(Command):
    """Deal the next card: the next in a virtual shoe's order, or the card that was read.

    At a live face-down table the card may be left out: it is dealt closed and named when it is opened.
    `reading` is the running number of an electronic shoe's message. It detects repeats, and a gap holds the round.
    `place` is the card's place in the round, from 1: of two people who deal the same card the second is refused.
    """

    card: Card | None = None
    reading: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class OpenCard(Command):
    """Open a card that was dealt face down. `place` counts from 1; `card` names it where its value is not known yet.

    The patron who has the squeeze of the card opens it at a terminal. The Dealer may open every card.
    """

    place: int
    card: Card | None = None


class SqueezeOf(StrEnum):
    """What a patron may ask for at a face-down table."""

    CARD = "card"
    BANKER_THIRD_FIRST = "banker-third-first"
    SHOW_BANKER_THIRD = "show-banker-third"

    @property
    def waives(self) -> bool:
        """Whether consent cancels the second insurance window for everyone."""
        return self is not SqueezeOf.CARD


@dataclass(frozen=True, slots=True)
class AskSqueeze(PatronCommand):
    """Ask to squeeze a card, or to see Banker's third card before Player's is opened."""

    what: SqueezeOf


@dataclass(frozen=True, slots=True)
class AnswerSqueeze(Command):
    """Give the House's answer to a squeeze request."""

    consent: bool


@dataclass(frozen=True, slots=True)
class PassSqueeze(PatronCommand):
    """Give up the squeeze of the card at a place, which counts from 1. The Dealer opens that card."""

    place: int


@dataclass(frozen=True, slots=True)
class Settle(Command):
    """Settle the finished round."""


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
    wrong number of cards, and `hand_count` that number.
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


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class RecordedBet:
    """A bet of a settled round, and what it has returned by now, corrections included.

    `decided` says that someone with authority decided what it returns.
    """

    bet: Bet
    returned_cents: Cents
    decided: bool = False


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A settled round as it stands now: what a command about an earlier round needs to know of it.

    The state of a table holds the present only. Whoever gives such a command supplies the record of the round, which
    `round_record.record_of` makes from the log. `other_cards` are the other cards that left the shoe of the round.
    `order_known` says that the order of that shoe was known before it was dealt. `cards_at_settlement` are the cards by
    which the round was first settled: insurance was taken on the offers that they make. `paid` are the bets that ended
    by a decision before.
    """

    number: int
    shoe: int
    cards: tuple[Card, ...]
    bets: tuple[RecordedBet, ...]
    decks: int
    limits: Limits
    taken_back: tuple[Bet, ...] = ()
    other_cards: tuple[Card, ...] = ()
    cards_left: int = 0
    order_known: bool = False
    without_insurance: bool = False
    waived: bool = False
    limits_lifted: bool = False
    pro_rata: bool = False
    void: bool = False
    walked: Mapping[str, int] = field(default_factory=dict)
    claims: tuple[tuple[Window, Claim], ...] = ()
    cards_at_settlement: tuple[Card, ...] = ()
    forgone: frozenset[str] = frozenset()
    paid: tuple[RecordedBet, ...] = ()


@dataclass(frozen=True, slots=True)
class PastCommand(Command):
    """A command that may be about an earlier round. Its record is supplied where the command is decided.

    The record never travels: it is no part of the command that a person gives.
    """

    record: RoundRecord | None = field(default=None, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True, slots=True)
class Report(PastCommand):
    """Report an incident: the id of its situation, and its facts."""

    situation: str
    facts: Facts = NO_FACTS


class Option(StrEnum):
    """What a patron may choose after a dealing error."""

    CONTINUE = "continue"
    TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Choose(PatronCommand):
    """A patron's choice: continue, or take the bets back."""

    option: Option
    round: int | None = None


class Decision(StrEnum):
    """The decisions that can answer an open case."""

    VOID = "void"
    CONTINUE = "continue"
    OPTIONS = "options"
    RECONSTRUCT = "reconstruct"
    ORDER = "order"
    APPROVE = "approve"
    DECLINE = "decline"
    RETURN_BETS = "return-bets"
    PAY_BETS = "pay-bets"
    PRO_RATA = "pro-rata"
    PAY_AMOUNT = "pay-amount"
    CHARGE_AMOUNT = "charge-amount"


@dataclass(frozen=True, slots=True)
class Decide(PastCommand):
    """Decide the open case. `cards` is the order of the cards, where the case waits for one.

    `bets` are the bets that are returned, or paid at `odds`. `account` is the patron to whom `amount_cents` are paid,
    or from whom they are taken.
    """

    decision: Decision
    reason: str = ""
    cards: tuple[Card, ...] = ()
    bets: tuple[Spot, ...] = ()
    odds: Odds | None = None
    account: str | None = None
    amount_cents: Cents | None = None


@dataclass(frozen=True, slots=True)
class CorrectCards(Command):
    """Correct cards that were read or entered wrongly. `cards` are those on the table, in the order they came."""

    cards: tuple[Card, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CorrectRound(PastCommand):
    """Correct a settled round that was recorded wrongly. `cards` are its cards as they actually were."""

    round: int
    cards: tuple[Card, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Recover(Command):
    """After a technical interruption, conclude or void the round by the sheet, or refer it."""


def kind_of(each: type) -> str:
    """The name of a class in JSON: PlaceBet is `place-bet`."""
    return kebab(each.__name__)


COMMANDS: dict[str, type[Command]] = {
    kind_of(each): each
    for each in (
        OpenTable,
        CloseTable,
        LoadShoe,
        CutCard,
        ReplaceShoe,
        Sit,
        Stand,
        Leave,
        PlaceBet,
        RaiseBet,
        WithdrawBet,
        PlaceBets,
        RecordBet,
        Insure,
        OpenBets,
        CloseBets,
        Deal,
        AskSqueeze,
        AnswerSqueeze,
        Settle,
        Report,
        Choose,
        Decide,
        CorrectCards,
        Recover,
        ComeOnDuty,
        GoOffDuty,
        AssignPosition,
        CorrectRound,
        AnnounceInsurance,
        ChangeLimits,
        ChangeInsurance,
        OpenCard,
        PassSqueeze,
        CheckDecks,
        ShuffleCards,
        BurnCards,
        CountShoe,
        SuspendPlay,
        ResumePlay,
    )
}
"""Every command by its name in JSON."""
