"""The OpenAPI document: the addresses as the routes declare them, and every message in and out as msgspec describes it.

`python -m punto.web.openapi` prints the messages alone, for the page build.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from dataclasses import MISSING, fields
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec

import punto
from punto.protocol import refusals as r
from punto.protocol import shown, views
from punto.protocol.codec import AnyCommand
from punto.protocol.shown import AnyRefusal
from punto.rules.loader import GAMES
from punto.rules.refusals import kebab
from punto.web import academy, desk, floor, games, money, people, status, tables
from punto.web.access import PUBLIC
from punto.web.pages import STATIC
from punto.web.problems import PROBLEM_MEDIA, problem_of
from punto.web.requests import JSON, Request
from punto.web.routes import KEY_HEADER, Key, Route, Routes

ROUTES = [
    route for module in (games, tables, people, money, desk, floor, academy, status) for route in module.routes.declared
]
"""The routes that the document describes."""
UNIONS: dict[str, Any] = {
    "Command": AnyCommand,
    "Choice": shown.Choice,
    "Event": shown.Event,
    "BetLine": shown.BetLine,
    "Refusal": AnyRefusal,
    "ClientMessage": views.ClientMessage,
    "ServerMessage": views.ServerMessage,
    "FloorServerMessage": views.FloorServerMessage,
}
"""Unions have no name of their own, and a page wants one."""
EXAMPLES: dict[str, Any] = {
    "Join": {"name": "Ann"},
    "NewPerson": {"name": "Dan", "role": "dealer"},
    "NewToken": {"reason": "the old one was seen by others"},
    "BuyCredits": {"amount_cents": 50_000},
    "CashOut": {"amount_cents": 20_000},
    "UseTicket": {"ticket": "402817264955301843920158"},
    "NewTable": {
        "table": "one",
        "game": next(iter(GAMES)),
        "layout": "mini-7",
        "decks": 8,
        "minimum_cents": 2_500,
        "differential_cents": 500_000,
        "mode": "automatic",
    },
    "PlaceBet": {"kind": "place-bet", "box": 1, "on": "banker", "stake_cents": 5_000},
}
"""Messages that come in, as someone would send them."""
FIELDS = {
    "_cents": "In whole cents.",
    "at_ms": "Milliseconds since the epoch, UTC.",
    "_at_ms": "Milliseconds since the epoch, UTC.",
    "now_ms": "The time of the server: milliseconds since the epoch, UTC.",
    "from_ms": "Milliseconds since the epoch, UTC.",
    "to_ms": "Milliseconds since the epoch, UTC.",
    "_ms": "In milliseconds.",
    "_permille": "In thousandths.",
    "_basis_points": "In hundredths of a per cent.",
    "_exact": "The same as a fraction.",
    "rule": "The paragraph of the sheet that it rests on.",
    "_rule": "The paragraph of the sheet that it rests on.",
    "by": "The actor, as `role:person`; in answers to patrons without the person.",
    "card": "A card as rank and suit, `9h`; null while it is closed.",
    "cards": "Cards as text, `5h Kd 6s`, a list of them, or their number.",
    "day": "The gaming day, as YYYY-MM-DD.",
    "on": "The id of a bet in the sheet, or the hand that is insured.",
    "odds": "The odds as they are written, `8:1`.",
    "patron": "The id of a patron; the public and other patrons are not told it.",
    "round": "The number of a round at its table, from 1.",
    "seq": "The sequence number in the table's log, without gaps.",
    "code": "A name that never changes.",
    "token": "A token, which is shown when it is made and never again.",
    "column": "The column, from 0.",
    "row": "The row, from 0.",
}
"""The meaning of fields that have this name, or (`_`) a name that ends so, in messages that do not describe them."""
MOST_CODES = 8
"""The most codes that a response of the document names; docs/api.md has all."""
NOT_BUILT = b"The pages are not built here. The document is at /schema/openapi.json.\n"
routes = Routes()

# ------------------------------------------------------------------------------------------- messages


@cache
def _of_msgspec() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """The schema of each type of a message, and those that have a name by it. Unions are referred to by their names."""
    answers = [each.answer for each in ROUTES if each.media_type == JSON]
    kinds = [*UNIONS.values(), views.ProblemDetails, *answers, *[each.body for each in ROUTES if each.body is not None]]
    roots, schemas = msgspec.json.schema_components(kinds, ref_template=views.REF)
    of = dict(zip(kinds, roots, strict=True))
    unions = {name: of[union] for name, union in UNIONS.items()}
    return of | {UNIONS[name]: {"$ref": views.REF.format(name=name)} for name in UNIONS}, schemas | unions


def components() -> dict[str, Any]:
    """Every message by its name, as JSON Schema."""
    of, schemas = _of_msgspec()
    named = {json.dumps(schemas[name]): of[union] for name, union in UNIONS.items()}
    found = {name: _described(name, _tidy(schema, named)) for name, schema in schemas.items() if name not in UNIONS}
    return dict(sorted((found | {name: schemas[name] for name in UNIONS}).items()))


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


def _described(message: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A message with a description of each field that refers to no other message, and an example if there is one."""
    for name, field in schema.get("properties", {}).items():
        if "$ref" not in field and (text := _description(schema.get("description", ""), name)):
            field.setdefault("description", text)
    return schema | ({"examples": [EXAMPLES[message]]} if message in EXAMPLES else {})


