"""How a store says no. Each error says what was written: nothing, unless it says otherwise."""

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
    """The stream does not end where the writer thought: read on from `actual` and decide again."""

    code = "sequence-conflict"

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} ends at record {actual}, not {expected}")
        self.stream, self.expected, self.actual = stream, expected, actual


class FencedOutError(StoreError):
    """Another owner has taken the stream over; this one must stop writing to it for good."""

    code = "fenced-out"

    def __init__(self, stream: str, fence: int, current: int) -> None:
        super().__init__(f"{stream} is written under fencing number {current} now, not {fence}")
        self.stream, self.fence, self.current = stream, fence, current


class LeaseHeldError(StoreError):
    """Another owner holds the stream, until `expires_ms` unless it renews."""

    code = "lease-held"

    def __init__(self, stream: str, owner: str, expires_ms: int) -> None:
        super().__init__(f"{stream} is held by {owner}")
        self.stream, self.owner, self.expires_ms = stream, owner, expires_ms


class InsufficientFundsError(StoreError):
    """An account lacks what a unit of the batch would take. Leave `unit` out, decide those after it again, resend."""

    code = "insufficient-funds"

    def __init__(self, unit: int, account: str, short_cents: int, message: str) -> None:
        super().__init__(message)
        self.unit, self.account, self.short_cents = unit, account, short_cents


class CeilingPassedError(StoreError):
    """An account would hold more than a unit of the batch allows."""

    code = "ceiling-passed"

    def __init__(self, unit: int, account: str, most_cents: int) -> None:
        super().__init__(f"{account} would hold more than {money(most_cents)}")
        self.unit, self.account, self.most_cents = unit, account, most_cents


class KeyTakenError(StoreError):
    """A unit's idempotency key has been used by the same request: `stored` is the reply to give."""

    code = "key-taken"

    def __init__(self, unit: int, stored: StoredReply) -> None:
        super().__init__(f"the command with key {stored.key!r} has been carried out before")
        self.unit, self.stored = unit, stored


class KeyReusedError(StoreError):
    """A unit's idempotency key has been used by another request: refuse it."""

    code = "key-reused"

    def __init__(self, unit: int, key: str) -> None:
        super().__init__(f"the key {key!r} has been used for another command")
        self.unit, self.key = unit, key


class DiskFullError(StoreError):
    """There is no room. Nothing was written, and the same may be tried again once there is."""

    code = "disk-full"


class UnavailableError(StoreError):
    """The database cannot be reached, or gave up on a lock. Nothing was written; it may be tried again."""

    code = "store-unavailable"


class OutcomeUnknownError(StoreError):
    """The connection was lost during the commit, so it may or may not have happened: ask `Store.resolve(error)`."""

    code = "outcome-unknown"

    def __init__(self, tail: Tail) -> None:
        super().__init__(f"the connection was lost while committing {tail.stream} up to record {tail.seq}")
        self.tail = tail


class BrokenStoreError(StoreError):
    """The disk failed (as in an fsync error): what is durable is no longer known. Stop the process; never retry."""

    code = "store-broken"


class ForgedError(BrokenStoreError):
    """A stream does not end with this house's signature: somebody else has written to the database."""

    code = "seal-wrong"

    def __init__(self, tail: Tail) -> None:
        super().__init__(unsigned(tail))
        self.tail = tail


def unsigned(tail: Tail) -> str:
    """What is wrong with a tail whose seal is not the right one."""
    return f"{tail.stream} {tail.seq}, where that stream ends, does not bear the signature of this house"


class RefusedStoreError(StoreError):
    """The store was not opened: not a database of this program, a newer one, edited, rolled back or in use."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
