"""Patrons and their bets: places at the boxes, stakes within the limits, insurance within its cap.

Each command has a function that gives the bounds for a target, or its refusal. `choices` calls it for every target,
`decide` for the target of the command.
"""

from __future__ import annotations

from punto.rules.insurance import InsuranceBet, Window, maximum_insurance
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import (
    BetNotOffered,
    BoxUnknown,
    InsuranceHandNotOnOffer,
    InsuranceOverCap,
    InsuranceWithoutOriginal,
    Refusal,
    StakeInvalid,
)
from punto.rules.settlement import Bet
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Amount
from punto.table.cash import cash_patron, is_cash
from punto.table.facts import LATE_BET, LATE_WITHDRAWAL, WALK_AWAY
from punto.table.limits import (
    BELOW,
    INVALID,
    NO_SEATED_BET,
    OVER_CAP,
    OVER_DIFFERENTIAL,
    amount_to_add,
    bets_in,
    differential_room,
    displaced_bets,
    minimum_for,
    refuse_chips,
    refuse_stake,
)
from punto.table.opening import printable
from punto.table.phases import IN_ROUND, Phase
from punto.table.play import Draft, EventsOrRefusal, close_case, offers_now, open_round, open_settings, refuse_held
from punto.table.refusals import (
    AlreadyThere,
    BetExists,
    BetsClosed,
    BetsNotOpen,
    BetUnknown,
    BoxTaken,
    InsuranceClosed,
    NameInvalid,
    NobodySeated,
    NoInsurance,
    NotAtBox,
    NothingToAnnounce,
    NotLive,
    PatronAway,
    TerminalsOnly,
)
from punto.table.seats import seated_patron, sitter
from punto.table.state import Spot, State, spot_of

# ------------------------------------------------------------------------------------------- not now


def refuse_bet_now(state: State, *, withdraws: bool = False) -> Refusal:
    """Why no bet can be placed, raised, withdrawn or recorded in this phase."""
    sheet = state.sheet
    if state.case is not None:
        return refuse_held(state.case)
    if state.phase in IN_ROUND:
        late = sheet.irregularities.get(LATE_WITHDRAWAL if withdraws else LATE_BET)
        return BetsClosed(sheet.play.close.says, rule=late.rule if late else sheet.play.close.rule)
    return BetsNotOpen(sheet.play.open.says, rule=sheet.play.open.rule)


def refuse_insurance_now(state: State) -> Refusal:
    """Why no insurance can be bet in this phase."""
    insurance = state.sheet.insurance
    if insurance is None:
        return InsuranceClosed(NoInsurance.NOT_IN_GAME, rule=state.sheet.offered_rule)
    if open_settings(state).without_insurance:
        return InsuranceClosed(NoInsurance.NOT_AT_TABLE, rule=insurance.private_table_rule)
    if state.round and state.round.waived and state.round.dealt >= Window.PLAYER_THIRD.cards:
        return InsuranceClosed(NoInsurance.WAIVED, rule=insurance.waiver_rule)
    return InsuranceClosed(NoInsurance.WINDOW_CLOSED, rule=insurance.forgone_rule or insurance.window_rule)


# ------------------------------------------------------------------------------------------- patrons


def refuse_sit(state: State, patron: str, box: int) -> Refusal | None:
    """Why a patron cannot sit at a box."""
    if refusal := _refuse_box(state, box, patron):
        return refusal
    if state.seats.get(box) not in {None, patron}:
        return BoxTaken(box)
    seat = state.sits_at(patron)
    if seat is not None and (seat != box or not is_away(state, patron)):
        return AlreadyThere(seat)
    return None


def sit(state: State, command: c.Sit) -> EventsOrRefusal:
    """Seat a patron at a box."""
    refusal = refuse_sit(state, command.patron, command.box)
    return refusal or (e.PatronSeated(command.by, command.patron, command.box),)


