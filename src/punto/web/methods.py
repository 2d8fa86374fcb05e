"""HEAD: answered as GET is, without the body."""

from __future__ import annotations

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

GET, HEAD = "GET", "HEAD"


class HeadAsGet:
    """An ASGI application that hands on a HEAD as the GET that it stands for, and sends no body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != ScopeType.HTTP or scope["method"] != HEAD:
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await self._app(cast("Any", scope | {"method": GET}), receive, send_without_body)


def with_head(allow: bytes) -> bytes:
    """The methods of an `Allow` header, with HEAD where there is GET."""
    methods = allow.decode().split(", ")
    return ", ".join(sorted({*methods, *[HEAD for each in methods if each == GET]})).encode()
