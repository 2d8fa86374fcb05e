"""Dealing and opening cards. A card is dealt open, or dealt closed and opened later.

At a face-down table cards are dealt closed. With the fourth card, and with each third card, the closed cards whose
values the table knows and that nobody squeezes are opened at once. The others wait: for the patron who has the squeeze,
or for the Dealer, who may open every card and names it where its value is not known.
"""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.rules.tableau import BANKER_THIRD_PLACE, INITIAL_CARDS, PLAYER_THIRD_PLACE, banker_always_draws
from punto.table import refusals as r
from punto.table.act import Command, Event, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.acts.announcements import announce
from punto.table.acts.insurance import InsuranceForgone, forgoing_patrons
from punto.table.acts.shoe import cut_drawn
from punto.table.draft import Draft
from punto.table.phases import DEALING, Phase, phase_of
from punto.table.rulings.cases import held, reported
from punto.table.rulings.reorder import refuse_copies
from punto.table.rulings.situations import EXCESS_CARD, MISREAD_CARD
from punto.table.state import RoundInPlay, Shoe, State, TableCard, with_copy
from punto.table.values import Waits
from punto.table.views import hands_of
from punto.table.ways import Asking, CardWay, Input, InputType, Ways


@event(money=False)
class CardDealt(Event):
    """A card was dealt to a hand. `place` counts from 1. A `carried` card left the shoe in the previous round.

    A `closed` card waits to be opened. The order of a virtual shoe tells its value; one that was read from a real shoe
    is for the log alone (see `public`). A face-down card that is not closed was named as it was dealt.
    """

    round: int
    shoe: int
    place: int
    card: Card | None
    hand: Hand
    rule: str
    face_down: bool = False
    carried: bool = False
    reading: int | None = None
    closed: bool = False

    def apply(self, state: State) -> State:
        round_, shoe = state.open_round, state.shoe_in_play
        card = shoe.order[shoe.drawn] if self.card is None and shoe.order else self.card
        if self.carried:
            shoe = shoe._replace(carried=shoe.carried[1:])
        else:
            seen = shoe.seen if self.closed else with_copy(shoe.seen, self.card)
            reading = shoe.reading if self.reading is None else self.reading
            shoe = shoe._replace(drawn=shoe.drawn + 1, seen=seen, reading=reading)
        waiting = (*round_.waiting, TableCard(card, not self.closed))
        return _with_waiting(
            state._replace(shoe=shoe), round_._replace(request=None, undoable=not self.carried), waiting
        )

    def public(self) -> Event:
        return replace(self, card=None) if self.closed else self


