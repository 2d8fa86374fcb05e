"""The streams of a house's log: one of its own, and one of each table; and what became of a commit to one."""

from __future__ import annotations

from collections.abc import Callable

from punto.service.clock import Clock
from punto.service.settings import RETRY_MS
from punto.store.batches import accounts_of
from punto.store.errors import OutcomeUnknownError, UnavailableError
from punto.store.interface import Store
from punto.store.records import Batch

HOUSE_STREAM = "desk"
"""Records about no table. The name is in every database, so it stays."""
PAGE = 1_000
"""Records that are read at once."""
_TABLE = "table:"


def table_stream(table: str) -> str:
    """The stream of a table."""
    return f"{_TABLE}{table}"


def table_of(stream: str) -> str | None:
    """The table whose stream this is; None for a stream of the house's own."""
    return stream.removeprefix(_TABLE) if stream.startswith(_TABLE) else None


async def balances_after(
    error: OutcomeUnknownError, batch: Batch, store: Store, clock: Clock, closing: Callable[[], bool]
) -> dict[str, int] | None:
    """The balances after a batch that is in the log after all, else None; it is never sent blindly again.

    However long the database is away, it is asked again. A house that closes does not wait for that: the error is
    raised, the next start reads the log, and a repeated key tells.
    """
    while True:
        try:
            return await store.balances(accounts_of(batch)) if await store.resolve(error) else None
        except UnavailableError:
            if closing():
                raise error from None
            await clock.sleep_until(clock.steady_ms() + RETRY_MS)
