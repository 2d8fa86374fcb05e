"""HTTP on a connection: requests one after the other, until one of them makes it a WebSocket. httptools reads them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import closing
from http import HTTPStatus
from urllib.parse import unquote

import httptools

from punto.protocol.refusals import BodyLate, PayloadTooLarge, RequestUnreadable
from punto.rules.refusals import Refusal, Refused
from punto.web import sockets
from punto.web.connections import Connection, ConnectionGoneError
from punto.web.logs import log
from punto.web.proxies import FORWARDED_FOR
from punto.web.requests import Request, Response

HEAD_BYTES = 16_384
HEADERS = 100
REQUEST_SECONDS = 10
"""The time that a connection may take over its next request, and a request from its beginning to its end."""
SLICE_BYTES = 1_024
"""The bytes looked at a time: few requests come in one before any is answered."""
NO_BODY = frozenset({204, 304})
"""Statuses of answers that have none."""
CLOSING = frozenset({408, 413, 429})
"""Statuses after which a connection is not read on."""
STATUS_LINES = {each.value: f"HTTP/1.1 {each.value} {each.phrase}\r\n".encode() for each in HTTPStatus}


async def serve(connection: Connection) -> None:
    """Serve a connection until it ends."""
    try:
        with closing(Requests(connection)) as requests:
            upgrade = await requests.answer_all()
        if upgrade is not None:
            await sockets.serve(connection, upgrade)
    except ConnectionGoneError:
        pass
    except Exception:
        log.exception("an answer broke off")
        connection.cut_off()


class Requests:
    """The requests of a connection. The parser calls the methods that begin with `on`; what they raise is refused."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._app = connection, connection.edge.app
        self._parser = httptools.HttpRequestParser(self)
        self._asked = deque[Request | Refusal]()
        self._limit = asyncio.timeout(None)
        self._in_head, self._head_bytes, self._header_count = True, 0, 0
        self._url, self._body = b"", b""
        self._headers: dict[str, str] = {}

    def close(self) -> None:
        """Let go of the parser, which leads back here: a circle that stays until the collector comes by."""
        del self._parser

    async def answer_all(self) -> Request | None:
        """Answer requests in turn. One that asks for a WebSocket is given back."""
        connection, app = self._connection, self._app
        while True:
            asked = await self._next()
            if isinstance(asked, Refusal):
                await self._write(app.refuse_unread(asked), None)
                connection.linger()
                return None
            app.receive(asked)
            if sockets.asks_for_terminal(asked):
                return asked
            answer = await app.answer(asked)
            # A process that stops ends connections with an answer: no request is under way on one that it cuts.
            asked.last |= connection.edge.stopping or app.house.supervisor.closing or answer.status in CLOSING
            await self._write(answer, asked)
            if asked.last:
                connection.linger() if answer.status in CLOSING else connection.finish()
                return None

    # Reading -----------------------------------------------------------------------------------------------

    async def _next(self) -> Request | Refusal:
        """The next request, or what is wrong with it. A head that does not come gets no answer."""
        connection = self._connection
        connection.idle = not self._asked
        try:
            async with asyncio.timeout(REQUEST_SECONDS) as self._limit:
                while not self._asked:
                    self._feed(await connection.read(SLICE_BYTES))
        except Refused as error:
            return error.refusal
        except TimeoutError:
            if not self._in_head:
                return BodyLate()
            connection.cut_off()
        if connection.transport.is_closing():
            raise ConnectionGoneError
        connection.idle = False
        return self._asked.popleft()

    def _feed(self, piece: bytes) -> None:
        in_head = self._in_head
        try:
            self._parser.feed_data(piece)
        except httptools.HttpParserUpgrade as upgrade:
            self._connection.unread(piece[upgrade.args[0] :])
        except httptools.HttpParserError as error:
            reason = error.__context__
            self._asked.append(reason.refusal if isinstance(reason, Refused) else RequestUnreadable())
        if in_head and self._in_head:
            self._head_bytes += len(piece)
            if self._head_bytes > HEAD_BYTES:
                self._asked.append(RequestUnreadable())
        self._connection.hold(len(self._body) + self._head_bytes)

    def on_message_begin(self) -> None:
        """A request begins, which must come in time."""
        self._url, self._headers, self._body = b"", {}, b""
        self._in_head, self._head_bytes, self._header_count = True, 0, 0
        self._limit.reschedule(self._connection.loop.time() + REQUEST_SECONDS)

    def on_url(self, url: bytes) -> None:
        """A part of the address."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more header. Of two with the same name the first counts, but each proxy may add a line of its own."""
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        if key in self._headers and key == FORWARDED_FOR:
            text = f"{self._headers.pop(key)},{text}"
        self._headers.setdefault(key, text)
        self._header_count += 1
        if self._header_count > HEADERS:
            raise Refused(RequestUnreadable())

    def on_headers_complete(self) -> None:
        """The head is there: the connection has said what it wants."""
        self._in_head, self._head_bytes = False, 0
        self._connection.edge.intake.understood(self._connection, self._connection.address)
        self._check_size(int(self._headers.get("content-length", 0)))
        if self._headers.get("expect", "").lower() == "100-continue":
            self._connection.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """A piece of a body."""
        self._check_size(len(self._body) + len(body))
        self._body += body

    def _check_size(self, size: int) -> None:
        if size > self._app.house.settings.edge.payload_bytes:
            raise Refused(PayloadTooLarge())

    def on_message_complete(self) -> None:
        """A request is whole."""
        url, parser = httptools.parse_url(self._url), self._parser
        path, version = url.path.decode("ascii"), parser.get_http_version()
        request = Request(
            method=parser.get_method().decode("ascii"),
            path=unquote(path) if "%" in path else path,
            query=(url.query or b"").decode("latin-1"),
            headers=self._headers,
            address=self._connection.address,
            body=self._body,
            version=version,
            last=not parser.should_keep_alive() or parser.should_upgrade() or version == "1.0",
        )
        self._in_head, self._body = True, b""
        self._connection.whole()
        self._asked.append(request)

    # Writing -----------------------------------------------------------------------------------------------

    async def _write(self, answer: Response, request: Request | None) -> None:
        """Send an answer, which is the last one where there was no request; waits while the client does not read."""
        lines = [STATUS_LINES[answer.status]]
        for name, value in answer.headers:
            if b"\n" in value or b"\r" in value:
                raise ValueError("a header cannot have two lines")
            lines.append(b"%b: %b\r\n" % (name, value))
        if request is None or request.last:
            lines.append(b"connection: close\r\n")
        body, transport = answer.body, self._connection.transport
        chunks, head = request is None or request.version != "1.0", request is not None and request.method == "HEAD"
        if isinstance(body, bytes):
            if answer.status not in NO_BODY:
                lines.append(b"content-length: %d\r\n" % len(body))
            transport.writelines([*lines, b"\r\n", b"" if head else body])
        else:
            transport.writelines([*lines, b"transfer-encoding: chunked\r\n\r\n" if chunks else b"\r\n"])
            if not head:
                await self._write_pieces(body, chunks=chunks)
        await self._connection.writable.wait()

    async def _write_pieces(self, pieces: AsyncIterator[bytes], *, chunks: bool) -> None:
        transport = self._connection.transport
        async for piece in pieces:
            await self._connection.writable.wait()
            if transport.is_closing():
                return
            transport.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunks and piece else piece)
        if chunks:
            transport.write(b"0\r\n\r\n")
