"""Every POST: read, carried out and answered here, and nowhere else; messages of sockets are read as strictly.

Bets come by the thousand in the last second of a betting time. The framework takes as long to route, read and answer
one as all the rest takes together. It still knows these routes, for the OpenAPI document and for other methods.
"""

from __future__ import annotations

import asyncio
import re
from functools import cache
from typing import Any, cast

import msgspec
from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import HTTPReceiveMessage, HTTPScope, Receive, Scope, Send

from punto.protocol.codec import AnyCommand, Reader
from punto.protocol.refusals import BodyLate, FieldInvalid, MediaTypeUnknown, PayloadTooLarge, RequestUnreadable
from punto.rules.reasons import Problem, Wanted
from punto.rules.refusals import FieldMissing, FieldType, FieldUnknown, Refusal, RefusedError, Unreadable
from punto.service.house import House
from punto.service.replies import refuse_key
from punto.table.refusals import CommandUnknown
from punto.web.access import Gatekeeper, Headers, headers_of
from punto.web.logs import request_header
from punto.web.pages import NO_STORE, SECURITY_HEADER_PAIRS
from punto.web.problems import problem_details, refusal_of

JSON = "application/json"
SET_COOKIE = "punto.set_cookie"
"""Where a handler leaves the cookie of its answer, in the scope of its request."""
BODY_SECONDS = 10


class Posts:
    """An ASGI application around the framework's: it answers POSTs, the framework all else.

    A handler is given its request, the parameters of its path and, where it names them, `data` and `idempotency_key`.
    """

    def __init__(self, app: Litestar) -> None:
        house: House = app.state.house
        self._app, self._limits, self._origins = app, house.settings.edge, house.settings.origins
        self._gatekeeper: Gatekeeper = app.state.gatekeeper
        self._responses = house.metrics.responses
        self._routes = [
            (re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route.path_format)), handler)
            for route in app.routes
            if isinstance(route, HTTPRoute)
            for handler in route.route_handlers
            if "POST" in handler.http_methods
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            for pattern, handler in self._routes:
                if found := pattern.fullmatch(scope["path"]):
                    scope["litestar_app"], scope["path_params"] = self._app, found.groupdict()
                    await self._answer(handler, scope, receive, send)
                    return
        await self._app(scope, receive, send)

    async def _answer(self, handler: HTTPRouteHandler, scope: HTTPScope, receive: Receive, send: Send) -> None:
        headers = headers_of(scope)
        try:
            body = msgspec.json.encode(await self._carry_out(handler, scope, headers, receive))
            status, start = int(handler.status_code), [(b"content-type", JSON.encode())]
        except Exception as error:
            problem, more = problem_details(ASGIConnection(scope), refusal_of(error, f"POST {scope['path']}"))
            body, status = msgspec.json.encode(problem), problem.status
            start = [(name.encode(), value.encode()) for name, value in more.items()]
        if (origin := headers.get("origin")) is not None and origin in self._origins:
            start += [(b"access-control-allow-origin", origin.encode()), (b"vary", b"Origin")]
        if (cookie := cast("bytes | None", scope.get(SET_COOKIE))) is not None:
            start.append((b"set-cookie", cookie))
        start += [(b"content-length", b"%d" % len(body)), NO_STORE, *SECURITY_HEADER_PAIRS, request_header()]
        self._responses.labels(f"{status // 100}xx").inc()
        await send({"type": "http.response.start", "status": status, "headers": start})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _carry_out(self, handler: HTTPRouteHandler, scope: HTTPScope, headers: Headers, receive: Receive) -> Any:
        scope["user"] = await self._gatekeeper.admit(scope, headers)
        arguments: dict[str, object] = dict(scope["path_params"])
        if (data := handler.parsed_data_field) is not None:
            limit = self._limits.stranger_bytes if scope["user"] is None else self._limits.payload_bytes
            arguments["data"] = await self._read_data(headers, receive, data.annotation, limit)
        if "idempotency_key" in handler.parsed_fn_signature.parameters:
            arguments["idempotency_key"] = key = headers.get("idempotency-key")
            if refuse_key(key) is not None:
                raise RefusedError(FieldInvalid("Idempotency-Key"))
        return await handler.fn(request=ASGIConnection(scope), **arguments)

    async def _read_data(self, headers: Headers, receive: Receive, kind: Any, limit: int) -> Any:
        """A body, which must be marked as JSON: a form that a foreign page can send without asking is not."""
        if int(headers.get("content-length", 0)) > limit:
            raise RefusedError(PayloadTooLarge())
        body = await read_body(receive, limit)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise RefusedError(MediaTypeUnknown())
        return read(body, kind)


# ------------------------------------------------------------------------------------------- reading


def read(text: bytes | str, kind: Any) -> Any:
    """A body or message of this kind; a RefusedError says what is wrong with it and where."""
    try:
        return _reader(kind).parse(text)
    except RefusedError as error:
        raise RefusedError(_of_request(error.refusal, kind)) from None


@cache
def _reader(kind: Any) -> Reader[Any]:
    return Reader(kind)


def _of_request(refusal: Refusal, kind: Any) -> Refusal:
    """What the edge says of a body that cannot be read. What is wrong inside a command is for the table to say."""
    match refusal:
        case Unreadable(problem=Problem.RECORD_NOT_OBJECT):
            return FieldInvalid("", Wanted.OBJECT)
        case Unreadable():
            return RequestUnreadable(refusal.problem)
        case _ if kind is AnyCommand:
            return refusal
        case FieldMissing() | FieldType():
            return FieldInvalid(refusal.where, refusal.wanted, refusal.known)
        case FieldUnknown():
            return FieldInvalid(refusal.name, Wanted.ONE_OF, refusal.known)
        case CommandUnknown():
            return FieldInvalid("type", Wanted.ONE_OF, refusal.known)
    return refusal


async def read_body(receive: Receive, limit: int) -> bytes:
    """The whole body of a request; a RefusedError where it is larger than the limit, or does not come in time."""
    task, late, body = asyncio.current_task(), False, b""

    def give_up() -> None:
        nonlocal late
        late = True
        if task is not None:
            task.cancel()

    # As asyncio.timeout does it, at a third of the cost, which every bet pays.
    timer = asyncio.get_running_loop().call_later(BODY_SECONDS, give_up)
    try:
        while True:
            event = cast(HTTPReceiveMessage, await receive())
            if event["type"] == "http.disconnect":
                raise RefusedError(BodyLate())
            body += event["body"]
            if len(body) > limit:
                raise RefusedError(PayloadTooLarge())
            if not event["more_body"]:
                return body
    except asyncio.CancelledError:
        if late and task is not None and task.uncancel() == 0:
            raise RefusedError(BodyLate()) from None
        raise
    finally:
        timer.cancel()
