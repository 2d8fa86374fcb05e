"""The five rule sheets once more: what each game offers and pays, as small tables.

Odds are pairs: what is won, for how much staked. A payout is rounded down to the cent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

RANKS = {"A": 1, **{str(number): number for number in range(2, 10)}, "T": 0, "J": 0, "Q": 0, "K": 0}
"""What each rank counts."""

Odds = tuple[int, int]


class Outcome(NamedTuple):
    """How the cards of a round came out. A pair is the rank of a hand's first two cards, if they are equal."""

    winner: str
    player: int
    banker: int
    banker_cards: int
    player_pair: str
    banker_pair: str


Pays = Callable[[Outcome], Odds | None]
"""The odds that a bet wins, or None where it loses."""
EVEN, HALF = (1, 1), (1, 2)


def _winning(hand: str, odds: Odds) -> Pays:
    return lambda outcome: odds if outcome.winner == hand else None


def _tie(odds: Odds, on_six: Odds | None = None) -> Pays:
    on_six = on_six or odds
    return lambda outcome: None if outcome.winner != "tie" else on_six if outcome.player == 6 else odds


def _player_better_on_six(outcome: Outcome) -> Odds | None:
    if outcome.winner != "player":
        return None
    return (21, 20) if outcome.player == 6 else EVEN


def _banker_half_on_six(outcome: Outcome) -> Odds | None:
    if outcome.winner != "banker":
        return None
    return HALF if outcome.banker == 6 else EVEN


def _pair(hand: str, odds: Odds, of_sixes: Odds | None = None) -> Pays:
    def pays(outcome: Outcome) -> Odds | None:
        pair = outcome.player_pair if hand == "player" else outcome.banker_pair
        return None if not pair else of_sixes if of_sixes and pair == "6" else odds

    return pays


def _easy_six(outcome: Outcome) -> Odds | None:
    points = outcome.banker if outcome.winner == "banker" else outcome.player
    return (6, 1) if points == 6 else None


def _tiger(two: Odds | None, three: Odds | None) -> Pays:
    def pays(outcome: Outcome) -> Odds | None:
        if outcome.winner != "banker" or outcome.banker != 6:
            return None
        return two if outcome.banker_cards == 2 else three

    return pays


def _tiger_tie(outcome: Outcome) -> Odds | None:
    return (35, 1) if outcome.winner == "tie" and outcome.player == 6 else None


def _tiger_pair(outcome: Outcome) -> Odds | None:
    player, banker = outcome.player_pair, outcome.banker_pair
    if not player and not banker:
        return None
    return (4, 1) if not (player and banker) else (100, 1) if player == banker else (20, 1)


class Game(NamedTuple):
    """A sheet. `ruled` sheets have paragraphs for standing patrons, pro rata and interruptions."""

    bets: dict[str, Pays]
    ruled: bool = False
    insured: bool = False
    forgone: bool = False
    most_decks: int = 8


_COMMISSION: dict[str, Pays] = {
    "player": _winning("player", EVEN),
    "banker": _winning("banker", (19, 20)),
    "tie": _tie((8, 1)),
    "player-pair": _pair("player", (11, 1)),
    "banker-pair": _pair("banker", (11, 1)),
}
GAMES = {
    "commission": Game(_COMMISSION, ruled=True),
    "commission-insurance": Game(_COMMISSION, insured=True),
    "non-commission": Game(_COMMISSION | {"banker": _banker_half_on_six}),
    "easy-six": Game(
        {
            "player": _player_better_on_six,
            "banker": _banker_half_on_six,
            "tie": _tie((8, 1), on_six=(10, 1)),
            "player-pair": _pair("player", (11, 1), of_sixes=(13, 1)),
            "banker-pair": _pair("banker", (11, 1), of_sixes=(13, 1)),
            "easy-six": _easy_six,
        }
    ),
    "da-hu-ying-xiong": Game(
        {
            "player": _winning("player", EVEN),
            "banker": _banker_half_on_six,
            "tie": _tie((8, 1)),
            "tiger": _tiger((12, 1), (20, 1)),
            "big-tiger": _tiger(None, (50, 1)),
            "small-tiger": _tiger((22, 1), None),
            "tiger-tie": _tiger_tie,
            "tiger-pair": _tiger_pair,
        },
        ruled=True,
        insured=True,
        forgone=True,
        most_decks=10,
    ),
}
HANDS = ("player", "banker")
"""The hands, which are also the names of the original bets."""

INSURANCE: dict[tuple[str, str], tuple[tuple[str, str, Odds], ...]] = {
    ("four-cards", "banker"): (
        ("01234", "5", (2, 1)),
        ("012345", "6", (3, 1)),
        ("012345", "7", (4, 1)),
    ),
    ("four-cards", "player"): (
        ("5", "4", (2, 1)),
        ("6", "012345", (3, 1)),
        ("7", "012345", (4, 1)),
    ),
    ("player-third", "banker"): (
        ("1", "1", (6, 1)),
        ("1", "23456", (7, 1)),
        ("2", "3456", (4, 1)),
        ("3", "4", (3, 2)),
    ),
    ("player-third", "player"): (
        ("5", "01234", (2, 1)),
        ("6", "012345", (3, 1)),
        ("7", "0123456", (4, 1)),
        ("8", "0123456", (7, 1)),
        ("9", "0123456", (8, 1)),
    ),
}
"""The insurance table of both sheets that have one: Player's points, Banker's points and the odds."""
PAID_ON_TIE = ("player-third", "player", 9)
"""The one insurance that a tie pays: on Player at 9 points after the third card. It loses in every other way."""
