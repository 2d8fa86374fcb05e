"""The lead of a perfect player at several depths of the cut card, for every bet and insurance: how often and how much.

A perfect player knows every card that has left the shoe and bets one unit whenever that is favourable. The value of a
bet is computed at the start of each round, and that of insurance in each window, with the cards on the table too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from punto.analysis.compiled import compiled
from punto.analysis.countability import (
    NOTHING,
    CountingResult,
    Rounds,
    Shoes,
    ShoeSums,
    add_favourable,
    dealt,
    generator_of,
)
from punto.analysis.counting import BANKER_DRAWS, BANKER_WON, PLAYER_DRAWS, PLAYER_WON, POINTS, STOOD, TIED
from punto.analysis.insurance import offers_of
from punto.analysis.pricer import Pricer
from punto.rules.bets import Result
from punto.rules.insurance import Insurance, Offer, Window
from punto.rules.outcome import Winner
from punto.rules.sheet import Sheet

CELLS = len(Window) * 100
"""The places of insurance: each window, Player's points and Banker's."""


@dataclass(frozen=True, slots=True)
class InsuranceDepth:
    """An insurance offer at a pair of points; in each result, `rounds` is how often it was on offer."""

    offer: Offer
    player: int
    banker: int
    at: tuple[CountingResult, ...]


@dataclass(frozen=True, slots=True)
class Depths:
    """Perfect play with the cut card at each of `cuts`: by bet, and for each insurance offer."""

    cuts: tuple[int, ...]
    bets: dict[str, tuple[CountingResult, ...]]
    insurance: tuple[InsuranceDepth, ...]


def perfect_play(
    sheet: Sheet, shoes: Shoes, cuts: Sequence[int], progress: Callable[[int], None] | None = None
) -> Depths:
    """Deal shoes and sum what perfect play wins before each of these cuts. The cut of `shoes` is not used.

    `progress` gets the number of shoes done. Raises Refused for a cut that cannot be.
    """
    deepest = min([replace(shoes, cut=cut) for cut in cuts], key=lambda each: each.cut)
    pricer = Pricer(sheet)
    sums = [[ShoeSums() for _ in pricer.bets] for _ in cuts]
    insured = _InsuranceSums(sheet.insurance, cuts) if sheet.insurance else None
    for done, rounds, values in dealt(pricer, deepest, generator_of(shoes.seed)):
        number, size = rounds.shuffled.shape
        for at_cut, cut in zip(sums, cuts, strict=True):
            before = size - rounds.at > cut
            for row, added in zip(values.T, at_cut, strict=True):
                by_shoe = np.zeros((number, 3))
                add_favourable(row[before], rounds.shoe[before], by_shoe)
                added.add(by_shoe)
        if insured:
            insured.add(rounds)
        if progress:
            progress(done)
    bets = {bet.id: tuple([at_cut[place].result() for at_cut in sums]) for place, bet in enumerate(pricer.bets)}
    return Depths(tuple(cuts), bets, insured.results() if insured else ())


class _InsuranceSums:
    """The sums over the insurance offers of a sheet, each at its place, for each cut."""

    def __init__(self, insurance: Insurance, cuts: Sequence[int]) -> None:
        self._cuts = np.array(cuts, np.int64)
        self._offers = list(offers_of(insurance))
        cells = [_cell(row.window, player, banker) for row, player, banker in self._offers]
        self._places = np.full((CELLS, 2), -1, np.int64)
        for place, cell in enumerate(cells):
            self._places[cell, int(self._places[cell, 0] >= 0)] = place
        self._nets = np.array([_nets(row) for row, _, _ in self._offers])
        self._sums = [[ShoeSums() for _ in self._offers] for _ in cuts]

    def add(self, rounds: Rounds) -> None:
        """Add the favourable offers of these rounds."""
        by_shoe = np.zeros((len(self._cuts), len(self._offers), len(rounds.shuffled), 3))
        _insure(*rounds, self._cuts, POINTS, PLAYER_DRAWS, BANKER_DRAWS, self._places, self._nets, by_shoe)
        for at_cut, rows in zip(self._sums, by_shoe, strict=True):
            for sums, each in zip(at_cut, rows, strict=True):
                sums.add(each)

    def results(self) -> tuple[InsuranceDepth, ...]:
        """The figures of each offer, once all shoes are dealt."""
        return tuple(
            [
                InsuranceDepth(*offer, tuple([at_cut[place].result() for at_cut in self._sums]))
                for place, offer in enumerate(self._offers)
            ]
        )


def _cell(window: Window, player: int, banker: int) -> int:
    return list(Window).index(window) * 100 + 10 * player + banker


def _nets(offer: Offer) -> list[float]:
    """The net of one unit for each winner of a round."""
    net = {Result.WIN: float(offer.odds.exact), Result.RETURNED: 0.0, Result.LOSE: -1.0}
    return [net[offer.result(winner)] for winner in Winner]


# The loops below are compiled. They have no types, because numba infers them.


@compiled()
def _insure(shoes, starts, shoe_of, place_of, cuts, points, player_draws, banker_draws, places, nets, by_shoe):  # type: ignore[no-untyped-def]
    """Look at each round after four cards, and after five. The last axis of `by_shoe`: times on offer, bets, won."""
    left = np.zeros(10)
    shares = np.zeros(3)
    for place in range(len(starts)):
        shoe, at = shoe_of[place], place_of[place]
        size, cards, in_shoe = shoes.shape[1] - at, shoes[shoe, at : at + 5], by_shoe[:, :, shoe]
        left[:] = 0
        for rank in range(13):
            left[points[rank]] += starts[place, rank]
        for card in cards[:4]:
            left[points[card]] -= 1
        player = (points[cards[0]] + points[cards[2]]) % 10
        banker = (points[cards[1]] + points[cards[3]]) % 10
        player_third = player_draws[player, banker]
        third = points[cards[4]] if player_third else STOOD
        banker_third = banker_draws[player, banker, third]
        if player_third or banker_third:
            _share_first(left, player, banker, player_third, banker_draws, shares)
            _add_offers(10 * player + banker, size, shares, cuts, places, nets, in_shoe)
        if player_third and banker_third:
            left[third] -= 1
            end = (player + third) % 10
            shares[:] = 0.0
            _share_last(left, 1.0, end, banker, shares)
            _add_offers(100 + 10 * end + banker, size, shares, cuts, places, nets, in_shoe)


@compiled()
def _share_first(left, player, banker, player_third, banker_draws, shares):  # type: ignore[no-untyped-def]
    """The probability of each winner after four cards."""
    shares[:] = 0.0
    if not player_third:
        _share_last(left, 1.0, player, banker, shares)
        return
    size = left.sum()
    for third in range(10):
        share = left[third] / size
        if share > 0:
            end = (player + third) % 10
            if banker_draws[player, banker, third]:
                left[third] -= 1
                _share_last(left, share, end, banker, shares)
                left[third] += 1
            else:
                shares[TIED if end == banker else PLAYER_WON if end > banker else BANKER_WON] += share


@compiled()
def _share_last(left, share, player, banker, shares):  # type: ignore[no-untyped-def]
    """Add the probability of each winner when only Banker's third card is to come."""
    size = left.sum()
    for third in range(10):
        end = (banker + third) % 10
        shares[TIED if end == player else PLAYER_WON if end < player else BANKER_WON] += share * left[third] / size


@compiled()
def _add_offers(cell, size, shares, cuts, places, nets, in_shoe):  # type: ignore[no-untyped-def]
    for place in places[cell]:
        if place >= 0:
            value = 0.0
            for winner in range(3):
                value += shares[winner] * nets[place, winner]
            for cut in range(len(cuts)):
                if size > cuts[cut]:
                    in_shoe[cut, place, 0] += 1
                    if value > NOTHING:
                        in_shoe[cut, place, 1] += 1
                        in_shoe[cut, place, 2] += value
