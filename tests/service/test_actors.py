"""The audit checks that whoever acted had been admitted, in that role, at that time."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from punto.rules.sheet import Role
from punto.service.audit.replay import HouseReplay
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.store.memory import MemoryStore
from punto.store.records import Record
from punto.table import acts
from punto.table.actor import Actor
from tests.service.rig import PIT, Rig, problems, rig


async def opened(r: Rig) -> tuple[Person, str]:
    dan = await r.person("Dan", "dealer")
    return dan, await r.table(PIT)


ACTORS: dict[str, tuple[Callable[[Person], Person], str]] = {
    "nobody": (lambda _: Person("eve", "Eve", "dealer"), "dealer:eve acted, whom nobody had admitted"),
    "another role": (
        lambda dan: Person(dan.id, dan.name, "shift-manager"),
        "shift-manager:dan acted, who had been admitted as dealer",
    ),
    "set-up": (lambda _: Person(SET_UP.id, "", "dealer"), "dealer:set-up acted, whom nobody had admitted"),
}


@pytest.mark.parametrize(("actor", "says"), ACTORS.values(), ids=ACTORS)
async def test_an_actor_who_had_not_been_admitted_so_is_noticed(actor: Callable[[Person], Person], says: str) -> None:
    store = MemoryStore(lambda: 0)
    async with rig(store=store) as r:
        dan, table = await opened(r)
        await r.done(dan, table, "load-shoe")
        assert await problems(store) == []
        await r.done(actor(dan), table, "open-bets")
    found = await problems(store)
    assert [each.code for each in found] == ["replay-differs"]
    assert found[0].message.endswith(says)


async def test_the_house_checks_who_admits_and_who_buys() -> None:
    store = MemoryStore(lambda: 0)
    async with rig(store=store) as r:
        dan, _ = await opened(r)
        admin = Person(dan.id, dan.name, "admin")
        assert isinstance(await r.house.people.create(admin, "Eve", "admin"), tuple)
        await r.house.cashier.buy(Person("ghost", "Ghost", "patron"), 1_000, "k")
    assert [each.message for each in await problems(store)] == [
        "desk 4: 'dan' could admit no admin",
        "desk 5: no patron 'ghost' had been admitted",
    ]


KINDS: list[tuple[str, dict[str, str], str | None]] = [
    ("token-replaced", {"by": "max", "asked_by": "sue"}, None),
    ("token-replaced", {"by": "set-up", "asked_by": "set-up"}, None),
    ("token-replaced", {"by": "max"}, None),
    ("token-replaced", {"by": "max", "asked_by": "max"}, "'max' alone could not replace the token of 'ann'"),
    ("token-replaced", {"by": "max", "asked_by": "dan"}, "'dan' could not change the token of 'ann'"),
    ("token-replaced", {"by": "max", "asked_by": "sue", "person": "eve"}, "nobody had admitted 'eve'"),
    ("token-replaced", {"by": "max", "asked_by": "sue", "person": "dan"}, "could not change the token of 'dan'"),
    ("token-asked", {"by": "dan"}, "'dan' could not change the token of 'ann'"),
    ("person-dismissed", {"by": "max"}, None),
    ("person-dismissed", {"by": "dan"}, "'dan' could not change the token of 'ann'"),
    ("token-ended", {"by": "ann"}, None),
    ("token-ended", {"by": "max"}, "'max' could not end the token of 'ann'"),
    ("credits-bought", {"patron": "ann", "by": "pit-manager:max"}, None),
    ("credits-bought", {"patron": "ann"}, None),
    ("credits-bought", {"patron": "ann", "by": "dealer:dan"}, "'dealer:dan' could move no money at the cage"),
    ("credits-bought", {"patron": "ann", "by": "pit-manager:dan"}, "'pit-manager:dan' could move no money at the cage"),
    ("ticket-taken", {"patron": "dan"}, "no patron 'dan' had been admitted"),
    ("ticket-issued", {"by": "pit-manager:max"}, None),
    ("ticket-paid", {"by": "dealer:dan"}, "'dealer:dan' could move no money at the cage"),
    ("ticket-paid", {}, "'' could move no money at the cage"),
]
"""What the house's log may say, and why not."""


@pytest.mark.parametrize(("kind", "told", "says"), KINDS)
def test_whoever_changes_a_token_or_sells_could_have_done_so(kind: str, told: dict[str, str], says: str | None) -> None:
    admitted = HouseReplay().admitted
    people = {"ann": "patron", "dan": "dealer", "max": "pit-manager", "sue": "shift-manager"}

    def record(place: int, kind: str, told: dict[str, str]) -> Record:
        return Record(place, "desk", place, 0, 0, kind, json.dumps(told), None, None, None, "", "", None)

    for place, (person, role) in enumerate(people.items(), start=1):
        admitted.take(record(place, "person-admitted", {"by": "set-up", "person": person, "role": role}))
    problem = admitted.refuse_house_record(record(9, kind, {"person": "ann", "name": "Ann"} | told))
    assert problem == says if says is None else says in (problem or "")
    event = acts.RoundClosed(Actor("dan", Role.DEALER), 1)
    assert [admitted.refuse_actor(event, place) is None for place in (2, 3)] == [False, True], "a role holds afterwards"
