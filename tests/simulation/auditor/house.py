"""The whole log of a house, read in the order of its records: money, people and tables together."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from tests.simulation.auditor.betting import Betting
from tests.simulation.auditor.cases import Cases
from tests.simulation.auditor.dealing import Dealing
from tests.simulation.auditor.ending import Ending
from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.floor import Floor
from tests.simulation.auditor.people import People
from tests.simulation.auditor.rows import Ledger, Posting, Row, rows_of
from tests.simulation.auditor.showing import Shown

_TABLE = "table:"


class TableLog(Floor, Betting, Dealing, Ending, Cases):
    """The log of a table: every event must be one that the sheet allows after those before it (I4, I9)."""


class HouseLog:
    """What the rows of a store come to."""

    def __init__(self, end: dict[str, Any], findings: Findings) -> None:
        self._end, self._findings = end, findings
        self.ledger, self.people = Ledger(findings), People(findings)
        self.tables: dict[str, TableLog] = {}
        self.events: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.phases: dict[str, list[str]] = defaultdict(list)
        """The phase of each table after each of its records."""
        self._rows = rows_of(end)
        # What someone was shown may rest on money that moved at another table, so all of it is read first.
        self.held = _balances_held(self._rows)
        """All that each account held at any time."""
        self._bought: Counter[str] = Counter()
        self._won: Counter[str] = Counter()
        self._tickets: dict[str, int] = {}
        """The tickets so far, and what each is worth until it is used."""

    def read(self, shown: dict[str, Shown]) -> None:
        """Read every record, and compare each with what was shown of it."""
        for row, postings in self._rows:
            self.ledger.take(row, postings)
            if row.stream.startswith(_TABLE):
                table = row.stream.removeprefix(_TABLE)
                self._read_table(table, row, postings, shown.get(table))
            else:
                self._read_house(row)
        self.ledger.finish(self._end, self._in_play())
        self._check_money()

    def _read_table(self, table: str, row: Row, postings: list[Posting], shown: Shown | None) -> None:
        if (log := self.tables.get(table)) is None:
            log = self.tables[table] = TableLog(table, self._findings, self.people, self._won)
        event = log.take(row, postings)
        self.events[table].append(event)
        self.phases[table].append(log.state.phase)
        if shown is not None:
            shown.check_record(row, event, log.state, self.people.names, self.held)

    def _read_house(self, row: Row) -> None:
        told = self.people.take_house(row)
        if row.kind in {"credits-bought", "ticket-taken"}:
            self._bought[told["patron"]] += told["cents"]
        elif row.kind == "cashed-out":
            patron = told["patron"]
            self._bought[patron] -= told["cents"]
            if owed := self.ledger.held[f"owed:{patron}"]:
                self._findings.add("I2", row.where, f"cash was paid out to {patron}, who owes {-owed}")
        if row.kind in {"cashed-out", "ticket-issued"}:
            if told["reference"] in self._tickets:
                self._findings.add("I2", row.where, f"ticket {told['reference']} was issued before")
            self._tickets[told["reference"]] = told["cents"]
        elif row.kind in {"ticket-taken", "ticket-paid"}:
            if (worth := self._tickets.get(told["reference"])) != told["cents"]:
                self._findings.add("I2", row.where, f"a ticket worth {worth} was used for {told['cents']}")
            self._tickets[told["reference"]] = 0

    def _in_play(self) -> dict[str, int]:
        """The bets in play at all tables, by their references."""
        rounds = [log.state.round for log in self.tables.values() if log.state.round]
        return {reference: each.stakes.get(spot, 0) for each in rounds for spot, reference in each.references.items()}

    def _check_money(self) -> None:
        """What patrons bought, less what they cashed out, and what they won is what they hold, owe and have in play."""
        balances = self._end.get("balances", {})
        for ticket, worth in self._tickets.items():
            if (held := balances.get(f"ticket:{ticket}", 0)) != worth:
                self._findings.add("I7", "end", f"ticket {ticket} holds {held}, and is worth {worth}")
        staked: Counter[str] = Counter()
        for log in self.tables.values():
            for spot, stake in (log.state.round.stakes if log.state.round else {}).items():
                staked[spot[1]] += stake
        patrons = {name.partition(":")[2] for name in balances if name.startswith("patron:")} | self._bought.keys()
        for patron in sorted(patrons):
            held = balances.get(f"patron:{patron}", 0) + balances.get(f"owed:{patron}", 0) + staked[patron]
            bought, won = self._bought[patron], self._won[patron]
            if held != bought + won:
                what = f"bought and cashed out {bought}, won {won}, and holds and staked {held}"
                self._findings.add("I7", "end", f"{patron} {what}")


def _balances_held(rows: list[tuple[Row, list[Posting]]]) -> dict[str, set[int]]:
    held: Counter[str] = Counter()
    past: dict[str, set[int]] = defaultdict(lambda: {0})
    for _, postings in rows:
        for _, _, _, _, _, account, cents, _ in postings:
            held[account] += cents
        for _, _, _, _, _, account, _, _ in postings:
            past[account].add(held[account])
    return past
