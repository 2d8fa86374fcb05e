"""Tables over HTTP: the lobby, snapshots, commands, the record of play, roads and shoes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated

from litestar import Response, Router, get, post
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from litestar.response import Stream

from punto.analysis.figures import LiveFigures
from punto.protocol import views as v
from punto.protocol.codec import AnyCommand, command_by
from punto.protocol.shown import Choice
from punto.roads.svg import draw_svg
from punto.rules.cards import Card
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.tables.followed_table import FollowedTable
from punto.table.refusals import ShoeMissing
from punto.web.access import Connection, house_of, house_of_table, require_person, require_staff, unwrap
from punto.web.exports import CSV, JSON_LINES, ROUND_COLUMNS, as_file, csv_file, round_rows, to_json_lines
from punto.web.openapi import CommandOperation
from punto.web.problems import refusals

PAGE = 200
SVG = "image/svg+xml"
S = HTTPStatus
LOOKUP_REFUSALS = refusals(S.NOT_FOUND)
STAFF_REFUSALS = refusals(S.FORBIDDEN, S.NOT_FOUND, S.UNPROCESSABLE_ENTITY)
POST_REFUSALS = STAFF_REFUSALS | refusals(
    *(S.PAYMENT_REQUIRED, S.REQUEST_TIMEOUT, S.CONFLICT, S.REQUEST_ENTITY_TOO_LARGE, S.UNSUPPORTED_MEDIA_TYPE)
)

Key = Annotated[
    str,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=128,
        pattern=r"^[!-~]+$",
        description="Chosen by the client, new for each command and the same for each retry of it.",
    ),
]
Before = Annotated[int | None, QueryParameter(ge=1, description="Only rounds before this one.")]
Limit = Annotated[int, QueryParameter(ge=1, le=500)]
Patron = Annotated[str | None, QueryParameter(description="For whom staff ask.")]


def unwrap_reply(reply: Reply) -> Reply:
    """A reply that was not refused."""
    unwrap(reply.refused)
    return reply


@get("/", responses=refusals(), sync_to_thread=False)
def list_tables(request: Connection) -> list[v.TableSummary]:
    """The lobby."""
    return house_of(request).tables()


@post("/", responses=POST_REFUSALS)
async def set_up_table(request: Connection, data: JSONBody[v.NewTable]) -> v.TableSummary:
    """Set a table up; for an admin or a Pit Supervisor and above."""
    return unwrap(await house_of(request).setup.set_up(require_person(request), data))


@get("/{table:str}", responses=LOOKUP_REFUSALS, sync_to_thread=False)
def read_table(request: Connection, table: FromPath[str]) -> v.Snapshot:
    """The table now, for whoever asks."""
    return house_of_table(request, table).snapshot(table, request.user)


@post("/{table:str}/commands", responses=POST_REFUSALS, status_code=S.OK, operation_class=CommandOperation)
async def give_command(
    request: Connection, table: FromPath[str], data: JSONBody[AnyCommand], idempotency_key: Key
) -> v.Reply:
    """Give a command. The same key with the same body gives the first answer again, and does nothing twice."""
    house, person = house_of_table(request, table), require_person(request)
    reply = unwrap_reply(await house.command(person, table, command_by(data, person.actor), idempotency_key))
    return v.Reply(reply.seq, reply.events, await house.me(table, person, reply.seq))


@post("/{table:str}/preview", responses=POST_REFUSALS, status_code=S.OK, operation_class=CommandOperation)
async def preview_command(request: Connection, table: FromPath[str], data: JSONBody[AnyCommand]) -> v.Preview:
    """What a command would lead to now; nothing is done. For whoever may give the command."""
    house, person = house_of_table(request, table), require_person(request)
    return unwrap(await house.preview(person, table, command_by(data, person.actor)))


@get("/{table:str}/choices", responses=STAFF_REFUSALS, sync_to_thread=False)
def read_choices(request: Connection, table: FromPath[str], patron: Patron = None) -> tuple[Choice, ...]:
    """What one may do now, command by command; staff may ask for one `patron`."""
    person = require_person(request) if patron is None else require_staff(request)
    return house_of_table(request, table).choices(table, person, patron)


# ------------------------------------------------------------------------------------------- the record of play


@get("/{table:str}/rounds", responses=LOOKUP_REFUSALS)
async def list_rounds(
    request: Connection, table: FromPath[str], before: Before = None, limit: Limit = 50
) -> list[v.RoundRecord]:
    """Past rounds, newest first, older ones by `before`; patrons see the cards and their own bets, staff all."""
    return await house_of_table(request, table).history.rounds(table, request.user, before, limit)


@get("/{table:str}/rounds/{number:int}", responses=LOOKUP_REFUSALS)
async def read_round(request: Connection, table: FromPath[str], number: FromPath[int]) -> v.RoundRecord:
    """One past round whole, marked as a replay."""
    return unwrap(await house_of_table(request, table).history.round(table, request.user, number))


@get("/{table:str}/rounds.jsonl", responses=STAFF_REFUSALS, media_type=JSON_LINES)
async def export_rounds_jsonl(request: Connection, table: FromPath[str]) -> Stream:
    """Every round as JSON Lines, newest first; for staff."""
    pages = await _pages(house_of_table(request, table), table, require_staff(request))
    return as_file(f"{table}.jsonl", JSON_LINES, (to_json_lines(page) async for page in pages))


@get("/{table:str}/rounds.csv", responses=STAFF_REFUSALS, media_type=CSV)
async def export_rounds_csv(request: Connection, table: FromPath[str]) -> Stream:
    """Every bet of every round as CSV, newest first; for staff."""
    pages = await _pages(house_of_table(request, table), table, require_staff(request))
    return csv_file(f"{table}.csv", ROUND_COLUMNS, (round_rows(page) async for page in pages))


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


@get("/{table:str}/roads", responses=LOOKUP_REFUSALS, sync_to_thread=False)
def read_roads(request: Connection, table: FromPath[str]) -> v.RoadsView:
    """The five roads of the shoe."""
    return house_of_table(request, table).snapshot(table, None).roads


@get("/{table:str}/roads.svg", responses=LOOKUP_REFUSALS, media_type=SVG, sync_to_thread=False)
def draw_roads(request: Connection, table: FromPath[str]) -> Response[str]:
    """The five roads as a picture."""
    return Response(draw_svg(house_of_table(request, table).followed(table).roads), media_type=SVG)


@get("/{table:str}/shoes/{number:int}", responses=LOOKUP_REFUSALS)
async def read_shoe(request: Connection, table: FromPath[str], number: FromPath[int]) -> v.PublishedShoe:
    """A shoe's commitment and, when the shoe is over, what opens it: input for `punto verify-shoe`."""
    return unwrap(await house_of_table(request, table).history.shoe(table, number, request.user))


