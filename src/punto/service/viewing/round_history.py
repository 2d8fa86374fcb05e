"""The record of play: rounds that are over, read from the store, as each viewer may see them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from punto.protocol import views as v
from punto.protocol.shown import BetLine, show_line
from punto.rules.bets import Result
from punto.rules.cards import Card, write_cards
from punto.rules.notation import write_line
from punto.rules.refusals import Refusal
from punto.rules.settlement import Line
from punto.rules.sheet import Sheet
from punto.rules.tableau import deal
from punto.service.money.statement import movements
from punto.service.people.person import Person
from punto.service.shoes.encryption import read_record
from punto.service.streams import PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.event_views import looking_back
from punto.service.viewing.table_views import Names, laid_out
from punto.store.interface import Store
from punto.table import events as e
from punto.table.commands import kind_of
from punto.table.concerned import MONEY_LINES, involved
from punto.table.history import Span

MOST_ROUNDS = 50
"""The most rounds that anyone but staff gets at once: each has as many records as there were bets."""
MOST_ROUNDS_FOR_STAFF = 500
_SHOWN = frozenset(
    map(kind_of, (e.BetsOpened, e.BetsClosed, e.RoundSettled, e.RoundVoided, e.BetsReturned, e.RoundAdjusted))
)
"""What a round in the record of play is made of, but for who did what."""


async def rounds(
    store: Store, table: FollowedTable, person: Person | None, names: Names, before: int | None, limit: int
) -> list[v.RoundRecord]:
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
) -> v.RoundRecord | None:
    """One round whole, marked as a replay: its events as this viewer may see them, and the funds of each patron."""
    span = table.places.round(number)
    if span is None or span.last is None:
        return None
    [(_, recorded)] = [each async for each in _of_rounds(store, table.id, {number: span})]
    shown = _shown_round(table, number, recorded, person, names)
    patrons = sorted(frozenset[str]().union(*[_wagered(each.event) for each in recorded]))
    if person is None or not person.is_staff:
        patrons = [patron for patron in patrons if person is not None and patron == person.id]
    return replace(
        shown,
        replay=True,
        events=tuple([views.recorded_for(person) for views in looking_back(recorded, names)]),
        funds=tuple([await _funds(store, table.id, patron, span.first, span.last) for patron in patrons]),
    )


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
) -> v.RoundRecord:
    """A round in the record of play: time, outcome, wagers, wins, commission, decisions, who did what and why."""
    staff = person is not None and person.is_staff
    own = person.id if person is not None else None
    shown = v.RoundRecord(table=table.id, round=number, shoe=None, replay=False, void=False, laid_out=(), lines=())
    lines: list[BetLine] = []
    for each in recorded:
        event = each.event
        match event:
            case e.BetsOpened():
                shown = replace(shown, opened_at_ms=each.at, shoe=event.shoe)
            case e.BetsClosed():
                shown = replace(shown, closed_at_ms=each.at)
            case e.RoundSettled():
                house = event.house_cents if staff else UNSET
                shown = _with_outcome(replace(shown, settled_at_ms=each.at, house_cents=house), table, event.cards)
            case e.RoundVoided():
                void = replace(shown, void=True, settled_at_ms=each.at, rule=event.rule, reason=event.reason)
                shown = replace(void, cards=write_cards(event.cards), laid_out=laid_out(event.cards))
            case e.RoundAdjusted():
                shown = replace(shown, void=event.void or shown.void, adjusted=True, rule=event.rule)
        if isinstance(event, MONEY_LINES):
            paid = (*event.lines, *(event.returned if isinstance(event, e.RoundSettled) else ()))
            lines += [_line(table.sheet, line, names) for line in paid if staff or line.bet.patron == own]
    acts = [v.Act(each.seq, each.at, each.event.by.text, kind_of(type(each.event))) for each in recorded]
    return replace(shown, lines=tuple(lines), acts=tuple(acts) if staff else UNSET)


def _with_outcome(shown: v.RoundRecord, table: FollowedTable, cards: tuple[Card, ...]) -> v.RoundRecord:
    shown = replace(shown, cards=write_cards(cards), laid_out=laid_out(cards))
    round_ = deal(cards, table.state.settings.decks if table.state.settings else table.sheet.decks.maximum)
    if isinstance(round_, Refusal):
        return replace(shown, line=None, winner=None)
    outcome = round_.outcome
    points = {"player_points": outcome.player_points, "banker_points": outcome.banker_points}
    return replace(shown, line=write_line(round_), winner=outcome.winner, **points)


def _line(sheet: Sheet, line: Line | e.Returned | e.Adjustment, names: Names) -> BetLine:
    """A line with its commission: what even money would have paid beyond what was paid."""
    commission = 0
    if isinstance(line, Line) and line.result is Result.WIN and _takes_commission(sheet, line.bet.on):
        commission = line.in_play_cents - line.net_cents
    return replace(show_line(line), name=names(line.bet.patron), commission_cents=commission)


def _takes_commission(sheet: Sheet, on: str) -> bool:
    """Whether a bet on a hand never pays even money: a sheet that only halves some wins takes no commission."""
    terms = sheet.bets.get(on)
    return terms is not None and terms.hand is not None and all(pay.odds.win < pay.odds.stake for pay in terms.pays)


async def _funds(store: Store, table: str, patron: str, first: int, last: int) -> v.Funds:
    """A patron's credit before the first and after the last posting of a round."""
    before, after = 0, None
    async for page in movements(store, patron):
        for line in page:
            if line.table == table and line.seq < first:
                return v.Funds(patron, before, after)
            if line.table == table and line.seq <= last:
                before, after = line.before_cents, line.after_cents if after is None else after
    return v.Funds(patron, before, after)
