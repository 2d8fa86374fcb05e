"""The exact distribution of a round for the cards left in a shoe: one counting pass, whole numbers only.

Deals are counted as ordered sequences of six cards, including those a round does not use. So all outcomes of a shoe
have the same total, and ten decks fit 64 bits.

The rounds that can happen are the same for every shoe, so they are listed once in a process. For each shoe, numpy then
counts the deals of every round. That takes milliseconds, and importing a compiler would take half a second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from punto.rules.cards import DECK, Card, Rank
from punto.rules.composition import ROUND_CARDS, Composition
from punto.rules.outcome import PAIRS, PLAYS
from punto.rules.tableau import INITIAL_CARDS, banker_draws, next_hand, player_draws

Counts = NDArray[np.int64]

STOOD = 10
"""The index after the ten points in a table over Player's third card: Player stood."""

PLAYER_WON, BANKER_WON, TIED = range(3)
"""The last axis of `states`, in the order of `Winner`."""

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


@lru_cache(maxsize=32)  # an array of 0.6 MB each
def distribution(left: Composition, table: tuple[Card, ...] = ()) -> Distribution:
    """The distribution of a round from the cards left, given the cards on the table in dealing order.

    The cards on the table are not in the shoe any more, and must follow the Table of Play. Raises Refused if the
    shoe has too few cards.
    """
    if left.size < ROUND_CARDS - len(table):
        left, table = _end_of_shoe(left, table)
    total = left.deals(len(table))
    rounds = _rounds(tuple([card.rank - 1 for card in table]))
    deals = _deals(rounds, left)
    joint = sums_by_place(deals, rounds.outcome, (PLAYS, PAIRS))
    states = sums_by_place(deals, rounds.state, (10, 10, STOOD + 1, 3))
    for array in (joint, states):
        array.setflags(write=False)
    return Distribution(total, joint, states)


def deals_by_hands(left: Composition) -> Counts:
    """Deals by the points of each hand's first two cards, Player's third card (STOOD: none) and the winner.

    The axes are Player's lower card and higher card, Banker's lower and higher, the third card, and the winner.
    """
    rounds = _rounds(())
    return sums_by_place(_deals(rounds, left), rounds.hands, (10, 10, 10, 10, STOOD + 1, 3))


def _end_of_shoe(left: Composition, table: tuple[Card, ...]) -> tuple[Composition, tuple[Card, ...]]:
    """The distribution of a round that is complete, or that the last card of the shoe completes."""
    whole = table
    if left.size == 1 and next_hand(table) is not None:
        rank = Rank(left.counts.index(1) + 1)
        whole = (*table, next(card for card in DECK if card.rank is rank))
    return (Composition.full(1), whole) if next_hand(whole) is None else (left, table)


# ------------------------------------------------------------------------------------------- every round


@dataclass(frozen=True, slots=True, eq=False)
class _Rounds:
    """Every round that the cards on the table can become, by the points of its third cards.

    Columns of `dealt` are the ranks of the first four cards; `earlier` counts, for those still to be drawn, the equal
    ranks drawn before them. Columns with the same points and pairs in each hand have one number in `start_of`.

    The other arrays have a column for each round. `start` is its first four cards, `drawn` the number of third cards
    and `thirds` their points; `taken` counts the cards of these points drawn before each. A third card that is not
    drawn from the shoe, because its hand stands or it is on the table, has the points STOOD. `outcome`, `state` and
    `hands` are the places of a round in the tables above.
    """

    on_table: int
    dealt: Counts
    earlier: Counts
    start_of: Counts
    start: Counts
    drawn: Counts
    thirds: Counts
    taken: Counts
    outcome: Counts
    state: Counts
    hands: Counts


