"""Settlement: one line for every bet of a round, to the cent and with its paragraph; or one refusal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from punto.rules.bets import Payoff, Result
from punto.rules.cards import Card
from punto.rules.defaults import DEFAULT_DECKS
from punto.rules.differential import Limits, pro_rata, share
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, Offer, Window, maximum_insurance
from punto.rules.money import MAX_CENTS, Cents, Odds, money
from punto.rules.refusals import (
    RECORD_REFUSALS,
    BetNotOffered,
    BoxUnknown,
    DecksNotAllowed,
    InsuranceHandNotOnOffer,
    InsuranceOverCap,
    InsuranceWindowClosed,
    InsuranceWithoutOriginal,
    Refusal,
    StakeInvalid,
    StakeOffUnit,
    WindowMissing,
    WindowNotForBet,
)
from punto.rules.sheet import LimitRules, Sheet
from punto.rules.shown import Shown
from punto.rules.tableau import Round, deal
from punto.rules.tabular import Row, Tabular
from punto.rules.words import counted

WINDOWS = tuple([(window, window.cards) for window in Window])  # computed once, because iterating an enum is slow


@dataclass(frozen=True, slots=True, repr=False)
class Bet(Shown):
    """A placed bet. Insurance has a window. `seated` orders the patrons of a box."""

    box: int
    patron: str
    on: str
    stake_cents: Cents
    window: Window | None = None
    seated: bool = False

    def __repr__(self) -> str:
        named = f", window={self.window.value!r}" if self.window else ""
        named += ", seated=True" if self.seated else ""
        return f"Bet({self.on!r}, {self.stake_cents}, box={self.box}, patron={self.patron!r}{named})"


@dataclass(frozen=True, slots=True, repr=False)
class Line(Shown):
    """The settlement of one bet.

    `odds` are those that paid, or those of the insurance. `returned_cents` is all that the patron gets back, including
    the stake. `in_play_rule` is the paragraph by which only part of the stake was in play, or was not scaled.
    """

    bet: Bet
    in_play_cents: Cents
    result: Result
    odds: Odds | None
    returned_cents: Cents
    net_cents: Cents
    rule: str
    in_play_rule: str | None = None

    def __str__(self) -> str:
        bet = self.bet
        return f"{bet.on} {money(bet.stake_cents)} {self.result}, net {money(self.net_cents)} (¶ {self.rule})"


SettledBet = tuple[Payoff, int, int, str | None]
"""A settled bet: its payoff, the part of the stake in play, the net, and the paragraph of the part."""


@dataclass(frozen=True, slots=True, repr=False)
class Settlement(Tabular):
    """A settled round: its lines in the order of the bets, and the House's net. All nets sum to zero."""

    round: Round
    lines: tuple[Line, ...]
    house_cents: Cents

    def to_dicts(self) -> list[Row]:
        """A row for each bet."""
        return [row_of(line) for line in self.lines]

    def __str__(self) -> str:
        return f"{self.round}; {counted(len(self.lines), 'bet')}, House {money(self.house_cents)}"


def row_of(line: Line) -> Row:
    """A settled bet as a row of data, with amounts in cents."""
    bet = line.bet
    return {
        "box": bet.box,
        "patron": bet.patron,
        "on": bet.on,
        "window": bet.window.value if bet.window else None,
        "stake_cents": bet.stake_cents,
        "in_play_cents": line.in_play_cents,
        "result": line.result.value,
        "odds": line.odds.text if line.odds else None,
        "returned_cents": line.returned_cents,
        "net_cents": line.net_cents,
        "rule": line.rule,
        "in_play_rule": line.in_play_rule,
    }


def settle(
    sheet: Sheet,
    cards: Sequence[Card],
    bets: Sequence[Bet],
    *,
    decks: int = DEFAULT_DECKS,
    limits: Limits | None = None,
) -> Settlement | Refusal:
    """Settle the bets of a round by its sheet. The result of a bet does not depend on the order of the bets.

    With limits, a box over the Differential is scaled pro rata, if the sheet knows one. A bet that the sheet does not
    allow refuses the whole round; the refusal with the highest precedence is given.
    """
    round_ = deal_by(sheet, cards, decks)
    if isinstance(round_, Refusal):
        return round_
    settled = settle_bets(sheet, round_, bets, limits)
    if isinstance(settled, Refusal):
        return settled
    lines = tuple([_line(bet, *each) for bet, each in zip(bets, settled, strict=True)])
    return Settlement(round_, lines, Cents(-sum([line.net_cents for line in lines])))


