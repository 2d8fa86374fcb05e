"""The three derived roads: what each says about the regularity of the big road.

All three are one rule at a different distance k: the column at hand is held against the one k columns before it.
Columns are logical ones: their true lengths, whatever the tails of the drawing do.
"""

from __future__ import annotations

from punto.roads.path import Colour

DISTANCES = (1, 2, 3)
"""k of big eye boy, small road and cockroach pig."""

REMEMBERED = max(DISTANCES) + 2
"""How many of the latest columns the rule can ask for: a new column n asks for n−1 and n−1−k."""


def entry(lengths: tuple[int, ...], k: int) -> Colour | None:
    """The derived mark for the newest big-road mark; None where there is nothing yet to compare with.

    `lengths` are those of the latest logical columns (at least REMEMBERED of them, if there are so many), the one that
    holds the newest mark last.
    """
    length = lengths[-1]
    if length == 1:
        if len(lengths) < k + 2:
            return None
        return Colour.RED if lengths[-2] == lengths[-2 - k] else Colour.BLUE
    if len(lengths) < k + 1:
        return None
    return Colour.BLUE if length == lengths[-1 - k] + 1 else Colour.RED


def lengthen(lengths: tuple[int, ...], *, same: bool) -> tuple[int, ...]:
    """The latest columns after one more result, in the same column or in a new one."""
    if same:
        return (*lengths[:-1], lengths[-1] + 1)
    return (*lengths[1 - REMEMBERED :], 1)
