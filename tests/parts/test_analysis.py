"""Exact analysis: shoes, distributions with cards on the table, prices and a user's own sheet."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.analysis.counting import distribution
from punto.analysis.pricer import Pricer
from punto.analysis.pricing import correlation, price_sheet
from punto.rules.cards import Card, Rank, parse_cards
from punto.rules.composition import Composition, shoe_of, shoe_without
from punto.rules.established import BetStatus, established
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import TooFewCards
from punto.rules.tableau import Round, deal, next_hand
from punto.texts import say
from tests.table_kit import sheet_text

EIGHT = Composition.full(8)


def code_of(call: object) -> str:
    assert callable(call)
    with pytest.raises(Refused) as refused:
        call()
    return str(refused.value.refusal.code)


# ------------------------------------------------------------------------------------------- shoes


def test_counts_and_cards_that_no_shoe_has_are_refused() -> None:
    for counts in [(1,) * 12, (1,) * 14, (-1,) + (1,) * 12, (521,) + (0,) * 12]:
        assert code_of(lambda counts=counts: Composition(counts)) == "counts-invalid"
    assert code_of(lambda: shoe_of(1, [5, *[4] * 12])) == "counts-invalid"
    assert code_of(lambda: shoe_without(1, parse_cards("6h 6h"))) == "card-copies"
    assert code_of(lambda: Composition((0,) * 12 + (9,)).without([Rank.ACE])) == "card-not-left"


@pytest.mark.parametrize("left", range(6))
def test_fewer_than_six_cards_left_is_a_clear_error(left: int) -> None:
    shoe = Composition((left,) + (0,) * 12)
    with pytest.raises(Refused) as refused:
        distribution(shoe)
    assert refused.value.refusal == TooFewCards(left, 6)
    assert "a round may need 6" in say(refused.value.refusal)


# ------------------------------------------------------------------------------------------- cards on the table


def by_dealing(sheet: Sheet, left: Composition, table: tuple[Card, ...]) -> dict[str, list[int]]:
    """Payoff counts by dealing every sequence of real cards from a tiny shoe onto the table."""
    rest = [Card(f"{rank.symbol}s") for rank, count in zip(Rank, left.counts, strict=True) for _ in range(count)]
    found = {bet.id: [0] * (2 + len(bet.pays)) for bet in sheet.bets.values()}
    for more in itertools.permutations(rest, 6 - len(table)):
        cards = [*table, *more]
        length = next(size for size in range(4, 7) if next_hand(cards[:size]) is None)
        round_ = deal(tuple(cards[:length]), 99)
        assert isinstance(round_, Round)
        for bet in sheet.bets.values():
            found[bet.id][bet.payoffs[round_.outcome.index]] += 1
    return found


@pytest.mark.parametrize("table", ["", "6s", "6s 6h", "6s 2h 6d", "2s 3h 3d 3c", "2s 3h 3d 3c 6h", "6s Kh 2d 9c"])
def test_with_cards_on_the_table_every_completion_is_counted(table: str) -> None:
    sheet, cards = load("easy-six"), parse_cards(table)
    left = Composition((1, 0, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1))
    prices = price_sheet(sheet, distribution(left, cards))
    assert {bet: list(price.deals) for bet, price in prices.items()} == by_dealing(sheet, left, cards)


@pytest.mark.parametrize(
    ("table", "last"),
    [("9h 2c Kd 3c", ""), ("9h 2c Kd 3c", "6s"), ("9h 2c Kd", "3c"), ("2h 2d 4s 3c", "Kh"), ("2h 2d Ks Kc 4h 5d", "")],
)
def test_the_last_round_of_a_shoe_needs_no_card_beyond_its_own(table: str, last: str) -> None:
    """Complete, or sure to be with the only card left: every bet has the value of the one round that can be."""
    sheet, cards, more = load("easy-six"), parse_cards(table), parse_cards(last)
    left = Composition(tuple(sum(card.rank is rank for card in more) for rank in Rank))
    whole = cards if next_hand(cards) is None else (*cards, *more)
    round_ = deal(whole, 8)
    assert isinstance(round_, Round)
    for bet, price in price_sheet(sheet, distribution(left, cards)).items():
        certain = [deals > 0 for deals in price.deals]
        assert certain.index(True) == sheet.bets[bet].payoffs[round_.outcome.index]
        assert sum(certain) == 1


@pytest.mark.parametrize(
    ("table", "last"), [("", "6s"), ("2h 2d Ks Kc", ""), ("2h 2d Ks Kc", "4h"), ("2h 2d Ks Kc 4h", "")]
)
def test_a_round_that_the_shoe_cannot_finish_has_no_value(table: str, last: str) -> None:
    more = parse_cards(last)
    left = Composition(tuple(sum(card.rank is rank for card in more) for rank in Rank))
    assert code_of(lambda: distribution(left, parse_cards(table))) == "too-few-cards"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("table", ["", "6s 6h 6d", "2s 2h 4d 5c", "9s 2h Kd 4c", "2s 3h 3d 4c", "2s 2h 3d 4c 6h"])
def test_a_bet_is_decided_exactly_when_one_result_has_all_the_deals(game: str, table: str) -> None:
    sheet, cards = load(game), parse_cards(table)
    prices = price_sheet(sheet, distribution(EIGHT.without(cards), cards))
    for bet, decided in established(sheet, cards).items():
        price = prices[bet]
        certain = {BetStatus.WON: price.hit, BetStatus.LOST: price.loses, BetStatus.RETURNED: price.returned}
        assert [each for each, share in certain.items() if share == 1] == (
            [] if decided is BetStatus.OPEN else [decided]
        )


# ------------------------------------------------------------------------------------------- prices


def test_unused_cards_of_a_round_do_not_change_its_distribution() -> None:
    """The average price over the next card is the price now: one card less, unseen, changes nothing."""
    sheet = load("da-hu-ying-xiong")
    now = price_sheet(sheet, distribution(EIGHT))
    later = [price_sheet(sheet, distribution(EIGHT.without([rank]))) for rank in Rank]
    for bet, price in now.items():
        assert sum((each[bet].value for each in later), Fraction(0)) / len(Rank) == price.value


@settings(max_examples=25, derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 6))
def test_shares_add_up_and_player_and_banker_oppose(counts: list[int]) -> None:
    prices = price_sheet(load("commission"), distribution(Composition(tuple(counts))))
    for price in prices.values():
        assert price.hit + price.loses + price.returned == 1
        assert sum(price.lines) == price.hit
        assert price.variance >= 0
    assert prices["player"].hit == prices["banker"].loses
    assert prices["player"].returned == prices["banker"].returned == prices["tie"].hit
    assert prices["player-pair"].edge == prices["banker-pair"].edge


def test_edge_is_minus_the_expected_net_and_the_deviation_is_that_of_the_net() -> None:
    price = price_sheet(load("commission"), distribution(EIGHT))["banker"]
    assert price.edge == Fraction(114753351728, 10847218479825)
    nets = np.array([float(net) for net in price.bet.nets])
    shares = np.array(price.deals) / price.total
    assert price.sd == pytest.approx(math.sqrt(shares @ nets**2 - (shares @ nets) ** 2), rel=1e-12)


def test_correlation_of_a_bet_with_itself_with_its_opposite_and_with_one_that_cannot_vary() -> None:
    sheet, of = load("commission"), distribution(EIGHT)
    assert correlation(sheet, "player", "player", of) == pytest.approx(1)
    assert -1 < correlation(sheet, "player", "banker", of) < -0.99
    assert correlation(sheet, "player-pair", "banker-pair", of) == pytest.approx(
        correlation(sheet, "banker-pair", "player-pair", of)
    )
    only_aces = distribution(Composition((9,) + (0,) * 12))
    assert math.isnan(correlation(sheet, "player", "tie", only_aces))


# ------------------------------------------------------------------------------------------- a sheet of one's own

OWN = """
[[bets]]
id = "lucky-pair"
name = "Lucky Pair"
rule = "3.3"
lost = "3.4"

