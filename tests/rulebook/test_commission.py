"""Commission Baccarat, paragraph by paragraph, in the order of the sheet."""

from __future__ import annotations

from punto.rules.cards import DECK
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.sheet import AskedBy, Role, Ruling
from tests.rulebook.tables import (
    Seen,
    cards,
    follows_banker_alone,
    follows_table_of_play,
    pays_as_printed,
    refused,
    same_numbers,
    says,
    settled,
    settles,
    totals,
)

GAME = "commission"
SHEET = load(GAME)


def test_commission_numbers() -> None:
    same_numbers(
        GAME,
        """
        1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20
        2.1 2.1.1 2.2 2.2.1
        3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14
        4.1 4.1.1 4.1.2
        5.1 5.1.1 5.1.2 5.2 5.2.1 5.3 5.4 5.4.1 5.4.2 5.5 5.5.1 5.5.2 5.5.3 5.5.4 5.5.5 5.6 5.7 5.7.1
        5.8 5.8.1 5.8.2 5.9 5.10 5.10.1 5.10.2 5.11 5.12 5.12.1 5.12.2 5.12.3 5.13 5.14 5.15 5.16 5.17
        """,
    )


# ------------------------------------------------------------------------------------------- 1 definitions


def test_commission_1_1_the_table_of_play_is_mandatory() -> None:
    says(GAME, "1.1", "table of play")
    assert refused(GAME, "2 K 3 6") == ("card-missing", "3.12")  # Player has 5 and must draw
    assert refused(GAME, "2 K 4 6 9") == ("card-too-many", "3.11")  # Player has 6, Banker 6: both must stand


def test_commission_1_2_a_wager_is_a_bet_and_has_no_rule_of_its_own() -> None:
    says(GAME, "1.2", "bet", "wager")
    assert [number for number, text in SHEET.paragraphs.items() if "wager" in text.lower()] == ["1.2"]


def test_commission_1_3_cards_come_from_a_shoe_of_whole_decks() -> None:
    says(GAME, "1.3", "card shoe", "electronic")
    assert refused(GAME, "Kh Kh Kh Kh Kh 8s", decks=4) == ("card-copies", "2.2.1")
    settles(GAME, "Kh Kh Kh Kh 8s 9c | player 100 | lose - 0 -100 3.13", decks=4)


def test_commission_1_4_the_dealer_deals_and_is_the_lowest_authority() -> None:
    says(GAME, "1.4", "dealer", "deals")
    assert min(Role, key=lambda role: role.level) is Role.DEALER


