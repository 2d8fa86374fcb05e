"""Tables that can be read in a narrow window: where words would be cut, each row is written as a few lines."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
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
        needed = Measurement.get(console, options.update_width(UNBOUNDED), self).minimum
        if needed <= options.max_width:
            yield from super().__rich_console__(console, options)
        else:
            yield from self._lines(options.max_width)

    def _lines(self, width: int) -> RenderResult:
        if self.title:
            yield Text.from_markup(str(self.title), style="bold")
        headings = [_words(column.header) for column in self.columns]
        for row in zip(*[column.cells for column in self.columns], strict=True):
            cells = [_words(cell) for cell in row]
            pairs = [_pair(heading, cell) for heading, cell in zip(headings, cells, strict=True) if cell]
            if cells[0]:
                yield pairs.pop(0)
            yield from _packed(pairs, width)


def _words(cell: RenderableType) -> Text:
    """A cell on one line, without the spaces that align it."""
    words = [word for line in Text.from_markup(str(cell)).split("\n") for word in line.split(" ") if word]
    return Text(" ").join(words)


def _pair(heading: Text, cell: Text) -> Text:
    return Text(heading.plain, style="dim") + Text(" ") + cell if heading else cell


def _packed(pairs: list[Text], width: int) -> RenderResult:
    """As many pairs on each line as fit; one that is longer than a line is wrapped between its words."""
    line = Text(INDENT)
    for pair in pairs:
        if line.cell_len > len(INDENT) and line.cell_len + len(BETWEEN) + pair.cell_len > width:
            yield line
            line = Text(INDENT)
        if len(INDENT) + pair.cell_len > width:
            yield from (Text(INDENT) + part for part in _wrapped(pair, width - len(INDENT)))
        else:
            line += (Text(BETWEEN, style="dim") if line.cell_len > len(INDENT) else Text("")) + pair
    if line.cell_len > len(INDENT):
        yield line


def _wrapped(text: Text, width: int) -> list[Text]:
    """The text in lines of whole words."""
    lines, line = [], Text("")
    for word in text.split(" "):
        if line and line.cell_len + 1 + word.cell_len > width:
            lines.append(line)
            line = Text("")
        line = line + Text(" ") + word if line else word
    return [*lines, line]
