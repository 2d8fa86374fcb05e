"""What a state tells of itself: its shoe, its round, its places, and the records that it is made of."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.rules.sheet import Device, Role
from punto.table.commands import NO_FACTS, Burn, Consent, Decision
from punto.table.phases import Phase, Waits
from punto.table.state import (
    DECISIONS_FOR,
    Case,
    LastRound,
    RoundInPlay,
    Settings,
    Shoe,
    Spot,
    State,
    TableCard,
    known_cards,
    new_table,
    set_is_renewed,
    spot_of,
)
from tests.table_kit import DEALER

NINE, TWO, KING, THREE = parse_cards("9h 2c Kd 3c")
LIMITS = Limits(Cents(100), Cents(10_000))


def settings(**given: Any) -> Settings:
    return Settings("t1", 8, 9, LIMITS, **given)


def state(**given: Any) -> State:
    return new_table(load("commission"))._replace(**given)


def test_what_is_not_said_is_off() -> None:
    """A table, a shoe, a round, a case and a last round as they begin."""
    opened = settings()
    flags = (opened.face_down, opened.live, opened.without_insurance, opened.second_person, opened.private)
    assert flags == (False,) * 5
    assert (opened.second_role, opened.waiver_consent) == (Role.PIT_SUPERVISOR, Consent.ASK)
    assert (opened.device, opened.burn) == (Device.CARD_SHOE, Burn.NONE)
    shoe = Shoe(1, 416)
    assert (shoe.drawn, shoe.burned) == (0, 0)
    assert (shoe.removed, shoe.checked, shoe.shuffled, shoe.counted) == (False,) * 4
    begun = RoundInPlay(1)
    assert (begun.waived, begun.limits_lifted, begun.pro_rata, begun.undoable, begun.sides_lifted) == (False,) * 5
    last = LastRound(1, (), ())
    assert (last.waived, last.void, last.without_insurance) == (False,) * 3
    table = state()
    assert (table.shoes, table.rounds, table.cases) == (0, 0, 0)
    assert (table.phase, table.decks_checked, table.cards_shuffled) == (Phase.NOT_OPEN, False, False)


def test_a_case_begins_without_a_round_and_without_other_cards() -> None:
    case = Case(1, "anything-else", NO_FACTS, DEALER, Phase.BETTING)
    assert (case.reordered, case.round) == (False, 0)


def test_what_a_case_waits_for_says_which_decisions_answer_it() -> None:
    """Patrons' choices and a correction are no decisions. What somebody proposed is approved or declined."""
    assert set(DECISIONS_FOR) == set(Waits)
    assert DECISIONS_FOR[Waits.CHOICES] == DECISIONS_FOR[Waits.CORRECTION] == ()
    assert DECISIONS_FOR[Waits.APPROVAL] == DECISIONS_FOR[Waits.CONFIRMATION] == (Decision.APPROVE, Decision.DECLINE)
    assert DECISIONS_FOR[Waits.ORDER] == (Decision.ORDER,)
    others = {Decision.APPROVE, Decision.DECLINE, Decision.ORDER}
    assert set(DECISIONS_FOR[Waits.DECISION]) == set(Decision) - others


def test_a_spot_is_the_place_of_a_bet() -> None:
    bet = Bet(2, "ann", "banker-insurance", Cents(100), Window.FOUR_CARDS, True)
    assert spot_of(bet) == Spot(2, "ann", "banker-insurance", Window.FOUR_CARDS)


def test_a_table_is_called_by_its_name_or_its_number() -> None:
    assert settings().shown_name == "t1"
    assert settings(name="The Dragon").shown_name == "The Dragon"


