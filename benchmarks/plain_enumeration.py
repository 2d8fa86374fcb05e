"""The baseline of exact analysis: every deal of a round enumerated in plain Python, value by value.

Four cards by their ten values, then third cards as the drawing rules ask; cards a round does not use are multiplied in.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product


def enumerate_plays(counts: Sequence[int]) -> list[int]:
    """Ordered six-card deals by both totals and both card counts, for thirteen counts from ace to king."""
    left = [sum(counts[9:]), *counts[:9]]
    size = sum(left)
    plays = [0] * 400
    for a, b, c, d in product(range(10), repeat=4):
        ways = 1
        for card in (a, b, c, d):
            ways *= left[card]
            left[card] -= 1
        if ways > 0:
            player, banker = (a + c) % 10, (b + d) % 10
            if player > 7 or banker > 7 or (player > 5 and banker > 5):
                plays[(player * 10 + banker) * 4] += ways * (size - 4) * (size - 5)
            elif player > 5:
                for y in range(10):
                    plays[(player * 10 + (banker + y) % 10) * 4 + 1] += ways * left[y] * (size - 5)
            else:
                for x in range(10):
                    ways_x = ways * left[x]
                    left[x] -= 1
                    end = (player + x) % 10
                    if _banker_draws(banker, x):
                        for y in range(10):
                            plays[(end * 10 + (banker + y) % 10) * 4 + 3] += ways_x * left[y]
                    else:
                        plays[(end * 10 + banker) * 4 + 2] += ways_x * (size - 5)
                    left[x] += 1
        for card in (a, b, c, d):
            left[card] += 1
    return plays


def _banker_draws(banker: int, third: int) -> bool:
    if banker < 3:
        return True
    if banker == 3:
        return third != 8
    return banker < 7 and {4: 2, 5: 4, 6: 6}[banker] <= third <= 7
