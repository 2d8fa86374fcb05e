"""The life of a shoe beside its rounds: checked, shuffled, loaded, burned, cut and replaced.

What is done with real cards is recorded by a command. A virtual shoe is made checked and shuffled, and its burn follows
from its order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from punto.rules.cards import DECK, Card, most_copied
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Role, Ruling
from punto.table import refusals as r
from punto.table.act import Command, Event, Secret, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import DEALING, OPEN, Phase
from punto.table.state import Shoe, State, with_copy
from punto.table.values import Burn
from punto.table.ways import REASON, Input, InputType


def has_shuffler(state: State) -> bool:
    """True if the table is dealt from an Electronic Card Shuffler."""
    return state.open_settings.device is Device.SHUFFLER


@event(money=False)
class DecksChecked(Event):
    """The decks for the next shoe were checked and are complete."""

    count: int

    def apply(self, state: State) -> State:
        return state._replace(decks_checked=True)


@act(by=Role.DEALER, during={Phase.BETWEEN_ROUNDS}, of_automat=True)
class CheckDecks(Command):
    """Record that the decks for the next shoe were checked, with the number of cards found."""

    count: int

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return _refuse_preparation(state)

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        cards = state.open_settings.decks * len(DECK)
        return (Input("count", InputType.NUMBER, True, r.ShoeInvalid, r.ShoeInvalid, minimum=cards, maximum=cards),)

    def decide(self, state: State) -> Draft | Refusal:
        """Record that the decks are complete. Decks that are not cannot be used."""
        decks = state.open_settings.decks
        if self.count != decks * len(DECK):
            return r.ShoeInvalid(decks, self.count, rule=state.sheet.decks.rule)
        return Draft(state, DecksChecked(self.by, self.count))


@event(money=False)
class CardsShuffled(Event):
    """The cards for the next shoe were shuffled."""

    def apply(self, state: State) -> State:
        return state._replace(cards_shuffled=True)


@act(by=Role.DEALER, during={Phase.BETWEEN_ROUNDS}, of_automat=True)
class ShuffleCards(Command):
    """Record that the cards for the next shoe were shuffled."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return _refuse_preparation(state)

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, CardsShuffled(self.by))


def _refuse_preparation(state: State) -> Refusal | None:
    """The reason why no cards are prepared for a new shoe: the current one stays in play."""
    shoe = state.shoe
    return r.ShoeStays(shoe.number) if shoe is not None and not state.shoe_is_over else None


@event(money=False)
class ShoeLoaded(Event):
    """A shoe was loaded. Its order and the salt of its commitment, if given, are for the log alone (see `public`).

    `checked` and `shuffled` say what was recorded of its cards before. A virtual shoe is made checked and shuffled.
    """

    shoe: int
    count: int
    cut: int | None
    commitment: str | None
    cards: Secret[tuple[Card, ...]] = ()
    salt: Secret[str | None] = None
    checked: bool = False
    shuffled: bool = False

    def apply(self, state: State) -> State:
        shoe = Shoe(self.shoe, self.count, self.cards, self.cut, self.commitment)
        shoe = shoe._replace(checked=self.checked, shuffled=self.shuffled)
        carried = state.shoe.carried if state.shoe is not None and state.set_is_renewed else ()
        if carried and not self.cards:
            # A card that waits for the next round did not go back into the shuffler: the set comes without it.
            shoe = shoe._replace(carried=carried, drawn=len(carried), seen=dict(Counter(carried)))
        return state._replace(shoe=shoe, shoes=self.shoe, decks_checked=False, cards_shuffled=False)

    def public(self) -> Event:
        return replace(self, cards=(), salt=None)


