"""The shortcut of commands against the long way through the framework: the same answers, whatever is asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx
import pytest
from litestar.types import ASGIApp, Receive, Scope, Send

from punto.rules.refusals import Refusal
from punto.service.clock import SystemClock
from punto.service.composition import open_house
from punto.service.house import House
from punto.service.people.admissions import SET_UP
from punto.service.settings import EdgeLimits
from punto.service.world import World
from punto.store.errors import UnavailableError
from punto.web import requests
from punto.web.app import make_app
from punto.web.shortcut import Shortcut
from tests.web.rig import PIT, SETTINGS, edge, run

BET = {"kind": "place-bet", "box": 1, "on": "banker", "stake_cents": 1_000}
LIMITS = EdgeLimits(messages_per_second=0, burst=6, payload_bytes=2_000)
SMALL = EdgeLimits(messages_per_second=0, burst=100, payload_bytes=2_000)


class Asked(NamedTuple):
    """A request: what differs from a plain bet. `plain` ones take the shortcut."""

    name: str
    plain: bool
    body: Any = BET
    headers: Mapping[str, str | None] = MappingProxyType({})
    table: str = "pit"
    twice: tuple[str, str] | None = None


ASKED = [
    Asked("a bet", True),
    Asked("the same bet again under its key", True),
    Asked("another bet under its key", True, BET | {"stake_cents": 2_000}),
    Asked("a bet that is there", True, headers={"Idempotency-Key": "second"}),
    Asked("a bet below the minimum", True, BET | {"on": "player", "stake_cents": 1}, {"Idempotency-Key": "third"}),
    Asked("more than the credit", True, BET | {"on": "tie", "stake_cents": 90_000}, {"Idempotency-Key": "fourth"}),
    Asked("what a Dealer may", True, {"kind": "close-bets"}, {"Idempotency-Key": "fifth"}),
    Asked("an unknown kind", True, {"kind": "dance"}),
    Asked("with a name of one's own", True, BET | {"by": "dealer:dan"}),
    Asked("a list", True, [BET]),
    Asked("no JSON", True, b"{"),
    Asked("nothing", False, b""),
    Asked("not UTF-8", True, b'{"kind": "\xff"}'),
    Asked("a wrong token", True, headers={"Authorization": "Bearer wrong"}),
    Asked("another scheme", True, headers={"Authorization": "Basic abc"}),
    Asked("from a page of ours", True, headers={"Origin": "http://house", "Idempotency-Key": "sixth"}),
    Asked("from a page of another", True, headers={"Origin": "http://evil"}),
    Asked("no token", False, headers={"Authorization": None}),
    Asked("no key", False, headers={"Idempotency-Key": None}),
    Asked("a key too long", False, headers={"Idempotency-Key": "k" * 129}),
    Asked("a key with a space", False, headers={"Idempotency-Key": "a key"}),
    Asked("another media type", False, headers={"Content-Type": "text/plain"}),
    Asked("a media type with its charset", False, headers={"Content-Type": "application/json; charset=utf-8"}),
    Asked("two keys", False, twice=("Idempotency-Key", "other")),
    Asked("two tokens", False, twice=("Authorization", "Bearer wrong")),
    Asked("too large", False, BET | {"on": "x" * 3_000}),
    Asked("an unknown table", False, table="moon"),
    Asked("a table of no name", False, table="PIT!"),
]


class Standing(SystemClock):
    """A clock that stands, so that two houses tell the same time."""

    def now_ms(self) -> int:
        return 1_800_000_000_000


async def ask(app: ASGIApp, token: str, asked: Asked) -> tuple[int, dict[str, str], Any]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)  # type: ignore[arg-type]
    body = asked.body if isinstance(asked.body, bytes) else json.dumps(asked.body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": "first"}
    sent = {name: value for name, value in {**headers, **asked.headers}.items() if value is not None}
    async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
        headers_sent = [*sent.items(), *([asked.twice] if asked.twice else [])]
        answer = await client.post(f"/api/tables/{asked.table}/commands", content=body, headers=headers_sent)
    return answer.status_code, dict(answer.headers), answer.json()


async def answers(wrap: Callable[[Any], ASGIApp], **changes: Any) -> list[Any]:
    """What a house behind an application answers to everything in turn, and the counts of its answers."""
    house = await open_house(replace(SETTINGS, **changes), World.with_clock(Standing()))
    try:
        made = [await house.people.create(SET_UP, name, role) for name, role in (("Ann", "patron"), ("Dan", "dealer"))]
        (ann, token), (dan, _) = [each for each in made if not isinstance(each, Refusal)]
        await house.set_up(SET_UP, PIT)
        await house.cashier.buy(ann, 50_000, "buy")
        await house.command(ann, "pit", {"kind": "sit", "box": 1}, "sit")
        for kind in ("load-shoe", "open-bets"):
            assert (await house.command(dan, "pit", {"kind": kind}, kind)).refused is None
        app = make_app(house)
        told = [await ask(wrap(app), token, each) for each in ASKED]
        return [*told, dict(app.state.counts)]
    finally:
        await house.close()


def test_the_shortcut_answers_as_the_long_way_does() -> None:
    async def play() -> None:
        long_way, shortcut = await answers(lambda app: app, edge=SMALL), await answers(Shortcut, edge=SMALL)
        for asked, one, other in zip([*ASKED, "counts"], long_way, shortcut, strict=True):
            assert one == other, asked
        assert [status for status, _, _ in shortcut[:3]] == [200, 200, 409]
        assert shortcut[0][2] == shortcut[1][2], "a repeat gets the first answer"

    run(play())


def test_the_shortcut_keeps_the_same_count_of_what_each_may_ask() -> None:
    async def play() -> None:
        long_way, shortcut = await answers(lambda app: app, edge=LIMITS), await answers(Shortcut, edge=LIMITS)
        assert long_way == shortcut
        assert {body.get("code") for _, _, body in shortcut[:-1]} >= {"too-many-requests", "bet-exists"}

    run(play())


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.name)
def test_only_what_is_plain_takes_the_shortcut(asked: Asked) -> None:
    async def play() -> None:
        handed_on: list[Scope] = []

        class Watched(Shortcut):
            async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
                async def app(scope: Scope, receive: Receive, send: Send) -> None:
                    handed_on.append(scope)
                    await whole(scope, receive, send)

                whole, self._app = self._app, app  # type: ignore[assignment]
                self._app.state = whole.state
                await super().__call__(scope, receive, send)

        house = await open_house(replace(SETTINGS, edge=SMALL))
        try:
            await house.set_up(SET_UP, PIT)
            made = await house.people.create(SET_UP, "Ann", "patron")
            assert not isinstance(made, Refusal)
            await ask(Watched(make_app(house)), made[1], asked)
            assert bool(handed_on) != asked.plain
        finally:
            await house.close()

    run(play())


@pytest.mark.parametrize("plain", [True, False])
def test_a_body_that_does_not_come_is_not_waited_for(plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "BODY_SECONDS", 0.05)

    async def play() -> None:
        async with edge() as e:
            await e.table()
            ann = await e.person("Ann")
            kind = "application/json" if plain else "application/json; charset=utf-8"
            for part, ends in ((b"", False), (b'{"kind":', False), (b'{"kind":', True)):
                reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
                head = (
                    f"POST /api/tables/pit/commands HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ann.token}\r\n"
                    f"Idempotency-Key: k\r\nContent-Type: {kind}\r\nContent-Length: 40\r\n\r\n"
                )
                writer.write(head.encode() + part)
                if ends:
                    writer.close()  # nobody is there to be told; what came is not carried out
                else:
                    answer = await reader.readuntil(b"\r\n\r\n")
                    assert answer.startswith(b"HTTP/1.1 408")
                    writer.close()
            assert e.house.followed("pit").state.seats == {}

    run(play())


def test_a_store_that_is_away_and_a_mistake_of_ours_are_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        for error, code in ((UnavailableError("host db-7 is down"), 503), (RuntimeError("secret"), 500)):

            async def fail(*_: Any, error: Exception = error) -> None:
                raise error

            monkeypatch.setattr(House, "command", fail)
            house = await open_house(SETTINGS)
            try:
                await house.set_up(SET_UP, PIT)
                made = await house.people.create(SET_UP, "Ann", "patron")
                assert not isinstance(made, Refusal)
                app = make_app(house)
                short, long = await ask(Shortcut(app), made[1], ASKED[0]), await ask(app, made[1], ASKED[0])
                assert short == long
                assert short[0] == code
                assert "db-7" not in str(short)
                assert "secret" not in str(short)
            finally:
                await house.close()

    run(play())
