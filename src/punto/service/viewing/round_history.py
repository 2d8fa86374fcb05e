"""The record of play: rounds that are over, read from the store, as each viewer may see them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Mapping, Sequence
from typing import Any

from punto.rules.bets import Result
from punto.rules.cards import parse_cards, write_cards
from punto.rules.notation import write_line
from punto.rules.plain import plain
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Sheet
from punto.rules.tableau import deal
from punto.service.money.statement import movements
from punto.service.people.person import Person
from punto.service.shoes.encryption import read_record
from punto.service.shoes.shoe_history import Span
from punto.service.streams import PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable
from punto.service.tables.recorded_event import RecordedEvent
from punto.service.viewing.event_views import involved, looking_back
from punto.service.viewing.table_views import Names, laid_out
from punto.store.interface import Store
from punto.table import events as e
from punto.table.commands import kind_of

MOST_ROUNDS = 50
"""The most rounds that anyone but staff gets at once: each has as many records as there were bets."""
MOST_ROUNDS_FOR_STAFF = 500
_SHOWN = frozenset(
    map(kind_of, (e.BetsOpened, e.BetsClosed, e.RoundSettled, e.RoundVoided, e.BetsReturned, e.RoundAdjusted))
)
"""What a round in the record of play is made of, but for who did what."""


async def rounds(
    store: Store, table: FollowedTable, person: Person | None, names: Names, before: int | None, limit: int
) -> list[dict[str, Any]]:
    """Rounds that are over, newest first; staff get more of them at once than others."""
    staff = person is not None and person.is_staff
    last = table.state.rounds if before is None else min(before - 1, table.state.rounds)
    spans: dict[int, Span] = {}
    for number in range(last, 0, -1):
        if (span := table.places.round(number)) is not None and span.last is not None:
            spans[number] = span
        if len(spans) >= min(limit, MOST_ROUNDS_FOR_STAFF if staff else MOST_ROUNDS):
            break
    found = [
        _shown_round(table, number, recorded, person, names)
        async for number, recorded in _of_rounds(store, table.id, spans, None if staff else _SHOWN)
    ]
    return found[::-1]


async def one_round(
    store: Store, table: FollowedTable, person: Person | None, names: Names, number: int
) -> dict[str, Any] | None:
    """One round whole, marked as a replay: its events as this viewer may see them, and the funds of each patron."""
    span = table.places.round(number)
    if span is None or span.last is None:
        return None
    [(_, recorded)] = [each async for each in _of_rounds(store, table.id, {number: span})]
    shown = _shown_round(table, number, recorded, person, names)
    shown["replay"] = True
    shown["events"] = [dict(views.for_(person)) for views in looking_back(recorded, names)]
    patrons = sorted(frozenset[str]().union(*[_wagered(each.event) for each in recorded]))
    if person is None or not person.is_staff:
        patrons = [patron for patron in patrons if person is not None and patron == person.id]
    shown["funds"] = [await _funds(store, table.id, patron, span.first, span.last) for patron in patrons]
    return shown


async def _of_rounds(
    store: Store, table: str, spans: Mapping[int, Span], kinds: Container[str] | None = None
) -> AsyncIterator[tuple[int, list[RecordedEvent]]]:
    """Rounds that are over with their events (of these kinds), oldest first, read in one go from first to last."""
    waiting = sorted(spans.items())
    recorded: list[RecordedEvent] = []
    after = waiting[0][1].first - 1 if waiting else 0
    last = max([span.last or 0 for span in spans.values()], default=0)
    while waiting:
        for record in await store.read(table_stream(table), after, min(PAGE, last - after)):
            after = record.seq
            number, span = waiting[0]
            if span.first <= after and (kinds is None or record.kind in kinds):
                recorded.append(read_record(record))
            if after == span.last:
                yield number, recorded
                waiting, recorded = waiting[1:], []
                if not waiting:
                    break


def _wagered(event: e.Event) -> frozenset[str]:
    if isinstance(event, e.BetPlaced | e.BetRaised | e.RoundSettled | e.RoundVoided | e.BetsReturned | e.RoundAdjusted):
        return involved(event)
    return frozenset()


def _shown_round(
    table: FollowedTable, number: int, recorded: Sequence[RecordedEvent], person: Person | None, names: Names
) -> dict[str, Any]:
    """A round in the record of play: time, outcome, wagers, wins, commission, decisions, who did what and why."""
    own = None if person is not None and person.is_staff else person.id if person is not None else ""
    shown: dict[str, Any] = {"table": table.id, "round": number, "shoe": None, "replay": False, "void": False}
    lines: list[dict[str, Any]] = []
    staff = own is None
    acts: list[dict[str, Any]] = []

    def add(paid: Sequence[Line | e.Returned | e.Adjustment], **more: Any) -> None:
        seen = [line for line in paid if staff or line.bet.patron == own]
        lines.extend([_line(table.sheet, line.bet, plain(line) | more, names) for line in seen])

    for each in recorded:
        event = each.event
        match event:
            case e.BetsOpened():
                shown |= {"opened_at": each.at, "shoe": event.shoe}
            case e.BetsClosed():
                shown["closed_at"] = each.at
            case e.RoundSettled():
                shown |= _outcome(table, event.cards) | {"settled_at": each.at}
                if staff:
                    shown["house_cents"] = event.house_cents
                add(event.lines)
                add(event.returned)
            case e.RoundVoided():
                shown |= {"void": True, "cards": write_cards(event.cards), "settled_at": each.at}
                shown |= {"rule": event.rule, "reason": event.reason}
                add(event.lines)
            case e.BetsReturned():
                add(event.lines)
            case e.RoundAdjusted():
                shown |= {"void": event.void or shown["void"], "adjusted": True, "rule": event.rule}
                add(event.lines, adjusts=True)
        if staff:
            acts.append({"seq": each.seq, "at": each.at, "by": event.by.text, "did": kind_of(type(event))})
    shown["laid_out"] = laid_out(parse_cards(shown.get("cards", "")))
    shown["lines"] = lines
    if staff:
        shown["acts"] = acts
    return shown


def _outcome(table: FollowedTable, cards: Sequence[Any]) -> dict[str, Any]:
    round_ = deal(tuple(cards), table.state.settings.decks if table.state.settings else table.sheet.decks.maximum)
    if isinstance(round_, Refusal):
        return {"cards": write_cards(cards), "line": None, "winner": None}
    outcome = round_.outcome
    return {
        "cards": write_cards(cards),
        "line": write_line(round_),
        "winner": outcome.winner.value,
        "player_points": outcome.player_points,
        "banker_points": outcome.banker_points,
    }


def _line(sheet: Sheet, bet: Bet, line: dict[str, Any], names: Names) -> dict[str, Any]:
    """A line with its commission: what even money would have paid beyond what was paid."""
    commission = 0
    if line.get("result") == Result.WIN and _takes_commission(sheet, bet.on):
        commission = line["in_play_cents"] - line["net_cents"]
    return {"patron": bet.patron, "name": names(bet.patron), "commission_cents": commission} | line


def _takes_commission(sheet: Sheet, on: str) -> bool:
    """Whether a bet on a hand never pays even money: a sheet that only halves some wins takes no commission."""
    terms = sheet.bets.get(on)
    return terms is not None and terms.hand is not None and all(pay.odds.win < pay.odds.stake for pay in terms.pays)


async def _funds(store: Store, table: str, patron: str, first: int, last: int) -> dict[str, Any]:
    """A patron's credit before the first and after the last posting of a round."""
    before, after = 0, None
    async for page in movements(store, patron):
        for line in page:
            if line["table"] == table and line["seq"] < first:
                return {"patron": patron, "before": before, "after": after}
            if line["table"] == table and line["seq"] <= last:
                before, after = line["before"], line["after"] if after is None else after
    return {"patron": patron, "before": before, "after": after}
