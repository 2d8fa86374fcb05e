"""Commands and events as JSON, and back. This is the wire format: unknown names and fields are refused.

A class travels under its kebab-case name in `kind`, with its fields as they are called in the code. Cards are text
(`9h`, or `5h Kd 6s` for several), actors `role:person`, odds as they are written, amounts strict whole cents. A field
that holds its default may be left out.
"""

from __future__ import annotations

import dataclasses
import json
import operator
import types
import typing
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from punto.rules.cards import Card, parse_cards, write_cards
from punto.rules.money import Odds
from punto.rules.notation import read_json
from punto.rules.refusals import RecordCode, RefusedError
from punto.table.commands import COMMANDS, Actor, Command, kind_of
from punto.table.events import EVENTS, ConfirmationAsked, Event
from punto.table.refusals import TableCode

T = TypeVar("T")
LONGEST_TEXT = 1_000
EXACT = 2**53
"""Whole numbers stay below this, so that a program that reads JSON numbers as doubles sees them exactly."""


def write_command(command: Command) -> dict[str, Any]:
    """A command as plain data for JSON."""
    return _write(command)


def write_event(event: Event) -> dict[str, Any]:
    """An event as plain data for JSON."""
    return _write(event)


def read_command(data: object) -> Command:
    """The command of plain data; a RefusedError says what is wrong and where."""
    return _read_kind(data, COMMANDS, "command")


def read_event(data: object) -> Event:
    """The event of plain data; a RefusedError says what is wrong and where."""
    return _read_kind(data, EVENTS, "event")


def parse_command(line: str) -> Command:
    """The command of one line of JSON."""
    return read_command(read_json(line))


def parse_event(line: str) -> Event:
    """The event of one line of JSON."""
    return read_event(read_json(line))


def to_json(each: Command | Event) -> str:
    """A command or an event as one line of JSON."""
    return json.dumps(_write(each), ensure_ascii=False, separators=(",", ":"))


# ------------------------------------------------------------------------------------------- writing


