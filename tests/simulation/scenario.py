"""One run: a house is set up, people play while things fail, the world heals, and the house must play again."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from punto.service.audit.replay import HouseReplay
from punto.service.house import House
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.shoes.house_key import HouseKey
from punto.store.audit import audit
from punto.table import State, replay
from tests.simulation.actors import (
    DEALER_WEIGHTS,
    PATRON_WEIGHTS,
    PIT_WEIGHTS,
    Actor,
    Admin,
    Client,
    Patron,
    Pit,
    Watcher,
)
from tests.simulation.auditor import Auditor
from tests.simulation.bus import BusFaults, SimNetwork
from tests.simulation.fence import fence
from tests.simulation.history import History
from tests.simulation.loop import NOBODY, SeededLoop
from tests.simulation.processes import Process, SimClock
from tests.simulation.store import SimDatabase, StoreFaults, contents, run_at_once
from tests.simulation.swarm import Spec, Swarm, strike

START_S = 60
CONVERGE_S = 90
"""Within so many virtual seconds after the last fault every table plays again."""
AT_LEAST_S = 4
"""How long play goes on after the world has healed, at the least."""
SETTLE_S = 8
"""How long what is still under way may take once nobody acts any more."""
CATCH_UP_S = 5
"""How long a process may take to learn what another has committed."""
STAFF_WATCH = 0.4
"""How many tables someone of the staff reads: what the house works out for them takes most of a run's time."""
STAFF = ("pit-supervisor", "pit-supervisor", "pit-manager", "shift-manager")
CREDIT_CENTS = 200_000


Tally = Counter[tuple[str, str]]
"""What is counted: rounds and virtual milliseconds, and by their names entries, faults, answers, and the accepted
commands with the phase in which they were given."""


@dataclass
class Result:
    """What became of a run."""

    history: History
    problems: list[str]
    tally: Tally


