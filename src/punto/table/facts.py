"""The situations that can be reported, the facts each ruling needs, and whether facts are possible at this table.

`ways_to_report` gives the ways to report a situation now and their inputs, or why it cannot be reported. `decide`
checks every report against the same ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.insurance import Window
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Irregularity, Ruling, Sheet
from punto.rules.tableau import cards_in_round, fewest_to_come, hand_counts
from punto.table.bounds import ANY, Input, InputType, SituationGroup, Way
from punto.table.card_order import refuse_cards
from punto.table.commands import Claim, Facts, RoundRecord
from punto.table.limits import boxes_over, minimum_for
from punto.table.phases import IN_ROUND, Phase
from punto.table.play import open_settings, original_spot, refuse_held
from punto.table.recovery import Verdict, recover
from punto.table.refusals import (
    Contradiction,
    FactsContradict,
    FactsMissing,
    NothingToRecover,
    ShoeMissing,
    SituationUnknown,
)
from punto.table.state import LastRound, RoundInPlay, Shoe, State, known_cards, spot_of
from punto.table.views import visible_cards

EXCESS_BETS = "excess-bets"
BELOW_MINIMUM = "below-minimum"
LATE_BET = "late-bet"
LATE_WITHDRAWAL = "late-withdrawal"
WALK_AWAY = "walk-away"
INTERRUPTION = "technical-interruption"
NOT_ENOUGH_CARDS = "not-enough-cards"
INSURANCE_NEGLECTED = "insurance-neglected"
EXCESS_CARD = "excess-card"
DECK_COUNT = "deck-count"
MISREAD_CARD = "misread-card"
OVER_MAXIMUM = "over-maximum"

SITUATIONS = {
    EXCESS_BETS: SituationGroup.BET,
    BELOW_MINIMUM: SituationGroup.BET,
    WALK_AWAY: SituationGroup.PERSON,
    INTERRUPTION: SituationGroup.EQUIPMENT,
    "foreign-card": SituationGroup.SHOE,
    DECK_COUNT: SituationGroup.SHOE,
    "wrong-number-of-cards": SituationGroup.CARD,
    NOT_ENOUGH_CARDS: SituationGroup.SHOE,
    "not-shuffled": SituationGroup.SHOE,
    LATE_BET: SituationGroup.BET,
    LATE_WITHDRAWAL: SituationGroup.BET,
    EXCESS_CARD: SituationGroup.CARD,
    "wrong-area": SituationGroup.CARD,
    "dealt-face-up": SituationGroup.CARD,
    "simultaneous-cards": SituationGroup.CARD,
    "late-error": SituationGroup.CARD,
    "other-dealing-error": SituationGroup.CARD,
    INSURANCE_NEGLECTED: SituationGroup.BET,
    "misplaced-bet": SituationGroup.BET,
    "display-mistake": SituationGroup.EQUIPMENT,
    "bet-for-patron": SituationGroup.BET,
    "anything-else": SituationGroup.OTHER,
}
"""The situations that can be reported at any table, and where people look for each.

A sheet with a ruling describes its situation in its own words.
"""

DEALING_ERRORS = frozenset({EXCESS_CARD, "wrong-area", "simultaneous-cards", "other-dealing-error"})
"""The situations that may leave a hand with a wrong number of cards."""

SHOE_FAULTS = frozenset({"foreign-card", DECK_COUNT, "not-shuffled"})
"""The situations that cannot be at a shoe whose order is known."""

MOST_IN_A_HAND = 6
"""The most cards that a report can give a hand: all that a round can take."""

NOTE = Input("note", InputType.TEXT, when_reconstructible=False)
"""The House's findings, required where the cards cannot be reconstructed."""


_NOT_NOW = Input("reconstructible", InputType.FLAG, allowed=("false",))
"""Whether the cards can be reconstructed, while some are closed: then they cannot be listed."""


def situations(sheet: Sheet) -> tuple[str, ...]:
    """The situations that can be reported at a table of this sheet."""
    named = dict.fromkeys([*SITUATIONS, *sheet.irregularities])
    return tuple([each for each in named if _is_situation(sheet, each)])


def _is_situation(sheet: Sheet, name: str) -> bool:
    if name in sheet.irregularities:
        return True
    # No insurance, none neglected. At terminals no bet can be over the Differential.
    if (name == INSURANCE_NEGLECTED and sheet.insurance is None) or (name == EXCESS_BETS and not sheet.boxes.layouts):
        return False
    return name in SITUATIONS


