"""Who may do what, what leaves the server for whom, and what hostile input meets."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
import logging
import typing
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from punto.client import Client, RefusedByServerError
from punto.client.live import new_key
from punto.protocol.views import RoleName
from punto.rules.cards import Card
from punto.rules.sheet import Role
from punto.store.errors import UnavailableError
from punto.table.act import COMMANDS
from punto.table.actor import PATRON_ROLE
from punto.table.state import Settings
from punto.web.logs import OneLineFormatter, log_to_stderr
from punto.web.openapi import ROUTES
from tests.web.rig import AUTOMATIC, PIT, Edge, edge, refusal, socket_to
from tests.web.test_sockets import hello, line

# ------------------------------------------------------------------------------------------- role × command

VALUES: dict[Any, Any] = {int: 1, str: "x", bool: True, Card: "5h"}


def example(kind: Any) -> dict[str, Any]:
    """The least that a command needs, whatever it is worth. Only staff name a patron."""
    hints = typing.get_type_hints(kind)
    body: dict[str, Any] = {}
    unnamed = {"by", "patron"} if kind.authority is None else {"by"}
    for field in dataclasses.fields(kind):
        if field.name in unnamed or field.default is not dataclasses.MISSING:
            continue
        hint = getattr(hints[field.name], "__supertype__", hints[field.name])
        if field.name == "patron":
            body[field.name] = PATRON_ROLE  # the one who is called so
        elif typing.get_origin(hint) is tuple:
            body[field.name] = "5h Kd" if typing.get_args(hint)[0] is Card else []
        elif hint is Settings:
            body[field.name] = {"table": "t1", "decks": 8, "minimum_cents": 1, "differential_cents": 1}
        elif hint in VALUES:
            body[field.name] = VALUES[hint]
        else:
            body[field.name] = next(iter(hint)).value
    return body


ROLES: tuple[RoleName, ...] = typing.get_args(RoleName)


async def test_every_command_asks_for_its_authority() -> None:
    async with edge() as e:
        people = {role: await e.person(role, role) for role in ROLES}
        place = 0
        for kind, each in COMMANDS.items():
            for role, client in people.items():
                place += 1
                table = await e.table(PIT, table=f"t{place}")
                code = await _answer(client, table, kind, example(each))
                least = each.authority
                if role == "admin" or kind == "open-table":
                    assert code == "not-permitted", (kind, role, code)
                elif least is not None:
                    allowed = role != PATRON_ROLE and Role(role).level >= least.level
                    assert (code != "not-permitted") == allowed, (kind, role, code)
                elif role == PATRON_ROLE:
                    assert code != "not-permitted", (kind, role, code)
                assert (await _answer(e.public, table, kind, example(each))) == "token-missing"


async def _answer(client: Client, table: str, kind: str, body: dict[str, Any]) -> str:
    try:
        await client.post(f"/api/tables/{table}/commands", {"kind": kind, **body}, key=new_key())
    except RefusedByServerError as refused:
        assert refused.status is not None
        assert refused.status < 500
        return refused.code
    return "done"


STAFF_ONLY = ["significant", "incidents", "tables/pit/values", "tables/pit/rounds.csv", "tables/pit/rounds.jsonl"]


@pytest.mark.parametrize("path", STAFF_ONLY)
async def test_what_is_for_staff_is_for_staff(path: str) -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann")
        await e.betting(dealer)
        assert (await refusal(e.public.get(f"/api/{path}"))).status == 401
        assert (await refusal(ann.get(f"/api/{path}"))).status == 403
        await dealer.get(f"/api/{path}")


async def test_an_admin_admits_anyone_and_a_pit_manager_or_above_patrons() -> None:
    async with edge(open_door=False) as e:
        people = {role: await e.person(role, role) for role in ROLES}
        for role, client in people.items():
            for wanted in ROLES:
                code = "done"
                try:
                    admitted = await client.admit("New", wanted)
                    assert (await admitted.me()).role == wanted
                except RefusedByServerError as refused:
                    code = refused.code
                manager = role in {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CASINO_MANAGER}
                allowed = role == "admin" or (manager and wanted == PATRON_ROLE)
                assert code == ("done" if allowed else "not-permitted"), (role, wanted)
        assert (await refusal(e.public.join("Ann"))).code == "door-closed"
        assert (await refusal(people["dealer"].get("/api/people"))).status == 403
        listed = await people["admin"].get("/api/people")
        assert {each["role"] for each in listed} == set(ROLES)
        assert not any("token" in each for each in listed)


# ------------------------------------------------------------------------------------------- what leaves the server

BOBS = 7_777_713
"""An amount that is nobody else's, and that no time or number of a record contains."""
SECRET_KEYS = {"seed", "token_hash", "hash", "composition", "removal", "count_of", "true_count", "running_count"}


