"""What people ask of a table. A command carries who gives it; time, ids and the order of cards come from outside."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from punto.rules.cards import Card
from punto.rules.differential import ONE_CENT
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.sheet import Role

PATRON_ROLE = "patron"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a person, with a role on the staff or (None) as a patron. Written `dealer:dan`, `patron:ann`."""

    person: str
    role: Role | None = None

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Read `role:person`; a ValueError says what is wrong."""
        role, colon, person = text.partition(":")
        if not colon or not person or role not in {PATRON_ROLE, *Role}:
            raise ValueError(f"{text!r} is not role:person with a role of {PATRON_ROLE}, {', '.join(Role)}")
        return cls(person, None if role == PATRON_ROLE else Role(role))

    @property
    def text(self) -> str:
        """The actor as it is written."""
        return f"{self.role or PATRON_ROLE}:{self.person}"

    def may_act_as(self, role: Role) -> bool:
        """Whether this actor has at least the authority of a role."""
        return self.role is not None and self.role.level >= role.level


@dataclass(frozen=True, slots=True)
class Command:
    """What every command carries."""

    by: Actor


# ------------------------------------------------------------------------------------------- the table and its shoe


@dataclass(frozen=True, slots=True)
class BetLimits:
    """The least and the most that may be staked on a side bet or on insurance in one box by one patron."""

    on: str
    minimum_cents: Cents
    maximum_cents: Cents


@dataclass(frozen=True, slots=True)
class OpenTable(Command):
    """Open a table. A game on player terminals has no layout: its terminals are counted in `boxes`."""

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


@dataclass(frozen=True, slots=True)
class CloseTable(Command):
    """Close the table between rounds."""


@dataclass(frozen=True, slots=True)
class LoadShoe(Command):
    """Put a shoe in: with its order (a virtual shoe), or empty of it when cards are read one by one as they come.

    `cut` counts the cards before the cut card; None where nobody knows, and the Dealer says when it comes. A
    commitment to the order, made elsewhere, may be shown with the shoe.
    """

    cards: tuple[Card, ...] = ()
    cut: int | None = None
    commitment: str | None = None
    salt: str | None = None


@dataclass(frozen=True, slots=True)
class CutCard(Command):
    """The cut card came out of a shoe that is read card by card."""


@dataclass(frozen=True, slots=True)
class ReplaceShoe(Command):
    """Take the shoe out of play when this round ends, or now between rounds."""

    reason: str


# ------------------------------------------------------------------------------------------- patrons and bets


@dataclass(frozen=True, slots=True)
class Sit(Command):
    """A patron sits down at a box."""

    patron: str
    box: int


@dataclass(frozen=True, slots=True)
class Stand(Command):
    """A patron stands behind a box, to bet on it with the one who sits there."""

    patron: str
    box: int


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """A patron goes; bets that lie on the layout stay."""

    patron: str


@dataclass(frozen=True, slots=True)
class PlaceBet(Command):
    """A new bet. `round` guards against a bet meant for another round."""

    patron: str
    box: int
    on: str
    stake_cents: Cents
    round: int | None = None


@dataclass(frozen=True, slots=True)
class RaiseBet(Command):
    """More on a bet that lies."""

    patron: str
    box: int
    on: str
    add_cents: Cents
    round: int | None = None


@dataclass(frozen=True, slots=True)
class WithdrawBet(Command):
    """Less on a bet that lies, or (None) all of it."""

    patron: str
    box: int
    on: str
    take_cents: Cents | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class RecordBet(Command):
    """At a live table: what lies on a spot of the layout, whatever the limits. A stake of zero says it is empty."""

    patron: str
    box: int
    on: str
    stake_cents: Cents


@dataclass(frozen=True, slots=True)
class Insure(Command):
    """Insurance on a hand in the window that is open; again for more."""

    patron: str
    box: int
    on: str
    stake_cents: Cents
    round: int | None = None


# ------------------------------------------------------------------------------------------- the round


@dataclass(frozen=True, slots=True)
class OpenBets(Command):
    """Call for bets: a round begins."""


@dataclass(frozen=True, slots=True)
class CloseBets(Command):
    """Call that no more bets are taken."""


@dataclass(frozen=True, slots=True)
class Deal(Command):
    """The next card: out of the order of a virtual shoe, or the one that was read.

    `reading` counts what an electronic shoe sends, so that a repeat is known and a gap stops the round.
    """

    card: Card | None = None
    reading: int | None = None


class SqueezeOf(StrEnum):
    """What a patron asks for at a face-down table."""

    CARD = "card"
    BANKER_THIRD_FIRST = "banker-third-first"
    SHOW_BANKER_THIRD = "show-banker-third"

    @property
    def waives(self) -> bool:
        """Whether consent takes the second insurance window from everyone."""
        return self is not SqueezeOf.CARD


@dataclass(frozen=True, slots=True)
class AskSqueeze(Command):
    """A patron asks to squeeze a card, or to see Banker's third before Player's is opened."""

    patron: str
    what: SqueezeOf


@dataclass(frozen=True, slots=True)
class AnswerSqueeze(Command):
    """The House consents or does not."""

    consent: bool


@dataclass(frozen=True, slots=True)
class Settle(Command):
    """Settle the finished round."""


# ------------------------------------------------------------------------------------------- irregularities


@dataclass(frozen=True, slots=True)
class Claim:
    """A patron's original bet that was meant to be insured."""

    patron: str
    box: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Facts:
    """What was seen. Each situation asks for its own; the rest stay empty.

    `cards` are all cards of the round in the order in which they left the shoe, a card too many or an exposed one at
    its place among them; for cards that came out at once, only those, in any order. `hand` is the hand that has the
    wrong number of cards.
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


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Report(Command):
    """An irregularity, by its id."""

    situation: str
    facts: Facts = NO_FACTS


class Option(StrEnum):
    """What a patron may choose after a dealing error."""

    CONTINUE = "continue"
    TAKE_BACK = "take-back"


@dataclass(frozen=True, slots=True)
class Choose(Command):
    """A patron's choice between going on and having the bets back."""

    patron: str
    option: Option
    round: int | None = None


class Decision(StrEnum):
    """What someone with authority may answer to an open case."""

    VOID = "void"
    CONTINUE = "continue"
    OPTIONS = "options"
    RECONSTRUCT = "reconstruct"
    ORDER = "order"
    APPROVE = "approve"
    DECLINE = "decline"


@dataclass(frozen=True, slots=True)
class Decide(Command):
    """The answer of the one whom an open case waits for; `cards` give the order where one is asked for."""

    decision: Decision
    reason: str = ""
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectCards(Command):
    """The cards of the round were read or keyed wrongly: these are the ones that lie, in the order they came."""

    cards: tuple[Card, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Recover(Command):
    """After a technical interruption: conclude or void the round by the sheet, or refer it."""


def kind_of(each: type) -> str:
    """The name under which a class travels in JSON: PlaceBet is `place-bet`."""
    return _kebab(each.__name__)


@cache
def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


COMMANDS: dict[str, type[Command]] = {
    kind_of(each): each
    for each in list(globals().values())
    if isinstance(each, type) and issubclass(each, Command) and each is not Command
}
"""Every command under its name in JSON."""
