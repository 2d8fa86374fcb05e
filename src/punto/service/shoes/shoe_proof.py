"""Whether a shoe that was opened is the one that was committed to: from its published record alone, and without a gap.

Every card that came out must be the next of the order and be accounted for: shown by a round in its turn, or put aside
under a ruling. A card put aside is burned, so that nobody gets it, or carried to a later round. Whatever in a record
cannot be true together with the rest is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from punto.protocol.views import PlayedRound, PutAside
from punto.rules.cards import Card, parse_cards
from punto.rules.refusals import RefusedError
from punto.rules.tableau import cards_in_round, draw_reason, next_hand
from punto.rules.words import counted
from punto.service.shoes.shuffle import check_opened
from punto.texts import say, text


@dataclass(frozen=True, slots=True)
class OpenedShoe:
    """The published record of a shoe that is over. `dealt` is every card that came out, in order."""

    commitment: str
    salt: str
    order: str
    decks: int
    dealt: str
    rounds: tuple[PlayedRound, ...]
    burned: tuple[PutAside, ...] = ()
    carried: tuple[PutAside, ...] = ()

    @property
    def left_over(self) -> tuple[PutAside, ...]:
        """The cards carried to a round that never came: the last of those that were not burned."""
        shown = sum([len(each.cards.split()) for each in self.rounds])
        rest = len(self.dealt.split()) - len(self.burned) - shown
        return self.carried[len(self.carried) - rest :]


def broken_commitment(shoe: OpenedShoe, noted: str | None = None) -> str | None:
    """What in the record cannot be true together with the rest, or None if all of it fits.

    `noted` is the commitment as somebody noted it before the first bet: what the record says of it is the house's.
    """
    if noted is not None and shoe.commitment.lower() != noted.lower():
        return f"the commitment in the record, {shoe.commitment}, is not the one noted before the first bet, {noted}"
    broken = check_opened(shoe.commitment, shoe.salt, shoe.order, shoe.decks, shoe.dealt)
    if broken:
        return broken
    dealt = parse_cards(shoe.dealt)
    try:
        rounds = [parse_cards(each.cards) for each in shoe.rounds]
    except RefusedError as error:
        return say(error.refusal)
    return (
        _not_put_aside(shoe.burned, dealt, "burned")
        or _not_put_aside(shoe.carried, dealt, "carried")
        or _no_rounds(shoe.rounds, rounds)
        or _gap(shoe, dealt, rounds)
    )


def _not_put_aside(said: Sequence[PutAside], dealt: Sequence[Card], what: str) -> str | None:
    """Cards that are said to be put aside must have come out, each once and for a reason."""
    before = 0
    for each in said:
        if not 1 <= each.place <= len(dealt):
            return f"card {each.place} is said to be {what}, and {counted(len(dealt), 'card')} came out"
        if each.place <= before:
            return f"card {each.place} is said to be {what} out of order, or twice"
        if each.card != dealt[each.place - 1].text:
            return f"card {each.place} is said to be {what} as {each.card}, and came out as {dealt[each.place - 1]}"
        if not (each.rule or "").strip() and not each.reason.strip():
            return f"card {each.place} is said to be {what}, and neither a paragraph nor a reason is given"
        before = each.place
    return None


def _no_rounds(said: Sequence[PlayedRound], rounds: Sequence[Sequence[Card]]) -> str | None:
    """Rounds must follow each other, with the cards that the Table of Play gives them: all of them unless void."""
    for place, (each, cards) in enumerate(zip(said, rounds, strict=True)):
        if place and each.round != said[place - 1].round + 1:
            return f"round {each.round} follows round {said[place - 1].round}: what lies between is not shown"
        taken = cards_in_round(cards)
        if taken < len(cards):
            return (
                f"round {each.round} shows {len(cards)} cards, and was complete after {taken}: {_reason(cards[:taken])}"
            )
        if not each.void and next_hand(cards) is not None:
            return f"round {each.round} is said to be settled with {counted(len(cards), 'card')}: {_reason(cards)}"
    return None


def _gap(shoe: OpenedShoe, dealt: Sequence[Card], rounds: Sequence[Sequence[Card]]) -> str | None:
    """Card by card: the rounds take what was not burned, in turn, and no card came out before its time."""
    burned = {each.place: each.round for each in shoe.burned}
    carried = {each.place: each.round for each in shoe.carried}
    shown = [(each.round, card) for each, cards in zip(shoe.rounds, rounds, strict=True) for card in cards]
    first, last = (shoe.rounds[0].round - 1, shoe.rounds[-1].round) if shoe.rounds else (0, None)
    at, now = 0, first
    for place, card in enumerate(dealt, 1):
        came = burned.get(place, carried.get(place))
        if place in burned:
            if place in carried:
                return f"card {place} is said to be burned, and carried too"
        elif at < len(shown):
            number, said = shown[at]
            if said is not card:
                return f"round {number} shows {said}, and card {place} came out there, {card}"
            if came is not None and came > number:
                return f"card {place} is said to have come out in round {came}, and round {number} shows it"
            came = number if came is None else came
            at += 1
        elif came is None:
            return f"card {place}, {card}, came out, and no round shows it"
        if came is None or came < now or (last is not None and came > last):
            return f"card {place} is said to have come out in round {came}, which it cannot: round {now} was on"
        now = came
    if at < len(shown):
        number, said = shown[at]
        return f"round {number} shows {said}, and no card came out there"
    return None


def _reason(cards: Sequence[Card]) -> str:
    reason = draw_reason(cards)
    return text("guidance", reason.code, **{name: value for name, value in asdict(reason).items() if value is not None})
