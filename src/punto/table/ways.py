"""The acts open to someone, as data: for each command its refusal, or the ways in which it is accepted.

`choices` shows these to people and programs. Acts check commands against the same data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table.actor import Actor
from punto.table.refusals import FactsContradict, FactsMissing, NotAtBox, ReasonMissing
from punto.table.values import BoxWarning, Claim, Decision, Option, Spot, SqueezeOf

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


class StakeAndWin(NamedTuple):
    """An accepted stake, and what it wins."""

    stake_cents: Cents
    win_cents: Cents


class Cover(NamedTuple):
    """The cover of insurance: the original stake, and a quarter, half and all of the amounts that are accepted now.

    `forgone_rule` is the paragraph by which the patron forgoes insurance for the round if the next card comes first.
    """

    original_cents: Cents
    stakes: tuple[StakeAndWin, ...]
    forgone_rule: str | None = None


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


class SituationGroup(StrEnum):
    """The subject of a situation, so that people find it among the others."""

    CARD = "card"
    BET = "bet"
    SHOE = "shoe"
    EQUIPMENT = "equipment"
    PERSON = "person"
    OTHER = "other"


class Way(NamedTuple):
    """One way to give a command: its target, its amounts and its inputs; or why it is refused.

    `warnings` say what the person should look at first. The command is accepted all the same. `cover` is there for
    insurance, and `group` for a situation to report.
    """

    patron: str | None = None
    box: int | None = None
    on: str | None = None
    amount: Amount | None = None
    what: SqueezeOf | None = None
    consent: bool | None = None
    option: Option | None = None
    decision: Decision | None = None
    situation: str | None = None
    hand: Hand | None = None
    window: Window | None = None
    inputs: tuple[Input, ...] = ()
    refusal: Refusal | None = None
    warnings: tuple[BoxWarning, ...] = ()
    offered: bool | None = None
    place: int | None = None
    cover: Cover | None = None
    group: SituationGroup | None = None


ANY: tuple[Way, ...] = (Way(),)
"""The ways of a command that needs no target and no input."""


Ways = tuple[Way, ...] | Refusal


class Choice(NamedTuple):
    """A command, and the ways in which it is accepted now; or why it is refused."""

    kind: str
    ways: tuple[Way, ...] = ()
    refusal: Refusal | None = None


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


def first_refusal(refusals: Iterable[Refusal | None], otherwise: Refusal | None = None) -> Refusal:
    """The first refusal found: why there is no way."""
    return next(iter(refusals), None) or otherwise or NotAtBox(None)
