"""The reason that is given for a card is the reason by which it comes."""

from __future__ import annotations

from itertools import product

from punto.rules.cards import BY_NAME
from punto.rules.hands import Hand
from punto.rules.reasons import DrawCode
from punto.rules.tableau import cards_in_round, draw_reason, next_hand

CARD_WORTH = [BY_NAME[name] for name in ("Ks", "Ah", "2d", "3c", "4s", "5h", "6d", "7c", "8s", "9h")]
GOES_TO = {
    DrawCode.NOBODY_DRAWS: None,
    DrawCode.BOTH_DREW: None,
    DrawCode.PLAYER_DRAWS: Hand.PLAYER,
    DrawCode.PLAYER_DREW_BANKER_DRAWS: Hand.BANKER,
    DrawCode.PLAYER_DREW_BANKER_STANDS: None,
    DrawCode.PLAYER_STOOD_BANKER_DREW: None,
    DrawCode.PLAYER_STANDS_BANKER_DRAWS: Hand.BANKER,
    DrawCode.PLAYER_STANDS_BANKER_STANDS: None,
}


def test_every_reason_agrees_with_the_card_that_comes_and_can_be_said() -> None:
    seen = set()
    for player, banker, third, last in product(range(10), range(10), range(10), (0, 9)):
        values = (player, banker, 0, 0, third, last)
        cards = tuple([CARD_WORTH[value] for value in values])
        for dealt in range(4, cards_in_round(cards) + 1):
            reason = draw_reason(cards[:dealt])
            assert next_hand(cards[:dealt]) == GOES_TO[reason.code]
            seen.add(reason.code)
            assert reason.code is DrawCode.BOTH_DREW or (reason.player, reason.banker) == (player, banker)
    assert seen == GOES_TO.keys()
