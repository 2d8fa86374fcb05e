"""Insurance: the offer, what may be staked within its cap, who announced or declined it, and who has forgone it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from punto.rules.cash import is_cash
from punto.rules.hands import Hand
from punto.rules.insurance import InsuranceBet, Offer, Window, maximum_insurance
from punto.rules.money import Cents, Odds
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Role
from punto.table import refusals as r
from punto.table.act import BetCommand, Event, Named, PatronCommand, StaffOnly, act, event
from punto.table.acts.bets import added_bet
from punto.table.draft import Draft
from punto.table.limits import amount_to_add, bets_in, refuse_stake
from punto.table.phases import Phase
from punto.table.seats import is_away, refuse_place, sitter
from punto.table.state import State
from punto.table.values import Spot
from punto.table.ways import Amount, Asking, BetWay, Ways, way_record

WINDOWS = frozenset({Phase.FIRST_WINDOW, Phase.SECOND_WINDOW})
"""The phases in which insurance may be bet."""


def offers_now(state: State) -> dict[Hand, Offer]:
    """The insurance on offer for the cards on the table; empty if this table or round offers none."""
    sheet, round_ = state.sheet, state.open_round
    if sheet.insurance is None or state.open_settings.without_insurance or round_.waiting:
        return {}
    if round_.waived and len(round_.cards) == Window.PLAYER_THIRD.cards:
        return {}
    return sheet.insurance.offers(round_.cards)


def refuse_insurance_now(state: State) -> Refusal:
    """The reason why no insurance can be bet in this phase."""
    insurance = state.sheet.insurance
    if insurance is None:
        return r.InsuranceClosed(r.NoInsurance.NOT_IN_GAME, rule=state.sheet.offered_rule)
    if state.open_settings.without_insurance:
        return r.InsuranceClosed(r.NoInsurance.NOT_AT_TABLE, rule=insurance.private_table_rule)
    if state.round and state.round.waived and state.round.dealt >= Window.PLAYER_THIRD.cards:
        return r.InsuranceClosed(r.NoInsurance.WAIVED, rule=insurance.waiver_rule)
    return r.InsuranceClosed(r.NoInsurance.WINDOW_CLOSED, rule=insurance.forgone_rule or insurance.window_rule)


class StakeAndWin(NamedTuple):
    """An accepted stake, and what it wins."""

    stake_cents: Cents
    win_cents: Cents


class Cover(NamedTuple):
    """The cover of insurance: the original stake, and a quarter, half and all of the amounts that are accepted now.

    `forgone_rule` is the paragraph by which the patron forgoes insurance for the round if the next card comes first.
    """

    original_cents: Cents
    stakes: tuple[StakeAndWin, ...]
    forgone_rule: str | None = None


@way_record
class InsuranceWay(BetWay):
    """A way to insure a hand, and what may be covered."""

    cover: Cover


@dataclass(frozen=True, slots=True)
class Offered:
    """One insurance bet on offer, its hand and its odds."""

    on: str
    hand: Hand
    odds: Odds
    rule: str


@event(money=False)
class InsuranceOffered(Event):
    """An insurance window opened. It closes with the next card."""

    round: int
    window: Window
    offers: tuple[Offered, ...]
    rule: str

    def apply(self, state: State) -> State:
        window = Phase.FIRST_WINDOW if self.window is Window.FOUR_CARDS else Phase.SECOND_WINDOW
        round_ = state.open_round._replace(declined=frozenset())
        return state._replace(phase=window, round=round_)


@act(by=None, during=WINDOWS, at_request=True, names_round=True, late=refuse_insurance_now)
class Insure(BetCommand):
    """Insure a hand in the open window, or add to that insurance."""

    stake_cents: Cents
    round: int | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[InsuranceWay]:
        """The ways to insure what is on offer. A patron without an original bet to insure gets that refusal."""
        on_offer = [bet.id for bet in state.sheet.insurance_bets.values() if bet.hand in offers_now(state)]
        for spot in asking.spots(on_offer):
            bounds = bounds_to_insure(state, spot)
            if isinstance(bounds, Refusal):
                yield bounds
                continue
            refusal = _refuse_minimum(state, spot, bounds) if bounds.is_empty else None
            cover = cover_of(state, spot, bounds)
            patron = asking.name(spot.patron)
            yield InsuranceWay(spot.box, spot.on, bounds, cover, patron=patron, refusal=refusal)

    def decide(self, state: State) -> Draft | Refusal:
        spot, add = Spot(self.box, self.patron, self.on), self.stake_cents
        bounds = bounds_to_insure(state, spot)
        if isinstance(bounds, Refusal):
            return bounds
        offer = offers_now(state)[state.sheet.insurance_bets[spot.on].hand]
        placed = _placed(state, spot)
        if refusal := refuse_stake(state, spot, bounds, add, placed + add) or _refuse_cap(state, spot, bounds, add):
            return refusal
        seated = spot.patron == sitter(state, spot.box)
        bet = Bet(spot.box, spot.patron, spot.on, Cents(placed + add), offer.window, seated)
        return Draft(state, added_bet(state, self.by, bet, add))


def bounds_to_insure(state: State, spot: Spot) -> Amount | Refusal:
    """The amounts that can be added to insurance on a hand on offer, for the patron's own original bet."""
    sheet, round_ = state.sheet, state.open_round
    if refusal := refuse_place(state, spot, cash=True):
        return refusal
    insured = sheet.insurance_bets.get(spot.on)
    if insured is None or sheet.insurance is None:
        return r.BetNotOffered(spot.on, tuple(sheet.insurance_bets), rule=sheet.offered_rule)
    offers = offers_now(state)
    offer = offers.get(insured.hand)
    if offer is None:
        return r.InsuranceHandNotOnOffer(spot.on, tuple(offers), rule=sheet.insurance.rows[0].rule)
    original = original_stake(state, spot, insured)
    if not original:
        return r.InsuranceWithoutOriginal(spot.box, insured.hand, rule=sheet.insurance.original_rule)
    if has_forgone(state, spot.patron):
        return r.InsuranceClosed(r.NoInsurance.FORGONE, rule=sheet.insurance.forgone_rule)
    taken = [
        (bet.stake_cents, sheet.insurance.offers(round_.cards[: bet.window.cards])[insured.hand].odds)
        for bet in bets_in(round_, spot.box)
        if bet.window is not None and bet.on == spot.on and bet.patron == spot.patron
    ]
    maximum = maximum_insurance(original, offer.odds, taken)
    return amount_to_add(state, spot.on, _placed(state, spot), maximum, r.InsuranceOverCap)


