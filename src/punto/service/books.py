"""From events to the ledger: what each event of a table moves, and under which reference each bet lies.

A bet is staked under the number of the record that put it there and ends in exactly one final transfer under the same
reference. When it is raised, what is added is staked under that reference too; when part of it goes back, it is
returned whole and what stays is staked anew under the new record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from punto.ledger import moves as m
from punto.ledger.moves import Move
from punto.ledger.transfers import Transfer
from punto.rules.settlement import Bet
from punto.table import events as e
from punto.table.state import Spot, spot_of


@dataclass(frozen=True, slots=True)
class Books:
    """The bets in play at a table, each with its reference in the ledger and its stake. Never changed in place."""

    table: str
    staked: dict[Spot, tuple[str, int]] = field(default_factory=dict)

    def post(self, seq: int, event: e.Event) -> tuple[tuple[Transfer, ...], Books]:
        """What record `seq` moves, as it is written, and the books after it."""
        moves, books = self.moves(seq, event)
        return tuple([Transfer.of(move) for move in moves]), books

    def moves(self, seq: int, event: e.Event) -> tuple[list[Move], Books]:
        """What record `seq` moves, to be compared with what was written, and the books after it."""
        if (posts := _POSTS.get(type(event))) is None:
            return [], self
        moves, staked = posts(self, f"{self.table}/{event.round}/{seq}", event)  # type: ignore[attr-defined]
        return moves, self if staked is self.staked else Books(self.table, staked)


_Staked = dict[Spot, tuple[str, int]]
_Posted = tuple[list[Move], _Staked]


def _lies(books: Books, reference: str, event: e.BetPlaced | e.BetRaised) -> _Posted:
    return _restaked(books, reference, event.bet, event.bet.stake_cents)


def _shrunk(books: Books, reference: str, event: e.BetWithdrawn | e.BetDisplaced) -> _Posted:
    return _restaked(books, reference, event.bet, event.bet.stake_cents - event.returned_cents)


def _restaked(books: Books, reference: str, bet: Bet, now_cents: int) -> _Posted:
    spot, staked = spot_of(bet), books.staked.copy()
    lay, cents = staked.get(spot, (reference, 0))
    if now_cents > cents:
        staked[spot] = lay, now_cents
        return [m.stake(bet.patron, books.table, now_cents - cents, lay)], staked
    moves = [m.returned(bet.patron, books.table, cents, lay)]
    del staked[spot]
    if now_cents:
        moves.append(m.stake(bet.patron, books.table, now_cents, reference))
        staked[spot] = reference, now_cents
    return moves, staked


def _returned(books: Books, _reference: str, event: e.BetsReturned | e.RoundVoided) -> _Posted:
    staked = dict(books.staked)
    return [_return(books.table, line, staked) for line in event.lines], staked


def _settled(books: Books, _reference: str, event: e.RoundSettled) -> _Posted:
    staked = dict(books.staked)
    moves = []
    for line in event.lines:
        reference, cents = staked.pop(spot_of(line.bet))
        _must_agree(line.bet, cents)
        moves.append(m.settled(books.table, reference, line))
    moves += [_return(books.table, line, staked) for line in event.returned]
    return moves, staked


def _adjusted(books: Books, reference: str, event: e.RoundAdjusted) -> _Posted:
    moves = [
        m.adjust(line.bet.patron, books.table, line.correction_cents, f"{reference}/{place}")
        for place, line in enumerate(event.lines, 1)
        if line.correction_cents
    ]
    return moves, books.staked


def _return(table: str, line: e.Returned, staked: _Staked) -> Move:
    reference, cents = staked.pop(spot_of(line.bet))
    _must_agree(line.bet, cents)
    return m.returned(line.bet.patron, table, cents, reference)


def _must_agree(bet: Bet, cents: int) -> None:
    if bet.stake_cents != cents:
        raise AssertionError(f"the table says {bet.stake_cents} cents lie at {spot_of(bet)}, the books say {cents}")


_POSTS: dict[type[e.Event], Callable[[Books, str, Any], _Posted]] = {
    e.BetPlaced: _lies,
    e.BetRaised: _lies,
    e.BetWithdrawn: _shrunk,
    e.BetDisplaced: _shrunk,
    e.BetsReturned: _returned,
    e.RoundVoided: _returned,
    e.RoundSettled: _settled,
    e.RoundAdjusted: _adjusted,
}
