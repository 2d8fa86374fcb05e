"""The WebSockets: that of a table, and that of the floor.

A table's begins with hello; then snapshot and events go one way, commands and pings the other. That of the floor sends
the pit desk what changed, and takes nothing but pings.

One task reads and one writes. Everything that goes out waits in the subscription's own queue, replies too, so that it
leaves in order and a terminal that stops reading is dropped at its limit. A message that many read is encoded once.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any, cast

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from uvicorn.protocols.utils import ClientDisconnected

from punto.protocol import refusals as r
from punto.protocol.codec import read_command_by
from punto.protocol.refused import show_refusal
from punto.protocol.views import ClientMessage, GiveCommand, Hello, Ping, Pong, ReplyMessage
from punto.rules.reasons import Wanted
from punto.rules.refusals import Refusal, RefusedError
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.viewing.subscriptions import Message, Subscription
from punto.store.errors import StoreError
from punto.table.refusals import NotPermitted
from punto.web.access import Gatekeeper, check_floor, headers_of, house_of, house_of_table, origin_allowed
from punto.web.cookies import token_in_cookie
from punto.web.limits import Connections, RateLimiter
from punto.web.posts import read
from punto.web.problems import refusal_of
from punto.web.protocols import TOO_LARGE, TOO_MANY, TerminalProtocol, terminal_of, text_frame

HELLO_SECONDS = 10
CLOSE_SECONDS = 2
BOARD_RATE, BOARD_BURST = 1, 10
"""Messages a second, and at once, of a display board: it may ping."""

UNREADABLE, TOO_SLOW, RESTARTING = 4000, 4008, 1012

CLOSES: dict[int, tuple[str, tuple[type[Refusal], ...]]] = {
    UNREADABLE: ("A message could not be read; the reason names the code.", ()),
    4001: ("The token is nobody's, or is missing where one is needed.", (r.TokenUnknown, r.TokenMissing)),
    4003: ("The floor is for an admin or a Pit Supervisor and above.", (NotPermitted,)),
    4004: ("There is no such table.", (r.TableUnknown,)),
    TOO_SLOW: ("The terminal did not read: come back with `after`.", ()),
    TOO_LARGE: ("A message was larger than may be.", (r.PayloadTooLarge,)),
    TOO_MANY: (
        "Too many messages in a short time, or too many connections of one person or address.",
        (r.TooManyRequests, r.TooManyConnections),
    ),
    RESTARTING: ("The house closes: come back with `after`.", (r.HouseClosing,)),
    1011: ("The server erred.", (r.Internal,)),
    1013: ("The store is away: come back in a while.", (r.StoreUnavailable,)),
}
"""Why a connection is closed, and for which refusals; for any other as unreadable."""
CLOSE_CODES = {refusal: code for code, (_, refusals) in CLOSES.items() for refusal in refusals}

Socket = WebSocket[Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Terminal:
    """One connection: which table it looks at, or (None) that it follows the floor, and for whom."""

    socket: Socket
    line: TerminalProtocol
    house: House
    table: str | None
    gatekeeper: Gatekeeper
    person: Person | None
    token: str | None
    boards: RateLimiter = field(default_factory=lambda: RateLimiter(BOARD_RATE, BOARD_BURST))

    def check(self) -> None:
        """Refuse to go on with a token that has ended: it is looked at with each message, either way."""
        if self.person is not None and not self.house.people.holds(self.person, self.token or ""):
            raise RefusedError(r.TokenUnknown())

    def count(self) -> None:
        """Count a message: a person's with all else they ask; a display board, which is nobody's, has only pings."""
        if self.person is not None:
            self.gatekeeper.count(f"person {self.person.id}")
        elif not self.boards.take(""):
            raise RefusedError(r.TooManyRequests())


@websocket("/api/tables/{table:str}/events")
async def events(socket: Socket, table: FromPath[str]) -> None:
    """Serve one terminal until it goes."""
    await _connect(socket, table)


@websocket("/api/floor/events")
async def floor_events(socket: Socket) -> None:
    """Serve one pit desk until it goes."""
    await _connect(socket, None)


async def _connect(socket: Socket, table: str | None) -> None:
    house = house_of(socket)
    if not origin_allowed(socket.headers, house.settings.origins):
        await socket.close(code=1008)  # before it is accepted: the server answers 403
        return
    try:
        await socket.accept()
        await _serve(socket, house, table)
    except (WebSocketDisconnect, ClientDisconnected):
        pass
    except Exception as error:
        refusal = refusal_of(error, f"a connection to {table or 'the floor'}")
        await _close(socket, CLOSE_CODES.get(type(refusal), UNREADABLE), refusal.code)
    finally:
        socket.receive = socket.send = _ended  # the framework's own lead back to the socket: a circle


async def _ended(*_: object) -> Any:
    raise WebSocketDisconnect(detail="the connection has ended")


async def _serve(socket: Socket, house: House, table: str | None) -> None:
    connections: Connections = socket.app.state.connections
    gatekeeper: Gatekeeper = socket.app.state.gatekeeper
    address = socket.client.host if socket.client else ""
    with connections.room():
        with connections.of(None, address):
            hello = await _hello(socket)
            token = hello.token
            if token is None and hello.account is not None:
                token = token_in_cookie(headers_of(socket.scope), hello.account) or ""
            person = await gatekeeper.identify(token, address)
            line = terminal_of(socket.scope)
            line.greet(None if person is None else house.settings.edge.payload_bytes)
            terminal = Terminal(socket, line, house, table, gatekeeper, person, token)
            if person is None:
                await _follow(terminal, hello.after)
                return
        with connections.of(person.id, address):
            await _follow(terminal, hello.after)


async def _hello(socket: Socket) -> Hello:
    """The first message, which must come in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await _receive(socket)
    except TimeoutError:
        raise RefusedError(r.RequestUnreadable()) from None
    if not isinstance(hello, Hello):
        raise RefusedError(r.FieldInvalid("type", Wanted.ONE_OF, ("hello",)))
    return hello


