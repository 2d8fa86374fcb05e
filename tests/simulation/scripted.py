"""A short day of a house by script, written down as a history: what the tests of the auditor mangle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from punto.rules.refusals import Refusal
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.viewing.subscriptions import Subscription
from punto.store.memory import MemoryStore
from tests.manual_clock import ManualClock
from tests.service.rig import ETG, PIT, TIGER, Rig, rig
from tests.simulation import edge
from tests.simulation.auditor.looks import CALLS
from tests.simulation.auditor.rows import hash_of
from tests.simulation.store import contents

Entry = dict[str, Any]
PATRONS, STAFF = ("Ann", "Bob", "Cid"), {"Dan": "dealer", "Sue": "pit-supervisor", "Sup": "pit-supervisor"}


class Script:
    """Acts in a house and writes down what was asked, answered and shown."""

    def __init__(self, rig_: Rig, store: MemoryStore) -> None:
        self.rig, self.store = rig_, store
        self.entries: list[Entry] = []
        self.people: dict[str, Person] = {}
        self._tokens: dict[str, str] = {}
        self._readers: list[tuple[Person | None, str, Subscription]] = []
        self._asked = 0

    def write(self, does: str, **fields: Any) -> None:
        """Write an entry."""
        self.entries.append({"at": self.rig.clock.steady_ms(), "does": does, **fields})

    async def admit(self, name: str, role: str) -> None:
        """Let somebody in."""
        made = await self.rig.house.people.create(SET_UP, name, role)
        assert not isinstance(made, Refusal), made
        self.people[name], self._tokens[name] = made

    async def ask(self, who: str, table: str | None, call: str, body: Entry, key: str | None = None) -> Entry:
        """Ask for something; the answer, after which everyone reads."""
        person = self.people[who]
        self._asked += 1
        number, key = self._asked, None if call in CALLS else key or f"k{self._asked}"
        about = {"who": person.id, "role": person.role, "process": "p1", "call": call, "table": table, "key": key}
        self.write("ask", n=number, **about, body=body)
        told = await edge.serve(self.rig.house, self._tokens[who], call, table, body, key)
        self.write("answer", n=number, reply=told)
        self.read()
        return told

    async def give(self, who: str, table: str, kind: str, **fields: Any) -> Entry:
        """Give a command, which must be accepted."""
        told = await self.ask(who, table, "command", {"kind": kind} | fields)
        assert "code" not in told, told
        return told

    def watch(self, who: str | None, table: str) -> None:
        """Let somebody read a table from now on."""
        person = self.people[who] if who else None
        self._readers.append((person, table, self.rig.house.subscribe(table, person)))
        self.write("subscribed", **self._about(len(self._readers)), after=None)
        self.read()

    def _about(self, sub: int) -> Entry:
        person, table, _ = self._readers[sub - 1]
        return {"who": person and person.id, "role": person.role if person else "public", "table": table, "sub": sub}

    def read(self) -> None:
        """Everyone reads what waits for them."""
        for sub, (_, _, reader) in enumerate(self._readers, 1):
            for message in reader.take():
                self.write("see", **self._about(sub), message=json.loads(message.text))

    async def deal(self, table: str, cards: str) -> None:
        """Deal these cards, each named as it comes."""
        for card in cards.split():
            await self.give("Dan", table, "deal", card=card)

    async def approve(self, table: str) -> None:
        """The second person approves what was proposed."""
        await self.give("Sup", table, "decide", decision="approve")

    def end(self) -> None:
        """Write down what the store holds."""
        self.write("end", **contents(self.store))


async def scripted_day() -> list[Entry]:
    """Insurance in both windows, closed cards, a displaced bet, pro rata, a correction, a void, and automatic play."""
    clock = ManualClock()
    store = MemoryStore(clock.now_ms)
    async with rig(clock=clock, store=store, always_on=True, free_credit=True) as made:
        script = Script(made, store)
        script.write("start", seed=0, settings={})
        for name in (*PATRONS, *STAFF):
            await script.admit(name, STAFF.get(name, "patron"))
        limits = {"minimum_cents": 1_000, "differential_cents": 20_000}
        await made.table(TIGER, mode="live", **limits)
        await made.table(PIT, face_down=True, **limits)
        await made.table(ETG)
        for table in ("tiger", "pit", "etg"):
            for who in (None, "Ann", "Bob", "Sue") if table != "etg" else (None,):
                script.watch(who, table)
        for name in PATRONS:
            await script.ask(name, None, "buy", {"amount_cents": 100_000})
        await _insured_round(script)
        await _scaled_round(script)
        await _round_with_options(script)
        await _void_round(script)
        script.write("healed")
        await _automatic_round(script)
        script.write("quiet")
        for shoe in (1, 2):
            await script.ask("Bob", "etg", "shoe", {"shoe": shoe})
        await script.ask("Ann", "pit", "rounds", {})
        ticket = await script.ask("Bob", None, "cash-out", {"amount_cents": 5_000})
        await script.ask("Ann", None, "take-ticket", {"ticket": ticket["ticket"]})
        script.end()
        return script.entries


async def _insured_round(script: Script) -> None:
    """Banker is insured in both windows and loses; the round was recorded wrongly and is corrected."""
    await script.give("Ann", "tiger", "sit", box=1)
    await script.give("Bob", "tiger", "sit", box=2)
    await script.give("Dan", "tiger", "load-shoe", cut=400)
    await script.give("Dan", "tiger", "open-bets")
    await script.give("Ann", "tiger", "place-bet", box=1, on="banker", stake_cents=10_000)
    await script.give("Ann", "tiger", "place-bet", box=1, on="tiger", stake_cents=1_000)
    bet = {"kind": "place-bet", "box": 2, "on": "player", "stake_cents": 8_000}
    for _ in range(2):
        await script.ask("Bob", "tiger", "command", bet, "twice")
    await script.give("Dan", "tiger", "close-bets")
    await script.ask("Bob", "tiger", "command", {"kind": "raise-bet", "box": 2, "on": "player", "add_cents": 1_000})
    await script.deal("tiger", "2h 2c 3d 4s")
    await script.give("Ann", "tiger", "insure", box=1, on="banker-insurance", stake_cents=2_000)
    await script.deal("tiger", "6h")
    await script.give("Ann", "tiger", "insure", box=1, on="banker-insurance", stake_cents=500)
    await script.deal("tiger", "4c")
    await script.give("Dan", "tiger", "settle")
    await script.give("Sue", "tiger", "correct-round", round=1, cards="2h 2c 3d 4s 6h 3c", reason="seen on camera")
    await script.approve("tiger")


async def _scaled_round(script: Script) -> None:
    """A standing patron gives way, chips over the Differential are scaled, and cards are dealt closed."""
    await script.give("Ann", "pit", "sit", box=1)
    await script.give("Bob", "pit", "stand", box=1)
    await script.give("Cid", "pit", "stand", box=1)
    await script.give("Dan", "pit", "load-shoe", cut=400)
    await script.give("Dan", "pit", "open-bets")
    await script.give("Ann", "pit", "place-bet", box=1, on="banker", stake_cents=4_000)
    await script.give("Bob", "pit", "place-bet", box=1, on="banker", stake_cents=8_000)
    await script.give("Cid", "pit", "place-bet", box=1, on="banker", stake_cents=8_000)
    await script.give("Ann", "pit", "raise-bet", box=1, on="banker", add_cents=5_000)
    await script.give("Cid", "pit", "withdraw-bet", box=1, on="banker", take_cents=1_000)
    for box, stake in ((3, 30_100), (4, 2_000)):
        chips = {"patron": f"cash:{box}", "box": box, "on": "banker", "stake_cents": stake}
        await script.give("Dan", "pit", "record-bet", **chips)
    await script.give("Dan", "pit", "close-bets", reason="called too soon")
    for _ in range(4):
        await script.give("Dan", "pit", "deal")
    for place, card in enumerate(("Kh", "9d", "5h", "Qs"), 1):
        await script.give("Dan", "pit", "open-card", place=place, card=card)
    await script.give("Dan", "pit", "settle")


async def _round_with_options(script: Script) -> None:
    """After a dealing error one patron takes their bet back, and another continues."""
    await script.give("Dan", "pit", "open-bets")
    await script.give("Ann", "pit", "place-bet", box=1, on="player", stake_cents=3_000)
    await script.give("Bob", "pit", "place-bet", box=1, on="tie", stake_cents=1_000)
    await script.give("Dan", "pit", "close-bets")
    await script.deal("pit", "2c")
    await script.give(
        "Dan", "pit", "report", situation="other-dealing-error", facts={"cards": "2c", "reconstructible": True}
    )
    await script.give("Ann", "pit", "choose", option="take-back")
    await script.give("Bob", "pit", "choose", option="continue")
    await script.deal("pit", "9c 6d Kd")
    await script.give("Dan", "pit", "settle")


async def _void_round(script: Script) -> None:
    """A card that is not of the set makes a round void."""
    await script.give("Dan", "pit", "open-bets")
    await script.give("Ann", "pit", "place-bet", box=1, on="player", stake_cents=3_000)
    await script.give("Dan", "pit", "close-bets")
    await script.give("Dan", "pit", "report", situation="foreign-card")
    await script.approve("pit")


async def _automatic_round(script: Script) -> None:
    """A round of an automatic table, after which its shoe is replaced, so that it can be opened."""
    etg = script.rig.house.followed("etg")
    await script.give("Bob", "etg", "sit", box=2)
    await _play_until(script, lambda: etg.state.phase == "betting")
    await script.give("Bob", "etg", "place-bet", box=2, on="tie", stake_cents=2_000)
    await _play_until(script, lambda: etg.state.phase == "between-rounds")
    await script.give("Sue", "etg", "replace-shoe", reason="a bent card")
    await _play_until(script, lambda: etg.state.phase == "betting")


async def _play_until(script: Script, done: Callable[[], bool]) -> None:
    while not done():
        await script.rig.clock.step()
        await asyncio.sleep(0)
        script.read()


def rehashed(end: Entry) -> Entry:
    """The rows of a store with hashes that fit them again, after someone changed them."""
    last: dict[str, str] = {}
    held: dict[str, int] = {}
    for row in end["records"]:
        number, stream, *_ = row
        lines = [each for each in end["postings"] if each[0] == number]
        for place, line in enumerate(lines, 1):
            line[1], line[7] = place, held.get(line[5], 0) + line[6]
            held[line[5]] = line[7]
        row[11] = last[stream] = hash_of(row, last.get(stream, "0" * 64), lines)
    return end
