"""Limits while bets are open: the accepted stakes, and the bets that are displaced at the Differential of a box."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from punto.rules.hands import Hand
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import Refusal, StakeInvalid, StakeOffUnit
from punto.rules.settlement import Bet
from punto.rules.sheet import Sheet
from punto.table.refusals import NoSeatedBet, OverDifferential, StakeAboveMaximum, StakeBelowMinimum
from punto.table.seats import seated_patron
from punto.table.state import RoundInPlay, Settings, State
from punto.table.values import BoxProblem, BoxWarning, Spot
from punto.table.ways import Amount


def minimum_for(sheet: Sheet, settings: Settings, on: str) -> Cents:
    """The minimum of a bet: the table's minimum for original bets, otherwise the bet's own."""
    if on in sheet.bets and sheet.bets[on].hand is not None:
        return settings.minimum_cents
    side = settings.side(on)
    return side.minimum_cents if side else Cents(0)


def maximum_for(sheet: Sheet, settings: Settings, on: str) -> Cents | None:
    """The maximum of a bet, if it has one of its own: an original bet only where the sheet knows no Differential."""
    if on in sheet.bets and sheet.bets[on].hand is not None:
        return settings.differential_cents if sheet.limits is None else None
    side = settings.side(on)
    return side.maximum_cents if side else None


def amount_to_add(
    state: State, on: str, placed: int, maximum: int = MAX_CENTS, above: type[Refusal] = StakeAboveMaximum
) -> Amount:
    """The amounts to add to a bet of `placed` cents: up to the lower of `maximum` and the bet's own limit.

    `above` refuses more than `maximum`.
    """
    sheet, settings = state.sheet, state.open_settings
    unit, minimum = settings.unit_cents, minimum_for(sheet, settings, on) - placed
    own = maximum_for(sheet, settings, on)
    limit = min(MAX_CENTS if own is None else own, MAX_CENTS - 1) - placed
    if limit <= maximum:
        maximum, above = limit, StakeAboveMaximum
    maximum = max(maximum - maximum % unit, 0)
    above = StakeInvalid if maximum + unit >= MAX_CENTS else above
    if minimum > unit:
        return Amount(Cents(minimum), Cents(maximum), unit, StakeBelowMinimum, above)
    return Amount(unit, Cents(maximum), unit, StakeInvalid, above)


def refuse_chips(state: State, on: str, cents: int) -> Refusal | None:
    """The refusal of an amount that no chips can make up."""
    rules, unit = state.sheet.limits, state.open_settings.unit_cents
    if type(cents) is not int or not 0 < cents < MAX_CENTS:
        return StakeInvalid(on, cents, rule=rules.responsibility_rule if rules else None)
    return StakeOffUnit(on, Cents(cents), unit, rule=rules.shown_rule if rules else None) if cents % unit else None


def refuse_stake(state: State, spot: Spot, amount: Amount, cents: int, stake: int) -> Refusal | None:
    """The refusal of an amount that would bring the bet to `stake`. The insurance cap is not checked here."""
    if refusal := refuse_chips(state, spot.on, cents):
        return refusal
    sheet, settings = state.sheet, state.open_settings
    below, above = cents < amount.minimum_cents, cents > amount.maximum_cents
    refusal_of = amount.below if below else amount.above if above else None
    rules, on = sheet.limits, spot.on
    if refusal_of is StakeBelowMinimum:
        minimum = minimum_for(sheet, settings, on)
        return StakeBelowMinimum(on, Cents(stake), minimum, rule=rules.minimum_rule if rules else None)
    if refusal_of is StakeAboveMaximum:
        maximum = Cents(stake - cents + amount.maximum_cents)
        return StakeAboveMaximum(on, Cents(stake), maximum, rule=rules.shown_rule if rules else None)
    if refusal_of is OverDifferential:
        limit, rule = settings.differential_cents, rules.excess_rule if rules else None
        return OverDifferential(spot.box, on, limit, amount.maximum_cents, rule=rule)
    return NoSeatedBet(spot.box, rule=sheet.boxes.standing_rule) if refusal_of is NoSeatedBet else None


def bets_in(round_: RoundInPlay, box: int) -> list[Bet]:
    """The bets of a box in the order in which they came."""
    return [round_.bets[spot] for spot in round_.boxes.get(box, ())]


def _lead(sheet: Sheet, bets: list[Bet], hand: Hand) -> int:
    """The difference by which more is staked on one hand than on the other."""
    lead, terms = 0, sheet.bets
    for bet in bets:
        if bet.window is None and (on := terms[bet.on].hand) is not None:
            lead += bet.stake_cents if on is hand else -bet.stake_cents
    return lead


def boxes_over(state: State) -> list[int]:
    """The boxes over the Differential, by the chips that were on them when bets closed, or are while bets are open."""
    sheet, round_ = state.sheet, state.round
    if sheet.limits is None or round_ is None:
        return []
    chips = [*round_.bets.values(), *round_.taken_back]
    boxes = {bet.box: [each for each in chips if each.box == bet.box] for bet in chips}
    limit = state.open_settings.differential_cents
    return sorted([box for box, bets in boxes.items() if abs(_lead(sheet, bets, Hand.PLAYER)) > limit])


def differential_room(state: State, spot: Spot, sitter: str | None) -> int:
    """The most cents that can be added to an original bet without passing the Differential of its box.

    A bet of the box's sitter displaces standing bets on its side. The result is 0 where it would leave a bet below the
    minimum.
    """
    sheet, round_, settings = state.sheet, state.open_round, state.open_settings
    hand = sheet.bets[spot.on].hand
    assert hand is not None  # noqa: S101 — side bets have no Differential
    bets = bets_in(round_, spot.box)
    maximum = settings.differential_cents - _lead(sheet, bets, hand)
    if spot.patron == sitter:
        maximum += sum([bet.stake_cents for bet in _on_side(sheet, bets, hand) if bet.patron != sitter])
    placed = round_.bets[spot].stake_cents if spot in round_.bets else 0
    return max(maximum, 0) if placed + maximum >= settings.minimum_cents else 0


def _on_side(sheet: Sheet, bets: list[Bet], hand: Hand) -> list[Bet]:
    """The bets on a hand in a box while bets are open, the newest first."""
    return [bet for bet in bets[::-1] if sheet.bets[bet.on].hand is hand]


def displaced_bets(
    state: State, bets: list[Bet], sitter: str | None, keep: Spot | None = None
) -> Iterator[tuple[Bet, Cents]]:
    """The bets that the Differential of a box displaces, and how much of each is returned.

    Bets of standing patrons come before those of the box's sitter, the newest first. The sitter's bet at `keep` stays;
    `differential_room` has checked that the others are enough. A bet that would fall below the minimum is returned
    whole.
    """
    sheet, settings = state.sheet, state.open_settings
    lead = _lead(sheet, bets, Hand.PLAYER)
    heavy, over = Hand.PLAYER if lead > 0 else Hand.BANKER, abs(lead) - settings.differential_cents
    if over <= 0 or (keep is not None and heavy is not sheet.bets[keep.on].hand):
        return
    on_side = _on_side(sheet, bets, heavy)
    candidates = [bet for bet in on_side if bet.patron != sitter]
    if keep is None:
        candidates += [bet for bet in on_side if bet.patron == sitter]
    for bet in candidates:
        if over <= 0:
            return
        left = bet.stake_cents - over
        back = Cents(over) if left >= settings.minimum_cents else bet.stake_cents
        over -= back
        yield bet, back


def boxes_to_check(state: State) -> tuple[BoxWarning, ...]:
    """The problems to put right before bets close, box by box. Only recorded chips can be outside the limits."""
    sheet, settings, round_ = state.sheet, state.open_settings, state.open_round
    rules, found = sheet.limits, []
    for box in sorted(round_.boxes):
        bets = bets_in(round_, box)
        over, limit = abs(_lead(sheet, bets, Hand.PLAYER)), settings.differential_cents
        if rules and over > limit:
            found.append(BoxWarning(BoxProblem.OVER_DIFFERENTIAL, box, Cents(over), limit, rules.excess_rule))
        found += [warning for bet in bets for warning in _bet_warnings(state, bet)]
    return tuple(found)


def to_put_right(state: State) -> tuple[BoxWarning, ...]:
    """The warnings on what the sheet has put right before bets close: excess, and low bets of patrons who are there."""
    round_ = state.round
    if state.sheet.limits is None or round_ is None:
        return ()
    put_right = (BoxProblem.OVER_DIFFERENTIAL, BoxProblem.BELOW_MINIMUM)
    return tuple(
        [each for each in boxes_to_check(state) if each.problem in put_right and each.patron not in round_.away]
    )


def _bet_warnings(state: State, bet: Bet) -> Iterator[BoxWarning]:
    sheet, settings, rules = state.sheet, state.open_settings, state.sheet.limits
    placed = bet.box, bet.stake_cents
    minimum = minimum_for(sheet, settings, bet.on)
    if bet.stake_cents < minimum:
        rule = rules.minimum_rule if rules else None
        yield BoxWarning(BoxProblem.BELOW_MINIMUM, *placed, minimum, rule, bet.patron, bet.on)
    if is_above_maximum(state, bet):
        rule, maximum = rules.responsibility_rule if rules else None, maximum_for(sheet, settings, bet.on)
        yield BoxWarning(BoxProblem.ABOVE_MAXIMUM, *placed, maximum, rule, bet.patron, bet.on)
    standing_rule = sheet.boxes.standing_rule
    if standing_rule and bet.patron != state.seats.get(bet.box) and seated_patron(state, bet.box) is None:
        yield BoxWarning(BoxProblem.NO_SEATED_BET, *placed, None, standing_rule, bet.patron, bet.on)


def is_above_maximum(state: State, bet: Bet) -> bool:
    """True if a bet is over its maximum. A table refuses that, unless the Dealer records chips."""
    maximum = maximum_for(state.sheet, state.open_settings, bet.on)
    return maximum is not None and bet.stake_cents > maximum


def without_bets(round_: RoundInPlay, ended: Collection[Spot]) -> RoundInPlay:
    """A round without the bets of these spots."""
    boxes = {
        box: tuple([spot for spot in round_.boxes.get(box, ()) if spot not in ended])
        for box in {spot.box for spot in ended}
    }
    bets = {spot: bet for spot, bet in round_.bets.items() if spot not in ended}
    return round_._replace(bets=bets, boxes=round_.boxes | boxes)


def with_bets(state: State, round_: RoundInPlay) -> State:
    """The state with changed bets. A request to raise a bet ends when the bet reaches its minimum or is withdrawn."""
    if round_.asked:
        settings = state.open_settings
        low = (
            spot
            for spot in round_.asked
            if spot in round_.bets and round_.bets[spot].stake_cents < minimum_for(state.sheet, settings, spot.on)
        )
        round_ = round_._replace(asked=frozenset(low))
    return state._replace(round=round_)