def walk(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key, item
            yield from walk(item)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item)


def paths() -> list[str]:
    """Every address that is looked up, as the routes have it, for one table and one round."""
    found = []
    for route in ROUTES:
        if route.method == "GET":
            path = route.path.replace("{table}", "auto").replace("{number}", "1")
            found.append(path.replace("{game}", AUTOMATIC["game"]))
    assert len(found) > 15
    return found


async def test_nothing_secret_leaves_in_any_answer_or_message() -> None:
    async with edge() as e:
        await e.table(AUTOMATIC, timing={"betting_ms": 400, "card_ms": 5, "insurance_ms": 5, "pause_ms": 50})
        ann, bob = await e.person("Ann", cents=50_000), await e.person("Bob", cents=BOBS)
        dealer = await e.person("Dan", "dealer")
        viewers = {"public": e.public, "patron": ann, "staff": dealer}
        texts: dict[str, list[str]] = {name: [] for name in viewers}
        async with bob.watch("auto") as table:
            watching = [asyncio.create_task(_overhear(e, client, texts[name])) for name, client in viewers.items()]
            await ann.command("auto", "sit", box=1)
            await table.command("sit", box=2)
            await table.until(lambda: table.view.phase == "betting")
            await ann.command("auto", "place-bet", box=1, on="player", stake_cents=1_000)
            await table.command("place-bet", box=2, on="banker", stake_cents=13_300)
            await table.until(lambda: table.view.round == 1 and table.view.phase == "between-rounds")
            await table.until(lambda: table.view.phase == "betting")
            for name, client in viewers.items():
                for path in [each for each in paths() if "/academy/" not in each]:  # the seed of a drill is no secret
                    try:
                        answer = await client.get(path)
                    except RefusedByServerError as refused:
                        answer = {"code": refused.code, "detail": refused.message}
                    texts[name].append(answer if isinstance(answer, str) else json.dumps(answer))
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        shoe = e.house.followed("auto").state.shoe
        assert shoe is not None
        salt = e.house.followed("auto").shoes[1].loaded.salt
        assert salt
        undealt = [card.text for card in shoe.order[shoe.drawn :]]
        runs = [sep.join(undealt[n : n + 5]) for n in range(40) for sep in (" ", "", '", "', '","')]
        for name, heard in texts.items():
            assert len(heard) > 20, name
            for text in heard:
                assert salt not in text, name
                assert not any(each in text for each in runs), name
                if name != "staff":
                    _check_patron_text(text, name)


def _check_patron_text(text: str, name: str) -> None:
    assert str(BOBS) not in text
    assert str(BOBS - 13_300) not in text
    if not text.startswith(("{", "[")):
        return
    for key, value in walk(json.loads(text)):
        assert key not in SECRET_KEYS, (name, key)
        if key in {"salt", "order"}:
            assert value is None, (name, key)
        if key == "patron":
            assert value in {None, "ann"}, (name, value)
        if key == "balance_cents":
            assert name == "patron"


async def _overhear(e: Edge, client: Client, heard: list[str]) -> None:
    async with line(e, "auto") as socket:
        await socket.send(hello(client.token))
        while True:
            heard.append(str(await socket.recv()))


# ------------------------------------------------------------------------------------------- hostile input


