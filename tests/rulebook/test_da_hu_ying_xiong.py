"""Da Hu Ying Xiong, paragraph by paragraph, in the order of the sheet."""

from __future__ import annotations

from punto.rules.cards import DECK
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance
from punto.rules.loader import load
from punto.rules.sheet import AskedBy, Role, Ruling
from tests.rulebook.tables import (
    Seen,
    cards,
    follows_banker_alone,
    follows_table_of_play,
    insurance_settles,
    offers_as_printed,
    pays_as_printed,
    refused,
    same_numbers,
    says,
    settled,
    settles,
    totals,
)

GAME = "da-hu-ying-xiong"
SHEET = load(GAME)


def insurance() -> Insurance:
    assert SHEET.insurance is not None
    return SHEET.insurance


def test_da_hu_ying_xiong_numbers() -> None:
    same_numbers(
        GAME,
        """
        1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20 1.21 1.22 1.23 1.24
        1.25 1.26
        2.1 2.1.1 2.2 2.2.1
        3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.12.1 3.12.2 3.13 3.14 3.15 3.16 3.17
        4.1 4.1.1 4.1.2 4.2 4.2.1 4.2.2
        5.1 5.1.1 5.1.2 5.2 5.2.1 5.3 5.3.1 5.4 5.4.1 5.4.2 5.5 5.5.1 5.5.2 5.5.3 5.5.4 5.5.5 5.6 5.7 5.7.1
        5.8 5.8.1 5.8.2 5.9 5.10 5.10.1 5.10.2 5.11 5.12 5.12.1 5.12.2 5.12.3 5.13 5.14 5.15 5.16 5.17 5.18
        """,
    )


# ------------------------------------------------------------------------------------------- 1 definitions


def test_da_hu_ying_xiong_1_1_the_table_of_play_is_mandatory() -> None:
    says(GAME, "1.1", "table of play")
    assert refused(GAME, "2 K 3 6") == ("card-missing", "3.15")
    assert refused(GAME, "2 K 4 6 9") == ("card-too-many", "3.13")


def test_da_hu_ying_xiong_1_2_a_wager_is_a_bet_and_has_no_rule_of_its_own() -> None:
    says(GAME, "1.2", "bet", "wager")
    assert [number for number, text in SHEET.paragraphs.items() if "wager" in text.lower()] == ["1.2"]


def test_da_hu_ying_xiong_1_3_big_tiger_is_a_banker_win_on_6_with_three_cards() -> None:
    settles(
        GAME,
        """
        K 2 5 K K 4 | big-tiger 100 | win 50:1 5100 5000 4.1.1
        6 5 K K A   | big-tiger 100 | lose - 0 -100 1.3
        K 6 5 K K   | big-tiger 100 | lose - 0 -100 1.3
        K 2 5 K K 5 | big-tiger 100 | lose - 0 -100 1.3
        7 2 K K 4   | big-tiger 100 | lose - 0 -100 1.3
        6 6 K K     | big-tiger 100 | lose - 0 -100 1.3
        """,
    )


def test_da_hu_ying_xiong_1_4_cards_come_from_a_shoe_of_whole_decks() -> None:
    says(GAME, "1.4", "card shoe", "electronic")
    assert refused(GAME, "Kh Kh Kh Kh Kh 8s", decks=4) == ("card-copies", "2.2.1")


def test_da_hu_ying_xiong_1_5_the_dealer_deals_and_is_the_lowest_authority() -> None:
    says(GAME, "1.5", "dealer", "deals")
    assert min(Role, key=lambda role: role.level) is Role.DEALER


