"""The proof that a shoe is the one that was committed to: from its published record, or record by record in an audit.

The commitment is SHA-256 over a salt and the order of the cards. In a record of a shoe that is over, every card that
came out must be the next of the order. The first burn takes as many as its first card counts. After it the rounds take
the cards in turn: those that each shows, then those that lay closed, or after a closed one, when it was void. A card
carried out of a round is the first of the next, or carried to one that never came. Whatever in a record cannot be true
together with the rest is named.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from punto.rules.cards import DECK, Card, parse_cards, write_cards
from punto.rules.reasons import DrawReason
from punto.rules.tableau import cards_in_round, draw_reason, next_hand
from punto.rules.words import counted
from punto.table.act import Event
from punto.table.acts.cards import CardDealt, CardOpened
from punto.table.acts.shoe import CardsBurned, ShoeLoaded, burn_of
from punto.table.rulings.reorder import CardsReordered
from punto.table.state import State

COMMITMENT_LABEL = b"punto shoe 1\n"
"""Keeps a commitment from being read as the hash of anything else, and its format from changing unseen."""
Explain = Callable[[DrawReason], str]
"""Says in words why the Table of Play gives the next card, or none."""


def commit(cards: Sequence[Card], salt: bytes) -> str:
    """The commitment to an order: hexadecimal SHA-256 over a label, the salt and the cards as they are written."""
    return hashlib.sha256(COMMITMENT_LABEL + salt + write_cards(cards).encode()).hexdigest()


def _commitment(cards: Sequence[Card], salt: str) -> str | None:
    """The commitment to an order under a salt as it is published; None if that is not hexadecimal."""
    try:
        return commit(cards, bytes.fromhex(salt))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of a shoe as it is published."""

    round: int
    cards: str
    void: bool


@dataclass(frozen=True, slots=True)
class PutAside:
    """A card that did not go to the round in which it came out: its place in the shoe, from 1, and the ruling."""

    place: int
    card: str
    round: int
    rule: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class OpenedShoe:
    """The published record of a shoe that is over. `dealt` is every card that came out, in order.

    `first_burn` is how many of them were burned before the first round, `carried` those that came out before their
    round, and `closed` those that a void round had from its first closed card on.
    """

    commitment: str
    salt: str
    order: str
    decks: int
    dealt: str
    rounds: tuple[PlayedRound, ...]
    carried: tuple[PutAside, ...] = ()
    closed: tuple[PutAside, ...] = ()
    first_burn: int = 0

    @property
    def left_over(self) -> tuple[PutAside, ...]:
        """The cards carried to a round that never came."""
        taken = {place for places in self.turns for place in places}
        return tuple([each for each in self.carried if each.place not in taken])

    @property
    def turns(self) -> tuple[tuple[int, ...], ...]:
        """The places of the cards of each round: those that wait, then the next that were not carried out of it."""
        carried, closed = (
            {each.place: each.round for each in self.carried},
            Counter([each.round for each in self.closed]),
        )
        turns, waiting, last = [], list[int](), self.first_burn
        for each in self.rounds:
            number = len(each.cards.split()) + closed[each.round]
            taken, waiting = waiting[:number], waiting[number:]
            while len(taken) < number:
                last += 1
                (waiting if carried.get(last) == each.round else taken).append(last)
            turns.append(tuple(taken))
        return tuple(turns)


def broken_commitment(shoe: OpenedShoe, explain: Explain, noted: str | None = None) -> str | None:
    """The part of the record that cannot be true together with the rest, or None if all of it fits.

    `noted` is the commitment as somebody noted it before the first bet: what the record says of it is the house's.
    Raises Refused for cards that cannot be read.
    """
    if noted is not None and shoe.commitment.lower() != noted.lower():
        return f"the commitment in the record, {shoe.commitment}, is not the one noted before the first bet, {noted}"
    broken = check_opened(shoe.commitment, shoe.salt, shoe.order, shoe.decks, shoe.dealt)
    if broken:
        return broken
    dealt = parse_cards(shoe.dealt)
    return (
        _no_first_burn(shoe.first_burn, dealt, len(parse_cards(shoe.order)))
        or _not_put_aside(shoe, dealt)
        or _not_in_turn(shoe, dealt, explain)
        or _not_in_time(shoe, dealt)
    )


def _no_first_burn(said: int, dealt: Sequence[Card], count: int) -> str | None:
    """The first burn must take as many cards as the first one counts."""
    right = burn_of(dealt[0], count) if dealt else said
    if not said or 0 < said == right <= len(dealt):
        return None
    instead = f"the first card makes it {right}" if said != right else f"{counted(len(dealt), 'card')} came out"
    return f"the first burn is said to take {counted(said, 'card')}, and {instead}"


def _not_put_aside(shoe: OpenedShoe, dealt: Sequence[Card]) -> str | None:
    """Cards that are said to be put aside must have come out, each once and for a reason."""
    aside = dict.fromkeys(range(1, shoe.first_burn + 1), "burned before the first round")
    void = {each.round for each in shoe.rounds if each.void}
    for what, cards in (("closed", shoe.closed), ("carried", shoe.carried)):
        before = 0
        for each in cards:
            place, said = each.place, f"card {each.place} is said to be {what}"
            if not 1 <= place <= len(dealt):
                return f"{said}, and {counted(len(dealt), 'card')} came out"
            if place <= before:
                return f"{said} out of order, or twice"
            if place in aside:
                return f"{said}, and {aside[place]} too"
            if each.card != dealt[place - 1].text:
                return f"{said} as {each.card}, and came out as {dealt[place - 1]}"
            if not (each.rule or "").strip() and not each.reason.strip():
                return f"{said}, and neither a paragraph nor a reason is given"
            if what == "closed" and each.round not in void:
                return f"{said} in round {each.round}, which was not void"
            before, aside[place] = place, what
    return None


