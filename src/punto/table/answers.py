"""What happens now, told to people: the ruling on a situation, who decides, and what each patron is offered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.rules.cards import Card, write_cards
from punto.rules.established import Decided, established
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Irregularity, OptionsUnless, Role, Ruling, Sheet
from punto.rules.tableau import INITIAL_CARDS, needed, next_hand, why
from punto.rules.words import counted
from punto.table.facts import (
    DEALING_ERRORS,
    NOT_ENOUGH_CARDS,
    late_error,
    may_be_beyond,
    needed_facts,
    refuse_situation,
    situations,
)
from punto.table.irregularities import CONCLUDED, NOTHING_TO_VOID, SAYS, UNDECIDED, options_due
from punto.table.phases import Phase, phase_of
from punto.table.refusals import TableCode


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and the paragraph it rests on, if one does."""

    says: str
    rule: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a situation. `established` is None if no cards were given; `ruling` where the sheet is silent."""

    situation: str
    seen: str
    ruling: Ruling | None
    says: str
    rule: str | None
    decides: Role
    decides_rule: str | None
    cards: tuple[Card, ...] | None
    established: bool | None
    why_established: str
    steps: tuple[Said, ...]
    options: tuple[Said, ...]
    facts: tuple[str, ...]

    @property
    def reportable(self) -> str:
        """Which facts a report of it must carry, in words."""
        note = "; and a note, where the cards cannot be reconstructed" if self.ruling is Ruling.RECONSTRUCT else ""
        return f"give the facts {', '.join(self.facts)}{note}" if self.facts else ""


def parse_phase(text: str | None) -> Phase | None:
    """Read a phase; a RefusedError lists them."""
    if text is None:
        return None
    try:
        return Phase(text)
    except ValueError:
        message = f"{text!r} is not a phase; there are {', '.join(Phase)}"
        raise RefusedError(TableCode.WRONG_PHASE, message) from None


def answer_for(sheet: Sheet, situation: str, cards: tuple[Card, ...] | None, phase: Phase | None) -> Answer:
    """What the sheet says to a situation, with these cards on the table and in this phase where they are known.

    A RefusedError names a situation the game does not have, or cards that no round has.
    """
    if refusal := refuse_situation(sheet, situation):
        raise RefusedError(refusal.code, refusal.message)
    if phase in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW} and sheet.insurance is None:
        message = f"{sheet.title} has no insurance, so no {phase}"
        raise RefusedError(TableCode.WRONG_PHASE, message, sheet.offered_rule)
    irregularity = sheet.irregularities.get(situation)
    surplus: tuple[Card, ...] = ()
    if cards is not None and (situation in DEALING_ERRORS or may_be_beyond(sheet, situation)):
        cards, surplus = _needed(cards)
    decided = _decided(sheet, cards, phase)
    is_established = None if decided is None else any(each.conclusive for each in decided.values())
    phase = phase or (None if cards is None else phase_of(cards))
    authority = sheet.authority
    if irregularity is None:
        says = "The sheet is silent: the table is held for a decision, recorded with its reason."
        decides, ruling, rule = authority.decides_otherwise, None, authority.otherwise_rule
        steps = [*_beyond(sheet, situation), Said(_NO_ROUND_DECISION if phase in _NO_ROUND else _DECISION, rule)]
    else:
        decides, ruling = irregularity.decides, irregularity.ruling
        says, rule = _now(sheet, irregularity, is_established, phase)
        if _referred(irregularity, phase):
            decides = authority.decides_otherwise
        steps = _steps(sheet, irregularity, cards, phase, is_established)
        if _referred(irregularity, phase):
            steps.insert(0, Said(_NO_ROUND_DECISION, authority.otherwise_rule))
        if surplus:
            carried = (
                f"{write_cards(surplus)} is not of this round: first in the next, where the cards can be put in order."
            )
            steps.append(Said(carried, irregularity.rule))
    options = _options(sheet, irregularity, is_established, phase)
    return Answer(
        situation,
        situations(sheet)[situation],
        ruling,
        says,
        rule,
        decides,
        authority.otherwise_rule if irregularity is None else rule,
        cards,
        is_established,
        _why(decided),
        tuple(steps),
        tuple(options),
        needed_facts(irregularity) + (("note",) if irregularity and irregularity.beyond_reconstruction else ()),
    )


_DECISION = "The decision may be to void, to continue, to reconstruct, or options for all."
_NO_ROUND_DECISION = "The decision may be to continue, or to put the cards in order: they are first in the next round."
_NO_ROUND = {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS}
_NOTHING_THERE = {
    Ruling.REFUSE: "No round is under way, so nothing is late: bets open with the call.",
    Ruling.STANDS: "No round is under way, so nothing is late: bets open with the call.",
    Ruling.SETTLE: "No round is under way: the patron has no bet, and is free to go.",
    Ruling.RAISE_OR_WITHDRAW: "No round is under way: no bet lies.",
    Ruling.PRO_RATA: "No round is under way: no bet lies.",
    Ruling.CONCLUDE_OR_VOID: "No round is under way: there is nothing to conclude or to void.",
}
"""What a ruling about a round comes to when there is none; the table refuses most of these reports."""


def _needed(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """The cards a round takes by the Table of Play, and those that came out beyond them."""
    used = needed(cards)
    return cards[:used], cards[used:]


def _referred(irregularity: Irregularity, phase: Phase | None) -> bool:
    """Whether no round is under way that the ruling could be about, and no paragraph says what then."""
    return phase in _NO_ROUND and irregularity.ruling in {Ruling.ORDER_CARDS, Ruling.OPTIONS}


def _decided(sheet: Sheet, cards: Sequence[Card] | None, phase: Phase | None) -> dict[str, Decided] | None:
    if cards is None:
        return None
    if (taken := needed(cards)) < len(cards):
        message = f"card {taken + 1}, {cards[taken]}, is one too many: {why(cards[:taken])}"
        raise RefusedError(TableCode.FACTS_CONTRADICT, message, sheet.play.table_of_play_rule)
    if phase is not None and phase is not Phase.HELD and not _fits(cards, phase):
        message = f"with {counted(len(cards), 'card')} a round is in {phase_of(cards)}, not in {phase}"
        raise RefusedError(TableCode.FACTS_CONTRADICT, message)
    return established(sheet, cards)


def _fits(cards: Sequence[Card], phase: Phase) -> bool:
    windows = {Phase.FIRST_WINDOW: 4, Phase.SECOND_WINDOW: 5}
    if phase in windows:
        return len(cards) == windows[phase] and next_hand(cards) is not None
    if phase in {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS, Phase.BETTING}:
        return not cards or (phase is Phase.BETWEEN_ROUNDS and next_hand(cards) is None)
    return phase is phase_of(cards)


def _why(decided: dict[str, Decided] | None) -> str:
    if decided is None:
        return ""
    found = [f"{on} has {each}" for on, each in decided.items() if each.conclusive]
    return ", ".join(found) if found else "every bet may still win or lose"


def _now(
    sheet: Sheet, irregularity: Irregularity, is_established: bool | None, phase: Phase | None
) -> tuple[str, str | None]:
    """The ruling in words, sharper where cards or phase are known."""
    authority, says, rule = sheet.authority, SAYS[irregularity.ruling], irregularity.rule
    if phase in _NO_ROUND and irregularity.ruling in _NOTHING_THERE:
        return _NOTHING_THERE[irregularity.ruling], sheet.play.open.rule
    if _referred(irregularity, phase):
        says = "No round is under way: the table is held for a decision, recorded with its reason."
        return says, authority.otherwise_rule
    match irregularity.ruling:
        case Ruling.CONCLUDE_OR_VOID if phase is Phase.BETTING:
            return "No card is out, so no bet is decided: the round is void.", authority.void_interrupted_rule
        case Ruling.CONCLUDE_OR_VOID if phase is Phase.RESULT:
            return "All cards are out: the round is concluded.", authority.conclude_rule
        case Ruling.VOID if irregularity.beyond_reconstruction and phase is Phase.BETTING:
            late = late_error(sheet)
            says = "No card of this round lies yet, and an error of an earlier one changes nothing any more."
            return says, late.rule if late else rule
        case Ruling.VOID if irregularity.id == NOT_ENOUGH_CARDS and phase is Phase.RESULT:
            return "The round has all its cards: it is settled.", sheet.play.table_of_play_rule
        case Ruling.CONCLUDE_OR_VOID if is_established is not None:
            if is_established:
                return CONCLUDED, authority.conclude_rule
            return UNDECIDED, authority.void_interrupted_rule
        case Ruling.VOID if phase in _NO_ROUND and not irregularity.until_next_round:
            return NOTHING_TO_VOID, rule
        case Ruling.REFUSE | Ruling.STANDS if phase is Phase.BETTING:
            return "Bets are still open: it is not late, and is done as asked.", sheet.play.open.rule
        case Ruling.PRO_RATA if phase is Phase.BETTING and sheet.limits:
            return (
                "The excess is refused now: standing patrons give way first, last come first.",
                sheet.limits.excess_rule,
            )
        case Ruling.PRO_RATA if phase is not None and sheet.limits:
            return "Bets of the box win or lose pro rata to the limit.", sheet.limits.pro_rata_rule
        case Ruling.RAISE_OR_WITHDRAW if phase is Phase.BETTING:
            return "The patron raises the bet or withdraws it before bets close.", rule
        case Ruling.RAISE_OR_WITHDRAW if phase is not None and sheet.limits:
            return "It is too late to raise: the bet wins or loses as it lies.", sheet.limits.minimum_unnoticed_rule
    return says, rule


def _beyond(sheet: Sheet, situation: str) -> list[Said]:
    beyond = next((each for each in sheet.irregularities.values() if each.beyond_reconstruction), None)
    if beyond is None or not may_be_beyond(sheet, situation):
        return []
    return [Said("A hand left with a wrong number of cards beyond reconstruction voids the round.", beyond.rule)]


def _voids(irregularity: Irregularity, phase: Phase | None) -> bool:
    if irregularity.beyond_reconstruction:
        return phase is not Phase.BETTING
    return phase not in _NO_ROUND and not (irregularity.id == NOT_ENOUGH_CARDS and phase is Phase.RESULT)


def _steps(
    sheet: Sheet,
    irregularity: Irregularity,
    cards: Sequence[Card] | None,
    phase: Phase | None,
    is_established: bool | None,
) -> list[Said]:
    steps = []
    if irregularity.ruling is Ruling.VOID and _voids(irregularity, phase):
        steps.append(Said("Every bet of the round goes back whole.", sheet.authority.void_rule or irregularity.rule))
    steps += _beyond(sheet, irregularity.id)
    void = irregularity.ruling is Ruling.CONCLUDE_OR_VOID and not is_established
    if cards is not None and irregularity.ruling in _PLAY_GOES_ON and not void:
        hand = next_hand(cards)
        then = f"the next card goes to {hand.title()}" if hand else "no more cards: the round is settled"
        first = len(cards) < INITIAL_CARDS
        rule = sheet.play.initial_cards_rule if first else sheet.play.table_of_play_rule
        told = f"{why(cards)}; {then}."
        steps.append(Said(f"By the Table of Play {told}" if not first else told[0].upper() + told[1:], rule))
    if irregularity.new_shoe is not None:
        by = irregularity.new_shoe.by
        says = f"The {by.spoken} or above may replace the shoe." if by else "New cards are put into play."
        steps.append(Said(says, irregularity.new_shoe.rule))
    return steps


_PLAY_GOES_ON = {Ruling.RECONSTRUCT, Ruling.CONTINUE, Ruling.ORDER_CARDS, Ruling.OPTIONS, Ruling.CONCLUDE_OR_VOID}


def _options(
    sheet: Sheet, irregularity: Irregularity | None, is_established: bool | None, phase: Phase | None
) -> list[Said]:
    if irregularity is None or irregularity.options is None:
        return []
    authority, options = sheet.authority, irregularity.options
    if phase in _NO_ROUND:
        return []
    if phase is Phase.BETTING:
        return [Said("Bets are open: whoever wants the bet back withdraws it.", sheet.play.open.rule)]
    if is_established is not None and not options_due(irregularity, established=is_established, reconstructed=True):
        says = "Nothing to choose: an outcome is established"
        if options.unless is OptionsUnless.ESTABLISHED_AND_RECONSTRUCTIBLE:
            says += " (unless the cards cannot be reconstructed)"
        return [Said(says + ".", options.rule)]
    unless = {
        OptionsUnless.NEVER: "",
        OptionsUnless.OUTCOME_ESTABLISHED: ", provided no outcome is established",
        OptionsUnless.ESTABLISHED_AND_RECONSTRUCTIBLE: ", unless an outcome is established and the cards are put right",
    }
    given = [Said(f"Has the options{unless[options.unless]}.", options.rule)] if is_established is None else []
    return [
        *given,
        Said("Goes on with the hand as it is, where the cards cannot be reconstructed.", authority.continue_as_is_rule),
        Said("Or with the reconstructed hand, where they can.", authority.continue_reconstructed_rule),
        Said("Or takes the bets of the round back, whole.", authority.take_back_rule),
        Said("Whoever goes on accepts every later card of the round.", authority.options_rule),
    ]


def situation_table(sheets: Sequence[Sheet]) -> str:
    """Every situation and each sheet's answer to it, as a Markdown table."""
    names = dict.fromkeys(name for sheet in sheets for name in situations(sheet))
    rows = []
    for name in names:
        cells = [_cell(sheet, name) for sheet in sheets]
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    head = f"| situation | {' | '.join(sheet.id for sheet in sheets)} |"
    return "\n".join([head, "|---" * (len(sheets) + 1) + "|", *rows])


def _cell(sheet: Sheet, situation: str) -> str:
    irregularity = sheet.irregularities.get(situation)
    if irregularity is not None:
        return f"{irregularity.ruling} {irregularity.rule or ''}".strip()
    if situation not in situations(sheet):
        return "—"
    rule = sheet.authority.otherwise_rule
    return f"decision {rule}" if rule else "decision"
