"""Behind a proxy: whose request it is, as a trusted proxy tells it, and the prefix of every address."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Iterable
from typing import Any, cast
from urllib.parse import urlsplit

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send, WebSocketScope

from punto.service.settings import ForwardedBy, ServerSettings
from punto.web.logs import request_id

_ELEMENT = re.compile(r'\s*(\w+)\s*=\s*"?([^"]*)"?\s*')
SECURE = {"http": "https", "ws": "wss"}


class TrustedProxies:
    """Addresses and networks whose word is believed."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(each, strict=False) for each in networks]

    def __contains__(self, address: object) -> bool:
        found = ipaddress.ip_address(str(address))
        if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        return any(found in network for network in self._networks)


class BehindProxies:
    """An ASGI application that hands on requests as the client sent them to the outermost proxy.

    Each proxy adds the address that it was called from, so the client is the last address that is no trusted proxy.
    What stands before it is the client's own word.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings, trusted: TrustedProxies) -> None:
        self._app, self._forwarded, self._base = app, settings.forwarded, settings.base_path
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request under an id of its own."""
        request_id.set(secrets.token_hex(8))
        if scope["client"] and scope["client"][0] in self._trusted:
            self._believe(scope)
        # A proxy may have taken the prefix off already.
        if self._base and f"{scope['path']}/".startswith(f"{self._base}/"):
            scope["path"] = scope["path"].removeprefix(self._base) or "/"
            scope["raw_path"] = scope["raw_path"].removeprefix(self._base.encode()) or b"/"
        await self._app(scope, receive, send)

    def _believe(self, scope: HTTPScope | WebSocketScope) -> None:
        said = [value.decode("latin-1") for name, value in scope["headers"] if name == _HEADERS[self._forwarded]]
        hops = [each for line in said for each in line.split(",")]
        if self._forwarded is ForwardedBy.FORWARDED:
            elements = [{m[1].lower(): m[2] for m in map(_ELEMENT.fullmatch, hop.split(";")) if m} for hop in hops]
            addresses = [each.get("for", "") for each in elements]
            protocol = elements[-1].get("proto", "") if elements else ""
        else:
            addresses = hops
            protocol = next((value.decode("latin-1") for name, value in scope["headers"] if name == _PROTO), "")
        for said_address in reversed(addresses):
            if (address := _read_address(said_address)) is None:
                break
            scope["client"] = address, 0
            if address not in self._trusted:
                break
        if protocol.strip().lower() == "https":
            cast("dict[str, Any]", scope)["scheme"] = SECURE.get(scope["scheme"], scope["scheme"])


_HEADERS = {ForwardedBy.X_FORWARDED: b"x-forwarded-for", ForwardedBy.FORWARDED: b"forwarded"}
_PROTO = b"x-forwarded-proto"


def _read_address(said: str) -> str | None:
    """An address, with a port or without; None for what is no address."""
    said = said.strip()
    try:
        bare = said if said.count(":") > 1 and not said.startswith("[") else urlsplit(f"//{said}").hostname or ""
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return None
