"""Insurance: what is on offer for the cards on the table, its maximum, and its result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product

from punto.rules.bets import Payoff, Result
from punto.rules.cards import Card
from punto.rules.hands import Hand, point_total
from punto.rules.money import Odds
from punto.rules.outcome import Winner
from punto.rules.reasons import Problem, ProblemError
from punto.rules.tableau import INITIAL_CARDS, banker_draws, next_hand, player_draws


class Window(StrEnum):
    """When insurance may be bet: after the first four cards, or after Player's third card."""

    FOUR_CARDS = "four-cards"
    PLAYER_THIRD = "player-third"

    @property
    def cards(self) -> int:
        """The number of cards on the table in this window."""
        return INITIAL_CARDS if self is Window.FOUR_CARDS else INITIAL_CARDS + 1

    @property
    def spoken(self) -> str:
        """The window in English words."""
        return "after four cards" if self is Window.FOUR_CARDS else "after Player's third card"


def may_be_offered(window: Window, player: int, banker: int) -> bool:
    """True if a card is still to come in a window at these points; Banker's are those of two cards."""
    if window is Window.FOUR_CARDS:
        return player_draws(player, banker) or banker_draws(player, banker, None)
    before = [((player - third) % 10, third) for third in range(10)]
    return any(player_draws(points, banker) and banker_draws(points, banker, third) for points, third in before)


@dataclass(frozen=True, slots=True)
class Offer:
    """A row of the insurance pay table: window, points, hand and odds.

    `tie_wins_rule` is the paragraph by which a tie wins; if it is None, a tie returns the insurance.
    """

    window: Window
    hand: Hand
    player: frozenset[int]
    banker: frozenset[int]
    odds: Odds
    rule: str
    tie_wins_rule: str | None = None

    def __hash__(self) -> int:
        return hash((self.odds.text, self.rule))  # tells the rows of a sheet apart, and strings keep their own

    @property
    def can_be_on_offer(self) -> bool:
        """True if a card is still to come at some of the row's points."""
        return any(may_be_offered(self.window, *points) for points in product(self.player, self.banker))

    def result(self, winner: Winner) -> Result:
        """Insurance wins when its hand loses and loses when it wins. A tie returns it unless the row says otherwise."""
        if winner is Winner.TIE:
            return Result.WIN if self.tie_wins_rule else Result.RETURNED
        return Result.LOSE if winner.value == self.hand.value else Result.WIN


@dataclass(frozen=True, slots=True)
class InsuranceBet:
    """The bet with which a hand is insured."""

    id: str
    name: str
    hand: Hand


@dataclass(frozen=True, slots=True)
class Insurance:
    """A sheet's insurance: its pay table and its paragraphs.

    By the `forgone_rule`, a patron who lets an offer of the first window pass, or walks away, has forgone insurance for
    the round. Without one, each window stands by itself. With `waiver_face_down` a waiver is asked for at face-down
    tables alone. The constructor raises ProblemError for rows that overlap or can never be on offer.
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
    waiver_face_down: bool = False
    forgone_rule: str | None = None
    private_table_rule: str | None = None
    cells: dict[tuple[Window, int, int], dict[Hand, Offer]] = field(init=False, repr=False, compare=False)
    payoffs: dict[Offer, dict[Winner, Payoff]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cells: dict[tuple[Window, int, int], dict[Hand, Offer]] = {}
        if sorted(bet.hand for bet in self.bets) != sorted(Hand) or len({bet.id for bet in self.bets}) != len(
            self.bets
        ):
            raise ProblemError(Problem.INSURANCE_BETS)
        if not self.rows:
            raise ProblemError(Problem.INSURANCE_EMPTY)
        for row in self.rows:
            if not row.can_be_on_offer:
                raise ProblemError(Problem.INSURANCE_UNREACHABLE, row.window, row.hand, row.odds)
            for player in row.player:
                for banker in row.banker:
                    cell = cells.setdefault((row.window, player, banker), {})
                    if row.hand in cell:
                        example = f"player = {player}, banker = {banker}"
                        both = (row.window, row.hand, cell[row.hand].odds, row.odds)
                        raise ProblemError(Problem.INSURANCE_ROWS_OVERLAP, *both, example=example)
                    cell[row.hand] = row
        object.__setattr__(self, "cells", cells)
        payoffs = {row: {winner: self._payoff(row, winner) for winner in Winner} for row in self.rows}
        object.__setattr__(self, "payoffs", payoffs)

    def _payoff(self, row: Offer, winner: Winner) -> Payoff:
        result = row.result(winner)
        if result is Result.LOSE:
            rule = self.lost_rule
        elif winner is Winner.TIE:
            rule = row.tie_wins_rule or self.returned_rule
        else:
            rule = row.rule
        return Payoff(result, row.odds, rule)

    def offers(self, cards: Sequence[Card]) -> dict[Hand, Offer]:
        """The offers by hand for the cards on the table in dealing order; empty outside a window."""
        if len(cards) < INITIAL_CARDS or next_hand(cards) is None:
            return {}  # a fifth card of Banker's, and a sixth, end the round
        window = Window.FOUR_CARDS if len(cards) == INITIAL_CARDS else Window.PLAYER_THIRD
        return self.cells.get((window, *totals_in_window(cards)), {})


def totals_in_window(cards: Sequence[Card]) -> tuple[int, int]:
    """Both totals in an insurance window, given the cards on the table in dealing order. A fifth card is Player's."""
    return point_total((*cards[0:INITIAL_CARDS:2], *cards[INITIAL_CARDS:])), point_total(cards[1:INITIAL_CARDS:2])


def maximum_insurance(original_cents: int, odds: Odds, taken: Sequence[tuple[int, Odds]] = ()) -> int:
    """The maximum stake at these odds with which all insurance pays no more than the original bet.

    Insurance could pay its stake times its odds, not rounded. `taken` is the patron's insurance on this hand so far, in
    both windows. The result is negative if that alone is too much.
    """
    scale = math.lcm(odds.stake, *[each.stake for _, each in taken])
    room = original_cents * scale - sum([stake * each.win * (scale // each.stake) for stake, each in taken])
    return room * odds.stake // (odds.win * scale)
