"""The keys of random streams from a seed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from punto.rules.refusals import Refused
from punto.rules.shoe_refusals import SeedInvalid


def keys(seed: int, words: int) -> npt.NDArray[np.uint64]:
    """This many 64-bit words, which depend only on the seed. Any whole number from 0 is a seed."""
    if seed < 0:
        raise Refused(SeedInvalid(seed))
    state: npt.NDArray[np.uint64] = np.random.SeedSequence(seed).generate_state(words, np.uint64).astype(np.uint64)
    return state
