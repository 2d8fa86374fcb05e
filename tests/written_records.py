"""Records of rounds as the data that `punto.rules.notation` reads."""

from __future__ import annotations

from typing import Any

from punto.rules.cards import write_cards
from punto.rules.notation import DEFAULT_UNIT, RoundToSettle
from punto.rules.settlement import Bet


def write_record(record: RoundToSettle) -> dict[str, Any]:
    """A record as plain data for JSON, which `read_record` reads."""
    data: dict[str, Any] = {"game": record.game, "decks": record.decks, "cards": write_cards(record.cards)}
    if record.limits is not None:
        limits = record.limits
        data["limits"] = {"minimum": limits.minimum_cents, "differential": limits.differential_cents}
        if limits.unit_cents != DEFAULT_UNIT:
            data["limits"]["unit"] = limits.unit_cents
    data["bets"] = [_write_bet(bet) for bet in record.bets]
    return data


def _write_bet(bet: Bet) -> dict[str, Any]:
    data: dict[str, Any] = {"box": bet.box, "patron": bet.patron, "seated": bet.seated, "on": bet.on}
    if bet.window is not None:
        data["window"] = bet.window.value
    data["stake"] = bet.stake_cents
    return data
