"""Access: who asks, and whether they may, by tokens, origins, and how much in how short a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar
from urllib.parse import urlsplit

from punto.protocol import refusals as r
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Role
from punto.service.house import House
from punto.service.people.person import ADMIN_ROLE, Person, may_admit, may_set_up
from punto.table.actor import PATRON_ROLE
from punto.table.refusals import NotPermitted
from punto.web.limits import DAY_SECONDS, EVERYONE, RateLimiter
from punto.web.requests import Headers, Request

GUARDED = ("/api/", "/schema")
"""The beginnings of addresses that pass the gatekeeper; files of the pages and metrics are counted apart."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

T = TypeVar("T")


Who = Callable[[Person | None], Refusal | None]
"""Those who may ask for something: why anyone else may not."""


def _known(refuse: Callable[[Person], Refusal | None]) -> Who:
    """Of those with a token all whom `refuse` does not refuse."""
    return lambda viewer: r.TokenMissing() if viewer is None else refuse(viewer)


def PUBLIC(_viewer: Person | None) -> None:  # noqa: N802 - one of those below
    """Everyone."""


PERSON = _known(lambda _: None)
STAFF = _known(lambda person: None if person.is_staff else r.StaffOnly())
FLOOR = _known(lambda person: None if may_set_up(person) else NotPermitted(Role.PIT_SUPERVISOR))
PIT_MANAGER = _known(lambda person: None if person.at_least(Role.PIT_MANAGER) else NotPermitted(Role.PIT_MANAGER))
ADMIN = _known(lambda person: None if person.role == ADMIN_ROLE else NotPermitted(ADMIN_ROLE))
ADMITTING = _known(lambda person: None if may_admit(person, PATRON_ROLE) else NotPermitted(Role.PIT_MANAGER))


def house_of_table(request: Request, table: str) -> House:
    """The house, if it has this table."""
    if table not in request.house.registry.hosts:
        raise Refused(r.TableUnknown(table))
    return request.house


def unwrap(answer: T | Refusal) -> T:
    """The house's answer, unless it refuses."""
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return answer


def origin_allowed(headers: Headers, origins: tuple[str, ...]) -> bool:
    """True if the page that asks, if a page asks, is one of ours or of an origin the house knows."""
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

    async def admit(self, request: Request) -> Person | None:
        """The sender of a request (None is the public), or a Refused that says why they may not."""
        acts = request.method not in SAFE_METHODS or "upgrade" in request.headers
        if acts and not origin_allowed(request.headers, self._house.settings.origins):
            raise Refused(r.OriginRefused())
        return await self.identify(request.token, request.address)

    async def identify(self, token: str | None, address: str) -> Person | None:
        """The owner of a token, with one message counted; guesses and the public count against the address."""
        person = await self._house.people.authenticate(token) if token is not None else None
        self.count(f"address {address}" if person is None else f"person {person.id}")
        if token is not None and person is None:
            self._house.metrics.tokens_refused.inc()
            raise Refused(r.TokenUnknown())
        return person

    def count_file(self, address: str) -> None:
        """Count a file of the pages, or a look at metrics; a Refused when there were too many in a short time."""
        if not self._files.take(address):
            raise Refused(r.TooManyRequests())

    def count_join(self, address: str) -> None:
        """Count someone who comes in by the open door; a Refused when there were too many today."""
        if not self._joins_at.take(address) or not self._joins.take(EVERYONE):
            raise Refused(r.DoorFull())

    def take(self, person: Person) -> bool:
        """Count one message of someone; whether they may send it."""
        return self._rate_limiter.take(f"person {person.id}")

    def count(self, asker: str) -> None:
        """Count one message of someone; a Refused when there were too many in a short time."""
        if not self._rate_limiter.take(asker):
            raise Refused(r.TooManyRequests())
