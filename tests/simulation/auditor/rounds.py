"""The Table of Play once more: which hand the next card goes to, how a round came out, what can be insured."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from tests.simulation.auditor.games import GAMES, HANDS, INSURANCE, PAID_ON_TIE, RANKS, Game, Odds, Outcome

_DRAWS_AFTER = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}, 7: set[int]()}
"""What Player's third card must count for Banker to draw, by Banker's points; on 0, 1 and 2 Banker always draws."""
_FIRST_FOUR = ("player", "banker", "player", "banker")
WINDOWS = {4: "four-cards", 5: "player-third"}
"""The insurance windows, by the number of cards on the table."""


def points(cards: Iterable[str]) -> int:
    """The points of a hand."""
    return sum([RANKS[card[0]] for card in cards]) % 10


def next_hand(cards: Sequence[str]) -> str | None:
    """The hand to which the next card goes after these, all of them open; None where the round is complete."""
    dealt = len(cards)
    if dealt < 4:
        return _FIRST_FOUR[dealt]
    player, banker = points((cards[0], cards[2])), points((cards[1], cards[3]))
    if player > 7 or banker > 7 or dealt == 6:
        return None
    if player > 5:
        return "banker" if dealt == 4 and banker < 6 else None
    if dealt == 4:
        return "player"
    return "banker" if banker < 3 or RANKS[cards[4][0]] in _DRAWS_AFTER[banker] else None


def banker_surely_draws(cards: Sequence[str]) -> bool:
    """Whether, by the first four cards, Player draws and Banker draws whatever Player's third card is."""
    if len(cards) < 4 or next_hand(cards[:4]) != "player":
        return False
    return points((cards[1], cards[3])) < 3


def hands(cards: Sequence[str]) -> tuple[list[str], list[str]]:
    """The cards of Player and of Banker."""
    player, banker = [*cards[0:4:2]], [*cards[1:4:2]]
    if len(cards) > 4:
        (player if next_hand(cards[:4]) == "player" else banker).append(cards[4])
    banker += cards[5:6]
    return player, banker


def outcome_of(cards: Sequence[str]) -> Outcome:
    """How complete cards came out."""
    of_player, of_banker = hands(cards)
    player, banker = points(of_player), points(of_banker)
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    pairs = [each[0][0] if each[0][0] == each[1][0] else "" for each in (of_player, of_banker)]
    return Outcome(winner, player, banker, len(of_banker), *pairs)


def offers(cards: Sequence[str]) -> dict[str, tuple[int, Odds]]:
    """What can be insured with these open cards on the table: by hand, its points and the odds."""
    window, coming = WINDOWS.get(len(cards)), next_hand(cards)
    if window is None or coming is None or (window == "player-third" and next_hand(cards[:4]) != "player"):
        return {}
    of_player, of_banker = hands(cards)
    player, banker = str(points(of_player)), str(points(of_banker))
    found = {}
    for hand in HANDS:
        for of_table, of_bank, odds in INSURANCE[window, hand]:
            if player in of_table and banker in of_bank:
                found[hand] = (int(player if hand == "player" else banker), odds)
    return found


def insurance_result(window: str, hand: str, at: int, winner: str) -> str:
    """What becomes of insurance that was taken on a hand when it had `at` points."""
    if (window, hand, at) == PAID_ON_TIE:
        return "win" if winner == "tie" else "lose"
    return "returned" if winner == "tie" else "lose" if winner == hand else "win"


def exceeds_cap(taken: Iterable[tuple[int, Odds]], original: int) -> bool:
    """Whether insurance could pay more than the original bet: stakes and odds over both windows."""
    return sum([Fraction(stake * win, of) for stake, (win, of) in taken]) > original


def result_of(game: Game, on: str, outcome: Outcome) -> tuple[str, Odds | None]:
    """What becomes of a bet that is no insurance, and the odds that pay."""
    if on in HANDS and outcome.winner == "tie":
        return "returned", None
    odds = game.bets[on](outcome)
    return ("lose", None) if odds is None else ("win", odds)


def is_established(game: str, cards: Sequence[str | None]) -> bool:
    """Whether a bet that the game offers has won or lost, whatever cards are still to come, or still closed."""
    return _is_established(game, tuple([card[0] if card else None for card in cards]))


@lru_cache(maxsize=65_536)
def _is_established(game: str, ranks: tuple[str | None, ...]) -> bool:
    if len([rank for rank in ranks if rank]) < 2:
        return False  # each bet can still be won and lost
    offered = GAMES[game]
    decided: dict[str, set[str]] = {on: set() for on in offered.bets}
    to_come = (None,) * (6 - len(ranks))
    for filled in product(*[(rank,) if rank else tuple(RANKS) for rank in (*ranks, *to_come)]):
        dealt = 4
        while dealt < 6 and next_hand(filled[:dealt]) is not None:
            dealt += 1
        outcome = outcome_of(filled[:dealt])
        for on in [*decided]:
            decided[on].add(result_of(offered, on, outcome)[0])
            if len(decided[on]) > 1:
                del decided[on]
        if not decided:
            return False
    return any(results != {"returned"} for results in decided.values())
