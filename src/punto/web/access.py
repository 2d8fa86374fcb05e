"""Who asks, and whether they may: tokens, origins, and how much in how short a time."""

from __future__ import annotations

from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from punto.rules.refusals import Refusal, RefusedError
from punto.service.house import House
from punto.service.people import Person
from punto.service.refusals import HouseCode
from punto.web.limits import Allowance
from punto.web.problems import EdgeCode, EdgeRefusedError

API = "/api/"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

T = TypeVar("T")
Connection = ASGIConnection[Any, Any, Any, Any]


def house_of(connection: Connection) -> House:
    """The house behind this edge."""
    return cast(House, connection.app.state.house)


def anyone(connection: Connection) -> Person | None:
    """Who asks; None is the public."""
    return cast("Person | None", connection.scope.get("user"))


def someone(connection: Connection) -> Person:
    """Who asks; the public is asked for a token."""
    if (person := anyone(connection)) is None:
        raise EdgeRefusedError(EdgeCode.TOKEN_MISSING)
    return person


def staff(connection: Connection) -> Person:
    """Who asks, of the staff; patrons are refused."""
    if not (person := someone(connection)).is_staff:
        raise EdgeRefusedError(EdgeCode.STAFF_ONLY)
    return person


def house_with(connection: Connection, table: str) -> House:
    """The house, if it has this table."""
    house = house_of(connection)
    if not house.has_table(table):
        raise RefusedError(HouseCode.TABLE_UNKNOWN, f"no table has the id {table!r}")
    return house


def granted(answer: T | Refusal) -> T:
    """What the house answers, unless it refuses."""
    if isinstance(answer, Refusal):
        raise RefusedError(answer.code, answer.message, answer.rule)
    return answer


def origin_allowed(connection: Connection, origins: tuple[str, ...]) -> bool:
    """Whether the page that asks, if a page asks, is one of ours or of an origin the house knows."""
    origin = connection.headers.get("origin")
    if origin is None or origin in origins:
        return True
    try:
        place = urlsplit(origin).netloc.lower()
    except ValueError:
        return False
    return place == connection.headers.get("host", "").lower() != ""


class Door:
    """Middleware before everything under /api: origin, token, allowance."""

    def __init__(self, app: ASGIApp, allowance: Allowance) -> None:
        self.app, self._allowance = app, allowance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or raise why not."""
        if scope["type"] == ScopeType.HTTP and scope["path"].startswith(API):
            await self._admit(ASGIConnection(scope, receive, send))
        await self.app(scope, receive, send)

    async def _admit(self, connection: Connection) -> None:
        house = house_of(connection)
        method = connection.scope["method"]  # type: ignore[typeddict-item]
        if method not in SAFE_METHODS and not origin_allowed(connection, house.settings.origins):
            raise EdgeRefusedError(EdgeCode.ORIGIN_REFUSED)
        client = connection.client
        asker = f"address {client.host if client else ''}"
        person = None
        if (header := connection.headers.get("authorization")) is not None:
            scheme, _, token = header.partition(" ")
            person = await house.people.authenticate(token.strip()) if scheme.lower() == "bearer" else None
            if person is not None:
                asker = f"person {person.id}"
        # Guessing tokens is counted too, against the address they come from.
        if not self._allowance.take(asker):
            raise EdgeRefusedError(EdgeCode.TOO_MANY_REQUESTS)
        if header is not None and person is None:
            raise EdgeRefusedError(EdgeCode.TOKEN_UNKNOWN)
        connection.scope["user"] = person
