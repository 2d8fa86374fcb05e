"""The course of a round: the call for bets, the call that ends betting, the settlement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.settlement import Line, Settlement, settle
from punto.rules.sheet import Device, Role
from punto.table.act import Command, Event, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.acts.announcements import outcome_of
from punto.table.acts.shoe import ShoeLoaded, burn_is_due
from punto.table.draft import Draft
from punto.table.limits import boxes_to_check, is_above_maximum, to_put_right
from punto.table.money import Money, ended
from punto.table.phases import Phase
from punto.table.refusals import BurnPending, OutsideLimits, PlaySuspended, ShoeFinished, ShoeMissing
from punto.table.rulings.cases import refer, reported
from punto.table.rulings.situations import OVER_MAXIMUM
from punto.table.seats import as_seated
from punto.table.state import EndedRound, RoundInPlay, State, ended_round, without_patrons
from punto.table.values import BoxWarning, Claim, Returned, ReturnReason, Spot, spot_of
from punto.table.ways import REASON, Asking, Way, Ways, way_record


@event(money=False)
class BetsOpened(Event):
    """A round began with the first call. `unchecked` and `unshuffled`: so its shoe was loaded, by the record."""

    round: int
    shoe: int
    last_of_shoe: bool
    says: str
    rule: str
    unchecked: bool = False
    unshuffled: bool = False

    def apply(self, state: State) -> State:
        in_play, shoe = RoundInPlay(self.round), state.shoe
        if state.open_settings.device is Device.SHUFFLER:
            shoe = state.shoe_in_play._replace(last_round=self.round)
        return state._replace(phase=Phase.BETTING, rounds=self.round, round=in_play, last=None, shoe=shoe)


@act(by=Role.DEALER, during={Phase.BETWEEN_ROUNDS}, of_automat=True)
class OpenBets(Command):
    """Call for bets. This begins a round."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        if state.suspended is not None:
            return PlaySuspended(state.suspended)
        shoe = state.shoe
        if shoe is None:
            return ShoeMissing()
        if state.shoe_is_over and not state.set_is_renewed:
            return ShoeFinished(shoe.number)
        return BurnPending() if burn_is_due(state) else None

    def decide(self, state: State) -> Draft | Refusal:
        draft = Draft(state)
        if state.shoe_is_over:
            # A shuffler's cards went back into it, but for those that are carried.
            before = state.shoe_in_play
            draft.add(
                ShoeLoaded(self.by, state.shoes + 1, before.size, None, None, checked=before.checked, shuffled=True)
            )
        shoe, call, number = draft.state.shoe_in_play, state.sheet.play.open, state.rounds + 1
        last, live = shoe.last_round == number, draft.settings.live
        unrecorded = live and not shoe.checked, live and not shoe.shuffled
        draft.add(BetsOpened(self.by, number, shoe.number, last, call.says, call.rule, *unrecorded))
        return draft


@event(money=False, significant="override")
class LimitsOverlooked(Event):
    """The second call was made although the bets of `warnings` were known to be outside the limits."""

    round: int
    warnings: StaffOnly[tuple[BoxWarning, ...]]
    reason: StaffOnly[str]

    def apply(self, state: State) -> State:
        return state


@event(money=False)
class BetsClosed(Event):
    """Bets closed with the second call. `warnings` are the boxes that were still to be checked."""

    round: int
    says: str
    rule: str
    warnings: StaffOnly[tuple[BoxWarning, ...]] = ()

    def apply(self, state: State) -> State:
        return state._replace(phase=Phase.INITIAL_CARDS)


@way_record
class ClosingWay(Way):
    """The way to close bets, with the boxes that someone should look at first. They do not keep bets open."""

    warnings: tuple[BoxWarning, ...]


@act(by=Role.DEALER, during={Phase.BETTING}, of_automat=True)
class CloseBets(Command):
    """Call that betting has ended. Known bets outside the limits are put right first, or the call has a `reason`."""

    reason: str | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[ClosingWay]:
        inputs = (replace(REASON, missing=OutsideLimits),) if to_put_right(state) else ()
        return (ClosingWay(boxes_to_check(state), inputs=inputs),)

    def decide(self, state: State) -> Draft | Refusal:
        """Close bets. What is known to be outside the limits was noticed, so that a call all the same has a reason."""
        call, number = state.sheet.play.close, state.open_round.number
        draft, reason = Draft(state), (self.reason or "").strip()
        if overlooked := to_put_right(state):
            if not reason:
                return OutsideLimits(tuple(sorted({each.box for each in overlooked})), rule=overlooked[0].rule)
            draft.add(LimitsOverlooked(self.by, number, overlooked, reason))
        return draft.add(BetsClosed(self.by, number, call.says, call.rule, boxes_to_check(state)))


