"""The connections of the edge: what each may send before it is understood, and what may wait for one that reads slowly.

uvicorn's protocols do the HTTP and WebSocket work. What is added here bounds memory, since whoever connects is
a stranger: size and number of headers, requests sent ahead, a WebSocket message while it arrives, its fragments, and
the bytes held of an address and of all. Who does not get on with it is cut off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import unquote

import httptools
import msgspec
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import PayloadTooBig
from websockets.frames import Close, Frame, Opcode

from punto.protocol.refusals import PayloadTooLarge, RequestUnreadable, TooManyConnections
from punto.rules.refusals import Refusal
from punto.web.limits import Intake
from punto.web.problems import PROBLEM_MEDIA, problem_of

HEADER_BYTES = 16_384
HEADERS = 100
HEADER_SECONDS = 10
"""How long a connection may take over the head of its first request, and of each later one once it has begun."""
UNREAD_SECONDS = 20
"""How long an answer may wait for a reader that takes nothing of it."""
CLOSE_SECONDS = 5
"""How long a closed WebSocket may take to read the rest."""
THROW_AWAY_SECONDS = 1
"""How long a WebSocket that was closed for what it sent may take to notice."""
REQUESTS_AHEAD = 16
"""Requests that one connection may send before the first is answered."""
FRAGMENTS = 128
"""Fragments that one WebSocket message may come in."""
SLICE_BYTES = 4_096
"""What is read at a time. A WebSocket's message that is complete is handed on before the next is read."""
UNREAD_BYTES = 65_536
"""What may wait for a reader before its writer waits too."""
TERMINAL_UNREAD_BYTES = 8_192
"""The same of a WebSocket: there are thousands, and what waits in their queues is the same for all who read it."""
TOO_LARGE, TOO_MANY = 4009, 4029
NO_BODY = frozenset({204, 304})
"""Statuses of answers that have none."""


