"""The house's standing order for interrupted rounds of automatic tables: stated, shown, and applied after a kill."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from punto.cli.commands.house import Serve
from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.store.memory import MemoryStore
from punto.table.automatic import StandingOrder
from tests.service.rig import ETG, PIT, SETTINGS, TIGER, Rig, crash, rig

EASY: dict[str, Any] = TIGER | {"table": "easy", "game": "easy-six"}
REASON = "standing order {order}: {decided} of the game was decided when round 1 was interrupted"


async def killed(store: MemoryStore, cards: int) -> bool:
    """Play until at least so many cards are out, lose power, and say whether a bet of the game was decided."""
    async with rig(SETTINGS, store=store) as r:
        ann, table, reader = await r.seated(EASY, cents=10_000)
        await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=10_000)
        state = r.house.followed(table).state
        while state.round is not None and len(state.round.cards) < cards:
            await r.until_seen(reader, lambda message: message["type"] == "event")
            state = r.house.followed(table).state
        assert state.round is not None
        await crash(r.house)
        return is_established(state.sheet, state.round.cards)


async def recovered(r: Rig) -> Any:
    """The round as the record of play has it."""
    found = await r.house.history.round("easy", await r.person("Dan", "dealer"), 1)
    assert not isinstance(found, Refusal), found
    return found


@pytest.mark.parametrize("cards", [0, 4])
@pytest.mark.parametrize("order", [StandingOrder.CONCLUDE_OR_VOID, StandingOrder.VOID])
async def test_a_round_is_ended_as_the_order_says_and_the_decision_names_it(order: StandingOrder, cards: int) -> None:
    store = MemoryStore(lambda: 0)
    established = await killed(store, cards)
    assert established is bool(cards), "four cards decide a pair, if nothing else"
    async with rig(SETTINGS, store=store, standing_order=order) as r:
        round_ = await recovered(r)
        assert round_.void is not (established and order is StandingOrder.CONCLUDE_OR_VOID)
        [decision] = [each for each in await r.house.significant.newest() if each.code == "decision-made"]
        assert decision.by == "shift-manager:standing-order"
        wanted = REASON.format(order=order, decided="a bet" if established else "no bet")
        assert decision.parameters["reason"] == wanted
        if round_.void:
            assert (await store.balances(["patron:ann"]))["patron:ann"] == 10_000


async def test_hold_leaves_the_round_to_the_shift_manager_however_often_the_house_is_killed() -> None:
    store = MemoryStore(lambda: 0)
    await killed(store, 4)
    # An order that was changed meanwhile does not reach a round that waits for its Shift Manager.
    for order in (StandingOrder.HOLD, StandingOrder.HOLD, StandingOrder.VOID):
        async with rig(SETTINGS, store=store, standing_order=order) as r:
            case = r.house.snapshot("easy", None).case
            assert case is not None
            assert (case.waits, case.role) == ("decision", "shift-manager")
            assert r.house.snapshot("easy", None).ends_at_ms is None, "nothing is dealt meanwhile"
            assert [each.case for each in r.house.incidents()] == [1]
            assert (await r.house.cashier.buy(r.house.people.all()[0], 500, r.key())).refused is None, "it is open"
            await crash(r.house)
    async with rig(SETTINGS, store=store, standing_order=StandingOrder.HOLD) as r:
        kim, reader = await r.person("Kim", "shift-manager"), r.house.subscribe("easy", None)
        await r.done(kim, "easy", "decide", decision="continue", reason="the cards are known")
        await r.until(reader, "round-closed")
        assert (await recovered(r)).void is False


@pytest.mark.parametrize("order", StandingOrder)
async def test_the_order_is_shown_to_everyone_where_it_applies(order: StandingOrder) -> None:
    async with rig(SETTINGS, standing_order=order) as r:
        ann = await r.person("Ann")
        for spec, wanted in ((ETG, order), (EASY, order), (TIGER, None), (PIT | {"game": "easy-six"}, None)):
            table = await r.table(spec)
            for who in (None, ann):
                assert r.house.snapshot(table, who).table.standing_order == wanted


def test_the_command_knows_every_order() -> None:
    [named, *_] = get_args(get_type_hints(Serve, include_extras=True)["standing_order"])
    [orders, _] = get_args(named)  # or none
    assert set(get_args(orders)) == set(StandingOrder)
