"""Output that all commands share, for people and programs. Help imports it, so it imports little itself."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from punto.texts import LANGUAGE as LANGUAGE
from punto.texts import LANGUAGES, negotiate, say, text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from punto.cli.declare import Output
    from punto.rules.cards import Card
    from punto.rules.refusals import Refusal, Refused
    from punto.rules.sheet import Sheet

PIPE_WIDTH = 118
"""The width of output that is not a terminal."""


def language_of(environment: Mapping[str, str], words: Sequence[str] = ()) -> str:
    """The language that the words of a command name, or that of the environment; English if there is no catalogue."""
    for word, after in zip(words, [*words[1:], ""], strict=False):
        named_ = after if word == "--lang" else word.removeprefix("--lang=")
        if word.startswith("--lang") and named_ in LANGUAGES:
            return named_
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "")
    return negotiate(locale.partition(".")[0].replace("_", "-"))


def sentence(refusal: Refusal, sheet: Sheet | None = None, *, language: str | None = None) -> str:
    """The sentence of a refusal, in the language of this run."""
    from punto.cli.refusals import Reported

    return refusal.detail if isinstance(refusal, Reported) else say(refusal, language or LANGUAGE.get(), sheet)


def write_refusal(refusal: Refusal, sheet: Sheet | None = None) -> dict[str, Any]:
    """A refusal as plain data for JSON."""
    return _plain(refusal, sentence(refusal, sheet, language=LANGUAGES[0]))


def _plain(refusal: Refusal, message: str) -> dict[str, Any]:
    return {"refused": {"code": refusal.code, "rule": refusal.rule, "message": message}}


def fail(error: Refused, *, as_json: bool) -> NoReturn:
    """Show why the command stops, as text or JSON, a line for each reason, and exit with status 2."""
    from punto.cli.refusals import LineRefusedError, SettingsRefusedError

    language = LANGUAGES[0] if as_json else LANGUAGE.get()
    for refusal in error.refusals if isinstance(error, SettingsRefusedError) else [error.refusal]:
        message = sentence(refusal, language=language)
        if isinstance(error, LineRefusedError):
            message = text(
                "commands", "line-refused", language, None, line=error.line, sentence=message, **named(error.file)
            )
        if as_json:
            write_json(_plain(refusal, message))
        else:
            sys.stderr.write(f"punto: {shown(message)} [{refusal.code}]\n")
    sys.exit(2)


def say_stopped() -> None:
    """Say that the command was stopped by Ctrl-C."""
    sys.stderr.write(f"punto: {phrase('stopped')}\n")
    sys.stderr.flush()


def named(file: str) -> dict[str, str]:
    """The name of a file for a sentence; `-` is standard input or output."""
    return {"stream": "standard-input"} if file == "-" else {"file": file}


def write(
    ask: Output,
    *,
    data: Callable[[], object],
    text: Callable[[], None],
    rows: Callable[[], Sequence[Mapping[str, object]]] | None = None,
) -> None:
    """Write what a command found in the form that was asked for: JSON, CSV, or text for people."""
    csv = getattr(ask, "csv", None)
    if csv is not None and rows is not None:
        write_csv(csv, rows())
    if ask.as_json:
        write_json(data())
    elif csv is None:
        text()


def write_json(data: object) -> None:
    """Write one line of JSON."""
    sys.stdout.write(json.dumps(data) + "\n")


def write_csv(file: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows as CSV to a file, or to standard output for `-`."""
    import csv
    from io import StringIO

    from punto.cli.files import write_file

    text_ = StringIO()
    writer = csv.DictWriter(text_, dict.fromkeys([key for row in rows for key in row]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_file(file, text_.getvalue())


def console() -> Console:
    """The console for people: as wide as the terminal, or wide enough for our tables without one."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH)


def grid(title: str, headings: Iterable[tuple[str, str]], *, names: Collection[str] = ()) -> Table:
    """A table from headings and their alignment. Columns in `names` are not wrapped.

    In a window too narrow for it, its rows are written as lines.
    """
    from rich import box

    from punto.cli.narrow import FoldingTable

    table = FoldingTable(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        collapse_padding=True,
        pad_edge=False,
    )
    for heading, justify in headings:
        # A narrow cell folds and is never cut, because it may hold money.
        table.add_column(heading, justify=justify, overflow="fold", no_wrap=heading in names)  # type: ignore[arg-type]
    return table


def columns(names: str) -> list[tuple[str, str]]:
    """Headings in the language of this run, with their alignment: `bet pays> -`, to the right with >, none for -."""
    language = LANGUAGE.get()
    headings = [(name.rstrip(">"), "right" if name.endswith(">") else "left") for name in names.split()]
    return [("" if name == "-" else text("columns", name, language), justify) for name, justify in headings]


def phrase(key: str, sheet: Sheet | None = None, /, **parameters: object) -> str:
    """A phrase of the commands, in the language of this run."""
    return text("commands", key, LANGUAGE.get(), sheet, **parameters)


def worded(sheet: Sheet, words: str) -> str:
    """Words of a sheet in the language of this run, for a table or a sentence."""
    return said(phrase("title", sheet, title=words))


def said(text_: object) -> str:
    """Text from outside, for a table or a sentence: markup is escaped, and control characters are shown."""
    from rich.markup import escape

    return escape(shown(text_))


def shown(text_: object) -> str:
    """Text from outside with its control characters shown."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text_))


def faces(cards: Iterable[Card]) -> str:
    """Cards with suit symbols, red suits in red."""
    from punto.rules.html import RED_SUITS, face

    return " ".join(f"[red]{face(card)}[/]" if card.suit in RED_SUITS else face(card) for card in cards)


def spread(points: Iterable[int]) -> str:
    """Points as the sheets print them: 5, 0-4, 0-7,9."""
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and point == runs[-1][-1] + 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
