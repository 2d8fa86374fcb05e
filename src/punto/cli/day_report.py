"""`punto day-report`: the figures of a gaming day, as the pit desk shows them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping, Sequence

import msgspec

from punto.analysis import edges
from punto.cli.commands.house import DayReport
from punto.cli.files import write_file
from punto.cli.output import columns, console, grid, phrase, said, write
from punto.cli.settings import read_database, read_gaming_day
from punto.ledger.accounts import is_ticket
from punto.ledger.house_moves import CREDITS_BOUGHT, TICKET_ISSUED, TICKET_PAID
from punto.ledger.table_day import GamingDay
from punto.protocol import views as v
from punto.rules.loader import load
from punto.rules.money import money
from punto.service.shoes.encryption import event_of
from punto.service.streams import HOUSE_STREAM, PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.floor import cards_gone, day_number, favourable_bets, floor
from punto.store.opening import open_snapshot
from punto.store.records import Record
from punto.store.sql import StoreSnapshot
from punto.web.exports import floor_csv


def run(ask: DayReport) -> None:
    """Work out the figures of a gaming day from a database, and show or export them."""
    house = read_database(ask)
    gaming_day = house.gaming_day if ask.day_starts is None else read_gaming_day(ask.day_starts)
    number = gaming_day.number(time.time_ns() // 1_000_000) if ask.day is None else day_number(str(ask.day))
    own = {load(path).id: path for path in (*house.sheets, *ask.sheets)}
    figures, credit, tickets_cents = asyncio.run(_figures(house.database, gaming_day, number, own))
    if ask.csv is not None:
        write_file(ask.csv, floor_csv(figures))
    more = {"credits": msgspec.to_builtins(credit), "tickets_cents": tickets_cents}
    write(ask, data=lambda: msgspec.to_builtins(figures) | more, text=lambda: _show(figures, credit, tickets_cents))


class Credit(msgspec.Struct):
    """Credits and tickets that somebody sold, and tickets that they paid, on a day.

    Patrons who help themselves sell to themselves.
    """

    person: str
    name: str
    sold_cents: int = 0
    paid_out_cents: int = 0


async def _figures(
    address: str, gaming_day: GamingDay, day: int, own: Mapping[str, str]
) -> tuple[v.Floor, list[Credit], int]:
    """Every table as it was when the gaming day ended, or as it is; debts and unused tickets are those of now."""
    async with open_snapshot(address) as (snapshot, _):
        names = {person: name for person, name, *_ in await snapshot.people()}
        tables = []
        for table, settings in sorted(await snapshot.tables()):
            game = json.loads(settings)["game"]
            followed = FollowedTable(table, load(own.get(game, game)), gaming_day)
            await _follow(snapshot, followed, gaming_day.ends_ms(day))
            tables.append(followed)
        favourable = {
            table.id: favourable_bets(edges, table.sheet, table.state.settings.decks, cards_gone(table))
            for table in tables
            if table.state.settings
        }
        balances = await snapshot.balances()
        credit = await _credits(snapshot, gaming_day, day, names)
    tickets_cents = sum([cents for account, cents in balances.items() if is_ticket(account)])
    figures = floor(tables, balances, day, lambda person: names.get(person, person), edges, favourable)
    return figures, credit, tickets_cents


async def _credits(snapshot: StoreSnapshot, gaming_day: GamingDay, day: int, names: Mapping[str, str]) -> list[Credit]:
    """The credits and tickets sold and paid on a day, by person."""
    found: dict[str, Credit] = {}
    last = 0
    while rows := await snapshot.stream(HOUSE_STREAM, last, PAGE):
        for record in [Record(*row) for row in rows if row[5] in {CREDITS_BOUGHT, TICKET_ISSUED, TICKET_PAID}]:
            if gaming_day.number(record.time_ms) != day:
                continue
            told = json.loads(record.payload)
            sold = record.kind != TICKET_PAID
            person = told.get("by", "").partition(":")[2] or told["patron"]
            credit = found.setdefault(person, Credit(person, names.get(person, person)))
            credit.sold_cents += told["cents"] if sold else 0
            credit.paid_out_cents += 0 if sold else told["cents"]
        last = rows[-1][2]
    return [found[person] for person in sorted(found)]


async def _follow(snapshot: StoreSnapshot, table: FollowedTable, ends_ms: int) -> None:
    """Fold the log of a table up to a moment."""
    while rows := await snapshot.stream(table_stream(table.id), table.seq, PAGE):
        for record in [Record(*row) for row in rows]:
            if record.time_ms >= ends_ms:
                return
            table.apply(RecordedEvent(record.seq, record.time_ms, event_of(record)))


def _show(figures: v.Floor, credit: Sequence[Credit], tickets_cents: int) -> None:
    out = console()
    headings = "table on-duty seats> rounds> an-hour> handle> win> hold> theoretical> in-play> at-risk> incidents>"
    table = grid(phrase("day-report", day=figures.day), columns(headings))
    for each in figures.tables:
        on_duty = ", ".join([person.name for person in each.duty])
        table.add_row(said(each.name), said(on_duty), *_cells(each, each.rounds_per_hour))
    table.add_section()
    table.add_row(f"[bold]{phrase('all-tables')}[/]", "", *_cells(figures.total, None))
    out.print(table)
    out.print(phrase("receivables", amount=money(figures.receivables_cents)))
    for debt in figures.debts:
        out.print(f"  {said(debt.name)}  {money(debt.owed_cents)}", soft_wrap=True)
    out.print(phrase("tickets-unused", amount=money(tickets_cents)))
    for person in credit:
        sold, paid = money(person.sold_cents), money(person.paid_out_cents)
        out.print(phrase("credit-of", name=said(person.name), sold=sold, paid=paid), soft_wrap=True)


def _cells(figures: v.FloorFigures, an_hour: int | None) -> list[str]:
    hold, theoretical = figures.hold_basis_points, figures.theoretical_cents
    return [
        f"{figures.seats_taken}/{figures.seats}",
        str(figures.rounds),
        "" if an_hour is None else str(an_hour),
        money(figures.handle_cents),
        money(figures.win_cents),
        "" if hold is None else f"{hold / 100:.2f}%",
        "" if theoretical is None else money(theoretical),
        money(figures.in_play_cents),
        money(figures.exposure_cents),
        str(figures.incidents),
    ]
