"""The life of a shoe: decks checked, cards shuffled, the burn, and what a virtual shoe records by itself."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device
from punto.table import acts
from punto.table.refusals import (
    CardNotGiven,
    CountNotDue,
    CutCardKnown,
    NoCutCard,
    ReasonMissing,
    ShoeInvalid,
    ShoeStays,
)
from punto.table.values import Burn
from punto.table.ways import Asking, Input, InputType
from tests.table_kit import DEALER, NATURAL, SUPERVISOR, Play


def test_a_virtual_shoe_is_made_checked_and_shuffled() -> None:
    loaded = Play("commission", shoe=NATURAL).of(acts.ShoeLoaded)[0]
    assert (loaded.checked, loaded.shuffled) == (True, True)


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


def test_a_virtual_shoe_burns_from_its_order() -> None:
    play = Play("commission", shoe=f"2h 5c 6c {NATURAL}", burn=Burn.FIRST_CARD)
    assert [(each.card.text, each.unseen) for each in play.of(acts.CardsBurned)] == [("2h", 2)]
    play.open().close()
    for _ in range(4):
        play.do(acts.Deal(DEALER))
    assert play.cards == parse_cards(NATURAL)
    play.replays()


def without_shoe(**settings: Any) -> Play:
    return Play("commission", shoe=None, live=True, **settings)


def with_shoe(**settings: Any) -> Play:
    return Play("commission", live=True, **settings)


def with_shuffler() -> Play:
    return with_shoe(device=Device.SHUFFLER)


def without_cards_left() -> Play:
    """A real shoe that was taken out of play."""
    play = with_shoe()
    play.do(acts.ReplaceShoe(DEALER, "worn"))
    return play


def with_carried_card(*, last: bool = False) -> Play:
    """A round is over, and the seven of clubs is used in the next one, if there is one from this shoe."""
    play = Play("commission")
    if last:
        play.do(acts.CutCard(DEALER))
    play.open().close().deal(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    play.settle()
    return play


ASKING = Asking(DEALER, {})
CUT = Input("cut", InputType.NUMBER, False, refused=ShoeInvalid, minimum=0, maximum=416)
FIRST_CARD = Input("card", InputType.CARD, missing=CardNotGiven)


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


def test_a_burn_names_its_shoe_and_takes_no_more_cards_than_there_are() -> None:
    play = Play("commission", shoe="Kh 5c 6c", burn=Burn.FIRST_CARD)
    assert play.of(acts.CardsBurned) == [acts.CardsBurned(DEALER, 1, parse_cards("Kh")[0], 2)]


def test_a_cut_card_comes_out_once() -> None:
    assert with_shuffler().decide(acts.CutCard(DEALER)) == NoCutCard(rule="1.6")
    play = with_shoe()
    play.do(acts.CutCard(DEALER))
    assert play.decide(acts.CutCard(DEALER)) == CutCardKnown()
    placed = without_shoe()
    placed.do(acts.LoadShoe(DEALER, (), 400))
    assert placed.decide(acts.CutCard(DEALER)) == CutCardKnown()


def test_a_dealer_replaces_a_shoe_between_rounds_with_a_reason() -> None:
    play = with_shoe()
    assert play.decide(acts.ReplaceShoe(DEALER, "  ")) == ReasonMissing()
    assert play.do(acts.ReplaceShoe(DEALER, "worn")) == (acts.ShoeRemoved(DEALER, 1, None, "worn"),)


def test_a_case_whose_ruling_itself_replaces_the_shoe_permits_nobody_else_to() -> None:
    play = with_shoe(second_person=True).open().close().deal(NATURAL)
    play.settle()
    play.report("foreign-card")
    assert play.do(acts.ReplaceShoe(DEALER, "torn")) == (acts.ShoeRemoved(DEALER, 1, None, "torn"),)


def test_carried_cards_of_a_finished_shoe_keep_nothing() -> None:
    play = with_carried_card(last=True)
    assert acts.LoadShoe.refuse(play.state, DEALER) is None
    assert acts.LoadShoe.inputs(play.state) == (CUT,)
    assert acts.ReplaceShoe.refuse(play.state, DEALER) is None


@pytest.mark.parametrize(("count", "refusal"), [(0, ShoeInvalid(8, 0)), (-1, ShoeInvalid(8, -1)), (1, None)])
def test_an_end_count_is_at_least_one(count: int, refusal: Refusal | None) -> None:
    answer = without_cards_left().decide(acts.CountShoe(DEALER, count))
    assert (answer if isinstance(answer, Refusal) else None) == refusal


def test_a_virtual_shoe_is_not_counted() -> None:
    play = Play("commission", shoe=NATURAL)
    assert acts.CountShoe.refuse(play.state, DEALER) == ShoeStays(1)
    play.do(acts.ReplaceShoe(SUPERVISOR, "worn"))
    assert acts.CountShoe.refuse(play.state, DEALER) == CountNotDue()
