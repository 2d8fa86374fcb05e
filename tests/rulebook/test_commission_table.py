"""Commission Baccarat, sections 3 and 5, at a table: each test is named by its paragraph."""

from __future__ import annotations

import pytest

from punto.rules.hands import Hand
from punto.rules.money import Cents
from punto.rules.sheet import Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.phases import Phase
from punto.table.refusals import TableCode
from tests.rulebook import table_scenarios as at
from tests.table_kit import DEALER, SUPERVISOR, Play, patron

GAME = "commission"


def test_commission_3_1_the_total_nearest_to_nine_wins() -> None:
    assert at.result(GAME, "9h 8d Kd Kc").winner == "player"


def test_commission_3_2_values_make_the_totals() -> None:
    assert at.result(GAME, "Ah 2c 7d 6c").player_points == 8


def test_commission_3_2_1_an_ace_counts_one() -> None:
    assert at.result(GAME, "Ah 9c 8d Kc").player_points == 9


def test_commission_3_2_2_face_values_count_and_a_ten_ends_in_nothing() -> None:
    declared = at.result(GAME, "Th 4c 9d 5c")
    assert (declared.player_points, declared.banker_points) == (9, 9)


def test_commission_3_2_3_pictures_count_nothing() -> None:
    declared = at.result(GAME, "Jh Kc 9d 8c")
    assert (declared.player_points, declared.banker_points) == (9, 8)


def test_commission_3_3_bets_open_with_the_call() -> None:
    assert at.bet_before_the_call(GAME) == (TableCode.BETS_NOT_OPEN, "3.3")
    opened = at.call_opens_bets(GAME)
    assert (opened.says, opened.rule) == ("Place your Bets, please", "3.3")


def test_commission_3_4_limits_are_part_of_the_table_as_shown() -> None:
    shown = Play(GAME).of(e.TableOpened)[0]
    assert (shown.minimum_cents, shown.differential_cents) == (2_500, 100_000)
    play = Play(GAME, opened=False)
    opening = c.OpenTable(SUPERVISOR, "t1", GAME, 8, Cents(5_000), Cents(2_500), layout="bean-9")
    assert play.refused(opening) == (TableCode.LIMITS_INVALID, "3.4")


def test_commission_3_5_a_stake_outside_the_limits_is_the_patrons_to_put_right() -> None:
    play = at.table_for(GAME, "ann").open()
    assert play.refused(play.placing("ann", "tie", 0)) == (TableCode.STAKE_INVALID, "3.5")
    assert play.refused(play.placing("ann", "banker", 2_550)) == (TableCode.STAKE_OFF_UNIT, "3.4")


def test_commission_3_6_the_balance_of_a_box_is_open_to_others() -> None:
    play = at.table_for(GAME, "ann").open(("ann", "banker", 60_000))
    play.do(c.Stand(patron("bo"), "bo", 1))
    play.bet("bo", "banker", 40_000)
    assert play.refused(c.RaiseBet(patron("bo"), "bo", 1, "banker", Cents(100)))[0] is TableCode.OVER_DIFFERENTIAL


def test_commission_3_7_the_bets_offered_and_no_others() -> None:
    at.original_bets_both_ways(GAME)
    at.every_side_bet_alone(GAME)
    play = at.table_for(GAME, "ann").open()
    assert play.refused(play.placing("ann", "moon", 2_500)) == (TableCode.BET_NOT_OFFERED, "3.7")


def test_commission_3_8_the_second_call_ends_betting() -> None:
    closed = at.close_call(GAME)
    assert (closed.says, closed.rule) == ("No more Bets", "3.8")


def test_commission_3_9_the_seated_patron_with_the_highest_bet_may_ask_to_squeeze() -> None:
    assert at.highest_bet_squeezes(GAME) == ((TableCode.SQUEEZE_NOT_HIGHEST, "3.9"), "3.9")


def test_commission_3_9_only_where_cards_are_dealt_face_down() -> None:
    assert at.no_squeeze(GAME, face_down=False) == (TableCode.SQUEEZE_NOT_OFFERED, "3.9")


