"""A table's WebSocket: order, resuming, gaps, slow readers, and every way in which it is closed."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from punto.client import LiveTable, RefusedByServerError
from punto.protocol.shown import show_event
from punto.protocol.views import ClockMessage, EventMessage
from punto.rules.sheet import Role
from punto.service.settings import EdgeLimits
from punto.service.viewing.subscriptions import Message
from punto.table.actor import Actor
from punto.table.phases import Phase
from punto.table.rulings.cases import CaseClosed
from punto.web.terminals import STRANGER_BURST
from tests.web.rig import WIDE, Edge, edge, refusal, socket_to


def url(e: Edge, table: str = "pit") -> str:
    return f"ws://127.0.0.1:{e.port}/api/tables/{table}/events"


def hello(token: str | None = None, after: int | None = None) -> str:
    return json.dumps({"type": "hello", "token": token, "after": after})


def line(e: Edge, table: str = "pit", **options: Any) -> connect:
    return socket_to(url(e, table), **options)


async def close_code(socket: ClientConnection) -> int | None:
    try:
        while True:
            await socket.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_a_snapshot_comes_first_then_events_without_a_gap() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
        async with line(e) as socket:
            await socket.send(hello(ann.token))
            first = json.loads(await socket.recv())
            assert first["type"] == "snapshot"
            assert first["me"]["balance_cents"] == 10_000
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            await ann.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)
            await e.deal(dealer)
            seen: list[dict[str, Any]] = []
            mine: list[dict[str, Any]] = []
            while not seen or seen[-1]["event"]["kind"] != "round-closed":
                message = json.loads(await socket.recv())
                if message["type"] == "event":
                    seen.append(message)
                if message["type"] == "me":
                    mine.append(message["me"])
            assert [each["seq"] for each in seen] == list(range(first["seq"] + 1, seen[-1]["seq"] + 1))
            assert any(each["balance_cents"] == 9_000 for each in mine)


async def test_betting_over_the_socket() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
        await e.betting(dealer)
        async with ann.watch("pit") as table:
            await table.command("sit", box=2)
            bet: dict[str, Any] = {"box": 2, "on": "tie", "stake_cents": 1_000}
            done = await table.command("place-bet", "k", **bet)
            assert done == await table.command("place-bet", "k", **bet)
            refused = await refusal(table.command("place-bet", "k", **(bet | {"stake_cents": 2_000})))
            assert refused.code == "key-reused"
            refused = await refusal(table.command("place-bet", box=2, on="player", stake_cents=1))
            assert refused.code == "stake-off-unit"
            await table.until(lambda: table.me.balance_cents == 9_000)
        async with e.public.watch("pit") as board:
            assert board.view.me is None
            assert (await refusal(board.command("sit", box=3))).code == "token-missing"


async def test_a_lost_connection_resumes_where_it_was() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
        async with ann.watch("pit") as table:
            before = table.snapshots
            assert table._socket is not None
            table._socket.transport.abort()
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            await table.until(lambda: table.view.phase == "betting" and table.me.seated)
            assert table.reconnected >= 1
            assert table.snapshots == before  # the events since, not everything again
        async with line(e) as socket:
            await socket.send(hello(ann.token, after=1))
            messages = [json.loads(await socket.recv()) for _ in range(3)]
            assert [each["seq"] for each in messages] == [2, 3, 4]


async def test_a_gap_leads_to_a_snapshot() -> None:
    async with edge() as e:
        await e.table()
        async with e.public.watch("pit") as table:
            assert table.snapshots == 1
            for reader in list(e.house.registry.hosts["pit"].audience.readers):
                reader.put([Message(EventMessage(77, 0, show_event(CaseClosed(Actor("dan", Role.DEALER), 1))))])
            await table.until(lambda: table.snapshots == 2)
            assert table.seq == 1


class PaddedClock(ClockMessage, frozen=True, tag_field="type", tag="clock"):
    pad: str


async def test_a_terminal_that_stops_reading_is_dropped_and_others_are_not() -> None:
    async with edge(edge=replace(WIDE, queued_messages=50)) as e:
        await e.table()
        dealer = await e.person("Dan", "dealer")
        await e.betting(dealer)
        raw = sockets.socket()
        raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
        raw.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(raw, ("127.0.0.1", e.port))
        ask = f"GET /api/tables/pit/events HTTP/1.1\r\nHost: 127.0.0.1:{e.port}\r\nUpgrade: websocket\r\n"
        ask += "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        ask += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        await loop.sock_sendall(raw, ask.encode())
        await loop.sock_recv(raw, 1_000)
        text = hello().encode()
        await loop.sock_sendall(raw, bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)
        async with e.public.watch("pit") as board:
            audience = e.house.registry.hosts["pit"].audience
            while len(audience.readers) < 2:
                await asyncio.sleep(0)
            slow = next(iter(audience.readers))
            told = 0
            while not slow.dropped:
                message = Message(PaddedClock(Phase.BETTING, told, 0, "x" * 20_000))
                audience._put_all(message)
                told += 1
                await board.until(lambda told=told: board.view.ends_at_ms == told - 1)  # type: ignore[misc]
            assert told < 5_000
            while len(e.house.registry.hosts["pit"].audience.readers) > 1:
                await asyncio.sleep(0)
            assert e.house.metrics.value("punto_readers_dropped_total") == 1
            assert board.reconnected == 0
        raw.close()


HELLOS = [
    ("not json", 4000),
    ("{}", 4000),
    ('{"type": "ping"}', 4000),
    ('{"type": "hello", "token": "nobody"}', 4001),
    ('{"type": "hello", "token": null, "extra": 1}', 4000),
    ('{"type": "command", "key": "k", "command": {}}', 4000),
    ('{"type": "hello", "token": 5}', 4000),
    ('{"type": "hello", "token": "' + "x" * 70_000 + '"}', 1009),
]


@pytest.mark.parametrize(("text", "code"), HELLOS, ids=[str(place) for place in range(len(HELLOS))])
async def test_a_bad_hello_closes_the_connection(text: str, code: int) -> None:
    async with edge() as e:
        await e.table()
        async with line(e) as socket:
            await socket.send(text)
            assert await close_code(socket) == code


async def test_bad_messages_close_the_connection() -> None:
    async with edge() as e:
        await e.table()
        ann = await e.person("Ann")
        for text in ("{", '{"type": "dance"}', '{"type": "command", "key": 5, "command": {}}', "[" * 50_000):
            async with line(e) as socket:
                await socket.send(hello(ann.token))
                await socket.send(text)
                assert await close_code(socket) == 4000, text
        async with line(e) as socket:
            await socket.send(hello(ann.token))
            await socket.send('{"type": "ping"}')
            assert [json.loads(await socket.recv())["type"] for _ in range(2)] == ["snapshot", "pong"]
        async with line(e, "nowhere") as socket:
            await socket.send(hello())
            assert await close_code(socket) == 4004
        with pytest.raises(RefusedByServerError, match="table-unknown"):
            async with LiveTable(e.address, "nowhere"):
                pass


async def test_limits_on_messages_and_connections() -> None:
    few = EdgeLimits(messages_per_second=0, burst=5, connections=4, connections_per_person=2)
    async with edge(edge=few) as e:
        await e.table()
        ann, bob = await e.person("Ann"), await e.person("Bob")
        async with line(e) as socket:
            await socket.send(hello(ann.token))
            for _ in range(6):
                await socket.send('{"type": "ping"}')
            assert await close_code(socket) == 4029
        async with line(e) as another:
            await another.send(hello(ann.token))
            assert await close_code(another) == 4029, "what one may ask is counted over all one's connections"
        async with line(e) as one, line(e) as two, line(e) as three:
            for socket in (one, two):
                await socket.send(hello(bob.token))
                await socket.recv()
            await three.send(hello(bob.token))
            assert await close_code(three) == 4029
        async with line(e) as one, line(e) as two, line(e) as three, line(e) as four:
            for socket in (one, two, three, four):
                await socket.send(hello())
                await socket.recv()
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                async with line(e) as five:
                    await five.recv()


async def test_guesses_of_tokens_and_boards_are_counted_by_address() -> None:
    async with edge(edge=EdgeLimits(messages_per_second=0, burst=3)) as e:
        await e.table()
        codes = []
        for token in ("guess", "guess", "guess", "guess", None):
            async with line(e) as socket:
                await socket.send(hello(token))
                codes.append(await close_code(socket))
        assert codes == [4001, 4001, 4001, 4029, 4029]
    async with edge(edge=EdgeLimits(boards_per_address=2)) as e:
        await e.table()
        ann = await e.person("Ann")
        async with line(e) as board, line(e) as silent, line(e) as third:
            await board.send(hello())
            assert json.loads(await board.recv())["type"] == "snapshot"
            assert await close_code(third) == 4029, "one that has not said hello is counted too"
            await silent.send(hello(ann.token))
            assert json.loads(await silent.recv())["type"] == "snapshot"
            async with line(e) as fourth:  # the one who said who they are is no board any more
                await fourth.send(hello())
                assert json.loads(await fourth.recv())["type"] == "snapshot"
            for _ in range(STRANGER_BURST + 1):
                await board.send('{"type": "ping"}')
            assert await close_code(board) == 4029


async def test_a_token_that_ended_ends_its_connections() -> None:
    async with edge() as e:
        await e.table()
        admin, dealer = await e.person("Al", "admin"), await e.person("Dan", "dealer")
        ann = await e.person("Ann", cents=10_000)
        async with line(e) as speaks, line(e) as listens:
            for socket in (speaks, listens):
                await socket.send(hello(ann.token))
                assert json.loads(await socket.recv())["type"] == "snapshot"
            await e.http.post("/api/people/ann/dismissal", headers={"Authorization": f"Bearer {admin.token}"})
            sit = {"type": "command", "key": "sit", "command": {"kind": "sit", "box": 1}}
            await speaks.send(json.dumps(sit))
            assert await close_code(speaks) == 4001
            await dealer.command("pit", "load-shoe")
            assert await close_code(listens) == 4001, "what happens is told no more either"
        assert e.house.followed("pit").state.seats == {}


async def test_pages_of_other_origins_cannot_connect() -> None:
    async with edge(origins=("https://floor.example",)) as e:
        await e.table()
        for origin in (f"http://127.0.0.1:{e.port}", "https://floor.example"):
            async with line(e, origin=origin) as socket:
                await socket.send(hello())
                assert json.loads(await socket.recv())["type"] == "snapshot"
        for origin in ("https://evil.example", "null", f"http://127.0.0.1:{e.port}.evil.example"):
            with pytest.raises(InvalidStatus) as refused:
                async with line(e, origin=origin):
                    pass
            assert refused.value.response.status_code == 403


async def test_closing_the_house_tells_the_terminals() -> None:
    async with edge() as e:
        await e.table()
        async with line(e) as socket:
            await socket.send(hello())
            await socket.recv()
            await e.house.close()
            assert await close_code(socket) == 1012
