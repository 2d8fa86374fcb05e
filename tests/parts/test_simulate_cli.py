"""`punto simulate` and `punto patron` as their users meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from punto.cli.patron import read_cents
from punto.library.inputs import read_whole
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.shoe_refusals import RoundsInvalid
from tests.unit.command import punto


def test_json_has_the_documented_fields() -> None:
    games = ("commission", "da-hu-ying-xiong")
    code, out, _ = punto("simulate", *games, "--rounds", "1e6", "--seed", "7", "--first", "1,10", "--json")
    answer = json.loads(out)
    assert code == 0
    assert {"rounds", "shoes", "seconds", "rounds_per_second", "backend", "results", "games"} <= answer.keys()
    assert answer["rounds"] >= 1_000_000
    assert list(answer["results"]) == ["player", "banker", "tie"]
    assert sum(answer["results"].values()) == answer["rounds"]
    assert sum(answer["rounds_per_shoe"].values()) == answer["shoes"]
    assert list(answer["games"]) == list(games)
    for game in games:
        assert list(answer["games"][game]) == list(load(game).bets)
        for found in answer["games"][game].values():
            assert {"edge", "stderr", "exact", "sigma"} <= found.keys()
            assert found["sigma"] == pytest.approx((found["edge"] - found["exact"]) / found["stderr"])
            assert abs(found["sigma"]) < 4
    assert answer["games"]["commission"]["banker"]["exact"] == pytest.approx(0.010579057842472)
    assert answer["first"]["1"]["rounds"] == answer["shoes"]
    assert answer["first"]["10"]["games"]["commission"]["tie"]["stderr"] > 0


@pytest.mark.parametrize(("text", "number"), [("1e9", 10**9), ("2.5e6", 2_500_000), ("1,000", 1000), ("1_0", 10)])
def test_rounds_are_whole_numbers_however_written(text: str, number: int) -> None:
    assert read_whole(text, RoundsInvalid) == number


@pytest.mark.parametrize(("text", "cents"), [("1000", 100_000), ("12.50", 1250), ("12.5", 1250), ("1,000.05", 100_005)])
def test_amounts_are_read_to_the_cent(text: str, cents: int) -> None:
    assert read_cents(text) == cents


@pytest.mark.parametrize("text", ["", "x", "1.234", "-5", "1e3"])
def test_amounts_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_cents(text)


FEW = ("--patrons", "200", "--rounds", "100")


def test_a_study_in_json_and_as_a_page(tmp_path: Path) -> None:
    page = tmp_path / "study.html"
    words = ("da-hu-ying-xiong", "--plan", "martingale", "--insurance", "favourable", "--json")
    code, out, _ = punto("patron", *words, *FEW, "--out", str(page))
    answer = json.loads(out)
    assert code == 0
    assert answer["patrons"] == 200
    assert answer["insurance"]["staked_cents"] > 0
    assert {"result_cents", "ruin", "longest_runs", "distribution", "bankroll_cents"} <= answer.keys()
    text = page.read_text()
    assert "<script src=" not in text
    assert "200 patrons on Banker" in text


def test_a_shuffler_deals_every_round_from_the_full_set() -> None:
    code, out, _ = punto("simulate", "commission", "--device", "shuffler", "--rounds", "1e6", "--seed", "3", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["device"] == "shuffler"
    assert answer["rounds_per_shoe"] == {"1": answer["rounds"]}
    for found in answer["games"]["commission"].values():
        assert abs(found["sigma"]) < 4
        assert found["cut_card_effect"] == 0
    code, out, _ = punto("simulate", "easy-six", "--device", "shuffler", "--rounds", "1e5")
    assert code == 0
    assert "every round from the full set" in " ".join(out.split())
    assert "knows no Electronic Card Shuffler" in " ".join(out.split())
