"""The floor over HTTP: its figures now, as a file, and the incidents of the past; for the pit desk."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, get
from litestar.params import QueryParameter

from punto.protocol import views as v
from punto.web.access import Connection, house_of, require_floor, require_staff
from punto.web.exports import CSV, floor_csv
from punto.web.tables import STAFF_REFUSALS, Limit

Table = Annotated[str | None, QueryParameter(description="Only those of this table.")]
Situation = Annotated[str | None, QueryParameter(description="Only those of this situation.")]
Open = Annotated[bool | None, QueryParameter(name="open", description="Only open ones, or only closed ones.")]
Day = Annotated[str | None, QueryParameter(pattern=r"^\d{4}-\d\d-\d\d$", description="Only those of this gaming day.")]


@get("/floor", responses=STAFF_REFUSALS)
async def read_floor(request: Connection) -> v.Floor:
    """Every table on the present gaming day, and what patrons owe; for an admin or a Pit Supervisor and above."""
    require_floor(request)
    return await house_of(request).floor.now()


@get("/floor.csv", responses=STAFF_REFUSALS, media_type=CSV)
async def export_floor(request: Connection) -> Response[str]:
    """The same figures as CSV."""
    require_floor(request)
    figures = await house_of(request).floor.now()
    headers = {"Content-Disposition": f'attachment; filename="floor-{figures.day}.csv"', "Cache-Control": "no-store"}
    return Response(floor_csv(figures), media_type=f"{CSV}; charset=utf-8", headers=headers)


@get("/incidents/history", responses=STAFF_REFUSALS, sync_to_thread=False)
def list_past_incidents(
    request: Connection,
    table: Table = None,
    situation: Situation = None,
    is_open: Open = None,
    day: Day = None,
    limit: Limit = 100,
) -> list[v.PastIncident]:
    """Incidents with what was ruled, decided and changed, newest first; for staff."""
    require_staff(request)
    log = house_of(request).incident_log
    return log.newest(limit, table=table, situation=situation, is_open=is_open, day=day)


ROUTER = Router("/api", tags=["floor"], route_handlers=[read_floor, export_floor, list_past_incidents])