def refuse_stand(state: State, patron: str, box: int) -> Refusal | None:
    """Why a patron cannot stand behind a box. The seated patron has no say in it."""
    if refusal := _refuse_box(state, box, patron):
        return refusal
    if not state.sheet.boxes.layouts:
        return BoxTaken(box, rule=state.sheet.boxes.rule)
    if box not in state.seats:
        return NobodySeated(box, rule=state.sheet.boxes.standing_rule)
    there = state.seats[box] == patron or (box, patron) in state.standing
    if there and not is_away(state, patron):
        return AlreadyThere(box)
    return None


def stand(state: State, command: c.Stand) -> EventsOrRefusal:
    """Let a patron stand behind a box."""
    refusal = refuse_stand(state, command.patron, command.box)
    return refusal or (e.PatronStood(command.by, command.patron, command.box),)


def _refuse_box(state: State, box: int, patron: str) -> Refusal | None:
    return _refuse_number(state, box) if printable(patron) and not is_cash(patron) else NameInvalid()


def _refuse_number(state: State, box: int) -> Refusal | None:
    boxes = open_settings(state).boxes
    return None if 1 <= box <= boxes else BoxUnknown(box, boxes, rule=state.sheet.boxes.rule)


def is_away(state: State, patron: str) -> bool:
    """Whether a patron walked away from the round in progress."""
    return state.round is not None and patron in state.round.away


def refuse_leave(state: State, patron: str) -> Refusal | None:
    """Why a patron cannot leave."""
    if patron not in state.places:
        return NotAtBox(None)
    return PatronAway() if is_away(state, patron) else None


def leave(state: State, command: c.Leave) -> EventsOrRefusal:
    """Let a patron leave. The patron's bets stay and are settled, which also answers an open choice."""
    patron, round_ = command.patron, state.round
    if refusal := refuse_leave(state, patron):
        return refusal
    if round_ is None or all(spot.patron != patron for spot in round_.bets):
        return (e.PatronLeft(command.by, patron, None),)
    walk_away = state.sheet.irregularities.get(WALK_AWAY)
    rule = walk_away.rule if walk_away else state.sheet.offered_rule
    draft = Draft(state)
    draft.add(e.PatronLeft(command.by, patron, rule, bets_stay=True))
    case = state.case
    while case is not None and patron not in case.patrons:
        case = case.previous
    if case is not None:
        draft.add(e.OptionChosen(command.by, case.number, patron, c.Option.CONTINUE, rule))
        if case is state.case and not draft.case.patrons:
            close_case(draft, command.by)
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- bets


def bounds_to_place(state: State, spot: Spot) -> Amount | Refusal:
    """What may be staked on a free spot."""
    if refusal := _refuse_place(state, spot) or _refuse_offer(state, spot.on):
        return refusal
    if spot in open_round(state).bets:
        return BetExists(spot.box, spot.on)
    return _bounds_to_add(state, spot, 0)


def bounds_to_raise(state: State, spot: Spot) -> Amount | Refusal:
    """What may be added to a bet."""
    if refusal := _refuse_place(state, spot) or _refuse_offer(state, spot.on):
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
    placed = 0 if isinstance(bounds, Refusal) else open_round(state).bets[spot].stake_cents
    return _add(state, command.by, spot, bounds, command.add_cents, placed)


def _refuse_place(state: State, spot: Spot, *, cash: bool = False) -> Refusal | None:
    """Why a patron has no place at the box of a spot. With `cash`, chips that belong to no account have one."""
    if refusal := _refuse_number(state, spot.box):
        return refusal
    in_cash = cash and spot.patron == cash_patron(spot.box) and takes_cash(state)
    is_there = state.seats.get(spot.box) == spot.patron or (spot.box, spot.patron) in state.standing
    if not in_cash and not is_there:
        return NotAtBox(spot.box)
    return PatronAway() if is_away(state, spot.patron) else None


