"""Reading the values of a table: what is taken, what is a problem, and on which line it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from punto.rules.hands import Hand
from punto.rules.money import Odds
from punto.rules.reasons import Problem
from punto.rules.refusals import SheetInvalid
from punto.rules.sheet import Decks
from punto.rules.toml_table import UNREADABLE, Problems, SheetError, TomlTable, find_lines, item_names

Reading = Callable[[TomlTable], object]
KNOWN = {"4.1": "A paragraph."}


def read(data: object, reading: Reading, lines: dict[str, int] | None = None) -> tuple[object, list[SheetInvalid]]:
    """What a reading makes of the table `t`, and its problems."""
    problems = Problems("own.toml", lambda: lines or {})
    value = reading(TomlTable(problems, "t", data, KNOWN))
    try:
        problems.raise_all()
    except SheetError as error:
        assert len(problems) == len(error.refusals)
        assert error.refusal is error.refusals[0]
        return value, list(error.refusals)
    assert len(problems) == 0
    return value, []


@pytest.mark.parametrize(
    ("data", "reading", "value"),
    [
        ({"a": 0}, lambda t: t.take("a"), 0),
        ({"a": " x "}, lambda t: t.text("a"), " x "),
        ({"id": "a-1"}, lambda t: t.id(), "a-1"),
        ({"a": 1}, lambda t: t.whole("a"), 1),
        ({"a": True}, lambda t: t.flag("a"), True),
        ({"a": False}, lambda t: t.flag("a"), False),
        ({}, lambda t: t.flag("a"), False),
        ({"rule": "4.1"}, lambda t: t.rule(), "4.1"),
        ({"rule": "4.1"}, lambda t: t.rule_if_any(), "4.1"),
        ({}, lambda t: t.rule_if_any("lost"), None),
        ({"a": "banker"}, lambda t: t.choice("a", Hand), Hand.BANKER),
        ({"a": "3:1"}, lambda t: t.made("a", Odds.parse), Odds(3, 1, "3:1")),
        ({"a": {"b": 7}}, lambda t: t.table("a").whole("b"), 7),
        ({"a": [{"b": 7}, {"b": 8}]}, lambda t: [each.whole("b") for each in t.tables("a")], [7, 8]),
        ({"a": []}, lambda t: t.tables("a"), []),
        ({"a": 1, "b": 2}, lambda t: ["a" in t, "c" in t, t.take("a"), t.left()], [True, False, 1, ["b"]]),
        ({"n": 4, "x": 8, "rule": "4.1"}, lambda t: t.build(lambda: decks(t)), Decks(4, 8, "4.1")),
    ],
)
def test_what_is_right_is_taken(data: object, reading: Reading, value: object) -> None:
    assert read(data, reading) == (value, [])


def decks(table: TomlTable) -> Decks:
    return Decks(table.whole("n"), table.whole("x"), table.rule())


def raising(error: Exception) -> Callable[[Any], object]:
    def make(_: Any) -> object:
        raise error

    return make


HANDS: dict[str, Any] = {"known": ("player", "banker"), "similar": "banker"}


@pytest.mark.parametrize(
    ("data", "reading", "where", "problem", "rest"),
    [
        ({}, lambda t: t.take("a"), "t.a", Problem.KEY_MISSING, {}),
        (5, lambda t: t.take("a"), "t", Problem.NOT_A_TABLE, {"given": ("5",)}),
        ([], lambda t: t.text("a"), "t", Problem.NOT_A_TABLE, {"given": ("[]",)}),
        ({"a": " "}, lambda t: t.text("a"), "t.a", Problem.NOT_TEXT, {"given": ("' '",)}),
        ({"a": 5}, lambda t: t.text("a"), "t.a", Problem.NOT_TEXT, {"given": ("5",)}),
        ({"id": "a b"}, lambda t: t.id(), "t.id", Problem.NOT_AN_ID, {"given": ("'a b'",)}),
        ({"id": "A"}, lambda t: t.id(), "t.id", Problem.NOT_AN_ID, {"given": ("'A'",)}),
        ({"id": 5}, lambda t: t.id(), "t.id", Problem.NOT_TEXT, {"given": ("5",)}),
        ({"a": 0}, lambda t: t.whole("a"), "t.a", Problem.NOT_A_NUMBER, {"given": ("0",)}),
        ({"a": True}, lambda t: t.whole("a"), "t.a", Problem.NOT_A_NUMBER, {"given": ("True",)}),
        ({"a": 1}, lambda t: t.flag("a"), "t.a", Problem.NOT_A_FLAG, {"given": ("1",)}),
        ({"rule": "4.2"}, lambda t: t.rule(), "t.rule", Problem.PARAGRAPH_UNKNOWN, {"given": ("'4.2'",)}),
        ({}, lambda t: t.rule("lost"), "t.lost", Problem.KEY_MISSING, {}),
        ({"a": "bank"}, lambda t: t.choice("a", Hand), "t.a", Problem.NOT_A_CHOICE, {"given": ("'bank'",), **HANDS}),
        ({}, lambda t: t.choice("a", Hand), "t.a", Problem.KEY_MISSING, {}),
        ({"a": "3"}, lambda t: t.made("a", Odds.parse), "t.a", Problem.NOT_ODDS, {"given": ("'3'",)}),
        ({}, lambda t: t.made("a", Odds.parse), "t.a", Problem.KEY_MISSING, {}),
        ({"a": 3}, lambda t: t.made("a", raising(ValueError())), "t.a", Problem.NOT_A_VALUE, {"given": ("3",)}),
        ({"a": 3}, lambda t: t.made("a", raising(TypeError())), "t.a", Problem.NOT_A_VALUE, {"given": ("3",)}),
        ({"a": 3}, lambda t: t.table("a"), "t.a", Problem.NOT_A_TABLE, {"given": ("3",)}),
        ({}, lambda t: t.table("a").take("b"), "t.a", Problem.KEY_MISSING, {}),
        ({"a": 3}, lambda t: t.tables("a"), "t.a", Problem.NOT_TABLES, {"given": ("3",)}),
        ({"a": [3]}, lambda t: t.tables("a"), "t.a[0]", Problem.NOT_A_TABLE, {"given": ("3",)}),
        (
            {"a": [{"id": "x", "b": 0}]},
            lambda t: t.tables("a")[0].whole("b"),
            "t.a.x.b",
            Problem.NOT_A_NUMBER,
            {"given": ("0",)},
        ),
    ],
)
def test_what_is_wrong_is_one_problem(
    data: object, reading: Reading, where: str, problem: Problem, rest: dict[str, Any]
) -> None:
    value, found = read(data, reading)
    assert found == [SheetInvalid("own.toml", where, problem, **rest)]
    assert value is UNREADABLE or isinstance(value, TomlTable | list)


def test_a_record_is_made_of_a_table_without_a_problem_and_without_a_key_too_many() -> None:
    right = {"n": 4, "x": 8, "rule": "4.1"}

    def build(table: TomlTable) -> Decks:
        return table.build(lambda: decks(table))

    for data, expected in (
        (right | {"colour": 1}, [("t.colour", Problem.KEY_UNKNOWN, (), ("n", "x", "rule"))]),
        (right | {"n": 9}, [("t", Problem.DECKS_NOT_IN_ORDER, ("9", "8"), ())]),
        (right | {"n": "4"}, [("t.n", Problem.NOT_A_NUMBER, ("'4'",), ())]),
        (
            right | {"n": 0, "x": 0, "rul": "4.1"},
            [
                ("t.n", Problem.NOT_A_NUMBER, ("0",), ()),
                ("t.x", Problem.NOT_A_NUMBER, ("0",), ()),
                ("t.rul", Problem.KEY_UNKNOWN, (), ("n", "x", "rule")),
            ],
        ),
    ):
        value, found = read(data, build)
        assert value is UNREADABLE
        assert [(each.where, each.problem, each.given, each.known) for each in found] == expected
    assert read(right | {"rul": "4.1"}, build)[1][0].similar == "rule"


def test_an_error_of_the_code_is_not_taken_for_a_problem_of_the_sheet() -> None:
    with pytest.raises(TypeError, match="of the code"):
        read({}, lambda t: t.build(lambda: raising(TypeError("of the code"))(None)))


def test_without_paragraphs_any_number_will_do() -> None:
    assert TomlTable(Problems("own.toml"), "", {"rule": "9"}, {}).rule() == "9"
    assert TomlTable(Problems("own.toml"), "", {}, {}).key("a") == "a"


def test_problems_come_in_the_order_of_their_lines() -> None:
    lines = {"t": 1, "t.b": 5, "t.c": 3, "t.list": 7, "t.list[1]": 8}
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


def test_a_missing_key_has_the_line_of_its_table_and_not_of_another_key_that_begins_alike() -> None:
    lines = {"t": 3, "deck": 5}
    assert [each.line for each in read({}, lambda t: t.take("a"), lines)[1]] == [3]
    problems = Problems("own.toml", lambda: lines)
    problems.add("decks", Problem.KEY_MISSING)
    with pytest.raises(SheetError) as raised:
        problems.raise_all()
    assert raised.value.refusals[0].line is None
