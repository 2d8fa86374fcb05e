"""Torture: a server in a process of its own is killed (SIGKILL) at random points while bots play, again and again.

The bots play from outside, over HTTP and WebSocket. After every kill the database is opened as a start would open it
and I1 to I5 are checked: the ledger sums to zero, nobody owes, all that was acknowledged is kept, every bet ends once,
and a replay agrees with chain and postings. What was sent and not answered is sent again, with the same key, to the
next server.

    python -m tests.torture --kills 1000 --seed 7
    python -m tests.torture --kills 100 --postgres

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
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec

from punto.client import Client, ConnectionLostError, LiveTable, RefusedByServerError
from punto.protocol.views import NewTable, Own, Snapshot
from punto.rules.refusals import Refusal
from punto.service.audit.replay import HouseReplay
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import EdgeLimits, HouseSettings
from punto.service.shoes.house_key import HouseKey
from punto.service.streams import table_stream
from punto.store.audit import AuditReport, audit
from punto.store.errors import RefusedStoreError
from punto.store.interface import Store
from punto.store.opening import open_store
from punto.table.automatic import Timing
from punto.web.server import listening
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer

PACE = Timing(betting_ms=60, card_ms=4, insurance_ms=12, pause_ms=5)
WIDE = EdgeLimits(messages_per_second=100_000, burst=100_000)
BASE: dict[str, Any] = {"mode": "automatic", "decks": 8, "minimum_cents": 1_000, "differential_cents": 400_000}
TABLES = (
    BASE | {"table": "tiger", "game": "da-hu-ying-xiong", "layout": "bean-9", "unit_cents": 100},
    BASE | {"table": "six", "game": "easy-six", "layout": "bean-7", "unit_cents": 100},
    BASE | {"table": "etg", "game": "non-commission", "boxes": 8, "unit_cents": 100},
)
BOTS = 8
CREDIT_CENTS = 200_000
KILLS_OF_A_HOUSE = 100
"""Kills after which a new house begins: its whole log is replayed after each, so that a long one takes long."""
EVERYTHING = 10**9
UNSURE = frozenset({"table-unreachable", "store-unavailable"})
"""Refusals that say nothing of whether it was done."""
Told = dict[str, Any]


# ------------------------------------------------------------------------------------------- the process that is killed


def settings_of(database: str, folder: Path) -> HouseSettings:
    """One house for all lives: it takes its own leases back at once."""
    head = str(folder / "torture.head")
    return HouseSettings(
        database,
        head,
        owner="torture",
        timing=PACE,
        edge=WIDE,
        always_on=True,
        shoe_cut=380,
        stop_ms=0,
        free_credit=True,
    )


def server_process(settings: HouseSettings, pipe: Connection) -> None:
    """A server with a token for each bot, told through the pipe."""
    asyncio.run(_serve(settings, pipe))


async def _serve(settings: HouseSettings, pipe: Connection) -> None:
    house = await open_house(settings)
    tokens = {f"bot{number}": await _token(house, f"bot{number}") for number in range(BOTS)}
    for spec in TABLES:
        if spec["table"] not in house.registry.hosts:
            made = await house.setup.set_up(SET_UP, msgspec.convert(spec, NewTable))
            assert not isinstance(made, Refusal), made
    async with listening(house) as port:
        pipe.send((port, tokens))
        raise SystemExit(f"the house stopped: {await house.failed}")


async def _token(house: House, name: str) -> str:
    if house.people.get(name) is None:
        made = await house.people.create(SET_UP, name, "patron")
        assert not isinstance(made, Refusal), made
        return made[1]
    token = await house.people.replace_token(SET_UP, name)
    assert isinstance(token, str), token
    return token


# ------------------------------------------------------------------------------------------- the bots


@dataclass
class Witness:
    """What was seen from outside: all that was acknowledged must still be there after every kill."""

    open: dict[str, Told] = field(default_factory=dict)
    acknowledged: dict[str, tuple[str, int | None, int | None]] = field(default_factory=dict)
    tickets: list[str] = field(default_factory=list)
    """All that were printed, used or not."""
    counts: Counter[str] = field(default_factory=Counter)
    until: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, what: str) -> None:
        """Count something; so many of them are awaited."""
        self.counts[what] += 1
        self.until -= 1
        if self.until <= 0:
            self.reached.set()

    async def tell(self, client: Client, live: LiveTable | None, told: Told) -> None:
        """Send something and note whether it was acknowledged; a ConnectionLostError where nobody answers."""
        key, first, last = told["key"], None, None
        self.open[key] = told
        self.note("sent")
        try:
            if "buy" in told:
                await client.buy(told["buy"], key)
            elif "cash_out" in told:
                self.tickets.append((await client.cash_out(told["cash_out"], key)).ticket)
            elif "ticket" in told:
                await client.take_ticket(told["ticket"], key)
            else:
                command = dict(told["command"])
                kind = command.pop("kind")
                if live:
                    last = await live.command(kind, key, **command)
                else:
                    done = await client.command(told["table"], kind, key, **command)
                    first, last = (done.events[0].seq if done.events else None), done.seq
        except RefusedByServerError as refused:
            if refused.code not in UNSURE:
                del self.open[key]
            self.note("refused")
        else:
            del self.open[key]
            self.acknowledged[f"{told['person']}:{key}"] = (told["table"], first, last)
            self.note("acknowledged")


async def _bot_plays(client: Client, name: str, luck: random.Random, witness: Witness) -> None:
    """Play over HTTP, or over a table's WebSocket, until the server is gone."""
    with suppress(ConnectionLostError):
        while True:
            table = luck.choice(TABLES)["table"]
            if luck.random() < 0.5:
                await _evening(client, None, name, table, luck, witness)
            else:
                async with client.watch(table, tries=1) as live:
                    await _evening(client, live, name, table, luck, witness)