def test_commission_1_5_differential_is_banker_less_player_either_way() -> None:
    settles(
        GAME,
        """
        9 7 K K | bob@1 player 1400 | win 1:1 2800 1400 4.1.2
                | ann@1 banker 400  | lose - 0 -400 3.13
        7 9 K K | bob@1 player 400  | lose - 0 -400 3.13
                | ann@1 banker 1400 | win 0.95:1 2730 1330 4.1.2
        9 7 K K | bob@1 player 1401 | win 1:1 2801 1400 4.1.2 | 1400 5.1.1
                | ann@1 banker 400  | lose - 0 -400 3.13
        7 9 K K | bob@1 player 400  | lose - 0 -400 3.13
                | ann@1 banker 1401 | win 0.95:1 2731 1330 4.1.2 | 1400 5.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_1_6_a_shuffler_may_deal_too() -> None:
    says(GAME, "1.6", "electronic card shuffler", "deals")


def test_commission_1_7_a_hand_is_the_cards_dealt_to_player_or_banker() -> None:
    # Player has 2 and draws a 4; Banker has 4 and draws against it.
    round_ = settled(GAME, "2h 3d Kc As 4d Ac").round
    assert (round_.player, round_.banker) == (cards("2h Kc 4d"), cards("3d As Ac"))


def test_commission_1_8_the_house_is_the_other_side_of_every_bet() -> None:
    says(GAME, "1.8", "house", "casino operator")
    settles(GAME, "9 7 K K | ann@1 player 500 | win 1:1 1000 500 4.1.2\n | bob@2 banker 700 | lose - 0 -700 3.13")


def test_commission_1_9_a_natural_is_8_or_9_in_two_cards_of_either_hand() -> None:
    totals(
        GAME,
        """
        4 K 4 5    | 8 5 player
        9 K K 5    | 9 5 player
        K 3 2 5    | 2 8 banker
        K 4 2 5    | 2 9 banker
        9 8 K K    | 9 8 player
        8 8 K K    | 8 8 tie
        2 K 3 5 3  | 8 5 player
        """,
    )
    assert refused(GAME, "9 K K 5 2") == ("card-too-many", "3.12")
    assert refused(GAME, "K 3 2 5 2") == ("card-too-many", "3.12")
    # 8 reached with three cards is no natural: Banker, with 4 against a third card worth 4, still draws.
    assert refused(GAME, "2 K 2 4 4") == ("card-missing", "3.12")


def test_commission_1_10_original_bets_are_those_on_player_and_banker() -> None:
    originals = {bet.id: bet.hand for bet in SHEET.bets.values() if bet.hand}
    assert originals == {"player": Hand.PLAYER, "banker": Hand.BANKER}


def test_commission_1_11_pit_employees_by_rank() -> None:
    says(GAME, "1.11", "Dealer", "Pit Supervisor", "Pit Manager")
    assert [role.spoken for role in Role] == ["Dealer", "Pit Supervisor", "Pit Manager", "Table Game Shift Manager"]
    assert [role.level for role in Role] == sorted(role.level for role in Role)


def test_commission_1_12_whoever_bets_is_settled() -> None:
    says(GAME, "1.12", "bets")
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 100 | win 1:1 200 100 4.1.2
                | bob@1 player 100  | win 1:1 200 100 4.1.2
                | cat@9 tie 100     | lose - 0 -100 1.19
        """,
    )


def test_commission_1_13_a_pair_is_two_first_cards_of_one_rank() -> None:
    settles(
        GAME,
        """
        T 2 T 3 K   | player-pair 100 | win 11:1 1200 1100 4.1.2
        K 2 K 3 K   | player-pair 100 | win 11:1 1200 1100 4.1.2
        T 2 K 3 K   | player-pair 100 | lose - 0 -100 1.13
        Q 2 J 3 K   | player-pair 100 | lose - 0 -100 1.13
        T 2 T 3 K   | banker-pair 100 | lose - 0 -100 1.13
        2 A 3 A K 4 | banker-pair 100 | win 11:1 1200 1100 4.1.2
        4 T 4 K     | banker-pair 100 | lose - 0 -100 1.13
        4s 9h 4s Kd | player-pair 100 | win 11:1 1200 1100 4.1.2
        3 2 2 K 3 2 | player-pair 100 | lose - 0 -100 1.13
                    | banker-pair 100 | lose - 0 -100 1.13
        """,
    )


def test_commission_1_14_the_point_total_is_the_last_digit_of_the_sum() -> None:
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


def test_commission_1_15_reconstruction_puts_cards_back_in_order() -> None:
    says(GAME, "1.15", "reconstruction", "order")
    reconstructed = {each.rule for each in SHEET.irregularities.values() if each.ruling is Ruling.RECONSTRUCT}
    assert reconstructed == {"5.7", "5.8"}


def test_commission_1_16_a_round_runs_from_the_call_to_the_last_settlement() -> None:
    says(GAME, "1.16", "round", "call for bets", "settled")
    assert SHEET.play.open.says == "Place your Bets, please"