@pytest.mark.parametrize(
    ("given", "left", "cut_card_out"),
    [
        ({}, 416, False),
        ({"drawn": 10}, 406, False),
        ({"drawn": 10, "carried": (NINE, TWO)}, 408, False),
        ({"drawn": 9, "cut": 10}, 407, False),
        ({"drawn": 10, "cut": 10}, 406, True),
        ({"drawn": 1, "last_round": 2}, 415, True),
        ({"drawn": 1, "cut": 10, "last_round": 2}, 415, True),
    ],
)
def test_what_is_left_of_a_shoe(given: dict[str, Any], left: int, cut_card_out: bool) -> None:
    shoe = Shoe(1, 416, **given)
    assert (shoe.left, shoe.cut_card_out) == (left, cut_card_out)


@pytest.mark.parametrize(
    ("shoe", "rounds", "last", "over"),
    [
        (None, 3, False, False),
        (Shoe(1, 416), 3, False, False),
        (Shoe(1, 416, last_round=4), 3, False, False),
        (Shoe(1, 416, last_round=3), 3, True, True),
        (Shoe(1, 416, last_round=2), 3, True, True),
        (Shoe(1, 416, removed=True), 3, False, True),
        (Shoe(1, 416, drawn=416), 3, False, True),
        (Shoe(1, 416, drawn=416, carried=(NINE,)), 3, False, False),
    ],
)
def test_a_shoe_is_over_after_its_last_round(shoe: Shoe | None, rounds: int, last: bool, over: bool) -> None:
    table = state(shoe=shoe, rounds=rounds)
    assert (table.in_last_round, table.shoe_is_over) == (last, over)


@pytest.mark.parametrize(
    ("shoe", "device", "renewed"),
    [
        (None, Device.SHUFFLER, False),
        (Shoe(1, 416), None, False),
        (Shoe(1, 416), Device.CARD_SHOE, False),
        (Shoe(1, 416), Device.SHUFFLER, True),
        (Shoe(1, 4, order=(NINE, TWO, KING, THREE)), Device.SHUFFLER, False),
        (Shoe(1, 416, removed=True), Device.SHUFFLER, False),
    ],
)
def test_a_shuffler_renews_a_set_that_is_neither_virtual_nor_removed(
    shoe: Shoe | None, device: Device | None, renewed: bool
) -> None:
    table = state(shoe=shoe, settings=settings(device=device) if device else None)
    assert set_is_renewed(table) is renewed


def test_a_round_tells_which_cards_are_closed() -> None:
    waiting = (TableCard(TWO, False), TableCard(KING, True), TableCard(None, False))
    round_ = RoundInPlay(1, cards=(NINE,), waiting=waiting)
    assert round_.dealt == 4
    assert round_.closed_places == (2, 4)
    assert round_.visible == (NINE, None, KING, None)
    assert [round_.at(place) for place in (1, 2, 3, 4)] == [TableCard(NINE, True), *waiting]
    assert RoundInPlay(1, cards=(NINE, TWO)).at(2) == TableCard(TWO, True)


def test_the_known_cards_are_the_open_ones_and_the_carried_ones() -> None:
    waiting = (TableCard(TWO, False), TableCard(KING, True), TableCard(None, False))
    round_ = RoundInPlay(1, cards=(NINE,), waiting=waiting)
    shoe, last = Shoe(1, 416, carried=(THREE,)), LastRound(1, (NINE, TWO), ())
    assert known_cards(state()) == ()
    assert known_cards(state(round=round_)) == (NINE, KING)
    assert known_cards(state(round=round_, shoe=shoe)) == (NINE, KING, THREE)
    assert known_cards(state(last=last, shoe=shoe)) == (NINE, TWO, THREE)


def test_where_a_patron_sits_and_not_where_they_stand() -> None:
    table = state(seats={2: "ann", 1: "bo"}, standing=frozenset({(1, "ann")}), places={"ann": (2, 1), "bo": (1,)})
    assert (table.sits_at("ann"), table.sits_at("bo"), table.sits_at("cy")) == (2, 1, None)
    standing = state(seats={1: "bo"}, standing=frozenset({(1, "ann")}), places={"ann": (1,), "bo": (1,)})
    assert standing.sits_at("ann") is None