@event(money=True)
class RoundSettled(Event):
    """Every bet still in the round ended: by a line of the rules, or by a return."""

    round: int
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    returned: tuple[Returned, ...]
    house_cents: StaffOnly[Cents]

    def apply(self, state: State) -> State:
        return state._replace(last=self.ended_record(None, state), round=state.open_round._replace(bets={}, boxes={}))

    def money(self) -> tuple[Money, ...]:
        return ended(self.bet_lines())

    def bet_lines(self) -> tuple[Line | Returned, ...]:
        return (*self.lines, *self.returned)

    def ended_record(self, record: EndedRound | None, before: State) -> EndedRound:
        return ended_round(before, self.cards, self.bet_lines())


@event(money=False)
class RoundClosed(Event):
    """The round is over."""

    round: int

    def apply(self, state: State) -> State:
        away = state.open_round.away
        state = without_patrons(state, away) if away else state
        # A case about an earlier round outlasts this one.
        case = (
            state.case._replace(resume=Phase.BETWEEN_ROUNDS) if state.case and state.case.round != self.round else None
        )
        shoe = state.shoe
        if shoe is not None and shoe.kept:
            shoe = shoe._replace(carried=(*shoe.carried, *shoe.kept), kept=())
        phase = Phase.HELD if case else Phase.BETWEEN_ROUNDS
        return state._replace(phase=phase, round=None, case=case, shoe=shoe)


@act(by=Role.DEALER, during={Phase.RESULT}, of_automat=True)
class Settle(Command):
    """Settle the finished round."""

    def decide(self, state: State) -> Draft | Refusal:
        """Settle by the rules. If they do not cover chips over a maximum, someone must decide first."""
        draft, round_ = Draft(state), state.open_round
        bets = round_.bets.values()
        if not round_.limits_lifted and any(is_above_maximum(state, bet) for bet in bets):
            draft = reported(state, self.by, OVER_MAXIMUM)
            refer(draft, self.by)
        else:
            settle_round(draft, self.by)
        return draft


def settle_round(draft: Draft, by: Actor) -> None:
    """Settle every bet by the rules. A bet whose neglected insurance would have won is returned whole.

    The chips count as they were when bets closed: a bet taken back since still counts in its box. Insurance stays when
    its original bet ends before the settlement, and rests on that bet as it was placed.
    """
    state, round_, settings = draft.state, draft.round, draft.settings
    bets = [as_seated(state, bet) for bet in (*round_.bets.values(), *round_.taken_back)]
    settlement = settle(state.sheet, round_.cards, bets, decks=settings.decks, limits=settings.limits)
    assert isinstance(settlement, Settlement), settlement  # noqa: S101 — the table accepted these bets
    claimed = [neglected_spots(state, round_.cards, window, claims) for window, claims in round_.claims.items()]
    neglected = {spot: round_.bets[spot] for spots in claimed for spot in spots if spot in round_.bets}
    returned = tuple(
        [Returned(bet, ReturnReason.INSURANCE_NEGLECTED, round_.claims_rule) for bet in neglected.values()],
    )
    lines = settlement.lines[: len(round_.bets)]
    if neglected:
        lines = tuple([line for line in lines if spot_of(line.bet) not in neglected])
    house = Cents(-sum([line.net_cents for line in lines]))
    draft.add(
        RoundSettled(by, round_.number, round_.cards, lines, returned, house),
        RoundClosed(by, round_.number),
    )


def neglected_spots(state: State, cards: tuple[Card, ...], window: Window, claims: Iterable[Claim]) -> list[Spot]:
    """The original bets of these claims whose insurance in a window of this finished round would have won."""
    insurance, outcome = state.sheet.insurance, outcome_of(cards)
    offers = insurance.offers(cards[: window.cards]) if insurance and outcome else {}
    won = [hand for hand, offer in offers.items() if outcome and offer.result(outcome.winner) is Result.WIN]
    return [original_spot(state, claim.patron, claim.box, claim.hand) for claim in claims if claim.hand in won]


def original_spot(state: State, patron: str, box: int, hand: Hand) -> Spot:
    """The spot of a patron's original bet on a hand."""
    on = next(bet.id for bet in state.sheet.bets.values() if bet.hand is hand)
    return Spot(box, patron, on)
