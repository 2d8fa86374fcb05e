"""Limits while bets are open: what a stake must be, and who gives way when a box is at its Differential."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from punto.rules.hands import Hand
from punto.rules.money import MAX_CENTS, Cents, money
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Sheet
from punto.table.refusals import TableCode
from punto.table.state import Settings, Spot


def refuse_amount(sheet: Sheet, settings: Settings, on: str, cents: int) -> Refusal | None:
    """Why an amount of chips cannot be staked at all."""
    if type(cents) is not int or not 0 < cents < MAX_CENTS:
        rule = sheet.limits.responsibility_rule if sheet.limits else None
        return Refusal(TableCode.STAKE_INVALID, f"{cents!r} cents on {on} is not an amount that can be bet", rule)
    if cents % settings.limits.unit_cents:
        message = f"{money(cents)} on {on} is not a multiple of the chip unit {money(settings.limits.unit_cents)}"
        return Refusal(TableCode.STAKE_OFF_UNIT, message, sheet.limits.shown_rule if sheet.limits else None)
    return None


def least(sheet: Sheet, settings: Settings, on: str) -> Cents:
    """The least that may lie on a bet: the table's minimum for original bets, else the bet's own."""
    if on in sheet.bets and sheet.bets[on].hand is not None:
        return settings.limits.minimum_cents
    return settings.sides[on].minimum_cents if on in settings.sides else Cents(0)


def refuse_stake(sheet: Sheet, settings: Settings, on: str, stake: int) -> Refusal | None:
    """Why a bet may not come to lie at this stake; the Differential apart."""
    side = settings.sides.get(on)
    minimum = least(sheet, settings, on)
    if stake < minimum:
        message = f"{money(stake)} on {on} is below the minimum of {money(minimum)}: raise it or withdraw it"
        return Refusal(TableCode.STAKE_BELOW_MINIMUM, message, sheet.limits.minimum_rule if sheet.limits else None)
    most = min(side.maximum_cents if side else MAX_CENTS, MAX_CENTS - 1)
    if stake > most:
        message = f"{money(stake)} on {on} is above the maximum of {money(most)}"
        return Refusal(TableCode.STAKE_ABOVE_MAXIMUM, message, sheet.limits.shown_rule if sheet.limits else None)
    return None


def _sums(sheet: Sheet, bets: Mapping[Spot, Bet], box: int) -> dict[Hand, int]:
    sums = {Hand.PLAYER: 0, Hand.BANKER: 0}
    for bet in bets.values():
        if bet.box == box and bet.window is None and (hand := sheet.bets[bet.on].hand):
            sums[hand] += bet.stake_cents
    return sums


def room(sheet: Sheet, bets: Mapping[Spot, Bet], spot: Spot, settings: Settings, *, seated: bool) -> int:
    """The most that may be added on the spot of an original bet, to the cent: more is over the Differential.

    To a seated patron every standing bet on that side gives way. Room too small for a bet of the minimum is none.
    """
    hand, limits = sheet.bets[spot.on].hand, settings.limits
    assert hand is not None  # noqa: S101 — side bets have no Differential
    sums = _sums(sheet, bets, spot.box)
    most = limits.differential_cents + sum(sums.values()) - 2 * sums[hand]
    if seated:
        most += sum([bet.stake_cents for bet in _on_side(sheet, bets, spot.box, hand, spot) if not bet.seated])
    lies = bets[spot].stake_cents if spot in bets else 0
    return most if most > 0 and lies + most >= limits.minimum_cents else 0


def _on_side(sheet: Sheet, bets: Mapping[Spot, Bet], box: int, hand: Hand, keep: Spot | None) -> list[Bet]:
    """The bets on a hand in a box but for the one at `keep`, the last come first."""
    on_side = [
        bet
        for spot, bet in bets.items()
        if bet.box == box and spot != keep and bet.window is None and sheet.bets[bet.on].hand is hand
    ]
    return on_side[::-1]


def excess(sheet: Sheet, bets: Mapping[Spot, Bet], box: int, settings: Settings) -> tuple[int, Hand]:
    """By how much a box is over the Differential (below zero: the room left), and on which hand."""
    sums = _sums(sheet, bets, box)
    heavy = max(sums, key=lambda hand: sums[hand])
    differential = abs(sums[Hand.BANKER] - sums[Hand.PLAYER])
    return differential - settings.limits.differential_cents, heavy


def give_way(
    sheet: Sheet, bets: Mapping[Spot, Bet], box: int, settings: Settings, keep: Spot | None = None
) -> Iterator[tuple[Bet, Cents]]:
    """The bets of a box that must give way to its Differential and how much of each goes back.

    Standing patrons give way before seated ones, the last come first; the bet `keep` does not. A bet that would be
    left below the minimum goes back whole. Whether the others have enough to give to `keep`, `room` says.
    """
    over, heavy = excess(sheet, bets, box, settings)
    on_side = _on_side(sheet, bets, box, heavy, keep)
    candidates = [bet for bet in on_side if not bet.seated]
    if keep is None:
        candidates += [bet for bet in on_side if bet.seated]
    for bet in candidates:
        if over <= 0:
            return
        left = bet.stake_cents - over
        back = Cents(over) if left >= settings.limits.minimum_cents and left > 0 else bet.stake_cents
        over -= back
        yield bet, back
