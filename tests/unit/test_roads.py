"""Each convention of the roads, by a worked example."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from punto.roads.data import to_data
from punto.roads.roads import Roads
from punto.rules.outcome import Winner
from tests.roads_support import colours, places, shoe


def roads(text: str) -> Roads:
    return Roads.of(shoe(text))


# ------------------------------------------------------------------------------------------- big road


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


def test_derived_roads_worked_through_one_shoe() -> None:
    # Columns: BB P BBB PP B PP, lengths 2 1 3 2 1 2; worked out by hand.
    all_ = roads("BB P BBB PP B PP")
    assert colours(all_.big_eye_boy) == "bbr" + "br" + "b" + "bb"
    assert colours(all_.small_road) == "rb" + "bb" + "b" + "br"
    assert colours(all_.cockroach_pig) == "r" + "r" + "rr"
    assert places(all_.big_eye_boy) == [(0, 0), (0, 1), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2)]


# ------------------------------------------------------------------------------------------- next hand


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
