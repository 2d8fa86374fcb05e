"""Bets: stakes within the limits, placed, raised and withdrawn.

Each act has a function that gives the bounds for a target, or its refusal. Its ways call it for every target, its
decision for the target of the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.table import refusals as r
from punto.table.act import BetCommand, Event, PatronCommand, act, event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.limits import (
    amount_to_add,
    bets_in,
    differential_room,
    displaced_bets,
    minimum_for,
    refuse_chips,
    refuse_stake,
    with_bets,
    without_bets,
)
from punto.table.money import Money, Staked, ended
from punto.table.phases import IN_ROUND, Phase
from punto.table.rulings.situations import LATE_BET, LATE_WITHDRAWAL
from punto.table.seats import is_away, refuse_place, seated_patron, sitter
from punto.table.state import State, without_squeezes
from punto.table.values import BetLine, Paid, Returned, Spot, Told, ToldCode, spot_of, sums_told
from punto.table.ways import Amount, Asking, BetWay, Ways


def refuse_bet_now(state: State, situation: str = LATE_BET) -> Refusal:
    """The reason why no bet can be placed, raised or recorded in this phase."""
    sheet = state.sheet
    if state.phase in IN_ROUND:
        late = sheet.irregularities.get(situation)
        return r.BetsClosed(sheet.play.close.says, rule=late.rule if late else sheet.play.close.rule)
    return r.BetsNotOpen(sheet.play.open.says, rule=sheet.play.open.rule)


def refuse_withdrawal_now(state: State) -> Refusal:
    """The reason why no bet can be withdrawn in this phase."""
    return refuse_bet_now(state, LATE_WITHDRAWAL)


@dataclass(frozen=True, slots=True)
class _BetChanged(Event):
    """The stake of a bet changed while bets were open, or insurance was staked."""

    round: int
    bet: Bet

    @property
    def left_cents(self) -> int:
        """The stake after it."""
        return self.bet.stake_cents

    def is_recorded(self, state: State) -> bool:
        """True if the bet is chips that the Dealer recorded, and not one that was made at a terminal."""
        return spot_of(self.bet) in state.open_round.recorded

    def apply(self, state: State) -> State:
        left, round_, spot = self.left_cents, state.open_round, spot_of(self.bet)
        if not left:
            return with_bets(state, without_bets(round_, {spot}))
        bet = self.bet if left == self.bet.stake_cents else replace(self.bet, stake_cents=Cents(left))
        boxes = round_.boxes
        if spot not in round_.bets:
            boxes = boxes | {spot.box: (*boxes.get(spot.box, ()), spot)}
        undoable = round_.undoable and spot.window is None
        recorded = round_.recorded | {spot} if self.is_recorded(state) else round_.recorded - {spot}
        bets = round_.bets | {spot: bet}
        return with_bets(state, round_._replace(bets=bets, boxes=boxes, undoable=undoable, recorded=recorded))

    def money(self) -> tuple[Money, ...]:
        return (Staked(self.bet, self.left_cents),)


@event(money=True)
class BetPlaced(_BetChanged):
    """A new bet was placed. `rule` is the paragraph by which staff placed it, if one was needed.

    `recorded` says that the Dealer recorded chips already on the layout; `late`, that they did so after the call.
    """

    recorded: bool = False
    rule: str | None = None
    late: bool = False

    def is_recorded(self, state: State) -> bool:
        return self.recorded


@event(money=True)
class BetRaised(_BetChanged):
    """A bet was raised. `bet` is the bet after it."""

    added_cents: Cents
    recorded: bool = False
    rule: str | None = None
    late: bool = False

    def is_recorded(self, state: State) -> bool:
        return self.recorded


@dataclass(frozen=True, slots=True)
class _BetReturned(_BetChanged):
    """A bet was returned in part or whole. `bet` is the bet before it."""

    returned_cents: Cents

    @property
    def left_cents(self) -> int:
        """The stake after it."""
        return self.bet.stake_cents - self.returned_cents


@event(money=True)
class BetWithdrawn(_BetReturned):
    """A bet was withdrawn in part or whole. `bet` is the bet before it."""


@event(money=True)
class BetDisplaced(_BetReturned):
    """A bet outside the limits, or its part over the Differential, was returned. `bet` is the bet before it."""

    rule: str | None


@event(money=False)
class RaiseAsked(Event):
    """A bet below the minimum was noticed in time. Its patron must raise or withdraw it before bets close."""

    round: int
    bet: Bet
    minimum_cents: Cents
    rule: str | None

    def apply(self, state: State) -> State:
        round_ = state.open_round
        return state._replace(round=round_._replace(asked=round_.asked | {spot_of(self.bet)}))


class EndsBets(Event):
    """Bets left the round before it was settled, as the lines say."""

    __slots__ = ()
    lines: tuple[Returned, ...] | tuple[Paid, ...]
    news: ClassVar[ToldCode]
    """The news to the patrons of the bets."""

    def apply(self, state: State) -> State:
        return without_ended(state, self.lines)

    def money(self) -> tuple[Money, ...]:
        return ended(self.lines)

    def bet_lines(self) -> tuple[BetLine, ...]:
        return self.lines

    def told(self) -> tuple[Told, ...]:
        return sums_told(self.news, [(line.bet.patron, line.returned_cents) for line in self.lines])


@event(money=True)
class BetsReturned(EndsBets):
    """Bets left the round with their whole stake."""

    news = "bets-returned"

    round: int
    lines: tuple[Returned, ...]


def without_ended(state: State, lines: Iterable[Returned | Paid]) -> State:
    """The state without bets that left the round. As chips that lay there, they still count in the Differential."""
    ended = {spot_of(line.bet): line.bet for line in lines}
    round_ = without_bets(state.open_round, ended)
    out = {spot.patron for spot in ended} - {spot.patron for spot in round_.bets}
    left = [bet for bet in ended.values() if bet.window is None]
    return with_bets(state, without_squeezes(round_, out)._replace(taken_back=(*round_.taken_back, *left)))


@act(by=None, during={Phase.BETTING}, at_request=True, names_round=True, makes_bets=True, late=refuse_bet_now)
class PlaceBet(BetCommand):
    """Place a new bet. With `round`, the bet is refused in any other round."""

    stake_cents: Cents
    round: int | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BetWay]:
        return _ways_to_add(state, asking, asking.spots(state.sheet.bets), bounds_to_place)

    def decide(self, state: State) -> Draft | Refusal:
        spot = Spot(self.box, self.patron, self.on)
        bounds = bounds_to_place(state, spot, bounds_to_add(state, spot))
        return _add(state, self.by, spot, bounds, self.stake_cents, 0)


@act(by=None, during={Phase.BETTING}, at_request=True, names_round=True, makes_bets=True, late=refuse_bet_now)
class RaiseBet(BetCommand):
    """Add to a placed bet."""

    add_cents: Cents
    round: int | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BetWay]:
        return _ways_to_add(state, asking, _placed_or_all(state, asking), bounds_to_raise)

    def decide(self, state: State) -> Draft | Refusal:
        spot = Spot(self.box, self.patron, self.on)
        bounds = bounds_to_raise(state, spot, bounds_to_add(state, spot))
        if isinstance(bounds, Refusal):
            return bounds
        return _add(state, self.by, spot, bounds, self.add_cents, state.open_round.bets[spot].stake_cents)


def bounds_to_add(state: State, spot: Spot) -> Amount | Refusal:
    """The amounts that can be added on a spot, to its bet or as a new one.

    A standing bet needs a seated patron if the sheet says so.
    """
    if refusal := refuse_place(state, spot) or refuse_offer(state, spot.on):
        return refusal
    sheet, sits = state.sheet, sitter(state, spot.box)
    bet = state.open_round.bets.get(spot)
    placed = bet.stake_cents if bet else 0
    if spot.patron != sits and sheet.boxes.standing_rule and seated_patron(state, spot.box) is None:
        return amount_to_add(state, spot.on, placed, 0, r.NoSeatedBet)
    if sheet.bets[spot.on].hand is None or sheet.limits is None:
        return amount_to_add(state, spot.on, placed)
    return amount_to_add(state, spot.on, placed, differential_room(state, spot, sits), r.OverDifferential)


def bounds_to_place(state: State, spot: Spot, addable: Amount | Refusal) -> Amount | Refusal:
    """The amounts that can be staked on a free spot, from those that can be added there."""
    if isinstance(addable, Refusal) or spot not in state.open_round.bets:
        return addable
    return r.BetExists(spot.box, spot.on)


def bounds_to_raise(state: State, spot: Spot, addable: Amount | Refusal) -> Amount | Refusal:
    """The amounts that can be added to a bet, from those that can be added on its spot."""
    if isinstance(addable, Refusal) or spot in state.open_round.bets:
        return addable
    return r.BetUnknown(spot.box, spot.on)


def refuse_offer(state: State, on: str) -> Refusal | None:
    """The refusal of a bet that the sheet does not offer."""
    bets = state.sheet.bets
    return None if on in bets else r.BetNotOffered(on, tuple(bets), rule=state.sheet.offered_rule)


def _add(state: State, by: Actor, spot: Spot, bounds: Amount | Refusal, cents: Cents, placed: int) -> Draft | Refusal:
    """Add to a spot within its bounds. At the Differential a bet of the box's sitter displaces standing bets."""
    if isinstance(bounds, Refusal):
        return bounds
    if refusal := refuse_stake(state, spot, bounds, cents, placed + cents):
        return refusal
    bet = Bet(spot.box, spot.patron, spot.on, Cents(placed + cents), None, spot.patron == sitter(state, spot.box))
    round_ = state.open_round
    others = [round_.bets[other] for other in round_.boxes.get(spot.box, ()) if other != spot]
    return Draft(state, *_displaced(state, by, [*others, bet], spot), added_bet(state, by, bet, cents))


