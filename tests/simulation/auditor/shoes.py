"""Opened shoes: what was committed to is what was dealt, and is told when the shoe is over (I6, I9)."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.games import RANKS
from tests.simulation.auditor.state import TableState

_DECK = [rank + suit for rank in RANKS for suit in "shdc"]


def check_opened(findings: Findings, told: dict[str, Any], state: TableState) -> None:
    """Check what the house published of a shoe against its log."""
    where, shoe = f"table {told['table']} shoe {told['shoe']}", state.shoes.get(told["shoe"])
    if shoe is None or told["commitment"] != shoe.commitment:
        findings.add("I9", where, "its commitment is not the one of the log")
        return
    if not told["over"]:
        if any(told.get(name) for name in ("salt", "order", "dealt", "rounds")):
            findings.add("I6", where, "it is opened before it is over")
        return
    if not told["commitment"]:
        return
    text = b"punto shoe 1\n" + bytes.fromhex(told["salt"]) + told["order"].encode()
    if hashlib.sha256(text).hexdigest() != told["commitment"]:
        findings.add("I9", where, "salt and order do not give its commitment")
    order = told["order"].split()
    if Counter(order) != Counter(_DECK * told["decks"]):
        findings.add("I9", where, "its order is not one of whole decks")
    if told["dealt"].split() != order[: len(told["dealt"].split())]:
        findings.add("I9", where, "it was not dealt in its order")
    if shoe.known:
        for place, (card, drawn) in enumerate(zip(order, shoe.drawn, strict=False), 1):
            if drawn is not None and drawn != card:
                findings.add("I9", where, f"card {place} of the order is {card}, and {drawn} was dealt")
                break
