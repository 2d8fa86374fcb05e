"""The whole edge without a network: raw requests and WebSocket frames go to its protocols, over a house in memory."""

from __future__ import annotations

import asyncio
import json
import logging
import struct
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
from websockets.frames import Opcode

from punto.protocol.codec import AnyCommand
from punto.protocol.views import NewTable
from punto.rules.refusals import Refusal
from punto.service.house import open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import ServerSettings
from punto.web.connections import Connection
from punto.web.openapi import EXAMPLES
from punto.web.routes import DECLARED
from punto.web.server import Edge as Served
from tests.manual_clock import ManualClock
from tests.service.rig import PIT, world
from tests.web.rig import SETTINGS

TURNS = 60
"""How often the loop turns for a case before the client goes: enough for any answer."""
INTERNAL_CLOSE = 1011
UPGRADE = (
    b"GET /api/tables/pit/events HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
ANN, DAN = "TOKEN-OF-ANN".ljust(48, "-"), "TOKEN-OF-DAN".ljust(48, "-")
"""What stands for tokens in a case, since these are new in each process. They are as long as tokens."""


class Client(asyncio.Transport):
    """A client that sends what it is told, and remembers the answer."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 4711), "sockname": ("127.0.0.1", 8080)})
        self.received = bytearray()
        self._closing = False
        self._protocol: Any = None

    def write(self, data: Any) -> None:
        self.received += data

    def writelines(self, list_of_data: Any) -> None:
        self.received += b"".join(list_of_data)

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        self._closing = True

    abort = close

    def get_protocol(self) -> Any:
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        self._protocol = protocol

    def get_write_buffer_size(self) -> int:
        return 0

    def _nothing(self, *_: Any, **__: Any) -> None:
        """There is no network to be told of it."""

    write_eof = pause_reading = resume_reading = set_write_buffer_limits = _nothing


class Errors(logging.Handler):
    """The errors that the edge logs: each is a mistake of ours."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.entries: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.entries.append(self.format(record))


class Edge:
    """A house with a table in play, and everything in front of it but the network."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.errors = Errors()
        logging.getLogger().addHandler(self.errors)
        self.loop.run_until_complete(self._open())

    async def _open(self) -> None:
        """As `punto.web.server` does it."""
        server = ServerSettings(trusted_proxies=("192.0.2.1",))
        self.house = await open_house(replace(SETTINGS, server=server), world(ManualClock()))
        self.tokens = [(ANN, await self._admit("Ann", "patron")), (DAN, await self._admit("Dan", "dealer"))]
        await self.house.setup.set_up(SET_UP, msgspec.convert(PIT, NewTable))
        self.served = Served(self.house)

    async def _admit(self, name: str, role: str) -> str:
        made = await self.house.people.create(SET_UP, name, role)
        assert not isinstance(made, Refusal)
        assert len(made[1]) == len(ANN)
        return made[1]

    def send(self, *pieces: bytes) -> bytes:
        """What a client receives that sends these pieces and then goes."""
        return self.loop.run_until_complete(self._send(pieces))

    async def _send(self, pieces: Sequence[bytes]) -> bytes:
        client = Client()
        client.set_protocol(Connection(self.served))
        client.get_protocol().connection_made(client)
        for piece in pieces:
            for mark, token in self.tokens:
                piece = piece.replace(mark.encode(), token.encode())
            if not client.is_closing():
                client.get_protocol().data_received(piece)
            await self._turn()
        client.get_protocol().connection_lost(None)
        await self._turn()
        for task in list(self.served.tasks):  # some wait for a time that does not come here
            task.cancel()
        if self.served.tasks:
            await asyncio.wait(self.served.tasks)
        if self.errors.entries:
            entries, self.errors.entries = self.errors.entries, []
            raise AssertionError("\n".join(entries))
        return bytes(client.received)

    async def _turn(self) -> None:
        for _ in range(TURNS):
            await asyncio.sleep(0)
            if not self.served.tasks:
                return


_edge = cache(Edge)

# ------------------------------------------------------------------------------------------- requests


def requests() -> Sequence[bytes]:
    """A request for each route, as it comes over the network, and some others."""
    values = {"table": "pit", "game": PIT["game"], "number": 1, "person": "ann"}
    made = [_request("GET", "/", ANN), _request("HEAD", "/api/tables", ANN), UPGRADE]
    for route in [each for each in DECLARED if each.path != "/api/me/tokens/end"]:  # what follows has a token, too
        query = "&".join([f"{name}=1" for name in route.query.__struct_fields__])
        path = route.path.format_map(values) + (f"?{query}" if query else "")
        body = EXAMPLES.get("PlaceBet" if route.body is AnyCommand else getattr(route.body, "__name__", ""), {})
        given = json.dumps(body) if route.method == "POST" else ""
        made += [_request(route.method, path, token, given) for token in (ANN, DAN)]
    return [*made, made[0] + made[-1]]


def _request(method: str, path: str, token: str, body: str = "") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\nX-Forwarded-For: 198.51.100.7\r\n"
    if body:
        head += f"Content-Type: application/json\r\nIdempotency-Key: k1\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Accept-Language: zh\r\n\r\n{body}".encode()


def ask(given: bytes) -> str:
    """The status of the answer to what may be a request. One that blames the server is a mistake of ours."""
    answer = _edge().send(given)
    assert b" 500 " not in answer[:20], answer
    assert b'code":"internal' not in answer, answer
    return answer[9:12].decode() or "no answer"


# ------------------------------------------------------------------------------------------- WebSockets

RAW = b"raw:"


def sessions() -> Sequence[bytes]:
    """Messages of a session, a line each; or frames as they come over the network."""
    for_ann = [{"type": "hello", "token": ANN}, {"type": "ping"}, _given("sit", box=1)]
    for_dan = [{"type": "hello", "token": DAN, "after": 1}, _given("load-shoe"), _given("open-bets")]
    for_nobody = [{"type": "hello"}, {"type": "ping"}]
    lines = [[json.dumps(each).encode() for each in session] for session in (for_ann, for_dan, for_nobody)]
    first, second = lines[0][:2]
    raw = [
        _frame(first) + _frame(second),
        _frame(first[:10], fin=False) + _frame(first[10:], Opcode.CONT) + _frame(b"x", Opcode.PING),
        _frame(first) + _frame(second) + _frame(struct.pack("!H", 1_000) + b"bye", Opcode.CLOSE),
    ]
    return [*[b"\n".join(each) for each in lines], *[RAW + each for each in raw]]


def _given(kind: str, **fields: object) -> dict[str, object]:
    return {"type": "command", "key": f"k-{kind}", "command": {"kind": kind} | fields}


def _frame(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    """A frame as clients send them, under a mask of zeros, so that its bytes can be spoiled in their places."""
    size = len(data)
    if size < 126:
        length = bytes([0x80 | size])
    else:
        length = struct.pack("!BH", 0xFE, size) if size < 2**16 else struct.pack("!BQ", 0xFF, size)
    return bytes([(0x80 if fin else 0) | opcode]) + length + bytes(4) + data


def talk(given: bytes) -> str:
    """How a session ends: the code of its close, if the server closed it. One that blames it is a mistake of ours."""
    frames = [given.removeprefix(RAW)] if given.startswith(RAW) else [_frame(line) for line in given.split(b"\n")[:50]]
    received = _edge().send(UPGRADE, *frames)
    assert struct.pack("!H", INTERNAL_CLOSE) + b"internal" not in received, received
    close = received.rpartition(b"\x88")[2]
    return str(struct.unpack("!H", close[1:3])[0]) if 3 <= len(close) == close[0] + 1 else "open to its end"
