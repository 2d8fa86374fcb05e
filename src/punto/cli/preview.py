"""A temporary table on which the report of a situation is previewed. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from punto.cli.refusals import PhaseNotReached
from punto.rules.cards import Card, parse_cards, write_cards
from punto.rules.money import Cents
from punto.rules.refusals import CardTooMany, Refusal, Refused
from punto.rules.sheet import Irregularity, Role, Ruling, Sheet
from punto.rules.tableau import cards_in_round, draw_reason
from punto.table import acts
from punto.table.act import Event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.engine import choices, decide
from punto.table.phases import Phase
from punto.table.refusals import InsuranceClosed, NoInsurance
from punto.table.rulings.procedures import ReportWay
from punto.table.rulings.situations import (
    BELOW_MINIMUM,
    EXCESS_BETS,
    NOT_ENOUGH_CARDS,
    may_be_beyond_reconstruction,
    refuse_situation,
)
from punto.table.state import Settings, State, new_table
from punto.table.values import Decision, Facts, Waits
from punto.table.ways import InputType, choice_of

BY, SECOND = Actor("staff", Role.SHIFT_MANAGER), Actor("second", Role.SHIFT_MANAGER)
"""The one who does everything at the table, and the one who confirms it."""
PATRONS = ("ann", "bo")
MINIMUM, DIFFERENTIAL, STAKE = Cents(100_00), Cents(10_000_00), Cents(500_00)
STAKES = {BELOW_MINIMUM: Cents(50_00), EXCESS_BETS: Cents(15_000_00)}
"""The stakes for situations about bets: below the minimum, and over the Differential."""
ROUNDS = (parse_cards("2h 3d Kd 2c 7h 5c"), parse_cards("Kh 3s 5d Kc 9h 9c"))
"""The cards for a phase if none are given: both hands draw, with insurance on offer and without."""
AT_ONCE = parse_cards("4s 4c")
"""Cards that come out at the same time."""
LIKELY = (Phase.INITIAL_CARDS, Phase.RESULT, Phase.BETTING, Phase.BETWEEN_ROUNDS)
"""The phases to try if none is given; the first in which the situation can be reported is used."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A report with these facts, its events, and the state after them."""

    facts: Facts
    events: tuple[Event, ...]
    after: State


@dataclass(frozen=True, slots=True)
class Question:
    """A situation at a table: why it cannot be reported, or the facts and the effects of a report."""

    table: State
    situation: str
    refusal: Refusal | None = None
    facts: tuple[str, ...] = ()
    previews: tuple[Preview, ...] = ()

    @property
    def irregularity(self) -> Irregularity | None:
        """The sheet's answer, if it has one."""
        return self.table.sheet.irregularities.get(self.situation)


def ask(sheet: Sheet, situation: str, cards: tuple[Card, ...] | None, phase: Phase | None) -> Question:
    """Preview a situation with these cards in this phase, or in a likely phase.

    Raises Refused for an unknown situation, or for cards that do not fit the phase.
    """
    if refusal := refuse_situation(sheet, situation):
        raise Refused(refusal)
    if phase in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW} and sheet.insurance is None:
        raise Refused(InsuranceClosed(NoInsurance.NOT_IN_GAME, rule=sheet.offered_rule))
    dealt = None if cards is None else cards[: cards_in_round(cards)]
    if cards and dealt is not None and dealt != cards and not may_be_beyond_reconstruction(sheet, situation):
        left, rule = write_cards(cards[len(dealt) :]), sheet.play.table_of_play_rule
        raise Refused(CardTooMany(len(dealt) + 1, cards[len(dealt)].text, left, draw_reason(dealt), rule=rule))
    phases = (phase,) if phase or cards is not None else LIKELY
    questions = [_ask(_table(sheet, situation, dealt, each), situation, cards) for each in phases]
    return next((each for each in questions if each.refusal is None), questions[0])


# ------------------------------------------------------------------------------------------- the table


def _table(sheet: Sheet, situation: str, cards: tuple[Card, ...] | None, phase: Phase | None) -> State:
    """A table in the given phase."""
    counts = (2,) if phase in {Phase.INITIAL_CARDS, Phase.HELD} else (0,) if phase in _NO_CARDS else (4, 5, 6)
    rounds = [cards] if cards is not None else [dealt[:count] for dealt in ROUNDS for count in counts]
    for dealt in rounds:
        state = _stand(_opened(sheet, situation, dealt), situation, dealt, phase)
        if phase is None or state.phase is phase:
            return state
    raise Refused(PhaseNotReached(phase or state.phase, len(dealt), state.phase))


_NO_CARDS = {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS, Phase.BETTING}


def _opened(sheet: Sheet, situation: str, cards: tuple[Card, ...]) -> State:
    """A table with a new shoe after two rounds, so that a late error can be reported.

    Where the situation is a shoe that runs out, it has only these cards, or one, and the cut card is out.
    """
    layouts = sheet.boxes.layouts
    layout, boxes = (layouts[0].id, 0) if layouts else (None, len(PATRONS))
    settings = Settings("table", sheet.decks.maximum, MINIMUM, DIFFERENTIAL, layout=layout, boxes=boxes)
    opening = acts.OpenTable(BY, sheet.id, replace(settings, face_down=True, live=True))
    seats = [acts.Sit(BY, patron, box) for box, patron in enumerate(PATRONS, 1)]
    state = _play(new_table(sheet), opening, acts.LoadShoe(BY), *seats)
    for dealt in ROUNDS:
        state = _play(_bet(state, STAKE), *_deals(dealt), acts.Settle(BY))
    new = acts.LoadShoe(BY, cards or AT_ONCE[:1], cut=0) if situation == NOT_ENOUGH_CARDS else acts.LoadShoe(BY)
    return _play(state, acts.ReplaceShoe(BY, "new cards"), new)


