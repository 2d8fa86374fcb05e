"""What one sheet alone says of play at a table: each test is named by sheet and paragraph."""

from __future__ import annotations

from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table import commands as c
from punto.table import events as e
from tests.rulebook import playing as at
from tests.table_kit import DEALER, MANAGER, SUPERVISOR, Play, patron

TERMINALS, EASY_SIX, TIGER = "non-commission", "easy-six", "da-hu-ying-xiong"


def test_commission_insurance_has_no_table_without_insurance() -> None:
    game = "commission-insurance"
    opening = c.OpenTable(
        SUPERVISOR, "t1", game, 8, Cents(2_500), Cents(100_000), layout="mini-5", without_insurance=True
    )
    assert Play(game, opened=False).refused(opening) == ("private-not-allowed", None)


def test_non_commission_2_1_1_a_terminal_is_for_the_one_who_sits_at_it() -> None:
    play = at.table_for(TERMINALS, "ann")
    assert play.refused(c.Stand(patron("bo"), "bo", 1)) == ("box-taken", "2.1.1")


def test_non_commission_2_2_1_four_to_eight_decks() -> None:
    opening = c.OpenTable(SUPERVISOR, "t1", TERMINALS, 11, Cents(2_500), Cents(100_000), boxes=40)
    assert Play(TERMINALS, opened=False).refused(opening) == ("decks-not-allowed", "2.2.1")


def test_non_commission_3_4_a_dealer_deals_from_a_real_shoe_with_bets_at_terminals() -> None:
    play = at.table_for(TERMINALS, "ann", live=True).open(("ann", "player", 10_000))
    assert play.refused(c.RecordBet(DEALER, "ann", 1, "banker", Cents(5_000))) == ("terminals-only", "2.1.1")
    play.close().deal("9h 2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    play.replays()


def test_non_commission_5_1_1_a_foreign_card_from_a_real_shoe_voids_the_round() -> None:
    play = at.table_for(TERMINALS, "ann", live=True).open(("ann", "player", 10_000)).close().deal("9h 2c")
    play.report("foreign-card")
    assert [each.rule for each in play.of(e.RoundVoided)] == ["5.1.1"]
    assert play.backs() == {("ann", "player"): 10_000}


def test_easy_six_2_1_1_only_its_own_layouts() -> None:
    opening = c.OpenTable(SUPERVISOR, "t1", EASY_SIX, 8, Cents(2_500), Cents(100_000), layout="big-10")
    assert Play(EASY_SIX, opened=False).refused(opening) == ("layout-not-allowed", "2.1.1")


def test_easy_six_5_1_1_new_cards_are_put_into_play() -> None:
    play = Play(EASY_SIX).open().close().deal("9h")
    play.report("foreign-card")
    assert play.of(e.ShoeRemoved)[0].rule == "5.1.1"
    assert play.refused(c.OpenBets(DEALER))[0] == "shoe-finished"
    play.do(c.LoadShoe(DEALER))
    play.open()


# ------------------------------------------------------------------------------------------- da-hu-ying-xiong


def test_da_hu_ying_xiong_3_14_only_the_highest_bet_asks_and_only_before_player_third() -> None:
    play = at.table_for(TIGER, "ann", "bo", face_down=True, live=True)
    play.open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close().deal(at.BANKER_ON_TWO)
    what = c.SqueezeOf.BANKER_THIRD_FIRST
    assert play.refused(c.AskSqueeze(patron("bo"), "bo", what)) == ("squeeze-not-highest", "3.14")
    play.deal("2s")
    assert play.refused(c.AskSqueeze(patron("ann"), "ann", what)) == ("squeeze-too-late", "3.14")


def test_da_hu_ying_xiong_4_2_2_a_private_table_may_run_without_insurance() -> None:
    play = Play(TIGER, without_insurance=True)
    assert play.of(e.TableOpened)[0].without_insurance
    assert play.sheet.insurance is not None
    assert play.sheet.insurance.private_table_rule == "4.2.2"
    play.sit("ann").open(("ann", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    assert not play.of(e.InsuranceOffered)
    assert play.refused(at.insuring("ann", 1, "banker-insurance", 100)) == ("insurance-closed", "4.2.2")


def test_da_hu_ying_xiong_5_3_insurance_not_bet_before_the_next_card_is_forgone() -> None:
    play = at.first_window(TIGER).deal("8h")
    assert play.refused(at.insuring("ann", 1, "banker-insurance", 100)) == ("insurance-closed", "5.3")
    play = at.first_window(TIGER)
    play.do(c.Leave(patron("ann"), "ann"))
    assert play.refused(at.insuring("ann", 1, "banker-insurance", 100))[0] == "patron-away"


def test_da_hu_ying_xiong_5_13_needs_a_pit_manager() -> None:
    play = at.neglected(TIGER)
    reported = play.report("insurance-neglected", window=Window.FOUR_CARDS, claims=at.CLAIM)
    asked = play.of(e.ApprovalAsked, reported)[0]
    assert (asked.to, asked.rule) == (Role.PIT_MANAGER, "5.13")
    assert play.refused(c.Decide(SUPERVISOR, c.Decision.APPROVE))[0] == "not-permitted"
    play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    play.settle()
    assert play.backs()[("ann", "banker")] == 10_000


def test_da_hu_ying_xiong_5_13_returns_nothing_that_would_not_have_won() -> None:
    play = at.table_for(TIGER, "ann", "bo").open(("ann", "banker", 10_000), ("bo", "player", 20_000)).close()
    play.deal("Kh Kd 4s 5c 4h 4c")
    play.report("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=at.CLAIM)
    assert not play.settle().returned


def test_da_hu_ying_xiong_5_13_seen_after_settlement_corrects_it() -> None:
    play = at.neglected(TIGER)
    play.settle()
    play.report("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=at.CLAIM)
    adjusted = play.of(e.RoundAdjusted)[0]
    assert [(line.bet.patron, line.correction_cents, line.rule) for line in adjusted.lines] == [("ann", 10_000, "5.13")]


def test_da_hu_ying_xiong_5_13_not_at_a_table_without_insurance() -> None:
    play = Play(TIGER, without_insurance=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("Kh Kd 4s 5c 5s Kc")
    reporting = play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=at.CLAIM)
    assert play.refused(reporting) == ("facts-contradict", "4.2.2")
