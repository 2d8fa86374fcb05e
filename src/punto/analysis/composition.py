"""What is left in a shoe: how many cards of each of the thirteen ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from punto.analysis.refusals import CardNotLeft, CountsInvalid, DecksOutOfRange, TooFewCards
from punto.rules.cards import Card, Rank, most_copied
from punto.rules.refusals import CardCopies, RefusedError

ROUND_CARDS = 6
"""The most cards a round can take. Deals are counted six cards at a time, so that all have one common total."""

MOST_DECKS = 10
MOST_CARDS = 52 * MOST_DECKS
"""Up to here every count of ordered deals fits 64 bits."""

DEFAULT_CUT = 14
"""The cards behind the cut card, where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The cards left, as thirteen counts from ace to king. A RefusedError says why counts cannot be a shoe."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(Rank):
            raise RefusedError(CountsInvalid("counts-not-thirteen", str(len(self.counts))))
        if (least := min(self.counts)) < 0:
            raise RefusedError(CountsInvalid("count-negative", str(least)))
        if self.size > MOST_CARDS:
            raise RefusedError(CountsInvalid("cards-too-many", str(self.size), MOST_CARDS))

    @classmethod
    def full(cls, decks: int) -> Composition:
        """A new shoe."""
        if not 1 <= decks <= MOST_DECKS:
            raise RefusedError(DecksOutOfRange(decks, MOST_DECKS))
        return cls((4 * decks,) * len(Rank))

    @property
    def size(self) -> int:
        """How many cards are left."""
        return sum(self.counts)

    def without(self, cards: Iterable[Card | Rank]) -> Composition:
        """The same shoe after these cards have left it; a RefusedError names one that is not there."""
        counts = list(self.counts)
        for card in cards:
            rank = card.rank if isinstance(card, Card) else card
            if not counts[rank - 1]:
                raise RefusedError(CardNotLeft(rank.symbol))
            counts[rank - 1] -= 1
        return Composition(tuple(counts))

    def deals(self, on_table: int = 0) -> int:
        """In how many orders the rest of six cards can be dealt; a RefusedError when there are not enough."""
        needed = ROUND_CARDS - on_table
        if self.size < needed:
            raise RefusedError(TooFewCards(self.size, needed))
        return math.perm(self.size, needed)


def shoe_without(decks: int, cards: Sequence[Card]) -> Composition:
    """A shoe of so many decks after these cards have left it; a RefusedError names a card that was not in it."""
    full = Composition.full(decks)
    if cards and (most := most_copied(cards))[1] > decks:
        card, copies = most
        raise RefusedError(CardCopies(card.text, copies, decks))
    return full.without(cards)


def shoe_of(decks: int, counts: Sequence[int]) -> Composition:
    """A shoe with these counts left; a RefusedError says which rank has more than so many decks hold."""
    full = Composition.full(decks)
    left = Composition(tuple(counts))
    for rank, most, count in zip(Rank, full.counts, left.counts, strict=True):
        if count > most:
            raise RefusedError(CountsInvalid("count-above-decks", f"{rank.symbol} {count}", most))
    return left
