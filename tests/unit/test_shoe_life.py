"""The life of a shoe: decks checked, cards shuffled, the burn, and what a virtual shoe records by itself."""

from __future__ import annotations

from typing import Any, cast

import pytest

from punto.rules.cards import parse_cards
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Role
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import ANY, Input, InputType, Way
from punto.table.refusals import (
    BurnNotDue,
    CountNotDue,
    CutCardKnown,
    NoCutCard,
    NotPermitted,
    ReasonMissing,
    ShoeInvalid,
    ShoeMissing,
    ShoeStays,
)
from punto.table.shoe_life import (
    burn_is_due,
    count_shoe,
    full_set,
    has_shuffler,
    refuse_cut_card,
    refuse_preparation,
    refuse_replacement,
    ways_to_burn,
    ways_to_check,
    ways_to_count,
    ways_to_load,
)
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play


def test_a_real_shoe_is_checked_shuffled_loaded_and_counted() -> None:
    play = Play("commission", shoe=None, live=True)
    assert play.decide(c.CheckDecks(DEALER, 415)) == ShoeInvalid(8, 415, rule="2.2.1")
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


def without_shoe(**settings: Any) -> Play:
    return Play("commission", shoe=None, live=True, **settings)


def with_shoe(**settings: Any) -> Play:
    return Play("commission", live=True, **settings)


def with_shuffler() -> Play:
    return with_shoe(device=Device.SHUFFLER)


def without_cards_left() -> Play:
    """A real shoe that was taken out of play."""
    play = with_shoe()
    play.do(c.ReplaceShoe(DEALER, "worn"))
    return play


