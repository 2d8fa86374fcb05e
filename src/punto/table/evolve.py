"""Apply events to a state. There are no checks here: `decide` made them before an event was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from punto.rules.cards import Card
from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.settlement import Line
from punto.rules.sheet import Device, Role, Sheet
from punto.rules.tableau import BANKER_THIRD_PLACE, PLAYER_THIRD_PLACE, banker_always_draws
from punto.table import events as e
from punto.table.commands import Burn, Decision, SqueezeOf
from punto.table.limits import minimum_for
from punto.table.phases import Phase, Waits, phase_of
from punto.table.state import (
    Case,
    LastRound,
    OnDuty,
    Request,
    RoundInPlay,
    Settings,
    Shoe,
    Spot,
    State,
    TableCard,
    known_cards,
    new_table,
    set_is_renewed,
    spot_of,
)


def evolve(state: State, event: e.Event) -> State:
    """The state after an event."""
    return _EVOLVE[type(event)](state, event)


def replay(sheet: Sheet, events: Iterable[e.Event]) -> State:
    """The state of a table of this sheet after these events, starting from a new table."""
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
        event.second_role,
        event.private or event.without_insurance,
        event.waiver_consent,
        event.device,
        event.burn,
        event.name,
    )
    # What the closing kept is used again where it fits: seats that still exist, and the shoe if it has as many decks
    # and cards come from it in the same way: only an automatic table knows the order of its shoe, a shuffler has no
    # cut card, and a shoe in use cannot be burned any more.
    before = state.settings
    fits = before is not None and (before.decks, before.live, before.device) == (event.decks, event.live, event.device)
    shoe = state.shoe if fits else None
    if shoe is not None and event.burn is not Burn.NONE and shoe.drawn and not shoe.burned:
        shoe = None
    gone = frozenset([patron for patron, boxes in state.places.items() if max(boxes) > event.boxes])
    return _without_patrons(state, gone)._replace(settings=settings, phase=Phase.BETWEEN_ROUNDS, shoe=shoe)


def _limits_changed(state: State, event: e.LimitsChanged) -> State:
    settings = _settings(state)
    limits = Limits(event.minimum_cents, event.differential_cents, settings.limits.unit_cents)
    return state._replace(settings=replace(settings, limits=limits, sides={side.on: side for side in event.sides}))


def _insurance_changed(state: State, event: e.InsuranceChanged) -> State:
    return state._replace(settings=replace(_settings(state), without_insurance=not event.offered))


def _table_closed(state: State, event: e.TableClosed) -> State:
    if event.keeps:
        return state._replace(phase=Phase.NOT_OPEN, duty={}, suspended=None)
    return State(state.sheet, shoes=state.shoes, rounds=state.rounds, cases=state.cases)


def _play_suspended(state: State, event: e.PlaySuspended) -> State:
    return state._replace(suspended=event.reason)


def _play_resumed(state: State, event: e.PlayResumed) -> State:
    return state._replace(suspended=None)


def _staff_on_duty(state: State, event: e.StaffOnDuty) -> State:
    by = event.by
    assert by.role is not None  # noqa: S101 — patrons have no duty
    return state._replace(duty=state.duty | {by.person: OnDuty(by.own or by.role)})


def _staff_off_duty(state: State, event: e.StaffOffDuty) -> State:
    return state._replace(duty={person: duty for person, duty in state.duty.items() if person != event.by.person})


def _position_assigned(state: State, event: e.PositionAssigned) -> State:
    position = event.position if event.position is not event.own else None
    giver = state.duty.get(event.by.person)
    given_by = (event.by.person, *(giver.given_by if giver else ())) if position else ()
    return state._replace(duty=state.duty | {event.person: OnDuty(event.own, position, given_by)})


def _shoe_loaded(state: State, event: e.ShoeLoaded) -> State:
    shoe = Shoe(event.shoe, event.count, event.cards, event.cut, event.commitment)
    shoe = shoe._replace(checked=event.checked, shuffled=event.shuffled)
    carried = state.shoe.carried if state.shoe is not None and set_is_renewed(state) else ()
    if carried and not event.cards:
        # A card that waits for the next round did not go back into the shuffler: the set comes without it.
        shoe = shoe._replace(carried=carried, drawn=len(carried), seen=dict(Counter(carried)))
    return state._replace(shoe=shoe, shoes=event.shoe, decks_checked=False, cards_shuffled=False)


def _decks_checked(state: State, event: e.DecksChecked) -> State:
    return state._replace(decks_checked=True)


def _cards_shuffled(state: State, event: e.CardsShuffled) -> State:
    return state._replace(cards_shuffled=True)


def _cards_burned(state: State, event: e.CardsBurned) -> State:
    shoe, burned = _shoe(state), 1 + event.unseen
    shoe = shoe._replace(drawn=shoe.drawn + burned, burned=burned, seen=_with_copy(shoe.seen, event.card))
    return state._replace(shoe=shoe)


def _shoe_counted(state: State, event: e.ShoeCounted) -> State:
    return state._replace(shoe=_shoe(state)._replace(counted=True))


def _cut_card_drawn(state: State, event: e.CutCardDrawn) -> State:
    return state._replace(shoe=_shoe(state)._replace(last_round=event.last_round))


def _shoe_removed(state: State, event: e.ShoeRemoved) -> State:
    return state._replace(shoe=_shoe(state)._replace(removed=True))


# ------------------------------------------------------------------------------------------- patrons and bets


def _patron_seated(state: State, event: e.PatronSeated) -> State:
    standing = state.standing - {(event.box, event.patron)}
    places = state.places | {event.patron: (event.box, *_other_boxes(state, event))}
    seats = state.seats | {event.box: event.patron}
    return _back_in_round(state._replace(seats=seats, standing=standing, places=places), event.patron)


def _patron_stood(state: State, event: e.PatronStood) -> State:
    standing = state.standing | {(event.box, event.patron)}
    places = state.places | {event.patron: (*_other_boxes(state, event), event.box)}
    return _back_in_round(state._replace(standing=standing, places=places), event.patron)


def _other_boxes(state: State, event: e.PatronSeated | e.PatronStood) -> list[int]:
    return [box for box in state.places.get(event.patron, ()) if box != event.box]


def _back_in_round(state: State, patron: str) -> State:
    """Let a patron who returns to the table take part in the round again."""
    if state.round is None:
        return state
    return state._replace(round=state.round._replace(away=state.round.away - {patron}))


def _patron_left(state: State, event: e.PatronLeft) -> State:
    if state.round is not None and any(spot.patron == event.patron for spot in state.round.bets):
        round_ = _without_squeezes(state.round, {event.patron})
        walked = {event.patron: round_.dealt} | round_.walked
        return state._replace(round=round_._replace(away=round_.away | {event.patron}, walked=walked))
    return _without_patrons(state, frozenset({event.patron}))


def _without_squeezes(round_: RoundInPlay, patrons: Collection[str]) -> RoundInPlay:
    """A round without the squeezes and the request of these patrons: they end when a patron leaves or has no bet."""
    request = round_.request
    request = None if request is not None and request.patron in patrons else request
    squeezers = {place: patron for place, patron in round_.squeezers.items() if patron not in patrons}
    return round_._replace(request=request, squeezers=squeezers)


def _without_patrons(state: State, patrons: frozenset[str]) -> State:
    seats = {box: patron for box, patron in state.seats.items() if patron not in patrons}
    standing = frozenset(place for place in state.standing if place[1] not in patrons)
    places = {patron: boxes for patron, boxes in state.places.items() if patron not in patrons}
    return state._replace(seats=seats, standing=standing, places=places)


def _bet_placed(state: State, event: e.BetPlaced | e.BetRaised) -> State:
    round_, spot = _round(state), spot_of(event.bet)
    bets = round_.bets | {spot: event.bet}
    if spot.window is not None:
        round_ = round_._replace(undoable=False)
    if spot in round_.bets:
        return _with_bets(state, round_._replace(bets=bets))
    boxes = round_.boxes | {spot.box: (*round_.boxes.get(spot.box, ()), spot)}
    return _with_bets(state, round_._replace(bets=bets, boxes=boxes))


def _bet_shrunk(state: State, event: e.BetWithdrawn | e.BetDisplaced) -> State:
    round_, bet, spot = _round(state), event.bet, spot_of(event.bet)
    left = bet.stake_cents - event.returned_cents
    if left:
        return _with_bets(state, round_._replace(bets=round_.bets | {spot: replace(bet, stake_cents=Cents(left))}))
    return _with_bets(state, _without_bets(round_, {spot}))


def _without_bets(round_: RoundInPlay, ended: Collection[Spot]) -> RoundInPlay:
    """A round without the bets of these spots."""
    boxes = {
        box: tuple([spot for spot in round_.boxes.get(box, ()) if spot not in ended])
        for box in {spot.box for spot in ended}
    }
    bets = {spot: bet for spot, bet in round_.bets.items() if spot not in ended}
    return round_._replace(bets=bets, boxes=round_.boxes | boxes)


def _with_bets(state: State, round_: RoundInPlay) -> State:
    """The state with changed bets. A request to raise a bet ends when the bet reaches its minimum or is withdrawn."""
    if round_.asked:
        settings = _settings(state)
        low = (
            spot
            for spot in round_.asked
            if spot in round_.bets and round_.bets[spot].stake_cents < minimum_for(state.sheet, settings, spot.on)
        )
        round_ = round_._replace(asked=frozenset(low))
    return state._replace(round=round_)


def _raise_asked(state: State, event: e.RaiseAsked) -> State:
    round_ = _round(state)
    return state._replace(round=round_._replace(asked=round_.asked | {spot_of(event.bet)}))


# ------------------------------------------------------------------------------------------- the round


def _bets_opened(state: State, event: e.BetsOpened) -> State:
    in_play, shoe = RoundInPlay(event.round), state.shoe
    if _settings(state).device is Device.SHUFFLER:
        shoe = _shoe(state)._replace(last_round=event.round)
    return state._replace(phase=Phase.BETTING, rounds=event.round, round=in_play, last=None, shoe=shoe)


def _bets_closed(state: State, event: e.BetsClosed) -> State:
    return state._replace(phase=Phase.INITIAL_CARDS)


def _card_dealt(state: State, event: e.CardDealt) -> State:
    round_, shoe = _round(state), _shoe(state)
    card = shoe.order[shoe.drawn] if event.card is None and shoe.order else event.card
    if event.carried:
        shoe = shoe._replace(carried=shoe.carried[1:])
    else:
        seen = shoe.seen if event.closed else _with_copy(shoe.seen, event.card)
        reading = shoe.reading if event.reading is None else event.reading
        shoe = shoe._replace(drawn=shoe.drawn + 1, seen=seen, reading=reading)
    waiting = (*round_.waiting, TableCard(card, not event.closed))
    return _with_waiting(state._replace(shoe=shoe), round_._replace(request=None, undoable=not event.carried), waiting)


def _with_copy(seen: dict[Card, int], card: Card | None) -> dict[Card, int]:
    return seen if card is None else seen | {card: seen.get(card, 0) + 1}


def _with_waiting(state: State, round_: RoundInPlay, waiting: tuple[TableCard, ...]) -> State:
    """The state after cards were dealt or opened. Open cards leave `waiting` up to the first closed one."""
    closed = next((at for at, each in enumerate(waiting) if not each.is_open), len(waiting))
    cards = (*round_.cards, *[each.card for each in waiting[:closed] if each.card is not None])
    waiting = waiting[closed:]
    phase = phase_of(cards, len(waiting), waived=round_.waived)
    return state._replace(phase=phase, round=round_._replace(cards=cards, waiting=waiting))


def _card_opened(state: State, event: e.CardOpened) -> State:
    round_, shoe = _round(state), _shoe(state)
    at = event.place - 1 - len(round_.cards)
    waiting = (*round_.waiting[:at], TableCard(event.card, True), *round_.waiting[at + 1 :])
    shoe = shoe._replace(seen=_with_copy(shoe.seen, event.card))
    return _with_waiting(state._replace(shoe=shoe), round_._replace(undoable=False), waiting)


def _insurance_offered(state: State, event: e.InsuranceOffered) -> State:
    window = Phase.FIRST_WINDOW if event.window is Window.FOUR_CARDS else Phase.SECOND_WINDOW
    return state._replace(phase=window)


def _insurance_announced(state: State, event: e.InsuranceAnnounced) -> State:
    round_ = _round(state)
    return state._replace(round=round_._replace(announced=round_.announced | {event.patron}))


def _insurance_forgone(state: State, event: e.InsuranceForgone) -> State:
    round_ = _round(state)
    return state._replace(round=round_._replace(forgone=round_.forgone | {*event.patrons}))


def _squeeze_asked(state: State, event: e.SqueezeAsked) -> State:
    round_, request = _round(state), Request(event.patron, event.what, event.rule)
    requests = round_.requests | {(event.patron, event.what, round_.dealt)}
    return state._replace(round=round_._replace(request=request, requests=requests))


def _squeeze_answered(state: State, event: e.SqueezeAnswered) -> State:
    round_ = _round(state)
    waived = round_.waived or event.waives_second_window
    squeezers = round_.squeezers
    if event.consent:
        squeezers = squeezers | {squeezed_place(round_, event.what): event.patron}
    return state._replace(round=round_._replace(request=None, waived=waived, squeezers=squeezers))


def _squeeze_passed(state: State, event: e.SqueezePassed) -> State:
    round_ = _round(state)
    squeezers = {place: patron for place, patron in round_.squeezers.items() if place != event.place}
    return state._replace(round=round_._replace(squeezers=squeezers))


def squeezed_place(round_: RoundInPlay, what: SqueezeOf) -> int:
    """The place of the card that the patron opens: the next one, or the third card that the request is about."""
    match what:
        case SqueezeOf.CARD:
            return round_.dealt + 1
        case SqueezeOf.SHOW_BANKER_THIRD:
            return PLAYER_THIRD_PLACE
        case SqueezeOf.BANKER_THIRD_FIRST:
            return BANKER_THIRD_PLACE


def _round_settled(state: State, event: e.RoundSettled) -> State:
    round_ = _round(state)
    last = LastRound(
        event.round,
        event.cards,
        event.lines,
        round_.waived,
        walked=round_.walked,
        without_insurance=_settings(state).without_insurance,
        forgone=round_.forgone,
        paid=round_.paid,
    )
    return state._replace(last=last, round=_round(state)._replace(bets={}, boxes={}))


def _bets_returned(state: State, event: e.BetsReturned | e.BetsPaid | e.RoundVoided) -> State:
    ended = {spot_of(line.bet) for line in event.lines}
    left = tuple([line.bet for line in event.lines if line.bet.window is None])
    round_ = _without_bets(_round(state), ended)
    out = {spot.patron for spot in ended} - {spot.patron for spot in round_.bets}
    round_ = _without_squeezes(round_, out)
    return _with_bets(state, round_._replace(taken_back=(*round_.taken_back, *left)))


def _bets_paid(state: State, event: e.BetsPaid) -> State:
    state = _bets_returned(state, event)
    round_ = _round(state)
    return state._replace(round=round_._replace(paid=(*round_.paid, *event.lines)))


def _round_adjusted(state: State, event: e.RoundAdjusted) -> State:
    if event.cards and state.shoe is not None and state.shoe.number == event.shoe:
        state = state._replace(shoe=_shoe_with(state.shoe, event.cards_before, event.cards))
    last = state.last
    if last is None or last.number != event.round:
        return state
    cards, void, paid = event.cards or last.cards, event.void or last.void, () if event.void else last.paid
    return state._replace(last=last._replace(cards=cards, lines=_lines_after(last, event), void=void, paid=paid))


def _lines_after(last: LastRound, event: e.RoundAdjusted) -> tuple[Line, ...]:
    """The lines of the last round as a correction leaves them; those of a void round are gone."""
    lines = {spot_of(line.bet): line for line in last.lines}
    for each in event.lines:
        old = lines.pop(spot := spot_of(each.bet), None)
        if each.line is not None:
            lines[spot] = each.line
        elif old is not None and event.reverses and not event.void:
            net = Cents(each.after_cents - each.bet.stake_cents)
            lines[spot] = replace(old, returned_cents=each.after_cents, net_cents=net)
    return tuple(lines.values())


def _shoe_with(shoe: Shoe, before: tuple[Card, ...], after: tuple[Card, ...]) -> Shoe:
    """A shoe from which these cards came in place of others."""
    seen = Counter(shoe.seen)
    seen.subtract(before)
    seen.update(after)
    return shoe._replace(drawn=shoe.drawn + len(after) - len(before), seen=dict(+seen))


def _round_closed(state: State, event: e.RoundClosed) -> State:
    away = _round(state).away
    state = _without_patrons(state, away) if away else state
    # A case about an earlier round outlasts this one.
    case = state.case._replace(resume=Phase.BETWEEN_ROUNDS) if state.case and state.case.round != event.round else None
    return state._replace(phase=Phase.HELD if case else Phase.BETWEEN_ROUNDS, round=None, case=case)


def _unchanged(state: State, event: e.Event) -> State:
    return state


# ------------------------------------------------------------------------------------------- incidents


def _incident_reported(state: State, event: e.IncidentReported) -> State:
    # A case that was open becomes the previous one. The new case remembers the phase to return to.
    resume = state.case.resume if state.case else state.phase
    case = Case(event.case, event.situation, event.facts, event.by, resume, previous=state.case, round=event.round)
    return state._replace(case=case, cases=event.case)


def _held(state: State, waits: Waits, role: Role | None) -> State:
    return _held_by(state, _case(state)._replace(waits=waits, role=role))


def _held_by(state: State, case: Case) -> State:
    return state._replace(phase=Phase.HELD, case=case)


def _incident_ruled(state: State, event: e.IncidentRuled) -> State:
    irregularity = state.sheet.irregularities.get(_case(state).situation)
    if state.round is None or irregularity is None or irregularity.new_shoe is None or irregularity.new_shoe.by is None:
        return state
    replace_shoe = (irregularity.new_shoe.by, irregularity.new_shoe.rule)
    return state._replace(round=state.round._replace(replace_shoe=replace_shoe))


def _incident_referred(state: State, event: e.IncidentReferred) -> State:
    return _held(state, Waits.DECISION, event.to)


def _order_asked(state: State, event: e.OrderAsked) -> State:
    return _held(state, Waits.ORDER, event.to)


def _approval_asked(state: State, event: e.ApprovalAsked) -> State:
    case = _case(state)._replace(corrections=event.corrections, cards=event.cards)
    return _held(state._replace(case=case), Waits.APPROVAL, event.to)


def _correction_asked(state: State, event: e.CorrectionAsked) -> State:
    return _held(state._replace(shoe=_shoe(state)._replace(reading=event.got)), Waits.CORRECTION, event.to)


def _confirmation_asked(state: State, event: e.ConfirmationAsked) -> State:
    case = _case(state)
    previous = case if case.waits is not None else case.previous
    waiting = case._replace(waits=Waits.CONFIRMATION, role=event.to, pending=event.events, by=event.by)
    return _held_by(state, waiting._replace(previous=previous))


def _decision_made(state: State, event: e.DecisionMade) -> State:
    """After a declined proposal, its case waits again for what it waited for before, if anything."""
    case = _case(state)
    declined = event.decision is Decision.DECLINE
    if declined and case.previous is not None and case.previous.number == case.number:
        return state._replace(case=case.previous)
    return state._replace(case=case._replace(reason=event.reason)) if event.reason else state


def _options_offered(state: State, event: e.OptionsOffered) -> State:
    # Somebody may have walked away while the options waited for a second person.
    patrons = tuple([patron for patron in event.patrons if patron not in _round(state).away])
    waiting = _case(state)._replace(waits=Waits.CHOICES, role=None, patrons=patrons)
    return _held_by(state, waiting._replace(continue_rule=event.continue_rule))


def _option_chosen(state: State, event: e.OptionChosen) -> State:
    return state._replace(case=_chosen(_case(state), event))


def _chosen(case: Case, event: e.OptionChosen) -> Case:
    if case.number != event.case and case.previous is not None:
        return case._replace(previous=_chosen(case.previous, event))
    return case._replace(patrons=tuple([patron for patron in case.patrons if patron != event.patron]))


def _cards_relaid(state: State, event: e.CardsRelaid) -> State:
    shoe, case, known = _shoe(state), _case(state), known_cards(state)
    closed = len(state.round.closed_places) if state.round else 0
    shoe = _shoe_with(shoe, known, (*event.after, *event.carried, *event.burned))
    reading = shoe.reading if event.reading is None else event.reading
    shoe = shoe._replace(drawn=shoe.drawn - closed, carried=event.carried, reading=reading)
    if state.round is None:
        return state._replace(shoe=shoe)
    round_ = state.round._replace(undoable=False)
    if round_.cards == event.after and not closed:
        return state._replace(shoe=shoe, round=round_)
    # An offer that was forgone for other cards, or that stands again, is not forgone any more.
    first = Window.FOUR_CARDS.cards
    same_offer = len(event.after) > first and event.after[:first] == round_.cards[:first]
    forgone = round_.forgone if same_offer else frozenset[str]()
    # The second window stays waived only where these cards allow it. What was permitted for cards to come stays, too.
    waived = round_.waived and banker_always_draws(event.after)
    still = {place: patron for place, patron in round_.squeezers.items() if place > len(event.after)}
    squeezers = still if waived is round_.waived else {}
    round_ = round_._replace(cards=event.after, request=None, forgone=forgone, waiting=())
    return state._replace(
        shoe=shoe,
        round=round_._replace(waived=waived, squeezers=squeezers),
        case=case._replace(resume=phase_of(event.after), reordered=True),
    )


def _insurance_claimed(state: State, event: e.InsuranceClaimed) -> State:
    round_, last = state.round, state.last
    if round_ is not None and round_.number == event.round:
        claims = round_.claims | {event.window: (*round_.claims.get(event.window, ()), *event.claims)}
        forgone = still_forgone(round_.forgone, event)
        return state._replace(round=round_._replace(claims=claims, claims_rule=event.rule, forgone=forgone))
    if last is not None and last.number == event.round:
        return state._replace(last=last._replace(forgone=still_forgone(last.forgone, event)))
    return state  # a claim about an earlier round, which only the log remembers


def still_forgone(forgone: frozenset[str], event: e.InsuranceClaimed) -> frozenset[str]:
    """Who has forgone insurance after these claims: not who was not offered it in the first window."""
    return forgone - {claim.patron for claim in event.claims} if event.window is Window.FOUR_CARDS else forgone


def _limits_lifted(state: State, event: e.LimitsLifted) -> State:
    round_ = _round(state)
    round_ = round_._replace(sides_lifted=True) if event.sides else round_._replace(limits_lifted=True)
    return state._replace(round=round_)


def _pro_rata_decided(state: State, event: e.ProRataDecided) -> State:
    return state._replace(round=_round(state)._replace(pro_rata=True))


def _case_closed(state: State, event: e.CaseClosed) -> State:
    case = _case(state)
    previous = case.previous
    while previous is not None and previous.number == event.case:
        previous = previous.previous
    return state._replace(phase=Phase.HELD if previous else case.resume, case=previous)


def _settings(state: State) -> Settings:
    assert state.settings is not None  # noqa: S101 — the log has no round before the table is opened
    return state.settings


def _shoe(state: State) -> Shoe:
    assert state.shoe is not None  # noqa: S101 — the log has no card before a shoe
    return state.shoe


def _round(state: State) -> RoundInPlay:
    assert state.round is not None  # noqa: S101 — the log has no bet outside a round
    return state.round


def _case(state: State) -> Case:
    assert state.case is not None  # noqa: S101 — the log has no ruling without its report
    return state.case


_EVOLVE: dict[type[e.Event], Callable[[State, Any], State]] = {
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.PlaySuspended: _play_suspended,
    e.PlayResumed: _play_resumed,
    e.ShoeLoaded: _shoe_loaded,
    e.CutCardDrawn: _cut_card_drawn,
    e.ShoeRemoved: _shoe_removed,
    e.PatronSeated: _patron_seated,
    e.PatronStood: _patron_stood,
    e.PatronLeft: _patron_left,
    e.BetPlaced: _bet_placed,
    e.BetRaised: _bet_placed,
    e.BetWithdrawn: _bet_shrunk,
    e.BetDisplaced: _bet_shrunk,
    e.RaiseAsked: _raise_asked,
    e.BetsOpened: _bets_opened,
    e.BetsClosed: _bets_closed,
    e.CardDealt: _card_dealt,
    e.InsuranceOffered: _insurance_offered,
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.SqueezePassed: _squeeze_passed,
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
    e.StaffOnDuty: _staff_on_duty,
    e.StaffOffDuty: _staff_off_duty,
    e.PositionAssigned: _position_assigned,
    e.BetsPaid: _bets_paid,
    e.ProRataDecided: _pro_rata_decided,
    e.AmountDecided: _unchanged,
    e.InsuranceAnnounced: _insurance_announced,
    e.InsuranceForgone: _insurance_forgone,
    e.LimitsChanged: _limits_changed,
    e.InsuranceChanged: _insurance_changed,
    e.CardOpened: _card_opened,
    e.DecksChecked: _decks_checked,
    e.CardsShuffled: _cards_shuffled,
    e.CardsBurned: _cards_burned,
    e.ShoeCounted: _shoe_counted,
}
