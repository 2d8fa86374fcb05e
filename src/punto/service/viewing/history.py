"""Looking back: rounds that are over and shoes of a table, read from the log, as each viewer may see them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Container, Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from punto.ledger.accounts import patron_account
from punto.protocol import views as v
from punto.protocol.refusals import RoundUnknown, ShoeUnknown
from punto.protocol.shown import BetLine, show_claim, show_line
from punto.rules.bets import Result
from punto.rules.cards import Card, write_cards
from punto.rules.cash import is_cash
from punto.rules.notation import write_line
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Sheet
from punto.rules.tableau import deal
from punto.service.people.person import Names, Person, is_staff
from punto.service.shoes.encryption import ShoeCipher, read_record
from punto.service.streams import PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.registry import TableRegistry
from punto.service.viewing.event_views import EventViews
from punto.service.viewing.table_views import laid_out
from punto.store.interface import Store
from punto.table import acts
from punto.table.act import kind_of
from punto.table.history import Fate, PlayedShoe, RoundPlace
from punto.table.rulings.neglected import claims_of
from punto.table.shoe_proof import PlayedRound, PutAside
from punto.table.values import Adjustment, Paid, Returned

MOST_ROUNDS = 50
"""The most rounds that anyone but staff gets at once: each has as many records as there were bets."""
MOST_ROUNDS_FOR_STAFF = 500
_SHOWN = frozenset({acts.BetsOpened.kind, acts.BetsClosed.kind, acts.AmountDecided.kind}).union(
    [kind for kind, each in acts.EVENTS.items() if each.has_lines]
)
"""The events of a round in the record of play, but for who did what."""
_OF_A_SHOE = frozenset(
    [
        *map(kind_of, (acts.ShoeLoaded, acts.CardsBurned, acts.BetsOpened, acts.CardDealt, acts.CardOpened)),
        *map(kind_of, (acts.CardsReordered, acts.RoundSettled, acts.RoundVoided, acts.RoundAdjusted)),
    ]
)
"""The events that bring cards out of a shoe, and those that end it."""


class History:
    """The past of each table, from the log.

    Patrons and the public look back one at a time: many who ask at once wait for each other, not the tables.
    """

    def __init__(self, store: Store, cipher: ShoeCipher, names: Names, tables: TableRegistry) -> None:
        self._store, self._cipher, self._names, self._tables = store, cipher, names, tables
        self._one_at_a_time = asyncio.Lock()

    async def rounds(
        self, table: str, person: Person | None, before: int | None = None, limit: int = 20
    ) -> list[v.RoundRecord]:
        """The record of play: rounds that are over, newest first; staff get more of them at once than others."""
        followed, staff = self._tables.followed(table), is_staff(person)
        last = followed.state.rounds if before is None else min(before - 1, followed.state.rounds)
        spans: dict[int, RoundPlace] = {}
        for number in range(last, 0, -1):
            if (span := followed.places.round(number)) is not None and span.last is not None:
                spans[number] = span
            if len(spans) >= min(limit, MOST_ROUNDS_FOR_STAFF if staff else MOST_ROUNDS):
                break
        async with self._turn(person):
            found = [
                _shown_round(followed, number, [*recorded, *await self._later(followed, number)], person, self._names)
                async for number, recorded in self._of_rounds(table, spans, None if staff else _SHOWN)
            ]
        return found[::-1]

    async def round(self, table: str, person: Person | None, number: int) -> v.RoundRecord | Refusal:
        """One round whole, marked as a replay: its events as this viewer may see them, and the funds of each patron."""
        followed = self._tables.followed(table)
        span = followed.places.round(number)
        if span is None or span.last is None:
            return RoundUnknown(number)
        async with self._turn(person):
            [(_, in_round)] = [each async for each in self._of_rounds(table, {number: span})]
            recorded = in_round + await self._later(followed, number)
            patrons = sorted(frozenset[str]().union(*[_wagered(each.event) for each in recorded]))
            if not is_staff(person):
                patrons = [patron for patron in patrons if person is not None and patron == person.id]
            at_table = person is not None and (person.is_staff or person.id in followed.state.places)
            names = self._names if at_table else lambda _: ""  # nobody's name is for those who are not there
            shown = _shown_round(followed, number, recorded, person, self._names)
            return replace(
                shown,
                replay=True,
                payments=_payments(shown.lines) if is_staff(person) else UNSET,
                events=tuple([EventViews(each, names).recorded_for(person) for each in recorded]),
                funds=tuple([_funds(in_round, patron) for patron in patrons]),
            )

    async def shoe(self, table: str, number: int, person: Person | None = None) -> v.PublishedShoe | Refusal:
        """A shoe as it is published; its order and salt only once it is over, and so what came out, but to staff."""
        followed = self._tables.followed(table)
        async with self._turn(person):
            played = followed.shoes.get(number) or await self._older_shoe(followed, number)
        return ShoeUnknown(number) if played is None else published(followed, played, staff=is_staff(person))

    def _turn(self, person: Person | None) -> contextlib.AbstractAsyncContextManager[Any]:
        return contextlib.nullcontext() if is_staff(person) else self._one_at_a_time

    async def _of_rounds(
        self, table: str, spans: Mapping[int, RoundPlace], kinds: Container[str] | None = None
    ) -> AsyncIterator[tuple[int, list[RecordedEvent]]]:
        """Rounds that are over with their events (of these kinds), oldest first, read in one go from first to last."""
        waiting = sorted(spans.items())
        recorded: list[RecordedEvent] = []
        after = waiting[0][1].first - 1 if waiting else 0
        last = max([span.last or 0 for span in spans.values()], default=0)
        while waiting:
            for record in await self._store.read(table_stream(table), after, min(PAGE, last - after)):
                after = record.seq
                number, span = waiting[0]
                if span.first <= after and (kinds is None or record.kind in kinds):
                    recorded.append(read_record(record))
                if after == span.last:
                    yield number, recorded
                    waiting, recorded = waiting[1:], []
                    if not waiting:
                        break

    async def _later(self, table: FollowedTable, number: int) -> list[RecordedEvent]:
        """The corrections and decisions about a round after it had ended."""
        span, found = table.places.round(number), list[RecordedEvent]()
        for seq in table.places.later(number):
            if span is not None and seq > (span.last or 0):
                found += [read_record(each) for each in await self._store.read(table_stream(table.id), seq - 1, 1)]
        return found

    async def _older_shoe(self, table: FollowedTable, number: int) -> PlayedShoe | None:
        """A shoe that is not at hand, folded from the log with its later corrections. None where there was none."""
        shoe = await self._folded_shoe(table, number)
        for played in list(shoe.ended) if shoe else ():
            for each in await self._later(table, played):
                if shoe and isinstance(each.event, acts.RoundAdjusted):
                    shoe.correct(each.event)
        return shoe

    async def _folded_shoe(self, table: FollowedTable, number: int) -> PlayedShoe | None:
        place = table.places.shoe(number)
        if place is None:
            return None
        (after, decks), shoe, in_play = (place[0] - 1, place[1]), None, True
        while records := await self._store.read(table_stream(table.id), after, PAGE):
            for event in [self._cipher.read(record).event for record in records if record.kind in _OF_A_SHOE]:
                if isinstance(event, acts.ShoeLoaded) and shoe is None:
                    shoe = PlayedShoe(number, decks, event)
                elif isinstance(event, acts.ShoeLoaded):
                    in_play = False
                elif shoe is not None and (in_play or isinstance(event, acts.RoundAdjusted)):
                    shoe.take(event)
                elif isinstance(event, acts.BetsOpened):
                    return shoe
            after = records[-1].seq
        return shoe


# ------------------------------------------------------------------------------------------- rounds


def _wagered(event: acts.Event) -> frozenset[str]:
    return frozenset([each.patron for each in event.money() if each.patron is not None and not is_cash(each.patron)])


def _funds(recorded: Sequence[RecordedEvent], patron: str) -> v.Funds:
    """A patron's credit before the first and after the last posting of a round, as the records of the round have it."""
    account = patron_account(patron)
    lines = [row for each in recorded if each.record for row in each.record.postings if row[5] == account]
    return v.Funds(patron, lines[0][7] - lines[0][6], lines[-1][7]) if lines else v.Funds(patron, 0, None)


