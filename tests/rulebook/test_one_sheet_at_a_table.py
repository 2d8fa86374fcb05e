"""What one sheet alone says of play at a table: each test is named by sheet and paragraph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from punto.cli.preview import ask
from punto.cli.rule import answer_to
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.engine import choices
from punto.table.refusals import Contradiction, InsuranceClosed, NoInsurance
from punto.table.state import Settings
from punto.table.values import BetLimits, Claim, Decision, SqueezeOf
from tests.rulebook import playing as at
from tests.table_kit import DEALER, MANAGER, SUPERVISOR, Play, patron

TERMINALS, EASY_SIX, TIGER = "non-commission", "easy-six", "da-hu-ying-xiong"


def test_easy_six_2_1_1_only_its_own_layouts() -> None:
    opening = acts.OpenTable(SUPERVISOR, EASY_SIX, Settings("t1", 8, Cents(2_500), Cents(100_000), layout="big-10"))
    assert Play(EASY_SIX, opened=False).refused(opening) == ("layout-not-allowed", "2.1.1")


def test_easy_six_5_1_3_too_few_cards_count_only_once_the_cut_card_is_out() -> None:
    play = Play(EASY_SIX, shoe="9h 2c Kd").sit("ann").open(("ann", "player", 10_000)).close()
    short = acts.Report(DEALER, "not-enough-cards")
    at.contradicts(play, short, Contradiction.CUT_CARD_IN, "5.1.3")
    play.do(acts.CutCard(DEALER))
    assert play.of(acts.RoundVoided, play.do(short))[0].rule == "5.1.3"


# ------------------------------------------------------------------------------------------- da-hu-ying-xiong


def test_da_hu_ying_xiong_3_14_only_the_highest_bet_asks_and_only_before_player_third() -> None:
    play = at.table_for(TIGER, "ann", "bo", face_down=True, live=True)
    play.open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close().deal(at.BANKER_ON_TWO)
    what = SqueezeOf.BANKER_THIRD_FIRST
    assert play.refused(acts.AskSqueeze(patron("bo"), "bo", what)) == ("squeeze-not-highest", "3.14")
    play.deal("2s")
    assert play.refused(acts.AskSqueeze(patron("ann"), "ann", what)) == ("squeeze-too-late", "3.14")


def test_da_hu_ying_xiong_4_2_2_a_patron_of_a_private_table_asks_for_no_insurance_between_rounds() -> None:
    play = Play(TIGER, private=True).sit("ann", "bo")
    play.open(("ann", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    asking = acts.ChangeInsurance(SUPERVISOR, "ann", offered=False)
    assert play.refused(asking)[0] == "wrong-phase"
    play.deal("8h").settle()
    assert play.refused(acts.ChangeInsurance(DEALER, "ann", offered=False))[0] == "not-permitted"
    assert play.refused(acts.ChangeInsurance(SUPERVISOR, "cy", offered=False))[0] == "not-at-box"
    assert play.refused(acts.ChangeInsurance(SUPERVISOR, "ann", offered=True)) == ("nothing-to-change", "4.2.2")
    assert play.refused(asking) == ("agreement-missing", "4.2.2")
    (changed,) = play.of(acts.InsuranceChanged, play.do(replace(asking, agreed=True)))
    assert (changed.patron, changed.offered, changed.from_round, changed.rule) == ("ann", False, 2, "4.2.2")
    assert changed.agreed == ("bo",)
    play.open(("bo", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    assert len(play.of(acts.InsuranceOffered)) == 1
    assert play.refused(at.insuring("bo", 2, "banker-insurance", 100)) == ("insurance-closed", "4.2.2")
    play.deal("8h").settle()
    play.do(acts.ChangeInsurance(SUPERVISOR, "bo", offered=True))
    play.open(("bo", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    play.do(at.insuring("bo", 2, "banker-insurance", 100))
    play.replays()


def test_da_hu_ying_xiong_4_2_2_only_at_a_private_table() -> None:
    play = Play(TIGER).sit("ann")
    assert play.refused(acts.ChangeInsurance(SUPERVISOR, "ann", offered=False)) == ("not-private", "4.2.2")


def test_da_hu_ying_xiong_4_2_2_a_table_without_insurance_is_private() -> None:
    play = Play(TIGER, without_insurance=True).sit("ann")
    play.do(acts.ChangeInsurance(SUPERVISOR, "ann", offered=True))
    assert not play.settings.without_insurance


def test_da_hu_ying_xiong_4_2_2_the_round_before_had_insurance_to_neglect() -> None:
    """Insurance ends with the next round: what was neglected in the last one is still returned."""
    play = Play(TIGER, private=True, live=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("Kh Kd 4s 5c 5s Kc").settle()
    play.do(acts.ChangeInsurance(SUPERVISOR, "ann", offered=False))
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=at.CLAIM))
    assert [line.correction_cents for line in play.of(acts.RoundAdjusted)[0].lines] == [10_000]


def test_commission_insurance_who_walked_away_insures_after_coming_back() -> None:
    """This sheet has no paragraph by which insurance is forgone."""
    play = at.first_window("commission-insurance")
    play.do(acts.Leave(patron("ann"), "ann"))
    play.do(acts.Sit(patron("ann"), "ann", 1))
    play.do(at.insuring("ann", 1, "banker-insurance", 100))


def test_da_hu_ying_xiong_5_3_names_both_paragraphs_of_walking_away() -> None:
    answer = answer_to(ask(load(TIGER), "walk-away", None, None), "en")
    assert answer["rule"] == "5.3.1"
    assert "5.3" in [step["rule"] for step in answer["previews"][0]["steps"]]


def test_da_hu_ying_xiong_5_13_not_for_one_who_was_away() -> None:
    claims = {"window": Window.FOUR_CARDS, "claims": at.CLAIM}
    for settled in (False, True):
        play = at.first_window(TIGER, live=True)
        play.do(acts.Leave(patron("ann"), "ann"))
        play.deal("9s")
        if settled:
            play.settle()
        at.contradicts(play, play.reporting("insurance-neglected", MANAGER, **claims), Contradiction.WAS_AWAY, "5.3")
    play = at.neglected(TIGER)  # who walks away after the window was there for it
    play.do(acts.Leave(patron("ann"), "ann"))
    play.confirmed(play.reporting("insurance-neglected", MANAGER, **claims))


def two_windows(*, live: bool = False, standing: bool = False) -> Play:
    """Player 5 and Banker 4 after four cards: ann has 100.00 on Player, with an offer; bo on Banker, with none.

    Player then draws a 2: insurance on Player at 4:1. With a 6 it is insurance on Banker at 7:1.
    """
    play = at.table_for(TIGER, "ann", "bo", live=live)
    if standing:
        play.do(acts.Stand(patron("cy"), "cy", 1))
    play.open(("ann", "player", 10_000), ("bo", "banker", 10_000))
    if standing:
        play.bet("cy", "player", 10_000)
    return play.close().deal("2h Kd 3s 4c")


def test_da_hu_ying_xiong_5_3_an_offer_let_pass_forgoes_the_second_window() -> None:
    play = two_windows(standing=True).deal("2s")
    assert [(each.patrons, each.rule) for each in play.of(acts.InsuranceForgone)] == [(("ann", "cy"), "5.3")]
    for name in ("ann", "cy"):
        assert play.refused(at.insuring(name, 1, "player-insurance", 100)) == ("insurance-closed", "5.3")
        ways = {choice.kind: choice for choice in choices(play.state, patron(name))}
        assert ways["insure"].refusal == InsuranceClosed(NoInsurance.FORGONE, rule="5.3")
    play.replays()


def test_da_hu_ying_xiong_5_3_a_stake_of_any_size_keeps_the_right() -> None:
    play = two_windows()
    play.do(at.insuring("ann", 1, "player-insurance", 100))
    play.deal("2s")
    assert not play.of(acts.InsuranceForgone)
    play.do(at.insuring("ann", 1, "player-insurance", 2_400))


def test_da_hu_ying_xiong_5_3_who_had_no_offer_has_forgone_nothing() -> None:
    play = two_windows().deal("6s")
    assert play.of(acts.InsuranceForgone)[0].patrons == ("ann",)
    play.do(at.insuring("bo", 2, "banker-insurance", 100))


def test_da_hu_ying_xiong_5_3_an_offer_that_no_chip_could_take_was_none() -> None:
    """Insurance of at least 100.00 cannot be bet on 100.00 at 2:1, so ann had nothing to take."""
    play = Play(TIGER, sides=(BetLimits("player-insurance", Cents(10_000), Cents(20_000)),)).sit("ann")
    play.open(("ann", "player", 10_000)).close().deal("2h Kd 3s 4c 2s")
    assert not play.of(acts.InsuranceForgone)


def test_da_hu_ying_xiong_5_3_the_dealer_records_in_the_window_that_a_patron_announced() -> None:
    play = two_windows(live=True)
    announcing = acts.AnnounceInsurance(DEALER, "ann")
    assert play.refused(acts.AnnounceInsurance(DEALER, "bo")) == ("nothing-to-announce", "5.3")
    assert play.refused(acts.AnnounceInsurance(patron("ann"), "ann"))[0] == "not-permitted"
    assert play.of(acts.InsuranceAnnounced, play.do(announcing))[0].rule == "5.3"
    assert play.refused(announcing)[0] == "nothing-to-announce"
    play.deal("2s")
    assert play.refused(announcing)[0] == "wrong-phase"
    play.do(at.insuring("ann", 1, "player-insurance", 2_500))
    play.replays()


def test_da_hu_ying_xiong_5_3_at_an_automatic_table_the_tap_is_the_telling() -> None:
    assert two_windows().refused(acts.AnnounceInsurance(DEALER, "ann"))[0] == "not-live"


@pytest.mark.parametrize("live", [False, True])
def test_da_hu_ying_xiong_5_3_who_walked_away_has_forgone_insurance_and_coming_back_does_not_help(live: bool) -> None:
    play = two_windows(live=live)
    play.do(at.insuring("ann", 1, "player-insurance", 100))
    if live:
        play.report("walk-away", patron="ann")
    else:
        play.do(acts.Leave(patron("ann"), "ann"))
    assert play.refused(at.insuring("ann", 1, "player-insurance", 100))[0] == "patron-away"
    play.do(acts.Sit(patron("ann"), "ann", 1))
    assert play.refused(at.insuring("ann", 1, "player-insurance", 100)) == ("insurance-closed", "5.3")
    play.deal("2s")
    assert play.refused(at.insuring("ann", 1, "player-insurance", 100)) == ("insurance-closed", "5.3")


def test_da_hu_ying_xiong_5_3_an_offer_that_the_dealer_neglected_is_not_forgone() -> None:
    play = two_windows(live=True).deal("2s")
    claims = (Claim("ann", 1, Hand.PLAYER),)
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=claims))
    play.do(at.insuring("ann", 1, "player-insurance", 100))


def test_da_hu_ying_xiong_5_3_a_card_keyed_by_mistake_forgoes_nothing() -> None:
    """The fifth card was not dealt at all: the first window stands again, and the next card counts."""
    play = two_windows().deal("2s")
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("2h Kd 3s 4c"), "keyed twice"))
    play.do(at.insuring("ann", 1, "player-insurance", 100))
    play.deal("2s")
    assert len(play.of(acts.InsuranceForgone)) == 1
    play.do(at.insuring("ann", 1, "player-insurance", 100))
    play.replays()


def test_commission_insurance_3_5_each_window_stands_by_itself() -> None:
    play = at.table_for("commission-insurance", "ann", live=True)
    play.open(("ann", "player", 10_000)).close().deal("2h Kd 3s 4c")
    assert play.refused(acts.AnnounceInsurance(DEALER, "ann")) == ("nothing-to-announce", None)
    play.do(acts.Leave(patron("ann"), "ann"))
    play.do(acts.Sit(patron("ann"), "ann", 1))
    play.deal("2s")
    play.do(at.insuring("ann", 1, "player-insurance", 2_500))
    assert not play.of(acts.InsuranceForgone)


def test_da_hu_ying_xiong_3_12_2_the_cap_is_against_the_original_bet_as_placed() -> None:
    """Box 1 is over the Differential of 1,000.00, so only part of ann's 3,000.00 wins or loses; the cap is whole."""
    play = at.table_for(TIGER, "ann", live=True).open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "banker", Cents(300_000)))
    play.close().deal("5h Kd 6s 6c")
    assert play.refused(at.insuring("ann", 1, "banker-insurance", 100_100)) == ("insurance-over-cap", "3.12.2")
    play.do(at.insuring("ann", 1, "banker-insurance", 100_000))
    settled = play.deal("8h").settle()
    assert [(line.in_play_cents, line.net_cents) for line in settled.lines] == [
        (100_000, -100_000),
        (100_000, 300_000),
    ]


