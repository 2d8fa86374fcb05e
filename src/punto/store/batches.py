"""The rows that a batch adds, computed without side effects and the same for every store.

Inside its transaction a store reads the stream's tail, the balances and any stored replies for the batch's keys. It
calls `rows_of` with them and writes the rows.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from punto.ledger.balances import Balances, PostingRow
from punto.ledger.moves import Reason
from punto.rules.money import money
from punto.store import errors
from punto.store.records import Batch, NewReply, RawRecord, Sign, StoredReply, Tail, Unit, record_hash, record_mac

CHOSEN = frozenset({Reason.BUY, Reason.CASH_OUT, Reason.ISSUE, Reason.REDEEM, Reason.STAKE, Reason.COLLECT})
"""Reasons to move money that could as well stay. A bet's end or correction goes through, by the log's balances."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows to write: a row and its postings for each record, the resulting balances, and the stream's new tail."""

    records: list[RawRecord]
    postings: list[list[PostingRow]]
    balances: dict[str, int]
    tail: Tail


def accounts_of(batch: Batch) -> list[str]:
    """The accounts a batch moves or looks at, sorted. All stores lock them in this order, so there is no deadlock."""
    return sorted(_moved_accounts(batch).union([unit.empty for unit in batch.units if unit.empty]))


def _moved_accounts(batch: Batch) -> set[str]:
    return {
        account
        for unit in batch.units
        for record in unit.records
        for move in record.moves
        for account, cents in move.amounts
        if cents
    }


def keys_of(batch: Batch) -> list[str]:
    """The idempotency keys of a batch."""
    return [unit.reply.key for unit in batch.units if unit.reply]


def records_in(batch: Batch) -> int:
    """The number of records of a batch."""
    return sum(len(unit.records) for unit in batch.units)


def rows_of(
    batch: Batch,
    tail: Tail,
    numbers: Sequence[int],
    balances: Mapping[str, int],
    replies: Mapping[str, StoredReply],
    sign: Sign | None = None,
    stopped: Collection[str] = (),
    *,
    used: Container[str] = (),
    trusted: str | None = None,
) -> Rows:
    """The rows of a batch, or the first reason to refuse it.

    It is looked for in this order: fence and sequence, then unit by unit key, stopped accounts, empty account, funds
    and ceiling. A tail with a wrong signature is refused before all else, because the next signature would make it
    look valid. `numbers` are the next ones of the whole store, ascending, one for each record. `used` are the keys of
    the log, and `replies` what the database has of them. `trusted` is the hash of a tail whose signature is known.
    """
    if sign and tail.seq and tail.hash != trusted and tail.signature != sign.tail(tail):
        raise errors.ForgedError(tail)
    if batch.fence != tail.fence:
        raise errors.FencedOutError(batch.stream, batch.fence, tail.fence)
    if batch.after is not None and batch.after != tail.seq:
        raise errors.SequenceConflictError(f"{batch.stream} ends at record {tail.seq}, not {batch.after}")
    funds, taken = Balances(balances), dict(replies)
    records: list[RawRecord] = []
    postings: list[list[PostingRow]] = []
    record_key = sign.record_key if sign else None
    seq, last = tail.seq, tail.hash
    end = seq + records_in(batch)
    for place, unit in enumerate(batch.units):
        if unit.reply:
            _refuse_taken(place, unit.reply, taken, used)
        if stopped:
            _refuse_stopped(place, unit, stopped)
        if unit.empty and funds[unit.empty]:
            raise errors.AccountNotEmptyError(f"{unit.empty} holds {money(funds[unit.empty])}")
        for nth, record in enumerate(unit.records, 1):
            seq += 1
            number = numbers[len(records)]
            moved: list[PostingRow] = []
            if overdrawn := funds.apply(record.moves, number, moved):
                raise errors.InsufficientFundsError(place, overdrawn.account, overdrawn.short_cents, overdrawn.message)
            # The unit's last record holds the reply.
            reply = unit.reply if nth == len(unit.records) else None
            stored = (reply.key, reply.body_hash, reply.text) if reply else (None, None, None)
            fingerprints = batch.fingerprints if seq == end else None
            said = (record.kind, record.payload, *stored, fingerprints)
            fields = (number, batch.stream, seq, batch.time_ms, batch.fence, *said)
            last = record_hash(last, fields, moved)
            records.append((*fields, last, record_mac(record_key, last) if record_key else None))
            postings.append(moved)
        if unit.ceiling and funds[unit.ceiling[0]] > unit.ceiling[1]:
            raise errors.CeilingPassedError(place, *unit.ceiling)
        if unit.reply:
            reply = unit.reply
            taken[reply.key] = StoredReply(reply.key, reply.body_hash, reply.text, batch.stream, seq)
    ended = Tail(batch.stream, seq, last, batch.fence)
    after = {account: funds[account] for account in sorted(_moved_accounts(batch))}  # not what was looked at
    return Rows(records, postings, after, replace(ended, signature=sign.tail(ended)) if sign else ended)


def _refuse_stopped(place: int, unit: Unit, stopped: Collection[str]) -> None:
    for record in unit.records:
        for move in record.moves:
            for account, cents in move.amounts if move.reason in CHOSEN else ():
                if cents and account in stopped:
                    raise errors.AccountStoppedError(place, account)


def _refuse_taken(place: int, reply: NewReply, taken: Mapping[str, StoredReply], used: Container[str]) -> None:
    stored = taken.get(reply.key)
    if stored is None:
        if reply.key in used:
            raise errors.KeyMissingError(place, reply.key)
        return
    if stored.body_hash != reply.body_hash:
        raise errors.KeyReusedError(place, reply.key)
    raise errors.KeyTakenError(place, stored)
