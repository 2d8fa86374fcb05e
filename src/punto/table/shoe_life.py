"""The life of a shoe beside its rounds: checked, shuffled, loaded, burned, cut, replaced and counted.

What is done with real cards is recorded by a command. A virtual shoe is made checked and shuffled, and its burn follows
from its order.
"""

from __future__ import annotations

from punto.rules.cards import DECK, Card, most_copied
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import ANY, Input, InputType, Way
from punto.table.dealing import cut_drawn
from punto.table.facts import DECK_COUNT
from punto.table.incidents import report
from punto.table.play import Draft, EventsOrRefusal, open_settings, shoe_in_play
from punto.table.refusals import (
    BurnNotDue,
    CardNotGiven,
    CountNotDue,
    CutCardKnown,
    NoCutCard,
    NotPermitted,
    ReasonMissing,
    ShoeInvalid,
    ShoeMissing,
    ShoeStays,
)
from punto.table.shoe_proof import burn_of
from punto.table.state import State, set_is_renewed

# ------------------------------------------------------------------------------------------- the device


def has_shuffler(state: State) -> bool:
    """Whether the table is dealt from an Electronic Card Shuffler."""
    return open_settings(state).device is Device.SHUFFLER


def full_set(state: State, by: c.Actor) -> e.ShoeLoaded:
    """The full set of a shuffler into which the cards of the last round went back, all but those it carries."""
    shoe = shoe_in_play(state)
    return e.ShoeLoaded(by, state.shoes + 1, shoe.size, None, None, checked=shoe.checked, shuffled=True)


# ------------------------------------------------------------------------------------------- before the shoe


def refuse_preparation(state: State) -> Refusal | None:
    """Why no cards are prepared for a new shoe: the current one stays in play."""
    shoe = state.shoe
    return ShoeStays(shoe.number) if shoe is not None and not state.shoe_is_over else None


def ways_to_check(state: State) -> tuple[Way, ...] | Refusal:
    """The input of a check: the number of cards, which must be that of the decks."""
    cards = open_settings(state).decks * len(DECK)
    code = "shoe-invalid"
    count = Input("count", InputType.NUMBER, missing=code, refused=code, minimum=cards, maximum=cards)
    return refuse_preparation(state) or (Way(inputs=(count,)),)


def check_decks(state: State, command: c.CheckDecks) -> EventsOrRefusal:
    """Record that the decks are complete. Decks that are not cannot be used."""
    if refusal := refuse_preparation(state):
        return refusal
    decks = open_settings(state).decks
    if command.count != decks * len(DECK):
        return ShoeInvalid(decks, command.count, rule=state.sheet.decks.rule)
    return (e.DecksChecked(command.by, command.count),)


def shuffle_cards(state: State, command: c.ShuffleCards) -> EventsOrRefusal:
    """Record that the cards were shuffled."""
    return refuse_preparation(state) or (e.CardsShuffled(command.by),)


# ------------------------------------------------------------------------------------------- loading


def ways_to_load(state: State) -> tuple[Way, ...] | Refusal:
    """The input to load a shoe, or why the current shoe stays. Carried cards leave the table with their shoe."""
    if state.shoe is not None and (not state.shoe_is_over or _drops_cards(state)):
        return ShoeStays(state.shoe.number, rule=_carried_rule(state))
    if has_shuffler(state):
        return ANY
    cards = open_settings(state).decks * len(DECK)
    cut = Input("cut", InputType.NUMBER, required=False, refused="shoe-invalid", minimum=0, maximum=cards)
    return (Way(inputs=(cut,)),)


def load_shoe(state: State, command: c.LoadShoe) -> EventsOrRefusal:
    """Load a shoe. A virtual one burns its first cards at once, where the table burns any."""
    if isinstance(ways := ways_to_load(state), Refusal):
        return ways
    if command.cut is not None and has_shuffler(state):
        return NoCutCard(rule=state.sheet.play.shuffler_rule)
    decks = open_settings(state).decks
    count = len(command.cards) or decks * len(DECK)
    copied = bool(command.cards) and most_copied(command.cards)[1] > decks
    if copied or (command.cut is not None and not 0 <= command.cut <= count):
        return ShoeInvalid(decks, count, rule=state.sheet.decks.rule if copied else None)
    virtual = bool(command.cards)
    loaded = e.ShoeLoaded(
        command.by,
        state.shoes + 1,
        count,
        command.cut,
        command.commitment,
        command.cards,
        command.salt,
        checked=virtual or state.decks_checked,
        shuffled=virtual or state.cards_shuffled or has_shuffler(state),
    )
    draft = Draft(state)
    draft.add(loaded)
    if virtual and burn_is_due(draft.state):
        draft.add(burned(draft.state, command.by, command.cards[0]))
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- the burn


def burn_is_due(state: State) -> bool:
    """Whether the first card of the shoe must be burned before a round begins."""
    shoe = state.shoe
    if shoe is None or open_settings(state).burn is c.Burn.NONE:
        return False
    return not shoe.drawn and not state.shoe_is_over