def test_commission_3_9_a_squeeze_is_asked_for_once_a_card() -> None:
    assert at.asked_once_a_card(GAME, c.SqueezeOf.CARD) == (TableCode.SQUEEZE_REPEATED, "3.9")


def test_commission_3_9_the_first_request_keeps_its_place() -> None:
    pending = (TableCode.SQUEEZE_PENDING, "3.9")
    assert at.first_request_keeps_its_place(GAME, c.SqueezeOf.CARD) == pending


def test_commission_3_10_four_cards_in_turn() -> None:
    hands = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]
    assert at.four_cards(GAME) == [(hand, "3.10") for hand in hands]


def test_commission_3_11_when_player_stands_banker_draws_to_five() -> None:
    at.player_stands(GAME)


def test_commission_3_12_third_cards_by_the_table_of_play() -> None:
    assert at.third_cards(GAME) == [(Hand.PLAYER, "3.12"), (Hand.BANKER, "3.12")]
    assert Play(GAME).open().close().deal("9h 2c Kd 3c").state.phase is Phase.RESULT


def test_commission_3_13_the_higher_total_wins() -> None:
    declared = at.result(GAME, "2h 2d Ks Kc 4h 5d")
    assert (declared.winner, declared.rule) == ("banker", "3.13")


def test_commission_3_14_a_tie_returns_original_bets() -> None:
    assert at.tie_returns(GAME) == ["3.14", "3.14"]


# ------------------------------------------------------------------------------------------- irregularities


def test_commission_5_1_excess_is_refused_and_seated_patrons_come_first() -> None:
    assert at.excess_before_close(GAME) == (TableCode.OVER_DIFFERENTIAL, "5.1")


def test_commission_5_1_excess_recorded_and_seen_in_time_goes_back() -> None:
    play = at.table_for(GAME, "ann", live=True).open()
    play.do(c.RecordBet(DEALER, "ann", 1, "banker", Cents(150_000)))
    moved = play.of(e.BetDisplaced, play.report("excess-bets"))
    assert [(each.returned_cents, each.rule) for each in moved] == [(50_000, "5.1")]


def test_commission_5_1_1_excess_found_later_is_settled_pro_rata() -> None:
    assert at.pro_rata(GAME) == {"5.1.1"}
    at.pro_rata_never_below_minimum(GAME)


def test_commission_5_1_2_a_bet_below_the_minimum_is_not_scaled() -> None:
    assert at.pro_rata_exempts_small_bets(GAME) == "5.1.2"


def test_commission_5_2_a_bet_below_the_minimum_is_raised_or_withdrawn() -> None:
    assert at.below_minimum_seen(GAME) == "5.2"
    assert at.below_minimum_refused(GAME) == (TableCode.STAKE_BELOW_MINIMUM, "5.2")


def test_commission_5_2_1_unseen_it_wins_or_loses_as_it_lies() -> None:
    assert at.below_minimum_unseen(GAME) == "5.2.1"


def test_commission_5_3_bets_of_a_patron_who_walks_away_are_settled() -> None:
    assert at.walk_away(GAME) == "5.3"


@pytest.mark.parametrize("cards", ["", "5h", "5h Kd"])
def test_commission_5_4_an_interruption_is_ruled_by_the_cards_on_the_table(cards: str) -> None:
    assert at.voids(GAME, cards) == "5.4.2"


def test_commission_5_4_1_an_established_outcome_is_concluded() -> None:
    assert at.concludes(GAME, "5h Kd 5s") == "5.4.1"
    assert at.concludes(GAME, "9h 2c Kd 3c") == "5.4.1"


def test_commission_5_4_2_without_an_outcome_the_round_is_void() -> None:
    assert at.voids(GAME, "5h Kd") == "5.4.2"


