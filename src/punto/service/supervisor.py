"""The tasks of a house beside everything else, and the failure after which it must stop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from punto.service.world import Spawn
from punto.store import errors


class Supervisor:
    """Looks after tasks that end with the house. Whoever waits for `failed` stops the process."""

    def __init__(self, spawn: Spawn) -> None:
        self._spawn = spawn
        self._tasks: set[asyncio.Task[Any]] = set()
        self.failed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self.closing = False
        """True if the house takes nothing new."""

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something beside everything else."""
        task = self._spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        # A note that could not be written is lost with the disk full; what it was about is in the table's own log.
        if not isinstance(error, errors.DiskFullError | errors.UnavailableError):
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Something after which nothing may be trusted to be durable."""
        if not self.failed.done():
            self.failed.set_result(error)

    async def stop(self) -> None:
        """End all tasks."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