@act(by=Role.DEALER, during={Phase.BETWEEN_ROUNDS}, of_automat=True)
class LoadShoe(Command):
    """Load a shoe. A virtual shoe comes with its order in `cards`; otherwise cards are read one at a time.

    `cut` is the number of cards before the cut card. It is None where that is not known; the Dealer then reports the
    cut card. `commitment` is the hash of the order, if the caller made one.
    """

    cards: tuple[Card, ...] = ()
    cut: int | None = None
    commitment: str | None = None
    salt: str | None = None

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        """The current shoe stays. Carried cards leave the table with their shoe."""
        if state.shoe is not None and (not state.shoe_is_over or _drops_cards(state)):
            return r.ShoeStays(state.shoe.number, rule=_carried_rule(state))
        return None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        cards = state.open_settings.decks * len(DECK)
        cut = Input("cut", InputType.NUMBER, required=False, refused=r.ShoeInvalid, minimum=0, maximum=cards)
        return () if has_shuffler(state) else (cut,)

    def decide(self, state: State) -> Draft | Refusal:
        """Load a shoe. A virtual one burns its first cards at once, where the table burns any."""
        if self.cut is not None and has_shuffler(state):
            return r.NoCutCard(rule=state.sheet.play.shuffler_rule)
        decks = state.open_settings.decks
        count = len(self.cards) or decks * len(DECK)
        copied = bool(self.cards) and most_copied(self.cards)[1] > decks
        if copied or (self.cut is not None and not 0 <= self.cut <= count):
            return r.ShoeInvalid(decks, count, rule=state.sheet.decks.rule if copied else None)
        virtual = bool(self.cards)
        loaded = ShoeLoaded(
            self.by,
            state.shoes + 1,
            count,
            self.cut,
            self.commitment,
            self.cards,
            self.salt,
            checked=virtual or state.decks_checked,
            shuffled=virtual or state.cards_shuffled or has_shuffler(state),
        )
        draft = Draft(state)
        remove_carried(draft, self.by)
        draft.add(loaded)
        if virtual and burn_is_due(draft.state):
            draft.add(burned(draft.state, self.by, self.cards[0]))
        return draft


@event(money=False)
class CardsBurned(Event):
    """The first card of a shoe was shown and burned, with as many unseen cards as it counts."""

    shoe: int
    card: Card
    unseen: int

    def apply(self, state: State) -> State:
        shoe, burned = state.shoe_in_play, 1 + self.unseen
        shoe = shoe._replace(drawn=shoe.drawn + burned, burned=burned, seen=with_copy(shoe.seen, self.card))
        return state._replace(shoe=shoe)


@act(by=Role.DEALER, during={Phase.BETWEEN_ROUNDS}, of_automat=True)
class BurnCards(Command):
    """Burn the first card of a new shoe, which is named, and as many unseen cards as it counts."""

    card: Card | None = None

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return None if burn_is_due(state) else r.BurnNotDue()

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        return (Input("card", InputType.CARD, missing=r.CardNotGiven),)

    def decide(self, state: State) -> Draft | Refusal:
        return r.CardNotGiven() if self.card is None else Draft(state, burned(state, self.by, self.card))


def burn_is_due(state: State) -> bool:
    """True if the first card of the shoe must be burned before a round begins."""
    shoe = state.shoe
    if shoe is None or state.open_settings.burn is Burn.NONE:
        return False
    return not shoe.drawn and not state.shoe_is_over


def burn_of(first: Card, count: int) -> int:
    """The number of cards burned with a shoe's first: an ace counts 1, a ten or a picture 10."""
    return 1 + min(first.points or 10, count - 1)


def burned(state: State, by: Actor, card: Card) -> CardsBurned:
    """The burn by a first card."""
    shoe = state.shoe_in_play
    return CardsBurned(by, shoe.number, card, burn_of(card, shoe.left) - 1)


@event(money=False)
class CutCardDrawn(Event):
    """The cut card came out. `last_round` is the number of the shoe's last round."""

    shoe: int
    last_round: int

    def apply(self, state: State) -> State:
        return state._replace(shoe=state.shoe_in_play._replace(last_round=self.last_round))


