"""Parts that a house takes from outside: time, random bytes, tasks, its store, its bus and exact analysis.

Nothing in the service asks the operating system for these by itself, so a simulation can hand in its own.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from punto.service.analyst import Analyst
from punto.service.clock import Clock, SystemClock
from punto.service.cluster.bus import Bus, NatsBus
from punto.store.interface import Store
from punto.store.opening import open_store

Entropy: TypeAlias = Callable[[int], bytes]
"""Gives so many random bytes."""
Spawn: TypeAlias = Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]]
"""Runs a coroutine as a task."""


async def connect_bus(address: str | None) -> Bus | None:
    """The bus at an address, where there is one; OSError for a bus that cannot be reached."""
    return await NatsBus.connect(address) if address is not None else None


@dataclass(frozen=True, slots=True)
class World:
    """The machine's own by default."""

    clock: Clock = field(default_factory=SystemClock)
    entropy: Entropy = os.urandom
    spawn: Spawn = asyncio.create_task
    open_store: Callable[..., Awaitable[Store]] = open_store
    """Called as `punto.store.opening.open_store`."""
    open_bus: Callable[[str | None], Awaitable[Bus | None]] = connect_bus
    analyst: Analyst | None = None
    """The analyst who works out exact figures for the floor; without one, nothing theoretical is shown."""

    @classmethod
    def with_clock(cls, clock: Clock) -> World:
        """A world on another clock, by which the store counts its leases too."""
        return cls(clock, open_store=partial(open_store, clock=clock.now_ms))
