"""A command that waits for its turn at a table, and for its answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from punto.protocol.refusals import KeyReused
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.table import commands as c


class NotOwnerError(Exception):
    """Another process runs the table now: ask it."""


@dataclass(eq=False, slots=True)
class Job:
    """A command that waits. `key` is whole: it names the person too."""

    command: c.Command
    person: Person | None = None
    key: str | None = None
    body_hash: str = ""
    done: asyncio.Future[Reply] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    repeats: tuple[Job, ...] = ()
    """The same command under the same key, sent again before this one was answered: all get one answer."""

    def answer(self, reply: Reply) -> None:
        """Give the answer, to whoever still waits for it."""
        for job in (self, *self.repeats):
            if not job.done.done():
                job.done.set_result(reply)

    def fail(self, error: Exception) -> None:
        """Say that there is no answer here."""
        for job in (self, *self.repeats):
            if not job.done.done():
                job.done.set_exception(error)
                job.done.exception()  # seen: nobody waits for a step of the automat, and that is no mistake

    def refuse_reused(self) -> None:
        """Refuse a key that was used for something else."""
        self.answer(Reply(refused=KeyReused()))
