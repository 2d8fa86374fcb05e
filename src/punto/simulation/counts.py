"""The counts of a simulation: outcomes by round number, and the lengths of shoes in rounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from punto.rules.outcome import PAIRS, PLAYS, SIZE

Histogram = npt.NDArray[np.int64]
CODES = SIZE + 1
"""A kernel's code of a round is pairs × 400 + play; one more code means no round."""
MAX_ROUNDS = 136
"""More rounds than any shoe of 520 cards has: a round takes at least four."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Rounds counted by outcome, in 64 bits.

    Row i of `rows` counts, by outcome index, the rounds up to number `splits[i]` of their shoe that the rows before it
    did not count; the last row counts the rest. `reached[r]` is the number of shoes that had a round r, from 0.
    """

    splits: tuple[int, ...]
    rows: Histogram
    reached: Histogram

    @classmethod
    def of_codes(cls, splits: tuple[int, ...], codes: Histogram, reached: Histogram) -> Counts:
        """Counts from a kernel's own order of outcomes."""
        rows = codes[:, :SIZE].reshape(-1, PAIRS, PLAYS).transpose(0, 2, 1).reshape(-1, SIZE)
        return cls(splits, np.ascontiguousarray(rows), reached)

    @property
    def histogram(self) -> Histogram:
        """All rounds by outcome index."""
        total: Histogram = self.rows.sum(axis=0)
        return total

    def first(self, rounds: int) -> Histogram:
        """The first rounds of every shoe up to this number, by outcome index; it must be one of the splits."""
        total: Histogram = self.rows[: self.splits.index(rounds) + 1].sum(axis=0)
        return total

    @property
    def rounds(self) -> int:
        """The number of rounds dealt."""
        return int(self.reached.sum())

    @property
    def shoes(self) -> int:
        """The number of shoes dealt."""
        return int(self.reached[0])

    @property
    def rounds_per_shoe(self) -> dict[int, int]:
        """The number of shoes by their number of rounds."""
        ended = self.reached - np.append(self.reached[1:], 0)
        return {number + 1: int(shoes) for number, shoes in enumerate(ended) if shoes}
