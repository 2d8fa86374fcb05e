"""Squeezes: who may ask to open a card, for which card, the House's answer, and who passes.

The House permits one card, before it is dealt. Whoever has the permission opens that card, or passes. A request that
waives the second insurance window is about the third cards: Banker's is opened before Player's.
"""

from __future__ import annotations

from punto.rules.hands import Hand
from punto.rules.refusals import Refusal
from punto.rules.sheet import AskedBy, Role, Sheet, Squeeze
from punto.rules.tableau import BANKER_THIRD_PLACE, INITIAL_CARDS, PLAYER_THIRD_PLACE, banker_always_draws, next_hand
from punto.table import refusals as r
from punto.table.act import Command, Event, Named, PatronCommand, act, event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import DEALING, Phase
from punto.table.seats import sitter
from punto.table.state import RoundInPlay, SqueezeRequest, State
from punto.table.values import Consent, SqueezeOf
from punto.table.ways import ANYONE, Asking, CardWay, Way, Ways, way_record


@event(money=False)
class SqueezeAsked(Event):
    """A patron asked for a squeeze."""

    round: int
    patron: Named[str]
    what: SqueezeOf
    rule: str

    def apply(self, state: State) -> State:
        round_, request = state.open_round, SqueezeRequest(self.patron, self.what, self.rule)
        requests = round_.requests | {(self.patron, self.what, round_.dealt)}
        return state._replace(round=round_._replace(request=request, requests=requests))


@way_record
class SqueezeWay(Way):
    """A way to ask for a squeeze."""

    what: SqueezeOf


@act(by=None, during=DEALING, at_request=True)
class AskSqueeze(PatronCommand):
    """Ask to squeeze a card, or to see Banker's third card before Player's is opened."""

    what: SqueezeOf

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[SqueezeWay]:
        heard = [what for what in SqueezeOf if _is_heard(state, what)]
        for patron in asking.boxes:
            for what in heard:
                yield SqueezeWay(what, patron=asking.name(patron), refusal=refuse_squeeze(state, patron, what))
        yield refuse_squeeze(state, ANYONE, SqueezeOf.CARD) or r.SqueezeNotOffered(SqueezeOf.CARD)

    def decide(self, state: State) -> Draft | Refusal:
        if refusal := refuse_squeeze(state, self.patron, self.what):
            return refusal
        offered = _offered(state.sheet, self.what)
        rule = offered.rule if offered else ""
        asked = SqueezeAsked(self.by, state.open_round.number, self.patron, self.what, rule)
        if self.what.waives and state.open_settings.waiver_consent is Consent.ALWAYS:
            answered = SqueezeAnswered(self.by, asked.round, asked.patron, asked.what, True, True, rule)
            return Draft(state, asked, answered)
        return Draft(state, asked)


def refuse_squeeze(state: State, patron: str, what: SqueezeOf) -> Refusal | None:
    """The reason why a patron cannot ask for a squeeze. The sheet names who may, and the card must still be to come."""
    round_, offered = state.open_round, _offered(state.sheet, what)
    if offered is None or not _is_heard(state, what):
        return r.SqueezeNotOffered(what, rule=offered.rule if offered else None)
    rule = offered.rule
    if what.waives and (refusal := _refuse_waiver(round_, what, rule)):
        return refusal
    if not _may_ask(state, patron, offered.by):
        return r.SqueezeNotHighest(offered.by, rule=rule)
    if round_.request is not None:
        return r.SqueezePending(rule=rule)
    place = squeezed_place(round_, what)
    if place - round_.dealt <= len(state.shoe_in_play.carried):
        return r.SqueezeTooLate(what, rule=rule)  # everyone has seen the card
    if place in round_.squeezers or (patron, what, round_.dealt) in round_.requests:
        return r.SqueezeRepeated(rule=rule)
    return None


def _offered(sheet: Sheet, what: SqueezeOf) -> Squeeze | None:
    """The sheet's line on a squeeze; None where it has no such squeeze."""
    insurance = sheet.insurance
    if not what.waives or insurance is None:
        return None if what.waives else sheet.play.squeeze
    return Squeeze(AskedBy(insurance.waiver_by), insurance.waiver_rule, insurance.waiver_face_down)


def hears_squeezes(state: State) -> bool:
    """True if patrons may ask for squeezes at this table at all."""
    return any(_is_heard(state, what) for what in SqueezeOf)


def _is_heard(state: State, what: SqueezeOf) -> bool:
    """True if requests for this squeeze are heard at this table."""
    settings, offered = state.open_settings, _offered(state.sheet, what)
    if offered is None or (what.waives and settings.waiver_consent is Consent.NEVER):
        return False
    return settings.face_down or not offered.face_down


