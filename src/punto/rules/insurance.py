"""Insurance: what is on offer for the cards on the table, who may take it, how much, and what becomes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.hands import Hand, point_total
from punto.rules.money import Odds
from punto.rules.outcome import Outcome, Winner
from punto.rules.tableau import INITIAL_CARDS, banker_draws, next_hand, player_draws


class Window(StrEnum):
    """When insurance may be bet: after the first four cards, and after Player's third."""

    FOUR_CARDS = "four-cards"
    PLAYER_THIRD = "player-third"

    @property
    def cards(self) -> int:
        """How many cards are on the table in this window."""
        return INITIAL_CARDS if self is Window.FOUR_CARDS else INITIAL_CARDS + 1

    @property
    def spoken(self) -> str:
        """The window as people say it."""
        return "after four cards" if self is Window.FOUR_CARDS else "after Player's third card"


@dataclass(frozen=True, slots=True)
class Offer:
    """A row of the insurance pay table: in which window and at which points, on which hand, at which odds.

    `tie_wins_rule` cites the paragraph by which a tie wins this row; without one a tie returns the insurance.
    """

    window: Window
    hand: Hand
    player: frozenset[int]
    banker: frozenset[int]
    odds: Odds
    rule: str
    tie_wins_rule: str | None = None

    @property
    def can_be_on_offer(self) -> bool:
        """Whether a card can still be to come at some of the row's points."""
        if self.window is Window.FOUR_CARDS:
            return any(player_draws(p, b) or banker_draws(p, b, None) for p in self.player for b in self.banker)
        return any(
            player_draws(before, banker) and banker_draws(before, banker, third)
            for banker in self.banker
            for before in range(10)
            for third in range(10)
            if (before + third) % 10 in self.player
        )

    def settle(self, outcome: Outcome) -> Result:
        """Insurance wins when its hand loses, loses when it wins; a tie returns it unless the row says otherwise."""
        winner = outcome.winner
        if winner is Winner.TIE:
            return Result.WIN if self.tie_wins_rule else Result.RETURNED
        return Result.LOSE if winner.value == self.hand.value else Result.WIN


@dataclass(frozen=True, slots=True)
class InsuranceBet:
    """The name under which insurance on a hand is bet."""

    id: str
    name: str
    hand: Hand


@dataclass(frozen=True, slots=True)
class Insurance:
    """A sheet's insurance: its pay table and the paragraphs that govern it.

    A ValueError at construction names rows that stand for the same points or can never be on offer.
    """

    bets: tuple[InsuranceBet, ...]
    rows: tuple[Offer, ...]
    original_rule: str
    cap_rule: str
    window_rule: str
    lost_rule: str
    returned_rule: str
    waiver_rule: str
    waiver_by: str
    forgone_rule: str | None = None
    private_table_rule: str | None = None
    cells: dict[tuple[Window, int, int], dict[Hand, Offer]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cells: dict[tuple[Window, int, int], dict[Hand, Offer]] = {}
        if sorted(bet.hand for bet in self.bets) != sorted(Hand) or len({bet.id for bet in self.bets}) != len(
            self.bets
        ):
            raise ValueError("there must be one insurance bet on each hand, each with an id of its own")
        if not self.rows:
            raise ValueError("there is no row, so insurance could never be bet")
        for row in self.rows:
            if not row.can_be_on_offer:
                raise ValueError(
                    f"the {row.window} row on {row.hand} at {row.odds} can never be on offer: nobody draws"
                )
            for player in row.player:
                for banker in row.banker:
                    cell = cells.setdefault((row.window, player, banker), {})
                    if row.hand in cell:
                        raise ValueError(
                            f"two {row.window} rows on {row.hand} hold for Player {player} and Banker {banker}: "
                            f"{cell[row.hand].odds} and {row.odds}"
                        )
                    cell[row.hand] = row
        object.__setattr__(self, "cells", cells)

    def offers(self, cards: Sequence[Card]) -> dict[Hand, Offer]:
        """What may be insured now, for the cards on the table in dealing order, by hand; empty outside a window."""
        if not INITIAL_CARDS <= len(cards) <= INITIAL_CARDS + 1:
            return {}
        window = Window.FOUR_CARDS if len(cards) == INITIAL_CARDS else Window.PLAYER_THIRD
        if window is Window.PLAYER_THIRD and next_hand(cards[:INITIAL_CARDS]) is not Hand.PLAYER:
            return {}
        if next_hand(cards) is None:
            return {}
        player = point_total((*cards[0:INITIAL_CARDS:2], *cards[INITIAL_CARDS:]))
        banker = point_total(cards[1:INITIAL_CARDS:2])
        return self.cells.get((window, player, banker), {})


def most_insurable(original_cents: int, odds: Odds, taken: Sequence[tuple[int, Odds]] = ()) -> int:
    """The largest stake at these odds that keeps what all insurance could pay within the original bet.

    What insurance could pay is its stake times its odds, not rounded; `taken` is what the patron has on this hand
    already, over both windows. Below zero when that is too much by itself.
    """
    scale = math.lcm(odds.stake, *[each.stake for _, each in taken])
    room = original_cents * scale - sum([stake * each.win * (scale // each.stake) for stake, each in taken])
    return room * odds.stake // (odds.win * scale)
