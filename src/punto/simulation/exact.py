"""The exact figures to compare a simulation with, for the first round of a shoe of given counts.

`punto.analysis` counts ordered six-card deals, out of one total.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from punto.analysis.counting import Counts, distribution
from punto.analysis.insurance import endings
from punto.rules.composition import Composition
from punto.rules.insurance import Window


@dataclass(frozen=True, slots=True)
class Exact:
    """Exact counts of six-card deals, `deals` in all: by outcome index, and by winner after the points of a window."""

    deals: int
    outcomes: npt.NDArray[np.int64]
    endings: dict[tuple[Window, int, int], Counts]


@cache
def exact(counts: Sequence[int]) -> Exact:
    """The exact first round of a shoe of these 13 counts by rank, ace to king, given as a tuple; six cards at least."""
    of = distribution(Composition(tuple(counts)))
    return Exact(of.total, of.joint.reshape(-1), endings(of))


def exact_distribution(counts: Sequence[int]) -> npt.NDArray[np.int64]:
    """Six-card deals by outcome index."""
    return exact(tuple(counts)).outcomes