def _shown_round(
    table: FollowedTable, number: int, recorded: Sequence[RecordedEvent], person: Person | None, names: Names
) -> v.RoundRecord:
    """A round in the record of play: time, outcome, wagers, wins, commission, decisions, who did what and why."""
    staff, own = is_staff(person), person.id if person is not None else None
    shown = v.RoundRecord(table=table.id, round=number, shoe=None, replay=False, void=False, laid_out=(), lines=())
    lines: list[BetLine] = []
    bets: list[Bet] = []
    amounts: list[v.DecidedAmount] = []
    decided_cents = 0  # what the House won by bets that were paid by decision before the round was settled
    for each in recorded:
        event = each.event
        match event:
            case acts.BetsOpened():
                shown = replace(shown, opened_at_ms=each.at, shoe=event.shoe)
            case acts.BetsClosed():
                shown = replace(shown, closed_at_ms=each.at)
            case acts.RoundSettled():
                house = event.house_cents + decided_cents if staff else UNSET
                shown = _with_outcome(replace(shown, settled_at_ms=each.at, house_cents=house), table, event.cards)
            case acts.BetsPaid():
                decided_cents += sum([line.bet.stake_cents - line.returned_cents for line in event.lines])
            case acts.RoundVoided():
                void = replace(shown, void=True, settled_at_ms=each.at, rule=event.rule, reason=event.reason)
                shown = replace(void, cards=write_cards(event.cards), laid_out=laid_out(event.cards))
            case acts.RoundAdjusted():
                shown = _corrected(shown, table, event)
            case acts.AmountDecided() if staff or event.patron == own:
                told = {"reason": event.reason} if staff else {}
                amount = v.DecidedAmount(event.patron, names(event.patron), event.amount_cents, event.rule, **told)
                amounts.append(amount)
        bets += [line.bet for line in event.bet_lines()]
        lines += [_line(table.sheet, line, names) for line in event.bet_lines() if staff or line.bet.patron == own]
    done = [v.Act(each.seq, each.at, each.event.by.text, kind_of(type(each.event))) for each in recorded]
    acts_shown, amounts_shown = tuple(done) if staff else UNSET, tuple(amounts) or UNSET
    claims = tuple(map(show_claim, claims_of(table.sheet, bets))) if staff else UNSET
    return replace(shown, lines=tuple(lines), acts=acts_shown, amounts=amounts_shown, claims=claims)


