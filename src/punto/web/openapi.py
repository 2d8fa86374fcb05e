"""The OpenAPI document: Litestar writes its paths, msgspec the messages in and out that they refer to.

`python -m punto.web.openapi` prints the messages alone, for the page build.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import Router
from litestar.connection import Request
from litestar.enums import MediaType
from litestar.openapi import OpenAPIConfig, spec
from litestar.openapi.plugins import JsonRenderPlugin, OpenAPIRenderPlugin
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

import punto
from punto.analysis.figures import Figures, LiveFigures
from punto.protocol import shown, views
from punto.protocol.codec import AnyCommand
from punto.protocol.refused import AnyRefusal
from punto.rules.loader import GAMES
from punto.web.access import house_of
from punto.web.pages import STATIC

UNIONS: dict[str, Any] = {
    "Command": AnyCommand,
    "Event": shown.Event,
    "BetLine": shown.BetLine,
    "Refusal": AnyRefusal,
    "ClientMessage": views.ClientMessage,
    "ServerMessage": views.ServerMessage,
    "FloorServerMessage": views.FloorServerMessage,
}
"""Unions have no name of their own, and a page wants one."""
BODIES: tuple[Any, ...] = (
    *(
        views.Join,
        views.SignIn,
        views.SignOut,
        views.NewPerson,
        views.NewToken,
        views.BuyCredits,
        views.CashOut,
        views.NewTable,
    ),
    views.NoticesRead,
)
ANSWERS: tuple[Any, ...] = (
    *(views.Admitted, views.TokenView, views.Account, views.Ticket, views.Movement, views.Problem, views.GameSummary),
    *(shown.RuleSheet, views.TableSummary, views.Reply, views.RoundRecord, views.PublishedShoe, views.Incident),
    *(views.SignificantEvent, views.Debt, views.Alive, views.Health, Figures, LiveFigures, views.Preview, shown.Choice),
    *(views.Floor, views.PastIncident, views.SetUp, views.StatementEntry, views.StatementTotal, views.Notice),
)

EXAMPLES: dict[str, Any] = {
    "Join": {"name": "Ann"},
    "NewPerson": {"name": "Dan", "role": "dealer"},
    "NewToken": {"reason": "the old one was seen by others"},
    "BuyCredits": {"amount_cents": 50_000},
    "CashOut": {"amount_cents": 20_000},
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
DOCUMENT = "/openapi.json"
"""Where the document is, below the page that shows it."""
NOT_BUILT = b"The pages are not built here. The document is at /schema/openapi.json.\n"


def components() -> dict[str, Any]:
    """Every message by its name, as JSON Schema."""
    kinds = [*UNIONS.values(), *BODIES, *ANSWERS]
    roots, schemas = msgspec.json.schema_components(kinds, ref_template=views.REF)
    named = {json.dumps(root): {"$ref": views.REF.format(name=name)} for name, root in zip(UNIONS, roots, strict=False)}
    found = {name: _described(name, _tidy(schema, named)) for name, schema in schemas.items()}
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


def _described(message: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A message with a description of each field that refers to no other message, and an example if there is one."""
    for name, field in schema.get("properties", {}).items():
        if "$ref" not in field and (text := _description(message, schema.get("description", ""), name)):
            field.setdefault("description", text)
    return schema | ({"examples": [EXAMPLES[message]]} if message in EXAMPLES else {})


def _description(message: str, about: str, field: str) -> str | None:
    """What a field holds: as the description of its message says it, else as fields of this name do everywhere."""
    texts = _field_texts()
    said = [sentence for sentence in re.split(r"(?<=\.)\s+", about) if f"`{field}`" in sentence]
    if said:
        return " ".join(" ".join(said).split())
    if field.endswith("_rule"):
        return f"The paragraph of the sheet on: {field.removesuffix('_rule').replace('_', ' ')}."
    return texts.get(f"{message}.{field}", texts.get(field))


@cache
def _field_texts() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("fields.toml").read_text("utf-8"))


class MessageReferences(OpenAPISchemaPlugin):
    """Refers to messages by their names."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Messages, and nothing else."""
        return isinstance(value, type) and (issubclass(value, msgspec.Struct) or dataclasses.is_dataclass(value))

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: object) -> spec.Schema:
        """What a message is called."""
        del schema_creator
        return spec.Schema(all_of=[spec.Reference(views.REF.format(name=field_definition.annotation.__name__))])


@dataclass
class CommandOperation(spec.Operation):
    """An operation whose body is a command. Litestar has no name for a union, and does not say what tells it apart."""

    def __post_init__(self) -> None:
        bet = spec.Example(summary="A bet", value=EXAMPLES["PlaceBet"])
        command = spec.OpenAPIMediaType(spec.Reference(views.REF.format(name="Command")), examples={"bet": bet})
        self.request_body = spec.RequestBody({MediaType.JSON: command}, required=True)


class DocumentPlugin(JsonRenderPlugin):
    """Answers with the document, completed by the messages."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # as Litestar has it
        """The document as JSON."""
        described = openapi_schema["components"]
        described["schemas"] = described["schemas"] or components()  # worked out once, when someone asks
        return super().render(request, openapi_schema)


class ReferencePlugin(OpenAPIRenderPlugin):
    """Answers with the page that shows the document, which is built with the other pages."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """The page; its files have the prefix of all addresses."""
        del openapi_schema
        prefix = house_of(request).settings.server.base_path
        return _reference().replace(b'"./', f'"{prefix}/'.encode())

    def receive_router(self, router: Router) -> None:
        """Take out Litestar's own page for what is not there: that is refused as everywhere else."""
        router.routes[:] = [route for route in router.routes if not route.path_parameters]


@cache
def _reference() -> bytes:
    page = STATIC / "schema.html"
    return page.read_bytes() if page.is_file() else NOT_BUILT


def openapi_config(base_path: str = "") -> OpenAPIConfig:
    """What the document says of the whole. Its paths begin with the prefix of the server's addresses."""
    bearer = spec.SecurityScheme(
        type="http", scheme="bearer", description="The token shown when a person was admitted."
    )
    return OpenAPIConfig(
        title="Punto",
        version=punto.__version__,
        description="Baccarat tables over HTTP. Amounts are whole cents, times milliseconds since the epoch.",
        servers=[spec.Server(url=base_path or "/")],
        path="/schema",
        render_plugins=[ReferencePlugin(path="/"), DocumentPlugin(path=DOCUMENT)],
        components=spec.Components(security_schemes={"token": bearer}),
        security=[{}, {"token": []}],
        use_handler_docstrings=True,
    )


def document() -> dict[str, Any]:
    """An OpenAPI document of all messages, without paths."""
    info = {"title": "Punto", "version": punto.__version__}
    return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": components()}}


if __name__ == "__main__":
    json.dump(document(), sys.stdout)
