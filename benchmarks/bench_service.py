"""Group commit: bets that wait for a table together are one sync of the disk. Against one bet in each commit."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import TypeVar

from benchmarks.harness import Comparison
from punto.protocol.views import NewTable
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, Refused
from punto.service.house import House, open_house
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.settings import EdgeLimits, HouseSettings
from punto.table.acts.bets import PlaceBet, RaiseBet
from punto.table.acts.places import Sit
from punto.table.automatic import Timing

T = TypeVar("T")
PATRONS = 100
SLOW = Timing(betting_ms=3_600_000)
SPEC = NewTable(
    table="t",
    game="non-commission",
    mode="automatic",
    decks=8,
    boxes=PATRONS,
    minimum_cents=100,
    differential_cents=100_000_000,
)


async def _bets_per_second(batch: int, bets: int) -> float:
    """Durable bets a second into SQLite, from patrons who each bet again as soon as they are answered."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{Path(folder) / 'bench.db'}"
        edge = EdgeLimits(batch=batch)
        house = await open_house(HouseSettings(database=database, timing=SLOW, edge=edge, always_on=True, stop_ms=0))
        try:
            _must(await house.setup.set_up(SET_UP, SPEC))
            people = await asyncio.gather(*[_seat(house, number) for number in range(PATRONS)])
            start = time.perf_counter()
            await asyncio.gather(*[_bet(house, box, who, bets) for box, who in enumerate(people, 1)])
            return PATRONS * bets / (time.perf_counter() - start)
        finally:
            await house.close()


async def _seat(house: House, number: int) -> Person:
    person, _ = _must(await house.people.join(f"p{number}"))
    await house.cashier.buy(person, 10_000_000, f"buy-{number}")
    _must((await house.command(person, "t", Sit(person.actor, person.id, number + 1), f"sit-{number}")).refused)
    return person


async def _bet(house: House, box: int, who: Person, bets: int) -> None:
    bet = PlaceBet(who.actor, who.id, box, "player", Cents(100))
    more = RaiseBet(who.actor, who.id, box, "player", Cents(100))
    for number in range(bets):
        _must((await house.command(who, "t", more if number else bet, f"bet-{number}")).refused)


def _must(answer: T | Refusal) -> T:
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return answer


def run() -> list[Comparison]:
    """Bets a second together and one by one, in one run."""
    alone = asyncio.run(_bets_per_second(1, 4))
    together = asyncio.run(_bets_per_second(512, 30))
    note = f"{together:,.0f} durable bets a second, {alone:,.0f} one by one"
    name = "bets through the house into SQLite"
    return [Comparison(name, "one bet in each commit", 1 / together, 1 / alone, 5.0, note=note)]
