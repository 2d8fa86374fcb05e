"""What is posted: how it is read, admitted, carried out and answered, whatever is sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx
import pytest

from punto.protocol.codec import command_by, new_command
from punto.rules.refusals import Refusal
from punto.service.people.admissions import SET_UP
from punto.service.settings import EdgeLimits
from punto.web import http
from punto.web.pages import SECURITY_HEADERS
from tests.web.rig import Edge, edge

BET = {"kind": "place-bet", "box": 1, "on": "banker", "stake_cents": 1_000}
COMMANDS = "/api/tables/pit/commands"
OTHER_PAGE = "http://other"
OUR_PAGE = {"Origin": "http://house", "Host": "house"}
SMALL = EdgeLimits(messages_per_second=0, burst=100, payload_bytes=2_000)


class Asked(NamedTuple):
    """A request: what differs from a plain bet, and the status and code of its answer."""

    name: str
    status: int
    code: str | None = None
    body: Any = BET
    headers: Mapping[str, str | None] = MappingProxyType({})
    table: str = "pit"
    twice: tuple[str, str] | None = None


def keyed(key: str | None) -> dict[str, str | None]:
    return {"Idempotency-Key": key}


# Asked in turn at one table; only what the table was asked uses up a key.
ASKED = [
    Asked("a bet", 200),
    Asked("the same bet again under its key", 200),
    Asked("another bet under its key", 409, "key-reused", body=BET | {"stake_cents": 2_000}),
    Asked("a bet that is there", 409, "bet-exists", headers=keyed("second")),
    Asked(
        "a stake off the unit", 422, "stake-off-unit", body=BET | {"on": "player", "stake_cents": 1}, headers=keyed("3")
    ),
    Asked(
        "more than the credit", 402, "funds-short", body=BET | {"on": "tie", "stake_cents": 90_000}, headers=keyed("4")
    ),
    Asked("what a Dealer may", 403, "not-permitted", body={"kind": "close-bets"}, headers=keyed("fifth")),
    Asked("an unknown kind", 400, "command-unknown", body={"kind": "dance"}),
    Asked("with a name of one's own", 400, "field-unknown", body=BET | {"by": "dealer:dan"}),
    Asked("a list", 400, "unreadable", body=[BET]),
    Asked("no JSON", 400, "unreadable", body=b"{"),
    Asked("nothing", 400, "unreadable", body=b""),
    Asked("not UTF-8", 400, "unreadable", body=b'{"kind": "\xff"}'),
    Asked("a wrong token", 401, "token-unknown", headers={"Authorization": "Bearer wrong"}),
    Asked("another scheme", 401, "token-unknown", headers={"Authorization": "Basic abc"}),
    Asked("from a page of ours", 409, "bet-exists", headers=OUR_PAGE | keyed("sixth")),
    Asked("from a page of another", 403, "origin-refused", headers={"Origin": OTHER_PAGE}),
    Asked("no token", 401, "token-missing", headers={"Authorization": None}),
    Asked("no key", 422, "key-invalid", headers=keyed(None)),
    Asked("an empty key", 422, "key-invalid", headers=keyed("")),
    Asked("a key too long", 422, "key-invalid", headers=keyed("k" * 129)),
    Asked("a key with a space", 422, "key-invalid", headers=keyed("a key")),
    Asked("another media type", 415, "media-type-unknown", headers={"Content-Type": "text/plain"}),
    Asked("no media type", 415, "media-type-unknown", headers={"Content-Type": None}),
    Asked("a media type with its charset", 200, headers={"Content-Type": "Application/JSON; charset=utf-8"}),
    Asked("two keys, of which the first counts", 200, twice=("Idempotency-Key", "other")),
    Asked("two tokens, of which the first counts", 200, twice=("Authorization", "Bearer wrong")),
    Asked("too large", 413, "payload-too-large", body=BET | {"on": "x" * 3_000}),
    Asked("an unknown table", 404, "table-unknown", table="moon"),
    Asked("a table of no name", 404, "table-unknown", table="PIT!"),
]


class Posting:
    """An edge with a patron at a table who has placed no bet yet."""

    def __init__(self, e: Edge, token: str) -> None:
        self.house, self.token, self.http = e.house, token, e.http

    async def ask(self, asked: Asked) -> httpx.Response:
        body = asked.body if isinstance(asked.body, bytes) else json.dumps(asked.body).encode()
        return await self.post(f"/api/tables/{asked.table}/commands", body, asked.headers, asked.twice)

    async def post(
        self, path: str, content: Any, headers: Mapping[str, str | None], twice: tuple[str, str] | None = None
    ) -> httpx.Response:
        usual = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **keyed("first")}
        sent = [(name, value) for name, value in {**usual, **headers}.items() if value is not None]
        return await self.http.post(path, content=content, headers=[*sent, *([twice] if twice else [])])


@asynccontextmanager
async def posting(**changes: Any) -> AsyncIterator[Posting]:
    async with edge(**changes) as e:
        house = e.house
        made = [await house.people.create(SET_UP, name, role) for name, role in (("Ann", "patron"), ("Dan", "dealer"))]
        (ann, token), (dan, _) = [each for each in made if not isinstance(each, Refusal)]
        await e.table()
        await house.cashier.buy(ann, 50_000, "buy")
        await house.command(ann, "pit", command_by(new_command("sit", box=1), ann.actor), "sit")
        for kind in ("load-shoe", "open-bets"):
            assert (await house.command(dan, "pit", command_by(new_command(kind), dan.actor), kind)).refused is None
        yield Posting(e, token)


def check_headers(answer: httpx.Response) -> None:
    """Every answer binds browsers, and says what it is and how long."""
    kind = "application/json" if answer.is_success else "application/problem+json"
    assert answer.headers["Content-Type"] == kind
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    assert all(answer.headers[name] == value for name, value in SECURITY_HEADERS.items())
    assert answer.headers.get("WWW-Authenticate") == ("Bearer" if answer.status_code == 401 else None)
    assert ("Retry-After" in answer.headers) == (answer.status_code in {429, 503})


async def test_every_post_is_answered_once_and_in_one_shape() -> None:
    async with posting(edge=SMALL) as e:
        answers = [await e.ask(asked) for asked in ASKED]
        for asked, answer in zip(ASKED, answers, strict=True):
            told = answer.json()
            assert (answer.status_code, told.get("code")) == (asked.status, asked.code), (asked, told)
            check_headers(answer)
        first = answers[0].json()
        assert first.keys() == {"seq", "events", "me"}
        assert all(answer.json() == first for answer in answers if answer.is_success), "a repeat, the first answer"
        done = sum(answer.is_success for answer in answers)
        counted = {each: e.house.metrics.value("punto_http_responses_total", status=each) for each in ("2xx", "4xx")}
        assert counted == {"2xx": done, "4xx": len(ASKED) - done}


async def test_every_post_counts_as_one_of_those_that_a_person_may_send() -> None:
    async with posting(edge=EdgeLimits(messages_per_second=0, burst=6)) as e:
        answers = [await e.ask(asked) for asked in ASKED[:9]]
        assert [answer.status_code for answer in answers] == [*[each.status for each in ASKED[:6]], 429, 429, 429]
        assert answers[-1].json()["code"] == "too-many-requests"
        check_headers(answers[-1])
        stranger = ASKED[13]
        assert stranger.code == "token-unknown"
        told = [(await e.ask(stranger)).status_code for _ in range(7)]
        assert told == [401] * 6 + [429], "the address has a count of its own"


async def test_a_body_in_pieces_is_read_whole_and_bounded() -> None:
    async def pieces(*parts: bytes) -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    async with posting(edge=SMALL) as e:
        text = json.dumps(BET).encode()
        assert (await e.post(COMMANDS, pieces(text[:5], b"", text[5:]), {})).status_code == 200
        large = await e.post(COMMANDS, pieces(b'"', *[b"x" * 500] * 4, b'"'), {})
        assert (large.status_code, large.json()["code"]) == (413, "payload-too-large")


@pytest.mark.parametrize("path", [COMMANDS, "/api/me/credits"])
async def test_a_body_that_does_not_come_is_not_waited_for(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with edge() as e:
        await e.table()
        ann = await e.person("Ann")
        monkeypatch.setattr(http, "REQUEST_SECONDS", 0.05)  # from here on: no request above may be cut off
        for part, ends in ((b"", False), (b'{"kind":', False), (b'{"kind":', True)):
            reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
            head = (
                f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ann.token}\r\n"
                "Idempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n"
            )
            writer.write(head.encode() + part)
            if ends:
                writer.close()  # nobody is there to be told; what came is not carried out
            else:
                answer = await reader.readuntil(b"\r\n\r\n")
                assert answer.startswith(b"HTTP/1.1 408")
                writer.close()
        assert e.house.followed("pit").state.seats == {}
        assert (await ann.me()).balance_cents == 0


@pytest.mark.parametrize(
    "given", ["limit=0", "limit=501", "limit=1e2", "limit=5.0", "limit=", "before=null", "before=x"]
)
async def test_a_parameter_that_is_no_whole_number_is_refused_by_name(given: str) -> None:
    async with edge() as e:
        await e.table()
        answer = await e.http.get(f"/api/tables/pit/rounds?{given}")
        assert (answer.status_code, answer.json()["refusal"]["where"]) == (400, given.partition("=")[0])
        assert (await e.http.get("/api/tables/pit/rounds?limit=5&before=9&more=1")).json() == []
