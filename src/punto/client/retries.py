"""When to try again."""

from __future__ import annotations

import asyncio

RETRIES = 5
FIRST_WAIT_SECONDS = 0.05
LONGEST_WAIT_SECONDS = 5.0


class Backoff:
    """So many tries, each after twice the wait of the one before."""

    def __init__(self, retries: int) -> None:
        self._left, self._wait = retries, FIRST_WAIT_SECONDS

    async def again(self, at_least_seconds: float = 0) -> bool:
        """Wait, and True; False at once where no try is left."""
        if self._left <= 0:
            return False
        self._left -= 1
        self._wait = max(self._wait, at_least_seconds)
        await asyncio.sleep(min(self._wait, LONGEST_WAIT_SECONDS))
        self._wait *= 2
        return True
