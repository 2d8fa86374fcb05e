"""docs/countability.md has a row for every bet and insurance offer, and figures that other shoes confirm."""

from __future__ import annotations

import re

import pytest

from punto.analysis.countability import Shoes
from punto.analysis.depths import perfect_play
from punto.rules.loader import GAMES, load
from tests.docs.countability import CUTS, HEAD, PAGE, command


def sections() -> dict[str, str]:
    """The page's section of each sheet."""
    found = {}
    for part in PAGE.read_text().split("\n## ")[1:]:
        game = next(game for game in GAMES if command(game) in part.splitlines())
        found[game] = part
    return found


def test_the_page_begins_as_it_is_made() -> None:
    assert PAGE.read_text().startswith(HEAD)


@pytest.mark.parametrize("game", ["commission-insurance"])
def test_other_shoes_have_the_same_figures(game: str) -> None:
    text, depths = sections()[game], perfect_play(load(game), Shoes(number=192, seed=77), CUTS)
    for bet, results in depths.bets.items():
        row = re.search(
            rf"^\| {load(game).bets[bet].name} \| {CUTS[0]} \|.*\| ([\d.]+) ± [\d.]+ \|$", text, re.MULTILINE
        )
        assert row
        assert abs(float(row[1]) - results[0].per_shoe) < 5 * results[0].per_shoe_error
    for each in depths.insurance:
        where = rf"{each.offer.window.value} \| {each.offer.hand.title()} \| {each.player} \| {each.banker}"
        assert re.search(rf"^\| {where} \|", text, re.MULTILINE)


def test_every_sheet_has_its_bets() -> None:
    found = sections()
    assert list(found) == list(GAMES)
    for game, text in found.items():
        for bet in load(game).bets.values():
            assert f"| {bet.name} | {CUTS[0]} |" in text
        assert ("| window |" in text) is (load(game).insurance is not None)
