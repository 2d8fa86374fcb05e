"""What every store can do. The contract suite in tests/contract runs against each of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from punto.store.errors import OutcomeUnknownError
from punto.store.records import (
    Appended,
    Batch,
    Lease,
    PostingRow,
    Record,
    StatementLine,
    StoredPerson,
    StoredReply,
    TableSettings,
    Tail,
)

RawRecord = tuple[int, str, int, int, int, str, str, str | None, str | None, str | None, str | None, str]
"""The fields of a `Record`, in its order."""


class Snapshot(Protocol):
    """The whole store as it was at one moment, for audits: pages of records in order of `id`, and their postings."""

    async def counts(self) -> tuple[int, int]:
        """How many records and postings there are."""
        ...

    async def page(self, after: int, limit: int) -> list[RawRecord]:
        """The records whose ids follow `after`."""
        ...

    async def postings(self, after: int, last: int | None) -> list[tuple[int, *PostingRow]]:
        """The postings of records with ids above `after` and up to `last`, in order, each behind its record's id."""
        ...

    async def stream(self, stream: str, after: int, limit: int) -> list[RawRecord]:
        """The records of one stream whose numbers follow `after`."""
        ...

    async def stream_postings(self, stream: str, after: int, last: int) -> list[tuple[int, *PostingRow]]:
        """The postings of a stream's records with numbers above `after` and up to `last`, as `postings` gives them."""
        ...

    async def balances(self) -> dict[str, int]:
        """All balances."""
        ...

    async def tails(self) -> list[Tail]:
        """Where every stream ends, as the store believes."""
        ...

    async def people(self) -> list[tuple[Any, ...]]:
        """Every person's row as it stands there (id, name, role, token_hash), whatever was made of it."""
        ...

    async def tables(self) -> list[tuple[Any, ...]]:
        """Every table's row as it stands there (name, settings)."""
        ...

    async def repeated_key(self) -> str | None:
        """An idempotency key that stands in two records, if there is one."""
        ...


class Store(Protocol):
    """The event log, the ledger and the leases. Errors are those of `punto.store.errors`."""

    async def append(self, batch: Batch) -> Appended:
        """Append a batch in one commit; when this returns it is on disk, and the head kept apart knows of it.

        Batches that wait together share a commit. A refused batch writes nothing, and leaves the others alone.
        """
        ...

    async def resolve(self, unknown: OutcomeUnknownError) -> bool:
        """Whether the batch whose commit was interrupted is in the log. Waits for a commit still under way."""
        ...

    async def tail(self, stream: str) -> Tail:
        """Where a stream ends; at 0 if nothing was ever written to it."""
        ...

    async def tails(self) -> list[Tail]:
        """Where every stream ends, by name."""
        ...

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        """Records of a stream, in order."""
        ...

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """The replies kept under those of these keys that have been used."""
        ...

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        """Balances in cents of these accounts (0 if never used), or of all that were ever used."""
        ...

    async def statement(
        self, account: str, before: tuple[int, int] | None = None, limit: int = 100
    ) -> list[StatementLine]:
        """An account's postings, newest first; `before` is the (record, line) of the last one already seen."""
        ...

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        """Take a stream that nobody else holds, under a new and higher fencing number; else LeaseHeldError."""
        ...

    async def renew(self, lease: Lease, ttl_ms: int) -> Lease:
        """Hold a stream for longer; FencedOutError if it has been taken over."""
        ...

    async def release(self, lease: Lease) -> None:
        """Give a stream up, so that another need not wait. Harmless if it has been taken over."""
        ...

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        """Those known of these ids, or everyone, by id."""
        ...

    async def person(self, token_hash: str) -> StoredPerson | None:
        """Who holds the token with this hash."""
        ...

    async def tables(self) -> list[TableSettings]:
        """The settings of every table, by name."""
        ...

    @property
    def accepted(self) -> tuple[str, ...]:
        """What somebody took on trust about the head file, one sentence each: to go into the log, then `noted`."""
        ...

    async def noted(self) -> None:
        """All that is in `accepted` is in the log."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[Snapshot]:
        """The store at this moment, unmoved by what is written meanwhile."""
        ...

    async def close(self) -> None:
        """Finish what was handed in, then let go of the database."""
        ...
