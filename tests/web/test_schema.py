"""The OpenAPI document says what the edge does: fuzzed by schemathesis, and held against real answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hypothesis
import msgspec
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

from punto.table.commands import COMMANDS
from punto.web.commands import command_schema
from punto.web.schemas import GameOut, MeOut, OwnOut, PersonOut, ReplyOut, SnapshotOut, TableOut
from tests.web.rig import edge, run
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
EXAMPLES = 25


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served() as running:
        yield running


IDS = {"table": ("pit", "auto"), "game": ("commission", "da-hu-ying-xiong"), "number": (1,), "person": ("zed",)}


@pytest.mark.parametrize("who", ["public", "patron", "staff", "admin"])
def test_schemathesis_finds_no_server_error_and_no_violation(served: Served, who: str) -> None:
    schema = schemathesis.openapi.from_url(f"{served.address}/schema")
    headers = {"Authorization": f"Bearer {served.tokens[who]}"} if who in served.tokens else {}
    operations = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        operations += 1

        @hypothesis.settings(max_examples=EXAMPLES, database=None)
        @hypothesis.seed(6)
        @hypothesis.given(case=operation.as_strategy(), data=hypothesis.strategies.data())
        def fuzz(case: Any, data: Any) -> None:
            # Half of the time something that is there is asked for; else hardly anything but 404 would be tried.
            for name in list(case.path_parameters or {}):
                if data.draw(hypothesis.strategies.booleans()):
                    case.path_parameters[name] = data.draw(hypothesis.strategies.sampled_from(IDS[name]))
            case.call_and_validate(headers=headers, checks=CHECKS)

        fuzz()
    assert operations > 20


def test_answers_have_the_shapes_that_the_document_gives_them() -> None:
    """Exactly those: a field more would be missing in the document, a field less is a lie."""

    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
            admin = await e.person("Ada", "admin")
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            reply = await ann.post(
                "/api/tables/pit/commands", {"kind": "place-bet", "box": 1, "on": "tie", "stake_cents": 1_000}, "k"
            )
            _exactly(reply, ReplyOut)
            _exactly(reply["me"], OwnOut)
            for viewer in (e.public, ann, dealer):
                _exactly(await viewer.snapshot("pit"), SnapshotOut)
            await e.deal(dealer)
            for viewer in (e.public, ann, dealer):
                _exactly(await viewer.snapshot("pit"), SnapshotOut)
            for row in await e.public.get("/api/games"):
                _exactly(row, GameOut)
            for row in await e.public.get("/api/tables"):
                _exactly(row, TableOut)
            for row in await admin.get("/api/people"):
                _exactly(row, PersonOut)
            _exactly(await ann.me(), MeOut)

    run(play())


def _exactly(data: Any, kind: type[msgspec.Struct]) -> None:
    read = msgspec.convert(data, kind)
    needed = {field.name for field in msgspec.structs.fields(kind) if field.required}
    assert needed <= data.keys() <= {field.name for field in msgspec.structs.fields(kind)}
    assert read is not None


def test_every_command_is_in_the_document() -> None:
    described: dict[str, Any] = {each.title: each for each in command_schema().one_of or ()}  # type: ignore[misc, union-attr]
    assert described.keys() == COMMANDS.keys()
    bet = described["place-bet"]
    assert bet.required == ["kind", "box", "on", "stake_cents"]
    assert "by" not in (bet.properties or {})
