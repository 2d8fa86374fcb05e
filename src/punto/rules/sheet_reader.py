"""Builds a sheet from parsed TOML. An error names the file, the key and the reason.

A record is read by its fields: `face_down` is the key `face-down`, and `shown_rule` the paragraph under `shown`. What a
field holds, and whether it may be left out, comes from its type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cache, partial
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from punto.rules.bets import NOTHING, Condition, OfferedBet, parse_points
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance
from punto.rules.money import Odds
from punto.rules.reasons import Problem, quoted
from punto.rules.sheet import Authority, Irregularity, Role, Sheet, Squeeze
from punto.rules.toml_table import UNREADABLE, Problems, TomlTable


def read_sheet(data: Mapping[str, object], source: str, lines: Callable[[], Mapping[str, int]] = dict) -> Sheet:
    """Build a sheet from parsed TOML. Raises SheetError with every problem, each with its line if `lines` finds it."""
    problems = Problems(source, lines)
    paragraphs = _paragraphs(data, problems)
    top = TomlTable(problems, "", data, paragraphs)
    if "paragraphs" in top:
        top.take("paragraphs")
    if "remove" in top:  # what is left of it names nothing that the extended sheet has
        left = top.take("remove")
        for name in left if isinstance(left, list) else [left]:
            top.fail("remove", Problem.REMOVE_UNKNOWN, quoted(name))
    if "extends" in top:
        top.fail("extends", Problem.NOT_EXTENDED, quoted(top.take("extends")))
    missing = tuple([part for part in ("boxes", "irregularities", "authority") if part not in top])
    insurance = cache(lambda: _insurance(top.table("insurance")) if "insurance" in top else None)
    sheet: Sheet = _record(
        top,
        Sheet,
        insurance=insurance,
        bets=lambda: _bets(top, insurance()),
        irregularities=lambda: (
            _by_id(top, "irregularities", partial(_record, kind=Irregularity)) if "irregularities" in top else {}
        ),
        authority=lambda: _authority(top.table("authority")) if "authority" in top else Authority(Role.SHIFT_MANAGER),
        paragraphs=lambda: paragraphs,
        missing=lambda: missing,
        canonical=lambda: _canonical(data, problems),
        zh=lambda: (
            _chinese(top.table("zh"), data, problems) if "zh" in top else {}
        ),  # last, when all problems are known
    )
    problems.raise_all()
    return sheet


def _canonical(data: Mapping[str, object], problems: Problems) -> str:
    """The content of a sheet as one line of JSON. Comments and layout of its file do not change it."""
    try:
        return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_as_json)
    except (ValueError, TypeError, RecursionError) as error:  # a circle, an endless number, keys of several kinds
        problems.add("", Problem.NOT_A_VALUE, quoted(str(error)))
        problems.raise_all()
        raise


def _as_json(value: object) -> object:
    """A value that JSON lacks in a form that it has: another mapping than a dict, or a date."""
    return dict(value) if isinstance(value, Mapping) else str(value)


def _paragraphs(data: Mapping[str, object], problems: Problems) -> dict[str, str]:
    value = data.get("paragraphs")
    if not isinstance(value, dict) or not value:
        problems.add("paragraphs", Problem.PARAGRAPHS_MISSING)
        return {}
    for number, says in value.items():
        if not isinstance(says, str):
            problems.add(f"paragraphs.{number}", Problem.NOT_TEXT, quoted(says))
    return value


def _chinese(table: TomlTable, data: Mapping[str, object], problems: Problems) -> dict[str, str]:
    """The sheet's texts in Chinese. Translations of texts that the sheet does not have are refused.

    With another problem they are not: a part that is missing leaves its translations behind.
    """
    alone = not len(problems)
    said = texts_in({key: value for key, value in data.items() if key != "zh"})
    for key in table.left():
        if alone and key not in said:
            table.fail(key, Problem.TRANSLATION_UNUSED)
    return {key: table.text(key) for key in table.left()}


def texts_in(value: object) -> set[str]:
    """Every text in a value of a file."""
    if isinstance(value, str):
        return {value}
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return set().union(*map(texts_in, items))


def _by_id(top: TomlTable, key: str, read: Callable[[TomlTable], Any], taken: Iterable[str] = ()) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in map(read, top.tables(key)):
        if item.id in found or item.id in taken:
            top.fail(f"{key}.{item.id}.id", Problem.ID_TAKEN, quoted(item.id))
        if item is not UNREADABLE:
            found[item.id] = item
    return found


# ------------------------------------------------------------------------------------------- parts of another shape


@dataclass(frozen=True, slots=True)
class _Return:
    when: Condition = NOTHING
    says: str | None = None
    rule: str | None = None


def _bets(top: TomlTable, insurance: Insurance | None) -> dict[str, OfferedBet]:
    there, before = "bets" in top, len(top.problems)
    taken = [bet.id for bet in insurance.bets] if insurance else []
    bets: dict[str, OfferedBet] = _by_id(top, "bets", _bet, taken)
    hands = [bet.hand for bet in bets.values() if bet.hand is not None]
    if there and len(top.problems) == before and sorted(hands) != sorted(Hand):
        top.fail("bets", Problem.ORIGINAL_BETS)
    return bets


def _bet(table: TomlTable) -> Any:
    fields_of = {"returned": "when", "returned_says": "says", "returned_rule": "rule"}
    return _record(table, OfferedBet, **_part(table, "returned", _Return, fields_of, _Return()))


def _insurance(table: TomlTable) -> Any:
    fields_of = {"waiver_rule": "rule", "waiver_by": "by", "waiver_face_down": "face_down"}
    return _record(table, Insurance, **_part(table, "waiver", Squeeze, fields_of))


@dataclass(frozen=True, slots=True)
class _Otherwise:
    decides: Role
    rule: str | None


def _authority(table: TomlTable) -> Any:
    fields_of = {"decides_otherwise": "decides", "otherwise_rule": "rule"}
    return _record(table, Authority, **_part(table, "otherwise", _Otherwise, fields_of))


def _part(
    table: TomlTable, key: str, kind: type, fields_of: Mapping[str, str], missing: Any = None
) -> dict[str, Callable[[], Any]]:
    """The fields that a record takes from a table below its own. `missing` stands for a table that may be left out."""
    part = cache(lambda: missing if missing is not None and key not in table else _record(table.table(key), kind))
    return {name: partial(lambda of: getattr(part(), of), of) for name, of in fields_of.items()}


# ------------------------------------------------------------------------------------------- records by their fields


def _record(table: TomlTable, kind: Any, **own: Callable[[], Any]) -> Any:
    """A record of this kind from the keys of a table. Fields that are read in a way of their own come last."""
    return table.build(lambda: kind(**_fields(table, kind, own), **{name: read() for name, read in own.items()}))


def _fields(table: TomlTable, kind: Any, own: Iterable[str]) -> dict[str, Any]:
    names, hints = [each.name for each in fields(kind)], _hints(kind)
    found: dict[str, Any] = {}
    for each in fields(kind):
        if not each.init or each.name in own:
            continue
        short, options = each.name.removesuffix("_rule"), get_args(hints[each.name])
        key = (each.name if short != each.name and short in names else short).replace("_", "-")
        hint = options[0] if NoneType in options else hints[each.name]
        if key in table or not (hint is bool or NoneType in options or each.default is not MISSING):
            found[each.name] = _value(table, key, hint, is_rule=each.name.endswith("rule"))
        elif each.default is MISSING:
            found[each.name] = False if hint is bool else None
    return found


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(table: TomlTable, key: str, hint: Any, *, is_rule: bool) -> Any:
    if is_rule:
        return table.rule(key)
    if get_origin(hint) is tuple:
        return tuple([_record(item, get_args(hint)[0]) for item in table.tables(key)])
    if get_origin(hint) is frozenset:
        return table.made(key, parse_points)
    if hint in (Condition, Odds):
        return table.made(key, hint.parse)
    if is_dataclass(hint):
        return _record(table.table(key), hint)
    if issubclass(hint, StrEnum):
        return table.choice(key, hint)
    return {str: table.id if key == "id" else table.text, int: table.whole, bool: table.flag}[hint](key)
