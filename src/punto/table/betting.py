"""Patrons and their bets: places at the boxes, chips within the limits, insurance within its cap."""

from __future__ import annotations

from punto.rules.bets import OfferedBet
from punto.rules.hands import Hand
from punto.rules.insurance import Window, most_insurable
from punto.rules.money import Cents, money
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.table import commands as c
from punto.table import events as e
from punto.table.facts import LATE_BET, LATE_WITHDRAWAL, WALK_AWAY
from punto.table.limits import excess, give_way, refuse_amount, refuse_stake, room
from punto.table.opening import printable
from punto.table.phases import IN_ROUND, Phase
from punto.table.play import Draft, close_case, offers_now, open_round, open_settings
from punto.table.refusals import TableCode
from punto.table.state import Spot, State, spot_of

Decided = tuple[e.Event, ...] | Refusal

# ------------------------------------------------------------------------------------------- not now


def refuse_bet_now(state: State, command: c.Command) -> Refusal:
    """Why no bet is placed, raised, withdrawn or recorded in this phase."""
    sheet = state.sheet
    if state.case is not None:
        return Refusal(TableCode.ROUND_HELD, state.case.holds)
    if state.phase in IN_ROUND:
        late = sheet.irregularities.get(LATE_WITHDRAWAL if type(command) is c.WithdrawBet else LATE_BET)
        message = f"bets have closed ({sheet.play.close.says!r}): the bets stay as they lie"
        return Refusal(TableCode.BETS_CLOSED, message, late.rule if late else sheet.play.close.rule)
    message = f"bets open with the call {sheet.play.open.says!r}"
    return Refusal(TableCode.BETS_NOT_OPEN, message, sheet.play.open.rule)


def refuse_insurance_now(state: State) -> Refusal:
    """Why no insurance is taken in this phase."""
    insurance, settings = state.sheet.insurance, open_settings(state)
    if insurance is None:
        return Refusal(TableCode.INSURANCE_CLOSED, f"{state.sheet.title} has no insurance", state.sheet.offered_rule)
    if settings.without_insurance:
        message = settings.notice or "no insurance is offered here"
        return Refusal(TableCode.INSURANCE_CLOSED, message, insurance.private_table_rule)
    if state.round and state.round.waived and len(state.round.cards) >= Window.PLAYER_THIRD.cards:
        message = "the second window was waived for everyone"
        return Refusal(TableCode.INSURANCE_CLOSED, message, insurance.waiver_rule)
    message = "no insurance is on offer now; what was not bet before the next card is forgone"
    return Refusal(TableCode.INSURANCE_CLOSED, message, insurance.forgone_rule or insurance.window_rule)


# ------------------------------------------------------------------------------------------- patrons


def sit(state: State, command: c.Sit) -> Decided:
    """A patron takes the seat of a box."""
    if refusal := _refuse_box(state, command.box, command.patron):
        return refusal
    if state.seats.get(command.box) not in {None, command.patron}:
        return Refusal(TableCode.BOX_TAKEN, f"{state.seats[command.box]} sits at box {command.box}")
    seat = state.sits_at(command.patron)
    if seat is not None and not _is_away(state, command.patron):
        return Refusal(TableCode.ALREADY_THERE, f"{command.patron} sits at box {seat}")
    if seat not in {None, command.box}:
        return Refusal(TableCode.ALREADY_THERE, f"{command.patron} has bets at box {seat} from this round")
    return (e.PatronSeated(command.by, command.patron, command.box, open_settings(state).notice),)


def stand(state: State, command: c.Stand) -> Decided:
    """A patron joins the one who sits at a box; nobody there can refuse it."""
    if refusal := _refuse_box(state, command.box, command.patron):
        return refusal
    if not state.sheet.boxes.layouts:
        message = "a player terminal is for the one who sits at it"
        return Refusal(TableCode.BOX_TAKEN, message, state.sheet.boxes.rule)
    if command.box not in state.seats:
        return Refusal(TableCode.NOBODY_SEATED, f"nobody sits at box {command.box} to stand behind")
    there = state.seats[command.box] == command.patron or (command.box, command.patron) in state.standing
    if there and not _is_away(state, command.patron):
        return Refusal(TableCode.ALREADY_THERE, f"{command.patron} has a place at box {command.box}")
    return (e.PatronStood(command.by, command.patron, command.box, open_settings(state).notice),)