def deal_by(sheet: Sheet, cards: Sequence[Card], decks: int) -> Round | Refusal:
    """The round of these cards, or why it is not one that the sheet allows."""
    if decks not in sheet.decks:
        allowed = sheet.decks
        return DecksNotAllowed(sheet.title, decks, allowed.minimum, allowed.maximum, rule=allowed.rule)
    return deal(tuple(cards), decks, sheet.deal_rules)


def settle_bets(sheet: Sheet, round_: Round, bets: Sequence[Bet], limits: Limits | None) -> list[SettledBet] | Refusal:
    """The settlement of each bet of a round, or the refusal with the highest precedence."""
    insurance = sheet.insurance
    insured = [bet for bet in bets if bet.window is not None]
    offers = _offers(insurance, round_.cards) if insurance and insured else {}
    refusals = [refusal for bet in bets if (refusal := _refuse_bet(sheet, bet, offers, limits))]
    if insurance and insured and not refusals:
        refusals += _refuse_insurance(sheet, insurance, bets, offers)
    if refusals:
        return min(refusals, key=_precedence)
    parts = {} if limits is None else parts_in_play(sheet, bets, limits)
    outcome = round_.outcome
    index = outcome.index
    offered = sheet.bets
    settled: list[SettledBet] = []
    for place, bet in enumerate(bets):
        in_play, in_play_rule = parts.get(place, (bet.stake_cents, None))
        if bet.window is not None and insurance:
            offer = offers[bet.window, sheet.insurance_bets[bet.on].hand]
            payoff = insurance.payoffs[offer][outcome.winner]
        else:
            payoff = offered[bet.on].payoff(index)
        settled.append((payoff, in_play, payoff.net_odds.pays(in_play), in_play_rule))
    return settled


def _line(bet: Bet, payoff: Payoff, in_play: int, net: int, in_play_rule: str | None) -> Line:
    returned = Cents(bet.stake_cents + net)  # the part not in play is always returned
    return Line(bet, Cents(in_play), payoff.result, payoff.odds, returned, Cents(net), payoff.rule, in_play_rule)


# ------------------------------------------------------------------------------------------- refusals


def _offers(insurance: Insurance, cards: tuple[Card, ...]) -> dict[tuple[Window, Hand], Offer]:
    """All insurance offers of a finished round."""
    # After the last card there is none.
    return {
        (window, hand): offer for window, count in WINDOWS for hand, offer in insurance.offers(cards[:count]).items()
    }


def _refuse_bet(
    sheet: Sheet, bet: Bet, offers: dict[tuple[Window, Hand], Offer], limits: Limits | None
) -> Refusal | None:
    """The reason why a single bet cannot be settled, apart from the others."""
    if bet.box < 1 or bet.box > (sheet.boxes.most or bet.box):
        return BoxUnknown(bet.box, sheet.boxes.most, rule=sheet.boxes.rule)
    if type(bet.stake_cents) is not int or not 0 < bet.stake_cents < MAX_CENTS:
        return StakeInvalid(bet.on, bet.stake_cents, rule=sheet.limits.responsibility_rule if sheet.limits else None)
    if limits is not None and bet.stake_cents % limits.unit_cents:
        rule = sheet.limits.shown_rule if sheet.limits else None
        return StakeOffUnit(bet.on, bet.stake_cents, limits.unit_cents, rule=rule)
    if bet.on in sheet.bets:
        if bet.window is None:
            return None
        return WindowNotForBet(bet.on, bet.window, rule=sheet.bets[bet.on].rule)
    if bet.on not in sheet.insurance_bets or sheet.insurance is None:
        return BetNotOffered(bet.on, sheet.bet_ids, rule=sheet.offered_rule)
    if bet.window is None:
        return WindowMissing(bet.on, rule=sheet.insurance.window_rule)
    if (bet.window, sheet.insurance_bets[bet.on].hand) in offers:
        return None
    others = tuple([hand for window, hand in offers if window is bet.window])
    if not others:
        return InsuranceWindowClosed(bet.window, rule=sheet.insurance.window_rule)
    return InsuranceHandNotOnOffer(bet.on, others, rule=sheet.insurance.rows[0].rule)


