"""The WebSockets: that of a table, and that of the floor.

A table's begins with hello; then snapshot and events go one way, commands and pings the other. That of the floor sends
the pit desk what changed, and takes nothing but pings.

One task reads and one writes. Everything that goes out waits in the subscription's own queue, replies too, so that it
leaves in order and a terminal that stops reading is dropped at its limit. A message that many read is encoded once.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from dataclasses import dataclass

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
from punto.web.access import FLOOR, house_of_table
from punto.web.cookies import token_in_cookie
from punto.web.problems import refusal_of
from punto.web.requests import Request, read
from punto.web.terminals import RESTARTING, TOO_LARGE, TOO_MANY, Terminal, TerminalGoneError, text_frame

ADDRESS = re.compile(r"/api/(?:floor|tables/(?P<table>[^/]+))/events")
HELLO_SECONDS = 10
UNREADABLE, TOO_SLOW = 4000, 4008

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


@dataclass(frozen=True, slots=True)
class Session:
    """A terminal that said hello: which table it looks at, or (None) that it follows the floor, and for whom."""

    terminal: Terminal
    request: Request
    table: str | None
    person: Person | None
    token: str | None

    @property
    def house(self) -> House:
        """The house."""
        return self.request.house

    def check(self) -> None:
        """Refuse to go on with a token that has ended: it is looked at with each message, either way."""
        if self.person is not None and not self.house.people.holds(self.person, self.token or ""):
            raise RefusedError(r.TokenUnknown())


async def serve(terminal: Terminal, request: Request) -> None:
    """Serve one terminal, or one pit desk, until it goes."""
    try:
        with request.house.metrics.connections.track_inprogress():
            await _greet(terminal, request)
    except TerminalGoneError:
        pass
    except Exception as error:
        refusal = refusal_of(error, f"a connection to {request.path}")
        terminal.close(CLOSE_CODES.get(type(refusal), UNREADABLE), refusal.code)


async def _greet(terminal: Terminal, request: Request) -> None:
    connections, gatekeeper, address = terminal.edge.app.connections, request.gatekeeper, request.address
    with connections.room():
        with connections.of(None, address):
            hello = await _hello(terminal)
            token = hello.token
            if token is None and hello.account is not None:
                token = token_in_cookie(request.headers, hello.account) or ""
            person = await gatekeeper.identify(token, address)
            session = Session(terminal, request, request.values["table"], person, token)
            if person is None:
                terminal.greet()
                await _follow(session, hello.after)
                return
        terminal.greet(request.house.settings.edge.payload_bytes, lambda: gatekeeper.take(person))
        with connections.of(person.id, address):
            await _follow(session, hello.after)


async def _hello(terminal: Terminal) -> Hello:
    """The first message, which must come in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await _receive(terminal)
    except TimeoutError:
        raise RefusedError(r.RequestUnreadable()) from None
    if not isinstance(hello, Hello):
        raise RefusedError(r.FieldInvalid("type", Wanted.ONE_OF, ("hello",)))
    return hello


async def _follow(session: Session, after: int | None) -> None:
    """Read and write until one side ends; a dropped reader ends both, even with a write that never gets through."""
    terminal, subscription = session.terminal, _subscribe(session, after)
    reader = asyncio.create_task(_read(session, subscription))
    writer = asyncio.create_task(_write(session, subscription))
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
        terminal.close(TOO_SLOW)
        return
    try:
        for task in done:
            if not task.cancelled():
                task.result()
    finally:
        del reader, writer, done, task  # their errors lead back here: a circle that stays until the collector comes by
    terminal.close(RESTARTING)  # the house ended the subscription


def _subscribe(session: Session, after: int | None) -> Subscription:
    if session.table is None:
        FLOOR(session.person)
        return session.house.floor.subscribe()
    return house_of_table(session.request, session.table).subscribe(session.table, session.person, after)


async def _write(session: Session, subscription: Subscription) -> None:
    delivered, loop = session.house.metrics.delivery_seconds, asyncio.get_running_loop()
    async for first in subscription:
        since = subscription.waiting_since
        session.check()
        await session.terminal.write_frames([each.as_sent(text_frame) for each in (first, *subscription.take())])
        delivered.observe(loop.time() - since)


async def _read(session: Session, subscription: Subscription) -> None:
    while True:
        message = await _receive(session.terminal)
        session.check()
        if not session.terminal.count():
            raise RefusedError(r.TooManyRequests())
        match message:
            case Ping():
                answer: Pong | ReplyMessage = Pong()
            case GiveCommand() if session.table is not None:
                reply = await _carry_out(session, session.table, message)
                if reply.refused is None:
                    answer = ReplyMessage(message.key, reply.seq)
                else:
                    answer = ReplyMessage(message.key, refused=show_refusal(reply.refused))
            case _:
                known = ("ping",) if session.table is None else ("command", "ping")
                raise RefusedError(r.FieldInvalid("type", Wanted.ONE_OF, known))
        subscription.put([Message(answer)])


async def _carry_out(session: Session, table: str, message: GiveCommand) -> Reply:
    if session.person is None:
        return Reply(refused=r.TokenMissing())
    try:
        command = read_command_by(message.command, session.person.actor)
        return await session.house.command(session.person, table, command, message.key)
    except (RefusedError, StoreError) as error:
        return Reply(refused=refusal_of(error, f"a command to {table}"))


async def _receive(terminal: Terminal) -> ClientMessage:
    message: ClientMessage = read(await terminal.receive(), ClientMessage)
    return message
