"""Settlement: one line for every bet of a round, to the cent and with its paragraph, or one clear refusal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from punto.rules.bets import FIRST_PAY_LINE, LOSES, OfferedBet, Result
from punto.rules.cards import Card
from punto.rules.differential import Limits, pro_rata, share
from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, Offer, Window, most_insurable
from punto.rules.money import MAX_CENTS, Cents, Odds, money
from punto.rules.outcome import Outcome, Winner
from punto.rules.refusals import RecordCode, Refusal, shorten
from punto.rules.sheet import LimitRules, Sheet
from punto.rules.tableau import Round, deal

DEFAULT_DECKS = 8
WINDOWS = tuple([(window, window.cards) for window in Window])  # going through an enum is slow, and every round does


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet as it lies when bets close. Insurance names its window; `seated` orders the patrons of a box."""

    box: int
    patron: str
    on: str
    stake_cents: Cents
    window: Window | None = None
    seated: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """What becomes of one bet.

    `odds` are those that paid, or those of the insurance; `returned_cents` is all that goes back to the patron, stake
    included; `in_play_rule` says why only part of the stake was in play, or why it was not scaled.
    """

    bet: Bet
    in_play_cents: Cents
    result: Result
    odds: Odds | None
    returned_cents: Cents
    net_cents: Cents
    rule: str
    in_play_rule: str | None = None


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled round: lines in the order the bets were given, and what the House made. All nets sum to zero."""

    round: Round
    lines: tuple[Line, ...]
    house_cents: Cents


def settle(
    sheet: Sheet,
    cards: Sequence[Card],
    bets: Sequence[Bet],
    *,
    decks: int = DEFAULT_DECKS,
    limits: Limits | None = None,
) -> Settlement | Refusal:
    """Settle the bets of a round by its sheet. The result of a bet does not depend on the order of the bets.

    With limits, a box over the Differential is scaled pro rata. What the sheet does not allow refuses the whole round,
    by the refusal of highest precedence.
    """
    if decks not in sheet.decks:
        message = f"{sheet.title} is played with {sheet.decks.minimum} to {sheet.decks.maximum} decks, not {decks}"
        return Refusal(RecordCode.DECKS_NOT_ALLOWED, message, sheet.decks.rule)
    round_ = deal(tuple(cards), decks, sheet.deal_rules)
    if isinstance(round_, Refusal):
        return round_
    offers = _offers(sheet.insurance, round_.cards) if sheet.insurance else {}
    refusals = [refusal for bet in bets if (refusal := _refuse_bet(sheet, bet, offers, limits))]
    if not refusals and sheet.insurance:
        refusals += _refuse_cover(sheet, sheet.insurance, bets, offers)
    if refusals:
        return min(refusals, key=_precedence)
    parts: dict[int, tuple[int, str]] = {}
    if limits is not None:
        scaled = _scale(sheet, bets, limits)
        if isinstance(scaled, Refusal):
            return scaled
        parts = scaled
    index = round_.outcome.index
    lines = []
    for place, bet in enumerate(bets):
        in_play, in_play_rule = parts.get(place, (bet.stake_cents, None))
        if bet.window is not None and sheet.insurance:
            offer = offers[bet.window, sheet.insurance_bets[bet.on].hand]
            lines.append(_settle_insurance(sheet.insurance, offer, round_.outcome, bet))
        else:
            lines.append(_settle_bet(sheet.bets[bet.on], index, bet, in_play, in_play_rule))
    return Settlement(round_, tuple(lines), Cents(-sum([line.net_cents for line in lines])))


# ------------------------------------------------------------------------------------------- lines


def _settle_bet(offered: OfferedBet, index: int, bet: Bet, in_play: int, in_play_rule: str | None) -> Line:
    code = offered.payoffs[index]
    if code >= FIRST_PAY_LINE:
        pay = offered.pays[code - FIRST_PAY_LINE]
        return _line(bet, in_play, Result.WIN, pay.odds, pay.rule, in_play_rule)
    if code == LOSES:
        return _line(bet, in_play, Result.LOSE, None, offered.lost_rule, in_play_rule)
    return _line(bet, in_play, Result.RETURNED, None, offered.returned_rule or offered.rule, in_play_rule)


def _settle_insurance(insurance: Insurance, offer: Offer, outcome: Outcome, bet: Bet) -> Line:
    result = offer.settle(outcome)
    rule = offer.rule
    if result is Result.LOSE:
        rule = insurance.lost_rule
    elif outcome.winner is Winner.TIE:
        rule = offer.tie_wins_rule or insurance.returned_rule
    return _line(bet, bet.stake_cents, result, offer.odds, rule, None)


def _line(bet: Bet, in_play: int, result: Result, odds: Odds | None, rule: str, in_play_rule: str | None) -> Line:
    """The arithmetic of every line: the part not in play always goes back."""
    net = 0
    if result is Result.LOSE:
        net = -in_play
    elif result is Result.WIN and odds is not None:
        net = odds.pays(in_play)
    returned = Cents(bet.stake_cents + net)
    return Line(bet, Cents(in_play), result, odds, returned, Cents(net), rule, in_play_rule)


# ------------------------------------------------------------------------------------------- refusals


def _offers(insurance: Insurance, cards: tuple[Card, ...]) -> dict[tuple[Window, Hand], Offer]:
    """Every insurance offer that stood at some time in a finished round."""
    return {
        (window, hand): offer
        for window, count in WINDOWS
        if len(cards) > count
        for hand, offer in insurance.offers(cards[:count]).items()
    }


def _refuse_bet(
    sheet: Sheet, bet: Bet, offers: dict[tuple[Window, Hand], Offer], limits: Limits | None
) -> Refusal | None:
    """Why one bet, looked at alone, cannot stand."""
    if bet.box < 1 or bet.box > (sheet.boxes.most or bet.box):
        boxes = f"boxes 1 to {sheet.boxes.most}" if sheet.boxes.most else "boxes from 1 up"
        message = f"{sheet.title} has no box {bet.box}; it has {boxes}"
        return Refusal(RecordCode.BOX_UNKNOWN, message, sheet.boxes.rule)
    if type(bet.stake_cents) is not int or not 0 < bet.stake_cents < MAX_CENTS:
        message = f"{shorten(bet.stake_cents)} cents on {bet.on!r} must be a whole number above 0 and below {MAX_CENTS}"
        return Refusal(RecordCode.STAKE_INVALID, message, sheet.limits.responsibility_rule if sheet.limits else None)
    if limits is not None and bet.stake_cents % limits.unit_cents:
        message = (
            f"{money(bet.stake_cents)} on {bet.on!r} is not a multiple of the chip unit {money(limits.unit_cents)}"
        )
        return Refusal(RecordCode.STAKE_OFF_UNIT, message, sheet.limits.shown_rule if sheet.limits else None)
    if bet.on in sheet.bets:
        if bet.window is None:
            return None
        message = f"{bet.on} is not insurance, so it has no window ({bet.window} was given)"
        return Refusal(RecordCode.WINDOW_NOT_FOR_BET, message, sheet.bets[bet.on].rule)
    if bet.on not in sheet.insurance_bets or sheet.insurance is None:
        message = f"{sheet.title} does not offer {bet.on!r}; it offers {', '.join(sheet.bet_ids)}"
        return Refusal(RecordCode.BET_NOT_OFFERED, message, sheet.offered_rule)
    if bet.window is None:
        message = f"{bet.on} must say in which window it was bet: {' or '.join(Window)}"
        return Refusal(RecordCode.WINDOW_MISSING, message, sheet.insurance.window_rule)
    if (bet.window, sheet.insurance_bets[bet.on].hand) in offers:
        return None
    others = [hand for window, hand in offers if window is bet.window]
    if not others:
        message = f"no insurance was on offer in the {bet.window} window of this round"
        return Refusal(RecordCode.INSURANCE_WINDOW_CLOSED, message, sheet.insurance.window_rule)
    message = f"in the {bet.window} window of this round insurance was on offer on {others[0].title()} only"
    return Refusal(RecordCode.INSURANCE_HAND_NOT_ON_OFFER, message, sheet.insurance.rows[0].rule)


def _refuse_cover(
    sheet: Sheet, insurance: Insurance, bets: Sequence[Bet], offers: dict[tuple[Window, Hand], Offer]
) -> Iterator[Refusal]:
    """Insurance that has no original bet behind it, or could pay more than it: over both windows together."""
    taken: dict[tuple[int, str, Hand], list[tuple[int, Odds]]] = {}
    for bet in bets:
        if bet.window is not None:
            hand = sheet.insurance_bets[bet.on].hand
            taken.setdefault((bet.box, bet.patron, hand), []).append((bet.stake_cents, offers[bet.window, hand].odds))
    if not taken:
        return
    originals: dict[tuple[int, str, Hand], int] = defaultdict(int)
    for bet in bets:
        if bet.on in sheet.bets and (on_hand := sheet.bets[bet.on].hand):
            originals[bet.box, bet.patron, on_hand] += bet.stake_cents
    for (box, patron, hand), stakes in taken.items():
        original = originals[box, patron, hand]
        if not original:
            message = f"{patron} has no bet on {hand.title()} in box {box} to insure"
            yield Refusal(RecordCode.INSURANCE_WITHOUT_ORIGINAL, message, insurance.original_rule)
        elif (spare := most_insurable(original, odds := max(stakes, key=_longest)[1], stakes)) < 0:
            message = (
                f"insurance of {patron} on {hand.title()} in box {box} could pay more than the original bet of "
                f"{money(original)}: it is {money(-spare)} too much at {odds}"
            )
            yield Refusal(RecordCode.INSURANCE_OVER_CAP, message, insurance.cap_rule)


def _longest(taken: tuple[int, Odds]) -> Fraction:
    return taken[1].exact


def _precedence(refusal: Refusal) -> tuple[int, str]:
    return refusal.code.precedence, refusal.message


# ------------------------------------------------------------------------------------------- pro rata


def _scale(sheet: Sheet, bets: Sequence[Bet], limits: Limits) -> dict[int, tuple[int, str]] | Refusal:
    """The part in play, and the paragraph, of the bets on the heavier side of every box over the Differential."""
    sums: dict[int, dict[Hand, int]] = {}
    for bet in bets:
        if bet.window is None and (hand := sheet.bets[bet.on].hand):
            box_sums = sums.setdefault(bet.box, {Hand.PLAYER: 0, Hand.BANKER: 0})
            box_sums[hand] += bet.stake_cents
    parts: dict[int, tuple[int, str]] = {}
    for box, box_sums in sorted(sums.items()):
        differential = abs(box_sums[Hand.BANKER] - box_sums[Hand.PLAYER])
        if differential <= limits.differential_cents:
            continue
        if sheet.limits is None:
            message = (
                f"box {box} is {money(differential)} apart, over the Differential of "
                f"{money(limits.differential_cents)}, and {sheet.title} has no rule for it once bets have closed: "
                f"the {sheet.authority.decides_otherwise.spoken} decides"
            )
            return Refusal(RecordCode.EXCESS_NOT_RULED, message, sheet.authority.otherwise_rule)
        light, heavy = sorted(Hand, key=lambda hand: box_sums[hand])
        parts |= _scale_side(sheet, sheet.limits, bets, box, heavy, box_sums[light], limits)
    return parts


def _scale_side(
    sheet: Sheet, rules: LimitRules, bets: Sequence[Bet], box: int, heavy: Hand, light_cents: int, limits: Limits
) -> Iterator[tuple[int, tuple[int, str]]]:
    """Scale one side of a box. What a patron has on it in several lines is one bet, shared over the lines after."""
    by_patron: dict[str, list[int]] = {}
    for place, bet in enumerate(bets):
        if bet.box == box and bet.window is None and sheet.bets[bet.on].hand is heavy:
            by_patron.setdefault(bet.patron, []).append(place)
    # Seat order: the seated patron first, then standing patrons by name; never the order in which bets were listed.
    seated = {bet.patron for bet in bets if bet.box == box and bet.seated}
    patrons = sorted(by_patron, key=lambda patron: (patron not in seated, patron))
    stakes = {patron: [bets[place].stake_cents for place in by_patron[patron]] for patron in patrons}
    in_play = pro_rata([sum(stakes[patron]) for patron in patrons], light_cents, limits)
    for patron, part in zip(patrons, in_play, strict=True):
        exempt = sum(stakes[patron]) < limits.minimum_cents
        rule = rules.pro_rata_exempt_rule if exempt else rules.pro_rata_rule
        shares = share(part, stakes[patron], limits.unit_cents)
        yield from ((place, (mine, rule)) for place, mine in zip(by_patron[patron], shares, strict=True))
