"""What one sheet alone says of bets and their settlement: each test is named by sheet and paragraph."""

from __future__ import annotations

from punto.rules.loader import load
from tests.rulebook.tables import settles

TERMINALS, EASY_SIX, TIGER = "non-commission", "easy-six", "da-hu-ying-xiong"


def test_non_commission_1_bets_are_placed_on_player_terminals() -> None:
    assert load(TERMINALS).boxes.most is None  # a box is a terminal, and the sheet sets no number of them
    settles(
        TERMINALS,
        """
        9 7 K K | ann@150 player 100 | win 1:1 200 100 4.1.1
        9 7 K K | ann@0 tie 1        | refused box-unknown 2.1.1
        """,
    )


# ------------------------------------------------------------------------------------------- easy-six


def test_easy_six_1_player_is_paid_more_on_6() -> None:
    settles(
        EASY_SIX,
        """
        9 7 K K     | player 1000 | win 1:1 2000 1000 4.1.1
        6 5 K K K   | player 1000 | win 1.05:1 2050 1050 4.1.1
        K 2 5 K A 3 | player 1000 | win 1.05:1 2050 1050 4.1.1
        """,
    )


def test_easy_six_1_easy_six_is_a_win_or_a_tie_on_6_and_nothing_else() -> None:
    settles(
        EASY_SIX,
        """
        K 6 5 K K   | easy-six 100 | win 6:1 700 600 4.1.1
        K 2 5 K K 4 | easy-six 100 | win 6:1 700 600 4.1.1
        6 5 K K K   | easy-six 100 | win 6:1 700 600 4.1.1
        K 2 5 K A 3 | easy-six 100 | win 6:1 700 600 4.1.1
        6 6 K K     | easy-six 100 | win 6:1 700 600 4.1.1
        6 7 K K     | easy-six 100 | lose - 0 -100 1
        7 6 K K     | easy-six 100 | lose - 0 -100 1
        7 7 K K     | easy-six 100 | lose - 0 -100 1
        """,
    )


def test_easy_six_4_1_1_sixes_pay_apart() -> None:
    settles(
        EASY_SIX,
        """
        6 9 6 K     | player-pair 400 | win 13:1 5600 5200 4.1.1
        6 9 K 6 K   | player-pair 400 | lose - 0 -400 3.4
        """,
    )


# ------------------------------------------------------------------------------------------- da-hu-ying-xiong


def test_da_hu_ying_xiong_1_3_big_tiger_is_a_banker_win_on_6_with_three_cards() -> None:
    settles(
        TIGER,
        """
        K 2 5 K K 4 | big-tiger 100 | win 50:1 5100 5000 4.1.1
        6 5 K K A   | big-tiger 100 | lose - 0 -100 1.3
        K 6 5 K K   | big-tiger 100 | lose - 0 -100 1.3
        7 2 K K 4   | big-tiger 100 | lose - 0 -100 1.3
        6 6 K K     | big-tiger 100 | lose - 0 -100 1.3
        """,
    )


def test_da_hu_ying_xiong_1_20_small_tiger_is_a_banker_win_on_6_with_two_cards() -> None:
    settles(
        TIGER,
        """
        K 6 5 K K   | small-tiger 100 | win 22:1 2300 2200 4.1.1
        K 2 5 K K 4 | small-tiger 100 | lose - 0 -100 1.20
        K 7 5 K K   | small-tiger 100 | lose - 0 -100 1.20
        6 6 K K     | small-tiger 100 | lose - 0 -100 1.20
        """,
    )


def test_da_hu_ying_xiong_1_23_tiger_is_a_banker_win_on_6_with_two_or_three_cards() -> None:
    settles(
        TIGER,
        """
        K 6 5 K K   | tiger 100 | win 12:1 1300 1200 4.1.1
        K 2 5 K K 4 | tiger 100 | win 20:1 2100 2000 4.1.1
        7 6 K K     | tiger 100 | lose - 0 -100 1.23
        6 6 K K     | tiger 100 | lose - 0 -100 1.23
        """,
    )


def test_da_hu_ying_xiong_1_24_tiger_tie_is_a_tie_on_6() -> None:
    settles(
        TIGER,
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
        TIGER,
        """
        4 9 4 K     | tiger-pair 100 | win 4:1 500 400 4.1.1
        4 3 4 3     | tiger-pair 100 | win 20:1 2100 2000 4.1.1
        T K T K 5 2 | tiger-pair 100 | win 20:1 2100 2000 4.1.1
        K K K K 5 2 | tiger-pair 100 | win 100:1 10100 10000 4.1.1
        9 9 K K     | tiger-pair 100 | lose - 0 -100 1.25
        T K K T 5 2 | tiger-pair 100 | lose - 0 -100 1.25
        4 4 9 K 4 4 | tiger-pair 100 | lose - 0 -100 1.25
        """,
    )


def test_da_hu_ying_xiong_4_1_2_insurance_is_lost_where_banker_wins_half() -> None:
    settles(
        TIGER,
        """
        5 6 6 K 9 | ann*@1 banker 10000                     | win 1:2 15000 5000 4.1.1
                  | ann*@1 banker-insurance 3000 four-cards | lose 3:1 0 -3000 4.1.2
        """,
    )


def test_da_hu_ying_xiong_5_1_1_half_is_paid_pro_rata_and_side_bets_whole() -> None:
    settles(
        TIGER,
        """
        K 6 5 K K | ann*@1 banker 1500   | win 1:2 1875 375 4.1.1 | 750 5.1.1
                  | bob@1 banker 500     | win 1:2 625 125 4.1.1  | 250 5.1.1
        6 6 K K   | ann*@1 player 3000   | returned - 3000 0 3.17 | 1000 5.1.1
                  | ann@1 tiger-tie 5000 | win 35:1 180000 175000 4.1.1
        """,
        minimum=100,
        differential=1000,
    )
