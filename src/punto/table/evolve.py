"""What each event makes of a state. Nothing is checked here: `decide` did, and the log is the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.rules.sheet import Role, Sheet
from punto.table import events as e
from punto.table.commands import Decision
from punto.table.limits import least
from punto.table.phases import Phase, phase_of
from punto.table.state import (
    Case,
    LastRound,
    Request,
    RoundInPlay,
    Settings,
    Shoe,
    Spot,
    State,
    Waits,
    changed,
    known_cards,
    new_table,
    spot_of,
)


def evolve(state: State, event: e.Event) -> State:
    """The state after an event."""
    return _EVOLVE[type(event)](state, event)


def replay(sheet: Sheet, events: Iterable[e.Event]) -> State:
    """The state of a table of this sheet after these events, from the first."""
    state = new_table(sheet)
    for event in events:
        state = evolve(state, event)
    return state


# ------------------------------------------------------------------------------------------- the table and its shoe


def _table_opened(state: State, event: e.TableOpened) -> State:
    settings = Settings(
        event.table,
        event.decks,
        event.boxes,
        Limits(event.minimum_cents, event.differential_cents, event.unit_cents),
        event.layout,
        {side.on: side for side in event.sides},
        event.face_down,
        event.live,
        event.without_insurance,
        event.second_person,
        event.notice,
    )
    return changed(state, settings=settings, phase=Phase.BETWEEN_ROUNDS)


def _table_closed(state: State, event: e.TableClosed) -> State:
    return State(state.sheet, shoes=state.shoes, rounds=state.rounds, cases=state.cases)


def _shoe_loaded(state: State, event: e.ShoeLoaded) -> State:
    shoe = Shoe(event.shoe, event.count, event.cards, event.cut, event.commitment)
    return changed(state, shoe=shoe, shoes=event.shoe)


def _cut_card_drawn(state: State, event: e.CutCardDrawn) -> State:
    return changed(state, shoe=changed(_shoe(state), last_round=event.last_round))


def _shoe_removed(state: State, event: e.ShoeRemoved) -> State:
    return changed(state, shoe=changed(_shoe(state), removed=True))


# ------------------------------------------------------------------------------------------- patrons and bets


def _patron_seated(state: State, event: e.PatronSeated) -> State:
    standing = state.standing - {(event.box, event.patron)}
    return _back(changed(state, seats=state.seats | {event.box: event.patron}, standing=standing), event.patron)


def _patron_stood(state: State, event: e.PatronStood) -> State:
    return _back(changed(state, standing=state.standing | {(event.box, event.patron)}), event.patron)


def _back(state: State, patron: str) -> State:
    """Whoever comes back to the table takes part in the round again."""
    if state.round is None or patron not in state.round.away:
        return state
    return changed(state, round=changed(state.round, away=state.round.away - {patron}))


def _patron_left(state: State, event: e.PatronLeft) -> State:
    if state.round is not None and any(spot.patron == event.patron for spot in state.round.bets):
        request = _asked_by_others(state.round, {event.patron})
        return changed(state, round=changed(state.round, away=state.round.away | {event.patron}, request=request))
    return _gone(state, frozenset({event.patron}))


def _asked_by_others(round_: RoundInPlay, patrons: Collection[str]) -> Request | None:
    """The squeeze that was asked for, unless by one of these: a request goes with its patron or the patron's bets."""
    request = round_.request
    return None if request is not None and request.patron in patrons else request


def _gone(state: State, patrons: frozenset[str]) -> State:
    seats = {box: patron for box, patron in state.seats.items() if patron not in patrons}
    standing = frozenset(place for place in state.standing if place[1] not in patrons)
    return changed(state, seats=seats, standing=standing)


def _bet_lies(state: State, event: e.BetPlaced | e.BetRaised) -> State:
    round_ = _round(state)
    return _with_bets(state, round_.bets | {spot_of(event.bet): event.bet})


def _bet_shrunk(state: State, event: e.BetWithdrawn | e.BetDisplaced) -> State:
    bet, spot = event.bet, spot_of(event.bet)
    bets = dict(_round(state).bets)
    left = bet.stake_cents - event.returned_cents
    if left:
        bets[spot] = replace(bet, stake_cents=Cents(left))
    else:
        del bets[spot]
    return _with_bets(state, bets)


def _with_bets(state: State, bets: dict[Spot, Bet]) -> State:
    round_ = _round(state)
    asked, settings = round_.asked, state.settings
    if asked and settings is not None:
        low = (
            spot for spot in asked if spot in bets and bets[spot].stake_cents < least(state.sheet, settings, spot.on)
        )
        asked = frozenset(low)
    return changed(state, round=changed(round_, bets=bets, asked=asked))


def _raise_asked(state: State, event: e.RaiseAsked) -> State:
    round_ = _round(state)
    return changed(state, round=changed(round_, asked=round_.asked | {spot_of(event.bet)}))


