"""Structs for the wire, derived from the core's records: a field added there is added here.

Cards are text (`9h`, or `5h Kd 6s` for several), actors `role:person`, odds and conditions as they are written, sets
sorted lists. Amounts are whole cents. All else keeps its name and its type.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache, reduce
from operator import attrgetter, or_
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import astuple

from punto.rules.bets import Condition
from punto.rules.cards import RANK_SYMBOLS, SUIT_SYMBOLS, Card, parse_cards, write_cards
from punto.rules.money import EXACT_CENTS, Odds
from punto.rules.reasons import Wanted
from punto.rules.sheet import Role
from punto.table.commands import PATRON_ROLE, Actor

Convert = Callable[[Any], Any]

LONGEST_TEXT = 1_000
_CARD = f"[{RANK_SYMBOLS}][{SUIT_SYMBOLS}]"
_KNOWN = 16_384
"""A log names the same people, cards, odds and bets again and again."""


@lru_cache(_KNOWN)
def _parse_card(text: str) -> Card:
    cards = parse_cards(text)
    if len(cards) != 1:
        raise ValueError(f"{text!r} is not one card")
    return cards[0]


_parse_actor = lru_cache(_KNOWN)(Actor.parse)
_parse_odds = lru_cache(_KNOWN)(Odds.parse)
_text = attrgetter("text")


class Leaf(NamedTuple):
    """What a field wants, as a refusal says it with what is known. `parse` checks what msgspec cannot."""

    wanted: Wanted
    known: tuple[str, ...] = ()
    parse: Convert | None = None

    @property
    def extra(self) -> dict[str, Leaf]:
        """As msgspec keeps it beside a type; `of` finds it there."""
        return {"leaf": self}

    @staticmethod
    def of(kind: Any) -> Leaf | None:
        """What a type says that it wants, if it does."""
        found = [each.extra["leaf"] for each in getattr(kind, "__metadata__", ()) if each.extra]
        return found[0] if found else None


def _text_of(wanted: Leaf, pattern: str | None = None, longest: int | None = LONGEST_TEXT) -> Any:
    """Text that a parser reads. The pattern is for the schema alone."""
    schema = {"pattern": pattern} if pattern else None
    return Annotated[str, Meta(max_length=longest, extra_json_schema=schema, extra=wanted.extra)]


_ROLES = (PATRON_ROLE, *Role)
WHOLE = Annotated[int, Meta(gt=-EXACT_CENTS, lt=EXACT_CENTS, extra=Leaf(Wanted.EXACT_NUMBER).extra)]
TEXT = _text_of(Leaf(Wanted.SHORT_TEXT))
ACTOR = _text_of(Leaf(Wanted.ACTOR, _ROLES, _parse_actor), f"^({'|'.join(_ROLES)}):.")
CARD = _text_of(Leaf(Wanted.CARD, parse=_parse_card), f"^{_CARD}$")
CARDS = _text_of(Leaf(Wanted.CARDS, parse=parse_cards), f"^({_CARD}( {_CARD})*)?$", None)
ODDS = _text_of(Leaf(Wanted.ODDS, parse=_parse_odds))


class Wire(NamedTuple):
    """How values of one type travel. `build` and `write` are None where a value travels as it is."""

    type: Any
    build: Convert | None = None
    write: Convert | None = None


READ: Mapping[Any, Wire] = {
    int: Wire(WHOLE),
    bool: Wire(bool),
    str: Wire(TEXT),
    Actor: Wire(ACTOR, _parse_actor, _text),
    Card: Wire(CARD, _parse_card, _text),
    Odds: Wire(ODDS, _parse_odds, _text),
    Condition: Wire(Any, None, attrgetter("source")),  # a table of conditions as its sheet wrote it
}
"""What is read from outside or from the log is held to its limits."""
SHOWN: Mapping[Any, Wire] = {**READ, int: Wire(int), str: Wire(str), Actor: Wire(str, _parse_actor, _text)}
"""What is shown was held to its limits before."""


class Derived(NamedTuple):
    """A struct with the fields of a record, and the way there and back."""

    struct: type[Struct]
    build: Convert
    write: Convert


def _no_field(_kind: type, _name: str) -> bool:
    return False


class Deriver:
    """Derives structs in one manner, each once.

    A strict deriver makes structs that refuse unknown fields. A whole one writes every field; any other leaves out
    what holds its default. Of a class, the fields that are `left_out` are not in the struct, and those that it
    `may_lack` can be unset.
    """

    def __init__(
        self,
        wires: Mapping[Any, Wire],
        *,
        strict: bool = False,
        whole: bool = False,
        left_out: Callable[[type, str], bool] = _no_field,
        may_lack: Callable[[type, str], bool] = _no_field,
    ) -> None:
        self.wires: dict[Any, Wire] = dict(wires)
        self._records: dict[type, Derived] = {}
        self._strict, self._whole, self._left_out, self._may_lack = strict, whole, left_out, may_lack

    def derive(
        self,
        kind: type,
        name: str | None = None,
        *,
        tag: str | None = None,
        tag_field: str | None = None,
        more: Iterable[tuple[str, Any]] = (),
        instead: Mapping[str, Any] = MappingProxyType({}),
    ) -> Derived:
        """The struct of a class. `more` fields exist on the wire alone and may be unset; `instead` are other types."""
        hints = typing.get_type_hints(kind)
        given_by_place, every = _fields_of(kind)
        fields = [each for each in every if not self._left_out(kind, each.name)]
        fields.sort(key=lambda each: self._may_lack(kind, each.name) or (each.has_default and not self._whole))
        wires = [self.wire(hints[each.name]) for each in fields]
        given = [each.default for each in fields]
        shown = [_written(wire.write, default) for wire, default in zip(wires, given, strict=True)]
        shown = [
            UNSET if self._may_lack(kind, each.name) else default for each, default in zip(fields, shown, strict=True)
        ]
        defined: list[Any] = []
        for each, wire, default in zip(fields, wires, shown, strict=True):
            wire_type = instead.get(each.name, wire.type)
            if self._may_lack(kind, each.name):
                defined.append((each.name, wire_type | UnsetType, UNSET))
            elif each.has_default and not self._whole:
                defined.append((each.name, wire_type, default))
            else:
                defined.append((each.name, wire_type))
        struct = msgspec.defstruct(
            name or kind.__name__,
            [*defined, *[(each, of | UnsetType, UNSET) for each, of in more]],
            namespace={"__doc__": kind.__doc__},
            module=__name__,
            tag=tag,
            tag_field=tag_field,
            frozen=True,
            omit_defaults=not self._whole,
            forbid_unknown_fields=self._strict,
            gc=False,  # frozen data holds no cycles
        )
        names = [each.name for each in fields]
        make: Callable[..., Any] = kind
        if names != given_by_place:
            make = _by_name(kind, names)
        can_lack = [self._may_lack(kind, each.name) or _is_optional(hints[each.name]) for each in fields]
        builds = list(zip([wire.build for wire in wires], can_lack, shown, given, strict=True))
        writes = list(zip([wire.write for wire in wires], can_lack, given, shown, strict=True))
        take = attrgetter(*names) if len(names) > 1 else lambda record: [getattr(record, each) for each in names]
        return Derived(struct, _copier(make, astuple, builds), _copier(struct, take, writes))

    def wire(self, hint: Any) -> Wire:
        """How values of a type travel."""
        if hint not in self.wires:
            self.wires[hint] = self._wire(hint)
        return self.wires[hint]

    def _wire(self, hint: Any) -> Wire:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (types.UnionType, typing.Union):
            (some,) = [each for each in arguments if each is not type(None)]
            inner = self.wire(some)
            return Wire(inner.type | None, inner.build, inner.write)
        if origin is tuple and arguments[0] is Card:
            return Wire(CARDS, parse_cards, write_cards)
        if origin in (tuple, frozenset):
            inner = self.wire(arguments[0])
            many: Any = tuple[inner.type, ...]  # type: ignore[name-defined]  # a type made here
            return Wire(many, *[_each(each, origin) for each in inner[1:]])
        if origin is dict:
            inner = self.wire(arguments[1])
            return Wire(dict[self.wire(arguments[0]).type, inner.type], None, _values(inner.write))  # type: ignore[misc]
        if supertype := getattr(hint, "__supertype__", None):  # Cents is int
            return self.wire(supertype)
        if isinstance(hint, type) and issubclass(hint, StrEnum):
            return Wire(hint)
        if not isinstance(hint, type) or not (dataclasses.is_dataclass(hint) or hasattr(hint, "_fields")):
            raise TypeError(f"nothing says how {hint} travels")
        # A bet is named by its settlement again, and much the same lines come round after round.
        derived = self.record(hint)
        return Wire(derived.struct, lru_cache(_KNOWN)(derived.build), derived.write)

    def record(self, kind: type) -> Derived:
        """The struct of a class that others hold."""
        if kind not in self._records:
            self._records[kind] = self.derive(kind)
        return self._records[kind]


def union(structs: Iterable[type[Struct]]) -> Any:
    """One of these, told apart by their tags."""
    return reduce(or_, structs)


def _is_optional(hint: Any) -> bool:
    return type(None) in typing.get_args(hint)


class _Field(NamedTuple):
    name: str
    default: Any

    @property
    def has_default(self) -> bool:
        return self.default is not dataclasses.MISSING


def _fields_of(kind: Any) -> tuple[list[str], list[_Field]]:
    """What a record is made of by place, and all that it holds but what is worked out from that (and not compared)."""
    if issubclass(kind, tuple):
        names: list[str] = list(kind._fields)
        return names, [_Field(name, kind._field_defaults.get(name, dataclasses.MISSING)) for name in names]
    fields = dataclasses.fields(kind)
    by_place = [each.name for each in fields if not each.kw_only]
    return by_place, [_Field(each.name, each.default) for each in fields if each.compare]


def _written(write: Convert | None, value: Any) -> Any:
    return value if write is None or value is None or value is dataclasses.MISSING else write(value)


def _each(convert: Convert | None, origin: type) -> Convert | None:
    if origin is frozenset:
        return lambda values: tuple(sorted(map(convert, values) if convert else values))
    return None if convert is None else lambda values: tuple([convert(value) for value in values])


def _values(convert: Convert | None) -> Convert | None:
    return None if convert is None else lambda values: {key: convert(value) for key, value in values.items()}


def _by_name(kind: type, names: list[str]) -> Callable[..., Any]:
    return lambda *values: kind(**dict(zip(names, values, strict=True)))


def _copier(make: Callable[..., Any], take: Convert, plans: list[tuple[Convert | None, bool, Any, Any]]) -> Convert:
    """What makes one from the other, field by field.

    A plan is how a field is converted, whether it may hold nothing, and its default here and there. Every record of a
    log goes through here, so it pays to be quick.
    """
    always, sometimes = [], []
    for place, (convert, can_lack, here, there) in enumerate(plans):
        if convert is not None and (can_lack or here is not dataclasses.MISSING):
            sometimes.append((place, convert, here, there))
        elif convert is not None:
            always.append((place, convert))

    def copy(one: Any) -> Any:
        values = list(take(one))
        for place, convert in always:
            values[place] = convert(values[place])
        for place, convert, here, there in sometimes:
            value = values[place]
            if value is not None and value is not UNSET:
                # The very default of the other side, so that it is left out.
                values[place] = there if value == here else convert(value)
        return make(*values)

    return copy