def _write(each: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": kind_of(type(each))} if isinstance(each, Command | Event) else {}
    for name, _, write, has_default, default in _plan(type(each)):
        value = getattr(each, name)
        if not (has_default and value == default):
            data[name] = value if write is None or value is None else write(value)
    return data


Writer = Callable[[Any], Any]
_TEXT: Writer = operator.attrgetter("text")
_VALUE: Writer = operator.attrgetter("value")


def _writer(hint: Any) -> Writer | None:
    """The function that writes a value of a type; None where it is written as it is."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return _writer(next(each for each in arguments if each is not type(None)))
    if origin is tuple:
        if arguments[0] is Card:
            return write_cards
        inner = _writer(arguments[0])
        return list if inner is None else lambda values: [inner(value) for value in values]
    hint = getattr(hint, "__supertype__", hint)
    if hint in (int, bool, str):
        return None
    if hint in (Card, Odds, Actor):
        return _TEXT
    return _VALUE if issubclass(hint, StrEnum) else _write


# ------------------------------------------------------------------------------------------- reading

Reader = Callable[[Any, str], Any]


class _Field(NamedTuple):
    name: str
    read: Reader
    write: Writer | None
    has_default: bool
    default: Any


_PLANS: dict[type, tuple[_Field, ...]] = {}
_PROPOSED = {name: kind for name, kind in EVENTS.items() if kind is not ConfirmationAsked}
"""What may wait for a second person: anything but another such wait."""


def _plan(kind: type) -> tuple[_Field, ...]:
    """How each field of a class is read, worked out once from its types."""
    if kind not in _PLANS:
        _PLANS[kind] = _make_plan(kind)
    return _PLANS[kind]


def _make_plan(kind: type) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(
        _Field(
            each.name,
            _reader(hints[each.name]),
            _writer(hints[each.name]),
            each.default is not dataclasses.MISSING,
            each.default,
        )
        for each in dataclasses.fields(kind)
        if each.init
    )


def _read_kind(data: object, kinds: Mapping[str, type[T]], what: str) -> T:
    if type(data) is not dict:
        raise RefusedError(RecordCode.UNREADABLE, f"a {what} is an object, not {json.dumps(data)[:40]}")
    name = data.get("kind")
    if type(name) is not str or name not in kinds:
        message = f"no {what} is called {json.dumps(name)[:60]}; there are {', '.join(kinds)}"
        raise RefusedError(TableCode.COMMAND_UNKNOWN, message)
    return _read_fields(kinds[name], {key: value for key, value in data.items() if key != "kind"}, name)


def _read_fields(kind: type[T], data: object, where: str) -> T:
    if type(data) is not dict:
        raise RefusedError(RecordCode.FIELD_TYPE, f"{where} must be an object, not {json.dumps(data)[:40]}")
    plan = _plan(kind)
    names = [field.name for field in plan]
    if unknown := [key for key in data if key not in names]:
        message = f"{where} has no field {unknown[0]!r}; there are {', '.join(names)}"
        raise RefusedError(RecordCode.FIELD_UNKNOWN, message)
    values = []
    for field in plan:
        if field.name in data:
            values.append(field.read(data[field.name], f"{where}.{field.name}"))
        elif field.has_default:
            values.append(field.default)
        else:
            raise RefusedError(RecordCode.FIELD_MISSING, f"{where}.{field.name} is missing")
    return kind(*values)


def _wrong(value: Any, where: str, wanted: str) -> RefusedError:
    shown = json.dumps(value)
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    return RefusedError(RecordCode.FIELD_TYPE, f"{where} must be {wanted}, not {shown}")


def _reader(hint: Any) -> Reader:
    """The function that reads a value of a type and refuses any other."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        inner = _reader(next(each for each in arguments if each is not type(None)))
        return lambda value, where: None if value is None else inner(value, where)
    if origin is tuple:
        return _read_cards if arguments[0] is Card else _list_reader(_reader(arguments[0]))
    hint = getattr(hint, "__supertype__", hint)  # Cents is int
    if hint in _READERS:
        return _READERS[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _choice_reader(hint)
    if hint is Event:
        return lambda value, _: _read_kind(value, _PROPOSED, "proposed event")
    return lambda value, where: _read_fields(hint, value, where)


def _read_whole(value: Any, where: str) -> int:
    if type(value) is not int or abs(value) >= EXACT:
        raise _wrong(value, where, "a whole number that JSON readers keep exact")
    return value


def _read_flag(value: Any, where: str) -> bool:
    if type(value) is not bool:
        raise _wrong(value, where, "true or false")
    return value


def _read_text(value: Any, where: str) -> str:
    if type(value) is not str or len(value) > LONGEST_TEXT or not value.isprintable():
        raise _wrong(value, where, f"at most {LONGEST_TEXT} characters of text without control characters")
    return value


def _read_actor(value: Any, where: str) -> Actor:
    try:
        return Actor.parse(_read_text(value, where))
    except RefusedError:
        raise
    except ValueError as error:
        raise RefusedError(RecordCode.FIELD_TYPE, f"{where}: {error}") from None


def _read_card(value: Any, where: str) -> Card:
    cards = _read_cards(value, where)
    if len(cards) != 1:
        raise _wrong(value, where, "one card, such as '9h'")
    return cards[0]


def _read_cards(value: Any, where: str) -> tuple[Card, ...]:
    if type(value) is not str:
        raise _wrong(value, where, "cards, such as '5h Kd 6s'")
    try:
        return parse_cards(value)
    except RefusedError as error:
        raise RefusedError(error.refusal.code, f"{where}: {error.refusal.message}") from None


def _read_odds(value: Any, where: str) -> Odds:
    try:
        return Odds.parse(_read_text(value, where))
    except RefusedError:
        raise
    except ValueError as error:
        raise RefusedError(RecordCode.FIELD_TYPE, f"{where}: {error}") from None


def _list_reader(read: Reader) -> Reader:
    def read_list(value: Any, where: str) -> tuple[Any, ...]:
        if type(value) is not list:
            raise _wrong(value, where, "a list")
        return tuple([read(item, f"{where}[{place}]") for place, item in enumerate(value)])

    return read_list


def _choice_reader(kind: type[StrEnum]) -> Reader:
    choices = {each.value: each for each in kind}

    def read_choice(value: Any, where: str) -> StrEnum:
        if type(value) is not str or value not in choices:
            raise _wrong(value, where, f"one of {', '.join(choices)}")
        return choices[value]

    return read_choice


_READERS: dict[Any, Reader] = {
    int: _read_whole,
    bool: _read_flag,
    str: _read_text,
    Actor: _read_actor,
    Card: _read_card,
    Odds: _read_odds,
}