def _not_in_turn(shoe: OpenedShoe, dealt: Sequence[Card], explain: Explain) -> str | None:
    """Rounds must follow each other and take the cards in turn: those that each shows, then its closed ones."""
    for at, (each, places) in enumerate(zip(shoe.rounds, shoe.turns, strict=True)):
        if at and each.round != shoe.rounds[at - 1].round + 1:
            return f"round {each.round} follows round {shoe.rounds[at - 1].round}: what lies between is not shown"
        shown, closed = parse_cards(each.cards), [aside for aside in shoe.closed if aside.round == each.round]
        cards = (*shown, *[dealt[aside.place - 1] for aside in closed])
        if broken := _not_by_the_table(each, cards, explain):
            return broken
        for place, card in zip(places, shown, strict=False):
            if place > len(dealt):
                return f"round {each.round} shows {card}, and no card came out there"
            if dealt[place - 1] is not card:
                return f"round {each.round} shows {card}, and card {place} came out there, {dealt[place - 1]}"
        for place, aside in zip(places[len(shown) :], closed, strict=True):
            if aside.place != place:
                return f"card {aside.place} is said to be closed in round {each.round}, and card {place} came out there"
    return None


def _not_by_the_table(round_: PlayedRound, cards: Sequence[Card], explain: Explain) -> str | None:
    """A round must have no more cards than the Table of Play gives it, and all of them unless it is void."""
    taken = cards_in_round(cards)
    why = explain(draw_reason(cards[:taken]))
    if taken < len(cards):
        return f"round {round_.round} shows {len(cards)} cards, and was complete after {taken}: {why}"
    if not round_.void and next_hand(cards) is not None:
        return f"round {round_.round} is said to be settled with {counted(len(cards), 'card')}: {why}"
    return None


def _not_in_time(shoe: OpenedShoe, dealt: Sequence[Card]) -> str | None:
    """No card may come out before its time, and each that no round took must be carried to one that never came."""
    carried = {each.place: each.round for each in shoe.carried}
    takes = {place: each.round for each, places in zip(shoe.rounds, shoe.turns, strict=True) for place in places}
    first, last = (shoe.rounds[0].round, shoe.rounds[-1].round) if shoe.rounds else (1, None)
    now = first - 1
    for place, card in enumerate(dealt[shoe.first_burn :], 1 + shoe.first_burn):
        number = takes.get(place)
        came = carried.get(place, number)
        if came is None:
            return f"card {place}, {card}, came out, and no round shows it"
        if number is not None and came > number:
            return f"card {place} is said to have come out in round {came}, and round {number} shows it"
        if came < now or (last is not None and came > last):
            return f"card {place} is said to have come out in round {came}, which it cannot: round {now} was on"
        now = came
    return None


def check_opened(commitment: str, salt: str, order: str, decks: int, dealt: str = "") -> str | None:
    """The reason why an opened shoe is not the one committed to, or None if it is: from what was published alone.

    `dealt` is every card seen from this shoe, in order; it must be the start of the opened order. Raises Refused
    for cards that cannot be read.
    """
    cards, seen = parse_cards(order), parse_cards(dealt)
    if (committed := _commitment(cards, salt)) is None:
        return "the salt is not hexadecimal"
    if sorted(map(str, cards)) != sorted(map(str, DECK * decks)):
        return f"the order is not the cards of {counted(decks, 'deck')}"
    if committed != commitment.lower():
        return "the commitment is not that of this salt and order"
    for place, (card, expected) in enumerate(zip(seen, cards, strict=False), 1):
        if card is not expected:
            return f"card {place} was dealt as {card}, the order has {expected}"
    if len(seen) > len(cards):
        return f"{len(seen)} cards were dealt from a shoe of {len(cards)}"
    return None


def broken_by_event(state: State, event: Event) -> str | None:
    """The reason why an opened shoe breaks the commitment, or a card its order; None if all fits."""
    match event:
        case ShoeLoaded(salt=str(salt)) if _commitment(event.cards, salt) != (event.commitment or ""):
            return "the shoe is not the one that was promised"
        case CardsBurned() if state.shoe and state.shoe.order:
            order, drawn = state.shoe.order, state.shoe.drawn
            if drawn or order[0] != event.card or event.unseen + 1 != burn_of(event.card, len(order)):
                return f"{event.card} with {counted(event.unseen, 'card')} is not the burn of its shoe"
        case CardOpened() if state.shoe and state.shoe.order and state.round:
            if event.place not in state.round.closed_places or event.card != state.round.at(event.place).card:
                return f"{event.card} is not the card that was dealt closed"
        case CardDealt(carried=False) if state.shoe and state.shoe.order:
            order, drawn = state.shoe.order, state.shoe.drawn
            closed = event.closed and event.card is None
            if drawn >= len(order) or not (closed or order[drawn] == event.card):
                return f"{event.card or 'a card without a value'} is not the next card of its shoe"
        case CardsReordered() if state.shoe and state.shoe.order:
            known, now = state.known_cards, (*event.after, *event.carried, *event.kept[len(state.shoe.kept) :])
            if now != (*known, *state.shoe.order[state.shoe.drawn :][: len(now) - len(known)]):
                return f"{write_cards(now)} is not what left its shoe"
    return None