# ------------------------------------------------------------------------------------------- the round


def _bets_opened(state: State, event: e.BetsOpened) -> State:
    return changed(state, phase=Phase.BETTING, rounds=event.round, round=RoundInPlay(event.round), last=None)


def _bets_closed(state: State, event: e.BetsClosed) -> State:
    return changed(state, phase=Phase.INITIAL_CARDS)


def _card_dealt(state: State, event: e.CardDealt) -> State:
    round_, shoe = _round(state), _shoe(state)
    cards = (*round_.cards, event.card)
    if event.carried:
        shoe = changed(shoe, carried=shoe.carried[1:])
    else:
        seen = shoe.seen | {event.card: shoe.seen.get(event.card, 0) + 1}
        reading = shoe.reading if event.reading is None else event.reading
        shoe = changed(shoe, drawn=shoe.drawn + 1, seen=seen, reading=reading)
    return changed(state, shoe=shoe, phase=phase_of(cards), round=changed(round_, cards=cards, request=None))


def _insurance_offered(state: State, event: e.InsuranceOffered) -> State:
    window = Phase.FIRST_WINDOW if event.window is Window.FOUR_CARDS else Phase.SECOND_WINDOW
    return changed(state, phase=window)


def _squeeze_asked(state: State, event: e.SqueezeAsked) -> State:
    round_, request = _round(state), Request(event.patron, event.what, event.rule)
    requests = round_.requests | {(event.patron, event.what, len(round_.cards))}
    return changed(state, round=changed(round_, request=request, requests=requests))


def _squeeze_answered(state: State, event: e.SqueezeAnswered) -> State:
    round_ = _round(state)
    waived = round_.waived or event.waives_second_window
    return changed(state, round=changed(round_, request=None, waived=waived))


def _round_settled(state: State, event: e.RoundSettled) -> State:
    last = LastRound(event.round, event.cards, event.lines, _round(state).waived)
    return changed(state, last=last, round=changed(_round(state), bets={}))


def _bets_returned(state: State, event: e.BetsReturned | e.RoundVoided) -> State:
    ended = {spot_of(line.bet) for line in event.lines}
    round_ = _round(state)
    left = tuple([line.bet for line in event.lines if line.bet.window is None])
    bets = {spot: bet for spot, bet in round_.bets.items() if spot not in ended}
    out = {spot.patron for spot in ended} - {spot.patron for spot in bets}
    request = _asked_by_others(round_, out)
    state = changed(state, round=changed(round_, taken_back=(*round_.taken_back, *left), request=request))
    return _with_bets(state, bets)


def _round_adjusted(state: State, event: e.RoundAdjusted) -> State:
    # A settled bet is corrected once: what was adjusted leaves the record of the last round.
    last = state.last
    if last is None:
        return state
    done = {spot_of(line.bet) for line in event.lines}
    lines = tuple([line for line in last.lines if spot_of(line.bet) not in done])
    return changed(state, last=changed(last, lines=lines, void=event.void or last.void))


def _round_closed(state: State, event: e.RoundClosed) -> State:
    away = _round(state).away
    state = _gone(state, away) if away else state
    return changed(state, phase=Phase.BETWEEN_ROUNDS, round=None, case=None)


def _unchanged(state: State, event: e.Event) -> State:
    return state


# ------------------------------------------------------------------------------------------- irregularities


def _incident_reported(state: State, event: e.IncidentReported) -> State:
    # A case that was open waits under the new one, which keeps where the round stood.
    resume = state.case.resume if state.case else state.phase
    case = Case(event.case, event.situation, event.facts, event.by, resume, under=state.case)
    return changed(state, case=case, cases=event.case)


def _held(state: State, waits: Waits, role: Role | None = None, **more: Any) -> State:
    return changed(state, phase=Phase.HELD, case=changed(_case(state), waits=waits, role=role, **more))


def _incident_ruled(state: State, event: e.IncidentRuled) -> State:
    irregularity = state.sheet.irregularities.get(_case(state).situation)
    if state.round is None or irregularity is None or irregularity.new_shoe is None or irregularity.new_shoe.by is None:
        return state
    replace_shoe = (irregularity.new_shoe.by, irregularity.new_shoe.rule)
    return changed(state, round=changed(state.round, replace_shoe=replace_shoe))


def _incident_referred(state: State, event: e.IncidentReferred) -> State:
    return _held(state, Waits.DECISION, event.to)


def _order_asked(state: State, event: e.OrderAsked) -> State:
    return _held(state, Waits.ORDER, event.to)


def _approval_asked(state: State, event: e.ApprovalAsked) -> State:
    return _held(state, Waits.APPROVAL, event.to)


def _correction_asked(state: State, event: e.CorrectionAsked) -> State:
    return _held(changed(state, shoe=changed(_shoe(state), reading=event.got)), Waits.CORRECTION, event.to)


