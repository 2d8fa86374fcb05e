"""The desk of the staff over HTTP: what one may do in the house, how it is set, and what staff see of all of it."""

from __future__ import annotations

import asyncio
from typing import Annotated

from msgspec import UNSET, Meta
from msgspec.structs import asdict

import punto
from punto.protocol import views as v
from punto.rules.money import EXACT_CENTS
from punto.service.audit import software
from punto.service.audit.significant import MOST_AT_HAND
from punto.service.people.person import ADMIN_ROLE, ROLES, may_admit
from punto.web.access import ADMIN, FLOOR, PERSON, PUBLIC, STAFF
from punto.web.exports import CSV, SIGNIFICANT_COLUMNS, save_as, to_csv_file
from punto.web.floor import Table
from punto.web.requests import Request
from punto.web.routes import DECLARED, Limit, Routes

Time = Annotated[
    Annotated[int, Meta(ge=0, le=EXACT_CENTS)] | None,
    Meta(description="Only events before then. A page has all of its last moment."),
]
Heading = Annotated[str | None, Meta(description="Only those under this heading.")]
routes = Routes("house")


@routes.get("/api/desk", STAFF)
async def read_desk(request: Request) -> v.Desk:
    """The own identity of staff, the routes that they may ask for by what these declare, and whom they may admit."""
    person = request.person
    of_some = [each for each in DECLARED if each.who not in {PUBLIC, PERSON}]
    may = tuple([f"{each.method} {each.path}" for each in of_some if each.who(person) is None])
    return v.Desk(person.shown(), may, tuple([role for role in ROLES if may_admit(person, role)]))


@routes.get("/api/house", FLOOR)
async def read_house(request: Request) -> v.HouseView:
    """The house as it is set, and its software; for an admin or a Pit Supervisor and above."""
    return await _house(request)


async def _house(request: Request) -> v.HouseView:
    house, settings = request.house, request.house.settings
    is_admin = request.person.role == ADMIN_ROLE
    limits = ("large_win_cents", "sold_alone_cents", "most_bought_cents", "most_held_cents")
    return v.HouseView(
        punto.__version__,
        await asyncio.to_thread(software.fingerprint),
        house.key.in_use,
        (await house.floor.now()).day,
        str(settings.gaming_day),
        {sheet.id: sheet.fingerprint for sheet in house.registry.sheets},
        {name: getattr(settings, name) for name in limits},
        await house.health.ready(),
        str(house.key.path or "") or None if is_admin else UNSET,
        await house.first_run.to_do() if is_admin else UNSET,
    )


@routes.post("/api/house/key-kept", ADMIN)
async def keep_key(request: Request) -> v.HouseView:
    """Note that a copy of the house's key was put away, apart from the backups; for an admin."""
    await request.house.first_run.note_key_kept(request.person)
    return await _house(request)


@routes.get("/api/significant", STAFF)
async def list_significant(
    request: Request, before_ms: Time = None, table: Table = None, heading: Heading = None, limit: Limit = 100
) -> list[v.SignificantEvent]:
    """Voids, overrides, large wins, changes of parameters and clock, gaps in feeds: with who and why; for staff."""
    return await request.house.significant.newest(limit, before_ms, table=table, heading=heading)


@routes.get("/api/significant.csv", STAFF, media_type=CSV)
async def export_significant(request: Request, table: Table = None, heading: Heading = None) -> str:
    """All of them that are at hand as CSV; for staff."""
    save_as(request, "significant.csv")
    found = await request.house.significant.newest(MOST_AT_HAND, table=table, heading=heading)
    return to_csv_file(SIGNIFICANT_COLUMNS, map(asdict, found))


@routes.get("/api/debts", FLOOR)
async def list_debts(request: Request) -> list[v.Debt]:
    """Everyone who owes something to the House after a correction; for an admin or a Pit Supervisor and above."""
    return await request.house.debts.debts()


@routes.get("/api/incidents", STAFF)
async def list_incidents(request: Request) -> list[v.Incident]:
    """Open cases over all tables, with their rulings and who must decide; for staff."""
    return request.house.incidents()
