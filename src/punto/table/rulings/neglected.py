"""Insurance that the Dealer did not offer: the original bet is returned where that insurance would have won."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.insurance import Window, maximum_insurance
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Irregularity, Ruling, Sheet
from punto.table.act import Event, StaffOnly, event
from punto.table.actor import Actor
from punto.table.acts.rounds import neglected_spots
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.corrections.record import settled_record
from punto.table.draft import Draft
from punto.table.limits import minimum_for
from punto.table.refusals import Contradiction, FactsContradict, RoundNotSettled
from punto.table.rulings.cases import add_and_close, close_case, propose, ruled
from punto.table.rulings.facts import forgone_by, refuse_by_ways, refuse_forgone, round_input
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.state import EndedRound, RoundInPlay, Settings, State
from punto.table.values import Adjustment, Claim, Facts, adjustment, spot_of
from punto.table.ways import Input, InputType


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
            forgone = self._still_forgone(round_.forgone)
            return state._replace(round=round_._replace(claims=claims, claims_rule=self.rule, forgone=forgone))
        if last is not None and last.number == self.round:
            return state._replace(last=self.ended_record(last, state))
        return state  # a claim about an earlier round, which only the log remembers

    def ended_record(self, record: EndedRound | None, before: State) -> EndedRound | None:
        if record is None:
            return None
        claims = (*record.claims, *[(self.window, claim) for claim in self.claims])
        return replace(record, claims=claims, forgone=self._still_forgone(record.forgone))

    def _still_forgone(self, forgone: frozenset[str]) -> frozenset[str]:
        """Those of the patrons who have forgone insurance who were not left without an offer at first."""
        return forgone - {claim.patron for claim in self.claims} if self.window is Window.FOUR_CARDS else forgone


def _ways_to_claim_in(
    state: State, irregularity: Irregularity, round_: RoundInPlay | EndedRound | None
) -> WaysToReport:
    """One way for each window, with the original bets that could have been insured in it and were not."""
    insurance = state.sheet.insurance
    if insurance is None:
        return FactsContradict(Contradiction.NO_INSURANCE, rule=irregularity.rule)
    if round_ is None:
        return FactsContradict(Contradiction.NO_OFFER, rule=irregularity.rule)
    settings = state.open_settings if isinstance(round_, RoundInPlay) else round_.settings
    bets = [*round_.bets.values()] if isinstance(round_, RoundInPlay) else [each.bet for each in round_.bets]
    if settings.without_insurance:
        return FactsContradict(Contradiction.NO_INSURANCE, rule=insurance.private_table_rule)
    if not settings.live:
        return FactsContradict(Contradiction.OFFERED, rule=irregularity.rule)
    ways = []
    for window in Window:
        offers = insurance.offers(round_.cards[: window.cards]) if len(round_.cards) >= window.cards else {}
        could = insurable(state.sheet, bets, window, round_.cards, settings) if offers else []
        claims = tuple([claim for claim in could if not forgone_by(round_, claim.patron, window)])
        refusal: Refusal | None = None
        if round_.waived and window is Window.PLAYER_THIRD:
            refusal = FactsContradict(Contradiction.WAIVED, rule=insurance.waiver_rule)
        elif isinstance(round_, RoundInPlay) and not round_.waiting and len(round_.cards) == window.cards and offers:
            refusal = FactsContradict(Contradiction.WINDOW_OPEN, rule=irregularity.rule)
        elif not claims:
            no_offer = FactsContradict(Contradiction.NO_OFFER, rule=irregularity.rule)
            refusal = refuse_forgone(state.sheet, could, round_, window) or no_offer
        inputs = (Input("claims", InputType.CLAIMS, claims=claims),)
        ways.append(ReportWay(Facts(window=window), inputs=inputs, refusal=refusal))
    return tuple(ways)


def ways_to_claim_later(state: State) -> tuple[ReportWay, ...]:
    """The way to report that insurance was not offered in an earlier round. Its record says who may claim."""
    present = state.round is not None or state.last is not None
    if state.sheet.insurance is None or not (latest := state.rounds - present):
        return ()
    window = Input("window", InputType.ONE_OF, allowed=tuple(Window))
    return (ReportWay(inputs=(round_input(latest), window, Input("claims", InputType.CLAIMS))),)


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


@procedure(
    Ruling.RETURN_ORIGINAL, ways=lambda state, on_sheet: _ways_to_claim_in(state, on_sheet, state.round or state.last)
)
def _rule_return_original(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    round_, facts = draft.state.round, draft.case.facts
    if round_ is None:
        return_originals(draft, by, irregularity, draft.state.last)
        return
    assert facts.window is not None  # noqa: S101 — the facts were checked
    ruled(draft, by, irregularity)
    claimed = InsuranceClaimed(by, draft.case.number, round_.number, facts.window, facts.claims, irregularity.rule)
    propose(draft, by, lambda d: add_and_close(d, claimed))


def refuse_past(
    state: State, irregularity: Irregularity | None, situation: str, facts: Facts, given: EndedRound | None
) -> Refusal | None:
    """The reason why an earlier round cannot be reported so."""
    if irregularity is None:
        found = given is not None and given.number == facts.round
        return None if found else RoundNotSettled(facts.round or 0, rule=state.sheet.authority.otherwise_rule)
    record = settled_record(given, facts.round, irregularity.rule)
    if isinstance(record, Refusal):
        return record
    return refuse_by_ways(state, situation, facts, _ways_to_claim_in(state, irregularity, record), record)


def lost_originals(
    state: State, irregularity: Irregularity, facts: Facts, record: EndedRound
) -> tuple[Adjustment, ...]:
    """The corrections that return what was lost of the original bets of a round, where insurance would have won."""
    assert facts.window is not None  # noqa: S101 — the facts were checked
    spots = neglected_spots(state, record.cards, facts.window, facts.claims)
    return tuple(
        [
            adjustment(each, each.bet.stake_cents, irregularity.rule)
            for each in record.bets
            if spot_of(each.bet) in spots and each.returned_cents < each.bet.stake_cents
        ]
    )


def return_originals(draft: Draft, by: Actor, irregularity: Irregularity, record: EndedRound | None) -> None:
    """Return what was lost of the original bets of a round that has ended. Only money needs a second person."""
    facts, rule = draft.case.facts, irregularity.rule
    assert record is not None and facts.window is not None  # noqa: S101 — the facts were checked
    lines = lost_originals(draft.state, irregularity, facts, record)
    ruled(draft, by, irregularity)
    claimed = InsuranceClaimed(by, draft.case.number, record.number, facts.window, facts.claims, rule)

    def put_right(draft: Draft) -> None:
        draft.add(claimed)
        if lines:
            reason = irregularity.situation
            draft.add(RoundAdjusted(by, record.number, lines, False, rule, reason, cards_before=record.cards))
        close_case(draft, by)

    if lines:
        propose(draft, by, put_right)
    else:
        put_right(draft)