@act(by=Role.DEALER, during=DEALING, of_automat=True)
class Deal(Command):
    """Deal the next card: the next in a virtual shoe's order, or the card that was read.

    At a live face-down table the card may be left out: it is dealt closed and named when it is opened.
    `reading` is the running number of an electronic shoe's message. It detects repeats, and a gap holds the round.
    `place` is the card's place in the round, from 1: of two people who deal the same card the second is refused.
    """

    card: Card | None = None
    reading: int | None = None
    place: int | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[CardWay]:
        return (_way_to_deal(state),)

    @classmethod
    def refuse_phase(cls, state: State) -> Refusal:
        """No card is due. If one left the shoe all the same, it must be reported."""
        excess = state.sheet.irregularities.get(EXCESS_CARD)
        rule = excess.rule if excess else state.sheet.play.table_of_play_rule
        return r.WrongPhase(cls.kind, state.phase, EXCESS_CARD, rule=rule)

    def refuse_first(self, state: State) -> Refusal | None:
        return _refuse_repeat(state, self)

    def decide(self, state: State) -> Draft | Refusal:
        shoe, round_, by = state.shoe_in_play, state.open_round, self.by
        if self.place is not None and self.place != round_.dealt + 1:
            return r.PlaceNotDue(self.place, round_.dealt + 1)
        if (gap := _gap(state, self)) is not None:
            return gap
        if isinstance(way := _way_to_deal(state), Refusal):
            return way
        carried = bool(shoe.carried)
        card = shoe.carried[0] if carried else shoe.order[shoe.drawn] if shoe.order else self.card
        if card is None and not _may_be_unnamed(state):
            return r.CardNotGiven()
        if self.card is not None and self.card != card:
            return r.CardNotNext(self.card)
        if card is not None and not (carried or shoe.order) and (refusal := _refuse_copies(state, card)):
            return refusal
        draft = Draft(state)
        if shoe.cut is not None and shoe.last_round is None and not carried and shoe.drawn >= shoe.cut:
            draft.add(cut_drawn(state, by))
        place = round_.dealt + 1
        hand = _hand_at(round_, place)
        insurance = state.sheet.insurance
        if hand is Hand.PLAYER and insurance and (patrons := forgoing_patrons(state)):
            draft.add(InsuranceForgone(by, round_.number, patrons, insurance.forgone_rule or ""))
        play = state.sheet.play
        rule = play.initial_cards_rule if state.phase is Phase.INITIAL_CARDS else play.table_of_play_rule
        closed = _is_dealt_closed(state, self, place)
        # The order of a shoe tells the card, so that the event of a closed one need not.
        named = None if closed and shoe.order else card
        face_down = state.open_settings.face_down
        draft.add(
            CardDealt(
                by, round_.number, shoe.number, place, named, hand, rule, face_down, carried, self.reading, closed
            )
        )
        _turn(draft, by)
        announce(draft, by)
        return draft

    def opens_cards(self, state: State) -> bool:
        return _opens_unseen_cards(state)


def _way_to_deal(state: State) -> CardWay | Refusal:
    """The place of the next card, and its input: the card that was read, optional where it is known or dealt closed."""
    shoe, place = state.shoe_in_play, state.open_round.dealt + 1
    if not shoe.left:
        return r.ShoeEmpty()
    if shoe.carried or shoe.order:
        known = Input("card", InputType.CARD, required=False, refused=r.CardNotNext)
        return CardWay(place, inputs=(known,))
    minimum = None if shoe.reading is None else shoe.reading + 1
    reading = Input("reading", InputType.NUMBER, required=False, refused=r.ReadingRepeated, minimum=minimum)
    card = _card_input(state, required=not _may_be_unnamed(state))
    return CardWay(place, inputs=(card, reading))


def _card_input(state: State, *, required: bool = True) -> Input:
    """The input that names a card of a shoe that is read card by card."""
    decks = state.open_settings.decks
    gone = tuple([card for card, copies in state.shoe_in_play.seen.items() if copies >= decks])
    return Input("card", InputType.CARD, required=required, missing=r.CardNotGiven, refused=r.CardCopies, excluded=gone)


def _may_be_unnamed(state: State) -> bool:
    """True if the next card of a shoe that is read card by card may be dealt without its value."""
    settings, round_ = state.open_settings, state.open_round
    return settings.live and (settings.face_down or _stays_closed(round_, round_.dealt + 1))


def _hand_at(round_: RoundInPlay, place: int) -> Hand:
    """The hand of the card at a place, or of the next card. Closed cards never decide it."""
    hand = hands_of((*round_.visible, None))[place - 1]
    assert hand is not None  # noqa: S101 — the card is due by the phase
    return hand


def _is_dealt_closed(state: State, command: Deal, place: int) -> bool:
    """True if the next card is dealt closed.

    A carried card is known to everyone. A card that the Dealer of a live table names while dealing lies open, unless
    someone squeezes it or it must stay closed. A reading of an electronic shoe shows nobody the card.
    """
    settings, shoe = state.open_settings, state.shoe_in_play
    if shoe.carried:
        return False
    named = settings.live and not shoe.order and command.card is not None and command.reading is None
    return _stays_closed(state.open_round, place) or (settings.face_down and not named)


def _stays_closed(round_: RoundInPlay, place: int) -> bool:
    """True if the card at a place is dealt closed at every table: a patron opens it, or another card comes first."""
    return place in round_.squeezers or (place == PLAYER_THIRD_PLACE and _banker_is_first(round_))


