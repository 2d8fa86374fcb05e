"""Torture: a house in a process of its own is killed (SIGKILL) at random points while bots play, again and again.

After every kill the database is opened as a start would open it and I1 to I5 are checked: the ledger sums to zero,
nobody owes, all that was acknowledged is kept, every bet ends once, and a replay agrees with chain and postings. What
was sent and not answered is sent again with the same key to the next process.

    python -m tests.torture --kills 1000 --seed 7

The seed decides the bots' play and the moments of the kills; what the machine does in between is its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from punto.rules.refusals import Refusal
from punto.service.admissions import SET_UP
from punto.service.house import House
from punto.service.people import Person
from punto.service.replaying import HouseReplay
from punto.service.sealing import Seals, default_key
from punto.service.settings import HouseSettings, Timing
from punto.store.audit import audit
from punto.store.opening import open_store

PACE = Timing(betting_ms=40, card_ms=4, insurance_ms=12, pause_ms=5)
BASE: dict[str, Any] = {"mode": "automatic", "decks": 8, "minimum_cents": 1_000, "differential_cents": 400_000}
TABLES = (
    BASE | {"table": "tiger", "game": "da-hu-ying-xiong", "layout": "bean-9", "unit_cents": 100},
    BASE | {"table": "six", "game": "easy-six", "layout": "bean-7", "unit_cents": 100},
    BASE | {"table": "etg", "game": "non-commission", "boxes": 8, "unit_cents": 100},
)
BOTS = 8
CREDIT_CENTS = 200_000
Told = dict[str, Any]


# ------------------------------------------------------------------------------------------- the process that is killed


def settings_of(database: str) -> HouseSettings:
    return HouseSettings(database=database, timing=PACE, always_on=True, shoe_cut=380, stop_ms=0)


def house_process(database: str, seed: int, again: list[Told], pipe: Connection) -> None:
    """A house with bots that tell, through the pipe, what they send and what was acknowledged."""
    asyncio.run(_play(database, random.Random(seed), again, pipe))


async def _play(database: str, luck: random.Random, again: list[Told], pipe: Connection) -> None:
    house = await House.open(settings_of(database))
    people = [await _bot(house, number) for number in range(BOTS)]
    for spec in TABLES:
        if not house.has_table(spec["table"]):
            made = await house.set_up(SET_UP, spec)
            assert not isinstance(made, Refusal), made
    pipe.send({"open": True})
    by_id = {person.id: person for person in people}
    for told in again:
        await _send(house, by_id[told["person"]], told, pipe)
    bots = [_bot_plays(house, person, random.Random(luck.random()), pipe) for person in people]
    ends: list[asyncio.Future[Any]] = [*[asyncio.ensure_future(bot) for bot in bots], house.failed]
    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    raise SystemExit(f"the house stopped: {house.failed.result() if house.failed.done() else 'a bot failed'}")


async def _bot(house: House, number: int) -> Person:
    if (known := house.people.get(f"bot{number}")) is not None:
        return known
    made = await house.people.create(SET_UP, f"bot{number}", "patron")
    assert not isinstance(made, Refusal), made
    return made[0]


async def _bot_plays(house: House, person: Person, luck: random.Random, pipe: Connection) -> None:
    table = luck.choice(TABLES)["table"]
    while True:
        await asyncio.sleep(luck.random() / 100)
        key = f"{luck.getrandbits(64):016x}"
        told: Told = {"person": person.id, "key": key, "table": table}
        if house.cashier.known(person.id) < 20_000:
            told["buy"] = CREDIT_CENTS
        elif luck.random() < 0.02:
            told["cash_out"] = 1_000
        else:
            told["command"] = _command(house, person, table, luck)
        await _send(house, person, told, pipe)
        if luck.random() < 0.05:
            table = luck.choice(TABLES)["table"]


def _command(house: House, person: Person, table: str, luck: random.Random) -> Told:
    """Something a patron might do now; much of it will be refused, which is part of the game."""
    seen = house.snapshot(table, person)
    box = seen["me"]["box"]
    if box is None:
        return {"kind": "sit", "box": luck.randint(1, 7)}
    if seen["offers"] and seen["me"]["bets"]:
        return {"kind": "insure", "box": box, "on": luck.choice(seen["offers"])["on"], "stake_cents": 100}
    bets = [bet for bet in seen["me"]["bets"] if "window" not in bet]
    roll = luck.random()
    if bets and roll < 0.3:
        return {"kind": "raise-bet", "box": box, "on": luck.choice(bets)["on"], "add_cents": 100 * luck.randint(1, 30)}
    if bets and roll < 0.4:
        return {"kind": "withdraw-bet", "box": box, "on": luck.choice(bets)["on"]}
    if roll < 0.43:
        return {"kind": "leave"}
    on = luck.choice(["player", "banker", "player", "banker", "tie"])
    return {"kind": "place-bet", "box": box, "on": on, "stake_cents": 100 * luck.randint(10, 100)}


async def _send(house: House, person: Person, told: Told, pipe: Connection) -> None:
    pipe.send({"try": told})
    if "buy" in told:
        reply = await house.cashier.buy(person, told["buy"], told["key"])
    elif "cash_out" in told:
        reply = await house.cashier.cash_out(person, told["cash_out"], told["key"])
    else:
        reply = await house.command(person, told["table"], told["command"], told["key"])
    seqs = [event["seq"] for event in reply.events]
    pipe.send({"ack": told["key"], "refused": reply.refused.code if reply.refused else None, "seqs": seqs})


# ------------------------------------------------------------------------------------------- the one that kills


@dataclass
class Witness:
    """What was seen from outside: all that was acknowledged must still be there after every kill."""

    sent: dict[str, Told] = field(default_factory=dict)
    acknowledged: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    open: dict[str, Told] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)

    def hear(self, message: Told) -> None:
        if "try" in message:
            told = message["try"]
            self.open[told["key"]] = self.sent[told["key"]] = told
        elif "ack" in message:
            key = message["ack"]
            told = self.open.pop(key)
            self.counts["refused" if message["refused"] else "acknowledged"] += 1
            if not message["refused"]:
                self.acknowledged[f"{told['person']}:{key}"] = (told["table"], message["seqs"])


def torture(kills: int, seed: int, folder: Path, tell: Any = None) -> Counter[str]:
    """Kill a house so many times; an AssertionError says which invariant broke, and when."""
    luck = random.Random(seed)
    database = f"sqlite:///{folder / 'torture.db'}"
    spawn = multiprocessing.get_context("forkserver")
    spawn.set_forkserver_preload(["punto.service.house", "punto.service.replaying", "punto.store.sqlite"])
    witness = Witness()
    for kill in range(1, kills + 1):
        _one_life(spawn, database, luck, witness)
        try:
            asyncio.run(verify(database, witness))
        except AssertionError as error:
            raise AssertionError(f"after kill {kill} with seed {seed}: {error}") from error
        if tell:
            tell(kill, witness)
    asyncio.run(at_rest(database, witness))
    return witness.counts


def _one_life(spawn: Any, database: str, luck: random.Random, witness: Witness) -> None:
    """Start a house, hear so many messages (or wait a moment, to hit its start and recovery), and kill it."""
    ours, theirs = spawn.Pipe(duplex=False)
    again = list(witness.open.values())
    process = spawn.Process(target=house_process, args=(database, luck.getrandbits(32), again, theirs), daemon=True)
    process.start()
    theirs.close()
    early = luck.random() < 0.25
    messages, moment = luck.randint(1, 400), luck.random() / (4 if early else 50)
    try:
        while not early and messages:
            message = ours.recv()
            witness.hear(message)
            messages -= 1
        time.sleep(moment)
    except EOFError:
        process.join()
        raise AssertionError(f"the house stopped by itself with status {process.exitcode}") from None
    process.kill()
    process.join()
    try:
        while True:
            witness.hear(ours.recv())
    except (EOFError, OSError):
        ours.close()


async def verify(database: str, witness: Witness) -> None:
    """Open the database as a start does, and check everything."""
    if not Path(database.removeprefix("sqlite:///")).exists():
        return
    seals = Seals(default_key(database, None))
    store = await open_store(database, signer=seals.signer)
    try:
        async with store.snapshot() as snapshot:
            report = await audit(snapshot, replay=HouseReplay(seals=seals))
        assert not report.problems, report.problems[0]
        kept = await store.replies(list(witness.acknowledged))
        for key, (table, seqs) in witness.acknowledged.items():
            assert key in kept, f"{key} was acknowledged and is not kept"
            if seqs:
                first = json.loads(kept[key].text)["first"]
                assert (kept[key].stream, first, kept[key].seq) == (f"table:{table}", seqs[0], seqs[-1]), key
        witness.counts["records"] = report.records
    finally:
        await store.close()


async def at_rest(database: str, witness: Witness) -> None:
    """One last start recovers the last rounds; then no bet is open, and all that is held is what was paid in."""
    house = await House.open(replace(settings_of(database), always_on=False))
    try:
        async with house.store.snapshot() as snapshot:
            report = await audit(snapshot, replay=HouseReplay(seals=Seals(default_key(database, None))))
        assert not report.problems, report.problems[0]
        assert report.bets_open == 0, f"{report.bets_open} bets never ended"
        balances = await house.store.balances()
        assert report.patron_cents + report.house_cents == -balances.get("cash-desk", 0)
        witness.counts["rounds"] = sum(table["round"] for table in house.tables())
        witness.counts["void"] = house.metrics().get("rounds_void", 0)
    finally:
        await house.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a house at random points while bots play, and check it.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None)
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
    sys.stdout.write(f"seed {seed}\n")

    def tell(kill: int, witness: Witness) -> None:
        if kill % 10 == 0 or kill == chosen.kills:
            sys.stdout.write(f"{kill} kills: {dict(witness.counts)}\n")
            sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder:
        counts = torture(chosen.kills, seed, Path(folder), tell)
    sys.stdout.write(f"all held: {dict(counts)}\n")


if __name__ == "__main__":
    main()
