"""What several commands do to a round: announce where it stands, settle it, void it, put its cards in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from punto.rules.bets import Result
from punto.rules.cards import Card, write_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Offer, Window
from punto.rules.money import Cents
from punto.rules.outcome import Outcome
from punto.rules.refusals import RecordCode, Refusal
from punto.rules.settlement import Bet, Settlement, settle
from punto.rules.tableau import INITIAL_CARDS, needed, next_hand
from punto.rules.words import counted
from punto.table import events as e
from punto.table.commands import Actor
from punto.table.evolve import evolve
from punto.table.phases import Phase
from punto.table.refusals import TableCode
from punto.table.state import Case, RoundInPlay, Settings, Shoe, Spot, State, Waits, known_cards, spot_of


class Draft:
    """Events being decided, and the state they lead to."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[e.Event] = []

    def add(self, *events: e.Event) -> None:
        """Take events, in order."""
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)

    @property
    def settings(self) -> Settings:
        """The settings of an open table."""
        return open_settings(self.state)

    @property
    def round(self) -> RoundInPlay:
        """The round under way."""
        return open_round(self.state)

    @property
    def case(self) -> Case:
        """The open case."""
        assert self.state.case is not None  # noqa: S101 — callers opened one
        return self.state.case


def open_settings(state: State) -> Settings:
    """The settings of a table whose phase says that it is open."""
    assert state.settings is not None  # noqa: S101 — the phase was checked
    return state.settings


def open_round(state: State) -> RoundInPlay:
    """The round of a table whose phase says that one is under way."""
    assert state.round is not None  # noqa: S101 — the phase was checked
    return state.round


def shoe_in_play(state: State) -> Shoe:
    """The shoe of a table whose round is under way."""
    assert state.shoe is not None  # noqa: S101 — no round opens without a shoe
    return state.shoe


# ------------------------------------------------------------------------------------------- going on


def offers_now(state: State) -> dict[Hand, Offer]:
    """What may be insured for the cards on the table, if this table offers insurance in this round."""
    sheet, round_ = state.sheet, open_round(state)
    if sheet.insurance is None or open_settings(state).without_insurance:
        return {}
    if round_.waived and len(round_.cards) == Window.PLAYER_THIRD.cards:
        return {}
    return sheet.insurance.offers(round_.cards)


def announce(draft: Draft, by: Actor) -> None:
    """After cards came to lie: open the insurance window that stands, or declare the result."""
    state, round_ = draft.state, draft.round
    if state.phase is Phase.RESULT:
        outcome = _outcome(round_.cards)
        draft.add(
            e.ResultDeclared(
                by,
                round_.number,
                outcome.winner,
                outcome.player_points,
                outcome.banker_points,
                state.sheet.play.winner_rule,
            )
        )
        return
    if state.phase not in {Phase.PLAYER_THIRD, Phase.BANKER_THIRD} or state.sheet.insurance is None:
        return
    offers = offers_now(state)
    if offers:
        window = Window.FOUR_CARDS if len(round_.cards) == INITIAL_CARDS else Window.PLAYER_THIRD
        shown = tuple(
            [
                e.Offered(bet.id, bet.hand, offers[bet.hand].odds, offers[bet.hand].rule)
                for bet in state.sheet.insurance.bets
                if bet.hand in offers
            ]
        )
        draft.add(e.InsuranceOffered(by, round_.number, window, shown, state.sheet.insurance.window_rule))


def _hands(cards: tuple[Card, ...]) -> tuple[list[Card], list[Card]]:
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for place, card in enumerate(cards):
        hand = next_hand(cards[:place])
        assert hand is not None  # noqa: S101 — cards of a round follow the Table of Play
        hands[hand].append(card)
    return hands[Hand.PLAYER], hands[Hand.BANKER]


def _outcome(cards: tuple[Card, ...]) -> Outcome:
    return Outcome.of(*_hands(cards))


def close_case(draft: Draft, by: Actor) -> None:
    """Go on, from where the cards now stand if they were put in another order, or with the case that lay under it."""
    relaid = draft.case.relaid
    draft.add(e.CaseClosed(by, draft.case.number))
    under = draft.state.case
    if under is None and relaid:
        announce(draft, by)
    elif under is not None and under.waits is Waits.CHOICES and not under.patrons:
        close_case(draft, by)  # whoever was still to choose has left meanwhile


def propose(draft: Draft, by: Actor, do: Callable[[Draft], None]) -> None:
    """Do a void or an adjustment; at a table set so, ask a second person first."""
    if not draft.settings.second_person:
        do(draft)
        return
    trial = Draft(draft.state)
    do(trial)
    draft.add(e.ConfirmationAsked(by, draft.case.number, tuple(trial.events)))


# ------------------------------------------------------------------------------------------- endings


