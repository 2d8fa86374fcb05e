"""The auditor: silent on a good history, loud on every mangled copy. A check that cannot fail is worthless.

What a planted bug trips (`bugs.py`) is not mangled here.
"""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.simulation import auditor as package
from tests.simulation.auditor import Auditor
from tests.simulation.scripted import Entry, rehashed, scripted_day

History = list[Entry]
Mangle = Callable[[History], None]


@pytest.fixture(scope="module")
def good() -> str:
    """A good history, without the parts of messages that the auditor leaves unread."""
    entries = asyncio.run(scripted_day())
    for entry in entries:
        message = entry.get("message", {})
        for part in (message, message.get("view", {}), message.get("me") or {}):
            for name in ("choices", "roads", "incident"):
                part.pop(name, None)
    return json.dumps(entries)


def audit(entries: History) -> list[str]:
    """What the auditor says of a history."""
    auditor = Auditor()
    for entry in entries:
        auditor.take(entry)
    return auditor.violations()


def test_a_good_history_has_no_violation(good: str) -> None:
    auditor = Auditor()
    for entry in json.loads(good):
        auditor.take_line(json.dumps(entry, separators=(",", ":")).encode())
    assert auditor.violations() == []


def test_the_auditor_imports_nothing_of_the_house() -> None:
    found = set()
    for file in Path(package.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                found.add(node.module or "")
    others = {name for name in found if not name.startswith("tests.simulation.auditor")}
    assert {name.partition(".")[0] for name in others} <= {*sys.stdlib_module_names, "msgpack"}


# ------------------------------------------------------------------------------------------- mangled copies


def _end(entries: History) -> Entry:
    return entries[-1]


def _records(entries: History, kind: str, table: str | None = None) -> list[list[Any]]:
    return [row for row in _end(entries)["records"] if row[5] == kind and table in (None, row[1].partition(":")[2])]


def _event(kind: str, change: Callable[[Entry], None], nth: int = 0, table: str | None = None) -> Mangle:
    """Change an event in the log, with hashes that fit."""

    def mangle(entries: History) -> None:
        row = _records(entries, kind, table)[nth]
        payload = json.loads(row[6])
        change(payload)
        row[6] = json.dumps(payload)
        rehashed(_end(entries))

    return mangle


def _row(kind: str, column: int, value: Any, nth: int = 0, table: str | None = None, *, hashed: bool = True) -> Mangle:
    def mangle(entries: History) -> None:
        row = _records(entries, kind, table)[nth]
        row[column] = value(row[column]) if callable(value) else value
        if hashed:
            rehashed(_end(entries))

    return mangle


def _drop(kind: str, nth: int = 0, table: str | None = None) -> Mangle:
    """Take a record with its postings out of the log, as if it had never been written."""

    def mangle(entries: History) -> None:
        end, row = _end(entries), _records(entries, kind, table)[nth]
        end["records"].remove(row)
        end["postings"] = [each for each in end["postings"] if each[0] != row[0]]
        for later in end["records"]:
            if later[1] == row[1] and later[2] > row[2]:
                later[2] -= 1
        rehashed(end)

    return mangle


def _again(kind: str) -> Mangle:
    """Write a record of the house a second time, under another key."""

    def mangle(entries: History) -> None:
        end, row = _end(entries), _records(entries, kind)[0]
        number, seq = max(each[0] for each in end["records"]), max(each[2] for each in _of_stream(end, row[1]))
        end["records"].append([number + 1, row[1], seq + 1, *row[3:7], "ann:again", *row[8:]])
        end["postings"] += [[number + 1, *each[1:]] for each in end["postings"] if each[0] == row[0]]
        rehashed(end)

    return mangle


def _of_stream(end: Entry, stream: str) -> list[list[Any]]:
    return [each for each in end["records"] if each[1] == stream]


def _posted(kind: str, change: Callable[[list[list[Any]]], None], nth: int = 0, table: str | None = None) -> Mangle:
    """Change the postings of a record, with hashes and balances that fit."""

    def mangle(entries: History) -> None:
        end, row = _end(entries), _records(entries, kind, table)[nth]
        rows = [each for each in end["postings"] if each[0] == row[0]]
        place = end["postings"].index(rows[0])
        end["postings"] = [each for each in end["postings"] if each[0] != row[0]]
        change(rows)
        end["postings"][place:place] = rows
        end["balances"] = {}
        for _, _, _, _, _, account, cents, _ in end["postings"]:
            end["balances"][account] = end["balances"].get(account, 0) + cents
        rehashed(end)

    return mangle


def _seen(entries: History, type_: str, who: str | None, table: str, **wanted: Any) -> Entry:
    """The first message of a kind that somebody was shown."""
    for entry in entries:
        if entry["does"] == "see" and (entry["who"], entry["table"]) == (who, table):
            message: Entry = entry["message"]
            inner = message.get("event") or message.get("view") or message
            if message["type"] == type_ and all(inner.get(name) == value for name, value in wanted.items()):
                return message
    raise AssertionError(f"{who} was shown no such {type_}")


def _shown(who: str | None, kind: str, change: Callable[[Entry], None], table: str = "pit", **wanted: Any) -> Mangle:
    return lambda entries: change(_seen(entries, "event", who, table, kind=kind, **wanted)["event"])


def _view_after(kind: str, change: Callable[[Entry], None], nth: int = 0, table: str = "pit") -> Mangle:
    """Change the view that the public is shown after an event, whatever parts it has."""

    def mangle(entries: History) -> None:
        seq = _records(entries, kind, table)[nth][2]
        views = [
            entry["message"]["view"]
            for entry in entries
            if entry["does"] == "see" and (entry["who"], entry["table"]) == (None, table)
            if entry["message"]["type"] == "view" and entry["message"]["seq"] == seq
        ]
        change(views[0])

    return mangle


def _answer(kind: str, change: Callable[[Entry], None], nth: int = 0) -> Mangle:
    def mangle(entries: History) -> None:
        asks = [
            each["n"] for each in entries if each["does"] == "ask" and kind in (each["body"].get("kind"), each["call"])
        ]
        change(next(each for each in entries if each["does"] == "answer" and each["n"] == asks[nth]))

    return mangle


def _refused(entry: Entry) -> None:
    entry["reply"] = {"code": "bets-closed", "rule": "3.8", "refusal": {"code": "bets-closed", "rule": "3.8"}}


def _back_in_time(*, again: bool) -> Mangle:
    """A viewer is shown a snapshot from before once more: in the same connection, or in a new one."""

    def mangle(entries: History) -> None:
        snapshot = next(each for each in entries if each.get("message", {}).get("type") == "snapshot")
        later = {**snapshot, "at": entries[-1]["at"] + 60_000, "sub": 99 if again else snapshot["sub"]}
        about = {name: later[name] for name in ("at", "who", "role", "table", "sub")}
        came_back = [{"does": "subscribed", **about, "after": 9}] if again else []
        entries[-1:-1] = [*came_back, later]

    return mangle


def _set(**fields: Any) -> Callable[[Entry], None]:
    return lambda event: event.update(fields)


def _set_bet(**fields: Any) -> Callable[[Entry], None]:
    return lambda event: event["bet"].update(fields)


def _set_line(**fields: Any) -> Callable[[Entry], None]:
    return lambda event: event["lines"][0].update(fields)


def _not_played(entries: History) -> None:
    """Nobody is shown the end of a round after the world healed."""
    healed = next(place for place, each in enumerate(entries) if each["does"] == "healed")
    for entry in entries[healed:]:
        event = entry.get("message", {}).get("event", {})
        if entry.get("table") == "etg" and event.get("kind") in {"round-settled", "round-closed"}:
            event["kind"] = "round-opened"


def _almost_nothing(rows: list[list[Any]]) -> None:
    for row in rows:
        row[6] = 10 if row[6] > 0 else -10


def _no_end(entries: History) -> None:
    entries.pop()


def _add_cent(end: Entry) -> None:
    end["balances"]["patron:ann"] += 1


def _raise_role(end: Entry) -> None:
    next(row for row in end["people"] if row[0] == "dan")[2] = "shift-manager"


def _limited_sides(entries: History) -> None:
    """The table shows a maximum for a side bet below what was bet."""
    sides = [{"on": "tiger", "minimum_cents": 100, "maximum_cents": 900}]
    _event("table-opened", lambda event: event["settings"].update(sides=sides), table="tiger")(entries)


def _looked(call: str, change: Callable[[Entry], None], nth: int = 0) -> Mangle:
    return _answer(call, lambda entry: change(entry["reply"]), nth)


def _below_minimum(entry: Entry) -> None:
    facts = {"code": "stake-below-minimum", "on": "player", "stake_cents": 1_000, "minimum_cents": 1_000}
    entry["reply"] = {"code": facts["code"], "rule": None, "refusal": facts}


def _not_open(entry: Entry) -> None:
    facts = {"code": "table-not-open", "rule": None}
    entry["reply"] = {"code": facts["code"], "rule": None, "refusal": facts}


MANGLED: dict[str, tuple[str, Mangle]] = {
    # what the store holds
    "a posting of one cent more": ("I1", _posted("cashed-out", lambda rows: rows[0].__setitem__(6, -5_001))),
    "a purchase of almost nothing": ("I2", _posted("credits-bought", _almost_nothing)),
    "an acknowledged record is gone": ("I3 .*the log does not have it", _drop("cashed-out")),
    "a key twice": ("I3 .*was used by", _row("bets-closed", 7, "dan:k7", table="tiger")),
    "a bet is carried out for another amount": (
        "I3 .*not what was asked",
        _event("bet-placed", _set_bet(stake_cents=2_000)),
    ),
    "a repeat is answered otherwise": (
        "I3 .*a repeat was answered",
        _answer("place-bet", lambda each: each["reply"].update(seq=3), 3),
    ),
    "an answer that the log does not have": (
        "I3 .*it was answered with",
        _answer("settle", lambda each: each["reply"].update(seq=1)),
    ),
    "a refusal of what was done": ("I3 .*it was refused each time", _answer("settle", _refused)),
    "a ticket for more": (
        "I3 .*its ticket",
        _answer("cash-out", lambda each: each["reply"].update(amount_cents=9_000)),
    ),
    "a ticket used for less": ("I2 .*worth 5000", _row("ticket-taken", 6, lambda text: text.replace("5000", "4000"))),
    "a ticket used twice": ("I2 .*worth 0", _again("ticket-taken")),
    "a bet that ends twice": (
        "I4 .*second time",
        _posted("round-settled", lambda rows: rows.extend([[*row[:2], 99, *row[3:]] for row in rows[:2]])),
    ),
    "a bet that never ends": ("I4 .*never ended", _posted("round-voided", lambda rows: rows.clear(), table="pit")),
    "a line is lost": ("I4 .*were not settled", _event("round-settled", lambda event: event["lines"].pop())),
    "a changed payload": ("I5 .*hash", _row("bets-opened", 6, lambda text: text.replace("1", "2"), hashed=False)),
    "a gap in a stream": ("I5 .*follows number", _row("bets-opened", 2, 99)),
    "records in another order": ("I5 .*comes after", _row("bets-opened", 0, 1)),
    "a balance of one cent more": ("I7 end: patron:ann", lambda entries: _add_cent(_end(entries))),
    "a raised role": ("I7 .*the row of person:dan", lambda entries: _raise_role(_end(entries))),
    "the history has no end": ("I3 the end", _no_end),
    # who acted
    "somebody unknown deals": ("I8 .*nobody had admitted", _event("card-dealt", _set(by="dealer:eve"))),
    "a patron deals": ("I8 .*it takes a dealer", _event("card-dealt", _set(by="patron:ann"))),
    "a role that is not theirs": ("I8 .*admitted as dealer", _event("bets-closed", _set(by="shift-manager:dan"))),
    "a position that nobody assigned": ("I8 .*position", _event("bets-closed", _set(by="pit-manager:dan@dealer"))),
    "a void by one person alone": ("I8 .*alone", _drop("decision-made", 1)),
    "somebody deals for the automat": (
        "I8 .*automatic table",
        _event("card-dealt", _set(by="dealer:dan"), table="etg"),
    ),
    "a patron admits staff": ("I8 .*could admit no", _event("person-admitted", _set(by="ann"), 4)),
    # cards and money by the sheet
    "a card to the wrong hand": ("I9 .*goes to", _event("card-dealt", _set(hand="banker"), 4, "tiger")),
    "a card that comes too early": ("I9 .*before “No more bets”", _drop("bets-closed")),
    "another result": ("I9 .*come out as", _event("result-declared", _set(winner="tie"))),
    "odds of another sheet": ("I9 .*the sheet says", _event("round-settled", _set_line(odds="1:1"), table="pit")),
    "the part in play": (
        "I9 .*the sheet gives",
        _event("round-settled", lambda event: event["lines"][3].update(in_play_cents=20_100), table="pit"),
    ),
    "insurance at other odds": (
        "I9 .*is offered",
        _event("insurance-offered", lambda event: event["offers"][0].update(odds="2:1")),
    ),
    "insurance of a hand without a bet": (
        "I9 .*no bet on banker",
        _event("bet-placed", _set_bet(patron="bob", box=2), 3, "tiger"),
    ),
    "insurance that was never offered": ("I9 .*was not offered", _drop("insurance-offered")),
    "a bet off the unit": ("I9 .*multiple of the unit", _event("bet-placed", _set_bet(stake_cents=10_050))),
    "a side bet above its maximum": ("I9 .*above the maximum", _limited_sides),
    "a bet at a box without a place": ("I9 .*has no place", _event("bet-placed", _set_bet(box=5))),
    "a bet that the game does not offer": ("I9 .*does not offer", _event("bet-placed", _set_bet(on="easy-six"))),
    "nobody gives way": ("I9 .*over the Differential|I9 .*give way", _drop("bet-displaced")),
    "a void without a case": ("I9 .*without a case", _drop("incident-reported", 2)),
    "rounds out of order": ("I9 .*follows round", _event("bets-opened", _set(round=7), 1, "pit")),
    "a round that begins before the last ended": ("I9 .*cannot begin", _drop("round-closed", table="pit")),
    # what was shown
    "a closed card is told to staff": ("I6 .*different events", _shown("sue", "card-dealt", _set(card="Kh"))),
    "a result before its cards": (
        "I6 .*result:",
        _view_after(
            "card-dealt",
            lambda view: view.update(result={"winner": "banker", "player_points": 5, "banker_points": 9, "round": 1}),
            3,
        ),
    ),
    "the next card by a closed one": (
        "I6 .*next:",
        _view_after("card-dealt", lambda view: view.update(next={"hand": "banker", "reason": {"code": "natural"}}), 3),
    ),
    "a view tells more of its shoe": (
        "I6 .*shoe:",
        _view_after("card-dealt", lambda view: view["shoe"].update(next="Kh")),
    ),
    "a view tells more of a card": (
        "I6 .*cards:",
        _view_after("card-dealt", lambda view: view["cards"][0].update(rank="K")),
    ),
    "a view has a part of its own": ("I6 .*nobody knows", _view_after("card-dealt", _set(third="Kh"))),
    "who acted": ("I6 .*who acted", _shown(None, "bet-placed", _set(by="patron:ann"), "tiger")),
    "whose bet it is": ("I6 .*is told", _shown(None, "bet-placed", _set_bet(patron="ann"), "tiger")),
    "a reason for staff": ("I6 .*for staff", _shown("ann", "decision-made", _set(reason="a camera"), "tiger")),
    "the salt of a shoe": ("I6 .*salt is shown", _shown(None, "shoe-loaded", _set(salt="00ff"), "etg")),
    "the order of a shoe in the log": ("I6 .*order of the shoe", _event("shoe-loaded", _set(cards="2h 2c"))),
    "another amount": ("I6 .*the bet is", _shown(None, "bet-placed", _set_bet(stake_cents=9_000), "tiger")),
    "two viewers see different things": (
        "I6 .*different phase",
        lambda entries: _seen(entries, "view", "ann", "tiger", phase="betting")["view"].update(phase="result"),
    ),
    "a snapshot from before": ("I6 .*a snapshot of", _back_in_time(again=False)),
    "an older process, long after the faults": ("I6 .*a snapshot of", _back_in_time(again=True)),
    "a view of other totals": (
        "I6 .*totals_cents:",
        _view_after("bet-placed", lambda view: view.update(totals_cents={"banker": 1}), table="tiger"),
    ),
    "a view of another phase": ("I6 .*phase:", _view_after("bets-closed", lambda view: view.update(phase="betting"))),
    "a balance that nobody had": (
        "I6 .*never had",
        lambda entries: _seen(entries, "me", "ann", "tiger")["me"].update(balance_cents=7),
    ),
    "other bets of one's own": (
        "I6 .*bets",
        lambda entries: _seen(entries, "me", "ann", "tiger")["me"].update(
            bets=[{"box": 1, "patron": "ann", "on": "tie", "stake_cents": 9}]
        ),
    ),
    "what the log does not have": (
        "I3 .*were shown",
        lambda entries: _seen(entries, "view", None, "etg").update(seq=999),
    ),
    # what was looked up, and refused
    "a shoe of another order": (
        "I9 .*do not give its commitment",
        _looked("shoe", lambda told: told.update(order=told["order"][::-1])),
    ),
    "a shoe that is opened in play": ("I6 .*before it is over", _looked("shoe", _set(salt="00"), 1)),
    "a round with other cards": (
        "I6 .*which it never had",
        _looked("rounds", lambda told: told["rounds"][-1].update(cards="Kh 9d 5h Qd")),
    ),
    "a commission that was not taken": (
        "I6 .*a commission of",
        _looked("rounds", lambda told: told["rounds"][-1]["lines"][0].update(commission_cents=1)),
    ),
    "a refusal that the phase does not give": ("I9 .*was refused", _answer("raise-bet", _not_open)),
    "a refusal within the limits": ("I9 .*was refused", _answer("raise-bet", _below_minimum)),
    # after the faults
    "a table that plays no more": ("I10 .*played no round", _not_played),
}


@pytest.mark.parametrize("name", MANGLED)
def test_every_mangled_history_is_noticed(good: str, name: str) -> None:
    expected, mangle = MANGLED[name]
    entries = json.loads(good)
    mangle(entries)
    found = audit(entries)
    assert [each for each in found if re.match(expected, each)], found


@pytest.mark.parametrize("changed", [False, True])
def test_only_what_changed_something_uses_its_key(good: str, changed: bool) -> None:
    entries: History = json.loads(good)
    place = next(at for at, each in enumerate(entries) if each.get("body", {}).get("kind") == "place-bet")
    bet, answer = entries[place : place + 2]
    assert answer["n"] == bet["n"]
    other = {**bet, "n": 999, "body": {**bet["body"], "kind": "place-bets"}}
    reply = answer["reply"] if changed else {**answer["reply"], "events": []}
    entries[place:place] = [other, {**answer, "n": 999, "reply": reply}]
    assert any("two different requests" in each for each in audit(entries)) is changed


@pytest.mark.parametrize("same", [True, False])
def test_a_patron_may_name_themselves_in_a_repeat(good: str, same: bool) -> None:
    entries: History = json.loads(good)
    place = next(at for at, each in enumerate(entries) if each.get("body", {}).get("kind") == "place-bet")
    bet, answer = entries[place : place + 2]
    again = {**bet, "n": 999, "body": {**bet["body"], "patron": bet["who"] if same else "somebody"}}
    entries[place + 2 : place + 2] = [again, {**answer, "n": 999}]
    assert any("two different requests" in each for each in audit(entries)) is not same
