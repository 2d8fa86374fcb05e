"""Perfect play at several depths of the cut card, against one round at a time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import pytest

from punto.analysis.countability import Shoes, countability, generator_of, shuffle
from punto.analysis.counting import distribution
from punto.analysis.depths import perfect_play
from punto.analysis.insurance import cells
from punto.rules.cards import Card, Rank
from punto.rules.composition import Burn, Composition
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.tableau import next_hand

CUTS = (12, 40)
SHOES = Shoes(decks=2, number=6, seed=4)


@pytest.mark.parametrize("burn", [0, 9, Burn.CARD])
def test_bets_win_as_much_as_shoes_dealt_to_each_cut_alone(burn: int | Burn) -> None:
    sheet = load("da-hu-ying-xiong")
    found = perfect_play(sheet, replace(SHOES, burn=burn), CUTS)
    assert list(found.bets) == list(sheet.bets)
    for place, cut in enumerate(CUTS):
        alone = countability(sheet, replace(SHOES, cut=cut, burn=burn), {})
        for bet, results in found.bets.items():
            assert results[place] == alone[bet].perfect


def test_insurance_is_worth_what_the_cards_left_and_on_the_table_say() -> None:
    sheet = load("commission-insurance")
    assert sheet.insurance is not None
    offered: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for order in shuffle(generator_of(SHOES.seed), 2, SHOES.number):
        rest = [Card(f"{Rank(int(rank) + 1).symbol}s") for rank in order]
        while len(rest) > min(CUTS):
            used = next(size for size in range(4, 7) if next_hand(rest[:size]) is None)
            for window, on_table in ((Window.FOUR_CARDS, 4), (Window.PLAYER_THIRD, 5)):
                # The second window opens only where both hands draw, so its round has six cards.
                if used > on_table and (window is Window.FOUR_CARDS or used == 6):
                    left = Composition(tuple([sum(card.rank is rank for card in rest[on_table:]) for rank in Rank]))
                    for cell in cells(sheet.insurance, distribution(left, tuple(rest[:on_table]))):
                        if cell.offer.window is window and cell.value is not None:
                            for cut in CUTS:
                                if len(rest) > cut:
                                    key = cut, window, cell.offer.hand, cell.player, cell.banker
                                    offered[key].append(float(cell.value))
            rest = rest[used:]
    assert offered
    found = perfect_play(sheet, SHOES, CUTS)
    for each in found.insurance:
        for cut, result in zip(CUTS, each.at, strict=True):
            values = offered[cut, each.offer.window, each.offer.hand, each.player, each.banker]
            favourable = [value for value in values if value > 1e-12]
            assert (result.rounds, result.bets) == (len(values), len(favourable))
            assert result.won == pytest.approx(sum(favourable))


def test_a_cut_that_cannot_be_is_refused() -> None:
    with pytest.raises(Refused):
        perfect_play(load("commission"), SHOES, (14, 104))
