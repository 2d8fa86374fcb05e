"""The most that the House can lose in the round in play."""

from __future__ import annotations

from punto.rules.exposure import most_to_lose
from punto.rules.money import Cents
from punto.rules.settlement import parts_in_play
from punto.table.acts.rounds import original_spot
from punto.table.seats import as_seated
from punto.table.state import State


def most_house_can_lose(state: State) -> Cents:
    """The most that the House can lose by the bets of the round in play, as they would be settled; 0 without bets.

    What is over the Differential counts as it is scaled at the settlement.
    """
    round_ = state.round
    if round_ is None or not round_.bets:
        return Cents(0)
    bets = [as_seated(state, bet) for bet in round_.bets.values()]
    back = [as_seated(state, bet) for bet in round_.taken_back]
    parts = parts_in_play(state.sheet, [*bets, *back], state.open_settings.limits)
    in_play = [parts[place][0] if place in parts else bet.stake_cents for place, bet in enumerate(bets)]
    claimed = [
        (as_seated(state, bet), window)
        for window, claims in round_.claims.items()
        for claim in claims
        if (bet := round_.bets.get(original_spot(state, claim.patron, claim.box, claim.hand))) is not None
    ]
    return most_to_lose(state.sheet, round_.visible, bets, in_play, claimed)
