"""Commands on their way to a table: checked against what the house allows, and brought to the one that decides.

That one is the runner of the table, here or in another process. While a table changes hands a command waits; its key
makes sure that it is carried out once, however often it has to be sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Raw, Struct

from punto.protocol import views as v
from punto.protocol.codec import parse_command, struct_of, to_json
from punto.protocol.refusals import HouseClosing, PersonUnknown, StoreUnavailable, TableUnknown, TableUnreachable
from punto.protocol.shown import AnyRefusal, build_refusal, show_refusal
from punto.rules.cash import cash_patron, is_cash
from punto.rules.reasons import Wanted
from punto.rules.refusals import FieldMissing, Refusal, Refused
from punto.service.cluster.bus import NobodyAnswersError
from punto.service.part import Part
from punto.service.people.admissions import People
from punto.service.people.person import Person
from punto.service.replies import Reply, hash_body, refuse_key
from punto.service.settings import RETRY_MS
from punto.service.tables.deciding import Job, NotOwnerError, TableDraft
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.registry import TableRegistry
from punto.service.tables.runner import Runner
from punto.service.viewing.choice_views import refuse_in_house
from punto.store import errors
from punto.table import acts
from punto.table.act import PatronCommand, kind_of
from punto.table.actor import PATRON_ROLE
from punto.table.engine import refuse_authority
from punto.table.refusals import NotPermitted
from punto.table.seats import takes_cash
from punto.table.state import State

FORWARD_MS = 2_000
MOVING_MS = 2_000
"""The wait of a command for a table that changes its owner: as long as a patron waits without asking.

A table that moves is there again sooner. That of a process that died is not; whoever asks is told to send again.
"""


def request_name(table: str) -> str:
    """The name under which the owner of a table answers commands."""
    return f"{table}.command"


class Forwarded(Struct):
    """A command that one process forwards to another. The key is whole: it names the person too."""

    table: str
    person: str
    command: Raw
    key: str
    body_hash: str


class Answered(Struct):
    """The answer of the process that runs a table; `moved` where it runs the table no more."""

    seq: int = 0
    events: tuple[v.RecordedEvent, ...] = ()
    refused: AnyRefusal | None = None
    moved: bool = False


@dataclass(eq=False, repr=False)
class CommandRouter(Part):
    """Takes every command that is given to a table of the house."""

    _people: People
    _tables: TableRegistry

    async def give(self, by: Person, table: str, command: acts.Command, key: str) -> Reply:
        """Give a command at a table; the same key again gets the same reply and nothing happens twice."""
        if refusal := refuse_key(key):
            return Reply(refused=refusal)
        if (host := self._tables.hosts.get(table)) is None:
            return Reply(refused=TableUnknown(table))
        if refusal := await self._refuse(by, host.followed.state, command):
            return Reply(host.followed.seq, refused=refusal)
        body_hash = hash_body({"table": table, "command": struct_of(command)})
        return await self.carry_out(table, by, command, f"{by.id}:{key}", body_hash)

    async def preview(
        self, by: Person, table: FollowedTable, command: acts.Command
    ) -> Sequence[RecordedEvent] | Refusal:
        """The result that a command would have, or its refusal, by the checks that giving it makes.

        What would tell a card that nobody has seen is not previewed.
        """
        if refusal := await self._refuse(by, table.state, command):
            return refusal
        if command.names_cards(table.state):
            return NotPermitted("")
        effect = await TableDraft(table, self._store, self._balances).decide(command, self._clock.now_ms())
        if isinstance(effect, Refusal):
            return effect
        return NotPermitted("") if command.opens_cards(table.state) else effect.recorded

    async def _refuse(self, by: Person, state: State, command: acts.Command) -> Refusal | None:
        """The refusal by the house itself, whatever the table says."""
        if refusal := refuse_in_house(state, by, type(command)):
            return refusal
        if isinstance(command, acts.LoadShoe) and (command.cards or command.salt or command.commitment):
            return NotPermitted("")  # the order of a shoe cannot be supplied; cards are read one at a time
        if by.is_patron:
            return None  # a patron who names another is refused by the table, whoever that is
        if refusal := refuse_authority(state, by.actor, type(command)):
            return refusal
        if isinstance(command, PatronCommand):
            if not command.patron:
                return FieldMissing(f"{kind_of(type(command))}.{PATRON_ROLE}", Wanted.PATRON)
            return None if is_cash(command.patron) else await self._refuse_patron(command.patron)
        if isinstance(command, acts.Decide) and command.account:
            return None if command.account in _cash_bettors(state) else await self._refuse_patron(command.account)
        return None

    async def _refuse_patron(self, patron: str) -> Refusal | None:
        found = await self._people.find(patron)
        return None if found is not None and found.is_patron else PersonUnknown(patron)

    async def carry_out(self, table: str, by: Person, command: acts.Command, key: str, body_hash: str) -> Reply:
        """Have the owner decide, here or wherever it is, and wait while the table changes hands."""
        clock, runners = self._clock, self._tables.runners
        until = clock.steady_ms() + MOVING_MS
        while self._link.connected or not self._supervisor.closing:
            try:
                if (runner := runners.get(table)) is not None:
                    return await _run_here(runner, by, command, key, body_hash)
                if self._link.connected:
                    return await self._forward(Forwarded(table, by.id, Raw(to_json(command)), key, body_hash))
            except (NotOwnerError, NobodyAnswersError):
                pass
            if clock.steady_ms() >= until or not self._link.shared:
                break
            await clock.sleep_until(clock.steady_ms() + RETRY_MS // 10)
        alone = self._supervisor.closing and not self._link.connected
        return Reply(refused=HouseClosing() if alone else TableUnreachable())

    async def _forward(self, ask: Forwarded) -> Reply:
        answer = await self._link.request(request_name(ask.table), ask, Answered, FORWARD_MS)
        if answer.moved:
            raise NotOwnerError(ask.table)
        return Reply(answer.seq, answer.events, build_refusal(answer.refused) if answer.refused else None)

    async def answer(self, ask: Forwarded) -> Answered:
        """A command that reached another process, for a table that runs here."""
        try:
            person, command = await self._people.find(ask.person), parse_command(bytes(ask.command))
            if isinstance(command, PatronCommand) and not is_cash(command.patron):
                await self._people.find(command.patron)  # whom staff give a place is shown by name
            if (runner := self._tables.runners.get(ask.table)) is None or person is None:
                return Answered(moved=True)
            reply = await _run_here(runner, person, command, ask.key, ask.body_hash)
        except (Refused, NotOwnerError):
            return Answered(moved=True)
        except errors.UnavailableError:  # who asks is not known here yet, and cannot be looked up
            reply = Reply(refused=StoreUnavailable())
        return Answered(reply.seq, reply.events, show_refusal(reply.refused) if reply.refused else None)


def _cash_bettors(state: State) -> set[str]:
    """Those who could bet cash in the boxes of a table."""
    settings = state.settings
    if settings is None or not takes_cash(state):
        return set()
    return {cash_patron(box) for box in range(1, settings.boxes + 1)}


async def _run_here(runner: Runner, by: Person, command: acts.Command, key: str, body_hash: str) -> Reply:
    try:
        past = await runner.read_past_round(command)
    except errors.UnavailableError:
        return Reply(refused=StoreUnavailable())
    job = Job(command, by, key, body_hash, past=past)
    runner.submit(job)
    return await job.done
