"""Commission Baccarat with Insurance, paragraph by paragraph, in the order of the sheet."""

from __future__ import annotations

from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, Window
from punto.rules.loader import load
from punto.rules.sheet import AskedBy, Role
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
    settles,
    totals,
)

GAME = "commission-insurance"
SHEET = load(GAME)


def insurance() -> Insurance:
    assert SHEET.insurance is not None
    return SHEET.insurance


def test_commission_insurance_numbers() -> None:
    same_numbers(
        GAME,
        """
        1
        2.1 2.1.1 2.1.2 2.1.3 2.2 2.2.1
        3.1 3.2 3.3 3.4 3.5 3.5.1 3.5.2 3.6 3.7 3.8 3.9
        4.1 4.1.1 4.1.2 4.1.3 4.1.4 4.1.5
        5.1 5.1.1 5.1.2 5.1.3 5.2 5.3
        """,
    )


# ------------------------------------------------------------------------------------------- 1 definitions (unnumbered)


def test_commission_insurance_1_insurance_is_a_bet_at_fixed_odds_before_a_third_card() -> None:
    says(GAME, "1", "Baccarat Insurance", "fixed odds", "third card")
    assert insurance().offers(cards("4 5 K")) == {}
    assert [offer.odds.text for offer in insurance().offers(cards("4 5 K K")).values()] == ["2:1"]
    assert insurance().offers(cards("4 5 K K 4 4")) == {}


def test_commission_insurance_1_the_table_of_play_is_mandatory() -> None:
    says(GAME, "1", "table of play")
    assert refused(GAME, "2 K 3 6") == ("card-missing", "3.7")
    assert refused(GAME, "2 K 4 6 9") == ("card-too-many", "3.6")


def test_commission_insurance_1_the_house_is_the_other_side_of_every_bet() -> None:
    says(GAME, "1", "house")
    settles(GAME, "9 7 K K | ann@1 player 500 | win 1:1 1000 500 4.1.2\n | bob@2 banker 700 | lose - 0 -700 3.8")


def test_commission_insurance_1_a_natural_is_8_or_9_in_two_cards_of_either_hand() -> None:
    says(GAME, "1", "natural (8 or 9 in two cards)")
    totals(GAME, "4 K 4 5 | 8 5 player\n 9 K K 5 | 9 5 player\n K 3 2 5 | 2 8 banker\n K 4 2 5 | 2 9 banker")
    assert refused(GAME, "9 K K 5 2") == ("card-too-many", "3.7")
    assert refused(GAME, "K 3 2 5 2") == ("card-too-many", "3.7")
    assert refused(GAME, "2 K 2 4 4") == ("card-missing", "3.7")  # 8 in three cards is no natural: Banker draws on 4


def test_commission_insurance_1_a_pair_is_two_first_cards_of_one_rank() -> None:
    says(GAME, "1", "pairs", "one rank")
    settles(
        GAME,
        """
        T 2 T 3 K   | player-pair 100 | win 11:1 1200 1100 4.1.2
        K 2 K 3 K   | player-pair 100 | win 11:1 1200 1100 4.1.2
        T 2 K 3 K   | player-pair 100 | lose - 0 -100 3.4
        T 2 T 3 K   | banker-pair 100 | lose - 0 -100 3.4
        2 A 3 A K 4 | banker-pair 100 | win 11:1 1200 1100 4.1.2
        9 J K Q     | banker-pair 100 | lose - 0 -100 3.4
        """,
    )


def test_commission_insurance_1_a_tie_is_two_equal_counts() -> None:
    says(GAME, "1", "tie (equal point counts)")
    settles(
        GAME,
        """
        9 9 K K   | tie 100 | win 8:1 900 800 4.1.2
        9 8 K K   | tie 100 | lose - 0 -100 3.9
        2 7 2 K 3 | tie 100 | win 8:1 900 800 4.1.2
        """,
    )


