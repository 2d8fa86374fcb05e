"""Behind proxies: whose word about the client is believed, and the prefix of addresses."""

from __future__ import annotations

import json
import logging
from typing import Any, cast

import pytest
from litestar.types import Receive, Send

from punto.service.settings import EdgeLimits, ForwardedBy, ServerSettings
from punto.web.limits import Intake
from punto.web.logs import JsonFormatter, OneLineFormatter, request_id
from punto.web.proxies import BehindProxies, TrustedProxies
from tests.web.rig import edge

PROXY = "10.0.0.1"
CLIENT = "192.0.2.7"


async def seen(settings: ServerSettings, *headers: tuple[str, str], peer: str = PROXY, path: str = "/") -> Any:
    """The scope that the application behind gets."""
    scopes = []

    async def app(scope: Any, _receive: Receive, _send: Send) -> None:
        scopes.append(scope)

    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers]
    scope = {
        "type": "http",
        "client": (peer, 1),
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "headers": raw,
    }
    behind = BehindProxies(app, settings, TrustedProxies(settings.trusted_proxies))
    await behind(cast("Any", scope), cast("Any", None), cast("Any", None))
    return scopes[0]


X = ServerSettings(trusted_proxies=("10.0.0.0/24", "2001:db8::/32"))
RFC = ServerSettings(trusted_proxies=X.trusted_proxies, forwarded=ForwardedBy.FORWARDED)


@pytest.mark.parametrize(
    ("settings", "header", "client"),
    [
        (X, ("X-Forwarded-For", CLIENT), CLIENT),
        (X, ("X-Forwarded-For", f"{CLIENT}:4711"), CLIENT),
        (X, ("X-Forwarded-For", "2001:db9::1"), "2001:db9::1"),
        (X, ("X-Forwarded-For", "[2001:db9::1]:80"), "2001:db9::1"),
        (X, ("X-Forwarded-For", f"1.2.3.4, {CLIENT}, 10.0.0.2"), CLIENT),
        (X, ("X-Forwarded-For", f"{CLIENT}, nonsense, 10.0.0.2"), "10.0.0.2"),
        (X, ("X-Forwarded-For", "unknown"), PROXY),
        (X, ("X-Forwarded-For", ""), PROXY),
        (X, ("X-Forwarded-For", "10.0.0.9, 10.0.0.8"), "10.0.0.9"),
        (X, ("Forwarded", f"for={CLIENT}"), PROXY),
        (RFC, ("Forwarded", f"for={CLIENT}"), CLIENT),
        (RFC, ("Forwarded", f'for=1.2.3.4, For="{CLIENT}:80";proto=https, for="[2001:db8::1]";by=x'), CLIENT),
        (RFC, ("Forwarded", "for=_hidden;proto=http"), PROXY),
        (RFC, ("X-Forwarded-For", CLIENT), PROXY),
    ],
)
async def test_the_client_is_the_last_address_that_is_no_trusted_proxy(
    settings: ServerSettings, header: tuple[str, str], client: str
) -> None:
    assert (await seen(settings, header))["client"][0] == client


async def test_a_line_that_the_client_sent_itself_does_not_hide_the_proxys() -> None:
    lines = (("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-For", CLIENT))
    assert (await seen(X, *lines))["client"][0] == CLIENT


async def test_a_stranger_is_not_believed() -> None:
    told = (("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-Proto", "https"))
    scope = await seen(X, *told, peer=CLIENT)
    assert (scope["client"][0], scope["scheme"]) == (CLIENT, "http")
    assert (await seen(ServerSettings(), *told, peer=PROXY))["client"][0] == PROXY


async def test_an_ipv4_address_may_come_by_ipv6() -> None:
    assert (await seen(X, ("X-Forwarded-For", CLIENT), peer=f"::ffff:{PROXY}"))["client"][0] == CLIENT


async def test_the_proxy_tells_that_the_client_came_by_tls() -> None:
    assert (await seen(X, ("X-Forwarded-Proto", "https")))["scheme"] == "https"
    assert (await seen(RFC, ("Forwarded", f"for={CLIENT};proto=https")))["scheme"] == "https"
    assert (await seen(X, ("X-Forwarded-Proto", "http")))["scheme"] == "http"


@pytest.mark.parametrize(
    ("path", "inner"),
    [
        ("/punto/api/tables", "/api/tables"),
        ("/punto", "/"),
        ("/punto/", "/"),
        ("/api/x", "/api/x"),
        ("/puntos", "/puntos"),
    ],
)
async def test_the_prefix_is_taken_off_once(path: str, inner: str) -> None:
    scope = await seen(ServerSettings(base_path="/punto"), path=path)
    assert (scope["path"], scope["raw_path"]) == (inner, inner.encode())


class Connection:
    """A connection that may be cut off."""

    def cut_off(self) -> None:
        """Unused here."""
        raise AssertionError("nobody is cut off")


def test_a_proxy_brings_more_connections_than_one_client_may_have() -> None:
    limits = EdgeLimits(connections_per_address=2, waiting_per_address=2, held_bytes_per_address=10)
    intake = Intake(limits, TrustedProxies((PROXY,)))
    assert all(intake.enter(Connection(), PROXY) for _ in range(4))
    assert intake.hold(PROXY, 11)
    assert [intake.enter(Connection(), CLIENT) for _ in range(3)] == [True, True, False]
    assert not intake.hold(CLIENT, 11)


async def test_each_request_has_an_id_in_its_answer_and_in_the_log() -> None:
    async with edge() as e:
        first, second = [(await e.http.get("/api/tables")).headers["x-request-id"] for _ in range(2)]
        assert first != second
        assert len(first) == 16
    request_id.set("0123456789abcdef")
    record = logging.makeLogRecord({"name": "punto", "levelname": "INFO", "msg": "a\nb", "fields": {"table": "pit"}})
    assert (
        OneLineFormatter("%(levelname)s %(message)s").format(record) == "INFO a\\nb table=pit request=0123456789abcdef"
    )
    entry = json.loads(JsonFormatter().format(record))
    assert entry.keys() == {"time", "level", "logger", "message", "table", "request"}
    assert (entry["message"], entry["table"], entry["request"]) == ("a\nb", "pit", "0123456789abcdef")
    record.msg = f"Bearer {'x' * 43}"
    assert "xxx" not in JsonFormatter().format(record)