def _confirmation_asked(state: State, event: e.ConfirmationAsked) -> State:
    case = _case(state)
    under = case if case.waits is not None else case.under
    return _held(state, Waits.CONFIRMATION, pending=event.events, by=event.by, under=under)


def _decision_made(state: State, event: e.DecisionMade) -> State:
    """A proposal that is declined leaves its case waiting for what it waited for before, if for anything."""
    case = _case(state)
    declined = event.decision is Decision.DECLINE and case.waits is Waits.CONFIRMATION
    if declined and case.under is not None and case.under.number == case.number:
        return changed(state, case=case.under)
    return state


def _options_offered(state: State, event: e.OptionsOffered) -> State:
    return _held(state, Waits.CHOICES, patrons=event.patrons, continue_rule=event.continue_rule)


def _option_chosen(state: State, event: e.OptionChosen) -> State:
    return changed(state, case=_chosen(_case(state), event))


def _chosen(case: Case, event: e.OptionChosen) -> Case:
    if case.number != event.case and case.under is not None:
        return changed(case, under=_chosen(case.under, event))
    return changed(case, patrons=tuple([patron for patron in case.patrons if patron != event.patron]))


def _cards_relaid(state: State, event: e.CardsRelaid) -> State:
    shoe, case = _shoe(state), _case(state)
    now = (*event.after, *event.carried, *event.burned)
    seen = Counter(shoe.seen)
    seen.subtract(known_cards(state))
    seen.update(now)
    drawn = shoe.drawn + len(now) - len(known_cards(state))
    reading = shoe.reading if event.reading is None else event.reading
    shoe = changed(shoe, drawn=drawn, seen=dict(+seen), carried=event.carried, reading=reading)
    if state.round is None or case.resume is Phase.BETTING or state.round.cards == event.after:
        return changed(state, shoe=shoe)
    return changed(
        state,
        shoe=shoe,
        round=changed(state.round, cards=event.after, request=None),
        case=changed(case, resume=phase_of(event.after), relaid=True),
    )


def _insurance_claimed(state: State, event: e.InsuranceClaimed) -> State:
    round_ = _round(state)
    claims = round_.claims | {event.window: (*round_.claims.get(event.window, ()), *event.claims)}
    return changed(state, round=changed(round_, claims=claims, claims_rule=event.rule))


def _limits_lifted(state: State, event: e.LimitsLifted) -> State:
    return changed(state, round=changed(_round(state), limits_lifted=True))


def _case_closed(state: State, event: e.CaseClosed) -> State:
    case = _case(state)
    under = case.under
    while under is not None and under.number == event.case:
        under = under.under
    return changed(state, phase=Phase.HELD if under else case.resume, case=under)


def _shoe(state: State) -> Shoe:
    assert state.shoe is not None  # noqa: S101 — the log holds no card before a shoe
    return state.shoe


def _round(state: State) -> RoundInPlay:
    assert state.round is not None  # noqa: S101 — the log holds no bet outside a round
    return state.round


def _case(state: State) -> Case:
    assert state.case is not None  # noqa: S101 — the log holds no ruling without its report
    return state.case


_EVOLVE: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.ShoeLoaded: _shoe_loaded,
    e.CutCardDrawn: _cut_card_drawn,
    e.ShoeRemoved: _shoe_removed,
    e.PatronSeated: _patron_seated,
    e.PatronStood: _patron_stood,
    e.PatronLeft: _patron_left,
    e.BetPlaced: _bet_lies,
    e.BetRaised: _bet_lies,
    e.BetWithdrawn: _bet_shrunk,
    e.BetDisplaced: _bet_shrunk,
    e.RaiseAsked: _raise_asked,
    e.BetsOpened: _bets_opened,
    e.BetsClosed: _bets_closed,
    e.CardDealt: _card_dealt,
    e.InsuranceOffered: _insurance_offered,
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.ResultDeclared: _unchanged,
    e.RoundSettled: _round_settled,
    e.RoundVoided: _bets_returned,
    e.RoundAdjusted: _round_adjusted,
    e.RoundClosed: _round_closed,
    e.IncidentReported: _incident_reported,
    e.IncidentRuled: _incident_ruled,
    e.IncidentReferred: _incident_referred,
    e.OrderAsked: _order_asked,
    e.ApprovalAsked: _approval_asked,
    e.CorrectionAsked: _correction_asked,
    e.CardsRelaid: _cards_relaid,
    e.OptionsOffered: _options_offered,
    e.OptionChosen: _option_chosen,
    e.BetsReturned: _bets_returned,
    e.InsuranceClaimed: _insurance_claimed,
    e.ConfirmationAsked: _confirmation_asked,
    e.DecisionMade: _decision_made,
    e.LimitsLifted: _limits_lifted,
    e.CaseClosed: _case_closed,
}
