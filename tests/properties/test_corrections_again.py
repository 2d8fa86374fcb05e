"""Every correction that a table makes is worked out again by the audit, and a changed amount is noticed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.service.audit.replay import Corrections, corrected_alike
from punto.table import acts
from punto.table.engine import evolve
from punto.table.state import State, new_table
from tests.properties import walk as walks
from tests.properties.walk import RECORDS, opened, walk

STEPS = 120


def spoiled(event: acts.RoundAdjusted) -> acts.RoundAdjusted:
    """The same correction with a cent more for its first bet."""
    first, *others = event.lines
    more = replace(
        first,
        after_cents=Cents(first.after_cents + 1),
        correction_cents=Cents(first.correction_cents + 1),
    )
    return replace(event, lines=(more, *others))


def check(log: list[acts.Event], state: State, seen: Counter[str]) -> None:
    corrections = Corrections()
    for event in log:
        if isinstance(event, acts.RoundAdjusted) and event.lines:
            record = corrections._rounds[event.round]
            kind = "cards" if event.cards else "void" if event.void else "decided"
            seen[kind] += 1
            if kind != "decided":
                assert not corrected_alike(record, state, spoiled(event))
            first = event.lines[0]
            other = replace(first, before_cents=Cents(first.before_cents + 1))
            assert not corrected_alike(record, state, replace(event, lines=(other, *event.lines[1:])))
        assert corrections.follows(state, event), event
        state = evolve(state, event)


@pytest.mark.parametrize("game", GAMES)
def test_corrections_follow_from_their_rounds(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(walks.WEIGHTS, "correct-round", 40)
    seen: Counter[str] = Counter()
    for number in range(8):
        chance = Random(f"{game}/again/{number}")
        state = opened(game, chance)
        for _ in range(STEPS):
            state = walk(state, chance)
        check(RECORDS.log, new_table(load(game)), seen)
    assert seen["cards"] > 0, seen
