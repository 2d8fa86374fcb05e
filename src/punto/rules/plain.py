"""Records of the rules as plain data for JSON: names as in the code, sets sorted, odds as text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from punto.rules.bets import Condition
from punto.rules.cards import Card
from punto.rules.money import Odds


def plain(value: object) -> Any:
    """A value as dicts, lists, strings and numbers. Fields without repr are left out."""
    if isinstance(value, Odds | Card):
        return value.text
    if isinstance(value, Condition):
        return value.source
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value) if each.repr}
    if isinstance(value, dict):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(map(plain, value))
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
