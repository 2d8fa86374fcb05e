"""The Table of Play against a second way of stating it, over every value sequence a round can start with."""

from __future__ import annotations

from itertools import product

import pytest

from punto.rules.cards import BY_NAME
from punto.rules.tableau import Round, deal, next_hand

CARD_WORTH = [BY_NAME[name] for name in ("Ks", "Ah", "2d", "3c", "4s", "5h", "6d", "7c", "8s", "9h")]

# Stated the other way round: for each third card of Player's, the highest two-card total on which Banker draws.
BANKER_DRAWS_UP_TO = {0: 3, 1: 3, 2: 4, 3: 4, 4: 5, 5: 5, 6: 6, 7: 6, 8: 2, 9: 3}
BANKER_DRAWS_UP_TO_WHEN_PLAYER_STANDS = 5


def independently(a: int, b: int, c: int, d: int, x: int, y: int) -> tuple[int, int, int, int]:
    """Cards in all, Player's cards, and both totals, straight from six values."""
    player, banker = (a + c) % 10, (b + d) % 10
    if max(player, banker) >= 8:
        return 4, 2, player, banker
    if player >= 6:
        if banker > BANKER_DRAWS_UP_TO_WHEN_PLAYER_STANDS:
            return 4, 2, player, banker
        return 5, 2, player, (banker + x) % 10
    if banker > BANKER_DRAWS_UP_TO[x]:
        return 5, 3, (player + x) % 10, banker
    return 6, 3, (player + x) % 10, (banker + y) % 10


@pytest.mark.parametrize("first", range(10))
def test_every_value_sequence_gives_the_same_result(first: int) -> None:
    played = 0
    for values in product((first,), *[range(10)] * 5):
        cards = tuple([CARD_WORTH[value] for value in values])
        drawn = 4
        while next_hand(cards[:drawn]) is not None:
            drawn += 1
        round_ = deal(cards[:drawn], 8)
        assert isinstance(round_, Round)
        outcome = round_.outcome
        assert (drawn, len(round_.player), outcome.player_points, outcome.banker_points) == independently(*values)
        played += 1
    assert played == 100_000