# ------------------------------------------------------------------------------------------- 2 mode of play


def test_commission_insurance_2_1_1_layouts() -> None:
    assert [(each.appendix, each.name, each.boxes) for each in SHEET.boxes.layouts] == [
        ("A", "Big Baccarat", 12),
        ("B", "Big Baccarat", 10),
        ("C", "Bean Baccarat", 9),
        ("D", "Bean Baccarat", 7),
        ("E", "Mini Baccarat", 7),
        ("F", "Mini Baccarat", 6),
        ("G", "Mini Baccarat", 5),
    ]


def test_commission_insurance_2_1_2_no_more_boxes_than_a_layout_shows() -> None:
    settles(
        GAME,
        """
        9 7 K K | ann@12 player 100 | win 1:1 200 100 4.1.2
        9 7 K K | ann@13 player 100 | refused box-unknown 2.1.2
        9 7 K K | ann@0 player 100  | refused box-unknown 2.1.2
        """,
    )


def test_commission_insurance_2_1_3_the_betting_areas() -> None:
    says(GAME, "2.1.3", "betting areas", "insurance")
    printed_areas = "Player, Banker, Tie, Player Pair, Banker Pair, Player Insurance, Banker Insurance"
    assert ", ".join(SHEET.bet_names) == printed_areas


def test_commission_insurance_2_2_1_four_to_eight_decks() -> None:
    for decks in (4, 5, 6, 7, 8):
        settles(GAME, "9 7 K K | player 100 | win 1:1 200 100 4.1.2", decks=decks)
    for decks in (3, 9):
        assert refused(GAME, "9 7 K K", decks=decks) == ("decks-not-allowed", "2.2.1")
    settles(GAME, "Kh Kh Kh Kh 8s 9c | player 100 | lose - 0 -100 3.8", decks=4)
    assert refused(GAME, "Kh Kh Kh Kh Kh 9s", decks=4) == ("card-copies", "2.2.1")


# ------------------------------------------------------------------------------------------- 3 how to play


def test_commission_insurance_3_1_play_begins_with_the_dealers_call() -> None:
    assert (SHEET.play.open.says, SHEET.play.open.rule) == ("Place your bets, please", "3.1")


def test_commission_insurance_3_2_bets_close_with_the_second_call() -> None:
    assert (SHEET.play.close.says, SHEET.play.close.rule) == ("No more bets", "3.2")


def test_commission_insurance_3_3_the_bets_and_that_side_bets_need_no_original_bet() -> None:
    assert {bet.id: bet.hand for bet in SHEET.bets.values()} == {
        "player": Hand.PLAYER,
        "banker": Hand.BANKER,
        "tie": None,
        "player-pair": None,
        "banker-pair": None,
    }
    assert {bet.rule for bet in SHEET.bets.values()} == {"3.3"}
    settles(
        GAME,
        """
        9 9 K K | tie 100                   | win 8:1 900 800 4.1.2
        9 9 K K | player-pair 100           | lose - 0 -100 3.4
        9 9 K 9 | banker-pair 100           | win 11:1 1200 1100 4.1.2
        9 7 K K | tiger 100                 | refused bet-not-offered 3.3
        4 5 K K 3 | banker 1000 four-cards  | refused window-not-for-bet 3.3
        """,
    )


def test_commission_insurance_3_4_four_cards_in_turn_and_they_decide_the_pairs() -> None:
    assert SHEET.play.initial_cards_rule == "3.4"
    totals(GAME, "9 2 K 5 | 9 7 player\n 2 9 5 K | 7 9 banker")
    settles(
        GAME,
        """
        4 9 4 K     | player-pair 100 | win 11:1 1200 1100 4.1.2
                    | banker-pair 100 | lose - 0 -100 3.4
        4 4 9 K 4 4 | player-pair 100 | lose - 0 -100 3.4
                    | banker-pair 100 | lose - 0 -100 3.4
        9 9 K 4     | player-pair 100 | lose - 0 -100 3.4
        """,
    )


