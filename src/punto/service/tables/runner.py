"""The one that writes to a table: commands that wait together are decided in order and committed together.

Nothing is answered or shown before it is durable. A refusal waits with the batch it was decided in, since it may rest
on what came before it there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from punto.protocol.refusals import AccountStopped, FundsShort, TableBusy, TableSuspended
from punto.rules.money import Cents
from punto.service.clock import seconds
from punto.service.part import Part
from punto.service.replies import Reply
from punto.service.settings import RETRY_MS
from punto.service.shoes.encryption import ShoeCipher, read_record
from punto.service.shoes.shuffle import new_shoe
from punto.service.streams import balances_after
from punto.service.tables.absentees import Absentees
from punto.service.tables.deciding import DecidedBatch, Job, NotOwnerError, TableDraft, decide_together
from punto.service.tables.past_rounds import PastRound
from punto.service.tables.schedule import Schedule
from punto.service.tables.table_host import TableHost
from punto.store import errors
from punto.store.records import Batch, Lease, StoredReply
from punto.table import acts
from punto.table.acts.shoe import has_shuffler
from punto.table.automatic import AUTOMAT, next_step, pace, recovery_steps
from punto.table.engine import round_needed
from punto.texts import say

MOST_TRIES = 100
FEW_READERS, PAUSE_MS, LONGEST_PAUSE_MS = 10, 10, 100
"""The time from one commit of a table to the next: for each reader above a few, since all are shown each; at most."""
STUCK_AFTER = 5
"""Refusals of the automat's step in a row after which someone must be notified."""

Ended = Callable[["Runner", BaseException | None], None]
"""Called when a runner has stopped: on request (None), fenced out, or with the store broken."""