def _placed(state: State, spot: Spot) -> int:
    """A patron's stake on a spot: for insurance, in the window that is open."""
    insured = state.sheet.insurance_bets.get(spot.on)
    window = offers_now(state)[insured.hand].window if insured else None
    bet = state.open_round.bets.get(spot._replace(window=window))
    return bet.stake_cents if bet else 0


def original_stake(state: State, spot: Spot, insured: InsuranceBet) -> int:
    """A patron's stake on the insured hand in the same box."""
    bets, sheet = bets_in(state.open_round, spot.box), state.sheet
    return sum(
        [
            bet.stake_cents
            for bet in bets
            if bet.patron == spot.patron and bet.window is None and sheet.bets[bet.on].hand is insured.hand
        ]
    )


def cover_of(state: State, spot: Spot, bounds: Amount) -> Cover:
    """The cover of insurance on a spot, and what it would win."""
    insured = state.sheet.insurance_bets[spot.on]
    odds, (minimum, maximum, step) = offers_now(state)[insured.hand].odds, bounds[:3]
    parts = [minimum + (maximum // part - minimum) // step * step for part in (4, 2, 1)]
    stakes = [StakeAndWin(Cents(stake), odds.pays(stake)) for stake in dict.fromkeys(parts) if stake >= minimum]
    insurance = state.sheet.insurance
    forgoes = state.phase is Phase.FIRST_WINDOW and spot.patron not in _may_insure_later(state)
    forgone_rule = insurance.forgone_rule if insurance and forgoes else None
    return Cover(Cents(original_stake(state, spot, insured)), tuple(stakes), forgone_rule)


def _refuse_cap(state: State, spot: Spot, bounds: Amount, add: int) -> Refusal | None:
    """The refusal of an amount over the cap: the insurance could pay more than the original bet."""
    if add <= bounds.maximum_cents:
        return None
    insured, insurance = state.sheet.insurance_bets[spot.on], state.sheet.insurance
    original, odds = Cents(original_stake(state, spot, insured)), offers_now(state)[insured.hand].odds.text
    rule = insurance.cap_rule if insurance else None
    return r.InsuranceOverCap(insured.hand, odds, original, Cents(add), bounds.maximum_cents, rule=rule)


def _refuse_minimum(state: State, spot: Spot, bounds: Amount) -> Refusal | None:
    """The reason why not even the minimum can be added on a spot."""
    add = bounds.minimum_cents
    refusal = refuse_stake(state, spot, bounds, add, _placed(state, spot) + add)
    return refusal or _refuse_cap(state, spot, bounds, add)


@event(money=False)
class InsuranceForgone(Event):
    """These patrons let an offer of the first window pass. They cannot insure in the second window of this round."""

    round: int
    patrons: StaffOnly[tuple[str, ...]]
    rule: str

    def apply(self, state: State) -> State:
        round_ = state.open_round
        return state._replace(round=round_._replace(forgone=round_.forgone | {*self.patrons}))


def has_forgone(state: State, patron: str) -> bool:
    """True if a patron has forgone insurance for this round, in a sheet that knows this."""
    insurance, round_ = state.sheet.insurance, state.open_round
    knows = insurance is not None and insurance.forgone_rule is not None
    return knows and (patron in round_.walked or patron in round_.forgone)


def forgoing_patrons(state: State) -> tuple[str, ...]:
    """The patrons who forgo insurance for this round if the next card is dealt now.

    They could insure in the first window, have staked nothing in it, and have announced nothing.
    """
    if _forgone_rule(state) is None:
        return ()
    stay = _may_insure_later(state)
    bets = [spot for spot in state.open_round.bets if spot.patron not in stay]
    return tuple(dict.fromkeys([spot.patron for spot in bets if _could_insure(state, spot)]))


def _could_insure(state: State, spot: Spot) -> bool:
    """True if a bet is an original one that its patron could insure now."""
    insurance, hand = state.sheet.insurance, state.sheet.bets[spot.on].hand if spot.window is None else None
    if insurance is None or hand is None:
        return False
    (insured,) = [bet.id for bet in insurance.bets if bet.hand is hand]
    bounds = bounds_to_insure(state, spot._replace(on=insured))
    return isinstance(bounds, Amount) and not bounds.is_empty


def _may_insure_later(state: State) -> frozenset[str]:
    """The patrons who forgo nothing with the next card: they are insured, or announced that they will be."""
    round_ = state.open_round
    return round_.announced | {spot.patron for spot in round_.bets if spot.window is not None}


@event(money=False)
class InsuranceAnnounced(Event):
    """A patron told the Dealer in the first window to insure later. That keeps the right to the second window."""

    round: int
    patron: Named[str]
    rule: str

    def apply(self, state: State) -> State:
        round_ = state.open_round
        return state._replace(round=round_._replace(announced=round_.announced | {self.patron}))


@act(by=Role.DEALER, during={Phase.FIRST_WINDOW})
class AnnounceInsurance(PatronCommand):
    """At a live table, record within the first window that a patron told the Dealer to insure later in the round."""

    @classmethod
    def refuse_patron(cls, state: State, patron: str) -> Refusal | None:
        if refusal := _refuse_absent(state, patron):
            return refusal
        if not state.open_settings.live:
            return r.NotLive()
        return None if patron in forgoing_patrons(state) else r.NothingToAnnounce(rule=_forgone_rule(state))

    def decide(self, state: State) -> Draft | Refusal:
        rule = _forgone_rule(state) or ""
        return Draft(state, InsuranceAnnounced(self.by, state.open_round.number, self.patron, rule))


def _refuse_absent(state: State, patron: str) -> Refusal | None:
    """The refusal of a patron who has no place at the table, nor chips in cash, or walked away."""
    if patron not in state.places and not is_cash(patron):
        return r.NotAtBox(None)
    return r.PatronAway() if is_away(state, patron) else None


@event(money=False)
class InsuranceDeclined(Event):
    """A patron said no to the insurance on offer in the open window. Until it closes they may still insure."""

    round: int
    patron: Named[str]
    rule: str

    def apply(self, state: State) -> State:
        round_ = state.open_round
        return state._replace(round=round_._replace(declined=round_.declined | {self.patron}))


@act(by=None, during=WINDOWS, at_request=True, names_round=True, late=refuse_insurance_now)
class DeclineInsurance(PatronCommand):
    """Say no to the insurance on offer. It is a record only: what is forgone by silence is forgone by this, no more."""

    round: int | None = None

    @classmethod
    def refuse_patron(cls, state: State, patron: str) -> Refusal | None:
        """A patron has no offer to decline who could not insure, or answered this window's offer."""
        if refusal := _refuse_absent(state, patron):
            return refusal
        window = Window.FOUR_CARDS if state.phase is Phase.FIRST_WINDOW else Window.PLAYER_THIRD
        own = [spot for spot in state.open_round.bets if spot.patron == patron]
        answered = patron in state.open_round.declined or any(spot.window is window for spot in own)
        could = not answered and any(_could_insure(state, spot) for spot in own)
        return None if could else r.NothingToDecline()

    def decide(self, state: State) -> Draft | Refusal:
        insurance = state.sheet.insurance
        rule = insurance.window_rule if insurance else ""
        return Draft(state, InsuranceDeclined(self.by, state.open_round.number, self.patron, rule))


def _forgone_rule(state: State) -> str | None:
    return state.sheet.insurance.forgone_rule if state.sheet.insurance else None
