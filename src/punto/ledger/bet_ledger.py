"""The money that each event of a table moves, and the reference of each bet in the ledger.

The reference of a bet is the number of the record that placed it. The bet ends in exactly one final transfer with that
reference. A raise is staked with the same reference. If part of a bet is returned, the whole bet is returned, and the
rest is staked again with the number of the new record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from punto.ledger import moves as m
from punto.ledger.moves import Move, Reason
from punto.ledger.transfers import Transfer
from punto.rules.settlement import Bet
from punto.table import events as e
from punto.table.state import Spot, spot_of


@dataclass(frozen=True, slots=True)
class BetLedger:
    """The bets in play at a table, each with its reference in the ledger and its stake. Immutable."""

    table: str
    staked: dict[Spot, tuple[str, int]] = field(default_factory=dict)

    def post(self, seq: int, event: e.Event) -> tuple[tuple[Transfer, ...], BetLedger]:
        """The transfers of record `seq`, and the ledger after it."""
        moves, after = self.moves(seq, event)
        return tuple([Transfer.of(move) for move in moves]), after

    def moves(self, seq: int, event: e.Event) -> tuple[list[Move], BetLedger]:
        """The moves of record `seq`, to compare with the stored postings, and the ledger after it."""
        if (post := _POSTS.get(type(event))) is None:
            return [], self
        moves, staked = post(self, seq, event)
        return moves, self if staked is self.staked else BetLedger(self.table, staked)


_Staked = dict[Spot, tuple[str, int]]
_Posted = tuple[list[Move], _Staked]


def _placed(ledger: BetLedger, seq: int, event: e.BetPlaced | e.BetRaised) -> _Posted:
    return _restaked(ledger, _reference(ledger, event.round, seq), event.bet, event.bet.stake_cents)


def _reduced(ledger: BetLedger, seq: int, event: e.BetWithdrawn | e.BetDisplaced) -> _Posted:
    left_cents = event.bet.stake_cents - event.returned_cents
    return _restaked(ledger, _reference(ledger, event.round, seq), event.bet, left_cents)


def _restaked(ledger: BetLedger, reference: str, bet: Bet, now_cents: int) -> _Posted:
    spot, staked = spot_of(bet), ledger.staked.copy()
    before, cents = staked.get(spot, (reference, 0))
    if now_cents > cents:
        staked[spot] = before, now_cents
        return [m.stake(bet.patron, ledger.table, now_cents - cents, before)], staked
    moves = [m.returned(bet.patron, ledger.table, cents, before)]
    del staked[spot]
    if now_cents:
        moves.append(m.stake(bet.patron, ledger.table, now_cents, reference))
        staked[spot] = reference, now_cents
    return moves, staked


def _returned(ledger: BetLedger, _seq: int, event: e.BetsReturned | e.RoundVoided) -> _Posted:
    staked = dict(ledger.staked)
    return [_return(ledger.table, line, staked) for line in event.lines], staked


def _settled(ledger: BetLedger, _seq: int, event: e.RoundSettled) -> _Posted:
    staked = dict(ledger.staked)
    moves = []
    for line in event.lines:
        reference, cents = staked.pop(spot_of(line.bet))
        _must_agree(line.bet, cents)
        moves.append(m.settled(ledger.table, reference, line))
    moves += [_return(ledger.table, line, staked) for line in event.returned]
    return moves, staked


def _adjusted(ledger: BetLedger, seq: int, event: e.RoundAdjusted) -> _Posted:
    reference = _reference(ledger, event.round, seq)
    corrected = [(place, line) for place, line in enumerate(event.lines, 1) if line.correction_cents]
    moves = [
        m.correct(line.bet.patron, ledger.table, line.before_cents, line.after_cents, f"{reference}/{place}")
        if event.reverses
        else m.adjust(line.bet.patron, ledger.table, line.correction_cents, f"{reference}/{place}")
        for place, line in corrected
    ]
    return moves, ledger.staked


def _paid(ledger: BetLedger, _seq: int, event: e.BetsPaid) -> _Posted:
    staked = dict(ledger.staked)
    moves = []
    for line in event.lines:
        reference, cents = staked.pop(spot_of(line.bet))
        _must_agree(line.bet, cents)
        moves.append(m.final(line.bet.patron, ledger.table, reference, Reason.PAY, cents, line.returned_cents))
    return moves, staked


def _amount(ledger: BetLedger, seq: int, event: e.AmountDecided) -> _Posted:
    before, after = max(-event.amount_cents, 0), max(event.amount_cents, 0)
    reference = _reference(ledger, event.round, seq)
    return [m.correct(event.patron, ledger.table, before, after, reference)], ledger.staked


def _return(table: str, line: e.Returned, staked: _Staked) -> Move:
    reference, cents = staked.pop(spot_of(line.bet))
    _must_agree(line.bet, cents)
    return m.returned(line.bet.patron, table, cents, reference)


def _reference(ledger: BetLedger, number: int, seq: int) -> str:
    return f"{ledger.table}/{number}/{seq}"


def _must_agree(bet: Bet, cents: int) -> None:
    if bet.stake_cents != cents:
        raise AssertionError(f"the table says {bet.stake_cents} cents are staked at {spot_of(bet)}, the ledger {cents}")


_POSTS: dict[type[e.Event], Callable[[BetLedger, int, Any], _Posted]] = {
    e.BetPlaced: _placed,
    e.BetRaised: _placed,
    e.BetWithdrawn: _reduced,
    e.BetDisplaced: _reduced,
    e.BetsReturned: _returned,
    e.RoundVoided: _returned,
    e.RoundSettled: _settled,
    e.RoundAdjusted: _adjusted,
    e.BetsPaid: _paid,
    e.AmountDecided: _amount,
}
