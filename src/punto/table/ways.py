"""The acts open to someone, as data: for each command its refusal, or the ways in which it is accepted.

`choices` shows these to people and programs. Acts check commands against the same data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, dataclass_transform

from punto.rules.cards import Card
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table.actor import Actor
from punto.table.refusals import FactsContradict, FactsMissing, ReasonMissing
from punto.table.values import Claim, Spot

T = TypeVar("T")
RefusalKind = type[Refusal]
"""A refusal that has not happened."""


class Amount(NamedTuple):
    """The accepted amounts: from the minimum to the maximum in whole steps; none if the maximum is below the minimum.

    `below` and `above` refuse an amount one step outside. `also_cents` is one more accepted amount,
    above the maximum: the whole of a bet that is withdrawn.
    """

    minimum_cents: Cents
    maximum_cents: Cents
    step_cents: Cents
    below: RefusalKind
    above: RefusalKind
    also_cents: Cents | None = None

    @property
    def is_empty(self) -> bool:
        """True if no amount is accepted."""
        return self.maximum_cents < self.minimum_cents and self.also_cents is None


class InputType(StrEnum):
    """The types of input."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    ONE_OF = "one-of"
    CARD = "card"
    CARDS = "cards"
    CLAIMS = "claims"
    BETS = "bets"
    ODDS = "odds"
    NEWCOMER = "newcomer"
    """A patron who has no place at the table."""


@dataclass(frozen=True, slots=True)
class Input:
    """A field of a command that a person fills in, and the values it accepts.

    `refused` refuses a value that is not accepted, `missing` a required value that is missing. With
    `when_reconstructible`, the value is required only if the fact `reconstructible` has that value. `minimum` and
    `maximum` bound a number, or the number of cards; a number with `allowed` is one of those. Cards must contain those
    of `includes` in any order, start with those of `starts_with`, contain none of `excluded`, and have no more copies
    than the decks hold. `claims` and `bets` are those to choose from; where there are none, the record of the named
    round has them.
    """

    name: str
    type: InputType
    required: bool = True
    missing: RefusalKind = FactsMissing
    refused: RefusalKind = FactsContradict
    allowed: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    includes: tuple[Card, ...] = ()
    starts_with: tuple[Card, ...] = ()
    excluded: tuple[Card, ...] = ()
    claims: tuple[Claim, ...] = ()
    bets: tuple[Spot, ...] = ()
    when_reconstructible: bool | None = None

    def is_required(self, reconstructible: bool | None) -> bool:
        """True if a value is required, given the fact `reconstructible`."""
        return self.required and self.when_reconstructible in (None, reconstructible)


REASON = Input("reason", InputType.TEXT, missing=ReasonMissing)


@dataclass_transform(frozen_default=True)
def way_record(kind: type[T]) -> type[T]:
    """Declare a record of ways: frozen to type checkers alone, since views make hundreds at a time."""
    return dataclass(slots=True, unsafe_hash=True)(kind)


@way_record
class Way:
    """One way to give a command: for which patron, whom staff name; what to fill in; or why it is refused.

    By itself it has no target. What else an act lets someone choose is in a record of its own.
    """

    _: KW_ONLY
    patron: str | None = None
    inputs: tuple[Input, ...] = ()
    refusal: Refusal | None = None


@way_record
class BoxWay(Way):
    """A way to do something at a box."""

    box: int


@way_record
class BetWay(BoxWay):
    """A way to change what is staked on a spot, within the amounts that are accepted."""

    on: str
    amount: Amount


@way_record
class CardWay(Way):
    """A way to deal, open or leave the card at a place of the round, from 1."""

    place: int


W = TypeVar("W", bound=Way)
W_co = TypeVar("W_co", bound=Way, covariant=True)
Ways = Iterable[W | Refusal]
"""The ways in which a command is accepted now, beside refusals: the first says why there is no way."""


class Choice(NamedTuple, Generic[W]):
    """A command, and the ways in which it is accepted now; or why it is refused."""

    kind: str
    ways: tuple[W, ...] = ()
    refusal: Refusal | None = None


AnyChoice = Choice[Any]


class Chosen(Protocol[W_co]):
    """The class of an act, which says the type of its ways."""

    @property
    def kind(self) -> str:
        """Its name in JSON."""

    def ways(self, state: Any, asking: Any) -> Iterable[W_co | Refusal]:
        """The ways in which it is accepted now."""


def choice_of(found: Iterable[AnyChoice], act: Chosen[W]) -> Choice[W]:
    """The choice of an act among those found. Refused where it is not among them."""
    return next(each for each in found if each.kind == act.kind)


ANYONE = "a newcomer"
"""Stands for any patron who has no place at the table."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The person who asks what may be done, and for whom: patrons, each with the boxes at which they sit or stand.

    Staff name the patron. What patrons do for themselves names nobody. With `cash`, they ask for bets in cash, too.
    `addable` holds the amounts that can be added on spots: worked out once for all the acts that rest on them.
    """

    actor: Actor
    boxes: dict[str, Sequence[int]]
    cash: bool = False
    addable: dict[Spot, Amount | Refusal] = field(default_factory=dict)

    @property
    def by_staff(self) -> bool:
        """True if staff ask."""
        return self.actor.role is not None

    def name(self, patron: str) -> str | None:
        """The patron as a way names them."""
        return patron if self.by_staff else None

    def spots(self, bets: Iterable[str]) -> list[Spot]:
        """Every spot at which these patrons have a place."""
        return [Spot(box, patron, on) for patron, boxes in self.boxes.items() for box in boxes for on in bets]


NEWCOMERS = Asking(Actor(ANYONE), {ANYONE: ()})
"""Those who have no place at the table."""