def settle_round(draft: Draft, by: Actor) -> bool:
    """Settle every bet by the rules; bets whose insurance was neglected, and would have won, go back whole.

    False, and nothing done, where a box is over the Differential in a game whose sheet has no answer to it.
    """
    state, round_, settings = draft.state, draft.round, draft.settings
    limits = None if round_.limits_lifted else settings.limits
    # Chips count as they lay at the close: what was taken back since still weighs in its box, and has no line.
    bets = [*round_.bets.values(), *round_.taken_back]
    settlement = settle(state.sheet, round_.cards, bets, decks=settings.decks, limits=limits)
    if round_.taken_back and isinstance(settlement, Refusal) and settlement.code is RecordCode.EXCESS_NOT_RULED:
        # Nothing is scaled in this game, so what left the box with its excess leaves nothing to decide.
        bets = list(round_.bets.values())
        settlement = settle(state.sheet, round_.cards, bets, decks=settings.decks, limits=limits)
    if isinstance(settlement, Refusal):
        if settlement.code is RecordCode.EXCESS_NOT_RULED:
            return False
        raise AssertionError(f"the table let in what the rules refuse: {settlement}")
    neglected = neglected_bets(state, settlement)
    returned = tuple(
        [e.Returned(bet, e.Why.INSURANCE_NEGLECTED, round_.claims_rule) for bet in neglected.values()],
    )
    lines = settlement.lines[: len(round_.bets)]
    if neglected:
        lines = tuple([line for line in lines if spot_of(line.bet) not in neglected])
    house = Cents(-sum([line.net_cents for line in lines]))
    draft.add(
        e.RoundSettled(by, round_.number, round_.cards, lines, returned, house),
        e.RoundClosed(by, round_.number),
    )
    return True


def neglected_bets(state: State, settlement: Settlement) -> dict[Spot, Bet]:
    """The original bets of the round's claims whose insurance would have won."""
    round_ = open_round(state)
    found: dict[Spot, Bet] = {}
    for window, claims in round_.claims.items():
        for claim in claims:
            if insurance_would_win(state, settlement.round.cards, window, claim.hand):
                spot = original_spot(state, claim.patron, claim.box, claim.hand)
                if spot in round_.bets:
                    found[spot] = round_.bets[spot]
    return found


def insurance_would_win(state: State, cards: tuple[Card, ...], window: Window, hand: Hand) -> bool:
    """Whether insurance on a hand in a window of this finished round would have won."""
    if state.sheet.insurance is None or len(cards) <= window.cards:
        return False
    offer = state.sheet.insurance.offers(cards[: window.cards]).get(hand)
    return offer is not None and offer.settle(_outcome(cards)) is Result.WIN


def original_spot(state: State, patron: str, box: int, hand: Hand) -> Spot:
    """Where a patron's original bet on a hand lies."""
    on = next(bet.id for bet in state.sheet.bets.values() if bet.hand is hand)
    return Spot(box, patron, on)


def void_round(draft: Draft, by: Actor, rule: str | None, reason: str, new_shoe: tuple[str | None, str] | None) -> None:
    """Return every bet of the round under way, or of the one just settled by way of correction."""
    state = draft.state
    if state.round is not None:
        void_rule = state.sheet.authority.void_rule or rule
        lines = tuple([e.Returned(bet, e.Why.VOID, void_rule) for bet in state.round.bets.values()])
        draft.add(e.RoundVoided(by, state.round.number, state.round.cards, lines, rule, reason))
    elif state.last is not None:
        corrections = tuple(
            [
                adjustment(line.bet, line.returned_cents, line.bet.stake_cents, state.sheet.authority.void_rule or rule)
                for line in state.last.lines
            ]
        )
        draft.add(e.RoundAdjusted(by, state.last.number, corrections, True, rule, reason))
    while draft.state.case is not None:
        draft.add(e.CaseClosed(by, draft.state.case.number))
        if state.round is None:
            break  # what lay under the case is not about the bets of the settled round
    if new_shoe is not None and state.shoe is not None and not state.shoe.removed:
        draft.add(e.ShoeRemoved(by, state.shoe.number, *new_shoe))
    if state.round is not None:
        draft.add(e.RoundClosed(by, state.round.number))


def adjustment(bet: Bet, before: int, after: int, rule: str | None) -> e.Adjustment:
    """The correction of a settled bet from what it gave back to what it should."""
    return e.Adjustment(bet, Cents(before), Cents(after), Cents(after - before), rule)


# ------------------------------------------------------------------------------------------- cards put in order


