"""The money that records of the house's own log move: credits bought and cashed out, tickets, and debts collected."""

from __future__ import annotations

import json

from punto.ledger import moves as m

CREDITS_BOUGHT, CASHED_OUT, DEBT_COLLECTED = "credits-bought", "cashed-out", "debt-collected"
"""The kinds of record that move a patron's credit: each has `patron`, `cents` and `reference`."""
TICKET_TAKEN, TICKET_ISSUED, TICKET_PAID = "ticket-taken", "ticket-issued", "ticket-paid"
"""The other kinds about tickets: a patron's terminal took one in, the cage sold one or paid one.

The number of a ticket is its `reference`, here and in CASHED_OUT, which prints one."""
TICKETS = frozenset({CASHED_OUT, TICKET_TAKEN, TICKET_ISSUED, TICKET_PAID})

_OF_PATRON = {CREDITS_BOUGHT: m.buy, CASHED_OUT: m.cash_out, TICKET_TAKEN: m.take_in, DEBT_COLLECTED: m.collect}
_AT_CAGE = {TICKET_ISSUED: m.issue, TICKET_PAID: m.redeem}


def house_moves(kind: str, payload: str) -> list[m.Move]:
    """The moves of a record of the house, by which it is written and audited. ValueError for a payload without them."""
    if kind not in _OF_PATRON and kind not in _AT_CAGE:
        return []
    try:
        told = json.loads(payload)
        if kind in _AT_CAGE:
            return [_AT_CAGE[kind](told["cents"], told["reference"])]
        return [_OF_PATRON[kind](told["patron"], told["cents"], told["reference"])]
    except (KeyError, TypeError) as error:
        raise ValueError(f"what a {kind} moves cannot be read ({type(error).__name__}: {error})") from None
