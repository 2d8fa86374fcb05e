"""Settled rounds as text for people, thousands a second. Only where the width is short, rich lays them out."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from punto.cli.output import columns, console, grid, phrase, said, shown
from punto.rules.bets import Result
from punto.rules.hands import Hand
from punto.rules.html import RED_SUITS, face
from punto.rules.loader import load
from punto.rules.money import money
from punto.rules.notation import RoundToSettle
from punto.rules.outcome import Winner
from punto.rules.settlement import Line, Settlement

if TYPE_CHECKING:
    from rich.console import Console

COLOURS = {Result.WIN: "green", Result.LOSE: "red", Result.RETURNED: "yellow"}
CODES = {"bold": "1", "red": "31", "green": "32", "yellow": "33"}
"""The terminal's codes of the styles used here."""
CODE = re.compile("\x1b\\[[0-9]+m")
RESULT = -5
"""The place of a row's result."""
GAP = "  "
RULE = "─"


def _word(game: str, key: str, on: str = "") -> str:
    """The words of a sheet for its title or a bet."""
    sheet = load(game)
    return shown(phrase(key, sheet, title=sheet.title, on=on))


class SettlementWriter:
    """Writes settlements to a console. What is the same for all of them is looked up once."""

    def __init__(self, out: Console) -> None:
        from rich.cells import cell_len

        self._out, self._cell_len = out, cell_len
        self._plain_box = out.options.ascii_only or out.legacy_windows
        styles = CODES if out.color_system else {}
        self._codes = {name: code for name, code in styles.items() if name == "bold" or not out.no_color}
        self._phrase, self._word = cache(phrase), cache(_word)
        self._colours = {phrase(f"result-{result}"): colour for result, colour in COLOURS.items()}
        self._columns = columns("box> patron bet stake> result odds> back> net> paragraph")
        self._scaled = columns("box> patron bet stake> in-play> result odds> back> net> paragraph")

    def write(self, record: RoundToSettle, settlement: Settlement) -> None:
        """Write one settlement: the game, the hands, a line for each bet, and the House's net."""
        title = self._word(record.game, "title")
        columns, rows = self._table(record.game, settlement)
        if not self._write_fast(title, settlement, columns, rows):
            self._write_folded(title, settlement, columns, rows)

    def _table(self, game: str, settlement: Settlement) -> tuple[list[tuple[str, str]], list[list[str]]]:
        """The columns, and the rows as text; the last row is the House's. A window stands in a row of its own."""
        scaled = any(line.in_play_cents != line.bet.stake_cents for line in settlement.lines)
        headings = self._scaled if scaled else self._columns
        rows = []
        for line in settlement.lines:
            rows.append(self._row(game, line, scaled=scaled))
            if line.bet.window:
                rows.append(
                    ["", "", f"  {self._phrase('window', window=line.bet.window)}", *[""] * (len(headings) - 3)]
                )
        rows.append(["", self._phrase("house"), *[""] * (len(headings) - 4), money(settlement.house_cents), ""])
        return headings, rows

    def _row(self, game: str, line: Line, *, scaled: bool) -> list[str]:
        bet = line.bet
        return [
            str(bet.box),
            bet.patron,
            self._word(game, "bet", bet.on),
            money(bet.stake_cents),
            *([money(line.in_play_cents)] if scaled else ()),
            self._phrase(f"result-{line.result}"),
            line.odds.text if line.odds else "",
            money(line.returned_cents),
            money(line.net_cents),
            f"{line.rule}; {line.in_play_rule}" if line.in_play_rule else line.rule,
        ]

    # --------------------------------------------------------------------------------------- wide enough

    def _write_fast(
        self, title: str, settlement: Settlement, columns: list[tuple[str, str]], rows: list[list[str]]
    ) -> bool:
        """Write it if it fits the width; say whether it did."""
        headings = [heading for heading, _ in columns]
        # Most tables are ASCII, and then the length of a text is its width.
        width_of = len if all("".join(row).isascii() for row in rows) else self._width
        widths = [max(map(width_of, cells)) for cells in zip(*rows, strict=True)]
        widths = [max(width, self._width(heading)) for width, heading in zip(widths, headings, strict=True)]
        total = sum(widths) + len(GAP) * (len(widths) - 1)
        heads = self._hands_line(settlement)
        widest = max(total, self._width(title), self._width(CODE.sub("", heads)))
        if self._plain_box or widest > self._out.width:
            return False
        to_the_right = [justify == "right" for _, justify in columns]
        lines = [
            self._style(title, "bold"),
            heads,
            self._style(GAP.join(self._pad(headings, widths, to_the_right)), "bold"),
        ]
        lines.append(RULE * total)
        for row in rows[:-1]:
            cells, text = self._pad(row, widths, to_the_right), row[RESULT]
            if text:
                cells[RESULT] = self._style(text, self._colours[text]) + cells[RESULT][len(text) :]
            lines.append(GAP.join(cells))
        lines += [" " * total, GAP.join(self._pad(rows[-1], widths, to_the_right)), ""]
        sys.stdout.write("\n".join(lines))
        return True

    def _pad(self, cells: Sequence[str], widths: Sequence[int], to_the_right: Sequence[bool]) -> list[str]:
        if not "".join(cells).isascii():  # a wide character takes the place of two
            widths = [width + len(cell) - self._width(cell) for cell, width in zip(cells, widths, strict=True)]
        places = zip(cells, widths, to_the_right, strict=True)
        return [cell.rjust(width) if right else cell.ljust(width) for cell, width, right in places]

    def _hands_line(self, settlement: Settlement) -> str:
        round_, outcome = settlement.round, settlement.round.outcome
        parts = []
        for hand, cards, points in (
            (Hand.PLAYER, round_.player, outcome.player_points),
            (Hand.BANKER, round_.banker, outcome.banker_points),
        ):
            drawn = [self._style(face(card), "red") if card.suit in RED_SUITS else face(card) for card in cards]
            parts.append(f"{self._phrase('hand', hand=hand)} {' '.join(drawn)} = {self._style(str(points), 'bold')}")
        won = self._phrase("tie" if outcome.winner is Winner.TIE else "wins", winner=outcome.winner)
        return "    ".join([*parts, self._style(won, "bold")])

    def _width(self, text: str) -> int:
        return len(text) if text.isascii() else self._cell_len(text)

    def _style(self, text: str, style: str) -> str:
        code = self._codes.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if code else text

    # --------------------------------------------------------------------------------------- too narrow

    def _write_folded(
        self, title: str, settlement: Settlement, columns: list[tuple[str, str]], rows: list[list[str]]
    ) -> None:
        """Let rich fold what does not fit."""
        from rich.text import Text

        out = console()
        out.print(Text(title, style="bold"))
        out.print(Text.from_ansi(self._hands_line(settlement)))
        table = grid("", columns)
        for row in rows[:-1]:
            cells, text = [said(cell) for cell in row], row[RESULT]
            if text:
                cells[RESULT] = f"[{self._colours[text]}]{text}[/]"
            table.add_row(*cells)
        table.add_section()
        table.add_row(*map(said, rows[-1]))
        out.print(table)
