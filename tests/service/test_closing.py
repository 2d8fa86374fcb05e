"""A table that is closed between rounds rests, survives a restart, and is opened again as it was."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.store.memory import MemoryStore
from punto.table.shoe_proof import check_opened
from tests.faults.invariants import check
from tests.service.rig import PIT, SETTINGS, TIGER, Rig, code, crash, plain, rig
from tests.service.test_choice_views import Terminal

AUTO: dict[str, Any] = TIGER | {"table": "pit", "game": "commission"}
SHOE_CUT = 350
"""Cards behind the cut card, so that a shoe of eight decks lasts for a dozen rounds."""


async def people(r: Rig) -> tuple[Person, Person]:
    """Ann, who has a bet in each round and a seat, and a Pit Supervisor."""
    ann, sue = await r.person("Ann", cents=100_000), await r.person("Sue", "pit-supervisor")
    await r.done(ann, "pit", "sit", box=1)
    return ann, sue


async def close_after_a_round(r: Rig, sue: Person) -> None:
    reader = r.house.subscribe("pit", None)
    await r.until(reader, "round-closed")
    await r.done(sue, "pit", "close-table")
    reader.close()


async def shoe(r: Rig, number: int = 1) -> Any:
    found = await r.house.history.shoe("pit", number)
    assert not isinstance(found, Refusal), found
    return found


@pytest.mark.parametrize("killed", [False, True])
async def test_a_restart_while_it_is_closed_keeps_shoe_seats_and_money(killed: bool) -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        await r.table(AUTO)
        ann, sue = await people(r)
        await close_after_a_round(r, sue)
        kept = plain(r.house.snapshot("pit", None))
        if killed:
            await crash(r.house)
    async with rig(SETTINGS, store=store) as r:
        now = plain(r.house.snapshot("pit", None))
        assert {**now, "now_ms": 0} == {**kept, "now_ms": 0}
        assert (await shoe(r)).order is None
        assert (await r.house.cashier.cash_out(ann, 1_000, r.key())).refused is None
        opened = await r.set_up(sue, AUTO)
        assert not isinstance(opened, Refusal), opened
        assert r.house.snapshot("pit", ann).boxes[0].seated == "Ann"
        await close_after_a_round(r, sue)
        after = plain(r.house.snapshot("pit", None))["shoe"]
        assert (after["number"], after["commitment"]) == (1, kept["shoe"]["commitment"])
        assert after["dealt"] >= kept["shoe"]["dealt"] + 4
        assert (await shoe(r)).order is None
        await check(store, bets_open=0)


async def test_a_shoe_that_was_closed_in_between_is_published_whole_when_it_is_over() -> None:
    async with rig(shoe_cut=SHOE_CUT) as r:
        await r.table(AUTO)
        _, sue = await people(r)
        promised = ""
        while r.house.followed("pit").state.shoes < 2:
            await close_after_a_round(r, sue)
            current = r.house.snapshot("pit", None).shoe
            assert current is not None
            promised = promised or str(current.commitment)
            assert (await shoe(r)).over is current.over or current.number > 1
            assert not isinstance(await r.set_up(sue, AUTO), Refusal)
        over = await shoe(r)
        assert over.commitment == promised
        assert check_opened(promised, over.salt, over.order, 8, over.dealt) is None
        assert len(over.rounds) > 1


@pytest.mark.parametrize(("first", "then"), [(AUTO, PIT), (PIT, AUTO)], ids=["to live", "to automatic"])
async def test_a_table_dealt_in_another_way_begins_with_another_shoe(
    first: dict[str, Any], then: dict[str, Any]
) -> None:
    """A real shoe has no known order, and a committed one cannot be read card by card."""
    async with rig() as r:
        await r.table(first)
        _, sue = await people(r)
        dan = await r.person("Dan", "dealer")
        if first is PIT:
            await r.done(dan, "pit", "load-shoe")
            await r.done(sue, "pit", "close-table")
        else:
            await close_after_a_round(r, sue)
        opened = await r.set_up(sue, then)
        assert not isinstance(opened, Refusal), opened
        assert (opened.mode, opened.patrons) == (then["mode"], 1)
        assert r.house.snapshot("pit", None).shoe is None
        assert (await shoe(r)).over
        if then is PIT:
            await r.betting(dan, "pit")
        else:
            reader = r.house.subscribe("pit", None)
            await r.until(reader, "round-closed")
        assert r.house.followed("pit").state.shoes == 2


async def test_terminals_follow_a_table_that_closes_and_opens_again() -> None:
    async with rig() as r:
        await r.table(PIT)
        ann, sue = await people(r)
        bo = await r.person("Bo", cents=1_000)
        terminals = [Terminal(r, "pit", person) for person in (ann, bo, sue, None)]
        for terminal in terminals:
            terminal.check(r, "pit")
        for _ in range(2):
            await r.done(sue, "pit", "close-table")
            terminals.append(Terminal(r, "pit", ann))
            for terminal in terminals:
                terminal.check(r, "pit")
            assert not isinstance(await r.set_up(sue, PIT), Refusal)
            for terminal in terminals:
                terminal.check(r, "pit")
        await r.done(sue, "pit", "close-table")
        for given in (
            r.give(bo, "pit", "stand", box=1),
            r.give(bo, "pit", "sit", box=2),
            r.give(sue, "pit", "load-shoe"),
        ):
            assert code(await given) == "table-not-open"
        await r.done(ann, "pit", "leave")
        for terminal in terminals:
            terminal.check(r, "pit")


async def test_a_seat_that_a_smaller_table_lacks_is_given_up_and_its_patron_told() -> None:
    async with rig() as r:
        await r.table(PIT)
        ann, sue = await people(r)
        bo = await r.person("Bo", cents=1_000)
        await r.done(bo, "pit", "sit", box=9)
        terminals = [Terminal(r, "pit", person) for person in (ann, bo)]
        await r.done(sue, "pit", "close-table")
        opened = await r.set_up(sue, PIT | {"layout": "bean-7"})
        assert not isinstance(opened, Refusal), opened
        for terminal, box in zip(terminals, (1, None), strict=True):
            terminal.check(r, "pit")
            assert terminal.me["box"] == box
