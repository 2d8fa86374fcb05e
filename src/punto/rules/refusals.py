"""Refusals: why something was not done.

A refusal is a value: one class for each reason, its facts as typed fields, and the paragraph. Its code is the name of
the class (`StakeInvalid` is `stake-invalid`) and never changes. `punto.texts` makes the sentence for people from it, in
their language. A field that is "", () or None is unknown; sentences leave it out.

Reading gives the first fault it finds. Settling gives the fault that comes first in `RECORD_REFUSALS`, whatever the
order of the bets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, dataclass_transform

from punto.rules.money import Cents
from punto.rules.reasons import DrawReason
from punto.rules.shown import Shown

if TYPE_CHECKING:
    from punto.rules.sheet import Sheet


@cache
def kebab(name: str) -> str:
    """The name of a class in JSON: PlaceBet is `place-bet`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _Declared:
    """Makes a frozen dataclass of each class below it. What all of them share is here, so that each is made quickly."""

    def __init_subclass__(cls) -> None:
        """Make the dataclass."""
        dataclass(frozen=True, repr=False, eq=False)(cls)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__dict__ == self.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        facts = ", ".join([f"{name}={value!r}" for name, value in self.__dict__.items()])
        return f"{type(self).__qualname__}({facts})"


class Refusal(_Declared, Shown):
    """The reason why something was not done. `rule` is its paragraph, if there is one."""

    rule: str | None = field(default=None, kw_only=True)

    @property
    def code(self) -> str:
        """The stable name of this refusal."""
        return kebab(type(self).__name__)

    def sentence(self, sheet: Sheet | None = None) -> str:
        """The refusal for people, in English. A sheet gives the names of its bets."""
        from punto.texts import say

        return say(self, sheet=sheet)

    def __str__(self) -> str:
        return self.sentence()


def declared(names: Mapping[str, object]) -> tuple[type[Refusal], ...]:
    """The refusals that a module declares, in its order."""
    kinds = [kind for kind in names.values() if isinstance(kind, type) and issubclass(kind, Refusal)]
    return tuple([kind for kind in kinds if kind is not Refusal and kind.__module__ == names["__name__"]])


class Refused(ValueError):  # noqa: N818 — it is no error of the program, and reads as a sentence: except punto.Refused
    """Something was refused: a stable `code`, its `parameters`, the `paragraph` of the sheet, and a `sentence`.

    Whatever reads or makes a value raises it. Deciding and settling return refusals as values.

    >>> import punto
    >>> try:
    ...     punto.game("easy-six").settle("6h 2d Ks 3c 4c", [punto.Bet("dragon", 10_00)])
    ... except punto.Refused as refused:
    ...     refused.code, refused.parameters["on"], refused.paragraph
    ('bet-not-offered', 'dragon', '3.3')
    """

    def __init__(self, refusal: Refusal, sheet: Sheet | None = None) -> None:
        super().__init__(refusal)
        self.refusal, self._sheet = refusal, sheet

    @property
    def code(self) -> str:
        """The stable name of the refusal, as docs/refusals.md lists it."""
        return self.refusal.code

    @property
    def sentence(self) -> str:
        """The refusal in English: what happened and what to do next."""
        return self.refusal.sentence(self._sheet)

    @property
    def parameters(self) -> dict[str, Any]:
        """The facts of the refusal, by name."""
        return {each.name: getattr(self.refusal, each.name) for each in fields(self.refusal) if each.name != "rule"}

    @property
    def paragraph(self) -> str | None:
        """The paragraph of the rule sheet on which the refusal rests, if there is one."""
        return self.refusal.rule

    def __str__(self) -> str:
        paragraph = f" (¶ {self.paragraph})" if self.paragraph else ""
        return f"{self.sentence}{paragraph} [{self.code}]"


# ------------------------------------------------------------------------------------------- what cannot be read


class Unreadable(Refusal):
    """The text is not a record: broken JSON, or something other than an object."""

    problem: str
    detail: str = ""


class FieldUnknown(Refusal):
    """A field that the format does not have."""

    where: str
    name: str
    known: tuple[str, ...]


class FieldMissing(Refusal):
    """A field that the format requires is missing."""

    where: str
    wanted: str
    known: tuple[str, ...] = ()


class FieldType(Refusal):
    """A field holds the wrong kind of value, such as a fraction of a cent."""

    where: str
    wanted: str
    given: str
    known: tuple[str, ...] = ()


class CardUnreadable(Refusal):
    """A card is not rank A 2-9 T J Q K and suit s h d c."""

    place: int
    given: str
    where: str = ""


class LimitsInvalid(Refusal):
    """The limits contradict each other, or limit a bet the sheet does not offer."""

    problem: str
    on: str | None = None


class GameUnknown(Refusal):
    """No sheet has this id and no sheet file is at this path."""

    game: str
    known: tuple[str, ...] = ()
    similar: str = ""
    problem: str = ""
    detail: str = ""


class SheetInvalid(Refusal):
    """A rule sheet contradicts itself or cannot be read."""

    source: str
    where: str
    problem: str
    given: tuple[str, ...] = ()
    example: str = ""
    known: tuple[str, ...] = ()
    similar: str = ""
    line: int | None = None


# ------------------------------------------------------------------------------------------- what cannot be settled


class DecksNotAllowed(Refusal):
    """The sheet does not allow this number of decks."""

    game: str
    decks: int
    minimum_decks: int
    maximum_decks: int


class CardMissing(Refusal):
    """The Table of Play asks for another card."""

    place: int
    hand: str
    reason: DrawReason


class CardTooMany(Refusal):
    """The round was complete before this card."""

    place: int
    card: str
    cards: str
    reason: DrawReason


class CardCopies(Refusal):
    """More copies of one card than the decks hold."""

    card: str
    copies: int
    decks: int


class ResultMismatch(Refusal):
    """The result does not follow from the cards."""

    given: str
    result: str


class BoxUnknown(Refusal):
    """The layout has no such box."""

    box: int
    boxes: int | None


class StakeInvalid(Refusal):
    """The amount is not a whole number of cents above zero that can be bet."""

    on: str
    stake_cents: int


class StakeOffUnit(Refusal):
    """The amount is not a multiple of the table's chip unit."""

    on: str
    stake_cents: Cents
    unit_cents: Cents


class BetNotOffered(Refusal):
    """The sheet does not offer this bet, or not now."""

    on: str
    offered: tuple[str, ...]


class WindowMissing(Refusal):
    """An insurance bet must name its window."""

    on: str


class WindowNotForBet(Refusal):
    """A window is named on a bet that is not insurance."""

    on: str
    window: str


class InsuranceWindowClosed(Refusal):
    """No insurance was on offer in that window of this round."""

    window: str


class InsuranceHandNotOnOffer(Refusal):
    """Insurance is on offer in that window, but not on this hand."""

    on: str
    hands: tuple[str, ...]


class InsuranceWithoutOriginal(Refusal):
    """The patron has no original bet on the hand to insure."""

    box: int
    hand: str
    patron: str = ""


class InsuranceOverCap(Refusal):
    """The insurance could pay more than the original bet on that hand."""

    hand: str
    odds: str
    original_cents: Cents
    stake_cents: Cents
    maximum_cents: Cents
    box: int | None = None
    patron: str = ""


RECORD_REFUSALS = declared(globals())
"""Refusals of a round that cannot be read or settled, in order of precedence."""
