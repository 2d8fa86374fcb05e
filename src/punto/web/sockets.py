"""A table's WebSocket: hello, then snapshot and events one way, commands and pings the other.

One task reads and one writes. Everything that goes out waits in the subscription's own queue, replies too, so that it
leaves in order and a terminal that stops reading is dropped at its limit. A message that many read is encoded once.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from punto.rules.refusals import Code, Refusal, RefusedError
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.refusals import HouseCode
from punto.service.replies import Reply, write_refusal
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import Message
from punto.store.errors import StoreError
from punto.web.access import Gatekeeper, house_of, house_with, origin_allowed
from punto.web.limits import Allowance, Connections
from punto.web.logs import log
from punto.web.problems import STORE_AWAY, EdgeCode, EdgeRefusedError
from punto.web.requests import read_json

HELLO_SECONDS = 10
CLOSE_SECONDS = 2
BOARD_RATE, BOARD_BURST = 1, 10
"""Messages a second, and at once, of a display board: it may ping."""

UNREADABLE, TOKEN_UNKNOWN, TABLE_UNKNOWN, TOO_SLOW, TOO_LARGE, TOO_MANY = 4000, 4001, 4004, 4008, 4009, 4029
RESTARTING, ERRED, TRY_AGAIN = 1012, 1011, 1013

CLOSES = {
    UNREADABLE: "A message could not be read; the reason names the code.",
    TOKEN_UNKNOWN: "The token is nobody's.",
    TABLE_UNKNOWN: "There is no such table.",
    TOO_SLOW: "The terminal did not read: come back with `after`.",
    TOO_LARGE: "A message was larger than may be.",
    TOO_MANY: "Too many messages in a short time, or too many connections of one person or address.",
    RESTARTING: "The house closes: come back with `after`.",
    ERRED: "The server erred.",
    TRY_AGAIN: "The store is away: come back in a while.",
}
"""Why a connection is closed."""

CLOSE_CODES: dict[Code, int] = {
    EdgeCode.TOKEN_UNKNOWN: TOKEN_UNKNOWN,
    EdgeCode.TOO_MANY_REQUESTS: TOO_MANY,
    EdgeCode.TOO_MANY_CONNECTIONS: TOO_MANY,
    EdgeCode.PAYLOAD_TOO_LARGE: TOO_LARGE,
    HouseCode.TABLE_UNKNOWN: TABLE_UNKNOWN,
    HouseCode.HOUSE_CLOSING: RESTARTING,
}


def close_table() -> str:
    """The close codes as a Markdown table."""
    rows = [f"| {code} | {says} |" for code, says in sorted(CLOSES.items())]
    return "\n".join(["| code | |", "|---|---|", *rows])


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message: who connects, and the last sequence number they have seen."""

    token: str | None = None
    after: int | None = None


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    """Asks for a pong."""


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="command"):
    """A command under its idempotency key."""

    key: str
    command: dict[str, Any]


