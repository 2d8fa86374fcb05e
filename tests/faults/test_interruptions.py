"""Killed with k = 0…6 cards out: concluded if a bet of the game is decided, else void, before anything else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from punto.rules.established import is_established
from punto.rules.loader import GAMES
from punto.rules.refusals import Refusal
from punto.service.shoes.shuffle import ShuffledShoe
from punto.store.memory import MemoryStore
from punto.table.phases import Phase
from tests.faults.invariants import check
from tests.service.rig import ETG, PIT, SETTINGS, TIGER, Rig, crash, rig
from tests.service.test_squeeze import settle_down

SPECS: dict[str, dict[str, Any]] = {
    game: (ETG if game == "non-commission" else TIGER) | {"table": "t", "game": game, "layout": "bean-9"}
    for game in GAMES
}
SPECS["non-commission"].pop("layout")


async def interrupted(store: MemoryStore, spec: dict[str, Any], cards: int, rounds: int) -> tuple[Any, int]:
    """Play until so many cards are out in a round, with bets on the table, and lose power; the state then."""
    async with rig(SETTINGS, store=store) as r:
        ann = await r.person("Ann", cents=1_000_000)
        table = await r.table(spec)
        reader = r.house.subscribe(table, None)
        for number in range(1, rounds + 1):
            await r.until(reader, "bets-opened")
            if number == 1:
                await r.done(ann, table, "sit", box=1)
            for on in ("player", "banker", "tie"):
                await r.done(ann, table, "place-bet", box=1, on=on, stake_cents=10_000)
            if number < rounds:
                await r.until(reader, "round-closed")
        while len((r.house.followed(table).state.round or pytest.fail("over")).cards) < cards:
            message = await r.until_seen(reader, lambda message: message["type"] == "event")
            if message["event"]["kind"] == "result-declared":
                break
        state = r.house.followed(table).state
        await crash(r.house)
        return state, (await store.balances(["patron:ann"]))["patron:ann"]


@pytest.mark.parametrize("cards", range(7))
@pytest.mark.parametrize("game", GAMES)
async def test_an_interrupted_round_is_concluded_or_void(game: str, cards: int) -> None:
    store = MemoryStore(lambda: 0)
    state, held = await interrupted(store, SPECS[game], cards, rounds=1)
    dealt = state.round.cards
    await check(store, bets_open=3)
    async with rig(SETTINGS, store=store) as r:
        now = r.house.followed("t").state
        assert now.round is None, "the round is over before anyone can look"
        found = await r.house.history.round("t", None, 1)
        assert not isinstance(found, Refusal)
        assert found.void is not is_established(state.sheet, dealt)
        assert str(found.cards).split()[: len(dealt)] == [card.text for card in dealt]
        balance = (await store.balances(["patron:ann"]))["patron:ann"]
        if found.void:
            assert balance == held + 30_000
        await check(store, bets_open=0)
        # Nothing is left in the way of the next round.
        reader = r.house.subscribe("t", None)
        opened = await r.until(reader, "bets-opened")
        assert opened["event"]["round"] == 2


async def test_a_power_cut_while_recovering_changes_nothing_in_the_end() -> None:
    """Recovery itself is killed after each of its commits, again and again: always the same end."""
    ends = set()
    for commits in range(12):
        store = MemoryStore(lambda: 0)
        table = _Stopping(store)
        await _same_round(store)
        table.left = commits
        while True:
            try:
                async with rig(SETTINGS, store=table) as r:
                    assert r.house.followed("t").state.round is None
                    break
            except _PowerCutError:
                table.left = 1
        report = await check(store, bets_open=0)
        ends.add((report.patron_cents, report.house_cents))
    assert len(ends) == 1


async def _same_round(store: MemoryStore) -> None:
    """A round with five cards out, the same in every run."""
    from punto.rules.cards import DECK
    from punto.service.shoes.shuffle import random_words, shuffle

    shoe = ShuffledShoe(shuffle(DECK * 8, random_words(bytes([5]) * 32)), bytes(32))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("punto.service.tables.runner.new_shoe", lambda _decks, _entropy: shoe)
        await interrupted(store, SPECS["commission"], 4, rounds=1)


class _PowerCutError(Exception):
    pass


class _Stopping:
    """A store that loses power after so many commits."""

    def __init__(self, store: MemoryStore) -> None:
        self._store, self.left = store, 1_000_000

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def append(self, batch: Any) -> Any:
        if self.left <= 0:
            raise _PowerCutError
        self.left -= 1
        return await self._store.append(batch)


async def test_a_live_table_goes_on_where_it_stood_or_waits_for_its_manager() -> None:
    for game, held in (("commission", False), ("easy-six", True)):
        store = MemoryStore(lambda: 0)
        async with rig(SETTINGS, store=store) as r:
            dan, kim, ann = await _live_round(r, game)
            await crash(r.house)
        async with rig(SETTINGS, store=store) as r:
            assert r.house.snapshot("pit", None).phase == ("held" if held else "player-third")
            if held:
                await r.done(kim, "pit", "decide", decision="continue", reason="the cards lie as they were read")
            await r.done(dan, "pit", "deal", card="5c")
            while r.house.snapshot("pit", None).phase != "result":
                await r.done(dan, "pit", "deal", card="2c")
            await r.done(dan, "pit", "settle")
            await check(store, bets_open=0)
            assert (await r.house.me("pit", ann)).in_play_cents == 0


async def _live_round(r: Rig, game: str) -> tuple[Any, Any, Any]:
    """Four cards with a pair among them (so that a bet is decided), and Player to draw."""
    dan, kim = await r.person("Dan", "dealer"), await r.person("Kim", "shift-manager")
    ann = await r.person("Ann", cents=50_000)
    table = await r.table(PIT, game=game)
    await r.done(ann, table, "sit", box=1)
    await r.betting(dan, table)
    await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=10_000)
    await r.done(dan, table, "close-bets")
    for card in ("2h", "Kd", "2d", "4c"):
        await r.done(dan, table, "deal", card=card)
    return dan, kim, ann


@pytest.mark.parametrize("cards", range(1, 7))
@pytest.mark.parametrize("game", ["commission", "da-hu-ying-xiong", "commission-insurance"])
async def test_a_round_with_closed_cards_is_concluded_or_void_and_nothing_leaks(game: str, cards: int) -> None:
    """Ann has the squeeze of every card, and the power fails before she has opened any of the last ones."""
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        ann = await r.person("Ann", cents=1_000_000)
        table = await r.table(SPECS[game], face_down=True, waiver_consent="always")
        await r.until(r.house.subscribe(table, None), "bets-opened")
        await r.done(ann, table, "sit", box=1)
        await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=10_000)
        while (round_ := r.house.followed(table).state.round) is not None and round_.dealt < cards:
            if (phase := r.house.followed(table).state.phase) is Phase.RESULT:
                break  # this round has no more cards
            if phase is Phase.OPENING:
                await r.done(ann, table, "open-card", place=round_.closed_places[-1])
            else:
                for what in ("card", "banker-third-first"):
                    await r.give(ann, table, "ask-squeeze", what=what)
                await settle_down()
                await r.clock.step()
            await settle_down()
        state = r.house.followed(table).state
        assert state.round is not None
        closed = [state.round.at(place).card for place in state.round.closed_places]
        assert closed or state.phase is Phase.RESULT
        await crash(r.house)
    told = [record.payload for record in await store.read("table:t") if record.kind != "shoe-loaded"]
    dealt = [json.loads(each) for each in told if '"card-dealt"' in each]
    assert [each.get("card") for each in dealt] == [None] * state.round.dealt, "the log does not tell a closed card"
    async with rig(SETTINGS, store=store) as r:
        found = await r.house.history.round("t", None, 1)
        assert not isinstance(found, Refusal)
        assert r.house.followed("t").state.round is None
        assert found.void is not is_established(state.sheet, state.round.known)
        if found.void:
            assert (await store.balances(["patron:ann"]))["patron:ann"] == 1_000_000
            assert str(found.cards).split() == [card.text for card in state.round.cards], "closed cards stay closed"
        await check(store, bets_open=0)
        opened = await r.until(r.house.subscribe("t", None), "bets-opened")
        assert opened["event"]["round"] == 2