def takes_cash(state: State) -> bool:
    """Whether chips that belong to no account can be on this layout: it is live, and no terminal."""
    return open_settings(state).live and bool(state.sheet.boxes.layouts)


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
    moved: list[e.Event] = []
    if spot.patron == sits and sheet.bets[spot.on].hand is not None:
        others = [other for other in bets_in(round_, spot.box) if spot_of(other) != spot]
        if any(other.patron != sits for other in others):
            rule = sheet.limits.excess_rule if sheet.limits else None
            displaced = displaced_bets(sheet, [*others, bet], settings, sits, keep=spot)
            moved = [e.BetDisplaced(by, round_.number, other, back, rule) for other, back in displaced]
    return (*moved, _placed(state, by, bet, cents))


def _placed(state: State, by: c.Actor, bet: Bet, add: int, *, recorded: bool = False) -> e.BetPlaced | e.BetRaised:
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


def bounds_to_record(state: State, spot: Spot) -> Amount | Refusal:
    """What may be recorded on a spot: any chips, or zero to remove a recorded bet.

    After the call and before the first card, chips placed in time may still be recorded, but not removed.
    """
    round_, unit = open_round(state), open_settings(state).limits.unit_cents
    bet = round_.bets.get(spot)
    if round_.dealt or any(spot_of(taken) == spot for taken in round_.taken_back):
        return refuse_bet_now(state)
    if refusal := _refuse_place(state, spot, cash=True) or _refuse_offer(state, spot.on):
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
    return (_placed(state, command.by, new, stake - placed, recorded=True),)


# ------------------------------------------------------------------------------------------- insurance


def bounds_to_insure(state: State, spot: Spot) -> Amount | Refusal:
    """What may be added to insurance on a hand that is on offer, for the patron's own original bet."""
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    if refusal := _refuse_place(state, spot, cash=True):
        return refusal
    insured = sheet.insurance_bets.get(spot.on)
    if insured is None or sheet.insurance is None:
        return BetNotOffered(spot.on, tuple(sheet.insurance_bets), rule=sheet.offered_rule)
    offers = offers_now(state)
    offer = offers.get(insured.hand)
    if offer is None:
        return InsuranceHandNotOnOffer(spot.on, tuple(offers), rule=sheet.insurance.rows[0].rule)
    original = original_stake(state, spot, insured)
    if not original:
        return InsuranceWithoutOriginal(spot.box, insured.hand, rule=sheet.insurance.original_rule)
    if has_forgone(state, spot.patron):
        return InsuranceClosed(NoInsurance.FORGONE, rule=sheet.insurance.forgone_rule)
    taken = [
        (bet.stake_cents, sheet.insurance.offers(round_.cards[: bet.window.cards])[insured.hand].odds)
        for bet in bets_in(round_, spot.box)
        if bet.window is not None and bet.on == spot.on and bet.patron == spot.patron
    ]
    maximum = maximum_insurance(original, offer.odds, taken)
    placed = round_.bets.get(spot._replace(window=offer.window))
    return amount_to_add(sheet, settings, spot.on, placed.stake_cents if placed else 0, maximum=maximum, above=OVER_CAP)


def original_stake(state: State, spot: Spot, insured: InsuranceBet) -> int:
    """What a patron has staked on the insured hand in the same box."""
    bets, sheet = bets_in(open_round(state), spot.box), state.sheet
    return sum(
        [
            bet.stake_cents
            for bet in bets
            if bet.patron == spot.patron and bet.window is None and sheet.bets[bet.on].hand is insured.hand
        ]
    )