@act(by=Role.DEALER, during=DEALING | {Phase.BETWEEN_ROUNDS, Phase.OPENING}, of_automat=True)
class CutCard(Command):
    """Report that the cut card came out of a shoe that is read one card at a time."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        shoe = state.shoe
        if shoe is None or shoe.removed:
            return r.ShoeMissing()
        if has_shuffler(state):
            return r.NoCutCard(rule=state.sheet.play.shuffler_rule)
        return r.CutCardKnown() if shoe.cut is not None or shoe.last_round is not None else None

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, cut_drawn(state, self.by))


def cut_drawn(state: State, by: Actor) -> CutCardDrawn:
    """Before a round's first card, the cut card makes that round the last of the shoe; later, the next round."""
    first = state.round is not None and not state.round.dealt
    return CutCardDrawn(by, state.shoe_in_play.number, state.rounds if first else state.rounds + 1)


@event(money=False, significant="override")
class ShoeRemoved(Event):
    """The shoe leaves play when the round ends. The next round needs a new one."""

    shoe: int
    rule: str | None
    reason: StaffOnly[str]

    def apply(self, state: State) -> State:
        return state._replace(shoe=state.shoe_in_play._replace(removed=True))


@act(by=Role.DEALER, during=OPEN - {Phase.BETTING})
class ReplaceShoe(Command):
    """Take the shoe out of play: at the end of this round, or now if no round is in progress."""

    reason: str

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        """During a round, only a ruling allows it.

        The sheet uses carried cards in the next round, so only the role that decides otherwise may discard them.
        """
        ruled, shoe = _may_be_replaced(state), state.shoe
        role, rule = ruled or (Role.DEALER, None)
        if _drops_cards(state):
            role, rule = state.sheet.authority.decides_otherwise, _carried_rule(state)
        if not by.may_act_as(role):
            return r.NotPermitted(role, rule=rule)
        if shoe is None or shoe.removed:
            return r.ShoeMissing()
        return r.ShoeStays(shoe.number) if state.round is not None and ruled is None else None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        return (REASON,)

    def decide(self, state: State) -> Draft | Refusal:
        ruled = _may_be_replaced(state)
        rule = state.sheet.authority.otherwise_rule if _drops_cards(state) else ruled and ruled[1]
        if not self.reason.strip():
            return r.ReasonMissing(rule=rule)
        draft = Draft(state, ShoeRemoved(self.by, state.shoe_in_play.number, rule, self.reason))
        remove_carried(draft, self.by)
        return draft


@event(money=False)
class CardsRemoved(Event):
    """Carried cards left the table unused with their shoe, which is over."""

    shoe: int
    cards: tuple[Card, ...]

    def apply(self, state: State) -> State:
        return state._replace(shoe=state.shoe_in_play._replace(carried=()))


def remove_carried(draft: Draft, by: Actor) -> None:
    """Between rounds, record the carried cards that the end of their shoe takes away. A shuffler takes them back."""
    state, shoe = draft.state, draft.state.shoe
    if state.round is not None or shoe is None or not shoe.carried or not state.shoe_is_over:
        return
    if shoe.removed or not has_shuffler(state):
        draft.add(CardsRemoved(by, shoe.number, shoe.carried))


def _drops_cards(state: State) -> bool:
    """True if cards are carried to the next round, so that a new shoe would drop them."""
    goes_on = not state.shoe_is_over or state.set_is_renewed
    return bool(state.shoe and state.shoe.carried) and state.round is None and goes_on


def _may_be_replaced(state: State) -> tuple[Role, str | None] | None:
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


@event(money=False)
class ShoeCounted(Event):
    """All cards of a shoe were counted after its last round: how many it should have, and how many it has."""

    shoe: int
    expected: StaffOnly[int]
    count: int

    def apply(self, state: State) -> State:
        return state._replace(shoe=state.shoe_in_play._replace(counted=True))
