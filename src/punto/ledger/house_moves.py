"""The money that records of the house's own log move: credits bought and cashed out, and debts collected."""

from __future__ import annotations

import json

from punto.ledger import moves as m

CREDITS_BOUGHT, CASHED_OUT, DEBT_COLLECTED = "credits-bought", "cashed-out", "debt-collected"
"""The kinds of record that move a patron's credit: each has `patron`, `cents` and `reference`."""
_MOVES = {CREDITS_BOUGHT: m.buy, CASHED_OUT: m.cash_out, DEBT_COLLECTED: m.collect}


def house_moves(kind: str, payload: str) -> list[m.Move]:
    """The moves of a record of the house, by which it is written and audited. ValueError for a payload without them."""
    if (move := _MOVES.get(kind)) is None:
        return []
    try:
        told = json.loads(payload)
        return [move(told["patron"], told["cents"], told["reference"])]
    except (KeyError, TypeError) as error:
        raise ValueError(f"what a {kind} moves cannot be read ({type(error).__name__}: {error})") from None
