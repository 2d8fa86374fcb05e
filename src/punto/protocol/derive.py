"""Structs for the wire, derived from the core's records: a field added there is added here.

Cards are text (`9h`, or `5h Kd 6s` for several), actors `role:person`, odds and conditions as they are written, sets
sorted lists. Amounts are whole cents. All else keeps its name and its type.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from enum import Enum
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
from punto.table.act import EVENTS, Event, kind_of
from punto.table.actor import PATRON_ROLE, Actor
from punto.table.rulings.cases import ConfirmationAsked

Convert = Callable[[Any], Any]

LONGEST_TEXT = 1_000
_CARD = f"[{RANK_SYMBOLS}][{SUIT_SYMBOLS}]"
_CACHE_SIZE = 16_384
"""A log names the same people, cards, odds and bets again and again."""


@lru_cache(_CACHE_SIZE)
def _parse_card(text: str) -> Card:
    cards = parse_cards(text)
    if len(cards) != 1:
        raise ValueError(f"{text!r} is not one card")
    return cards[0]


_parse_actor = lru_cache(_CACHE_SIZE)(Actor.parse)
_parse_odds = lru_cache(_CACHE_SIZE)(Odds.parse)
_text = attrgetter("text")


class Expected(NamedTuple):
    """The values that a field wants, as a refusal says it with what is known. `parse` checks what msgspec cannot."""

    wanted: Wanted
    known: tuple[str, ...] = ()
    parse: Convert | None = None

    @staticmethod
    def of(kind: Any) -> Expected | None:
        """A type's own words for what it wants, if it has any."""
        return next((each for each in getattr(kind, "__metadata__", ()) if isinstance(each, Expected)), None)


def _text_of(wanted: Expected, pattern: str | None = None, longest: int | None = LONGEST_TEXT) -> Any:
    """Text that a parser reads. The pattern is for the schema alone."""
    schema = {"pattern": pattern} if pattern else None
    return Annotated[str, Meta(max_length=longest, extra_json_schema=schema), wanted]


_ROLES = (PATRON_ROLE, *Role)
WHOLE = Annotated[int, Meta(gt=-EXACT_CENTS, lt=EXACT_CENTS), Expected(Wanted.EXACT_NUMBER)]
TEXT = _text_of(Expected(Wanted.SHORT_TEXT))
ACTOR = _text_of(Expected(Wanted.ACTOR, _ROLES, _parse_actor), f"^({'|'.join(_ROLES)}):.")
CARD = _text_of(Expected(Wanted.CARD, parse=_parse_card), f"^{_CARD}$")
CARDS = _text_of(Expected(Wanted.CARDS, parse=parse_cards), f"^({_CARD}( {_CARD})*)?$", None)
ODDS = _text_of(Expected(Wanted.ODDS, parse=_parse_odds))


class WireType(NamedTuple):
    """The form in which values of a type travel. `build` and `write` are None where a value travels as it is."""

    type: Any
    build: Convert | None = None
    write: Convert | None = None


READ_TYPES: Mapping[Any, WireType] = {
    int: WireType(WHOLE),
    bool: WireType(bool),
    str: WireType(TEXT),
    Actor: WireType(ACTOR, _parse_actor, _text),
    Card: WireType(CARD, _parse_card, _text),
    Odds: WireType(ODDS, _parse_odds, _text),
    Condition: WireType(Any, None, attrgetter("source")),  # a table of conditions as its sheet wrote it
}
"""Values read from outside or from the log are held to their limits."""
SHOWN_TYPES: Mapping[Any, WireType] = {
    **READ_TYPES,
    int: WireType(int),
    str: WireType(str),
    Actor: WireType(str, _parse_actor, _text),
}
"""Values to be shown were held to their limits before."""


class Derived(NamedTuple):
    """A struct with the fields of a record, and the way there and back."""

    struct: type[Struct]
    build: Convert
    write: Convert


class TaggedUnion:
    """Records that a tag tells apart on the wire: the union of their structs, and the way there and back."""

    def __init__(self, derived: Mapping[type, Derived]) -> None:
        self.derived = dict(derived)
        self.type: Any = reduce(or_, [each.struct for each in derived.values()])
        self._build = {each.struct: each.build for each in derived.values()}

    def build(self, struct: Struct) -> Any:
        """The record of a struct."""
        return self._build[type(struct)](struct)

    def write(self, record: object) -> Any:
        """The struct of a record."""
        return self.derived[type(record)].write(record)


class _Field(NamedTuple):
    """A field as its struct defines it, and how its values are converted; None where they travel as they are."""

    definition: tuple[Any, ...]
    build: Convert | None
    write: Convert | None


