"""Reasons why a shoe cannot be dealt or analysed, in order of precedence."""

from __future__ import annotations

from punto.rules.refusals import Refusal, declared


class DecksOutOfRange(Refusal):
    """A shoe has 1 to 10 decks."""

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
    """The number of shoes is zero or absurd."""

    problem: str
    given: str
    minimum: int | None = None
    maximum: int | None = None


class BurnInvalid(Refusal):
    """The burn is neither `card` nor a number of cards that leaves enough to deal."""

    given: str
    cards: int | None = None


class CutInvalid(Refusal):
    """The cut card leaves no round, or too few cards behind it to finish one."""

    cut: int
    minimum: int
    maximum: int
    cards: int


class SeedInvalid(Refusal):
    """The seed is below zero."""

    seed: int


class RoundsInvalid(Refusal):
    """The number of rounds is not a whole number above zero."""

    given: str
    maximum: int | None = None


SHOE_REFUSALS = declared(globals())
"""Refusals of a shoe that cannot be dealt or analysed, in order of precedence."""
