"""Cards: thirteen ranks, four suits, and the points each rank is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING

from punto.rules.reasons import Wanted, quoted
from punto.rules.refusals import CardUnreadable, FieldType, Refused
from punto.rules.shown import Shown

RANK_SYMBOLS = "A23456789TJQK"
SUIT_SYMBOLS = "shdc"


class Rank(IntEnum):
    """A card's rank, ace to king: by its number, or by its symbol. Raises Refused for any other value.

    >>> Rank("T"), Rank(1).symbol
    (<Rank.TEN: 10>, 'A')
    """

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

    if TYPE_CHECKING:

        def __new__(cls, value: int | str) -> Rank: ...  # noqa: D102 — the value or the symbol

    @classmethod
    def _missing_(cls, value: object) -> Rank:
        if isinstance(value, str) and len(value) == 1 and value in RANK_SYMBOLS:
            return cls(RANK_SYMBOLS.index(value) + 1)
        raise Refused(FieldType("rank", Wanted.ONE_OF, quoted(value), tuple(RANK_SYMBOLS)))

    @property
    def symbol(self) -> str:
        """The symbol of the rank: A 2-9 T J Q K."""
        return RANK_SYMBOLS[self - 1]

    @property
    def points(self) -> int:
        """The points of this rank: ace 1, 2-9 their face value, ten and pictures 0."""
        return int(self) if self < Rank.TEN else 0


class Suit(StrEnum):
    """A card's suit, by its letter. Raises Refused for any other value."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"

    @classmethod
    def _missing_(cls, value: object) -> Suit:
        raise Refused(FieldType("suit", Wanted.ONE_OF, quoted(value), tuple(SUIT_SYMBOLS)))


class Card(Shown):
    """One card, by its name: rank A 2-9 T J Q K and suit s h d c. Raises Refused for any other text.

    There are 52 cards, each made once; they sort by rank, then suit. No bet depends on the suit.

    >>> card = Card("6h")
    >>> card, card.rank.symbol, card.suit.name, card.points
    (Card('6h'), '6', 'HEARTS', 6)
    >>> Card("6h") is card, card < Card("Kd")
    (True, True)
    """

    __slots__ = ("_place", "points", "rank", "suit", "text")
    rank: Rank
    suit: Suit
    points: int
    text: str
    _place: int

    def __new__(cls, name: str) -> Card:
        """Find the card with this name."""
        return _named(name, "card")

    @classmethod
    def _make(cls, rank: Rank, suit: Suit) -> Card:
        card = object.__new__(cls)
        place, text = 4 * rank + SUIT_SYMBOLS.index(suit), rank.symbol + suit
        for name, value in zip(sorted(cls.__slots__), (place, rank.points, rank, suit, text), strict=True):
            object.__setattr__(card, name, value)
        return card

    def __hash__(self) -> int:
        return self._place  # the same in every process, as the order of sets of cards is

    if TYPE_CHECKING:

        def __eq__(self, other: object) -> bool: ...

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card does not change: {name}")

    def __lt__(self, other: Card) -> bool:
        return self._place < other._place

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self.text,)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"


DECK: tuple[Card, ...] = tuple(Card._make(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards of one deck."""

BY_NAME: dict[str, Card] = {card.text: card for card in DECK}
"""Each card by its name, such as `9h` or `Td`."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parse cards such as `5h Kd 6s`. Raises Refused with the first card that cannot be read."""
    names = text.split()
    try:
        return tuple([BY_NAME[name] for name in names])
    except KeyError:
        place, name = next((i, name) for i, name in enumerate(names, 1) if name not in BY_NAME)
        raise Refused(CardUnreadable(place, quoted(name))) from None


def read_cards(value: object, where: str = "cards") -> tuple[Card, ...]:
    """Cards from text, or from a row of cards and names. Raises Refused."""
    if isinstance(value, str):
        return parse_cards(value)
    if not isinstance(value, Iterable):
        raise Refused(FieldType(where, Wanted.CARDS, quoted(value)))
    return tuple(
        [card if type(card) is Card else _named(card, f"{where}[{place}]") for place, card in enumerate(value)]
    )


def _named(name: object, where: str) -> Card:
    if not isinstance(name, str) or name not in BY_NAME:
        raise Refused(FieldType(where, Wanted.CARD, quoted(name)))
    return BY_NAME[name]


def write_cards(cards: Iterable[Card]) -> str:
    """Cards as text that `parse_cards` reads."""
    return " ".join([card.text for card in cards])


def most_copied(cards: Sequence[Card]) -> tuple[Card, int]:
    """The card that appears most often, and its count. There must be at least one card."""
    return Counter(cards).most_common(1)[0]