async def _evening(
    client: Client, live: LiveTable | None, name: str, table: str, luck: random.Random, witness: Witness
) -> None:
    while luck.random() > 0.05:
        await asyncio.sleep(luck.random() / 100)
        told: Told = {"person": name, "key": f"{luck.getrandbits(64):016x}", "table": table}
        seen = live.view if live else await client.snapshot(table)
        assert seen.me is not None
        if (seen.me.balance_cents or 0) < 20_000:
            told["buy"] = CREDIT_CENTS
        elif luck.random() < 0.02:
            told["cash_out"] = 1_000
        elif witness.tickets and luck.random() < 0.02:
            told["ticket"] = luck.choice(witness.tickets)
        else:
            told["command"] = _command(seen, seen.me, luck)
        await witness.tell(client, live, told)


def _command(seen: Snapshot, me: Own, luck: random.Random) -> Told:
    """Something a patron might do now; much of it will be refused, which is part of the game."""
    box = me.box
    if box is None:
        return {"kind": "sit", "box": luck.randint(1, 7)}
    if seen.offers and me.bets:
        return {"kind": "insure", "box": box, "on": luck.choice(seen.offers).on, "stake_cents": 100}
    bets = [bet.on for bet in me.bets if bet.window is None]
    roll = luck.random()
    if bets and roll < 0.3:
        return {"kind": "raise-bet", "box": box, "on": luck.choice(bets), "add_cents": 100 * luck.randint(1, 30)}
    if bets and roll < 0.4:
        return {"kind": "withdraw-bet", "box": box, "on": luck.choice(bets)}
    if roll < 0.43:
        return {"kind": "leave"}
    on = luck.choice(["player", "banker", "player", "banker", "tie"])
    return {"kind": "place-bet", "box": box, "on": on, "stake_cents": 100 * luck.randint(10, 100)}


# ------------------------------------------------------------------------------------------- the one that kills


async def torture(
    kills: int, seed: int, database: str, folder: Path, tell: Callable[[int, Witness], None] | None = None
) -> Counter[str]:
    """Kill a server so many times; an AssertionError says which invariant broke, and when."""
    luck, settings, witness = random.Random(seed), settings_of(database, folder), Witness()
    spawn = multiprocessing.get_context("forkserver")
    spawn.set_forkserver_preload(["punto.web.server", "punto.client", "punto.store.sqlite", "punto.store.postgres"])
    for kill in range(1, kills + 1):
        await _one_life(spawn, settings, luck, witness)
        try:
            await verify(settings, witness)
        except AssertionError as error:
            raise AssertionError(f"after kill {kill} with seed {seed}: {error}") from error
        if tell:
            tell(kill, witness)
    await at_rest(settings, witness)
    return witness.counts