class RequestProtocol(HttpToolsProtocol):
    """An HTTP connection, until it becomes a WebSocket."""

    def __init__(self, config: Config, state: ServerState, intake: Intake) -> None:
        super().__init__(config, state, {})
        self._intake, self._address = intake, ""
        self._held = 0
        self._head_bytes, self._in_head = 0, True
        """Bytes that arrived of a head that is not complete; whether a head is what comes next."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection in, unless there are too many."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        transport.set_write_buffer_limits(UNREAD_BYTES)
        if not self._intake.enter(self, self._address):
            transport.abort()
            return
        self._timer = self.loop.call_later(HEADER_SECONDS, self.cut_off)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget all of it."""
        self._stop_timer()
        self._unset_keepalive_if_required()
        self._hold(0)
        self._intake.leave(self, self._address)
        super().connection_lost(exc)

    def cut_off(self) -> None:
        """End the connection without a word."""
        self.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _hold(self, held: int) -> bool:
        """Count the bytes held for this connection; whether there is room for them."""
        before, self._held = self._held, held
        return self._intake.hold(self._address, held - before)

    # Requests ----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on, a slice at a time. A head that does not end is refused at its limit."""
        for start in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            piece, in_head = data[start : start + SLICE_BYTES], self._in_head
            super().data_received(piece)
            if in_head and self._in_head:  # a slice in which a body ends is not counted
                self._head_bytes += len(piece)
            if self._head_bytes > HEADER_BYTES and not self.transport.is_closing():
                self.refuse(RequestUnreadable())

    def on_message_begin(self) -> None:
        """A request begins: its head must come in time."""
        super().on_message_begin()
        self._head_bytes = 0
        if self._timer is None:
            self._timer = self.loop.call_later(HEADER_SECONDS, self.cut_off)

    def on_message_complete(self) -> None:
        """A request has ended: what comes next is the head of another."""
        super().on_message_complete()
        self._in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more header; the parser reports what is raised here as a bad request."""
        super().on_header(name, value)
        if len(self.headers) > HEADERS:
            raise ValueError("a request has too many headers")

    def on_headers_complete(self) -> None:
        """The head is there: the connection has said what it wants. As the parent does it, with answers of our own."""
        self._stop_timer()
        self._in_head, self._head_bytes = False, 0
        if len(self.pipeline) >= REQUESTS_AHEAD:
            raise ValueError("too many requests ahead of their answers")
        if len(self.url) + sum([len(name) + len(value) for name, value in self.headers]) > HEADER_BYTES:
            raise ValueError("the head of a request is too large")
        self._intake.understood(self, self._address)
        version, method = self.parser.get_http_version(), self.parser.get_method()
        self.scope["method"], self.scope["http_version"] = method.decode("ascii"), version
        if self.parser.should_upgrade() and self._should_upgrade():
            if self._current() is not None:  # its answer would find the connection gone
                raise ValueError("a connection becomes a WebSocket only when all before it is answered")
            return
        url = httptools.parse_url(self.url)
        self.scope["raw_path"], self.scope["query_string"] = url.path, url.query or b""
        self.scope["path"] = unquote(url.path.decode("ascii"))
        busy = self._current() is not None
        self.cycle = Answer(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=[],
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=version != "1.0" and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if busy:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))
        else:
            self._start_asgi_task(self.cycle, self.app)

    def on_body(self, body: bytes) -> None:
        """Hold a piece of a body."""
        if not self._hold(self._held + len(body)):
            self.refuse(TooManyConnections())
            return
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Done with a request."""
        self._hold(0)
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on the connection is the WebSocket's, which counts it itself."""
        self._stop_timer()
        self._hold(0)
        self._intake.leave(self, self._address)
        super().handle_websocket_upgrade()
        # This object has done its work: without its circles it goes now, not when the collector comes by.
        self.parser = self.flow = self.cycle = self.scope = None  # type: ignore[assignment]

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read as a request in the shape of all refusals."""
        del msg
        self.refuse(RequestUnreadable())

    def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal, unless an answer is under way, and close."""
        current = self._current()
        if current is None or not current.response_started:
            self.transport.write(_refused(refusal))
        if current is not None:  # whoever waits for the rest of its body is told that it does not come
            current.disconnected = True
            current.message_event.set()
        self.transport.close()

    def _current(self) -> RequestResponseCycle | None:
        """The request that is not answered yet."""
        cycle: RequestResponseCycle | None = self.cycle
        return None if cycle is None or cycle.response_complete else cycle

    # Answers -----------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Wait for the reader, for a while, and only while there is room for what it does not read."""
        super().pause_writing()
        if not self._hold(self._held + self.transport.get_write_buffer_size()):
            self.cut_off()
        elif self._timer is None:
            self._timer = self.loop.call_later(UNREAD_SECONDS, self.cut_off)

    def resume_writing(self) -> None:
        """Go on."""
        self._stop_timer()
        self._hold(0)
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more was asked: what is still unread now stays unread."""
        self.cut_off()


class Answer(RequestResponseCycle):
    """A request and its answer. The head of an answer leaves together with the beginning of its body."""

    _head = b""

    async def send(self, message: Any) -> None:
        """Take a part of the answer. Waits while the reader does not read."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if message["type"] == "http.response.start":
            self.response_started = True
            self._head = self._make_head(message["status"], message["headers"])
            return
        head, self._head = self._head, b""
        body, more = message.get("body", b""), message.get("more_body", False)
        if self.scope["method"] == "HEAD":
            body = b""
        elif self.chunked_encoding:
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            body += b"" if more else b"0\r\n\r\n"
        if len(body) > UNREAD_BYTES:  # not copied: many may be sent the same file
            self.transport.write(head)
            self.transport.write(body)
        elif head or body:
            self.transport.write(head + body)
        if not more:
            self.response_complete = True
            self.message_event.set()
            if not self.keep_alive:
                self.transport.close()
            self.on_response()

    def _make_head(self, status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        lines = [STATUS_LINE[status]]
        sized = status in NO_BODY
        for name, value in headers:
            if b"\n" in value or b"\r" in value:
                raise ValueError("a header cannot have two lines")
            lines.append(b"%b: %b\r\n" % (name, value))
            sized = sized or name.lower() == b"content-length"
        if not sized:
            self.chunked_encoding = True
            lines.append(b"transfer-encoding: chunked\r\n")
        if not self.keep_alive:
            lines.append(b"connection: close\r\n")
        lines.append(b"\r\n")
        return b"".join(lines)


def _refused(refusal: Refusal) -> bytes:
    """A refusal as a whole answer, after which the connection closes."""
    problem = problem_of(refusal)
    body = msgspec.json.encode(problem)
    head = f"content-type: {PROBLEM_MEDIA}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    return STATUS_LINE[problem.status] + head.encode() + body


class TerminalProtocol(WebSocketsSansIOProtocol):
    """A WebSocket. The application finds it in its scope (`terminal_of`) and writes frames to it."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], *, intake: Intake) -> None:
        super().__init__(config, server_state, app_state)
        self._intake, self._address = intake, ""
        self._held = 0
        self._unread = b""
        self._partial = self._complete = 0
        self._said_hello = self._greeted = False
        self._ending: asyncio.TimerHandle | None = None
        self._limit = intake.limits.stranger_bytes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over from HTTP."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self.transport.set_write_buffer_limits(TERMINAL_UNREAD_BYTES)
        if not self._intake.enter(self, self._address):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget all of it."""
        if self._ending is not None:
            self._ending.cancel()
        self._unread = b""
        self.frames = []
        self._hold(0)
        self._intake.leave(self, self._address)
        super().connection_lost(exc)
        self.conn.parser.close()  # a generator of the connection's own

    def cut_off(self) -> None:
        """End the connection without a word."""
        self.transport.abort()

    def _hold(self, held: int) -> bool:
        before, self._held = self._held, held
        return self._intake.hold(self._address, held - before)

    # What the application asks for ------------------------------------------------------------------------

    def greet(self, payload_bytes: int | None = None) -> None:
        """The terminal said hello; someone known may send larger messages."""
        self._intake.understood(self, self._address)
        if payload_bytes is not None:
            self._limit = payload_bytes
        self._greeted = True
        self._read_on()

    async def write_frames(self, frames: Sequence[bytes]) -> None:
        """Send frames that are made already, a few at a time. Waits while the reader does not read."""
        sent = 0
        while sent < len(frames):
            await self.writable.wait()
            if self.disconnected or self.close_sent or self.transport.is_closing():
                raise ClientDisconnected
            end, size = sent, 0
            while end < len(frames) and size < TERMINAL_UNREAD_BYTES:
                size += len(frames[end])
                end += 1
            self.transport.writelines(frames[sent:end])
            sent = end

    # Messages that arrive ---------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on, a slice at a time, until a message is complete; the rest waits until it is taken."""
        if self.conn.parser_exc is not None or (self.close_sent and self.conn.close_sent is None):
            return  # it was ended here
        self._unread = self._unread + data if self._unread else data
        self._read_on()

    def _read_on(self) -> None:
        while self._unread and not self._must_wait() and not self.transport.is_closing():
            data, self._unread = self._unread[:SLICE_BYTES], self._unread[SLICE_BYTES:]
            super().data_received(data)
            if self._arriving() > self._limit and not self._must_wait():
                self._end(TOO_LARGE, PayloadTooLarge())
        if not self._hold(len(self._unread) + self._arriving() + self._complete):
            self._end(TOO_MANY, TooManyConnections())
        self._set_reading()

    def _arriving(self) -> int:
        """Bytes of the message that is not complete yet."""
        return len(self.conn.reader.buffer) + self._partial

    def _must_wait(self) -> bool:
        """Whether a message waits to be taken (a closed WebSocket's are not), or the terminal does not read.

        After the hello it is first decided how large the next message may be.
        """
        if self.close_sent:
            return not self.writable.is_set()
        return not self.queue.empty() or self._said_hello != self._greeted or not self.writable.is_set()

    def _set_reading(self) -> None:
        """Read from the network only while there is nothing to wait for."""
        stop = self._must_wait()
        if stop != self.read_paused and not self.transport.is_closing():
            self.read_paused = stop
            (self.transport.pause_reading if stop else self.transport.resume_reading)()

    async def receive(self) -> Any:
        """The next message, after which the next ones are read."""
        message = await self.queue.get()
        if message["type"] == "websocket.receive":
            self._said_hello = True
            self._complete -= len(message["bytes"] or b"")
        if self.queue.empty():
            self._read_on()
        return message

    def handle_connect(self, event: Any) -> None:
        """Give the application a way to write frames."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

    def handle_text(self, event: Frame) -> None:
        """Text is handed on as bytes: whoever reads its JSON finds out what is no text."""
        super().handle_bytes(event)
        self._count(event)

    def handle_bytes(self, event: Frame) -> None:
        """The same."""
        super().handle_bytes(event)
        self._count(event)

    def handle_cont(self, event: Frame) -> None:
        """A further fragment, of which there may be so many."""
        super().handle_cont(event)
        self._count(event)
        if len(self.frames) > FRAGMENTS:
            self._end(TOO_LARGE, PayloadTooLarge())

    def _count(self, frame: Frame) -> None:
        self._partial += len(frame.data)
        if frame.fin:
            if self._partial > self._limit and not self.close_sent:
                self._end(TOO_LARGE, PayloadTooLarge())
            self._complete, self._partial = self._complete + self._partial, 0

    def handle_parser_exception(self) -> None:
        """What breaks the protocol ends the connection; a message that is too large under our own code."""
        if isinstance(self.conn.parser_exc, PayloadTooBig):
            self.conn.data_to_send()  # the library's own close
            self._end(TOO_LARGE, PayloadTooLarge())
        else:
            super().handle_parser_exception()

    def _end(self, code: int, refusal: Refusal) -> None:
        """Close from here: the application is told that the terminal went.

        What still comes is read and thrown away for a moment. A socket closed with bytes unread would lose the reason.
        """
        if self.close_sent:
            return
        self.close_sent = True
        self._unread, self.frames = b"", []
        self._partial = 0
        self.conn.reader.buffer.clear()
        self._hold(0)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": refusal.code})
        self.transport.write(Frame(Opcode.CLOSE, Close(code, refusal.code).serialize()).serialize(mask=False))
        self.close_timer = self.loop.call_later(THROW_AWAY_SECONDS, self.cut_off)

    # Answers ----------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Who does not read is not read either: answers to pings would pile up."""
        super().pause_writing()
        self._set_reading()

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        self._read_on()

    async def run_asgi(self) -> None:
        """Serve it; one that does not read the rest of its answers is left after a while."""
        await super().run_asgi()
        cast(
            "dict[str, Any]", self.scope
        ).clear()  # it leads back here, and whatever is in a circle stays until the collector comes by
        if not self.disconnected:
            self._ending = self.loop.call_later(CLOSE_SECONDS, self.cut_off)


EXTENSION = "punto.terminal"


def terminal_of(scope: Any) -> TerminalProtocol:
    """The connection under a WebSocket's scope."""
    terminal: TerminalProtocol = scope["extensions"][EXTENSION]
    return terminal


def text_frame(text: bytes) -> bytes:
    """A message as a WebSocket frame: the same bytes for everyone it goes to."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)
