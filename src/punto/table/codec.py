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
from functools import lru_cache
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
#
# A log is read record by record when a house starts and when it is audited, so reading is written for speed: how a
# class is read is worked out once, and where in the data something is wrong only when something is.

Reader = Callable[[Any], Any]
_REQUIRED: Any = object()


class _UnreadError(Exception):
    """A value that cannot be read: the code, what to say after its place, and the place, put together on the way up."""

    def __init__(self, code: RecordCode, says: str) -> None:
        super().__init__(says)
        self.code, self.says, self.place = code, says, ""


class _Field(NamedTuple):
    name: str
    read: Reader
    write: Writer | None
    has_default: bool
    default: Any


_PLANS: dict[type, tuple[_Field, ...]] = {}
_NAMED: dict[type, Reader] = {}
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
    try:
        read: T = _named_reader(kinds[name])(data)
    except _UnreadError as unread:
        raise RefusedError(unread.code, f"{name}{unread.place}{unread.says}") from None
    return read


def _named_reader(kind: Any) -> Reader:
    if (reader := _NAMED.get(kind)) is None:
        reader = _NAMED[kind] = _fields_reader(kind, named=True)
    return reader


def _fields_reader(kind: Any, *, named: bool = False) -> Reader:
    """The function that reads an object of a class from a dict; `named` dicts hold the name of the class too."""
    plan = [(each.name, each.read, each.default if each.has_default else _REQUIRED) for each in _plan(kind)]
    names = [name for name, _, _ in plan]
    all_names = frozenset([*names, "kind"] if named else names)
    most = len(all_names)

    def read_fields(data: Any) -> Any:
        if type(data) is not dict:
            raise _UnreadError(RecordCode.FIELD_TYPE, f" must be an object, not {json.dumps(data)[:40]}")
        values, left_out, name = [], 0, ""
        try:
            for name, read, default in plan:
                if name in data:
                    values.append(read(data[name]))
                elif default is _REQUIRED:
                    raise _UnreadError(RecordCode.FIELD_MISSING, " is missing")  # noqa: TRY301 — told with its place
                else:
                    values.append(default)
                    left_out += 1
        except _UnreadError as unread:
            refuse_unknown(data)
            unread.place = f".{name}{unread.place}"
            raise
        if len(data) + left_out != most:
            refuse_unknown(data)
        return kind(*values)

    def refuse_unknown(data: dict[str, Any]) -> None:
        if unknown := [key for key in data if key not in all_names]:
            message = f" has no field {unknown[0]!r}; there are {', '.join(names)}"
            raise _UnreadError(RecordCode.FIELD_UNKNOWN, message) from None

    return read_fields


def _wrong(value: Any, wanted: str) -> _UnreadError:
    shown = json.dumps(value)
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    return _UnreadError(RecordCode.FIELD_TYPE, f" must be {wanted}, not {shown}")


def _reader(hint: Any) -> Reader:
    """The function that reads a value of a type and refuses any other."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        inner = _reader(next(each for each in arguments if each is not type(None)))
        return lambda value: None if value is None else inner(value)
    if origin is tuple:
        return _read_cards if arguments[0] is Card else _list_reader(_reader(arguments[0]))
    hint = getattr(hint, "__supertype__", hint)  # Cents is int
    if hint in _READERS:
        return _READERS[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _choice_reader(hint)
    if hint is Event:
        return lambda value: _read_kind(value, _PROPOSED, "proposed event")
    return _fields_reader(hint)


def _read_whole(value: Any) -> int:
    if type(value) is not int or not -EXACT < value < EXACT:
        raise _wrong(value, "a whole number that JSON readers keep exact")
    return value


def _read_flag(value: Any) -> bool:
    if type(value) is not bool:
        raise _wrong(value, "true or false")
    return value


def _read_text(value: Any) -> str:
    if type(value) is not str or len(value) > LONGEST_TEXT or not value.isprintable():
        raise _wrong(value, f"at most {LONGEST_TEXT} characters of text without control characters")
    return value


def _read_actor(value: Any) -> Actor:
    try:
        return _parse_actor(_read_text(value))
    except ValueError as error:
        raise _UnreadError(RecordCode.FIELD_TYPE, f": {error}") from None


def _read_card(value: Any) -> Card:
    cards = _read_cards(value)
    if len(cards) != 1:
        raise _wrong(value, "one card, such as '9h'")
    return cards[0]


def _read_cards(value: Any) -> tuple[Card, ...]:
    if type(value) is not str:
        raise _wrong(value, "cards, such as '5h Kd 6s'")
    try:
        return parse_cards(value)
    except RefusedError as error:
        raise _UnreadError(RecordCode(error.refusal.code), f": {error.refusal.message}") from None


def _read_odds(value: Any) -> Odds:
    try:
        return _parse_odds(_read_text(value))
    except ValueError as error:
        raise _UnreadError(RecordCode.FIELD_TYPE, f": {error}") from None


_parse_actor = lru_cache(4_096)(Actor.parse)
_parse_odds = lru_cache(256)(Odds.parse)
"""A log names the same few people and odds again and again."""


def _list_reader(read: Reader) -> Reader:
    def read_list(value: Any) -> tuple[Any, ...]:
        if type(value) is not list:
            raise _wrong(value, "a list")
        items: list[Any] = []
        try:
            for item in value:
                items.append(read(item))  # noqa: PERF401 — how many there are says which one is wrong
        except _UnreadError as unread:
            unread.place = f"[{len(items)}]{unread.place}"
            raise
        return tuple(items)

    return read_list


def _choice_reader(kind: type[StrEnum]) -> Reader:
    choices = {each.value: each for each in kind}

    def read_choice(value: Any) -> StrEnum:
        if type(value) is not str or value not in choices:
            raise _wrong(value, f"one of {', '.join(choices)}")
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
