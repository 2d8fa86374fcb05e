"""Records of the rules as plain data: what `plain` makes of each kind of value."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.bets import Condition
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.money import Odds
from punto.rules.plain import plain
from punto.rules.sheet import Decks, Role

WHEN = {"winner": "banker", "banker-points": 6}


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (Odds.parse("0.95:1"), "0.95:1"),
        (parse_cards("Td 9h"), ["Td", "9h"]),
        (Condition.parse(WHEN), WHEN),
        (Role.PIT_MANAGER, "pit-manager"),
        (Decks(4, 8, "2.2"), {"minimum": 4, "maximum": 8, "rule": "2.2"}),
        ({Hand.PLAYER: Odds.parse("1:1"), 7: None}, {"player": "1:1", "7": None}),
        (frozenset({3, 1, 2}), [1, 2, 3]),
        ({Hand.PLAYER, Hand.BANKER}, ["banker", "player"]),
        ([Hand.BANKER, (1, True)], ["banker", [1, True]]),
        ("text", "text"),
        (None, None),
    ],
)
def test_each_kind_of_value(value: object, made: Any) -> None:
    found = plain(value)
    assert found == made
    assert type(found) is type(made)
