"""The components of the OpenAPI document: every message in and out. `python -m punto.protocol.openapi` prints them."""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import msgspec

from punto import __version__
from punto.protocol import shown, views
from punto.protocol.codec import ASKED
from punto.protocol.refused import AnyRefusal

UNIONS: dict[str, Any] = {
    "Command": ASKED,
    "Event": shown.Event,
    "BetLine": shown.BetLine,
    "Refusal": AnyRefusal,
    "ClientMessage": views.ClientMessage,
    "ServerMessage": views.ServerMessage,
}
"""Unions have no name of their own, and a page wants one."""
BODIES: tuple[Any, ...] = (views.Join, views.NewPerson, views.BuyCredits, views.CashOut, views.NewTable)
ANSWERS: tuple[Any, ...] = (
    *(views.Admitted, views.Account, views.Ticket, views.Movement, views.Problem, views.GameSummary),
    *(shown.RuleSheet, views.TableSummary, views.Reply, views.RoundRecord, views.PublishedShoe, views.Incident),
    *(views.SignificantEvent, views.Health, views.Figures, views.LiveFigures, views.Preview, shown.Choice),
)


def components() -> dict[str, Any]:
    """Every message by its name, as JSON Schema."""
    kinds = [*UNIONS.values(), *BODIES, *ANSWERS]
    roots, schemas = msgspec.json.schema_components(kinds, ref_template=views.REF)
    named = {json.dumps(root): {"$ref": views.REF.format(name=name)} for name, root in zip(UNIONS, roots, strict=False)}
    found = {name: _tidy(schema, named) for name, schema in schemas.items()}
    return dict(sorted((found | dict(zip(UNIONS, roots, strict=False))).items()))


def _tidy(schema: Any, named: dict[str, Any]) -> Any:
    """A schema that names unions instead of listing them, and has no defaults.

    A field with a default may be left out either way, and the TypeScript generator would demand it.
    """
    if isinstance(schema, list):
        return [_tidy(each, named) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if (reference := named.get(json.dumps(schema))) is not None:
        return reference
    tidy = {name: _tidy(each, named) for name, each in schema.items() if name != "default"}
    if isinstance(tidy.get("description"), str):
        tidy["description"] = inspect.cleandoc(tidy["description"])
    return tidy


def document() -> dict[str, Any]:
    """An OpenAPI document of all messages, without paths."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Punto", "version": __version__},
        "paths": {},
        "components": {"schemas": components()},
    }


if __name__ == "__main__":
    json.dump(document(), sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
