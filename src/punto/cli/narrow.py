"""Tables that can be read in a narrow window: where words would be cut, each row is written as a few lines."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement, measure_renderables
from rich.table import Table
from rich.text import Text

INDENT = "  "
BETWEEN = " · "
UNBOUNDED = 10_000
"""A width in which no word is cut."""


class FoldingTable(Table):
    """A table that becomes a list of rows when the window is narrower than its longest words need.

    The first column heads a row; every other cell that is not empty follows with its heading.
    """

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the table, or the list."""
        unbounded, width = options.update_width(UNBOUNDED), options.max_width
        ranges = [
            measure_renderables(
                console, unbounded, [Text.from_markup(str(each)) for each in (column.header, *column.cells)]
            )
            for column in self.columns
        ]
        widths = [each.maximum for each in ranges]
        # No column gets narrower than its longest word. Rich would narrow them all alike, and cut words.
        least = [
            each.maximum if column.no_wrap else each.minimum for column, each in zip(self.columns, ranges, strict=True)
        ]
        room = width - (Measurement.get(console, unbounded, self).maximum - sum(widths))
        if sum(least) > room:
            yield from self._lines(console, width)
            return
        while sum(widths) > room:
            widest = max(range(len(widths)), key=lambda place: (widths[place] > least[place], widths[place]))
            widths[widest] -= 1
        for column, each in zip(self.columns, widths, strict=True):
            column.width = each
        yield from super().__rich_console__(console, options)

    def _lines(self, console: Console, width: int) -> RenderResult:
        if self.title:
            yield Text.from_markup(str(self.title), style="bold")
        headings = [_words(column.header) for column in self.columns]
        for row in zip(*[column.cells for column in self.columns], strict=True):
            cells = [_words(cell) for cell in row]
            pairs = [_pair(heading, cell) for heading, cell in zip(headings, cells, strict=True) if cell]
            if cells[0]:
                yield pairs.pop(0)
            yield from _packed(console, pairs, width - len(INDENT))


def _words(cell: RenderableType) -> Text:
    """A cell on one line, without the spaces that align it."""
    words = [word for line in Text.from_markup(str(cell)).split("\n") for word in line.split(" ") if word]
    return Text(" ").join(words)


def _pair(heading: Text, cell: Text) -> Text:
    return Text(heading.plain, style="dim") + Text(" ") + cell if heading else cell


def _packed(console: Console, pairs: list[Text], width: int) -> RenderResult:
    """As many pairs on each line as fit; one that is longer than a line is wrapped between its words."""
    lines: list[Text] = []
    for pair in pairs:
        if lines and lines[-1].cell_len + len(BETWEEN) + pair.cell_len <= width:
            lines[-1] += Text(BETWEEN, style="dim") + pair
        else:
            lines += pair.wrap(console, width)
    yield from [Text(INDENT) + line for line in lines]
