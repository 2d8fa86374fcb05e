"""The floor over HTTP: its figures now, as a file, and the incidents of the past; for the pit desk."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import asdict

from punto.protocol import views as v
from punto.web.access import FLOOR, STAFF
from punto.web.exports import CSV, INCIDENT_COLUMNS, floor_csv, save_as, to_csv_file
from punto.web.requests import Request
from punto.web.routes import Limit, Routes

Table = Annotated[str | None, Meta(description="Only those of this table.")]
Situation = Annotated[str | None, Meta(description="Only those of this situation.")]
Open = Annotated[bool | None, Meta(description="Only open ones, or only closed ones.")]
Day = Annotated[
    Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$")] | None, Meta(description="Only those of this gaming day.")
]

routes = Routes("floor")


@routes.get("/api/floor", FLOOR)
async def read_floor(request: Request) -> v.Floor:
    """Every table on the present gaming day, and what patrons owe; for an admin or a Pit Supervisor and above."""
    return await request.house.floor.now()


@routes.get("/api/floor.csv", FLOOR, media_type=CSV)
async def export_floor(request: Request) -> str:
    """The same figures as CSV."""
    figures = await request.house.floor.now()
    save_as(request, f"floor-{figures.day}.csv")
    return floor_csv(figures)


@routes.get("/api/floor/hours", FLOOR)
async def read_course(request: Request) -> list[v.FloorHour]:
    """Win and theoretical win of the present gaming day, hour by hour."""
    return await request.house.floor.course()


@routes.get("/api/incidents/history", STAFF)
async def list_past_incidents(
    request: Request,
    table: Table = None,
    situation: Situation = None,
    open: Open = None,  # noqa: A002 - the name of the parameter
    day: Day = None,
    limit: Limit = 100,
) -> list[v.PastIncident]:
    """Incidents with what was ruled, decided and changed, newest first; for staff."""
    log = request.house.incident_log
    return log.newest(limit, table=table, situation=situation, is_open=open, day=day)


@routes.get("/api/incidents/history.csv", STAFF, media_type=CSV)
async def export_incidents(
    request: Request,
    table: Table = None,
    situation: Situation = None,
    open: Open = None,  # noqa: A002 - the name of the parameter
    day: Day = None,
) -> str:
    """All of them as CSV; for staff."""
    save_as(request, "incidents.csv")
    found = request.house.incident_log.newest(None, table=table, situation=situation, is_open=open, day=day)
    return to_csv_file(INCIDENT_COLUMNS, map(asdict, found))
