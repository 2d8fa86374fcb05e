"""Who asks, and whether they may: tokens, origins, and how much in how short a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from punto.protocol.refusals import (
    OriginRefused,
    RouteUnknown,
    StaffOnly,
    TableUnknown,
    TokenMissing,
    TokenUnknown,
    TooManyRequests,
)
from punto.rules.refusals import Refusal, RefusedError
from punto.service.house import House
from punto.service.people.person import Person
from punto.web.limits import Allowance

GUARDED = ("/api/", "/schema")
"""What passes the gatekeeper, by how its address begins: not pages, which are files, nor metrics."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

T = TypeVar("T")
Connection = ASGIConnection[Any, Any, Any, Any]
Headers = Mapping[str, str]
"""A request's headers by their names in lower case."""


def headers_of(scope: Scope) -> Headers:
    """The headers of a request. Of two with the same name the first counts."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(list(scope["headers"]))}


def house_of(connection: Connection) -> House:
    """The house behind this edge."""
    house: House = connection.app.state.house
    return house


def anyone(connection: Connection) -> Person | None:
    """Who asks; None is the public."""
    person: Person | None = connection.scope.get("user")
    return person


def someone(connection: Connection) -> Person:
    """Who asks; the public is asked for a token."""
    if (person := anyone(connection)) is None:
        raise RefusedError(TokenMissing())
    return person


def staff(connection: Connection) -> Person:
    """Who asks, of the staff; patrons are refused."""
    if not (person := someone(connection)).is_staff:
        raise RefusedError(StaffOnly())
    return person


def house_with(connection: Connection, table: str) -> House:
    """The house, if it has this table."""
    house = house_of(connection)
    if table not in house.registry.hosts:
        raise RefusedError(TableUnknown(table))
    return house


def granted(answer: T | Refusal) -> T:
    """What the house answers, unless it refuses."""
    if isinstance(answer, Refusal):
        raise RefusedError(answer)
    return answer


def origin_allowed(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Whether the page that asks, if a page asks, is one of ours or of an origin the house knows."""
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    try:
        place = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    return place == headers.get("host", "").lower() != ""


class Gatekeeper:
    """Before everything that costs something: origin, token, allowance. The same for requests and for WebSockets."""

    def __init__(self, house: House) -> None:
        edge = house.settings.edge
        self._house, self._allowance = house, Allowance(edge.messages_per_second, edge.burst)

    async def admit(self, scope: HTTPScope, headers: Headers) -> Person | None:
        """Who sends a request (None is the public), or a RefusedError that says why they may not."""
        if scope["method"] not in SAFE_METHODS and not origin_allowed(headers, self._house.settings.origins):
            raise RefusedError(OriginRefused())
        token = headers.get("authorization")
        if token is not None:
            scheme, _, token = token.partition(" ")
            token = token.strip() if scheme.lower() == "bearer" else ""
        return await self.identify(token, scope["client"][0] if scope["client"] else "")

    async def identify(self, token: str | None, address: str) -> Person | None:
        """Whose token this is, counted as one message of theirs; guesses and the public's count against the address."""
        person = await self._house.people.authenticate(token) if token is not None else None
        self.count(f"address {address}" if person is None else f"person {person.id}")
        if token is not None and person is None:
            raise RefusedError(TokenUnknown())
        return person

    def count(self, asker: str) -> None:
        """Count one message of someone; a RefusedError when there were too many in a short time."""
        if not self._allowance.take(asker):
            raise RefusedError(TooManyRequests())


class GatekeeperMiddleware:
    """Middleware: every request that costs something passes the gatekeeper, and is known by whom it found.

    `punto.web.posts` answers the POSTs. One that comes here spells its address in another way.
    """

    def __init__(self, app: ASGIApp, gatekeeper: Gatekeeper) -> None:
        self.app, self._gatekeeper = app, gatekeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or raise why not."""
        if scope["type"] == ScopeType.HTTP and scope["path"].startswith(GUARDED):
            scope["user"] = await self._gatekeeper.admit(scope, headers_of(scope))
            if scope["method"] == "POST":
                raise RefusedError(RouteUnknown())
        await self.app(scope, receive, send)
