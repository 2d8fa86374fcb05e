"""A house's end of the bus: what it publishes to the other processes, in order, and what it hears and answers."""

from __future__ import annotations

import asyncio
from typing import Any

from punto.service.cluster.bus import Answer, Bus, News, NobodyAnswersError, Stop


class ClusterLink:
    """Subjects under the house's own prefix. A house of one process has no bus: it tells nobody and hears nothing."""

    def __init__(self, bus: Bus | None, prefix: str) -> None:
        self._bus, self._prefix = bus, prefix
        self._outbox: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._stops: list[Stop] = []
        self._answers: dict[str, Stop] = {}

    @property
    def connected(self) -> bool:
        """Whether other processes may share this house: only then is there anyone to tell."""
        return self._bus is not None

    def publish(self, name: str, news: dict[str, Any]) -> None:
        """Tell the other processes, in the order in which things happened."""
        if self._bus is not None:
            self._outbox.put_nowait((self._subject(name), news))

    async def send(self) -> None:
        """Send what was published, for as long as the house is open."""
        while self._bus is not None:
            subject, news = await self._outbox.get()
            await self._bus.publish(subject, news)

    async def listen(self, name: str, heard: News) -> None:
        """Hear what others tell."""
        if self._bus is not None:
            self._stops.append(await self._bus.listen(self._subject(name), heard))

    async def answer(self, name: str, answer: Answer) -> None:
        """Be the one that answers requests of this name, until `stop_answering`."""
        if self._bus is not None:
            self._answers[name] = await self._bus.answer(self._subject(name), answer)

    async def stop_answering(self, name: str) -> None:
        """Leave the requests of this name to another process."""
        if (stop := self._answers.pop(name, None)) is not None:
            await stop()

    async def request(self, name: str, ask: dict[str, Any], timeout_ms: int) -> dict[str, Any]:
        """Ask the one that answers; NobodyAnswersError if no answer comes."""
        if self._bus is None:
            raise NobodyAnswersError
        return await self._bus.request(self._subject(name), ask, timeout_ms)

    async def close(self) -> None:
        """Hear and answer nothing more."""
        if self._bus is not None:
            for stop in (*self._stops, *self._answers.values()):
                await stop()
            await self._bus.close()

    def _subject(self, name: str) -> str:
        return f"{self._prefix}.{name}"
