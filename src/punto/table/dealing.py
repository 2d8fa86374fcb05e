"""Dealing and opening cards. A card is dealt open, or dealt closed and opened later.

At a face-down table cards are dealt closed. With the fourth card, and with each third card, the closed cards whose
values the table knows and that nobody squeezes are opened at once. The others wait: for the patron who has the squeeze,
or for the Dealer, who may open every card and names it where its value is not known.
"""

from __future__ import annotations

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.rules.tableau import (
    BANKER_THIRD_PLACE,
    INITIAL_CARDS,
    INITIAL_ORDER,
    PLAYER_THIRD_PLACE,
    banker_always_draws,
    next_hand,
)
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.card_order import refuse_copies
from punto.table.facts import MISREAD_CARD
from punto.table.incidents import open_case
from punto.table.insuring import forgoing_patrons
from punto.table.phases import Phase
from punto.table.play import Draft, EventsOrRefusal, announce, open_round, open_settings, shoe_in_play
from punto.table.refusals import (
    CardKnown,
    CardNotClosed,
    CardNotGiven,
    CardNotNext,
    CardStaysClosed,
    NotPermitted,
    PlaceNotDue,
    ReadingRepeated,
    ShoeEmpty,
    SqueezeNotGranted,
)
from punto.table.state import RoundInPlay, Shoe, State

# ------------------------------------------------------------------------------------------- dealing


def ways_to_deal(state: State) -> tuple[Way, ...] | Refusal:
    """The place of the next card, and its input: the card that was read, optional where it is known or dealt closed."""
    shoe, place = shoe_in_play(state), open_round(state).dealt + 1
    if not shoe.left:
        return ShoeEmpty()
    if shoe.carried or shoe.order:
        known = Input("card", InputType.CARD, required=False, refused="card-not-next")
        return (Way(place=place, inputs=(known,)),)
    minimum = None if shoe.reading is None else shoe.reading + 1
    reading = Input("reading", InputType.NUMBER, required=False, refused="reading-repeated", minimum=minimum)
    card = _card_input(state, required=not _may_be_unnamed(state))
    return (Way(place=place, inputs=(card, reading)),)


def _card_input(state: State, *, required: bool = True) -> Input:
    """The input that names a card of a shoe that is read card by card."""
    decks = open_settings(state).decks
    gone = tuple([card for card, copies in shoe_in_play(state).seen.items() if copies >= decks])
    return Input(
        "card", InputType.CARD, required=required, missing="card-not-given", refused="card-copies", excluded=gone
    )


def _may_be_unnamed(state: State) -> bool:
    """Whether the next card of a shoe that is read card by card may be dealt without its value."""
    settings = open_settings(state)
    return settings.face_down and settings.live


def deal(state: State, command: c.Deal) -> EventsOrRefusal:
    """Deal the next card, with the cut card before it if that is its place, and announce what follows."""
    shoe, round_, by = shoe_in_play(state), open_round(state), command.by
    if command.place is not None and command.place != round_.dealt + 1:
        return PlaceNotDue(command.place, round_.dealt + 1)
    if (gap := _gap(state, command)) is not None:
        return gap
    if isinstance(ways := ways_to_deal(state), Refusal):
        return ways
    carried = bool(shoe.carried)
    card = shoe.carried[0] if carried else shoe.order[shoe.drawn] if shoe.order else command.card
    if card is None and not _may_be_unnamed(state):
        return CardNotGiven()
    if command.card is not None and command.card != card:
        return CardNotNext(command.card)
    if card is not None and not (carried or shoe.order) and (refusal := _refuse_copies(state, card)):
        return refusal
    draft = Draft(state)
    if shoe.cut is not None and shoe.last_round is None and not carried and shoe.drawn >= shoe.cut:
        draft.add(cut_drawn(state, by))
    hand, place = _next_hand(round_), round_.dealt + 1
    insurance = state.sheet.insurance
    if hand is Hand.PLAYER and insurance and (patrons := forgoing_patrons(state)):
        draft.add(e.InsuranceForgone(by, round_.number, patrons, insurance.forgone_rule or ""))
    play = state.sheet.play
    rule = play.initial_cards_rule if state.phase is Phase.INITIAL_CARDS else play.table_of_play_rule
    closed = _is_dealt_closed(state, command, place)
    # The order of a shoe tells the card, so that the event of a closed one need not.
    named = None if closed and shoe.order else card
    face_down = open_settings(state).face_down
    draft.add(
        e.CardDealt(
            by, round_.number, shoe.number, place, named, hand, rule, face_down, carried, command.reading, closed
        )
    )
    _turn(draft, by)
    announce(draft, by)
    return tuple(draft.events)


def _next_hand(round_: RoundInPlay) -> Hand:
    """The hand that gets the next card. Closed cards never decide it."""
    if round_.dealt < INITIAL_CARDS:
        return INITIAL_ORDER[round_.dealt]
    hand = Hand.BANKER if round_.waiting else next_hand(round_.cards)
    assert hand is not None  # noqa: S101 — a complete round is in another phase
    return hand


def _is_dealt_closed(state: State, command: c.Deal, place: int) -> bool:
    """Whether the next card is dealt closed.

    A carried card is known to everyone. A card that the Dealer of a live table names while dealing lies open, unless
    someone squeezes it or it must stay closed. A reading of an electronic shoe shows nobody the card.
    """
    settings, shoe, round_ = open_settings(state), shoe_in_play(state), open_round(state)
    if not settings.face_down or shoe.carried:
        return False
    named = settings.live and not shoe.order and command.card is not None and command.reading is None
    return not named or place in round_.squeezers or (place == PLAYER_THIRD_PLACE and _banker_is_first(round_))


