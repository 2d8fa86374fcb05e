"""A WebSocket, whose frames websockets reads; every frame counts as a message, of control too."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request as Handshake
from websockets.protocol import State
from websockets.server import ServerProtocol

from punto.protocol.refusals import PayloadTooLarge, TooManyRequests
from punto.rules.refusals import Refusal
from punto.web.connections import Connection
from punto.web.limits import RateLimiter
from punto.web.requests import Request

if TYPE_CHECKING:
    from punto.web.server import Edge

STRANGER_RATE, STRANGER_BURST = 1, 10
"""Frames a second, and at once, of a terminal that is nobody's: a display board may ping."""
TERMINAL_UNREAD_BYTES = 8_192
"""The bytes that may wait for a reader: there are thousands, and what waits in their queues is the same for all."""
TOO_LARGE, RESTARTING, TOO_MANY = 1009, 1012, 4029


class TerminalGoneError(Exception):
    """The other side of a WebSocket is no longer there."""


class Terminal(Connection):
    """A WebSocket, as whoever serves it sees it: messages in, frames out."""

    unread_bytes, slice_bytes = TERMINAL_UNREAD_BYTES, 256

    def __init__(
        self, edge: Edge, request: Request, serve: Callable[[Terminal, Request], Coroutine[Any, Any, None]]
    ) -> None:
        super().__init__(edge)
        self._request, self._serve = request, serve
        limits = edge.app.house.settings.edge
        self._socket = ServerProtocol(state=State.OPEN, max_size=limits.payload_bytes)
        self._limit = limits.stranger_bytes
        self._parts: list[bytes] = []
        self._arriving = 0
        self._messages = deque[bytes]()
        self._wanted: asyncio.Future[None] | None = None
        self.on_writable: Callable[[], None] | None = None
        strangers = RateLimiter(STRANGER_RATE, STRANGER_BURST)
        self.count: Callable[[], bool] = lambda: strangers.take("")
        """Counts a message; whether it may be sent. A message that is whole is counted by whoever takes it."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over from HTTP."""
        super().connection_made(transport)
        asked = Handshake(self._request.path, Headers(self._request.headers))
        response = self._socket.accept(asked)
        self.transport.write(response.serialize())
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.edge.run(self._serve(self, self._request))
        else:
            self.linger()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget all of it."""
        super().connection_lost(exc)
        self._parts, self._socket.events = [], []
        self._wake()
        self._socket.parser.close()  # a circle

    def greet(self, payload_bytes: int | None = None, count: Callable[[], bool] | None = None) -> None:
        """Know the terminal: it said hello. Someone known may send larger messages, and is counted as a person."""
        self.edge.intake.understood(self, self.address)
        self._limit = payload_bytes or self._limit
        self.count = count or self.count

    async def receive(self) -> bytes:
        """The next message; nothing is looked at before someone asks for it."""
        while not self._messages:
            if self.refused:
                raise TerminalGoneError
            self._wanted = self.loop.create_future()
            self.read_on()
            await self._wanted
        return self._messages.popleft()

    @property
    def is_writable(self) -> bool:
        """True if it reads what is sent; `on_writable` is called when it does again."""
        return self.writable.is_set() and not self.refused

    def write(self, frames: Sequence[bytes]) -> None:
        """Send frames that are made already."""
        if not self.transport.is_closing():
            self.transport.writelines(frames)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if self.on_writable is not None:
            self.on_writable()

    def close(self, code: int, reason: str = "") -> None:
        """Say why it ends. One that does not read cannot be told, and is left."""
        if not self.refused and self._socket.state is State.OPEN and not self.transport.is_closing():
            self._socket.send_close(code, reason)
            self.transport.write(b"".join(self._socket.data_to_send()))
            self.linger()

    def stop(self) -> None:
        """Say that the house closes."""
        self.close(RESTARTING)

    def linger(self) -> None:
        """Let the client read the last that was written; whoever waits for a message is told."""
        super().linger()
        self._wake()

    # Frames ------------------------------------------------------------------------------------------------

    def must_wait(self) -> bool:
        """One message is taken before the next is looked at; whoever does not read is not read either."""
        return self._wanted is None or self._wanted.done() or not self.writable.is_set()

    def arriving(self) -> int:
        """Bytes of messages that are not whole or not taken."""
        return self._arriving

    def refuse(self, refusal: Refusal) -> None:
        """Close for what was sent."""
        self._messages.clear()
        self.close(TOO_MANY, refusal.code)

    def parse(self, piece: bytes) -> None:
        """Look at the frames in a slice, and answer pings. What breaks the protocol is closed by websockets."""
        self._arriving += len(piece)
        self._socket.receive_data(piece)
        for frame in self._socket.events_received():
            if isinstance(frame, Frame) and not self.refused:
                self._take(frame)
        if self._arriving > self._limit + self.slice_bytes:
            self.close(TOO_LARGE, PayloadTooLarge().code)
        if self.refused:
            return
        if sent := b"".join(self._socket.data_to_send()):
            self.transport.write(sent)
        if self._socket.parser_exc is not None:
            self.linger()
        elif self._socket.state is not State.OPEN:
            self.transport.close()

    def _take(self, frame: Frame) -> None:
        """Take a frame. One that completes no message counts as one by itself, of control too."""
        self.whole()
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                message = b"".join(self._parts)
                if len(message) > self._limit:
                    self.close(TOO_LARGE, PayloadTooLarge().code)
                self._messages.append(message)
                self._parts, self._arriving = [], 0
                self._wake()
                return
        if frame.opcode is not Opcode.CLOSE and not self.count():
            self.refuse(TooManyRequests())

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)


def text_frame(text: bytes) -> bytes:
    """A message as a WebSocket frame: the same bytes for everyone it goes to."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)
