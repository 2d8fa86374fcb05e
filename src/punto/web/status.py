"""Health for those who watch servers; metrics for Prometheus."""

from __future__ import annotations

from http import HTTPStatus

from msgspec import UNSET
from msgspec.structs import replace
from prometheus_client import CONTENT_TYPE_LATEST

from punto.protocol.views import Alive, Health
from punto.web.access import PUBLIC
from punto.web.requests import Request
from punto.web.routes import Routes

routes = Routes("house")


@routes.get("/api/health/live", PUBLIC, unwell="The process must be started again")
async def live(request: Request) -> Alive:
    """The state of the process: 200 if it is of use, or 503 when it must be started again."""
    if request.house.health.alive:
        return Alive("ok")
    request.status = HTTPStatus.SERVICE_UNAVAILABLE
    return Alive("failed")


@routes.get("/api/health/ready", PUBLIC, unwell="Something is not well")
async def ready(request: Request) -> Health:
    """The readiness for terminals: 200, or 503 while they cannot be served; whatever is not well is named."""
    state = await request.house.health.ready()
    if state.status != "ok":
        request.status = HTTPStatus.SERVICE_UNAVAILABLE
    return state if request.viewer is not None and request.viewer.is_staff else replace(state, owner=UNSET)


@routes.get("/metrics", PUBLIC, media_type=CONTENT_TYPE_LATEST.removesuffix("; charset=utf-8"))
async def metrics(request: Request) -> bytes:
    """Counts, latencies and states in Prometheus' text form. They hold nobody's name and nobody's money."""
    return await request.house.figures()