class Scenario:
    """The world of one run."""

    def __init__(self, loop: SeededLoop, swarm: Swarm) -> None:
        self.loop, self.swarm = loop, swarm
        self.history = History(loop)
        self.problems: list[str] = []
        self.tally = Tally()
        self.specs: dict[str, Spec] = {spec["table"]: spec for spec in swarm.tables}
        self.patrons: list[str] = []
        self.tickets: list[str] = []
        """The numbers of tickets that were handed out."""
        self.is_healed = False
        self.is_over = False
        self.store_clock = SimClock(loop)
        self._travel = loop.streams.stream("travel")
        self._settled: Counter[str] = Counter()
        self._acted: Counter[str] = Counter()
        self._acting: list[asyncio.Task[None]] = []
        self._watching: list[asyncio.Task[None]] = []
        streams = loop.streams
        self.database = SimDatabase(
            self.store_clock.now_ms, streams.stream("store"), StoreFaults(usual_ms=swarm.store.usual_ms), self._start
        )
        self.network = SimNetwork(loop, streams.stream("bus"), BusFaults(usual_ms=swarm.bus.usual_ms))
        self.processes = [
            Process(
                f"p{number}",
                loop,
                self.database,
                self.network,
                self.history,
                swarm.settings(),
                keeps_name=swarm.keeps_name,
            )
            for number in range(1, swarm.processes + 1)
        ]

    # --------------------------------------------------------------------------------------- for the others

    def _start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return self.loop.start(work)

    def later(self, delay_s: float, do: Callable[[], object]) -> None:
        """Do something after a while, whatever fails."""
        self.loop.call_later(delay_s, do, context=NOBODY.context())

    def delay(self) -> float:
        """The time of one way between a client and a process."""
        return self._travel.uniform(0, self.swarm.travel_ms) / 1_000

    async def travel(self) -> None:
        """One way between a client and a process."""
        await asyncio.sleep(self.delay())

    def fault(self, kind: str, **about: Any) -> None:
        """Write down that something fails now."""
        self.tally["fault", kind] += 1
        self.history.add("fault", kind=kind, **about)

    def store_back(self) -> None:
        """The database can be reached again."""
        self.database.is_away = False

    def store_has_room(self) -> None:
        """The disk is not full any more."""
        self.database.is_full = False

    def count(self, reply: Any) -> None:
        """Count an answer."""
        self.tally["answer", reply.get("code") or "accepted"] += 1

    def acted(self, phase: str, kind: str, table: str, role: str) -> None:
        """Count an accepted command."""
        self.tally["pair", f"{phase}/{kind}"] += 1
        if self.is_healed and role != "patron":
            self._acted[table] += 1

    def saw(self, table: str, kind: str) -> None:
        """Note an event that shows that a table plays."""
        if self.is_healed and kind == "round-settled":
            self._settled[table] += 1

    # --------------------------------------------------------------------------------------- the run

    async def run(self) -> None:
        """All of it."""
        async with asyncio.timeout(START_S):
            await self._set_up()
        self.database.faults = self.swarm.store
        self.network.faults = self.swarm.bus
        striking = self.loop.start(strike(self))
        await asyncio.sleep(self.swarm.faults_s)
        striking.cancel()
        self._heal()
        await self._converge()
        await self._rest()
        self._end()

    async def _set_up(self) -> None:
        first = self.processes[0]
        first.start()
        while not first.is_up:
            await asyncio.sleep(0.01)
        admin, token = await first.ask(lambda house: house.people.create(SET_UP, "Admin", "admin"))
        chief = Admin(self, admin, token, self._luck("admin"))
        for process in self.processes[1:]:
            process.start()
        while not all(process.is_up for process in self.processes):
            await asyncio.sleep(0.01)
        for spec in self.swarm.tables:
            made = await chief.ask("set-up", spec)
            assert "code" not in made, made
        await asyncio.sleep(1)
        actors = [await self._patron(chief, number) for number in range(1, self.swarm.patrons + 1)]
        for number, role in enumerate(STAFF, 1):
            person, token = await self._admit(chief, f"Pit {number}", role)
            actors.append(Pit(self, person, token, self._luck(person.id), list(self.specs), PIT_WEIGHTS, (0.3, 2)))
        watchers: list[Watcher] = []
        for table, spec in self.specs.items():
            if spec["mode"] == "live":
                person, token = await self._admit(chief, f"Dealer {table}", "dealer")
                actors.append(Actor(self, person, token, self._luck(person.id), [table], DEALER_WEIGHTS, (0.02, 0.3)))
            watchers += self._watchers(table, actors)
        self._acting = [self.loop.start(each.run()) for each in actors]
        self._acting.append(self.loop.start(chief.run()))
        self._watching = [self.loop.start(each.run()) for each in watchers]

    def _watchers(self, table: str, actors: list[Actor]) -> list[Watcher]:
        """Those who read a table: some of the public, a patron and someone of the staff."""
        luck = self._luck(f"watchers:{table}")
        patrons = [each for each in actors if each.role == "patron"]
        staff = [each for each in actors if each.role != "patron"]
        chosen: list[Client | None] = [None, luck.choice(patrons)]
        luck.shuffle(chosen)
        if luck.random() < STAFF_WATCH:
            chosen.insert(0, luck.choice(staff))
        return [
            Watcher(
                self,
                each.person if each else None,
                each.token if each else None,
                self._luck(f"watcher:{table}:{place}"),
                table,
            )
            for place, each in enumerate(chosen[:2])
        ]

    async def _patron(self, chief: Client, number: int) -> Actor:
        person, token = await self._admit(chief, f"Patron {number}", "patron")
        self.patrons.append(person.id)
        luck = self._luck(person.id)
        tables = luck.sample(list(self.specs), k=2)
        if self.swarm.crowd is not None:
            tables[0] = self.swarm.crowd
        patron = Patron(self, person, token, luck, tables, PATRON_WEIGHTS, (0.05, 0.6))
        bought = await patron.ask("buy", {"amount_cents": CREDIT_CENTS}, key=patron.key())
        assert "code" not in bought, bought
        return patron

    async def _admit(self, chief: Client, name: str, role: str) -> tuple[Person, str]:
        made = await chief.ask("admit", {"name": name, "role": role})
        return _person(made), made["token"]

    def welcome(self, made: Any) -> None:
        """Let someone who was just admitted play."""
        person = _person(made)
        luck = self._luck(person.id)
        self.patrons.append(person.id)
        guest = Patron(self, person, made["token"], luck, [luck.choice(list(self.specs))], PATRON_WEIGHTS, (0.2, 2))
        self._acting.append(self.loop.start(guest.run()))

    def keep_ticket(self, reply: Any) -> None:
        """Keep the ticket of an answer where anyone may find it."""
        if reply is not None and "ticket" in reply:
            self.tickets.append(reply["ticket"])

    def _luck(self, name: str) -> random.Random:
        return self.loop.streams.stream(f"work:{name}")

    def _heal(self) -> None:
        """From here on nothing fails."""
        struck = self.database.counts + self.network.counts
        self.tally += Tally({("fault", kind): count for kind, count in struck.items()})
        self.database.faults = StoreFaults(usual_ms=self.swarm.store.usual_ms)
        self.network.faults = BusFaults(usual_ms=self.swarm.bus.usual_ms)
        self.network.cut_off.clear()
        self.store_back()
        self.store_has_room()
        for process in self.processes:
            process.resume()
            process.start_again()
        self.is_healed = True
        self.history.add("healed")

    async def _converge(self) -> None:
        """Wait until every table plays again."""
        healed = self.loop.time()
        while True:
            await asyncio.sleep(0.5)
            passed = self.loop.time() - healed
            still = [table for table in self.specs if not self._plays(table)]
            if not still and passed >= AT_LEAST_S:
                return
            if passed > CONVERGE_S:
                self.problems += [f"I10 {table} does not play {CONVERGE_S} s after the last fault" for table in still]
                return

    def _plays(self, table: str) -> bool:
        """Whether a round was settled since the world healed or, where a Dealer deals, they could act."""
        if self._settled[table]:
            return True
        return self.specs[table]["mode"] == "live" and self._acted[table] >= 3

    async def _rest(self) -> None:
        """Nobody acts any more; what is under way comes to its end, and every process closes."""
        self.is_over = True
        _, pending = await asyncio.wait(self._acting, timeout=SETTLE_S + 60)
        if pending:
            self.problems.append(f"{len(pending)} clients still wait for an answer")
        await asyncio.sleep(SETTLE_S)
        await self._compare()
        for watching in self._watching:
            watching.cancel()
        await asyncio.sleep(1)
        for task in (*self._acting, *self._watching):
            if task.done() and not task.cancelled() and (error := task.exception()) is not None:
                self.problems.append(f"a client failed: {error!r}")
        self.history.add("quiet")
        for process in self.processes:
            await process.drain()
            self.problems += process.problems

    async def _compare(self) -> None:
        """Every process must come to have each table as its log is."""
        ends = {table: self.database.tail_now(f"table:{table}").seq for table in self.specs}
        await asyncio.sleep(CATCH_UP_S)
        for table, end in ends.items():
            shown: dict[int, set[str]] = {}
            for process in self.processes:
                if (house := process.house) is None:
                    self.problems.append(f"{process.name} is down though nothing fails")
                    continue
                followed = house.followed(table)
                if followed.seq < end:
                    self.problems.append(f"{process.name} has {table} at {followed.seq}, and its log is at {end}")
                shown.setdefault(followed.seq, set()).add(repr(followed.state))
                if followed.seq == end and followed.state != self._folded(house, table):
                    self.problems.append(f"{process.name} has {table} otherwise than its decoded records give it")
            if any(len(states) > 1 for states in shown.values()):
                self.problems.append(f"processes differ on {table}")
        if found := self.database.findings():
            self.problems.append(f"the store has found what nobody did: {found[0]}")

    def _folded(self, house: House, table: str) -> State:
        """The state that the decoded records of a table give, which must be the one that `decide` gave."""
        records = run_at_once(self.database.read(f"table:{table}", 0, 10**6))
        cipher = house.history._cipher
        return replay(house.followed(table).sheet, [cipher.event_of(record) for record in records])

    def _end(self) -> None:
        self.history.add("end", **contents(self.database))


