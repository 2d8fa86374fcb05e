"""Requests to squeeze at an automatic face-down table: granted at once, once a card, never in the way of the deal."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter

import pytest

from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from tests.service.rig import PACE, TIGER, Rig, rig

ASKED_EVERY_MS = PACE.card_ms * 9 // 10


async def settle_down() -> None:
    """Let everything that can happen now happen."""
    for _ in range(50):
        await asyncio.sleep(0)


async def first_card(r: Rig, game: str) -> Person:
    """A round of an automatic face-down table with one card out; Ann, who bets in it."""
    ann = await r.person("Ann", cents=1_000_000)
    await r.table(TIGER, game=game, table="t", face_down=True)
    reader = r.house.subscribe("t", ann)
    await r.until(reader, "bets-opened")
    await r.done(ann, "t", "sit", box=1)
    await r.done(ann, "t", "place-bet", box=1, on="player", stake_cents=10_000)
    await r.until(reader, "card-dealt")
    return ann


@pytest.mark.parametrize("game", ["commission", "da-hu-ying-xiong"])
async def test_paragraph_3_9_asking_again_and_again_does_not_hold_up_the_cards(game: str) -> None:
    """Commission and Da Hu Ying Xiong, 3.9: the highest seated bet may ask to squeeze a card before it is dealt."""
    async with rig() as r:
        ann = await first_card(r, game)
        granted: Counter[int] = Counter()
        refused: list[Refusal] = []
        while (round_ := r.house.followed("t").state.round) is not None and round_.dealt < 4:
            reply = await r.give(ann, "t", "ask-squeeze", what="card")
            if reply.refused is None:
                granted[round_.dealt] += 1
            else:
                refused.append(reply.refused)
            await settle_down()
            assert r.house.snapshot("t", None).squeeze is None, "the House has answered"
            r.clock.advance(ASKED_EVERY_MS)
            await settle_down()
        records = await r.house.store.read("table:t")
        dealt = [record.time_ms for record in records if record.kind == "card-dealt"][:4]
        gaps = [later - earlier for earlier, later in itertools.pairwise(dealt)]
        assert all(PACE.card_ms <= gap < PACE.card_ms + ASKED_EVERY_MS for gap in gaps), gaps
        assert granted == {1: 1, 2: 1, 3: 1}
        assert {(each.code, each.rule) for each in refused} == {("squeeze-repeated", "3.9")}


async def test_paragraph_3_9_the_automat_opens_a_card_whose_squeeze_is_passed() -> None:
    """Whoever passes does not hold up the table: the card is opened without the time to squeeze it."""
    async with rig() as r:
        ann = await first_card(r, "commission")
        await settle_down()  # the next card may be due already
        place = len(r.house.snapshot("t", ann).cards) + 1
        await r.done(ann, "t", "ask-squeeze", what="card")
        while (round_ := r.house.followed("t").state.round) is not None and round_.dealt < 4:
            await settle_down()
            r.clock.advance(PACE.card_ms)
            await settle_down()
        closed = r.house.snapshot("t", ann).cards[place - 1]
        assert (closed.card, closed.squeezed_by) == (None, "Ann")
        r.clock.advance(PACE.card_ms)
        await r.done(ann, "t", "pass-squeeze", place=place)
        await settle_down()
        assert r.house.snapshot("t", ann).cards[place - 1].card is not None, (
            "though the time to squeeze has not run out"
        )
        records = await r.house.store.read("table:t")
        opened = [json.loads(record.payload) for record in records if record.kind == "card-opened"]
        assert [(each["by"], each.get("squeezed_by")) for each in opened if each["place"] == place] == [
            ("dealer:automat", None)
        ]
