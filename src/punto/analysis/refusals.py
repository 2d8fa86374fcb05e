"""Why a shoe cannot be analysed, in order of precedence."""

from __future__ import annotations

from punto.rules.refusals import Refusal


class DecksOutOfRange(Refusal):
    """Shoes of 1 to 10 decks can be analysed."""

    decks: int
    maximum: int


class CountsInvalid(Refusal):
    """The counts are not thirteen whole numbers, ace to king, that such a shoe can hold."""

    problem: str
    given: str = ""
    maximum: int | None = None
    argument: str = ""


class CardNotLeft(Refusal):
    """A removed card is not in the shoe."""

    card: str


class TooFewCards(Refusal):
    """A round may need six cards, and fewer are left."""

    left: int
    cards: int


class ShoesInvalid(Refusal):
    """The number of shoes is zero or absurd, or the place of the cut card is not possible."""

    problem: str
    given: str
    minimum: int | None = None
    maximum: int | None = None


SHOE_REFUSALS: tuple[type[Refusal], ...] = (
    DecksOutOfRange,
    CountsInvalid,
    CardNotLeft,
    TooFewCards,
    ShoesInvalid,
)
"""Why a shoe cannot be analysed, in order of precedence."""
