"""Health for those who watch servers, metrics for Prometheus."""

from __future__ import annotations

from http import HTTPStatus

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import UNSET
from msgspec.structs import replace
from prometheus_client import CONTENT_TYPE_LATEST

from punto.protocol.views import Alive, Health
from punto.web.access import Connection, house_of

DEAD = ResponseSpec(Alive, description="The process must be started again", generate_examples=False)
METRICS_TEXT = CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8")
"""The framework adds the character set of any text."""
NOT_READY = ResponseSpec(Health, description="Something is not well", generate_examples=False)


@get("/api/health/live", tags=["house"], responses={503: DEAD}, sync_to_thread=False)
def live(request: Connection) -> Response[Alive]:
    """Whether the process is of use: 200, or 503 when it must be started again."""
    alive = house_of(request).health.alive
    status = HTTPStatus.OK if alive else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(Alive("ok" if alive else "failed"), status_code=status)


@get("/api/health/ready", tags=["house"], responses={503: NOT_READY})
async def ready(request: Connection) -> Response[Health]:
    """Whether terminals can be served here: 200, or 503 while not; whatever is not well is named."""
    state = await house_of(request).health.ready()
    if (person := request.user) is None or not person.is_staff:
        state = replace(state, owner=UNSET)
    status = HTTPStatus.OK if state.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(state, status_code=status)


@get("/metrics", tags=["house"], media_type="text/plain")
async def metrics(request: Connection) -> Response[bytes]:
    """Counts, latencies and states in Prometheus' text form. They hold nobody's name and nobody's money."""
    house = house_of(request)
    house.metrics.connections.set(request.app.state.connections.count)
    return Response(await house.figures(), media_type=METRICS_TEXT, headers={"Cache-Control": "no-store"})


ROUTES = [live, ready, metrics]
