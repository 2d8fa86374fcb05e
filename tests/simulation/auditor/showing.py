"""What viewers of a table were shown: the same to all, no more than was open to them, and as the log has it (I6).

Messages are kept as they come and compared with the log at the end, when it is known what each record was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.log import odds_of
from tests.simulation.auditor.people import Actor
from tests.simulation.auditor.rounds import next_hand, offers, outcome_of
from tests.simulation.auditor.rows import Row
from tests.simulation.auditor.state import TableState, spot_of

Data = dict[str, Any]
Held = dict[str, set[int]]
"""What each account held at any time."""
STAFF, PUBLIC = "", "*"
"""The audiences that are nobody's id."""
_NOT_OF_VIEW = frozenset({"type", "seq", "now_ms", "ends_at_ms", "me", "suspended"})
_FOR_STAFF = frozenset(
    {
        *("facts", "reason", "house_cents", "events", "expected", "got", "claims", "patrons", "person", "warnings"),
        "corrections",
    }
)
_PARTS_FOR_STAFF = frozenset({"bets", "patrons", "duty", "carried", "incident"})
_UNCHECKED = frozenset({"table", "squeeze", "case", "choices", "patrons", "duty"})
_OF_CARDS = frozenset({"card", "hand", "squeezed_by"})
_OF_SHOE = frozenset(
    {
        *("number", "count", "dealt", "cut", "commitment", "last_round", "over", "checked", "shuffled", "burned"),
        "counted",
    }
)
_OF_OWN = frozenset(
    {
        *("id", "name", "role", "balance_cents", "owed_cents", "box", "seated", "bets", "in_play_cents", "lines"),
        *("lines_round", "net_cents", "choices"),
    }
)
_NEVER_SHOWN = frozenset({"salt", "sealed", "order", "cards_left"})


class Subscription:
    """One connection to a table: the last sequence number that it was shown."""

    __slots__ = ("audience", "last", "number", "shown", "table", "who")

    def __init__(self, number: int, table: str, who: str | None, role: str, after: int | None) -> None:
        self.number, self.table, self.who = number, table, who
        self.audience = PUBLIC if who is None or role == "public" else who if role == "patron" else STAFF
        self.last = after
        self.shown = False
        """Whether it was shown anything yet."""


