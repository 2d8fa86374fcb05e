"""The roads drawn as SVG: one text, for a display board or a page.

Colours are presentation attributes, which a page's style sheet can override by class. There is no inline style, so that
a strict content security policy allows the drawing. Every mark has its meaning as a title.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from punto.roads.path import ROWS, Colour
from punto.roads.roads import Cell, NextHand, Roads
from punto.roads.words import ENGLISH, Words, describe, summary, waiting
from punto.rules.outcome import Winner

FELT, PANEL, LINE, INK, QUIET = "#0d3b2a", "#0a2119", "#214a3b", "#f2efe4", "#a9bdb2"
INKS = {Colour.RED: "#ff6464", Colour.BLUE: "#62b0ff", Colour.GREEN: "#4fdc87"}
BEADS = {Colour.RED: "#d8353b", Colour.BLUE: "#2a74d6", Colour.GREEN: "#1f9d55"}
FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK TC', 'PingFang TC', 'Microsoft JhengHei', sans-serif"

CELL, HALF = 20, 10
"""A cell of the bead plate and big road, and one of a derived road."""
HEAD, GAP, MARGIN = 16, 12, 14
BEAD_COLUMNS, BIG_COLUMNS = 14, 26
"""The minimum number of columns of the two large roads; a drawing grows with the shoe."""

Draw = Callable[[Cell, float, float], str]


def draw_svg(roads: Roads, *, words: Words = ENGLISH) -> str:
    """All five roads and the next-hand rows as one SVG document, which scales to any size."""
    eye, small, pig = roads.big_eye_boy, roads.small_road, roads.cockroach_pig
    bead, big = roads.bead_plate, roads.big_road
    bead_columns = max(BEAD_COLUMNS, _columns(bead))
    big_columns = max(BIG_COLUMNS, _columns(big), -(-_columns(eye) // 2), _columns(small), _columns(pig) + 1)
    left, top = MARGIN, MARGIN
    right = left + bead_columns * CELL + GAP
    middle = top + HEAD + ROWS * CELL + GAP
    bottom = middle + HEAD + ROWS * HALF + GAP
    width = right + big_columns * CELL + MARGIN
    height = bottom + HEAD + ROWS * HALF + GAP + HEAD
    # Small road and cockroach pig share the width below big eye boy, less a gap of one cell.
    pig_columns = big_columns - 1
    pig_left = right + big_columns * HALF + HALF

    def panel(name: str, cells: Sequence[Cell], x: int, y: int, wide: int, draw: Draw, extra: str = "") -> str:
        size = CELL if name in {"bead_plate", "big_road"} else HALF
        title = words.of("road", name)
        parts = [f'<g class="road {name.replace("_", "-")}" transform="translate({x} {y})">']
        parts.append(f"<title>{escape(title)}</title>{_heading(title)}")
        parts.append(f'<g transform="translate(0 {HEAD})">{_lattice(wide, size)}{extra}')
        for cell in cells:
            where = cell.column * size, cell.row * size
            parts.append(_mark(cell, words, draw(cell, *where), where, size, new=cell.round == roads.rounds))
        parts.append("</g></g>")
        return "".join(parts)

    def bead_mark(cell: Cell, x: float, y: float) -> str:
        return _bead(cell, x, y, words.bead(cell.colour))

    body = [
        panel("bead_plate", bead, left, top, bead_columns, bead_mark),
        panel("big_road", big, right, top, big_columns, _big, _waiting(roads, words)),
        panel("big_eye_boy", eye, right, middle, 2 * big_columns, _ring),
        panel("small_road", small, right, bottom, big_columns, _disc),
        panel("cockroach_pig", pig, pig_left, bottom, pig_columns, _slash),
        _next_rows(roads, words, left, middle, bead_columns * CELL),
        _text(left, height - MARGIN, words.says("tradition"), "tradition", 9, QUIET),
    ]
    about = escape(summary(roads, words))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="punto-roads" lang="{words.language}" role="img" '
        f'aria-label="{about}" viewBox="0 0 {width} {height}" font-family="{FONT}">'
        f'<title>{about}</title><rect class="felt" width="{width}" height="{height}" rx="8" fill="{FELT}"/>'
        f"{''.join(body)}</svg>\n"
    )


def _columns(cells: Sequence[Cell]) -> int:
    return max((cell.column for cell in cells), default=-1) + 1


# ------------------------------------------------------------------------------------------- furniture


def _text(
    x: float, y: float, text: str, name: str, size: float, fill: str, anchor: str = "start", *, bold: bool = False
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text class="{name}" x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )


def _heading(title: str) -> str:
    return _text(0, HEAD - 5, title, "name", 10, INK)


def _lattice(columns: int, size: int) -> str:
    width, height = columns * size, ROWS * size
    lines = [f"M{column * size} 0V{height}" for column in range(1, columns)]
    lines += [f"M0 {row * size}H{width}" for row in range(1, ROWS)]
    drawn = f'<path class="lattice" d="{"".join(lines)}" stroke="{LINE}" stroke-width="0.6"/>'
    return _sheet(width, height) + drawn


def _sheet(width: int, height: int) -> str:
    return f'<rect class="panel" width="{width}" height="{height}" fill="{PANEL}" stroke="{LINE}"/>'


def _mark(cell: Cell, words: Words, drawn: str, where: tuple[float, float], size: int, *, new: bool) -> str:
    large = size == CELL
    title = f"<title>{escape(describe(cell, words, hand=large))}</title>"
    light = ""
    if new:
        x, y = where
        light = f'<rect x="{x:g}" y="{y:g}" width="{size}" height="{size}" fill="{INK}" fill-opacity="0.16"/>'
    pairs = _pairs(cell, *where) if large else ""
    return f'<g class="mark {cell.colour}{" latest" * new}">{title}{light}{drawn}{pairs}</g>'


def _pairs(cell: Cell, x: float, y: float) -> str:
    near, far = 4, CELL - 4
    dots = [(cell.banker_pair, "banker-pair", Colour.RED, near), (cell.player_pair, "player-pair", Colour.BLUE, far)]
    return "".join(
        f'<circle class="{name}" cx="{x + at:g}" cy="{y + at:g}" r="2.9" fill="{INKS[colour]}" stroke="{PANEL}"/>'
        for there, name, colour, at in dots
        if there
    )


# ------------------------------------------------------------------------------------------- the marks


def _bead(cell: Cell, x: float, y: float, letter: str) -> str:
    middle = CELL // 2
    return f'<circle cx="{x + middle:g}" cy="{y + middle:g}" r="8.4" fill="{BEADS[cell.colour]}"/>' + _text(
        x + middle, y + middle + 3.9, letter, "letter", 11, "#ffffff", "middle"
    )


def _big(cell: Cell, x: float, y: float) -> str:
    middle = CELL // 2
    ring = _circle(x + middle, y + middle, 7, f'fill="none" stroke="{INKS[cell.colour]}" stroke-width="2.4"')
    return ring + _tie(cell.ties, x, y)


def _tie(ties: int, x: float, y: float) -> str:
    """A stroke for one tie, a number for more."""
    if not ties:
        return ""
    ink, low, high = INKS[Colour.GREEN], 3.5, CELL - 3.5
    if ties == 1:
        line = f"M{x + low:g} {y + high:g}L{x + high:g} {y + low:g}"
        return f'<path class="tie" d="{line}" stroke="{ink}" stroke-width="2.2" stroke-linecap="round"/>'
    size = 11 if ties < 10 else 9 if ties < 100 else 6
    return _text(x + CELL / 2, y + CELL / 2 + size * 0.36, str(ties), "tie", size, ink, "middle", bold=True)


def _waiting(roads: Roads, words: Words) -> str:
    if not roads.ties_waiting:
        return ""
    title = escape(waiting(roads, words))
    return f'<g class="mark green latest"><title>{title}</title>{_tie(roads.ties_waiting, 0, 0)}</g>'


def _circle(x: float, y: float, radius: float, look: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {look}/>'


def _ring(cell: Cell, x: float, y: float) -> str:
    look = f'fill="none" stroke="{INKS[cell.colour]}" stroke-width="1.7"'
    return _circle(x + HALF / 2, y + HALF / 2, 3.2, look)


def _disc(cell: Cell, x: float, y: float) -> str:
    return _circle(x + HALF / 2, y + HALF / 2, 3.8, f'fill="{INKS[cell.colour]}"')


def _slash(cell: Cell, x: float, y: float) -> str:
    return (
        f'<path d="M{x + 1.8:g} {y + HALF - 1.8:g}L{x + HALF - 1.8:g} {y + 1.8:g}" stroke="{INKS[cell.colour]}" '
        'stroke-width="2" stroke-linecap="round"/>'
    )


# ------------------------------------------------------------------------------------------- next hand


def _next_rows(roads: Roads, words: Words, x: int, y: int, width: int) -> str:
    """Two rows, one for each hand that may come next, with a mark for each derived road."""
    height = 2 * (HEAD + ROWS * HALF) + GAP - HEAD
    parts = [f'<g class="next-hand" transform="translate({x} {y})">{_heading(words.says("next-hand"))}']
    parts.append(f'<g transform="translate(0 {HEAD})">{_sheet(width, height)}')
    across = [width * share for share in (0.37, 0.61, 0.85)]
    for at, name in zip(across, NextHand._fields, strict=True):
        parts.append(_text(at, 22, words.of("road", name), "name", 8.5, QUIET, "middle"))
    for winner, down in ((Winner.BANKER, 58), (Winner.PLAYER, 102)):
        colours, coming = roads.next_hand(winner), words.says("coming", hand=winner)
        parts.append(f'<g class="if-{winner}">{_text(12, down + 4, coming, "name", 12, INK)}')
        for at, name, colour, draw in zip(across, NextHand._fields, colours, (_ring, _disc, _slash), strict=True):
            said = words.says("nothing") if colour is None else words.of("colour", colour)
            parts.append(_asked(words.joined(coming, words.of("road", name), said), colour, draw, at, down))
        parts.append("</g>")
    parts.append("</g></g>")
    return "".join(parts)


def _asked(told: str, colour: Colour | None, draw: Draw, x: float, y: float) -> str:
    title = f"<title>{escape(told)}</title>"
    if colour is None:
        return f"<g>{title}{_text(x, y + 4, '–', 'nothing', 12, QUIET, 'middle')}</g>"
    drawn = draw(Cell(0, 0, 0, colour), -HALF / 2, -HALF / 2)
    return f'<g class="mark {colour}" transform="translate({x:g} {y:g}) scale(2.2)">{title}{drawn}</g>'
