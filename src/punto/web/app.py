"""The edge as one ASGI application over a house."""

from __future__ import annotations

from litestar import Litestar
from litestar.config.compression import CompressionConfig
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.types import Message, Scope

from punto.service.house import House
from punto.web import floor, games, money, pages, people, status, tables
from punto.web.access import Gatekeeper, pass_gatekeeper
from punto.web.limits import Connections
from punto.web.logs import request_header
from punto.web.methods import with_head
from punto.web.openapi import MessageReferences, openapi_config
from punto.web.pages import NO_STORE, SECURITY_HEADER_PAIRS
from punto.web.problems import on_error
from punto.web.sockets import events, floor_events

COMPRESSION = CompressionConfig("gzip", minimum_size=1_024, gzip_compress_level=5, exclude_opt_key=pages.BUILT)
"""Of long answers to look-ups; the pages are compressed when they are built.

The length of a compressed answer can tell a secret that stands beside what a foreign page sent. No look-up answers with
a token, and no foreign page can look something up for a person: that takes a header that it may not send. What a POST
answers may be a token: `punto.web.posts` compresses nothing.
"""


END_CONNECTION = (b"connection", b"close")
"""A process that stops ends connections with an answer, so that no request is under way on one that it cuts."""


def make_app(house: House) -> Litestar:
    """The application. It serves the house; whoever made the house closes it."""
    origins, base_path = house.settings.origins, house.settings.server.base_path
    state = {
        "house": house,
        "gatekeeper": Gatekeeper(house),
        "connections": Connections(house.settings.edge),
        "pages": pages.built_pages(base_path),
    }
    routers = [games.ROUTER, tables.ROUTER, people.PEOPLE, money.ROUTER, people.HOUSE, floor.ROUTER]
    return Litestar(
        [*routers, *status.ROUTES, events, floor_events, pages.page],
        state=State(state),
        guards=[pass_gatekeeper],
        before_send=[_add_security_headers],
        compression_config=COMPRESSION,
        cors_config=_cors(origins) if origins else None,
        exception_handlers={Exception: on_error},
        openapi_config=openapi_config(base_path),
        plugins=[MessageReferences()],
        logging_config=None,
        debug=False,
    )


async def _add_security_headers(message: Message, scope: Scope) -> None:
    """Whatever answers, a refusal too: the headers that bind browsers, and a count."""
    if message["type"] == "http.response.start":
        own = [(name, with_head(value) if name.lower() == b"allow" else value) for name, value in message["headers"]]
        headers = [*own, *SECURITY_HEADER_PAIRS, request_header()]
        if scope["path"].startswith("/api/") and not any(name.lower() == b"cache-control" for name, _ in headers):
            headers.append(NO_STORE)
        message["headers"] = headers
        house: House = scope["litestar_app"].state.house
        if house.supervisor.closing:
            headers.append(END_CONNECTION)
        house.metrics.responses.labels(f"{message['status'] // 100}xx").inc()


def _cors(origins: tuple[str, ...]) -> CORSConfig:
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
    )
