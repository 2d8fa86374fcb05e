"""The order of cards: which cards a round can have had, and recording others in place of the known ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.refusals import CardCopies, Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Ruling, Sheet
from punto.rules.tableau import banker_always_draws, cards_in_round, next_hand
from punto.table.act import Event, StaffOnly, event
from punto.table.actor import Actor
from punto.table.acts.bets import BetsReturned
from punto.table.draft import Draft
from punto.table.phases import Phase, phase_of
from punto.table.refusals import Contradiction, FactsContradict, ShoeMissing
from punto.table.rulings.situations import EXCESS_CARD, ruling_on
from punto.table.state import Shoe, State
from punto.table.values import CardChange, Facts, Returned, ReturnReason


@event(money=False, significant="override")
class CardsReordered(Event):
    """The recorded cards of the round were changed. Cards it does not need are carried to the next round.

    While the round goes on, those that belong to no hand of it are `kept` for the next; `before` has those that were
    kept already. `reading` is the last reading of the electronic shoe after this.
    """

    case: int
    round: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    carried: tuple[Card, ...]
    rule: str | None
    reason: StaffOnly[str]
    change: CardChange
    reading: int | None = None
    kept: tuple[Card, ...] = ()

    def apply(self, state: State) -> State:
        shoe, case, known = state.shoe_in_play, state.open_case, state.known_cards
        closed = len(state.round.closed_places) if state.round else 0
        shoe = shoe_with(shoe, (*known, *shoe.kept), (*self.after, *self.carried, *self.kept))
        reading = shoe.reading if self.reading is None else self.reading
        shoe = shoe._replace(drawn=shoe.drawn - closed, carried=self.carried, kept=self.kept, reading=reading)
        if state.round is None:
            return state._replace(shoe=shoe)
        round_ = state.round._replace(undoable=False)
        if round_.cards == self.after and not closed:
            return state._replace(shoe=shoe, round=round_)
        # An offer that was forgone for other cards, or that stands again, is not forgone any more.
        first = Window.FOUR_CARDS.cards
        same_offer = len(self.after) > first and self.after[:first] == round_.cards[:first]
        forgone = round_.forgone if same_offer else frozenset[str]()
        # The second window stays waived only where these cards allow it. What was permitted for cards to come stays.
        waived = round_.waived and banker_always_draws(self.after)
        still = {place: patron for place, patron in round_.squeezers.items() if place > len(self.after)}
        squeezers = still if waived is round_.waived else {}
        round_ = round_._replace(cards=self.after, request=None, forgone=forgone, waiting=())
        return state._replace(
            shoe=shoe,
            round=round_._replace(waived=waived, squeezers=squeezers),
            case=case._replace(resume=phase_of(self.after), reordered=True),
        )


class CardsOfRound(NamedTuple):
    """The cards of a round, those carried behind them, and those kept for the next round."""

    cards: tuple[Card, ...]
    carried: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()


def cards_of(state: State) -> CardsOfRound:
    """The cards of the round, or of the last one, as they are recorded."""
    shoe, known = state.shoe, state.known_cards
    if shoe is None:
        return CardsOfRound(known)
    return CardsOfRound(known[: len(known) - len(shoe.carried)], shoe.carried, shoe.kept)


def in_order(state: State, cards: tuple[Card, ...]) -> CardsOfRound:
    """The cards that the round takes of these, in the order they left the shoe, and those left over.

    While bets are open the round takes none. After settlement it takes as many as it had.
    """
    if state.round is None:
        used = len(state.last.cards) if state.last else 0
    elif (state.case.resume if state.case else state.phase) is Phase.BETTING:
        used = 0
    else:
        used = cards_in_round(cards)
    kept, left = state.shoe.kept if state.shoe else (), cards[used:]
    # Behind cards that were kept before, others are kept, too: so the next round has them in this order.
    carried = max(len(state.known_cards) - used, 0) if kept else len(left)
    return CardsOfRound(cards[:used], left[:carried], (*kept, *left[carried:]))


def as_they_are(state: State, facts: Facts) -> CardsOfRound:
    """The cards of a round that goes on as it is: with the hands that a report gives, or as recorded.

    What else left the shoe belongs to no hand. A round that needs more cards does not get these: the next one does.
    """
    now, round_ = cards_of(state), state.round
    laid = laid_out(facts.player_cards, facts.banker_cards) if round_ else None
    cards = laid or now.cards
    listed = () if round_ and round_.closed_places else facts.cards
    rest = extra_cards(listed or laid or (*now.cards, *now.carried), cards)
    more = extra_cards(rest, now.carried)
    carried = extra_cards(rest[::-1], more)[::-1]  # of copies of a card, the one that came last is new
    deals_on = round_ is not None and (state.case is None or state.case.resume is not Phase.BETTING)
    if now.kept or (deals_on and next_hand(cards) is not None):
        return CardsOfRound(cards, carried, (*now.kept, *more))
    return CardsOfRound(cards, (*carried, *more), now.kept)


def laid_out(player: tuple[Card, ...], banker: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """The cards of both hands in dealing order; None if the Table of Play gives no hands so many."""
    cards: list[Card] = []
    left = {Hand.PLAYER: [*player], Hand.BANKER: [*banker]}
    while (hand := next_hand(cards)) is not None and left[hand]:
        cards.append(left[hand].pop(0))
    return None if any(left.values()) else tuple(cards)


def refuse_cards(state: State, cards: tuple[Card, ...], *, recorded: bool = True) -> Refusal | None:
    """The refusal of cards that cannot be those of the round in the order they left the shoe.

    With `recorded`, they must include all known cards. A correction may drop known cards, but no carried one.
    """
    shoe, known = state.shoe, state.known_cards
    if shoe is None:
        return ShoeMissing()
    more = len(cards) - len(known)
    if shoe.order:
        true = (*known, *shoe.order[shoe.drawn : shoe.drawn + more])
        # The refusal must not reveal the next cards of the shoe.
        return None if cards == true else FactsContradict(Contradiction.NOT_THESE_CARDS, cards)
    if refusal := refuse_copies(state, cards, known):
        return refusal
    missing = Counter(known if recorded else shoe.carried) - Counter(cards)
    if missing:
        return FactsContradict(Contradiction.CARDS_MISSING, tuple(missing.elements()))
    closed = len(state.round.closed_places) if state.round else 0
    if more - closed > shoe.size - shoe.drawn:
        return FactsContradict(Contradiction.FEW_CARDS_LEFT)
    return None


def refuse_copies(state: State, cards: Iterable[Card], known: Iterable[Card]) -> Refusal | None:
    """The refusal of cards that, in place of the known ones, make more copies of a card than the decks hold."""
    seen, decks = Counter(state.shoe_in_play.seen), state.open_settings.decks
    seen.subtract(known)
    seen.update(cards)
    card = max(seen, key=seen.__getitem__, default=None)
    if card is None or seen[card] <= decks:
        return None
    return CardCopies(card.text, seen[card], decks, rule=state.sheet.decks.rule)


def record_cards(
    draft: Draft, by: Actor, now: CardsOfRound, rule: str | None, reason: str, *, keyed: bool = False
) -> None:
    """Record these cards in place of the known ones, and return insurance on an offer that was never valid.

    The readings of an electronic shoe advance with the cards, unless this corrects cards that were entered wrongly
    (`keyed`).
    """
    state, (after, carried, kept) = draft.state, now
    before, round_ = (*state.known_cards, *state.shoe_in_play.kept), state.round
    number = round_.number if round_ else state.rounds
    bets = round_.bets.values() if round_ else ()
    outdated = list(outdated_insurance(state.sheet, bets, round_.cards if round_ else (), after))
    cards = (*after, *carried, *kept)
    last = None if keyed else state.shoe_in_play.reading
    reading = None if last is None else last + len(cards) - len(before)
    change = CardChange.between(before, cards)
    draft.add(
        CardsReordered(by, draft.case.number, number, before, after, carried, rule, reason, change, reading, kept)
    )
    if outdated:
        lines = tuple([Returned(bet, ReturnReason.RECONSTRUCTED, rule) for bet in outdated])
        draft.add(BetsReturned(by, number, lines))


def leaves_cards(state: State) -> bool:
    """True if the report of the open case lists cards that belong to no hand and are not recorded."""
    case = state.open_case
    irregularity = ruling_on(state.sheet, case.situation, case.facts)
    lists = irregularity.ruling is Ruling.RECONSTRUCT if irregularity else case.situation == EXCESS_CARD
    return lists and bool(case.facts.cards) and _with_rest(state) != cards_of(state)


def put_aside(draft: Draft, by: Actor, reason: str) -> Draft:
    """Keep the cards of the open case that belong to no hand for the next round, whatever else is decided."""
    if leaves_cards(draft.state):
        record_cards(draft, by, _with_rest(draft.state), draft.state.sheet.authority.otherwise_rule, reason)
    return draft


def _with_rest(state: State) -> CardsOfRound:
    return as_they_are(state, Facts(cards=state.open_case.facts.cards))


def extra_cards(cards: Iterable[Card], known: Iterable[Card]) -> tuple[Card, ...]:
    """The cards that are not among the known ones, in the order in which they left the shoe."""
    still, extra = Counter(known), []
    for card in cards:
        if still[card]:
            still[card] -= 1
        else:
            extra.append(card)
    return tuple(extra)


def outdated_insurance(
    sheet: Sheet, bets: Iterable[Bet], before: tuple[Card, ...], after: tuple[Card, ...]
) -> Iterable[Bet]:
    """The insurance bets on an offer that other cards do not make: it was never valid."""
    insurance = sheet.insurance
    if insurance is None:
        return
    for bet in bets:
        if bet.window is not None:
            hand = sheet.insurance_bets[bet.on].hand
            was = insurance.offers(before[: bet.window.cards]).get(hand)
            now = insurance.offers(after[: bet.window.cards]).get(hand) if len(after) >= bet.window.cards else None
            if was != now:
                yield bet


def shoe_with(shoe: Shoe, before: tuple[Card, ...], after: tuple[Card, ...]) -> Shoe:
    """A shoe from which these cards came in place of others."""
    seen = Counter(shoe.seen)
    seen.subtract(before)
    seen.update(after)
    return shoe._replace(drawn=shoe.drawn + len(after) - len(before), seen=dict(+seen))
