"""The auditor: takes a history entry by entry, and says in the end what was not as it must be."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.house import HouseLog, TableLog
from tests.simulation.auditor.looks import CALLS, Look
from tests.simulation.auditor.refusals import Refusals
from tests.simulation.auditor.requests import NOT_NOW, Requests, refusal_code
from tests.simulation.auditor.showing import PUBLIC, STAFF, Shown, Subscription, balance_problems

Entry = dict[str, Any]
BOUND_MS = 90_000
"""Within which a table must play again after the last fault."""
RECOVERED_MS = 15_000
"""After this time without faults every process has what the others have written."""
ENOUGH_ASKED = 3
"""Requests at a table after the last fault of which one at least must have been answered."""
PLAYED = ("round-settled", "round-closed")
"""What shows that a table plays: a slow reader may see the one and not the other."""


class Auditor:
    """Reads the history of one house."""

    def __init__(self) -> None:
        self._findings = Findings()
        self._requests = Requests(self._findings)
        self._refusals = Refusals(self._findings)
        self._shown: dict[str, Shown] = {}
        self._readers: dict[int, Subscription] = {}
        self._balances: list[Entry] = []
        self._calls: dict[int, Entry] = {}
        self._looks: list[Look] = []
        self._parsed: dict[bytes, Any] = {}
        self._end: Entry | None = None
        self._healed: int | None = None
        self._quiet: int | None = None
        self._played: dict[str, int] = {}
        self._asked: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()

    def take_line(self, line: bytes) -> None:
        """Take an entry as it is written. Many viewers are sent the same message: it is read once."""
        head, found, message = line.partition(b'"message":')
        if not found or b'"does":"see"' not in head:
            self.take(json.loads(line))
            return
        text = message.rstrip()
        if (parsed := self._parsed.get(text)) is None:
            if len(self._parsed) > 4_096:
                self._parsed.clear()
            parsed = self._parsed[text] = json.loads(text[:-1])
        entry = json.loads(head + b'"message":null}')
        entry["message"] = parsed
        self.take(entry)

    def take(self, entry: Entry) -> None:
        """Take the next entry."""
        match entry["does"]:
            case "see":
                self._see(entry)
            case "ask":
                self._calls[entry["n"]] = entry
                if entry.get("table"):
                    self._refusals.ask(entry)
                    if self._healed is not None:
                        self._asked[entry["table"]] += 1
                self._requests.ask(entry)
            case "answer":
                self._answer(entry)
            case "no-answer":
                self._calls.pop(entry["n"], None)
                self._requests.no_answer(entry)
            case "subscribed":
                self._readers[entry["sub"]] = Subscription(
                    entry["sub"], entry["table"], entry["who"], entry["role"], entry["after"]
                )
            case "unsubscribed":
                del self._readers[entry["sub"]]
            case "healed":
                self._healed = entry["at"]
            case "quiet":
                self._quiet = entry["at"]
            case "end":
                self._end = entry

    def violations(self) -> list[str]:
        """All that was found. The history is over."""
        if self._end is not None:
            self._finish(self._end)
        else:
            self._findings.add("I3", "the end", "the history ends without the rows of its store")
        return list(self._findings.lines)

    def _table(self, table: str) -> Shown:
        if (shown := self._shown.get(table)) is None:
            shown = self._shown[table] = Shown(table, self._findings)
        return shown

    def _see(self, entry: Entry) -> None:
        at, table, message = entry["at"], entry["table"], entry["message"]
        self._table(table).take(at, self._readers[entry["sub"]], message, calm=self._is_calm(at))
        if "seq" in message:
            self._refusals.saw(at, entry.get("who"), table, message["seq"])
        if self._healed is not None and message["type"] == "event" and message["event"]["kind"] in PLAYED:
            self._played.setdefault(table, at)

    def _is_calm(self, at: int) -> bool:
        """Whether nothing has failed for a while."""
        return self._healed is not None and at > self._healed + RECOVERED_MS

    def _answer(self, entry: Entry) -> None:
        asked, reply = self._calls.pop(entry["n"], None), entry["reply"]
        self._requests.answer(entry)
        if asked is None or not isinstance(reply, dict):
            return
        table, code = asked.get("table"), refusal_code(reply)
        if table is not None and self._healed is not None and code not in NOT_NOW:
            self._answered[table] += 1
        if code is not None:
            if table is not None and asked["call"] == "command":
                self._refusals.answer(asked, code, entry)
            return
        role = asked["role"]
        audience = PUBLIC if role == "public" else asked["who"] if role == "patron" else STAFF
        if table is not None and asked["call"] == "command":
            for event in reply.get("events", ()):
                self._table(table).keep_event(entry["at"], audience, {"type": "event", **event})
        if table is not None and asked["call"] == "snapshot":
            self._table(table).keep_snapshot(entry["at"], audience, reply)
        if table is not None and asked["call"] in CALLS:
            self._looks.append(Look(entry["at"], asked["who"], role, table, asked["call"], reply))
        own: Entry = reply["me"] if isinstance(reply.get("me"), dict) else reply
        if "balance_cents" in own and "id" in own:
            self._balances.append(own)

    # --------------------------------------------------------------------------------------- at the end

    def _finish(self, end: Entry) -> None:
        findings, house = self._findings, HouseLog(end, self._findings)
        house.read(self._shown)
        self._requests.finish(house.ledger.keys, house.events)
        self._refusals.finish(house.phases, {table: log.state.limits for table, log in house.tables.items()})
        for table, shown in self._shown.items():
            shown.finish(len(house.events.get(table, ())))
        for own in self._balances:
            for problem in balance_problems(own, house.held):
                findings.add("I6", f"the answer to {own['id']}", problem)
        for look in self._looks:
            if look.table in house.tables:
                look.check(findings, house.tables[look.table].state)
        self._check_played(house.tables)

    def _check_played(self, tables: dict[str, TableLog]) -> None:
        """After the last fault every automatic table that may play has played, and every table answers (I10)."""
        if self._healed is None or self._quiet is None:
            return
        for table, log in sorted(tables.items()):
            state, played = log.state, self._played.get(table)
            if self._asked[table] >= ENOUGH_ASKED and not self._answered[table]:
                self._findings.add("I10", f"at {self._quiet} table {table}", "nobody was answered after the last fault")
            if state.settings is None or state.settings.live or table not in self._shown:
                continue
            may_play = state.is_open and not state.suspended and not state.cases
            if may_play and (played is None or played - self._healed > BOUND_MS):
                what = "played no round" if played is None else f"played a round after {played - self._healed} ms"
                self._findings.add("I10", f"at {self._quiet} table {table}", f"{what}, within {BOUND_MS} ms is due")
