"""Effects of removal, linear counts and countability."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from punto.analysis.countability import (
    Count,
    Countability,
    Counted,
    Shoes,
    countability,
    deal_shoes,
    generator_of,
    shuffle,
)
from punto.analysis.counting import distribution
from punto.analysis.insurance import cells
from punto.analysis.pricing import price_sheet
from punto.analysis.removal import best_tags, best_whole_tags, fit, insurance_effects, removal_effects, true_counts
from punto.rules.cards import Card, Rank
from punto.rules.composition import Burn, Composition
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refused
from punto.rules.tableau import next_hand

EIGHT = Composition.full(8)


@pytest.mark.parametrize("game", GAMES)
def test_effects_of_removal_cancel_over_a_full_shoe(game: str) -> None:
    for effects in removal_effects(load(game), EIGHT).values():
        assert sum(effects) == 0


def test_a_rank_that_is_not_there_has_no_effect() -> None:
    shoe = Composition((0, *[8] * 12))
    assert all(effects[0] == 0 for effects in removal_effects(load("commission"), shoe).values())


def test_effects_on_insurance_are_differences_of_its_values() -> None:
    sheet = load("commission-insurance")
    assert sheet.insurance is not None
    effects = insurance_effects(sheet, EIGHT)
    before = cells(sheet.insurance, distribution(EIGHT))
    assert len(effects) == len(before)
    without_a_six = cells(sheet.insurance, distribution(EIGHT.without([Rank.SIX])))
    for row, was, now in zip(effects, before, without_a_six, strict=True):
        assert was.value is not None
        assert now.value is not None
        assert row[Rank.SIX - 1] == now.value - was.value


def test_the_best_tags_fit_perfectly_and_whole_ones_nearly() -> None:
    for effects in removal_effects(load("easy-six"), EIGHT).values():
        assert best_tags(effects).fit == pytest.approx(1)
        assert max(map(abs, best_tags(effects).tags)) == 3
        whole = best_whole_tags(effects)
        assert set(whole.tags) <= set(range(-3, 4))
        assert 0.97 < whole.fit <= 1 + 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_no_whole_tags_fit_better_than_the_best(seed: int) -> None:
    """Five different effects over thirteen ranks: every choice of five tags is tried."""
    random = np.random.default_rng(seed)
    values = [Fraction(int(value)) for value in random.integers(-50, 50, 5)]
    effects = [values[place] for place in [0, 1, 2, 3, 4, 4, 4, 4, 1, 2, 0, 0, 3]]
    tried = (
        fit([tags[place] for place in [0, 1, 2, 3, 4, 4, 4, 4, 1, 2, 0, 0, 3]], effects)
        for tags in itertools.product(range(-3, 4), repeat=5)
        if len(set(tags)) > 1
    )
    assert best_whole_tags(effects).fit == pytest.approx(max(tried), abs=1e-12)


def test_where_no_card_matters_there_is_no_count() -> None:
    nothing = [Fraction(0)] * 13
    assert set(best_whole_tags(nothing).tags) == {0.0}
    assert math.isnan(best_whole_tags(nothing).fit)
    assert set(best_tags(nothing).tags) == {0.0}


def test_a_shuffle_keeps_the_cards_and_puts_every_rank_everywhere_equally_often() -> None:
    number = 20_000
    shoes = shuffle(generator_of(3), 1, number)
    assert (np.sort(shoes, axis=1) == np.repeat(np.arange(13), 4)).all()
    seen = np.array([np.bincount(place, minlength=13) for place in shoes.T])
    chi_square = ((seen - number / 13) ** 2 / (number / 13)).sum()
    freedom = 51 * 12
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)
    same_as_next = (shoes[:, 1:] == shoes[:, :-1]).mean()
    assert same_as_next == pytest.approx(3 / 51, abs=4 * math.sqrt(3 / 51 / (51 * number)))


def plainly(
    game: str, bet: str, tags: tuple[int, ...], threshold: float, shoes: Shoes
) -> tuple[list[float], list[float], float]:
    """Exact values in favourable rounds and in rounds that the count bets on, one round at a time; the correlation."""
    sheet = load(game)
    _, starts, *_ = deal_shoes(shuffle(generator_of(shoes.seed), shoes.decks, shoes.number), shoes)
    perfect, counted, all_rounds = [], [], []
    for row in starts:
        left = Composition(tuple(map(int, row)))
        value = float(price_sheet(sheet, distribution(left))[bet].value)
        running = sum(tag * (4 * shoes.decks - count) for tag, count in zip(tags, left.counts, strict=True))
        if value > 0:
            perfect.append(value)
        true_count = running / (left.size / 52)
        if true_count >= threshold:
            counted.append(value)
        all_rounds.append((true_count, value))
    return perfect, counted, float(np.corrcoef(np.array(all_rounds).T)[0, 1])


TAGS = (0.0, 0.0, 0.0, 0.0, 0.0, -3.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)


def counted(shoes: Shoes, threshold: float | None, done: list[int] | None = None) -> tuple[Countability, Counted]:
    counts = {"easy-six": [Count(TAGS, threshold)]}
    found = countability(load("easy-six"), shoes, counts, progress=(done if done is not None else []).append)
    assert found["player"].counted == ()
    (each,) = found["easy-six"].counted
    return found["easy-six"], each


@pytest.mark.parametrize("threshold", [None, 4.0])
def test_countability_sums_the_value_of_each_round(threshold: float | None) -> None:
    shoes = Shoes(decks=2, cut=12, number=60, seed=9)
    done: list[int] = []
    each, play = counted(shoes, threshold, done)
    assert done == ([30, 90] if threshold is None else [60])
    tags = tuple(map(int, TAGS))
    perfect, bet_on, correlation = plainly("easy-six", "easy-six", tags, play.threshold, shoes)
    assert each.perfect.bets == len(perfect)
    assert each.perfect.average == pytest.approx(sum(perfect) / len(perfect))
    assert each.perfect.per_shoe == pytest.approx(sum(perfect) / 60)
    assert each.perfect.per_100 == pytest.approx(100 * sum(perfect) / each.perfect.rounds)
    assert play.play.bets == len(bet_on)
    assert play.play.average == pytest.approx(sum(bet_on) / len(bet_on))
    assert play.play.per_shoe <= each.perfect.per_shoe
    assert play.correlation == pytest.approx(correlation)
    assert correlation > 0.7


def test_a_threshold_is_chosen_on_other_shoes() -> None:
    shoes = Shoes(decks=4, cut=14, number=240, seed=2)
    _, chosen = counted(shoes, None)
    given = [counted(shoes, threshold)[1].play for threshold in range(-2, 12)]
    assert chosen.play == counted(shoes, chosen.threshold)[1].play
    assert max(given, key=lambda play: play.won).won >= chosen.play.won  # the best on these shoes is known afterwards
    assert chosen.play.per_shoe > 0


def test_the_errors_are_those_of_whole_shoes() -> None:
    """The spread over seeds is the error that each of them tells."""
    samples = [counted(Shoes(decks=2, cut=12, number=192, seed=seed), 3.0) for seed in range(40)]
    for name in ("share", "average", "per_shoe", "per_100"):
        for plays in ([each.perfect for each, _ in samples], [play.play for _, play in samples]):
            spread = np.std([getattr(play, name) for play in plays])
            told = np.mean([getattr(play, f"{name}_error") for play in plays])
            assert 0.7 < told / spread < 1.4, name
    spread = np.std([play.correlation for _, play in samples])
    assert 0.4 < np.mean([play.correlation_error for _, play in samples]) / spread < 2.5  # from three groups of shoes


@pytest.mark.parametrize("one_more", [False, True])
@pytest.mark.parametrize(("burn", "first"), [(0, 0), (7, 7), (Burn.CARD, None)])
def test_shoes_are_dealt_by_the_table_of_play_from_the_burn_until_the_cut_card(
    burn: int | Burn, first: int | None, one_more: bool
) -> None:
    cards = shuffle(generator_of(5), 1, 40)
    _, starts, shoe, _ = deal_shoes(cards, Shoes(decks=1, cut=11, number=40, seed=5, burn=burn, one_more=one_more))
    for number, order in enumerate(cards):
        worth = min(int(order[0]) + 1, 10)
        at = 1 + worth if first is None else first
        wanted, more = [], one_more
        while len(order) - at > 11 or more:
            more = one_more and len(order) - at > 11
            seen = [*order[:1], *order[1 + worth : at]] if first is None else list(order[first:at])
            wanted.append([4 - seen.count(rank) for rank in range(13)])
            rest = [Card(f"{Rank(int(rank) + 1).symbol}s") for rank in order[at:]]
            at += next(size for size in range(4, 7) if next_hand(rest[:size]) is None)
        assert starts[shoe == number].tolist() == wanted


def test_tags_that_do_not_add_up_to_zero_count_from_their_mean() -> None:
    shoes = np.array([[32] * 13, [31, *[32] * 12]])
    shifted, balanced = (1.0, *[0.0] * 12), (12 / 13, *[-1 / 13] * 12)
    np.testing.assert_allclose(true_counts(shoes, 8, shifted), true_counts(shoes, 8, balanced))
    assert true_counts(shoes, 8, shifted)[0] == 0


@pytest.mark.parametrize(
    "wrong", [{"cut": 4}, {"cut": 52}, {"number": 0}, {"cut": 10, "one_more": True}, {"burn": -1}, {"burn": 46}]
)
def test_shoes_that_cannot_be_dealt_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        Shoes(decks=1, **({"cut": 14} | wrong))
