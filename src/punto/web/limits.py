"""Limits of one terminal: so many messages a second, connections and bytes. All of it is counted in memory."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from typing import Protocol

from punto.protocol.refusals import TooManyConnections
from punto.rules.refusals import Refused
from punto.service.settings import EdgeLimits

EVERYONE = "everyone"
DAY_SECONDS = 86_400
MOST_ASKERS = 10_000
"""Askers remembered before those whose allowance is full again are forgotten."""


class RateLimiter:
    """A token bucket for each asker: `burst` at once, then `rate` a second."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, asker: str) -> bool:
        """True if this asker may ask once more now."""
        now = self._now()
        left, then = self._left.get(asker, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        if left < 1:
            return False
        if len(self._left) >= MOST_ASKERS and asker not in self._left:
            self._forget(now)
        self._left[asker] = left - 1, now
        return True

    def _forget(self, now: float) -> None:
        full = self._burst / self._rate if self._rate else float("inf")
        self._left = {asker: (left, then) for asker, (left, then) in self._left.items() if now - then < full}


class Counts:
    """Counts of something by whom it belongs to; what is not there takes no room."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def __getitem__(self, name: str) -> int:
        return self._counts[name]

    def add(self, number: int, *names: str) -> None:
        """Count more of these, or fewer where it is negative."""
        for name in names:
            self._counts[name] += number
            if not self._counts[name]:
                del self._counts[name]

    @contextmanager
    def held(self, name: str, most: int) -> Iterator[None]:
        """Count one more while it lasts; a Refused where there are as many as may be."""
        if self._counts[name] >= most:
            raise Refused(TooManyConnections())
        self.add(1, name)
        try:
            yield
        finally:
            self.add(-1, name)


class Connected(Protocol):
    """A connection as the intake knows it."""

    def cut_off(self) -> None:
        """End it at once."""


class Intake:
    """Connections before anybody has looked at what they want: their number, and the bytes held for them.

    Those not yet understood (no whole request, no hello) have so many places, of one address and in all. When there
    is none left the oldest goes: whoever means something says it at once, so that silence keeps nobody out. A trusted
    proxy brings many clients from one address, so for it only the limits of all count.
    """

    def __init__(self, limits: EdgeLimits, proxies: Container[str] = ()) -> None:
        self.limits, self._proxies = limits, proxies
        self._open, self._held, self._waiting_at = Counts(), Counts(), Counts()
        self._waiting: dict[Connected, str] = {}
        """The address of each, the oldest first."""

    def enter(self, connection: Connected, address: str) -> bool:
        """Count a new connection; whether there is room for it."""
        self._open.add(1, EVERYONE, address)
        self._waiting[connection] = address
        self._waiting_at.add(1, address)
        limits, alone = self.limits, address not in self._proxies
        if self._open[EVERYONE] > limits.open_connections:
            return False
        if alone and self._open[address] > limits.connections_per_address:
            return False
        if alone and self._waiting_at[address] > limits.waiting_per_address:
            next(each for each, of in self._waiting.items() if of == address).cut_off()
        elif len(self._waiting) > limits.waiting:
            next(iter(self._waiting)).cut_off()
        return True

    def understood(self, connection: Connected, address: str) -> None:
        """The connection said what it wants."""
        if self._waiting.pop(connection, None) is not None:
            self._waiting_at.add(-1, address)

    def leave(self, connection: Connected, address: str) -> None:
        """The connection ended."""
        self.understood(connection, address)
        self._open.add(-1, EVERYONE, address)

    def hold(self, address: str, more: int) -> bool:
        """Count bytes held for a connection, fewer where negative; whether there is room for them."""
        self._held.add(more, EVERYONE, address)
        if more <= 0:
            return True
        of_address = self._held[address] <= self.limits.held_bytes_per_address or address in self._proxies
        return self._held[EVERYONE] <= self.limits.held_bytes and of_address
