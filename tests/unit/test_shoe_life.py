"""The life of a shoe: decks checked, cards shuffled, the burn, and what a virtual shoe records by itself."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device
from punto.table import acts
from punto.table.refusals import NoCutCard, ShoeInvalid
from punto.table.values import Burn
from tests.table_kit import DEALER, NATURAL, Play


@pytest.mark.parametrize(("first", "unseen"), [("Ah", 1), ("7c", 7), ("Td", 10), ("Ks", 10)])
def test_the_first_card_says_how_many_are_burned(first: str, unseen: int) -> None:
    play = Play("commission", live=True, burn=Burn.FIRST_CARD)
    assert play.refused(acts.OpenBets(DEALER))[0] == "burn-pending"
    assert play.refused(acts.BurnCards(DEALER))[0] == "card-not-given"
    burned = play.of(acts.CardsBurned, play.do(acts.BurnCards(DEALER, parse_cards(first)[0])))[0]
    assert burned.unseen == unseen
    assert play.shoe.left == 416 - 1 - unseen
    assert play.refused(acts.BurnCards(DEALER, parse_cards(first)[0]))[0] == "burn-not-due"
    play.open().close().deal(NATURAL).settle()
    play.replays()


def without_shoe(**settings: Any) -> Play:
    return Play("commission", shoe=None, live=True, **settings)


def with_shoe(**settings: Any) -> Play:
    return Play("commission", live=True, **settings)


def without_cards_left() -> Play:
    """A real shoe that was taken out of play."""
    play = with_shoe()
    play.do(acts.ReplaceShoe(DEALER, "worn"))
    return play


@pytest.mark.parametrize(
    ("cards", "cut", "refusal"),
    [
        ("", -1, ShoeInvalid(8, 416)),
        ("", 0, None),
        ("", 416, None),
        ("", 417, ShoeInvalid(8, 416)),
        (NATURAL, 4, None),
        (NATURAL, 5, ShoeInvalid(8, 4)),
        (" ".join(["9h"] * 8), None, None),
        (" ".join(["9h"] * 9), None, ShoeInvalid(8, 9, rule="2.2.1")),
        (" ".join(["9h"] * 9), 3, ShoeInvalid(8, 9, rule="2.2.1")),
    ],
)
def test_a_cut_card_is_within_its_shoe(cards: str, cut: int | None, refusal: Refusal | None) -> None:
    answer = Play("commission", shoe=None).decide(acts.LoadShoe(DEALER, parse_cards(cards), cut))
    assert (answer if isinstance(answer, Refusal) else None) == refusal


def test_a_shoe_is_loaded_as_it_was_prepared() -> None:
    play = without_shoe()
    play.do(acts.CheckDecks(DEALER, 416))
    assert play.do(acts.LoadShoe(DEALER, (), 400, "seal")) == (
        acts.ShoeLoaded(DEALER, 1, 416, 400, "seal", checked=True, shuffled=False),
    )
    shuffled = without_shoe()
    shuffled.do(acts.ShuffleCards(DEALER))
    assert shuffled.do(acts.LoadShoe(DEALER)) == (
        acts.ShoeLoaded(DEALER, 1, 416, None, None, checked=False, shuffled=True),
    )
    by_the_device = without_shoe(device=Device.SHUFFLER)
    (loaded,) = by_the_device.do(acts.LoadShoe(DEALER))
    assert loaded == acts.ShoeLoaded(DEALER, 1, 416, None, None, checked=False, shuffled=True)
    assert without_shoe(device=Device.SHUFFLER).decide(acts.LoadShoe(DEALER, (), 4)) == NoCutCard(rule="1.6")


def test_a_case_whose_ruling_itself_replaces_the_shoe_permits_nobody_else_to() -> None:
    play = with_shoe(second_person=True).open().close().deal(NATURAL)
    play.settle()
    play.report("foreign-card")
    assert play.do(acts.ReplaceShoe(DEALER, "torn")) == (acts.ShoeRemoved(DEALER, 1, None, "torn"),)


@pytest.mark.parametrize(("count", "refusal"), [(0, ShoeInvalid(8, 0)), (-1, ShoeInvalid(8, -1)), (1, None)])
def test_an_end_count_is_at_least_one(count: int, refusal: Refusal | None) -> None:
    answer = without_cards_left().decide(acts.CountShoe(DEALER, count))
    assert (answer if isinstance(answer, Refusal) else None) == refusal