def _banker_is_first(round_: RoundInPlay) -> bool:
    """True if Banker's third card comes and is opened before Player's third is."""
    return round_.waived and banker_always_draws(round_.cards)


def _refuse_copies(state: State, card: Card) -> Refusal | None:
    """The refusal of a card that cannot have come, given the shoe's open cards and the values of the closed ones."""
    closed = [each.card for each in state.open_round.waiting if not each.is_open and each.card is not None]
    return refuse_copies(state, (card, *closed), ())


@event(money=False, significant="feed-gap")
class CorrectionAsked(Event):
    """The shoe's readings have a gap. The round is held until someone corrects the cards."""

    case: int
    to: Role
    expected: StaffOnly[int]
    got: StaffOnly[int]
    card: StaffOnly[Card | None]

    def apply(self, state: State) -> State:
        return held(state._replace(shoe=state.shoe_in_play._replace(reading=self.got)), Waits.CORRECTION, self.to)


def _refuse_repeat(state: State, command: Deal) -> Refusal | None:
    """Refuse a reading that repeats, in any phase."""
    last = _last_reading(state.shoe)
    if last is None or command.reading is None or command.reading > last or state.phase is Phase.NOT_OPEN:
        return None
    return r.ReadingRepeated(command.reading) if command.by.may_act_as(Role.DEALER) else None


def _last_reading(shoe: Shoe | None) -> int | None:
    """The last reading of the shoe, if it counts readings."""
    return None if shoe is None or shoe.order else shoe.reading


def _gap(state: State, command: Deal) -> Draft | Refusal | None:
    """If a reading was lost, hold the round until someone with authority corrects the cards."""
    last = _last_reading(state.shoe)
    if last is None or command.reading is None or command.reading == last + 1 or state.shoe_in_play.carried:
        return None
    draft, expected = reported(state, command.by, MISREAD_CARD), last + 1
    to, got = Role.PIT_SUPERVISOR, command.reading
    card = None if state.open_settings.face_down else command.card  # nobody has seen a closed card
    draft.add(CorrectionAsked(command.by, draft.case.number, to, expected, got, card))
    return draft


@event(money=False)
class CardOpened(Event):
    """A closed card was opened. `squeezed_by` is the patron who had its squeeze, if anyone had."""

    round: int
    place: int
    card: Card
    hand: Hand
    rule: str
    squeezed_by: str | None = None

    def apply(self, state: State) -> State:
        round_, shoe = state.open_round, state.shoe_in_play
        at = self.place - 1 - len(round_.cards)
        waiting = (*round_.waiting[:at], TableCard(self.card, True), *round_.waiting[at + 1 :])
        shoe = shoe._replace(seen=with_copy(shoe.seen, self.card))
        return _with_waiting(state._replace(shoe=shoe), round_._replace(undoable=False), waiting)


@act(by=None, during={Phase.INITIAL_CARDS, Phase.BANKER_THIRD, Phase.OPENING}, of_automat=True)
class OpenCard(Command):
    """Open a card that was dealt face down. `place` counts from 1; `card` names it where its value is not known yet.

    The patron who has the squeeze of the card opens it at a terminal. The Dealer may open every card.
    """

    place: int
    card: Card | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[CardWay]:
        """The closed cards that someone may open, with the input that names one of unknown value."""
        round_, by = state.open_round, asking.actor
        if by.role is None and (refusal := _refuse_patron(state, by, None)):
            yield refusal
            return
        for place in round_.closed_places:
            if by.role is not None or round_.squeezers.get(place) == by.person:
                inputs = () if round_.at(place).card else (_card_input(state),)
                yield CardWay(place, inputs=inputs, refusal=_refuse_place(state, by, place))
        yield r.CardNotClosed(None)

    def decide(self, state: State) -> Draft | Refusal:
        if refusal := _refuse_place(state, self.by, self.place):
            return refusal
        known = state.open_round.at(self.place).card
        if known is not None and self.card is not None:
            return r.CardKnown(self.place)  # an answer to a guess would tell something about the card
        card = known or self.card
        if card is None:
            return r.CardNotGiven()
        if known is None and (refusal := _refuse_copies(state, card)):
            return refusal
        draft = Draft(state)
        _open(draft, self.by, self.place, card)
        _turn(draft, self.by)
        announce(draft, self.by)
        return draft

    def opens_cards(self, state: State) -> bool:
        return _opens_unseen_cards(state)