def _corrected(shown: v.RoundRecord, table: FollowedTable, event: acts.RoundAdjusted) -> v.RoundRecord:
    """A round as a correction leaves it, beside its cards and its result as they were recorded first."""
    void, winner = event.void or shown.void, shown.winner
    if shown.house_cents is not UNSET:
        corrected_cents = sum([line.correction_cents for line in event.lines])
        shown = replace(shown, house_cents=shown.house_cents - corrected_cents)
    if event.cards:
        before = shown.cards if shown.cards_before is UNSET else shown.cards_before
        shown = _with_outcome(replace(shown, cards_before=before), table, event.cards)
    if (event.cards or void) and shown.winner_before is UNSET:
        shown = replace(shown, winner_before=winner)
    if void:
        shown = replace(shown, line=None, winner=None)
    return replace(shown, void=void, adjusted=True, rule=event.rule)


def _with_outcome(shown: v.RoundRecord, table: FollowedTable, cards: tuple[Card, ...]) -> v.RoundRecord:
    shown = replace(shown, cards=write_cards(cards), laid_out=laid_out(cards))
    round_ = deal(cards, table.sheet.decks.maximum)  # its shoe may have had more decks than the table has now
    if isinstance(round_, Refusal):
        return replace(shown, line=None, winner=None)
    outcome = round_.outcome
    points = {"player_points": outcome.player_points, "banker_points": outcome.banker_points}
    return replace(shown, line=write_line(round_), winner=outcome.winner, **points)


