"""The exact distribution of a round for the cards left in a shoe: one counting pass, whole numbers only.

Deals are counted as ordered sequences of six cards, including those a round does not use. So all outcomes of a shoe
have the same total, and ten decks fit 64 bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from punto.analysis.compiled import compiled
from punto.analysis.composition import ROUND_CARDS, Composition
from punto.rules.cards import DECK, Card, Rank
from punto.rules.outcome import PAIRS, PLAYS
from punto.rules.tableau import INITIAL_CARDS, banker_draws, next_hand, player_draws

Counts = NDArray[np.int64]

STOOD = 10
"""The index after the ten points in a table over Player's third card: Player stood."""

PLAYER_WON, BANKER_WON, TIED = range(3)
"""The last axis of `states`."""

POINTS = np.array([rank.points for rank in Rank])
PLAYER_DRAWS = np.array([[player_draws(player, banker) for banker in range(10)] for player in range(10)])
BANKER_DRAWS = np.array(
    [
        [[banker_draws(player, banker, x if x < STOOD else None) for x in range(STOOD + 1)] for banker in range(10)]
        for player in range(10)
    ]
)
"""The Table of Play as arrays: by Player's points, Banker's points and (for Banker) Player's third card."""


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """The number of ordered deals, out of `total`, for each outcome.

    `joint` counts by play and pairs, like an outcome's index. `states` counts by what insurance depends on: Player's
    and Banker's points in two cards, Player's third card (STOOD: none), and the winner.
    """

    total: int
    joint: Counts
    states: Counts
    plays: Counts
    pairs: Counts


@lru_cache(maxsize=32)  # an array of 0.6 MB each
def distribution(left: Composition, table: tuple[Card, ...] = ()) -> Distribution:
    """The distribution of a round from the cards left, given the cards on the table in dealing order.

    The cards on the table are not in the shoe any more, and must follow the Table of Play. Raises RefusedError if the
    shoe has too few cards.
    """
    if left.size < ROUND_CARDS - len(table):
        left, table = _end_of_shoe(left, table)
    total = left.deals(len(table))
    joint = np.zeros((PLAYS, PAIRS), np.int64)
    states = np.zeros((10, 10, STOOD + 1, 3), np.int64)
    ranks = np.full(ROUND_CARDS, -1)
    ranks[: len(table)] = [card.rank - 1 for card in table]
    thirds = np.array([POINTS[rank] if rank >= 0 else -1 for rank in ranks[INITIAL_CARDS:]])
    by_points = np.bincount(POINTS, left.counts).astype(np.int64)
    _count(
        np.array(left.counts), ranks, thirds, by_points, _unused(left.size, len(table)),
        POINTS, PLAYER_DRAWS, BANKER_DRAWS, joint, states,
    )  # fmt: skip
    for array in (joint, states):
        array.setflags(write=False)
    return Distribution(total, joint, states, joint.sum(axis=1), joint.sum(axis=0))


def _end_of_shoe(left: Composition, table: tuple[Card, ...]) -> tuple[Composition, tuple[Card, ...]]:
    """The distribution of a round that is complete, or that the last card of the shoe completes."""
    whole = table
    if left.size == 1 and next_hand(table) is not None:
        rank = Rank(left.counts.index(1) + 1)
        whole = (*table, next(card for card in DECK if card.rank is rank))
    return (Composition.full(1), whole) if next_hand(whole) is None else (left, table)


def _unused(left: int, on_table: int) -> Counts:
    """The numbers of orders of the cards after a round of four, five or six cards, so that all deals have six."""
    rounds = range(INITIAL_CARDS, ROUND_CARDS + 1)
    return np.array([math.perm(max(left - max(used - on_table, 0), 0), ROUND_CARDS - used) for used in rounds])


# The loops below are compiled. They have no types, because numba infers them.


@compiled()
def _count(  # type: ignore[no-untyped-def]
    left, ranks, thirds, by_points, unused, points, player_draws, banker_draws, joint, states
):
    """Deal every four ranks, then third cards by their points. A rank that is on the table already is not drawn."""
    stood = np.int64(STOOD)  # a variable, so that numba compiles what it calls only once
    dealt = np.zeros(4, np.int64)
    for number in range(13**4):
        rest = number
        for place in range(4):
            dealt[place] = rest % 13
            rest //= 13
        weight = _ways(dealt, ranks, left)
        if weight == 0:
            continue
        for place in range(4):
            by_points[points[dealt[place]]] -= ranks[place] < 0
        player = (points[dealt[0]] + points[dealt[2]]) % 10
        banker = (points[dealt[1]] + points[dealt[3]]) % 10
        player_pair = dealt[0] + 1 if dealt[0] == dealt[2] else 0
        banker_pair = dealt[1] + 1 if dealt[1] == dealt[3] else 0
        pairs = player_pair * 14 + banker_pair
        if player_draws[player, banker]:
            for x in range(10):
                weight_x = weight * _third(by_points, x, thirds[0])
                if banker_draws[player, banker, x] and weight_x > 0:
                    by_points[x] -= thirds[0] < 0
                    for y in range(10):
                        weight_y = weight_x * _third(by_points, y, thirds[1]) * unused[2]
                        _add(joint, states, player, banker, x, y, pairs, weight_y)
                    by_points[x] += thirds[0] < 0
                else:
                    _add(joint, states, player, banker, x, stood, pairs, weight_x * unused[1])
        elif banker_draws[player, banker, stood]:
            for y in range(10):
                weight_y = weight * _third(by_points, y, thirds[0]) * unused[1]
                _add(joint, states, player, banker, stood, y, pairs, weight_y)
        else:
            _add(joint, states, player, banker, stood, stood, pairs, weight * unused[0])
        for place in range(4):
            by_points[points[dealt[place]]] += ranks[place] < 0


@compiled()
def _ways(dealt, ranks, left):  # type: ignore[no-untyped-def]
    """The number of ways in which the first four cards can have these ranks."""
    ways = 1
    for place in range(4):
        if ranks[place] >= 0:
            ways *= ranks[place] == dealt[place]
        else:
            count = left[dealt[place]]
            for earlier in range(place):
                count -= ranks[earlier] < 0 and dealt[earlier] == dealt[place]
            ways *= max(count, 0)
    return ways


@compiled()
def _third(by_points, worth, on_table):  # type: ignore[no-untyped-def]
    """The number of ways in which a third card can have these points: one or none if it is on the table already."""
    return by_points[worth] if on_table < 0 else np.int64(on_table == worth)


@compiled()
def _add(joint, states, player, banker, x, y, pairs, weight):  # type: ignore[no-untyped-def]
    """Count deals that end with these third cards, at their outcome and at their state."""
    player_end = (player + x) % 10  # a hand that stood adds STOOD, which is 10
    banker_end = (banker + y) % 10
    play = ((player_end * 10 + banker_end) * 2 + (x < STOOD)) * 2 + (y < STOOD)
    winner = TIED if player_end == banker_end else PLAYER_WON if player_end > banker_end else BANKER_WON
    joint[play, pairs] += weight
    states[player, banker, x, winner] += weight
