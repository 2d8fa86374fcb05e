"""An audit of a whole house: the store's own beside a replay of its tables, in as many processes as there are cores.

Tables know nothing of each other, so each is replayed wherever there is room; the ledger is theirs together, and is
followed here.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from punto.service.audit.replay import HouseReplay
from punto.service.shoes.house_key import HouseKey
from punto.service.streams import table_of
from punto.store.audit import AuditProblem, AuditReport, audit, replay_stream
from punto.store.errors import StoreError
from punto.store.heads import Heads
from punto.store.opening import open_snapshot
from punto.store.records import Sign, Tail
from punto.store.sql import StoreSnapshot

WORTH_A_PROCESS = 50_000
"""Records to replay from which processes of their own pay."""


@dataclass(frozen=True, slots=True)
class Replaying:
    """The inputs of a replay: the house's database and, where it is at hand, its key."""

    address: str
    key: Path | None = None

    def replay(self) -> HouseReplay:
        """A replay from the start."""
        return HouseReplay(HouseKey(self.key) if self.key else None)

    def sign(self, store: str) -> Sign | None:
        """The signer of the tails of the house's database; None without its key."""
        return HouseKey(self.key).signer(store) if self.key else None


Part = tuple[int, list[AuditProblem], int]
"""Records replayed, what is wrong with them, and how many shoes were left encrypted."""


async def audit_house(
    snapshot: StoreSnapshot,
    house: Replaying,
    *,
    heads: Heads | None = None,
    anchors: Sequence[Heads] = (),
    sign: Sign | None = None,
    progress: Callable[[int, int], object] | None = None,
    worth: int = WORTH_A_PROCESS,
) -> tuple[AuditReport, int]:
    """Audit a snapshot with the replay of every table; the report, and how many shoes were left encrypted."""
    here = house.replay()
    parts = _parts(await snapshot.tails(), worth)
    if not parts:
        report = await audit(snapshot, heads=heads, anchors=anchors, replay=here, sign=sign, progress=progress)
        return report, here.left_encrypted
    async with _processes(house, parts) as replays:
        report = await audit(
            snapshot, heads=heads, anchors=anchors, replay=here.of_the_house, sign=sign, progress=progress
        )
        for replayed, problems, encrypted in await asyncio.gather(*replays):
            report = report.with_replay(replayed, problems)
            here.left_encrypted += encrypted
    return report, here.left_encrypted


def _parts(tails: Sequence[Tail], worth: int) -> list[frozenset[str]]:
    """The tables shared out evenly, one part for each core; none where that would not pay."""
    tables = sorted([tail for tail in tails if table_of(tail.stream) is not None], key=lambda tail: -tail.seq)
    if sum(tail.seq for tail in tables) < worth:
        return []
    parts: list[list[Tail]] = [[] for _ in range(min(len(tables), os.cpu_count() or 1))]
    for tail in tables:
        min(parts, key=lambda part: sum(each.seq for each in part)).append(tail)
    return [frozenset(tail.stream for tail in part) for part in parts]


@asynccontextmanager
async def _processes(house: Replaying, parts: list[frozenset[str]]) -> AsyncIterator[list[asyncio.Future[Part]]]:
    pool = ProcessPoolExecutor(len(parts), get_context("spawn"))
    try:
        loop = asyncio.get_running_loop()
        yield [loop.run_in_executor(pool, _replay, house, part) for part in parts]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _replay(house: Replaying, streams: frozenset[str]) -> Part:
    """One process's part. It sees at least what the audit sees, since nothing in a log ever changes."""
    gc.disable()  # a replay makes no cycles, and ends with its process
    try:
        return asyncio.run(_replay_part(house, streams))
    except StoreError as error:
        return 0, [AuditProblem(error.code, error.message)], 0


async def _replay_part(house: Replaying, streams: frozenset[str]) -> Part:
    replay = house.replay()
    replayed = 0
    problems: list[AuditProblem] = []
    async with open_snapshot(house.address) as (snapshot, _):
        await replay.learn(snapshot)
        for stream in sorted(streams):
            records, wrong = await replay_stream(snapshot, replay, stream)
            replayed, problems = replayed + records, problems + wrong
    return replayed, problems, replay.left_encrypted
