"""A simulated database, and each process's handle on it.

The rules are those of the store in memory. What is added is what lies between a process and a database: time, lost
connections, commits whose outcome nobody was told, power cuts that keep a part of what was not synced, and disks that
are full. The database runs by itself: what reached it is carried out even if the process that asked is dead.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from punto.store.errors import BrokenStoreError, DiskFullError, OutcomeUnknownError, StoreError, UnavailableError
from punto.store.fold import Finding, LogFold, UsedKeys
from punto.store.interface import Store
from punto.store.memory import MemoryStore
from punto.store.records import POSTING_COLUMNS, RECORD_COLUMNS, Appended, Batch, Signer, Tail
from punto.store.sql import StoreSnapshot
from punto.store.sqlite import attempt

KEYS_SECRET = bytes(16)
"""The idempotency keys of a simulation are nobody's secret."""


def contents(store: MemoryStore) -> dict[str, Any]:
    """All that a store holds, as an auditor reads it."""

    def rows(table: str, columns: str) -> list[list[Any]]:
        return [list(row) for row in store._connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2")]

    return {
        "records": rows("records", RECORD_COLUMNS.removesuffix(", mac")),
        "postings": rows("postings", POSTING_COLUMNS),
        "balances": dict(rows("balances", "account, cents")),
        "people": rows("people", "id, name, role, token_hash"),
        "tables": rows("table_settings", "name, settings"),
    }


@dataclass
class StoreFaults:
    """How often each thing fails, and how long each takes. Nothing fails by default."""

    unknown: float = 0
    """A commit whose answer is lost: it was carried out, or it never arrived."""
    lost: float = 0
    """Anything else whose answer is lost: it was carried out, or it never arrived."""
    broken: float = 0
    """A commit that ends with a failed fsync."""
    slow: float = 0
    """Something takes up to `slow_ms`."""
    slow_ms: int = 3_000
    usual_ms: float = 2
    """How long a way to the database or a sync takes at most, usually."""


@dataclass
class _Commit:
    """A batch that has reached the database."""

    batch: Batch
    done: asyncio.Future[Appended]
    is_lost: bool = False
    """Whether nobody will be told that it was carried out."""
    is_broken: bool = False


class SimDatabase(MemoryStore):
    """What all processes share: rows that outlive them, and who waits for the next sync."""

    def __init__(
        self,
        clock: Callable[[], int],
        luck: random.Random | None = None,
        faults: StoreFaults | None = None,
        start: Callable[[Any], asyncio.Task[Any]] = asyncio.create_task,
    ) -> None:
        """Without `luck` nothing takes time and nothing fails. `start` runs the work of the database itself."""
        super().__init__(clock, fold=LogFold(keys=UsedKeys(KEYS_SECRET)))
        self._luck, self.faults, self._start = luck, faults or StoreFaults(), start
        self.counts: Counter[str] = Counter()
        """How often each fault has struck."""
        self.is_away = False
        self.is_full = False
        self._waiting: list[_Commit] = []
        self._syncing: list[_Commit] = []
        self._syncs: asyncio.Task[None] | None = None
        self._epoch = 0
        """How often all connections were lost."""

    def set_signer(self, signer: Signer | None) -> None:
        """Sign every tail from now on."""
        self._sign = signer("") if signer else None

    # --------------------------------------------------------------------------------------- luck

    def strikes(self, name: str, chance: float) -> bool:
        """Whether a fault strikes now; it is counted if it does."""
        if self._luck is None or not chance or self._luck.random() >= chance:
            return False
        self.counts[name] += 1
        return True

    def either(self) -> bool:
        """One of two outcomes."""
        return self._luck is not None and self._luck.random() < 0.5

    async def pass_time(self) -> None:
        """The time of one way to the database, or of a sync."""
        if self._luck is None:
            return
        slow = self.strikes("store-slow", self.faults.slow)
        await asyncio.sleep(self._luck.uniform(0, self.faults.slow_ms if slow else self.faults.usual_ms) / 1_000)

    # --------------------------------------------------------------------------------------- commits

    def submit(self, commit: _Commit) -> None:
        """Take a batch for the next sync."""
        self._waiting.append(commit)
        if self._syncs is None or self._syncs.done():
            self._syncs = self._start(self._sync())

    async def _sync(self) -> None:
        while self._waiting:
            self._syncing, self._waiting = self._waiting, []
            await self.pass_time()
            group, self._syncing = self._syncing, []
            for commit in group:
                self._carry_out(commit)

    def _carry_out(self, commit: _Commit) -> None:
        """Write a batch and answer. A batch is in whole, or not at all."""
        try:
            appended = attempt(self._connection, lambda connection: self._append(connection, commit.batch))
        except StoreError as error:
            answer: StoreError | None = UnavailableError("the connection was lost") if commit.is_lost else error
        else:
            answer = OutcomeUnknownError(appended.tail) if commit.is_lost else None
            answer = BrokenStoreError("fsync failed") if commit.is_broken else answer
        if commit.done.done():
            return
        if answer is None:
            commit.done.set_result(appended)
        else:
            _fail(commit, answer)

    def tail_now(self, stream: str) -> Tail:
        """Where a stream ends."""
        return run_at_once(self.tail(stream))  # type: ignore[no-any-return]

    def tail_if_carried_out(self, batch: Batch) -> Tail | None:
        """Where its stream would end after a batch; None for one that would be refused."""
        try:
            return self._decide(self._connection, batch).tail
        except StoreError:
            return None

    def cut_power(self) -> tuple[int, int]:
        """Lose what was not synced, but for a part from its beginning: how many batches are kept, and how many lost.

        Every connection is lost with it. Nobody has been told that any of these batches is in.
        """
        kept = self._luck.randint(0, len(self._syncing)) if self._luck else 0
        count = kept, len(self._syncing) - kept
        for place, commit in enumerate(self._syncing):
            if place < kept:
                commit.is_lost = True
                self._carry_out(commit)
            else:
                _lose(commit, self.tail_if_carried_out(commit.batch))
        for commit in self._waiting:
            _lose(commit, None)
        self._syncing, self._waiting = [], []
        self._epoch += 1
        return count

    # --------------------------------------------------------------------------------------- as a process asks

    async def reach(self, *, writes: bool = False) -> None:
        """The way to the database; UnavailableError or DiskFullError where it cannot be taken."""
        await self.pass_time()
        if self.is_away:
            raise UnavailableError("the database cannot be reached")
        if writes and self.is_full:
            raise DiskFullError("the disk is full; nothing was written")

    async def ask(self, work: Callable[[], Any], *, writes: bool = False) -> Any:
        """Have the database do something at once; UnavailableError where the question or the answer is lost."""
        await self.reach(writes=writes)
        epoch = self._epoch
        is_lost = self.strikes("store-lost", self.faults.lost)
        if not is_lost or self.either():
            answer = run_at_once(work())
        await self.pass_time()
        if is_lost or epoch != self._epoch:
            raise UnavailableError("the connection was lost")
        return answer


def _lose(commit: _Commit, tail: Tail | None) -> None:
    """Say that the connection is gone: in the middle of the commit (with the tail that it leads to), or before it."""
    if not commit.done.done():
        _fail(commit, UnavailableError("the connection was lost") if tail is None else OutcomeUnknownError(tail))


def _fail(commit: _Commit, error: StoreError) -> None:
    commit.done.set_exception(error)
    commit.done.exception()  # whoever asked may be gone


def run_at_once(work: Any) -> Any:
    """The result of a coroutine that awaits nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("the store in memory awaits nothing")


def _asked(name: str, *, writes: bool = False) -> Any:
    """A method of a store that the database carries out, if it can be reached."""

    async def ask(store: SimStore, *given: Any, **named: Any) -> Any:
        store._check()
        database = store._database
        return await database.ask(lambda: getattr(database, name)(*given, **named), writes=writes)

    return ask


class SimStore(Store):
    """One process's handle on the database: a `Store`."""

    def __init__(self, database: SimDatabase) -> None:
        super().__init__(None, database._fold, database._sign)
        self._database = database
        self._is_broken = False

    def _check(self) -> None:
        if self._is_broken:
            raise BrokenStoreError("fsync failed before, so nothing is known to be durable")

    async def append(self, batch: Batch) -> Appended:
        self._check()
        database = self._database
        await database.reach(writes=True)
        self._check()
        faults, done = database.faults, asyncio.get_running_loop().create_future()
        commit = _Commit(batch, done)
        if database.strikes("commit-unknown", faults.unknown):
            if database.either():
                if (tail := database.tail_if_carried_out(batch)) is None:
                    raise UnavailableError("the connection was lost")
                raise OutcomeUnknownError(tail)
            commit.is_lost = True
        elif database.strikes("commit-broken", faults.broken):
            self._is_broken = commit.is_broken = True
            if database.either():
                raise BrokenStoreError("fsync failed")
        database.submit(commit)
        appended: Appended = await done
        await database.pass_time()
        return appended

    resolve, tail, tails, read = _asked("resolve"), _asked("tail"), _asked("tails"), _asked("read")
    replies, balances, statement = _asked("replies"), _asked("balances"), _asked("statement")
    people, person, tables = _asked("people"), _asked("person"), _asked("tables")
    acquire, renew = _asked("acquire", writes=True), _asked("renew", writes=True)
    release = _asked("release", writes=True)

    def findings(self) -> list[Finding]:
        return self._database.findings()

    def finding_noted(self, finding: Finding) -> None:
        self._database.finding_noted(finding)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[StoreSnapshot]:
        self._check()
        await self._database.reach()
        async with self._database.snapshot() as snapshot:
            yield snapshot

    async def close(self) -> None:
        """See `Store`."""