def _displaced(state: State, by: Actor, bets: list[Bet], keep: Spot | None = None) -> list[BetDisplaced]:
    """The excess over the Differential of a box with these bets, by the priority of its patrons."""
    number, limits = state.open_round.number, state.sheet.limits
    if limits is None or not bets:
        return []
    displaced = displaced_bets(state, bets, sitter(state, bets[0].box), keep)
    return [BetDisplaced(by, number, bet, back, limits.excess_rule) for bet, back in displaced]


def added_bet(state: State, by: Actor, bet: Bet, add: int, *, recorded: bool = False) -> BetPlaced | BetRaised:
    """The event of a bet to which an amount was added. A whole new stake was placed; `recorded` by the Dealer."""
    number = state.open_round.number
    rule = state.sheet.authority.bets_for_patrons_rule if by.role is not None and not recorded else None
    late = recorded and state.phase is not Phase.BETTING
    if add == bet.stake_cents:
        return BetPlaced(by, number, bet, recorded, rule, late)
    return BetRaised(by, number, bet, Cents(add), recorded, rule, late)


@act(by=None, during={Phase.BETTING}, at_request=True, names_round=True, makes_bets=True, late=refuse_withdrawal_now)
class WithdrawBet(BetCommand):
    """Take back part of a placed bet, or all of it (None)."""

    take_cents: Cents | None = None
    round: int | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BetWay]:
        ways = ways_to_bet(state, asking, _placed_or_all(state, asking), bounds_to_withdraw)
        return [*ways, r.BetUnknown(None, None)]

    def decide(self, state: State) -> Draft | Refusal:
        """Withdraw from a bet. If the other side of the box is then over the Differential, its excess is returned."""
        sheet, round_, spot = state.sheet, state.open_round, Spot(self.box, self.patron, self.on)
        bounds = bounds_to_withdraw(state, spot)
        if isinstance(bounds, Refusal):
            return bounds
        bet = round_.bets[spot]
        take = bet.stake_cents if self.take_cents is None else self.take_cents
        if take > bet.stake_cents:
            return r.StakeInvalid(spot.on, take)
        left = bet.stake_cents - take
        if left and (refusal := refuse_stake(state, spot, bounds, take, left)):
            return refusal
        draft = Draft(state, BetWithdrawn(self.by, round_.number, bet, Cents(take)))
        if sheet.bets[spot.on].hand is not None:
            reject_excess(draft, self.by, spot.box)
        return draft


