"""Non-Commission Easy Six Baccarat, sections 3 and 5, at a table: each test is named by its paragraph."""

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
from tests.table_kit import DEALER, SHIFT, SUPERVISOR, Play

GAME = "easy-six"


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


def test_easy_six_3_1_play_begins_with_the_call() -> None:
    assert at.bet_before_the_call(GAME) == (TableCode.BETS_NOT_OPEN, "3.1")
    opened = at.call_opens_bets(GAME)
    assert (opened.says, opened.rule) == ("Place your bets, please", "3.1")


def test_easy_six_3_2_bets_close_with_the_second_call() -> None:
    closed = at.close_call(GAME)
    assert (closed.says, closed.rule) == ("No more bets", "3.2")


def test_easy_six_3_3_the_bets_offered_and_no_others() -> None:
    at.original_bets_both_ways(GAME)
    at.every_side_bet_alone(GAME)
    play = at.table_for(GAME, "ann").open()
    assert play.refused(play.placing("ann", "moon", 2_500)) == (TableCode.BET_NOT_OFFERED, "3.3")


def test_easy_six_3_4_four_cards_in_turn() -> None:
    hands = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]
    assert at.four_cards(GAME) == [(hand, "3.4") for hand in hands]


def test_easy_six_3_5_when_player_stands_banker_draws_to_five() -> None:
    at.player_stands(GAME)


def test_easy_six_3_6_third_cards_by_the_table_of_play() -> None:
    assert at.third_cards(GAME) == [(Hand.PLAYER, "3.6"), (Hand.BANKER, "3.6")]
    assert Play(GAME).open().close().deal("9h 2c Kd 3c").state.phase is Phase.RESULT


def test_easy_six_3_7_values_and_the_higher_count_wins() -> None:
    declared = at.result(GAME, "Ah Jd 8s 7c")
    assert (declared.player_points, declared.banker_points, declared.winner) == (9, 7, "player")
    assert declared.rule == "3.7"


def test_easy_six_3_8_a_tie_gives_original_bets_back() -> None:
    assert at.tie_returns(GAME) == ["3.8", "3.8"]


def test_easy_six_squeezing_is_not_in_this_sheet() -> None:
    assert at.no_squeeze(GAME, face_down=True) == (TableCode.SQUEEZE_NOT_OFFERED, None)


# ------------------------------------------------------------------------------------------- irregularities


def test_easy_six_5_1_void_and_earlier_games_stand() -> None:
    assert at.void_by(GAME, "foreign-card") == ("5.1.1", "5.1.1")


def test_easy_six_5_1_1_a_foreign_card_voids() -> None:
    play = at.table_for(GAME, "ann").open(("ann", "player", 10_000)).close().deal("9h")
    play.report("foreign-card")
    at.everything_went_back(play)


def test_easy_six_5_1_2_a_wrong_number_of_cards_beyond_reconstruction_voids() -> None:
    facts = {"reconstructible": False, "note": "mixed up", "hand": Hand.PLAYER}
    assert at.void_by(GAME, "wrong-number-of-cards", **facts)[0] == "5.1.2"
    assert at.void_by(GAME, "excess-card", **facts)[0] == "5.1.2"
    assert at.void_after_settlement(GAME) == "5.1.2"


def test_easy_six_5_1_2_an_error_seen_after_the_next_game_began_changes_nothing() -> None:
    assert at.late_error(GAME) is None  # the sheet is silent: earlier games stand


def test_easy_six_5_1_3_too_few_cards_to_finish_voids() -> None:
    play = Play(GAME, shoe="9h 2c Kd").open().close()
    for _ in range(3):
        play.do(c.Deal(DEALER))
    assert play.refused(c.Deal(DEALER))[0] is TableCode.SHOE_EMPTY
    play.report("not-enough-cards")
    assert play.of(e.RoundVoided)[0].rule == "5.1.3"


def test_easy_six_5_2_late_bets_are_refused() -> None:
    assert at.bet_after_the_close(GAME) == (TableCode.BETS_CLOSED, "5.2")
    assert at.raise_after_the_close(GAME) == (TableCode.BETS_CLOSED, "5.2")
    assert at.ruled(GAME, "late-bet") == (Ruling.REFUSE, "5.2")


def test_easy_six_5_2_a_late_withdrawal_stays_in_play() -> None:
    assert at.withdrawal_after_the_close(GAME) == (TableCode.BETS_CLOSED, "5.2")
    assert at.ruled(GAME, "late-withdrawal") == (Ruling.REFUSE, "5.2")


@pytest.mark.parametrize("situation", SILENT)
def test_easy_six_is_silent_and_the_shift_manager_decides(situation: str) -> None:
    assert at.referred(GAME, situation) == (Role.SHIFT_MANAGER, None)


def test_easy_six_is_silent_on_interruptions_so_the_round_is_held() -> None:
    play = at.interrupted(GAME, "9h 2c Kd 3c")
    assert play.state.phase is Phase.HELD
    play.do(c.Decide(SHIFT, c.Decision.VOID, "the power is not coming back"))
    at.everything_went_back(play)


def test_easy_six_is_silent_on_excess_bets_so_a_settlement_waits() -> None:
    play = at.table_for(GAME, "ann", live=True).open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close().deal("9h 2c Kd 3c")
    assert play.of(e.IncidentReferred, play.do(c.Settle(DEALER)))[0].to is Role.SHIFT_MANAGER
    play.do(c.Decide(SHIFT, c.Decision.CONTINUE, "the House takes the bet"))
    play.settle()
    assert play.backs() == {("ann", "player"): 300_000}


def test_easy_six_walk_away_is_settled() -> None:
    assert at.walk_away(GAME) is None  # the sheet is silent: house practice


def test_easy_six_5_1_1_new_cards_are_put_into_play() -> None:
    play = Play(GAME).open().close().deal("9h")
    play.report("foreign-card")
    assert play.of(e.ShoeRemoved)[0].rule == "5.1.1"
    assert play.refused(c.OpenBets(DEALER))[0] is TableCode.SHOE_FINISHED
    play.do(c.LoadShoe(DEALER))
    play.open()


def test_easy_six_2_1_1_only_its_own_layouts() -> None:
    opening = c.OpenTable(SUPERVISOR, "t1", GAME, 8, Cents(2_500), Cents(100_000), layout="big-10")
    assert Play(GAME, opened=False).refused(opening) == (TableCode.LAYOUT_NOT_ALLOWED, "2.1.1")


def test_easy_six_3_6_a_card_that_no_round_takes_is_not_dealt_but_reported() -> None:
    assert at.a_card_too_many(GAME) == (TableCode.WRONG_PHASE, "3.6")
