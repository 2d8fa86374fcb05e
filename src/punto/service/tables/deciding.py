"""Commands that wait together, decided in order: what is to be appended, and what each gets for an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.moves import Move, by_patron
from punto.ledger.transfers import Transfer
from punto.protocol.refusals import FundsShort
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.service.replies import Reply, canonical
from punto.service.shoes.encryption import ShoeCipher
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.jobs import Job
from punto.store.interface import Store
from punto.store.records import NewRecord, NewReply, Unit
from punto.table import commands as c
from punto.table import events as e
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.state import State


@dataclass(slots=True)
class DecidedBatch:
    """A batch as decided: each job with its records (none for a refusal), and the units to append with their jobs."""

    at: int
    answers: list[tuple[Job, Reply | None, list[RecordedEvent]]] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)

    @property
    def recorded(self) -> list[RecordedEvent]:
        """All records of the batch in order."""
        return [each for _, _, recorded in self.answers for each in recorded]


class Decider:
    """Decides the commands of one table, as it stands, and what they move."""

    def __init__(
        self, table: FollowedTable, stream: str, store: Store, cipher: ShoeCipher, balances: dict[str, int]
    ) -> None:
        self._table, self._stream, self._store, self._cipher, self._balances = table, stream, store, cipher, balances

    async def decide(self, jobs: Sequence[Job], now: int) -> DecidedBatch:
        """Decide jobs one after the other, each on what those before it leave."""
        state, ledger, seq = self._table.state, self._table.bet_ledger, self._table.seq
        funds = _Funds(self._store, self._balances)
        decided = DecidedBatch(now)
        for job in jobs:
            answer = decide(state, job.command)
            if isinstance(answer, Refusal):
                decided.answers.append((job, Reply(seq, refused=answer), []))
                continue
            records, recorded, moved = self._records(state, ledger, seq, now, answer)
            if short_cents := await funds.move(by_patron(moved)):
                decided.answers.append((job, Reply(seq, refused=FundsShort(Cents(short_cents))), []))
                continue
            decided.answers.append((job, None, recorded))
            if recorded:
                text = canonical({"first": seq + 1, "last": seq + len(recorded)})
                seq += len(recorded)
                reply = NewReply(job.key, job.body_hash, text) if job.key else None
                decided.units.append(Unit(tuple(records), reply))
                decided.jobs.append(job)
                state, ledger = recorded[-1].after or (state, ledger)
        return decided

    def _records(
        self, state: State, ledger: BetLedger, seq: int, now: int, events: Sequence[e.Event]
    ) -> tuple[list[NewRecord], list[RecordedEvent], list[Move]]:
        """The records that events become after record `seq`, and what moves by them."""
        records, recorded, moved = [], [], list[Move]()
        for place, event in enumerate(events, seq + 1):
            moves, ledger = ledger.moves(place, event)
            state = evolve(state, event)
            payload = self._cipher.write(self._stream, event)
            transfers = tuple([Transfer.of(move) for move in moves])
            records.append(NewRecord(c.kind_of(type(event)), payload, transfers))
            recorded.append(RecordedEvent(place, now, event, (state, ledger)))
            moved += moves
        return records, recorded, moved


class _Funds:
    """What patrons hold while a batch is decided: as this process last heard, and as the store says before a refusal.

    The store looks again when it commits, so what was heard may be old without harm.
    """

    def __init__(self, store: Store, known: dict[str, int]) -> None:
        self._store, self._known = store, known
        self._moved: dict[str, int] = {}
        self._read: dict[str, int] = {}

    async def move(self, cents_by_account: Mapping[str, int]) -> int:
        """Take what a command moves into account, unless an account lacks something: then the cents that it lacks."""
        for account, cents in cents_by_account.items():
            moved = self._moved.get(account, 0) + cents
            if moved >= 0 or self._read.get(account, self._known.get(account, 0)) + moved >= 0:
                continue
            held = self._read[account] = (await self._store.balances([account]))[account]
            if held + moved < 0:
                return -(held + moved)
        for account, cents in cents_by_account.items():
            self._moved[account] = self._moved.get(account, 0) + cents
        return 0
