"""The life of a shoe: decks checked, cards shuffled, the burn, and what a virtual shoe records by itself."""

from __future__ import annotations

import pytest

from punto.rules.cards import parse_cards
from punto.table import commands as c
from punto.table import events as e
from tests.table_kit import DEALER, NATURAL, Play


def test_a_real_shoe_is_checked_shuffled_loaded_and_counted() -> None:
    play = Play("commission", shoe=None, live=True)
    assert play.refused(c.CheckDecks(DEALER, 415)) == ("shoe-invalid", "2.2.1")
    play.do(c.CheckDecks(DEALER, 416))
    play.do(c.ShuffleCards(DEALER))
    loaded = play.of(e.ShoeLoaded, play.do(c.LoadShoe(DEALER)))[0]
    assert (loaded.checked, loaded.shuffled) == (True, True)
    assert play.refused(c.CheckDecks(DEALER, 416))[0] == "shoe-stays"
    assert play.refused(c.ShuffleCards(DEALER))[0] == "shoe-stays"
    assert play.refused(c.CountShoe(DEALER, 416))[0] == "shoe-stays"
    play.do(c.ReplaceShoe(DEALER, "worn"))
    play.do(c.CountShoe(DEALER, 416))
    assert not play.of(e.IncidentReported)
    assert not play.of(e.ShoeLoaded, play.do(c.LoadShoe(DEALER)))[0].checked, "the next shoe is checked by itself"
    play.replays()


def test_a_virtual_shoe_is_made_checked_and_shuffled() -> None:
    loaded = Play("commission", shoe=NATURAL).of(e.ShoeLoaded)[0]
    assert (loaded.checked, loaded.shuffled) == (True, True)


@pytest.mark.parametrize(("first", "unseen"), [("Ah", 1), ("7c", 7), ("Td", 10), ("Ks", 10)])
def test_the_first_card_says_how_many_are_burned(first: str, unseen: int) -> None:
    play = Play("commission", live=True, burn=c.Burn.FIRST_CARD)
    assert play.refused(c.OpenBets(DEALER))[0] == "burn-pending"
    assert play.refused(c.BurnCards(DEALER))[0] == "card-not-given"
    burned = play.of(e.CardsBurned, play.do(c.BurnCards(DEALER, parse_cards(first)[0])))[0]
    assert burned.unseen == unseen
    assert play.state.shoe is not None
    assert play.state.shoe.left == 416 - 1 - unseen
    assert play.refused(c.BurnCards(DEALER, parse_cards(first)[0]))[0] == "burn-not-due"
    play.open().close().deal(NATURAL).settle()
    play.replays()


def test_a_virtual_shoe_burns_from_its_order() -> None:
    play = Play("commission", shoe=f"2h 5c 6c {NATURAL}", burn=c.Burn.FIRST_CARD)
    assert [(each.card.text, each.unseen) for each in play.of(e.CardsBurned)] == [("2h", 2)]
    play.open().close()
    for _ in range(4):
        play.do(c.Deal(DEALER))
    assert play.cards == parse_cards(NATURAL)
    play.replays()


def test_no_card_is_burned_without_the_setting() -> None:
    play = Play("commission", live=True)
    assert play.refused(c.BurnCards(DEALER, parse_cards("2h")[0]))[0] == "burn-not-due"
    play.open()
