"""The house: one facade over its tables, people and money, whichever process each table runs in."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import re
from collections import Counter, deque
from collections.abc import Coroutine, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Self

from punto.ledger.accounts import patron_account
from punto.ledger.transfers import buy, cash_out
from punto.rules.loader import GAMES, load
from punto.rules.money import MAX_CENTS, money
from punto.rules.refusals import RecordCode, Refusal, RefusedError
from punto.rules.sheet import Role, Sheet
from punto.service import history
from punto.service.admissions import SET_UP, People
from punto.service.bus import Bus, NatsBus, NobodyAnswersError, Stop
from punto.service.clock import Clock, SystemClock
from punto.service.desk import Desk
from punto.service.follow import FollowedTable
from punto.service.host import TableHost, stream_of
from punto.service.people import ADMIN_ROLE, Person, may_set_up
from punto.service.refusals import HouseCode
from punto.service.replies import (
    Reply,
    canonical,
    hash_body,
    read_refusal,
    reference,
    refuse,
    refuse_key,
    write_refusal,
)
from punto.service.runner import RETRY_MS, Job, NotOwnerError, Runner
from punto.service.sealing import Seals, default_key
from punto.service.settings import HouseSettings, Timing, read_timing
from punto.service.subscriptions import Subscription
from punto.service.views import incident, summary
from punto.store import errors
from punto.store.interface import Store
from punto.store.opening import open_store
from punto.store.records import Batch, Draft, Lease, TableSettings, Unit
from punto.store.records import Reply as KeptReply
from punto.table import commands as c
from punto.table import events as e
from punto.table.codec import read_command, to_json, write_command
from punto.table.decide import decide
from punto.table.phases import Phase
from punto.table.state import new_table

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
KEPT_SIGNIFICANT = 10_000
PEOPLE_TURNS = 10
FORWARD_MS = 2_000
MOVING_MS = 8_000
"""How long a command waits for a table that changes its owner: longer than that may take."""
MOVED = "moved"
ONE_PROCESS = "house"
"""The owner's name where only one process can have the store: after a crash it takes its own leases back at once."""
TABLE_ID_LENGTH = 32
_TABLE_ID = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{TABLE_ID_LENGTH - 2}}}[a-z0-9])?")


