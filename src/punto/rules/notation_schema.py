"""The JSON Schema of records and results, from the same fields, cards and bounds by which `notation` reads them.

docs/notation.schema.json has it, for programs in any language. A reader refuses more than a schema can say: a field
given twice, a whole number written as `1.0`, and whatever depends on the sheet.
"""

from __future__ import annotations

from typing import Any

from punto.rules.bets import Result
from punto.rules.cards import RANK_SYMBOLS, SUIT_SYMBOLS
from punto.rules.defaults import DEFAULT_DECKS
from punto.rules.insurance import Window
from punto.rules.money import MAX_CENTS
from punto.rules.notation import BET_FIELDS, LIMITS_FIELDS, RECORD_FIELDS
from punto.rules.outcome import Winner

_CARD = f"[{RANK_SYMBOLS}][{SUIT_SYMBOLS}]"
_TEXT, _WHOLE = {"type": "string"}, {"type": "integer"}
_CENTS = {"type": "integer", "exclusiveMaximum": MAX_CENTS}
_NAME = {"type": "string", "pattern": r"^[^\u0000-\u001f\u007f]+$"}
_WINDOWS = [window.value for window in Window]


def schema() -> dict[str, Any]:
    """The schema of a record. Its definitions have the schema of a result and of a refusal."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A round of baccarat to settle",
        "$ref": "#/$defs/record",
        "$defs": {
            "record": _object(
                RECORD_FIELDS,
                {
                    "game": _TEXT | {"description": "a game's id, or the path of a sheet"},
                    "cards": {
                        "type": "string",
                        "pattern": rf"^\s*({_CARD}(\s+|$))*$",
                        "description": "the complete round, in dealing order",
                    },
                    "bets": {"type": "array", "items": {"$ref": "#/$defs/bet"}},
                },
                {
                    "decks": {"type": ["integer", "null"], "default": DEFAULT_DECKS},
                    "limits": {"anyOf": [{"$ref": "#/$defs/limits"}, {"type": "null"}]},
                },
            ),
            "limits": _object(
                LIMITS_FIELDS,
                {"minimum": _CENTS | {"minimum": 1}, "differential": _CENTS | {"minimum": 1}},
                {"unit": {"type": ["integer", "null"], "minimum": 1, "exclusiveMaximum": MAX_CENTS, "default": 1}},
            ),
            "bet": _object(
                BET_FIELDS,
                {"box": _WHOLE, "patron": _NAME, "on": _TEXT, "stake": _WHOLE | {"description": "whole cents"}},
                {
                    "window": {"enum": [*_WINDOWS, None], "description": "insurance only"},
                    "seated": {"type": ["boolean", "null"], "default": False},
                },
            ),
            "result": _object(
                None,
                {
                    "player": {"$ref": "#/$defs/hand"},
                    "banker": {"$ref": "#/$defs/hand"},
                    "result": {"enum": [winner.value for winner in Winner]},
                    "bets": {"type": "array", "items": {"$ref": "#/$defs/line"}},
                    "house": _WHOLE,
                },
            ),
            "hand": _object(
                None,
                {
                    "cards": {
                        "type": "array",
                        "items": {"type": "string", "pattern": f"^{_CARD}$"},
                        "minItems": 2,
                        "maxItems": 3,
                    },
                    "points": {"type": "integer", "minimum": 0, "maximum": 9},
                },
            ),
            "line": _object(
                None,
                {
                    "box": _WHOLE,
                    "patron": _NAME,
                    "on": _TEXT,
                    "stake": _WHOLE,
                    "in_play": _WHOLE,
                    "result": {"enum": [result.value for result in Result]},
                    "odds": {"type": ["string", "null"]},
                    "returned": _WHOLE,
                    "net": _WHOLE,
                    "rule": _TEXT,
                },
                {"window": {"enum": _WINDOWS}, "in_play_rule": _TEXT},
            ),
            "refusal": _object(
                None,
                {"refused": _object(None, {"code": _TEXT, "rule": {"type": ["string", "null"]}, "message": _TEXT})},
            ),
        },
    }


def _object(
    fields: frozenset[str] | None, required: dict[str, Any], optional: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The schema of an object. `fields` are those that the reader knows; the schema must describe exactly them."""
    properties = required | (optional or {})
    if fields is not None and fields != properties.keys():
        raise ValueError(f"the reader knows {sorted(fields)}, the schema {sorted(properties)}")
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