def _description(about: str, field: str) -> str | None:
    """The meaning of a field: as the description of its message says it, else what its name means everywhere."""
    if said := [sentence for sentence in re.split(r"(?<=\.)\s+", about) if f"`{field}`" in sentence]:
        return " ".join(" ".join(said).split())
    return next((text for end, text in FIELDS.items() if field == end or (field.endswith(end) and end[0] == "_")), None)


# ------------------------------------------------------------------------------------------- addresses


def paths() -> dict[str, Any]:
    """Every documented address with its methods."""
    found: dict[str, Any] = {}
    for route in ROUTES:
        found.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return dict(sorted(found.items()))


def _operation(route: Route) -> dict[str, Any]:
    parameters = [_parameter("path", name, kind, required=True) for name, kind in route.in_path.items()]
    parameters += [
        _parameter("query", each.name, each.type, required=each.required)
        for each in msgspec.structs.fields(route.query)
    ]
    if route.key:
        parameters.append(_parameter("header", KEY_HEADER, Key, required=True))
    answer = {"schema": _of_msgspec()[0][route.answer] if route.media_type == JSON else {"type": "string"}}
    media_type = route.media_type.partition(";")[0]
    responses = {str(route.status.value): {"description": route.status.phrase, "content": {media_type: answer}}}
    responses |= {str(each.value): _refused(each) for each in route.refuses}
    if route.unwell:
        responses["503"] = {"description": route.unwell, "content": {media_type: answer}}
    name = re.sub(r"\W+(\w)", lambda found: found[1].upper(), f"{route.method.lower()} {route.path}").strip("}")
    operation = {
        "operationId": name,
        "tags": [route.tag],
        "summary": inspect.unwrap(route.handler).__name__.replace("_", " ").capitalize(),
        "description": route.about,
        "parameters": parameters,
        "responses": responses,
    }
    if route.body is not None:
        example = {"examples": {"bet": {"summary": "A bet", "value": EXAMPLES["PlaceBet"]}}}
        body = {"schema": _of_msgspec()[0][route.body]} | (example if route.body is AnyCommand else {})
        operation["requestBody"] = {"required": True, "content": {JSON: body}}
    return operation


def _parameter(place: str, name: str, kind: Any, *, required: bool) -> dict[str, Any]:
    schema = msgspec.json.schema(kind)
    about = {"description": schema["description"]} if "description" in schema else {}
    return {"name": name, "in": place, "required": required, "schema": schema} | about


def _refused(status: HTTPStatus) -> dict[str, Any]:
    """The problems of a status: their codes, and one of them as it is sent."""
    kinds = r.BY_STATUS.get(status, ())
    codes = [f"`{kebab(kind.__name__)}`" for kind in kinds]
    listed = ", ".join([*codes[:MOST_CODES], *(["others"] if len(codes) > MOST_CODES or not codes else [])])
    content: dict[str, Any] = {"schema": _of_msgspec()[0][views.ProblemDetails]}
    if plain := [kind for kind in kinds if not any(each.default is MISSING for each in fields(kind))]:
        content["examples"] = {"refused": {"value": msgspec.to_builtins(problem_of(plain[0]()))}}
    return {"description": f"{status.phrase}: {listed}", "content": {PROBLEM_MEDIA: content}}


# ------------------------------------------------------------------------------------------- the document


def document(base_path: str = "", addresses: dict[str, Any] | None = None) -> dict[str, Any]:
    """An OpenAPI document of all messages, with these addresses; they begin with the prefix of the server's."""
    bearer = {"type": "http", "scheme": "bearer", "description": "The token shown when a person was admitted."}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Punto",
            "version": punto.__version__,
            "description": "Baccarat tables over HTTP. Amounts are whole cents, times milliseconds since the epoch.",
        },
        "servers": [{"url": base_path or "/"}],
        "security": [{}, {"token": []}],
        "paths": addresses or {},
        "components": {"schemas": components(), "securitySchemes": {"token": bearer}},
    }


@cache
def _whole(base_path: str) -> bytes:
    return msgspec.json.encode(document(base_path, paths()))


@cache
def _page(base_path: str) -> bytes:
    """The page that shows the document, which is built with the other pages; its files have the prefix."""
    page = STATIC / "schema.html"
    return page.read_bytes().replace(b'"./', f'"{base_path}/'.encode()) if page.is_file() else NOT_BUILT


@routes.get("/schema/openapi.json", PUBLIC, media_type="application/vnd.oai.openapi+json")
async def show_document(request: Request) -> bytes:
    """The document."""
    return _whole(request.house.settings.server.base_path)


@routes.get("/schema", PUBLIC, media_type="text/html")
async def show_page(request: Request) -> bytes:
    """The page that shows the document."""
    return _page(request.house.settings.server.base_path)


if __name__ == "__main__":
    json.dump(document(), sys.stdout)