def _refuse_box(state: State, box: int, patron: str) -> Refusal | None:
    if not printable(patron):
        return Refusal(TableCode.NAME_INVALID, "a patron has a name that can be printed")
    return _refuse_number(state, box)


def _refuse_number(state: State, box: int) -> Refusal | None:
    boxes = open_settings(state).boxes
    if 1 <= box <= boxes:
        return None
    return Refusal(TableCode.BOX_UNKNOWN, f"box {box} is not on this layout of {boxes}", state.sheet.boxes.rule)


def _is_away(state: State, patron: str) -> bool:
    return state.round is not None and patron in state.round.away


def leave(state: State, command: c.Leave) -> Decided:
    """A patron with bets walks away: the bets stay, and an open choice is made by settling them."""
    patron, round_ = command.patron, state.round
    if state.sits_at(patron) is None and all(who != patron for _, who in state.standing):
        return Refusal(TableCode.NOT_AT_BOX, f"{patron} has no place at this table")
    if _is_away(state, patron):
        return Refusal(TableCode.PATRON_AWAY, f"{patron} walked away already")
    if round_ is None or all(spot.patron != patron for spot in round_.bets):
        return (e.PatronLeft(command.by, patron, None),)
    walk_away = state.sheet.irregularities.get(WALK_AWAY)
    rule = walk_away.rule if walk_away else state.sheet.offered_rule
    draft = Draft(state)
    draft.add(e.PatronLeft(command.by, patron, rule, bets_stay=True))
    case = state.case
    while case is not None and patron not in case.patrons:
        case = case.under
    if case is not None:
        draft.add(e.OptionChosen(command.by, case.number, patron, c.Option.CONTINUE, rule))
        if case is state.case and not draft.case.patrons:
            close_case(draft, command.by)
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- bets


def place_bet(state: State, command: c.PlaceBet) -> Decided:
    """A new bet on a free spot."""
    spot = Spot(command.box, command.patron, command.on)
    if refusal := _refuse_place(state, spot) or _refuse_offer(state, command.on):
        return refusal
    if spot in open_round(state).bets:
        message = f"{command.patron} has a bet on {command.on} in box {command.box}; it can be raised"
        return Refusal(TableCode.BET_EXISTS, message)
    return _lay(state, command.by, spot, command.stake_cents, 0)


def raise_bet(state: State, command: c.RaiseBet) -> Decided:
    """More chips on a bet."""
    spot = Spot(command.box, command.patron, command.on)
    if refusal := _refuse_place(state, spot) or _refuse_offer(state, command.on):
        return refusal
    bet = open_round(state).bets.get(spot)
    if bet is None:
        return _no_such_bet(spot)
    return _lay(state, command.by, spot, command.add_cents, bet.stake_cents)


def _refuse_place(state: State, spot: Spot) -> Refusal | None:
    """Why a patron has no place from which to bet there."""
    if refusal := _refuse_number(state, spot.box):
        return refusal
    if state.seats.get(spot.box) != spot.patron and (spot.box, spot.patron) not in state.standing:
        return Refusal(TableCode.NOT_AT_BOX, f"{spot.patron} neither sits at box {spot.box} nor stands behind it")
    if _is_away(state, spot.patron):
        return Refusal(TableCode.PATRON_AWAY, f"{spot.patron} walked away from this round")
    return None


def _refuse_offer(state: State, on: str) -> Refusal | None:
    sheet = state.sheet
    if on in sheet.bets:
        return None
    hint = "insurance is bet in its window" if on in sheet.insurance_bets else f"it offers {', '.join(sheet.bets)}"
    return Refusal(TableCode.BET_NOT_OFFERED, f"{sheet.title} does not take {on!r} now; {hint}", sheet.offered_rule)


def _no_such_bet(spot: Spot) -> Refusal:
    return Refusal(TableCode.BET_UNKNOWN, f"{spot.patron} has no bet on {spot.on} in box {spot.box}")