def test_da_hu_ying_xiong_5_13_needs_a_pit_manager() -> None:
    play = at.neglected(TIGER)
    reported = play.report("insurance-neglected", window=Window.FOUR_CARDS, claims=at.CLAIM)
    asked = play.of(acts.ApprovalAsked, reported)[0]
    assert (asked.to, asked.rule) == (Role.PIT_MANAGER, "5.13")
    assert play.refused(acts.Decide(SUPERVISOR, Decision.APPROVE))[0] == "not-permitted"
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    play.settle()
    assert play.backs()[("ann", "banker")] == 10_000


def test_da_hu_ying_xiong_5_13_returns_nothing_that_would_not_have_won() -> None:
    play = at.table_for(TIGER, "ann", "bo", live=True).open(("ann", "banker", 10_000), ("bo", "player", 20_000)).close()
    play.deal("Kh Kd 4s 5c 4h 4c")
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=at.CLAIM))
    assert not play.settle().returned


def test_da_hu_ying_xiong_5_13_seen_after_settlement_corrects_it() -> None:
    play = at.neglected(TIGER)
    play.settle()
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=at.CLAIM))
    adjusted = play.of(acts.RoundAdjusted)[0]
    assert [(line.bet.patron, line.correction_cents, line.rule) for line in adjusted.lines] == [("ann", 10_000, "5.13")]
