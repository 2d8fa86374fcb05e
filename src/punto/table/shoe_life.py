"""The life of a shoe beside its rounds: decks checked, cards shuffled and burned, the set of a shuffler, the end count.

What is done with real cards is recorded by a command. A virtual shoe is made checked and shuffled, and its burn follows
from its order.
"""

from __future__ import annotations

from punto.rules.cards import DECK, Card
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.facts import DECK_COUNT
from punto.table.incidents import report
from punto.table.play import Draft, EventsOrRefusal, open_settings, shoe_in_play
from punto.table.refusals import BurnNotDue, CardNotGiven, CountNotDue, ShoeInvalid, ShoeMissing, ShoeStays
from punto.table.state import State

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


# ------------------------------------------------------------------------------------------- the burn


def burn_is_due(state: State) -> bool:
    """Whether the first card of the shoe must be burned before a round begins."""
    shoe = state.shoe
    if shoe is None or open_settings(state).burn is c.Burn.NONE:
        return False
    return not shoe.drawn and not state.shoe_is_over


def burned(state: State, by: c.Actor, card: Card) -> e.CardsBurned:
    """The burn by a first card: an ace counts 1, a ten or a picture 10."""
    shoe = shoe_in_play(state)
    return e.CardsBurned(by, shoe.number, card, min(card.points or 10, shoe.left - 1))


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
    if (command.count or 0) < 1:
        return ShoeInvalid(open_settings(state).decks, command.count or 0)
    draft, shoe = Draft(state), shoe_in_play(state)
    draft.add(e.ShoeCounted(command.by, shoe.number, shoe.size, command.count))
    if command.count != shoe.size:
        incident = report(draft.state, c.Report(command.by, DECK_COUNT))
        draft.add(*(() if isinstance(incident, Refusal) else incident))
    return tuple(draft.events)
