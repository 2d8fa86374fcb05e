"""What all commands share in speaking to people and programs."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from punto.rules.cards import Card

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from rich.console import Console
    from rich.table import Table

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
PIPE_WIDTH = 118
"""Columns to write where there is no terminal to ask."""


class Failure(Exception):  # noqa: N818 — it is not an error in the program
    """A command that cannot do its job: a stable code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = str(code), message


def fail(failure: Failure, *, as_json: bool) -> NoReturn:
    """Say why the command stops, in the form that was asked for, and exit with status 2."""
    if as_json:
        write_json({"refused": {"code": failure.code, "rule": None, "message": failure.message}})
    else:
        sys.stderr.write(f"punto: {failure.message} [{failure.code}]\n")
    sys.exit(2)


def write_json(data: object) -> None:
    """Write one line of JSON."""
    sys.stdout.write(json.dumps(data) + "\n")


def console() -> Console:
    """Where people read: as wide as the terminal, or wide enough for our tables when there is none."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH)


def grid(title: str, columns: Iterable[tuple[str, str]], *, names: Collection[str] = ()) -> Table:
    """A table in the house style, from headings and how each is justified; columns in `names` are kept whole."""
    from rich import box
    from rich.table import Table

    table = Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        collapse_padding=True,
        pad_edge=False,
    )
    for heading, justify in columns:
        # Where room is short a cell folds; it is never cut, for what is cut may be money.
        table.add_column(heading, justify=justify, overflow="fold", no_wrap=heading in names)  # type: ignore[arg-type]
    return table


def said(text: object) -> str:
    """Text from outside, for a table or a sentence: nothing in it is markup, and control characters are shown."""
    from rich.markup import escape

    return escape("".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text)))


def faces(cards: Iterable[Card]) -> str:
    """Cards as people like to see them, red suits in red."""
    return " ".join(f"[red]{_face(card)}[/]" if card.suit in "hd" else _face(card) for card in cards)


def _face(card: Card) -> str:
    return card.rank.symbol.replace("T", "10") + SUITS[card.suit]


def spread(points: Iterable[int]) -> str:
    """Points as the sheets print them: 5, 0-4, 0-7,9."""
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and point == runs[-1][-1] + 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