@pytest.mark.parametrize(
    ("rule", "situation"),
    [("5.5.1", "foreign-card"), ("5.5.2", "deck-count"), ("5.5.4", "not-enough-cards"), ("5.5.5", "not-shuffled")],
)
def test_commission_5_5_void_and_earlier_rounds_stand(rule: str, situation: str) -> None:
    assert at.void_by(GAME, situation) == (rule, "5.15")


def test_commission_5_5_1_a_foreign_card() -> None:
    assert at.void_by(GAME, "foreign-card")[0] == "5.5.1"


def test_commission_5_5_2_a_short_or_a_long_deck() -> None:
    assert at.void_by(GAME, "deck-count")[0] == "5.5.2"


def test_commission_5_5_3_a_wrong_number_of_cards_beyond_reconstruction() -> None:
    facts = {"reconstructible": False, "note": "mixed up", "hand": Hand.PLAYER}
    assert at.void_by(GAME, "wrong-number-of-cards", **facts)[0] == "5.5.3"
    assert at.void_by(GAME, "excess-card", cards="9h 2c Kd 7s", **facts)[0] == "5.5.3"
    assert at.void_after_settlement(GAME) == "5.5.3"


def test_commission_5_5_3_does_not_void_what_can_be_reconstructed() -> None:
    play = Play(GAME).open().close().deal("9h")
    reporting = play.reporting("wrong-number-of-cards", reconstructible=True)
    assert play.refused(reporting) == (TableCode.FACTS_CONTRADICT, "5.5.3")


def test_commission_5_5_4_too_few_cards_to_finish() -> None:
    play = Play(GAME, shoe="9h 2c Kd").open().close()
    for _ in range(3):
        play.do(c.Deal(DEALER))
    assert play.refused(c.Deal(DEALER))[0] is TableCode.SHOE_EMPTY
    play.report("not-enough-cards")
    assert play.of(e.RoundVoided)[0].rule == "5.5.4"


def test_commission_5_5_5_cards_that_were_not_shuffled() -> None:
    assert at.void_by(GAME, "not-shuffled")[0] == "5.5.5"


def test_commission_5_6_nothing_is_placed_raised_or_withdrawn_after_the_close() -> None:
    closed = (TableCode.BETS_CLOSED, "5.6")
    assert at.bet_after_the_close(GAME) == closed
    assert at.raise_after_the_close(GAME) == closed
    assert at.withdrawal_after_the_close(GAME) == closed
    assert at.ruled(GAME, "late-bet") == (Ruling.REFUSE, "5.6")
    assert at.ruled(GAME, "late-withdrawal") == (Ruling.REFUSE, "5.6")


def test_commission_5_7_an_excess_card_is_put_in_order_or_carried() -> None:
    assert at.excess_card_carried(GAME) == "5.7"
    at.excess_card_reconstructed(GAME)


def test_commission_5_7_a_new_shoe_does_not_drop_what_the_next_round_must_use() -> None:
    assert at.carried_cards_keep_their_shoe(GAME) == (TableCode.SHOE_STAYS, "5.7")


def test_commission_5_7_a_card_that_no_round_takes_is_not_dealt_but_reported() -> None:
    assert at.a_card_too_many(GAME) == (TableCode.WRONG_PHASE, "5.7")


def test_commission_5_7_1_options_only_while_no_outcome_is_established() -> None:
    offered = at.options(GAME, "excess-card", "5h", cards="5h Kd", reconstructible=True)
    assert offered is not None
    assert (offered.patrons, offered.rule, offered.continue_rule) == (("ann", "bo"), "5.7.1", "5.12.2")
    cards = "5h Kd 5s"
    assert at.options(GAME, "excess-card", cards, cards=cards + " 2c", reconstructible=True) is None


def test_commission_5_8_cards_in_the_wrong_area_are_put_right() -> None:
    assert at.wrong_area(GAME) == "5.8"