def split(state: State, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Cards in the order they left the shoe: those the round needs by the Table of Play, and those left over.

    While bets are open no card belongs to the round yet; once it is settled it needs no more than it had.
    """
    if state.round is None:
        used = len(state.last.cards) if state.last else 0
    elif (state.case.resume if state.case else state.phase) is Phase.BETTING:
        used = 0
    else:
        used = needed(cards)
    return cards[:used], cards[used:]


def refuse_cards(state: State, cards: tuple[Card, ...], *, recorded: bool = True) -> Refusal | None:
    """Why these cannot be the cards of the round in the order they left the shoe.

    With `recorded`, the cards known so far must be among them; a correction may drop some, but none that is carried.
    """
    settings, shoe, known = open_settings(state), state.shoe, known_cards(state)
    if shoe is None:
        return Refusal(TableCode.SHOE_MISSING, "no shoe is in play")
    more = len(cards) - len(known)
    if shoe.order:
        true = (*known, *shoe.order[shoe.drawn : shoe.drawn + max(more, 0)])
        if cards != true:
            # What came out is on the table; what would come next is nobody's to learn from a refusal.
            message = f"the shoe's order is known, and {write_cards(cards)} is not what left it in this round"
            return Refusal(TableCode.FACTS_CONTRADICT, message)
        return None
    if refusal := refuse_copies(state, cards, known, settings.decks):
        return refusal
    missing = Counter(known if recorded else shoe.carried) - Counter(cards)
    if missing:
        came = "came out in this round" if recorded else "was carried from the round before"
        message = f"{write_cards(missing.elements())} {came} and must be among the cards"
        return Refusal(TableCode.FACTS_CONTRADICT, message)
    if more > shoe.count - shoe.drawn:
        return Refusal(TableCode.FACTS_CONTRADICT, f"the shoe held {counted(shoe.left, 'card')} more, not {more}")
    return None


def refuse_copies(state: State, cards: Iterable[Card], known: Iterable[Card], decks: int) -> Refusal | None:
    """Why these cards, in place of those known, are more copies of one card than the decks hold."""
    seen = Counter(shoe_in_play(state).seen)
    seen.subtract(known)
    seen.update(cards)
    card, copies = max(seen.items(), key=lambda item: item[1], default=(None, 0))
    if copies <= decks:
        return None
    message = f"{card} would have come {copies} times out of {counted(decks, 'deck')}: a card that is not of the set?"
    return Refusal(TableCode.CARD_COPIES, message, state.sheet.decks.rule)


def relay(
    draft: Draft, by: Actor, cards: tuple[Card, ...], rule: str | None, reason: str, *, keyed: bool = False
) -> None:
    """Put the cards in their intended order. Insurance bet on an offer that never stood goes back.

    An electronic shoe has read every card that left it, unless what is put right is how cards were `keyed`.
    """
    state = draft.state
    after, carried = split(state, cards)
    before = known_cards(state)
    number = state.round.number if state.round else state.rounds
    stale = [] if state.round is None else list(_stale(state, after))
    reading = None if keyed else _reading(state, len(cards) - len(before))
    draft.add(e.CardsRelaid(by, draft.case.number, number, before, after, carried, rule, reason, (), reading))
    if stale:
        lines = tuple([e.Returned(bet, e.Why.RECONSTRUCTED, rule) for bet in stale])
        draft.add(e.BetsReturned(by, number, lines))


def _reading(state: State, more: int) -> int | None:
    last = shoe_in_play(state).reading
    return None if last is None else last + more


def burn(draft: Draft, by: Actor, cards: tuple[Card, ...], rule: str | None, reason: str) -> None:
    """Put away what came out beyond the cards known, where they cannot be put in order: nobody gets it."""
    state = draft.state
    known = known_cards(state)
    extra = _beyond(cards, known)
    if not extra:
        return
    number = state.round.number if state.round else state.rounds
    carried = shoe_in_play(state).carried
    lies = known[: len(known) - len(carried)]
    reading = _reading(state, len(extra))
    draft.add(e.CardsRelaid(by, draft.case.number, number, known, lies, carried, rule, reason, extra, reading))


def _beyond(cards: Iterable[Card], known: Iterable[Card]) -> tuple[Card, ...]:
    """The cards that are not among those known, in the order in which they left the shoe."""
    still, extra = Counter(known), []
    for card in cards:
        if still[card]:
            still[card] -= 1
        else:
            extra.append(card)
    return tuple(extra)


def _stale(state: State, after: tuple[Card, ...]) -> Iterable[Bet]:
    insurance, round_ = state.sheet.insurance, open_round(state)
    if insurance is None:
        return
    for bet in round_.bets.values():
        if bet.window is not None:
            hand = state.sheet.insurance_bets[bet.on].hand
            was = insurance.offers(round_.cards[: bet.window.cards]).get(hand)
            now = insurance.offers(after[: bet.window.cards]).get(hand) if len(after) >= bet.window.cards else None
            if was != now:
                yield bet
