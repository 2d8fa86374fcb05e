"""Placing marks on a road of two colours: down for the same colour, a new column for a change, tails to the right.

The big road and the three derived roads all use this rule.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

ROWS = 6
"""Every road is six rows deep."""


class Colour(StrEnum):
    """The colour of a mark. On the bead plate and big road red is Banker, blue Player, green a tie."""

    RED = "red"
    BLUE = "blue"
    GREEN = "green"


class Path(NamedTuple):
    """The position of the last mark of a road, and what is needed to place the next. Columns and rows count from 0.

    `reach` has the rightmost used column of each row. This is enough to find free cells, because the marks at and to
    the right of the current column's start are unbroken tails of earlier columns: a row that reaches beyond this column
    is used in it. So the size does not grow with the shoe.

    It is a named tuple because up to four are made each round, and a dataclass takes three times as long.
    """

    colour: Colour | None = None
    column: int = -1
    row: int = 0
    start: int = -1
    reach: tuple[int, ...] = (-1,) * ROWS

    def lay(self, colour: Colour) -> Path:
        """The road with one more mark."""
        reach = self.reach
        if colour is not self.colour:
            # The top row is used up to reach[0], by the previous column or by a tail.
            column = start = reach[0] + 1
            row = 0
        else:
            column, row, start = self.column, self.row, self.start
            # A tail stays in its row.
            if column == start and row + 1 < ROWS and reach[row + 1] < column:
                row += 1
            else:
                column += 1
        return Path(colour, column, row, start, (*reach[:row], column, *reach[row + 1 :]))