def _lay(state: State, by: c.Actor, spot: Spot, add: int, before: int) -> Decided:
    """Put chips on a spot within the limits; at the Differential standing bets give way to a seated one."""
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    if refusal := refuse_amount(sheet, settings, spot.on, add):
        return refusal
    stake = Cents(before + add)
    if refusal := refuse_stake(sheet, settings, spot.on, stake):
        return refusal
    bet = Bet(spot.box, spot.patron, spot.on, stake, None, state.seats.get(spot.box) == spot.patron)
    moved: list[e.Event] = []
    hand = sheet.bets[spot.on].hand
    if hand is not None:
        bets = round_.bets | {spot: bet}
        over, heavy = excess(sheet, bets, spot.box, settings)
        if over > 0 and heavy is hand:
            most = room(sheet, round_.bets, spot, settings, seated=bet.seated)
            if add > most:
                return _over_differential(state, spot, most, over)
            rule = sheet.limits.excess_rule if sheet.limits else None
            ways = give_way(sheet, bets, spot.box, settings, keep=spot)
            moved = [e.BetDisplaced(by, round_.number, other, back, rule) for other, back in ways]
    laid = _laid(state, by, bet, add)
    return (*moved, laid)


def _laid(state: State, by: c.Actor, bet: Bet, add: int, *, as_it_lies: bool = False) -> e.BetPlaced | e.BetRaised:
    number = open_round(state).number
    rule = state.sheet.authority.bets_for_patrons_rule if by.role is not None and not as_it_lies else None
    if add == bet.stake_cents:
        return e.BetPlaced(by, number, bet, as_it_lies, rule)
    return e.BetRaised(by, number, bet, Cents(add), as_it_lies, rule)


def _over_differential(state: State, spot: Spot, most: int, over: int) -> Refusal:
    limit = open_settings(state).limits.differential_cents
    told = f"may add {money(most)} on {spot.on}" if most else f"can add nothing on {spot.on}"
    message = (
        f"box {spot.box} would pass the maximum Differential of {money(limit)} by {money(over)}; {spot.patron} {told}"
    )
    return Refusal(TableCode.OVER_DIFFERENTIAL, message, state.sheet.limits.excess_rule if state.sheet.limits else None)


def withdraw_bet(state: State, command: c.WithdrawBet) -> Decided:
    """Take chips back. What then lies too heavy on the other side of the box gives way."""
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    spot = Spot(command.box, command.patron, command.on)
    bet = round_.bets.get(spot)
    if bet is None:
        return _no_such_bet(spot)
    take = bet.stake_cents if command.take_cents is None else command.take_cents
    if refusal := refuse_amount(sheet, settings, spot.on, take):
        return refusal
    left = bet.stake_cents - take
    if left < 0:
        message = f"{money(bet.stake_cents)} lies on {spot.on}; {money(take)} cannot be taken"
        return Refusal(TableCode.STAKE_INVALID, message)
    if left and (refusal := refuse_stake(sheet, settings, spot.on, left)):
        return refusal
    draft = Draft(state)
    draft.add(e.BetWithdrawn(command.by, round_.number, bet, Cents(take)))
    if sheet.bets[spot.on].hand is not None:
        rule = sheet.limits.excess_rule if sheet.limits else None
        for other, back in list(give_way(sheet, draft.round.bets, spot.box, settings)):
            draft.add(e.BetDisplaced(command.by, round_.number, other, back, rule))
    return tuple(draft.events)


