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
    """Reads the keys of a text, statement by statement. Its tokens are in reverse: the next one is the last."""

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
        self._tokens = [("", line), *reversed(self._tokens)]
        prefix = ""
        while self._next():
            if self._next() == "[":
                prefix = self._header()
            elif not self._skip("\n"):
                self._pair(prefix)

    def _next(self) -> str:
        return self._tokens[-1][0]

    def _skip(self, *these: str) -> int:
        """Skip such tokens; returns their number."""
        before = len(self._tokens)
        while self._next() in these:
            self._tokens.pop()
        return before - len(self._tokens)

    def _name(self, path: str) -> str:
        """A key with its dots, below a path."""
        while self._next() not in ("=", "]", ""):
            part, _ = self._tokens.pop()
            if part != ".":
                path = f"{path}.{part.strip(_QUOTES)}".strip(".")
                if path in self._tables and self._next() == ".":
                    path += f"[{self._tables[path] - 1}]"
        return path

    def _header(self) -> str:
        line = self._tokens[-1][1]
        is_array = self._skip("[") > 1
        path = self._name("")
        self._skip("]")
        if is_array:
            self._tables[path] += 1
            self.lines.setdefault(path, line)
            path += f"[{self._tables[path] - 1}]"
        self.lines[path] = line
        return path

    def _pair(self, prefix: str) -> None:
        line = self._tokens[-1][1]
        path = self._name(prefix)
        self.lines[path] = line
        self._tokens.pop()
        self._value(path)

    def _value(self, path: str) -> None:
        if self._next() not in ("[", "{"):
            while self._next() not in (",", "]", "}", "\n", ""):
                self._tokens.pop()
            return
        opened, _ = self._tokens.pop()
        self._skip("\n")
        place = 0
        while self._next() not in ("]", "}", ""):
            if opened == "{":
                self._pair(path)
            else:
                self.lines[f"{path}[{place}]"] = self._tokens[-1][1]
                self._value(f"{path}[{place}]")
                place += 1
            self._skip("\n", ",")
        self._tokens.pop()
