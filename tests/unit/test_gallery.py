"""The gallery of sheets: every bet has the house edge that its source publishes, to the last published digit."""

from __future__ import annotations

import pytest

from punto.analysis.sheet_figures import full_shoe_figures
from punto.rules.loader import GALLERY, GAMES, load
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table.commands import Actor, OpenTable
from punto.table.decide import decide
from punto.table.refusals import SheetIncomplete
from punto.table.state import State

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
]


@pytest.mark.parametrize(("sheet", "decks", "bet", "edge"), PUBLISHED)
def test_a_bet_has_its_published_edge(sheet: str, decks: int, bet: str, edge: str) -> None:
    digits = len(edge.partition(".")[2])
    assert f"{full_shoe_figures(load(f'gallery/{sheet}'), decks).bets[bet].edge:.{digits}f}" == edge


def test_every_bet_of_the_gallery_is_checked() -> None:
    side_bets = {(name, bet.id) for name in GALLERY for bet in load(name).bets.values() if bet.hand is None}
    checked = {(f"gallery/{sheet}", bet) for sheet, _, bet, _ in PUBLISHED}
    assert {each for each in side_bets if each[1] != "tie"} <= checked


@pytest.mark.parametrize("name", GALLERY)
def test_no_table_opens_on_a_sheet_of_the_gallery(name: str) -> None:
    sheet = load(name)
    command = OpenTable(Actor("kim", Role.PIT_MANAGER), "t1", sheet.id, 8, Cents(100), Cents(10_000), boxes=7)
    refusal = decide(State(sheet), command)
    assert refusal == SheetIncomplete(sheet.id, ("boxes", "irregularities", "authority"))


def test_the_gallery_is_apart_from_the_five() -> None:
    assert not set(GAMES) & set(GALLERY)
    assert len({load(name).id for name in (*GAMES, *GALLERY)}) == len(GAMES) + len(GALLERY)
