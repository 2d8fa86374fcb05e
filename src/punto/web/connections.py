"""The connections of the edge. Whoever connects is a stranger: bytes, pieces and time are bounded.

httptools reads requests and websockets reads frames (`punto.web.terminals`). A connection is read only while nothing
that it brought waits, and not at all once it was refused.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

import httptools

from punto.protocol.refusals import BodyLate, PayloadTooLarge, RequestUnreadable, TooManyConnections, TooManyRequests
from punto.rules.refusals import Refusal
from punto.web.logs import log
from punto.web.proxies import FORWARDED_FOR
from punto.web.requests import Request, Response

if TYPE_CHECKING:
    from punto.web.server import Edge

HEAD_BYTES = 16_384
HEADERS = 100
REQUEST_SECONDS = 10
"""The time that a connection may take over its next request, and a request from its beginning to its end."""
UNREAD_SECONDS = 20
"""The time that an answer may wait for a reader that takes nothing of it."""
LINGER_SECONDS = 1
"""The time that a refused client has to read why; it is not read meanwhile."""
REQUESTS_AHEAD = 16
"""Requests that one connection may send before the first is answered."""
FREE_PIECES, PIECE_BYTES = 16, 256
"""A request or message may come in so many pieces, and in one more for each so many bytes."""
UNREAD_BYTES = 65_536
"""The bytes that may wait for a reader before its writer waits too."""
NO_BODY = frozenset({204, 304})
"""Statuses of answers that have none."""
CLOSING = frozenset({408, 413, 429})
"""Statuses after which a connection is not read on."""
STATUS_LINES = {each.value: f"HTTP/1.1 {each.value} {each.phrase}\r\n".encode() for each in HTTPStatus}


class Connection(asyncio.Protocol):
    """The common part of connections: their place among all, the bytes held for them, and how they end."""

    transport: asyncio.Transport
    unread_bytes = UNREAD_BYTES
    slice_bytes = 4_096
    """The bytes looked at a time. Nothing more is looked at while something whole waits, or after a refusal."""

    def __init__(self, edge: Edge) -> None:
        self.edge, self.loop = edge, asyncio.get_running_loop()
        self.address = ""
        self.refused = False
        """True if it was told to go: nothing more is read."""
        self.writable = asyncio.Event()
        self.writable.set()
        self._unread = b""
        self._held = self._pieces = self._size = 0
        self._reading = True
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection in, unless there are too many."""
        self.transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if peer else ""
        self.transport.set_write_buffer_limits(self.unread_bytes)
        self.edge.connections.add(self)
        if not self.edge.intake.enter(self, self.address):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - as asyncio calls it
        """Forget all of it."""
        self.end_after(None)
        self._unread, self.refused = b"", True
        self._hold(0)
        self.edge.intake.leave(self, self.address)
        self.edge.connections.discard(self)
        self.writable.set()

    def cut_off(self) -> None:
        """End the connection without a word."""
        self.transport.abort()

    def end_after(self, seconds: float | None) -> None:
        """Cut the connection off after a while; None puts that off."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.too_late)

    def too_late(self) -> None:
        """Time is up."""
        self.cut_off()

    def linger(self) -> None:
        """Let the client read the last that was written, and read nothing more of it."""
        self.refused, self._unread = True, b""
        self._hold(0)
        self._read_on()
        if not self.transport.is_closing():
            if self.transport.can_write_eof():
                self.transport.write_eof()
            self.end_after(LINGER_SECONDS)

    # Reading -----------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Look at what came, a slice at a time."""
        if self.refused:
            return
        self._unread = self._unread + data if self._unread else data
        self._pieces += 1
        self._size += len(data)
        if self._pieces > FREE_PIECES + self._size // PIECE_BYTES and self.address not in self.edge.app.proxies:
            self.refuse(TooManyRequests())
        self.read_on()

    def whole(self) -> None:
        """A request or a frame is complete: the pieces of the next are counted anew."""
        self._pieces = 0
        self._size = len(self._unread)

    def read_on(self) -> None:
        """Look at what was read already, then read more."""
        while self._unread and not self.refused and not self.must_wait():
            piece, self._unread = self._unread[: self.slice_bytes], self._unread[self.slice_bytes :]
            self.parse(piece)
        if not self.refused and not self._hold(len(self._unread) + self.arriving()):
            self.refuse(TooManyConnections())
        self._read_on()

    def _read_on(self) -> None:
        read = not self.refused and not self.must_wait()
        if read != self._reading and not self.transport.is_closing():
            self._reading = read
            (self.transport.resume_reading if read else self.transport.pause_reading)()

    def _hold(self, held: int) -> bool:
        """Count the bytes held for this connection; whether there is room for them."""
        before, self._held = self._held, held
        return held == before or self.edge.intake.hold(self.address, held - before)

    def stop(self) -> None:
        """End because the server stops."""
        raise NotImplementedError

    def must_wait(self) -> bool:
        """True if something that came waits to be taken, or the client does not read."""
        raise NotImplementedError

    def arriving(self) -> int:
        """Bytes of what is not whole yet."""
        raise NotImplementedError

    def parse(self, piece: bytes) -> None:
        """Look at a slice."""
        raise NotImplementedError

    def refuse(self, refusal: Refusal) -> None:
        """Say why the connection ends."""
        raise NotImplementedError

    # Writing -----------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Wait for the reader, for a while."""
        self.writable.clear()
        self.end_after(UNREAD_SECONDS)
        self._read_on()

    def resume_writing(self) -> None:
        """Go on."""
        self.writable.set()
        if not self.refused:
            self.end_after(None)
            self.read_on()


