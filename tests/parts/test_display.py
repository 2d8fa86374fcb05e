"""How values look as text, in a notebook and as data."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest

import punto
from punto.rules.tabular import Tabular

GAME = punto.game("da-hu-ying-xiong")
BETS = [
    punto.Bet("banker", 100_00, patron="ann"),
    punto.Bet("banker-insurance", 20_00, patron="ann", window="four-cards"),
    punto.Bet("tiger", 5_00, patron="<b>&"),
]
SETTLED = GAME.settle("5h Kd 6s 6c 9h", BETS)
SHOE = punto.Shoe(decks=1, seed=1)
ODDS = GAME.odds()
DEALT = punto.simulate(GAME, rounds=1e5, seed=1, threads=1)
ROADS = punto.roads(SHOE)
TABLE = punto.Table("easy-six", shoe=punto.Shoe(seed=1))

TEXTS: list[tuple[object, str, str]] = [  # a value, its text, and its repr: "" for the text with its type
    (punto.Card("6h"), "6h", "Card('6h')"),
    (BETS[1], repr(BETS[1]), "Bet('banker-insurance', 2000, box=1, patron='ann', window='four-cards')"),
    (SETTLED.lines[0], "banker 100.00 win, net 50.00 (¶ 4.1.1)", ""),
    (ODDS["tie"], "tie: House edge 14.3596%, wins 9.5156%", ""),
    (punto.Cards("6h Ks"), "6h Ks", "Cards('6h Ks')"),
    (SETTLED.round, "5h Kd 6s 6c 9h = B 0-6", ""),
    (SETTLED, "5h Kd 6s 6c 9h = B 0-6; 3 bets, House -90.00", ""),
    (SHOE, "1 deck, 52 cards, seed 1, cut card 14 from the end", "Shoe(decks=1, seed=1, cut=14)"),
    (SHOE.deal(7), "7 rounds of 1 deck, seed 1", ""),
    (GAME.sheet, str(GAME), "<Sheet da-hu-ying-xiong of 2020-01-15 08:00>"),
    (GAME, f"{GAME.sheet.title} (da-hu-ying-xiong)", "punto.game('da-hu-ying-xiong')"),
    (TABLE, "table of easy-six: between-rounds, round 0", ""),
]


@pytest.mark.parametrize(("value", "text", "shown"), TEXTS, ids=lambda each: type(each).__name__)
def test_a_value_has_a_short_text_and_a_useful_repr(value: object, text: str, shown: str) -> None:
    assert str(value) == text
    assert repr(value) == (shown or f"<{type(value).__name__} {text}>")


@pytest.mark.parametrize(
    "value",
    [*[value for value, _, _ in TEXTS], GAME.try_settle("5h Kd 6s 6c 9h Ts", []), ODDS, DEALT],
    ids=lambda value: type(value).__name__,
)
def test_a_notebook_shows_well_formed_html(value: Any) -> None:
    """The background is the notebook's own, so that text is readable in light and dark themes."""
    drawn = value._repr_html_()
    root = ElementTree.fromstring(f"<div>{drawn.replace('<br>', '<br/>')}</div>")  # noqa: S314 — our own
    assert "".join(root.itertext()).strip()
    for element in root.iter():
        style = element.get("style", "")
        assert ("background:#fff" in style) == (";color:#c62828" in style or ";color:#1c1c1c" in style)


def test_names_of_people_cannot_be_markup() -> None:
    assert "&lt;b&gt;&amp;" in SETTLED._repr_html_()


# ------------------------------------------------------------------------------------------- data

TABULAR: list[Tabular] = [SETTLED, SHOE.deal(25), ODDS, DEALT, ROADS]


@pytest.mark.parametrize("value", TABULAR, ids=lambda value: type(value).__name__)
def test_rows_are_plain_and_all_alike(value: Tabular) -> None:
    rows = value.to_dicts()
    assert rows
    assert json.loads(json.dumps(rows)) == rows
    assert all(row.keys() == rows[0].keys() for row in rows)


def test_exact_fractions_are_text_with_floats_beside_them() -> None:
    for row in ODDS.to_dicts():
        exact = {name.removesuffix("_exact"): value for name, value in row.items() if name.endswith("_exact")}
        assert exact.keys() == {"edge", "win", "returned", "lose"}
        assert all(float(Fraction(value)) == row[name] for name, value in exact.items())


def test_rows_become_a_frame() -> None:
    pytest.importorskip("polars")
    assert SETTLED.to_frame().to_dicts() == SETTLED.to_dicts()
    assert [len(frame) for frame in SHOE.deal(25).frames(10)] == [10, 10, 5]


# ------------------------------------------------------------------------------------------- progress


def test_long_work_shows_its_progress_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    from punto.library import progress

    with progress.Progress(200, "rounds-noun", shown=True) as line:
        line._last -= 1
        line.update(50)
        shown = capsys.readouterr().err
    assert shown.startswith("\r█████···············  25%  50 rounds")
    assert capsys.readouterr().err.strip() == ""
