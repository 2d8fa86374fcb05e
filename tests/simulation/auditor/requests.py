"""What clients asked and were answered: once for each key, durable, and nothing that nobody asked for (I3)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.people import Actor
from tests.simulation.auditor.rows import Row

Data = dict[str, Any]
OF_CASHIER = {
    "buy": "credits-bought",
    "cash-out": "cashed-out",
    "take-ticket": "ticket-taken",
    "issue-ticket": "ticket-issued",
    "pay-ticket": "ticket-paid",
}
"""The kinds of record by which the cashier carries out what is asked."""
KEYED = frozenset({"command", *OF_CASHIER})
NOT_NOW = frozenset(
    {"house-closing", "store-unavailable", "table-suspended", "table-busy", "table-unreachable", "internal"}
)
"""Refusals after which the same key may find that it was done."""


def refusal_code(reply: Data) -> str | None:
    """The code of a refusal; None for what was accepted."""
    refused = reply.get("refused") or reply.get("refusal") or reply
    code = refused.get("code") if isinstance(refused, dict) else None
    return str(code) if code is not None else None


class Ask(NamedTuple):
    """What somebody asked."""

    at: int
    who: str
    call: str
    table: str | None
    body: Data
    key: str

    @property
    def stored_key(self) -> str:
        """The key as the log has it: with the person whose money or command it is, and who sold credits to them."""
        if self.call == "buy" and (patron := self.body.get("person")) not in (None, self.who):
            return f"{patron}:{self.who}/{self.key}"
        return f"{self.who}:{self.key}"

    @property
    def asked(self) -> tuple[str, str | None, Data]:
        """What a repeat must equal. Patrons who name themselves ask for the same as those who name nobody."""
        body = {name: value for name, value in self.body.items() if (name, value) != ("patron", self.who)}
        return self.call, self.table, body


class Requests:
    """All that was asked under a key."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._open: dict[int, Ask] = {}
        self._by_key: dict[str, list[Ask]] = {}
        self._accepted: dict[str, list[tuple[Ask, Data]]] = {}
        self._refused: dict[str, list[tuple[Ask, str]]] = {}
        self._unknown: set[str] = set()
        self._set_up: set[tuple[str, str]] = set()

    def ask(self, entry: Data) -> None:
        """Take what a client asks."""
        if entry["call"] == "set-up":
            self._set_up.add((entry["who"], (entry.get("body") or {}).get("table", "")))
        if entry.get("key") is None or entry["call"] not in KEYED:
            return
        ask = Ask(entry["at"], entry["who"], entry["call"], entry.get("table"), entry.get("body") or {}, entry["key"])
        self._open[entry["n"]] = ask
        self._by_key.setdefault(ask.stored_key, []).append(ask)

    def answer(self, entry: Data) -> Ask | None:
        """Take an answer; what was asked, if it was accepted."""
        ask = self._open.pop(entry["n"], None)
        if ask is None:
            return None
        code, key = refusal_code(entry["reply"]), ask.stored_key
        if code is None:
            self._accepted.setdefault(key, []).append((ask, entry["reply"]))
            return ask
        if code in NOT_NOW:
            self._unknown.add(key)
        else:
            self._refused.setdefault(key, []).append((ask, code))
        return None

    def no_answer(self, entry: Data) -> None:
        """What was asked may have been done or not."""
        if (ask := self._open.pop(entry["n"], None)) is not None:
            self._unknown.add(ask.stored_key)

    def _wrong(self, ask: Ask, what: str) -> None:
        where = f"at {ask.at} {ask.who} key {ask.key} ({ask.body.get('kind', ask.call)} at {ask.table})"
        self._findings.add("I3", where, what)

    def finish(self, keys: dict[str, Row], logs: dict[str, list[Data]]) -> None:
        """Compare with the keys and the logs of the tables."""
        self._unknown |= {ask.stored_key for ask in self._open.values()}
        for key, asks in self._by_key.items():
            row, accepted = keys.get(key), self._accepted.get(key, ())
            if row is None:
                for ask, reply in accepted:
                    if ask.call != "command" or reply.get("events") != []:
                        self._wrong(ask, "it was accepted, and the log does not have it")
            elif not accepted and key not in self._unknown:
                self._wrong(asks[0], f"it was refused each time, and {row.where} carried it out")
            elif row is not None:
                self._check_done(row, asks, logs)
            self._check_equal(list(accepted), row)
            for ask, code in self._refused.get(key, ()):
                if code == "key-reused" and all(each.asked == ask.asked for each in asks):
                    self._wrong(ask, "its key was refused as used for something else, and it was not")
        people = {ask.who for asks in self._by_key.values() for ask in asks}
        for key, row in keys.items():
            owner = key.partition(":")[0]
            # Whoever sets a closed table up again has no key of their own: the house makes one.
            set_up = row.kind == "table-opened" and (owner, row.stream.partition(":")[2]) in self._set_up
            if key not in self._by_key and (owner in people or row.stream != "desk") and not set_up:
                self._findings.add("I3", row.where, f"nobody asked for it under key {key!r}")

    def _check_done(self, row: Row, asks: list[Ask], logs: dict[str, list[Data]]) -> None:
        """What was carried out is what was asked under that key, by that person."""
        done = json.loads(row.reply or "{}")
        fits = [ask for ask in asks if _fits(ask, row, done, logs)]
        if not fits:
            self._wrong(asks[0], f"{row.where} is not what was asked: {asks[0].body}")

    def _check_equal(self, accepted: list[tuple[Ask, Data]], row: Row | None) -> None:
        if not accepted:
            return
        # What changed nothing is not in the log, so that its key may be used for something else.
        first_ask, first = next((each for each in accepted if each[1].get("events") != []), accepted[0])
        accepted = [each for each in accepted if each[1].get("events") != [] or each[0].asked == first_ask.asked]
        for ask, reply in accepted:
            if ask.asked != first_ask.asked:
                self._wrong(ask, "one key was accepted for two different requests")
            elif row is not None and _told(reply) != _told(first):
                self._wrong(ask, f"a repeat was answered {_told(reply)}, and the first {_told(first)}")
        if row is None:
            return
        stored = json.loads(row.reply or "{}")
        for ask, reply in accepted:
            if ask.call == "command":
                numbers = [event["seq"] for event in reply.get("events", ())]
                if reply["seq"] != stored["last"] or numbers != [*range(stored["first"], stored["last"] + 1)]:
                    self._wrong(ask, f"it was answered with {numbers} up to {reply['seq']}, and the log has {stored}")
            elif ask.call != "buy":
                ticket = {
                    "amount_cents": stored["cents"],
                    "ticket": stored["reference"],
                    "patron": stored.get("patron"),
                }
                if any(reply.get(name) != value for name, value in ticket.items()):
                    self._wrong(ask, f"its ticket is {reply}, and the log has {ticket}")


