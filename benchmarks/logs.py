"""Logs to measure with: rounds of bets, cards and settlements as a busy table writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import count, islice

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.house_moves import CREDITS_BOUGHT
from punto.ledger.moves import Reason, buy, final, stake
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Role
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.shuffle import new_shoe
from punto.store.interface import Store
from punto.store.records import Batch, NewRecord, NewReply, StoredPerson, TableSettings, Unit
from punto.table import acts
from punto.table.act import kind_of
from punto.table.actor import Actor
from punto.table.automatic import AUTOMAT, Timing, next_step
from punto.table.engine import decide
from punto.table.state import Settings, new_table

GAME = "non-commission"
PATRONS = 8
PIT = Actor("pat", Role.PIT_SUPERVISOR)
LIMITS = (Cents(1_000), Cents(50_000_000))
ROUND = PATRONS + 6
"""Records of one round: a bet of every patron, five cards, and the settlement of all."""

_BODY = "0" * 64


def bet(table: str, number: int, patron: str, cents: int = 2_500) -> Unit:
    """A bet with its key and reply."""
    payload = f'{{"bet":"{table}.{number}","box":{number % 9 + 1},"on":"banker","patron":"{patron}","stake":{cents}}}'
    reply = NewReply(f"{patron}.{table}.{number}", _BODY, f'{{"accepted":"{table}.{number}","stake":{cents}}}')
    return Unit((NewRecord("bet-placed", payload, (stake(patron, table, cents, f"{table}.{number}"),)),), reply)


def bought(cents: int = 2**49) -> Batch:
    """Credits enough for every patron."""
    units = []
    for place in range(PATRONS):
        patron, reference = f"p{place}", f"r{place}"
        payload = json.dumps({"cents": cents, "patron": patron, "reference": reference})
        units.append(Unit((NewRecord(CREDITS_BOUGHT, payload, (buy(patron, cents, reference),)),)))
    return Batch("desk", None, 1, tuple(units))


def rounds(table: str) -> Iterator[list[Unit]]:
    """Round after round: three patrons of four lose, the others are paid even money less commission."""
    numbers = count(1)
    while True:
        taken = [(next(numbers), f"p{place}") for place in range(PATRONS)]
        units = [bet(table, number, patron) for number, patron in taken]
        units += [Unit((NewRecord("card-dealt", f'{{"card":"9h","place":{place}}}'),)) for place in range(5)]
        ends = tuple(
            final(patron, table, f"{table}.{number}", Reason.LOSE if number % 4 else Reason.PAY, 2_500, back)
            for number, patron in taken
            for back in [0 if number % 4 else 4_875]
        )
        payload = ",".join(f'{{"bet":"{table}.{number}","rule":"4.1.1"}}' for number, _ in taken)
        yield [*units, Unit((NewRecord("settled", f'{{"lines":[{payload}]}}', ends),))]


async def fill(store: Store, records: int, table: str = "t1", at_once: int = 200) -> None:
    """Write about so many records, many rounds in a commit."""
    await store.append(bought())
    source = rounds(table)
    written = 0
    while written < records:
        units = [unit for _, each in zip(range(at_once), source, strict=False) for unit in each]
        written = (await store.append(Batch(table, written, 1_700_000_000_000 + written, tuple(units)))).tail.seq


def played(table: str, records: int, cipher: ShoeCipher) -> Iterator[Unit]:
    """About so many records of a table at real play: every patron bets in every round, shoe after shoe."""
    state, ledger, seq = new_table(load(GAME)), BetLedger(table), 0
    commands: list[acts.Command] = [acts.OpenTable(PIT, state.sheet.id, Settings(table, 8, *LIMITS, boxes=PATRONS))]
    commands += [acts.Sit(Actor(f"p{place}"), f"p{place}", place + 1) for place in range(PATRONS)]
    while seq < records or state.round is not None:
        for command in commands:
            answer = decide(state, command)
            if isinstance(answer, Refusal):
                raise Refused(answer)
            state, written = answer.state, []
            for event in answer:
                seq += 1
                transfers, ledger = ledger.moves(seq, event)
                written.append(NewRecord(kind_of(type(event)), cipher.write(f"table:{table}", event), transfers))
            yield Unit(tuple(written))
        step = next_step(state, Timing())
        commands = [(step and step.command) or _load_shoe()]
        if isinstance(commands[0], acts.CloseBets):
            commands = [*_bets(state.rounds), *commands]


def _load_shoe() -> acts.LoadShoe:
    shoe = new_shoe(8)
    return acts.LoadShoe(AUTOMAT, shoe.cards, len(shoe.cards) - 14, shoe.commitment, shoe.salt.hex())


def _bets(number: int) -> list[acts.Command]:
    """What the patrons of a round bet."""
    on = ("banker", "player", "banker", "tie")
    return [
        acts.PlaceBet(Actor(f"p{place}"), f"p{place}", place + 1, on[(number + place) % 4], Cents(2_500))
        for place in range(PATRONS)
    ]


async def fill_played(store: Store, records: int, tables: int, cipher: ShoeCipher) -> None:
    """Write about so many records of real play, at several tables, as a house can go on with them."""
    for person, role in [
        (PIT.person, Role.PIT_SUPERVISOR.value),
        *[(f"p{place}", "patron") for place in range(PATRONS)],
    ]:
        payload = f'{{"by":"set-up","name":"{person}","person":"{person}","role":"{role}"}}'
        admitted = (StoredPerson(person, person, role, None),)
        await store.append(Batch("desk", None, 1, (Unit((NewRecord("person-admitted", payload),)),), people=admitted))
    await store.append(bought())
    for number in range(1, tables + 1):
        table, written = f"t{number}", 0
        units, pace = played(table, records // tables, cipher), asdict(Timing())
        settings: tuple[TableSettings, ...] = (TableSettings(table, json.dumps({"game": GAME, "timing": pace})),)
        while batch := tuple(islice(units, 2_000)):
            added = Batch(f"table:{table}", written, 1_700_000_000_000 + written, batch, tables=settings)
            settings = ()
            written = (await store.append(added)).tail.seq