def test_commission_1_17_the_seated_patron_is_first_in_seat_order() -> None:
    says(GAME, "1.17", "seated", "box")
    # Each has a third of the limit of 1000; the odd cent goes by seat order, and the seat is zoe's.
    settles(
        GAME,
        """
        7 9 K K | ann@1 banker 1000  | win 0.95:1 1316 316 4.1.2 | 333 5.1.1
                | bob@1 banker 1000  | win 0.95:1 1316 316 4.1.2 | 333 5.1.1
                | zoe*@1 banker 1000 | win 0.95:1 1317 317 4.1.2 | 334 5.1.1
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_1_18_a_standing_patron_bets_in_the_seated_patrons_box() -> None:
    says(GAME, "1.18", "standing", "seated patron's box")
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 1000 | win 1:1 1500 500 4.1.2 | 500 5.1.1
                | bob@1 player 1000  | win 1:1 1500 500 4.1.2 | 500 5.1.1
        9 7 K K | ann*@1 player 1000 | win 1:1 2000 1000 4.1.2
                | bob*@2 player 1000 | win 1:1 2000 1000 4.1.2
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_1_19_a_tie_is_two_equal_point_totals() -> None:
    settles(
        GAME,
        """
        9 9 K K     | tie 100 | win 8:1 900 800 4.1.2
        K K K K K K | tie 100 | win 8:1 900 800 4.1.2
        9 8 K K     | tie 100 | lose - 0 -100 1.19
        2 7 2 K 3   | tie 100 | win 8:1 900 800 4.1.2
        """,
    )


def test_commission_1_20_a_void_round_has_no_result() -> None:
    says(GAME, "1.20", "void", "no result")
    assert SHEET.authority.void_rule == "5.15"
    voids = [each.rule for each in SHEET.irregularities.values() if each.ruling is Ruling.VOID]
    assert voids == ["5.5.1", "5.5.2", "5.5.3", "5.5.4", "5.5.5"]


# ------------------------------------------------------------------------------------------- 2 mode of play


def test_commission_2_1_1_layouts_and_their_boxes() -> None:
    shown = [(each.appendix, each.name, each.boxes) for each in SHEET.boxes.layouts]
    assert shown == [
        ("A", "Bean Baccarat", 9),
        ("B", "Bean Baccarat", 7),
        ("C", "Mini Baccarat", 7),
        ("D", "Big Baccarat", 12),
    ]
    settles(
        GAME,
        """
        9 7 K K | ann@12 player 100 | win 1:1 200 100 4.1.2
        9 7 K K | ann@13 player 100 | refused box-unknown 2.1.1
        9 7 K K | ann@0 player 100  | refused box-unknown 2.1.1
        """,
    )


def test_commission_2_2_1_four_to_eight_decks_of_52_cards() -> None:
    assert len(set(DECK)) == 52
    for decks in (4, 5, 6, 7, 8):
        settles(GAME, "9 7 K K | player 100 | win 1:1 200 100 4.1.2", decks=decks)
    for decks in (3, 9):
        assert refused(GAME, "9 7 K K", decks=decks) == ("decks-not-allowed", "2.2.1")
    settles(GAME, "Kh Kh Kh Kh Kh 9s | player 100 | lose - 0 -100 3.13", decks=5)
    assert refused(GAME, "Kh Kh Kh Kh Kh 9s", decks=4) == ("card-copies", "2.2.1")


# ------------------------------------------------------------------------------------------- 3 how to play


def test_commission_3_1_the_hand_nearer_to_9_is_the_better() -> None:
    totals(GAME, "9 8 K K | 9 8 player\n 7 8 K K | 7 8 banker\n K 7 K K A | 1 7 banker")


def test_commission_3_2_what_cards_count() -> None:
    assert SHEET.play.values_rule == "3.2"
    totals(GAME, "A 7 7 K | 8 7 player\n T 7 9 K | 9 7 player\n J 7 Q K 2 | 2 7 banker")


def test_commission_3_2_1_an_ace_counts_1() -> None:
    totals(GAME, "A 7 8 K | 9 7 player\n A 7 A 2 | 2 9 banker")


def test_commission_3_2_2_two_to_ten_count_their_face() -> None:
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


def test_commission_3_2_3_picture_cards_count_0() -> None:
    totals(GAME, "J 9 K K | 0 9 banker\n Q 9 K K | 0 9 banker\n K 9 K K | 0 9 banker")


def test_commission_3_3_bets_open_with_the_dealers_call() -> None:
    assert (SHEET.play.open.says, SHEET.play.open.rule) == ("Place your Bets, please", "3.3")


def test_commission_3_4_limits_are_shown_at_the_table() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.shown_rule == "3.4"
    settles(GAME, "9 7 K K | player 150 | refused stake-off-unit 3.4", minimum=100, differential=1000, unit=100)


def test_commission_3_5_the_patron_answers_for_betting_within_them() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.responsibility_rule == "3.5"
    settles(GAME, "9 7 K K | player 0 | refused stake-invalid 3.5\n 9 7 K K | tie -1 | refused stake-invalid 3.5")


def test_commission_3_6_nobody_may_keep_the_balance_from_others() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.balance_rule == "3.6"
    # Two patrons fill a box to its Differential, and both bets stand whole.
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 300 | win 1:1 600 300 4.1.2
                | bob@1 player 700  | win 1:1 1400 700 4.1.2
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_3_7_the_bets_and_that_side_bets_need_no_original_bet() -> None:
    assert SHEET.bet_names == ("Player", "Banker", "Tie", "Player Pair", "Banker Pair")
    assert {bet.rule for bet in SHEET.bets.values()} == {"3.7"}
    settles(
        GAME,
        """
        9 9 K K | tie 100              | win 8:1 900 800 4.1.2
        9 9 K K | player-pair 100      | lose - 0 -100 1.13
        9 9 K 9 | banker-pair 100      | win 11:1 1200 1100 4.1.2
        9 9 K K | player 100           | returned - 100 0 3.14
                | banker 100           | returned - 100 0 3.14
                | tie 100              | win 8:1 900 800 4.1.2
        9 7 K K | tiger 100            | refused bet-not-offered 3.7
        9 7 K K | easy-six 100         | refused bet-not-offered 3.7
        2 6 K K 8 | banker-insurance 100 four-cards | refused bet-not-offered 3.7
        """,
    )


def test_commission_3_8_bets_close_with_the_second_call() -> None:
    assert (SHEET.play.close.says, SHEET.play.close.rule) == ("No more Bets", "3.8")


def test_commission_3_9_the_seated_patron_with_the_highest_bet_may_ask_to_squeeze() -> None:
    assert SHEET.play.squeeze is not None
    assert (SHEET.play.squeeze.by, SHEET.play.squeeze.rule) == (AskedBy.SEATED_HIGHEST_BET, "3.9")


def test_commission_3_10_four_cards_in_turn_and_they_decide_the_pairs() -> None:
    assert SHEET.play.initial_cards_rule == "3.10"
    totals(GAME, "9 2 K 5 | 9 7 player\n 2 9 5 K | 7 9 banker")
    settles(
        GAME,
        """
        4 9 4 K       | player-pair 100 | win 11:1 1200 1100 4.1.2
                      | banker-pair 100 | lose - 0 -100 1.13
        4 4 9 K 4 4   | player-pair 100 | lose - 0 -100 1.13
                      | banker-pair 100 | lose - 0 -100 1.13
        K 9 9 9       | banker-pair 100 | win 11:1 1200 1100 4.1.2
        9 9 K 4       | player-pair 100 | lose - 0 -100 1.13
        3 2 2 K 2 2   | player-pair 100 | lose - 0 -100 1.13
                      | banker-pair 100 | lose - 0 -100 1.13
        """,
    )
    assert refused(GAME, "9 7 K") == ("card-missing", "3.10")


def test_commission_3_11_when_player_stands_banker_draws_on_0_to_5() -> None:
    assert SHEET.play.third_card_rule == "3.11"
    follows_banker_alone(GAME, "3.11", "3.10")


def test_commission_3_12_the_table_of_play() -> None:
    assert SHEET.play.table_of_play_rule == "3.12"
    follows_table_of_play(GAME, "3.12", "3.10")


def test_commission_3_13_the_higher_total_wins() -> None:
    assert SHEET.play.winner_rule == "3.13"
    settles(
        GAME,
        """
        9 8 K K   | player 100 | win 1:1 200 100 4.1.2
                  | banker 100 | lose - 0 -100 3.13
        7 8 K K   | player 100 | lose - 0 -100 3.13
                  | banker 100 | win 0.95:1 195 95 4.1.2
        A 7 K K K | player 100 | lose - 0 -100 3.13
                  | banker 100 | win 0.95:1 195 95 4.1.2
        """,
    )


def test_commission_3_14_a_tie_returns_original_bets_and_no_others() -> None:
    assert SHEET.play.tie_rule == "3.14"
    settles(
        GAME,
        """
        8 8 K K | player 100      | returned - 100 0 3.14
                | banker 100      | returned - 100 0 3.14
                | player-pair 100 | lose - 0 -100 1.13
                | banker-pair 100 | lose - 0 -100 1.13
        7 7 K K | banker 333      | returned - 333 0 3.14
        """,
    )


# ------------------------------------------------------------------------------------------- 4 settlement


def test_commission_4_1_1_five_per_cent_of_a_banker_win_goes_to_the_house() -> None:
    settles(
        GAME,
        """
        7 9 K K | banker 2000   | win 0.95:1 3900 1900 4.1.2
        7 9 K K | banker 100000 | win 0.95:1 195000 95000 4.1.2
        7 9 K K | banker 20     | win 0.95:1 39 19 4.1.2
        7 9 K K | banker 33     | win 0.95:1 64 31 4.1.2
        7 9 K K | banker 1      | win 0.95:1 1 0 4.1.2
        2 4 4 2 | banker 2000   | returned - 2000 0 3.14
        9 7 K K | banker 2000   | lose - 0 -2000 3.13
        9 7 K K | player 2000   | win 1:1 4000 2000 4.1.2
        """,
    )


def printed(seen: Seen) -> list[tuple[str, bool, str]]:
    return [
        ("player", seen.winner == "player", "1:1"),
        ("player", seen.winner == "tie", "returned"),
        ("banker", seen.winner == "banker", "0.95:1"),
        ("banker", seen.winner == "tie", "returned"),
        ("tie", seen.winner == "tie", "8:1"),
        ("player-pair", seen.player_pair != "", "11:1"),
        ("banker-pair", seen.banker_pair != "", "11:1"),
    ]


def test_commission_4_1_2_the_pay_table() -> None:
    pays_as_printed(GAME, printed)
    assert {line.rule for bet in SHEET.bets.values() for line in bet.pays} == {"4.1.2"}
    settles(
        GAME,
        """
        7 9 K K     | banker 400      | win 0.95:1 780 380 4.1.2
        9 7 K K     | player 400      | win 1:1 800 400 4.1.2
        8 8 K K     | tie 400         | win 8:1 3600 3200 4.1.2
        4 9 4 K     | player-pair 400 | win 11:1 4800 4400 4.1.2
        9 4 K 4     | banker-pair 400 | win 11:1 4800 4400 4.1.2
        6 6 6 6 2 2 | player-pair 400 | win 11:1 4800 4400 4.1.2
                    | banker-pair 400 | win 11:1 4800 4400 4.1.2
                    | tie 400         | win 8:1 3600 3200 4.1.2
        """,
    )


# ------------------------------------------------------------------------------------------- 5 what touches settlement


def test_commission_5_1_and_5_2_limits_are_kept_while_bets_are_open() -> None:
    assert SHEET.limits is not None
    assert (SHEET.limits.excess_rule, SHEET.limits.minimum_rule) == ("5.1", "5.2")


def test_commission_5_1_1_a_box_over_the_differential_is_settled_pro_rata() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 2000 | win 1:1 3000 1000 4.1.2 | 1000 5.1.1
                | bob*@2 player 500  | win 1:1 1000 500 4.1.2
        7 9 K K | ann*@1 banker 1500 | win 0.95:1 2212 712 4.1.2 | 750 5.1.1
                | bob@1 banker 500   | win 0.95:1 737 237 4.1.2  | 250 5.1.1
        9 7 K K | ann*@1 banker 1500 | lose - 750 -750 3.13      | 750 5.1.1
                | bob@1 banker 500   | lose - 250 -250 3.13      | 250 5.1.1
        8 8 K K | ann*@1 banker 1500 | returned - 1500 0 3.14    | 750 5.1.1
                | bob@1 banker 500   | returned - 500 0 3.14     | 250 5.1.1
        9 7 K K | ann*@1 player 1000 | win 1:1 1345 345 4.1.2    | 345 5.1.1
                | bob@1 player 1600  | win 1:1 2152 552 4.1.2    | 552 5.1.1
                | cat@1 player 300   | win 1:1 403 103 4.1.2     | 103 5.1.1
        9 7 K K | ann*@1 player 3000 | win 1:1 4500 1500 4.1.2   | 1500 5.1.1
                | bob@1 banker 500   | lose - 0 -500 3.13
        9 7 K K | ann*@1 player 3000 | win 1:1 4000 1000 4.1.2   | 1000 5.1.1
                | bob@2 banker 500   | lose - 0 -500 3.13
        8 8 K K | ann*@1 player 3000 | returned - 3000 0 3.14    | 1000 5.1.1
                | ann@1 tie 5000     | win 8:1 45000 40000 4.1.2
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_5_1_1_no_bet_is_scaled_below_the_minimum() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 4900 | win 1:1 5800 900 4.1.2 | 900 5.1.1
                | bob@1 player 100   | win 1:1 200 100 4.1.2  | 100 5.1.1
        9 7 K K | ann*@1 player 9600 | win 1:1 10400 800 4.1.2 | 800 5.1.1
                | bob@1 player 100   | win 1:1 200 100 4.1.2  | 100 5.1.1
                | cat@1 player 300   | win 1:1 400 100 4.1.2  | 100 5.1.1
        """,
        minimum=100,
        differential=1000,
    )
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 1000 | win 1:1 1600 600 4.1.2 | 600 5.1.1
                | bob@1 player 1000  | win 1:1 1600 600 4.1.2 | 600 5.1.1
        """,
        minimum=600,
        differential=1000,
    )


def test_commission_5_1_2_a_bet_below_the_minimum_is_not_scaled() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann*@1 player 1960 | win 1:1 2910 950 4.1.2 | 950 5.1.1
                | bob@1 player 50    | win 1:1 100 50 4.1.2   | 50 5.1.2
        7 9 K K | ann*@1 player 1960 | lose - 1010 -950 3.13  | 950 5.1.1
                | bob@1 player 50    | lose - 0 -50 3.13      | 50 5.1.2
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_5_2_1_a_bet_below_the_minimum_that_nobody_saw_stands() -> None:
    assert SHEET.limits is not None
    assert SHEET.limits.minimum_unnoticed_rule == "5.2.1"
    settles(
        GAME,
        """
        9 7 K K | player 50 | win 1:1 100 50 4.1.2
        7 9 K K | player 50 | lose - 0 -50 3.13
        """,
        minimum=100,
        differential=1000,
    )


def test_commission_5_13_bets_settle_by_where_the_chips_lie() -> None:
    misplaced = SHEET.irregularities["misplaced-bet"]
    assert (misplaced.ruling, misplaced.rule) == (Ruling.CHIPS_PREVAIL, "5.13")
    # Chips on Player are a bet on Player, though the hand that won was the other one.
    settles(
        GAME, "7 9 K K | ann@3 player 100 | lose - 0 -100 3.13\n 9 7 K K | ann@3 player 100 | win 1:1 200 100 4.1.2"
    )


def test_commission_5_14_the_table_prevails_over_a_display() -> None:
    display = SHEET.irregularities["display-mistake"]
    assert (display.ruling, display.rule) == (Ruling.TABLE_PREVAILS, "5.14")
