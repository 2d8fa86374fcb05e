"""Frozen records as plain data and back, exactly: how a checkpoint holds the state of a table.

The type of each field says how its value is written, so nothing in the data chooses what is made of it. Data that does
not fit the type raises ValueError. Unlike the codec of the log, this one promises nothing to other versions: data is
read only by a program with the same `layout`.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import types
import typing
from collections.abc import Callable
from typing import Any, NamedTuple

from punto.rules.cards import Card, parse_cards, write_cards
from punto.rules.hands import Cards
from punto.rules.sheet import Sheet
from punto.table.act import EVENTS, Event, kind_of

Convert = Callable[[Any], Any]


class _Way(NamedTuple):
    """The two ways between values of one type and plain data."""

    write: Convert
    read: Convert


class StateCodec:
    """The codec of tables under one sheet, which states name without holding it. A layout needs no sheet."""

    def __init__(self, sheet: Sheet | None = None) -> None:
        self._sheet = sheet
        self._ways: dict[Any, _Way] = {}
        self._described: dict[str, str] = {}

    def write(self, hint: Any, value: object) -> Any:
        """A value of a type as plain data."""
        return self._way(hint).write(value)

    def read(self, hint: Any, data: object) -> Any:
        """The value of a type that plain data describes; ValueError where it describes none."""
        try:
            return self._way(hint).read(data)
        except (TypeError, KeyError, AttributeError, IndexError) as error:
            raise ValueError(f"this is no {hint}: {error}") from None

    def layout(self, *hints: Any) -> str:
        """A hash of these types and of all that they are made of. Another layout means other data."""
        for hint in hints:
            self._way(hint)
        text = "\n".join([f"{name}: {fields}" for name, fields in sorted(self._described.items())])
        return hashlib.sha256(text.encode()).hexdigest()

    def _way(self, hint: Any) -> _Way:
        if hint not in self._ways:
            # A type may hold itself, as a case holds the one before it.
            self._ways[hint] = _Way(
                lambda value: self._ways[hint].write(value), lambda data: self._ways[hint].read(data)
            )
            self._ways[hint] = self._make(hint)
        return self._ways[hint]

    def _make(self, hint: Any) -> _Way:
        if hint in (int, str, bool, bytes):
            return _Way(lambda value: value, _exactly(hint))
        if hint is Sheet:
            return _Way(lambda _: None, lambda _: self._sheet)
        if hint is Card:
            return _Way(lambda card: card.text, _read_card)
        if hint is Cards:
            return _Way(write_cards, lambda data: Cards(_exactly(str)(data)))
        if hint is Event:
            return self._event()
        if (supertype := getattr(hint, "__supertype__", None)) is not None:  # Cents is int
            return self._way(supertype)
        if typing.get_origin(hint) is not None:
            return self._generic(typing.get_origin(hint), typing.get_args(hint))
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            self._described[hint.__qualname__] = repr([each.value for each in hint])
            return _Way(lambda each: each.value, hint)
        if isinstance(hint, type) and (dataclasses.is_dataclass(hint) or hasattr(hint, "_fields")):
            return self._record(hint)
        raise TypeError(f"nothing says how {hint} is written")

    def _event(self) -> _Way:
        ways = {name: self._way(kind) for name, kind in EVENTS.items()}

        def write(event: Event) -> list[Any]:
            kind = kind_of(type(event))
            return [kind, ways[kind].write(event)]

        def read(data: Any) -> Any:
            kind, fields = data
            return ways[kind].read(fields)

        return _Way(write, read)

    def _record(self, kind: Any) -> _Way:
        hints = typing.get_type_hints(kind)
        names = (
            [each.name for each in dataclasses.fields(kind) if each.init]
            if dataclasses.is_dataclass(kind)
            else list(kind._fields)
        )
        self._described[kind.__qualname__] = ", ".join([f"{name} {hints[name]}" for name in names])
        ways = [self._way(hints[name]) for name in names]
        writes = [(name, way.write) for name, way in zip(names, ways, strict=True)]
        reads = [(name, way.read) for name, way in zip(names, ways, strict=True)]

        def read(data: Any) -> Any:
            values = zip(reads, _list(data), strict=True)
            return kind(**{name: convert(value) for (name, convert), value in values})

        return _Way(lambda record: [convert(getattr(record, name)) for name, convert in writes], read)

    def _generic(self, origin: Any, arguments: tuple[Any, ...]) -> _Way:
        if origin in (types.UnionType, typing.Union):
            (some,) = [each for each in arguments if each is not type(None)]
            inner = self._way(some)
            return _Way(
                lambda value: None if value is None else [inner.write(value)],
                lambda data: None if data is None else inner.read(*_list(data)),
            )
        if origin is dict:
            names, values = [self._way(each) for each in arguments]
            return _Way(
                lambda value: [[names.write(name), values.write(each)] for name, each in value.items()],
                lambda data: {names.read(name): values.read(each) for name, each in _list(data)},
            )
        if origin is tuple and arguments[-1] is not Ellipsis:
            ways = [self._way(each) for each in arguments]
            return _Way(
                lambda value: [way.write(each) for way, each in zip(ways, value, strict=True)],
                lambda data: tuple([way.read(each) for way, each in zip(ways, _list(data), strict=True)]),
            )
        if origin in (tuple, list, frozenset):
            inner = self._way(arguments[0])
            return _Way(
                lambda value: [inner.write(each) for each in value],
                lambda data: origin([inner.read(each) for each in _list(data)]),
            )
        raise TypeError(f"nothing says how {origin} is written")


def _exactly(kind: type) -> Convert:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise ValueError(f"{data!r} is no {kind.__name__}")
        return data

    return read


def _list(data: Any) -> list[Any]:
    if type(data) is not list:
        raise ValueError(f"{data!r} is no list")
    return data


def _read_card(data: Any) -> Card:
    (card,) = parse_cards(data)
    return card
