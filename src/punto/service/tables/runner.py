"""The one that writes to a table: commands that wait together are decided in order and committed together.

Nothing is answered or shown before it is durable. A refusal waits with the batch it was decided in, since it may rest
on what came before it there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from punto.ledger.accounts import is_patron
from punto.ledger.bet_ledger import BetLedger
from punto.rules.refusals import Refusal
from punto.service.clock import Clock
from punto.service.people.person import Person
from punto.service.refusals import HouseCode
from punto.service.replies import Reply, canonical, short_of
from punto.service.settings import HouseSettings, Timing
from punto.service.shoes.encryption import Seals, read_record
from punto.service.shoes.shuffle import new_shoe
from punto.service.tables.dealer import AUTOMAT, next_step, pace
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.jobs import Job, NotOwnerError
from punto.service.tables.recovery import recovery_steps
from punto.store import errors
from punto.store.batches import accounts_of
from punto.store.interface import Store
from punto.store.records import Batch, Lease, NewRecord, NewReply, StoredReply, Unit
from punto.table import commands as c
from punto.table import events as e
from punto.table.codec import write_event
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.phases import Phase
from punto.table.state import State

RETRY_MS = 1_000
MOST_TRIES = 100
STUCK_AFTER = 5
"""Refusals of the automat's step in a row after which someone must be told."""


class Host(Protocol):
    """What a runner asks of the one that hosts its table."""

    def committed(self, recorded: Sequence[RecordedEvent], balances: dict[str, int]) -> None:
        """These records are durable and the followed table has them."""

    def reply_for(self, person: Person | None, recorded: Sequence[RecordedEvent]) -> Reply:
        """The reply to the one whose command led to these records."""

    def ended(self, runner: Runner, error: BaseException | None) -> None:
        """The runner has stopped: on request (None), fenced out, or with the store broken."""

    def suspended(self, why: str | None) -> None:
        """The table cannot write its log, or (None) can again."""

    def stuck(self, why: str | None) -> None:
        """The automat's step is refused again and again, or (None) was taken after all."""

    def watched(self) -> bool:
        """Whether anyone looks at the table."""

    def known(self, account: str) -> int:
        """What an account held when this process last heard of it."""

    def paced(self) -> None:
        """The time of the next step has changed."""


@dataclass(slots=True)
class _Decided:
    """A batch as decided: each job with its records (none for a refusal), and the units to append."""

    at: int
    answers: list[tuple[Job, Reply | None, list[RecordedEvent]]] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)

    @property
    def recorded(self) -> list[RecordedEvent]:
        """All records of the batch in order."""
        return [each for _, _, recorded in self.answers for each in recorded]


class _Funds:
    """What patrons hold while a batch is decided: as this process last heard, and as the store says before a refusal.

    The store looks again when it commits, so what was heard may be old without harm.
    """

    def __init__(self, store: Store, known: Callable[[str], int]) -> None:
        self._store, self._known = store, known
        self._moved: dict[str, int] = {}
        self._read: dict[str, int] = {}

    async def move(self, cents_by_account: Mapping[str, int]) -> int:
        """Take what a command moves into account, unless an account lacks something: then the cents that it lacks."""
        for account, cents in cents_by_account.items():
            moved = self._moved.get(account, 0) + cents
            if moved >= 0 or self._read.get(account, self._known(account)) + moved >= 0:
                continue
            held = self._read[account] = (await self._store.balances([account]))[account]
            if held + moved < 0:
                return -(held + moved)
        for account, cents in cents_by_account.items():
            self._moved[account] = self._moved.get(account, 0) + cents
        return 0


