"""Commands on their way to a table: read, checked against what the house allows, and brought to the one that decides.

That one is the runner of the table, here or in another process. While a table changes hands a command waits; its key
makes sure that it is carried out once, however often it has to be sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from punto.rules.refusals import Refusal, RefusedError
from punto.service.clock import Clock
from punto.service.cluster.bus import NobodyAnswersError
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.people.admissions import People
from punto.service.people.person import ADMIN_ROLE, Person
from punto.service.refusals import HouseCode
from punto.service.replies import Reply, hash_body, read_refusal, refuse, refuse_key, write_refusal
from punto.service.settings import RETRY_MS
from punto.service.supervisor import Supervisor
from punto.service.tables.jobs import Job, NotOwnerError
from punto.service.tables.registry import TableRegistry
from punto.service.tables.runner import Runner
from punto.service.tables.table_host import TableHost
from punto.table import commands as c
from punto.table.codec import read_command, write_command

DEALING = (
    c.LoadShoe,
    c.CutCard,
    c.OpenBets,
    c.CloseBets,
    c.Deal,
    c.AnswerSqueeze,
    c.Settle,
    c.RecordBet,
    c.Recover,
)
"""What an automatic table does by itself."""
FORWARD_MS = 2_000
MOVING_MS = 8_000
"""How long a command waits for a table that changes its owner: longer than that may take."""
MOVED = "moved"
_FOR_A_PATRON = frozenset(name for name, kind in c.COMMANDS.items() if "patron" in {each.name for each in fields(kind)})
_ADMIN = Refusal(HouseCode.NOT_PERMITTED, "an admin has no authority in rounds")
_BY_GIVEN = Refusal(HouseCode.COMMAND_UNREADABLE, "a command is an object, without `by`: the house knows who asks")


def request_name(table: str) -> str:
    """The name under which the owner of a table answers commands."""
    return f"{table}.command"


class CommandRouter:
    """Takes every command that is given to a table of the house."""

    def __init__(
        self,
        tables: TableRegistry,
        people: People,
        link: ClusterLink,
        clock: Clock,
        supervisor: Supervisor,
        shared: bool,
    ) -> None:
        self._tables, self._people, self._link, self._clock = tables, people, link, clock
        self._supervisor, self._shared = supervisor, shared

    async def give(self, by: Person, table: str, command: Mapping[str, Any], key: str) -> Reply:
        """Give a command at a table; the same key again gets the same reply and nothing happens twice."""
        host = self._tables.hosts.get(table)
        if refusal := refuse_key(key):
            return Reply(refused=refusal)
        if host is None:
            return refuse(HouseCode.TABLE_UNKNOWN, f"no table has the id {table!r}")
        if by.role == ADMIN_ROLE:
            return Reply(host.followed.seq, refused=_ADMIN)
        if "by" in command:
            return Reply(host.followed.seq, refused=_BY_GIVEN)
        data = {**command, "by": by.actor.text}
        # A patron need not say whom a command is for; staff must.
        if by.is_patron and isinstance(kind := command.get("kind"), str) and kind in _FOR_A_PATRON:
            data.setdefault("patron", by.id)
        try:
            read = read_command(data)
        except RefusedError as error:
            return Reply(host.followed.seq, refused=error.refusal)
        if refusal := await self._refuse(host, by, read):
            return Reply(host.followed.seq, refused=refusal)
        return await self.carry_out(host, by, read, f"{by.id}:{key}", hash_body({"table": table, "command": data}))

    async def _refuse(self, host: TableHost, by: Person, command: c.Command) -> Refusal | None:
        """What the house itself does not allow, whatever the table says."""
        if isinstance(command, c.OpenTable):
            return Refusal(HouseCode.NOT_PERMITTED, "a table is opened by setting it up")
        settings = host.followed.state.settings
        if isinstance(command, DEALING) and settings is not None and not settings.live and by.is_staff:
            return Refusal(HouseCode.AUTOMATIC, f"{host.followed.id} deals by itself")
        if isinstance(command, c.LoadShoe) and (command.cards or command.salt or command.commitment):
            return Refusal(HouseCode.NOT_PERMITTED, "the order of a shoe is nobody's to give: it is read as it comes")
        patron = getattr(command, "patron", None)
        # A patron who names another is refused by the table, whoever that is: who is here is nobody else's business.
        if patron is not None and by.is_staff:
            found = await self._people.find(patron)
            if found is None or not found.is_patron:
                return Refusal(HouseCode.PERSON_UNKNOWN, f"no patron has the id {patron!r}")
        return None

    async def carry_out(self, host: TableHost, by: Person, command: c.Command, key: str, body_hash: str) -> Reply:
        """Have the owner decide, here or wherever it is, and wait while the table changes hands."""
        clock, runners, table = self._clock, self._tables.runners, host.followed.id
        until = clock.steady_ms() + MOVING_MS
        while not self._supervisor.closing:
            try:
                if (runner := runners.get(table)) is not None:
                    return await _run_here(runner, by, command, key, body_hash)
                if self._link.connected:
                    return await self._forward(host, by, command, key, body_hash)
            except (NotOwnerError, NobodyAnswersError):
                pass
            if clock.steady_ms() >= until or not self._shared:
                break
            await clock.sleep_until(clock.steady_ms() + RETRY_MS // 10)
        if self._supervisor.closing:
            return refuse(HouseCode.HOUSE_CLOSING, "the house is closing; send the key again later")
        return refuse(
            HouseCode.TABLE_UNREACHABLE, "the process that runs this table does not answer; send the key again"
        )

    async def _forward(self, host: TableHost, by: Person, command: c.Command, key: str, body_hash: str) -> Reply:
        table = host.followed.id
        ask = {
            "table": table,
            "person": by.id,
            "command": write_command(command),
            "key": key,
            "body_hash": body_hash,
        }
        answer = await self._link.request(request_name(table), ask, FORWARD_MS)
        if answer.get(MOVED):
            raise NotOwnerError(table)
        refused = read_refusal(answer["refused"]) if answer["refused"] else None
        return Reply(answer["seq"], answer["events"], refused)

    async def answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        """A command that reached another process, for a table that runs here."""
        person = await self._people.find(ask.get("person", ""))
        runner = self._tables.runners.get(ask.get("table", ""))
        if runner is None or person is None:
            return {MOVED: True}
        try:
            command = read_command(ask["command"])
            reply = await _run_here(runner, person, command, ask["key"], ask["body_hash"])
        except (RefusedError, KeyError, NotOwnerError):
            return {MOVED: True}
        refused = write_refusal(reply.refused) if reply.refused else None
        return {"seq": reply.seq, "events": list(reply.events), "refused": refused}


async def _run_here(runner: Runner, by: Person, command: c.Command, key: str, body_hash: str) -> Reply:
    job = Job(command, by, key, body_hash)
    runner.submit(job)
    return await job.done