def _line(sheet: Sheet, line: Line | Returned | Paid | Adjustment, names: Names) -> BetLine:
    """A line with its commission: what even money would have paid beyond what was paid."""
    commission = 0
    if isinstance(line, Line) and line.result is Result.WIN and _takes_commission(sheet, line.bet.on):
        commission = line.in_play_cents - line.net_cents
    return replace(show_line(line), name=names(line.bet.patron), commission_cents=commission)


def _payments(lines: Sequence[BetLine]) -> tuple[v.Payment, ...]:
    """The payments after a round, to and from patrons, in the order of the boxes."""
    found: dict[tuple[int, str], list[BetLine]] = {}
    for line in sorted(lines, key=lambda line: line.bet.box):
        found.setdefault((line.bet.box, line.bet.patron), []).append(line)
    return tuple(
        [
            v.Payment(box, patron, own[0].name, sum([line.net_cents for line in own]), tuple(own))
            for (box, patron), own in found.items()
        ]
    )


def _takes_commission(sheet: Sheet, on: str) -> bool:
    """True if a bet on a hand never pays even money: a sheet that only halves some wins takes no commission."""
    terms = sheet.bets.get(on)
    return terms is not None and terms.hand is not None and all(pay.odds.win < pay.odds.stake for pay in terms.pays)


# ------------------------------------------------------------------------------------------- shoes


def published(table: FollowedTable, shoe: PlayedShoe, *, staff: bool = False) -> v.PublishedShoe:
    """A shoe as anyone may see it: its commitment, and once it is over what was committed to and what came out.

    What has come out of a shoe in play is for staff alone, but for cards that nobody has seen: those are nobody's until
    the whole order is opened.
    """
    loaded, over = shoe.loaded, table.is_over(shoe.number)
    opened = over and loaded.salt is not None
    dealt = [each.card or (loaded.cards[place] if opened else None) for place, each in enumerate(shoe.dealt)]
    open_to_viewer = over or staff
    return v.PublishedShoe(
        table=table.id,
        shoe=shoe.number,
        decks=shoe.decks,
        count=loaded.count,
        cut=loaded.cut,
        commitment=loaded.commitment,
        over=over,
        salt=loaded.salt if opened else None,
        order=write_cards(loaded.cards) if opened else None,
        dealt=write_cards([card for card in dealt if card is not None]) if open_to_viewer else None,
        rounds=_rounds(shoe) if open_to_viewer else None,
        carried=_aside(dealt, shoe, Fate.CARRIED) if open_to_viewer else None,
        closed=_aside(dealt, shoe, Fate.CLOSED) if open_to_viewer else None,
        first_burn=sum([each.fate is Fate.BURNED for each in shoe.dealt]),
    )


def _aside(dealt: Sequence[Card | None], shoe: PlayedShoe, fate: Fate) -> tuple[PutAside, ...]:
    return tuple(
        [
            PutAside(place, card.text, each.came, each.rule, each.reason)
            for place, (card, each) in enumerate(zip(dealt, shoe.dealt, strict=True), 1)
            if each.fate is fate and card is not None
        ]
    )


def _rounds(shoe: PlayedShoe) -> tuple[PlayedRound, ...]:
    return tuple([PlayedRound(number, write_cards(cards), void) for number, cards, void in shoe.rounds])