def group_of(situation: str) -> SituationGroup:
    """Where people look for a situation. One that only a sheet knows is with everything else."""
    return SITUATIONS.get(situation, SituationGroup.OTHER)


def refuse_situation(sheet: Sheet, situation: str) -> Refusal | None:
    """Why a situation of this name cannot be reported at a table of this sheet."""
    return None if _is_situation(sheet, situation) else SituationUnknown(situation, situations(sheet))


def may_be_beyond_reconstruction(sheet: Sheet, situation: str) -> bool:
    """Whether the situation may leave a hand with a wrong number of cards."""
    irregularity = sheet.irregularities.get(situation)
    return situation in DEALING_ERRORS if irregularity is None else irregularity.ruling is Ruling.RECONSTRUCT


def _beyond_reconstruction(sheet: Sheet) -> Irregularity | None:
    return next((each for each in sheet.irregularities.values() if each.beyond_reconstruction), None)


def ruling_on(sheet: Sheet, situation: str, facts: Facts) -> Irregularity | None:
    """The sheet's answer to a situation, if it has one.

    A hand with a wrong number of cards beyond reconstruction has a ruling of its own, whatever the situation.
    """
    irregularity = sheet.irregularities.get(situation)
    if facts.reconstructible is not False or facts.hand is None or not may_be_beyond_reconstruction(sheet, situation):
        return irregularity
    return _beyond_reconstruction(sheet) or irregularity


