"""The situations that can be reported, and whether the facts of a report are possible at this table.

`ways_to_report` gives the ways to report a situation now and their inputs, or why it cannot be reported. Every report
is checked against the same ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.established import fewest_to_come, hand_counts
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Ruling, Sheet
from punto.rules.tableau import cards_in_round
from punto.table.limits import boxes_over
from punto.table.refusals import Contradiction, FactsContradict, FactsMissing, RoundNotSettled, ShoeMissing
from punto.table.rulings.procedures import PROCEDURES, ReportWay, WaysToReport
from punto.table.rulings.reorder import extra_cards, laid_out, refuse_cards
from punto.table.rulings.situations import (
    DEALT_FACE_UP,
    EXCESS_BETS,
    EXCESS_CARD,
    INSURANCE_NEGLECTED,
    NOT_ENOUGH_CARDS,
    SHOE_FAULTS,
    beyond_reconstruction,
    cited_now,
    late_error,
    may_be_beyond_reconstruction,
    ruling_on,
)
from punto.table.state import EndedRound, RoundInPlay, Shoe, State
from punto.table.values import Claim, Facts
from punto.table.ways import Input, InputType

MOST_IN_A_HAND = 6
"""The most cards that a report can give a hand: all that a round can take."""


NOTE = Input("note", InputType.TEXT, when_reconstructible=False)
"""The House's findings, required where the cards cannot be reconstructed."""


NOT_NOW = Input("reconstructible", InputType.FLAG, allowed=("false",))
"""The input for whether the cards can be reconstructed, while some are closed: then they cannot be listed."""


def refuse_by_ways(
    state: State, situation: str, facts: Facts, ways: WaysToReport, round_: RoundInPlay | EndedRound | None
) -> Refusal | None:
    """The refusal of facts that these ways to report something about a round do not accept."""
    irregularity = ruling_on(state.sheet, situation, facts)
    rule = irregularity.rule if irregularity else None
    if isinstance(ways, Refusal):
        return ways
    beyond = facts.reconstructible is False and facts.hand is not None
    ways = tuple([way for way in ways if (way.facts.hand is not None) is beyond]) or ways
    answered = irregularity.id if irregularity else situation
    beside = answered == EXCESS_CARD or (irregularity and irregularity.ruling is Ruling.ORDER_CARDS)
    if facts.cards and beside and (closed := refuse_closed(state, rule)):
        return closed  # other cards left the shoe beside those of the round
    if missing := _missing(ways[0], facts):
        return FactsMissing(situation, missing, rule=rule)
    way = next((way for way in ways if replace(facts, **way.about) == facts), None)
    if way is None:
        return FactsContradict(Contradiction.NO_BET, rule=rule)
    refusals = (_refuse_input(state, irregularity, each, facts, round_) for each in way.inputs)
    return way.refusal or next((refusal for refusal in refusals if refusal), None) or _refuse_hands(state, facts, rule)


def _missing(way: ReportWay, facts: Facts) -> tuple[str, ...]:
    """All required facts that are missing."""
    filled = [each.name for each in way.inputs if each.is_required(facts.reconstructible)]
    return tuple([name for name in (*way.about, *filled) if getattr(facts, name) in (None, "", ())])


def _refuse_cards(state: State, irregularity: Irregularity | None, cards: tuple[Card, ...]) -> Refusal | None:
    """The refusal of cards that are not those of the round, or did not come out together after them."""
    if irregularity is None or irregularity.ruling is not Ruling.ORDER_CARDS:
        return refuse_cards(state, cards)
    if len(cards) < 2:
        return FactsContradict(Contradiction.ONE_CARD, rule=irregularity.rule)
    return refuse_cards(state, (*state.known_cards, *cards))


def _refuse_input(
    state: State,
    irregularity: Irregularity | None,
    each: Input,
    facts: Facts,
    round_: RoundInPlay | EndedRound | None,
) -> Refusal | None:
    """The refusal of a given fact that is not possible."""
    rule = irregularity.rule if irregularity else None
    match each.type:
        case InputType.CARDS if each.is_required(facts.reconstructible):
            return _refuse_cards(state, irregularity, facts.cards)
        case InputType.FLAG if each.allowed and facts.reconstructible is True:
            return refuse_closed(state, rule) or FactsContradict(Contradiction.RECONSTRUCTIBLE, rule=rule)
        case InputType.NUMBER if each.allowed:
            if str(getattr(facts, each.name)) not in each.allowed:
                return FactsContradict(Contradiction.NUMBER_RIGHT, hand=facts.hand, rule=rule)
        case InputType.NUMBER if each.required and not (each.minimum or 0) <= (facts.round or 0) <= (each.maximum or 0):
            return FactsContradict(Contradiction.ROUND_NOT_OVER, rule=rule)
        case InputType.CLAIMS:
            if wrong := [claim for claim in facts.claims if claim not in each.claims]:
                if round_ and (refusal := refuse_forgone(state.sheet, wrong, round_, facts.window)):
                    return refusal
                return FactsContradict(Contradiction.NOT_NEGLECTED, hand=wrong[0].hand, rule=rule)
    return None


