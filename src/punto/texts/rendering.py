"""Filling in templates: amounts, numbers with their nouns, words of enumerations and words of a sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol

from punto.texts.catalogues import LANGUAGES, Catalogue, catalogue

if TYPE_CHECKING:
    from punto.rules.sheet import Sheet

PLACE = re.compile(r"\{(?P<name>\w+)(?::(?P<format>[\w-]+)|\|(?P<forms>[^{}]*))?\}")
"""A parameter in a template."""
OPTIONAL = re.compile(r"\[([^][{}]*(?:\{[^{}]*\}[^][{}]*)+)\]")
"""A part of a template that is left out if one of its parameters is unknown."""


class Coded(Protocol):
    """A dataclass with a text for its code, filled in from its fields: a refusal, a reason."""

    @property
    def code(self) -> str:
        """The key of its text."""
        raise NotImplementedError


def say(refusal: Coded, language: str = LANGUAGES[0], sheet: Sheet | None = None) -> str:
    """The sentence of a refusal, without its paragraph."""
    return _coded("refusals", refusal, catalogue(language), sheet)


def text(section: str, key: str, language: str = LANGUAGES[0], sheet: Sheet | None = None, **parameters: object) -> str:
    """A text of a catalogue. `sheet` gives the names of bets and other words of the game."""
    texts = catalogue(language)
    return render(texts.template(section, key), texts, parameters, sheet)


def render(template: str, texts: Catalogue, parameters: Mapping[str, object], sheet: Sheet | None = None) -> str:
    """A template with its parameters filled in. Raises LookupError for a missing parameter or word."""

    def fill(place: re.Match[str]) -> str:
        name, forms = place["name"], place["forms"]
        value = parameters.get(name)
        if value is None:
            raise LookupError(f"{template!r} needs the parameter {name}")
        if forms is not None:
            return _counted(value, forms.split("|"))
        return _several(value, place["format"] or _format_of(name, texts), texts, sheet)

    def choose(part: re.Match[str]) -> str:
        return part[1] if all(parameters.get(name) not in (None, "", (), []) for name in parameters_of(part[1])) else ""

    return PLACE.sub(fill, OPTIONAL.sub(choose, template))


def parameters_of(template: str) -> frozenset[str]:
    """The names of the parameters that a template needs."""
    return frozenset(place["name"] for place in PLACE.finditer(template))


def money(cents: int) -> str:
    """Cents as text for people: 1,234.50, whole amounts as 1,234."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{whole:,}" + (f".{rest:02d}" if rest else "")


def _format_of(name: str, texts: Catalogue) -> str:
    return "money" if name.endswith("_cents") else name if name in texts.words else ""


def _counted(number: Any, forms: list[str]) -> str:
    return f"{number:,} {forms[0] if number == 1 else forms[-1]}"


def _several(value: object, format_: str, texts: Catalogue, sheet: Sheet | None) -> str:
    if not isinstance(value, list | tuple):
        return _one(value, format_, texts, sheet)
    separator = " " if format_ == "cards" else texts.list_separator
    return separator.join(_one(each, format_, texts, sheet) for each in value)


def _one(value: Any, format_: str, texts: Catalogue, sheet: Sheet | None) -> str:
    if format_ == "money":
        return money(value)
    if format_ == "number":
        return f"{value:,}"
    if format_ in texts.sections:
        return _in_section(format_, value, texts, sheet)
    if format_ in {"bet", "sheet"}:
        return (
            value
            if sheet is None
            else _sheet_word(_bet_name(value, sheet) if format_ == "bet" else value, texts, sheet)
        )
    if format_ in texts.words:
        return texts.word(format_, str(value).lower() if isinstance(value, bool) else str(value))
    if format_ not in {"", "cards"} or isinstance(value, bool | float):
        raise LookupError(f"no format {format_!r} for {value!r}")
    return str(value)


def _in_section(section: str, value: Any, texts: Catalogue, sheet: Sheet | None) -> str:
    """The text of a value, by its code or as a key. A sheet describes its own situations."""
    if not isinstance(value, str):
        return _coded(section, value, texts, sheet)
    if section == "situations" and sheet is not None and value in sheet.irregularities:
        return _sheet_word(sheet.irregularities[value].situation, texts, sheet)
    return texts.template(section, value)


def _coded(section: str, value: Any, texts: Catalogue, sheet: Sheet | None) -> str:
    filled = {field.name: getattr(value, field.name) for field in fields(value)}
    return render(texts.template(section, value.code), texts, filled, sheet)


def _bet_name(on: str, sheet: Sheet) -> str:
    """The sheet's name of a bet; the id if the sheet has no such bet."""
    bet = sheet.bets.get(on) or sheet.insurance_bets.get(on)
    return bet.name if bet else on


def _sheet_word(word: str, texts: Catalogue, sheet: Sheet) -> str:
    """A word of the sheet; English if the sheet has no translation."""
    return sheet.zh.get(word, word) if texts.language == "zh-Hans" else word
