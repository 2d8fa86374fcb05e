"""Every POST: read, carried out and answered here, and nowhere else.

Bets come by the thousand in the last second of a betting time. The framework takes as long to route, read and answer
one as all the rest takes together. It still knows these routes, for the OpenAPI document and for other methods.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec
from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import HTTPScope, Receive, Scope, Send

from punto.protocol.refusals import FieldInvalid, MediaTypeUnknown, PayloadTooLarge
from punto.rules.refusals import RefusedError
from punto.service.house import House
from punto.service.replies import refuse_key
from punto.web.access import Gatekeeper, Headers, headers_of
from punto.web.pages import BINDING
from punto.web.problems import details, refusal_of
from punto.web.requests import read, read_body

JSON = "application/json"


class Posts:
    """An ASGI application around the framework's: it answers POSTs, the framework all else.

    A handler is given its request, the parameters of its path and, where it names them, `data` and `idempotency_key`.
    """

    def __init__(self, app: Litestar) -> None:
        house: House = app.state.house
        self._app, self._payload_bytes, self._origins = app, house.settings.edge.payload_bytes, house.settings.origins
        self._gatekeeper: Gatekeeper = app.state.gatekeeper
        self._counts: Counter[str] = app.state.counts
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
            problem, more = details(ASGIConnection(scope), refusal_of(error, f"POST {scope['path']}"))
            body, status = msgspec.json.encode(problem), problem.status
            start = [(name.encode(), value.encode()) for name, value in more.items()]
        if (origin := headers.get("origin")) is not None and origin in self._origins:
            start += [(b"access-control-allow-origin", origin.encode()), (b"vary", b"Origin")]
        start += [(b"content-length", b"%d" % len(body)), *BINDING]
        self._counts[f"edge_responses_{status // 100}xx"] += 1
        await send({"type": "http.response.start", "status": status, "headers": start})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _carry_out(self, handler: HTTPRouteHandler, scope: HTTPScope, headers: Headers, receive: Receive) -> Any:
        scope["user"] = await self._gatekeeper.admit(scope, headers)
        arguments: dict[str, object] = dict(scope["path_params"])
        if (data := handler.parsed_data_field) is not None:
            arguments["data"] = await self._read_data(headers, receive, data.annotation)
        if "idempotency_key" in handler.parsed_fn_signature.parameters:
            arguments["idempotency_key"] = key = headers.get("idempotency-key")
            if refuse_key(key) is not None:
                raise RefusedError(FieldInvalid("Idempotency-Key"))
        return await handler.fn(request=ASGIConnection(scope), **arguments)

    async def _read_data(self, headers: Headers, receive: Receive, kind: Any) -> Any:
        """A body, which must be marked as JSON: a form that a foreign page can send without asking is not."""
        if int(headers.get("content-length", 0)) > self._payload_bytes:
            raise RefusedError(PayloadTooLarge())
        body = await read_body(receive, self._payload_bytes)
        if headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise RefusedError(MediaTypeUnknown())
        return read(body, kind)