def reject_excess(draft: Draft, by: Actor, box: int) -> None:
    """Return what is over the Differential of a box, by the priority of its patrons."""
    draft.add(*_displaced(draft.state, by, bets_in(draft.round, box)))


def bounds_to_withdraw(state: State, spot: Spot) -> Amount | Refusal:
    """The amounts that can be withdrawn from a bet: all of it, or as much as leaves its minimum."""
    if is_away(state, spot.patron):
        return r.PatronAway()
    bet = state.open_round.bets.get(spot)
    if bet is None:
        return r.BetUnknown(spot.box, spot.on)
    settings = state.open_settings
    unit, stake = settings.unit_cents, bet.stake_cents
    maximum = max(stake - max(minimum_for(state.sheet, settings, spot.on), unit), 0)
    return Amount(unit, Cents(maximum), unit, r.StakeInvalid, r.StakeBelowMinimum, stake)


class BetStake(NamedTuple):
    """A bet, and how much shall be staked on it."""

    on: str
    stake_cents: Cents


@act(by=None, during={Phase.BETTING}, at_request=True, names_round=True, makes_bets=True, late=refuse_bet_now)
class PlaceBets(PatronCommand):
    """Let a patron's bets in a box stand as `stakes` says. A bet that is not named is withdrawn.

    All changes are made, or none. Whoever sends the same stakes again changes nothing.
    """

    box: int
    stakes: tuple[BetStake, ...]
    round: int | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BetWay]:
        """For each bet how much may stand on it while the others stay. Together, more may be accepted."""
        return _ways_to_add(state, asking, asking.spots(state.sheet.bets), bounds_to_stake)

    def decide(self, state: State) -> Draft | Refusal:
        """Let a patron's bets in a box stand as the command says.

        Each change is decided as a command of its own, on a state in which the other changes are made. So the limits
        hold for the bets as they shall stand, and the order in which they are named does not matter.
        """
        by, patron, box = self.by, self.patron, self.box
        if refusal := refuse_place(state, Spot(box, patron, "")) or _refuse_stakes(state, self):
            return refusal
        placed = {spot: bet for spot, bet in state.open_round.bets.items() if spot.box == box and spot.patron == patron}
        wanted = {Spot(box, patron, on): stake for on, stake in self.stakes}
        changes = {
            spot: _changed_bet(state, by, spot, wanted.get(spot, 0))
            for spot in (placed | wanted)
            if wanted.get(spot) != (placed[spot].stake_cents if spot in placed else None)
        }
        changed, displaced = Draft(state, *changes.values()).state, dict[Event, None]()
        for spot in changes:
            # This bet as it was, with all others as they shall stand.
            before, others = placed.get(spot), with_bets(changed, without_bets(changed.open_round, {spot}))
            others = BetPlaced(by, 0, before).apply(changed) if before else others
            answer = _change_bet(others, by, spot, wanted.get(spot, 0))
            if isinstance(answer, Refusal):
                return answer
            displaced |= dict.fromkeys([event for event in answer if isinstance(event, BetDisplaced)])
        withdrawn = [change for change in changes.values() if isinstance(change, BetWithdrawn)]
        added = [change for change in changes.values() if not isinstance(change, BetWithdrawn)]
        return Draft(state, *withdrawn, *displaced, *added)


