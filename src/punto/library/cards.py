"""Cards in a row: a hand, or any others."""

from __future__ import annotations

from collections.abc import Iterable

from punto.library.inputs import read_cards
from punto.rules.cards import Card, Rank, write_cards
from punto.rules.hands import NATURAL_POINTS, pair_rank, point_total
from punto.rules.html import cards_html
from punto.texts.refused import raising_refused

AnyCards = str | Iterable[Card | str]
"""Cards as text such as `6h Ks`, or as values or texts in a row."""


class Cards(tuple[Card, ...]):
    """Cards from text or from other cards, with what they are worth as a hand.

    >>> import punto
    >>> hand = punto.Cards("9h 9d")
    >>> hand.points, hand.is_natural, hand.pair.symbol
    (8, True, '9')
    >>> hand
    Cards('9h 9d')
    """

    __slots__ = ()

    def __new__(cls, cards: AnyCards = ()) -> Cards:
        """Read or take the cards. Raises Refused for what is not cards."""
        with raising_refused():
            return super().__new__(cls, read_cards(cards))

    @property
    def points(self) -> int:
        """The last digit of the sum of the cards' points."""
        return point_total(self)

    @property
    def is_natural(self) -> bool:
        """Whether these are two cards that total eight or nine."""
        return len(self) == 2 and self.points in NATURAL_POINTS

    @property
    def pair(self) -> Rank | None:
        """The rank that the first two cards share, if they do."""
        return pair_rank(self) if len(self) >= 2 else None

    def __str__(self) -> str:
        return write_cards(self)

    def __repr__(self) -> str:
        return f"Cards({str(self)!r})"

    def _repr_html_(self) -> str:
        return f"<div>{cards_html(self)}</div>"
