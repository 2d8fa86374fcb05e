"""Requests and answers as the edge handles them, and how bodies and messages of sockets are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from punto.protocol.codec import Reader
from punto.protocol.refusals import TokenMissing
from punto.rules.refusals import Refused
from punto.service.people.person import Person
from punto.web.cookies import ACCOUNT_HEADER, token_in_cookie

if TYPE_CHECKING:
    from punto.service.house import House
    from punto.web.access import Gatekeeper

JSON = "application/json"
Headers = Mapping[str, str]
"""A request's headers by their names in lower case; of two with the same name the first."""


@dataclass(slots=True)
class Request:
    """A request, with what the application adds on its way to a handler."""

    method: str
    path: str
    query: str
    headers: Headers
    address: str
    """The address of the client, as far as it is known."""
    secure: bool = False
    """True if the client came by TLS."""
    body: bytes = b""
    last: bool = False
    """True if the connection ends with the answer."""
    version: str = "1.1"
    house: House = field(init=False)
    gatekeeper: Gatekeeper = field(init=False)
    viewer: Person | None = None
    """The person who asks; None is the public."""
    values: dict[str, str] = field(default_factory=dict)
    """The parameters of the path."""
    status: int | None = None
    """The status of the answer, where it is not the route's."""
    more_headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    """Headers of the answer that the handler adds."""

    @property
    def person(self) -> Person:
        """The person who asks; the public is asked for a token."""
        if self.viewer is None:
            raise Refused(TokenMissing())
        return self.viewer

    @property
    def token(self) -> str | None:
        """A program's own token, or that of the session that a page names; empty where it is not there."""
        return token_in(self.headers)


def token_in(headers: Headers) -> str | None:
    """The token in the headers of a request."""
    said = headers.get("authorization")
    if said is None and (account := headers.get(ACCOUNT_HEADER)) is not None:
        return token_in_cookie(headers, account) or ""
    if said is None:
        return None
    scheme, _, token = said.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


@dataclass(slots=True)
class Response:
    """An answer."""

    status: int
    body: bytes | AsyncIterator[bytes]
    headers: list[tuple[bytes, bytes]]


@cache
def _reader(kind: Any) -> Reader[Any]:
    return Reader(kind)


def read(text: bytes | str, kind: Any) -> Any:
    """A body or message of this kind; a Refused says what is wrong with it and where."""
    return _reader(kind).parse(text)
