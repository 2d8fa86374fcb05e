"""The WebSockets: that of a table, and that of the floor.

A table's begins with hello; then snapshot and events go one way, commands and pings the other. That of the floor sends
the pit desk what changed, and takes nothing but pings.

Everything that goes out waits in the subscription's own queue, replies too, so that it leaves in order and a terminal
that stops reading is dropped at its limit. A message that many read is encoded once. No task waits to write: thousands
of them would be woken for each event.
"""

from __future__ import annotations

import asyncio
import re

from punto.protocol import refusals as r
from punto.protocol.codec import read_command_by
from punto.protocol.shown import show_refusal
from punto.protocol.views import ClientMessage, GiveCommand, Hello, Ping, Pong, ReplyMessage
from punto.rules.reasons import Wanted
from punto.rules.refusals import FieldType, Refusal, Refused
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.viewing.subscriptions import Message, Subscription
from punto.store.errors import StoreError
from punto.table.refusals import NotPermitted
from punto.web.access import FLOOR, house_of_table, origin_allowed, unwrap
from punto.web.connections import Connection, ConnectionGoneError
from punto.web.cookies import token_in_cookie
from punto.web.limits import EVERYONE
from punto.web.problems import refusal_of
from punto.web.requests import Request, read
from punto.web.terminals import RESTARTING, TERMINAL_UNREAD_BYTES, TOO_LARGE, TOO_MANY, Terminal, text_frame

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
"""The reasons to close a connection, with the refusals for each; for any other as unreadable."""
CLOSE_CODES = {refusal: code for code, (_, refusals) in CLOSES.items() for refusal in refusals}


class Session:
    """A terminal that said hello: which table it looks at, or (None) that it follows the floor, and for whom."""

    def __init__(
        self, terminal: Terminal, request: Request, person: Person | None, token: str | None, after: int | None
    ) -> None:
        self.terminal, self.request, self.person = terminal, request, person
        self.house: House = request.house
        self.table: str | None = request.values["table"]
        self._holds = self.house.people.holding(person, token or "") if person is not None else lambda: True
        self._delivered, self._loop = self.house.metrics.delivery_seconds, asyncio.get_running_loop()
        self._scheduled = False
        self.subscription = self._subscribe(after)
        self.subscription.on_change = self._schedule
        self.terminal.connection.on_writable = self._flush
        self._flush()

    def _subscribe(self, after: int | None) -> Subscription:
        if self.table is None:
            unwrap(FLOOR(self.person))
            return self.house.floor.subscribe()
        return house_of_table(self.request, self.table).subscribe(self.table, self.person, after)

    def close(self) -> None:
        """Send nothing more."""
        self.subscription.on_change = self.terminal.connection.on_writable = None
        self.subscription.close()

    def check(self) -> None:
        """Refuse to go on with a token that has ended: it is looked at with each message, either way."""
        if not self._holds():
            raise Refused(r.TokenUnknown())

    def _schedule(self) -> None:
        """Send after the next turn of the loop: what comes together leaves together, and a reply with its events."""
        if not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._loop.call_soon, self._flush)

    def _flush(self) -> None:
        """Send what waits, as far as the terminal reads."""
        self._scheduled = False
        terminal, subscription = self.terminal, self.subscription
        if subscription.dropped:
            terminal.close(TOO_SLOW)
            return
        since = subscription.waiting_since
        while subscription.waits and terminal.is_writable:
            if not self._holds():
                terminal.close(CLOSE_CODES[r.TokenUnknown], r.TokenUnknown().code)
                return
            terminal.write(subscription.take_frames(text_frame, TERMINAL_UNREAD_BYTES))
            self._delivered.observe(self._loop.time() - since)
        if subscription.ended and terminal.is_writable:
            terminal.close(RESTARTING)


def asks_for_terminal(request: Request) -> bool:
    """True if a request asks for a WebSocket where there is one, from a page that may connect."""
    asks = request.method == "GET" and request.headers.get("upgrade", "").lower() == "websocket"
    if not asks or (found := ADDRESS.fullmatch(request.path)) is None:
        return False
    request.values = found.groupdict()
    return origin_allowed(request.headers, request.house.settings.origins)


async def serve(connection: Connection, request: Request) -> None:
    """Serve one terminal, or one pit desk, until it goes."""
    terminal = Terminal(connection, request)
    try:
        with request.house.metrics.connections.track_inprogress():
            await _greet(terminal, request)
    except ConnectionGoneError:
        pass
    except Exception as error:
        refusal = refusal_of(error, f"a connection to {request.path}")
        terminal.close(CLOSE_CODES.get(type(refusal), UNREADABLE), refusal.code)
    finally:
        terminal.forget()


async def _greet(terminal: Terminal, request: Request) -> None:
    terminals, gatekeeper, address = terminal.connection.edge.app.terminals, request.gatekeeper, request.address
    limits = request.house.settings.edge
    with terminals.held(EVERYONE, limits.connections):
        with terminals.held(f"address {address}", limits.boards_per_address):
            hello = await _hello(terminal)
            token = hello.token
            if token is None and hello.account is not None:
                token = token_in_cookie(request.headers, hello.account) or ""
            person = await gatekeeper.identify(token, address)
            if person is None:
                terminal.greet()
                await _follow(Session(terminal, request, None, None, hello.after))
                return
        terminal.greet(limits.payload_bytes, lambda: gatekeeper.take(person))
        with terminals.held(f"person {person.id}", limits.connections_per_person):
            await _follow(Session(terminal, request, person, token, hello.after))


async def _hello(terminal: Terminal) -> Hello:
    """The first message, which must come in time."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await _receive(terminal)
    except TimeoutError:
        raise Refused(r.RequestUnreadable()) from None
    if not isinstance(hello, Hello):
        raise _out_of_place(hello, "hello")
    return hello


async def _follow(session: Session) -> None:
    """Read what the terminal says while what happens is sent, until one side ends."""
    try:
        while True:
            session.subscription.put([Message(await _answer(session, await _receive(session.terminal)))])
    finally:
        session.close()


async def _answer(session: Session, message: ClientMessage) -> Pong | ReplyMessage:
    session.check()
    if not session.terminal.count():
        raise Refused(r.TooManyRequests())
    match message:
        case Ping():
            return Pong()
        case GiveCommand() if session.table is not None:
            reply = await _carry_out(session, session.table, message)
            if reply.refused is None:
                return ReplyMessage(message.key, reply.seq)
            return ReplyMessage(message.key, refused=show_refusal(reply.refused))
    raise _out_of_place(message, *(["ping"] if session.table is None else ["command", "ping"]))


def _out_of_place(message: ClientMessage, *known: str) -> Refused:
    return Refused(FieldType("type", Wanted.ONE_OF, str(type(message).__struct_config__.tag), known))


async def _carry_out(session: Session, table: str, message: GiveCommand) -> Reply:
    if session.person is None:
        return Reply(refused=r.TokenMissing())
    try:
        command = read_command_by(message.command, session.person.actor)
        return await session.house.command(session.person, table, command, message.key)
    except (Refused, StoreError) as error:
        return Reply(refused=refusal_of(error, f"a command to {table}"))


async def _receive(terminal: Terminal) -> ClientMessage:
    message: ClientMessage = read(await terminal.receive(), ClientMessage)
    return message
