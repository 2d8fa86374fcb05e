"""Outcome established: every prefix of a round, by rank, against an enumerator that shares no code with the rules.

Here the Table of Play and every bet are written again, by hand, over plain numbers: ranks 1 to 13, totals mod 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from punto.rules.cards import Card, Rank, parse_cards
from punto.rules.established import BetStatus, established, is_established
from punto.rules.loader import GAMES, load

WIN, LOSE, BACK = "won", "lost", "returned"
RANKS = range(1, 14)
Final = tuple[int, int, int, int, int, int]  # Player's total, Banker's, cards of each, rank of each pair or 0


def value(rank: int) -> int:
    return rank if rank < 10 else 0


def banker_takes(total: int, third: int | None) -> bool:
    if third is None:
        return total < 6
    if total <= 2:
        return True
    if total == 3:
        return third != 8
    if total == 4:
        return 2 <= third <= 7
    if total == 5:
        return 4 <= third <= 7
    return total == 6 and third in (6, 7)


@cache
def endings(p: int, b: int, pair_p: int, pair_b: int, third: int | None = None, last: int | None = None) -> set[Final]:
    """Every way two-card totals can end; `third` and `last` are the points of cards already drawn, in order."""
    if p > 7 or b > 7:
        return {(p, b, 2, 2, pair_p, pair_b)}
    if p > 5:
        if b > 5:
            return {(p, b, 2, 2, pair_p, pair_b)}
        return {(p, (b + x) % 10, 2, 3, pair_p, pair_b) for x in ([third] if third is not None else range(10))}
    found = set()
    for x in [third] if third is not None else range(10):
        if banker_takes(b, x):
            more = [last] if last is not None else range(10)
            found |= {((p + x) % 10, (b + y) % 10, 3, 3, pair_p, pair_b) for y in more}
        else:
            found.add(((p + x) % 10, b, 3, 2, pair_p, pair_b))
    return found


def to_come(ranks: tuple[int, ...]) -> bool:
    """Whether another card comes after these."""
    if len(ranks) < 4:
        return True
    p, b = (value(ranks[0]) + value(ranks[2])) % 10, (value(ranks[1]) + value(ranks[3])) % 10
    if p > 7 or b > 7 or len(ranks) == 6:
        return False
    if len(ranks) == 4:
        return p < 6 or b < 6
    return p < 6 and banker_takes(b, value(ranks[4]))


def outright(on: Callable[[Final], bool]) -> Callable[[Final], str]:
    return lambda f: WIN if on(f) else LOSE


BETS: dict[str, Callable[[Final], str]] = {
    "player": lambda f: BACK if f[0] == f[1] else WIN if f[0] > f[1] else LOSE,
    "banker": lambda f: BACK if f[0] == f[1] else WIN if f[1] > f[0] else LOSE,
    "tie": outright(lambda f: f[0] == f[1]),
    "player-pair": outright(lambda f: f[4] > 0),
    "banker-pair": outright(lambda f: f[5] > 0),
    "easy-six": outright(lambda f: max(f[0], f[1]) == 6),
    "tiger": outright(lambda f: f[1] == 6 and f[0] < 6),
    "big-tiger": outright(lambda f: f[1] == 6 and f[0] < 6 and f[3] == 3),
    "small-tiger": outright(lambda f: f[1] == 6 and f[0] < 6 and f[3] == 2),
    "tiger-tie": outright(lambda f: f[0] == f[1] == 6),
    "tiger-pair": outright(lambda f: f[4] > 0 or f[5] > 0),
}
COMMON = ["player", "banker", "tie", "player-pair", "banker-pair"]
OFFERED = {
    "commission": COMMON,
    "commission-insurance": COMMON,
    "non-commission": COMMON,
    "easy-six": [*COMMON, "easy-six"],
    "da-hu-ying-xiong": ["player", "banker", "tie", "tiger", "big-tiger", "small-tiger", "tiger-tie", "tiger-pair"],
}


@cache
def results_of_four(p: int, b: int, pair_p: int, pair_b: int, *drawn: int) -> tuple[frozenset[str], ...]:
    ends = endings(p, b, pair_p, pair_b, *drawn)
    return tuple(frozenset(bet(end) for end in ends) for bet in BETS.values())


@cache
def results(ranks: tuple[int, ...]) -> tuple[frozenset[str], ...]:
    """For each bet, everything that may still become of it."""
    if len(ranks) >= 4:
        p, b = (value(ranks[0]) + value(ranks[2])) % 10, (value(ranks[1]) + value(ranks[3])) % 10
        pairs = (ranks[0] if ranks[0] == ranks[2] else 0, ranks[1] if ranks[1] == ranks[3] else 0)
        return results_of_four(p, b, *pairs, *[value(rank) for rank in ranks[4:]])
    nexts = [results((*ranks, rank)) for rank in RANKS]
    return tuple(frozenset().union(*each) for each in zip(*nexts, strict=True))


def statuses(game: str, *possible: tuple[frozenset[str], ...]) -> dict[str, str]:
    """What becomes of each bet of a game, if any of these may: `open` unless it is the same in all."""
    united = zip(BETS, [frozenset().union(*each) for each in zip(*possible, strict=True)], strict=True)
    return {on: next(iter(each)) if len(each) == 1 else "open" for on, each in united if on in OFFERED[game]}


def decided(game: str, ranks: tuple[int, ...]) -> bool:
    return bool({WIN, LOSE} & {*statuses(game, results(ranks)).values()})


def prefixes(longest: int, every: int = 1) -> Iterator[tuple[int, ...]]:
    for length in range(longest + 1):
        for place, ranks in enumerate(product(RANKS, repeat=length)):
            if (length < 5 or place % every == 0) and all(to_come(ranks[:n]) for n in range(4, length)):
                yield ranks


CARDS = {rank: Card(f"{Rank(rank).symbol}s") for rank in RANKS}


def check(game: str, longest: int, every: int) -> int:
    sheet = load(game)
    assert [*sheet.bets] == sorted(OFFERED[game], key=[*sheet.bets].index)
    seen = 0
    for ranks in prefixes(longest, every):
        cards = tuple([CARDS[rank] for rank in ranks])
        assert is_established(sheet, cards) is decided(game, ranks), ranks
        if seen % 50 == 0:
            assert established(sheet, cards) == statuses(game, results(ranks)), ranks
        seen += 1
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_every_prefix_to_four_cards_and_a_share_of_the_longer_ones(game: str) -> None:
    assert check(game, 6, 997) > 1 + 13 + 13**2 + 13**3 + 13**4


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_prefix_of_a_round(game: str) -> None:
    assert check(game, 6, 1) == 1_797_251


def test_both_answers_occur_before_the_fourth_card() -> None:
    for game in ("commission", "da-hu-ying-xiong"):
        answers = {decided(game, ranks) for ranks in product(RANKS, repeat=3)}
        assert answers == ({True} if game == "commission" else {True, False})


@pytest.mark.parametrize("game", GAMES)
def test_a_closed_card_may_be_any_card(game: str) -> None:
    chance = Random(f"{game} closed")
    for _ in range(12):
        before, after = chance.choices(RANKS, k=chance.randrange(4)), chance.choices(RANKS, k=3)
        after = after[: 3 - len(before)]
        cards = (*[CARDS[rank] for rank in before], None, *[CARDS[rank] for rank in after])
        possible = [results((*before, rank, *after)) for rank in RANKS]
        assert established(load(game), cards) == statuses(game, *possible), cards


def test_a_third_card_counts_though_the_one_before_it_is_closed() -> None:
    found = established(load("da-hu-ying-xiong"), (*parse_cards("2s 2h Kd Kc"), None, *parse_cards("5d")))
    assert found["tiger"] is BetStatus.LOST, "Banker has 7 whatever Player's third card is"


def test_cards_beyond_a_complete_round_are_a_bug_of_the_caller() -> None:
    with pytest.raises(ValueError, match="complete after 4 cards"):
        established(load("commission"), parse_cards("9s 2h Kd 5c 4c"))
