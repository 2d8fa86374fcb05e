"""Debts after corrections: collected from the next credits, once, whatever happens in between; cash-out waits."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from punto.ledger import moves
from punto.protocol.refusals import DebtOpen
from punto.rules.money import Cents
from punto.service.money.debts import DebtCollector
from punto.service.people.person import Person
from punto.store.errors import UnfoundedPostingsError
from punto.store.memory import MemoryStore
from punto.store.records import Batch, NewRecord, Unit
from tests.faults.invariants import check
from tests.service.rig import SETTINGS, Rig, code, crash, gather, problems, rig

CORRECTION: dict[str, Any] = {"round": 1, "cards": "5h Ks Ad 9c", "reason": "keyed wrongly"}


async def won_and_cashed_out(r: Rig) -> tuple[Person, Person, Person]:
    """Ann wins 100.00 on Player and takes all 200.00 out: a Dealer, a Shift Manager and Ann."""
    (ann, dan, _), sam = await r.live(10_000), await r.person("Sam", "shift-manager")
    await bet(r, dan, ann)
    assert (await r.house.cashier.cash_out(ann, None, "out")).refused is None
    return dan, sam, ann


async def bet(r: Rig, dan: Person, ann: Person, cents: int = 10_000) -> None:
    """A round in which Ann bets on Player and wins."""
    await r.play(dan, "pit", (ann, "player", cents))


async def funds(r: Rig, patron: str = "ann") -> tuple[int, int]:
    held = await r.house.store.balances([f"patron:{patron}", f"owed:{patron}"])
    return held[f"patron:{patron}"], held[f"owed:{patron}"]


async def test_a_debt_is_taken_first_from_what_is_bought_and_blocks_cashing_out() -> None:
    async with rig() as r:
        _, sam, ann = await won_and_cashed_out(r)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        assert await funds(r) == (0, -20_000)
        [debt] = await r.house.debts.debts()
        assert (debt.patron, debt.name, debt.owed_cents) == ("ann", "Ann", 20_000)
        await r.house.cashier.buy(ann, 5_000, "one")
        assert await funds(r) == (0, -15_000)
        refused = await r.house.cashier.cash_out(ann, None, "all")
        assert refused.refused == DebtOpen(Cents(15_000))
        await r.house.cashier.buy(ann, 20_000, "two")
        assert await funds(r) == (5_000, 0)
        assert await r.house.debts.debts() == []
        assert (await r.house.cashier.cash_out(ann, None, "all")).refused is None, "a refusal leaves its key free"
        lines = await r.house.statement(ann, limit=6)
        assert [(line.reason, line.amount_cents, line.owed_cents) for line in lines] == [
            ("cash-out", -5_000, 0),
            ("collect", -15_000, -15_000),
            ("buy", 20_000, 0),
            ("collect", -5_000, -5_000),
            ("buy", 5_000, 0),
            ("adjust", 0, 20_000),
        ]
        assert (lines[-1].table, lines[-1].round, lines[-1].rule) == ("pit", 1, "5.14"), "how the debt arose"
        assert (lines[-1].before_cents, lines[-1].after_cents) == (0, 0)
        older = await r.house.statement(ann, lines[3].place, 2)
        assert older == lines[4:], "debts stand at their place on every page"
        await check(r.house.store)


async def test_a_debt_is_taken_from_winnings_but_never_blocks_play() -> None:
    async with rig() as r:
        dan, sam, ann = await won_and_cashed_out(r)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        assert (await funds(r))[1] == -20_000
        await r.house.cashier.buy(ann, 25_000, "one")
        reader = r.house.subscribe("pit", ann)
        await bet(r, dan, ann, 5_000)
        assert await funds(r) == (10_000, 0)
        # Now a correction of a round in which Ann holds less than it takes.
        await r.done(dan, "pit", "open-bets")
        await r.done(ann, "pit", "place-bet", box=1, on="player", stake_cents=10_000)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION | {"round": 2})
        assert await funds(r) == (0, -10_000)
        await r.done(ann, "pit", "withdraw-bet", box=1, on="player")
        await r.until_seen(reader, lambda message: message.get("me", {}).get("owed_cents") == 10_000)
        await r.until_seen(reader, lambda message: message.get("me", {}).get("owed_cents") == 0)
        assert await funds(r) == (0, 0)
        await check(r.house.store)


async def test_killed_before_it_was_collected_the_next_start_collects(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        _, sam, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 5_000, "one")
        with monkeypatch.context() as patched:
            patched.setattr(DebtCollector, "_debtors", lambda *_: [])
            await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        await crash(r.house)
    assert (await store.balances(["patron:ann"]))["patron:ann"] == 5_000
    async with rig(SETTINGS, store=store) as r:
        assert await funds(r) == (0, -15_000)
        await r.house.debts.collect_all()
        assert await funds(r) == (0, -15_000)
        await check(store)


async def test_several_who_collect_at_once_collect_once() -> None:
    """As several processes would: each with a lock of its own."""
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        _, sam, ann = await won_and_cashed_out(r)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        await r.house.log.write("credits-bought", {"patron": "ann", "cents": 30_000, "reference": "buy/ann/x"})
        collectors = [replace(r.house.debts, _one_at_a_time=asyncio.Lock()) for _ in range(5)]
        left = await gather(*[each.collect("ann") for each in collectors])
        assert left == [0] * 5
        assert await funds(r) == (10_000, 0)
        collected = [line for line in await r.house.statement(ann, limit=50) if line.reason == "collect"]
        assert [line.amount_cents for line in collected] == [-20_000]
        await check(store)


PAYLOADS = {
    "a debt of another amount": ("debt-collected", {"patron": "ann", "cents": 3_000, "reference": "x"}),
    "credits that collect a debt": ("credits-bought", {"patron": "ann", "cents": 4_000, "reference": "x"}),
    "a record that moves nothing": ("person-shown", {"patron": "ann", "cents": 4_000, "reference": "x"}),
    "a record that says nothing": ("cashed-out", {}),
    "an event of a table": ("staff-on-duty", {"kind": "staff-on-duty", "by": "dealer:dan"}),
}


@pytest.mark.parametrize(("kind", "told"), PAYLOADS.values(), ids=PAYLOADS)
async def test_what_a_record_moves_follows_from_its_payload(kind: str, told: dict[str, Any]) -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        _, sam, ann = await won_and_cashed_out(r)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        await r.house.cashier.buy(ann, 5_000, "one")
        await r.house.log.write("credits-bought", {"patron": "ann", "cents": 9_000, "reference": "buy/ann/x"})

    taken = moves.collect("ann", 4_000, "x")
    tail = await store.tail("table:pit" if "kind" in told else "desk")
    unit = Unit((NewRecord(kind, json.dumps(told), (taken,)),))
    await store.append(Batch(tail.stream, None, 1, (unit,), tail.fence))
    assert [problem.code for problem in await problems(store)] == ["replay-differs"]
    with pytest.raises(UnfoundedPostingsError):
        async with rig(SETTINGS, store=store):
            pass


async def test_a_correction_at_the_moment_of_a_cash_out_comes_before_it_or_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The correction commits after the cashier looked at the debt and before the cash-out is written."""
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        _, sam, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 30_000, "one")
        whole = store.append
        corrected: list[bool] = []

        async def correcting_first(batch: Batch) -> Any:
            if batch.units[0].records[0].kind == "cashed-out" and not corrected:
                corrected.append(True)
                await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
            return await whole(batch)

        with monkeypatch.context() as patched:
            patched.setattr(store, "append", correcting_first)
            out = await r.house.cashier.cash_out(ann, 30_000, "all")
        assert corrected
        assert code(out) == "funds-short", "the debt is taken first"
        await r.house.debts.collect("ann")
        assert await funds(r) == (10_000, 0)
        assert (await r.house.cashier.cash_out(ann, None, "rest")).refused is None
        assert await funds(r) == (0, 0)
        await check(store)
