"""Looking back: the record of play, a patron's statement and the shoes as they are published. All from the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from punto.ledger.accounts import patron_account
from punto.rules.bets import Result
from punto.rules.cards import parse_cards, write_cards
from punto.rules.notation import write_line
from punto.rules.plain import plain
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Sheet
from punto.rules.tableau import deal
from punto.service.people.person import Person
from punto.service.shoes.encryption import Seals, read_record
from punto.service.shoes.shoe_history import PlayedShoe, Span
from punto.service.shoes.shoe_proof import PlayedRound, PutAside
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.table_host import stream_of
from punto.service.viewing.event_views import involved, looking_back
from punto.service.viewing.table_views import Names, hidden, laid_out
from punto.store.interface import Store
from punto.store.records import StatementLine
from punto.table import events as e
from punto.table.commands import kind_of

PAGE = 500
MOST = 500
"""The most that one look back gives at once."""
MOST_ROUNDS = 50
"""The most rounds that it gives to anyone but staff: each has as many records as there were bets."""
_TOLD = frozenset(
    map(kind_of, (e.BetsOpened, e.BetsClosed, e.RoundSettled, e.RoundVoided, e.BetsReturned, e.RoundAdjusted))
)
"""What a round in the record of play is made of, but for who did what."""
_OF_A_SHOE = frozenset(
    map(
        kind_of,
        (e.ShoeLoaded, e.BetsOpened, e.CardDealt, e.CardsRelaid, e.RoundSettled, e.RoundVoided, e.RoundAdjusted),
    )
)
"""What came out of a shoe, and where it ends."""


async def statement(store: Store, patron: str, before: str | None, limit: int) -> list[dict[str, Any]]:
    """A patron's movements before a place, newest first, each with the credit before and after it."""
    found: list[dict[str, Any]] = []
    last = _place(before) if before else None
    # From the newest on even for older ones: what the credit was then follows from what it is now.
    async for page in movements(store, patron):
        found += [line for line in page if last is None or _place(line["place"]) < last]
        if len(found) >= min(limit, MOST):
            break
    return found[: min(limit, MOST)]


async def movements(store: Store, patron: str) -> AsyncIterator[list[dict[str, Any]]]:
    """All of a patron's movements, newest first, a page at a time."""
    account = patron_account(patron)
    newest = await store.statement(account, limit=1)
    while True:
        # Where nothing was posted while the balance was read, it is what the newest line left. The balance itself would
        # not tell: what went out may have come in again.
        after = (await store.balances([account]))[account]
        lines = await store.statement(account, limit=PAGE)
        if lines[:1] == newest:
            break
        newest = lines[:1]
    while lines:
        page = []
        for line in lines:
            page.append(_movement(line, after))
            after -= line.cents
        yield page
        lines = await store.statement(account, (lines[-1].record, lines[-1].line), PAGE)


def _place(text: str) -> tuple[int, int]:
    record, _, line = text.partition("-")
    return int(record), int(line)


def _movement(line: StatementLine, after: int) -> dict[str, Any]:
    parts = line.reference.split("/")
    table = line.stream.removeprefix("table:") if line.stream.startswith("table:") else None
    return {
        "place": f"{line.record}-{line.line}",
        "at": line.time_ms,
        "table": table,
        "round": int(parts[1]) if table and len(parts) > 2 and parts[1].isdigit() else None,
        "seq": line.seq,
        "reason": line.reason,
        "bet": line.reference,
        "cents": line.cents,
        "before": after - line.cents,
        "after": after,
    }


