"""Moves as the transfers that are written: what tests put into stores by hand."""

from __future__ import annotations

from punto.ledger import moves
from punto.ledger.moves import Reason
from punto.ledger.transfers import Transfer


def buy(patron: str, cents: int, reference: str) -> Transfer:
    return Transfer.of(moves.buy(patron, cents, reference))


def cash_out(patron: str, cents: int, reference: str) -> Transfer:
    return Transfer.of(moves.cash_out(patron, cents, reference))


def stake(patron: str, table: str, cents: int, bet: str) -> Transfer:
    return Transfer.of(moves.stake(patron, table, cents, bet))


def returned(patron: str, table: str, cents: int, bet: str) -> Transfer:
    return Transfer.of(moves.returned(patron, table, cents, bet))


def final(patron: str, table: str, bet: str, reason: Reason, stake_cents: int, returned_cents: int) -> Transfer:
    return Transfer.of(moves.final(patron, table, bet, reason, stake_cents, returned_cents))


def correct(patron: str, table: str, before_cents: int, after_cents: int, reference: str) -> Transfer:
    return Transfer.of(moves.correct(patron, table, before_cents, after_cents, reference))


def collect(patron: str, cents: int, reference: str) -> Transfer:
    return Transfer.of(moves.collect(patron, cents, reference))
