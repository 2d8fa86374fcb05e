"""A house's end of the bus: what it publishes to the other processes, in order, and what it hears and answers.

What travels are structs. Other processes may be of another version: what cannot be read is not heard.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from msgspec import Struct

from punto.service.cluster.bus import Bus, NobodyAnswersError, Stop

S = TypeVar("S", bound=Struct)
A = TypeVar("A", bound=Struct)


class HouseNews(Struct, omit_defaults=True):
    """The changes in the house: balances, the tables there are, these people."""

    balances: dict[str, int] = {}
    tables: bool = False
    people: list[str] = []


class ClusterLink:
    """Subjects under the house's own prefix. A house of one process has no bus: it tells nobody and hears nothing.

    `shared` says whether other processes may run tables of the house, admit people and end their tokens.
    """

    def __init__(self, bus: Bus | None, prefix: str, *, shared: bool) -> None:
        self._bus, self._prefix, self.shared = bus, prefix, shared
        self._outbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._stops: list[Stop] = []
        self._answers: dict[str, Stop] = {}

    @property
    def connected(self) -> bool:
        """True if there is anyone to tell."""
        return self._bus is not None

    @property
    def reachable(self) -> bool:
        """True if the others can be told now; there may be none."""
        return self._bus is None or self._bus.connected

    def publish(self, name: str, news: Struct) -> None:
        """Tell the other processes, in the order in which things happened."""
        if self._bus is not None:
            self._outbox.put_nowait((self._subject(name), msgspec.json.encode(news)))

    async def send(self) -> None:
        """Send what was published, for as long as the house is open."""
        while self._bus is not None:
            subject, news = await self._outbox.get()
            await self._bus.publish(subject, news)

    async def listen(self, name: str, kind: type[S], heard: Callable[[S], None]) -> None:
        """Hear what others tell."""

        def hear(data: bytes) -> None:
            if (news := _read(data, kind)) is not None:
                heard(news)

        if self._bus is not None:
            self._stops.append(await self._bus.listen(self._subject(name), hear))

    async def answer(self, name: str, kind: type[S], answer: Callable[[S], Awaitable[Struct]]) -> None:
        """Be the one that answers requests of this name, until `stop_answering`. An answer given before ends."""

        async def respond(data: bytes) -> bytes:
            ask = _read(data, kind)
            return b"" if ask is None else msgspec.json.encode(await answer(ask))

        await self.stop_answering(name)
        if self._bus is not None:
            self._answers[name] = await self._bus.answer(self._subject(name), respond)

    async def stop_answering(self, name: str) -> None:
        """Leave the requests of this name to another process."""
        if (stop := self._answers.pop(name, None)) is not None:
            await stop()

    async def request(self, name: str, ask: Struct, kind: type[A], timeout_ms: int) -> A:
        """Ask the one that answers; NobodyAnswersError if no answer comes that can be read."""
        if self._bus is None:
            raise NobodyAnswersError(name)
        reply = _read(await self._bus.request(self._subject(name), msgspec.json.encode(ask), timeout_ms), kind)
        if reply is None:
            raise NobodyAnswersError(name)
        return reply

    async def close(self) -> None:
        """Hear and answer nothing more."""
        if self._bus is not None:
            for stop in (*self._stops, *self._answers.values()):
                await stop()
            await self._bus.close()
            self._bus = None

    def _subject(self, name: str) -> str:
        return f"{self._prefix}.{name}"


def _read(data: bytes, kind: type[S]) -> S | None:
    try:
        return msgspec.json.decode(data, type=kind)
    except (ValueError, RecursionError):  # not JSON, of another shape, not UTF-8, or nested too deeply
        return None
