"""Best insurance play: the closed form against trying every way to stake on a grid, card by card."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from punto.analysis.best_play import best_play
from punto.analysis.counting import distribution
from punto.analysis.figures import Advice
from punto.analysis.insurance import cells
from punto.analysis.pricing import price_sheet
from punto.analysis.sheet_figures import live_figures
from punto.rules.cards import DECK, Card, Rank, parse_cards
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, Offer, Window
from punto.rules.loader import load
from punto.rules.money import Odds
from punto.rules.sheet import Sheet
from punto.rules.tableau import next_hand

GRID = [Fraction(step, 4) for step in range(5)]


def generous(seed: int) -> Sheet:
    """A sheet whose odds make both windows worth a thought: random odds at every pair of points."""
    random_ = random.Random(seed)
    sheet = load("da-hu-ying-xiong")
    assert sheet.insurance is not None
    rows = (
        Offer(window, hand, frozenset({p}), frozenset({b}), Odds.parse(f"{random_.randrange(2, 40)}:4"), "4.1.2")
        for window in Window
        for hand in Hand
        for p in range(10)
        for b in range(8)
        if random_.random() < 0.8
    )
    standing = tuple(row for row in rows if row.can_be_on_offer)
    return replace(sheet, insurance=replace(sheet.insurance, rows=standing))


def worth(offer: Offer | None, table: list[Card], rest: list[Card]) -> Fraction:
    """The expected net of insurance at the whole of the cap, for one unit of the original bet, by dealing on."""
    if offer is None:
        return Fraction(0)
    nets = []
    for more in itertools.permutations(rest, 6 - len(table)):
        player, banker = totals([*table, *more])
        lost = (player < banker) == (offer.hand is Hand.PLAYER)
        nets.append(Fraction(0) if player == banker else Fraction(1) if lost else -1 / offer.odds.exact)
    return sum(nets, Fraction(0)) / len(nets)


def totals(cards: list[Card]) -> tuple[int, int]:
    """The end points of six cards of which some may stay unused, by a drawing rule written out here again."""
    player, banker = (cards[0].points + cards[2].points) % 10, (cards[1].points + cards[3].points) % 10
    if max(player, banker) >= 8:
        return player, banker
    if player >= 6:
        return player, (banker + cards[4].points) % 10 if banker <= 5 else banker
    third = cards[4].points
    low = {3: 0, 4: 2, 5: 4, 6: 6}.get(banker)
    draws = banker <= 2 or (low is not None and low <= third <= 7) or (banker == 3 and third == 9)
    return (player + third) % 10, (banker + cards[5].points) % 10 if draws else banker


def by_trying(sheet: Sheet, hand: Hand, table: list[Card], rest: list[Card], *, forgoes: bool = False) -> Fraction:
    """The best gain from four cards on the table: every first stake on a grid, every second one that the cap leaves.

    With `forgoes`, who stakes nothing on a first offer has no second stake, and a patron stakes all or nothing.
    """
    assert sheet.insurance is not None
    offered = sheet.insurance.offers(table).get(hand)
    first = worth(offered, table, rest)
    if forgoes and offered:
        return max(first, Fraction(0))
    seconds = []
    for place, card in enumerate(rest):
        offer = sheet.insurance.offers([*table, card]).get(hand)
        seconds.append(worth(offer, [*table, card], rest[:place] + rest[place + 1 :]))

    def gain(stake: Fraction) -> Fraction:
        later = [max(again * second for again in GRID if again <= 1 - stake) for second in seconds]
        return stake * first + sum(later, Fraction(0)) / len(rest)

    return max(gain(stake) for stake in GRID)


@pytest.mark.parametrize("seed", range(12))
def test_from_four_cards_no_way_to_stake_on_a_grid_beats_the_best_play(seed: int) -> None:
    random_ = random.Random(seed)
    sheet = generous(seed)
    cards = random_.sample(DECK, 10)
    while next_hand(cards[:4]) is None:
        cards = random_.sample(DECK, 10)
    table, rest = cards[:4], cards[4:]
    left = Composition(tuple(sum(card.rank is rank for card in rest) for rank in Rank))
    for hand in Hand:
        play = best_play(sheet, hand, left, tuple(table))
        assert play is not None
        assert play.edge - play.chart_edge == play.edge - play.best_edge == by_trying(sheet, hand, table, rest)
        strict = by_trying(sheet, hand, table, rest, forgoes=True)
        assert play.edge - play.chart_edge_without_token == play.edge - play.best_edge_without_token == strict


@pytest.mark.parametrize("seed", range(2))
def test_by_every_card_seen_the_gain_is_the_mean_of_the_gains_from_four_cards(seed: int) -> None:
    sheet = generous(seed)
    left = Composition(tuple(3 * (rank.symbol in "A6K") for rank in Rank))
    starts = Counter(itertools.permutations([rank for rank in Rank if left.counts[rank - 1] for _ in range(3)], 4))
    for hand in Hand:
        play = best_play(sheet, hand, left)
        assert play is not None
        gain, strict = Fraction(0), Fraction(0)
        for four, ways in starts.items():
            started = best_play(sheet, hand, left.without(four), tuple(Card(f"{rank.symbol}s") for rank in four))
            assert started is not None
            gain += ways * (started.edge - started.best_edge)
            strict += ways * (started.edge - started.best_edge_without_token)
        assert play.edge - play.best_edge == gain / starts.total()
        assert play.edge - play.best_edge_without_token == strict / starts.total() < gain / starts.total()
        assert play.best_edge <= play.chart_edge <= play.edge


@pytest.mark.parametrize("seed", range(4))
def test_no_other_chart_is_better(seed: int) -> None:
    """Every chart for one total of Banker's, tried: which first cells to insure, which second cells with room left."""
    sheet, hand, banker = generous(seed), Hand.BANKER, 5
    assert sheet.insurance is not None
    offers = [row for row in sheet.insurance.rows if row.hand is hand and row.banker == {banker}]
    keep = [row for row in offers if row.window is Window.FOUR_CARDS][:4]
    keep += [row for row in offers if row.window is Window.PLAYER_THIRD][:6]
    sheet = replace(sheet, insurance=replace(sheet.insurance, rows=tuple(keep)))
    of = distribution(Composition.full(6))
    play = best_play(sheet, hand, Composition.full(6))
    assert play is not None

    def net(offer: Offer, ended: list[int]) -> Fraction:
        return Fraction(ended[0]) - Fraction(ended[1]) / offer.odds.exact

    firsts = {next(iter(row.player)): row for row in keep if row.window is Window.FOUR_CARDS}
    seconds = {next(iter(row.player)): row for row in keep if row.window is Window.PLAYER_THIRD}
    draws = {third for third in range(10) if 4 <= third <= 7}
    gains, strict_gains = [], []
    for first in itertools.product([False, True], repeat=len(firsts)):
        insured = {player for player, yes in zip(firsts, first, strict=True) if yes}
        for second in itertools.product([False, True], repeat=len(seconds)):
            taken = {player for player, yes in zip(seconds, second, strict=True) if yes}
            gain, strict = Fraction(0), Fraction(0)
            for player in range(8):
                ends = of.states[player, banker].tolist()
                if player in insured:
                    now = net(firsts[player], [sum(row[i] for row in ends) for i in (0, 1)])
                    gain, strict = gain + now, strict + now
                elif player <= 5:
                    for third in draws:
                        if (player + third) % 10 in taken:
                            late = net(seconds[(player + third) % 10], ends[third])
                            gain, strict = gain + late, strict + (0 if player in firsts else late)
            gains.append(gain / of.total)
            strict_gains.append(strict / of.total)
    assert play.edge - play.chart_edge == max(gains)
    assert play.edge - play.chart_edge_without_token == max(strict_gains)


