"""All five roads of a shoe as one immutable value. Appending a round takes constant time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from punto.roads.derived import DISTANCES, entry, lengthen
from punto.roads.path import ROWS, Colour, Path
from punto.rules.outcome import Outcome, Winner
from punto.rules.tabular import Row, Tabular
from punto.rules.words import counted

LETTERS = {Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE: "T"}
ROADS = ("bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_pig")
COLOURS = {Winner.BANKER: Colour.RED, Winner.PLAYER: Colour.BLUE, Winner.TIE: Colour.GREEN}
NOTHING = Path()
_SHOWN = 40
"""The number of latest results that the `repr` of roads shows."""


class Cell(NamedTuple):
    """One mark of a road: its position (columns and rows from 0), its colour, and the round (from 1) that made it.

    `ties` is the number of ties on a big-road mark. The pairs are those of the round that made the mark. Only the bead
    plate and big road show pairs and ties.
    """

    round: int
    column: int
    row: int
    colour: Colour
    ties: int = 0
    banker_pair: bool = False
    player_pair: bool = False


class NextHand(NamedTuple):
    """The marks of the derived roads if one hand wins next; None for no mark."""

    big_eye_boy: Colour | None
    small_road: Colour | None
    cockroach_pig: Colour | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Roads(Tabular):
    """The roads after some rounds. `append` returns new roads.

    Roads are a linked list: each value has its latest round and the previous roads. Appending needs only `lengths` and
    the paths, which have a fixed size. Reading a road walks the list once.
    """

    before: Roads | None = field(default=None)
    outcome: Outcome | None = None
    rounds: int = 0
    lengths: tuple[int, ...] = ()
    big: Path = NOTHING
    derived: tuple[Path, ...] = (NOTHING,) * len(DISTANCES)

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Roads:
        """The roads of a shoe, from its outcomes in order."""
        roads = cls()
        for outcome in outcomes:
            roads = roads.append(outcome)
        return roads

    def append(self, outcome: Outcome) -> Roads:
        """These roads with one more round."""
        winner = outcome.winner
        if winner is Winner.TIE:
            return Roads(self, outcome, self.rounds + 1, self.lengths, self.big, self.derived)
        colour = COLOURS[winner]
        lengths = lengthen(self.lengths, same=colour is self.big.colour)
        paths = []
        for k, path in zip(DISTANCES, self.derived, strict=True):
            mark = entry(lengths, k)
            paths.append(path if mark is None else path.lay(mark))
        return Roads(self, outcome, self.rounds + 1, lengths, self.big.lay(colour), tuple(paths))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the shoe in order."""
        return tuple([outcome for _, outcome in self._chain()])

    @property
    def bead_plate(self) -> tuple[Cell, ...]:
        """Every round in order, ties too, column by column."""
        cells = []
        for place, (_, outcome) in enumerate(self._chain()):
            column, row = divmod(place, ROWS)
            cells.append(_cell(place + 1, column, row, COLOURS[outcome.winner], 0, outcome))
        return tuple(cells)

    @property
    def big_road(self) -> tuple[Cell, ...]:
        """Every result except ties, which are shown on the previous result, or on the first one."""
        cells: list[Cell] = []
        waiting = 0
        for roads, outcome in self._chain():
            if outcome.winner is not Winner.TIE:
                path = roads.big
                cells.append(_cell(roads.rounds, path.column, path.row, COLOURS[outcome.winner], waiting, outcome))
                waiting = 0
            elif cells:
                cells[-1] = cells[-1]._replace(ties=cells[-1].ties + 1)
            else:
                waiting += 1
        return tuple(cells)

    @property
    def ties_waiting(self) -> int:
        """The number of ties at the start of the shoe, before the first result."""
        return 0 if self.lengths else self.rounds

    @property
    def big_eye_boy(self) -> tuple[Cell, ...]:
        """Each column compared with the one before it."""
        return self._derived_cells(0)

    @property
    def small_road(self) -> tuple[Cell, ...]:
        """Each column compared with the second before it."""
        return self._derived_cells(1)

    @property
    def cockroach_pig(self) -> tuple[Cell, ...]:
        """Each column compared with the third before it."""
        return self._derived_cells(2)

    def next_hand(self, winner: Winner) -> NextHand:
        """The marks of the derived roads if this hand wins the next round: tradition, not information."""
        if winner is Winner.TIE:
            raise ValueError("a tie marks no derived road")
        lengths = lengthen(self.lengths, same=COLOURS[winner] is self.big.colour)
        return NextHand(*[entry(lengths, k) for k in DISTANCES])

    def to_dicts(self) -> list[Row]:
        """A row for each mark of each road."""
        return [
            {"road": name, **cell._asdict(), "colour": cell.colour.value}
            for name in ROADS
            for cell in getattr(self, name)
        ]

    def __str__(self) -> str:
        letters = self._letters
        counts = ", ".join([f"{winner.value.title()} {letters.count(LETTERS[winner])}" for winner in COLOURS])
        return f"{counted(self.rounds, 'round')}: {counts}"

    def __repr__(self) -> str:
        letters = self._letters
        shown = letters if len(letters) <= _SHOWN else f"…{letters[-_SHOWN:]}"
        return f"<Roads {counted(self.rounds, 'round')}: {shown or 'none'}>"

    @property
    def _letters(self) -> str:
        return "".join([LETTERS[outcome.winner] for outcome in self.outcomes])

    _repr_html_ = None  # type: ignore[assignment] # a notebook shows the picture

    def _repr_svg_(self) -> str:
        from punto.roads.svg import draw_svg

        return draw_svg(self)

    def _derived_cells(self, which: int) -> tuple[Cell, ...]:
        cells = []
        before = NOTHING
        for roads, _ in self._chain():
            path = roads.derived[which]
            if path is not before and path.colour is not None:
                cells.append(Cell(roads.rounds, path.column, path.row, path.colour))
            before = path
        return tuple(cells)

    def _chain(self) -> Iterator[tuple[Roads, Outcome]]:
        """The roads after each round, first round first, with that round's outcome."""
        chain = []
        roads: Roads | None = self
        while roads is not None and roads.outcome is not None:
            chain.append((roads, roads.outcome))
            roads = roads.before
        return reversed(chain)

    # The outcomes determine everything else, and recursion over a long list would exhaust the stack.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Roads):
            return NotImplemented
        return self.rounds == other.rounds and self.outcomes == other.outcomes

    def __hash__(self) -> int:
        return hash(self.outcomes)

    def __reduce__(self) -> tuple[Callable[[Iterable[Outcome]], Roads], tuple[tuple[Outcome, ...]]]:
        return Roads.of, (self.outcomes,)


def _cell(round_: int, column: int, row: int, colour: Colour, ties: int, outcome: Outcome) -> Cell:
    return Cell(round_, column, row, colour, ties, outcome.banker_pair is not None, outcome.player_pair is not None)
