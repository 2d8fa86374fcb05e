"""Every figure that others have published about these games, with its source.

Sources, as the figures are known in the field:
- counts: the widely printed tables of ordered six-card sequences for six and eight decks
- edges: the house edges printed for the standard game and for the side bets of the Tiger and Easy Six layouts
- insurance: the values printed for insurance after four cards, ties returned
- removal: the effects of removal on Player's winning probability, to ten places
- counting: the published count of the three-card Tiger bet
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from punto.analysis.countability import Count, Shoes, countability
from punto.analysis.counting import Distribution, distribution
from punto.analysis.insurance import cells
from punto.analysis.pricing import Price, price_sheet
from punto.rules.cards import Rank
from punto.rules.composition import Burn, Composition
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.outcome import Outcome, every_play

EIGHT = Composition.full(8)


def deals(of: Distribution, test: Callable[[Outcome], bool]) -> int:
    return sum(int(count) for outcome, count in zip(every_play(), of.joint.sum(axis=1), strict=True) if test(outcome))


def price(game: str, bet: str) -> Price:
    return price_sheet(load(game), distribution(EIGHT))[bet]


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie", "total"),
    [
        (6, 403095751234560, 392220492728832, 83552962932288, 878869206895680),
        (8, 2292252566437888, 2230518282592256, 475627426473216, 4998398275503360),
    ],
)
def test_counts_of_six_card_sequences(decks: int, banker: int, player: int, tie: int, total: int) -> None:
    """Source: counts."""
    of = distribution(Composition.full(decks))
    assert of.total == total
    assert deals(of, lambda o: o.winner == "banker") == banker
    assert deals(of, lambda o: o.winner == "player") == player
    assert deals(of, lambda o: o.winner == "tie") == tie


def test_counts_of_banker_wins_on_six_and_of_six_six_ties() -> None:
    """Source: counts."""
    of = distribution(EIGHT)
    by_cards = [
        deals(of, lambda o, cards=cards: o.winner == "banker" and o.banker_points == 6 and o.banker_cards == cards)  # type: ignore[misc]
        for cards in (2, 3)
    ]
    assert by_cards == [186173936904192, 83058367551488]
    assert deals(of, lambda o: o.winner == "tie" and o.banker_points == 6) == 96170001308416


@pytest.mark.parametrize(
    ("game", "bet", "edge"),
    [
        ("commission", "player", "1.2351"),
        ("commission", "banker", "1.0579"),
        ("non-commission", "banker", "1.4581"),
        ("commission", "tie", "14.3596"),
        ("commission", "player-pair", "10.361"),
        ("commission", "banker-pair", "10.361"),
        ("easy-six", "easy-six", "5.041"),
        ("da-hu-ying-xiong", "tiger", "16.6836"),
        ("da-hu-ying-xiong", "small-tiger", "14.33"),
        ("da-hu-ying-xiong", "big-tiger", "15.2533"),
        ("da-hu-ying-xiong", "tiger-tie", "30.735"),
    ],
)
def test_house_edges(game: str, bet: str, edge: str) -> None:
    """Source: edges."""
    digits = len(edge.partition(".")[2])
    assert f"{float(price(game, bet).edge) * 100:.{digits}f}" == edge


def test_standard_deviation_of_big_tiger() -> None:
    """Source: edges."""
    assert f"{price('da-hu-ying-xiong', 'big-tiger').sd:.3f}" == "6.519"


@pytest.mark.parametrize("game", ["commission-insurance", "da-hu-ying-xiong"])
@pytest.mark.parametrize(
    ("banker", "values"),
    [
        (5, ["+0.12", "-10.70", "-15.42", "-8.58", "-1.44"]),
        (6, ["+2.44", "-10.80", "-6.06", "-1.42", "+3.35", "+8.44"]),
        (7, ["-15.20", "-15.69", "-15.68", "-15.23", "-15.69", "-15.23"]),
    ],
)
def test_insurance_of_banker_after_four_cards(game: str, banker: int, values: list[str]) -> None:
    """Source: insurance. Some cells favour the patron."""
    insurance = load(game).insurance
    assert insurance is not None
    found = {
        cell.player: f"{float(cell.value or 0) * 100:+.2f}"
        for cell in cells(insurance, distribution(EIGHT))
        if cell.offer.window is Window.FOUR_CARDS and cell.offer.hand is Hand.BANKER and cell.banker == banker
    }
    assert [found[player] for player in range(len(values))] == values


@pytest.mark.parametrize(
    ("ranks", "effect"),
    [
        ("4", "-0.0000435175"),
        ("TJQK", "-0.0000373810"),
        ("A", "-0.0000295798"),
        ("3", "-0.0000217068"),
    ],
)
def test_effect_of_removal_on_players_winning_probability(ranks: str, effect: str) -> None:
    """Source: removal."""

    def hit(left: Composition) -> Fraction:
        return price_sheet(load("commission"), distribution(left))["player"].hit

    effects = [hit(EIGHT.without([rank])) - hit(EIGHT) for rank in Rank if rank.symbol in ranks]
    assert [f"{float(each):.10f}" for each in effects] == [effect] * len(ranks)


def test_the_published_count_of_big_tiger() -> None:
    """Source: counting: bets on 3.536 % of rounds with 7.227 % average advantage, cut card at 14.

    Those were simulated, and how the source estimates the decks left is not known, so they are met within a few
    standard errors of our shoes and a tenth of the advantage.
    """
    tags = (0.0, 0.0, -1.0, -1.0, -1.0, -2.0, 1.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0)
    shoes = Shoes(decks=8, cut=14, number=6_000, seed=3)
    (found,) = countability(load("da-hu-ying-xiong"), shoes, {"big-tiger": [Count(tags, 8)]})["big-tiger"].counted
    assert found.play.share == pytest.approx(0.03536, abs=0.0015)
    assert found.play.average == pytest.approx(0.07227, abs=0.0072)


def test_the_published_count_of_dragon_7() -> None:
    """Source: counting: 0.597 units a shoe from true count 4, cut card at 14.

    Meant are the usual rules of the burn and cut cards: the first card is shown and burns as many as it counts, and one
    more round follows the one in which the cut card comes out. Either alone is far from it.
    """
    tags = (0.0, 0.0, 0.0, -1.0, -1.0, -1.0, -1.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0)

    def per_shoe(**rules: Any) -> tuple[float, float]:
        shoes = Shoes(decks=8, cut=14, number=8_000, seed=3, **rules)
        (found,) = countability(load("gallery/ez-baccarat"), shoes, {"dragon-7": [Count(tags, 4)]})["dragon-7"].counted
        return found.play.per_shoe, found.play.per_shoe_error

    won, error = per_shoe(burn=Burn.CARD, one_more=True)
    assert abs(won - 0.597) < 2.5 * error
    for rules in ({"burn": Burn.CARD}, {"one_more": True}):
        won, error = per_shoe(**rules)
        assert abs(won - 0.597) > 3 * error
