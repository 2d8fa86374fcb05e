"""What can be reported, the facts each ruling needs, and whether they can be at this table."""

from __future__ import annotations

from collections.abc import Callable

from punto.rules.insurance import Window
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Ruling, Sheet
from punto.rules.tableau import next_hand
from punto.table.commands import Claim, Facts
from punto.table.limits import least
from punto.table.phases import IN_ROUND, Phase
from punto.table.play import open_settings, original_spot, refuse_cards
from punto.table.recovery import Verdict, recover
from punto.table.refusals import TableCode
from punto.table.state import RoundInPlay, Spot, State, known_cards, spot_of

EXCESS_BETS = "excess-bets"
LATE_BET = "late-bet"
LATE_WITHDRAWAL = "late-withdrawal"
WALK_AWAY = "walk-away"
INTERRUPTION = "technical-interruption"
NOT_ENOUGH_CARDS = "not-enough-cards"
INSURANCE_NEGLECTED = "insurance-neglected"
EXCESS_CARD = "excess-card"
MISREAD_CARD = "misread-card"
ANYTHING_ELSE = "anything-else"

SITUATIONS: dict[str, str] = {
    EXCESS_BETS: "A box is over the maximum Differential",
    "below-minimum": "A bet lies below the minimum",
    WALK_AWAY: "A patron walks away after betting",
    INTERRUPTION: "A technical interruption, such as a power failure, stops the round",
    "foreign-card": "A card that is not of the set is found",
    "deck-count": "The deck is short of cards or has too many",
    "wrong-number-of-cards": "A hand got the wrong number of cards and it cannot be reconstructed",
    NOT_ENOUGH_CARDS: "The shoe has too few cards to finish the round",
    "not-shuffled": "The cards were not shuffled",
    LATE_BET: "A bet is placed or raised after bets closed",
    LATE_WITHDRAWAL: "A bet is withdrawn after bets closed",
    EXCESS_CARD: "A card is drawn in excess or exposed",
    "wrong-area": "Cards go to the wrong area or to the wrong person",
    "dealt-face-up": "Cards are dealt face up at a face-down table",
    "simultaneous-cards": "Two or more cards come out at once and their order is not known",
    "late-error": "An error is seen only after the next round began",
    "other-dealing-error": "Any other dealing error",
    INSURANCE_NEGLECTED: "The Dealer did not offer insurance",
    "misplaced-bet": "Chips do not lie where the patron says they were meant to",
    "display-mistake": "A display shows something other than what happened at the table",
    "bet-for-patron": "Pit staff placed a bet for a patron and it is said to be wrong",
    ANYTHING_ELSE: "Anything that no paragraph answers",
}
"""What can be reported at any table. A sheet that has an answer describes the situation in its own words."""

FOUND_BY_THE_TABLE = {MISREAD_CARD: "A card was read or keyed wrongly, or a reading was lost"}
"""What opens a case without being reported."""

DEALING_ERRORS = frozenset({EXCESS_CARD, "wrong-area", "simultaneous-cards", "other-dealing-error"})
"""What may leave a hand with a wrong number of cards."""

_NEEDS: dict[Ruling, tuple[str, ...]] = {
    Ruling.RECONSTRUCT: ("cards", "reconstructible"),
    Ruling.ORDER_CARDS: ("cards",),
    Ruling.RETURN_ORIGINAL: ("window", "claims"),
    Ruling.RAISE_OR_WITHDRAW: ("patron", "box", "on"),
    Ruling.NO_EFFECT: ("round",),
    Ruling.SETTLE: ("patron",),
}
"""The facts without which a ruling cannot be given."""


def situations(sheet: Sheet) -> dict[str, str]:
    """What can be reported at a table of this sheet, each in words: the sheet's own where it has an answer."""
    own = {each.id: each.situation for each in sheet.irregularities.values()}
    skip = set() if sheet.insurance else {INSURANCE_NEGLECTED}
    return {key: own.get(key, says) for key, says in (SITUATIONS | own).items() if key in own or key not in skip}


def refuse_situation(sheet: Sheet, situation: str) -> Refusal | None:
    """Why nothing of this name can be reported at a table of this sheet."""
    known = situations(sheet)
    if situation in known:
        return None
    message = f"{situation!r} is not a situation of {sheet.title}; there are {', '.join(known)}"
    return Refusal(TableCode.SITUATION_UNKNOWN, message)