def test_commission_insurance_3_5_insurance_is_bet_in_its_window_while_a_card_is_to_come() -> None:
    assert insurance().window_rule == "3.5"
    settles(
        GAME,
        """
        4 5 K K 3 | banker 1000                       | lose - 0 -1000 3.8
                  | banker-insurance 500 four-cards   | win 2:1 1500 1000 4.1.3
        6 7 K K   | banker 1000                       |
                  | banker-insurance 100 four-cards   | refused insurance-window-closed 3.5
        3 7 K K 6 | player 1000                       |
                  | player-insurance 100 player-third | refused insurance-window-closed 3.5
        6 5 K K 4 | player 1000                       |
                  | player-insurance 100 player-third | refused insurance-window-closed 3.5
        9 5 K K   | player 1000                       |
                  | player-insurance 100 four-cards   | refused insurance-window-closed 3.5
        4 5 K K 3 | player 1000                       |
                  | player-insurance 100 four-cards   | refused insurance-hand-not-on-offer 4.1.3
        4 5 K K 3 | banker 1000                       |
                  | banker-insurance 100              | refused window-missing 3.5
        """,
    )


def test_commission_insurance_3_5_1_player_at_two_or_three_cards_and_banker_at_two() -> None:
    assert insurance().offers(cards("6 5 K K")).keys() == {Hand.PLAYER}  # Player has two cards
    assert insurance().offers(cards("A 4 K K 4")).keys() == {Hand.PLAYER}  # Player has three
    assert insurance().offers(cards("4 5 K K")).keys() == {Hand.BANKER}  # Banker has two
    assert insurance().offers(cards("A A K K K")).keys() == {Hand.BANKER}  # and still two
    assert insurance().offers(cards("6 A K K A")) == {}  # Banker has three: nothing is left to insure
    assert insurance().offers(cards("A 4 K K 4 A")) == {}


def test_commission_insurance_3_5_2_what_insurance_could_pay_stays_within_the_original_bet() -> None:
    settles(
        GAME,
        """
        4 5 K K 3   | banker 1000                       | lose - 0 -1000 3.8
                    | banker-insurance 500 four-cards   | win 2:1 1500 1000 4.1.3
        4 5 K K 3   | banker 1000                       |
                    | banker-insurance 501 four-cards   | refused insurance-over-cap 3.5.2
        4 5 K K 3   | banker 600                        | lose - 0 -600 3.8
                    | banker 400                        | lose - 0 -400 3.8
                    | banker-insurance 500 four-cards   | win 2:1 1500 1000 4.1.3
        5 4 K K 2 4 | player 1000                       | lose - 0 -1000 3.8
                    | player-insurance 250 four-cards   | win 2:1 750 500 4.1.3
                    | player-insurance 125 player-third | win 4:1 625 500 4.1.3
        5 4 K K 2 4 | player 1000                       |
                    | player-insurance 250 four-cards   |
                    | player-insurance 126 player-third | refused insurance-over-cap 3.5.2
        A 4 K K 2 6 | banker 150                        | lose - 0 -150 3.8
                    | banker-insurance 100 player-third | win 1.5:1 250 150 4.1.3
        A 4 K K 2 6 | banker 151                        |
                    | banker-insurance 101 player-third | refused insurance-over-cap 3.5.2
        4 5 K K 4 4 | player 700                        | lose - 0 -700 3.8
                    | banker 1000                       | win 0.95:1 1950 950 4.1.2
                    | banker-insurance 500 four-cards   | lose 2:1 0 -500 4.1.4
                    | player-insurance 100 player-third | win 7:1 800 700 4.1.3
        """,
    )


def test_commission_insurance_3_6_when_player_stands_banker_draws_on_0_to_5() -> None:
    assert SHEET.play.third_card_rule == "3.6"
    follows_banker_alone(GAME, "3.6", "3.4")


