"""The OpenAPI document: Litestar writes its paths, `punto.protocol` the messages in and out that they refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from litestar.connection import Request
from litestar.enums import MediaType
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import (
    Components,
    OpenAPIMediaType,
    Operation,
    Reference,
    RequestBody,
    Schema,
    SecurityScheme,
)
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

import punto
from punto.protocol.openapi import components
from punto.protocol.views import REF


class References(OpenAPISchemaPlugin):
    """Refers to messages by their names."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Messages, and nothing else."""
        return isinstance(value, type) and issubclass(value, msgspec.Struct)

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: object) -> Schema:
        """What a message is called."""
        del schema_creator
        return Schema(all_of=[Reference(REF.format(name=field_definition.annotation.__name__))])


@dataclass
class CommandOperation(Operation):
    """An operation whose body is a command. Litestar has no name for a union, and does not say what tells it apart."""

    def __post_init__(self) -> None:
        command = OpenAPIMediaType(Reference(REF.format(name="Command")))
        self.request_body = RequestBody({MediaType.JSON: command}, required=True)


class Document(JsonRenderPlugin):
    """Answers with the document, completed by the messages."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:  # as Litestar has it
        """The document as JSON."""
        described = openapi_schema["components"]
        described["schemas"] = described["schemas"] or components()  # worked out once, when someone asks
        return super().render(request, openapi_schema)


def openapi_config() -> OpenAPIConfig:
    """What the document says of the whole."""
    bearer = SecurityScheme(type="http", scheme="bearer", description="The token shown when a person was admitted.")
    return OpenAPIConfig(
        title="Punto",
        version=punto.__version__,
        description="Baccarat tables over HTTP. Amounts are whole cents, times milliseconds since the epoch.",
        path="/schema",
        render_plugins=[Document(path="/")],
        components=Components(security_schemes={"token": bearer}),
        security=[{}, {"token": []}],
        use_handler_docstrings=True,
    )
