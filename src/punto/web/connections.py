"""The connections of the edge. Whoever connects is a stranger: bytes, pieces and time are bounded.

Each is served by a task, which reads the next bytes when it is done with those before. So nothing is read while
something waits, and nothing at all after a refusal.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from punto.protocol.refusals import TooManyConnections, TooManyRequests
from punto.rules.refusals import Refusal, Refused

if TYPE_CHECKING:
    from punto.web.server import Edge
    from punto.web.terminals import Terminal

UNREAD_SECONDS = 20
"""The time that an answer may wait for a reader that takes nothing of it."""
LINGER_SECONDS = 1
"""The time that a refused client has to read why; it is not read meanwhile."""
FREE_PIECES, PIECE_BYTES = 16, 256
"""A request or message may come in so many pieces, and in one more for each so many bytes."""
FREE_BYTES = 2_048
"""Bytes of each connection that are not counted: what others hold keeps no small request out."""
UNREAD_BYTES = 65_536
"""The bytes that may wait for a reader before its writer waits too."""


class ConnectionGoneError(Exception):
    """Nothing more comes from the other side."""


class Connection(asyncio.Protocol):
    """One connection: its place among all, the bytes held for it, and how it ends."""

    transport: asyncio.Transport

    def __init__(self, edge: Edge) -> None:
        self.edge, self.loop = edge, asyncio.get_running_loop()
        self.address = ""
        self.ended = False
        """True if nothing more is read."""
        self.idle = True
        """True while no request is answered."""
        self.terminal: Terminal | None = None
        """The WebSocket that it has become."""
        self.on_writable: Callable[[], object] | None = None
        """Called when what was written is read."""
        self.writable = asyncio.Event()
        self.writable.set()
        self._unread = b""
        self._held = self._arriving = self._pieces = self._size = 0
        self._reading = True
        self._came = asyncio.Event()
        self._refusal: Refusal | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection in, unless there are too many."""
        self.transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.address = peer[0] if peer else ""
        self.transport.set_write_buffer_limits(UNREAD_BYTES)
        self.edge.connections.add(self)
        self.edge.serve(self)
        self._enter()

    def become(self, terminal: Terminal, unread_bytes: int) -> None:
        """Go on as a WebSocket, which has to say what it wants anew; so many bytes may wait for its reader."""
        self.terminal = terminal
        self.transport.set_write_buffer_limits(unread_bytes)
        self.edge.intake.leave(self, self.address)
        self._enter()

    def _enter(self) -> None:
        if not self.edge.intake.enter(self, self.address):
            self.cut_off()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - as asyncio calls it
        """Forget all of it; what was asked is still carried out."""
        self._end_after(None)
        self._end()
        self.edge.intake.leave(self, self.address)
        self.edge.connections.discard(self)
        self.writable.set()

    # Reading -----------------------------------------------------------------------------------------------

    async def read(self, most: int) -> bytes:
        """The next bytes, at most so many. A Refused says why what came is not looked at.

        Whoever does not read what was written is not read either.
        """
        await self.writable.wait()
        if not self._unread and not self.ended:
            self._came.clear()
            self._read_on(read=True)
            await self._came.wait()
        if self._refusal is not None:
            raise Refused(self._refusal)
        if self.ended:
            raise ConnectionGoneError
        piece, self._unread = self._unread[:most], self._unread[most:]
        return piece

    def unread(self, piece: bytes) -> None:
        """Put back what belongs to the next reader."""
        self._unread = piece + self._unread

    def data_received(self, data: bytes) -> None:
        """Keep what came for the reader, and take no more until it has looked."""
        if self.ended:
            return
        self._unread = self._unread + data if self._unread else data
        self._pieces += 1
        self._size += len(data)
        self._read_on(read=False)
        if self._pieces > FREE_PIECES + self._size // PIECE_BYTES and self.address not in self.edge.app.proxies:
            self.refuse(TooManyRequests())
        self.hold(self._arriving)
        self._came.set()

    def whole(self) -> None:
        """A request or a frame is complete: the pieces of the next are counted anew."""
        self._pieces = 0
        self._size = len(self._unread)

    def hold(self, arriving: int) -> None:
        """Count the bytes held here: what nobody has looked at yet, and so many of what is not whole."""
        self._arriving = arriving
        if not self._count_held(len(self._unread) + arriving):
            self.refuse(TooManyConnections())

    def _count_held(self, held: int) -> bool:
        counted = held if held > FREE_BYTES else 0
        before, self._held = self._held, counted
        return counted == before or self.edge.intake.hold(self.address, counted - before)

    def _read_on(self, *, read: bool) -> None:
        if read != self._reading and not self.transport.is_closing():
            self._reading = read
            (self.transport.resume_reading if read else self.transport.pause_reading)()

    # The end -----------------------------------------------------------------------------------------------

    def refuse(self, refusal: Refusal) -> None:
        """Read nothing more; whoever reads is told why."""
        if not self.ended:
            self._refusal = refusal
            self._end()

    def linger(self) -> None:
        """Let the client read the last that was written, and read nothing more of it."""
        self._end()
        if not self.transport.is_closing():
            self.transport.write_eof()
            self._end_after(LINGER_SECONDS)

    def finish(self) -> None:
        """Close when all that was written is sent."""
        self._end()
        self._end_after(UNREAD_SECONDS)
        self.transport.close()

    def stop(self) -> None:
        """End because the server stops, after what is asked already."""
        if self.terminal is not None:
            self.terminal.stop()
        elif self.idle:
            self.transport.close()

    def cut_off(self) -> None:
        """End the connection without a word."""
        self.transport.abort()

    def _end(self) -> None:
        self.ended, self._unread = True, b""
        self.hold(0)
        self._read_on(read=False)
        self._came.set()

    def _end_after(self, seconds: float | None) -> None:
        """Cut the connection off after a while; None puts that off."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self.cut_off)

    # Writing -----------------------------------------------------------------------------------------------

    def pause_writing(self) -> None:
        """Wait for the reader, for a while, and only while there is room for what it does not read."""
        self.writable.clear()
        self._end_after(UNREAD_SECONDS)
        if self.terminal is None and not self._count_held(self._held + self.transport.get_write_buffer_size()):
            self.cut_off()

    def resume_writing(self) -> None:
        """Go on."""
        self.writable.set()
        if not self.ended:
            self._end_after(None)
        if self.on_writable is not None:
            self.on_writable()
