"""Cards: thirteen ranks, four suits, and the points each rank is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from punto.rules.reasons import quoted
from punto.rules.refusals import CardUnreadable, RefusedError

RANK_SYMBOLS = "A23456789TJQK"
SUIT_SYMBOLS = "shdc"


class Rank(IntEnum):
    """A card's rank, ace to king."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def symbol(self) -> str:
        """The symbol of the rank: A 2-9 T J Q K."""
        return RANK_SYMBOLS[self - 1]

    @property
    def points(self) -> int:
        """The points of this rank: ace 1, 2-9 their face value, ten and pictures 0."""
        return int(self) if self < Rank.TEN else 0


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """One card. No bet of the five sheets depends on the suit."""

    rank: Rank
    suit: str
    points: int = field(init=False, repr=False, compare=False)
    text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", self.rank.points)
        object.__setattr__(self, "text", self.rank.symbol + self.suit)

    def __hash__(self) -> int:
        return hash(self.text)  # as good as that of rank and suit, and a string keeps its own

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Card {self.text}>"

    def _repr_html_(self) -> str:
        from punto.rules.html import cards_html

        return cards_html((self,))


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in SUIT_SYMBOLS for rank in Rank)
"""The 52 cards of one deck."""

BY_NAME: dict[str, Card] = {card.text: card for card in DECK}
"""Each card by its name, such as `9h` or `Td`."""

RANK_BY_SYMBOL: dict[str, Rank] = {rank.symbol: rank for rank in Rank}
"""Each rank by its symbol."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards such as `5h Kd 6s`. Raises RefusedError with the first card that cannot be read."""
    names = text.split()
    try:
        return tuple([BY_NAME[name] for name in names])
    except KeyError:
        place, name = next((i, name) for i, name in enumerate(names, 1) if name not in BY_NAME)
        raise RefusedError(CardUnreadable(place, quoted(name))) from None


def write_cards(cards: Iterable[Card]) -> str:
    """Cards as text that `parse_cards` reads."""
    return " ".join([card.text for card in cards])


def most_copied(cards: Sequence[Card]) -> tuple[Card, int]:
    """The card that appears most often, and its count. There must be at least one card."""
    return Counter(cards).most_common(1)[0]
