"""A plain enumeration of every deal, written apart from the package: nothing of punto is imported here.

Six nested loops over the thirteen ranks, a card at a time, with the drawing rules as a chain of ifs. As it stands it is
Python; numba only makes it quick enough for hundreds of shoes (`enumerate_deals.py_func` is the same without).
"""

from __future__ import annotations

from numba import njit


@njit(cache=True)
def enumerate_deals(shoe, joint, third):  # type: ignore[no-untyped-def]
    """Count ordered six-card deals: `joint[p, b, pc, bc, pp, bp]` by end points, third cards and pairs (0: none);
    `third[p2, b2, x, w]` by two-card points, Player's third (10: none) and winner (0 Player, 1 Banker, 2 tie).
    """
    left = shoe.copy()
    for a in range(13):
        n1 = left[a]
        if n1 == 0:
            continue
        left[a] -= 1
        for b in range(13):
            n2 = n1 * left[b]
            if n2 == 0:
                continue
            left[b] -= 1
            for c in range(13):
                n3 = n2 * left[c]
                if n3 == 0:
                    continue
                left[c] -= 1
                for d in range(13):
                    n4 = n3 * left[d]
                    if n4 == 0:
                        continue
                    left[d] -= 1
                    for e in range(13):
                        n5 = n4 * left[e]
                        if n5 == 0:
                            continue
                        left[e] -= 1
                        for f in range(13):
                            n6 = n5 * left[f]
                            if n6 != 0:
                                record(a, b, c, d, e, f, n6, joint, third)
                        left[e] += 1
                    left[d] += 1
                left[c] += 1
            left[b] += 1
        left[a] += 1


@njit(cache=True)
def worth(rank):  # type: ignore[no-untyped-def]
    return rank + 1 if rank < 9 else 0


@njit(cache=True)
def record(a, b, c, d, e, f, ways, joint, third):  # type: ignore[no-untyped-def]
    player = (worth(a) + worth(c)) % 10
    banker = (worth(b) + worth(d)) % 10
    player_end, banker_end, player_third, banker_third = player, banker, False, False
    if player < 8 and banker < 8:
        if player < 6:
            player_third = True
            t = worth(e)
            player_end = (player + t) % 10
            if banker < 3:
                banker_third = True
            elif banker == 3:
                banker_third = t != 8
            elif banker == 4:
                banker_third = t > 1 and t < 8
            elif banker == 5:
                banker_third = t > 3 and t < 8
            elif banker == 6:
                banker_third = t == 6 or t == 7
            if banker_third:
                banker_end = (banker + worth(f)) % 10
        elif banker < 6:
            banker_third = True
            banker_end = (banker + worth(e)) % 10
    player_pair = a + 1 if a == c else 0
    banker_pair = b + 1 if b == d else 0
    joint[player_end, banker_end, int(player_third), int(banker_third), player_pair, banker_pair] += ways
    winner = 2
    if player_end > banker_end:
        winner = 0
    if player_end < banker_end:
        winner = 1
    third[player, banker, worth(e) if player_third else 10, winner] += ways
