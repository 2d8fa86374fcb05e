"""Problems of a sheet: on which line each stands, and what is similar to it."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.reasons import Problem
from punto.rules.toml_table import UNREADABLE, Problems, SheetError, TomlTable, find_lines, item_names


def test_an_error_of_the_code_is_not_taken_for_a_problem_of_the_sheet() -> None:
    def make() -> Any:
        raise TypeError("of the code")

    with pytest.raises(TypeError, match="of the code"):
        TomlTable(Problems("own.toml"), "t", {}, {}).build(make)


def test_problems_come_in_the_order_of_their_lines() -> None:
    lines = {"t": 1, "t.b": 5, "t.c": 3, "t.list": 7, "t.list[1]": 8, "oth": 9}
    problems = Problems("own.toml", lambda: lines)
    for where in ("t.b", "t.c", "t.list[1].x", "t.list[2].y.z", "t.none", "other", ""):
        assert problems.add(where, Problem.KEY_MISSING) is UNREADABLE
    with pytest.raises(SheetError) as caught:
        problems.raise_all()
    assert [(each.where, each.line) for each in caught.value.refusals] == [
        ("other", None),
        ("", None),
        ("t.none", 1),
        ("t.c", 3),
        ("t.b", 5),
        ("t.list[2].y.z", 7),
        ("t.list[1].x", 8),
    ]


def test_what_is_similar_to_the_first_value_or_else_to_the_key_is_named() -> None:
    problems = Problems("own.toml")
    problems.add("t.hand", Problem.NOT_A_CHOICE, "'bank'", "'play'", known=("player", "banker"))
    problems.add("t.hnd", Problem.KEY_UNKNOWN, known=("rule", "hand"))
    problems.add("t.hnd", Problem.KEY_UNKNOWN, known=("rule",))
    with pytest.raises(SheetError) as caught:
        problems.raise_all()
    assert [each.similar for each in caught.value.refusals] == ["banker", "hand", ""]


def test_items_are_named_by_their_ids_or_places() -> None:
    items: list[object] = [{"id": "tie"}, {"id": "a b"}, {"id": 5}, {}, "tie", {"id": "big-6"}, {"id": "-"}]
    assert item_names(items) == [".tie", "[1]", "[2]", "[3]", "[4]", ".big-6", "[6]"]


def test_the_lines_of_a_text_by_the_paths_that_messages_use() -> None:
    text = 'a = 1\n[[bets]]\nid = "tie"\n[[bets]]\nname = "x"\npays = [\n  { odds = 1 },\n]\n'
    data = {"a": 1, "bets": [{"id": "tie"}, {"name": "x", "pays": [{"odds": 1}]}], "zh": {"from": "another"}}
    assert find_lines(text, data) == {
        "a": 1,
        "bets": 2,
        "bets.tie": 2,
        "bets.tie.id": 3,
        "bets[1]": 4,
        "bets[1].name": 5,
        "bets[1].pays": 6,
        "bets[1].pays[0]": 7,
        "bets[1].pays[0].odds": 7,
    }
