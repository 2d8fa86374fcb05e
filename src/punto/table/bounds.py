"""What may be done, as data: for each command its refusal, or the ways in which it is accepted.

`choices` shows these to people and programs. `decide` checks commands against the same data.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table.commands import Claim, Decision, Option, Spot, SqueezeOf
from punto.table.events import BoxWarning


class Amount(NamedTuple):
    """The accepted amounts: from the minimum to the maximum in whole steps; none if the maximum is below the minimum.

    `below` and `above` are the codes that refuse an amount one step outside. `also_cents` is one more accepted amount,
    above the maximum: the whole of a bet that is withdrawn.
    """

    minimum_cents: Cents
    maximum_cents: Cents
    step_cents: Cents
    below: str
    above: str
    also_cents: Cents | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no amount is accepted."""
        return self.maximum_cents < self.minimum_cents and self.also_cents is None


class StakeAndWin(NamedTuple):
    """An accepted stake, and what it wins."""

    stake_cents: Cents
    win_cents: Cents


class Cover(NamedTuple):
    """What insurance covers: the original stake, and a quarter, half and all of the amounts that are accepted now.

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

    `refused` is the code for a value that is not accepted, `missing` the code for a missing required value. With
    `when_reconstructible`, the value is required only if the fact `reconstructible` has that value. `minimum` and
    `maximum` bound a number, or the number of cards; a number with `allowed` is one of those. Cards must contain those
    of `includes` in any order, start with those of `starts_with`, contain none of `excluded`, and have no more copies
    than the decks hold. `claims` and `bets` are those to choose from; where there are none, the record of the named
    round has them.
    """

    name: str
    type: InputType
    required: bool = True
    missing: str = "facts-missing"
    refused: str = "facts-contradict"
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
        """Whether a value is required, given the fact `reconstructible`."""
        return self.required and self.when_reconstructible in (None, reconstructible)


REASON = Input("reason", InputType.TEXT, missing="reason-missing")


class SituationGroup(StrEnum):
    """What a situation is about, so that people find it among the others."""

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


class Choice(NamedTuple):
    """A command, and the ways in which it is accepted now; or why it is refused."""

    kind: str
    ways: tuple[Way, ...] = ()
    refusal: Refusal | None = None
