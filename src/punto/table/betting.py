"""Bets: stakes within the limits, placed, raised, withdrawn, or recorded as the chips are.

Each command has a function that gives the bounds for a target, or its refusal. `choices` calls it for every target,
`decide` for the target of the command. The modules `places` and `insuring` do the same.
"""

from __future__ import annotations

from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import BetNotOffered, Refusal, StakeInvalid
from punto.rules.settlement import Bet
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Amount
from punto.table.facts import LATE_BET, LATE_WITHDRAWAL
from punto.table.limits import (
    BELOW,
    INVALID,
    NO_SEATED_BET,
    OVER_DIFFERENTIAL,
    amount_to_add,
    bets_in,
    differential_room,
    displaced_bets,
    minimum_for,
    refuse_chips,
    refuse_stake,
)
from punto.table.phases import IN_ROUND, Phase
from punto.table.places import refuse_place
from punto.table.play import Draft, EventsOrRefusal, open_round, open_settings, refuse_held
from punto.table.refusals import (
    BetExists,
    BetsClosed,
    BetsNotOpen,
    BetUnknown,
    NotLive,
    PatronAway,
    TerminalsOnly,
)
from punto.table.seats import is_away, seated_patron, sitter
from punto.table.state import Spot, State, spot_of


def refuse_bet_now(state: State, *, withdraws: bool = False) -> Refusal:
    """Why no bet can be placed, raised, withdrawn or recorded in this phase."""
    sheet = state.sheet
    if state.case is not None:
        return refuse_held(state.case)
    if state.phase in IN_ROUND:
        late = sheet.irregularities.get(LATE_WITHDRAWAL if withdraws else LATE_BET)
        return BetsClosed(sheet.play.close.says, rule=late.rule if late else sheet.play.close.rule)
    return BetsNotOpen(sheet.play.open.says, rule=sheet.play.open.rule)


def bounds_to_place(state: State, spot: Spot) -> Amount | Refusal:
    """What may be staked on a free spot."""
    if refusal := refuse_place(state, spot) or _refuse_offer(state, spot.on):
        return refusal
    if spot in open_round(state).bets:
        return BetExists(spot.box, spot.on)
    return _bounds_to_add(state, spot, 0)


def bounds_to_raise(state: State, spot: Spot) -> Amount | Refusal:
    """What may be added to a bet."""
    if refusal := refuse_place(state, spot) or _refuse_offer(state, spot.on):
        return refusal
    bet = open_round(state).bets.get(spot)
    return _bounds_to_add(state, spot, bet.stake_cents) if bet else BetUnknown(spot.box, spot.on)


def _bounds_to_add(state: State, spot: Spot, placed: int) -> Amount:
    """What may be added to `placed` cents on a spot. A standing bet needs a seated patron if the sheet says so."""
    sheet, settings, sits = state.sheet, open_settings(state), sitter(state, spot.box)
    if spot.patron != sits and sheet.boxes.standing_rule and seated_patron(state, spot.box) is None:
        return amount_to_add(sheet, settings, spot.on, placed, maximum=0, above=NO_SEATED_BET)
    if sheet.bets[spot.on].hand is None:
        return amount_to_add(sheet, settings, spot.on, placed)
    room = differential_room(sheet, open_round(state), spot, settings, sits)
    return amount_to_add(sheet, settings, spot.on, placed, maximum=room, above=OVER_DIFFERENTIAL)


def place_bet(state: State, command: c.PlaceBet) -> EventsOrRefusal:
    """Place a new bet on a free spot."""
    spot = Spot(command.box, command.patron, command.on)
    return _add(state, command.by, spot, bounds_to_place(state, spot), command.stake_cents, 0)


def raise_bet(state: State, command: c.RaiseBet) -> EventsOrRefusal:
    """Add to a bet."""
    spot = Spot(command.box, command.patron, command.on)
    bounds = bounds_to_raise(state, spot)
    if isinstance(bounds, Refusal):
        return bounds
    return _add(state, command.by, spot, bounds, command.add_cents, open_round(state).bets[spot].stake_cents)


def _refuse_offer(state: State, on: str) -> Refusal | None:
    bets = state.sheet.bets
    return None if on in bets else BetNotOffered(on, tuple(bets), rule=state.sheet.offered_rule)


