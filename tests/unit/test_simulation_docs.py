"""The examples of docs/simulation.md run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from punto.rules.loader import load
from punto.simulation.plans import find_plan, find_policy
from punto.simulation.shoe import Shoe
from punto.simulation.study import Terms, study

BLOCKS = re.findall(
    r"```python\n(.*?)```", (Path(__file__).parents[2] / "docs" / "simulation.md").read_text(), re.DOTALL
)


def test_the_library_example_prints_an_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    exec(BLOCKS[0], {})  # noqa: S102 — the page's own example
    assert "exact=0.0105790" in capsys.readouterr().out


def test_the_functions_of_ones_own_are_played(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(BLOCKS[1])
    sheet = load("commission-insurance")
    terms = Terms(
        sheet=sheet,
        shoe=Shoe.of_decks(8),
        bet=next(bet for bet in sheet.bets.values() if bet.hand),
        plan=find_plan(f"{file}:stake"),
        policy=find_policy(f"{file}:insure"),
        bankroll_cents=100_000,
        unit_cents=1_000,
        rounds=50,
        patrons=64,
    )
    played = study(terms)
    assert (played.staked_cents > 0).all()
    assert played.insured_cents.sum() > 0
    always = study(replace(terms, policy=find_policy("always")))
    assert played.insured_cents.sum() < always.insured_cents.sum()