def _refuse_hands(state: State, facts: Facts, rule: str | None) -> Refusal | None:
    """The refusal of hands that go on as they are: not such as a round has, or of a shoe whose order is known."""
    if not (facts.player_cards or facts.banker_cards):
        return None
    if state.shoe and state.shoe.order:
        return FactsContradict(Contradiction.CARDS_KNOWN, rule=rule)
    laid = laid_out(facts.player_cards, facts.banker_cards)
    if laid is None or state.round is None or extra_cards(laid, facts.cards or laid):
        return FactsContradict(Contradiction.HANDS_NOT_DEALT, rule=rule)
    return refuse_closed(state, rule) or refuse_cards(state, facts.cards or laid)


def forgone_by(round_: RoundInPlay | EndedRound, patron: str, window: Window) -> Contradiction | None:
    """The reason why a patron had no right to insurance: away before a window closed, or passed the first."""
    if round_.walked.get(patron, window.cards + 1) <= window.cards:
        return Contradiction.WAS_AWAY
    return Contradiction.FORGONE if window is Window.PLAYER_THIRD and patron in round_.forgone else None


def refuse_forgone(
    sheet: Sheet, claims: Iterable[Claim], round_: RoundInPlay | EndedRound, window: Window | None
) -> Refusal | None:
    """The refusal of claims by patrons who had forgone insurance that it was not offered."""
    problems = [forgone_by(round_, claim.patron, window) for claim in claims] if window else []
    problem = next((each for each in problems if each), None)
    rule = sheet.insurance.forgone_rule if sheet.insurance else None
    return FactsContradict(problem, rule=rule) if problem else None


def ways_to_report(state: State, situation: str) -> WaysToReport:
    """The ways to report a situation now, or why it cannot be reported. The caller checks who may report."""
    irregularity = state.sheet.irregularities.get(situation)
    if refusal := _refuse_known(state, situation, irregularity):
        return refusal
    if irregularity is not None and irregularity.beyond_reconstruction:
        return _refuse_beyond_reconstruction(state, irregularity) or _ways_with_wrong_numbers(state)
    if irregularity is not None:
        ways = PROCEDURES[irregularity.ruling].ways(state, irregularity)
    elif situation == EXCESS_CARD:  # referred, and what left the shoe stays in the books
        listed = ReportWay(inputs=() if refuse_closed(state) else (cards_input(state),))
        ways = ShoeMissing() if state.shoe is None else (listed,)
    else:  # referred, in any round so far
        ways = (ReportWay(inputs=(round_input(state.rounds, required=False),) if state.rounds else ()),)
    return ways if isinstance(ways, Refusal) else (*ways, *_ways_beyond_reconstruction(state, situation))


def _refuse_known(state: State, situation: str, irregularity: Irregularity | None) -> Refusal | None:
    """The refusal of a situation that contradicts what the table knows of itself, its shoe and its bets."""
    shoe, round_, rule = state.shoe, state.round, irregularity.rule if irregularity else None
    if situation == DEALT_FACE_UP and not state.open_settings.face_down:
        return FactsContradict(Contradiction.DEALT_FACE_UP, rule=rule)
    if situation == INSURANCE_NEGLECTED and irregularity is None and not state.open_settings.live:
        return FactsContradict(Contradiction.OFFERED)
    if situation in SHOE_FAULTS and shoe is not None and shoe.order:
        return FactsContradict(Contradiction.SHOE_KNOWN, rule=rule)
    if situation == EXCESS_BETS and not boxes_over(state):
        rule = cited_now(state.sheet, irregularity, state.phase) if irregularity else None
        return FactsContradict(Contradiction.NOTHING_OVER, rule=rule)
    if situation == NOT_ENOUGH_CARDS:
        if shoe is None:
            return ShoeMissing()
        if _can_finish(shoe, round_.visible if round_ else ()):
            return FactsContradict(Contradiction.ENOUGH_CARDS, rule=state.sheet.play.table_of_play_rule)
        if irregularity and irregularity.cut_card_out and not shoe.cut_card_out:
            return FactsContradict(Contradiction.CUT_CARD_IN, rule=rule)
    return None


