"""Mutants of sheets: one number, word of a rule, citation or entry of a list changed in what a sheet's file says."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.mutation.code import SOURCE

GAMES = ("non-commission", "easy-six", "commission-insurance", "commission", "da-hu-ying-xiong")
TEXTS = {"id", "title", "short", "effective", "version", "says", "name", "appendix", "situation", "zh", "paragraphs"}
"""Keys of words, of names, and of what a paragraph says in short."""
CHOICES = (
    ("player", "banker", "tie"),
    ("four-cards", "player-third"),
    ("seated-highest-bet", "any-patron"),
    ("dealer", "pit-supervisor", "pit-manager", "shift-manager"),
    ("outcome-established", "outcome-established-and-reconstructible"),
    (
        *("void", "refuse", "stands", "settle", "pro-rata", "raise-or-withdraw", "conclude-or-void", "reconstruct"),
        *("continue", "order-cards", "options", "no-effect", "return-original", "chips-prevail", "table-prevails"),
    ),
)
"""Words of a kind: the mutant of one is the next."""


@dataclass
class SheetMutant:
    """One mistake in a sheet. `edit` makes it in what the file says."""

    file: str
    path: str
    """Where it is, as messages about sheets name it."""
    change: str
    edit: Callable[[dict[str, Any]], None] = field(repr=False)

    @property
    def key(self) -> str:
        """What the baseline calls it."""
        return f"{self.file} {self.path}: {self.change}"


def sheet_mutants(game: str) -> list[SheetMutant]:
    """All mutants of a sheet, in its order."""
    file = f"sheets/{game}.toml"
    data = tomllib.loads((SOURCE / file).read_text(encoding="utf-8"))
    return [
        SheetMutant(file, _named(data, steps), f"{_short(old)} → {_short(new)}", _edit(steps, new))
        for steps, old, new in _changes(data, (), list(data["paragraphs"]))
    ]


Steps = tuple[str | int, ...]
GONE = "(gone)"


def _edit(steps: Steps, new: object) -> Callable[[dict[str, Any]], None]:
    def edit(data: dict[str, Any]) -> None:
        at: Any = data
        for step in steps[:-1]:
            at = at[step]
        if new == GONE:
            del at[steps[-1]]
        else:
            at[steps[-1]] = copy.deepcopy(new)

    return edit


def _named(data: Any, steps: Steps) -> str:
    """A path with the ids of tables instead of their places."""
    path = ""
    for step in steps:
        data = data[step]
        name = data.get("id") if isinstance(data, dict) else None
        path += f".{step}" if isinstance(step, str) else f".{name}" if name else f"[{step}]"
    return path.strip(".")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:40]} … {text[-15:]}"


def _changes(value: Any, steps: Steps, paragraphs: list[str]) -> Iterator[tuple[Steps, object, object]]:
    match value:
        case dict():
            for key, each in value.items():
                if key not in TEXTS:
                    yield (*steps, key), each, GONE
                    yield from _changes(each, (*steps, key), paragraphs)
        case list():
            for place, each in enumerate(value):
                yield (*steps, place), each, GONE
                yield from _changes(each, (*steps, place), paragraphs)
        case _:
            for new in _values(value, paragraphs):
                yield steps, value, new


def _values(value: Any, paragraphs: list[str]) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif value in paragraphs and not re.fullmatch(r"[0-9]", value):
        yield paragraphs[(paragraphs.index(value) + 1) % len(paragraphs)]
    elif found := re.fullmatch(r"([0-9.]+):([0-9.]+)", value):
        yield f"{float(found[1]) + 1:g}:{found[2]}"
        yield f"{found[1]}:{int(found[2]) + 1}"
    elif found := re.fullmatch(r"([0-9])(?:-([0-9]))?", value):
        yield from _points(int(found[1]), int(found[2] or found[1]))
    for words in CHOICES:
        if value in words:
            yield words[(words.index(value) + 1) % len(words)]


def _points(first: int, last: int) -> Iterator[str]:
    """One point more or fewer at either end."""
    for low, high in ((first - 1, last), (first + 1, last), (first, last - 1), (first, last + 1)):
        if 0 <= low <= high <= 9:
            yield f"{low}-{high}"
