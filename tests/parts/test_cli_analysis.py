"""The commands of exact analysis, run as a user runs them."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from numba.core.caching import CacheImpl

from punto.analysis.compiled import compiled, say_once
from punto.rules.loader import load
from tests.unit.command import punto


def test_odds_writes_the_documented_json() -> None:
    status, out, _ = punto("odds", "commission-insurance", "--decks", "8", "--json")
    data = json.loads(out)
    assert status == 0
    assert data.keys() == {"game", "effective", "fingerprint", "date", "decks", "bets", "insurance"}
    assert data["fingerprint"] == load("commission-insurance").fingerprint
    assert (data["game"], data["decks"]) == ("commission-insurance", 8)
    banker = data["bets"]["banker"]
    assert banker.keys() == {"edge", "edge_exact", "hit", "returned", "returned_exact", "sd", "pays"}
    assert banker["edge_exact"] == "114753351728/10847218479825"
    assert banker["edge"] == float(Fraction(banker["edge_exact"]))
    (pays,) = banker["pays"]
    assert pays.keys() == {"when", "odds", "probability", "probability_exact"}
    assert (pays["when"], pays["odds"], pays["probability"]) == ("Banker wins", "0.95:1", banker["hit"])
    wins, returned = Fraction(pays["probability_exact"]), Fraction(banker["returned_exact"])
    assert 1 - wins - returned - wins * Fraction("0.95") == Fraction(banker["edge_exact"])
    assert len(data["insurance"]) == 73
    cell = data["insurance"][0]
    assert cell.keys() == {"window", "hand", "player", "banker", "odds", "win", "push", "ev", "ev_exact"}
    assert (cell["window"], cell["hand"], cell["player"], cell["banker"]) == ("four-cards", "banker", 0, 5)
    assert cell["ev"] == float(Fraction(cell["ev_exact"]))


def test_figures_are_written_as_csv(tmp_path: Path) -> None:
    file = tmp_path / "figures.csv"
    few = ("--shoes", "64", "--decks", "2")
    for words, names in (
        (("odds", "commission"), {"bet", "edge", "edge_exact"}),
        (("count", "commission", "--bet", "tie", *few), {"bet", "per_100", "per_100_error", "correlation_error"}),
        (("count", "commission-insurance", "--cuts", "14", "26", *few), {"bet", "window", "hand", "cut", "per_100"}),
        (("compare", "commission", "easy-six"), {"kind", "name", "first", "second"}),
        (("simulate", "commission", "--rounds", "1e4"), {"game", "bet", "edge", "stderr"}),
        (("patron", "commission", "--patrons", "10", "--rounds", "5"), {"figure", "value"}),
    ):
        status, out, _ = punto(*words, "--csv", str(file))
        assert (status, out) == (0, "")
        rows = list(csv.DictReader(file.read_text().splitlines()))
        assert rows
        assert names <= rows[0].keys()


def test_check_sheet_explains_a_sheet_or_every_problem(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('extends = "commission"\nid = "own"\ntitle = "Own"\ncolour = 1\n[decks]\nminimum = 9\n')
    status, out, _ = punto("check-sheet", str(file))
    assert status == 1
    assert "line 4: colour: is not a known key" in out
    assert "line 5: decks: is not a range of decks in order; given: 9, 8" in " ".join(out.split())
    assert "2 problems found" in out
    status, out, _ = punto("check-sheet", str(file), "--json")
    assert [each["line"] for each in json.loads(out)["problems"]] == [4, 5]
    file.write_text('extends = "commission"\nid = "own"\ntitle = "Own"\n')
    status, out, _ = punto("check-sheet", str(file))
    assert (status, "A table can be opened on this sheet." in out) == (0, True)
    status, out, _ = punto("check-sheet", "gallery/ez-baccarat", "--json")
    assert (status, json.loads(out)["missing_for_a_table"]) == (0, ["boxes", "irregularities", "authority"])


def test_odds_for_counts_and_for_removed_cards_are_the_same_shoe() -> None:
    counts = ["32", "32", "32", "32", "32", "30", "31", *["32"] * 6]
    many = punto("odds", "easy-six", "--counts", *counts, "--json")
    one = punto("odds", "easy-six", "--counts", ",".join(counts), "--json")
    removed = punto("odds", "easy-six", "--removed", "6h 6d 7s", "--json")
    assert many == one == removed
    assert json.loads(many[1])["insurance"] == []


def test_without_a_cache_folder_code_is_compiled_again_with_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(CacheImpl, "_locator_classes", [])
    say_once.cache_clear()

    def twice(number):  # type: ignore[no-untyped-def]
        return 2 * number

    assert [compiled()(twice)(3), compiled(nogil=True)(twice)(4)] == [6, 8]
    say_once.cache_clear()
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("[cache-unwritable]") == 1


def test_shoe_gives_the_value_of_the_moment() -> None:
    words = ("shoe", "da-hu-ying-xiong", "--dealt", "6h 6d 7s Kd", "--table", "5h Kd Ks 6c")
    data = json.loads(punto(*words, "--json")[1])
    assert data["left"] == 408
    assert data["bets"]["tiger-pair"]["decided"] == "lost"
    assert [(cell["hand"], cell["advice"]) for cell in data["insurance"]] == [("banker", "insure")]
    assert "For a bet on Banker: insure, up to the cap" in punto(*words)[1]
    fresh = json.loads(punto("shoe", "commission", "--json")[1])
    assert fresh["bets"]["banker"]["edge_exact"] == "114753351728/10847218479825"


def test_the_report_is_one_page_that_needs_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert punto("report", "da-hu-ying-xiong", "--decks", "6", "--out", str(path))[0] == 0
    page = path.read_text()
    assert not re.search(r"https?:|//|src=|@import|url\(|<script|<link", page.replace("<!doctype", ""))
    assert page.count("<svg") == 12
    for text in ("878,869,206,895,680", "5. Insurance", "Big Tiger", "10 decks", "Best play", "insure"):
        assert text in page
