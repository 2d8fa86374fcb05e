"""Voids and corrections at a live table need two people, and nobody can be both."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.refusals import Refusal
from punto.service.people.admissions import SET_UP
from tests.service.rig import ETG, PIT, Rig, code, kinds, rig

LIVE = {name: value for name, value in PIT.items() if name != "second_person"}


async def void_asked(r: Rig, table: str) -> Any:
    """A round whose cards came from a foreign deck: the Shift Manager has asked for its void."""
    ann, dan = await r.person("Ann", cents=10_000), await r.person("Dan", "dealer")
    sue = await r.person("Sue", "shift-manager")
    for kind in ("load-shoe", "open-bets"):
        await r.done(dan, table, kind)
    await r.done(ann, table, "sit", box=1)
    await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=10_000)
    await r.done(dan, table, "close-bets")
    await r.done(dan, table, "deal", card="5h")
    asked = await r.done(sue, table, "report", situation="foreign-card", facts={"cards": "5h"})
    assert "round-voided" not in kinds(asked)
    return sue


@pytest.mark.parametrize(
    ("spec", "second"),
    [
        (LIVE, True),
        (LIVE | {"second_person": False}, False),
        (ETG, False),
        (ETG | {"second_person": True}, True),
    ],
)
async def test_a_live_table_asks_for_a_second_person_unless_it_is_set_otherwise(
    spec: dict[str, Any], second: bool
) -> None:
    async with rig() as r:
        table = await r.table(spec)
        assert r.house.snapshot(table, None).table.second_person is second


async def test_only_an_admin_opens_a_live_table_without_a_second_person() -> None:
    async with rig() as r:
        sue = await r.person("Sue", "shift-manager")
        assert code(await r.set_up(sue, LIVE | {"second_person": False})) == "not-permitted"
        assert code(await r.set_up(sue, LIVE | {"second_person": None})) == "field-type", "nor by saying nothing"
        assert not code(await r.set_up(sue, LIVE))
        await r.done(sue, "pit", "close-table")
        again = await r.set_up(sue, LIVE | {"second_person": False})
        assert code(again) == "not-permitted", "not by closing it and opening it again either"
        assert not code(await r.set_up(sue, ETG))


async def test_one_who_asks_for_a_void_cannot_make_a_second_person() -> None:
    async with rig() as r:
        table = await r.table(LIVE)
        max_ = await r.person("Max", "pit-manager")
        sue = await void_asked(r, table)
        assert code(await r.give(sue, table, "decide", decision="approve")) == "same-person"
        for role in ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "admin"):
            made = await r.house.people.create(sue, "Puppet", role)
            assert isinstance(made, Refusal), role
            assert made.code == "not-permitted"
        for person in ("max", "dan", "sue"):  # nor act under the name of one who is there
            given = await r.house.people.replace_token(sue, person)
            assert isinstance(given, Refusal)
            assert given.code == "not-permitted"
        assert isinstance(await r.house.people.create(sue, "Bo", "patron"), tuple)
        assert isinstance(await r.house.people.replace_token(SET_UP, "dan"), str)
        voided = await r.done(max_, table, "decide", decision="approve")
        assert "round-voided" in kinds(voided)