def _add(state: State, by: c.Actor, spot: Spot, bounds: Amount | Refusal, cents: Cents, placed: int) -> EventsOrRefusal:
    """Add to a spot within its bounds. At the Differential a bet of the box's sitter displaces standing bets."""
    if isinstance(bounds, Refusal):
        return bounds
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    if refusal := refuse_stake(sheet, settings, spot, bounds, cents, placed + cents):
        return refusal
    sits = sitter(state, spot.box)
    bet = Bet(spot.box, spot.patron, spot.on, Cents(placed + cents), None, spot.patron == sits)
    others = [other for other in bets_in(round_, spot.box) if spot_of(other) != spot]
    rule = sheet.limits.excess_rule if sheet.limits else None
    displaced = displaced_bets(sheet, [*others, bet], settings, sits, keep=spot)
    moved = [e.BetDisplaced(by, round_.number, other, back, rule) for other, back in displaced]
    return (*moved, added_bet(state, by, bet, cents))


def added_bet(state: State, by: c.Actor, bet: Bet, add: int, *, recorded: bool = False) -> e.BetPlaced | e.BetRaised:
    """The event of a bet to which an amount was added. A whole new stake was placed; `recorded` by the Dealer."""
    number = open_round(state).number
    rule = state.sheet.authority.bets_for_patrons_rule if by.role is not None and not recorded else None
    if add == bet.stake_cents:
        return e.BetPlaced(by, number, bet, recorded, rule)
    return e.BetRaised(by, number, bet, Cents(add), recorded, rule)


def bounds_to_withdraw(state: State, spot: Spot) -> Amount | Refusal:
    """How much of a bet may be withdrawn: all of it, or as much as leaves its minimum."""
    if is_away(state, spot.patron):
        return PatronAway()
    bet = open_round(state).bets.get(spot)
    if bet is None:
        return BetUnknown(spot.box, spot.on)
    settings = open_settings(state)
    unit, stake = settings.limits.unit_cents, bet.stake_cents
    maximum = max(stake - max(minimum_for(state.sheet, settings, spot.on), unit), 0)
    return Amount(unit, Cents(maximum), unit, INVALID, BELOW, stake)


def withdraw_bet(state: State, command: c.WithdrawBet) -> EventsOrRefusal:
    """Withdraw from a bet. If the other side of the box is then over the Differential, its excess is returned."""
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    spot = Spot(command.box, command.patron, command.on)
    bounds = bounds_to_withdraw(state, spot)
    if isinstance(bounds, Refusal):
        return bounds
    bet = round_.bets[spot]
    take = bet.stake_cents if command.take_cents is None else command.take_cents
    if take > bet.stake_cents:
        return StakeInvalid(spot.on, take)
    left = bet.stake_cents - take
    if left and (refusal := refuse_stake(sheet, settings, spot, bounds, take, left)):
        return refusal
    draft = Draft(state)
    draft.add(e.BetWithdrawn(command.by, round_.number, bet, Cents(take)))
    if sheet.bets[spot.on].hand is not None:
        rule = sheet.limits.excess_rule if sheet.limits else None
        bets = bets_in(draft.round, spot.box)
        for other, back in list(displaced_bets(sheet, bets, settings, sitter(state, spot.box))):
            draft.add(e.BetDisplaced(command.by, round_.number, other, back, rule))
    return tuple(draft.events)


def bounds_to_stake(state: State, spot: Spot) -> Amount | Refusal:
    """How much may stand on a spot while the patron's other bets stay as they are."""
    bet = open_round(state).bets.get(spot)
    if bet is None:
        return bounds_to_place(state, spot)
    bounds = bounds_to_raise(state, spot)
    if isinstance(bounds, Refusal):
        return bounds
    unit = bounds.step_cents
    minimum = max(minimum_for(state.sheet, open_settings(state), spot.on), unit)
    maximum = bet.stake_cents + (0 if bounds.is_empty else bounds.maximum_cents)
    below = BELOW if minimum > unit else INVALID
    above = INVALID if maximum + unit >= MAX_CENTS else bounds.above
    unchanged = bet.stake_cents if bet.stake_cents < minimum else None  # chips that the Dealer recorded
    return Amount(Cents(minimum), Cents(maximum), unit, below, above, unchanged)


