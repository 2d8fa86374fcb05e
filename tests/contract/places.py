"""Where stores are kept in tests, and what is put into them."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from punto.ledger.moves import Move, buy, stake
from punto.store.audit import AuditReport, audit
from punto.store.errors import RefusedStoreError
from punto.store.heads import read_heads
from punto.store.interface import Store
from punto.store.memory import MemoryStore
from punto.store.opening import accept, open_snapshot, open_store
from punto.store.records import Batch, NewRecord, NewReply, Signer, Unit
from tests.postgres import PostgresServer
from tests.simulation.store import SimDatabase, SimStore

GUARDED = ("records", "postings")
"""The tables of the log, which the database itself lets nobody change."""


class Clock:
    """A clock that moves when told to."""

    def __init__(self) -> None:
        self.now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


@dataclass
class Place:
    """A database that can be opened again and again, by several owners at once."""

    kind: str
    address: str
    folder: Path
    server: PostgresServer | None = None
    clock: Clock = field(default_factory=Clock)
    memory: MemoryStore | None = None
    stores: list[Store] = field(default_factory=list)
    """Those that are open."""

    @property
    def database(self) -> str:
        return self.address.partition("@/")[2].partition("?")[0]

    def head(self, owner: str = "one") -> Path:
        return self.folder / f"{owner}.head"

    async def open(self, owner: str = "one", *, adopt_head: bool = False, signer: Signer | None = None) -> Store:
        if self.memory is not None:
            self.memory._sign = signer("") if signer else None
            return SimStore(self.memory) if isinstance(self.memory, SimDatabase) else self.memory
        adopt_head = adopt_head or (owner != "one" and not self.head(owner).exists())
        head, clock = self.head(owner), self.clock
        store = await open_store(self.address, head=head, adopt_head=adopt_head, clock=clock, signer=signer)
        self.stores.append(store)
        close = store.close

        async def close_once() -> None:
            self.stores.remove(store)
            await close()

        store.close = close_once  # type: ignore[method-assign]
        return store

    async def refused(self, code: str, **options: Any) -> RefusedStoreError:
        """Why the store is not opened."""
        with pytest.raises(RefusedStoreError) as refused:
            await self.open(**options)
        assert refused.value.code == code
        return refused.value

    async def open_two(self) -> tuple[Store, Store]:
        """What two owners have in hand: on a real or simulated server a store each, else the one of their process."""
        first = await self.open()
        return first, await self.open("two") if self.server or self.kind == "simulated" else first

    def edit_log(self, statements: list[str]) -> None:
        """Change the log too, from which someone first takes the triggers that guard it, and then puts them back."""
        if self.server:
            off = [f"DROP TRIGGER {table}_append_only ON {table}" for table in GUARDED]
            on = [
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
                "EXECUTE FUNCTION punto_append_only()"
                for table in GUARDED
            ]
        else:
            both = [(table, change) for table in GUARDED for change in ("UPDATE", "DELETE")]
            off = [f"DROP TRIGGER {table}_no_{change.lower()}" for table, change in both]
            on = [
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
                for table, change in both
            ]
        self.edit([*off, *statements, *on])

    def edit(self, statements: list[str]) -> None:
        """Change the database behind the program's back."""
        if self.memory is not None:
            self.memory._connection.executescript(";".join(statements))
        elif self.server:
            self.server.sql(self.database, ";".join(statements))
        else:
            with closing(sqlite3.connect(self.address.removeprefix("sqlite:///"))) as connection:
                connection.executescript(";".join(statements))

    async def accept(self) -> None:
        """Take the database as it is, as `punto audit --accept` does."""
        async with open_snapshot(self.address) as (snapshot, store):
            accept(self.head(), store, read_heads(self.head()), await audit(snapshot))

    async def audit(self, store: Store) -> AuditReport:
        heads = None if self.memory is not None else read_heads(self.head())
        async with store.snapshot() as snapshot:
            return await audit(snapshot, heads=heads)


def body(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def unit(*transfers: Move, key: str | None = None, request: str = "", payload: str = '{"a":1}') -> Unit:
    reply = NewReply(key, body(request or key), f'{{"done":"{key}"}}') if key else None
    return Unit((NewRecord("happened", payload, transfers),), reply)


def batch(stream: str, **rows: Any) -> Batch:
    """One record that moves nothing, such as one about people."""
    return Batch(stream, None, 1, (unit(),), **rows)


def bought(patron: str, cents: int, receipt: str = "r1") -> Batch:
    return Batch("desk", None, 1_000, (unit(buy(patron, cents, receipt)),))


def bet(number: int, cents: int = 100, *, patron: str = "ann", after: int | None = None, fence: int = 0) -> Batch:
    """A bet on table t1 with its own key."""
    staked = unit(stake(patron, "t1", cents, f"t1.{number}"), key=f"bet-{number}")
    return Batch("t1", after, 1_000 + number, (staked,), fence)
