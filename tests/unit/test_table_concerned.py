"""Whom events concern: whose money they move, in which boxes, and whose choices may be others afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.cash import cash_patron
from punto.rules.loader import load
from punto.rules.money import Cents, Odds
from punto.rules.settlement import Bet
from punto.table import acts
from punto.table.concerned import boxes_changed, has_chips, whose_changed
from punto.table.state import new_table
from punto.table.values import Adjustment, Option, Paid, Returned, ReturnReason, SqueezeOf
from tests.table_kit import BANKER_INSURABLE, DEALER, NATURAL, SUPERVISOR, Play, patron

ANN = Bet(1, "ann", "player", Cents(10_000))
BO = Bet(2, "bo", "banker", Cents(10_000))
BACK = tuple([Returned(bet, ReturnReason.VOID, "5.5") for bet in (ANN, BO)])
PAID = (Paid(ANN, Odds.parse("1:1"), Cents(20_000), None),)
CORRECTED = (Adjustment(BO, Cents(0), Cents(10_000), Cents(10_000), None),)
CARD = SqueezeOf.CARD


@pytest.mark.parametrize(
    ("event", "patrons", "boxes"),
    [
        (acts.BetPlaced(DEALER, 1, ANN), {"ann"}, {1}),
        (acts.BetRaised(DEALER, 1, BO, Cents(100)), {"bo"}, {2}),
        (acts.BetWithdrawn(DEALER, 1, ANN, Cents(100)), {"ann"}, {1}),
        (acts.BetDisplaced(DEALER, 1, BO, Cents(100), "5.1"), {"bo"}, {2}),
        (acts.RaiseAsked(DEALER, 1, ANN, Cents(20_000), "5.2"), {"ann"}, set()),
        (acts.RoundVoided(DEALER, 1, (), BACK, "5.5", "bad"), {"ann", "bo"}, {1, 2}),
        (acts.BetsReturned(DEALER, 1, BACK), {"ann", "bo"}, {1, 2}),
        (acts.BetsPaid(DEALER, 1, 1, PAID), {"ann"}, {1}),
        (acts.RoundAdjusted(DEALER, 1, CORRECTED, False, None, "misread"), {"bo"}, {2}),
        (acts.PatronSeated(DEALER, "ann", 1), {"ann"}, set()),
        (acts.PatronStood(DEALER, "ann", 1), {"ann"}, set()),
        (acts.PatronLeft(DEALER, "ann", None), {"ann"}, set()),
        (acts.OptionChosen(DEALER, 1, "ann", Option.CONTINUE, None), {"ann"}, set()),
        (acts.OptionsOffered(DEALER, 1, 1, ("ann", "bo"), True, None, None, None), {"ann", "bo"}, set()),
        (acts.SqueezeAsked(DEALER, 1, "ann", CARD, "4.4"), {"ann"}, set()),
        (acts.SqueezeAnswered(DEALER, 1, "ann", CARD, True, False, "4.4"), {"ann"}, set()),
        (acts.SqueezePassed(DEALER, 1, "ann", 1, "4.4"), {"ann"}, set()),
        (acts.AmountDecided(DEALER, 1, 1, "ann", Cents(-100), None, "owed"), {"ann"}, set()),
        (acts.RoundClosed(DEALER, 1), set(), set()),
    ],
)
def test_an_event_is_about_whose_money_or_choice_it_names(
    event: acts.Event, patrons: set[str], boxes: set[int]
) -> None:
    assert event.concerns() == patrons
    assert boxes_changed([event]) == boxes


def test_a_settlement_is_about_bets_that_are_settled_and_bets_that_go_back() -> None:
    (line,) = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL).settle().lines
    event = acts.RoundSettled(DEALER, 1, parse_cards(NATURAL), (line,), BACK[1:], Cents(-10_000))
    assert event.concerns() == {"ann", "bo"}


# ------------------------------------------------------------------------------------------- choices


def changed(play: Play, command: acts.Command) -> set[str]:
    """Whose choices may be others after a command."""
    before = play.state
    events = play.do(command)
    return whose_changed(before, play.state, boxes_changed(events))


def table(game: str = "commission", **settings: Any) -> Play:
    """Ann and bo sit, cy stands behind ann."""
    play = Play(game, **settings).sit("ann", "bo")
    play.do(acts.Stand(patron("cy"), "cy", 1))
    return play


def test_a_change_of_places_concerns_all_who_have_one_and_who_had() -> None:
    play = table()
    assert changed(play, acts.Sit(patron("di"), "di", 3)) == {"ann", "bo", "cy", "di"}
    assert changed(play, acts.Leave(patron("bo"), "bo")) == {"ann", "bo", "cy", "di"}
    assert changed(play, acts.CloseTable(SUPERVISOR)) == {"ann", "cy", "di"}


def test_a_round_concerns_all_and_a_bet_those_at_its_box() -> None:
    play = table(live=True)
    assert changed(play, acts.OpenBets(DEALER)) == {"ann", "bo", "cy"}
    assert changed(play, play.placing("ann", "player", 10_000)) == {"ann", "cy"}
    assert changed(play, play.placing("cy", "player", 10_000)) == {"ann", "cy"}
    assert changed(play, play.placing("bo", "player", 10_000)) == {"bo"}
    assert changed(play, acts.ComeOnDuty(DEALER)) == set()
    first = play.state
    play.confirmed(play.reporting("foreign-card"))
    play.do(acts.LoadShoe(DEALER))
    play.open()
    assert whose_changed(first, play.state, set()) == {"ann", "bo", "cy"}, "a later round"


def test_cash_in_a_free_box_makes_a_place_behind_it() -> None:
    play = table(live=True).open()
    recording = [acts.RecordBet(DEALER, cash_patron(3), 3, "player", Cents(stake)) for stake in (10_000, 20_000, 0)]
    everyone = {"ann", "bo", "cy"}
    assert [changed(play, each) for each in recording] == [everyone, set(), everyone]


def test_whoever_walks_away_concerns_all() -> None:
    play = table().open(("ann", "player", 10_000)).close()
    assert changed(play, acts.Leave(patron("ann"), "ann")) == {"ann", "bo", "cy"}


def test_cards_that_lie_open_give_nobody_another_choice() -> None:
    play = table().open(("ann", "player", 10_000))
    assert changed(play, acts.CloseBets(DEALER)) == set()
    assert [changed(play, acts.Deal(DEALER, card)) for card in parse_cards(NATURAL)] == [set()] * 4
    assert changed(play, acts.Settle(DEALER)) == {"ann", "bo", "cy"}, "the round ends"


def test_da_hu_ying_xiong_3_12_an_insurance_window_concerns_whoever_has_a_bet() -> None:
    play = table("da-hu-ying-xiong").open(("ann", "banker", 10_000)).close()
    cards = parse_cards(BANKER_INSURABLE)[:4]
    assert [changed(play, acts.Deal(DEALER, card)) for card in cards] == [set(), set(), set(), {"ann"}]
    insuring = acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(1_000))
    assert changed(play, insuring) == set(), "whose own money it is knows anyway"
    play = table("da-hu-ying-xiong").open(("ann", "player", 10_000)).close().deal("Ah 2d Kh 3d")
    assert changed(play, acts.Deal(DEALER, parse_cards("5h")[0])) == {"ann"}, "the second window"


def test_a_held_round_concerns_whoever_has_a_bet() -> None:
    play = table().open(("ann", "player", 10_000)).close().deal("2h 3d")
    assert changed(play, play.reporting("other-dealing-error")) == {"ann"}


def test_closed_cards_concern_whoever_has_a_bet() -> None:
    """Whoever has the highest bet may squeeze, so each card and each late bet counts, and nothing else."""
    play = table(face_down=True, live=True, late_cents=20_000).open(("ann", "player", 10_000))
    assert changed(play, acts.CloseBets(DEALER)) == {"ann"}
    assert changed(play, acts.RecordBet(DEALER, "bo", 2, "banker", Cents(20_000))) == {"ann", "bo"}
    assert changed(play, acts.Deal(DEALER)) == {"ann", "bo"}
    assert changed(play, acts.ComeOnDuty(DEALER)) == set()


def test_a_table_that_is_not_open_concerns_nobody() -> None:
    closed = new_table(load("commission"))
    assert whose_changed(closed, closed, set()) == set()


def test_only_a_live_table_has_chips_on_its_layout() -> None:
    assert has_chips(Play("commission", live=True).state)
    assert not has_chips(Play("commission").state)
    assert not has_chips(new_table(load("commission")))
