"""The interface of every store. The contract suite in tests/contract runs against each of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from punto.ledger.balances import PostingRow
from punto.store.errors import OutcomeUnknownError
from punto.store.fold import Finding, SavedFold
from punto.store.records import (
    Appended,
    Batch,
    Lease,
    RawRecord,
    Record,
    StatementLine,
    StoredPerson,
    StoredReply,
    TableSettings,
    Tail,
)


class StoreSnapshot(Protocol):
    """The whole store at one moment, for audits: pages of records in order of `id`, and their postings."""

    async def counts(self) -> tuple[int, int]:
        """The numbers of records and postings."""
        ...

    async def page(self, after: int, limit: int) -> list[RawRecord]:
        """The records whose ids follow `after`."""
        ...

    async def postings(self, after: int, last: int | None) -> list[PostingRow]:
        """The postings of records with ids above `after` and up to `last`, in order."""
        ...

    async def stream(self, stream: str, after: int, limit: int) -> list[RawRecord]:
        """The records of one stream whose numbers follow `after`."""
        ...

    async def stream_postings(self, stream: str, after: int, last: int) -> list[PostingRow]:
        """The postings of a stream's records with numbers above `after` and up to `last`, like `postings`."""
        ...

    async def balances(self) -> dict[str, int]:
        """All balances."""
        ...

    async def tails(self) -> list[Tail]:
        """The tail of every stream, as stored."""
        ...

    async def people(self) -> list[tuple[Any, ...]]:
        """Every person's row as stored (id, name, role, token_hash), even if it was edited."""
        ...

    async def tables(self) -> list[tuple[Any, ...]]:
        """Every table's row as stored (name, settings)."""
        ...

    async def repeated_key(self) -> str | None:
        """An idempotency key that two records have, if there is one."""
        ...

    async def keyed(self, prefix: str) -> list[RawRecord]:
        """The records whose idempotency keys begin like this. An audit finds them again in their stream."""
        ...

    async def schema_changes(self) -> list[str]:
        """The differences of tables, indexes, triggers and constraints from those of the program, a sentence each."""
        ...

    async def damage(self) -> str | None:
        """The damage that the database itself finds, such as an index that points elsewhere; None where all is well."""
        ...


class Store(Protocol):
    """The event log, the ledger and the leases. Errors are those of `punto.store.errors`."""

    async def append(self, batch: Batch) -> Appended:
        """Append a batch in one commit. When this returns, the batch and the head are on disk.

        Waiting batches share a commit. A refused batch writes nothing and does not affect the others.
        """
        ...

    async def resolve(self, unknown: OutcomeUnknownError) -> bool:
        """True if the batch with the interrupted commit is in the log. Waits for a commit still in progress."""
        ...

    async def tail(self, stream: str) -> Tail:
        """The tail of a stream; at 0 if nothing was written to it."""
        ...

    async def tails(self) -> list[Tail]:
        """The tail of every stream, by name."""
        ...

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        """Records of a stream, in order; RecordChangedError where one is not as it was written."""
        ...

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """The stored replies of those keys that have been used. A record that was changed gives none."""
        ...

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        """Balances in cents of these accounts (0 if never used), or of all accounts that were used, after the log."""
        ...

    async def statement(
        self, account: str, before: tuple[int, int] | None = None, limit: int = 100
    ) -> list[StatementLine]:
        """An account's postings, newest first; `before` is the place of the last one already seen.

        RecordChangedError where the record of one is not as it was written, or one is missing between two others.
        """
        ...

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        """Take a free stream under a new, higher fencing number; raises LeaseHeldError."""
        ...

    async def renew(self, lease: Lease, ttl_ms: int) -> Lease:
        """Extend a lease; raises FencedOutError if the stream has been taken over."""
        ...

    async def release(self, lease: Lease) -> None:
        """Release a stream, so that others need not wait. Does nothing if it has been taken over."""
        ...

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        """The known people of these ids, or everyone, by id."""
        ...

    async def person(self, token_hash: str) -> StoredPerson | None:
        """The person with this token hash."""
        ...

    async def tables(self) -> list[TableSettings]:
        """The settings of every table, by name."""
        ...

    @property
    def accepted(self) -> tuple[str, ...]:
        """The sentences on what somebody accepted on trust about the head file. Log them, then call `noted`."""
        ...

    async def noted(self) -> None:
        """Say that the log holds all of `accepted`."""
        ...

    def findings(self) -> list[Finding]:
        """The changes by somebody else that were found in the database and are not noted yet.

        Write each into the log, then call `finding_noted`.
        """
        ...

    def finding_noted(self, finding: Finding) -> None:
        """Say that the log holds a finding."""
        ...

    async def save_fold(self) -> SavedFold | None:
        """The fold of the log at this moment, for a checkpoint; None where nothing outlives the process."""
        ...

    @property
    def resumed(self) -> bool:
        """True if the store was opened from a checkpoint, so that what the checkpoint holds can be used."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[StoreSnapshot]:
        """The store at this moment. Later writes do not change it."""
        ...

    async def close(self) -> None:
        """Finish pending work, then close the database."""
        ...