def place_bets(state: State, command: c.PlaceBets) -> EventsOrRefusal:
    """Let a patron's bets in a box stand as the command says.

    Each change is decided as a command of its own, on a state in which the other changes are made. So the limits hold
    for the bets as they shall stand, and the order in which they are named does not matter.
    """
    by, patron, box = command.by, command.patron, command.box
    if refusal := refuse_place(state, Spot(box, patron, "")) or _refuse_stakes(state, command):
        return refusal
    placed = {spot: bet for spot, bet in open_round(state).bets.items() if spot.box == box and spot.patron == patron}
    wanted = {Spot(box, patron, on): stake for on, stake in command.stakes}
    changes = {
        spot: _changed_bet(state, by, spot, wanted.get(spot, 0))
        for spot in (placed | wanted)
        if wanted.get(spot) != (placed[spot].stake_cents if spot in placed else None)
    }
    displaced: dict[e.Event, None] = {}
    for spot, change in changes.items():
        others = Draft(state)
        others.add(*[other for other in changes.values() if other is not change])
        answer = _change_bet(others.state, by, spot, wanted.get(spot, 0))
        if isinstance(answer, Refusal):
            return answer
        displaced |= dict.fromkeys([event for event in answer if isinstance(event, e.BetDisplaced)])
    withdrawn = [change for change in changes.values() if isinstance(change, e.BetWithdrawn)]
    added = [change for change in changes.values() if not isinstance(change, e.BetWithdrawn)]
    return (*withdrawn, *displaced, *added)


def _refuse_stakes(state: State, command: c.PlaceBets) -> Refusal | None:
    """Why stakes cannot be bets at all, whatever the limits."""
    named = set()
    for on, stake in command.stakes:
        if refusal := _refuse_offer(state, on) or refuse_chips(state.sheet, open_settings(state), on, stake):
            return refusal
        if on in named:
            return BetExists(command.box, on)
        named.add(on)
    return None


def _changed_bet(state: State, by: c.Actor, spot: Spot, stake: int) -> e.BetPlaced | e.BetRaised | e.BetWithdrawn:
    """The event that brings a bet to a stake."""
    bet = open_round(state).bets.get(spot)
    if bet is not None and stake < bet.stake_cents:
        return e.BetWithdrawn(by, open_round(state).number, bet, Cents(bet.stake_cents - stake))
    new = Bet(spot.box, spot.patron, spot.on, Cents(stake), None, spot.patron == sitter(state, spot.box))
    return added_bet(state, by, new, stake - (bet.stake_cents if bet else 0))


def _change_bet(state: State, by: c.Actor, spot: Spot, stake: int) -> EventsOrRefusal:
    """Bring a bet to a stake by the one command that does so."""
    bet, target = open_round(state).bets.get(spot), (by, spot.patron, spot.box, spot.on)
    if bet is None:
        return place_bet(state, c.PlaceBet(*target, Cents(stake)))
    if stake < bet.stake_cents:
        return withdraw_bet(state, c.WithdrawBet(*target, Cents(bet.stake_cents - stake)))
    return raise_bet(state, c.RaiseBet(*target, Cents(stake - bet.stake_cents)))


def bounds_to_record(state: State, spot: Spot) -> Amount | Refusal:
    """What may be recorded on a spot: any chips, or zero to remove a recorded bet.

    After the call and before the first card, chips placed in time may still be recorded, but not removed.
    """
    round_, unit = open_round(state), open_settings(state).limits.unit_cents
    bet = round_.bets.get(spot)
    if round_.dealt or any(spot_of(taken) == spot for taken in round_.taken_back):
        return refuse_bet_now(state)
    if refusal := refuse_place(state, spot, cash=True) or _refuse_offer(state, spot.on):
        return refusal
    if not state.sheet.boxes.layouts:
        return TerminalsOnly(rule=state.sheet.boxes.rule)
    if not open_settings(state).live:
        return NotLive()
    maximum = Cents(MAX_CENTS - 1 - (MAX_CENTS - 1) % unit)
    if bet is None:
        return Amount(unit, maximum, unit, INVALID, INVALID)
    if state.phase is Phase.BETTING:
        return Amount(Cents(0), maximum, unit, INVALID, INVALID)
    return Amount(bet.stake_cents, maximum, unit, "bets-closed", INVALID)


def record_bet(state: State, command: c.RecordBet) -> EventsOrRefusal:
    """Record the chips on a spot. Only chips that cannot be a bet at all are refused."""
    spot, stake, round_ = Spot(command.box, command.patron, command.on), command.stake_cents, open_round(state)
    bounds = bounds_to_record(state, spot)
    if isinstance(bounds, Refusal):
        return bounds
    bet = round_.bets.get(spot)
    if bet is not None and stake < bet.stake_cents and state.phase is not Phase.BETTING:
        return refuse_bet_now(state)
    if (bet is None or stake) and (refusal := refuse_chips(state.sheet, open_settings(state), spot.on, stake)):
        return refusal
    placed = bet.stake_cents if bet else 0
    if bet is not None and stake <= placed:
        back = Cents(placed - stake)
        return (e.BetWithdrawn(command.by, round_.number, bet, back),) if back else ()
    new = Bet(spot.box, spot.patron, spot.on, stake, None, spot.patron == sitter(state, spot.box))
    return (added_bet(state, command.by, new, stake - placed, recorded=True),)