class Shown:
    """What was shown of one table, by sequence number."""

    def __init__(self, table: str, findings: Findings) -> None:
        self.table, self._findings = table, findings
        self.events: dict[int, dict[str, Data]] = defaultdict(dict)
        self.views: dict[int, dict[bool, Data]] = defaultdict(dict)
        self.owned: dict[int, dict[str, list[Data]]] = defaultdict(dict)
        self.phases: dict[int, set[str]] = defaultdict(set)

    def wrong(self, invariant: str, at: object, what: str) -> None:
        """Note a violation."""
        self._findings.add(invariant, f"at {at} table {self.table}", what)

    # --------------------------------------------------------------------------------------- while it happens

    def take(self, at: int, reader: Subscription, message: Data, *, calm: bool) -> None:
        """Take a message to a reader.

        While something fails a process may be behind another: whoever comes to it is shown an older snapshot first.
        """
        first, reader.shown = not reader.shown, True
        match message["type"]:
            case "event":
                seq, last = message["seq"], reader.last
                if last is None or seq != last + 1:
                    where = f"{reader.who} (subscription {reader.number})"
                    self.wrong("I6", at, f"event {seq} follows {last} for {where}")
                reader.last = seq
                self.keep_event(at, reader.audience, message)
            case "view":
                if reader.last is not None and message["seq"] != reader.last:
                    self.wrong("I6", at, f"a view of {message['seq']} follows event {reader.last} for {reader.who}")
                reader.last = message["seq"]
                self.keep_view(at, reader.audience, message["seq"], message["view"])
            case "me":
                self.keep_own(reader.last, message["me"])
            case "clock":
                if reader.last is not None:
                    self.phases[reader.last].add(message["phase"])
            case "snapshot":
                if reader.last is not None and message["seq"] < reader.last and (calm or not first):
                    self.wrong("I6", at, f"a snapshot of {message['seq']} follows {reader.last} for {reader.who}")
                reader.last = message["seq"]
                self.keep_snapshot(at, reader.audience, message)

    def keep_event(self, at: int, audience: str, message: Data) -> None:
        """Keep an event that an audience was shown. All of an audience must be shown the same.

        Whether it brings a notice is for the reader of the message alone; an answer does not say it.
        """
        if "brings_notice" in message:
            message = {name: part for name, part in message.items() if name != "brings_notice"}
        seq = message["seq"]
        kept = self.events[seq]
        if audience not in (STAFF, PUBLIC) and kept.get(PUBLIC) == message:
            return
        before = kept.setdefault(audience, message)
        if before is not message and before != message:
            self.wrong("I6", at, f"two viewers were shown different events {seq}: {before} and {message}")

    def keep_snapshot(self, at: int, audience: str, message: Data) -> None:
        """Keep a whole view."""
        parts = {name: part for name, part in message.items() if name not in _NOT_OF_VIEW}
        self.keep_view(at, audience, message["seq"], parts)
        if message.get("me"):
            self.keep_own(message["seq"], message["me"])

    def keep_view(self, at: int, audience: str, seq: int, parts: Data) -> None:
        """Keep parts of a view."""
        kept = self.views[seq].setdefault(audience == STAFF, {})
        for name, part in parts.items():
            before = kept.setdefault(name, part)
            if before is not part and before != part:
                self.wrong("I6", at, f"two viewers were shown different {name} at {seq}: {before} and {part}")

    def keep_own(self, seq: int | None, own: Data) -> None:
        """Keep what someone was shown of their own."""
        if seq is not None:
            kept = self.owned[seq].setdefault(own["id"], [])
            if own not in kept[-1:]:
                kept.append(own)

    # --------------------------------------------------------------------------------------- at the end

    def check_record(self, row: Row, event: Data, state: TableState, names: dict[str, str], past: Held) -> None:
        """Compare what was shown of a record, and of the table after it, with the log."""
        try:
            self._check_record(row, event, state, names, past)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            self.wrong("I6", row.time_ms, f"what was shown of {row.where} cannot be read ({error!r})")

    def _check_record(self, row: Row, event: Data, state: TableState, names: dict[str, str], past: Held) -> None:
        seq = row.seq
        for audience, message in self.events.pop(seq, {}).items():
            if message["at_ms"] != row.time_ms:
                self.wrong("I6", row.time_ms, f"event {seq} was shown at {message['at_ms']}")
            for problem in differences(message["event"], event, audience, names):
                self.wrong("I6", row.time_ms, f"event {seq} ({row.kind}) as {audience or 'staff'} saw it: {problem}")
        for staff, parts in self.views.pop(seq, {}).items():
            for problem in view_problems(parts, state, names, staff=staff):
                self.wrong("I6", row.time_ms, f"the view after {seq} ({row.kind}): {problem}")
        for phase in self.phases.pop(seq, ()):
            if phase != state.phase:
                self.wrong("I6", row.time_ms, f"the clock after {seq} ({row.kind}) shows {phase}, in {state.phase}")
        for who, owns in self.owned.pop(seq, {}).items():
            for own in owns:
                for problem in own_problems(own, state, past):
                    self.wrong("I6", row.time_ms, f"what {who} was shown after {seq} ({row.kind}): {problem}")

    def finish(self, last: int) -> None:
        """Nothing may have been shown that the log does not have."""
        left = {*self.events, *self.views, *self.owned}
        if beyond := sorted([seq for seq in left if seq > last]):
            self.wrong("I3", "the end", f"{beyond[:5]} were shown, and the log ends with {last}")


def differences(shown: Data, true: Data, audience: str, names: dict[str, str]) -> list[str]:
    """How an event as it was shown differs from the log, or tells an audience more than is theirs."""
    if shown.get("kind") != true["kind"]:
        return [f"it is a {shown.get('kind')}"]
    found = []
    staff = audience == STAFF
    hidden = true["kind"] == "card-dealt" and true.get("closed")
    for name, value in shown.items():
        if name in _NEVER_SHOWN:
            found.append(f"{name} is shown")
        elif not staff and name in _FOR_STAFF and value:
            found.append(f"{name} is for staff")
        elif name == "card":
            if value != (None if hidden else true.get("card")):
                found.append("a closed card is told" if hidden else f"its card is {value}")
        elif name == "by":
            found += _by_problems(value, true["by"], audience)
        elif name == "bet":
            found += _bet_problems(value, true["bet"], audience)
        elif name in ("lines", "returned") and isinstance(value, list):
            found += _line_problems(value, true.get(name, []), audience)
        elif name == "patron":
            if value != true["patron"] or (not staff and value != audience):
                found.append(f"it is told that the patron is {value}")
        elif name == "name":
            if "patron" in true and value != names.get(true["patron"], true["patron"]):
                found.append(f"the patron is called {value}")
        elif name == "squeezed_by":
            if value not in (true.get(name), names.get(true.get(name) or "")):
                found.append(f"squeezed by {value}")
        elif name == "events":
            if [each["kind"] for each in value] != [each["kind"] for each in true[name]]:
                found.append("other events wait for a second person")
        elif name not in true:
            if value not in (None, False, 0, "", []):
                found.append(f"{name} is {value}, and the log does not have it")
        elif value != true[name]:
            found.append(f"{name} is {value}, and was {true[name]}")
    return found