class House:
    """Tables that run. `open` brings everything to where the log says it is, and recovers what was interrupted."""

    def __init__(self, settings: HouseSettings, store: Store, bus: Bus | None, clock: Clock, seals: Seals) -> None:
        self.settings, self.store, self.clock, self.seals = settings, store, clock, seals
        self.desk = Desk(store, clock)
        self.people = People(store, self.desk, shared=settings.shared or bus is not None)
        self.people.changed = lambda: self.tell("house", {"people": True})
        self.counts: Counter[str] = Counter()
        self.failed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self._bus = bus
        self._hosts: dict[str, TableHost] = {}
        self._balances: dict[str, int] = {}
        self._significant: deque[dict[str, Any]] = deque(maxlen=KEPT_SIGNIFICANT)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._outbox: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._stops: dict[str, list[Stop]] = {}
        self._closing = False
        self._offset = clock.now_ms() - clock.steady_ms()
        self._owner = settings.owner if settings.shared or bus is not None else ONE_PROCESS

    # --------------------------------------------------------------------------------------- opening and closing

    @classmethod
    async def open(
        cls,
        settings: HouseSettings,
        *,
        clock: Clock | None = None,
        store: Store | None = None,
        bus: Bus | None = None,
        adopt_head: bool = False,
    ) -> Self:
        """Open the store (migrate, check), replay every table, recover interrupted rounds, then run.

        Raises the store's RefusedStoreError for a database that must not be trusted or a key that is not its own, and
        OSError for a bus that is away.
        """
        own_clock = clock or SystemClock()
        head = Path(settings.head) if settings.head else None
        seals = Seals(Path(settings.key) if settings.key else default_key(settings.database, head))
        if store is None:
            lease_clock = own_clock.now_ms if clock is not None else None
            store = await open_store(settings.database, head=head, adopt_head=adopt_head, clock=lease_clock)
        try:
            if bus is None and settings.bus is not None:
                bus = await NatsBus.connect(settings.bus)
        except BaseException:
            await store.close()
            raise
        house = cls(settings, store, bus, own_clock, seals)
        try:
            await house._begin()
        except BaseException:
            await house._give_up(0)
            raise
        return house

    async def _begin(self) -> None:
        await self.desk.agree_on(self.seals)
        await self.people.load()
        self._balances = await self.store.balances()
        self.note(await self.desk.news())
        for kept in await self.store.tables():
            await self._host(kept)
        for host in self._hosts.values():
            await self._try_to_own(host)
        if self._bus is not None:
            self._stops[""] = [await self._bus.listen(self._subject("house"), self._hear_house)]
            self.spawn(self._send())
        self.spawn(self._keep())

    async def close(self) -> None:
        """Take nothing new, let automatic tables finish their rounds or hold them, and give the tables up."""
        await self._give_up(self.settings.stop_ms)

    async def _give_up(self, grace_ms: int) -> None:
        if self._closing:
            return
        self._closing = True
        owned = [(host, host.runner) for host in self._hosts.values() if host.runner is not None]
        await asyncio.gather(*[runner.close(grace_ms) for _, runner in owned])
        with contextlib.suppress(errors.StoreError):
            for _, runner in owned:
                await self.store.release(runner.lease)
        for host in self._hosts.values():
            await host.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._bus is not None:
            for stop in [stop for stops in self._stops.values() for stop in stops]:
                await stop()
            await self._bus.close()
        await self.store.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something beside everything else; it ends with the house."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        # A note that could not be written is lost with the disk full; what it was about is in the table's own log.
        if not isinstance(error, errors.DiskFullError | errors.UnavailableError):
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Something after which nothing may be trusted to be durable: whoever waits for `failed` stops the process."""
        if not self.failed.done():
            self.failed.set_result(error)

    # --------------------------------------------------------------------------------------- tables and who runs them

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a built-in game, or one of the house's own by id or path; a RefusedError says there is none."""
        if game in GAMES:
            return load(game)
        for path in self.settings.sheets:
            if game in {path, load(path).id}:
                return load(path)
        own = ", ".join(load(path).id for path in self.settings.sheets)
        known = ", ".join(GAMES) + (f", {own}" if own else "")
        raise RefusedError(RecordCode.GAME_UNKNOWN, f"no game of this house is called {game!r}; there are {known}")

    async def _host(self, kept: TableSettings) -> TableHost:
        data = json.loads(kept.settings)
        followed = FollowedTable(kept.table, self.sheet_of(data["game"]))
        host = self._hosts[kept.table] = TableHost(self, followed, Timing(**data["timing"]))
        if self._bus is not None:
            self._stops[kept.table] = [
                await self._bus.listen(self._subject(f"{kept.table}.events"), host.hear_events),
                await self._bus.listen(self._subject(f"{kept.table}.clock"), host.hear_clock),
                await self._bus.listen(self._subject(f"{kept.table}.watch"), host.hear_watchers),
            ]
        await host.catch_up()
        if followed.effective not in {None, followed.sheet.effective}:
            message = (
                f"{kept.table} was opened under the sheet of {followed.sheet.id} in force from {followed.effective}; "
                f"the one at hand is that of {followed.sheet.effective}"
            )
            raise RefusedError(RecordCode.SHEET_INVALID, message)
        return host

    async def _try_to_own(self, host: TableHost) -> bool:
        """Take a table that nobody runs: catch up, recover its round, run it."""
        if host.runner is not None or self._closing:
            return False
        try:
            lease = await self.store.acquire(stream_of(host.followed.id), self._owner, self.settings.lease_ms)
        except (errors.LeaseHeldError, errors.UnavailableError, errors.DiskFullError):
            return False
        await host.catch_up()
        interrupted = host.followed.state.round is not None
        runner = Runner(host.followed, self.store, lease, host, self.clock, self.settings, host.timing, self.seals)
        try:
            await runner.recover()
        except (errors.FencedOutError, errors.SequenceConflictError):
            return False
        if interrupted and host.followed.state.round is not None and host.why_suspended:
            return False  # the store failed in the middle of it: the round is recovered before anything else, later
        host.suspended(None)
        host.runner = runner
        runner.start()
        host.paced()
        if self._bus is not None:
            answer = await self._bus.answer(self._subject(f"{host.followed.id}.command"), self._answer_command)
            self._stops.setdefault(f"{host.followed.id}!", []).append(answer)
            if interrupted:
                says = f"{self._owner} took {host.followed.id} over in a round and recovered it"
                self.spawn(self.desk.write("table-taken-over", {"table": host.followed.id, "says": says}))
        return True

    def runner_failed(self, host: TableHost, error: BaseException) -> None:
        """A runner stopped by itself: fenced out, and we follow the new owner; or broken, and the house stops."""
        self.spawn(self._stop_answering(host.followed.id))
        if isinstance(error, errors.FencedOutError | errors.SequenceConflictError):
            self.counts["fenced_out"] += 1
            host.fall_behind()
        else:
            self.fail(error)

    async def _stop_answering(self, table: str) -> None:
        for stop in self._stops.pop(f"{table}!", []):
            await stop()

    async def _keep(self) -> None:
        """Renew what is ours, look out for what nobody runs any more, and watch the clock."""
        for turn in itertools.count(1):
            await self.clock.sleep_until(self.clock.steady_ms() + self.settings.lease_ms // 3)
            await self._watch_clock()
            if self._bus is not None and turn % PEOPLE_TURNS == 0:
                with contextlib.suppress(errors.UnavailableError):
                    await self.people.load()  # news of a token that ended may have been lost
            for host in list(self._hosts.values()):
                with contextlib.suppress(errors.UnavailableError, errors.DiskFullError):
                    await self._look_after(host)

    async def _look_after(self, host: TableHost) -> None:
        if host.runner is not None:
            await self._renew(host, host.runner)
            return
        if host.readers:
            self.tell(f"{host.followed.id}.watch", {})
        if not await self._try_to_own(host):
            await self._check_behind(host)

    async def _renew(self, host: TableHost, runner: Runner) -> None:
        try:
            runner.lease = await self.store.renew(runner.lease, self.settings.lease_ms)
        except errors.FencedOutError as error:
            await runner.stop()
            self.runner_failed(host, error)
        # Where the store is away, the fencing number protects the log for as long as the lease cannot be renewed.

    async def _check_behind(self, host: TableHost) -> None:
        """News may have been lost with nothing after them to show the gap."""
        if (await self.store.tail(stream_of(host.followed.id))).seq > host.followed.seq:
            host.fall_behind()

    async def _watch_clock(self) -> None:
        offset = self.clock.now_ms() - self.clock.steady_ms()
        jump, self._offset = offset - self._offset, offset
        if abs(jump) >= self.settings.clock_jump_ms:
            says = f"the clock of {self._owner} jumped by {jump} ms"
            self.spawn(self.desk.write("clock-jumped", {"by_ms": jump, "owner": self._owner, "says": says}))

    # --------------------------------------------------------------------------------------- the bus

    def _subject(self, name: str) -> str:
        return f"{self.settings.bus_prefix}.{name}"

    @property
    def has_others(self) -> bool:
        """Whether other processes may share this house: only then is there anyone to tell."""
        return self._bus is not None

    def tell(self, name: str, news: dict[str, Any]) -> None:
        """Tell the other processes, in the order in which things happened."""
        if self._bus is not None:
            self._outbox.put_nowait((self._subject(name), news))

    async def _send(self) -> None:
        while self._bus is not None:
            subject, news = await self._outbox.get()
            await self._bus.publish(subject, news)

    def _hear_house(self, news: dict[str, Any]) -> None:
        self.learn(news.get("balances", {}))
        if news.get("tables"):
            self.spawn(self._load_tables())
        if news.get("people"):
            self.spawn(self.people.load())

    async def _load_tables(self) -> None:
        for kept in await self.store.tables():
            if kept.table not in self._hosts:
                await self._host(kept)

    async def _answer_command(self, ask: dict[str, Any]) -> dict[str, Any]:
        """A command that reached another process, for a table that runs here."""
        host = self._hosts.get(ask.get("table", ""))
        person = await self.people.find(ask.get("person", ""))
        if host is None or host.runner is None or person is None:
            return {MOVED: True}
        try:
            command = read_command(ask["command"])
            reply = await self._run_here(host.runner, person, command, ask["key"], ask["body_hash"])
        except (RefusedError, KeyError, NotOwnerError):
            return {MOVED: True}
        refused = write_refusal(reply.refused) if reply.refused else None
        return {"seq": reply.seq, "events": list(reply.events), "refused": refused}

    # --------------------------------------------------------------------------------------- commands

    async def command(self, by: Person, table: str, command: Mapping[str, Any], key: str) -> Reply:
        """Give a command at a table; the same key again gets the same reply and nothing happens twice."""
        self.counts["commands"] += 1
        reply = await self._command(by, table, command, key)
        if reply.refused is not None:
            self.counts["refusals"] += 1
        return reply

    async def _command(self, by: Person, table: str, command: Mapping[str, Any], key: str) -> Reply:
        host = self._hosts.get(table)
        if refusal := refuse_key(key):
            return Reply(refused=refusal)
        if host is None:
            return refuse(HouseCode.TABLE_UNKNOWN, f"no table has the id {table!r}")
        read = self._read(by, command)
        if isinstance(read, Refusal):
            return Reply(host.followed.seq, refused=read)
        if refusal := await self._refuse_here(host, by, read):
            return Reply(host.followed.seq, refused=refusal)
        whole_key = f"{by.id}:{key}"
        body_hash = hash_body({"table": table, "command": write_command(read)})
        return await self._run(host, by, read, whole_key, body_hash)

    def _read(self, by: Person, command: Mapping[str, Any]) -> c.Command | Refusal:
        """The command with the one who gives it; a patron need not say whom it is for."""
        if "by" in command:
            return Refusal(
                HouseCode.COMMAND_UNREADABLE, "a command is an object, without `by`: the house knows who asks"
            )
        data = dict(command) | {"by": by.actor.text}
        kind = c.COMMANDS.get(str(data.get("kind")))
        if kind is not None and "patron" not in data and any(each.name == "patron" for each in fields(kind)):
            data["patron"] = by.id
        try:
            return read_command(data)
        except RefusedError as error:
            return error.refusal

    async def _refuse_here(self, host: TableHost, by: Person, command: c.Command) -> Refusal | None:
        """What the house itself does not allow, whatever the table says."""
        if by.role == ADMIN_ROLE:
            return Refusal(HouseCode.NOT_PERMITTED, "an admin has no authority in rounds")
        if isinstance(command, c.OpenTable):
            return Refusal(HouseCode.NOT_PERMITTED, "a table is opened by setting it up")
        settings = host.followed.state.settings
        if isinstance(command, DEALING) and settings is not None and not settings.live and by.is_staff:
            return Refusal(HouseCode.AUTOMATIC, f"{host.followed.id} deals by itself")
        if isinstance(command, c.LoadShoe) and (command.cards or command.salt or command.commitment):
            return Refusal(HouseCode.NOT_PERMITTED, "the order of a shoe is nobody's to give: it is read as it comes")
        patron = getattr(command, "patron", None)
        if patron is not None and patron != by.id:
            found = await self.people.find(patron)
            if found is None or not found.is_patron:
                return Refusal(HouseCode.PERSON_UNKNOWN, f"no patron has the id {patron!r}")
        return None

    async def _run(self, host: TableHost, by: Person, command: c.Command, key: str, body_hash: str) -> Reply:
        """Have the owner decide, here or wherever it is, and wait while the table changes hands."""
        until = self.clock.steady_ms() + MOVING_MS
        while not self._closing:
            try:
                if host.runner is not None:
                    return await self._run_here(host.runner, by, command, key, body_hash)
                if self._bus is not None:
                    return await self._forward(host, by, command, key, body_hash)
            except (NotOwnerError, NobodyAnswersError):
                pass
            if self.clock.steady_ms() >= until or (self._bus is None and not self.settings.shared):
                break
            await self.clock.sleep_until(self.clock.steady_ms() + RETRY_MS // 10)
        if self._closing:
            return refuse(HouseCode.HOUSE_CLOSING, "the house is closing and takes nothing new")
        return refuse(
            HouseCode.TABLE_UNREACHABLE, "the process that runs this table does not answer; send the key again"
        )

    async def _run_here(self, runner: Runner, by: Person, command: c.Command, key: str, body_hash: str) -> Reply:
        job = Job(command, by, key, body_hash)
        runner.submit(job)
        return await asyncio.shield(job.done)  # others may wait for the same answer

    async def _forward(self, host: TableHost, by: Person, command: c.Command, key: str, body_hash: str) -> Reply:
        if self._bus is None:
            raise NotOwnerError(host.followed.id)
        table = host.followed.id
        ask = {
            "table": table,
            "person": by.id,
            "command": write_command(command),
            "key": key,
            "body_hash": body_hash,
        }
        answer = await self._bus.request(self._subject(f"{table}.command"), ask, FORWARD_MS)
        if answer.get(MOVED):
            raise NotOwnerError(table)
        refused = read_refusal(answer["refused"]) if answer["refused"] else None
        return Reply(answer["seq"], answer["events"], refused)

    # --------------------------------------------------------------------------------------- setting tables up

    async def set_up(self, by: Person, spec: Mapping[str, Any]) -> dict[str, Any] | Refusal:
        """Open a table: the fields of `open-table`, with `mode` and `timing`. The table's summary, or why not."""
        if not may_set_up(by):
            return Refusal(HouseCode.NOT_PERMITTED, f"a {by.role} may not set tables up")
        read = self._read_spec(by, spec)
        if isinstance(read, Refusal):
            return read
        sheet, game, command, timing = read
        if command.table in self._hosts:
            host = self._hosts[command.table]
            if host.timing.differs(spec.get("timing") or {}):
                message = f"{command.table} keeps the timing it was set up with: leave `timing` out to open it again"
                return Refusal(HouseCode.COMMAND_UNREADABLE, message)
            return await self._reopen(by, host, command)
        opened = decide(new_table(sheet), command)
        if isinstance(opened, Refusal):
            return opened
        try:
            return await self._open_table(by, game, command.table, opened, timing)
        except (errors.LeaseHeldError, errors.SequenceConflictError, errors.FencedOutError):
            return Refusal(HouseCode.TABLE_EXISTS, f"a table with the id {command.table!r} is there already")
        except (errors.DiskFullError, errors.UnavailableError) as error:
            return Refusal(HouseCode.STORE_UNAVAILABLE, error.message)

    def _read_spec(self, by: Person, spec: Mapping[str, Any]) -> tuple[Sheet, str, c.OpenTable, Timing] | Refusal:
        data = dict(spec)
        mode, timing_data = data.pop("mode", None), data.pop("timing", None)
        if "by" in data or "kind" in data or "live" in data or mode not in {"automatic", "live"}:
            message = "a table is set up with mode `automatic` or `live` and the fields of open-table but `live`"
            return Refusal(HouseCode.COMMAND_UNREADABLE, message)
        table, game = data.get("table"), data.get("game")
        if not isinstance(table, str) or not _TABLE_ID.fullmatch(table):
            message = f"a table's id is 1 to {TABLE_ID_LENGTH} lower-case letters, digits and hyphens"
            return Refusal(HouseCode.NAME_INVALID, message)
        try:
            timing = read_timing(timing_data, self.settings.timing)
            sheet = self.sheet_of(game) if isinstance(game, str) else None
            actor = c.Actor(by.id, by.staff or Role.PIT_SUPERVISOR)
            data |= {"kind": "open-table", "by": actor.text, "live": mode == "live"}
            if sheet is not None:
                data["game"] = sheet.id
            command = read_command(data)
        except RefusedError as error:
            return error.refusal
        except ValueError as error:
            return Refusal(HouseCode.COMMAND_UNREADABLE, str(error))
        if not isinstance(command, c.OpenTable) or sheet is None or not isinstance(game, str):
            raise AssertionError("the kind and the game were given")
        return sheet, game, command, timing

    async def _open_table(
        self, by: Person, game: str, table: str, opened: tuple[e.Event, ...], timing: Timing
    ) -> dict[str, Any]:
        lease = await self.store.acquire(stream_of(table), self._owner, self.settings.lease_ms)
        pace = {each.name: getattr(timing, each.name) for each in fields(timing)}
        kept = TableSettings(table, canonical({"game": game, "timing": pace, "by": by.id}))
        drafts = tuple(Draft(c.kind_of(type(event)), to_json(event)) for event in opened)
        batch = Batch(stream_of(table), 0, self.clock.now_ms(), (Unit(drafts),), lease.fence, tables=(kept,))
        await self._appended(batch, lease)
        host = await self._host(kept)
        await self.store.release(lease)
        await self._try_to_own(host)
        self.tell("house", {"tables": True})
        return summary(host.followed)

    async def _appended(self, batch: Batch, lease: Lease) -> None:
        try:
            await self.store.append(batch)
        except errors.OutcomeUnknownError as error:
            if not await self.store.resolve(error):
                await self.store.release(lease)
                raise errors.UnavailableError("the table could not be written; try again") from None

    async def _reopen(self, by: Person, host: TableHost, command: c.OpenTable) -> dict[str, Any] | Refusal:
        if host.followed.state.phase is not Phase.NOT_OPEN:
            return Refusal(HouseCode.TABLE_EXISTS, f"a table with the id {command.table!r} is there already")
        key = f"{by.id}:reopen-{command.table}-{host.followed.seq}"
        reply = await self._run(host, by, command, key, hash_body(write_command(command)))
        return reply.refused or summary(host.followed)

    # --------------------------------------------------------------------------------------- money

    async def buy(self, by: Person, cents: int, key: str) -> Reply:
        """Buy credits."""
        if refusal := _refuse_money(by, cents, key):
            return Reply(refused=refusal)
        body = {"buy": cents}
        try:
            if (repeated := await self._repeated(by, key, body)) is not None:
                return repeated
        except errors.UnavailableError:
            return refuse(HouseCode.STORE_UNAVAILABLE, HouseCode.STORE_UNAVAILABLE.meaning)
        if refusal := self.settings.refuse_bought(cents):
            return Reply(refused=refusal)
        ticket = reference("buy", by.id, key)
        data = {"patron": by.id, "cents": cents}
        most = patron_account(by.id), self.settings.most_held_cents
        return await self._move(by, "credits-bought", data, [buy(by.id, cents, ticket)], key, body, most)

    async def cash_out(self, by: Person, cents: int | None, key: str) -> Reply:
        """Cash out an amount, or all: the reply's data is the ticket."""
        if cents is None:
            if (repeated := await self._repeated(by, key, {"cash_out": None})) is not None:
                return repeated
            cents_out = await self.balance(by)
            if cents_out == 0:
                return refuse(HouseCode.FUNDS_SHORT, "there is no credit to cash out")
        else:
            cents_out = cents
        if refusal := _refuse_money(by, cents_out, key):
            return Reply(refused=refusal)
        ticket = reference("cash-out", by.id, key)
        data = {"patron": by.id, "cents": cents_out, "ticket": ticket, "at": self.clock.now_ms()}
        transfers = [cash_out(by.id, cents_out, ticket)]
        return await self._move(by, "cashed-out", data, transfers, key, {"cash_out": cents})

    async def _repeated(self, by: Person, key: str, body: dict[str, Any]) -> Reply | None:
        if refusal := refuse_key(key):
            return Reply(refused=refusal)
        whole = f"{by.id}:{key}"
        kept = (await self.store.replies([whole])).get(whole)
        if kept is None:
            return None
        if kept.body_hash != hash_body(body):
            return refuse(HouseCode.KEY_REUSED, "this idempotency key was used before for something else")
        return Reply(kept.seq, data=json.loads(kept.text))

    async def _move(
        self,
        by: Person,
        kind: str,
        data: dict[str, Any],
        transfers: list[Any],
        key: str,
        body: dict[str, Any],
        ceiling: tuple[str, int] | None = None,
    ) -> Reply:
        kept = KeptReply(f"{by.id}:{key}", hash_body(body), canonical(data))
        try:
            balances = await self.desk.write(kind, data, transfers=transfers, reply=kept, ceiling=ceiling)
        except errors.CeilingPassedError as error:
            return refuse(HouseCode.CREDIT_LIMIT, f"with this the credit would be more than {money(error.most_cents)}")
        except errors.InsufficientFundsError as error:
            return refuse(HouseCode.FUNDS_SHORT, f"the credit is {money(error.short_cents)} short of this")
        except errors.KeyTakenError as error:
            return Reply(error.stored.seq, data=json.loads(error.stored.text))
        except errors.KeyReusedError:
            return refuse(HouseCode.KEY_REUSED, "this idempotency key was used before for something else")
        except (errors.DiskFullError, errors.UnavailableError) as error:
            return refuse(HouseCode.STORE_UNAVAILABLE, error.message)
        except errors.BrokenStoreError as error:
            self.fail(error)
            return refuse(HouseCode.STORE_UNAVAILABLE, "the house is stopping")
        if not balances:  # the commit was found in the log after its connection was lost
            balances = {patron_account(by.id): await self.balance(by)}
        self.learn(balances)
        self.tell("house", {"balances": balances})
        for host in self._hosts.values():
            host.tell_me(by.id)
        return Reply(data=data)

    async def balance(self, person: Person) -> int:
        """A patron's credit, from the store."""
        account = patron_account(person.id)
        return (await self.store.balances([account]))[account]

    def known_balance(self, person: str) -> int:
        """A patron's credit as this process last heard of it: for showing, never for deciding."""
        return self._balances.get(f"patron:{person}", 0)

    def learn(self, balances: Mapping[str, int]) -> None:
        """Balances as a commit left them."""
        self._balances.update(balances)

    # --------------------------------------------------------------------------------------- looking

    def tables(self) -> list[dict[str, Any]]:
        """Public summaries of all tables."""
        return [summary(host.followed) for _, host in sorted(self._hosts.items())]

    def has_table(self, table: str) -> bool:
        """Whether there is such a table."""
        return table in self._hosts

    def followed(self, table: str) -> FollowedTable:
        """A table with its state, for the server's own use: it holds what nobody may be shown."""
        return self._hosts[table].followed

    def snapshot(self, table: str, person: Person | None) -> dict[str, Any]:
        """A table now, for whoever looks; a KeyError for a table that is not there."""
        return self._hosts[table].snapshot(person)

    def me(self, table: str, person: Person) -> dict[str, Any]:
        """What is one's own at a table."""
        return self._hosts[table].me(person)

    def subscribe(self, table: str, person: Person | None, after: int | None = None) -> Subscription:
        """Follow a table: a snapshot or what was missed since `after`, then every event in order."""
        return self._hosts[table].subscribe(person, after)

    async def rounds(
        self, table: str, person: Person | None, before: int | None = None, limit: int = 20
    ) -> list[dict[str, Any]]:
        """The record of play, newest first."""
        followed = self._hosts[table].followed
        return await history.rounds(self.store, followed, person, self.people.name_of, before, limit)

    async def round(self, table: str, person: Person | None, number: int) -> dict[str, Any] | Refusal:
        """One round whole, marked as a replay."""
        followed = self._hosts[table].followed
        found = await history.one_round(self.store, followed, person, self.people.name_of, number)
        return found or Refusal(HouseCode.ROUND_UNKNOWN, f"{table} has no finished round {number}")

    async def statement(self, person: Person, limit: int = 100) -> list[dict[str, Any]]:
        """A patron's movements, newest first."""
        return await history.statement(self.store, person.id, limit)

    async def shoe(self, table: str, number: int, person: Person | None = None) -> dict[str, Any] | Refusal:
        """A shoe as it is published; its order and salt only once it is over, and so what came out, but to staff."""
        host = self._hosts[table]
        played = host.followed.shoes.get(number)
        if played is None:
            return Refusal(HouseCode.SHOE_UNKNOWN, f"{table} has had no shoe {number}")
        return history.published(host.followed, played, staff=person is not None and person.is_staff)

    async def significant(self, limit: int = 100) -> list[dict[str, Any]]:
        """Significant events of tables and house, newest first."""
        self.note(await self.desk.news())
        return sorted(self._significant, key=lambda line: -line["at"])[:limit]

    def note(self, lines: list[dict[str, Any]]) -> None:
        """Keep significant events at hand."""
        self._significant.extend(lines)

    def incidents(self) -> list[dict[str, Any]]:
        """The open cases of all tables, for staff."""
        found = [incident(host.followed, SET_UP, self.people.name_of) for host in self._hosts.values()]
        return [each for each in found if each is not None]

    def count(self, event: e.Event) -> None:
        """Count what the metrics tell."""
        self.counts["events"] += 1
        if isinstance(event, e.BetPlaced | e.BetRaised):
            self.counts["bets"] += 1
        elif isinstance(event, e.RoundSettled):
            self.counts["rounds_settled"] += 1
        elif isinstance(event, e.RoundVoided):
            self.counts["rounds_void"] += 1

    def health(self) -> dict[str, Any]:
        """Whether all is well, for whoever watches over the process."""
        tables = {
            table: {
                "phase": host.followed.state.phase.value,
                "runs_here": host.runner is not None,
                "suspended": host.why_suspended,
                "stuck": host.why_stuck,
            }
            for table, host in sorted(self._hosts.items())
        }
        troubles = [name for name in ("suspended", "stuck") if any(each[name] for each in tables.values())]
        status = "stopping" if self._closing or self.failed.done() else next(iter(troubles), "ok")
        return {"status": status, "owner": self._owner, "tables": tables}

    def metrics(self) -> dict[str, int]:
        """Counters and gauges."""
        return {
            **self.counts,
            "tables": len(self._hosts),
            "tables_run_here": sum(host.runner is not None for host in self._hosts.values()),
            "subscribers": sum(len(host.readers) for host in self._hosts.values()),
            "people": len(self.people.all()),
        }


def _refuse_money(by: Person, cents: object, key: object) -> Refusal | None:
    if refusal := refuse_key(key):
        return refusal
    if not by.is_patron:
        return Refusal(HouseCode.NOT_PERMITTED, "only patrons have credit")
    if type(cents) is not int or not 0 < cents < MAX_CENTS:
        return Refusal(HouseCode.AMOUNT_INVALID, f"{str(cents)[:40]} is not an amount in whole cents above zero")
    return None
