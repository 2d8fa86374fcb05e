"""Insurance at a table: what may be staked in each window, what refuses more, and who forgoes it for the round."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.money import Cents
from punto.rules.refusals import StakeOffUnit
from punto.table import acts
from punto.table.acts.insurance import Cover, StakeAndWin, bounds_to_insure, cover_of
from punto.table.refusals import NotAtBox, NothingToDecline, PatronAway, StakeAboveMaximum, StakeBelowMinimum
from punto.table.values import BetLimits, Spot
from punto.table.ways import Amount
from tests.table_kit import Play, patron

FORGETFUL = "commission-insurance"
"""A sheet in which nobody forgoes insurance, and one in which whoever lets the first offer pass does."""
BANKER = "banker-insurance"
BANKER_SIX = "5h Kd 6s 6c"  # Player 1, Banker 6: Banker may be insured at 3:1
BANKER_FIVE = "Ah 2d Kh 3d"  # Player 1, Banker 5: Banker may be insured at 2:1
THEN_PLAYER = "5h"  # Player 6, and Banker draws: Player may be insured at 3:1
LIMITED = (BetLimits(BANKER, Cents(500), Cents(2_000)),)


def window(game: str, cards: str, *bets: tuple[str, str, int], **settings: Any) -> Play:
    """Ann and bo sit, cy stands behind ann; after these bets these cards are dealt."""
    play = Play(game, **settings).sit("ann", "bo")
    play.do(acts.Stand(patron("cy"), "cy", 1))
    return play.open(*bets).close().deal(cards)


def insuring(name: str, stake: int, on: str = BANKER, box: int = 1) -> acts.Insure:
    return acts.Insure(patron(name), name, box, on, Cents(stake))


def bounds(play: Play, name: str, on: str = BANKER) -> Amount:
    found = bounds_to_insure(play.state, Spot(1, name, on))
    assert isinstance(found, Amount)
    return found


ANN, CY = ("ann", "banker", 10_000), ("cy", "banker", 30_000)


# ------------------------------------------------------------------------------------------- stakes


def test_insurance_has_its_own_limits() -> None:
    play = window(FORGETFUL, BANKER_SIX, ANN, sides=LIMITED)
    assert bounds(play, "ann") == (500, 2_000, 100, StakeBelowMinimum, StakeAboveMaximum, None)
    assert play.decide(insuring("ann", 450)) == StakeOffUnit(BANKER, Cents(450), Cents(100))
    assert play.decide(insuring("ann", 400)) == StakeBelowMinimum(BANKER, Cents(400), Cents(500))
    play.do(insuring("ann", 1_500))
    assert play.decide(insuring("ann", 1_000)) == StakeAboveMaximum(BANKER, Cents(2_500), Cents(2_000))
    play.do(insuring("ann", 500))


@pytest.mark.parametrize(
    ("original", "stakes"),
    [
        (900, [(100, 300), (300, 900)]),  # a quarter of 300 is less than a chip
        (2_400, [(200, 600), (400, 1_200), (800, 2_400)]),
        (300, [(100, 300)]),
        (200, []),
    ],
)
def test_cover_is_shown_for_a_quarter_half_and_all(original: int, stakes: list[tuple[int, int]]) -> None:
    play = window(FORGETFUL, BANKER_SIX, ("ann", "banker", original), minimum_cents=100)
    found = cover_of(play.state, Spot(1, "ann", BANKER), bounds(play, "ann"))
    assert found == Cover(Cents(original), tuple([StakeAndWin(Cents(stake), Cents(win)) for stake, win in stakes]))


# ------------------------------------------------------------------------------------------- forgone or announced


def test_who_may_decline_insurance_and_how_often() -> None:
    play = window(FORGETFUL, BANKER_FIVE, ANN, ("ann", "player", 20_000), CY, ("bo", "tie", 2_500))
    assert play.decide(acts.DeclineInsurance(patron("di"), "di")) == NotAtBox(None)
    assert play.decide(acts.DeclineInsurance(patron("bo"), "bo")) == NothingToDecline()
    declining = acts.DeclineInsurance(patron("ann"), "ann")
    assert play.do(declining) == (acts.InsuranceDeclined(patron("ann"), 1, "ann", "3.5"),)
    assert play.decide(declining) == NothingToDecline(), "once in a window"
    play.do(insuring("cy", 1_000))
    assert play.decide(acts.DeclineInsurance(patron("cy"), "cy")) == NothingToDecline(), "what was staked stands"
    play.do(acts.Leave(patron("cy"), "cy"))
    assert play.decide(acts.DeclineInsurance(patron("cy"), "cy")) == PatronAway()
    play.deal(THEN_PLAYER).do(declining)
    assert len(play.of(acts.InsuranceDeclined)) == 2, "another window is another offer"
