"""Voids and corrections at a live table need two people, and nobody can be both."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.refusals import Refusal
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from tests.service.rig import ETG, PIT, Rig, code, kinds, rig


async def void_asked(r: Rig) -> tuple[Person, str]:
    """A round whose cards came from a foreign deck: the Shift Manager has asked for its void at this table."""
    (ann, dan, table), sue = await r.live(10_000), await r.person("Sue", "shift-manager")
    await r.done(dan, table, "open-bets")
    await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=10_000)
    await r.done(dan, table, "close-bets")
    await r.done(dan, table, "deal", card="5h")
    asked = await r.done(sue, table, "report", situation="foreign-card", facts={"cards": "5h"})
    assert "round-voided" not in kinds(asked)
    return sue, table


@pytest.mark.parametrize(
    ("spec", "second"),
    [
        (PIT, True),
        (PIT | {"second_person": False}, True),
        (ETG, False),
        (ETG | {"second_person": True}, True),
    ],
)
@pytest.mark.parametrize("role", ["pit-supervisor", "shift-manager", "admin"])
async def test_every_live_table_asks_for_a_second_person_whoever_opens_it(
    spec: dict[str, Any], second: bool, role: str
) -> None:
    async with rig() as r:
        sue = await r.person("Sue", role)
        for _ in range(2):  # nor is it otherwise after closing it and opening it again
            opened = await r.set_up(sue, spec)
            assert not isinstance(opened, Refusal), opened
            assert r.house.snapshot(opened.id, None).table.second_person is second
            await r.done(await r.second(), opened.id, "close-table")


async def test_one_who_asks_for_a_void_cannot_make_a_second_person() -> None:
    async with rig() as r:
        max_ = await r.person("Max", "pit-manager")
        sue, table = await void_asked(r)
        assert code(await r.give(sue, table, "decide", decision="approve")) == "same-person"
        for role in ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "admin"):
            made = await r.house.people.create(sue, "Puppet", role)
            assert isinstance(made, Refusal), role
            assert made.code == "not-permitted"
        for person in ("max", "dan", "sue"):  # nor act under the name of one who is there
            given = await r.house.people.replace_token(sue, person)
            assert isinstance(given, Refusal)
            assert given.code in {"not-permitted", "second-person-asked"}
        assert isinstance(await r.house.people.create(sue, "Bo", "patron"), tuple)
        assert isinstance(await r.house.people.replace_token(SET_UP, "dan"), str)
        voided = await r.done(max_, table, "decide", decision="approve")
        assert "round-voided" in kinds(voided)
