"""Behind a proxy: whose request it is, as a trusted proxy tells it in `X-Forwarded-For` and `X-Forwarded-Proto`."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

from punto.web.requests import Request

log = logging.getLogger("punto.web")
FORWARDED_FOR, FORWARDED_PROTO = "x-forwarded-for", "x-forwarded-proto"


class TrustedProxies:
    """Addresses and networks whose word is believed."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(each, strict=False) for each in networks]
        self._told = False

    def __contains__(self, address: object) -> bool:
        if not self._networks:
            return False
        found = ipaddress.ip_address(str(address))
        if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        return any(found in network for network in self._networks)

    def believe(self, request: Request) -> None:
        """Put the client in place of the proxy that brings a request.

        Each proxy adds the address that it was called from, so the client is the last address that is no trusted proxy.
        What stands before it is the client's own word.
        """
        if request.address not in self:
            if FORWARDED_FOR in request.headers and not self._told:
                self._told = True
                log.warning(
                    "%s speaks for others, but is not among server.trusted_proxies: all of them share the allowance of "
                    "one address",
                    request.address,
                )
            return
        for said in reversed(request.headers.get(FORWARDED_FOR, "").split(",")):
            if (address := _read_address(said)) is None:
                break
            request.address = address
            if address not in self:
                break
        request.secure = request.headers.get(FORWARDED_PROTO, "").strip().lower() == "https"


def _read_address(said: str) -> str | None:
    """An address, with a port or without; None for what is no address."""
    said = said.strip()
    try:
        bare = said if said.count(":") > 1 and not said.startswith("[") else urlsplit(f"//{said}").hostname or ""
        return str(ipaddress.ip_address(bare))
    except ValueError:
        return None
