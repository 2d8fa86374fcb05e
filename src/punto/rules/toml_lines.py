"""Finds the line of every key in a TOML text. `tomllib` reads values, but does not say where they stand."""

from __future__ import annotations

import re
from collections import Counter

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}=,.\n]|[^\s\[\]{}=,."\'#]+',
    re.DOTALL,
)

_QUOTES = "\"'"


def lines_of(text: str) -> dict[str, int]:
    """The line of each key of a valid TOML text, by its path: `bets[2].pays[0].odds`."""
    return _Scanner(text).lines


class _Scanner:
    """Reads the keys of a text, statement by statement."""

    def __init__(self, text: str) -> None:
        self.lines: dict[str, int] = {}
        self._tables: Counter[str] = Counter()  # how many tables each array of tables has so far
        self._tokens: list[tuple[str, int]] = []
        line, last = 1, 0
        for match in _TOKEN.finditer(text):
            line += text.count("\n", last, match.start())
            last = match.start()
            if not match[0].startswith("#"):
                self._tokens.append((match[0], line))
        self._tokens.append(("", line))
        self._at = 0
        prefix = ""
        while self._peek():
            if self._peek() == "[":
                prefix = self._header()
            elif self._peek() == "\n":
                self._next()
            else:
                self._pair(prefix)

    def _peek(self) -> str:
        return self._tokens[self._at][0]

    def _next(self) -> None:
        self._at += 1

    def _skip_newlines(self) -> None:
        while self._peek() == "\n":
            self._next()

    def _name(self, path: str) -> str:
        """A key with its dots, below a path."""
        while (part := self._peek()) not in ("=", "]", ""):
            if part != ".":
                path = f"{path}.{part.strip(_QUOTES)}".strip(".")
                if path in self._tables and self._tokens[self._at + 1][0] == ".":
                    path += f"[{self._tables[path] - 1}]"
            self._next()
        return path

    def _header(self) -> str:
        line = self._tokens[self._at][1]
        self._next()
        is_array = self._peek() == "["
        if is_array:
            self._next()
        path = self._name("")
        while self._peek() == "]":
            self._next()
        if is_array:
            self._tables[path] += 1
            self.lines.setdefault(path, line)
            path += f"[{self._tables[path] - 1}]"
        self.lines[path] = line
        return path

    def _pair(self, prefix: str) -> None:
        line = self._tokens[self._at][1]
        path = self._name(prefix)
        self.lines[path] = line
        self._next()
        self._value(path)

    def _value(self, path: str) -> None:
        opened = self._peek()
        if opened not in ("[", "{"):
            while self._peek() not in (",", "]", "}", "\n", ""):
                self._next()
            return
        self._next()
        self._skip_newlines()
        place = 0
        while self._peek() not in ("]", "}", ""):
            if opened == "{":
                self._pair(path)
            else:
                self.lines[f"{path}[{place}]"] = self._tokens[self._at][1]
                self._value(f"{path}[{place}]")
                place += 1
            self._skip_newlines()
            if self._peek() == ",":
                self._next()
                self._skip_newlines()
        self._next()