def _stand(state: State, situation: str, cards: tuple[Card, ...], phase: Phase | None) -> State:
    """Play from between rounds towards a phase, as far as these cards go."""
    if cards or phase not in {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS}:
        # No bet at a terminal can be outside the limits.
        state = _bet(state, STAKES.get(situation, STAKE) if state.sheet.boxes.layouts else STAKE)
    if cards or phase not in _NO_CARDS:
        state = _play(state, *_deals(cards))
    if phase is Phase.BETWEEN_ROUNDS and state.phase is Phase.RESULT:
        state = _play(state, acts.Settle(BY))
    if phase is Phase.NOT_OPEN and state.phase is Phase.BETWEEN_ROUNDS:
        state = _play(state, acts.CloseTable(BY))
    return _play(state, acts.Report(BY, "anything-else")) if phase is Phase.HELD else state


def _bet(state: State, stake: Cents) -> State:
    """Open bets, with one patron on each hand."""
    originals = [bet.id for bet in state.sheet.bets.values() if bet.hand is not None]
    terminals = state.sheet.boxes.terminals_rule
    bets = [
        acts.PlaceBet(Actor(patron), patron, box, on, stake)
        if terminals
        else acts.RecordBet(BY, patron, box, on, stake)
        for box, (patron, on) in enumerate(zip(PATRONS, originals, strict=True), 1)
    ]
    return _play(state, acts.OpenBets(BY), *bets)


def _deals(cards: tuple[Card, ...]) -> Iterator[acts.Command]:
    yield acts.CloseBets(BY, "the call was made")
    yield from (acts.Deal(BY, card) for card in cards)


def _play(state: State, *commands: acts.Command) -> State:
    for command in commands:
        state = _decided(state, command).state
    return state


def _decided(state: State, command: acts.Command) -> Draft:
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return answer


# ------------------------------------------------------------------------------------------- the report


def _ask(state: State, situation: str, cards: tuple[Card, ...] | None) -> Question:
    reporting = choice_of(choices(state, BY), acts.Report)
    ways = [way for way in reporting.ways if way.situation == situation and not way.is_past]
    open_ways = {way.facts.hand is not None: way for way in reversed(ways) if way.refusal is None}
    if not open_ways:
        return Question(state, situation, reporting.refusal or ways[0].refusal)
    first = open_ways.get(False) or open_ways[True]
    previews = [
        _preview(state, situation, _facts(state, way, cards, reconstructible))
        for _, way in sorted(open_ways.items())
        for reconstructible in _flags(way)
    ]
    needed = [each.name for each in first.inputs if any(map(each.is_required, (True, False)))]
    return Question(state, situation, None, (*first.about, *needed), tuple(previews))


def _flags(way: ReportWay) -> list[bool | None]:
    """The values of `reconstructible` to preview."""
    flag = next((each for each in way.inputs if each.name == "reconstructible"), None)
    if flag is None:
        return [None]
    return [each for each in (True, False) if not flag.allowed or str(each).lower() in flag.allowed]


def _facts(state: State, way: ReportWay, cards: tuple[Card, ...] | None, reconstructible: bool | None) -> Facts:
    """The facts of the previewed report."""
    facts = replace(way.facts, reconstructible=reconstructible)
    for each in way.inputs:
        match each.type:
            case _ if not each.is_required(reconstructible):
                pass
            case InputType.CARDS:
                came = cards if cards and state.round else state.known_cards
                on_sheet = state.sheet.irregularities.get(way.situation)
                at_once = on_sheet is not None and on_sheet.ruling is Ruling.ORDER_CARDS
                facts = replace(facts, cards=AT_ONCE if at_once else came or AT_ONCE[:1])
            case InputType.CLAIMS:
                facts = replace(facts, claims=each.claims[:1])
            case InputType.NUMBER if each.allowed:
                facts = replace(facts, hand_count=int(each.allowed[-1]))
            case InputType.NUMBER:
                facts = replace(facts, round=each.maximum)
            case InputType.TEXT:
                facts = replace(facts, note="…")
    return facts


def _preview(state: State, situation: str, facts: Facts) -> Preview:
    """The events of a report, of the order of cards that came out at the same time, and of a second person's yes."""
    draft = _decided(state, acts.Report(BY, situation, facts))
    events, after = tuple(draft), draft.state
    for waits, decision in (
        (Waits.ORDER, acts.Decide(BY, Decision.ORDER, "…", facts.cards)),
        (Waits.CONFIRMATION, acts.Decide(SECOND, Decision.APPROVE)),
    ):
        if after.case is not None and after.case.waits is waits:
            draft = _decided(after, decision)
            events, after = (*events, *draft), draft.state
    return Preview(facts, events, after)
