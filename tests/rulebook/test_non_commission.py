"""Non-Commission Baccarat on an electronic table, paragraph by paragraph, in the order of the sheet."""

from __future__ import annotations

from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.sheet import Role, Ruling
from tests.rulebook.tables import (
    Seen,
    follows_banker_alone,
    follows_table_of_play,
    pays_as_printed,
    refused,
    same_numbers,
    says,
    settles,
    totals,
)

GAME = "non-commission"
SHEET = load(GAME)


def test_non_commission_numbers() -> None:
    same_numbers(GAME, "1 2.1 2.1.1 2.2 2.2.1 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 4.1 4.1.1 5.1 5.1.1 5.1.2 5.1.3")


# ------------------------------------------------------------------------------------------- 1 definitions (unnumbered)


def test_non_commission_1_the_table_of_play_is_mandatory() -> None:
    says(GAME, "1", "table of play")
    assert refused(GAME, "2 K 3 6") == ("card-missing", "3.6")
    assert refused(GAME, "2 K 4 6 9") == ("card-too-many", "3.5")


def test_non_commission_1_the_house_is_the_other_side_of_every_bet() -> None:
    says(GAME, "1", "house")
    settles(GAME, "9 7 K K | ann@1 player 500 | win 1:1 1000 500 4.1.1\n | bob@2 banker 700 | lose - 0 -700 3.7")


def test_non_commission_1_a_natural_is_8_or_9_in_two_cards_of_either_hand() -> None:
    says(GAME, "1", "natural (8 or 9 in two cards)")
    totals(GAME, "4 K 4 5 | 8 5 player\n 9 K K 5 | 9 5 player\n K 3 2 5 | 2 8 banker\n K 4 2 5 | 2 9 banker")
    assert refused(GAME, "9 K K 5 2") == ("card-too-many", "3.6")
    assert refused(GAME, "K 3 2 5 2") == ("card-too-many", "3.6")
    assert refused(GAME, "2 K 2 4 4") == ("card-missing", "3.6")  # 8 in three cards is no natural: Banker draws on 4


def test_non_commission_1_banker_pays_even_money_and_half_on_6() -> None:
    says(GAME, "1", "no commission", "half on a win with 6")
    settles(
        GAME,
        """
        7 9 K K     | banker 1000 | win 1:1 2000 1000 4.1.1
        K 6 5 K K   | banker 1000 | win 1:2 1500 500 4.1.1
        6 K K 9     | banker 1000 | win 1:1 2000 1000 4.1.1
        K 2 5 K K 4 | banker 1000 | win 1:2 1500 500 4.1.1
        """,
    )


def test_non_commission_1_a_pair_is_two_first_cards_of_one_rank() -> None:
    says(GAME, "1", "pairs", "one rank")
    settles(
        GAME,
        """
        T 2 T 3 K   | player-pair 100 | win 11:1 1200 1100 4.1.1
        K 2 K 3 K   | player-pair 100 | win 11:1 1200 1100 4.1.1
        T 2 K 3 K   | player-pair 100 | lose - 0 -100 3.4
        T 2 T 3 K   | banker-pair 100 | lose - 0 -100 3.4
        2 A 3 A K 4 | banker-pair 100 | win 11:1 1200 1100 4.1.1
        9 J K Q     | banker-pair 100 | lose - 0 -100 3.4
        """,
    )


def test_non_commission_1_bets_are_placed_on_player_terminals() -> None:
    says(GAME, "1", "player terminal")
    assert SHEET.boxes.most is None  # a box is a terminal, and the sheet sets no number of them
    settles(
        GAME, "9 7 K K | ann@150 player 100 | win 1:1 200 100 4.1.1\n 9 7 K K | ann@0 tie 1 | refused box-unknown 2.1.1"
    )


def test_non_commission_1_a_tie_is_two_equal_counts() -> None:
    says(GAME, "1", "tie (equal point counts)")
    settles(
        GAME,
        """
        9 9 K K   | tie 100 | win 8:1 900 800 4.1.1
        9 8 K K   | tie 100 | lose - 0 -100 3.8
        2 7 2 K 3 | tie 100 | win 8:1 900 800 4.1.1
        6 6 K K   | tie 100 | win 8:1 900 800 4.1.1
        """,
    )


# ------------------------------------------------------------------------------------------- 2 mode of play


def test_non_commission_2_1_1_the_display_of_the_terminals_and_no_printed_layout() -> None:
    says(GAME, "2.1.1", "display", "player terminals")
    assert (SHEET.boxes.layouts, SHEET.boxes.rule) == ((), "2.1.1")


def test_non_commission_2_2_1_four_to_eight_decks() -> None:
    for decks in (4, 5, 6, 7, 8):
        settles(GAME, "9 7 K K | player 100 | win 1:1 200 100 4.1.1", decks=decks)
    for decks in (3, 9):
        assert refused(GAME, "9 7 K K", decks=decks) == ("decks-not-allowed", "2.2.1")
    settles(GAME, "Kh Kh Kh Kh 8s 9c | player 100 | lose - 0 -100 3.7", decks=4)
    assert refused(GAME, "Kh Kh Kh Kh Kh 9s", decks=4) == ("card-copies", "2.2.1")


# ------------------------------------------------------------------------------------------- 3 how to play


def test_non_commission_3_1_play_begins_when_the_terminal_asks_for_bets() -> None:
    assert (SHEET.play.open.says, SHEET.play.open.rule) == ("Place Your Bets", "3.1")


def test_non_commission_3_2_bets_close_when_the_terminal_says_so() -> None:
    assert (SHEET.play.close.says, SHEET.play.close.rule) == ("No More Bets", "3.2")
    for late in ("late-bet", "late-withdrawal"):
        assert (SHEET.irregularities[late].ruling, SHEET.irregularities[late].rule) == (Ruling.REFUSE, "3.2")