def _person(made: Any) -> Person:
    return Person(made["person"]["id"], made["person"]["name"], made["person"]["role"])


def run(seed: int, planted: AbstractContextManager[Any] | None = None, *, audited: bool = True) -> Result:
    """Run one seed, with a planted bug if there is one. `problems` of the result is empty where all is well."""
    loop = SeededLoop(seed)
    scenario = Scenario(loop, Swarm.draw(loop.streams.stream("swarm")))
    scenario.history.add("start", seed=seed, settings=scenario.swarm.shown())
    asyncio.set_event_loop(loop)
    try:
        with planted or nullcontext():
            try:
                with fence(loop):
                    loop.run_until_complete(loop.start(scenario.run()))
            except Exception as error:
                scenario.problems.append(f"the run ended: {error!r}")
                scenario._end()
            finally:
                loop.end()
    finally:
        asyncio.set_event_loop(None)
    problems = [*scenario.problems, *loop.errors]
    if audited:
        problems += replayed(scenario)
        auditor = Auditor()
        for line in scenario.history.lines:
            auditor.take_line(line)
        problems += auditor.violations()
    problems = list(dict.fromkeys(problems))  # a process that cannot start tries again and again
    tally = scenario.tally + Tally({("entry", does): count for does, count in scenario.history.counts.items()})
    kinds = [row[5] for row in contents(scenario.database)["records"]]
    tally["rounds", ""] = kinds.count("round-settled") + kinds.count("round-voided")
    tally["virtual-ms", ""] = loop.now_ms
    return Result(scenario.history, problems, tally)


def replayed(scenario: Scenario) -> list[str]:
    """What the house's own audit says of the log."""
    key = HouseKey(None, scenario.loop.streams.entropy.randbytes)

    async def check() -> list[str]:
        async with scenario.database.snapshot() as snapshot:
            report = await audit(snapshot, replay=HouseReplay(key=key), sign=scenario.database._sign)
        return [f"I5 {each.message}" for each in report.problems]

    return asyncio.run(check())
