"""The roads drawn with characters: coloured shapes on a terminal with colour, letters without.

A drawing is lines of spans. A span is text and the name of its look; the caller maps looks to terminal styles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from punto.roads.path import ROWS, Colour
from punto.roads.roads import LETTERS, ROADS, Cell, NextHand, Roads
from punto.roads.words import ENGLISH, HANDS, WINNERS, Words, newest, summary, waiting


class Span(NamedTuple):
    """Text with one look: a colour, `bead-` and a colour, `name`, `quiet` or nothing."""

    text: str
    look: str = ""


Line = list[Span]
LARGE, SMALL, GAP = 3, 2, 3
"""The widths in characters: a cell of the bead plate and big road, a cell of a derived road, the gap between roads."""
MIN_COLUMNS = 12
SHAPES = {"big_eye_boy": "○", "small_road": "●", "cockroach_pig": "/"}
INITIALS = {Colour.RED: "r", Colour.BLUE: "b"}


def draw_text(roads: Roads, *, colour: bool, width: int, words: Words = ENGLISH) -> list[Line]:
    """All five roads and the next-hand rows in lines of at most `width` characters, as far as that is possible.

    Without colour the marks are letters and ASCII characters, with a key. A road wider than the screen shows its newest
    columns and says so.
    """

    def bead(cell: Cell) -> Line:
        letter = words.bead(cell.colour)
        return [_pairs(cell), Span(letter, f"bead-{cell.colour}"), Span(" " * (LARGE - 1 - _width(letter)))]

    def big(cell: Cell) -> Line:
        shape = "○" if colour else LETTERS[WINNERS[cell.colour]]
        return [_pairs(cell), Span(shape, cell.colour), Span(_ties(cell.ties), Colour.GREEN)]

    def derived(name: str) -> Callable[[Cell], Line]:
        return lambda cell: [Span(_shape(name, cell.colour, colour=colour), cell.colour), Span(" ")]

    empty = "·" if colour else "."
    marks = {"bead_plate": bead, "big_road": big}
    blocks = [
        _road(name, getattr(roads, name), marks.get(name) or derived(name), empty, width, words) for name in ROADS
    ]
    blocks.insert(1, _next_rows(roads, words, colour=colour))
    lines = [[Span(summary(roads, words), "name")], []]
    if roads.ties_waiting:
        lines[1:] = [[Span(waiting(roads, words), Colour.GREEN)], []]
    lines += _flow(blocks, width)
    lines += [[Span(key, "quiet")] for key in _key(words, colour=colour)]
    return [*lines, [Span(words.says("tradition"), "quiet")]]


def _road(
    name: str, cells: Sequence[Cell], mark: Callable[[Cell], Line], empty: str, width: int, words: Words
) -> list[Line]:
    """A road as a title and six lines, all equally wide."""
    size = SMALL if name in SHAPES else LARGE
    columns = max(MIN_COLUMNS, max((cell.column for cell in cells), default=-1) + 1)
    shown = max(1, min(columns, width // size))
    title = words.of("road", name) if shown == columns else newest(name, shown, columns, words)
    placed = {(cell.column, cell.row): cell for cell in cells}
    blank = Span(f" {empty} " if size == LARGE else f"{empty} ", "quiet")
    lines: list[Line] = [[Span(title, "name")]]
    for row in range(ROWS):
        line: Line = []
        for column in range(columns - shown, columns):
            cell = placed.get((column, row))
            line += [blank] if cell is None else mark(cell)
        lines.append(line)
    return _even(lines)


def _next_rows(roads: Roads, words: Words, *, colour: bool) -> list[Line]:
    """The next-hand rows: one for each hand that may win, with a mark for each derived road."""
    corner, names = words.says("next-hand"), [words.of("road", name) for name in NextHand._fields]
    coming = [words.says("coming", hand=winner) for winner in HANDS]
    wide = max(map(_width, (corner, *coming))) + GAP
    lines: list[Line] = [[Span(_pad(corner, wide), "name"), *[Span(f"{name}  ") for name in names]]]
    for heading, winner in zip(coming, HANDS, strict=True):
        line = [Span(_pad(heading, wide))]
        for name, says, above in zip(NextHand._fields, roads.next_hand(winner), names, strict=True):
            mark = "-" if says is None else _shape(name, says, colour=colour)
            line.append(Span(_pad(mark, _width(above) + 2), says or "quiet"))
        lines.append(line)
    return _even(lines)


def _key(words: Words, *, colour: bool) -> list[str]:
    pairs, ties = words.says("pairs-key"), words.says("ties-key")
    if colour:
        return [f"{pairs}  {ties}"]
    hands = [f"{letter} {words.of('winner', winner)}" for winner, letter in LETTERS.items()]
    colours = [f"{initial} {words.of('colour', colour)}" for colour, initial in INITIALS.items()]
    return ["  ".join([*hands, *colours, pairs]), ties]


def _shape(name: str, says: Colour, *, colour: bool) -> str:
    return SHAPES[name] if colour else INITIALS[says]


def _pairs(cell: Cell) -> Span:
    if cell.banker_pair and cell.player_pair:
        return Span(":", "name")
    if cell.banker_pair:
        return Span("'", Colour.RED)
    return Span(",", Colour.BLUE) if cell.player_pair else Span(" ")


def _ties(ties: int) -> str:
    return {0: " ", 1: "/"}.get(ties) or (str(ties) if ties <= 9 else "+")


# ------------------------------------------------------------------------------------------- arranging


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _length(line: Line) -> int:
    return sum(_width(span.text) for span in line)


def _even(lines: list[Line]) -> list[Line]:
    width = max(map(_length, lines))
    return [[*line, Span(" " * (width - _length(line)))] for line in lines]


def _flow(blocks: list[list[Line]], width: int) -> list[Line]:
    """Blocks next to each other while they fit, then below, with a blank line after each row of blocks."""
    lines: list[Line] = []
    band: list[Line] = []
    for block in blocks:
        if band and _length(band[0]) + GAP + _length(block[0]) <= width:
            band = _beside(band, block)
        else:
            lines += [*band, []] if band else []
            band = block
    return [*lines, *band, []]


def _beside(left: list[Line], right: list[Line]) -> list[Line]:
    wide = _length(left[0])
    lines = []
    for place in range(max(len(left), len(right))):
        start = left[place] if place < len(left) else [Span(" " * wide)]
        lines.append([*start, Span(" " * GAP), *(right[place] if place < len(right) else [])])
    return lines