def bounds_to_stake(state: State, spot: Spot, addable: Amount | Refusal) -> Amount | Refusal:
    """The amounts that can stand on a spot while the patron's other bets stay, from those that can be added there."""
    bet = state.open_round.bets.get(spot)
    if bet is None or isinstance(addable, Refusal):
        return addable
    unit = addable.step_cents
    minimum = max(minimum_for(state.sheet, state.open_settings, spot.on), unit)
    maximum = bet.stake_cents + (0 if addable.is_empty else addable.maximum_cents)
    below = r.StakeBelowMinimum if minimum > unit else r.StakeInvalid
    above = r.StakeInvalid if maximum + unit >= MAX_CENTS else addable.above
    unchanged = bet.stake_cents if bet.stake_cents < minimum else None  # chips that the Dealer recorded
    return Amount(Cents(minimum), Cents(maximum), unit, below, above, unchanged)


def _refuse_stakes(state: State, command: PlaceBets) -> Refusal | None:
    """The refusal of stakes that cannot be bets at all, whatever the limits."""
    named = set()
    for on, stake in command.stakes:
        if refusal := refuse_offer(state, on) or refuse_chips(state, on, stake):
            return refusal
        if on in named:
            return r.BetExists(command.box, on)
        named.add(on)
    return None


def _changed_bet(state: State, by: Actor, spot: Spot, stake: int) -> BetPlaced | BetRaised | BetWithdrawn:
    """The event that brings a bet to a stake."""
    bet = state.open_round.bets.get(spot)
    if bet is not None and stake < bet.stake_cents:
        return BetWithdrawn(by, state.open_round.number, bet, Cents(bet.stake_cents - stake))
    new = Bet(spot.box, spot.patron, spot.on, Cents(stake), None, spot.patron == sitter(state, spot.box))
    return added_bet(state, by, new, stake - (bet.stake_cents if bet else 0))


