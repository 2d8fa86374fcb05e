"""What is left in a shoe: how many cards of each of the thirteen ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from punto.rules.cards import Card, Rank, most_copied
from punto.rules.refusals import Code, RecordCode, RefusedError
from punto.rules.words import counted

ROUND_CARDS = 6
"""The most cards a round can take. Deals are counted six cards at a time, so that all have one common total."""

MOST_DECKS = 10
MOST_CARDS = 52 * MOST_DECKS
"""Up to here every count of ordered deals fits 64 bits."""

DEFAULT_CUT = 14
"""The cards behind the cut card, where nobody says otherwise."""


class ShoeCode(Code):
    """Why a shoe cannot be analysed, in order of precedence."""

    DECKS_OUT_OF_RANGE = "decks-out-of-range"
    COUNTS_INVALID = "counts-invalid"
    CARD_NOT_LEFT = "card-not-left"
    TOO_FEW_CARDS = "too-few-cards"
    SHOES_INVALID = "shoes-invalid"

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        return _MEANINGS[self]


_MEANINGS = {
    ShoeCode.DECKS_OUT_OF_RANGE: f"Shoes of 1 to {MOST_DECKS} decks can be analysed.",
    ShoeCode.COUNTS_INVALID: "The counts are not thirteen whole numbers, ace to king, that such a shoe can hold.",
    ShoeCode.CARD_NOT_LEFT: "A card is taken out that is not in the shoe.",
    ShoeCode.TOO_FEW_CARDS: "A round may need six cards, and fewer are left.",
    ShoeCode.SHOES_INVALID: "No shoe is to be dealt, or the cut card stands where none can.",
}


@dataclass(frozen=True, slots=True)
class Composition:
    """The cards left, as thirteen counts from ace to king. A RefusedError says why counts cannot be a shoe."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(Rank):
            message = f"{len(self.counts)} counts are given; a shoe has 13, from ace to king"
            raise RefusedError(ShoeCode.COUNTS_INVALID, message)
        if (least := min(self.counts)) < 0:
            raise RefusedError(ShoeCode.COUNTS_INVALID, f"a shoe cannot hold {least} cards of a rank")
        if self.size > MOST_CARDS:
            message = f"{self.size} cards are more than {MOST_DECKS} decks, the most that can be counted exactly"
            raise RefusedError(ShoeCode.COUNTS_INVALID, message)

    @classmethod
    def full(cls, decks: int) -> Composition:
        """A new shoe."""
        if not 1 <= decks <= MOST_DECKS:
            message = f"{decks} decks cannot be analysed; 1 to {MOST_DECKS} can"
            raise RefusedError(ShoeCode.DECKS_OUT_OF_RANGE, message)
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
                raise RefusedError(ShoeCode.CARD_NOT_LEFT, f"no {rank.symbol} is left in the shoe to take out")
            counts[rank - 1] -= 1
        return Composition(tuple(counts))

    def deals(self, on_table: int = 0) -> int:
        """In how many orders the rest of six cards can be dealt; a RefusedError when there are not enough."""
        needed = ROUND_CARDS - on_table
        if self.size < needed:
            held = {0: "the shoe is empty", 1: "1 card is left"}.get(self.size, f"{self.size} cards are left")
            message = f"{held} and a round may need {needed}{' more' if on_table else ''}, so no bet has a value"
            raise RefusedError(ShoeCode.TOO_FEW_CARDS, message)
        return math.perm(self.size, needed)


def shoe_without(decks: int, cards: Sequence[Card]) -> Composition:
    """A shoe of so many decks after these cards have left it; a RefusedError names a card that was not in it."""
    full = Composition.full(decks)
    if cards and (most := most_copied(cards))[1] > decks:
        card, copies = most
        message = f"{card} appears {copies} times, and a shoe of {counted(decks, 'deck')} holds {decks}"
        raise RefusedError(RecordCode.CARD_COPIES, message)
    return full.without(cards)


def shoe_of(decks: int, counts: Sequence[int]) -> Composition:
    """A shoe with these counts left; a RefusedError says which rank has more than so many decks hold."""
    full = Composition.full(decks)
    left = Composition(tuple(counts))
    for rank, most, count in zip(Rank, full.counts, left.counts, strict=True):
        if count > most:
            held = f"the {most} of {counted(decks, 'deck')}"
            message = f"{counted(count, 'card')} of rank {rank.symbol} are more than {held}"
            raise RefusedError(ShoeCode.COUNTS_INVALID, message)
    return left