def _no_field(_kind: type, _name: str) -> bool:
    return False


class Deriver:
    """Derives structs in one manner.

    With `strict` the structs refuse unknown fields. With `write_all` they write every field; else they leave out what
    holds its default. The fields of a class that are `omitted` are not in the struct; those that `may_be_unset` can be
    unset. Deriving with `remember` keeps records that were built, for structs that hold no mapping.
    """

    def __init__(
        self,
        wires: Mapping[Any, WireType],
        *,
        strict: bool = False,
        write_all: bool = False,
        omitted: Callable[[type, str], bool] = _no_field,
        may_be_unset: Callable[[type, str], bool] = _no_field,
        remember: bool = True,
    ) -> None:
        self.wires: dict[Any, WireType] = dict(wires)
        self._remember = remember
        self._records: dict[type, Derived] = {}
        self._strict, self._write_all, self._omitted, self._may_be_unset = strict, write_all, omitted, may_be_unset

    def derive(
        self,
        kind: type,
        name: str | None = None,
        *,
        tag: str | None = None,
        tag_field: str | None = "kind",
        extra_fields: Iterable[tuple[str, Any]] = (),
        computed: Mapping[str, Any] = MappingProxyType({}),
    ) -> Derived:
        """The struct of a class.

        `extra_fields` exist on the wire alone and may be unset. `computed` are attributes that the record works out, by
        their types; they are passed over when it is built from the struct.
        """
        hints, defaults = typing.get_type_hints(kind), _defaults(kind)
        kept = [each for each in defaults if not self._omitted(kind, each)]
        fields = [self._field(kind, each, hints[each], defaults[each]) for each in kept]
        fields.sort(key=lambda each: len(each.definition))  # those with a default come last
        names: list[str] = [each.definition[0] for each in fields]
        extra = [(each, of | UnsetType, UNSET) for each, of in extra_fields]
        struct = msgspec.defstruct(
            name or kind.__name__,
            [*computed.items(), *[each.definition for each in fields], *extra],
            namespace={"__doc__": kind.__doc__} | ({tag_field: tag} if tag and tag_field else {}),
            module=__name__,
            tag=tag,
            tag_field=tag_field if tag else None,
            frozen=True,
            omit_defaults=not self._write_all,
            forbid_unknown_fields=self._strict,
            gc=False,  # frozen data holds no cycles
        )
        parameters = inspect.signature(kind).parameters.values()
        by_place = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
        make: Callable[..., Any] = kind if names == by_place else _by_name(kind, names)
        first, last = len(computed), len(computed) + len(names)
        values = (lambda of: astuple(of)[first:last]) if extra or computed else astuple
        build = _copier(make, values, [each.build for each in fields])
        taken = [*computed, *names]
        # attrgetter needs a name, and gives no tuple for a single one.
        take: Convert = attrgetter(*taken) if len(taken) > 1 else lambda one: [getattr(one, each) for each in taken]
        return Derived(struct, build, _copier(struct, take, [*[None] * first, *[each.write for each in fields]]))

    def _field(self, kind: type, name: str, hint: Any, default: Any) -> _Field:
        wire, may_be_unset, has_default = self.wire(hint), self._may_be_unset(kind, name), default is not MISSING
        wire_type, wire_default = wire.type, default
        if wire.write is not None and has_default and default is not None:
            wire_default = wire.write(default)
        definition: tuple[Any, ...] = (name, wire_type)
        if may_be_unset:
            wire_default = UNSET
            definition = (name, wire_type | UnsetType, UNSET)
        elif has_default and not self._write_all:
            definition = (name, wire_type, wire_default)
        if may_be_unset or has_default or type(None) in typing.get_args(hint):
            return _Field(
                definition, _some(wire.build, wire_default, default), _some(wire.write, default, wire_default)
            )
        return _Field(definition, wire.build, wire.write)

    def wire(self, hint: Any) -> WireType:
        """The form in which values of a type travel."""
        if hint not in self.wires:
            self.wires[hint] = self._wire(hint)
        return self.wires[hint]

    def _wire(self, hint: Any) -> WireType:
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin in (types.UnionType, typing.Union):
            (some,) = [each for each in arguments if each is not type(None)]
            inner = self.wire(some)
            return WireType(inner.type | None, inner.build, inner.write)
        if origin is tuple and arguments[0] is Card:
            return WireType(CARDS, parse_cards, write_cards)
        if origin is tuple and arguments[-1] is not Ellipsis:
            parts = [self.wire(each) for each in arguments]
            few: Any = tuple[tuple(each.type for each in parts)]  # type: ignore[misc]  # a type made here
            return WireType(few, _places([each.build for each in parts]), _places([each.write for each in parts]))
        if origin in (tuple, frozenset, list):
            inner = self.wire(arguments[0])
            many: Any = tuple[inner.type, ...]  # type: ignore[name-defined]  # a type made here
            return WireType(many, _each(inner.build, origin), _each(inner.write, tuple, in_order=origin is frozenset))
        if origin is dict:
            return self._mapping(*[self.wire(each) for each in arguments])
        if supertype := getattr(hint, "__supertype__", None):  # Cents is int
            return self.wire(supertype)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return WireType(hint)
        if not isinstance(hint, type) or not (dataclasses.is_dataclass(hint) or hasattr(hint, "_fields")):
            raise TypeError(f"nothing says how {hint} travels")
        derived = self.record(hint)
        # A bet is named by its settlement again, and much the same lines come round after round.
        build = lru_cache(_CACHE_SIZE)(derived.build) if self._remember else derived.build
        return WireType(derived.struct, build, derived.write)

    @staticmethod
    def _mapping(name: WireType, value: WireType) -> WireType:
        """A mapping. JSON has names for text and numbers alone; others are written as pairs."""
        if name.write is None:
            named: Any = dict[name.type, value.type]  # type: ignore[name-defined]
            return WireType(named, _values(value.build), _values(value.write))
        pairs: Any = tuple[tuple[name.type, value.type], ...]  # type: ignore[name-defined]  # a type made here
        build, write = _places([name.build, value.build]), _places([name.write, value.write])
        return WireType(pairs, _each(build, dict), lambda mapping: tuple([write(each) for each in mapping.items()]))

    def record(self, kind: type) -> Derived:
        """The struct of a class that others hold."""
        if kind not in self._records:
            # It may hold itself, as a case holds the one before it.
            self.wires[kind] = WireType(
                Any,
                lambda data: self._records[kind].build(msgspec.convert(data, self._records[kind].struct)),
                lambda each: self._records[kind].write(each),
            )
            self._records[kind] = self.derive(kind)
            del self.wires[kind]
        return self._records[kind]