def _refuse_insurance(
    sheet: Sheet, insurance: Insurance, bets: Sequence[Bet], offers: dict[tuple[Window, Hand], Offer]
) -> Iterator[Refusal]:
    """The refusals of insurance without an original bet, or that could pay more than it in both windows together."""
    taken: dict[tuple[int, str, Hand], list[tuple[int, Odds]]] = {}
    for bet in bets:
        if bet.window is not None:
            hand = sheet.insurance_bets[bet.on].hand
            taken.setdefault((bet.box, bet.patron, hand), []).append((bet.stake_cents, offers[bet.window, hand].odds))
    originals: dict[tuple[int, str, Hand], int] = defaultdict(int)
    for bet in bets:
        if bet.on in sheet.bets and (on_hand := sheet.bets[bet.on].hand):
            originals[bet.box, bet.patron, on_hand] += bet.stake_cents
    for (box, patron, hand), stakes in taken.items():
        original = originals[box, patron, hand]
        if not original:
            yield InsuranceWithoutOriginal(box, hand, patron, rule=insurance.original_rule)
        elif (spare := maximum_insurance(original, odds := max(stakes, key=_odds_ratio)[1], stakes)) < 0:
            stake = sum([stake for stake, each in stakes if each == odds])
            yield InsuranceOverCap(
                hand,
                odds.text,
                Cents(original),
                Cents(stake),
                Cents(max(0, stake + spare)),
                box,
                patron,
                rule=insurance.cap_rule,
            )


def _odds_ratio(taken: tuple[int, Odds]) -> Fraction:
    return taken[1].exact


def _precedence(refusal: Refusal) -> tuple[int, str]:
    return RECORD_REFUSALS.index(type(refusal)), repr(refusal)


# ------------------------------------------------------------------------------------------- pro rata


def parts_in_play(sheet: Sheet, bets: Sequence[Bet], limits: Limits) -> dict[int, tuple[int, str]]:
    """The part in play, and the paragraph, of the bets on the heavier side of every box over the Differential.

    The bets are named by their place in `bets`; those that are not named are in play whole. So are all bets of a sheet
    that knows no Differential.
    """
    if sheet.limits is None:
        return {}
    sums: dict[int, dict[Hand, int]] = {}
    for bet in bets:
        if bet.window is None and (hand := sheet.bets[bet.on].hand):
            box_sums = sums.setdefault(bet.box, {Hand.PLAYER: 0, Hand.BANKER: 0})
            box_sums[hand] += bet.stake_cents
    parts: dict[int, tuple[int, str]] = {}
    for box, box_sums in sorted(sums.items()):
        if abs(box_sums[Hand.BANKER] - box_sums[Hand.PLAYER]) <= limits.differential_cents:
            continue
        heavy = max(box_sums, key=box_sums.__getitem__)
        parts |= _scale_side(sheet, sheet.limits, bets, box, heavy, min(box_sums.values()), limits)
    return parts


def _scale_side(
    sheet: Sheet, rules: LimitRules, bets: Sequence[Bet], box: int, heavy: Hand, light_cents: int, limits: Limits
) -> Iterator[tuple[int, tuple[int, str]]]:
    """Scale one side of a box. A patron's lines count as one bet, which is then divided over the lines."""
    by_patron: dict[str, list[int]] = {}
    for place, bet in enumerate(bets):
        if bet.box == box and bet.window is None and sheet.bets[bet.on].hand is heavy:
            by_patron.setdefault(bet.patron, []).append(place)
    # Seat order: the seated patron first, then standing patrons by name. The order of the bets does not matter.
    seated = {bet.patron for bet in bets if bet.box == box and bet.seated}
    patrons = sorted(by_patron, key=lambda patron: (patron not in seated, patron))
    stakes = {patron: [bets[place].stake_cents for place in by_patron[patron]] for patron in patrons}
    in_play = pro_rata([sum(stakes[patron]) for patron in patrons], light_cents, limits)
    for patron, part in zip(patrons, in_play, strict=True):
        exempt = sum(stakes[patron]) < limits.minimum_cents
        rule = rules.pro_rata_exempt_rule if exempt else rules.pro_rata_rule
        shares = share(part, stakes[patron], limits.unit_cents)
        yield from ((place, (mine, rule)) for place, mine in zip(by_patron[patron], shares, strict=True))