def test_da_hu_ying_xiong_1_6_differential_is_banker_less_player_either_way() -> None:
    settles(
        GAME,
        """
        9 7 K K | bob@1 player 1400 | win 1:1 2800 1400 4.1.1
                | ann@1 banker 400  | lose - 0 -400 3.16
        7 9 K K | bob@1 player 400  | lose - 0 -400 3.16
                | ann@1 banker 1400 | win 1:1 2800 1400 4.1.1
        9 7 K K | bob@1 player 1401 | win 1:1 2801 1400 4.1.1 | 1400 5.1.1
                | ann@1 banker 400  | lose - 0 -400 3.16
        7 9 K K | bob@1 player 400  | lose - 0 -400 3.16
                | ann@1 banker 1401 | win 1:1 2801 1400 4.1.1 | 1400 5.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_1_7_a_shuffler_may_deal_too() -> None:
    says(GAME, "1.7", "electronic card shuffler", "deals")


def test_da_hu_ying_xiong_1_8_a_hand_is_the_cards_dealt_to_player_or_banker() -> None:
    # Player has 2 and draws a 4; Banker has 4 and draws against it.
    round_ = settled(GAME, "2h 3d Kc As 4d Ac").round
    assert (round_.player, round_.banker) == (cards("2h Kc 4d"), cards("3d As Ac"))


def test_da_hu_ying_xiong_1_9_the_house_is_the_other_side_of_every_bet() -> None:
    says(GAME, "1.9", "house", "casino operator")
    settles(GAME, "9 7 K K | ann@1 player 500 | win 1:1 1000 500 4.1.1\n | bob@2 banker 700 | lose - 0 -700 3.16")


def test_da_hu_ying_xiong_1_10_insurance_is_a_bet_at_fixed_odds_before_a_third_card() -> None:
    says(GAME, "1.10", "insurance", "fixed odds", "third card")
    assert insurance().offers(cards("4 5 K")) == {}
    assert [offer.odds.text for offer in insurance().offers(cards("4 5 K K")).values()] == ["2:1"]
    assert insurance().offers(cards("4 5 K K 4 4")) == {}


def test_da_hu_ying_xiong_1_11_a_natural_is_8_or_9_in_two_cards_of_either_hand() -> None:
    totals(
        GAME,
        """
        4 K 4 5    | 8 5 player
        9 K K 5    | 9 5 player
        K 3 2 5    | 2 8 banker
        K 4 2 5    | 2 9 banker
        8 8 K K    | 8 8 tie
        2 K 3 5 3  | 8 5 player
        """,
    )
    assert refused(GAME, "9 K K 5 2") == ("card-too-many", "3.15")
    assert refused(GAME, "K 3 2 5 2") == ("card-too-many", "3.15")
    assert refused(GAME, "2 K 2 4 4") == ("card-missing", "3.15")  # 8 in three cards is no natural


def test_da_hu_ying_xiong_1_12_banker_pays_even_money_and_half_on_6() -> None:
    says(GAME, "1.12", "no commission", "half on a win with 6")
    settles(
        GAME,
        """
        7 9 K K     | banker 1000 | win 1:1 2000 1000 4.1.1
        K 6 5 K K   | banker 1000 | win 1:2 1500 500 4.1.1
        K 2 5 K K 4 | banker 1000 | win 1:2 1500 500 4.1.1
        6 5 K K K   | player 1000 | win 1:1 2000 1000 4.1.1
        """,
    )


def test_da_hu_ying_xiong_1_13_original_bets_are_those_on_player_and_banker() -> None:
    originals = {bet.id: bet.hand for bet in SHEET.bets.values() if bet.hand}
    assert originals == {"player": Hand.PLAYER, "banker": Hand.BANKER}


def test_da_hu_ying_xiong_1_14_pit_employees_by_rank() -> None:
    says(GAME, "1.14", "Dealer", "Pit Supervisor", "Pit Manager")
    assert [role.spoken for role in Role] == ["Dealer", "Pit Supervisor", "Pit Manager", "Table Game Shift Manager"]


def test_da_hu_ying_xiong_1_15_whoever_bets_is_settled() -> None:
    says(GAME, "1.15", "bets")
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 100 | win 1:1 200 100 4.1.1
                | bob@1 player 100  | win 1:1 200 100 4.1.1
                | cat@9 tie 100     | lose - 0 -100 1.22
        """,
    )


def test_da_hu_ying_xiong_1_16_the_point_total_is_the_last_digit_of_the_sum() -> None:
    totals(
        GAME,
        """
        9 K 9 7     | 8 7 player
        5 9 5 8 3   | 3 7 banker
        7 6 9 K     | 6 6 tie
        K J Q T 9 9 | 9 9 tie
        5 K K 6 6 8 | 1 4 banker
        """,
    )


def test_da_hu_ying_xiong_1_17_reconstruction_puts_cards_back_in_order() -> None:
    says(GAME, "1.17", "reconstruction", "order")
    reconstructed = {each.rule for each in SHEET.irregularities.values() if each.ruling is Ruling.RECONSTRUCT}
    assert reconstructed == {"5.7", "5.8"}


def test_da_hu_ying_xiong_1_18_a_round_runs_from_the_call_to_the_last_settlement() -> None:
    says(GAME, "1.18", "round", "call for bets", "settled")
    assert SHEET.play.open.says == "Place your Bets, please"