def late_error(sheet: Sheet) -> Irregularity | None:
    """The sheet's answer to an error that is noticed after the next round began."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.NO_EFFECT), None)


# ------------------------------------------------------------------------------------------- checking


def refuse_facts(state: State, situation: str, facts: Facts) -> Refusal | None:
    """Why the facts are not enough for the ruling, or not possible."""
    irregularity = ruling_on(state.sheet, situation, facts)
    rule = irregularity.rule if irregularity else None
    ways = ways_to_report(state, situation)
    if isinstance(ways, Refusal):
        return ways
    beyond = facts.reconstructible is False and facts.hand is not None
    ways = tuple([way for way in ways if (way.hand is not None) is beyond]) or ways
    if facts.cards and irregularity and _is_about_cards_out(irregularity) and (closed := refuse_closed(state, rule)):
        return closed
    if missing := _missing(ways[0], facts):
        return FactsMissing(situation, missing, rule=rule)
    way = next((way for way in ways if _is_about(way, facts)), None)
    if way is None:
        return FactsContradict(Contradiction.NO_BET, rule=rule)
    refusals = (_refuse_input(state, irregularity, each, facts) for each in way.inputs)
    return way.refusal or next((refusal for refusal in refusals if refusal), None)


def _is_about_cards_out(irregularity: Irregularity) -> bool:
    """Whether a situation is about cards that left the shoe beside those of the round."""
    return irregularity.id == EXCESS_CARD or irregularity.ruling is Ruling.ORDER_CARDS


def targets_of(way: Way) -> tuple[str, ...]:
    """The facts that name the target of a way."""
    return tuple([name for name in ("patron", "box", "on", "hand", "window") if getattr(way, name) is not None])


def _is_about(way: Way, facts: Facts) -> bool:
    """Whether the facts name the target of a way."""
    return all(getattr(way, name) == getattr(facts, name) for name in targets_of(way))


def _missing(way: Way, facts: Facts) -> tuple[str, ...]:
    """All required facts that are missing."""
    filled = [each.name for each in way.inputs if each.is_required(facts.reconstructible)]
    return tuple([name for name in (*targets_of(way), *filled) if getattr(facts, name) in (None, "", ())])


def _refuse_cards(state: State, irregularity: Irregularity | None, cards: tuple[Card, ...]) -> Refusal | None:
    """Why these are not the cards of the round, or not the ones that came out together after them."""
    if irregularity is None or irregularity.ruling is not Ruling.ORDER_CARDS:
        return refuse_cards(state, cards)
    if len(cards) < 2:
        return FactsContradict(Contradiction.ONE_CARD, rule=irregularity.rule)
    return refuse_cards(state, (*known_cards(state), *cards))


def _refuse_input(state: State, irregularity: Irregularity | None, each: Input, facts: Facts) -> Refusal | None:
    """Why a given fact is not possible."""
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
                round_ = state.round or state.last
                if round_ and (refusal := refuse_forgone(state.sheet, wrong, round_, facts.window)):
                    return refusal
                return FactsContradict(Contradiction.NOT_NEGLECTED, hand=wrong[0].hand, rule=rule)
    return None


def _forgone_by(round_: RoundInPlay | LastRound | RoundRecord, patron: str, window: Window) -> Contradiction | None:
    """Why a patron had no right to insurance in a window: away before it closed, or let the first window pass."""
    if round_.walked.get(patron, window.cards + 1) <= window.cards:
        return Contradiction.WAS_AWAY
    return Contradiction.FORGONE if window is Window.PLAYER_THIRD and patron in round_.forgone else None


def refuse_forgone(
    sheet: Sheet, claims: Iterable[Claim], round_: RoundInPlay | LastRound | RoundRecord, window: Window | None
) -> Refusal | None:
    """Why patrons who had forgone insurance cannot claim that it was not offered."""
    problems = [_forgone_by(round_, claim.patron, window) for claim in claims] if window else []
    problem = next((each for each in problems if each), None)
    rule = sheet.insurance.forgone_rule if sheet.insurance else None
    return FactsContradict(problem, rule=rule) if problem else None


# ------------------------------------------------------------------------------------------- what can be reported


def ways_to_report(state: State, situation: str) -> tuple[Way, ...] | Refusal:
    """The ways to report a situation now, or why it cannot be reported. The caller checks who may report."""
    irregularity = state.sheet.irregularities.get(situation)
    if refusal := _refuse_known(state, situation, irregularity):
        return refusal
    if irregularity is not None and irregularity.beyond_reconstruction:
        return _refuse_beyond_reconstruction(state, irregularity) or _ways_with_wrong_numbers(state)
    find = _WAYS.get(irregularity.ruling) if irregularity else None
    ways = find(state, irregularity) if find and irregularity else _ways_to_refer(state, irregularity)
    return ways if isinstance(ways, Refusal) else (*ways, *_ways_beyond_reconstruction(state, situation))


def _refuse_known(state: State, situation: str, irregularity: Irregularity | None) -> Refusal | None:
    """Why a situation cannot be, by what the table knows of its shoe and its bets."""
    shoe, round_, rule = state.shoe, state.round, irregularity.rule if irregularity else None
    if situation in SHOE_FAULTS and shoe is not None and shoe.order:
        return FactsContradict(Contradiction.SHOE_KNOWN, rule=rule)
    if situation == EXCESS_BETS and not (round_ and boxes_over(state.sheet, open_settings(state), round_)):
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
    """Whether the shoe has the cards that a round must still draw after these.

    A known order tells which come. While a card is closed (None) it does not, so that nobody learns what that card is.
    """
    known = tuple([card for card in dealt if card is not None])
    if len(known) < len(dealt):
        return fewest_to_come(dealt) <= shoe.left
    cards = (*known, *shoe.carried, *shoe.order[shoe.drawn :])
    left = 0 if shoe.order else shoe.size - shoe.drawn
    return fewest_to_come(cards[: cards_in_round(cards)]) <= left


def _ways_beyond_reconstruction(state: State, situation: str) -> tuple[Way, ...]:
    """The ways to report a hand with a wrong number of cards beyond reconstruction, if the sheet rules on that."""
    beyond = _beyond_reconstruction(state.sheet)
    if beyond is None or not may_be_beyond_reconstruction(state.sheet, situation):
        return ()
    refusal = _refuse_beyond_reconstruction(state, beyond)
    return tuple([way._replace(refusal=refusal) for way in _ways_with_wrong_numbers(state)])


def _ways_with_wrong_numbers(state: State) -> tuple[Way, ...]:
    """The ways to report that a hand has a number of cards that the Table of Play does not give it."""
    ways = []
    for hand, right in hand_counts(visible_cards(state)).items():
        wrong = tuple([str(number) for number in range(MOST_IN_A_HAND + 1) if number not in right])
        number = Input("hand_count", InputType.NUMBER, allowed=wrong)
        ways.append(Way(hand=hand, inputs=(_NOT_NOW, number, NOTE)))
    return tuple(ways)


def _refuse_beyond_reconstruction(state: State, irregularity: Irregularity) -> Refusal | None:
    """Why no hand can have a wrong number of cards beyond reconstruction now."""
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
    known, shoe = known_cards(state), state.shoe
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


def round_input(latest: int, *, required: bool = True) -> Input:
    """The input for the number of an earlier round."""
    code = "round-not-settled"
    return Input("round", InputType.NUMBER, required, code, code, minimum=1, maximum=latest)


def needs_record(way: Way) -> bool:
    """Whether a way is about an earlier round, whose record must be supplied."""
    return any(each.required and each.refused == "round-not-settled" for each in way.inputs)


def _ways_to_refer(state: State, irregularity: Irregularity | None) -> tuple[Way, ...]:
    """What no paragraph answers can be about any round so far."""
    if irregularity is not None or not state.rounds:
        return ANY
    return (Way(inputs=(round_input(state.rounds, required=False),)),)


def refuse_closed(state: State, rule: str | None = None) -> Refusal | None:
    """Why the cards of the round cannot be listed: some are closed, and must be opened first."""
    closed = state.round is not None and state.round.closed_places
    return FactsContradict(Contradiction.CARDS_CLOSED, rule=rule) if closed else None


def _ways_to_reconstruct(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    if state.shoe is None:
        return ShoeMissing()
    if refuse_closed(state):
        # The round goes on as it is, with the options that are due now. Cards in excess are listed when all are open.
        return (Way(inputs=(_NOT_NOW, NOTE)),)
    return (Way(inputs=(cards_input(state), Input("reconstructible", InputType.FLAG), NOTE)),)


def _ways_to_order(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    shoe = state.shoe
    if shoe is None:
        return ShoeMissing()
    if shoe.order:
        return FactsContradict(Contradiction.CARDS_KNOWN, rule=irregularity.rule)
    if shoe.size - shoe.drawn < 2:
        return FactsContradict(Contradiction.FEW_CARDS_LEFT, rule=irregularity.rule)
    if refuse_closed(state):
        return ANY  # the Dealer deals them in the order that is decided
    return (Way(inputs=(Input("cards", InputType.CARDS, minimum=2, maximum=shoe.size - shoe.drawn),)),)


def _ways_with_options(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    flag = Input("reconstructible", InputType.FLAG, required=False)
    if state.round is None:
        return (Way(inputs=(flag, NOTE)),)
    if refuse_closed(state):
        return (Way(inputs=(replace(_NOT_NOW, required=False), NOTE)),)
    return (Way(inputs=(flag, cards_input(state, when=True), NOTE)),)


def _ways_to_recover(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    return refuse_recovery(state) or ANY


def _ways_to_walk_away(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    round_ = state.round
    bettors = dict.fromkeys([spot.patron for spot in round_.bets]) if round_ else {}
    if not bettors or round_ is None:
        return FactsContradict(Contradiction.NO_BET, rule=irregularity.rule)
    present = [patron for patron in bettors if patron not in round_.away]
    if not present:
        return FactsContradict(Contradiction.WALKED_AWAY, rule=irregularity.rule)
    return tuple([Way(patron=patron) for patron in present])


def _ways_when_late(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    if state.rounds < 2:
        return FactsContradict(Contradiction.ROUND_NOT_OVER, rule=irregularity.rule)
    return (Way(inputs=(Input("round", InputType.NUMBER, minimum=1, maximum=state.rounds - 1),)),)


def _ways_when_closed(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    if state.phase not in IN_ROUND and state.phase is not Phase.HELD:
        return FactsContradict(Contradiction.BETS_OPEN, rule=irregularity.rule)
    return ANY


def _ways_when_face_up(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    if not open_settings(state).face_down:
        return FactsContradict(Contradiction.DEALT_FACE_UP, rule=irregularity.rule)
    if state.round is None or not state.round.dealt:
        return FactsContradict(Contradiction.NO_CARD_YET, rule=irregularity.rule)
    return ANY


def _ways_below_minimum(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    bets = state.round.bets.values() if state.round else ()
    settings = open_settings(state)
    low = [bet for bet in bets if bet.window is None and bet.stake_cents < minimum_for(state.sheet, settings, bet.on)]
    if not low:
        return FactsContradict(Contradiction.NOT_BELOW_MINIMUM, rule=irregularity.rule)
    return tuple([Way(patron=bet.patron, box=bet.box, on=bet.on) for bet in low])


def _ways_to_claim(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    """One way for each window, with the original bets that could have been insured in it and were not."""
    insurance, round_ = state.sheet.insurance, state.round or state.last
    if insurance is None or round_ is None:
        return FactsContradict(Contradiction.NO_OFFER, rule=irregularity.rule)
    bets = [line.bet for line in round_.lines] if isinstance(round_, LastRound) else list(round_.bets.values())
    ran_without = round_ if isinstance(round_, LastRound) else open_settings(state)
    if ran_without.without_insurance:
        return FactsContradict(Contradiction.NO_INSURANCE, rule=insurance.private_table_rule)
    ways = []
    for window in Window:
        offers = insurance.offers(round_.cards[: window.cards]) if len(round_.cards) >= window.cards else {}
        could = [claim for claim in uninsured(state.sheet, bets, window) if claim.hand in offers]
        present = [claim for claim in could if not _forgone_by(round_, claim.patron, window)]
        claims = tuple([claim for claim in present if not _was_returned(state, claim)])
        refusal: Refusal | None = None
        if round_.waived and window is Window.PLAYER_THIRD:
            refusal = FactsContradict(Contradiction.WAIVED, rule=insurance.waiver_rule)
        elif state.round and not state.round.waiting and len(round_.cards) == window.cards and offers:
            refusal = FactsContradict(Contradiction.WINDOW_OPEN, rule=irregularity.rule)
        elif not claims:
            no_offer = FactsContradict(Contradiction.NO_OFFER, rule=irregularity.rule)
            refusal = refuse_forgone(state.sheet, could, round_, window) or no_offer
        inputs = (Input("claims", InputType.CLAIMS, claims=claims),)
        ways.append(Way(window=window, inputs=inputs, refusal=refusal))
    return tuple(ways)


def ways_to_claim_later(state: State) -> tuple[Way, ...]:
    """The way to report that insurance was not offered in an earlier round. Its record says who may claim."""
    present = state.round is not None or state.last is not None
    if state.sheet.insurance is None or not (latest := state.rounds - present):
        return ()
    window = Input("window", InputType.ONE_OF, allowed=tuple(Window))
    return (Way(inputs=(round_input(latest), window, Input("claims", InputType.CLAIMS))),)


def _was_returned(state: State, claim: Claim) -> bool:
    """Whether the settled bet of a claim was returned already."""
    spot = original_spot(state, claim.patron, claim.box, claim.hand)
    lines = state.last.lines if state.last else ()
    return any(spot_of(line.bet) == spot and line.net_cents == 0 for line in lines)


def claims_of(sheet: Sheet, bets: Iterable[Bet]) -> list[Claim]:
    """The original bets as claims to insurance, each once."""
    originals = [(bet, sheet.bets[bet.on].hand) for bet in bets if bet.window is None]
    return list(dict.fromkeys([Claim(bet.patron, bet.box, hand) for bet, hand in originals if hand is not None]))


def uninsured(sheet: Sheet, bets: Sequence[Bet], window: Window) -> list[Claim]:
    """The original bets that were not insured in a window, whether or not they could have been."""
    insured_as = {bet.hand: bet.id for bet in sheet.insurance_bets.values()}
    spots = {spot_of(bet) for bet in bets}
    return [
        Claim(bet.patron, bet.box, hand)
        for bet in bets
        if bet.window is None and (hand := sheet.bets[bet.on].hand) is not None
        if spot_of(bet)._replace(on=insured_as[hand], window=window) not in spots
    ]


_WAYS: dict[Ruling, Callable[[State, Irregularity], tuple[Way, ...] | Refusal]] = {
    Ruling.RECONSTRUCT: _ways_to_reconstruct,
    Ruling.ORDER_CARDS: _ways_to_order,
    Ruling.OPTIONS: _ways_with_options,
    Ruling.CONCLUDE_OR_VOID: _ways_to_recover,
    Ruling.SETTLE: _ways_to_walk_away,
    Ruling.NO_EFFECT: _ways_when_late,
    Ruling.REFUSE: _ways_when_closed,
    Ruling.STANDS: _ways_when_closed,
    Ruling.CONTINUE: _ways_when_face_up,
    Ruling.RAISE_OR_WITHDRAW: _ways_below_minimum,
    Ruling.RETURN_ORIGINAL: _ways_to_claim,
}


def refuse_recovery(state: State) -> Refusal | None:
    """Why no round can be recovered."""
    if state.round is None:
        return NothingToRecover()
    if state.case and recover(state).verdict is Verdict.HELD:
        return refuse_held(state.case)
    return None
