"""The options after a dealing error: each patron goes on, or takes the bets back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, OptionsUnless, Ruling
from punto.table.act import Event, Named, PatronCommand, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.acts.bets import BetsReturned
from punto.table.draft import Draft
from punto.table.phases import Phase
from punto.table.refusals import Contradiction, FactsContradict, NoChoiceOpen
from punto.table.rulings.cases import close_case, held_by, propose, refer, ruled
from punto.table.rulings.facts import NOT_NOW, NOTE, cards_input, hands_inputs, refuse_closed
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.rulings.reorder import CardsOfRound, as_they_are, cards_of, in_order, record_cards
from punto.table.state import Case, State
from punto.table.values import Option, Returned, ReturnReason, Waits
from punto.table.ways import Asking, Input, InputType, Way, Ways, way_record


@event(money=False)
class OptionsOffered(Event):
    """These patrons may continue or take their bets back. The round is held until each has chosen."""

    case: int
    round: int
    patrons: StaffOnly[tuple[str, ...]]
    reconstructed: bool
    rule: str | None
    continue_rule: str | None
    take_back_rule: str | None

    def apply(self, state: State) -> State:
        patrons = tuple([patron for patron in self.patrons if patron not in state.open_round.away])
        waiting = state.open_case._replace(waits=Waits.CHOICES, role=None, patrons=patrons)
        return held_by(state, waiting._replace(continue_rule=self.continue_rule))

    def concerns(self) -> frozenset[str]:
        return frozenset(self.patrons)


def _options_due(irregularity: Irregularity, *, established: bool, reconstructed: bool) -> bool:
    """True if patrons get the options after this irregularity."""
    if irregularity.options is None:
        return False
    match irregularity.options.unless:
        case OptionsUnless.NEVER:
            return True
        case OptionsUnless.OUTCOME_ESTABLISHED:
            return not established
        case OptionsUnless.ESTABLISHED_AND_RECONSTRUCTIBLE:
            return not (established and reconstructed)


def options_or_go_on(draft: Draft, by: Actor, irregularity: Irregularity, *, reconstructed: bool) -> None:
    """Give the options if they are due, and go on otherwise. Whoever went on before may have accepted all later cards.

    While bets are open nobody is asked, because everyone may withdraw.
    """
    round_ = draft.state.round
    if round_ is None or draft.case.resume is Phase.BETTING:
        close_case(draft, by)
        return
    established = is_established(draft.state.sheet, round_.visible)
    if _options_due(irregularity, established=established, reconstructed=reconstructed):
        rule = irregularity.options.rule if irregularity.options else None
        accepted = round_.went_on if draft.state.sheet.authority.accepts_later_rule else frozenset[str]()
        offer_options(draft, by, rule, reconstructed=reconstructed, accepted=accepted)
    else:
        close_case(draft, by)


def offer_options(
    draft: Draft, by: Actor, rule: str | None, *, reconstructed: bool, accepted: frozenset[str] = frozenset()
) -> None:
    """Ask every present patron with a bet in the round to choose, but for those who `accepted` what comes.

    Bets of patrons who walked away are settled.
    """
    round_, authority = draft.round, draft.state.sheet.authority
    asked = [spot.patron for spot in round_.bets if spot.patron not in round_.away | accepted]
    patrons = tuple(dict.fromkeys(asked))
    if not patrons or draft.case.resume is Phase.BETTING:
        close_case(draft, by)
        return
    go_on = authority.continue_reconstructed_rule if reconstructed else authority.continue_as_is_rule
    draft.add(
        OptionsOffered(
            by, draft.case.number, round_.number, patrons, reconstructed, rule, go_on, authority.take_back_rule
        )
    )


def asks_late(state: State, events: Iterable[Event]) -> bool:
    """True if these events of the open case let patrons choose after an outcome is established."""
    after = Draft(state).add(*events).state
    case, round_ = after.case, after.round
    asked = case is not None and case.waits is Waits.CHOICES and case.number == state.open_case.number
    return asked and round_ is not None and is_established(after.sheet, round_.visible)


def _ways_with_options(state: State, irregularity: Irregularity) -> WaysToReport:
    flag = Input("reconstructible", InputType.FLAG, required=False)
    if state.round is None:
        return (ReportWay(inputs=(flag, NOTE)),)
    if refuse_closed(state):
        return (ReportWay(inputs=(replace(NOT_NOW, required=False), NOTE)),)
    return (ReportWay(inputs=(flag, cards_input(state, when=True), *hands_inputs(state), NOTE)),)


@procedure(Ruling.OPTIONS, ways=_ways_with_options)
def _rule_options(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    if draft.state.round is None:
        refer(draft, by)
        return
    ruled(draft, by, irregularity)
    put_right_by(draft, by, irregularity)


def _ways_when_face_up(state: State, irregularity: Irregularity) -> WaysToReport:
    if state.round is None or not state.round.dealt:
        return FactsContradict(Contradiction.NO_CARD_YET, rule=irregularity.rule)
    return (ReportWay(),)


@procedure(Ruling.CONTINUE, ways=_ways_when_face_up)
def _rule_continue(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    ruled(draft, by, irregularity)
    put_right(draft, by, irregularity, cards_of(draft.state), reconstructed=False)


@event(money=False)
class OptionChosen(Event):
    """A patron chose."""

    case: int
    patron: Named[str]
    option: Option
    rule: str | None

    def apply(self, state: State) -> State:
        round_ = state.open_round
        went_on = round_.went_on | {self.patron} if self.option is Option.CONTINUE else round_.went_on
        return state._replace(case=_chosen(state.open_case, self), round=round_._replace(went_on=went_on))


@way_record
class OptionWay(Way):
    """A way to choose after a dealing error."""

    option: Option


@act(by=None, during={Phase.HELD}, at_request=True, names_round=True)
class Choose(PatronCommand):
    """A patron's choice: continue, or take the bets back."""

    option: Option
    round: int | None = None

    @classmethod
    def refuse_patron(cls, state: State, patron: str) -> Refusal | None:
        if state.case is not None and patron in state.case.patrons:
            return None
        return _no_choice(state)

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[OptionWay]:
        choosing = [patron for patron in asking.boxes if cls.refuse_patron(state, patron) is None]
        ways = [OptionWay(option, patron=asking.name(patron)) for patron in choosing for option in Option]
        return ways or [_no_choice(state)]

    def decide(self, state: State) -> Draft | Refusal:
        draft, authority = Draft(state), state.sheet.authority
        case = draft.case
        take_back = self.option is Option.TAKE_BACK
        rule = authority.take_back_rule if take_back else case.continue_rule
        draft.add(OptionChosen(self.by, case.number, self.patron, self.option, rule))
        if take_back:
            bets = [bet for bet in draft.round.bets.values() if bet.patron == self.patron]
            lines = tuple([Returned(bet, ReturnReason.OPTION, rule) for bet in bets])
            draft.add(BetsReturned(self.by, draft.round.number, lines))
        if not draft.case.patrons:
            close_case(draft, self.by)
        return draft