def _banker_is_first(round_: RoundInPlay) -> bool:
    """Whether Banker's third card comes and is opened before Player's third is."""
    return round_.waived and banker_always_draws(round_.cards)


def _refuse_copies(state: State, card: Card) -> Refusal | None:
    """Why a card cannot have come, given the open cards of the shoe and the values of the closed ones."""
    closed = [each.card for each in open_round(state).waiting if not each.is_open and each.card is not None]
    return refuse_copies(state, (card, *closed), ())


def cut_drawn(state: State, by: c.Actor) -> e.CutCardDrawn:
    """Before a round's first card, the cut card makes that round the last of the shoe; later, the next round."""
    first = state.round is not None and not state.round.dealt
    return e.CutCardDrawn(by, shoe_in_play(state).number, state.rounds if first else state.rounds + 1)


# ------------------------------------------------------------------------------------------- readings


def refuse_repeat(state: State, command: c.Deal) -> Refusal | None:
    """Refuse a reading that repeats, in any phase."""
    last = _last_reading(state.shoe)
    if last is None or command.reading is None or command.reading > last or state.phase is Phase.NOT_OPEN:
        return None
    return ReadingRepeated(command.reading) if command.by.may_act_as(Role.DEALER) else None


def _last_reading(shoe: Shoe | None) -> int | None:
    """The last reading of the shoe, if it counts readings."""
    return None if shoe is None or shoe.order else shoe.reading


def _gap(state: State, command: c.Deal) -> EventsOrRefusal | None:
    """If a reading was lost, hold the round until someone with authority corrects the cards."""
    last = _last_reading(state.shoe)
    if last is None or command.reading is None or command.reading == last + 1 or shoe_in_play(state).carried:
        return None
    draft, expected = Draft(state), last + 1
    open_case(draft, command.by, MISREAD_CARD, c.NO_FACTS)
    to, got = Role.PIT_SUPERVISOR, command.reading
    card = None if open_settings(state).face_down else command.card  # nobody has seen a closed card
    draft.add(e.CorrectionAsked(command.by, draft.case.number, to, expected, got, card))
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- opening


def ways_to_open_card(state: State, by: c.Actor) -> tuple[Way, ...] | Refusal:
    """The closed cards that someone may open, with the input that names one of unknown value."""
    round_ = open_round(state)
    if by.role is None and (refusal := _refuse_patron(state, by, None)):
        return refusal
    ways = []
    for place in round_.closed_places:
        if by.role is None and round_.squeezers.get(place) != by.person:
            continue
        inputs = () if round_.at(place).card else (_card_input(state),)
        ways.append(Way(place=place, inputs=inputs, refusal=_refuse_place(state, by, place)))
    return tuple(ways) or CardNotClosed(None)


def _refuse_place(state: State, by: c.Actor, place: int) -> Refusal | None:
    """Why someone cannot open the card at a place."""
    round_, insurance = open_round(state), state.sheet.insurance
    if by.role is None and (refusal := _refuse_patron(state, by, place)):
        return refusal
    if place not in round_.closed_places:
        return CardNotClosed(place)
    if place == PLAYER_THIRD_PLACE and _waits_for_banker(round_):
        return CardStaysClosed(place, rule=insurance.waiver_rule if insurance else None)
    return None


def _refuse_patron(state: State, by: c.Actor, place: int | None) -> Refusal | None:
    """Why a patron cannot open the card at a place or, without one, any closed card."""
    round_, squeeze = open_round(state), state.sheet.play.squeeze
    rule = squeeze.rule if squeeze else None
    if open_settings(state).live:
        return NotPermitted(Role.DEALER, rule=rule)  # the patron opens the card itself, and the Dealer names it
    own = [each for each in round_.closed_places if round_.squeezers.get(each) == by.person]
    return None if own and place in (None, *own) else SqueezeNotGranted(place, rule=rule)


def _waits_for_banker(round_: RoundInPlay) -> bool:
    """Whether Banker's third card is not open yet and must be opened before Player's."""
    if not _banker_is_first(round_):
        return False
    return round_.dealt < BANKER_THIRD_PLACE or BANKER_THIRD_PLACE in round_.closed_places


def open_card(state: State, command: c.OpenCard) -> EventsOrRefusal:
    """Open a closed card, then those that waited for it alone, and announce what follows."""
    if refusal := _refuse_place(state, command.by, command.place):
        return refusal
    known = open_round(state).at(command.place).card
    if known is not None and command.card is not None:
        return CardKnown(command.place)  # an answer to a guess would tell something about the card
    card = known or command.card
    if card is None:
        return CardNotGiven()
    if known is None and (refusal := _refuse_copies(state, card)):
        return refusal
    draft = Draft(state)
    _open(draft, command.by, command.place, card)
    _turn(draft, command.by)
    announce(draft, command.by)
    return tuple(draft.events)


def _open(draft: Draft, by: c.Actor, place: int, card: Card) -> None:
    round_, play = draft.round, draft.state.sheet.play
    squeezer = round_.squeezers.get(place)
    hand = INITIAL_ORDER[place - 1] if place <= INITIAL_CARDS else _third_hand(round_, place)
    rule = play.initial_cards_rule if place <= INITIAL_CARDS else play.table_of_play_rule
    if squeezer is not None and play.squeeze is not None:
        rule = play.squeeze.rule
    draft.add(e.CardOpened(by, round_.number, place, card, hand, rule, squeezer))


def _third_hand(round_: RoundInPlay, place: int) -> Hand:
    hand = Hand.BANKER if place == BANKER_THIRD_PLACE else next_hand(round_.cards)
    assert hand is not None  # noqa: S101 — the card was dealt to a hand
    return hand


def _turn(draft: Draft, by: c.Actor) -> None:
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
