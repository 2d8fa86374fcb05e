"""The exact figures that simulation is held against, for the first round of a shoe of given counts.

Everything is counted in ordered six-card deals, whether or not a round takes all six, so one total serves for all:
`cards × (cards − 1) × … × (cards − 5)`, which for ten decks fits 64 bits with room to spare.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from punto.rules.outcome import PAIRS, SIZE
from punto.rules.tableau import banker_draws, player_draws

NO_CARD = 10
"""Stands for Player's third card where Player stood."""


@cache
def _table_of_play() -> npt.NDArray[np.bool_]:
    """Whether Banker draws, by both two-card totals and Player's third card; place 11 says whether Player draws."""
    table = np.zeros((10, 10, 12), np.bool_)
    for player in range(10):
        for banker in range(10):
            table[player, banker, 11] = player_draws(player, banker)
            for third in (*range(10), None):
                table[player, banker, NO_CARD if third is None else third] = banker_draws(player, banker, third)
    return table


@njit(cache=True)
def _enumerate(counts: Any, table: Any, outcomes: Any, four_cards: Any, player_third: Any) -> None:
    """First four cards by rank, third cards by points, each way weighted by the six-card deals it stands for."""
    points = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0])
    left, worth = counts.copy(), np.zeros(10, np.int64)
    for rank in range(13):
        worth[points[rank]] += counts[rank]
    cards = counts.sum()
    # Cards that nobody draws are dealt all the same, to make six: so many ways after none, one or two third cards.
    undrawn = ((cards - 4) * (cards - 5), cards - 5, 1)
    for first_four in range(13**4):
        ranks = (first_four // 13**3, first_four // 13**2 % 13, first_four // 13 % 13, first_four % 13)
        ways = 1
        for rank in ranks:
            ways *= left[rank]
            left[rank] -= 1
            worth[points[rank]] -= 1
        if ways > 0:
            player, banker = (points[ranks[0]] + points[ranks[2]]) % 10, (points[ranks[1]] + points[ranks[3]]) % 10
            player_pair = ranks[0] + 1 if ranks[0] == ranks[2] else 0
            banker_pair = ranks[1] + 1 if ranks[1] == ranks[3] else 0
            drew = int(table[player, banker, 11])
            for third in range(10 if drew else 1):
                ways_third = ways * (worth[third] if drew else 1)
                worth[third] -= drew
                total = (player + third * drew) % 10
                draws = int(table[player, banker, third if drew else 10])
                for last in range(10 if draws else 1):
                    deals = ways_third * (worth[last] if draws else 1) * undrawn[drew + draws]
                    final = (banker + last * draws) % 10
                    play = ((total * 10 + final) * 2 + drew) * 2 + draws
                    outcomes[play * PAIRS + player_pair * 14 + banker_pair] += deals
                    won = 0 if total > final else 1 if final > total else 2
                    if drew or draws:
                        four_cards[player, banker, won] += deals
                    if drew and draws:
                        player_third[total, banker, won] += deals
                worth[third] += drew
        for rank in ranks:
            left[rank] += 1
            worth[points[rank]] += 1


@dataclass(frozen=True, slots=True)
class Exact:
    """Exact counts of six-card deals: by outcome index; and, while a card is still to come, by points and winner.

    `four_cards[player, banker]` and `player_third[player, banker]` count Player wins, Banker wins and ties after the
    points seen in that insurance window. `deals` is the total.
    """

    deals: int
    outcomes: npt.NDArray[np.int64]
    four_cards: npt.NDArray[np.int64]
    player_third: npt.NDArray[np.int64]


@cache
def exact(counts: Sequence[int]) -> Exact:
    """The exact first round of a shoe of these 13 counts by rank, ace to king, given as a tuple; six cards at least."""
    outcomes, four, third = np.zeros(SIZE, np.int64), np.zeros((10, 10, 3), np.int64), np.zeros((10, 10, 3), np.int64)
    _enumerate(np.array(counts, np.int64), _table_of_play(), outcomes, four, third)
    return Exact(math.perm(sum(counts), 6), outcomes, four, third)


def exact_distribution(counts: Sequence[int]) -> npt.NDArray[np.int64]:
    """Six-card deals by outcome index."""
    return exact(tuple(counts)).outcomes
