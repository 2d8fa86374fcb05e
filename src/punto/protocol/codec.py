"""The strict codec: commands, events and messages as JSON, and back. docs/table.md describes the wire format.

msgspec reads and writes. It is lenient about a name given twice and about characters that cannot be printed, so text is
taken at once only if it would be written just so. What is wrong is said with its place.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable
from enum import EnumMeta
from functools import reduce
from operator import or_
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from punto.protocol.derive import READ_TYPES, Deriver, Expected, TaggedUnion, derive_events
from punto.rules.notation import read_json
from punto.rules.reasons import Problem, Wanted, quoted, shorten
from punto.rules.refusals import FieldMissing, FieldType, FieldUnknown, Refused, Unreadable
from punto.table.act import COMMANDS, Command, Event, PatronCommand, kind_of
from punto.table.actor import PATRON_ROLE, Actor
from punto.table.refusals import CommandUnknown

T = TypeVar("T")
_encode = msgspec.json.Encoder().encode

# ------------------------------------------------------------------------------------------- what is wrong


def _show(value: object) -> str:
    return shorten(json.dumps(value))


def _not_an_object(value: object) -> Refused:
    return Refused(Unreadable(Problem.RECORD_NOT_OBJECT, _show(value)))


def field_type(where: str, kind: Any, value: object) -> Refused:
    """The refusal of a value that is not of this kind."""
    wanted = _wanted(kind)
    return Refused(FieldType(where, wanted.wanted, _show(value), wanted.known))


def check(value: object, kind: Any, where: str = "") -> None:
    """Raise a Refused that says what is wrong with plain data for a type of the wire, and where."""
    options = _options(kind)
    if value is None and type(None) in options:
        return
    some = [each for each in options if each not in (type(None), UnsetType)]
    one = some[0] if len(some) == 1 else _tagged(value, some)
    bare = _bare(one)
    if typing.get_origin(bare) is tuple:
        if type(value) is not list:
            raise field_type(where, one, value)
        for place, item in enumerate(value):
            check(item, typing.get_args(bare)[0], f"{where}[{place}]")
    elif isinstance(bare, type) and issubclass(bare, Struct):
        _check_object(value, bare, where)
    elif bare is not Any:
        _check_leaf(value, one, where)


def _options(kind: Any) -> tuple[Any, ...]:
    """The members of a union; any other type alone."""
    bare = _bare(kind)
    return typing.get_args(bare) if typing.get_origin(bare) in (typing.Union, types.UnionType) else (kind,)


def _bare(kind: Any) -> Any:
    return typing.get_args(kind)[0] if typing.get_origin(kind) is typing.Annotated else kind


def _tagged(value: object, structs: list[type[Struct]]) -> type[Struct]:
    """The one of several structs that plain data names by its tag."""
    if type(value) is not dict:
        raise _not_an_object(value)
    tags = {each.__struct_config__.tag: each for each in structs}
    field = structs[0].__struct_config__.tag_field or ""
    name = value.get(field)
    if type(name) is not str or name not in tags:
        known = tuple(map(str, tags))
        unknown = CommandUnknown(_show(name), known)
        raise Refused(unknown if field == "kind" else FieldType(field, Wanted.ONE_OF, _show(name), known))
    return tags[name]


def _check_object(value: object, kind: type[Struct], where: str) -> None:
    config = kind.__struct_config__
    if type(value) is not dict:
        raise field_type(where, kind, value) if where else _not_an_object(value)
    where = where or str(config.tag or "")
    fields = {each.encode_name: each for each in msgspec.structs.fields(kind)}
    for key in value:
        if config.forbid_unknown_fields and key not in fields and key != config.tag_field:
            raise Refused(FieldUnknown(where or kind_of(kind), quoted(key), tuple(fields)))
    for key, each in fields.items():
        inside = f"{where}.{key}" if where else key
        if key in value:
            check(value[key], each.type, inside)
        elif each.required:
            wanted = _wanted(each.type)
            raise Refused(FieldMissing(inside, wanted.wanted, wanted.known))


def _check_leaf(value: object, kind: Any, where: str) -> None:
    expected = Expected.of(kind)
    try:
        msgspec.convert(value, kind)
        if expected is not None and expected.parse is not None:
            expected.parse(value)
    except Refused as error:
        unreadable: Any = error.refusal  # a card: nothing else that is parsed here has a refusal of its own
        raise Refused(dataclasses.replace(unreadable, where=where)) from None
    except ValueError:  # msgspec's errors are ValueErrors too
        raise field_type(where, kind, value) from None
    if not _is_printable(value):
        raise field_type(where, kind, value)


def _wanted(kind: Any) -> Expected:
    """The values that a field takes."""
    some = next(each for each in _options(kind) if each not in (type(None), UnsetType))
    if expected := Expected.of(some):
        return expected
    bare = _bare(some)
    if typing.get_origin(bare) is tuple:
        return Expected(Wanted.LIST)
    if choices := list(bare) if isinstance(bare, EnumMeta) else typing.get_args(bare):
        return Expected(Wanted.ONE_OF, tuple(map(str, choices)))
    return Expected(_WANTED.get(bare, Wanted.OBJECT))


_WANTED = {bool: Wanted.FLAG, str: Wanted.PRINTABLE_TEXT, int: Wanted.WHOLE_NUMBER}


def _is_printable(data: object) -> bool:
    """True if all text in plain data can be printed."""
    if isinstance(data, str):
        return data.isprintable()
    if isinstance(data, dict):
        return all(map(_is_printable, data.values()))
    return all(map(_is_printable, data)) if isinstance(data, list) else True


# ------------------------------------------------------------------------------------------- reading


class Reader(Generic[T]):
    """Reads messages of one type strictly. A Refused says what is wrong and where.

    `build` says what is made of a struct, where it is not the struct itself.
    """

    def __init__(self, kind: Any, build: Callable[[Any], T] = lambda struct: struct) -> None:
        self._kind, self._build = kind, build
        self._decode = msgspec.json.Decoder(kind).decode

    def parse(self, text: str | bytes) -> T:
        """Read JSON text."""
        try:
            said = text if isinstance(text, str) else text.decode()
            struct = self._decode(said)
            made = self._build(struct)
        except (ValueError, RecursionError):
            return self.read(read_json(text))
        # Without escapes, text that can be printed holds no text that cannot. The only control that JSON takes is DEL.
        if "\\" in said or "\x7f" in said or not (said.isascii() or said.isprintable()):
            return self.read(read_json(text))
        if _encode(struct).decode() != said:
            read_json(text)  # refuses a name given twice
        return made

    def read(self, data: object) -> T:
        """Read plain data, as JSON gives it."""
        try:
            # Not `msgspec.convert`, which works out anew each time what a union is.
            text = _encode(data)
        except (UnicodeEncodeError, OverflowError) as error:
            check(data, self._kind)
            # It stands where anything may.
            raise Refused(Unreadable(Problem.NOT_JSON, str(error))) from None
        try:
            made = self._build(self._decode(text))
        except ValueError:
            check(data, self._kind)
            raise
        if not _is_printable(data):
            check(data, self._kind)
        return made


# ------------------------------------------------------------------------------------------- commands and events

strict = Deriver(READ_TYPES, strict=True)
"""Makes the structs of what is read."""
_COMMANDS = TaggedUnion({kind: strict.derive(kind, tag=name) for name, kind in COMMANDS.items()})
_EVENTS = derive_events(strict, lambda name, kind: strict.derive(kind, tag=name))
_WRITE = {kind: each.write for kind, each in (_COMMANDS.derived | _EVENTS.derived).items()}
_COMMAND: Reader[Command] = Reader(_COMMANDS.type, _COMMANDS.build)
_EVENT: Reader[Event] = Reader(_EVENTS.type, _EVENTS.build)

parse_command, read_command = _COMMAND.parse, _COMMAND.read
"""The command of a line of JSON, or of plain data. A Refused says what is wrong and where."""
parse_event, read_event = _EVENT.parse, _EVENT.read
"""The event of a line of JSON, or of plain data. A Refused says what is wrong and where."""


def struct_of(each: Command | Event) -> Struct:
    """A command or an event as it travels between processes and lies in the log."""
    struct: Struct = _WRITE[type(each)](each)
    return struct


def to_data(each: Command | Event) -> dict[str, Any]:
    """A command or an event as plain data for JSON."""
    data: dict[str, Any] = msgspec.json.decode(_encode(struct_of(each)))
    return data


def to_json(each: Command | Event) -> str:
    """A command or an event as one line of JSON."""
    return _encode(struct_of(each)).decode()


# ------------------------------------------------------------------------------------------- commands at the edge


_at_edge = Deriver(
    strict.wires,
    strict=True,
    omitted=lambda kind, name: issubclass(kind, Command) and name == "by",
    may_be_unset=lambda kind, name: issubclass(kind, PatronCommand) and name == PATRON_ROLE,
)
_WHOLE = {_at_edge.derive(kind, tag=name).struct: _COMMANDS.derived[kind] for name, kind in COMMANDS.items()}
AnyCommand: Any = reduce(or_, _WHOLE)
"""A command as people give it: who gives it is known from their token, and a patron need not name themselves."""
_ANY_COMMAND: Reader[Struct] = Reader(AnyCommand)


def read_command_by(data: object, by: Actor) -> Command:
    """The command that someone gives in plain data. A Refused says what is wrong and where."""
    return command_by(_ANY_COMMAND.read(data), by)


def new_command(kind: str, **fields: object) -> Struct:
    """A command to send, with its fields as plain data. A Refused says what is wrong and where."""
    return _ANY_COMMAND.read({"kind": kind, **fields})


def command_by(given: Struct, by: Actor) -> Command:
    """The command that someone gives. A Refused says what is wrong and where.

    Staff name the patron. If they lack the authority for the command, that is refused first, and not here: at a table
    they may act in a higher position.
    """
    values = msgspec.structs.asdict(given)
    if values.get(PATRON_ROLE) is UNSET:
        kind = str(type(given).__struct_config__.tag)
        needed = COMMANDS[kind].authority
        if by.role is not None and (needed is None or by.may_act_as(needed)):
            raise Refused(FieldMissing(f"{kind}.{PATRON_ROLE}", Wanted.PATRON))
        values[PATRON_ROLE] = by.person if by.role is None else ""
    whole = _WHOLE[type(given)]
    try:
        command: Command = whole.build(whole.struct(by=by.text, **values))
    except ValueError:  # cards, whose text only the building reads
        check(msgspec.to_builtins(given), AnyCommand)
        raise
    return command
