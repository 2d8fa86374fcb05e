"""A clock that tests advance by hand."""

from __future__ import annotations

import asyncio


class ManualClock:
    """A clock that stands until it is advanced."""

    def __init__(self, now_ms: int = 1_763_200_000_000) -> None:
        self._now = now_ms
        self._steady = 0
        self._waiting: dict[asyncio.Future[None], int] = {}
        self._someone_waits = asyncio.Event()

    def now_ms(self) -> int:
        """The time of day, as it was set and advanced."""
        return self._now

    def steady_ms(self) -> int:
        """How far the clock was advanced in all."""
        return self._steady

    async def sleep_until(self, steady_ms: int) -> None:
        """Wait until the clock is advanced so far."""
        if steady_ms <= self._steady:
            return
        woken = asyncio.get_running_loop().create_future()
        self._waiting[woken] = steady_ms
        self._someone_waits.set()
        try:
            await woken
        finally:
            self._waiting.pop(woken, None)

    def advance(self, by_ms: int) -> None:
        """Let time pass."""
        self._now += by_ms
        self._steady += by_ms
        for woken, until in list(self._waiting.items()):
            if until <= self._steady and not woken.done():
                woken.set_result(None)

    def jump(self, by_ms: int) -> None:
        """Set the time of day forward or back; no time passes."""
        self._now += by_ms

    async def step(self) -> None:
        """Wait until someone waits, then let time pass until the first of them need wait no longer."""
        while not any(not woken.done() for woken in self._waiting):
            self._someone_waits.clear()
            await self._someone_waits.wait()
        first = min(until for woken, until in self._waiting.items() if not woken.done())
        self.advance(max(0, first - self._steady))
        await asyncio.sleep(0)
