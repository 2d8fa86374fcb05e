"""The OpenAPI document says what the edge does: fuzzed by schemathesis, and held against real answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from punto.protocol.codec import AnyCommand
from punto.table.act import COMMANDS
from punto.web.openapi import EXAMPLES, ROUTES, components
from punto.web.requests import read
from tests.web.rig import edge
from tests.web.served import Served

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
FUZZED = 12


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served() as running:
        yield running


END_TOKENS = "/api/me/tokens/end"
IDS = {"table": ("pit", "auto"), "game": ("commission", "da-hu-ying-xiong"), "number": (1,), "person": ("zed",)}


@pytest.mark.parametrize("who", ["public", "patron", "staff", "admin"])
def test_schemathesis_finds_no_server_error_and_no_violation(served: Served, who: str) -> None:
    schema = schemathesis.openapi.from_url(f"{served.address}/schema/openapi.json")
    headers = {"Authorization": f"Bearer {served.tokens[who]}"} if who in served.tokens else {}
    ending = {"Authorization": f"Bearer {served.tokens['zed']}"}
    operations = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        operations += 1

        @hypothesis.settings(max_examples=FUZZED, database=None)
        @hypothesis.seed(6)
        @hypothesis.given(case=operation.as_strategy(), data=hypothesis.strategies.data())
        def fuzz(case: Any, data: Any) -> None:
            # Half of the time something that is there is asked for; else hardly anything but 404 would be tried.
            for name in list(case.path_parameters or {}):
                if data.draw(hypothesis.strategies.booleans()):
                    case.path_parameters[name] = data.draw(hypothesis.strategies.sampled_from(IDS[name]))
            case.call_and_validate(headers=ending if headers and case.path == END_TOKENS else headers, checks=CHECKS)

        fuzz()
    assert operations > 20


async def test_every_message_is_in_the_document() -> None:
    async with edge() as e:
        text = (await e.http.get("/schema/openapi.json")).text
    schemas = json.loads(text)["components"]["schemas"]
    assert schemas == json.loads(json.dumps(components()))
    assert set(re.findall(r'"#/components/schemas/(\w+)"', text)) <= schemas.keys()
    assert schemas["Command"]["discriminator"]["mapping"].keys() == COMMANDS.keys()
    assert schemas["PlaceBet"]["required"] == ["kind", "box", "on", "stake_cents"]
    assert "by" not in schemas["PlaceBet"]["properties"]


def test_every_message_is_described_and_every_amount_and_time_has_its_unit() -> None:
    for message, schema in components().items():
        assert schema.get("description") or "enum" in schema or "anyOf" in schema, message
        for name, field in schema.get("properties", {}).items():
            if name.endswith(("_cents", "_ms")) and "$ref" not in field:
                assert field.get("description"), f"{message}.{name}"


def test_examples_are_accepted() -> None:
    bodies = [route.body for route in ROUTES if route.body not in {None, AnyCommand}]
    kinds = {kind.__name__: kind for kind in bodies} | {"PlaceBet": AnyCommand}
    for name, example in EXAMPLES.items():
        assert read(json.dumps(example), kinds[name]) is not None
        assert components()[name]["examples"] == [example]


async def test_problems_are_documented_as_they_are_sent() -> None:
    async with edge() as e:
        await e.table()
        document = (await e.http.get("/schema/openapi.json")).json()
        sent = await e.http.get("/api/me")
        described = document["paths"]["/api/me"]["get"]["responses"]["401"]
        assert "`token-missing`" in described["description"]
        (example,) = described["content"][sent.headers["Content-Type"]]["examples"].values()
        assert example["value"] == sent.json()
        command = document["paths"]["/api/tables/{table}/commands"]["post"]
        assert command["requestBody"]["content"]["application/json"]["examples"]["bet"]["value"] == EXAMPLES["PlaceBet"]
        for methods in document["paths"].values():
            for operation in methods.values():
                for status, response in operation["responses"].items():
                    for shown in (
                        response.get("content", {}).get("application/problem+json", {}).get("examples", {}).values()
                    ):
                        assert shown["value"]["status"] == int(status)
