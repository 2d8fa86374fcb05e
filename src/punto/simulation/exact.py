"""The exact figures that simulation is held against, for the first round of a shoe of given counts.

Everything is counted in ordered six-card deals by `punto.analysis`, out of one total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from punto.analysis.composition import Composition
from punto.analysis.counting import BANKER_DRAWS, PLAYER_DRAWS, STOOD, distribution


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
    of = distribution(Composition(tuple(counts)))
    someone_draws = PLAYER_DRAWS | BANKER_DRAWS[:, :, STOOD]
    four_cards = of.states.sum(axis=2) * someone_draws[:, :, None]
    player_third = np.zeros_like(four_cards)
    for before, banker in np.argwhere(PLAYER_DRAWS):
        for third in range(STOOD):
            if BANKER_DRAWS[before, banker, third]:
                player_third[(before + third) % 10, banker] += of.states[before, banker, third]
    return Exact(of.total, of.joint.reshape(-1), four_cards, player_third)


def exact_distribution(counts: Sequence[int]) -> npt.NDArray[np.int64]:
    """Six-card deals by outcome index."""
    return exact(tuple(counts)).outcomes
