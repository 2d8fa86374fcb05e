"""The gallery of sheets: every bet has the house edge that its source publishes, to the last published digit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from punto.analysis.sheet_figures import full_shoe_figures
from punto.rules.loader import GALLERY, GAMES, load
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table.actor import Actor
from punto.table.acts.settings import OpenTable
from punto.table.engine import decide
from punto.table.refusals import SheetIncomplete
from punto.table.state import Settings, State
from tests.differential.plain import enumerate_deals

EGALITE = (
    *("0.124527", "0.114150", "0.095412", "0.105243", "0.121401"),
    *("0.118732", "0.114952", "0.063899", "0.110669", "0.106348"),
)
PUBLISHED = [  # sheet, decks, bet, the published edge; the source of each stands in its sheet
    ("baccarat", 8, "player", "0.0124"),
    ("baccarat", 8, "banker", "0.010579"),
    ("baccarat", 8, "tie", "0.1436"),
    ("ez-baccarat", 8, "banker", "0.010183"),
    ("ez-baccarat", 8, "dragon-7", "0.076113"),
    ("ez-baccarat", 8, "panda-8", "0.101876"),
    ("super-6", 8, "banker", "0.014581"),
    ("super-6", 8, "super-6", "0.2998"),
    ("lucky-6", 8, "lucky-6", "0.116985"),
    ("dragon-bonus", 4, "player-dragon", "0.0270"),
    ("dragon-bonus", 4, "banker-dragon", "0.0942"),
    ("dragon-bonus", 6, "player-dragon", "0.0267"),
    ("dragon-bonus", 6, "banker-dragon", "0.0939"),
    ("dragon-bonus", 8, "player-dragon", "0.026517"),
    ("dragon-bonus", 8, "banker-dragon", "0.093731"),
    ("either-pair", 8, "either-pair", "0.1371"),
    ("big-small", 8, "big", "0.0435"),
    ("big-small", 8, "small", "0.05283"),
    ("4-5-6", 6, "4-cards", "0.05269"),
    ("4-5-6", 8, "4-cards", "0.05283"),
    ("4-5-6", 8, "5-cards", "0.08967"),
    ("4-5-6", 8, "6-cards", "0.04694"),
    ("three-card-six", 8, "three-card-six", "0.1337"),
    ("quik", 8, "quik", "0.081550"),
    ("eights-and-nines", 8, "eighty-eights", "0.07372"),
    ("eights-and-nines", 8, "bad-beat", "0.0846"),
    ("eights-and-nines", 8, "nine-over-seven", "0.08103"),
    *[("egalite", 8, f"egalite-{total}", edge) for total, edge in enumerate(EGALITE)],
]
"""Lucky 7 and Over/Under are published with their odds alone; the plain count below has their edges."""


@pytest.mark.parametrize(("sheet", "decks", "bet", "edge"), PUBLISHED)
def test_a_bet_has_its_published_edge(sheet: str, decks: int, bet: str, edge: str) -> None:
    digits = len(edge.partition(".")[2])
    assert f"{full_shoe_figures(load(f'gallery/{sheet}'), decks).bets[bet].edge:.{digits}f}" == edge


# ------------------------------------------------------------------------------------------- a plain count

Rule = Callable[[int, int, int, int], bool]
"""Of both points and both numbers of cards."""


COUNTED: dict[tuple[str, str], list[tuple[str, Rule]]] = {
    ("lucky-7", "lucky-7"): [("6", lambda p, b, pc, _: p == 7 > b and pc == 2), ("15", lambda p, b, *_: p == 7 > b)],
    ("lucky-7", "super-lucky-7"): [
        (pays, lambda p, b, pc, bc, n=n: (p, b, pc + bc) == (7, 6, n))  # type: ignore[misc]
        for pays, n in (("30", 4), ("40", 5), ("100", 6))
    ],
    ("over-under", "over"): [("0.66", lambda p, b, *_: p + b >= 10)],
    ("over-under", "under"): [("1.23", lambda p, b, *_: p + b < 10)],
}


@pytest.fixture(scope="module")
def plainly_counted() -> dict[tuple[int, int, int, int], int]:
    """Ordered deals of eight decks by both points and both numbers of cards, counted without the package."""
    joint, third = np.zeros((10, 10, 2, 2, 14, 14), np.int64), np.zeros((10, 10, 11, 3), np.int64)
    enumerate_deals(np.full(13, 32), joint, third)
    plays = joint.sum(axis=(4, 5))
    return {(p, b, 2 + pc, 2 + bc): int(plays[p, b, pc, bc]) for p, b, pc, bc in np.argwhere(plays).tolist()}


@pytest.mark.parametrize(("sheet", "bet"), COUNTED)
def test_a_bet_has_the_edge_of_a_plain_count(
    sheet: str, bet: str, plainly_counted: dict[tuple[int, int, int, int], int]
) -> None:
    lost = Fraction(0)
    for outcome, deals in plainly_counted.items():
        pays = next((pays for pays, wins in COUNTED[sheet, bet] if wins(*outcome)), "-1")
        lost -= deals * Fraction(pays)
    exact = full_shoe_figures(load(f"gallery/{sheet}"), 8).bets[bet].edge_exact
    assert Fraction(exact) == lost / sum(plainly_counted.values())


def test_every_bet_of_the_gallery_is_checked() -> None:
    side_bets = {(name, bet.id) for name in GALLERY for bet in load(name).bets.values() if bet.hand is None}
    checked = {
        (f"gallery/{sheet}", bet) for sheet, bet in [*COUNTED, *[(sheet, bet) for sheet, _, bet, _ in PUBLISHED]]
    }
    assert {each for each in side_bets if each[1] != "tie"} <= checked


@pytest.mark.parametrize("name", [*GAMES, *GALLERY])
def test_every_word_of_a_game_is_there_in_chinese(name: str) -> None:
    sheet = load(name)
    words = {
        sheet.title,
        *[bet.name for bet in sheet.bets.values()],
        *[bet.name for bet in sheet.insurance_bets.values()],
        *[line.says for bet in sheet.bets.values() for line in bet.pays],
    }
    assert {word for word in words if word not in sheet.zh and any(map(str.isalpha, word))} <= {"Quik"}


@pytest.mark.parametrize("name", GALLERY)
def test_no_table_opens_on_a_sheet_of_the_gallery(name: str) -> None:
    sheet = load(name)
    command = OpenTable(Actor("kim", Role.PIT_MANAGER), sheet.id, Settings("t1", 8, Cents(100), Cents(10_000), boxes=7))
    refusal = decide(State(sheet), command)
    assert refusal == SheetIncomplete(sheet.id, ("boxes", "irregularities", "authority"))