def _told(reply: Data) -> Data:
    """What must be equal in all answers to one key: what was done, not what one holds now."""
    return {name: reply[name] for name in ("seq", "events", "ticket", "amount_cents", "at_ms") if name in reply}


_SAME = {"amount_cents": "cents", "ticket": "reference"}


def _fits(ask: Ask, row: Row, done: Data, logs: dict[str, list[Data]]) -> bool:
    """Whether a record can be what was asked."""
    if ask.call != "command":
        same = [ask.body.get(name) in (None, done.get(as_done)) for name, as_done in _SAME.items()]
        return row.kind == OF_CASHIER[ask.call] and all(same)
    if row.stream != f"table:{ask.table}":
        return False
    events = logs.get(ask.table or "", [])[done["first"] - 1 : done["last"]]
    if not events or Actor(events[0]["by"]).person != ask.who:
        return False
    try:
        wanted = _WANTED.get(ask.body.get("kind", ""))
        return wanted is None or wanted(ask, events)
    except (AttributeError, KeyError, TypeError):  # a body that nobody can read asks for nothing
        return False


def _bet(ask: Ask, events: list[Data], kinds: tuple[str, ...], amount: str, field: str) -> bool:
    patron, body = ask.body.get("patron", ask.who), ask.body
    for event in events:
        if event["kind"] in kinds:
            bet = event["bet"]
            cents = event.get(field, bet["stake_cents"])
            same = (bet["box"], bet["patron"], bet["on"]) == (body["box"], patron, body["on"])
            if same and body.get(amount) in (None, cents):
                return True
    return False


_WANTED = {
    "place-bet": lambda ask, events: _bet(ask, events, ("bet-placed",), "stake_cents", ""),
    "raise-bet": lambda ask, events: _bet(ask, events, ("bet-raised",), "add_cents", "added_cents"),
    "withdraw-bet": lambda ask, events: _bet(ask, events, ("bet-withdrawn",), "take_cents", "returned_cents"),
    "insure": lambda ask, events: _bet(ask, events, ("bet-placed", "bet-raised"), "stake_cents", "added_cents"),
}
"""What the events of a command must hold, for commands that move money."""