def _by_problems(shown: str, true: str, audience: str) -> list[str]:
    actor = Actor(true)
    if shown not in (true, true.partition(":")[0]):
        return [f"by {shown}, and it was {true}"]
    if (
        shown == true
        and audience != STAFF
        and audience != actor.person
        and (actor.role == "patron" or audience == PUBLIC)
    ):
        return [f"it is told who acted: {shown}"]
    return []


def _bet_problems(shown: Data, true: Data, audience: str) -> list[str]:
    told = {name: value for name, value in shown.items() if value not in (None, False)}
    known = {name: value for name, value in true.items() if value not in (None, False)}
    if audience != STAFF and told.get("patron", audience) != audience:
        return [f"the bet of {told['patron']} is told"]
    known = {name: value for name, value in known.items() if name in told or name != "patron"}
    return [] if told == known else [f"the bet is {told}, and was {known}"]


def _line_problems(shown: list[Data], true: list[Data], audience: str) -> list[str]:
    lines = true if audience == STAFF else [line for line in true if line["bet"]["patron"] == audience]
    if len(lines) != len(shown):
        return [f"{len(shown)} lines are shown, and {len(lines)} are theirs"]
    found = []
    for told, line in zip(shown, lines, strict=True):
        found += _bet_problems(told["bet"], line["bet"], audience)
        same = all(told.get(name) == value for name, value in line.items() if name not in ("bet", "line"))
        if not same:
            found.append(f"the line {told} was {line}")
    return found


def view_problems(parts: Data, state: TableState, names: dict[str, str], *, staff: bool) -> list[str]:
    """How parts of a view differ from what follows from the events before it."""
    found = []
    for name, part in parts.items():
        if name in _PARTS_FOR_STAFF and not staff and part is not None:
            found.append(f"{name} is for staff")
        elif (check := _CHECKS.get(name)) is not None:
            if problem := check(part, state, names):
                found.append(f"{name}: {problem}")
        elif name not in _UNCHECKED:
            found.append(f"nobody knows its part {name}")
    return found


def _compare(part: Any, wanted: Any) -> str:
    return "" if part == wanted else f"{part} is shown, and it is {wanted}"


def _cards(part: Any, state: TableState, names: dict[str, str]) -> str:
    cards = state.visible
    squeezers = state.round.squeezers if state.round else {}
    wanted = [(card, TableState.hand_at(cards, place)) for place, card in enumerate(cards)]
    if more := {name for each in part for name in each} - _OF_CARDS:
        return f"{sorted(more)} of cards are told"
    if problem := _compare([(each["card"], each["hand"]) for each in part], wanted):
        return problem
    shown = {place: each.get("squeezed_by") for place, each in enumerate(part, 1) if each.get("squeezed_by")}
    placed = {place: names.get(who, who) for place, who in squeezers.items() if place <= len(cards)}
    return _compare(shown, placed)


def _shoe(part: Any, state: TableState, _: dict[str, str]) -> str:
    if part is None:
        return "" if state.shoe is None else "no shoe is shown"
    if more := part.keys() - _OF_SHOE:
        return f"{sorted(more)} are told"
    return _compare(part["number"], state.shoe)


def _incident(part: Any, state: TableState, _: dict[str, str]) -> str:
    """What a proposal would change must tell no closed card."""
    effect, round_ = (part or {}).get("effect"), state.round
    if not effect or round_ is None or part["round"] != round_.number or round_.all_open:
        return ""
    closed = [card for card in effect["cards_before"].split() if card not in round_.cards]
    return f"{closed} are told" if closed else ""


def _totals(state: TableState, box: int | None = None) -> dict[str, int]:
    totals: dict[str, int] = {}
    for spot, stake in (state.round.stakes if state.round else {}).items():
        if box in (None, spot[0]):
            totals[spot[2]] = totals.get(spot[2], 0) + stake
    return totals


def _boxes(part: Any, state: TableState, names: dict[str, str]) -> str:
    count = state.settings.boxes if state.settings else 0
    if len(part) != count:
        return f"{len(part)} boxes are shown of {count}"
    for each in part:
        box = each["box"]
        sits = state.seats.get(box)
        standing = len([1 for at, _ in state.standing if at == box])
        wanted = names.get(sits, sits) if sits else None, standing, _totals(state, box)
        if problem := _compare((each["seated"], each["standing"], each["totals_cents"]), wanted):
            return f"box {box}: {problem}"
    return ""