Socket = WebSocket[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Terminal:
    """One connection: which table it looks at, and for whom."""

    socket: Socket
    house: House
    table: str
    address: str
    person: Person | None = None
    token: str = ""
    boards: Allowance = field(default_factory=lambda: Allowance(BOARD_RATE, BOARD_BURST))

    def check(self) -> None:
        """Refuse to go on with a token that has ended: it is looked at with each message, either way."""
        if self.person is not None and not self.house.people.holds(self.person, self.token):
            raise EdgeRefusedError(EdgeCode.TOKEN_UNKNOWN)

    def count(self) -> None:
        """Count a message: a person's with all else they ask; a display board, which is nobody's, has only pings."""
        if self.person is not None:
            gatekeeper: Gatekeeper = self.socket.app.state.gatekeeper
            gatekeeper.count(f"person {self.person.id}")
        elif not self.boards.take(""):
            raise EdgeRefusedError(EdgeCode.TOO_MANY_REQUESTS)


@websocket("/api/tables/{table:str}/events")
async def events(socket: Socket, table: FromPath[str]) -> None:
    """Serve one terminal until it goes."""
    house = house_of(socket)
    connections: Connections = socket.app.state.connections
    if not origin_allowed(socket.headers, house.settings.origins):
        await socket.close(code=1008)  # before it is accepted: the server answers 403
        return
    try:
        await socket.accept()
        with connections.room():
            await _serve(socket, house, table, connections)
    except EdgeRefusedError as error:
        await _close(socket, CLOSE_CODES.get(error.refusal.code, UNREADABLE), error.refusal)
    except RefusedError as error:
        await _close(socket, CLOSE_CODES.get(error.refusal.code, UNREADABLE), error.refusal)
    except StoreError as error:
        log.warning("a terminal's connection failed: %s", error.message)
        await _close(socket, TRY_AGAIN, STORE_AWAY)
    except WebSocketDisconnect:
        pass
    except Exception:
        log.exception("a terminal's connection failed")
        await _close(socket, ERRED)


async def _serve(socket: Socket, house: House, table: str, connections: Connections) -> None:
    gatekeeper: Gatekeeper = socket.app.state.gatekeeper
    address = socket.client.host if socket.client else ""
    with connections.of(None, address):
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                hello: Hello | Ping = await _receive(socket, house, Hello | Ping)  # of two kinds, so `type` is needed
        except TimeoutError:
            raise EdgeRefusedError(EdgeCode.REQUEST_UNREADABLE, "no hello came") from None
        if isinstance(hello, Ping):
            raise EdgeRefusedError(EdgeCode.FIELD_INVALID, "the first message is a hello", "type")
        person = await gatekeeper.identify(hello.token, address)
        if person is None:
            await _follow(Terminal(socket, house, table, address), hello.after)
            return
    with connections.of(person.id, address):
        await _follow(Terminal(socket, house, table, address, person, hello.token or ""), hello.after)


async def _follow(terminal: Terminal, after: int | None) -> None:
    subscription = house_with(terminal.socket, terminal.table).subscribe(terminal.table, terminal.person, after)
    try:
        await _converse(terminal, subscription)
    finally:
        subscription.close()


async def _converse(terminal: Terminal, subscription: Subscription) -> None:
    """Read and write until one side ends; a dropped reader ends both, even with a write that never gets through."""
    socket = terminal.socket
    reader = asyncio.create_task(_read(terminal, subscription))
    writer = asyncio.create_task(_write(terminal, subscription))
    subscription.on_drop = writer.cancel
    try:
        done, _ = await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (reader, writer):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(reader, writer, return_exceptions=True)
    if subscription.dropped:
        socket.app.state.counts["edge_slow_readers_dropped"] += 1
        await _close(socket, TOO_SLOW)
        return
    for task in done:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error
    await _close(socket, RESTARTING)  # the house ended the subscription


async def _write(terminal: Terminal, subscription: Subscription) -> None:
    async for first in subscription:
        terminal.check()
        for message in (first, *subscription.take()):
            text = message.text if isinstance(message, Message) else msgspec.json.encode(message).decode()
            await terminal.socket.send({"type": "websocket.send", "bytes": None, "text": text})


async def _read(terminal: Terminal, subscription: Subscription) -> None:
    while True:
        message: Ask | Ping = await _receive(terminal.socket, terminal.house, Ask | Ping)
        terminal.check()
        terminal.count()
        if isinstance(message, Ping):
            subscription.put([{"type": "pong"}])
        else:
            subscription.put([await _obey(terminal, message)])


async def _obey(terminal: Terminal, ask: Ask) -> dict[str, Any]:
    if terminal.person is None:
        missing = Refusal(EdgeCode.TOKEN_MISSING, EdgeCode.TOKEN_MISSING.meaning)
        return {"type": "reply", "key": ask.key, "refused": write_refusal(missing)}
    try:
        reply = await terminal.house.command(terminal.person, terminal.table, ask.command, ask.key)
    except StoreError as error:
        log.warning("a command failed: %s", error.message)
        reply = Reply(refused=STORE_AWAY)
    if reply.refused is not None:
        return {"type": "reply", "key": ask.key, "refused": write_refusal(reply.refused)}
    return {"type": "reply", "key": ask.key, "seq": reply.seq}


async def _receive(socket: Socket, house: House, kind: Any) -> Any:
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="the terminal went", code=event.get("code", 1000))
    said: str | bytes = event.get("text") or event.get("bytes") or b""  # type: ignore[assignment]
    text = said.encode() if isinstance(said, str) else said
    if len(text) > house.settings.edge.payload_bytes:
        raise EdgeRefusedError(EdgeCode.PAYLOAD_TOO_LARGE)
    return read_json(text, kind)


async def _close(socket: Socket, code: int, refusal: Refusal | None = None) -> None:
    """Say why it ends; one that does not read cannot be told, and is left."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(code=code, reason=refusal.code.value if refusal else "")