@get("/{table:str}/values", responses=STAFF_REFUSALS | refusals(S.CONFLICT))
async def read_values(request: Connection, table: FromPath[str]) -> LiveFigures:
    """The exact value of every bet for the cards left in the shoe, and what counting makes of it; for staff alone."""
    require_staff(request)
    seen = _cards_seen(house_of_table(request, table).followed(table))
    from punto.analysis.sheet_figures import live_figures  # NumPy, only for those who ask

    return await asyncio.to_thread(live_figures, *seen)


def _cards_seen(table: FollowedTable) -> tuple[Sheet, int, tuple[Card, ...], tuple[Card, ...]]:
    """The sheet, the decks, the cards that have left the shoe in earlier rounds, and those of the round under way."""
    state = table.state
    if state.settings is None or state.shoe is None:
        raise RefusedError(ShoeMissing())
    gone = [card for card in table.shoes[state.shoe.number].dealt if card is not None]
    on_table = state.round.cards if state.round else ()
    for card in on_table:
        gone.remove(card)
    return table.sheet, state.settings.decks, tuple(gone), on_table


ROUTER = Router(
    "/api/tables",
    tags=["tables"],
    route_handlers=[
        list_tables,
        set_up_table,
        read_table,
        give_command,
        preview_command,
        read_choices,
        list_rounds,
        read_round,
        export_rounds_jsonl,
        export_rounds_csv,
        read_roads,
        draw_roads,
        read_shoe,
        read_values,
    ],
)
