"""The three derived roads, which show the regularity of the big road.

All three have one rule with a different distance k: the current column is compared with the one k columns before it.
Columns count by their true lengths, however their tails are drawn.
"""

from __future__ import annotations

from punto.roads.path import Colour

DISTANCES = (1, 2, 3)
"""k of big eye boy, small road and cockroach pig."""

REMEMBERED = max(DISTANCES) + 2
"""The number of latest columns that the rule needs: a new column n needs n−1 and n−1−k."""


def entry(lengths: tuple[int, ...], k: int) -> Colour | None:
    """The derived mark for the newest big-road mark; None if there is no column to compare with yet.

    `lengths` are those of the latest columns, the newest last: at least REMEMBERED of them, if they exist.
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