def test_commission_insurance_3_7_the_table_of_play() -> None:
    assert SHEET.play.table_of_play_rule == "3.7"
    follows_table_of_play(GAME, "3.7", "3.4")


def test_commission_insurance_3_8_what_cards_count_and_the_higher_count_wins() -> None:
    assert (SHEET.play.values_rule, SHEET.play.winner_rule) == ("3.8", "3.8")
    totals(
        GAME,
        """
        A 9 K K | 1 9 banker
        2 9 K K | 2 9 banker
        3 9 K K | 3 9 banker
        4 9 K K | 4 9 banker
        5 9 K K | 5 9 banker
        6 9 K K | 6 9 banker
        7 9 K K | 7 9 banker
        8 9 K K | 8 9 banker
        9 8 K K | 9 8 player
        T 9 T K | 0 9 banker
        J 9 T K | 0 9 banker
        Q 9 T K | 0 9 banker
        K 9 T K | 0 9 banker
        9 K 9 7 | 8 7 player
        K J Q T 9 9 | 9 9 tie
        """,
    )
    settles(
        GAME,
        """
        9 8 K K   | player 100 | win 1:1 200 100 4.1.2
                  | banker 100 | lose - 0 -100 3.8
        A 7 K K K | player 100 | lose - 0 -100 3.8
                  | banker 100 | win 0.95:1 195 95 4.1.2
        """,
    )


def test_commission_insurance_3_9_a_tie_gives_original_bets_and_insurance_back() -> None:
    assert (SHEET.play.tie_rule, insurance().returned_rule) == ("3.9", "3.9")
    settles(
        GAME,
        """
        8 8 K K     | player 100                        | returned - 100 0 3.9
                    | banker 100                        | returned - 100 0 3.9
                    | banker-pair 100                   | lose - 0 -100 3.4
        4 5 K K A   | banker 1000                       | returned - 1000 0 3.9
                    | banker-insurance 500 four-cards   | returned 2:1 500 0 3.9
        6 5 K K A   | player 1000                       | returned - 1000 0 3.9
                    | player-insurance 300 four-cards   | returned 3:1 300 0 3.9
        A A K K K K | banker 1000                       | returned - 1000 0 3.9
                    | banker-insurance 100 player-third | returned 6:1 100 0 3.9
        2 6 K K 6 2 | player 1000                       | returned - 1000 0 3.9
                    | player-insurance 100 player-third | returned 7:1 100 0 3.9
        """,
    )


# ------------------------------------------------------------------------------------------- 4 settlement


def test_commission_insurance_4_1_1_five_per_cent_of_a_banker_win_goes_to_the_house() -> None:
    settles(
        GAME,
        """
        7 9 K K | banker 2000 | win 0.95:1 3900 1900 4.1.2
        7 9 K K | banker 33   | win 0.95:1 64 31 4.1.2
        9 7 K K | banker 2000 | lose - 0 -2000 3.8
        9 7 K K | player 2000 | win 1:1 4000 2000 4.1.2
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


def test_commission_insurance_4_1_2_the_pay_table() -> None:
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
        """,
    )


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


def test_commission_insurance_4_1_3_the_insurance_pay_table_in_every_state() -> None:
    offers_as_printed(GAME, INSURANCE_TABLE)


def test_commission_insurance_4_1_3_insurance_settles_for_every_last_card() -> None:
    insurance_settles(GAME, INSURANCE_TABLE)


