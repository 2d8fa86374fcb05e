"""Shoes: what is refused, and how many rounds are sure."""

from __future__ import annotations

import pytest

from punto.rules.composition import Burn
from punto.rules.refusals import Refusal, Refused
from punto.rules.shoe_refusals import BurnInvalid, CutInvalid, DecksOutOfRange
from punto.simulation.backends import Resources
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import simulate


@pytest.mark.parametrize(
    ("decks", "cut", "burn", "kind"),
    [
        (0, 14, 0, DecksOutOfRange),
        (11, 14, 0, DecksOutOfRange),
        (8, 4, 0, CutInvalid),
        (8, 416, 0, CutInvalid),
        (8, 405, Burn.CARD, CutInvalid),
        (8, 14, -1, BurnInvalid),
        (8, 14, 416, BurnInvalid),
    ],
)
def test_a_shoe_that_cannot_be_dealt_is_refused(decks: int, cut: int, burn: int | Burn, kind: type[Refusal]) -> None:
    with pytest.raises(Refused) as refused:
        SimulatedShoe.of_decks(decks, cut, burn)
    assert type(refused.value.refusal) is kind


def test_counts_that_are_no_shoe_are_refused() -> None:
    for counts in ((4,) * 12, (41,) * 13, (-1,) * 13):
        with pytest.raises(Refused):
            SimulatedShoe(counts)


@pytest.mark.parametrize(
    ("shoe", "sure"),
    [
        (SimulatedShoe.of_decks(8), 67),
        (SimulatedShoe.of_decks(8, burn=Burn.CARD), 66),
        (SimulatedShoe.of_decks(8, cut=410), 1),
        (SimulatedShoe.of_decks(8, cut=415), 1),
        (SimulatedShoe.of_decks(8, cut=404, burn=Burn.CARD), 1),
        (SimulatedShoe.of_decks(8, cut=5), 69),
        (SimulatedShoe.of_decks(4), 33),
        (SimulatedShoe.of_decks(10, cut=104), 70),
        (SimulatedShoe.of_decks(6, cut=14, burn=100), 33),
    ],
)
def test_every_shoe_has_its_guaranteed_rounds_and_no_more_than_the_maximum(shoe: SimulatedShoe, sure: int) -> None:
    assert shoe.sure_rounds == sure
    dealt = simulate(shoe, 200_000, 3, resources=Resources(1)).counts.rounds_per_shoe
    assert sure <= min(dealt)
    assert max(dealt) <= shoe.max_rounds


def test_rounds_per_shoe_are_counted_exactly() -> None:
    """A shoe of fours only: each round is two naturals of 8, four cards. Eight sevens make rounds of four cards too."""
    fours = SimulatedShoe((0, 0, 0, 40, *[0] * 9), cut=5)
    assert simulate(fours, 1_000, 1, resources=Resources(1)).counts.rounds_per_shoe.keys() == {9}
    aces = SimulatedShoe((40, *[0] * 12), cut=5)  # 2 against 2, both draw: six cards
    assert simulate(aces, 1_000, 1, resources=Resources(1)).counts.rounds_per_shoe.keys() == {6}
