"""The order of cards: which cards a round can have had, and what becomes of bets and cards when it had others."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import DECK, parse_cards
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table.refusals import Contradiction, FactsContradict
from punto.table.rulings.reorder import refuse_cards
from tests.table_kit import DEALER, NATURAL, Play

FEW = FactsContradict(Contradiction.FEW_CARDS_LEFT)
KNOWN = parse_cards(NATURAL)
NINE = KNOWN[0]


def dealt(cards: str = NATURAL, *, shoe: str = "", **settings: Any) -> Play:
    play = Play("commission", shoe=shoe, **settings).sit("ann").open(("ann", "player", 10_000)).close()
    for card in cards.split():
        play.do(acts.Deal(DEALER, None if card == "?" or shoe else parse_cards(card)[0]))
    return play


@pytest.mark.parametrize("cards", ["9h 2c Kd", f"{NATURAL} 8c", "2c 9h Kd 3c", f"{NATURAL} 7c 7c"])
def test_a_shoe_of_known_order_had_no_other_cards(cards: str) -> None:
    given = parse_cards(cards)
    refusal = FactsContradict(Contradiction.NOT_THESE_CARDS, given)
    assert refuse_cards(dealt(shoe=f"{NATURAL} 7c 8c").state, given) == refusal


def test_all_known_cards_are_named_again() -> None:
    state = dealt().state
    missing = FactsContradict(Contradiction.CARDS_MISSING, parse_cards("3c"))
    assert refuse_cards(state, KNOWN[:3]) == missing
    assert refuse_cards(state, KNOWN[:3], recorded=False) is None, "a correction may drop them"


@pytest.mark.parametrize(("left", "more", "refusal"), [(1, 1, None), (1, 2, FEW), (0, 0, None), (0, 1, FEW)])
@pytest.mark.parametrize("settled", [False, True])
def test_no_more_cards_came_than_were_in_the_shoe(left: int, more: int, refusal: Refusal | None, settled: bool) -> None:
    play = dealt()
    if settled:
        play.settle()
    play.alter_shoe(drawn=play.shoe.size - left)
    assert refuse_cards(play.state, (*KNOWN, *DECK[:more])) == refusal


def test_a_closed_card_has_left_the_shoe_already() -> None:
    play = dealt("? ? ? ?", face_down=True, live=True)
    play.alter_shoe(drawn=play.shoe.size)
    assert refuse_cards(play.state, KNOWN) is None
    assert refuse_cards(play.state, (*KNOWN, NINE)) == FEW
