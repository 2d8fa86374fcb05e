"""Squeezes: who may ask to open a card, for which card, the House's answer, and who passes.

The House permits one card, before it is dealt. Whoever has the permission opens that card, or passes. A request that
waives the second insurance window is about the third cards: Banker's is opened before Player's.
"""

from __future__ import annotations

from punto.rules.hands import Hand
from punto.rules.refusals import Refusal
from punto.rules.sheet import AskedBy, Sheet
from punto.rules.tableau import INITIAL_CARDS, banker_always_draws, next_hand
from punto.table import commands as c
from punto.table import events as e
from punto.table.evolve import squeezed_place
from punto.table.play import EventsOrRefusal, open_round, open_settings, shoe_in_play
from punto.table.refusals import (
    SqueezeNotAsked,
    SqueezeNotGranted,
    SqueezeNotHighest,
    SqueezeNotOffered,
    SqueezePending,
    SqueezeRepeated,
    SqueezeTooLate,
    SqueezeUncertain,
)
from punto.table.seats import sitter
from punto.table.state import RoundInPlay, State


def refuse_squeeze(state: State, patron: str, what: c.SqueezeOf) -> Refusal | None:
    """Why a patron cannot ask for a squeeze. The sheet names who may, and the card must still be to come."""
    round_, offered = open_round(state), _offered(state.sheet, what)
    if offered is None or not open_settings(state).face_down:
        return SqueezeNotOffered(what, rule=offered and offered[1])
    asked_by, rule = offered
    if what.waives and open_settings(state).waiver_consent is c.Consent.NEVER:
        return SqueezeNotOffered(what, rule=rule)
    if what.waives and (refusal := _refuse_waiver(round_, what, rule)):
        return refusal
    if not _may_ask(state, patron, asked_by):
        return SqueezeNotHighest(asked_by, rule=rule)
    if round_.request is not None:
        return SqueezePending(rule=rule)
    place = squeezed_place(round_, what)
    if place - round_.dealt <= len(shoe_in_play(state).carried):
        return SqueezeTooLate(what, rule=rule)  # everyone has seen the card
    if place in round_.squeezers or (patron, what, round_.dealt) in round_.requests:
        return SqueezeRepeated(rule=rule)
    return None


def _offered(sheet: Sheet, what: c.SqueezeOf) -> tuple[AskedBy, str] | None:
    """Who may ask for a squeeze, and the paragraph; None where the sheet has no such squeeze."""
    if what.waives:
        return (AskedBy(sheet.insurance.waiver_by), sheet.insurance.waiver_rule) if sheet.insurance else None
    return (sheet.play.squeeze.by, sheet.play.squeeze.rule) if sheet.play.squeeze else None


def _refuse_waiver(round_: RoundInPlay, what: c.SqueezeOf, rule: str) -> Refusal | None:
    """Why Banker's third card cannot come before Player's third is opened.

    It must be certain to come. Elsewhere it might never exist, and dealing it would tell what Player's card is.
    """
    if round_.dealt > INITIAL_CARDS:
        return SqueezeTooLate(what, rule=rule)
    if len(round_.cards) == INITIAL_CARDS and next_hand(round_.cards) is not Hand.PLAYER:
        return SqueezeTooLate(what, rule=rule)
    return None if banker_always_draws(round_.cards) else SqueezeUncertain(rule=rule)


def _may_ask(state: State, patron: str, asked_by: AskedBy) -> bool:
    round_ = open_round(state)
    bets = [bet for bet in round_.bets.values() if bet.patron not in round_.away]
    if asked_by is AskedBy.ANY_PATRON:
        return any(bet.patron == patron for bet in bets)
    seated = [bet for bet in bets if bet.patron == sitter(state, bet.box)]
    highest = max([bet.stake_cents for bet in seated], default=0)
    return any(bet.patron == patron and bet.stake_cents == highest for bet in seated)


def ask_squeeze(state: State, command: c.AskSqueeze) -> EventsOrRefusal:
    """Record a patron's request, and the House's consent where its policy is to give it."""
    if refusal := refuse_squeeze(state, command.patron, command.what):
        return refusal
    offered = _offered(state.sheet, command.what)
    rule = offered[1] if offered else ""
    asked = e.SqueezeAsked(command.by, open_round(state).number, command.patron, command.what, rule)
    if command.what.waives and open_settings(state).waiver_consent is c.Consent.ALWAYS:
        answered = e.SqueezeAnswered(command.by, asked.round, asked.patron, asked.what, True, True, rule)
        return (asked, answered)
    return (asked,)


def answer_squeeze(state: State, command: c.AnswerSqueeze) -> EventsOrRefusal:
    """Record the House's answer. With consent the patron opens the card."""
    request, number = open_round(state).request, open_round(state).number
    if request is None:
        return SqueezeNotAsked()
    waives = command.consent and request.what.waives
    return (e.SqueezeAnswered(command.by, number, request.patron, request.what, command.consent, waives, request.rule),)


def squeezes_left(state: State, patron: str) -> tuple[int, ...]:
    """The places of the cards that a patron has the squeeze of and that are not open yet."""
    round_ = open_round(state)
    own = [place for place, who in round_.squeezers.items() if who == patron]
    return tuple([place for place in own if place > round_.dealt or place in round_.closed_places])


def nothing_to_pass(state: State, place: int | None = None) -> Refusal:
    """Why a patron cannot pass the squeeze of the card at a place or, without one, of any card."""
    squeeze = state.sheet.play.squeeze
    return SqueezeNotGranted(place, rule=squeeze.rule if squeeze else None)


def pass_squeeze(state: State, command: c.PassSqueeze) -> EventsOrRefusal:
    """End a patron's right to open a card. It opens nothing: the Dealer does, as if nobody had the squeeze.

    The second window stays waived where the request for the squeeze waived it.
    """
    squeeze = state.sheet.play.squeeze
    if squeeze is None or command.place not in squeezes_left(state, command.patron):
        return nothing_to_pass(state, command.place)
    return (e.SqueezePassed(command.by, open_round(state).number, command.patron, command.place, squeeze.rule),)
