"""The baseline: a simulator as one would first write it. A shuffled list, the rules as they are said, a dictionary."""

from __future__ import annotations

import random
from collections import Counter

Code = tuple[int, int, int, int, int, int]


def points(rank: int) -> int:
    """What a card is worth."""
    return rank if rank < 10 else 0


def banker_draws(banker: int, third: int) -> bool:
    """Whether Banker draws after Player's third card."""
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 4 <= third <= 7
    return banker == 6 and 6 <= third <= 7


def deal_shoe(random_: random.Random, decks: int, cut: int, counts: Counter[Code]) -> int:
    """Deal one shoe, count both totals, both card counts and both pairs of every round; answer how many there were."""
    shoe = [rank for rank in range(1, 14) for _ in range(4 * decks)]
    random_.shuffle(shoe)
    rounds = 0
    while len(shoe) > cut:
        first, second, third, fourth = shoe.pop(), shoe.pop(), shoe.pop(), shoe.pop()
        player, banker = (points(first) + points(third)) % 10, (points(second) + points(fourth)) % 10
        player_cards = banker_cards = 2
        if player < 8 and banker < 8:
            if player < 6:
                drawn = points(shoe.pop())
                player, player_cards = (player + drawn) % 10, 3
                if banker_draws(banker, drawn):
                    banker, banker_cards = (banker + points(shoe.pop())) % 10, 3
            elif banker < 6:
                banker, banker_cards = (banker + points(shoe.pop())) % 10, 3
        pairs = first if first == third else 0, second if second == fourth else 0
        counts[player, banker, player_cards, banker_cards, *pairs] += 1
        rounds += 1
    return rounds


def simulate(rounds: int, seed: int = 7, decks: int = 8, cut: int = 14) -> Counter[Code]:
    """Deal whole shoes until at least so many rounds are counted."""
    random_ = random.Random(seed)
    counts: Counter[Code] = Counter()
    dealt = 0
    while dealt < rounds:
        dealt += deal_shoe(random_, decks, cut, counts)
    return counts
