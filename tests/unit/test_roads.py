"""Each convention of the roads, by a worked example."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from punto.roads.data import to_data
from punto.roads.path import Colour
from punto.roads.roads import NextHand, Roads
from punto.rules.outcome import Winner
from tests.roads_support import colours, places, shoe


def roads(text: str) -> Roads:
    return Roads.of(shoe(text))


# ------------------------------------------------------------------------------------------- bead plate


def test_bead_plate_marks_the_pairs_of_every_round() -> None:
    cells = roads("B' P, T', B").bead_plate
    assert [(cell.banker_pair, cell.player_pair) for cell in cells] == [
        (True, False),
        (False, True),
        (True, True),
        (False, False),
    ]


# ------------------------------------------------------------------------------------------- big road


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("BBPB", [(0, 0), (0, 1), (1, 0), (2, 0)]),  # a column starts when the winner changes
        ("BBBBBBBB", [(0, 5), (1, 5), (2, 5)]),  # after six rows it turns right
        ("B" * 8 + "P" * 7, [(1, 3), (1, 4), (2, 4), (3, 4)]),  # under a tail it turns on the lowest free row
        # Banker's tail takes (1, 5) only; Player's turns at (1, 4) and does not drop at column 2.
        ("B" * 7 + "P" * 8, [(2, 4), (3, 4), (4, 4)]),
        ("B" * 7 + "P" + "B" * 6, [(2, row) for row in range(6)]),  # beyond a tail there are all six rows
        # Tails up to the top push the next column right.
        (
            "B" * 10 + "P" * 9 + "B" * 8 + "P" * 7 + "B" * 6 + "P" * 5 + "B",
            [(5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0)],
        ),
    ],
)
def test_the_columns_and_tails_of_the_big_road(text: str, last: list[tuple[int, int]]) -> None:
    cells = roads(text).big_road
    assert places(cells)[-len(last) :] == last
    assert colours(cells) == text.replace("B", "r").replace("P", "b")


def test_big_road_tie_sits_on_the_last_result() -> None:
    assert [(cell.round, cell.ties) for cell in roads("BTPTTTB").big_road] == [(1, 1), (3, 3), (7, 0)]


def test_big_road_ties_before_the_first_result_wait_and_then_sit_on_it() -> None:
    early = roads("TT")
    assert (early.big_road, early.ties_waiting) == ((), 2)
    later = early.append(shoe("P")[0])
    assert ([cell.ties for cell in later.big_road], later.ties_waiting) == ([2], 0)
    assert [cell.ties for cell in later.append(shoe("T")[0]).big_road] == [3]


def test_big_road_marks_the_pairs_of_its_own_round_not_of_a_tie_on_it() -> None:
    first, second = roads("B T', P,").big_road
    assert (first.banker_pair, first.player_pair, first.ties) == (False, False, 1)
    assert (second.banker_pair, second.player_pair) == (False, True)


# ------------------------------------------------------------------------------------------- derived roads

STARTS = [
    # road, shoe, round of its first mark, its colour
    ("big_eye_boy", "BBPP", 4, "r"),  # column 2 row 2: column 1 is at least as long
    ("big_eye_boy", "BPP", 3, "b"),  # column 2 row 2: one longer than column 1
    ("big_eye_boy", "BPB", 3, "r"),  # column 3 row 1: columns 2 and 1 equal
    ("big_eye_boy", "BBPB", 4, "b"),  # column 3 row 1: columns 2 and 1 differ
    ("small_road", "BBPBB", 5, "r"),  # column 3 row 2 against column 1
    ("small_road", "BPBB", 4, "b"),
    ("small_road", "BPPBP", 5, "r"),  # column 4 row 1: columns 3 and 1 equal
    ("small_road", "BBPBP", 5, "b"),
    ("cockroach_pig", "BBPBPP", 6, "r"),  # column 4 row 2 against column 1
    ("cockroach_pig", "BPBPP", 5, "b"),
    ("cockroach_pig", "BPPBPB", 6, "r"),  # column 5 row 1: columns 4 and 1 equal
    ("cockroach_pig", "BBPBPB", 6, "b"),
]


@pytest.mark.parametrize(("road", "text", "round_", "colour"), STARTS)
def test_derived_road_starts_where_it_should(road: str, text: str, round_: int, colour: str) -> None:
    cells = getattr(roads(text), road)
    assert [(cell.round, cell.column, cell.row) for cell in cells] == [(round_, 0, 0)]
    assert colours(cells) == colour
    assert getattr(roads(text[:-1]), road) == ()


def test_derived_roads_worked_through_one_shoe() -> None:
    # Columns: BB P BBB PP B PP, lengths 2 1 3 2 1 2; worked out by hand.
    all_ = roads("BB P BBB PP B PP")
    assert colours(all_.big_eye_boy) == "bbr" + "br" + "b" + "bb"
    assert colours(all_.small_road) == "rb" + "bb" + "b" + "br"
    assert colours(all_.cockroach_pig) == "r" + "r" + "rr"
    assert places(all_.big_eye_boy) == [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2)]


# ------------------------------------------------------------------------------------------- next hand


def test_next_hand_rows_worked_example() -> None:
    # Columns BB P BB: Banker would make column 3 three deep, Player would open column 4.
    asked = roads("BB P BB")
    assert asked.next_hand(Winner.BANKER) == NextHand(Colour.RED, Colour.BLUE, None)
    assert asked.next_hand(Winner.PLAYER) == NextHand(Colour.BLUE, Colour.RED, None)


def test_next_hand_refuses_a_tie() -> None:
    with pytest.raises(ValueError, match="tie"):
        roads("B").next_hand(Winner.TIE)


# ------------------------------------------------------------------------------------------- the value


def test_a_very_long_shoe_can_be_read_compared_and_copied() -> None:
    long = roads("BPPTB" * 4_000)
    assert len(long.big_road) == 16_000
    assert pickle.loads(pickle.dumps(long)) == copy.deepcopy(long) == long  # noqa: S301 — our own bytes


def test_data_holds_every_cell_and_survives_json() -> None:
    data = to_data(roads("T B' T P, P"))
    assert json.loads(json.dumps(data)) == data
    assert data["results"] == {"banker": 1, "player": 2, "tie": 2}
    assert data["roads"]["big_road"] == [
        {"round": 2, "column": 0, "row": 0, "colour": "red", "ties": 2, "marks": ["banker-pair"]},
        {"round": 4, "column": 1, "row": 0, "colour": "blue", "ties": 0, "marks": ["player-pair"]},
        {"round": 5, "column": 1, "row": 1, "colour": "blue", "ties": 0, "marks": []},
    ]
    assert [cell["colour"] for cell in data["roads"]["bead_plate"]] == ["green", "red", "green", "blue", "blue"]
    assert data["roads"]["big_eye_boy"] == [
        {"round": 5, "column": 0, "row": 0, "colour": "blue", "ties": 0, "marks": []}
    ]
    assert data["next_hand"]["banker"] == {"big_eye_boy": "blue", "small_road": None, "cockroach_pig": None}
    assert data["next_hand"]["player"] == {"big_eye_boy": "red", "small_road": None, "cockroach_pig": None}
    assert "not information" in data["note"]