async def test_names_cannot_carry_line_breaks_or_formulas_into_files() -> None:
    async with edge() as e:
        await e.table()
        for name in ("Ann\nrole: admin", "Ann\r\n", "\x1b[31mred", "a\u2028b", "", " ", "x" * 41, "\u202eevil"):
            assert (await refusal(e.public.join(name))).status in {400, 422}, repr(name)
        dealer = await e.person("Dan", "dealer")
        eve = await e.public.join('=HYPERLINK("http://evil.example","x")')
        assert eve.person is not None
        await eve.buy(5_000)
        await e.betting(dealer)
        await eve.command("pit", "sit", box=1)
        await eve.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)
        await e.deal(dealer)
        exported = await dealer.get("/api/tables/pit/rounds.csv")
        assert "\"'=HYPERLINK(" in exported
        assert ",=HYPERLINK" not in exported
        lines = (await dealer.get("/api/tables/pit/rounds.jsonl")).splitlines()
        assert [json.loads(line)["round"] for line in lines] == [1]
        assert (await eve.get("/api/me/statement.csv")).splitlines()[0].startswith("at_ms,table,round")


async def test_pages_of_other_origins_cannot_change_anything() -> None:
    async with edge(origins=("https://floor.example",)) as e:
        ours = f"http://127.0.0.1:{e.port}"
        for origin, status in (
            (ours, 201),
            ("https://floor.example", 201),
            ("https://evil.example", 403),
            ("null", 403),
            ("http://[", 403),
        ):
            answer = await e.http.post("/api/join", json={"name": "Ann"}, headers={"Origin": origin})
            assert answer.status_code == status, origin
            allowed = answer.headers.get("Access-Control-Allow-Origin")
            assert allowed == (origin if origin == "https://floor.example" else None)


async def test_a_mistake_of_ours_is_told_to_the_log_alone(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        async with edge() as e:

            def broken() -> Any:
                raise RuntimeError("the salt is 12345")

            e.house.tables = broken  # type: ignore[method-assign]
            answer = await e.http.get("/api/tables")
            assert answer.status_code == 500
            assert answer.json()["code"] == "internal"
            assert "12345" not in answer.text
            assert "Traceback" not in answer.text
    assert "the salt is 12345" in caplog.text


async def test_a_store_that_is_away_is_no_mistake_of_ours() -> None:
    async def away(*_: Any, **__: Any) -> Any:
        raise UnavailableError("password authentication failed for user punto at 10.0.0.5")

    async with edge() as e:
        await e.table()
        e.house.link.shared = True
        ann, dan = await e.person("Ann", cents=10_000), await e.person("Dan", "dealer")
        for name in ("balances", "statement", "read", "replies", "person"):
            setattr(e.house.store, name, away)
        stranger = e.public.with_token("A" * 43)
        for work in (
            ann.me(),
            ann.get("/api/me/statement"),
            dan.get("/api/significant"),
            ann.post("/api/me/cash-out", {}, key="k"),
            ann.post("/api/me/credits", {"amount_cents": 5}, key="k"),
            stranger.me(),
        ):
            refused = await refusal(work)
            assert (refused.status, refused.code) == (503, "store-unavailable")
            assert "10.0.0.5" not in refused.message
        async with socket_to(f"ws://127.0.0.1:{e.port}/api/tables/pit/events") as socket:
            await socket.send(json.dumps({"type": "hello", "token": "A" * 43}))
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1013, "store-unavailable")


def test_the_log_keeps_to_one_line_and_holds_no_token() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(OneLineFormatter("%(message)s"))
    logger = logging.Logger("test")
    logger.addHandler(handler)
    token = "AbC-_" * 9
    logger.info("GET /x\nfake entry \x1b[2J %s", token)
    assert out.getvalue().count("\n") == 1
    assert token not in out.getvalue()
    assert "\x1b" not in out.getvalue()


def test_what_libraries_log_keeps_to_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    root, ours = logging.getLogger(), logging.getLogger("punto")
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(ours, "propagate", True)
    level = ours.level
    try:
        log_to_stderr()
        assert [type(handler.formatter) for handler in root.handlers] == [OneLineFormatter]
        assert ours.propagate
    finally:
        ours.setLevel(level)