class HttpConnection(Connection):
    """An HTTP connection: requests one after the other, until one of them makes it a WebSocket."""

    def __init__(self, edge: Edge) -> None:
        super().__init__(edge)
        self._parser = httptools.HttpRequestParser(self)
        self._asked = deque[Request | Refusal]()
        self._task: asyncio.Task[None] | None = None
        self._in_head, self._head_bytes = True, 0
        self._url, self._body = b"", b""
        self._headers: dict[str, str] = {}
        self._count = self._head_size = 0
        self._too_large = False
        self.stopping = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for a request."""
        super().connection_made(transport)
        self.end_after(REQUEST_SECONDS)

    def too_late(self) -> None:
        """Say that a body did not come; a head that did not come gets no answer."""
        if self.refused or self._in_head or self._task is not None:
            self.cut_off()
        else:
            self.refuse(BodyLate())

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget all of it; what was asked is still carried out."""
        super().connection_lost(exc)
        self._asked.clear()
        del self._parser  # it leads back here: a circle that stays until the collector comes by

    def pause_writing(self) -> None:
        """Wait for the reader only while there is room for what it does not read."""
        super().pause_writing()
        if not self._hold(self._held + self.transport.get_write_buffer_size()):
            self.cut_off()

    def must_wait(self) -> bool:
        """One request is answered before the next is looked at."""
        return self._task is not None

    def arriving(self) -> int:
        """The body, and what the parser has of a head."""
        return len(self._body) + self._head_bytes

    def refuse(self, refusal: Refusal) -> None:
        """Answer with a refusal after what was asked before it, and close."""
        if not self.refused:
            self.refused = True
            self._asked.append(refusal)
            self._start()

    def stop(self) -> None:
        """End after what is asked already."""
        self.stopping = True
        if self._task is None:
            self.transport.close()

    # Requests ----------------------------------------------------------------------------------------------

    def parse(self, piece: bytes) -> None:
        """Feed the parser, which calls the functions below."""
        in_head = self._in_head
        try:
            self._parser.feed_data(piece)
        except httptools.HttpParserUpgrade as upgrade:
            self._unread = piece[upgrade.args[0] :] + self._unread
        except httptools.HttpParserError:
            self.refuse(PayloadTooLarge() if self._too_large else RequestUnreadable())
        if in_head and self._in_head:
            self._head_bytes += len(piece)
            if self._head_bytes > HEAD_BYTES:
                self.refuse(RequestUnreadable())

    def on_message_begin(self) -> None:
        """A request begins, which must come in time. What is raised here makes it a bad one."""
        if len(self._asked) >= REQUESTS_AHEAD:
            raise ValueError("too many requests ahead of their answers")
        self._url, self._headers, self._body = b"", {}, b""
        self._in_head, self._head_bytes = True, 0
        self._count = self._head_size = 0
        if self._task is None:
            self.end_after(REQUEST_SECONDS)

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more header. Of two with the same name the first counts, but each proxy may add a line of its own."""
        self._count += 1
        self._head_size += len(name) + len(value)
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        if key in self._headers and key == FORWARDED_FOR:
            text = f"{self._headers.pop(key)},{text}"
        self._headers.setdefault(key, text)
        if self._count > HEADERS or self._head_size + len(self._url) > HEAD_BYTES:
            raise ValueError("the head of a request is too large")

    def on_headers_complete(self) -> None:
        """The head is there: the connection has said what it wants."""
        self._in_head, self._head_bytes = False, 0
        self.edge.intake.understood(self, self.address)
        self._check_size(int(self._headers.get("content-length", 0)))
        if self._headers.get("expect", "").lower() == "100-continue":
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """A piece of a body."""
        self._check_size(len(self._body) + len(body))
        self._body += body

    def _check_size(self, size: int) -> None:
        if size > self.edge.app.house.settings.edge.payload_bytes:
            self._too_large = True
            raise ValueError("the body of a request is too large")

    def on_message_complete(self) -> None:
        """A request is whole."""
        url, parser = httptools.parse_url(self._url), self._parser
        path = url.path.decode("ascii")
        request = Request(
            method=parser.get_method().decode("ascii"),
            path=unquote(path) if "%" in path else path,
            query=(url.query or b"").decode("latin-1"),
            headers=self._headers,
            address=self.address,
            body=self._body,
            version=parser.get_http_version(),
            last=not parser.should_keep_alive() or parser.should_upgrade() or parser.get_http_version() == "1.0",
        )
        self._in_head, self._body = True, b""
        self.whole()
        self._asked.append(request)
        self._start()

    # Answers -----------------------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._task is None and not self.transport.is_closing():
            self.end_after(None)
            self._task = self.edge.run(self._serve())

    async def _serve(self) -> None:
        try:
            await self._answer_all()
        except Exception:
            log.exception("an answer broke off")
            self.cut_off()

    async def _answer_all(self) -> None:
        """Answer what was asked, in order."""
        while self._asked:
            asked = self._asked.popleft()
            if isinstance(asked, Refusal):
                await self._write(self.edge.app.refuse_unread(asked), last=True)
                self.linger()
                return
            self.edge.app.receive(asked)
            if (terminal := self.edge.terminal(asked)) is not None:
                self._become(terminal)
                return
            answer = await self.edge.app.answer(asked)
            # A process that stops ends connections with an answer: no request is under way on one that it cuts.
            ending = self.stopping or self.edge.app.house.supervisor.closing
            last = asked.last or ending or answer.status in CLOSING
            await self._write(answer, last=last, head=asked.method == "HEAD", chunks=asked.version != "1.0")
            if answer.status in CLOSING:
                self.linger()
                return
            if last:
                self.refused = True
                self.end_after(UNREAD_SECONDS)
                self.transport.close()  # when all of it is sent
                return
        self._task = None
        self.end_after(REQUEST_SECONDS)
        self.read_on()

    def _become(self, terminal: Connection) -> None:
        """Leave the rest to the WebSocket that this connection becomes."""
        transport, unread, self._task = self.transport, self._unread, None
        if not transport.is_closing():
            transport.resume_reading()
            transport.set_protocol(terminal)
            self.connection_lost(None)
            terminal.connection_made(transport)
            terminal.data_received(unread)

    async def _write(self, answer: Response, *, last: bool, head: bool = False, chunks: bool = True) -> None:
        """Send an answer; waits while the client does not read."""
        lines = [STATUS_LINES[answer.status]]
        for name, value in answer.headers:
            if b"\n" in value or b"\r" in value:
                raise ValueError("a header cannot have two lines")
            lines.append(b"%b: %b\r\n" % (name, value))
        if last:
            lines.append(b"connection: close\r\n")
        body = answer.body
        if isinstance(body, bytes):
            if answer.status not in NO_BODY:
                lines.append(b"content-length: %d\r\n" % len(body))
            lines.append(b"\r\n")
            self.transport.writelines(lines if head else [*lines, body])
        else:
            lines.append(b"transfer-encoding: chunked\r\n\r\n" if chunks else b"\r\n")
            self.transport.writelines(lines)
            if not head:
                await self._write_pieces(body, chunks=chunks)
        await self.writable.wait()

    async def _write_pieces(self, pieces: AsyncIterator[bytes], *, chunks: bool) -> None:
        async for piece in pieces:
            await self.writable.wait()
            if self.transport.is_closing():
                return
            self.transport.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunks and piece else piece)
        if chunks:
            self.transport.write(b"0\r\n\r\n")