async def _one_life(spawn: Any, settings: HouseSettings, luck: random.Random, witness: Witness) -> None:
    """Start a server, let the bots play for a while (or not at all, to hit its start and recovery), and kill it."""
    ours, theirs = spawn.Pipe(duplex=False)
    process = spawn.Process(target=server_process, args=(settings, theirs), daemon=True)
    process.start()
    theirs.close()
    bots: list[asyncio.Task[None]] = []
    try:
        if luck.random() < 0.25:
            await asyncio.sleep(luck.random() / 2)  # wherever the start has got to
            return
        port, tokens = await asyncio.wait_for(asyncio.to_thread(ours.recv), PATIENCE_SECONDS)
        async with Client(f"http://127.0.0.1:{port}", retries=0) as client:
            for told in list(witness.open.values()):
                await witness.tell(client.with_token(tokens[told["person"]]), None, told)
            witness.until, witness.reached = luck.randint(1, 400), asyncio.Event()
            for name, token in tokens.items():
                play = _bot_plays(client.with_token(token), name, random.Random(luck.random()), witness)
                bots.append(asyncio.create_task(play))
            ended = asyncio.create_task(witness.reached.wait())
            await asyncio.wait([ended, *bots], return_when=asyncio.FIRST_COMPLETED)
            assert not any(bot.done() for bot in bots), [bot.exception() for bot in bots if bot.done()]
            await asyncio.sleep(luck.random() / 50)
            process.kill()
            await asyncio.gather(*bots)
    except EOFError:
        process.join()
        raise AssertionError(f"the server stopped by itself with status {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
        ours.close()


async def _audited(settings: HouseSettings, store: Store) -> AuditReport:
    house_key = HouseKey(settings.key_file)
    async with store.snapshot() as snapshot:
        report = await audit(snapshot, replay=HouseReplay(key=house_key))
    assert not report.problems, report.problems[0]
    return report


async def verify(settings: HouseSettings, witness: Witness) -> None:
    """Open the database as a start does, and check everything."""
    house_key = HouseKey(settings.key_file)
    try:
        store = await open_store(settings.database, head=Path(settings.head or ""), signer=house_key.signer)
    except RefusedStoreError as error:
        raise AssertionError(f"the store is refused: {error.message}") from error
    try:
        report = await _audited(settings, store)
        kept = await store.replies(list(witness.acknowledged))
        for key, (table, first, last) in witness.acknowledged.items():
            assert key in kept, f"{key} was acknowledged and is not kept"
            if last is not None:
                assert (kept[key].stream, kept[key].seq) == (f"table:{table}", last), key
            if first is not None:
                assert json.loads(kept[key].text)["first"] == first, key
        witness.counts["records"] = report.records
    finally:
        await store.close()


async def at_rest(settings: HouseSettings, witness: Witness) -> None:
    """One last start recovers the last rounds; then no bet is open, and all that is held is what was paid in."""
    house = await open_house(replace(settings, always_on=False))
    try:
        report = await _audited(settings, house.store)
        assert report.bets_open == 0, f"{report.bets_open} bets never ended"
        balances = await house.store.balances()
        tickets_cents = sum([cents for account, cents in balances.items() if account.startswith("ticket:")])
        assert report.patron_cents + report.house_cents + tickets_cents == -balances.get("cash-desk", 0)
        known = {f"ticket:{number}" for number in witness.tickets}
        assert known <= balances.keys(), f"{len(known - balances.keys())} printed tickets are lost"
        witness.counts["rounds"] = sum(table.round for table in house.tables())
        streams = [table_stream(table.id) for table in house.tables()]
        records = [each for stream in streams for each in await house.store.read(stream, 0, EVERYTHING)]
        witness.counts["void"] = sum(each.kind == "round-voided" for each in records)
    finally:
        await house.close()


async def torture_houses(kills: int, seed: int, *, postgres: bool) -> Counter[str]:
    """Kill servers of one house after another, each of a seed of its own, and add up what was seen."""
    counts: Counter[str] = Counter()

    def tell(kill: int, witness: Witness) -> None:
        if kill % 10 == 0 or done + kill == kills:
            sys.stdout.write(f"{done + kill} kills: {dict(counts + witness.counts)}\n")
            sys.stdout.flush()

    for place, done in enumerate(range(0, kills, KILLS_OF_A_HOUSE)):
        with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
            folder = Path(name)
            database = f"sqlite:///{folder / 'torture.db'}"
            if postgres:
                server = PostgresServer()
                stack.callback(server.close)
                server.start()
                server.sql("postgres", "CREATE DATABASE torture")
                database = server.address("torture")
            counts += await torture(min(KILLS_OF_A_HOUSE, kills - done), seed + place, database, folder, tell)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a server at random points while bots play, and check it.")
    parser.add_argument("--kills", type=int, default=100, help="a new house begins after every hundred")
    parser.add_argument("--seed", type=int, default=None, help="of the first house; each next has the next one")
    parser.add_argument("--postgres", action="store_true", help="on a real PostgreSQL instead of an SQLite file")
    chosen = parser.parse_args()
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
    sys.stdout.write(f"seed {seed}\n")
    counts = asyncio.run(torture_houses(chosen.kills, seed, postgres=chosen.postgres))
    sys.stdout.write(f"all held: {dict(counts)}\n")


if __name__ == "__main__":
    main()
