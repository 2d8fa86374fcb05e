"""The shortcut that bets take: a plain POST of a command is answered here, before the framework is asked.

Bets come by the thousand in the last second of a betting time, and routing, parsing and building a response in general
costs more than deciding one. What is not plain (no key, another media type, a page of a foreign origin, a body in
pieces) goes the long way, whose answers are the same: `tests/web/test_shortcut.py` holds one against the other.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Receive, Scope, Send

from punto.service.house import House
from punto.service.replies import refuse_key
from punto.web.access import Gatekeeper, Headers
from punto.web.pages import BINDING
from punto.web.problems import PROBLEM_MEDIA, details, refusal_of
from punto.web.requests import JSON, read_body, read_json
from punto.web.tables import obey

_COMMANDS = re.compile(r"/api/tables/([a-z0-9-]+)/commands")
_DIGITS = len(str(2**31))


def _written(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [*[(name.encode(), value.encode()) for name, value in headers.items()], *BINDING]


_DONE = _written({"content-type": JSON})
"""The headers of most answers."""


class Shortcut:
    """An ASGI application around the whole one: it answers plain commands itself and hands on all the rest."""

    def __init__(self, app: Litestar) -> None:
        self._app = app
        self._house: House = app.state.house
        self._gatekeeper: Gatekeeper = app.state.gatekeeper
        self._counts: Counter[str] = app.state.counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if (
            scope["type"] == ScopeType.HTTP
            and scope["method"] == "POST"
            and (found := _COMMANDS.fullmatch(scope["path"]))
        ):
            sent = list(scope["headers"])
            headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in sent}
            once = len(headers) == len(sent)  # which of two headers of a name counts is not for us to say
            if once and self._house.has_table(found[1]) and self._is_plain(headers):
                await self._answer(scope, found[1], headers, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_plain(self, headers: Headers) -> bool:
        """Whether nothing is left to find out but who asks and what for."""
        length = headers.get("content-length", "")
        return (
            headers.get("content-type") == JSON
            and length.isdecimal()
            and len(length) <= _DIGITS
            and 0 < int(length) <= self._house.settings.edge.payload_bytes
            and "authorization" in headers
            and refuse_key(headers.get("idempotency-key")) is None
            and ("origin" not in headers or not self._house.settings.origins)
        )

    async def _answer(self, scope: HTTPScope, table: str, headers: Headers, receive: Receive, send: Send) -> None:
        more = _DONE
        try:
            said: Any = await self._obey(scope, table, headers, receive)
            status = 200
        except Exception as error:
            said, names = details(*refusal_of(error, f"POST {scope['path']}"))
            status, more = said.status, _written({"content-type": PROBLEM_MEDIA} | names)
        body = msgspec.json.encode(said)
        self._counts[f"edge_responses_{status // 100}xx"] += 1
        start = [(b"content-length", b"%d" % len(body)), *more]
        await send({"type": "http.response.start", "status": status, "headers": start})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _obey(self, scope: HTTPScope, table: str, headers: Headers, receive: Receive) -> dict[str, Any]:
        client = scope["client"]
        person = await self._gatekeeper.admit("POST", headers, client[0] if client else "")
        if person is None:
            raise AssertionError("a request with a token is someone's or is refused")
        command = read_json(await read_body(receive), dict[str, Any])
        return await obey(self._house, person, table, command, headers["idempotency-key"])
