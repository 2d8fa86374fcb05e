"""Leases: who may take a stream, and what becomes of a row that no process can have written."""

from __future__ import annotations

import time
from dataclasses import replace

from punto.rules.money import EXACT_CENTS
from punto.store.errors import LeaseHeldError
from punto.store.records import Lease

MOST_LEASE_MS = 3_600_000
"""The longest time that a lease can have left. The house asks for seconds."""
MOST_FENCE = EXACT_CENTS
"""Fencing numbers stay below this: exact for whoever reads JSON numbers as doubles, as amounts are."""
_FENCES_SKIPPED = 1_000


def wall_clock_ms() -> int:
    """The current time in milliseconds, by which leases end."""
    return time.time_ns() // 1_000_000


def next_lease(
    lease: Lease, held: tuple[object, object, object], now_ms: int, written: int
) -> tuple[Lease, str | None]:
    """The lease of someone who asks for one, with its fencing number, and what was wrong with the row, if anything.

    `held` is the row: owner, expiry and fencing number. `written` is the highest fencing number in the log. A row that
    no process can have written binds nobody; one that somebody else holds raises LeaseHeldError.
    """
    owner, expires_ms, fence = held
    wrong = []
    if type(fence) is not int or not written <= fence < MOST_FENCE:
        wrong.append(f"fencing number {fence!r}")
        fence = written + _FENCES_SKIPPED  # beyond any that was given out and not used
    if type(expires_ms) is not int or expires_ms > now_ms + MOST_LEASE_MS or not isinstance(owner, str | None):
        wrong.append(f"owner {owner!r} until {expires_ms!r}")
    elif owner not in {None, lease.owner} and expires_ms > now_ms:
        raise LeaseHeldError(f"{lease.stream} is held by {owner}")
    return replace(lease, fence=fence + 1), ", ".join(wrong) or None