async def _follow(terminal: Terminal, after: int | None) -> None:
    """Read and write until one side ends; a dropped reader ends both, even with a write that never gets through."""
    socket = terminal.socket
    subscription = _subscribe(terminal, after)
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
        subscription.close()
        subscription.on_drop = None
    if subscription.dropped:
        await _close(socket, TOO_SLOW)
        return
    try:
        for task in done:
            if not task.cancelled():
                task.result()
    finally:
        del reader, writer, done, task  # their errors lead back here: a circle that stays until the collector comes by
    await _close(socket, RESTARTING)  # the house ended the subscription


def _subscribe(terminal: Terminal, after: int | None) -> Subscription:
    if terminal.table is None:
        check_floor(terminal.person)
        return terminal.house.floor.subscribe()
    return house_of_table(terminal.socket, terminal.table).subscribe(terminal.table, terminal.person, after)


async def _write(terminal: Terminal, subscription: Subscription) -> None:
    delivered, loop = terminal.house.metrics.delivery_seconds, asyncio.get_running_loop()
    async for first in subscription:
        since = subscription.waiting_since
        terminal.check()
        await terminal.line.write_frames([message.as_sent(text_frame) for message in (first, *subscription.take())])
        delivered.observe(loop.time() - since)


async def _read(terminal: Terminal, subscription: Subscription) -> None:
    while True:
        message = await _receive(terminal.socket)
        terminal.check()
        terminal.count()
        match message:
            case Ping():
                answer: Pong | ReplyMessage = Pong()
            case GiveCommand() if terminal.table is not None:
                reply = await _carry_out(terminal, terminal.table, message)
                if reply.refused is None:
                    answer = ReplyMessage(message.key, reply.seq)
                else:
                    answer = ReplyMessage(message.key, refused=show_refusal(reply.refused))
            case _:
                known = ("ping",) if terminal.table is None else ("command", "ping")
                raise RefusedError(r.FieldInvalid("type", Wanted.ONE_OF, known))
        subscription.put([Message(answer)])


async def _carry_out(terminal: Terminal, table: str, message: GiveCommand) -> Reply:
    if terminal.person is None:
        return Reply(refused=r.TokenMissing())
    try:
        command = read_command_by(message.command, terminal.person.actor)
        return await terminal.house.command(terminal.person, table, command, message.key)
    except (RefusedError, StoreError) as error:
        return Reply(refused=refusal_of(error, f"a command to {table}"))


async def _receive(socket: Socket) -> ClientMessage:
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="the terminal went", code=event.get("code", 1000))
    message: ClientMessage = read(cast("bytes", event.get("bytes") or b""), ClientMessage)
    return message


async def _close(socket: Socket, code: int, reason: str = "") -> None:
    """Say why it ends; one that does not read cannot be told, and is left."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(CLOSE_SECONDS):
            await socket.close(code=code, reason=reason)
