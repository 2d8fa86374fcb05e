"""A table's WebSocket: hello, then snapshot and events one way, commands and pings the other.

One task reads and one writes. Everything that goes out waits in the subscription's own queue, replies too, so that it
leaves in order and a terminal that stops reading is dropped at its limit. A message that many read is encoded once.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from punto.protocol import refusals as r
from punto.protocol.codec import read_asked
from punto.protocol.refused import show_refusal
from punto.protocol.views import ClientMessage, GiveCommand, Hello, Ping, Pong, ReplyMessage
from punto.rules.reasons import Wanted
from punto.rules.refusals import Refusal, RefusedError
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.viewing.subscriptions import Message, Subscription
from punto.store.errors import StoreError
from punto.web.access import Gatekeeper, house_of, house_with, origin_allowed
from punto.web.limits import Allowance, Connections
from punto.web.logs import log
from punto.web.requests import read

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

CLOSE_CODES: dict[type[Refusal], int] = {
    r.TokenUnknown: TOKEN_UNKNOWN,
    r.TooManyRequests: TOO_MANY,
    r.TooManyConnections: TOO_MANY,
    r.PayloadTooLarge: TOO_LARGE,
    r.TableUnknown: TABLE_UNKNOWN,
    r.HouseClosing: RESTARTING,
}


def close_table() -> str:
    """The close codes as a Markdown table."""
    rows = [f"| {code} | {says} |" for code, says in sorted(CLOSES.items())]
    return "\n".join(["| code | |", "|---|---|", *rows])


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
            raise RefusedError(r.TokenUnknown())

    def count(self) -> None:
        """Count a message: a person's with all else they ask; a display board, which is nobody's, has only pings."""
        if self.person is not None:
            gatekeeper: Gatekeeper = self.socket.app.state.gatekeeper
            gatekeeper.count(f"person {self.person.id}")
        elif not self.boards.take(""):
            raise RefusedError(r.TooManyRequests())


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
    except RefusedError as error:
        await _close(socket, CLOSE_CODES.get(type(error.refusal), UNREADABLE), error.refusal)
    except StoreError as error:
        log.warning("a terminal's connection failed: %s", error.message)
        await _close(socket, TRY_AGAIN, r.StoreUnavailable())
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
                hello = await _receive(socket, house)
        except TimeoutError:
            raise RefusedError(r.RequestUnreadable()) from None
        if not isinstance(hello, Hello):
            raise RefusedError(r.FieldInvalid("type", Wanted.ONE_OF, ("hello",)))
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
            await terminal.socket.send({"type": "websocket.send", "bytes": None, "text": message.text})


async def _read(terminal: Terminal, subscription: Subscription) -> None:
    while True:
        message = await _receive(terminal.socket, terminal.house)
        terminal.check()
        terminal.count()
        match message:
            case Ping():
                answer: Pong | ReplyMessage = Pong()
            case GiveCommand():
                reply = await _obey(terminal, message)
                if reply.refused is None:
                    answer = ReplyMessage(message.key, reply.seq)
                else:
                    answer = ReplyMessage(message.key, refused=show_refusal(reply.refused))
            case _:
                raise RefusedError(r.FieldInvalid("type", Wanted.ONE_OF, ("command", "ping")))
        subscription.put([Message(answer)])


async def _obey(terminal: Terminal, message: GiveCommand) -> Reply:
    if terminal.person is None:
        return Reply(refused=r.TokenMissing())
    try:
        command = read_asked(message.command, terminal.person.actor)
        return await terminal.house.command(terminal.person, terminal.table, command, message.key)
    except RefusedError as error:
        return Reply(refused=error.refusal)
    except StoreError as error:
        log.warning("a command failed: %s", error.message)
        return Reply(refused=r.StoreUnavailable())


async def _receive(socket: Socket, house: House) -> ClientMessage:
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="the terminal went", code=event.get("code", 1000))
    said: str | bytes = event.get("text") or event.get("bytes") or b""  # type: ignore[assignment]
    text = said.encode() if isinstance(said, str) else said
    if len(text) > house.settings.edge.payload_bytes:
        raise RefusedError(r.PayloadTooLarge())
    message: ClientMessage = read(text, ClientMessage)
    return message


async def _close(socket: Socket, code: int, refusal: Refusal | None = None) -> None:
    """Say why it ends; one that does not read cannot be told, and is left."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(code=code, reason=refusal.code if refusal else "")
