"""A WebSocket, whose frames websockets reads; every frame counts as a message, of control too."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request as Handshake
from websockets.protocol import State
from websockets.server import ServerProtocol

from punto.protocol.refusals import PayloadTooLarge, TooManyRequests
from punto.rules.refusals import Refused
from punto.web.connections import Connection
from punto.web.limits import RateLimiter
from punto.web.requests import Request

STRANGER_RATE, STRANGER_BURST = 1, 10
"""Frames a second, and at once, of a terminal that is nobody's: a display board may ping."""
TERMINAL_UNREAD_BYTES = 8_192
"""The bytes that may wait for a reader: there are thousands, and what waits in their queues is the same for all."""
SLICE_BYTES = 256
"""The bytes looked at a time."""
TOO_LARGE, RESTARTING, TOO_MANY = 1009, 1012, 4029


class Terminal:
    """A WebSocket, as whoever serves it sees it: messages in, frames out."""

    def __init__(self, connection: Connection, request: Request) -> None:
        """Answer the request for it."""
        self.connection, limits = connection, connection.edge.app.house.settings.edge
        self._socket = ServerProtocol(state=State.OPEN, max_size=limits.payload_bytes)
        self._limit = limits.stranger_bytes
        self._parts: list[bytes] = []
        self._arriving = 0
        self._messages = deque[bytes]()
        strangers = RateLimiter(STRANGER_RATE, STRANGER_BURST)
        self.count: Callable[[], bool] = lambda: strangers.take("")
        """Counts a message; whether it may be sent. A message that is whole is counted by whoever takes it."""
        connection.become(self, TERMINAL_UNREAD_BYTES)
        response = self._socket.accept(Handshake(request.path, Headers(request.headers)))
        connection.transport.write(response.serialize())
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            connection.linger()

    def forget(self) -> None:
        """Let go of all that leads back here: circles stay until the collector comes by."""
        self._socket.parser.close()
        self._socket.events = []
        self.connection.terminal = None

    def greet(self, payload_bytes: int | None = None, count: Callable[[], bool] | None = None) -> None:
        """Know the terminal: it said hello. Someone known may send larger messages, and is counted as a person."""
        self.connection.edge.intake.understood(self.connection, self.connection.address)
        self._limit = payload_bytes or self._limit
        self.count = count or self.count

    async def receive(self) -> bytes:
        """The next message; nothing is looked at before someone asks for it."""
        while not self._messages:
            self._parse(await self.connection.read(SLICE_BYTES))
        return self._messages.popleft()

    @property
    def is_writable(self) -> bool:
        """True if it reads what is sent; `on_writable` of its connection is called when it does again."""
        return self.connection.writable.is_set() and not self.connection.ended

    def write(self, frames: Sequence[bytes]) -> None:
        """Send frames that are made already."""
        if not self.connection.transport.is_closing():
            self.connection.transport.writelines(frames)

    def close(self, code: int, reason: str = "") -> None:
        """Say why it ends. One that does not read cannot be told, and is left."""
        if self._socket.state is State.OPEN and not self.connection.transport.is_closing():
            self._socket.send_close(code, reason)
            self._send()
            self.connection.linger()

    def stop(self) -> None:
        """Say that the house closes."""
        self.close(RESTARTING)

    # Frames ------------------------------------------------------------------------------------------------

    def _parse(self, piece: bytes) -> None:
        """Look at the frames in a slice, and answer pings. What breaks the protocol is closed by websockets."""
        self._arriving += len(piece)
        self._socket.receive_data(piece)
        for frame in self._socket.events_received():
            if isinstance(frame, Frame):
                self._take(frame)
        if self._arriving > self._limit + SLICE_BYTES:
            raise Refused(PayloadTooLarge())
        self.connection.hold(self._arriving)
        self._send()
        if self._socket.parser_exc is not None:
            self.connection.linger()
        elif self._socket.state is not State.OPEN:
            self.connection.transport.close()

    def _send(self) -> None:
        if sent := b"".join(self._socket.data_to_send()):
            self.connection.transport.write(sent)

    def _take(self, frame: Frame) -> None:
        """Take a frame. One that completes no message counts as one by itself, of control too."""
        self.connection.whole()
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            self._parts.append(bytes(frame.data))
            if frame.fin:
                message = b"".join(self._parts)
                if len(message) > self._limit:
                    raise Refused(PayloadTooLarge())
                self._messages.append(message)
                self._parts, self._arriving = [], 0
                return
        if frame.opcode is not Opcode.CLOSE and not self.count():
            raise Refused(TooManyRequests())


def text_frame(text: bytes) -> bytes:
    """A message as a WebSocket frame: the same bytes for everyone it goes to."""
    return Frame(Opcode.TEXT, text).serialize(mask=False)
