"""The counts of a shoe, as boards and terminals show them."""

from __future__ import annotations

import pytest

from punto.roads.counts import ShoeCount, shoe_counts
from punto.rules.loader import GAMES, load
from punto.rules.notation import read_line

# A natural Player win with a Player pair; Banker on 6 with two cards; Banker on 6 with three; a tie on 6.
SHOE = ("4h 7d 4s Kc", "5h 6d Ks Kc 9h", "Kh 2d Qs 2c 5h 2s", "6h 6d Kd Kh")


def test_results_pairs_and_naturals_have_their_count_and_share() -> None:
    counts = shoe_counts([read_line(line).outcome for line in SHOE], load("commission"))
    assert counts == (
        ShoeCount("banker", 2, 500),
        ShoeCount("player", 1, 250),
        ShoeCount("tie", 1, 250),
        ShoeCount("banker-pair", 1, 250),
        ShoeCount("player-pair", 1, 250),
        ShoeCount("natural", 1, 250),
    )


def test_a_side_bet_of_the_sheet_is_counted_by_what_it_wins_on() -> None:
    counts = shoe_counts([read_line(line).outcome for line in SHOE], load("da-hu-ying-xiong"))
    of_sheet = {each.of: each.count for each in counts[6:]}
    assert of_sheet == {"tiger": 2, "big-tiger": 1, "small-tiger": 1, "tiger-tie": 1, "tiger-pair": 2}


@pytest.mark.parametrize("game", GAMES)
def test_a_new_shoe_has_no_shares(game: str) -> None:
    counts = shoe_counts([], load(game))
    assert {(each.count, each.share_permille) for each in counts} == {(0, 0)}
    assert len({each.of for each in counts}) == len(counts)
