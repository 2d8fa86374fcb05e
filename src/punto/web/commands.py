"""The table's commands in the OpenAPI document, made from the classes the table itself reads them into."""

from __future__ import annotations

import dataclasses
import types
import typing
from enum import StrEnum
from typing import Any

from litestar._openapi.schema_generation import SchemaCreator
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition

from punto.rules.cards import Card
from punto.rules.money import MAX_CENTS
from punto.table.codec import LONGEST_TEXT
from punto.table.commands import COMMANDS, PATRON_ROLE
from punto.web.schemas import CommandBody

FILLED_IN = "by"
"""Who acts is known from the token."""
ONESELF = PATRON_ROLE
"""May be left out by a patron, who acts for no one else."""
CARDS = r"^([A2-9TJQK][shdc]( [A2-9TJQK][shdc])*)?$"


def command_schema() -> Schema:
    """Every command a client may send, told apart by `kind`."""
    return Schema(
        description="A command to a table. `docs/table.md` says what each does, when and for whom.",
        one_of=[_command(kind, each) for kind, each in COMMANDS.items()],
    )


def _command(kind: str, each: type) -> Schema:
    schema = _object(each)
    properties = {"kind": Schema(type=OpenAPIType.STRING, const=kind), **(schema.properties or {})}
    required = ["kind", *[name for name in schema.required or () if name != ONESELF]]
    return dataclasses.replace(
        schema, title=kind, description=(each.__doc__ or "").strip(), properties=properties, required=required
    )


def _object(each: type) -> Schema:
    hints = typing.get_type_hints(each)
    fields = [field for field in dataclasses.fields(each) if field.name != FILLED_IN]
    return Schema(
        type=OpenAPIType.OBJECT,
        properties={field.name: _value(hints[field.name]) for field in fields},
        required=[field.name for field in fields if field.default is dataclasses.MISSING],
        additional_properties=False,
    )


def _value(hint: Any) -> Schema:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        inner = _value(next(each for each in arguments if each is not type(None)))
        return Schema(one_of=[inner, Schema(type=OpenAPIType.NULL)])
    if origin is tuple:
        if arguments[0] is Card:
            return Schema(type=OpenAPIType.STRING, pattern=CARDS)
        return Schema(type=OpenAPIType.ARRAY, items=_value(arguments[0]))
    hint = getattr(hint, "__supertype__", hint)  # Cents is int
    if hint is Card:
        return Schema(type=OpenAPIType.STRING, pattern=r"^[A2-9TJQK][shdc]$")
    if hint is bool:
        return Schema(type=OpenAPIType.BOOLEAN)
    if hint is int:
        return Schema(type=OpenAPIType.INTEGER, exclusive_minimum=-MAX_CENTS, exclusive_maximum=MAX_CENTS)
    if hint is str:
        return Schema(type=OpenAPIType.STRING, max_length=LONGEST_TEXT)
    if issubclass(hint, StrEnum):
        return Schema(type=OpenAPIType.STRING, enum=[each.value for each in hint])
    return _object(hint)


class CommandSchema(OpenAPISchemaPlugin):
    """Tells the OpenAPI document what a command looks like."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:
        """Commands, and nothing else."""
        return value is CommandBody

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """The schema of a command."""
        del field_definition, schema_creator
        return command_schema()
