"""What people were answered when they only looked: past rounds, previews and opened shoes (I6, I9)."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, NamedTuple

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.games import RANKS
from tests.simulation.auditor.state import PastRound, TableState

CALLS = frozenset({"rounds", "preview", "shoe"})
_DECK = [rank + suit for rank in RANKS for suit in "shdc"]
_TELLS_CARDS = frozenset({"card-dealt", "card-opened"})


class Look(NamedTuple):
    """What somebody was shown."""

    at: int
    who: str
    role: str
    table: str
    call: str
    reply: dict[str, Any]

    def check(self, findings: Findings, state: TableState) -> None:
        """Compare it with what the log of the table came to."""
        where = f"at {self.at} {self.who} at table {self.table}"
        if self.call == "shoe":
            _check_shoe(findings, where, self.reply, state, staff=self.role != "patron")
        elif self.call == "preview":
            told = _TELLS_CARDS & {event["kind"] for event in self.reply.get("events", ())}
            if told and not any(each.live for each in state.limits):
                findings.add("I6", where, f"a preview tells what nobody has seen: {sorted(told)}")
        else:
            for record in self.reply.get("rounds", ()):
                for problem in self._round_problems(record, state.past.get(record["round"])):
                    findings.add("I6", where, f"round {record['round']}: {problem}")

    def _round_problems(self, record: dict[str, Any], past: PastRound | None) -> list[str]:
        found = []
        if not record["void"] and (past is None or record.get("cards") not in past.versions):
            found.append(f"cards {record.get('cards')}, which it never had")
        for line in record["lines"]:
            patron = line["bet"].get("patron")
            if self.role == "patron" and patron != self.who:
                found.append(f"a line of {patron}")
            won = line.get("result") == "win" and line.get("odds") == "0.95:1"
            taken = line["in_play_cents"] - line["net_cents"] if won and line["type"] == "settled" else 0
            if line.get("commission_cents", taken) != taken:
                found.append(f"a commission of {line['commission_cents']}, and {taken} were taken")
        return found


def _check_shoe(findings: Findings, where: str, told: dict[str, Any], state: TableState, *, staff: bool) -> None:
    """What was committed to is what was dealt, and is told only when the shoe is over."""
    where, shoe = f"{where} shoe {told['shoe']}", state.shoes.get(told["shoe"])
    if shoe is None or told["commitment"] != shoe.commitment:
        findings.add("I9", where, "its commitment is not the one of the log")
        return
    if not told["over"]:
        if any(told.get(name) for name in ("salt", "order", *(() if staff else ("dealt", "rounds")))):
            findings.add("I6", where, "it is opened before it is over")
        return
    if not told["commitment"]:
        return
    text = b"punto shoe 1\n" + bytes.fromhex(told["salt"]) + told["order"].encode()
    if hashlib.sha256(text).hexdigest() != told["commitment"]:
        findings.add("I9", where, "salt and order do not give its commitment")
    order, dealt = told["order"].split(), told["dealt"].split()
    if Counter(order) != Counter(_DECK * told["decks"]):
        findings.add("I9", where, "its order is not one of whole decks")
    if dealt != order[: len(dealt)]:
        findings.add("I9", where, "it was not dealt in its order")
    for place, (card, drawn) in enumerate(zip(order, shoe.drawn if shoe.known else (), strict=False), 1):
        if drawn not in (None, card):
            findings.add("I9", where, f"card {place} of the order is {card}, and {drawn} was dealt")
            break
