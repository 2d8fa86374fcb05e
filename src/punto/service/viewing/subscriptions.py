"""Messages to the readers of a table. Each reader has a bounded queue of its own, so a slow one harms nobody else."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Generic, TypeVar

import msgspec

from punto.protocol.views import Own

S = TypeVar("S", bound=msgspec.Struct, covariant=True)
_encode = msgspec.json.Encoder().encode


class Message(Generic[S]):
    """A struct of `punto.protocol.views` on its way to those who read a table."""

    __slots__ = ("_sent", "struct")

    def __init__(self, struct: S) -> None:
        self.struct = struct
        self._sent: bytes | None = None

    @property
    def text(self) -> str:
        """The message as JSON."""
        return _encode(self.struct).decode()

    def as_sent(self, framed: Callable[[bytes], bytes]) -> bytes:
        """The message as an edge sends it, made from its JSON once for all who read it."""
        if self._sent is None:
            self._sent = framed(_encode(self.struct))
        return self._sent


AnyMessage = Message[msgspec.Struct]


class Subscription:
    """An asynchronous iterator of messages. It ends when it is closed, or `dropped` for not keeping up."""

    def __init__(self, limit: int, closed: Callable[[Subscription], None]) -> None:
        self._limit = limit
        self._queue: deque[AnyMessage] = deque()
        self._wake, self._loop = asyncio.Event(), asyncio.get_running_loop()
        self._closed = closed
        self.dropped = False
        self.on_change: Callable[[], object] | None = None
        """Called when something waits where nothing did, and when the subscription ends."""
        self.ended = False
        self.own: Own | None = None
        """The reader's own view as it was last sent."""
        self.waiting_since = 0.0
        """When the oldest message that waits came, by the loop's time."""
        self._passing = False
        """True if the queue has passed its limit in this turn of the loop."""

    def put(self, messages: Iterable[AnyMessage]) -> None:
        """Queue messages; a reader that is too far behind is dropped, and what it had not read with it.

        What comes in one turn of the loop is judged once, by what lay unread before it: a commit may bring more
        messages than the limit, and nobody can have read them yet. So a queue holds the limit and one turn at most.
        """
        if self.ended:
            return
        if len(self._queue) > self._limit and not self._passing:
            self._drop()
            return
        was_empty = not self._queue
        self._queue.extend(messages)
        if len(self._queue) > self._limit and not self._passing:
            self._passing = True
            self._loop.call_soon(self._turn_over)
        if was_empty:
            self.waiting_since = self._loop.time()
            self._changed()

    def _changed(self) -> None:
        self._wake.set()
        if self.on_change is not None:
            self.on_change()

    def _turn_over(self) -> None:
        self._passing = False

    def _drop(self) -> None:
        self._queue.clear()
        self.dropped = True
        self.close()

    def close(self) -> None:
        """End the subscription; messages already queued may still be read."""
        if not self.ended:
            self.ended = True
            self._closed(self)
            self._changed()

    @property
    def waits(self) -> bool:
        """True if a message is to be sent."""
        return bool(self._queue)

    def take_frames(self, framed: Callable[[bytes], bytes], enough: int) -> list[bytes]:
        """The waiting messages as an edge sends them, until they come to enough bytes."""
        frames, size = list[bytes](), 0
        while self._queue and size < enough:
            frames.append(self._queue.popleft().as_sent(framed))
            size += len(frames[-1])
        return frames

    def take(self) -> list[AnyMessage]:
        """All that waits, at once, without waiting."""
        messages = list(self._queue)
        self._queue.clear()
        return messages

    def __aiter__(self) -> AsyncIterator[AnyMessage]:
        return self

    async def __anext__(self) -> AnyMessage:
        while not self._queue:
            if self.ended:
                raise StopAsyncIteration
            self._wake.clear()
            await self._wake.wait()
        return self._queue.popleft()