def record_bet(state: State, command: c.RecordBet) -> Decided:
    """What lies is what lies: only what cannot be a bet at all is refused.

    After the call and before the first card, chips that lay in time may still be recorded; none are taken away.
    """
    spot, round_ = Spot(command.box, command.patron, command.on), open_round(state)
    lay = round_.bets[spot].stake_cents if spot in round_.bets else 0
    closed = state.phase is not Phase.BETTING
    ended = any(spot_of(bet) == spot for bet in round_.taken_back)
    if round_.cards or ended or (closed and command.stake_cents < lay):
        return refuse_bet_now(state, command)
    if refusal := _refuse_place(state, spot) or _refuse_offer(state, command.on):
        return refusal
    if not open_settings(state).live:
        return Refusal(TableCode.NOT_LIVE, "bets are recorded as they lie only at a live table")
    bet = round_.bets.get(spot)
    before, stake = (bet.stake_cents if bet else 0), command.stake_cents
    if bet is not None and stake == 0:
        return (e.BetWithdrawn(command.by, round_.number, bet, bet.stake_cents),)
    if refusal := refuse_amount(state.sheet, open_settings(state), spot.on, stake):
        return refusal
    if bet is not None and stake <= before:
        back = Cents(before - stake)
        return (e.BetWithdrawn(command.by, round_.number, bet, back),) if back else ()
    seated = state.seats.get(spot.box) == spot.patron
    laid = Bet(spot.box, spot.patron, spot.on, stake, None, seated)
    return (_laid(state, command.by, laid, stake - before, as_it_lies=True),)


def insure(state: State, command: c.Insure) -> Decided:
    """Insurance on a hand that is on offer, for the patron's own original bet."""
    sheet, settings, round_ = state.sheet, open_settings(state), open_round(state)
    spot = Spot(command.box, command.patron, command.on)
    if refusal := _refuse_place(state, spot):
        return refusal
    insured = sheet.insurance_bets.get(command.on)
    if insured is None or sheet.insurance is None:
        message = f"{command.on!r} is not insurance; there is {', '.join(sheet.insurance_bets)}"
        return Refusal(TableCode.BET_NOT_OFFERED, message, sheet.offered_rule)
    if refusal := refuse_amount(sheet, settings, spot.on, command.stake_cents):
        return refusal
    offers = offers_now(state)
    offer = offers.get(insured.hand)
    window = next(iter(offers.values())).window
    spot = spot._replace(window=window)
    lies = round_.bets.get(spot)
    stake = Cents(command.stake_cents + (lies.stake_cents if lies else 0))
    if refusal := refuse_stake(sheet, settings, spot.on, stake):
        return refusal
    if offer is None:
        message = f"insurance is on offer on {' and '.join(hand.title() for hand in offers)} only"
        return Refusal(TableCode.INSURANCE_HAND_NOT_ON_OFFER, message, sheet.insurance.rows[0].rule)
    if refusal := _refuse_cover(state, spot, insured.hand, command.stake_cents):
        return refusal
    bet = Bet(spot.box, spot.patron, spot.on, stake, window, state.seats.get(spot.box) == spot.patron)
    return (_laid(state, command.by, bet, command.stake_cents),)


def _refuse_cover(state: State, spot: Spot, hand: Hand, add: int) -> Refusal | None:
    """The cap: over both windows, what insurance on a hand could pay stays within the original bet on it."""
    sheet, bets = state.sheet, open_round(state).bets
    insurance = sheet.insurance
    assert insurance is not None  # noqa: S101 — the bet is one of its insurance bets
    original = sum(
        [bet.stake_cents for bet in bets.values() if _is_original(sheet.bets.get(bet.on), hand) and _same(bet, spot)]
    )
    if not original:
        message = f"{spot.patron} has no bet on {hand.title()} in box {spot.box} to insure"
        return Refusal(TableCode.INSURANCE_WITHOUT_ORIGINAL, message, insurance.original_rule)
    cards = open_round(state).cards
    taken = [
        (bet.stake_cents, insurance.offers(cards[: bet.window.cards])[hand].odds)
        for bet in bets.values()
        if bet.window is not None and bet.on == spot.on and _same(bet, spot)
    ]
    odds = offers_now(state)[hand].odds
    most = most_insurable(original, odds, taken)
    if add > most:
        room = max(most - most % open_settings(state).limits.unit_cents, 0)
        message = f"at {odds} insurance on {hand.title()} may be {money(room)} more, not {money(add)}"
        return Refusal(TableCode.INSURANCE_OVER_CAP, message, insurance.cap_rule)
    return None


def _is_original(offered: OfferedBet | None, hand: Hand) -> bool:
    return offered is not None and offered.hand is hand


def _same(bet: Bet, spot: Spot) -> bool:
    return bet.box == spot.box and bet.patron == spot.patron