[[bets.pays]]
says = "Player wins with a pair of sixes"
when = { winner = "player", player-pair = "6" }
odds = "70:1"
rule = "4.1.1"

[[bets.pays]]
says = "The paired hand wins"
when = [{ winner = "player", player-pair = true }, { winner = "banker", banker-pair = true }]
odds = "9:2"
rule = "4.1.1"

[[bets]]
id = "sure-thing"
name = "Sure Thing"
rule = "3.3"
lost = "3.4"
pays = [{ says = "Always", when = { pairs = [0, 1, 2] }, odds = "1:9", rule = "4.1.1" }]
"""


def test_custom_bets_that_mix_play_and_pairs_are_priced_exactly() -> None:
    own = load(sheet_text("non-commission", ("[[irregularities]]", f"{OWN}\n[[irregularities]]")))
    shoes = [EIGHT, Composition((3, 1, 0, 2, 1, 4, 0, 0, 2, 1, 0, 3, 2))]
    prices = [price_sheet(own, distribution(shoe)) for shoe in shoes]
    assert all(each["sure-thing"].edge == Fraction(-1, 9) for each in prices)
    values = Pricer(own).values(np.array([shoe.counts for shoe in shoes]))
    exact = [[float(price.value) for price in each.values()] for each in prices]
    np.testing.assert_allclose(values, exact, rtol=1e-12)
