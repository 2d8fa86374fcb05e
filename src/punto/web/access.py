"""Who asks, and whether they may: tokens, origins, and how much in how short a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import BaseRouteHandler
from litestar.types import HTTPScope, Scope

from punto.protocol import refusals as r
from punto.rules.refusals import Refusal, RefusedError
from punto.rules.sheet import Role
from punto.service.house import House
from punto.service.people.person import Person, may_watch_floor
from punto.table.refusals import NotPermitted
from punto.web.cookies import ACCOUNT_HEADER, token_in_cookie
from punto.web.limits import DAY_SECONDS, EVERYONE, RateLimiter

GUARDED = ("/api/", "/schema")
"""What passes the gatekeeper, by how its address begins; files of the pages and metrics are counted apart."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

T = TypeVar("T")
Connection = ASGIConnection[Any, Person | None, Any, Any]
"""Its `user` is whoever the gatekeeper found; None is the public."""
Headers = Mapping[str, str]
"""A request's headers by their names in lower case."""


def headers_of(scope: Scope) -> Headers:
    """The headers of a request. Of two with the same name the first counts."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(list(scope["headers"]))}


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    return scope["client"][0] if scope["client"] else ""


def token_in(headers: Headers) -> str | None:
    """The token of a request: a program's own, or that of the session that a page names; empty where it has none."""
    said = headers.get("authorization")
    if said is None and (account := headers.get(ACCOUNT_HEADER)) is not None:
        return token_in_cookie(headers, account) or ""
    if said is None:
        return None
    scheme, _, token = said.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def house_of(connection: Connection) -> House:
    """The house behind this edge."""
    house: House = connection.app.state.house
    return house


def require_person(connection: Connection) -> Person:
    """Who asks; the public is asked for a token."""
    if (person := connection.user) is None:
        raise RefusedError(r.TokenMissing())
    return person


def require_staff(connection: Connection) -> Person:
    """Who asks, of the staff; patrons are refused."""
    if not (person := require_person(connection)).is_staff:
        raise RefusedError(r.StaffOnly())
    return person


def require_floor(connection: Connection) -> Person:
    """Who asks, if they may see the figures of the floor."""
    return check_floor(require_person(connection))


def check_floor(person: Person | None) -> Person:
    """Someone who may see the figures of the floor; others are refused."""
    if person is None:
        raise RefusedError(r.TokenMissing())
    if not may_watch_floor(person):
        raise RefusedError(NotPermitted(Role.PIT_SUPERVISOR))
    return person


def house_of_table(connection: Connection, table: str) -> House:
    """The house, if it has this table."""
    house = house_of(connection)
    if table not in house.registry.hosts:
        raise RefusedError(r.TableUnknown(table))
    return house


def unwrap(answer: T | Refusal) -> T:
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
        self._house, self._rate_limiter = house, RateLimiter(edge.messages_per_second, edge.burst)
        self._files = RateLimiter(edge.files_per_second, edge.files_burst)
        self._joins = RateLimiter(edge.joins_a_day / DAY_SECONDS, edge.joins_a_day)
        self._joins_at = RateLimiter(edge.joins_a_day_per_address / DAY_SECONDS, edge.joins_a_day_per_address)

    async def admit(self, scope: HTTPScope, headers: Headers) -> Person | None:
        """Who sends a request (None is the public), or a RefusedError that says why they may not."""
        if scope["method"] not in SAFE_METHODS and not origin_allowed(headers, self._house.settings.origins):
            raise RefusedError(r.OriginRefused())
        return await self.identify(token_in(headers), address_of(scope))

    async def identify(self, token: str | None, address: str) -> Person | None:
        """Whose token this is, counted as one message of theirs; guesses and the public's count against the address."""
        person = await self._house.people.authenticate(token) if token is not None else None
        self.count(f"address {address}" if person is None else f"person {person.id}")
        if token is not None and person is None:
            raise RefusedError(r.TokenUnknown())
        return person

    def count_file(self, scope: HTTPScope) -> None:
        """Count a file of the pages, or a look at metrics; a RefusedError when there were too many in a short time."""
        if not self._files.take(address_of(scope)):
            raise RefusedError(r.TooManyRequests())

    def count_join(self, scope: Scope) -> None:
        """Count someone who comes in by the open door; a RefusedError when there were too many today."""
        if not self._joins_at.take(address_of(scope)) or not self._joins.take(EVERYONE):
            raise RefusedError(r.DoorFull())

    def count(self, asker: str) -> None:
        """Count one message of someone; a RefusedError when there were too many in a short time."""
        if not self._rate_limiter.take(asker):
            raise RefusedError(r.TooManyRequests())


async def pass_gatekeeper(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Guard: every request that costs something passes the gatekeeper, and is known by whom it found.

    `punto.web.posts` answers the POSTs. One that comes here spells its address in another way.
    """
    scope = connection.scope
    if scope["type"] != ScopeType.HTTP:
        return
    gatekeeper: Gatekeeper = connection.app.state.gatekeeper
    if not scope["path"].startswith(GUARDED):
        gatekeeper.count_file(scope)
    else:
        scope["user"] = await gatekeeper.admit(scope, headers_of(scope))
        if scope["method"] == "POST":
            raise RefusedError(r.RouteUnknown())