def may_be_beyond(sheet: Sheet, situation: str) -> bool:
    """Whether the situation may leave a hand with a wrong number of cards."""
    irregularity = sheet.irregularities.get(situation)
    return situation in DEALING_ERRORS if irregularity is None else irregularity.ruling is Ruling.RECONSTRUCT


def needed_facts(irregularity: Irregularity | None) -> tuple[str, ...]:
    """The facts without which a report of this irregularity is refused."""
    if irregularity is None:
        return ()
    return ("reconstructible",) if irregularity.beyond_reconstruction else _NEEDS.get(irregularity.ruling, ())


def beyond_reconstruction(sheet: Sheet, situation: str, facts: Facts) -> Irregularity | None:
    """The sheet's answer to a situation, if it has one.

    A hand with the wrong number of cards that cannot be put right has a ruling of its own, however it came about.
    """
    irregularity = sheet.irregularities.get(situation)
    if facts.reconstructible is not False or facts.hand is None or not may_be_beyond(sheet, situation):
        return irregularity
    beyond = (each for each in sheet.irregularities.values() if each.beyond_reconstruction)
    return next(beyond, irregularity)


def refuse_facts(state: State, irregularity: Irregularity | None, facts: Facts) -> Refusal | None:
    """Why the facts do not do for the ruling, or cannot be."""
    if irregularity is None:
        return None
    ruling, rule = irregularity.ruling, irregularity.rule
    missing = [name for name in needed_facts(irregularity) if getattr(facts, name) in (None, ())]
    if facts.reconstructible is False and not facts.note:
        missing.append("note")
    if missing:
        message = f"{irregularity.id} needs the facts {', '.join(missing)}: {irregularity.situation.lower()}"
        return Refusal(TableCode.FACTS_MISSING, message, rule)
    check = _CHECK.get(ruling)
    return check(state, irregularity, facts) if check else None


def _contradict(irregularity: Irregularity, message: str) -> Refusal:
    return Refusal(TableCode.FACTS_CONTRADICT, message, irregularity.rule)