def test_da_hu_ying_xiong_1_19_the_seated_patron_is_first_in_seat_order() -> None:
    says(GAME, "1.19", "seated", "box")
    # Each has a third of the limit of 1000; the odd cent goes by seat order, and the seat is zoe's.
    settles(
        GAME,
        """
        9 7 K K | ann@1 player 1000  | win 1:1 1333 333 4.1.1 | 333 5.1.1
                | bob@1 player 1000  | win 1:1 1333 333 4.1.1 | 333 5.1.1
                | zoe*@1 player 1000 | win 1:1 1334 334 4.1.1 | 334 5.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_1_20_small_tiger_is_a_banker_win_on_6_with_two_cards() -> None:
    settles(
        GAME,
        """
        K 6 5 K K   | small-tiger 100 | win 22:1 2300 2200 4.1.1
        K 2 5 K K 4 | small-tiger 100 | lose - 0 -100 1.20
        K 7 5 K K   | small-tiger 100 | lose - 0 -100 1.20
        7 6 K K     | small-tiger 100 | lose - 0 -100 1.20
        6 6 K K     | small-tiger 100 | lose - 0 -100 1.20
        """,
    )


def test_da_hu_ying_xiong_1_21_a_standing_patron_bets_in_the_seated_patrons_box() -> None:
    says(GAME, "1.21", "standing", "seated patron's box")
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 1000 | win 1:1 1500 500 4.1.1 | 500 5.1.1
                | bob@1 player 1000  | win 1:1 1500 500 4.1.1 | 500 5.1.1
        9 7 K K | ann*@1 player 1000 | win 1:1 2000 1000 4.1.1
                | bob*@2 player 1000 | win 1:1 2000 1000 4.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_1_22_a_tie_is_two_equal_point_totals() -> None:
    settles(
        GAME,
        """
        9 9 K K     | tie 100 | win 8:1 900 800 4.1.1
        K K K K K K | tie 100 | win 8:1 900 800 4.1.1
        9 8 K K     | tie 100 | lose - 0 -100 1.22
        2 7 2 K 3   | tie 100 | win 8:1 900 800 4.1.1
        """,
    )


def test_da_hu_ying_xiong_1_23_tiger_is_a_banker_win_on_6_with_two_or_three_cards() -> None:
    settles(
        GAME,
        """
        K 6 5 K K   | tiger 100 | win 12:1 1300 1200 4.1.1
        K 2 5 K K 4 | tiger 100 | win 20:1 2100 2000 4.1.1
        6 5 K K K   | tiger 100 | lose - 0 -100 1.23
        7 6 K K     | tiger 100 | lose - 0 -100 1.23
        6 6 K K     | tiger 100 | lose - 0 -100 1.23
        7 8 K K     | tiger 100 | lose - 0 -100 1.23
        """,
    )


def test_da_hu_ying_xiong_1_24_tiger_tie_is_a_tie_on_6() -> None:
    settles(
        GAME,
        """
        6 6 K K     | tiger-tie 100 | win 35:1 3600 3500 4.1.1
        K 2 5 K A 4 | tiger-tie 100 | win 35:1 3600 3500 4.1.1
        7 7 K K     | tiger-tie 100 | lose - 0 -100 1.24
        K 6 5 K K   | tiger-tie 100 | lose - 0 -100 1.24
        6 5 K K K   | tiger-tie 100 | lose - 0 -100 1.24
        """,
    )


def test_da_hu_ying_xiong_1_25_tiger_pair_is_single_double_or_twin_by_rank() -> None:
    settles(
        GAME,
        """
        4 9 4 K     | tiger-pair 100 | win 4:1 500 400 4.1.1
        9 4 K 4     | tiger-pair 100 | win 4:1 500 400 4.1.1
        4 3 4 3     | tiger-pair 100 | win 20:1 2100 2000 4.1.1
        T K T K 5 2 | tiger-pair 100 | win 20:1 2100 2000 4.1.1
        K K K K 5 2 | tiger-pair 100 | win 100:1 10100 10000 4.1.1
        T T T T 5 2 | tiger-pair 100 | win 100:1 10100 10000 4.1.1
        7 7 7 7 K   | tiger-pair 100 | win 100:1 10100 10000 4.1.1
        9 9 K K     | tiger-pair 100 | lose - 0 -100 1.25
        T K K T 5 2 | tiger-pair 100 | lose - 0 -100 1.25
        4 4 9 K 4 4 | tiger-pair 100 | lose - 0 -100 1.25
        """,
    )


def test_da_hu_ying_xiong_1_26_a_void_round_has_no_result() -> None:
    says(GAME, "1.26", "void", "no result")
    assert SHEET.authority.void_rule == "5.16"
    voids = [each.rule for each in SHEET.irregularities.values() if each.ruling is Ruling.VOID]
    assert voids == ["5.5.1", "5.5.2", "5.5.3", "5.5.4", "5.5.5"]


# ------------------------------------------------------------------------------------------- 2 mode of play


def test_da_hu_ying_xiong_2_1_1_layouts_and_their_boxes() -> None:
    assert [(each.appendix, each.boxes) for each in SHEET.boxes.layouts] == [("A", 9), ("B", 7), ("C", 7), ("D", 12)]
    settles(
        GAME,
        """
        9 7 K K | ann@12 player 100 | win 1:1 200 100 4.1.1
        9 7 K K | ann@13 player 100 | refused box-unknown 2.1.1
        9 7 K K | ann@0 player 100  | refused box-unknown 2.1.1
        """,
    )


def test_da_hu_ying_xiong_2_2_1_four_to_ten_decks_of_52_cards() -> None:
    assert len(set(DECK)) == 52
    for decks in (4, 5, 6, 7, 8, 9, 10):
        settles(GAME, "9 7 K K | player 100 | win 1:1 200 100 4.1.1", decks=decks)
    for decks in (3, 11):
        assert refused(GAME, "9 7 K K", decks=decks) == ("decks-not-allowed", "2.2.1")
    settles(GAME, "Kh Kh Kh Kh Kh 9s | player 100 | lose - 0 -100 3.16", decks=5)
    assert refused(GAME, "Kh Kh Kh Kh Kh 9s", decks=4) == ("card-copies", "2.2.1")


# ------------------------------------------------------------------------------------------- 3 how to play


def test_da_hu_ying_xiong_3_1_the_hand_nearer_to_9_is_the_better() -> None:
    totals(GAME, "9 8 K K | 9 8 player\n 7 8 K K | 7 8 banker\n K 7 K K A | 1 7 banker")


def test_da_hu_ying_xiong_3_2_what_cards_count() -> None:
    assert SHEET.play.values_rule == "3.2"
    totals(GAME, "A 7 7 K | 8 7 player\n T 7 9 K | 9 7 player\n J 7 Q K 2 | 2 7 banker")


def test_da_hu_ying_xiong_3_2_1_an_ace_counts_1() -> None:
    totals(GAME, "A 7 8 K | 9 7 player\n A 7 A 2 | 2 9 banker")


def test_da_hu_ying_xiong_3_2_2_two_to_ten_count_their_face() -> None:
    totals(
        GAME,
        """
        2 9 K K | 2 9 banker
        3 9 K K | 3 9 banker
        4 9 K K | 4 9 banker
        5 9 K K | 5 9 banker
        6 9 K K | 6 9 banker
        7 9 K K | 7 9 banker
        8 9 K K | 8 9 banker
        9 9 K K | 9 9 tie
        T 9 K K | 0 9 banker
        T 9 T K | 0 9 banker
        """,
    )


def test_da_hu_ying_xiong_3_2_3_picture_cards_count_0() -> None:
    totals(GAME, "J 9 K K | 0 9 banker\n Q 9 K K | 0 9 banker\n K 9 K K | 0 9 banker")


def test_da_hu_ying_xiong_3_3_bets_open_with_the_dealers_call() -> None:
    assert (SHEET.play.open.says, SHEET.play.open.rule) == ("Place your Bets, please", "3.3")


def test_da_hu_ying_xiong_3_4_limits_are_shown_at_the_table() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.shown_rule == "3.4"
    settles(GAME, "9 7 K K | player 150 | refused stake-off-unit 3.4", minimum=100, differential=1000, unit=100)


def test_da_hu_ying_xiong_3_5_the_patron_answers_for_betting_within_them() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.responsibility_rule == "3.5"
    settles(GAME, "9 7 K K | player 0 | refused stake-invalid 3.5\n 9 7 K K | tie -1 | refused stake-invalid 3.5")


def test_da_hu_ying_xiong_3_6_nobody_may_keep_the_balance_from_others() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.balance_rule == "3.6"
    # Two patrons fill a box to its Differential, and both bets stand whole.
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 300 | win 1:1 600 300 4.1.1
                | bob@1 player 700  | win 1:1 1400 700 4.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_3_7_the_bets_and_that_side_bets_need_no_original_bet() -> None:
    offered = [bet.name for bet in SHEET.bets.values()]
    assert sorted(offered) == sorted(
        ["Player", "Banker", "Tie", "Tiger Tie", "Tiger", "Big Tiger", "Small Tiger", "Tiger Pair"]
    )
    assert {bet.rule for bet in SHEET.bets.values()} == {"3.7"}
    settles(
        GAME,
        """
        9 9 K K     | tie 100         | win 8:1 900 800 4.1.1
        6 6 K K     | tiger-tie 100   | win 35:1 3600 3500 4.1.1
        K 6 5 K K   | tiger 100       | win 12:1 1300 1200 4.1.1
        K 2 5 K K 4 | big-tiger 100   | win 50:1 5100 5000 4.1.1
        K 6 5 K K   | small-tiger 100 | win 22:1 2300 2200 4.1.1
        4 9 4 K     | tiger-pair 100  | win 4:1 500 400 4.1.1
        9 9 K 9     | banker-pair 100 | refused bet-not-offered 3.7
        9 9 K 9     | easy-six 100    | refused bet-not-offered 3.7
        4 5 K K 3   | banker 1000 four-cards | refused window-not-for-bet 3.7
        """,
    )


def test_da_hu_ying_xiong_3_8_bets_close_with_the_second_call() -> None:
    assert (SHEET.play.close.says, SHEET.play.close.rule) == ("No more Bets", "3.8")


def test_da_hu_ying_xiong_3_9_the_seated_patron_with_the_highest_bet_may_ask_to_squeeze() -> None:
    assert SHEET.play.squeeze is not None
    assert (SHEET.play.squeeze.by, SHEET.play.squeeze.rule) == (AskedBy.SEATED_HIGHEST_BET, "3.9")


def test_da_hu_ying_xiong_3_10_four_cards_in_turn_and_they_decide_the_tiger_pair() -> None:
    assert SHEET.play.initial_cards_rule == "3.10"
    totals(GAME, "9 2 K 5 | 9 7 player\n 2 9 5 K | 7 9 banker")
    settles(
        GAME,
        """
        4 9 4 K     | tiger-pair 100 | win 4:1 500 400 4.1.1
        9 9 K 4     | tiger-pair 100 | lose - 0 -100 1.25
        3 2 2 K 2 2 | tiger-pair 100 | lose - 0 -100 1.25
        4 3 4 3     | tiger-pair 100 | win 20:1 2100 2000 4.1.1
        """,
    )
    assert refused(GAME, "9 7 K") == ("card-missing", "3.10")


def test_da_hu_ying_xiong_3_11_only_who_bet_on_a_hand_may_insure_it() -> None:
    settles(
        GAME,
        """
        4 5 K K 3 | player 1000                           |
                  | banker-insurance 100 four-cards       | refused insurance-without-original 3.11
        4 5 K K 3 | bob@1 banker 1000                     |
                  | ann@1 banker-insurance 100 four-cards | refused insurance-without-original 3.11
        4 5 K K 3 | ann@2 banker 1000                     |
                  | ann@1 banker-insurance 100 four-cards | refused insurance-without-original 3.11
        4 5 K K 3 | banker-insurance 100 four-cards       | refused insurance-without-original 3.11
        4 5 K K 3 | banker 1000                           | lose - 0 -1000 3.16
                  | banker-insurance 500 four-cards       | win 2:1 1500 1000 4.1.2
        4 5 K K 9 | banker 1000                           | win 1:1 2000 1000 4.1.1
                  | banker-insurance 500 four-cards       | lose 2:1 0 -500 4.1.2
        5 6 6 K 9 | ann*@1 banker 10000                   | win 1:2 15000 5000 4.1.1
                  | ann*@1 banker-insurance 3000 four-cards | lose 3:1 0 -3000 4.1.2
        """,
    )


def test_da_hu_ying_xiong_3_12_insurance_is_bet_in_its_window_while_a_card_is_to_come() -> None:
    assert insurance().window_rule == "3.12"
    settles(
        GAME,
        """
        6 7 K K   | banker 1000                       |
                  | banker-insurance 100 four-cards   | refused insurance-window-closed 3.12
        3 7 K K 6 | player 1000                       |
                  | player-insurance 100 player-third | refused insurance-window-closed 3.12
        6 5 K K 4 | player 1000                       |
                  | player-insurance 100 player-third | refused insurance-window-closed 3.12
        9 5 K K   | player 1000                       |
                  | player-insurance 100 four-cards   | refused insurance-window-closed 3.12
        4 5 K K 3 | player 1000                       |
                  | player-insurance 100 four-cards   | refused insurance-hand-not-on-offer 4.1.2
        4 5 K K 3 | banker 1000                       |
                  | banker-insurance 100              | refused window-missing 3.12
        """,
    )


def test_da_hu_ying_xiong_3_12_1_player_at_two_or_three_cards_and_banker_at_two() -> None:
    assert insurance().offers(cards("6 5 K K")).keys() == {Hand.PLAYER}  # Player has two cards
    assert insurance().offers(cards("A 4 K K 4")).keys() == {Hand.PLAYER}  # Player has three
    assert insurance().offers(cards("4 5 K K")).keys() == {Hand.BANKER}  # Banker has two
    assert insurance().offers(cards("A A K K K")).keys() == {Hand.BANKER}  # and still two
    assert insurance().offers(cards("6 A K K A")) == {}  # Banker has three: nothing is left to insure
    assert insurance().offers(cards("A 4 K K 4 A")) == {}


def test_da_hu_ying_xiong_3_12_2_what_insurance_could_pay_stays_within_the_original_bet() -> None:
    settles(
        GAME,
        """
        4 5 K K 3   | banker 1000                       | lose - 0 -1000 3.16
                    | banker-insurance 500 four-cards   | win 2:1 1500 1000 4.1.2
        4 5 K K 3   | banker 1000                       |
                    | banker-insurance 501 four-cards   | refused insurance-over-cap 3.12.2
        5 4 K K 2 4 | player 1000                       | lose - 0 -1000 3.16
                    | player-insurance 250 four-cards   | win 2:1 750 500 4.1.2
                    | player-insurance 125 player-third | win 4:1 625 500 4.1.2
        5 4 K K 2 4 | player 1000                       |
                    | player-insurance 250 four-cards   |
                    | player-insurance 126 player-third | refused insurance-over-cap 3.12.2
        A 4 K K 2 6 | banker 150                        | lose - 0 -150 3.16
                    | banker-insurance 100 player-third | win 1.5:1 250 150 4.1.2
        A 4 K K 2 6 | banker 151                        |
                    | banker-insurance 101 player-third | refused insurance-over-cap 3.12.2
        4 5 K K 4 4 | player 700                        | lose - 0 -700 3.16
                    | banker 1000                       | win 1:1 2000 1000 4.1.1
                    | banker-insurance 500 four-cards   | lose 2:1 0 -500 4.1.2
                    | player-insurance 100 player-third | win 7:1 800 700 4.1.2
        """,
    )


def test_da_hu_ying_xiong_3_13_when_player_stands_banker_draws_on_0_to_5() -> None:
    assert SHEET.play.third_card_rule == "3.13"
    follows_banker_alone(GAME, "3.13", "3.10")


def test_da_hu_ying_xiong_3_14_the_seated_patron_with_the_highest_bet_may_waive_the_second_window() -> None:
    says(GAME, "3.14", "second insurance window", "House's consent", "for all")
    assert (insurance().waiver_by, insurance().waiver_rule) == (AskedBy.SEATED_HIGHEST_BET, "3.14")


def test_da_hu_ying_xiong_3_15_the_table_of_play() -> None:
    assert SHEET.play.table_of_play_rule == "3.15"
    follows_table_of_play(GAME, "3.15", "3.10")


def test_da_hu_ying_xiong_3_16_the_higher_total_wins() -> None:
    assert SHEET.play.winner_rule == "3.16"
    settles(
        GAME,
        """
        9 8 K K   | player 100 | win 1:1 200 100 4.1.1
                  | banker 100 | lose - 0 -100 3.16
        7 8 K K   | player 100 | lose - 0 -100 3.16
                  | banker 100 | win 1:1 200 100 4.1.1
        A 7 K K K | player 100 | lose - 0 -100 3.16
                  | banker 100 | win 1:1 200 100 4.1.1
        """,
    )


def test_da_hu_ying_xiong_3_17_a_tie_returns_original_bets_and_insurance_but_not_on_player_at_9() -> None:
    assert SHEET.play.tie_rule == "3.17"
    settles(
        GAME,
        """
        8 8 K K     | player 100                        | returned - 100 0 3.17
                    | banker 100                        | returned - 100 0 3.17
                    | tiger 100                         | lose - 0 -100 1.23
        6 6 K K     | banker 333                        | returned - 333 0 3.17
        4 5 K K A   | banker 1000                       | returned - 1000 0 3.17
                    | banker-insurance 500 four-cards   | returned 2:1 500 0 4.2.1
        3 6 K K 6 3 | player 1000                       | returned - 1000 0 3.17
                    | player-insurance 100 player-third | win 8:1 900 800 4.2.1
        """,
    )


# ------------------------------------------------------------------------------------------- 4 settlement


def printed(seen: Seen) -> list[tuple[str, bool, str]]:
    on_6 = seen.winner == "banker" and seen.banker == 6
    return [
        ("player", seen.winner == "player", "1:1"),
        ("player", seen.winner == "tie", "returned"),
        ("banker", on_6, "1:2"),
        ("banker", seen.winner == "banker" and seen.banker != 6, "1:1"),
        ("banker", seen.winner == "tie", "returned"),
        ("tie", seen.winner == "tie", "8:1"),
        ("tiger", on_6 and seen.banker_cards == 2, "12:1"),
        ("tiger", on_6 and seen.banker_cards == 3, "20:1"),
        ("big-tiger", on_6 and seen.banker_cards == 3, "50:1"),
        ("small-tiger", on_6 and seen.banker_cards == 2, "22:1"),
        ("tiger-tie", (seen.player, seen.banker) == (6, 6), "35:1"),
        ("tiger-pair", seen.pairs == 1, "4:1"),
        ("tiger-pair", seen.pairs == 2 and seen.player_pair != seen.banker_pair, "20:1"),
        ("tiger-pair", seen.pairs == 2 and seen.player_pair == seen.banker_pair, "100:1"),
    ]


def test_da_hu_ying_xiong_4_1_1_the_pay_table() -> None:
    pays_as_printed(GAME, printed)
    assert {line.rule for bet in SHEET.bets.values() for line in bet.pays} == {"4.1.1"}
    settles(
        GAME,
        """
        K 6 5 K K   | banker 400      | win 1:2 600 200 4.1.1
        K 6 5 K K   | banker 25       | win 1:2 37 12 4.1.1
        7 8 K K     | banker 400      | win 1:1 800 400 4.1.1
        9 7 K K     | player 400      | win 1:1 800 400 4.1.1
        8 8 K K     | tie 400         | win 8:1 3600 3200 4.1.1
        6 6 K K     | tie 400         | win 8:1 3600 3200 4.1.1
                    | tiger-tie 400   | win 35:1 14400 14000 4.1.1
        4 9 4 K     | tiger-pair 400  | win 4:1 2000 1600 4.1.1
        4 3 4 3     | tiger-pair 400  | win 20:1 8400 8000 4.1.1
        4 4 4 4     | tiger-pair 400  | win 100:1 40400 40000 4.1.1
        K 6 5 K K   | tiger 400       | win 12:1 5200 4800 4.1.1
                    | small-tiger 400 | win 22:1 9200 8800 4.1.1
                    | big-tiger 400   | lose - 0 -400 1.3
        K 2 5 K K 4 | tiger 400       | win 20:1 8400 8000 4.1.1
                    | big-tiger 400   | win 50:1 20400 20000 4.1.1
                    | small-tiger 400 | lose - 0 -400 1.20
        """,
    )


# The last rows are lost in print; they are those of the other insurance sheet, and a footnote proves the one at 9.
INSURANCE_TABLE = """
    four-cards   | banker | 0-4 | 5   | 2:1
    four-cards   | banker | 0-5 | 6   | 3:1
    four-cards   | banker | 0-5 | 7   | 4:1
    four-cards   | player | 5   | 4   | 2:1
    four-cards   | player | 6   | 0-5 | 3:1
    four-cards   | player | 7   | 0-5 | 4:1
    player-third | banker | 1   | 1   | 6:1
    player-third | banker | 1   | 2-6 | 7:1
    player-third | banker | 2   | 3-6 | 4:1
    player-third | banker | 3   | 4   | 1.5:1
    player-third | player | 5   | 0-4 | 2:1
    player-third | player | 6   | 0-5 | 3:1
    player-third | player | 7   | 0-6 | 4:1
    player-third | player | 8   | 0-6 | 7:1
    player-third | player | 9   | 0-6 | 8:1
"""


def test_da_hu_ying_xiong_4_1_2_the_insurance_pay_table_in_every_state() -> None:
    offers_as_printed(GAME, INSURANCE_TABLE)


def test_da_hu_ying_xiong_4_1_2_each_row_pays_its_odds() -> None:
    assert {row.rule for row in insurance().rows} == {"4.1.2"}
    settles(
        GAME,
        """
        4 5 K K 3   | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 100 four-cards   | win 2:1 300 200 4.1.2
        5 6 K K 2   | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 100 four-cards   | win 3:1 400 300 4.1.2
        5 7 K K 4   | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 100 four-cards   | win 4:1 500 400 4.1.2
        5 4 K K 8   | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 four-cards   | win 2:1 300 200 4.1.2
        6 5 K K 4   | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 four-cards   | win 3:1 400 300 4.1.2
        7 A K K 7   | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 four-cards   | win 4:1 500 400 4.1.2
        A A K K K 9 | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 100 player-third | win 6:1 700 600 4.1.2
        5 6 K K 6 4 | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 100 player-third | win 7:1 800 700 4.1.2
        5 3 K K 7 8 | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 100 player-third | win 4:1 500 400 4.1.2
        A 4 K K 2 6 | banker 9000                       | lose - 0 -9000 3.16
                    | banker-insurance 101 player-third | win 1.5:1 252 151 4.1.2
        A 4 K K 4 5 | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 player-third | win 2:1 300 200 4.1.2
        A 5 K K 5 4 | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 player-third | win 3:1 400 300 4.1.2
        A 6 K K 6 2 | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 player-third | win 4:1 500 400 4.1.2
        2 6 K K 6 3 | player 9000                       | lose - 0 -9000 3.16
                    | player-insurance 100 player-third | win 7:1 800 700 4.1.2
        """,
    )


def test_da_hu_ying_xiong_4_2_1_insurance_settles_for_every_last_card() -> None:
    insurance_settles(GAME, INSURANCE_TABLE)


def test_da_hu_ying_xiong_4_2_1_a_tie_returns_insurance_except_on_player_at_9() -> None:
    assert [row.tie_wins_rule for row in insurance().rows if row.tie_wins_rule] == ["4.2.1"]
    settles(
        GAME,
        """
        6 5 K K A   | player 1000                       | returned - 1000 0 3.17
                    | player-insurance 300 four-cards   | returned 3:1 300 0 4.2.1
        A A K K K K | banker 1000                       | returned - 1000 0 3.17
                    | banker-insurance 100 player-third | returned 6:1 100 0 4.2.1
        2 6 K K 6 2 | player 1000                       | returned - 1000 0 3.17
                    | player-insurance 100 player-third | returned 7:1 100 0 4.2.1
        3 6 K K 6 3 | player 1000                       | returned - 1000 0 3.17
                    | player-insurance 125 player-third | win 8:1 1125 1000 4.2.1
        3 6 K K 6 2 | player 1000                       | win 1:1 2000 1000 4.1.1
                    | player-insurance 125 player-third | lose 8:1 0 -125 4.1.2
        """,
    )


def test_da_hu_ying_xiong_4_2_2_a_private_table_may_go_without_insurance() -> None:
    says(GAME, "4.2.2", "private table", "without insurance", "notice")
    assert insurance().private_table_rule == "4.2.2"


# ------------------------------------------------------------------------------------------- 5 what touches settlement


def test_da_hu_ying_xiong_5_1_and_5_2_limits_are_kept_while_bets_are_open() -> None:
    assert SHEET.limits is not None
    assert (SHEET.limits.excess_rule, SHEET.limits.minimum_rule) == ("5.1", "5.2")


def test_da_hu_ying_xiong_5_1_1_a_box_over_the_differential_is_settled_pro_rata() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 2000 | win 1:1 3000 1000 4.1.1 | 1000 5.1.1
                | bob*@2 player 500  | win 1:1 1000 500 4.1.1
        7 9 K K   | ann*@1 banker 1500 | win 1:1 2250 750 4.1.1 | 750 5.1.1
                  | bob@1 banker 500   | win 1:1 750 250 4.1.1  | 250 5.1.1
        K 6 5 K K | ann*@1 banker 1500 | win 1:2 1875 375 4.1.1 | 750 5.1.1
                  | bob@1 banker 500   | win 1:2 625 125 4.1.1  | 250 5.1.1
        9 7 K K   | ann*@1 banker 1500 | lose - 750 -750 3.16   | 750 5.1.1
                  | bob@1 banker 500   | lose - 250 -250 3.16   | 250 5.1.1
        8 8 K K   | ann*@1 banker 1500 | returned - 1500 0 3.17 | 750 5.1.1
                  | bob@1 banker 500   | returned - 500 0 3.17  | 250 5.1.1
        9 7 K K   | ann*@1 player 1000 | win 1:1 1345 345 4.1.1 | 345 5.1.1
                  | bob@1 player 1600  | win 1:1 2152 552 4.1.1 | 552 5.1.1
                  | cat@1 player 300   | win 1:1 403 103 4.1.1  | 103 5.1.1
        9 7 K K   | ann*@1 player 3000 | win 1:1 4500 1500 4.1.1 | 1500 5.1.1
                  | bob@1 banker 500   | lose - 0 -500 3.16
        6 6 K K   | ann*@1 player 3000 | returned - 3000 0 3.17 | 1000 5.1.1
                  | ann@1 tiger-tie 5000 | win 35:1 180000 175000 4.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_5_1_1_no_bet_is_scaled_below_the_minimum() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 4900 | win 1:1 5800 900 4.1.1  | 900 5.1.1
                | bob@1 player 100   | win 1:1 200 100 4.1.1   | 100 5.1.1
        9 7 K K | ann*@1 player 9600 | win 1:1 10400 800 4.1.1 | 800 5.1.1
                | bob@1 player 100   | win 1:1 200 100 4.1.1   | 100 5.1.1
                | cat@1 player 300   | win 1:1 400 100 4.1.1   | 100 5.1.1
        """,
        minimum=100,
        differential=1000,
    )
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 1000 | win 1:1 1600 600 4.1.1 | 600 5.1.1
                | bob@1 player 1000  | win 1:1 1600 600 4.1.1 | 600 5.1.1
        """,
        minimum=600,
        differential=1000,
    )


def test_da_hu_ying_xiong_5_1_2_a_bet_below_the_minimum_is_not_scaled() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 1960 | win 1:1 2910 950 4.1.1 | 950 5.1.1
                | bob@1 player 50    | win 1:1 100 50 4.1.1   | 50 5.1.2
        7 9 K K | ann*@1 player 1960 | lose - 1010 -950 3.16  | 950 5.1.1
                | bob@1 player 50    | lose - 0 -50 3.16      | 50 5.1.2
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_5_2_1_a_bet_below_the_minimum_that_nobody_saw_stands() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.minimum_unnoticed_rule == "5.2.1"
    settles(
        GAME,
        """
        9 7 K K | player 50 | win 1:1 100 50 4.1.1
        7 9 K K | player 50 | lose - 0 -50 3.16
        """,
        minimum=100,
        differential=1000,
    )


def test_da_hu_ying_xiong_5_3_insurance_not_bet_in_time_is_forgone() -> None:
    assert insurance().forgone_rule == "5.3"
    # Without an insurance bet the hand that could have been insured loses whole.
    settles(GAME, "4 5 K K 3 | banker 1000 | lose - 0 -1000 3.16")


def test_da_hu_ying_xiong_5_13_insurance_neglected_goes_to_a_pit_manager() -> None:
    neglected = SHEET.irregularities["insurance-neglected"]
    assert (neglected.ruling, neglected.decides, neglected.rule) == (Ruling.RETURN_ORIGINAL, Role.PIT_MANAGER, "5.13")


def test_da_hu_ying_xiong_5_14_bets_settle_by_where_the_chips_lie() -> None:
    misplaced = SHEET.irregularities["misplaced-bet"]
    assert (misplaced.ruling, misplaced.rule) == (Ruling.CHIPS_PREVAIL, "5.14")
    # Chips on Player are a bet on Player, though the hand that won was the other one.
    settles(
        GAME, "7 9 K K | ann@3 player 100 | lose - 0 -100 3.16\n 9 7 K K | ann@3 player 100 | win 1:1 200 100 4.1.1"
    )


def test_da_hu_ying_xiong_5_15_the_table_prevails_over_a_display() -> None:
    display = SHEET.irregularities["display-mistake"]
    assert (display.ruling, display.rule) == (Ruling.TABLE_PREVAILS, "5.15")
