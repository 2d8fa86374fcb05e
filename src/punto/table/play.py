"""Steps that several commands share: announce the next phase of a round, propose a change, settle it, void it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.differential import Limits
from punto.rules.hands import Hand
from punto.rules.insurance import Offer, Window
from punto.rules.money import Cents
from punto.rules.outcome import Outcome
from punto.rules.refusals import ExcessNotRuled, Refusal
from punto.rules.settlement import Bet, Line, Settlement, settle
from punto.rules.sheet import Role, Sheet
from punto.rules.tableau import INITIAL_CARDS, next_hand
from punto.table import events as e
from punto.table.commands import Actor, Claim
from punto.table.evolve import evolve
from punto.table.phases import Phase, Waits
from punto.table.refusals import RoundHeld
from punto.table.seats import as_seated
from punto.table.state import Case, RoundInPlay, Settings, Shoe, Spot, State, known_cards, spot_of

EventsOrRefusal = tuple[e.Event, ...] | Refusal
"""The result of a command."""


class Draft:
    """The events decided so far, and the state after them."""

    __slots__ = ("events", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[e.Event] = []

    def add(self, *events: e.Event) -> None:
        """Add events in order."""
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)

    @property
    def settings(self) -> Settings:
        """The settings of an open table."""
        return open_settings(self.state)

    @property
    def round(self) -> RoundInPlay:
        """The round in progress."""
        return open_round(self.state)

    @property
    def case(self) -> Case:
        """The open case."""
        assert self.state.case is not None  # noqa: S101 — callers opened one
        return self.state.case


def open_settings(state: State) -> Settings:
    """The settings of a table that is open by its phase."""
    assert state.settings is not None  # noqa: S101 — the phase was checked
    return state.settings


def open_round(state: State) -> RoundInPlay:
    """The round of a table that has one in progress by its phase."""
    assert state.round is not None  # noqa: S101 — the phase was checked
    return state.round


def shoe_in_play(state: State) -> Shoe:
    """The shoe of a table with a round in progress."""
    assert state.shoe is not None  # noqa: S101 — no round opens without a shoe
    return state.shoe


def refuse_held(case: Case) -> RoundHeld:
    """The refusal while an open case holds the table."""
    assert case.waits is not None  # noqa: S101 — a case without a wait is closed by the command that opened it
    return RoundHeld(case.number, case.waits, case.role)


# ------------------------------------------------------------------------------------------- continuing


def offers_now(state: State) -> dict[Hand, Offer]:
    """The insurance on offer for the cards on the table; empty if this table or round offers none."""
    sheet, round_ = state.sheet, open_round(state)
    if sheet.insurance is None or open_settings(state).without_insurance or round_.waiting:
        return {}
    if round_.waived and len(round_.cards) == Window.PLAYER_THIRD.cards:
        return {}
    return sheet.insurance.offers(round_.cards)


def announce(draft: Draft, by: Actor) -> None:
    """After the cards changed, open the insurance window that is due, or declare the result."""
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
    insurance, offers = state.sheet.insurance, offers_now(state)
    if insurance and offers:
        window = Window.FOUR_CARDS if len(round_.cards) == INITIAL_CARDS else Window.PLAYER_THIRD
        shown = tuple(
            [
                e.Offered(bet.id, bet.hand, offers[bet.hand].odds, offers[bet.hand].rule)
                for bet in insurance.bets
                if bet.hand in offers
            ]
        )
        draft.add(e.InsuranceOffered(by, round_.number, window, shown, insurance.window_rule))


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
    """Close the case and continue: with the previous case, or where the cards stand now if they were reordered."""
    reordered = draft.case.reordered
    draft.add(e.CaseClosed(by, draft.case.number))
    previous = draft.state.case
    if previous is None and reordered:
        announce(draft, by)
    elif previous is not None and previous.waits is Waits.CHOICES and not previous.patrons:
        close_case(draft, by)  # the last patron who had to choose has left


def is_second(state: State, by: Actor, proposer: str, role: Role) -> bool:
    """Whether someone can be the second person for what another proposed.

    A position counts only if neither the proposer nor anyone whom the proposer appointed gave it.
    """
    own, duty = by.own or by.role, state.duty.get(by.person)
    if by.person == proposer or own is None:
        return False
    return own.level >= role.level or duty is None or proposer not in duty.given_by


def propose(draft: Draft, by: Actor, do: Callable[[Draft], None]) -> None:
    """Carry out a change of cards, a void or an adjustment. If the table requires it, ask a second person first.

    Whoever approves what another person reported, or orders the cards that another reported, is that second person.
    """
    settings, case = draft.settings, draft.case
    role = settings.second_role
    confirms = case.waits in {Waits.APPROVAL, Waits.ORDER} and is_second(draft.state, by, case.by.person, role)
    if not settings.second_person or (confirms and by.may_act_as(role)):
        do(draft)
        return
    trial = Draft(draft.state)
    do(trial)
    draft.add(e.ConfirmationAsked(by, case.number, tuple(trial.events), settings.second_role))


def propose_cards(draft: Draft, by: Actor, cards: tuple[Card, ...], do: Callable[[Draft], None]) -> None:
    """Change the recorded cards to these, or propose it. Cards of a shoe of known order need no second person."""
    if shoe_in_play(draft.state).order or cards == known_cards(draft.state):
        do(draft)
    else:
        propose(draft, by, do)


# ------------------------------------------------------------------------------------------- endings


def settle_round(draft: Draft, by: Actor) -> bool:
    """Settle every bet by the rules. A bet whose neglected insurance would have won is returned whole.

    Returns False and does nothing if a box is over the Differential and the sheet has no rule for that.
    """
    state, round_, settings = draft.state, draft.round, draft.settings
    limits = None if round_.limits_lifted else settings.limits
    bets = [as_seated(state, bet) for bet in round_.bets.values()]
    back = tuple([as_seated(state, bet) for bet in round_.taken_back])
    settlement = settle_bets(state.sheet, round_.cards, bets, back, settings.decks, limits, by_decision=round_.pro_rata)
    if isinstance(settlement, Refusal):
        if isinstance(settlement, ExcessNotRuled):
            return False
        raise AssertionError(f"the table accepted what the rules refuse: {settlement}")
    neglected = _neglected_bets(state, settlement)
    returned = tuple(
        [e.Returned(bet, e.ReturnReason.INSURANCE_NEGLECTED, round_.claims_rule) for bet in neglected.values()],
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


def settle_bets(
    sheet: Sheet,
    cards: tuple[Card, ...],
    bets: list[Bet],
    taken_back: tuple[Bet, ...],
    decks: int,
    limits: Limits | None,
    *,
    by_decision: bool,
) -> Settlement | Refusal:
    """Settle the bets of a round. The first lines are those of `bets`.

    The chips count as they were when bets closed: a bet taken back since still counts in its box. Bets over the limits
    are scaled where the sheet says so, or where that was decided. Insurance stays when its original bet ends before the
    settlement, and rests on that bet as it was placed.
    """

    def settled(bets: list[Bet], limits: Limits | None) -> Settlement | Refusal:
        return settle(sheet, cards, bets, decks=decks, limits=limits, scale_by_decision=by_decision)

    settlement = settled([*bets, *taken_back], limits)
    if isinstance(settlement, ExcessNotRuled):
        # This game scales nothing: if the excess left with a bet taken back, there is nothing to decide.
        within = settled([bet for bet in bets if bet.window is None], limits)
        settlement = within if isinstance(within, Refusal) else settled([*bets, *taken_back], None)
    return settlement


def _neglected_bets(state: State, settlement: Settlement) -> dict[Spot, Bet]:
    """The original bets of the round's claims whose insurance would have won."""
    round_ = open_round(state)
    found: dict[Spot, Bet] = {}
    for window, claims in round_.claims.items():
        for spot in neglected_spots(state, settlement.round.cards, window, claims):
            if spot in round_.bets:
                found[spot] = round_.bets[spot]
    return found