def _check_void(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    if irregularity.beyond_reconstruction:
        return _refuse_beyond(state, irregularity, facts)
    if irregularity.id == NOT_ENOUGH_CARDS and state.round is not None and _can_finish(state, state.round):
        message = "the round has all the cards it needs, or the shoe holds them"
        return Refusal(TableCode.FACTS_CONTRADICT, message, state.sheet.play.table_of_play_rule)
    return None


def _refuse_beyond(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    """Why no hand can have a wrong number of cards beyond reconstruction."""
    if facts.reconstructible:
        return _contradict(irregularity, "this voids only what cannot be reconstructed; report the card or the area")
    if state.round is None and state.last is None:
        return _contradict(irregularity, "no round was played since the table opened or the last one was void")
    if state.round is None and state.last and state.last.void:
        return _contradict(irregularity, f"round {state.last.number} is void already")
    if state.round is not None and not state.round.cards:
        late = late_error(state.sheet)
        message = "no card of this round lies yet, and an error of an earlier one has no effect once the next began"
        return Refusal(TableCode.FACTS_CONTRADICT, message, late.rule if late else irregularity.rule)
    return None


def late_error(sheet: Sheet) -> Irregularity | None:
    """The sheet's answer to an error that is seen after the next round began."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.NO_EFFECT), None)


def _can_finish(state: State, round_: RoundInPlay) -> bool:
    """Whether a round is complete, or the known order of its shoe completes it."""
    cards, shoe = round_.cards, state.shoe
    coming = (*shoe.carried, *shoe.order[shoe.drawn :]) if shoe and shoe.order else ()
    for card in coming:
        if next_hand(cards) is None:
            break
        cards = (*cards, card)
    return next_hand(cards) is None


def _check_cards(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    return refuse_cards(state, facts.cards)


def _check_options(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    if facts.reconstructible and not facts.cards:
        message = f"{irregularity.id} needs the facts cards: a hand is reconstructed from them"
        return Refusal(TableCode.FACTS_MISSING, message, irregularity.rule)
    return refuse_cards(state, facts.cards) if facts.reconstructible and state.round is not None else None


def _check_order(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    if len(facts.cards) < 2:
        return _contradict(irregularity, "cards that came out at once are two or more")
    if state.shoe is not None and state.shoe.order:
        return _contradict(irregularity, "the order of this shoe is known, and so is which card came first")
    return refuse_cards(state, (*known_cards(state), *facts.cards))


def _check_interruption(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    return refuse_recovery(state)


def _check_patron(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    round_ = state.round
    if round_ is None or not any(spot.patron == facts.patron for spot in round_.bets):
        return _contradict(irregularity, f"{facts.patron} has no bet in a round under way")
    if facts.patron in round_.away:
        return _contradict(irregularity, f"{facts.patron} walked away already")
    return None


def _check_late(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    if facts.round is None or not 0 < facts.round < state.rounds:
        return _contradict(irregularity, f"round {facts.round} is not one after which another began")
    return None


def _check_closed(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    if state.phase not in IN_ROUND and state.phase is not Phase.HELD:
        return _contradict(irregularity, f"no round with closed bets is under way: the table is in {state.phase}")
    return None


def _check_face_down(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    if not open_settings(state).face_down:
        return _contradict(irregularity, "cards are dealt face up at this table")
    if state.round is None or not state.round.cards:
        return _contradict(irregularity, "no card of a round under way lies yet")
    return None


def _check_below_minimum(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    bet = state.round.bets.get(Spot(facts.box or 0, facts.patron or "", facts.on or "")) if state.round else None
    if bet is None or bet.stake_cents >= least(state.sheet, open_settings(state), bet.on):
        return _contradict(irregularity, f"no bet of {facts.patron} on {facts.on} lies below the minimum there")
    return None


def _check_claims(state: State, irregularity: Irregularity, facts: Facts) -> Refusal | None:
    insurance, window = state.sheet.insurance, facts.window
    cards = state.round.cards if state.round else state.last.cards if state.last else ()
    if insurance is None or window is None:
        return _contradict(irregularity, "this game has no insurance")
    if open_settings(state).without_insurance:
        message = "this table runs without insurance, so none was neglected"
        return Refusal(TableCode.FACTS_CONTRADICT, message, insurance.private_table_rule)
    round_ = state.round or state.last
    if round_ and round_.waived and window is Window.PLAYER_THIRD:
        return Refusal(TableCode.FACTS_CONTRADICT, "the second window was waived", insurance.waiver_rule)
    offers = insurance.offers(cards[: window.cards]) if len(cards) >= window.cards else {}
    if state.round and len(cards) == window.cards and offers:
        return _contradict(irregularity, f"the {window} window is open now: insurance can be bet")
    for claim in facts.claims:
        if claim.hand not in offers:
            return _contradict(irregularity, f"no insurance on {claim.hand.title()} stood in the {window} window")
        if refusal := _refuse_claim(state, irregularity, claim, facts):
            return refusal
    return None


def _refuse_claim(state: State, irregularity: Irregularity, claim: Claim, facts: Facts) -> Refusal | None:
    settled = state.last.lines if state.last else ()
    spots = set(state.round.bets) if state.round else {spot_of(line.bet) for line in settled}
    if original_spot(state, claim.patron, claim.box, claim.hand) not in spots:
        return _contradict(irregularity, f"{claim.patron} has no bet on {claim.hand.title()} in box {claim.box}")
    on = next(bet.id for bet in state.sheet.insurance_bets.values() if bet.hand is claim.hand)
    if Spot(claim.box, claim.patron, on, facts.window) in spots:
        return _contradict(irregularity, f"{claim.patron} did insure {claim.hand.title()} in that window")
    return None


_CHECK: dict[Ruling, Callable[[State, Irregularity, Facts], Refusal | None]] = {
    Ruling.VOID: _check_void,
    Ruling.RECONSTRUCT: _check_cards,
    Ruling.ORDER_CARDS: _check_order,
    Ruling.OPTIONS: _check_options,
    Ruling.CONCLUDE_OR_VOID: _check_interruption,
    Ruling.SETTLE: _check_patron,
    Ruling.NO_EFFECT: _check_late,
    Ruling.REFUSE: _check_closed,
    Ruling.STANDS: _check_closed,
    Ruling.CONTINUE: _check_face_down,
    Ruling.RAISE_OR_WITHDRAW: _check_below_minimum,
    Ruling.RETURN_ORIGINAL: _check_claims,
}


def refuse_recovery(state: State) -> Refusal | None:
    """Why there is nothing to recover."""
    recovery = recover(state)
    if recovery.verdict is Verdict.NOTHING:
        return Refusal(TableCode.NOTHING_TO_RECOVER, "no round is under way")
    if state.case and recovery.verdict is Verdict.HELD:
        message = f"case {state.case.number} holds the round already and waits for {state.case.waiting_for}"
        return Refusal(TableCode.ROUND_HELD, message, recovery.rule)
    return None
