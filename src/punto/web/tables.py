"""Tables over HTTP: the lobby, snapshots, commands, the record of play, roads and shoes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, HeaderParameter, JSONBody, QueryParameter
from litestar.response import Stream

from punto.roads.svg import draw_svg
from punto.rules.cards import Card
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.tables.followed_table import FollowedTable
from punto.table.refusals import TableCode
from punto.web.access import anyone, granted, house_of, house_with, someone, staff
from punto.web.exports import CSV, ROUND_COLUMNS, as_file, csv_lines, round_rows, to_json_lines
from punto.web.problems import refusals
from punto.web.requests import StrictRequest
from punto.web.schemas import CommandBody, NewTable, ReplyOut, SnapshotOut, TableOut, as_

TAGS = ["tables"]
PAGE = 200
SVG = "image/svg+xml"
S = HTTPStatus
LOOK_UP = refusals(S.BAD_REQUEST, S.UNAUTHORIZED, S.NOT_FOUND, S.TOO_MANY_REQUESTS, S.SERVICE_UNAVAILABLE)
LOBBY = refusals(S.UNAUTHORIZED, S.TOO_MANY_REQUESTS, S.SERVICE_UNAVAILABLE)
STAFF_LOOK_UP = refusals(
    S.BAD_REQUEST,
    S.UNAUTHORIZED,
    S.FORBIDDEN,
    S.NOT_FOUND,
    S.UNPROCESSABLE_ENTITY,
    S.TOO_MANY_REQUESTS,
    S.SERVICE_UNAVAILABLE,
)
WRITE = refusals(
    S.BAD_REQUEST,
    S.UNAUTHORIZED,
    S.PAYMENT_REQUIRED,
    S.FORBIDDEN,
    S.NOT_FOUND,
    S.CONFLICT,
    S.REQUEST_ENTITY_TOO_LARGE,
    S.UNSUPPORTED_MEDIA_TYPE,
    S.UNPROCESSABLE_ENTITY,
    S.TOO_MANY_REQUESTS,
    S.SERVICE_UNAVAILABLE,
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


def done(reply: Reply) -> Reply:
    """A reply that was not refused."""
    granted(reply.refused)
    return reply


async def obey(house: House, person: Person, table: str, command: dict[str, Any], key: str) -> dict[str, Any]:
    """Give a command to a table that is there: the reply, or a RefusedError."""
    reply = done(await house.command(person, table, command, key))
    return {"seq": reply.seq, "events": reply.events, "me": await house.me(table, person, reply.seq)}


@get("/api/tables", tags=TAGS, responses=LOBBY, sync_to_thread=False)
def list_tables(request: StrictRequest) -> list[TableOut]:
    """The lobby."""
    return as_(list[TableOut], house_of(request).tables())


@post("/api/tables", tags=TAGS, responses=WRITE)
async def set_up_table(request: StrictRequest, data: JSONBody[NewTable]) -> TableOut:
    """Set a table up; for an admin or a Pit Supervisor and above."""
    spec: dict[str, Any] = msgspec.to_builtins(data)
    return as_(TableOut, granted(await house_of(request).set_up(someone(request), spec)))


@get("/api/tables/{table:str}", tags=TAGS, responses=LOOK_UP, sync_to_thread=False)
def read_table(request: StrictRequest, table: FromPath[str]) -> SnapshotOut:
    """The table now, for whoever asks."""
    return as_(SnapshotOut, house_with(request, table).snapshot(table, anyone(request)))


@post("/api/tables/{table:str}/commands", tags=TAGS, responses=WRITE, status_code=S.OK)
async def give_command(
    request: StrictRequest, table: FromPath[str], data: JSONBody[CommandBody], idempotency_key: Key
) -> ReplyOut:
    """Give a command. The same key with the same body gives the first answer again, and does nothing twice."""
    return as_(ReplyOut, await obey(house_with(request, table), someone(request), table, data, idempotency_key))


# ------------------------------------------------------------------------------------------- the record of play


@get("/api/tables/{table:str}/rounds", tags=TAGS, responses=LOOK_UP)
async def list_rounds(
    request: StrictRequest, table: FromPath[str], before: Before = None, limit: Limit = 50
) -> list[dict[str, Any]]:
    """Past rounds, newest first, older ones by `before`; patrons see the cards and their own bets, staff all."""
    return await house_with(request, table).rounds(table, anyone(request), before, limit)


@get("/api/tables/{table:str}/rounds/{number:int}", tags=TAGS, responses=LOOK_UP)
async def read_round(request: StrictRequest, table: FromPath[str], number: FromPath[int]) -> dict[str, Any]:
    """One past round whole, marked as a replay."""
    return granted(await house_with(request, table).round(table, anyone(request), number))


@get(
    "/api/tables/{table:str}/rounds.jsonl",
    tags=TAGS,
    responses=STAFF_LOOK_UP,
    media_type="application/jsonl",
)
async def export_rounds_jsonl(request: StrictRequest, table: FromPath[str]) -> Stream:
    """Every round as JSON Lines, newest first; for staff."""
    pages = await _pages(house_with(request, table), table, staff(request))
    return as_file((to_json_lines(page) async for page in pages), f"{table}.jsonl", "application/jsonl")


@get("/api/tables/{table:str}/rounds.csv", tags=TAGS, responses=STAFF_LOOK_UP, media_type=CSV)
async def export_rounds_csv(request: StrictRequest, table: FromPath[str]) -> Stream:
    """Every bet of every round as CSV, newest first; for staff."""
    pages = await _pages(house_with(request, table), table, staff(request))
    rows = (round_rows(page) async for page in pages)
    return as_file(csv_lines(ROUND_COLUMNS, rows), f"{table}.csv", f"{CSV}; charset=utf-8")


async def _pages(house: House, table: str, person: Person) -> AsyncIterator[list[dict[str, Any]]]:
    """All rounds of a table, newest first, a page at a time. The first is read now, so that a refusal is one."""
    first = list(await house.rounds(table, person, None, PAGE))

    async def pages() -> AsyncIterator[list[dict[str, Any]]]:
        page = first
        while page:
            yield page
            page = list(await house.rounds(table, person, page[-1]["round"], PAGE))

    return pages()


# ------------------------------------------------------------------------------------------- roads, shoes, values


@get("/api/tables/{table:str}/roads", tags=TAGS, responses=LOOK_UP, sync_to_thread=False)
def read_roads(request: StrictRequest, table: FromPath[str]) -> dict[str, Any]:
    """The five roads of the shoe."""
    roads: dict[str, Any] = house_with(request, table).snapshot(table, None)["roads"]
    return roads


@get(
    "/api/tables/{table:str}/roads.svg", tags=TAGS, responses=LOOK_UP, media_type="image/svg+xml", sync_to_thread=False
)
def draw_roads(request: StrictRequest, table: FromPath[str]) -> Response[str]:
    """The five roads as a picture."""
    return Response(draw_svg(house_with(request, table).followed(table).roads), media_type=SVG)


@get("/api/tables/{table:str}/shoes/{number:int}", tags=TAGS, responses=LOOK_UP)
async def read_shoe(request: StrictRequest, table: FromPath[str], number: FromPath[int]) -> dict[str, Any]:
    """A shoe's commitment and, when the shoe is over, what opens it: input for `punto verify-shoe`."""
    return granted(await house_with(request, table).shoe(table, number, anyone(request)))


