"""Hands: point totals, naturals and pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from punto.rules.cards import Card, Rank


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
