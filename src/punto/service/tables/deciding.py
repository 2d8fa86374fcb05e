"""Commands that wait together, decided in order: what is to be appended, and what each gets for an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from punto.ledger.moves import Move, by_patron
from punto.protocol.refusals import FundsShort, KeyReused
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.service.replies import Reply, canonical
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.past_rounds import PastRound
from punto.store.interface import Store
from punto.store.records import NewRecord, NewReply, Unit
from punto.table import acts
from punto.table.act import kind_of
from punto.table.corrections.record import PastCommand
from punto.table.engine import decide, round_needed
from punto.table.state import EndedRound


class NotOwnerError(Exception):
    """Another process runs the table now: ask it."""


@dataclass(eq=False, slots=True)
class Job:
    """A command that waits. `key` is whole: it names the person too."""

    command: acts.Command
    person: Person | None = None
    key: str | None = None
    body_hash: str = ""
    done: asyncio.Future[Reply] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    past: PastRound | None = None
    """The earlier round that the command is about, as far as it was read while the command did not wait yet."""
    repeats: tuple[Job, ...] = ()
    """The same command under the same key, sent again before this one was answered: all get one answer."""

    def answer(self, reply: Reply) -> None:
        """Give the answer, to whoever still waits for it."""
        for job in (self, *self.repeats):
            if not job.done.done():
                job.done.set_result(reply)

    def fail(self, error: Exception) -> None:
        """Say that there is no answer here."""
        for job in (self, *self.repeats):
            if not job.done.done():
                job.done.set_exception(error)
                job.done.exception()  # seen: nobody waits for a step of the automat, and that is no mistake

    def refuse_reused(self) -> None:
        """Refuse a key that was used for something else."""
        self.answer(Reply(refused=KeyReused()))


class Effect(NamedTuple):
    """The effect of a command: its events as they would be recorded, and what each of them moves."""

    recorded: list[RecordedEvent]
    moves: list[list[Move]]


class TableDraft:
    """A table on which commands are decided, each on what those before it leave. Nothing is written by it.

    What patrons hold is taken as this process last heard, and asked of the store before a refusal. The store looks
    again when it commits, so what was heard may be old without harm.
    """

    def __init__(self, table: FollowedTable, store: Store, balances: dict[str, int]) -> None:
        self.seq = table.seq
        self._table, self._store, self._balances = table, store, balances
        self._state, self._ledger = table.state, table.bet_ledger
        self._decided: list[acts.Event] = []
        self._moved: dict[str, int] = {}
        self._read: dict[str, int] = {}

    async def decide(self, command: acts.Command, now: int, past: PastRound | None = None) -> Effect | Refusal:
        """Decide a command and take what it leads to, unless the table refuses it or a patron cannot pay for it.

        `past` is an earlier round as far as it was read already; a command about one reads the rest.
        """
        if isinstance(command, PastCommand) and (number := round_needed(self._state, command)) is not None:
            command = replace(command, record=await self._record_of(number, past))
        answer = decide(self._state, command)
        if isinstance(answer, Refusal):
            return answer
        ledger, effect = self._ledger, Effect([], [])
        for seq, (event, state) in enumerate(zip(answer, answer.states, strict=True), self.seq + 1):
            moves, ledger = ledger.moves(seq, event)
            effect.recorded.append(RecordedEvent(seq, now, event, (state, ledger)))
            effect.moves.append(moves)
        if short_cents := await self._pay(by_patron([move for moves in effect.moves for move in moves])):
            return FundsShort(Cents(short_cents))
        self._state, self._ledger, self.seq = answer.state, ledger, self.seq + len(answer.events)
        self._decided += answer
        return effect

    async def _record_of(self, number: int, past: PastRound | None) -> EndedRound | None:
        """The record of an earlier round after the log and what was decided here before."""
        if past is None or past.fold.number != number:
            past = PastRound.begin(self._table, number)
        if past is None:
            return None
        past = await past.read_on(self._store, self._table.id, self.seq - len(self._decided))
        return past.record_after(self._decided)

    async def _pay(self, cents_by_account: dict[str, int]) -> int:
        """Take what a command moves into account, unless an account lacks something: then the cents that it lacks."""
        for account, cents in cents_by_account.items():
            moved = self._moved.get(account, 0) + cents
            if moved >= 0 or self._read.get(account, self._balances.get(account, 0)) + moved >= 0:
                continue
            held = self._read[account] = (await self._store.balances([account]))[account]
            if held + moved < 0:
                return -(held + moved)
        for account, cents in cents_by_account.items():
            self._moved[account] = self._moved.get(account, 0) + cents
        return 0


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


async def decide_together(
    draft: TableDraft, jobs: Sequence[Job], now: int, write: Callable[[acts.Event], str]
) -> DecidedBatch:
    """Decide jobs one after the other. `write` gives an event as the payload of a record."""
    decided = DecidedBatch(now)
    for job in jobs:
        before = draft.seq
        effect = await draft.decide(job.command, now, job.past)
        if isinstance(effect, Refusal):
            decided.answers.append((job, Reply(before, refused=effect), []))
            continue
        decided.answers.append((job, None, effect.recorded))
        if effect.recorded:
            records = [
                NewRecord(kind_of(type(each.event)), write(each.event), moves)
                for each, moves in zip(effect.recorded, effect.moves, strict=True)
            ]
            text = canonical({"first": before + 1, "last": draft.seq})
            reply = NewReply(job.key, job.body_hash, text) if job.key else None
            decided.units.append(Unit(tuple(records), reply))
            decided.jobs.append(job)
    return decided
