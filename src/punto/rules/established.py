"""The bets already decided by the cards on the table, found by trying all cards that may still come.

An outcome is established when at least one bet of the sheet, placed or not, has won or lost for certain. A bet that can
only be returned counts as neither. Insurance does not count, because it exists only where somebody placed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import product

from punto.rules.bets import LOSES, RETURNED, plays_from
from punto.rules.cards import Card, Rank
from punto.rules.hands import Hand
from punto.rules.outcome import PAIRS, Outcome, every_play
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS, cards_in_round


class BetStatus(StrEnum):
    """The status of a bet, given all cards that may still come."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    OPEN = "open"

    @property
    def conclusive(self) -> bool:
        """True if the bet has won or lost for certain, which establishes an outcome."""
        return self in {BetStatus.WON, BetStatus.LOST}


def established(sheet: Sheet, cards: Sequence[Card | None]) -> dict[str, BetStatus]:
    """The status of each original and side bet.

    The cards are those on the table in dealing order, none to six. A closed card is None: it may be any card. Raises
    ValueError if the Table of Play does not allow the cards. A bet that wins with every possible card is won, even if
    its pay line is still open.
    """
    ranks = ranks_on_table(cards)
    return {bet.id: _bet_status(bet.payoffs, ranks) for bet in sheet.bets.values()}


def is_established(sheet: Sheet, cards: Sequence[Card | None]) -> bool:
    """True if at least one bet of the sheet has won or lost for certain. Raises ValueError as `established` does."""
    ranks = ranks_on_table(cards)
    return any(_bet_status(bet.payoffs, ranks).conclusive for bet in sheet.bets.values())


Ranks = tuple[Rank | None, ...]
"""Ranks in dealing order, None where any is possible."""


def ranks_on_table(cards: Sequence[Card | None]) -> Ranks:
    """The ranks of the cards on the table. Raises ValueError if the Table of Play does not allow the cards."""
    known = []
    for card in cards:
        if card is None:
            break
        known.append(card)
    if (dealt := cards_in_round(known)) < len(known):
        raise ValueError(f"the round was complete after {dealt} cards; {len(cards)} are given")
    return tuple([None if card is None else card.rank for card in cards])


@lru_cache(maxsize=4096)
def _bet_status(payoffs: bytes, ranks: Ranks) -> BetStatus:
    found: BetStatus | None = None
    for index in possible_outcomes(ranks):
        code = payoffs[index]
        become = BetStatus.LOST if code == LOSES else BetStatus.RETURNED if code == RETURNED else BetStatus.WON
        if found is not None and become is not found:
            return BetStatus.OPEN
        found = become
    return found or BetStatus.OPEN


@lru_cache(maxsize=4096)
def possible_outcomes(ranks: Ranks) -> tuple[int, ...]:
    """The indices of all outcomes that can follow from these ranks in dealing order."""
    found: set[int] = set()
    for player_points, player_pair in _hands(ranks[0:INITIAL_CARDS:2]):
        for banker_points, banker_pair in _hands(ranks[1:INITIAL_CARDS:2]):
            pairs = Outcome(0, 0, 2, 2, player_pair, banker_pair).pairs
            plays = plays_from(player_points, banker_points, _thirds(ranks))
            found.update([play * PAIRS + pairs for play in plays])
    return tuple(sorted(found))


def _thirds(ranks: Ranks) -> tuple[int | None, ...]:
    return tuple([None if rank is None else rank.points for rank in ranks[INITIAL_CARDS:]])


@lru_cache(maxsize=4096)
def _ends(ranks: Ranks) -> frozenset[tuple[int, int]]:
    """The numbers of cards of Player and Banker with which a round of these ranks can end."""
    totals = [{total for total, _ in _hands(ranks[at:INITIAL_CARDS:2])} for at in range(len(Hand))]
    plays = [every_play()[play] for both in product(*totals) for play in plays_from(*both, _thirds(ranks))]
    ends = {(each.player_cards, each.banker_cards) for each in plays}
    return frozenset(each for each in ends if sum(each) >= len(ranks))


def fewest_to_come(cards: Sequence[Card | None]) -> int:
    """The fewest cards that the round must still draw after these, whatever cards come and closed ones (None) are."""
    return min(map(sum, _ends(ranks_on_table(cards)))) - len(cards)


def hand_counts(cards: Sequence[Card | None]) -> dict[Hand, range]:
    """The possible numbers of cards of each hand: from those it has to the most that the Table of Play may still give.

    A closed card is None: it counts as dealt, and may be any card.
    """
    most = dict(zip(Hand, map(max, *_ends(ranks_on_table(cards)), (2, 2)), strict=True))
    # Third cards follow only four open ones, so there is no doubt who got them.
    third = [hand for hand in Hand if most[hand] == 3][: len(cards[INITIAL_CARDS:])]
    dealt = {hand: len(cards[at:INITIAL_CARDS:2]) + (hand in third) for at, hand in enumerate(Hand)}
    return {hand: range(dealt[hand], most[hand] + 1) for hand in Hand}


@cache
def _hands(ranks: Ranks) -> frozenset[tuple[int, Rank | None]]:
    """The possible totals, each with its pair or None, of two cards of which these are known."""

    def possible(at: int) -> Iterable[Rank]:
        rank = ranks[at] if at < len(ranks) else None
        return Rank if rank is None else (rank,)

    return frozenset(
        ((first.points + second.points) % 10, first if first is second else None)
        for first in possible(0)
        for second in possible(1)
    )