def _change_bet(state: State, by: Actor, spot: Spot, stake: int) -> Draft | Refusal:
    """Bring a bet to a stake by the one command that does so."""
    bet, target = state.open_round.bets.get(spot), (by, spot.patron, spot.box, spot.on)
    if bet is None:
        return PlaceBet(*target, Cents(stake)).decide(state)
    if stake < bet.stake_cents:
        return WithdrawBet(*target, Cents(bet.stake_cents - stake)).decide(state)
    return RaiseBet(*target, Cents(stake - bet.stake_cents)).decide(state)


Bounds = Callable[[State, Spot], Amount | Refusal]


def _ways_to_add(
    state: State,
    asking: Asking,
    spots: Iterable[Spot],
    bounds_of: Callable[[State, Spot, Amount | Refusal], Amount | Refusal],
) -> Ways[BetWay]:
    """The ways to bet on these spots, from the amounts that can be added there."""

    def bounds(state: State, spot: Spot) -> Amount | Refusal:
        if (addable := asking.addable.get(spot)) is None:
            addable = asking.addable[spot] = bounds_to_add(state, spot)
        return bounds_of(state, spot, addable)

    return ways_to_bet(state, asking, spots, bounds)


def ways_to_bet(state: State, asking: Asking, spots: Iterable[Spot], bounds_of: Bounds) -> Ways[BetWay]:
    """The ways to bet on these spots. A way on which no amount is accepted carries its refusal."""
    for spot in spots:
        bounds = bounds_of(state, spot)
        if isinstance(bounds, Refusal):
            yield bounds
        else:
            refusal = _refuse_minimum(state, spot, bounds) if bounds.is_empty else None
            yield BetWay(spot.box, spot.on, bounds, patron=asking.name(spot.patron), refusal=refusal)


def _refuse_minimum(state: State, spot: Spot, bounds: Amount) -> Refusal | None:
    """The reason why not even the minimum can be added on a spot."""
    bet, add = state.open_round.bets.get(spot), bounds.minimum_cents
    return refuse_stake(state, spot, bounds, add, (bet.stake_cents if bet else 0) + add)


def _placed(state: State, patron: str, boxes: Iterable[int]) -> list[Spot]:
    """The spots on which a patron has bets."""
    there = state.open_round.boxes
    spots = [spot for box in boxes for spot in there.get(box, ())]
    return [spot for spot in spots if spot.patron == patron]


def _placed_or_all(state: State, asking: Asking) -> list[Spot]:
    """The spots on which each patron has bets; all spots of a patron without one, who is told so."""
    spots = [
        _placed(state, patron, boxes) or [Spot(box, patron, on) for box in boxes for on in state.sheet.bets]
        for patron, boxes in asking.boxes.items()
    ]
    return [spot for each in spots for spot in each]
