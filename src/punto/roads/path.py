"""How a road of two colours is laid: down while the colour holds, a new column when it changes, tails to the right.

The big road and the three derived roads are all laid by this one rule.
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
    """Where the last mark of a road lies, and what the next one must know. Columns and rows count from 0.

    `reach` holds the rightmost column taken in each row. That is enough to tell whether a cell is free, because the
    marks at and to the right of the current column's start are unbroken tails of earlier columns: a row that reaches
    beyond this column is taken in it. So a road stays the same small size however long the shoe.

    A named tuple, not a dataclass: up to four are made each round, and a tuple costs a third of the time.
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
            # The top row is taken up to reach[0], whether by the column before or by a tail that had to run there.
            column = start = reach[0] + 1
            row = 0
        else:
            column, row, start = self.column, self.row, self.start
            # A tail, once turned, keeps to its row.
            if column == start and row + 1 < ROWS and reach[row + 1] < column:
                row += 1
            else:
                column += 1
        return Path(colour, column, row, start, (*reach[:row], column, *reach[row + 1 :]))
