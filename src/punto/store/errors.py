"""The errors of a store. Nothing was written, unless an error says otherwise."""

from __future__ import annotations

from punto.rules.money import money
from punto.store.records import StoredReply, Tail


class StoreError(Exception):
    """Something a store could not do: a stable code and a sentence."""

    code = "store-error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class SequenceConflictError(StoreError):
    """The stream does not end where the writer expected. Read on and decide again."""

    code = "sequence-conflict"


class FencedOutError(StoreError):
    """Another owner has taken the stream over. This process must stop writing to it."""

    code = "fenced-out"

    def __init__(self, stream: str, fence: int, current: int) -> None:
        super().__init__(f"{stream} is written under fencing number {current} now, not {fence}")


class LeaseHeldError(StoreError):
    """Another owner holds the stream."""

    code = "lease-held"


class UnitRefusedError(StoreError):
    """A unit of the batch cannot be written. Remove `unit`, decide later units again, and resend."""

    def __init__(self, unit: int, message: str) -> None:
        super().__init__(message)
        self.unit = unit


class InsufficientFundsError(UnitRefusedError):
    """An account has less than a unit of the batch takes."""

    code = "insufficient-funds"

    def __init__(self, unit: int, account: str, short_cents: int, message: str) -> None:
        super().__init__(unit, message)
        self.account, self.short_cents = account, short_cents


class CeilingPassedError(UnitRefusedError):
    """An account would hold more than a unit of the batch allows."""

    code = "ceiling-passed"

    def __init__(self, unit: int, account: str, maximum_cents: int) -> None:
        super().__init__(unit, f"{account} would hold more than {money(maximum_cents)}")
        self.maximum_cents = maximum_cents


class AccountNotEmptyError(StoreError):
    """An account that a unit of the batch requires to be empty is not."""

    code = "account-not-empty"


class AccountStoppedError(UnitRefusedError):
    """Somebody else has changed the row of an account that a unit of the batch moves."""

    code = "account-stopped"

    def __init__(self, unit: int, account: str) -> None:
        super().__init__(unit, f"the balance of {account} in the database is not what its postings sum to")
        self.account = account


class KeyTakenError(UnitRefusedError):
    """The same request has used a unit's idempotency key. `stored` is the reply to give."""

    code = "key-taken"

    def __init__(self, unit: int, stored: StoredReply) -> None:
        super().__init__(unit, f"the command with key {stored.key!r} has been carried out before")
        self.stored = stored


class KeyReusedError(UnitRefusedError):
    """Another request has used a unit's idempotency key. Refuse this one."""

    code = "key-reused"

    def __init__(self, unit: int, key: str) -> None:
        super().__init__(unit, f"the key {key!r} has been used for another command")
        self.key = key


class KeyMissingError(KeyReusedError):
    """The log has a record with a unit's key, and the database lacks it: somebody has changed that. Refuse the unit."""

    code = "key-missing"


class DiskFullError(StoreError):
    """The disk is full. Nothing was written; try again when there is free space."""

    code = "disk-full"


class UnavailableError(StoreError):
    """The database cannot be reached, or a lock timed out. Nothing was written; try again."""

    code = "store-unavailable"


class SchemaChangedError(UnavailableError):
    """Somebody has changed the schema of the database. Nothing is written until it is again as it must be."""

    code = "schema-changed"


class RecordChangedError(UnavailableError):
    """A record that was read is not as it was written. Nothing of it is shown."""

    code = "record-changed"

    def __init__(self, place: str) -> None:
        super().__init__(f"{place} is not as it was written: somebody has changed the database")


class OutcomeUnknownError(StoreError):
    """The connection was lost during the commit, so its outcome is unknown. Call `Store.resolve(error)`."""

    code = "outcome-unknown"

    def __init__(self, tail: Tail) -> None:
        super().__init__(f"the connection was lost while committing {tail.stream} up to record {tail.seq}")
        self.tail = tail


class BrokenStoreError(StoreError):
    """The disk failed (for example in fsync), so what is durable is unknown. Stop the process; never retry."""

    code = "store-broken"


class ForgedError(BrokenStoreError):
    """A stream does not end with this house's signature, so somebody else has written to the database."""

    code = "signature-wrong"

    def __init__(self, tail: Tail) -> None:
        super().__init__(unsigned_message(tail))
        self.tail = tail


def unsigned_message(tail: Tail) -> str:
    """The message for a tail with a wrong signature."""
    return f"{tail.stream} {tail.seq}, where that stream ends, does not bear the signature of this house"


class UnfoundedPostingsError(BrokenStoreError):
    """The postings of a record do not follow from its payload."""

    code = "replay-differs"

    def __init__(self, place: str, kind: str) -> None:
        super().__init__(f"{place}: the postings are not those of a {kind}")


class RefusedStoreError(StoreError):
    """The store was not opened: not a database of this program, a newer one, edited, rolled back or in use."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
