"""What every bet of a round must return, to the cent, by the cards, the sheet and the limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.simulation.auditor.games import HANDS, Game, Odds
from tests.simulation.auditor.rounds import WINDOWS, insurance_result, offers, outcome_of, result_of

Spot = tuple[int, str, str, str | None]
"""Where a bet lies: box, patron, bet, and the window of insurance."""


class Settled(NamedTuple):
    """What becomes of a bet."""

    result: str
    in_play: int
    net: int
    odds: Odds | None


class Limits(NamedTuple):
    """What a table shows: the minimum, the Differential and the chip unit."""

    minimum: int
    differential: int
    unit: int


def insured_hand(on: str) -> str:
    """The hand that an insurance bet is on."""
    return on.removesuffix("-insurance")


def settle(game: Game, cards: Sequence[str], stakes: dict[Spot, int], parts: dict[Spot, int]) -> dict[Spot, Settled]:
    """What becomes of each bet; `parts` are those of which only a part is in play."""
    outcome, settled = outcome_of(cards), {}
    for spot, stake in stakes.items():
        *_, on, window = spot
        in_play = parts.get(spot, stake)
        if window is None:
            result, odds = result_of(game, on, outcome)
        else:
            count = next(number for number, name in WINDOWS.items() if name == window)
            hand = insured_hand(on)
            offered = offers(cards[:count]) if len(cards) > count else {}
            if hand not in offered:
                continue
            at, odds = offered[hand]
            result = insurance_result(window, hand, at, outcome.winner)
        net = in_play * odds[0] // odds[1] if result == "win" and odds else -in_play if result == "lose" else 0
        settled[spot] = Settled(result, in_play, net, odds)
    return settled


def leads(spots: Iterable[tuple[Spot, int]]) -> dict[int, dict[str, int]]:
    """What lies on each hand, by box."""
    found: dict[int, dict[str, int]] = {}
    for (box, _, on, window), stake in spots:
        if on in HANDS and window is None:
            found.setdefault(box, {"player": 0, "banker": 0})[on] += stake
    return found


def parts_in_play(chips: dict[Spot, int], limits: Limits, seats: dict[int, str]) -> dict[Spot, int]:
    """The part in play of each bet on the heavier side of every box over the Differential (pro rata).

    Bets below the minimum stay whole. One factor scales the others; whoever it would take below the minimum is held
    there, and the factor is worked out again over the rest.
    """
    parts: dict[Spot, int] = {}
    for box, sums in leads(chips.items()).items():
        heavy = max(sums, key=lambda hand: sums[hand])
        light = min(sums.values())
        if sums[heavy] - light <= limits.differential:
            continue
        side = {spot: stake for spot, stake in chips.items() if spot[0] == box and spot[2] == heavy and not spot[3]}
        parts |= _scaled(side, light + limits.differential, limits, seats.get(box, f"cash:{box}"))
    return parts


def _scaled(side: dict[Spot, int], target: int, limits: Limits, sitter: str) -> dict[Spot, int]:
    parts = {spot: stake for spot, stake in side.items() if stake < limits.minimum}
    scaled = {spot: stake for spot, stake in side.items() if spot not in parts}
    target -= sum(parts.values())
    while scaled:
        whole = sum(scaled.values())
        held = [spot for spot, stake in scaled.items() if stake * target < limits.minimum * whole]
        if not held:
            break
        for spot in held:
            parts[spot] = limits.minimum
            target -= limits.minimum
            del scaled[spot]
    if scaled:
        parts |= _shared(target // limits.unit, scaled, limits.unit, sitter)
    return parts


def _shared(chips: int, stakes: dict[Spot, int], unit: int, sitter: str) -> dict[Spot, int]:
    """Chips in proportion to stakes: rounded down, those left by largest remainder, then in seat order."""
    whole = sum(stakes.values())
    exact = {spot: divmod(stake * chips, whole) for spot, stake in stakes.items()}
    left = chips - sum([share for share, _ in exact.values()])
    order = sorted(exact, key=lambda spot: (-exact[spot][1], spot[1] != sitter, spot[1]))
    return {spot: (exact[spot][0] + (spot in order[:left])) * unit for spot in stakes}
