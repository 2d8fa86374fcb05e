"""Commission Baccarat with Insurance, sections 3 and 5, at a table: each test is named by its paragraph."""

from __future__ import annotations

import pytest

from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.sheet import Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.phases import Phase
from punto.table.refusals import TableCode
from tests.rulebook import table_scenarios as at
from tests.table_kit import DEALER, SHIFT, SUPERVISOR, Play

GAME = "commission-insurance"


SILENT = [
    "technical-interruption",
    "deck-count",
    "not-shuffled",
    "excess-card",
    "wrong-area",
    "dealt-face-up",
    "simultaneous-cards",
    "other-dealing-error",
    "misplaced-bet",
    "display-mistake",
    "bet-for-patron",
    "below-minimum",
    "excess-bets",
    "anything-else",
]


def test_commission_insurance_3_1_play_begins_with_the_call() -> None:
    assert at.bet_before_the_call(GAME) == (TableCode.BETS_NOT_OPEN, "3.1")
    opened = at.call_opens_bets(GAME)
    assert (opened.says, opened.rule) == ("Place your bets, please", "3.1")


def test_commission_insurance_3_2_bets_close_with_the_second_call() -> None:
    closed = at.close_call(GAME)
    assert (closed.says, closed.rule) == ("No more bets", "3.2")


def test_commission_insurance_3_3_the_bets_offered_and_no_others() -> None:
    at.original_bets_both_ways(GAME)
    at.every_side_bet_alone(GAME)
    play = at.table_for(GAME, "ann").open()
    assert play.refused(play.placing("ann", "moon", 2_500)) == (TableCode.BET_NOT_OFFERED, "3.3")


def test_commission_insurance_3_4_four_cards_in_turn() -> None:
    hands = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]
    assert at.four_cards(GAME) == [(hand, "3.4") for hand in hands]


def test_commission_insurance_3_6_when_player_stands_banker_draws_to_five() -> None:
    at.player_stands(GAME)


def test_commission_insurance_3_7_third_cards_by_the_table_of_play() -> None:
    assert at.third_cards(GAME) == [(Hand.PLAYER, "3.7"), (Hand.BANKER, "3.7")]
    assert Play(GAME).open().close().deal("9h 2c Kd 3c").state.phase is Phase.RESULT


def test_commission_insurance_3_8_values_and_the_higher_count_wins() -> None:
    declared = at.result(GAME, "Ah Jd 8s 7c")
    assert (declared.player_points, declared.banker_points, declared.winner) == (9, 7, "player")
    assert declared.rule == "3.8"


def test_commission_insurance_3_9_a_tie_gives_original_bets_back() -> None:
    assert at.tie_returns(GAME) == ["3.9", "3.9"]


def test_commission_insurance_squeezing_is_not_in_this_sheet() -> None:
    assert at.no_squeeze(GAME, face_down=True) == (TableCode.SQUEEZE_NOT_OFFERED, None)


# ------------------------------------------------------------------------------------------- irregularities


def test_commission_insurance_5_1_void_and_earlier_games_stand() -> None:
    assert at.void_by(GAME, "foreign-card") == ("5.1.1", "5.1.1")


def test_commission_insurance_5_1_1_a_foreign_card_voids() -> None:
    play = at.table_for(GAME, "ann").open(("ann", "player", 10_000)).close().deal("9h")
    play.report("foreign-card")
    at.everything_went_back(play)


def test_commission_insurance_5_1_2_a_wrong_number_of_cards_beyond_reconstruction_voids() -> None:
    facts = {"reconstructible": False, "note": "mixed up", "hand": Hand.PLAYER}
    assert at.void_by(GAME, "wrong-number-of-cards", **facts)[0] == "5.1.2"
    assert at.void_by(GAME, "excess-card", **facts)[0] == "5.1.2"
    assert at.void_after_settlement(GAME) == "5.1.2"


def test_commission_insurance_5_1_2_an_error_seen_after_the_next_game_began_changes_nothing() -> None:
    assert at.late_error(GAME) is None  # the sheet is silent: earlier games stand


def test_commission_insurance_5_1_3_too_few_cards_to_finish_voids() -> None:
    play = Play(GAME, shoe="9h 2c Kd").open().close()
    for _ in range(3):
        play.do(c.Deal(DEALER))
    assert play.refused(c.Deal(DEALER))[0] is TableCode.SHOE_EMPTY
    play.report("not-enough-cards")
    assert play.of(e.RoundVoided)[0].rule == "5.1.3"


def test_commission_insurance_5_2_late_bets_are_refused() -> None:
    assert at.bet_after_the_close(GAME) == (TableCode.BETS_CLOSED, "5.2")
    assert at.raise_after_the_close(GAME) == (TableCode.BETS_CLOSED, "5.2")
    assert at.ruled(GAME, "late-bet") == (Ruling.REFUSE, "5.2")


def test_commission_insurance_5_3_a_late_withdrawal_stays_in_play() -> None:
    assert at.withdrawal_after_the_close(GAME) == (TableCode.BETS_CLOSED, "5.3")
    assert at.ruled(GAME, "late-withdrawal") == (Ruling.STANDS, "5.3")