def _result(part: Any, state: TableState, _: dict[str, str]) -> str:
    if part is None:
        return ""
    number, round_ = part["round"], state.round
    if round_ is not None and round_.number == number:
        if not round_.all_open or len(round_.cards) < 4 or next_hand(round_.open_cards) is not None:
            return f"a result is shown while cards are to come: {part}"
        cards = round_.open_cards
    else:
        cards = dict(state.recent).get(number, [])
    if not cards:
        return f"round {number} has no result, and {part} is shown"
    return _compare((part["winner"], part["player_points"], part["banker_points"]), outcome_of(cards)[:3])


def _next(part: Any, state: TableState, _: dict[str, str]) -> str:
    hand, round_ = part["hand"], state.round
    if hand is None:
        return ""
    if round_ is None:
        return f"the next card goes to {hand}, and no round is in progress"
    if part.get("reason") is not None and not round_.all_open:
        return "it is told why, while a card is closed"
    return _compare(hand, TableState.hand_at([*round_.cards, None], len(round_.cards)))


def _offers(part: Any, state: TableState, _: dict[str, str]) -> str:
    in_window = state.round is not None and state.phase in ("first-window", "second-window")
    wanted = offers(state.round.open_cards) if in_window and state.round else {}
    shown = {each["hand"]: odds_of(each["odds"]) for each in part}
    return _compare(shown, {hand: odds for hand, (_, odds) in wanted.items()})


def _roads(part: Any, state: TableState, _: dict[str, str]) -> str:
    results = state.results
    if state.settings is not None and state.settings.shuffler:
        results = results[len(results) - part["rounds"] :]  # a page of the roads, which goes on over many sets
    outcomes = [outcome_of(cards) for _, cards in results]
    counts = {winner: len([1 for each in outcomes if each.winner == winner]) for winner in ("player", "banker", "tie")}
    return _compare((part["rounds"], part["results"]), (len(outcomes), counts))


def _bets(part: Any, state: TableState, _: dict[str, str]) -> str:
    stakes = state.round.stakes if state.round else {}
    return _compare({spot_of(bet): bet["stake_cents"] for bet in part}, stakes)


_CHECKS: dict[str, Callable[[Any, TableState, dict[str, str]], str]] = {
    "shoe": _shoe,
    "incident": _incident,
    "phase": lambda part, state, _: _compare(part, state.phase),
    "play_suspended": lambda part, state, _: _compare(part, state.suspended),
    "round": lambda part, state, _: _compare(part, state.rounds),
    "cards": _cards,
    "points": lambda part, state, _: _compare(part, state.points),
    "next": _next,
    "offers": _offers,
    "boxes": _boxes,
    "totals_cents": lambda part, state, _: _compare(part, _totals(state)),
    "total_cents": lambda part, state, _: _compare(part, sum(_totals(state).values())),
    "result": _result,
    "last": lambda part, state, _: _compare(part, state.last_results),
    "roads": _roads,
    "bets": _bets,
    "carried": lambda part, state, _: _compare(part.split(), state.carried),
}


def own_problems(own: Data, state: TableState, past: Held) -> list[str]:
    """How what someone was shown of their own differs from what follows from the events before it."""
    who, found = own["id"], []
    if more := own.keys() - _OF_OWN:
        found.append(f"nobody knows {sorted(more)}")
    stakes = state.round.stakes if state.round else {}
    mine = {spot: stake for spot, stake in stakes.items() if spot[1] == who}
    shown = {spot_of(bet): bet["stake_cents"] for bet in own["bets"]}
    if shown != mine or own["in_play_cents"] != sum(mine.values()):
        found.append(f"bets {shown}, and they are {mine}")
    if own["lines"] and own["lines_round"] != state.last_number:
        found.append(f"lines of round {own['lines_round']}, and round {state.last_number} ended last")
    lines = [net for spot, net in state.last_nets.items() if spot[1] == who]
    net = sum(lines)
    if own["lines_round"] == state.last_number and (len(own["lines"]), own["net_cents"]) != (len(lines), net):
        found.append(f"a net of {own['net_cents']}, and it is {net}")
    return found + balance_problems(own, past)


def balance_problems(own: Data, past: Held) -> list[str]:
    """Whether someone was shown a balance or a debt that they never had."""
    who, found = own["id"], []
    if own["balance_cents"] is not None and own["balance_cents"] not in past.get(f"patron:{who}", (0,)):
        found.append(f"a balance of {own['balance_cents']}, which {who} never had")
    if own["owed_cents"] is not None and -own["owed_cents"] not in past.get(f"owed:{who}", (0,)):
        found.append(f"a debt of {own['owed_cents']}, which {who} never had")
    return found
