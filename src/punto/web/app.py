"""The edge as one application over a house: it answers requests, whatever brings them."""

from __future__ import annotations

import gzip
import secrets
import zlib
from collections.abc import AsyncIterator

from punto.protocol.refusals import MethodUnknown, RouteUnknown
from punto.rules.refusals import Refusal, Refused
from punto.service.house import House
from punto.web import openapi
from punto.web.access import GUARDED, Gatekeeper
from punto.web.limits import Counts
from punto.web.logs import request_header, request_id
from punto.web.openapi import ROUTES
from punto.web.pages import NO_STORE, SECURITY_HEADER_PAIRS, accepted, built_pages
from punto.web.problems import problem_response, refusal_of
from punto.web.proxies import TrustedProxies
from punto.web.requests import Request, Response
from punto.web.routes import Router

ROUTER = Router([*ROUTES, *openapi.routes.declared])
LOOK_UPS = ("GET", "HEAD")
COMPRESSED_BYTES = 1_024
"""Answers to look-ups from this length on are compressed; the pages are when they are built.

The length of a compressed answer can tell a secret that stands beside what a foreign page sent. No look-up answers with
a token, and no foreign page can look something up for a person: that takes a header that it may not send. What a POST
answers may be a token, and is never compressed.
"""
PREFLIGHT = [
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"Authorization, Content-Type, Idempotency-Key"),
    (b"access-control-max-age", b"600"),
]


class Application:
    """The application that answers requests over a house. Whoever made the house closes it."""

    def __init__(self, house: House) -> None:
        self.house, self.gatekeeper = house, Gatekeeper(house)
        self.terminals = Counts()
        """Open WebSockets: in all, of each person, and of those that are nobody's at each address."""
        self.proxies = TrustedProxies(house.settings.server.trusted_proxies)
        self._base, self._origins = house.settings.server.base_path, house.settings.origins
        self._pages = built_pages(self._base)

    def receive(self, request: Request) -> None:
        """Take a request in: under an id of its own, as the client sent it to the outermost proxy."""
        request_id.set(secrets.token_hex(8))
        request.house, request.gatekeeper = self.house, self.gatekeeper
        self.proxies.believe(request)
        # A proxy may have taken the prefix off already.
        if self._base and f"{request.path}/".startswith(f"{self._base}/"):
            request.path = request.path.removeprefix(self._base) or "/"

    async def answer(self, request: Request) -> Response:
        """Answer a request, whatever becomes of it."""
        try:
            response = await self._answer(request)
        except Exception as error:
            response = self.refuse(request, refusal_of(error, f"{request.method} {request.path}"))
        return self._finish(request, response)

    def refuse(self, request: Request, refusal: Refusal) -> Response:
        """A refusal as an answer, with the names of the bets of the table that the request is about."""
        hosts = self.house.registry.hosts
        sheet = hosts[table].followed.sheet if (table := request.values.get("table")) in hosts else None
        return problem_response(refusal, request.headers.get("accept-language", ""), sheet)

    def refuse_unread(self, refusal: Refusal) -> Response:
        """A refusal of what could not be read as a request."""
        return self._finish(None, problem_response(refusal))

    async def _answer(self, request: Request) -> Response:
        routes, values = ROUTER.find(request.path)
        if request.path.startswith(GUARDED):
            request.viewer = await self.gatekeeper.admit(request)
        else:
            self.gatekeeper.count_file(request.address)
        is_look_up = request.method in LOOK_UPS
        if (route := routes.get("GET" if is_look_up else request.method)) is not None:
            return await route.carry_out(request, values)
        if not routes and is_look_up:
            return self._pages.answer(request.path, request.headers.get("accept-encoding", ""))
        if not routes and not self._pages.is_page(request.path):
            raise Refused(RouteUnknown())
        allowed = {"OPTIONS", *(routes or ("GET",))}
        allow = ", ".join(sorted(allowed | ({"HEAD"} if "GET" in allowed else set()))).encode()
        response = Response(204, b"", []) if request.method == "OPTIONS" else self.refuse(request, MethodUnknown())
        response.headers.append((b"allow", allow))
        return response

    def _finish(self, request: Request | None, response: Response) -> Response:
        """Add what every answer has: the headers that bind browsers, and its place in the figures."""
        headers = response.headers
        if request is not None:
            self._fit(request, response)
        headers += [*SECURITY_HEADER_PAIRS, request_header()]
        self.house.metrics.responses.labels(f"{response.status // 100}xx").inc()
        return response

    def _fit(self, request: Request, response: Response) -> None:
        """Compress an answer and say who may keep it and which pages may read it."""
        headers = response.headers
        names = {name for name, _ in headers}
        if request.method in LOOK_UPS and b"content-encoding" not in names and b"vary" not in names:
            _compress(request, response)
        if (origin := request.headers.get("origin")) is not None and origin in self._origins:
            headers += [(b"access-control-allow-origin", origin.encode()), (b"vary", b"Origin")]
            if request.method == "OPTIONS":
                headers += PREFLIGHT
        if b"cache-control" not in names and request.path.startswith(("/api", "/metrics")):
            headers.append(NO_STORE)


def _compress(request: Request, response: Response) -> None:
    """Send a long answer in gzip to whoever accepts it."""
    body = response.body
    if isinstance(body, bytes) and len(body) < COMPRESSED_BYTES:
        return
    response.headers.append((b"vary", b"Accept-Encoding"))
    if not accepted(request.headers.get("accept-encoding", ""), ["gzip"]):
        return
    response.headers.append((b"content-encoding", b"gzip"))
    response.body = gzip.compress(body, 5) if isinstance(body, bytes) else _compressed(body)


async def _compressed(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    packer = zlib.compressobj(5, wbits=31)
    async for piece in pieces:
        if packed := packer.compress(piece):
            yield packed
    yield packer.flush()
