"""Cards in a row, and hands: point totals, naturals and pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, SupportsIndex, overload

from punto.rules.cards import BY_NAME, Card, Rank, read_cards, write_cards
from punto.rules.shown import Shown

AnyCards = str | Iterable[Card | str]
"""Cards as text such as `6h Ks`, or as cards and their names in a row."""


class Hand(StrEnum):
    """The two hands of a round. A person who bets is a patron, not a player."""

    PLAYER = "player"
    BANKER = "banker"


NATURAL_POINTS = frozenset({8, 9})
"""Two-card totals that end the drawing for both hands."""


def point_total(cards: Iterable[Card]) -> int:
    """The last digit of the sum of the cards' points."""
    return sum([card.points for card in cards]) % 10


def pair_rank(cards: Sequence[Card]) -> Rank | None:
    """The rank of a hand's first two cards if they share one: 10,10 is a pair, 10,K is not."""
    first, second = cards[0].rank, cards[1].rank
    return first if first is second else None


class Cards(tuple[Card, ...], Shown):
    """Cards from text or from other cards, with what they are worth as a hand. Raises Refused for what is not cards.

    >>> hand = Cards("9h 9d")
    >>> hand.points, hand.is_natural, hand.pair.symbol
    (8, True, '9')
    >>> "9d" in hand, hand[:1] + "Ks"
    (True, Cards('9h Ks'))
    """

    __slots__ = ()

    def __new__(cls, cards: AnyCards = ()) -> Cards:
        """Read or take the cards."""
        return super().__new__(cls, read_cards(cards))

    @property
    def points(self) -> int:
        """The last digit of the sum of the cards' points."""
        return point_total(self)

    @property
    def is_natural(self) -> bool:
        """True if these are two cards that total eight or nine."""
        return len(self) == 2 and self.points in NATURAL_POINTS

    @property
    def pair(self) -> Rank | None:
        """The rank that the first two cards share, if they do."""
        return pair_rank(self) if len(self) >= 2 else None

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Card: ...
    @overload
    def __getitem__(self, key: slice, /) -> Cards: ...
    def __getitem__(self, key: Any, /) -> Any:
        found = super().__getitem__(key)
        return of_cards(found) if isinstance(key, slice) else found

    def __add__(self, other: AnyCards, /) -> Cards:  # type: ignore[override]
        return of_cards((*self, *read_cards(other)))

    def __contains__(self, card: object, /) -> bool:
        return super().__contains__(BY_NAME.get(card) if isinstance(card, str) else card)

    def __str__(self) -> str:
        return write_cards(self)

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"


def of_cards(cards: Iterable[Card]) -> Cards:
    """Cards in a row, from what is known to be cards."""
    return tuple.__new__(Cards, cards)