class Runner:
    """Runs one table under a lease, until it is stopped or another owner takes the table over."""

    def __init__(
        self,
        table: FollowedTable,
        store: Store,
        lease: Lease,
        host: Host,
        clock: Clock,
        settings: HouseSettings,
        timing: Timing,
        seals: Seals,
    ) -> None:
        self.table, self.lease, self._seals = table, lease, seals
        self._store, self._host, self._clock = store, host, clock
        self._settings, self._timing = settings, timing
        self._queue: deque[Job] = deque()
        self._wake = asyncio.Event()
        self._mark = clock.steady_ms()
        self._not_before = 0
        self._suspended: str | None = None
        self._refusals = 0
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    # --------------------------------------------------------------------------------------- from outside

    def start(self) -> None:
        """Begin to take commands."""
        self._task = asyncio.create_task(self._run(), name=f"runner of {self.table.id}")

    def submit(self, job: Job) -> None:
        """Queue a command; its answer comes when it is durable."""
        if self._task is None or self._task.done():
            job.fail(NotOwnerError(self.table.id))
        elif self._closing:
            job.answer(Reply(refused=Refusal(HouseCode.HOUSE_CLOSING, "the house is closing and takes nothing new")))
        elif len(self._queue) >= self._settings.edge.queued_commands:
            job.answer(Reply(refused=Refusal(HouseCode.TABLE_BUSY, "too many commands wait for this table")))
        else:
            self._queue.append(job)
            self._wake.set()

    def look_again(self) -> None:
        """Something outside the log changed, such as who watches."""
        self._wake.set()

    @property
    def ends_at(self) -> int | None:
        """The time of day at which the automat takes its next step."""
        due = self._due()
        return None if due is None else self._clock.now_ms() + due - self._clock.steady_ms()

    async def close(self, grace_ms: int) -> None:
        """Finish the round of an automatic table if that can be done in time; else leave it held for the next start."""
        self._closing = True
        self._wake.set()
        if self._task is None:
            return
        if grace_ms and self._automatic and self.table.state.round is not None:
            limit = asyncio.create_task(self._clock.sleep_until(self._clock.steady_ms() + grace_ms))
            await asyncio.wait({self._task, limit}, return_when=asyncio.FIRST_COMPLETED)
            limit.cancel()
        await self.stop()

    async def stop(self) -> None:
        """Stop now; what is being committed is finished first."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._host.ended(self, None)  # a task that had not yet begun could not say so itself

    # --------------------------------------------------------------------------------------- recovery

    async def recover(self) -> None:
        """Conclude or void a round that was interrupted, by the sheet, before anything else happens.

        It is one commit: a power cut in the middle of it leaves what was there, to be recovered in the same way.
        """
        commands = recovery_steps(self.table.state, self._timing)
        if commands:
            await self._commit([Job(command) for command in commands])

    # --------------------------------------------------------------------------------------- the loop

    async def _run(self) -> None:
        error: BaseException | None = None
        try:
            await self._loop()
        except asyncio.CancelledError:
            raise
        except Exception as reason:
            error = None if self._closing and isinstance(reason, errors.OutcomeUnknownError) else reason
        finally:
            for job in self._queue:
                job.fail(NotOwnerError(self.table.id))
            self._queue.clear()
            self._host.ended(self, error)

    async def _loop(self) -> None:
        while True:
            due = self._due()
            if not self._queue and (due is None or due > self._clock.steady_ms()):
                if self._closing and (due is None or self.table.state.round is None):
                    return
                await self._wait(due)
            jobs = [self._queue.popleft() for _ in range(min(len(self._queue), self._settings.edge.batch))]
            due = self._due()
            if due is not None and due <= self._clock.steady_ms() and (step := self._step()) is not None:
                jobs.append(Job(step))
            if jobs:
                # Once handed to the store a batch is carried through, whatever happens to this task.
                await _carried_through(self._commit(jobs))

    async def _wait(self, due: int | None) -> None:
        self._wake.clear()
        waits: list[asyncio.Task[Any]] = [asyncio.create_task(self._wake.wait())]
        if due is not None:
            waits.append(asyncio.create_task(self._clock.sleep_until(due)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    @property
    def _automatic(self) -> bool:
        settings = self.table.state.settings
        return settings is not None and not settings.live

    def _due(self) -> int | None:
        """When, by the steady clock, the automat acts next."""
        state = self.table.state
        if not self._automatic or (step := next_step(state, self._timing)) is None:
            return None
        resting = state.phase is Phase.BETWEEN_ROUNDS
        if resting and (self._closing or not (self._settings.always_on or self._host.watched())):
            return None
        wait = 0 if self._closing and state.phase is Phase.BETTING else step.wait_ms
        return max(self._mark + wait, self._not_before)

    def _step(self) -> c.Command | None:
        step = next_step(self.table.state, self._timing)
        if step is None or self.table.state.settings is None:
            return None
        if step.command is not None:
            return step.command
        shoe = new_shoe(self.table.state.settings.decks)
        cut = len(shoe.cards) - self._settings.shoe_cut
        return c.LoadShoe(AUTOMAT, shoe.cards, cut, shoe.commitment, shoe.salt.hex())

    # --------------------------------------------------------------------------------------- deciding and committing

    async def _commit(self, jobs: list[Job]) -> None:
        """Answer jobs: decide them in order, commit what they lead to, then tell."""
        try:
            if self._suspended and self._clock.steady_ms() < self._not_before:
                self._refuse_all(jobs, self._suspended)
                return
            jobs = await self._unanswered(jobs)
            for _ in range(MOST_TRIES):
                decided = await self._decide(jobs)
                jobs = await self._append(decided)
                if not jobs:
                    break
            for job in jobs:
                job.answer(Reply(refused=Refusal(HouseCode.TABLE_BUSY, "the table could not get to this; try again")))
        except (errors.DiskFullError, errors.UnavailableError) as reason:
            self._suspend(reason.message)
            self._refuse_all(jobs, reason.message)
        except BaseException:
            for job in jobs:
                job.fail(NotOwnerError(self.table.id))
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
        first = json.loads(stored.text)["first"]
        records = await self._store.read(stored.stream, first - 1, stored.seq - first + 1)
        job.answer(self._host.reply_for(job.person, [read_record(record) for record in records]))

    async def _decide(self, jobs: list[Job]) -> _Decided:
        state, bet_ledger, seq, now = self.table.state, self.table.bet_ledger, self.table.seq, self._clock.now_ms()
        funds = _Funds(self._store, self._host.known)
        decided = _Decided(now)
        for job in jobs:
            answer = decide(state, job.command)
            if isinstance(answer, Refusal):
                decided.answers.append((job, Reply(seq, refused=answer), []))
                continue
            drafts, recorded, moved = self._drafts(state, bet_ledger, seq, now, answer)
            if short_cents := await funds.move(moved):
                decided.answers.append((job, Reply(seq, refused=short_of(short_cents)), []))
                continue
            decided.answers.append((job, None, recorded))
            if recorded:
                stored = canonical({"first": seq + 1, "last": seq + len(recorded)})
                seq += len(recorded)
                reply = NewReply(job.key, job.body_hash, stored) if job.key else None
                decided.units.append(Unit(tuple(drafts), reply))
                decided.jobs.append(job)
                state, bet_ledger = recorded[-1].after or (state, bet_ledger)
        return decided

    def _drafts(
        self, state: State, bet_ledger: BetLedger, seq: int, now: int, events: Sequence[e.Event]
    ) -> tuple[list[NewRecord], list[RecordedEvent], dict[str, int]]:
        """The records that events become after record `seq`, and what each patron gains or gives by them."""
        drafts, recorded, moved = [], [], dict[str, int]()
        for place, event in enumerate(events, seq + 1):
            transfers, bet_ledger = bet_ledger.post(place, event)
            state = evolve(state, event)
            data = write_event(event)
            payload = self._seals.write(self.lease.stream, event, data)
            drafts.append(NewRecord(c.kind_of(type(event)), payload, transfers))
            recorded.append(RecordedEvent(place, now, event, (state, bet_ledger), data))
            for transfer in transfers:
                for posting in transfer.postings:
                    if is_patron(posting.account):
                        moved[posting.account] = moved.get(posting.account, 0) + posting.cents
        return drafts, recorded, moved

    async def _append(self, decided: _Decided) -> list[Job]:
        """Commit, publish and answer; or give the jobs that must be decided again without the one that cannot be."""
        jobs = [job for job, _, _ in decided.answers]
        balances: dict[str, int] = {}
        if decided.units:
            batch = Batch(self.lease.stream, self.table.seq, decided.at, tuple(decided.units), self.lease.fence)
            try:
                balances = (await self._store.append(batch)).balances
            except errors.InsufficientFundsError as error:
                self._answer(decided.jobs[error.unit], Reply(self.table.seq, refused=short_of(error.short_cents)))
                return _without(jobs, decided.jobs[error.unit])
            except errors.KeyTakenError as error:
                await self._answer_stored(decided.jobs[error.unit], error.stored)
                return _without(jobs, decided.jobs[error.unit])
            except errors.KeyReusedError as error:
                decided.jobs[error.unit].refuse_reused()
                return _without(jobs, decided.jobs[error.unit])
            except errors.OutcomeUnknownError as error:
                found = await self._resolve(error, batch)
                if found is None:
                    return jobs
                balances = found
        self._took(decided, balances)
        return []

    async def _resolve(self, error: errors.OutcomeUnknownError, batch: Batch) -> dict[str, int] | None:
        """Find out whether a batch is in the log, however long the database is away; it is never sent blindly again.

        If it is, what the accounts that it moved hold now; else None. A house that closes does not wait for that: the
        next start reads the log, and a repeated key tells.
        """
        while True:
            try:
                return await self._store.balances(accounts_of(batch)) if await self._store.resolve(error) else None
            except errors.UnavailableError:
                if self._closing:
                    raise error from None
                await self._clock.sleep_until(self._clock.steady_ms() + RETRY_MS)

    def _took(self, decided: _Decided, balances: dict[str, int]) -> None:
        before = pace(self.table.state)
        recorded = decided.recorded
        if recorded:
            self._host.committed(recorded, balances)
            self._resume()
        if pace(self.table.state) != before:
            self._mark = self._clock.steady_ms()
            self._host.paced()
        for job, refused, events in decided.answers:
            self._answer(job, refused or self._host.reply_for(job.person, events))

    def _answer(self, job: Job, reply: Reply) -> None:
        """Answer; where the automat itself is refused it tries again after a while, and does not keep it to itself."""
        job.answer(reply)
        if job.command.by is not AUTOMAT:
            return
        if reply.refused is None:
            if self._refusals >= STUCK_AFTER:
                self._host.stuck(None)
            self._refusals = 0
            return
        self._not_before = self._clock.steady_ms() + RETRY_MS
        self._refusals += 1
        if self._refusals == STUCK_AFTER:
            self._host.stuck(reply.refused.message)

    # --------------------------------------------------------------------------------------- a store that cannot write

    def _suspend(self, why: str) -> None:
        self._not_before = self._clock.steady_ms() + RETRY_MS
        if self._suspended is None:
            self._suspended = why
            self._host.suspended(why)

    def _resume(self) -> None:
        if self._suspended is not None:
            self._suspended = None
            self._host.suspended(None)

    def _refuse_all(self, jobs: list[Job], why: str) -> None:
        message = f"the table is suspended and takes no bets: {why}"
        for job in jobs:
            job.answer(Reply(self.table.seq, refused=Refusal(HouseCode.TABLE_SUSPENDED, message)))


async def _carried_through(work: Coroutine[None, None, None]) -> None:
    """Await work that must not stop half-way when this task is cancelled; the cancellation comes after it."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):
            await task
        raise


def _without(jobs: list[Job], job: Job) -> list[Job]:
    return [each for each in jobs if each is not job]