@dataclass(eq=False, repr=False)
class Runner(Part):
    """Runs one table under a lease, until it is stopped or another owner takes the table over."""

    _cipher: ShoeCipher
    host: TableHost
    lease: Lease
    _ended: Ended

    def __post_init__(self) -> None:
        self._spawn, self._table = self._world.spawn, self.host.followed
        self._write = partial(self._cipher.write, self.lease.stream)
        self.schedule = Schedule(self._table, self.host.timing, self._clock, self._spawn, self._rests)
        self._absentees = Absentees(self._table, self._settings.absent_rounds, self.host.present)
        self._pace = pace(self._table.state)
        self._queue: deque[Job] = deque()
        self._refusals = 0
        self._loop_time = asyncio.get_running_loop().time
        self._committed_at = seconds(0)
        """When the last commit began, by the time of the loop."""
        self._leaving = False
        self._task: asyncio.Task[None] | None = None

    @property
    def queued(self) -> int:
        """The number of commands that wait."""
        return len(self._queue)

    def _rests(self) -> bool:
        return not (self._settings.always_on or self.host.watched())

    # --------------------------------------------------------------------------------------- from outside

    def start(self) -> None:
        """Begin to take commands."""
        self._task = self._spawn(self._run())

    async def read_past_round(self, command: acts.Command) -> PastRound | None:
        """The earlier round that a command is about, read before the command waits, so that the table need not."""
        number = round_needed(self._table.state, command)
        past = PastRound.begin(self._table, number) if number is not None else None
        return None if past is None else await past.read_on(self._store, self._table.id, self._table.seq)

    def submit(self, job: Job) -> None:
        """Queue a command; its answer comes when it is durable."""
        if self._task is None or self._task.done():
            job.fail(NotOwnerError(self._table.id))
        elif len(self._queue) >= self._settings.edge.queued_commands:
            job.answer(Reply(refused=TableBusy()))
        else:
            self._queue.append(job)
            self.schedule.wake()

    async def close(self, grace_ms: int) -> None:
        """Finish the round of an automatic table if that can be done in time; else leave it held for the next start."""
        self.schedule.closing = True
        self.schedule.wake()
        if self._task is None:
            return
        if grace_ms and self.schedule.automatic and self._table.state.round is not None:
            limit = self._spawn(self._clock.sleep_until(self._clock.steady_ms() + grace_ms))
            await asyncio.wait({self._task, limit}, return_when=asyncio.FIRST_COMPLETED)
            limit.cancel()
        await self.stop()

    async def leave(self) -> None:
        """Stop between two rounds, for another process to go on: what waits then goes to that one."""
        self._leaving = True
        self.schedule.wake()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def stop(self) -> None:
        """Stop now; what is being committed is finished first."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._ended(self, None)  # a task that had not yet begun could not say so itself

    async def recover(self) -> bool:
        """Conclude, void or hold a round that was interrupted, by the sheet or the standing order, before all else.

        It is one commit: a power cut in the middle of it leaves what was there, to be recovered in the same way. False
        where the store could not write it.
        """
        commands = recovery_steps(self._table.state, self.host.timing, self._settings.standing_order)
        jobs = [Job(command) for command in commands]
        if jobs:
            await self._commit(jobs)
        return not any(isinstance(job.done.result().refused, TableSuspended) for job in jobs)

    # --------------------------------------------------------------------------------------- the loop

    async def _run(self) -> None:
        error: BaseException | None = None
        try:
            await self._loop()
        except asyncio.CancelledError:
            raise
        except Exception as reason:
            error = None if self.schedule.closing and isinstance(reason, errors.OutcomeUnknownError) else reason
        finally:
            for job in self._queue:
                job.fail(NotOwnerError(self._table.id))
            self._queue.clear()
            self._ended(self, error)

    async def _loop(self) -> None:
        schedule = self.schedule
        while not (self._leaving and self._table.state.round is None):
            due = schedule.due()
            if not self._queue and (due is None or due > self._clock.steady_ms()):
                if schedule.closing and (due is None or self._table.state.round is None):
                    return
                await schedule.wait(due)
            await self._gather(due)
            jobs = [self._queue.popleft() for _ in range(min(len(self._queue), self._settings.edge.batch))]
            due = schedule.due()
            if due is not None and due <= self._clock.steady_ms() and (step := self._step()) is not None:
                jobs += [Job(command) for command in (*self._free_places(step, jobs), step)]
            if jobs:
                self._committed_at = self._loop_time()
                await self._commit_whole(jobs)

    async def _gather(self, due: int | None) -> None:
        """Let commands come together where many look on: one commit costs as much as one command, and is shown once.

        The next step of the table is never late for it.
        """
        many = max(len(self.host.audience.readers) - FEW_READERS, 0)
        pause = seconds(min(many * PAUSE_MS, LONGEST_PAUSE_MS))
        wait = self._committed_at + pause - self._loop_time()
        if due is not None:
            wait = min(wait, seconds(due - self._clock.steady_ms()))
        if 0 < len(self._queue) < self._settings.edge.batch and wait > 0 and not self.schedule.closing:
            await asyncio.sleep(wait)

    async def _commit_whole(self, jobs: list[Job]) -> None:
        """Commit jobs. Once handed to the store a batch is carried through; a cancellation comes after it."""
        task = self._spawn(self._commit(jobs))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):
                await task
            raise

    def _step(self) -> acts.Command | None:
        state = self._table.state
        step = next_step(state, self.host.timing)
        if step is None or state.settings is None:
            return None
        if step.command is not None:
            return step.command
        shoe = new_shoe(state.settings.decks, self._world.entropy)
        cut = None if has_shuffler(state) else len(shoe.cards) - self._settings.shoe_cut
        return acts.LoadShoe(AUTOMAT, shoe.cards, cut, shoe.commitment, shoe.salt.hex())

    def _free_places(self, step: acts.Command, jobs: list[Job]) -> list[acts.Command]:
        """The commands that free the places of absent patrons as bets close. Those who ask for something now stay."""
        if not isinstance(step, acts.CloseBets):
            return []
        asking = {job.person.id for job in jobs if job.person is not None}
        gone = [patron for patron in self._absentees.as_bets_close() if patron not in asking]
        return [acts.Leave(AUTOMAT, patron, absent=True) for patron in gone]

    # --------------------------------------------------------------------------------------- committing

    async def _commit(self, jobs: list[Job]) -> None:
        """Answer jobs: decide them in order, commit what they lead to, then show it."""
        try:
            if self.host.audience.suspended and self.schedule.postponed:
                self._refuse_all(jobs)
                return
            jobs = await self._unanswered(jobs)
            for _ in range(MOST_TRIES):
                draft = TableDraft(self._table, self._store, self._balances)
                decided = await decide_together(draft, jobs, self._clock.now_ms(), self._write)
                jobs = await self._append(decided)
                if not jobs:
                    break
            for job in jobs:
                job.answer(Reply(refused=TableBusy()))
        except (errors.DiskFullError, errors.UnavailableError) as reason:
            self.schedule.postpone(RETRY_MS)
            if self.host.audience.suspended is None:
                self.host.suspended(reason.message)
            self._refuse_all(jobs)
        except BaseException:
            for job in jobs:
                job.fail(NotOwnerError(self._table.id))
            raise

    async def _unanswered(self, jobs: list[Job]) -> list[Job]:
        """Answer what was answered before, and let repeats within the batch wait for their first; give the rest."""
        keys = [job.key for job in jobs if job.key]
        stored = await self._store.replies(keys) if keys else {}
        firsts: dict[str, Job] = {}
        fresh: list[Job] = []
        for job in jobs:
            if job.key and job.key in stored:
                await self._answer_stored(job, stored[job.key])
            elif job.key and (first := firsts.get(job.key)) is not None:
                if first.body_hash == job.body_hash:
                    first.repeats += (job,)
                else:
                    job.refuse_reused()
            else:
                fresh.append(job)
                if job.key:
                    firsts[job.key] = job
        return fresh

    async def _answer_stored(self, job: Job, stored: StoredReply) -> None:
        if stored.body_hash != job.body_hash:
            job.refuse_reused()
            return
        if stored.seq > self._table.seq:
            await self._refuse_overtaken()
        first = json.loads(stored.text)["first"]
        records = await self._store.read(stored.stream, first - 1, stored.seq - first + 1)
        job.answer(self.host.audience.reply_to(job.person, [read_record(record) for record in records]))

    async def _append(self, decided: DecidedBatch) -> list[Job]:
        """Commit, publish and answer; or give the jobs that must be decided again without the one that cannot be."""
        jobs = [job for job, _, _ in decided.answers]
        loop = asyncio.get_running_loop()
        balances: dict[str, int] = {}
        if decided.units:
            batch = Batch(self.lease.stream, self._table.seq, decided.at, tuple(decided.units), self.lease.fence)
            try:
                started = loop.time()
                balances = (await self._store.append(batch)).balances
                self._metrics.commit_seconds.observe(loop.time() - started)
                self._metrics.commit_commands.inc(len(decided.units))
            except errors.UnitRefusedError as error:
                refused = decided.jobs[error.unit]
                await self._answer_refused(refused, error)
                return [job for job in jobs if job is not refused]
            except errors.OutcomeUnknownError as error:
                found = await balances_after(error, batch, self._store, self._clock, lambda: self.schedule.closing)
                if found is None:
                    return jobs
                balances = found
        else:
            await self._refuse_overtaken()
        self._committed(decided, balances)
        return []

    async def _answer_refused(self, job: Job, error: errors.UnitRefusedError) -> None:
        match error:
            case errors.InsufficientFundsError():
                self._answer(job, Reply(self._table.seq, refused=FundsShort(Cents(error.short_cents))))
            case errors.AccountStoppedError():
                self._answer(job, Reply(self._table.seq, refused=AccountStopped()))
            case errors.KeyTakenError():
                await self._answer_stored(job, error.stored)
            case errors.KeyReusedError():
                job.refuse_reused()

    async def _refuse_overtaken(self) -> None:
        """Raise FencedOutError if another process has taken the table: what is decided here rests on an old state.

        A commit finds that out by itself. An answer that writes nothing, such as a refusal, would not.
        """
        tail = await self._store.tail(self.lease.stream)
        if (tail.seq, tail.fence) != (self._table.seq, self.lease.fence):
            raise errors.FencedOutError(tail.stream, self.lease.fence, tail.fence)

    def _committed(self, decided: DecidedBatch, balances: dict[str, int]) -> None:
        if recorded := decided.recorded:
            for each in recorded:
                self._metrics.count_event(self._table.id, each.event)
            self.host.committed(recorded, balances)
            self.host.suspended(None)
        if (now := pace(self._table.state)) != self._pace:
            self._pace = now
            self.schedule.restart()
            self.host.paced()
        for job, refused, events in decided.answers:
            self._answer(job, refused or self.host.audience.reply_to(job.person, events))

    def _answer(self, job: Job, reply: Reply) -> None:
        """Answer; where the automat itself is refused it tries again after a while, and notifies someone in the end."""
        job.answer(reply)
        if job.command.by is not AUTOMAT:
            return
        if reply.refused is None:
            if self._refusals >= STUCK_AFTER:
                self.host.stuck(None)
            self._refusals = 0
            return
        self.schedule.postpone(RETRY_MS)
        self._refusals += 1
        if self._refusals == STUCK_AFTER:
            self.host.stuck(say(reply.refused, sheet=self._table.sheet))

    def _refuse_all(self, jobs: list[Job]) -> None:
        for job in jobs:
            job.answer(Reply(self._table.seq, refused=TableSuspended()))
