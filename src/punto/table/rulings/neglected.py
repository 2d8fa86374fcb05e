"""Insurance that the Dealer did not offer: the original bet is returned where that insurance would have won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from punto.rules.cards import Card
from punto.rules.insurance import Window, maximum_insurance
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Irregularity, Ruling, Sheet
from punto.table.act import Event, StaffOnly, event
from punto.table.actor import Actor
from punto.table.acts.rounds import neglected_spots, original_spot
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.corrections.record import RoundRecord, settled_record
from punto.table.draft import Draft
from punto.table.limits import minimum_for
from punto.table.refusals import Contradiction, FactsContradict, FactsMissing, RoundNotSettled
from punto.table.rulings.cases import IncidentRuled, add_and_close, close_case, propose, ruled
from punto.table.rulings.facts import forgone_by, refuse_forgone, round_input
from punto.table.rulings.procedures import procedure
from punto.table.state import LastRound, Settings, State, open_settings
from punto.table.values import Adjustment, Claim, Facts, adjustment, spot_of
from punto.table.ways import Input, InputType, Way

# ------------------------------------------------------------------------------------------- in the present round


@event(money=False)
class InsuranceClaimed(Event):
    """Patrons had meant to insure. If that insurance would have won, their original bets are returned."""

    case: int
    round: int
    window: Window
    claims: StaffOnly[tuple[Claim, ...]]
    rule: str | None

    def apply(self, state: State) -> State:
        round_, last = state.round, state.last
        if round_ is not None and round_.number == self.round:
            claims = round_.claims | {self.window: (*round_.claims.get(self.window, ()), *self.claims)}
            forgone = still_forgone(round_.forgone, self)
            return state._replace(round=round_._replace(claims=claims, claims_rule=self.rule, forgone=forgone))
        if last is not None and last.number == self.round:
            return state._replace(last=last._replace(forgone=still_forgone(last.forgone, self)))
        return state  # a claim about an earlier round, which only the log remembers


def still_forgone(forgone: frozenset[str], event: InsuranceClaimed) -> frozenset[str]:
    """The patrons who have forgone insurance after these claims, without those who were not offered it at first."""
    return forgone - {claim.patron for claim in event.claims} if event.window is Window.FOUR_CARDS else forgone


def _ways_to_claim(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    """One way for each window, with the original bets that could have been insured in it and were not."""
    insurance, round_ = state.sheet.insurance, state.round or state.last
    if insurance is None or round_ is None:
        return FactsContradict(Contradiction.NO_OFFER, rule=irregularity.rule)
    bets = [line.bet for line in round_.lines] if isinstance(round_, LastRound) else list(round_.bets.values())
    settings = open_settings(state)
    ran_without = round_ if isinstance(round_, LastRound) else settings
    if ran_without.without_insurance:
        return FactsContradict(Contradiction.NO_INSURANCE, rule=insurance.private_table_rule)
    if not settings.live:
        return FactsContradict(Contradiction.OFFERED, rule=irregularity.rule)
    ways = []
    for window in Window:
        offers = insurance.offers(round_.cards[: window.cards]) if len(round_.cards) >= window.cards else {}
        could = insurable(state.sheet, bets, window, round_.cards, settings) if offers else []
        present = [claim for claim in could if not forgone_by(round_, claim.patron, window)]
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
    """True if the settled bet of a claim was returned already."""
    spot = original_spot(state, claim.patron, claim.box, claim.hand)
    lines = state.last.lines if state.last else ()
    return any(spot_of(line.bet) == spot and line.net_cents == 0 for line in lines)


def claims_of(sheet: Sheet, bets: Iterable[Bet]) -> list[Claim]:
    """The original bets as claims to insurance, each once."""
    originals = [(bet, sheet.bets[bet.on].hand) for bet in bets if bet.window is None]
    return list(dict.fromkeys([Claim(bet.patron, bet.box, hand) for bet, hand in originals if hand is not None]))


def insurable(
    sheet: Sheet, bets: Sequence[Bet], window: Window, cards: tuple[Card, ...], settings: Settings
) -> list[Claim]:
    """The original bets that could have been insured in a window of a round with these cards, and were not.

    Insurance of an earlier window counts against the cap: where less than the minimum was left under it, nothing could
    be bet.
    """
    insurance = sheet.insurance
    assert insurance is not None  # noqa: S101 — the caller checked
    offers, before = (insurance.offers(cards[: each.cards]) for each in (window, Window.FOUR_CARDS))
    insured_as = {bet.hand: bet.id for bet in insurance.bets}
    placed = {spot_of(bet): bet.stake_cents for bet in bets}
    found = []
    for bet in bets:
        hand = sheet.bets[bet.on].hand if bet.window is None else None
        if hand is None or hand not in offers:
            continue
        spot = spot_of(bet)._replace(on=insured_as[hand])
        first = placed.get(spot._replace(window=Window.FOUR_CARDS))
        taken = [(first, before[hand].odds)] if first and hand in before else []
        room = maximum_insurance(bet.stake_cents, offers[hand].odds, taken)
        least = max(minimum_for(sheet, settings, spot.on), settings.unit_cents)
        if spot._replace(window=window) not in placed and room - room % settings.unit_cents >= least:
            found.append(Claim(bet.patron, bet.box, hand))
    return found


@procedure(Ruling.RETURN_ORIGINAL, ways=_ways_to_claim)
def _rule_return_original(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, window = draft.state, facts.window
    assert window is not None  # noqa: S101 — the facts were checked
    ruled(draft, by, irregularity)
    number = state.round.number if state.round else state.rounds
    claimed = InsuranceClaimed(by, draft.case.number, number, window, facts.claims, irregularity.rule)
    if state.round is not None:
        propose(draft, by, lambda d: add_and_close(d, claimed))
        return
    spots = neglected_spots(state, state.last.cards, window, facts.claims) if state.last else []
    lines = tuple(
        [
            adjustment(line.bet, line.returned_cents, line.bet.stake_cents, irregularity.rule)
            for line in (state.last.lines if state.last else ())
            if spot_of(line.bet) in spots
        ]
    )
    return_claimed(draft, irregularity, claimed, lines, state.last.cards if state.last else ())


# ------------------------------------------------------------------------------------------- in an earlier round


def refuse_past(
    state: State, irregularity: Irregularity | None, situation: str, facts: Facts, record: RoundRecord | None
) -> Refusal | None:
    """The reason why an earlier round cannot be reported so."""
    if irregularity is not None:
        return _refuse_claims(state, irregularity, situation, facts, record)
    number = facts.round or 0
    if record is None or record.number != number:
        return RoundNotSettled(number, rule=state.sheet.authority.otherwise_rule)
    return None


def _refuse_claims(
    state: State, irregularity: Irregularity, situation: str, facts: Facts, given: RoundRecord | None
) -> Refusal | None:
    """The reason why insurance that was not offered in an earlier round cannot be claimed so."""
    sheet, rule = state.sheet, irregularity.rule
    record = settled_record(given, facts.round, rule)
    if isinstance(record, Refusal):
        return record
    missing = tuple([name for name in ("window", "claims") if not getattr(facts, name)])
    if missing or facts.window is None:
        return FactsMissing(situation, missing, rule=rule)
    insurance = sheet.insurance
    if insurance is None or record.settings.without_insurance:
        return FactsContradict(Contradiction.NO_INSURANCE, rule=insurance.private_table_rule if insurance else rule)
    if not record.settings.live:
        return FactsContradict(Contradiction.OFFERED, rule=rule)
    if record.waived and facts.window is Window.PLAYER_THIRD:
        return FactsContradict(Contradiction.WAIVED, rule=insurance.waiver_rule)
    if refusal := refuse_forgone(sheet, facts.claims, record, facts.window):
        return refusal
    bets = [each.bet for each in record.bets]
    open_to = insurable(sheet, bets, facts.window, record.cards, record.settings)
    for claim in facts.claims:
        if claim not in open_to:
            return FactsContradict(Contradiction.NOT_NEGLECTED, hand=claim.hand, rule=rule)
    return None


def lost_originals(
    state: State, irregularity: Irregularity, facts: Facts, record: RoundRecord
) -> tuple[Adjustment, ...]:
    """The corrections that return what was lost of the original bets of an earlier round, where insurance had won."""
    assert facts.window is not None  # noqa: S101 — the facts were checked
    spots = neglected_spots(state, record.cards, facts.window, facts.claims)
    return tuple(
        [
            adjustment(each.bet, each.returned_cents, each.bet.stake_cents, irregularity.rule)
            for each in record.bets
            if spot_of(each.bet) in spots and each.returned_cents < each.bet.stake_cents
        ]
    )


def return_originals(
    draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts, record: RoundRecord | None
) -> None:
    """Return what was lost of the original bets of an earlier round whose insurance would have won."""
    window, rule = facts.window, irregularity.rule
    assert record is not None and window is not None  # noqa: S101 — the facts were checked
    lines = lost_originals(draft.state, irregularity, facts, record)
    draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, rule))
    claimed = InsuranceClaimed(by, draft.case.number, record.number, window, facts.claims, rule)
    return_claimed(draft, irregularity, claimed, lines, record.cards)


def return_claimed(
    draft: Draft,
    irregularity: Irregularity,
    claimed: InsuranceClaimed,
    lines: tuple[Adjustment, ...],
    cards: tuple[Card, ...],
) -> None:
    """Record claims of a settled round and correct their original bets. Only what moves money needs a second person."""
    by, rule = claimed.by, claimed.rule

    def put_right(draft: Draft) -> None:
        draft.add(claimed)
        if lines:
            reason = irregularity.situation
            adjusted = RoundAdjusted(by, claimed.round, lines, False, rule, reason, cards_before=cards)
            draft.add(adjusted)
        close_case(draft, by)

    if lines:
        propose(draft, by, put_right)
    else:
        put_right(draft)