def burned(state: State, by: c.Actor, card: Card) -> e.CardsBurned:
    """The burn by a first card."""
    shoe = shoe_in_play(state)
    return e.CardsBurned(by, shoe.number, card, burn_of(card, shoe.left) - 1)


def ways_to_burn(state: State) -> tuple[Way, ...] | Refusal:
    """The input of a burn: the first card."""
    if not burn_is_due(state):
        return BurnNotDue()
    return (Way(inputs=(Input("card", InputType.CARD, missing="card-not-given"),)),)


def burn_cards(state: State, command: c.BurnCards) -> EventsOrRefusal:
    """Burn the first card of a shoe that is read card by card, and the unseen cards after it."""
    if not burn_is_due(state):
        return BurnNotDue()
    return CardNotGiven() if command.card is None else (burned(state, command.by, command.card),)


# ------------------------------------------------------------------------------------------- the cut card


def refuse_cut_card(state: State) -> Refusal | None:
    """Why the cut card cannot be reported now."""
    shoe = state.shoe
    if shoe is None or shoe.removed:
        return ShoeMissing()
    if has_shuffler(state):
        return NoCutCard(rule=state.sheet.play.shuffler_rule)
    return CutCardKnown() if shoe.cut is not None or shoe.last_round is not None else None


def report_cut_card(state: State, command: c.CutCard) -> EventsOrRefusal:
    """Record that the cut card came out."""
    return refuse_cut_card(state) or (cut_drawn(state, command.by),)


# ------------------------------------------------------------------------------------------- replacing


def refuse_replacement(state: State, by: c.Actor) -> Refusal | None:
    """Why someone cannot replace the shoe. During a round, only a ruling allows it.

    The sheet uses carried cards in the next round, so only the role that decides otherwise may discard them.
    """
    ruled, shoe = _may_be_replaced(state), state.shoe
    role, rule = ruled or (Role.DEALER, None)
    if _drops_cards(state):
        role, rule = state.sheet.authority.decides_otherwise, _carried_rule(state)
    if not by.may_act_as(role):
        return NotPermitted(role, rule=rule)
    if shoe is None or shoe.removed:
        return ShoeMissing()
    return ShoeStays(shoe.number) if state.round is not None and ruled is None else None


def replace_shoe(state: State, command: c.ReplaceShoe) -> EventsOrRefusal:
    """Take the shoe out of play."""
    if refusal := refuse_replacement(state, command.by):
        return refusal
    ruled = _may_be_replaced(state)
    rule = state.sheet.authority.otherwise_rule if _drops_cards(state) else ruled and ruled[1]
    if not command.reason.strip():
        return ReasonMissing(rule=rule)
    return (e.ShoeRemoved(command.by, shoe_in_play(state).number, rule, command.reason),)


def _drops_cards(state: State) -> bool:
    """Whether cards are carried to the next round, so that a new shoe would drop them."""
    goes_on = not state.shoe_is_over or set_is_renewed(state)
    return bool(state.shoe and state.shoe.carried) and state.round is None and goes_on


def _may_be_replaced(state: State) -> tuple[Role, str] | None:
    """The role that a ruling of this round, or of the open case between rounds, lets replace the shoe; and its rule."""
    if state.round is not None:
        return state.round.replace_shoe
    irregularity = state.sheet.irregularities.get(state.case.situation) if state.case else None
    new_shoe = irregularity.new_shoe if irregularity else None
    return (new_shoe.by, new_shoe.rule) if new_shoe and new_shoe.by else None


def _carried_rule(state: State) -> str | None:
    """The paragraph by which carried cards are used in the next round; None if there are none."""
    if state.shoe is None or not state.shoe.carried:
        return None
    reconstruct = (each.rule for each in state.sheet.irregularities.values() if each.ruling is Ruling.RECONSTRUCT)
    return next(reconstruct, state.sheet.authority.otherwise_rule)


# ------------------------------------------------------------------------------------------- the end count


def ways_to_count(state: State) -> tuple[Way, ...] | Refusal:
    """The input of the end count: the number of all cards of the shoe."""
    code = "shoe-invalid"
    count = Input("count", InputType.NUMBER, missing=code, refused=code, minimum=1)
    return _refuse_count(state) or (Way(inputs=(count,)),)


def _refuse_count(state: State) -> Refusal | None:
    shoe = state.shoe
    if shoe is None:
        return ShoeMissing()
    if not state.shoe_is_over:
        return ShoeStays(shoe.number)
    return CountNotDue() if shoe.counted or shoe.order else None


def count_shoe(state: State, command: c.CountShoe) -> EventsOrRefusal:
    """Record the end count. A count that disagrees is an incident of the current round; earlier rounds stand."""
    if refusal := _refuse_count(state):
        return refusal
    if (command.count or 0) < 1:  # whoever asks by the library may leave it out
        return ShoeInvalid(open_settings(state).decks, command.count or 0)
    draft, shoe = Draft(state), shoe_in_play(state)
    draft.add(e.ShoeCounted(command.by, shoe.number, shoe.size, command.count))
    if command.count != shoe.size:
        incident = report(draft.state, c.Report(command.by, DECK_COUNT))
        draft.add(*(() if isinstance(incident, Refusal) else incident))
    return tuple(draft.events)
