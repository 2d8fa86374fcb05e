"""The floor over HTTP and its WebSocket: for the pit alone, pushed as it changes, and nothing but pings taken."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from websockets.asyncio.client import connect

from punto.rules.loader import GAMES, load
from tests.web.rig import Edge, edge, socket_to
from tests.web.test_sockets import close_code, hello


def line(e: Edge) -> connect:
    return socket_to(f"ws://127.0.0.1:{e.port}/api/floor/events")


async def test_the_floor_is_pushed_to_the_pit() -> None:
    async with edge() as e:
        sue, ann = await e.person("Sue", "pit-supervisor"), await e.person("Ann", cents=100_000)
        await e.table()
        async with line(e) as socket:
            await socket.send(hello(sue.token))
            first: dict[str, Any] = json.loads(await socket.recv())
            assert first["type"] == "floor"
            assert [each["table"] for each in first["floor"]["tables"]] == ["pit"]
            assert (first["incidents"], first["floor"]["debts"]) == ([], [])
            await ann.command("pit", "sit", box=1)
            while "floor" not in (message := json.loads(await socket.recv())):
                pass
            assert message["floor"]["tables"][0]["seats_taken"] == 1
            await socket.send(json.dumps({"type": "ping"}))
            while (message := json.loads(await socket.recv()))["type"] != "pong":
                pass
            await socket.send(json.dumps({"type": "command", "key": "k", "command": {"kind": "open-bets"}}))
            assert await close_code(socket) == 4000


async def test_the_floor_is_for_the_pit_alone() -> None:
    async with edge() as e:
        for role, code in (("dealer", 4003), ("patron", 4003), (None, 4001)):
            token = (await e.person(f"Kim {role}", role)).token if role else None
            async with line(e) as socket:
                await socket.send(hello(token))
                assert await close_code(socket) == code
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            for path in ("/api/floor", "/api/floor.csv", "/api/floor/hours"):
                answer = await e.http.get(path, headers=headers)
                assert answer.status_code == (403 if token else 401)


async def test_the_figures_are_saved_as_a_file() -> None:
    async with edge() as e:
        await e.table(name="High limit")
        sue = await e.person("Sue", "pit-supervisor")
        headers = {"Authorization": f"Bearer {sue.token}"}
        answer = await e.http.get("/api/floor.csv", headers=headers)
        table, total = csv.DictReader(io.StringIO(answer.text))
        assert (table["table"], table["name"], table["handle_cents"]) == ("pit", "High limit", "0")
        assert (total["table"], total["receivables_cents"]) == ("", "0")
        floor = (await e.http.get("/api/floor", headers=headers)).json()
        assert floor["day"] == table["day"]
        assert (await e.http.get("/api/floor/hours", headers=headers)).json() == []


async def test_a_form_learns_what_may_be_said_of_a_new_table() -> None:
    async with edge() as e:
        told = {game: (await e.http.get(f"/api/games/{game}/set-up")).json() for game in GAMES}
        inputs = {each["name"]: each for each in told["commission"]["inputs"]}
        assert (inputs["decks"]["minimum"], inputs["decks"]["maximum"]) == (load("commission").decks.minimum, 8)
        assert inputs["layout"]["allowed"]
        assert inputs["device"]["allowed"] == ["card-shoe", "shuffler"]
        assert inputs["second_role"]["allowed"] == ["pit-supervisor", "pit-manager", "shift-manager", "casino-manager"]
        assert "waiver_consent" not in inputs  # the game has no insurance
        assert inputs["second_person"]["type"] == "flag"
        live = (await e.http.get("/api/games/da-hu-ying-xiong/set-up?live=true")).json()
        of_live = {each["name"]: each for each in live["inputs"]}
        assert "second_person" not in of_live  # one confirms at every live table
        assert of_live["waiver_consent"]["allowed"][0] == "ask"
        assert "easy-six" in told["easy-six"]["limited"]
        for game, each in told.items():  # the proposed chip pays every line exactly
            assert each["exact_unit_cents"] == load(game).exact_unit_cents
            assert each["suggested"]["unit_cents"] % each["exact_unit_cents"] == 0
        assert (await e.http.get("/api/games/none/set-up")).status_code == 404
