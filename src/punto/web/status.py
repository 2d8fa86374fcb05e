"""Health for those who watch servers, metrics for Prometheus."""

from __future__ import annotations

import re
from http import HTTPStatus

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET
from msgspec.structs import replace

from punto.protocol.views import Alive, Health
from punto.web.access import Connection, house_of

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
GAUGES = frozenset({"tables", "tables_run_here", "subscribers", "people", "edge_connections"})
DEAD = ResponseSpec(Alive, description="The process must be started again", generate_examples=False)
NOT_READY = ResponseSpec(Health, description="Something is not well", generate_examples=False)


@get("/api/health/live", tags=["house"], responses={503: DEAD}, sync_to_thread=False)
def live(request: Connection) -> Response[Alive]:
    """Whether the process is of use: 200, or 503 when it must be started again."""
    alive = house_of(request).health.alive
    status = HTTPStatus.OK if alive else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(Alive("ok" if alive else "failed"), status_code=status)


@get("/api/health/ready", tags=["house"], responses={503: NOT_READY})
async def ready(request: Connection) -> Response[Health]:
    """Whether requests may be sent here: 200, or 503 while store, bus, leases, disk or a table are not well."""
    state = await house_of(request).health.ready()
    if (person := request.user) is None or not person.is_staff:
        state = replace(state, owner=UNSET)
    status = HTTPStatus.OK if state.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(state, status_code=status)


@get("/metrics", tags=["house"], media_type="text/plain", sync_to_thread=False)
def metrics(request: Connection) -> Response[str]:
    """Counts in Prometheus' text form. They hold nobody's name and nobody's money."""
    state = request.app.state
    counts = {
        **house_of(request).metrics(),
        **state.counts,
        "edge_connections": state.connections.count,
    }
    return Response(prometheus(counts), media_type=PROMETHEUS, headers={"Cache-Control": "no-store"})


def prometheus(counts: dict[str, int]) -> str:
    """Counts as Prometheus reads them."""
    lines = []
    for name, value in sorted(counts.items()):
        metric = "punto_" + re.sub(r"[^a-zA-Z0-9_]", "_", name)
        kind = "gauge" if name in GAUGES else "counter"
        lines += [f"# TYPE {metric} {kind}", f"{metric} {value}"]
    return "\n".join(lines) + "\n"


ROUTES = [live, ready, metrics]