def neglected_spots(state: State, cards: tuple[Card, ...], window: Window, claims: Iterable[Claim]) -> list[Spot]:
    """The original bets of these claims whose insurance in a window of this finished round would have won."""
    return [
        original_spot(state, claim.patron, claim.box, claim.hand)
        for claim in claims
        if _insurance_would_win(state, cards, window, claim.hand)
    ]


def _insurance_would_win(state: State, cards: tuple[Card, ...], window: Window, hand: Hand) -> bool:
    """Whether insurance on a hand in a window of this finished round would have won."""
    insurance = state.sheet.insurance
    offer = insurance.offers(cards[: window.cards]).get(hand) if insurance else None
    return offer is not None and offer.settle(_outcome(cards)) is Result.WIN


def original_spot(state: State, patron: str, box: int, hand: Hand) -> Spot:
    """The spot of a patron's original bet on a hand."""
    on = next(bet.id for bet in state.sheet.bets.values() if bet.hand is hand)
    return Spot(box, patron, on)


def void_round(draft: Draft, by: Actor, rule: str | None, reason: str, new_shoe: tuple[str | None, str] | None) -> None:
    """Return every bet of the round in progress, or correct those of the last settled round.

    Bets that were paid by decision are corrected, too. Amounts that were decided for a patron stand.
    """
    state = draft.state
    void_rule = state.sheet.authority.void_rule or rule
    if state.round is not None:
        lines = tuple([e.Returned(bet, e.ReturnReason.VOID, void_rule) for bet in state.round.bets.values()])
        draft.add(e.RoundVoided(by, state.round.number, state.round.cards, lines, rule, reason))
        if state.round.paid:
            paid = _whole_again(state.round.paid, void_rule)
            draft.add(e.RoundAdjusted(by, state.round.number, paid, False, rule, reason, reverses=True))
    elif state.last is not None:
        corrections = _whole_again((*state.last.lines, *state.last.paid), void_rule)
        draft.add(e.RoundAdjusted(by, state.last.number, corrections, True, rule, reason, reverses=True))
    draft.add(e.CaseClosed(by, draft.case.number))
    while state.round is not None and draft.state.case is not None and draft.case.round == state.round.number:
        draft.add(e.CaseClosed(by, draft.case.number))  # a case about another round does not concern these bets
    if new_shoe is not None and state.shoe is not None and not state.shoe.removed:
        draft.add(e.ShoeRemoved(by, state.shoe.number, *new_shoe))
    if state.round is not None:
        draft.add(e.RoundClosed(by, state.round.number))


def _whole_again(ended: Iterable[Line | e.Paid], rule: str | None) -> tuple[e.Adjustment, ...]:
    """The corrections after which each of these bets has returned its stake and no more."""
    return tuple([adjustment(each.bet, each.returned_cents, each.bet.stake_cents, rule) for each in ended])


def adjustment(
    bet: Bet, before: int, after: int, rule: str | None, line: Line | None = None, *, decided: bool = False
) -> e.Adjustment:
    """The correction of a settled bet from what it returned to what it should have."""
    return e.Adjustment(bet, Cents(before), Cents(after), Cents(after - before), rule, line, decided)
