"""Routes: each declares its path, who may ask, what it takes and answers, and how it may be refused.

The parameters of a handler say the rest: those named in the path, `body`, `key` (the idempotency key), and any other is
a parameter of the query. The OpenAPI document is made from the same declarations.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partialmethod
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta

from punto.protocol.codec import field_type
from punto.protocol.refusals import MediaTypeUnknown, PayloadTooLarge, RouteUnknown
from punto.rules.refusals import Refused
from punto.service.replies import KEY_LENGTH
from punto.web.access import PUBLIC, Who, unwrap
from punto.web.requests import JSON, Request, Response, read

S = HTTPStatus
Handler = Callable[..., Awaitable[Any]]
Key = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=KEY_LENGTH,
        pattern=r"^[!-~]+$",
        description="Chosen by the client, new for each command and the same for each retry of it.",
    ),
]
Limit = Annotated[int, Meta(ge=1, le=500)]
KEY_HEADER = "Idempotency-Key"
ALWAYS_POSSIBLE = (S.BAD_REQUEST, S.UNAUTHORIZED, S.TOO_MANY_REQUESTS, S.SERVICE_UNAVAILABLE)
OF_POSTS = S.FORBIDDEN, S.REQUEST_TIMEOUT, S.REQUEST_ENTITY_TOO_LARGE, S.UNSUPPORTED_MEDIA_TYPE, S.UNPROCESSABLE_ENTITY
_PLACE = re.compile(r"\$\.(\w+)")
_PATH_PARAMETER = re.compile(r"{(\w+)}")
_encode = msgspec.json.Encoder().encode
DECLARED: list[Route] = []
"""Every route of every module that was read."""


@dataclass(frozen=True, slots=True)
class Route:
    """A method of an address."""

    method: str
    path: str
    handler: Handler
    who: Who
    tag: str
    """The heading in the OpenAPI document, which leaves out routes without one."""
    in_path: dict[str, Any]
    """The types of the parameters in the path, in order."""
    query: type[msgspec.Struct]
    """The parameters of the query."""
    body: Any
    """The type of the body; None for a route without one."""
    key: bool
    status: HTTPStatus
    media_type: str
    answer: Any
    refuses: tuple[HTTPStatus, ...]
    unwell: str
    """The meaning of its answer with the status 503."""

    @property
    def about(self) -> str:
        """The description."""
        return inspect.getdoc(self.handler) or ""

    async def carry_out(self, request: Request, values: list[str]) -> Response:
        """Answer a request to which nobody has objected yet."""
        request.values = dict(zip(self.in_path, values, strict=True))
        unwrap(self.who(request.viewer))
        arguments = {name: _convert(request.values[name], kind) for name, kind in self.in_path.items()}
        if self.query.__struct_fields__:
            arguments |= self._read_query(request.query)
        if self.body is not None:
            arguments["body"] = self._read_body(request)
        if self.key:
            arguments["key"] = request.headers.get("idempotency-key", "")
        answer = await self.handler(request, **arguments)
        kind = f"{self.media_type}; charset=utf-8" if self.media_type.startswith("text/") else self.media_type
        if self.media_type == JSON:
            answer = _encode(answer)
        elif isinstance(answer, str):
            answer = answer.encode()
        headers = [(b"content-type", kind.encode()), *request.more_headers]
        return Response(request.status or self.status, answer, headers)

    def _read_query(self, query: str) -> dict[str, Any]:
        """The parameters of the query. Numbers are whole and written as numbers are: `1e2` and `null` are none."""
        given = dict(parse_qsl(query, keep_blank_values=True))
        try:
            found = msgspec.structs.asdict(msgspec.convert(given, self.query, strict=False))
        except msgspec.ValidationError as error:
            found = dict.fromkeys(_PLACE.findall(str(error)))
        for each in msgspec.structs.fields(self.query):
            name = each.name
            written = str(found[name]) if type(found.get(name)) is int else given.get(name)
            if name in found and name in given and (found[name] is None or written != given[name]):
                raise field_type(name, each.type, given[name])
        return found

    def _read_body(self, request: Request) -> Any:
        """The body, which must be marked as JSON: a form that a foreign page can send without asking is not."""
        if request.viewer is None and len(request.body) > request.house.settings.edge.stranger_bytes:
            raise Refused(PayloadTooLarge())
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise Refused(MediaTypeUnknown())
        return read(request.body, self.body)


def _convert(value: str, kind: Any) -> Any:
    """A part of a path. One that cannot be meant names no address."""
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        raise Refused(RouteUnknown()) from None


class Routes:
    """The routes of one module, under one heading of the OpenAPI document."""

    def __init__(self, tag: str = "") -> None:
        self._tag, self.declared = tag, list[Route]()

    def _declare(
        self,
        method: str,
        path: str,
        who: Who,
        *refuses: HTTPStatus,
        status: HTTPStatus = S.OK,
        media_type: str = JSON,
        unwell: str = "",
    ) -> Callable[[Handler], Handler]:
        named = _PATH_PARAMETER.findall(path)
        of_route = {S.FORBIDDEN: who != PUBLIC, S.NOT_FOUND: bool(named)}
        possible = {
            *ALWAYS_POSSIBLE,
            *(OF_POSTS if method == "POST" else ()),
            *refuses,
            *[each for each in of_route if of_route[each]],
        }

        def declare(handler: Handler) -> Handler:
            hints = typing.get_type_hints(handler, include_extras=True)
            query = [
                (each.name, hints[each.name], each.default)
                for each in inspect.signature(handler).parameters.values()
                if each.name not in {*named, "request", "body", "key"}
            ]
            route = Route(
                method,
                path,
                handler,
                who,
                self._tag,
                in_path={name: hints[name] for name in named},
                query=msgspec.defstruct("Query", query),
                body=hints.get("body"),
                key="key" in hints,
                status=status,
                media_type=media_type,
                answer=hints["return"],
                refuses=tuple(sorted(possible)),
                unwell=unwell,
            )
            self.declared.append(route)
            DECLARED.append(route)
            return handler

        return declare

    get, post = partialmethod(_declare, "GET"), partialmethod(_declare, "POST")


class Router:
    """Finds the routes of an address among those with as many parts."""

    def __init__(self, routes: Iterable[Route]) -> None:
        addresses = dict[str, dict[str, Route]]()
        for route in routes:
            addresses.setdefault(route.path, {})[route.method] = route
        self._addresses = dict[int, list[tuple[re.Pattern[str], dict[str, Route]]]]()
        for path, found in addresses.items():
            pattern = "([^/]+)".join(map(re.escape, _PATH_PARAMETER.split(path)[::2]))
            self._addresses.setdefault(path.count("/"), []).append((re.compile(pattern), found))

    def find(self, path: str) -> tuple[dict[str, Route], list[str]]:
        """The routes of an address by their method, none where there is no such address; the values in its path."""
        for pattern, routes in self._addresses.get(path.count("/"), ()):
            if found := pattern.fullmatch(path):
                return routes, list(found.groups())
        return {}, []
