"""Loading a sheet: what names one, what a file may be, what a sheet takes from another, and where its keys stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from punto.rules.bets import Condition
from punto.rules.loader import GAMES, MAX_BYTES, MAX_EXTENSIONS, load
from punto.rules.reasons import Problem, shorten
from punto.rules.refusals import GameUnknown, Refusal, Refused, SheetInvalid
from punto.rules.toml_table import SheetError

OWN = 'extends = "commission"\nid = "own"\ntitle = "Own"\n'


def refused(source: Any) -> Refusal:
    with pytest.raises(Refused) as caught:
        load(source)
    return caught.value.refusal


def invalid(source: Any) -> list[SheetInvalid]:
    with pytest.raises(SheetError) as caught:
        load(source)
    return list(caught.value.refusals)


# ------------------------------------------------------------------------------------------- what names a sheet


@pytest.mark.parametrize(
    ("source", "refusal"),
    [
        (5, GameUnknown("5", GAMES)),
        ("xyzzy", GameUnknown("'xyzzy'", GAMES)),
        ("comission", GameUnknown("'comission'", similar="commission")),
        ("nowhere.toml", GameUnknown("nowhere.toml", detail="No such file or directory")),
        ("no\\where", GameUnknown("no\\\\where", detail="No such file or directory")),
        ("no/where", GameUnknown("no/where", detail="No such file or directory")),
        (Path("where"), GameUnknown("where", detail="No such file or directory")),
        ("no\0where.toml", GameUnknown("no\\x00where.toml", problem=Problem.NOT_A_PATH)),
        ("é/" + "a" * 250 + ".toml", GameUnknown("\\xe9/" + "a" * 194 + "…", detail="No such file or directory")),
    ],
)
def test_what_names_no_sheet_is_refused(source: Any, refusal: Refusal) -> None:
    assert refused(source) == refusal


def test_a_folder_is_no_sheet(tmp_path: Path) -> None:
    assert refused(tmp_path) == GameUnknown(shorten(str(tmp_path), 200), problem=Problem.NOT_A_FILE)


def test_a_file_may_have_a_million_bytes_and_no_more(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    for size in (MAX_BYTES, MAX_BYTES + 1):
        file.write_text(OWN + "#" * (size - len(OWN)))
        assert file.stat().st_size == size
        if size == 1_000_000:
            assert load(file).id == "own"
        else:
            assert refused(file) == GameUnknown(str(file), problem=Problem.FILE_TOO_LARGE)


def test_eight_sheets_may_extend_each_other_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "0.toml").write_text(OWN)
    for number in range(1, 9):
        (tmp_path / f"{number}.toml").write_text(f'extends = "{number - 1}.toml"\nid = "own"\ntitle = "Own {number}"\n')
    assert MAX_EXTENSIONS == 8
    assert load(tmp_path / "7.toml").title == "Own 7", "it extends 6 to 0, and commission"
    assert invalid(tmp_path / "8.toml") == [
        SheetInvalid("7.toml", "extends", Problem.NOT_EXTENDED, ("'commission'",)),
    ]


# ------------------------------------------------------------------------------------------- what a sheet takes over


def test_a_sheet_never_takes_its_name_or_its_date_from_another() -> None:
    own = load(OWN)
    assert (own.id, own.title, own.short, own.effective, own.version) == ("own", "Own", "Own", "", None)
    assert [(each.where, each.problem) for each in invalid('extends = "commission"\n')] == [
        ("id", Problem.KEY_MISSING),
        ("title", Problem.KEY_MISSING),
    ]


def test_translations_stay_with_their_words() -> None:
    base, own = load("commission"), load(OWN + 'remove = ["bets.tie"]\n[zh]\nOwn = "自"\n')
    assert own.zh["Player"] == base.zh["Player"]
    assert own.zh["Own"] == "自"
    gone = {"Commission Baccarat", "Five per cent commission on Banker", "Tie wins"} & base.zh.keys()
    assert gone
    assert not gone & own.zh.keys()


def test_a_word_that_is_its_own_translation_goes_with_what_said_it(tmp_path: Path) -> None:
    (tmp_path / "named.toml").write_text(OWN + '[[bets]]\nid = "tie"\nname = "Égalité"\n[zh]\n"Égalité" = "Égalité"\n')
    (tmp_path / "own.toml").write_text('extends = "named.toml"\nid = "o"\ntitle = "O"\nremove = ["bets.tie"]\n')
    assert load(tmp_path / "named.toml").zh["Égalité"] == "Égalité"
    assert "Égalité" not in load(tmp_path / "own.toml").zh


def test_a_condition_is_replaced_whole() -> None:
    sheet = load(OWN + '[[bets]]\nid = "player"\nreturned.when = { banker-points = 8, margin = 8 }\n')
    assert sheet.bets["player"].returned == Condition.parse({"banker-points": 8, "player-points": 0})
    assert sheet.bets["player"].returned_rule == load("commission").bets["player"].returned_rule


@pytest.mark.parametrize("name", ["decks.rule.2", "decks.minimum.2", "bets.tie.colour", "bets.dragon", "colour"])
def test_what_is_not_there_cannot_be_removed(name: str) -> None:
    [refusal] = invalid(OWN + f'remove = ["{name}"]\n')
    assert (refusal.where, refusal.problem, refusal.given) == ("remove", Problem.REMOVE_UNKNOWN, (repr(name),))
