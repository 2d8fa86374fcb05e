"""Chips on the layout that the Dealer of a live table records, whatever the limits.

Bets settle by where the chips lay when bets closed. So chips may be recorded after the call, too, but that is seen: the
bet is marked, more than the House leaves to the Dealer waits for a second person, and so does all that is recorded once
a card is out.
"""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cash import cash_patron
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import Refusal, StakeInvalid
from punto.rules.settlement import Bet
from punto.rules.sheet import Role
from punto.table.act import BetCommand, act
from punto.table.acts.bets import (
    BetWithdrawn,
    added_bet,
    refuse_bet_now,
    refuse_offer,
    refuse_withdrawal_now,
    ways_to_bet,
)
from punto.table.draft import Draft
from punto.table.limits import refuse_chips
from punto.table.phases import IN_ROUND, Phase
from punto.table.refusals import BetsClosed, NotLive, ReasonMissing
from punto.table.rulings.cases import add_and_close, propose, reported
from punto.table.rulings.situations import LATE_CHIPS
from punto.table.seats import refuse_place, sitter, takes_cash
from punto.table.state import State
from punto.table.values import Facts, Spot, spot_of
from punto.table.ways import REASON, Amount, Asking, BetWay, Ways


@act(by=Role.DEALER, during={Phase.BETTING, *IN_ROUND}, of_automat=True, makes_bets=True, late=refuse_bet_now)
class RecordBet(BetCommand):
    """At a live table, record the chips on a spot of the layout, whatever the limits. Zero means that it is empty.

    After the call a bet is only added or raised. Once a card is out, that takes a reason.
    """

    stake_cents: Cents
    reason: str = ""

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BetWay]:
        if asking.cash and takes_cash(state):
            boxes = range(1, state.open_settings.boxes + 1)
            asking = replace(asking, boxes=asking.boxes | {cash_patron(box): (box,) for box in boxes})
        ways = ways_to_bet(state, asking, asking.spots(state.sheet.bets), bounds_to_record)
        inputs = (REASON,) if state.open_round.dealt else ()
        return [way if isinstance(way, Refusal) else replace(way, inputs=inputs) for way in ways]

    def decide(self, state: State) -> Draft | Refusal:
        """Record the chips on a spot. Only chips that cannot be a bet at all are refused."""
        spot, stake, round_ = Spot(self.box, self.patron, self.on), self.stake_cents, state.open_round
        settings, by = state.open_settings, self.by
        bet, is_late = round_.bets.get(spot), state.phase is not Phase.BETTING
        bounds = bounds_to_record(state, spot)
        lowers = is_late and bet is not None and stake < bet.stake_cents
        if (lowers and not isinstance(bounds, Refusal)) or isinstance(bounds, BetsClosed):
            return refuse_withdrawal_now(state) if lowers else refuse_bet_now(state)
        if isinstance(bounds, Refusal):
            return bounds
        if (bet is None or stake) and (refusal := refuse_chips(state, spot.on, stake)):
            return refusal
        if round_.dealt and not self.reason.strip():
            return ReasonMissing()
        placed = bet.stake_cents if bet else 0
        if bet is not None and stake <= placed:
            back = Cents(placed - stake)
            return Draft(state, BetWithdrawn(by, round_.number, bet, back)) if back else Draft(state)
        new = Bet(spot.box, spot.patron, spot.on, stake, None, spot.patron == sitter(state, spot.box))
        added = added_bet(state, by, new, stake - placed, recorded=True)
        if not round_.dealt and (not is_late or stake <= settings.late_cents):
            return Draft(state, added)
        facts = Facts(patron=spot.patron, box=spot.box, on=spot.on, note=self.reason or None)
        draft = reported(state, by, LATE_CHIPS, facts)
        propose(draft, by, lambda d: add_and_close(d, added), always=True)
        return draft


def bounds_to_record(state: State, spot: Spot) -> Amount | Refusal:
    """The amounts that can be recorded on a spot: any chips, or zero to remove a recorded bet.

    After the call chips placed in time may still be recorded, but not removed, and not added to a bet that was made at
    a terminal.
    """
    round_, unit = state.open_round, state.open_settings.unit_cents
    bet = round_.bets.get(spot)
    if any(spot_of(taken) == spot for taken in round_.taken_back):
        return refuse_bet_now(state)
    if refusal := refuse_place(state, spot, cash=True) or refuse_offer(state, spot.on):
        return refusal
    if not state.open_settings.live:
        return NotLive()
    maximum = Cents(MAX_CENTS - 1 - (MAX_CENTS - 1) % unit)
    if bet is None:
        return Amount(unit, maximum, unit, StakeInvalid, StakeInvalid)
    if state.phase is Phase.BETTING:
        return Amount(Cents(0), maximum, unit, StakeInvalid, StakeInvalid)
    if spot not in round_.recorded:
        return refuse_bet_now(state)
    return Amount(bet.stake_cents, maximum, unit, BetsClosed, StakeInvalid)
