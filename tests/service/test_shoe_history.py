"""What came out of a shoe."""

from __future__ import annotations

from punto.rules.cards import parse_cards
from punto.rules.sheet import Role
from punto.table.commands import Actor
from punto.table.events import CardsRelaid, ShoeLoaded
from punto.table.history import PlayedShoe


def test_a_burned_card_keeps_its_place_among_the_cards_dealt() -> None:
    cards = parse_cards("9h 2c Kd 3c 4s 5d")
    by = Actor("dan", Role.DEALER)
    shoe = PlayedShoe(1, 8, ShoeLoaded(by, 1, 416, None, None), dealt=list(cards[:1]))
    shoe.take(CardsRelaid(by, 1, 1, cards[:1], cards[:1], (), None, "lost", burned=cards[1:2]))
    shoe.dealt += cards[2:4]
    assert shoe.dealt == list(cards[:4])
    before = (cards[0], cards[2], cards[3])
    shoe.take(CardsRelaid(by, 2, 1, before, before, cards[4:5], None, "one too many"))
    assert shoe.dealt == list(cards[:5])
    assert set(shoe.burned) == {1}