def derive_events(deriver: Deriver, derive: Callable[[str, type[Event]], Derived]) -> TaggedUnion:
    """Every event. What waits for a second person is any of them but another such wait."""
    derived = {kind: derive(name, kind) for name, kind in EVENTS.items() if kind is not ConfirmationAsked}
    proposed = TaggedUnion(derived)
    deriver.wires[Event] = WireType(proposed.type, proposed.build, proposed.write)
    return TaggedUnion(derived | {ConfirmationAsked: derive(kind_of(ConfirmationAsked), ConfirmationAsked)})


def _defaults(kind: Any) -> dict[str, Any]:
    """The stored fields of a record, each with its default; those that are worked out and not compared are left out."""
    if dataclasses.is_dataclass(kind):
        return {each.name: each.default for each in dataclasses.fields(kind) if each.compare}
    return {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}


def _each(convert: Convert | None, origin: type, *, in_order: bool = False) -> Convert | None:
    """Converts all of many; what has no order is sorted by how it is written."""
    if convert is None:
        convert = _as_it_is
    if in_order:
        return lambda values: tuple(sorted(map(convert, values), key=str))
    return None if convert is _as_it_is and origin is tuple else lambda values: origin(map(convert, values))


def _as_it_is(value: Any) -> Any:
    return value


def _places(converts: list[Convert | None]) -> Convert:
    """Converts the parts of a tuple, each in its own way; None stays."""
    ways = [convert or _as_it_is for convert in converts]
    return lambda values: tuple(
        [None if value is None else way(value) for way, value in zip(ways, values, strict=True)]
    )


def _values(convert: Convert | None) -> Convert | None:
    return None if convert is None else lambda values: {key: convert(value) for key, value in values.items()}


def _by_name(kind: type, names: list[str]) -> Callable[..., Any]:
    return lambda *values: kind(**dict(zip(names, values, strict=True)))


def _some(convert: Convert | None, here: Any, there: Any) -> Convert | None:
    """Converts what is not unset. A default becomes the very default of the other side, so that it is left out."""
    if convert is None:
        return None

    def converted(value: Any) -> Any:
        if value is UNSET:
            return value
        return there if value == here else convert(value)

    return converted


def _copier(make: Callable[..., Any], take: Convert, converts: list[Convert | None]) -> Convert:
    """A function that makes one from the other, field by field; None stays. Every record of a log goes through it."""
    converted = [(place, convert) for place, convert in enumerate(converts) if convert is not None]

    def copy(one: Any) -> Any:
        values = list(take(one))
        for place, convert in converted:
            if (value := values[place]) is not None:
                values[place] = convert(value)
        return make(*values)

    return copy
