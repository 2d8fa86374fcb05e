"""Reading the log at speed: a start and an audit read every record of a house.

The codec of the table says how an event is written and refuses everything else; it stays the judge. Here msgspec reads
what the codec would accept, into structs made from the same types, and the events are made from those. Whatever it does
not take, or might take more lightly, goes to the codec.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache, reduce
from operator import attrgetter, or_
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from punto.rules.cards import Card, parse_cards
from punto.rules.money import Odds
from punto.rules.notation import read_json
from punto.rules.refusals import RefusedError
from punto.table import events as e
from punto.table.codec import EXACT, LONGEST_TEXT, read_event
from punto.table.commands import Actor

Build = Callable[[Any], Any]

_WHOLE = Annotated[int, Meta(gt=-EXACT, lt=EXACT)]
_TEXT = Annotated[str, Meta(max_length=LONGEST_TEXT)]
_KNOWN = 16_384
"""A log names the same people, cards, odds and bets again and again."""


def parse_event(payload: str) -> e.Event:
    """The event of a record's payload; a RefusedError says what is wrong with it."""
    # Without escapes a payload that can be printed holds no text that cannot.
    if "\\" not in payload and payload.isprintable():
        try:
            struct = _DECODER.decode(payload)
            event: e.Event = _BUILD[type(struct)](struct)
        except (msgspec.MsgspecError, RefusedError, ValueError):
            pass  # the codec says why
        else:
            return event
    return read_event(read_data(payload))


def read_data(payload: str) -> Any:
    """A payload as plain data, by the quicker reader: we wrote it, and the hash of the record vouches for it."""
    try:
        return msgspec.json.decode(payload)
    except msgspec.MsgspecError:
        return read_json(payload)  # which says what is wrong with it


def _struct_of(kind: type, **options: Any) -> tuple[type[msgspec.Struct], Build]:
    """A struct with the fields of a class, and what makes an object of the class from it."""
    hints, names = typing.get_type_hints(kind), []
    fields: list[Any] = []
    conversions: list[tuple[int, Build, Any]] = []
    for place, each in enumerate([each for each in dataclasses.fields(kind) if each.init]):
        wire, build = _wire(hints[each.name])
        has_default = each.default is not dataclasses.MISSING
        fields.append((each.name, wire, each.default) if has_default else (each.name, wire))
        names.append(each.name)
        if build is not None:
            conversions.append((place, build, each.default if has_default else None))
    struct = msgspec.defstruct(kind.__name__, fields, forbid_unknown_fields=True, frozen=True, **options)
    return struct, _builder(kind, names, conversions)


def _builder(kind: type, names: list[str], conversions: list[tuple[int, Build, Any]]) -> Build:
    one = len(names) == 1
    values_of = attrgetter(*names)

    def build(struct: Any) -> Any:
        values = [values_of(struct)] if one else list(values_of(struct))
        for place, convert, default in conversions:
            value = values[place]
            if value is not None and value is not default:
                values[place] = convert(value)
        return kind(*values)

    return build


def _wire(hint: Any) -> tuple[Any, Build | None]:
    """How a value of a type is read, and what makes the value of it; None where it is the value."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        wire, build = _wire(next(each for each in arguments if each is not type(None)))
        return wire | None, build
    if origin is tuple:
        if arguments[0] is Card:
            return str, parse_cards
        wire, build = _wire(arguments[0])
        many: Any = tuple[wire, ...]  # type: ignore[valid-type]  # a type made here
        return many, None if build is None else _each(build)
    hint = getattr(hint, "__supertype__", hint)  # Cents is int
    if hint in _WIRES:
        return _WIRES[hint]
    if issubclass(hint, StrEnum):
        return hint, None
    struct, build = _struct_of(hint)
    # A bet is named by its settlement again, and much the same lines come round after round.
    return struct, lru_cache(_KNOWN)(build)


def _each(build: Build) -> Build:
    return lambda values: tuple([build(value) for value in values])


@lru_cache(_KNOWN)
def _card(text: str) -> Card:
    (card,) = parse_cards(text)
    return card


_WIRES: dict[Any, tuple[Any, Build | None]] = {
    int: (_WHOLE, None),
    bool: (bool, None),
    str: (_TEXT, None),
    Actor: (_TEXT, lru_cache(_KNOWN)(Actor.parse)),
    Card: (str, _card),
    Odds: (_TEXT, lru_cache(_KNOWN)(Odds.parse)),
}
_STRUCTS = {
    name: _struct_of(kind, tag=name, tag_field="kind")
    for name, kind in e.EVENTS.items()
    if kind is not e.ConfirmationAsked  # which holds other events, and is rare
}
_BUILD = dict(_STRUCTS.values())
_DECODER = msgspec.json.Decoder(reduce(or_, _BUILD))