@get("/api/tables/{table:str}/values", tags=TAGS, responses=STAFF_LOOK_UP | refusals(S.CONFLICT))
async def read_values(request: StrictRequest, table: FromPath[str]) -> dict[str, Any]:
    """The exact value of every bet for the cards left in the shoe, and what counting makes of it; for staff alone."""
    staff(request)
    seen = _seen(house_with(request, table).followed(table))
    from punto.web.values import values  # NumPy and numba, only for those who ask

    return await asyncio.to_thread(values, *seen)


def _seen(table: FollowedTable) -> tuple[Sheet, int, tuple[Card, ...], tuple[Card, ...]]:
    """The sheet, the decks, the cards that have left the shoe in earlier rounds, and those of the round under way."""
    state = table.state
    if state.settings is None or state.shoe is None:
        raise RefusedError(TableCode.SHOE_MISSING, "no shoe is in play")
    gone = list(table.shoes[state.shoe.number].dealt)
    on_table = state.round.cards if state.round else ()
    for card in on_table:
        gone.remove(card)
    return table.sheet, state.settings.decks, tuple(gone), on_table


ROUTES = [
    list_tables,
    set_up_table,
    read_table,
    give_command,
    list_rounds,
    read_round,
    export_rounds_jsonl,
    export_rounds_csv,
    read_roads,
    draw_roads,
    read_shoe,
    read_values,
]