def with_carried_card(*, last: bool = False) -> Play:
    """A round is over, and the seven of clubs is used in the next one, if there is one from this shoe."""
    play = Play("commission")
    if last:
        play.do(c.CutCard(DEALER))
    play.open().close().deal(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    play.settle()
    return play


COUNT_TO_CHECK = Input("count", InputType.NUMBER, True, "shoe-invalid", "shoe-invalid", (), 416, 416)
CUT = Input("cut", InputType.NUMBER, False, refused="shoe-invalid", minimum=0, maximum=416)
FIRST_CARD = Input("card", InputType.CARD, missing="card-not-given")
COUNT_AT_THE_END = Input("count", InputType.NUMBER, True, "shoe-invalid", "shoe-invalid", minimum=1)


def test_a_shuffler_is_a_device_of_its_own() -> None:
    assert not has_shuffler(with_shoe().state)
    assert has_shuffler(with_shuffler().state)


def test_the_full_set_of_a_shuffler_follows_with_the_next_number() -> None:
    play = with_shuffler()
    assert full_set(play.state, DEALER) == e.ShoeLoaded(DEALER, 2, 416, None, None, checked=False, shuffled=True)
    play.alter_shoe(checked=True)
    assert full_set(play.state, DEALER) == e.ShoeLoaded(DEALER, 2, 416, None, None, checked=True, shuffled=True)


def test_what_may_be_done_before_a_shoe_is_loaded() -> None:
    state = without_shoe().state
    assert refuse_preparation(state) is None
    assert ways_to_check(state) == (Way(inputs=(COUNT_TO_CHECK,)),)
    assert ways_to_load(state) == (Way(inputs=(CUT,)),)
    assert ways_to_load(without_shoe(device=Device.SHUFFLER).state) == ANY
    assert ways_to_burn(state) == BurnNotDue()
    assert ways_to_burn(without_shoe(burn=c.Burn.FIRST_CARD).state) == BurnNotDue()
    assert refuse_cut_card(state) == refuse_replacement(state, DEALER) == ways_to_count(state) == ShoeMissing()


def test_what_may_be_done_while_a_shoe_is_in_play() -> None:
    state = with_shoe().state
    assert refuse_preparation(state) == ways_to_check(state) == ways_to_load(state) == ShoeStays(1)
    assert ways_to_count(state) == ShoeStays(1)
    assert ways_to_burn(state) == BurnNotDue()
    assert refuse_cut_card(state) is None
    assert refuse_replacement(state, DEALER) is None
    assert refuse_replacement(state, c.Actor("ann")) == NotPermitted(Role.DEALER)
    assert ways_to_burn(with_shoe(burn=c.Burn.FIRST_CARD).state) == (Way(inputs=(FIRST_CARD,)),)


def test_what_may_be_done_when_a_shoe_is_out_of_play() -> None:
    state = without_cards_left().state
    assert refuse_preparation(state) is None
    assert ways_to_check(state) == (Way(inputs=(COUNT_TO_CHECK,)),)
    assert ways_to_load(state) == (Way(inputs=(CUT,)),)
    assert ways_to_count(state) == (Way(inputs=(COUNT_AT_THE_END,)),)
    assert refuse_cut_card(state) == refuse_replacement(state, DEALER) == ShoeMissing()


def test_a_burn_is_due_until_the_first_card_came_out() -> None:
    play = with_shoe(burn=c.Burn.FIRST_CARD)
    assert burn_is_due(play.state)
    play.do(c.BurnCards(DEALER, parse_cards("2h")[0]))
    assert not burn_is_due(play.state)
    removed = with_shoe(burn=c.Burn.FIRST_CARD)
    removed.do(c.ReplaceShoe(DEALER, "worn"))
    assert not burn_is_due(removed.state)


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
    answer = Play("commission", shoe=None).decide(c.LoadShoe(DEALER, parse_cards(cards), cut))
    assert (answer if isinstance(answer, Refusal) else None) == refusal


def test_a_shoe_is_loaded_as_it_was_prepared() -> None:
    play = without_shoe()
    play.do(c.CheckDecks(DEALER, 416))
    assert play.do(c.LoadShoe(DEALER, (), 400, "seal")) == (
        e.ShoeLoaded(DEALER, 1, 416, 400, "seal", checked=True, shuffled=False),
    )
    shuffled = without_shoe()
    shuffled.do(c.ShuffleCards(DEALER))
    assert shuffled.do(c.LoadShoe(DEALER)) == (e.ShoeLoaded(DEALER, 1, 416, None, None, checked=False, shuffled=True),)
    by_the_device = without_shoe(device=Device.SHUFFLER)
    (loaded,) = by_the_device.do(c.LoadShoe(DEALER))
    assert loaded == e.ShoeLoaded(DEALER, 1, 416, None, None, checked=False, shuffled=True)
    assert without_shoe(device=Device.SHUFFLER).decide(c.LoadShoe(DEALER, (), 4)) == NoCutCard(rule="1.6")


def test_a_real_shoe_is_not_burned_by_itself() -> None:
    play = without_shoe(burn=c.Burn.FIRST_CARD)
    assert [type(each) for each in play.do(c.LoadShoe(DEALER))] == [e.ShoeLoaded]


def test_a_burn_names_its_shoe_and_takes_no_more_cards_than_there_are() -> None:
    play = Play("commission", shoe="Kh 5c 6c", burn=c.Burn.FIRST_CARD)
    assert play.of(e.CardsBurned) == [e.CardsBurned(DEALER, 1, parse_cards("Kh")[0], 2)]


def test_a_cut_card_comes_out_once() -> None:
    assert refuse_cut_card(with_shuffler().state) == NoCutCard(rule="1.6")
    play = with_shoe()
    play.do(c.CutCard(DEALER))
    assert refuse_cut_card(play.state) == CutCardKnown()
    placed = without_shoe()
    placed.do(c.LoadShoe(DEALER, (), 400))
    assert refuse_cut_card(placed.state) == CutCardKnown()


def test_a_shoe_stays_during_a_round_without_a_ruling() -> None:
    assert refuse_replacement(with_shoe().open().state, SHIFT) == ShoeStays(1)


def test_a_dealer_replaces_a_shoe_between_rounds_with_a_reason() -> None:
    play = with_shoe()
    assert play.decide(c.ReplaceShoe(DEALER, "  ")) == ReasonMissing()
    assert play.do(c.ReplaceShoe(DEALER, "worn")) == (e.ShoeRemoved(DEALER, 1, None, "worn"),)


def test_a_case_whose_ruling_itself_replaces_the_shoe_permits_nobody_else_to() -> None:
    play = with_shoe(second_person=True).open().close().deal(NATURAL)
    play.settle()
    play.report("foreign-card")
    assert play.do(c.ReplaceShoe(DEALER, "torn")) == (e.ShoeRemoved(DEALER, 1, None, "torn"),)


def test_carried_cards_keep_their_shoe_until_who_decides_the_rest_says_otherwise() -> None:
    play = with_carried_card()
    assert ways_to_load(play.state) == ShoeStays(1, rule="5.7")
    assert refuse_replacement(play.state, MANAGER) == NotPermitted(Role.SHIFT_MANAGER, rule="5.7")
    assert refuse_replacement(play.state, SHIFT) is None
    assert play.decide(c.ReplaceShoe(SHIFT, " ")) == ReasonMissing(rule="5.17")
    assert play.do(c.ReplaceShoe(SHIFT, "beer")) == (e.ShoeRemoved(SHIFT, 1, "5.17", "beer"),)


def test_carried_cards_of_a_finished_shoe_keep_nothing() -> None:
    play = with_carried_card(last=True)
    assert ways_to_load(play.state) == (Way(inputs=(CUT,)),)
    assert refuse_replacement(play.state, DEALER) is None


def test_carried_cards_keep_nothing_during_the_round_that_uses_them() -> None:
    play = with_carried_card().open()
    assert refuse_replacement(play.state, DEALER) == ShoeStays(1)


@pytest.mark.parametrize(("count", "refusal"), [(0, ShoeInvalid(8, 0)), (-1, ShoeInvalid(8, -1)), (1, None)])
def test_an_end_count_is_at_least_one(count: int, refusal: Refusal | None) -> None:
    answer = without_cards_left().decide(c.CountShoe(DEALER, count))
    assert (answer if isinstance(answer, Refusal) else None) == refusal


def test_an_end_count_that_was_left_out_is_none() -> None:
    command = c.CountShoe(DEALER, cast(int, None))
    assert count_shoe(without_cards_left().state, command) == ShoeInvalid(8, 0)


def test_an_end_count_that_agrees_is_recorded_and_no_more() -> None:
    play = without_cards_left()
    assert play.do(c.CountShoe(DEALER, 416)) == (e.ShoeCounted(DEALER, 1, 416, 416),)
    assert ways_to_count(play.state) == CountNotDue()


def test_a_virtual_shoe_is_not_counted() -> None:
    play = Play("commission", shoe=NATURAL)
    assert ways_to_count(play.state) == ShoeStays(1)
    play.do(c.ReplaceShoe(SUPERVISOR, "worn"))
    assert ways_to_count(play.state) == CountNotDue()
