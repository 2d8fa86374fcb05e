"""A sheet of one's own: it extends another, and all that is wrong with it is told at once, line by line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cli.check_sheet import run as check_sheet
from punto.cli.commands.rules import CheckSheet
from punto.rules.loader import load
from punto.rules.reasons import Problem
from punto.rules.toml_lines import lines_of
from punto.rules.toml_table import SheetError
from punto.texts import say
from tests.table_kit import sheet_text

LUCKY = """
extends = "commission"
id = "lucky"
title = "Lucky Commission"

[[bets]]
id = "banker"
pays = [{ says = "Banker wins", when = { winner = "banker" }, odds = "0.96:1", rule = "4.1.2" }]

[[bets]]
id = "lucky"
name = "Lucky"
rule = "3.7"
lost = "3.13"
pays = [{ says = "Banker wins by one", when = { winner = "banker", margin = 1 }, odds = "3:1", rule = "4.1.2" }]
"""


def problems(sheet: str) -> list[str]:
    with pytest.raises(SheetError) as caught:
        load(sheet)
    return [say(each) for each in caught.value.refusals]


def test_a_sheet_that_extends_another_changes_what_it_names() -> None:
    sheet, base = load(LUCKY), load("commission")
    assert list(sheet.bets) == [*base.bets, "lucky"]
    assert sheet.bets["banker"].pays[0].odds.text == "0.96:1"
    assert sheet.bets["banker"].returned == base.bets["banker"].returned
    assert sheet.bets["player"] == base.bets["player"]
    assert (sheet.irregularities, sheet.play, sheet.missing) == (base.irregularities, base.play, ())
    assert (sheet.id, sheet.title, sheet.short, sheet.effective) == (
        "lucky",
        "Lucky Commission",
        "Lucky Commission",
        "",
    )


def test_a_base_that_is_not_there_is_like_a_file_beside(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(LUCKY)
    (tmp_path / "other.toml").write_text('# other\nextends = "mein.toml"\n')
    assert (
        problems(str(tmp_path / "other.toml"))[0]
        .partition("extends: ")[2]
        .startswith("no game or sheet is called this; given: 'mein.toml'; did you mean mine.toml?")
    )


def test_a_missing_part_is_one_problem() -> None:
    for part in ("decks", "play", "bets", "paragraphs"):
        sheet = tomllib.loads(sheet_text("gallery/baccarat"))
        del sheet[part]
        with pytest.raises(SheetError) as caught:
            load(sheet)
        assert [each.where for each in caught.value.refusals] == [part]


@pytest.mark.parametrize(
    ("text", "line"),
    [('id = "x"\ntitle = \n', 2), ('id = "x"\ntitle = "y', 2), ('id = "x"\n\nid = "y"', 3), ("a = [1,\n2", 2)],
)
def test_what_is_no_toml_has_its_line(text: str, line: int) -> None:
    with pytest.raises(SheetError) as caught:
        load(text)
    (refusal,) = caught.value.refusals
    assert (refusal.problem, refusal.line) == (Problem.NOT_TOML, line)


def test_what_is_not_utf_8_has_its_line(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes('id = "x"\ntitle = "Égalité"'.encode("latin-1"))
    with pytest.raises(SheetError) as caught:
        load(tmp_path / "latin.toml")
    assert caught.value.refusals[0].line == 2


@pytest.mark.parametrize(
    ("key", "problem"),
    [
        ("suit", Problem.BEYOND_SUITS),
        ("three-of-a-kind", Problem.BEYOND_RANKS),
        ("third-card", Problem.BEYOND_THIRD_CARDS),
        ("banker-draws", Problem.BEYOND_DRAWING),
        ("streak", Problem.BEYOND_THE_ROUND),
    ],
)
def test_what_a_sheet_cannot_say_is_refused_by_name(key: str, problem: Problem) -> None:
    for text, where in (
        (LUCKY.replace("margin = 1", f'{key} = "s"'), f"bets.lucky.pays[0].when.{key}"),
        (LUCKY.replace("[[bets]]", f'[play]\n{key} = "s"\n[[bets]]', 1), f"play.{key}"),
    ):
        if where.startswith("bets") or problem is Problem.BEYOND_DRAWING:
            with pytest.raises(SheetError) as caught:
                load(text)
            assert [(each.where, each.problem) for each in caught.value.refusals] == [(where, problem)]


def test_sheets_extend_each_other_by_path_and_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.toml").write_text(LUCKY)
    (tmp_path / "b.toml").write_text('extends = "own/a.toml"\nid = "b"\ntitle = "B"\n')
    assert list(load(tmp_path / "b.toml").bets) == list(load(LUCKY).bets)
    (tmp_path / "own" / "a.toml").write_text('extends = "../b.toml"\nid = "a"\ntitle = "A"\n')
    with pytest.raises(SheetError) as caught:
        load(tmp_path / "b.toml")
    assert "extends: must name one sheet" in say(caught.value.refusal)


def test_a_changed_file_is_never_stale(tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text("id = 1")
    assert len(problems(str(file))) > 3
    file.write_text(LUCKY)
    assert load(str(file)).bets["lucky"].pays[0].odds.text == "3:1"
    file.write_text(LUCKY.replace("3:1", "4:1"))
    assert load(str(file)).bets["lucky"].pays[0].odds.text == "4:1"


def test_path_text_and_mapping_give_the_same_sheet(tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text(LUCKY)
    assert load(LUCKY) == load(file) == load(str(file)) == load(tomllib.loads(LUCKY))
    assert load(LUCKY).fingerprint == load(file).fingerprint != load("commission").fingerprint


def test_every_problem_is_told_at_once_with_its_line() -> None:
    wrong = (
        LUCKY.replace('title = "Lucky Commission"', 'titel = "Lucky Commission"')
        .replace('lost = "3.13"', "lost = 3.13")
        .replace("margin = 1", "margins = 1, pairs = 7")
        .replace('odds = "0.96:1"', 'odds = "0.96"')
    )
    assert [
        told.partition("; there are paragraphs")[0].partition("; there are winner")[0] for told in problems(wrong)
    ] == [
        "sheet: title: is missing.",
        "sheet, line 4: titel: is not a known key of this table; did you mean title?",
        "sheet, line 8: bets.banker.pays[0].odds: must be a ratio such as 12:1, 1:2 or 0.95:1; given: '0.96'.",
        "sheet, line 14: bets.lucky.lost: must be text; given: 3.13.",
        "sheet, line 15: bets.lucky.pays[0].when.margins: is not a condition; did you mean margin?",
        "sheet, line 15: bets.lucky.pays[0].when.pairs: must be one of the known values; given: 7; there are 0, 1, 2.",
    ]


def paths(value: Any, path: str = "") -> Iterator[str]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        inner = f"{path}[{key}]" if isinstance(value, list) else f"{path}.{key}".strip(".")
        yield inner
        yield from paths(item, inner)


KEYS = st.text("abc-", min_size=1, max_size=3)
VALUES = st.recursive(
    st.sampled_from(["1", '"a # b"', "'[x]'", '"""two\nlines = 3"""', "1.5", "true", "2020-01-01", '"\\""']),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[\n" + ", # note\n".join(items) + "]")
        | st.dictionaries(KEYS, inner, max_size=3).map(
            lambda d: "{" + ", ".join(f"{k} = {v}" for k, v in d.items()) + "}"
        )
    ),
    max_leaves=6,
)
TABLES = st.dictionaries(KEYS, VALUES, max_size=3)


@given(TABLES, st.dictionaries(KEYS, TABLES, max_size=3), st.lists(TABLES, max_size=3))
def test_the_lines_of_any_toml_are_found(top: Any, tables: Any, items: Any) -> None:
    def pairs(table: dict[str, str]) -> list[str]:
        return [f"{key} = {value}" for key, value in table.items()]

    named = {key: table for key, table in tables.items() if key not in top}
    written = [*pairs(top), *[line for key, each in named.items() for line in ("", f"[{key}]", *pairs(each))]]
    written += [line for each in items for line in ("[[x.items]]", *pairs(each))]
    text = "\n".join(written)
    data = tomllib.loads(text)
    found = lines_of(text)
    assert set(found) | {"x"} == set(paths(data)) | {"x"}
    rows = text.split("\n")
    for path, line in found.items():
        if not path.endswith("]"):
            assert path.rpartition(".")[2] in rows[line - 1]


# Each puts a table with a problem before the parts that are read after it.
NESTED = {
    "a returned bet": ("bets", {"returned": {"when": {"winner": "nobody"}, "says": "Tie", "rule": "3.3"}}),
    "the waiver of insurance": ("insurance", {"waiver": {"by": "nobody", "rule": "3.9"}}),
    "who decides otherwise": ("authority", {"otherwise": {"decides": "nobody"}}),
}


@pytest.mark.parametrize(("part", "change"), NESTED.values(), ids=NESTED)
def test_a_problem_in_a_nested_table_hides_and_invents_none(part: str, change: dict[str, Any]) -> None:
    data = tomllib.loads(sheet_text("da-hu-ying-xiong"))
    data["limits"]["shown"] = "no such paragraph"  # a problem of its own, which must be found too
    (data["bets"][0] if part == "bets" else data[part]).update(change)
    with pytest.raises(SheetError) as caught:
        load(data)
    found = {(each.where.rpartition(".")[2], each.problem) for each in caught.value.refusals}
    assert ("shown", Problem.PARAGRAPH_UNKNOWN) in found
    assert Problem.NOT_A_CHOICE in {problem for _, problem in found}
    assert Problem.KEY_UNKNOWN not in {problem for _, problem in found}


def test_a_number_with_thousands_of_digits_is_no_toml() -> None:
    with pytest.raises(SheetError) as caught:
        load(LUCKY + f"\nmany = {'9' * 5_000}\n")
    assert [each.problem for each in caught.value.refusals] == [Problem.NOT_TOML]


def test_a_sheet_for_more_decks_than_can_be_counted_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text(LUCKY + "[decks]\nmaximum = 12\n")
    assert check_sheet(CheckSheet(str(tmp_path / "mine.toml"))) == 0
    assert "12" in capsys.readouterr().out


def circular() -> dict[str, Any]:
    data: dict[str, Any] = {"extends": "commission"}
    data["play"] = data
    return data


@pytest.mark.parametrize(
    "data", [circular(), {"play": circular()["play"]}, {"a": {1: 2, "b": 3}}, {"a": 10**5_000}, {"a": {(1,): 2}}]
)
def test_a_mapping_that_json_cannot_say_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(SheetError) as caught:
        load(data)
    assert all(say(each) for each in caught.value.refusals)


def test_another_mapping_than_a_dict_can_be_loaded() -> None:
    data = tomllib.loads(sheet_text("commission"))
    assert load(MappingProxyType(data)) == load("commission")
