"""A sheet from parsed TOML: what may be left out, what is refused and where, and the one line that it comes to."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from punto.rules.reasons import Problem
from punto.rules.sheet import Authority, Boxes, Role, Sheet
from punto.rules.sheet_reader import read_sheet
from punto.rules.toml_table import Problems, SheetError, TomlTable
from tests.table_kit import sheet_text

Data = dict[str, Any]


def data() -> Data:
    return tomllib.loads(sheet_text("da-hu-ying-xiong"))


def read(changed: Data) -> Sheet:
    return read_sheet(changed, "own.toml")


def test_parts_that_a_sheet_may_leave_out() -> None:
    left_out = ("short", "effective", "version", "boxes", "limits", "insurance", "irregularities", "authority", "zh")
    whole, sheet = read(data()), read({key: value for key, value in data().items() if key not in left_out})
    assert (sheet.title, sheet.short, sheet.effective, sheet.version) == (whole.title, whole.title, "", None)
    assert sheet.boxes == Boxes("", "", ())
    assert (sheet.limits, sheet.insurance, sheet.irregularities, sheet.zh) == (None, None, {}, {})
    assert sheet.authority == Authority(Role.SHIFT_MANAGER)
    assert (sheet.missing, whole.missing) == (("boxes", "irregularities", "authority"), ())
    assert (sheet.bets, sheet.play, sheet.decks) == (whole.bets, whole.play, whole.decks)
    assert (whole.short, whole.effective) == (data()["short"], data()["effective"])


def test_an_error_of_the_code_is_not_taken_for_a_problem_of_the_sheet() -> None:
    def make() -> Any:
        raise TypeError("of the code")

    with pytest.raises(TypeError, match="of the code"):
        TomlTable(Problems("own.toml"), "t", {}, {}).build(make)


def test_what_a_sheet_says_is_one_line_of_json_in_the_order_of_its_keys() -> None:
    sheet = read(data())
    backwards = read(dict(reversed(data().items())))
    assert sheet.canonical == backwards.canonical
    assert sheet.fingerprint == backwards.fingerprint
    assert json.loads(sheet.canonical) == data()
    assert sheet.canonical.startswith('{"authority":{')
    assert '"Tiger Pair":"虎对"' in sheet.canonical
    assert "\n" not in sheet.canonical


def set_(*path: Any, to: Any) -> Callable[[Data], None]:
    def change(sheet: Data) -> None:
        for step in path[:-1]:
            sheet = sheet[step]
        sheet[path[-1]] = to

    return change


def twice(part: str) -> Callable[[Data], None]:
    return lambda sheet: sheet[part].append(sheet[part][0])


PROBLEMS: dict[str, tuple[Callable[[Data], None], list[tuple[str, Problem, tuple[str, ...]]]]] = {
    "a removal": (set_("remove", to="x"), [("remove", Problem.REMOVE_UNKNOWN, ("'x'",))]),
    "two removals": (
        set_("remove", to=["x", 5]),
        [("remove", Problem.REMOVE_UNKNOWN, ("'x'",)), ("remove", Problem.REMOVE_UNKNOWN, ("5",))],
    ),
    "no removal": (set_("remove", to=[]), []),
    "what it extends": (set_("extends", to=5), [("extends", Problem.NOT_EXTENDED, ("5",))]),
    "no paragraphs": (set_("paragraphs", to={}), [("paragraphs", Problem.PARAGRAPHS_MISSING, ())]),
    "paragraphs that are text": (set_("paragraphs", to="3"), [("paragraphs", Problem.PARAGRAPHS_MISSING, ())]),
    "a paragraph without text": (
        set_("paragraphs", "3.3", to=5),
        [("paragraphs.3.3", Problem.NOT_TEXT, ("5",))],
    ),
    "a date": (
        set_("effective", to=date(2020, 1, 2)),
        [("effective", Problem.NOT_TEXT, ("datetime.date(2020, 1, 2)",))],
    ),
    "an id of an insurance bet": (
        set_("bets", 3, "id", to="banker-insurance"),
        [("bets.banker-insurance.id", Problem.ID_TAKEN, ("'banker-insurance'",))],
    ),
    "a bet twice": (
        twice("bets"),
        [("bets.player.id", Problem.ID_TAKEN, ("'player'",))],
    ),
    "an irregularity twice": (
        twice("irregularities"),
        [("irregularities.excess-bets.id", Problem.ID_TAKEN, ("'excess-bets'",))],
    ),
    "a third original bet": (set_("bets", 2, "hand", to="player"), [("bets", Problem.ORIGINAL_BETS, ())]),
    "a hand that is none": (
        set_("bets", 0, "hand", to="dealer"),
        [("bets.player.hand", Problem.NOT_A_CHOICE, ("'dealer'",))],
    ),
    "a blank translation": (set_("zh", "Player", to=" "), [("zh.Player", Problem.NOT_TEXT, ("' '",))]),
    "a translation of nothing": (set_("zh", "Dragon", to="龙"), [("zh.Dragon", Problem.TRANSLATION_UNUSED, ())]),
    "a translation of a translation": (
        lambda sheet: sheet["zh"].update({"闲": "xian"}),
        [("zh.闲", Problem.TRANSLATION_UNUSED, ())],
    ),
    "decks that are a number": (set_("decks", to=5), [("decks", Problem.NOT_A_TABLE, ("5",))]),
    "decks out of order": (set_("decks", "minimum", to=11), [("decks", Problem.DECKS_NOT_IN_ORDER, ("11", "10"))]),
    "no decks at all": (set_("decks", "minimum", to=0), [("decks.minimum", Problem.NOT_A_NUMBER, ("0",))]),
    "a number that is a flag": (
        set_("decks", "maximum", to=True),
        [("decks.maximum", Problem.NOT_A_NUMBER, ("True",))],
    ),
    "an unknown paragraph": (set_("decks", "rule", to="9.9"), [("decks.rule", Problem.PARAGRAPH_UNKNOWN, ("'9.9'",))]),
    "a key with a slip": (
        lambda sheet: sheet["decks"].update(rul=sheet["decks"].pop("rule")),
        [("decks.rule", Problem.KEY_MISSING, ()), ("decks.rul", Problem.KEY_UNKNOWN, ())],
    ),
    "a blank name": (set_("effective", to=" "), [("effective", Problem.NOT_TEXT, ("' '",))]),
    "an id with a blank": (set_("id", to="a b"), [("id", Problem.NOT_AN_ID, ("'a b'",))]),
    "an id in capitals": (set_("id", to="A"), [("id", Problem.NOT_AN_ID, ("'A'",))]),
    "a flag that is a number": (
        set_("bets", 0, "first-fits", to=1),
        [("bets.player.first-fits", Problem.NOT_A_FLAG, ("1",))],
    ),
    "odds": (
        set_("bets", 0, "pays", 0, "odds", to="3"),
        [("bets.player.pays[0].odds", Problem.NOT_ODDS, ("'3'",))],
    ),
    "bets that are one": (set_("bets", to=3), [("bets", Problem.NOT_TABLES, ("3",))]),
    "a bet that is a number": (set_("bets", 2, to=3), [("bets[2]", Problem.NOT_A_TABLE, ("3",))]),
    "insurance points": (
        set_("insurance", "rows", 0, "player", to=10),
        [("insurance.rows[0].player", Problem.NOT_POINTS, ("10",))],
    ),
    "a set": (set_("version", to={"a"}), [("version", Problem.NOT_TEXT, ("{'a'}",))]),
}


@pytest.mark.parametrize(("change", "expected"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_wrong_is_told_where_it_is(
    change: Callable[[Data], None], expected: list[tuple[str, Problem, tuple[str, ...]]]
) -> None:
    changed = data()
    change(changed)
    found: list[tuple[str, str, tuple[str, ...]]] = []
    try:
        assert read(changed).title == data()["title"]
    except SheetError as error:
        found = [(each.where, each.problem, each.given) for each in error.refusals]
        assert {each.source for each in error.refusals} == {"own.toml"}
    assert found == expected
