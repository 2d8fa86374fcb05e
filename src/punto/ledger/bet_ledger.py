"""The money that each event of a table moves, and the reference of each bet in the ledger.

The reference of a bet is the number of the record that placed it. The bet ends in exactly one final move with that
reference. A raise is staked with the same reference. If part of a bet is returned, the whole bet is returned, and the
rest is staked again with the number of the new record.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from punto.ledger import moves as m
from punto.ledger.moves import REASON_OF, Move
from punto.rules.settlement import Bet
from punto.table.act import Event
from punto.table.money import BetEnded, Corrected, Money, Moved, Staked
from punto.table.values import Spot, spot_of


@dataclass(frozen=True, slots=True)
class BetLedger:
    """The bets in play at a table, each with its reference in the ledger and its stake. Immutable."""

    table: str
    staked: dict[Spot, tuple[str, int]] = field(default_factory=dict)

    def moves(self, seq: int, event: Event) -> tuple[list[Move], BetLedger]:
        """The moves of record `seq`, and the ledger after it."""
        money = event.money()
        if not money:
            return [], self
        staked, moves = self.staked.copy(), list[Move]()
        reference = f"{self.table}/{getattr(event, 'round', 0)}/{seq}"
        for each in money:
            moves += self._moves(each, reference, staked)
        return moves, BetLedger(self.table, staked)

    def _moves(self, money: Money, reference: str, staked: dict[Spot, tuple[str, int]]) -> list[Move]:
        """The moves of one movement of money. `staked` is changed to what is at stake afterwards."""
        match money:
            case Staked(bet, cents):
                return self._restaked(bet, cents, reference, staked)
            case BetEnded(bet, result, returned_cents):
                placed, cents = staked.pop(spot_of(bet))
                if bet.stake_cents != cents:
                    raise AssertionError(f"the table says that {bet} was at stake, the ledger {cents} cents")
                return [m.final(bet.patron, self.table, placed, REASON_OF[result], cents, returned_cents)]
            case Corrected(patron, before, after, _, part):
                return [m.correct(patron, self.table, before, after, f"{reference}/{part}" if part else reference)]
            case Moved(giver, taker, cents, _, _):
                return [m.moved(self.table, giver, taker, cents, reference)]

    def _restaked(self, bet: Bet, now_cents: int, reference: str, staked: dict[Spot, tuple[str, int]]) -> list[Move]:
        spot = spot_of(bet)
        before, cents = staked.get(spot, (reference, 0))
        if now_cents > cents:
            staked[spot] = before, now_cents
            return [m.stake(bet.patron, self.table, now_cents - cents, before)]
        moves = [m.returned(bet.patron, self.table, cents, before)]
        del staked[spot]
        if now_cents:
            moves.append(m.stake(bet.patron, self.table, now_cents, reference))
            staked[spot] = reference, now_cents
        return moves
