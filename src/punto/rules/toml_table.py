"""Reads the values of a TOML table, and collects every problem instead of stopping at the first."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar, cast

from punto.rules.reasons import BEYOND, Problem, ProblemError, quoted
from punto.rules.refusals import Refused, SheetInvalid
from punto.rules.toml_lines import lines_of

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)


class SheetError(Refused):
    """A sheet that contradicts itself or cannot be read. `refusals` has every problem, `refusal` the first."""

    def __init__(self, *refusals: SheetInvalid) -> None:
        super().__init__(refusals[0])
        self.refusals = refusals


class _Unreadable:
    """Stands for a value that could not be read, so that the reading can go on. It has every part, and no items."""

    def __getattr__(self, _: str) -> _Unreadable:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())


UNREADABLE: Any = _Unreadable()
"""The value that a reader returns after a problem."""


class Problems:
    """The problems of one sheet, in the order in which they were found. `lines` finds the lines of its keys."""

    def __init__(self, source: str, lines: Callable[[], Mapping[str, int]] = dict) -> None:
        self._source, self._lines = source, lines
        self._found: list[SheetInvalid] = []

    def __len__(self) -> int:
        return len(self._found)

    def add(self, where: str, problem: Problem, *given: str, example: str = "", known: tuple[str, ...] = ()) -> Any:
        """Note a problem at a key, and return `UNREADABLE`."""
        wrong = given[0].strip("'") if given else where.rpartition(".")[2]
        similar = next(iter(difflib.get_close_matches(wrong, known, 1)), "")
        self._found.append(SheetInvalid(self._source, where, problem, given, example, known, similar))
        return UNREADABLE

    def raise_all(self) -> None:
        """Raise SheetError if there is a problem: in the order of lines, if these are known.

        A problem has the line of its key, or of the table that lacks the key.
        """
        if not self._found:
            return
        lines = self._lines()
        found = [replace(each, line=_line(each.where, lines)) for each in self._found]
        raise SheetError(*sorted(found, key=lambda each: each.line or 0))


def find_lines(text: str, data: Mapping[str, object]) -> dict[str, int]:
    """The line of each key of a TOML text, by the path that messages use. `data` is what the text says."""
    found = lines_of(text)

    def walk(value: object, place: str, path: str) -> Iterator[tuple[str, int]]:
        if place in found:
            yield path, found[place]
        if isinstance(value, Mapping):
            for key, item in value.items():
                yield from walk(item, f"{place}.{key}".strip("."), f"{path}.{key}".strip("."))
        elif isinstance(value, list):
            for number, (name, item) in enumerate(zip(item_names(value), value, strict=True)):
                yield from walk(item, f"{place}[{number}]", path + name)

    return dict(walk(data, "", ""))


def _line(where: str, lines: Mapping[str, int]) -> int | None:
    while where and where not in lines:
        where = where[: max(where.rfind("."), where.rfind("["), 0)]
    return lines.get(where)


def _is_id(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value) is not None


def item_names(items: Iterable[object]) -> list[str]:
    """The names of a list's items in paths: `.tie` for a table with an id, and `[2]` for anything else.

    A sheet that extends another has its items at other places, but with the same ids.
    """
    ids = [item.get("id") if isinstance(item, Mapping) else None for item in items]
    return [f".{name}" if _is_id(name) else f"[{place}]" for place, name in enumerate(ids)]


class TomlTable:
    """A TOML table being read. It knows its path, which keys were asked for, and which were not read."""

    def __init__(self, problems: Problems, path: str, data: object, paragraphs: Mapping[str, str]) -> None:
        self.problems, self._path, self._paragraphs = problems, path, paragraphs
        self._asked: dict[str, None] = {}
        self._is_table = isinstance(data, Mapping)
        self._data = dict(data) if isinstance(data, Mapping) else {}
        if not self._is_table and data is not UNREADABLE:
            problems.add(path, Problem.NOT_A_TABLE, quoted(data))

    def fail(self, key: str, problem: Problem, *given: str, known: tuple[str, ...] = ()) -> Any:
        """Note a problem with a key, and return `UNREADABLE`."""
        return self.problems.add(self.key(key), problem, *given, known=known)

    def key(self, key: str) -> str:
        """The path of a key."""
        return f"{self._path}.{key}".strip(".")

    def __contains__(self, key: str) -> bool:
        self._asked[key] = None
        return key in self._data

    def left(self) -> list[str]:
        """The keys that were not read."""
        return list(self._data)

    def take(self, key: str) -> Any:
        """A value, which has no type yet."""
        if key in self:
            return self._data.pop(key)
        return self.fail(key, Problem.KEY_MISSING) if self._is_table else UNREADABLE

    def _checked(self, key: str, kind: type[T], problem: Problem, fits: Callable[[T], bool] = lambda _: True) -> T:
        """A value of a type, which `fits`."""
        value = self.take(key)
        if value is not UNREADABLE and not (type(value) is kind and fits(value)):
            value = self.fail(key, problem, quoted(value))
        return cast(T, value)

    def text(self, key: str) -> str:
        """Text that is not blank."""
        return self._checked(key, str, Problem.NOT_TEXT, lambda value: bool(value.strip()))

    def id(self, key: str = "id") -> str:
        """The name of something in a sheet."""
        value = self.text(key)
        return value if value is UNREADABLE or _is_id(value) else self.fail(key, Problem.NOT_AN_ID, quoted(value))

    def whole(self, key: str) -> int:
        """A whole number above zero."""
        return self._checked(key, int, Problem.NOT_A_NUMBER, lambda value: value > 0)

    def flag(self, key: str) -> bool:
        """True or false."""
        return self._checked(key, bool, Problem.NOT_A_FLAG)

    def rule(self, key: str) -> str:
        """The number of a paragraph."""
        value = self.text(key)
        is_known = value is UNREADABLE or not self._paragraphs or value in self._paragraphs
        return value if is_known else self.fail(key, Problem.PARAGRAPH_UNKNOWN, quoted(value))

    def choice(self, key: str, kind: type[E]) -> E:
        """One of the values of an enumeration."""
        value: Any = self.text(key)
        if value is not UNREADABLE and value not in tuple(kind):
            value = self.fail(key, Problem.NOT_A_CHOICE, quoted(value), known=tuple(kind))
        return cast(E, value if value is UNREADABLE else kind(value))

    def made(self, key: str, make: Callable[[Any], T]) -> T:
        """The value of a key, parsed by `make`, which may raise ProblemError."""
        value = self.take(key)
        try:
            made = value if value is UNREADABLE else make(value)
        except ProblemError as error:
            for each in (error, *error.more):
                made = self._add(self.key(key) + each.at, each)
        except (ValueError, TypeError):
            made = self.fail(key, Problem.NOT_A_VALUE, quoted(value))
        return cast(T, made)

    def table(self, key: str) -> TomlTable:
        """A table below this one."""
        return TomlTable(self.problems, self.key(key), self.take(key), self._paragraphs)

    def tables(self, key: str) -> list[TomlTable]:
        """A list of tables."""
        value: list[object] = self._checked(key, list, Problem.NOT_TABLES)
        names = item_names(value)
        items = zip(names, value, strict=True)
        return [TomlTable(self.problems, self.key(key) + name, item, self._paragraphs) for name, item in items]

    def build(self, make: Callable[[], T]) -> T:
        """Make a record of this table. Every key must have been read.

        `make` reads all values before it calls the constructor. With a problem in any of them there is no record.
        """
        if not self._is_table:  # it is missing, or something else: that is a problem already
            return cast(T, UNREADABLE)
        before = len(self.problems)
        try:
            made = make()
        except ProblemError as error:
            made = self._add(self._path, error)
        except (TypeError, ValueError):  # a constructor that met UNREADABLE
            if len(self.problems) == before:
                raise
        for key in self._data:
            if BEYOND.get(key) is Problem.BEYOND_DRAWING:
                self.fail(key, Problem.BEYOND_DRAWING)
            else:
                self.fail(key, Problem.KEY_UNKNOWN, known=tuple(self._asked))
        return made if len(self.problems) == before else UNREADABLE

    def _add(self, where: str, error: ProblemError) -> Any:
        return self.problems.add(where, error.problem, *error.given, example=error.example, known=error.known)