def test_commission_5_8_1_options_unless_established_and_reconstructible() -> None:
    facts = {"cards": "5h Kd", "reconstructible": True}
    offered = at.options(GAME, "wrong-area", "5h Kd", **facts)
    assert offered is not None
    assert offered.rule == "5.8"
    facts = {"cards": "5h Kd 5s", "reconstructible": True}
    assert at.options(GAME, "wrong-area", "5h Kd 5s", **facts) is None


def test_commission_5_8_2_options_where_it_cannot_be_put_right() -> None:
    facts = {"cards": "5h Kd 5s", "reconstructible": False, "note": "the cards were mixed"}
    offered = at.options(GAME, "wrong-area", "5h Kd 5s", **facts)
    assert offered is not None
    assert offered.continue_rule == "5.12.1"


def test_commission_5_9_cards_dealt_face_up_stand() -> None:
    assert at.face_up(GAME) == "5.9"
    offered = at.options(GAME, "dealt-face-up", "5h")
    assert offered is not None
    assert offered.rule == "5.9"
    assert Play(GAME).open().close().refused(c.Report(DEALER, "dealt-face-up")) == (TableCode.FACTS_CONTRADICT, "5.9")


def test_commission_5_10_a_pit_supervisor_orders_cards_that_came_at_once() -> None:
    play = at.two_at_once(GAME)
    assert play.of(e.OrderAsked)[0].rule == "5.10"


def test_commission_5_10_1_it_is_a_dealing_error_with_options() -> None:
    assert at.two_at_once(GAME).of(e.OptionsOffered)[0].rule == "5.10.1"


def test_commission_5_10_2_a_pit_supervisor_may_replace_the_shoe() -> None:
    assert at.shoe_replaced(GAME) == ((TableCode.NOT_PERMITTED, "5.10.2"), "5.10.2")


def test_commission_5_10_two_at_once_between_rounds_are_for_who_decides_the_rest() -> None:
    assert at.two_at_once_between_rounds(GAME) == {"5.10.2", "5.17"}


def test_commission_5_11_an_error_seen_too_late_has_no_effect() -> None:
    assert at.late_error(GAME) == "5.11"


def test_commission_5_12_each_patron_chooses_and_the_round_waits() -> None:
    play = at.choices(GAME)
    assert play.of(e.OptionsOffered)[0].rule == "5.12"


def test_commission_5_12_1_going_on_as_it_is() -> None:
    chosen = at.choices(GAME).of(e.OptionChosen)
    assert [each.rule for each in chosen if each.option is c.Option.CONTINUE] == ["5.12.1"]


def test_commission_5_12_2_going_on_reconstructed() -> None:
    play = at.table_for(GAME, "ann").open(("ann", "player", 10_000)).close().deal("5h")
    play.report("excess-card", cards="5h Kd", reconstructible=True)
    chosen = play.of(e.OptionChosen, play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE)))[0]
    assert chosen.rule == "5.12.2"


def test_commission_5_12_3_taking_the_bets_back() -> None:
    returned = at.choices(GAME).of(e.BetsReturned)[0]
    assert {(line.why, line.rule) for line in returned.lines} == {(e.Why.OPTION, "5.12.3")}


def test_commission_5_13_chips_count_where_they_lie() -> None:
    assert at.ruled(GAME, "misplaced-bet") == (Ruling.CHIPS_PREVAIL, "5.13")


def test_commission_5_14_the_table_prevails_over_displays() -> None:
    assert at.ruled(GAME, "display-mistake") == (Ruling.TABLE_PREVAILS, "5.14")


def test_commission_5_15_a_void_round_returns_every_bet() -> None:
    assert at.void_by(GAME, "foreign-card") == ("5.5.1", "5.15")


def test_commission_5_16_pit_staff_place_bets_for_a_patron() -> None:
    assert at.bet_by_staff(GAME) == "5.16"
    assert at.ruled(GAME, "bet-for-patron") == (Ruling.CHIPS_PREVAIL, "5.16")


def test_commission_5_17_the_shift_manager_decides_the_rest() -> None:
    assert at.referred(GAME, "anything-else", note="a bird on the layout") == (Role.SHIFT_MANAGER, "5.17")