def _refuse_place(state: State, by: Actor, place: int) -> Refusal | None:
    """The reason why someone cannot open the card at a place."""
    round_, insurance = state.open_round, state.sheet.insurance
    if by.role is None and (refusal := _refuse_patron(state, by, place)):
        return refusal
    if place not in round_.closed_places:
        return r.CardNotClosed(place)
    if place == PLAYER_THIRD_PLACE and _waits_for_banker(round_):
        return r.CardStaysClosed(place, rule=insurance.waiver_rule if insurance else None)
    return None


def _refuse_patron(state: State, by: Actor, place: int | None) -> Refusal | None:
    """The reason why a patron cannot open the card at a place or, without one, any closed card."""
    round_, squeeze = state.open_round, state.sheet.play.squeeze
    rule = squeeze.rule if squeeze else None
    if state.open_settings.live:
        return r.NotPermitted(Role.DEALER, rule=rule)  # the patron opens the card itself, and the Dealer names it
    own = [each for each in round_.closed_places if round_.squeezers.get(each) == by.person]
    return None if own and place in (None, *own) else r.SqueezeNotGranted(place, rule=rule)


def _waits_for_banker(round_: RoundInPlay) -> bool:
    """True if Banker's third card is not open yet and must be opened before Player's."""
    if not _banker_is_first(round_):
        return False
    return round_.dealt < BANKER_THIRD_PLACE or BANKER_THIRD_PLACE in round_.closed_places


def _open(draft: Draft, by: Actor, place: int, card: Card) -> None:
    round_, play = draft.round, draft.state.sheet.play
    squeezer = round_.squeezers.get(place)
    hand, rule = _hand_at(round_, place), play.table_of_play_rule
    if place <= INITIAL_CARDS:
        rule = play.initial_cards_rule
    insurance = draft.state.sheet.insurance
    if place == BANKER_THIRD_PLACE and _banker_is_first(round_) and insurance is not None:
        rule = insurance.waiver_rule
    elif squeezer is not None and play.squeeze is not None:
        rule = play.squeeze.rule
    draft.add(CardOpened(by, round_.number, place, card, hand, rule, squeezer))


def _turn(draft: Draft, by: Actor) -> None:
    """Once no card can be dealt before others are opened, open what is known and nobody squeezes."""
    while draft.state.phase is Phase.OPENING:
        round_ = draft.round
        free = [
            (place, card)
            for place in round_.closed_places
            if (card := round_.at(place).card) is not None
            and place not in round_.squeezers
            and not (place == PLAYER_THIRD_PLACE and _waits_for_banker(round_))
        ]
        if not free:
            return
        _open(draft, by, *free[0])


def _with_waiting(state: State, round_: RoundInPlay, waiting: tuple[TableCard, ...]) -> State:
    """The state after cards were dealt or opened. Open cards leave `waiting` up to the first closed one."""
    closed = next((at for at, each in enumerate(waiting) if not each.is_open), len(waiting))
    cards = (*round_.cards, *[each.card for each in waiting[:closed] if each.card is not None])
    waiting = waiting[closed:]
    phase = phase_of(cards, len(waiting), waived=round_.waived)
    return state._replace(phase=phase, round=round_._replace(cards=cards, waiting=waiting))


def _opens_unseen_cards(state: State) -> bool:
    """True if the next card, or a closed one, is known to the table and was seen by nobody."""
    waiting = state.round.waiting if state.round else ()
    return state.knows_order or any(not each.is_open and each.card is not None for each in waiting)