def insure(state: State, command: c.Insure) -> EventsOrRefusal:
    """Insure a hand that is on offer."""
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    spot, add = Spot(command.box, command.patron, command.on), command.stake_cents
    bounds = bounds_to_insure(state, spot)
    if isinstance(bounds, Refusal):
        return bounds
    insured = sheet.insurance_bets[spot.on]
    offer = offers_now(state)[insured.hand]
    there = round_.bets.get(spot._replace(window=offer.window))
    placed = there.stake_cents if there else 0
    if refusal := refuse_stake(sheet, settings, spot, bounds, add, placed + add) or _refuse_cap(
        state, spot, bounds, add
    ):
        return refusal
    seated = spot.patron == sitter(state, spot.box)
    bet = Bet(spot.box, spot.patron, spot.on, Cents(placed + add), offer.window, seated)
    return (_placed(state, command.by, bet, add),)


def has_forgone(state: State, patron: str) -> bool:
    """Whether a patron has forgone insurance for this round, in a sheet that knows this."""
    insurance, round_ = state.sheet.insurance, open_round(state)
    knows = insurance is not None and insurance.forgone_rule is not None
    return knows and (patron in round_.walked or patron in round_.forgone)


def forgoing_patrons(state: State) -> tuple[str, ...]:
    """The patrons who forgo insurance for this round if the next card is dealt now.

    They could insure in the first window, have staked nothing in it, and have announced nothing.
    """
    sheet, round_ = state.sheet, open_round(state)
    if sheet.insurance is None or sheet.insurance.forgone_rule is None or state.phase is not Phase.FIRST_WINDOW:
        return ()
    insured_as = {bet.hand: bet.id for bet in sheet.insurance.bets}
    stay = round_.announced | {spot.patron for spot in round_.bets if spot.window is not None}
    found: dict[str, None] = {}
    for spot in round_.bets:
        hand = sheet.bets[spot.on].hand if spot.window is None else None
        if hand is not None and spot.patron not in stay:
            bounds = bounds_to_insure(state, spot._replace(on=insured_as[hand]))
            if isinstance(bounds, Amount) and not bounds.is_empty:
                found[spot.patron] = None
    return tuple(found)


def refuse_announcement(state: State, patron: str) -> Refusal | None:
    """Why it cannot be recorded that a patron announced insurance."""
    if patron not in state.places and not is_cash(patron):
        return NotAtBox(None)
    if is_away(state, patron):
        return PatronAway()
    if not open_settings(state).live:
        return NotLive()
    insurance = state.sheet.insurance
    rule = insurance.forgone_rule if insurance else None
    return None if patron in forgoing_patrons(state) else NothingToAnnounce(rule=rule)


def announce_insurance(state: State, command: c.AnnounceInsurance) -> EventsOrRefusal:
    """Record that a patron announced insurance."""
    if refusal := refuse_announcement(state, command.patron):
        return refusal
    insurance = state.sheet.insurance
    rule = insurance.forgone_rule if insurance else None
    return (e.InsuranceAnnounced(command.by, open_round(state).number, command.patron, rule or ""),)


def _refuse_cap(state: State, spot: Spot, bounds: Amount, add: int) -> Refusal | None:
    """Why an amount is over the cap: the insurance could pay more than the original bet."""
    if add <= bounds.maximum_cents or bounds.above != OVER_CAP:
        return None
    insured, insurance = state.sheet.insurance_bets[spot.on], state.sheet.insurance
    original, odds = Cents(original_stake(state, spot, insured)), offers_now(state)[insured.hand].odds.text
    rule = insurance.cap_rule if insurance else None
    return InsuranceOverCap(insured.hand, odds, original, Cents(add), bounds.maximum_cents, rule=rule)


def refuse_minimum(state: State, spot: Spot, bounds: Amount) -> Refusal | None:
    """Why not even the minimum can be added on a spot."""
    add, placed = bounds.minimum_cents, open_round(state).bets.get(spot)
    stake = add + (placed.stake_cents if placed else 0)
    refusal = refuse_stake(state.sheet, open_settings(state), spot, bounds, add, stake)
    return refusal or _refuse_cap(state, spot, bounds, add)
