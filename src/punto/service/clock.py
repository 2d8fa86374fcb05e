"""Clocks. Deadlines run on a steady clock that no one can set; the time of day is only written down."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from typing import Protocol


class Clock(Protocol):
    """The house's clock, in milliseconds."""

    def now_ms(self) -> int:
        """The time of day: milliseconds since the epoch. It may jump."""

    def steady_ms(self) -> int:
        """A count that only ever grows, and says nothing about the time of day."""

    async def sleep_until(self, steady_ms: int) -> None:
        """Return when the steady clock has reached this count."""


def seconds(milliseconds: int) -> float:  # the one unit asyncio knows
    """Milliseconds in the seconds that the standard library asks for."""
    return timedelta(milliseconds=milliseconds).total_seconds()


class SystemClock:
    """The machine's clocks."""

    def now_ms(self) -> int:
        """The time of day."""
        return time.time_ns() // 1_000_000

    def steady_ms(self) -> int:
        """The machine's monotonic clock."""
        return time.monotonic_ns() // 1_000_000

    async def sleep_until(self, steady_ms: int) -> None:
        """Wait for the machine's monotonic clock."""
        while (left := steady_ms - self.steady_ms()) > 0:
            await asyncio.sleep(seconds(left))