@lru_cache(maxsize=8)  # six megabytes with nothing on the table, less than one otherwise
def _rounds(table: tuple[int, ...]) -> _Rounds:
    """The rounds with cards of these ranks (0 to 12) on the table."""
    first = [np.array([rank]) for rank in table[:INITIAL_CARDS]]
    first += [np.arange(len(Rank))] * (INITIAL_CARDS - len(first))
    dealt = np.array(np.meshgrid(*first, indexing="ij")).reshape(INITIAL_CARDS, -1)
    to_draw = range(len(table), INITIAL_CARDS)
    earlier = [(dealt[len(table) : place] == dealt[place]).sum(axis=0) for place in to_draw]
    paired = [np.where(dealt[place] == dealt[place + 2], dealt[place] + 1, 0) for place in (0, 1)]
    worth = POINTS[dealt]
    low, high = np.sort([worth[:2], worth[2:]], axis=0)
    keys = np.ravel_multi_index((low[0], high[0], low[1], high[1], *paired), (10, 10, 10, 10, 14, 14))
    _, example, start_of = np.unique(keys, return_index=True, return_inverse=True)
    gone = np.zeros((len(example), STOOD + 1), np.int64)
    for place in to_draw:
        gone[np.arange(len(example)), worth[place, example]] += 1

    player, banker = (low + high)[:, example] % 10
    draws = np.arange(STOOD + 1) < STOOD
    happens = (PLAYER_DRAWS[player, banker][:, None] == draws)[:, :, None]
    happens = happens & (BANKER_DRAWS[player, banker][:, :, None] == draws)
    start, x, y = np.nonzero(happens)
    known = POINTS[list(table[INITIAL_CARDS:])]
    order = np.where(x < STOOD, [x, y], [y, x])  # the fifth card of the round, and the sixth
    agree = (order[: len(known)] == known[:, None]).all(axis=0)
    start, x, y, order = start[agree], x[agree], y[agree], order[:, agree]
    drawn = (order < STOOD).sum(axis=0)
    thirds = order.copy()
    thirds[: len(known)] = STOOD
    taken = np.array([gone[start, thirds[0]], gone[start, thirds[1]] + (thirds[0] == thirds[1])])
    taken[thirds == STOOD] = 0

    player, banker = player[start], banker[start]
    player_end, banker_end = (player + x) % 10, (banker + y) % 10  # a hand that stood adds STOOD, which is 10
    winner = np.select([player_end == banker_end, player_end > banker_end], [TIED, PLAYER_WON], BANKER_WON)
    play = ((player_end * 10 + banker_end) * 2 + (x < STOOD)) * 2 + (y < STOOD)
    pairs = paired[0] * 14 + paired[1]
    return _Rounds(
        len(table),
        dealt,
        np.array(earlier, np.int64).reshape(len(to_draw), dealt.shape[1]),
        start_of,
        start,
        drawn,
        thirds,
        taken,
        outcome=play * PAIRS + pairs[example][start],
        state=((player * 10 + banker) * (STOOD + 1) + x) * 3 + winner,
        hands=(keys[example][start] // PAIRS * (STOOD + 1) + x) * 3 + winner,
    )


def _deals(rounds: _Rounds, left: Composition) -> Counts:
    """The number of deals of each round."""
    on_table = rounds.on_table
    counts = np.array(left.counts)
    ways = (counts[rounds.dealt[on_table:]] - rounds.earlier).clip(0).prod(axis=0)
    by_start = sums_by_place(ways, rounds.start_of, (int(rounds.start_of.max()) + 1,))
    by_points = np.append(np.bincount(POINTS, counts).astype(np.int64), 1)  # one way to stand
    first, second = by_points[rounds.thirds] - rounds.taken
    found: Counts = by_start[rounds.start] * first * second * _unused(left.size, on_table)[rounds.drawn]
    return found


def _unused(left: int, on_table: int) -> Counts:
    """The numbers of orders of the cards after a round of four, five or six cards, so that all deals have six."""
    lengths = range(INITIAL_CARDS, ROUND_CARDS + 1)
    return np.array([math.perm(max(left - max(used - on_table, 0), 0), ROUND_CARDS - used) for used in lengths])


def sums_by_place(deals: Counts, places: Counts, shape: tuple[int, ...]) -> Counts:
    """Deals summed by place, in whole numbers: `np.bincount` would sum them in floating point."""
    found = np.zeros(math.prod(shape), np.int64)
    np.add.at(found, places, deals)
    return found.reshape(shape)