def test_non_commission_3_3_the_bets_and_that_side_bets_need_no_original_bet() -> None:
    assert SHEET.bet_names == ("Player", "Banker", "Tie", "Player Pair", "Banker Pair")
    assert {bet.id: bet.hand for bet in SHEET.bets.values() if bet.hand} == {
        "player": Hand.PLAYER,
        "banker": Hand.BANKER,
    }
    assert {bet.rule for bet in SHEET.bets.values()} == {"3.3"}
    settles(
        GAME,
        """
        9 9 K K   | tie 100         | win 8:1 900 800 4.1.1
        9 9 K K   | player-pair 100 | lose - 0 -100 3.4
        9 9 K 9   | banker-pair 100 | win 11:1 1200 1100 4.1.1
        9 7 K K   | tiger 100       | refused bet-not-offered 3.3
        9 7 K K   | easy-six 100    | refused bet-not-offered 3.3
        2 6 K K 8 | banker-insurance 100 four-cards | refused bet-not-offered 3.3
        """,
    )


def test_non_commission_3_4_four_cards_in_turn_and_they_decide_the_pairs() -> None:
    assert SHEET.play.initial_cards_rule == "3.4"
    totals(GAME, "9 2 K 5 | 9 7 player\n 2 9 5 K | 7 9 banker")
    settles(
        GAME,
        """
        4 9 4 K     | player-pair 100 | win 11:1 1200 1100 4.1.1
                    | banker-pair 100 | lose - 0 -100 3.4
        4 4 9 K 4 4 | player-pair 100 | lose - 0 -100 3.4
                    | banker-pair 100 | lose - 0 -100 3.4
        9 9 K 4     | player-pair 100 | lose - 0 -100 3.4
        """,
    )


def test_non_commission_3_5_when_player_stands_banker_draws_on_0_to_5() -> None:
    assert SHEET.play.third_card_rule == "3.5"
    follows_banker_alone(GAME, "3.5", "3.4")


def test_non_commission_3_6_the_table_of_play() -> None:
    assert SHEET.play.table_of_play_rule == "3.6"
    follows_table_of_play(GAME, "3.6", "3.4")


def test_non_commission_3_7_what_cards_count_and_the_higher_count_wins() -> None:
    assert (SHEET.play.values_rule, SHEET.play.winner_rule) == ("3.7", "3.7")
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
        9 8 K K   | player 100 | win 1:1 200 100 4.1.1
                  | banker 100 | lose - 0 -100 3.7
        A 7 K K K | player 100 | lose - 0 -100 3.7
                  | banker 100 | win 1:1 200 100 4.1.1
        """,
    )


def test_non_commission_3_8_a_tie_returns_original_bets_and_no_others() -> None:
    assert SHEET.play.tie_rule == "3.8"
    settles(
        GAME,
        """
        8 8 K K | player 100      | returned - 100 0 3.8
                | banker 100      | returned - 100 0 3.8
                | player-pair 100 | lose - 0 -100 3.4
        6 6 K K | banker 333      | returned - 333 0 3.8
        """,
    )


# ------------------------------------------------------------------------------------------- 4 settlement


def printed(seen: Seen) -> list[tuple[str, bool, str]]:
    return [
        ("player", seen.winner == "player", "1:1"),
        ("player", seen.winner == "tie", "returned"),
        ("banker", seen.winner == "banker" and seen.banker == 6, "1:2"),
        ("banker", seen.winner == "banker" and seen.banker != 6, "1:1"),
        ("banker", seen.winner == "tie", "returned"),
        ("tie", seen.winner == "tie", "8:1"),
        ("player-pair", seen.player_pair != "", "11:1"),
        ("banker-pair", seen.banker_pair != "", "11:1"),
    ]


def test_non_commission_4_1_1_the_pay_table() -> None:
    pays_as_printed(GAME, printed)
    assert {line.rule for bet in SHEET.bets.values() for line in bet.pays} == {"4.1.1"}
    settles(
        GAME,
        """
        K 6 5 K K   | banker 400      | win 1:2 600 200 4.1.1
        K 6 5 K K   | banker 25       | win 1:2 37 12 4.1.1
        K 6 5 K K   | banker 1        | win 1:2 1 0 4.1.1
        7 8 K K     | banker 400      | win 1:1 800 400 4.1.1
        5 7 K K K   | banker 400      | win 1:1 800 400 4.1.1
        6 5 K K K   | player 400      | win 1:1 800 400 4.1.1
        9 7 K K     | player 400      | win 1:1 800 400 4.1.1
        8 8 K K     | tie 400         | win 8:1 3600 3200 4.1.1
        6 6 K K     | tie 400         | win 8:1 3600 3200 4.1.1
        4 9 4 K     | player-pair 400 | win 11:1 4800 4400 4.1.1
        3 6 5 6     | banker-pair 400 | win 11:1 4800 4400 4.1.1
        """,
    )


# ------------------------------------------------------------------------------------------- 5 what touches settlement


def test_non_commission_5_is_silent_on_limits_so_an_excess_goes_to_the_shift_manager() -> None:
    assert SHEET.limits is None
    assert (SHEET.authority.decides_otherwise, SHEET.authority.otherwise_rule) == (Role.SHIFT_MANAGER, None)
    settles(GAME, "9 7 K K | player 1001 | refused excess-not-ruled None", minimum=100, differential=1000)
    settles(GAME, "9 7 K K | player 1000 | win 1:1 2000 1000 4.1.1", minimum=100, differential=1000)
