"""The cards left in a shoe, as counts of the thirteen ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from punto.rules.cards import Card, Rank, most_copied
from punto.rules.defaults import DEFAULT_CUT as DEFAULT_CUT
from punto.rules.reasons import quoted
from punto.rules.refusals import CardCopies, Refused
from punto.rules.shoe_refusals import BurnInvalid, CardNotLeft, CountsInvalid, CutInvalid, DecksOutOfRange, TooFewCards

ROUND_CARDS = 6
"""The maximum number of cards in a round. Deals are counted as six cards, so that all have one total."""

MAX_DECKS = 10
MAX_CARDS = 52 * MAX_DECKS
"""Up to this size every count of ordered deals fits 64 bits."""


MAX_BURN = 10
"""The maximum number of cards burnt with the burn card: a ten or a picture counts 10."""


class Burn(StrEnum):
    """The kind of burn before the first round, if it is not a plain number of cards."""

    CARD = "card"


def read_burn(text: str) -> int | Burn:
    """A number of cards, or `card`. Raises Refused."""
    if text == Burn.CARD:
        return Burn.CARD
    if not text.isdecimal():
        raise Refused(BurnInvalid(quoted(text)))
    return int(text)


def check_shoe(cards: int, cut: int, burn: int | Burn = 0, rounds: int = 1) -> int:
    """The most cards that the burn takes. Raises Refused for a burn or a cut card that leaves too few for the rounds.

    A round that has begun is finished, so `rounds` of them may begin when the cut card is reached.
    """
    burnt = 1 + MAX_BURN if burn == Burn.CARD else int(burn)
    if not 0 <= burnt < cards - ROUND_CARDS:
        raise Refused(BurnInvalid(str(burn), cards - ROUND_CARDS))
    least, most = ROUND_CARDS * rounds - 1, cards - burnt - 1
    if not least <= cut <= most:
        raise Refused(CutInvalid(cut, least, most, cards))
    return burnt


@dataclass(frozen=True, slots=True)
class Composition:
    """The cards left, as thirteen counts from ace to king. Raises Refused for impossible counts."""

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(Rank):
            raise Refused(CountsInvalid("counts-not-thirteen", str(len(self.counts))))
        if (least := min(self.counts)) < 0:
            raise Refused(CountsInvalid("count-negative", str(least)))
        if self.size > MAX_CARDS:
            raise Refused(CountsInvalid("cards-too-many", str(self.size), MAX_CARDS))

    @classmethod
    def full(cls, decks: int) -> Composition:
        """A new shoe."""
        if not 1 <= decks <= MAX_DECKS:
            raise Refused(DecksOutOfRange(decks, MAX_DECKS))
        return cls((4 * decks,) * len(Rank))

    @property
    def size(self) -> int:
        """The number of cards left."""
        return sum(self.counts)

    def without(self, cards: Iterable[Card | Rank]) -> Composition:
        """The shoe without these cards. Raises Refused for a card that is not in it."""
        counts = list(self.counts)
        for card in cards:
            rank = card.rank if isinstance(card, Card) else card
            if not counts[rank - 1]:
                raise Refused(CardNotLeft(rank.symbol))
            counts[rank - 1] -= 1
        return Composition(tuple(counts))

    def deals(self, on_table: int = 0) -> int:
        """The number of orders of the remaining cards of six. Raises Refused if there are too few cards."""
        needed = ROUND_CARDS - on_table
        if self.size < needed:
            raise Refused(TooFewCards(self.size, needed))
        return math.perm(self.size, needed)


def shoe_without(decks: int, cards: Sequence[Card]) -> Composition:
    """A shoe of so many decks after these cards have left it; a Refused names a card that was not in it."""
    full = Composition.full(decks)
    if cards and (most := most_copied(cards))[1] > decks:
        card, copies = most
        raise Refused(CardCopies(card.text, copies, decks))
    return full.without(cards)


def shoe_of(decks: int, counts: Sequence[int]) -> Composition:
    """A shoe with these counts left. Raises Refused for a rank with more cards than the decks hold."""
    full = Composition.full(decks)
    left = Composition(tuple(counts))
    for rank, most, count in zip(Rank, full.counts, left.counts, strict=True):
        if count > most:
            raise Refused(CountsInvalid("count-above-decks", f"{rank.symbol} {count}", most))
    return left
