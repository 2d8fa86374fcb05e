"""When the automat of a table acts next, by the steady clock, and the wait for that or for something else to do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from punto.service.clock import Clock
from punto.service.tables.followed_table import FollowedTable
from punto.service.world import Spawn
from punto.table.automatic import Timing, next_step
from punto.table.phases import Phase


class Schedule:
    """The pace of one table that runs here. `rests` says whether no new round should begin, as when nobody looks."""

    def __init__(
        self, table: FollowedTable, timing: Timing, clock: Clock, spawn: Spawn, rests: Callable[[], bool]
    ) -> None:
        self._table, self._timing, self._clock, self._spawn, self._rests = table, timing, clock, spawn, rests
        self._woken = asyncio.Event()
        self._paced_at = clock.steady_ms()
        self._not_before = 0
        self.closing = False
        """True if the house closes: betting ends at once, and no round begins."""

    @property
    def automatic(self) -> bool:
        """True if the table deals by itself."""
        settings = self._table.state.settings
        return settings is not None and not settings.live

    def due(self) -> int | None:
        """When, by the steady clock, the automat acts next."""
        state = self._table.state
        if not self.automatic or (step := next_step(state, self._timing)) is None:
            return None
        if state.phase is Phase.BETWEEN_ROUNDS and (self.closing or self._rests()):
            return None
        wait = 0 if self.closing and state.phase is Phase.BETTING else step.wait_ms
        return max(self._paced_at + wait, self._not_before)

    @property
    def ends_at(self) -> int | None:
        """The time of day at which the automat takes its next step."""
        due = self.due()
        return None if due is None else self._clock.now_ms() + due - self._clock.steady_ms()

    def restart(self) -> None:
        """Count the time of the next step from now."""
        self._paced_at = self._clock.steady_ms()

    def postpone(self, by_ms: int) -> None:
        """Take no step for a while, since the last one could not be taken."""
        self._not_before = self._clock.steady_ms() + by_ms

    @property
    def postponed(self) -> bool:
        """True if no step is taken yet."""
        return self._clock.steady_ms() < self._not_before

    def wake(self) -> None:
        """Look again: there is a command, or someone came to watch."""
        self._woken.set()

    async def wait(self, due: int | None) -> None:
        """Return when it is time, or earlier if something wakes us."""
        self._woken.clear()
        waits: list[asyncio.Task[Any]] = [self._spawn(self._woken.wait())]
        if due is not None:
            waits.append(self._spawn(self._clock.sleep_until(due)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