@pytest.mark.parametrize(("game", "advice"), [("commission-insurance", Advice.WAIT), ("da-hu-ying-xiong", Advice.KEEP)])
def test_waiting_is_advised_where_the_second_window_is_worth_more(game: str, advice: Advice) -> None:
    """Where an offer let pass forgoes the round, waiting takes a token stake."""
    sheet = load(game)
    assert sheet.insurance is not None
    rows = (
        Offer(Window.FOUR_CARDS, Hand.BANKER, frozenset({0}), frozenset({5}), Odds.parse("2:1"), "4.1.2"),
        Offer(Window.PLAYER_THIRD, Hand.BANKER, frozenset({4, 5}), frozenset({5}), Odds.parse("90:1"), "4.1.2"),
    )
    sheet = replace(sheet, insurance=replace(sheet.insurance, rows=rows))
    play = best_play(sheet, Hand.BANKER, Composition.full(8))
    assert play is not None
    choice = play.chart[Window.FOUR_CARDS, 0, 5]
    assert choice.now > 0
    assert choice.later > choice.now
    assert choice.advice is advice
    forgoes = advice is Advice.KEEP
    assert (play.chart_edge_without_token > play.chart_edge) is forgoes
    assert (play.best_edge_without_token > play.best_edge) is forgoes
    assert (play.forgone_rule == "5.3") is forgoes
    [shown] = live_figures(replace(sheet, id=f"{game} with rich offers"), 8, (), ()).play
    assert (shown.chart_edge_without_token, shown.best_edge_without_token, shown.forgone_rule) == (
        float(play.chart_edge_without_token),
        float(play.best_edge_without_token),
        play.forgone_rule,
    )
    assert advice in {entry.advice for entry in shown.chart}


def test_with_eight_decks_the_chart_insures_where_the_offer_favours_the_patron() -> None:
    sheet = load("commission-insurance")
    for hand in Hand:
        play = best_play(sheet, hand, Composition.full(8))
        assert play is not None
        for choice in play.chart.values():
            assert (choice.advice is Advice.INSURE) == ((choice.cell.value or 0) > 0)
        assert play.edge == price_sheet(sheet, distribution(Composition.full(8)))[hand.value].edge
        assert play.best_edge < play.chart_edge < play.edge


def test_the_value_of_an_offer_depends_on_the_cards_on_the_table() -> None:
    sheet, table = load("da-hu-ying-xiong"), parse_cards("5h Kd Ks 6c")
    assert sheet.insurance is not None
    rest = [card for card in DECK if card not in table][:9]
    left = Composition(tuple(sum(card.rank is rank for card in rest) for rank in Rank))
    now = [cell for cell in cells(sheet.insurance, distribution(left, table)) if cell.offer.window is Window.FOUR_CARDS]
    standing = {cell.offer.hand: cell for cell in now if cell.deals}
    assert standing.keys() == sheet.insurance.offers(table).keys() == {Hand.BANKER}
    cell = standing[Hand.BANKER]
    assert cell.value == worth(cell.offer, list(table), rest) * cell.offer.odds.exact


def test_points_without_a_draw_are_not_priced() -> None:
    sheet: Sheet = load("da-hu-ying-xiong")
    insurance: Insurance | None = sheet.insurance
    assert insurance is not None
    row = Offer(Window.FOUR_CARDS, Hand.PLAYER, frozenset({0, 9}), frozenset({0}), Odds.parse("9:1"), "4.1.2")
    found = cells(replace(insurance, rows=(*insurance.rows, row)), distribution(Composition.full(8)))
    assert [cell.player for cell in found if cell.offer is row] == [0]