@pytest.mark.parametrize("situation", SILENT)
def test_commission_insurance_is_silent_and_the_shift_manager_decides(situation: str) -> None:
    assert at.referred(GAME, situation) == (Role.SHIFT_MANAGER, None)


def test_commission_insurance_is_silent_on_interruptions_so_the_round_is_held() -> None:
    play = at.interrupted(GAME, "9h 2c Kd 3c")
    assert play.state.phase is Phase.HELD
    play.do(c.Decide(SHIFT, c.Decision.VOID, "the power is not coming back"))
    at.everything_went_back(play)


def test_commission_insurance_is_silent_on_excess_bets_so_a_settlement_waits() -> None:
    play = at.table_for(GAME, "ann", live=True).open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close().deal("9h 2c Kd 3c")
    assert play.of(e.IncidentReferred, play.do(c.Settle(DEALER)))[0].to is Role.SHIFT_MANAGER
    play.do(c.Decide(SHIFT, c.Decision.CONTINUE, "the House takes the bet"))
    play.settle()
    assert play.backs() == {("ann", "player"): 300_000}


def test_commission_insurance_walk_away_is_settled() -> None:
    assert at.walk_away(GAME) is None  # the sheet is silent: house practice


# ------------------------------------------------------------------------------------------- insurance


def test_commission_insurance_3_5_insurance_after_four_cards() -> None:
    play = at.first_window(GAME)
    offered = play.of(e.InsuranceOffered)[0]
    assert (offered.window, offered.offers[0].odds.text, offered.rule) == (Window.FOUR_CARDS, "3:1", "3.5")
    refused = play.refused(at.insuring("bo", 2, "banker-insurance", 100))
    assert refused == (TableCode.INSURANCE_WITHOUT_ORIGINAL, "4.1.4")
    play.do(at.insuring("ann", 1, "banker-insurance", 3_000))
    play.deal("8h").settle()
    assert play.backs()[("ann", "banker-insurance")] == 12_000


def test_commission_insurance_3_5_1_player_at_two_or_three_cards_and_banker_at_two() -> None:
    play = at.second_window(GAME)
    offered = [(each.window, each.offers[0].hand) for each in play.of(e.InsuranceOffered)]
    assert offered == [(Window.FOUR_CARDS, Hand.PLAYER), (Window.PLAYER_THIRD, Hand.PLAYER)]
    assert play.refused(at.insuring("ann", 1, "banker-insurance", 100))[0] is TableCode.INSURANCE_HAND_NOT_ON_OFFER


def test_commission_insurance_3_5_2_the_cap_holds_over_both_windows() -> None:
    play = at.table_for(GAME, "ann").open(("ann", "player", 10_000)).close().deal("2h Kd 3s 4c")
    play.do(at.insuring("ann", 1, "player-insurance", 3_000))
    play.deal("2s")
    assert play.refused(at.insuring("ann", 1, "player-insurance", 1_100)) == (TableCode.INSURANCE_OVER_CAP, "3.5.2")
    play.do(at.insuring("ann", 1, "player-insurance", 1_000))


def test_commission_insurance_3_9_a_tie_gives_insurance_back() -> None:
    play = at.first_window(GAME)
    play.do(at.insuring("ann", 1, "banker-insurance", 3_000))
    play.deal("5h").settle()
    assert play.backs()[("ann", "banker-insurance")] == 3_000


@pytest.mark.parametrize("what", [c.SqueezeOf.BANKER_THIRD_FIRST, c.SqueezeOf.SHOW_BANKER_THIRD])
def test_commission_insurance_4_1_5_any_patron_may_have_the_second_window_waived(what: c.SqueezeOf) -> None:
    assert at.waiver(GAME, what, "bo") == ("4.1.5", (TableCode.INSURANCE_CLOSED, "4.1.5"))


def test_commission_insurance_4_1_5_the_first_request_keeps_its_place() -> None:
    pending = (TableCode.SQUEEZE_PENDING, "4.1.5")
    assert at.first_request_keeps_its_place(GAME, c.SqueezeOf.SHOW_BANKER_THIRD) == pending


@pytest.mark.parametrize("what", [c.SqueezeOf.BANKER_THIRD_FIRST, c.SqueezeOf.SHOW_BANKER_THIRD])
def test_commission_insurance_4_1_5_a_waiver_is_asked_for_once_a_card(what: c.SqueezeOf) -> None:
    assert at.asked_once_a_card(GAME, what) == (TableCode.SQUEEZE_REPEATED, "4.1.5")


def test_commission_insurance_has_no_table_without_insurance() -> None:
    play = Play(GAME, opened=False)
    opening = c.OpenTable(
        SUPERVISOR, "t1", GAME, 8, Cents(2_500), Cents(100_000), layout="mini-5", without_insurance=True
    )
    assert play.refused(opening) == (TableCode.PRIVATE_NOT_ALLOWED, None)


def test_commission_insurance_is_silent_on_neglected_insurance() -> None:
    assert at.referred(GAME, "insurance-neglected") == (Role.SHIFT_MANAGER, None)


def test_commission_insurance_3_7_a_card_that_no_round_takes_is_not_dealt_but_reported() -> None:
    assert at.a_card_too_many(GAME) == (TableCode.WRONG_PHASE, "3.7")