def _refuse_waiver(round_: RoundInPlay, what: SqueezeOf, rule: str) -> Refusal | None:
    """The reason why Banker's third card cannot come before Player's third is opened.

    It must be certain to come. Elsewhere it might never exist, and dealing it would tell what Player's card is.
    """
    if round_.dealt > INITIAL_CARDS:
        return r.SqueezeTooLate(what, rule=rule)
    if len(round_.cards) == INITIAL_CARDS and next_hand(round_.cards) is not Hand.PLAYER:
        return r.SqueezeTooLate(what, rule=rule)
    return None if banker_always_draws(round_.cards) else r.SqueezeUncertain(rule=rule)


def _may_ask(state: State, patron: str, asked_by: AskedBy) -> bool:
    round_ = state.open_round
    bets = [bet for bet in round_.bets.values() if bet.patron not in round_.away]
    if asked_by is AskedBy.ANY_PATRON:
        return any(bet.patron == patron for bet in bets)
    seated = [bet for bet in bets if bet.patron == sitter(state, bet.box)]
    highest = max([bet.stake_cents for bet in seated], default=0)
    return any(bet.patron == patron and bet.stake_cents == highest for bet in seated)


@event(money=False)
class SqueezeAnswered(Event):
    """The House answered. Consent to see Banker's third card first waives the second window for everyone."""

    round: int
    patron: Named[str]
    what: SqueezeOf
    consent: bool
    waives_second_window: bool
    rule: str

    def apply(self, state: State) -> State:
        round_ = state.open_round
        waived = round_.waived or self.waives_second_window
        squeezers = round_.squeezers
        if self.consent:
            squeezers = squeezers | {squeezed_place(round_, self.what): self.patron}
        return state._replace(round=round_._replace(request=None, waived=waived, squeezers=squeezers))


@way_record
class ConsentWay(Way):
    """The House's yes or no."""

    consent: bool


@act(by=Role.DEALER, during=DEALING, of_automat=True)
class AnswerSqueeze(Command):
    """Give the House's answer to a squeeze request."""

    consent: bool

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return r.SqueezeNotAsked() if state.open_round.request is None else None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[ConsentWay]:
        return ConsentWay(True), ConsentWay(False)

    def decide(self, state: State) -> Draft | Refusal:
        """Record the House's answer. With consent the patron opens the card."""
        request, number = state.open_round.request, state.open_round.number
        assert request is not None  # noqa: S101 — refused before
        waives = self.consent and request.what.waives
        return Draft(
            state, SqueezeAnswered(self.by, number, request.patron, request.what, self.consent, waives, request.rule)
        )


def squeezed_place(round_: RoundInPlay, what: SqueezeOf) -> int:
    """The place of the card that the patron opens: the next one, or the third card that the request is about."""
    match what:
        case SqueezeOf.CARD:
            return round_.dealt + 1
        case SqueezeOf.SHOW_BANKER_THIRD:
            return PLAYER_THIRD_PLACE
        case SqueezeOf.BANKER_THIRD_FIRST:
            return BANKER_THIRD_PLACE


@event(money=False)
class SqueezePassed(Event):
    """A patron gave up the squeeze of the card at a place. The Dealer opens it."""

    round: int
    patron: Named[str]
    place: int
    rule: str

    def apply(self, state: State) -> State:
        round_ = state.open_round
        squeezers = {place: patron for place, patron in round_.squeezers.items() if place != self.place}
        return state._replace(round=round_._replace(squeezers=squeezers))


@act(by=None, during=DEALING | {Phase.OPENING}, at_request=True)
class PassSqueeze(PatronCommand):
    """Give up the squeeze of the card at a place, which counts from 1. The Dealer opens that card."""

    place: int

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[CardWay]:
        left = [(patron, place) for patron in asking.boxes for place in squeezes_left(state, patron)]
        return [*[CardWay(place, patron=asking.name(patron)) for patron, place in left], nothing_to_pass(state)]

    def decide(self, state: State) -> Draft | Refusal:
        """End a patron's right to open a card. It opens nothing: the Dealer does, as if nobody had the squeeze.

        The second window stays waived where the request for the squeeze waived it.
        """
        squeeze = state.sheet.play.squeeze
        if squeeze is None or self.place not in squeezes_left(state, self.patron):
            return nothing_to_pass(state, self.place)
        return Draft(state, SqueezePassed(self.by, state.open_round.number, self.patron, self.place, squeeze.rule))


def squeezes_left(state: State, patron: str) -> tuple[int, ...]:
    """The places of the cards that a patron has the squeeze of and that are not open yet."""
    round_ = state.open_round
    own = [place for place, who in round_.squeezers.items() if who == patron]
    return tuple([place for place in own if place > round_.dealt or place in round_.closed_places])


def nothing_to_pass(state: State, place: int | None = None) -> Refusal:
    """The reason why a patron cannot pass the squeeze of the card at a place or, without one, of any card."""
    squeeze = state.sheet.play.squeeze
    return r.SqueezeNotGranted(place, rule=squeeze.rule if squeeze else None)