def _no_choice(state: State) -> Refusal:
    return NoChoiceOpen(rule=state.sheet.authority.options_rule)


def _chosen(case: Case, event: OptionChosen) -> Case:
    if case.number != event.case and case.previous is not None:
        return case._replace(previous=_chosen(case.previous, event))
    return case._replace(patrons=tuple([patron for patron in case.patrons if patron != event.patron]))


def put_right(draft: Draft, by: Actor, irregularity: Irregularity, cards: CardsOfRound, *, reconstructed: bool) -> None:
    """Record these cards, then give the options that are due.

    Changed cards need a second person if the table requires one. Options after an established outcome always do:
    by then everyone knows what a bet is worth.
    """

    def carry_out(draft: Draft) -> None:
        if cards != cards_of(draft.state):
            record_cards(draft, by, cards, irregularity.rule, irregularity.situation)
        options_or_go_on(draft, by, irregularity, reconstructed=reconstructed)

    trial = Draft(draft.state)
    carry_out(trial)
    late = asks_late(draft.state, trial)
    if late or not (draft.state.shoe_in_play.order or cards == cards_of(draft.state)):
        propose(draft, by, carry_out, always=late)
    else:
        carry_out(draft)


def put_right_by(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    """Put the cards in order as a report says, or go on with the hands as they are."""
    facts = draft.case.facts
    possible = facts.reconstructible is True
    cards = in_order(draft.state, facts.cards) if possible else as_they_are(draft.state, facts)
    put_right(draft, by, irregularity, cards, reconstructed=possible)
