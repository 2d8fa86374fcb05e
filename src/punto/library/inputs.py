"""Inputs of the front door, checked and read. The refusal of a wrong one names its place."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import EnumMeta
from fractions import Fraction
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from punto.rules.cards import Card, parse_cards, read_cards
from punto.rules.composition import Burn, read_burn
from punto.rules.money import Odds
from punto.rules.reasons import ProblemError, Wanted, quoted
from punto.rules.refusals import FieldMissing, FieldType, FieldUnknown, Refusal, Refused

_WANTED = {
    int: Wanted.WHOLE_NUMBER,
    str: Wanted.PRINTABLE_TEXT,
    bool: Wanted.FLAG,
    Card: Wanted.CARD,
    Odds: Wanted.ODDS,
}
"""The content of a field by its type; an object, if it is any other."""


def wrong(where: str, wanted: Wanted, value: object, known: tuple[str, ...] = ()) -> Refused:
    """The refusal of a value of the wrong kind."""
    return Refused(FieldType(where, wanted, quoted(value), known))


def read(value: Any, kind: Any, where: str) -> Any:
    """A value for a field of this type. Raises Refused.

    A card, odds and the values of enumerations may be text, and a record may be a mapping of its fields.
    """
    options = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    if value is None and NoneType in options:
        return None
    only = next(option for option in options if option is not NoneType)
    only = getattr(only, "__supertype__", only)  # cents are whole numbers
    if get_origin(only) is tuple:
        return _read_tuple(value, get_args(only)[0], where)
    if only is int and not isinstance(value, bool) and hasattr(type(value), "__index__"):
        return operator.index(value)  # also the whole numbers of numpy
    if only is not int and isinstance(value, only) and (only is not str or value.isprintable()):
        return value
    if isinstance(only, EnumMeta):
        if isinstance(value, str) and value in set(only):
            return only(value)
        raise wrong(where, Wanted.ONE_OF, value, tuple(map(str, only)))
    if only is Card and isinstance(value, str) and len(cards := parse_cards(value)) == 1:
        return cards[0]
    if only is Odds and isinstance(value, str):
        try:
            return Odds.parse(value)
        except ProblemError:
            raise wrong(where, Wanted.ODDS, value) from None
    if isinstance(value, Mapping) and only not in _WANTED:
        return make(only, value, where)
    raise wrong(where, _WANTED.get(only, Wanted.OBJECT), value)


def _read_tuple(value: Any, kind: Any, where: str) -> tuple[Any, ...]:
    if kind is Card:
        return read_cards(value, where)
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise wrong(where, Wanted.LIST, value)
    return tuple([read(item, kind, f"{where}[{place}]") for place, item in enumerate(value)])


def given_burn(burn: object) -> int | Burn:
    """A number of cards to burn, or `card`."""
    return read_burn(burn) if isinstance(burn, str) else int(read(burn, int, "burn"))


_NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,2})?")


def read_whole(given: object, refuse: Callable[[str], Refusal]) -> int:
    """A whole number, also as 1e9, 2.5e6 or 1,000. Raises Refused with the refusal that `refuse` makes."""
    plain = str(given).replace("_", "").replace(",", "")
    number = Fraction(plain) if _NUMBER.fullmatch(plain) else Fraction(1, 2)
    if number.denominator != 1:
        raise Refused(refuse(quoted(given)))
    return number.numerator


def make(kind: Any, given: Mapping[str, Any], where: str, **known: Any) -> Any:
    """A record of a type from its fields, besides those that are `known`. `where` names it. Raises Refused."""
    hints = get_type_hints(kind)
    required = _required(kind)
    names = [name for name in required if name not in known]
    if unknown := [name for name in given if name not in names]:
        raise Refused(FieldUnknown(where, quoted(unknown[0]), tuple(names)))
    for name in names:
        if required[name] and name not in given:
            read_missing(f"{where}.{name}", hints[name])
    values = {name: read(value, hints[name], f"{where}.{name}") for name, value in given.items()}
    return kind(**known, **values)


def read_missing(where: str, kind: Any) -> None:
    """Raise the refusal of a field of this type that is missing."""
    try:
        read(None, kind, where)
    except Refused as error:
        wanted: Any = error.refusal
        raise Refused(FieldMissing(where, wanted.wanted, wanted.known)) from None


def _required(kind: Any) -> dict[str, bool]:
    """The fields of a dataclass or a named tuple, and whether each must be given."""
    if hasattr(kind, "_fields"):
        return {name: name not in kind._field_defaults for name in kind._fields}
    return {
        each.name: each.default is MISSING and each.default_factory is MISSING for each in fields(kind) if each.init
    }