def test_commission_insurance_4_1_3_each_row_pays_its_odds() -> None:
    assert {row.rule for row in insurance().rows} == {"4.1.3"}
    settles(
        GAME,
        """
        4 5 K K 3   | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 100 four-cards   | win 2:1 300 200 4.1.3
        5 6 K K 2   | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 100 four-cards   | win 3:1 400 300 4.1.3
        5 7 K K 4   | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 100 four-cards   | win 4:1 500 400 4.1.3
        5 4 K K 8   | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 four-cards   | win 2:1 300 200 4.1.3
        6 5 K K 4   | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 four-cards   | win 3:1 400 300 4.1.3
        7 A K K 7   | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 four-cards   | win 4:1 500 400 4.1.3
        A A K K K 9 | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 100 player-third | win 6:1 700 600 4.1.3
        5 6 K K 6 4 | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 100 player-third | win 7:1 800 700 4.1.3
        5 3 K K 7 8 | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 100 player-third | win 4:1 500 400 4.1.3
        A 4 K K 2 6 | banker 9000                       | lose - 0 -9000 3.8
                    | banker-insurance 101 player-third | win 1.5:1 252 151 4.1.3
        A 4 K K 4 5 | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 player-third | win 2:1 300 200 4.1.3
        A 5 K K 5 4 | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 player-third | win 3:1 400 300 4.1.3
        A 6 K K 6 2 | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 player-third | win 4:1 500 400 4.1.3
        2 6 K K 6 3 | player 9000                       | lose - 0 -9000 3.8
                    | player-insurance 100 player-third | win 7:1 800 700 4.1.3
        """,
    )


def test_commission_insurance_4_1_3_player_insured_at_9_is_paid_on_a_9_9_tie_alone() -> None:
    assert [row.tie_wins_rule for row in insurance().rows if row.tie_wins_rule] == ["4.1.3"]
    settles(
        GAME,
        """
        3 6 K K 6 3 | player 9000                       | returned - 9000 0 3.9
                    | player-insurance 100 player-third | win 8:1 900 800 4.1.3
        3 6 K K 6 2 | player 9000                       | win 1:1 18000 9000 4.1.2
                    | player-insurance 100 player-third | lose 8:1 0 -100 4.1.4
        """,
    )


def test_commission_insurance_4_1_4_only_who_bet_on_a_hand_may_insure_it() -> None:
    settles(
        GAME,
        """
        4 5 K K 3 | player 1000                           |
                  | banker-insurance 100 four-cards       | refused insurance-without-original 4.1.4
        4 5 K K 3 | bob@1 banker 1000                     |
                  | ann@1 banker-insurance 100 four-cards | refused insurance-without-original 4.1.4
        4 5 K K 3 | ann@2 banker 1000                     |
                  | ann@1 banker-insurance 100 four-cards | refused insurance-without-original 4.1.4
        4 5 K K 3 | banker-insurance 100 four-cards       | refused insurance-without-original 4.1.4
        4 5 K K 9 | banker 1000                           | win 0.95:1 1950 950 4.1.2
                  | banker-insurance 500 four-cards       | lose 2:1 0 -500 4.1.4
        6 5 K K K | player 1000                           | win 1:1 2000 1000 4.1.2
                  | player-insurance 300 four-cards       | lose 3:1 0 -300 4.1.4
        """,
    )


def test_commission_insurance_4_1_5_any_patron_may_ask_for_the_card_that_waives_the_second_window() -> None:
    says(GAME, "4.1.5", "second insurance window", "House's consent")
    assert (insurance().waiver_by, insurance().waiver_rule) == (AskedBy.ANY_PATRON, "4.1.5")
    assert [window.value for window in Window] == ["four-cards", "player-third"]


# ------------------------------------------------------------------------------------------- 5 what touches settlement


def test_commission_insurance_5_is_silent_on_limits_so_an_excess_goes_to_the_shift_manager() -> None:
    assert SHEET.limits is None
    assert (SHEET.authority.decides_otherwise, SHEET.authority.otherwise_rule) == (Role.SHIFT_MANAGER, None)
    settles(GAME, "9 7 K K | player 1001 | refused excess-not-ruled None", minimum=100, differential=1000)
    settles(GAME, "9 7 K K | player 1000 | win 1:1 2000 1000 4.1.2", minimum=100, differential=1000)
