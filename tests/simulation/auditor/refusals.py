"""Refusals: each must be one that the table could give between what its client had seen and the answer (I9).

What a client asks reaches a table that is at least as far as the client has seen it. The answer comes before the table
is much further than anyone has seen it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import Any, NamedTuple

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.games import HANDS
from tests.simulation.auditor.state import Settings

Data = dict[str, Any]
LATEST_MS = 10_000
"""After this time somebody has seen what a table had written when it answered."""
_PHASES = {
    "bets-closed": frozenset(
        {
            *("initial-cards", "first-window", "player-third", "second-window", "banker-third", "opening", "result"),
        }
    ),
    "bets-not-open": frozenset({"between-rounds", "not-open"}),
    "table-not-open": frozenset({"not-open"}),
    "round-held": frozenset({"held"}),
}
"""The phases in which a table refuses so."""
_LIMITS = frozenset({"stake-below-minimum", "stake-above-maximum", "over-differential"})
CODES = frozenset({*_PHASES, *_LIMITS, "wrong-phase"})


class Refused(NamedTuple):
    """A refusal: what was asked, its facts, the last record that its client had seen, and when it came."""

    asked: Data
    facts: Data
    seen: int
    at: int


class Refusals:
    """All refusals of tables that can be judged."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._found: list[Refused] = []
        self._last_seen: dict[tuple[str | None, str], int] = {}
        self._furthest: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        self._seen_when_asked: dict[int, int] = {}

    def saw(self, at: int, who: str | None, table: str, seq: int) -> None:
        """Somebody has seen a record of a table."""
        self._last_seen[who, table] = seq
        times, furthest = self._furthest[table]
        if not furthest or seq > furthest[-1]:
            times.append(at)
            furthest.append(seq)

    def ask(self, entry: Data) -> None:
        """Somebody asks something of a table."""
        self._seen_when_asked[entry["n"]] = self._last_seen.get((entry["who"], entry["table"]), 0)

    def answer(self, asked: Data, code: str, entry: Data) -> None:
        """A table refuses."""
        facts = entry["reply"].get("refusal") or entry["reply"].get("refused")
        seen = self._seen_when_asked.pop(entry["n"], 0)
        if code in CODES and isinstance(facts, dict):
            self._found.append(Refused(asked, facts, seen, entry["at"]))

    def finish(self, phases: dict[str, list[str]], settings: dict[str, list[Settings]]) -> None:
        """Judge them by the phases and settings that the tables had; record 1 is the first."""
        for each in self._found:
            table = each.asked["table"]
            if each.facts["code"] in _LIMITS:
                fair = _fair_by_limits(each, settings.get(table, []))
            else:
                fair = self._fair_by_phase(each, phases.get(table, []))
            if not fair:
                where = f"at {each.at} {each.asked['who']} at {table}"
                self._findings.add("I9", where, f"{each.asked['body']} was refused: {each.facts}")

    def _fair_by_phase(self, each: Refused, phases: list[str]) -> bool:
        times, furthest = self._furthest[each.asked["table"]]
        place = bisect_right(times, each.at + LATEST_MS)
        last = len(phases) if place == len(times) else furthest[place]
        had = {"not-open"} if not each.seen else set[str]()
        had |= {*phases[max(each.seen - 1, 0) : last]}
        code = each.facts["code"]
        return each.facts["phase"] in had if code == "wrong-phase" else bool(_PHASES[code] & had)


def _fair_by_limits(each: Refused, shown: list[Settings]) -> bool:
    facts, on = each.facts, each.facts.get("on", "")
    match facts["code"]:
        case "stake-below-minimum":
            known = {every.limits.minimum if on in HANDS else every.sides.get(on, (0, 0))[0] for every in shown}
            return facts["stake_cents"] < facts["minimum_cents"] and facts["minimum_cents"] in known
        case "stake-above-maximum":
            return bool(facts["stake_cents"] > facts["maximum_cents"])
    body = each.asked["body"]
    amounts = [body[name] for name in ("stake_cents", "add_cents") if name in body]
    known = {every.limits.differential for every in shown}
    return facts["differential_cents"] in known and (not amounts or amounts[0] > facts["maximum_cents"])