def _can_finish(shoe: Shoe, dealt: tuple[Card | None, ...]) -> bool:
    """True if the shoe has the cards that a round must still draw after these.

    A known order tells which come. While a card is closed (None) it does not, so that nobody learns what that card is.
    """
    known = tuple([card for card in dealt if card is not None])
    if len(known) < len(dealt):
        return fewest_to_come(dealt) <= shoe.left
    cards = (*known, *shoe.carried, *shoe.order[shoe.drawn :])
    left = 0 if shoe.order else shoe.size - shoe.drawn
    return fewest_to_come(cards[: cards_in_round(cards)]) <= left


def _ways_beyond_reconstruction(state: State, situation: str) -> tuple[ReportWay, ...]:
    """The ways to report a hand with a wrong number of cards beyond reconstruction, if the sheet rules on that."""
    beyond = beyond_reconstruction(state.sheet)
    if beyond is None or not may_be_beyond_reconstruction(state.sheet, situation):
        return ()
    refusal = _refuse_beyond_reconstruction(state, beyond)
    return tuple([replace(way, refusal=refusal) for way in _ways_with_wrong_numbers(state)])


def _ways_with_wrong_numbers(state: State) -> tuple[ReportWay, ...]:
    """The ways to report that a hand has a number of cards that the Table of Play does not give it."""
    ways = []
    for hand, right in hand_counts(state.visible_cards).items():
        wrong = tuple([str(number) for number in range(MOST_IN_A_HAND + 1) if number not in right])
        number = Input("hand_count", InputType.NUMBER, allowed=wrong)
        ways.append(ReportWay(Facts(hand=hand), inputs=(NOT_NOW, number, NOTE)))
    return tuple(ways)


def _refuse_beyond_reconstruction(state: State, irregularity: Irregularity) -> Refusal | None:
    """The reason why no hand can have a wrong number of cards beyond reconstruction now."""
    if state.round is None and state.last is None:
        return FactsContradict(Contradiction.NO_ROUND, rule=irregularity.rule)
    if state.last and state.last.void:
        return FactsContradict(Contradiction.ALREADY_VOID, rule=irregularity.rule)
    if state.round is not None and not state.round.dealt:
        late = late_error(state.sheet)
        return FactsContradict(Contradiction.NO_CARD_YET, rule=late.rule if late else irregularity.rule)
    if state.shoe is not None and state.shoe.order:
        return FactsContradict(Contradiction.NUMBER_RIGHT, rule=irregularity.rule)  # the table itself dealt the cards
    return None


def cards_input(state: State, when: bool | None = None) -> Input:
    """The input for all cards of the round, in the order in which they left the shoe."""
    known, shoe = state.known_cards, state.shoe
    maximum = len(known) + (shoe.size - shoe.drawn if shoe else 0)
    in_order = bool(shoe and shoe.order)
    return Input(
        "cards",
        InputType.CARDS,
        minimum=max(1, len(known)),
        maximum=maximum,
        includes=() if in_order else known,
        starts_with=known if in_order else (),
        when_reconstructible=when,
    )


def hands_inputs(state: State) -> tuple[Input, ...]:
    """The inputs for the cards that lie in each hand, where a round goes on as it is."""
    if state.round is None or not state.round.dealt or (state.shoe and state.shoe.order):
        return ()
    return tuple(
        [
            Input(f"{hand}_cards", InputType.CARDS, False, minimum=0, maximum=3, when_reconstructible=False)
            for hand in Hand
        ]
    )


def round_input(latest: int, *, required: bool = True) -> Input:
    """The input for the number of an earlier round."""
    return Input("round", InputType.NUMBER, required, RoundNotSettled, RoundNotSettled, minimum=1, maximum=latest)


def refuse_closed(state: State, rule: str | None = None) -> Refusal | None:
    """The reason why the cards of the round cannot be listed: some are closed, and must be opened first."""
    closed = state.round is not None and state.round.closed_places
    return FactsContradict(Contradiction.CARDS_CLOSED, rule=rule) if closed else None
