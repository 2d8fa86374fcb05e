"""Tables over HTTP: the lobby, snapshots, commands, the record of play, roads and shoes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from msgspec import Meta

from punto.analysis.figures import LiveFigures
from punto.protocol import views as v
from punto.protocol.codec import AnyCommand, command_by
from punto.protocol.shown import Choice
from punto.roads.svg import draw_svg
from punto.rules.cards import Card
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.tables.followed_table import FollowedTable
from punto.table.refusals import ShoeMissing
from punto.web.access import FLOOR, PERSON, PUBLIC, STAFF, house_of_table, unwrap
from punto.web.exports import CSV, JSON_LINES, ROUND_COLUMNS, csv_file, round_rows, save_as, to_json_lines
from punto.web.requests import Request
from punto.web.routes import Key, Limit, Routes, S

PAGE = 200
SVG = "image/svg+xml"
routes = Routes("tables")

Before = Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="Only rounds before this one.")]
Patron = Annotated[str | None, Meta(description="For whom staff ask.")]


def unwrap_reply(reply: Reply) -> Reply:
    """A reply that was not refused."""
    unwrap(reply.refused)
    return reply


@routes.get("/api/tables", PUBLIC)
async def list_tables(request: Request) -> list[v.TableSummary]:
    """The lobby."""
    return request.house.tables()


@routes.post("/api/tables", FLOOR, S.CONFLICT, status=S.CREATED)
async def set_up_table(request: Request, body: v.NewTable) -> v.TableSummary:
    """Set a table up; for an admin or a Pit Supervisor and above."""
    return unwrap(await request.house.setup.set_up(request.person, body))


@routes.get("/api/tables/{table}", PUBLIC)
async def read_table(request: Request, table: str) -> v.Snapshot:
    """The table now, for whoever asks."""
    return house_of_table(request, table).snapshot(table, request.viewer)


@routes.post("/api/tables/{table}/commands", PERSON, S.PAYMENT_REQUIRED, S.CONFLICT)
async def give_command(request: Request, table: str, body: AnyCommand, key: Key) -> v.Reply:
    """Give a command. The same key with the same body gives the first answer again, and does nothing twice."""
    house, person = house_of_table(request, table), request.person
    reply = unwrap_reply(await house.command(person, table, command_by(body, person.actor), key))
    return v.Reply(reply.seq, reply.events, await house.me(table, person, reply.seq))


@routes.post("/api/tables/{table}/preview", PERSON, S.PAYMENT_REQUIRED, S.CONFLICT)
async def preview_command(request: Request, table: str, body: AnyCommand) -> v.Preview:
    """The result of a command if it were given now; nothing is done. For whoever may give the command."""
    house, person = house_of_table(request, table), request.person
    return unwrap(await house.preview(person, table, command_by(body, person.actor)))


@routes.get("/api/tables/{table}/choices", PERSON, S.UNPROCESSABLE_ENTITY)
async def read_choices(request: Request, table: str, patron: Patron = None) -> tuple[Choice, ...]:
    """One's choices now, command by command; staff may ask for one `patron`."""
    if patron is not None:
        unwrap(STAFF(request.viewer))
    return house_of_table(request, table).choices(table, request.person, patron)


# ------------------------------------------------------------------------------------------- the record of play


@routes.get("/api/tables/{table}/rounds", PUBLIC)
async def list_rounds(request: Request, table: str, before: Before = None, limit: Limit = 50) -> list[v.RoundRecord]:
    """Past rounds, newest first, older ones by `before`; patrons see the cards and their own bets, staff all."""
    return await house_of_table(request, table).history.rounds(table, request.viewer, before, limit)


@routes.get("/api/tables/{table}/rounds/{number}", PUBLIC)
async def read_round(request: Request, table: str, number: int) -> v.RoundRecord:
    """One past round whole, marked as a replay."""
    return unwrap(await house_of_table(request, table).history.round(table, request.viewer, number))


@routes.get("/api/tables/{table}/rounds.jsonl", STAFF, media_type=JSON_LINES)
async def export_rounds_jsonl(request: Request, table: str) -> AsyncIterator[bytes]:
    """Every round as JSON Lines, newest first; for staff."""
    pages = await _pages(house_of_table(request, table), table, request.person)
    save_as(request, f"{table}.jsonl")
    return (to_json_lines(page) async for page in pages)


@routes.get("/api/tables/{table}/rounds.csv", STAFF, media_type=CSV)
async def export_rounds_csv(request: Request, table: str) -> AsyncIterator[bytes]:
    """Every bet of every round as CSV, newest first; for staff."""
    pages = await _pages(house_of_table(request, table), table, request.person)
    save_as(request, f"{table}.csv")
    return csv_file(ROUND_COLUMNS, (round_rows(page) async for page in pages))


async def _pages(house: House, table: str, person: Person) -> AsyncIterator[list[v.RoundRecord]]:
    """All rounds of a table, newest first, a page at a time. The first is read now, so that a refusal is one."""
    first = await house.history.rounds(table, person, None, PAGE)

    async def pages() -> AsyncIterator[list[v.RoundRecord]]:
        page = first
        while page:
            yield page
            page = await house.history.rounds(table, person, page[-1].round, PAGE)

    return pages()


# ------------------------------------------------------------------------------------------- roads, shoes, values


@routes.get("/api/tables/{table}/roads", PUBLIC)
async def read_roads(request: Request, table: str) -> v.RoadsView:
    """The five roads of the shoe."""
    return house_of_table(request, table).snapshot(table, None).roads


@routes.get("/api/tables/{table}/roads.svg", PUBLIC, media_type=SVG)
async def draw_roads(request: Request, table: str) -> str:
    """The five roads as a picture."""
    return draw_svg(house_of_table(request, table).followed(table).roads)


@routes.get("/api/tables/{table}/shoes/{number}", PUBLIC)
async def read_shoe(request: Request, table: str, number: int) -> v.PublishedShoe:
    """A shoe's commitment and, when the shoe is over, what opens it: input for `punto verify-shoe`."""
    return unwrap(await house_of_table(request, table).history.shoe(table, number, request.viewer))


@routes.get("/api/tables/{table}/values", STAFF, S.CONFLICT)
async def read_values(request: Request, table: str) -> LiveFigures:
    """The exact value of every bet for the cards left in the shoe, and what counting makes of it; for staff alone."""
    seen = _cards_seen(house_of_table(request, table).followed(table))
    from punto.analysis.sheet_figures import live_figures  # NumPy, only for those who ask

    return await asyncio.to_thread(live_figures, *seen)


def _cards_seen(table: FollowedTable) -> tuple[Sheet, int, tuple[Card, ...], tuple[Card, ...]]:
    """The sheet, the decks, the cards that have left the shoe in earlier rounds, and those of the round under way."""
    state = table.state
    if state.settings is None or state.shoe is None:
        raise Refused(ShoeMissing())
    gone = table.shoes[state.shoe.number].seen
    on_table = state.round.cards if state.round else ()
    for card in on_table:
        gone.remove(card)
    return table.sheet, state.settings.decks, tuple(gone), on_table