# ------------------------------------------------------------------------------------------- rounds


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
        if len(spans) >= min(limit, MOST if staff else MOST_ROUNDS):
            break
    found = [
        _told(table, number, recorded, person, names)
        async for number, recorded in _of_rounds(store, table.id, spans, None if staff else _TOLD)
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
    told = _told(table, number, recorded, person, names)
    told["replay"] = True
    told["events"] = [dict(form.for_(person)) for form in looking_back(recorded, names)]
    patrons = sorted(frozenset[str]().union(*[_wagered(each.event) for each in recorded]))
    if person is None or not person.is_staff:
        patrons = [patron for patron in patrons if person is not None and patron == person.id]
    told["funds"] = [await _funds(store, table.id, patron, span.first, span.last) for patron in patrons]
    return told


async def _of_rounds(
    store: Store, table: str, spans: Mapping[int, Span], kinds: Container[str] | None = None
) -> AsyncIterator[tuple[int, list[RecordedEvent]]]:
    """Rounds that are over with their events (of these kinds), oldest first, read in one go from first to last."""
    waiting = sorted(spans.items())
    recorded: list[RecordedEvent] = []
    after = waiting[0][1].first - 1 if waiting else 0
    while waiting:
        for record in await store.read(stream_of(table), after, PAGE):
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


def _told(
    table: FollowedTable, number: int, recorded: Sequence[RecordedEvent], person: Person | None, names: Names
) -> dict[str, Any]:
    """A round in the record of play: time, outcome, wagers, wins, commission, decisions, who did what and why."""
    own = None if person is not None and person.is_staff else person.id if person is not None else ""
    told: dict[str, Any] = {"table": table.id, "round": number, "shoe": None, "replay": False, "void": False}
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
                told |= {"opened_at": each.at, "shoe": event.shoe}
            case e.BetsClosed():
                told["closed_at"] = each.at
            case e.RoundSettled():
                told |= _outcome(table, event.cards) | {"settled_at": each.at}
                if staff:
                    told["house_cents"] = event.house_cents
                add(event.lines)
                add(event.returned)
            case e.RoundVoided():
                told |= {"void": True, "cards": write_cards(event.cards), "settled_at": each.at}
                told |= {"rule": event.rule, "reason": event.reason}
                add(event.lines)
            case e.BetsReturned():
                add(event.lines)
            case e.RoundAdjusted():
                told |= {"void": event.void or told["void"], "adjusted": True, "rule": event.rule}
                add(event.lines, adjusts=True)
        if staff:
            acts.append({"seq": each.seq, "at": each.at, "by": event.by.text, "did": kind_of(type(event))})
    told["laid_out"] = laid_out(parse_cards(told.get("cards", "")))
    told["lines"] = lines
    if staff:
        told["acts"] = acts
    return told


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


# ------------------------------------------------------------------------------------------- shoes


async def played_shoe(store: Store, seals: Seals, table: FollowedTable, number: int) -> PlayedShoe | None:
    """A shoe of a table: at hand, or folded from the log. None where there was none."""
    if (at_hand := table.shoes.get(number)) is not None:
        return at_hand
    place = table.places.shoe(number)
    if place is None:
        return None
    (after, decks), shoe, in_play = (place[0] - 1, place[1]), None, True
    while records := await store.read(stream_of(table.id), after, PAGE):
        for event in [seals.read(record).event for record in records if record.kind in _OF_A_SHOE]:
            if isinstance(event, e.ShoeLoaded) and shoe is None:
                shoe = PlayedShoe(number, decks, event)
            elif isinstance(event, e.ShoeLoaded):
                in_play = False
            elif shoe is not None and (in_play or isinstance(event, e.RoundAdjusted)):
                shoe.take(event)
            elif isinstance(event, e.BetsOpened):
                return shoe  # from here on not even its last round can be corrected
        after = records[-1].seq
    return shoe


def published(table: FollowedTable, shoe: PlayedShoe, *, staff: bool = False) -> dict[str, Any]:
    """A shoe as anyone may see it: its promise, and once it is over what was promised and what came out.

    What has come out of a shoe in play is for staff alone, but for cards that still lie face down: those are nobody's.
    """
    loaded, over = shoe.loaded, table.is_over(shoe.number)
    opened = over and loaded.salt is not None
    told, shown = over or staff, _shown(table, shoe)
    return {
        "table": table.id,
        "shoe": shoe.number,
        "decks": shoe.decks,
        "count": loaded.count,
        "cut": loaded.cut,
        "commitment": loaded.commitment,
        "over": over,
        "salt": loaded.salt if opened else None,
        "order": write_cards(loaded.cards) if opened else None,
        "dealt": write_cards(shoe.dealt[:shown]) if told else None,
        "rounds": _rounds(shoe) if told else None,
        "burned": _aside(shoe, shoe.burned, shown) if told else None,
        "carried": _aside(shoe, shoe.carried, shown) if told else None,
    }


def _aside(shoe: PlayedShoe, places: dict[int, e.CardsRelaid], shown: int) -> list[dict[str, Any]]:
    return [
        asdict(PutAside(place + 1, shoe.dealt[place].text, why.round, why.rule, why.reason))
        for place, why in sorted(places.items())
        if place < shown
    ]


def _shown(table: FollowedTable, shoe: PlayedShoe) -> int:
    """How many of the cards that came out of a shoe may be seen: those before the first that lies face down."""
    state = table.state
    if state.round is None or not hidden(state) or state.shoe is None or state.shoe.number != shoe.number:
        return len(shoe.dealt)
    in_play = [place for place in range(len(shoe.dealt)) if place not in shoe.burned]
    lie = len(in_play) - len(state.shoe.carried)
    return next(iter(in_play[lie - len(state.round.cards) : lie]), len(shoe.dealt))


def _rounds(shoe: PlayedShoe) -> list[dict[str, Any]]:
    return [asdict(PlayedRound(number, write_cards(cards), void)) for number, cards, void in shoe.rounds]
