"""Behind proxies: whose word about the client is believed, and the prefix of addresses."""

from __future__ import annotations

import json
import logging

import pytest

from punto.service.settings import EdgeLimits, ServerSettings
from punto.web.logs import JsonFormatter, OneLineFormatter, request_id
from punto.web.proxies import TrustedProxies
from punto.web.requests import Request
from tests.web.rig import edge

PROXY = "10.0.0.1"
CLIENT = "192.0.2.7"
TRUSTED = ("10.0.0.0/24", "2001:db8::/32")


def seen(headers: dict[str, str], peer: str = PROXY, trusted: tuple[str, ...] = TRUSTED) -> Request:
    """The request that the application gets."""
    request = Request("GET", "/", "", headers, peer)
    TrustedProxies(trusted).believe(request)
    return request


@pytest.mark.parametrize(
    ("said", "client"),
    [
        (CLIENT, CLIENT),
        (f"{CLIENT}:4711", CLIENT),
        ("2001:db9::1", "2001:db9::1"),
        ("[2001:db9::1]:80", "2001:db9::1"),
        (f"1.2.3.4, {CLIENT}, 10.0.0.2", CLIENT),
        (f"{CLIENT}, nonsense, 10.0.0.2", "10.0.0.2"),
        ("unknown", PROXY),
        ("", PROXY),
        ("10.0.0.9, 10.0.0.8", "10.0.0.9"),
    ],
)
def test_the_client_is_the_last_address_that_is_no_trusted_proxy(said: str, client: str) -> None:
    assert seen({"x-forwarded-for": said}).address == client


def test_a_stranger_is_not_believed() -> None:
    told = {"x-forwarded-for": "1.2.3.4", "x-forwarded-proto": "https"}
    request = seen(told, peer=CLIENT)
    assert (request.address, request.secure) == (CLIENT, False)
    assert seen(told, trusted=()).address == PROXY


def test_a_proxy_that_is_not_named_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    proxies = TrustedProxies(())
    for _ in range(2):
        proxies.believe(Request("GET", "/", "", {"x-forwarded-for": CLIENT}, PROXY))
    assert [each.getMessage().split(" speaks ")[0] for each in caplog.records] == [PROXY]


def test_an_ipv4_address_may_come_by_ipv6() -> None:
    assert seen({"x-forwarded-for": CLIENT}, peer=f"::ffff:{PROXY}").address == CLIENT


def test_the_proxy_tells_that_the_client_came_by_tls() -> None:
    assert seen({"x-forwarded-proto": "https"}).secure
    assert not seen({"x-forwarded-proto": "http"}).secure


async def test_a_line_that_the_client_sent_itself_does_not_hide_the_proxys() -> None:
    few = EdgeLimits(messages_per_second=0, burst=1)
    async with edge(edge=few, server=ServerSettings(trusted_proxies=("127.0.0.1",))) as e:
        for client, status in (("192.0.2.1", 200), ("192.0.2.2", 200), ("192.0.2.1", 429)):
            lines = [("X-Forwarded-For", "1.2.3.4"), ("X-Forwarded-For", client)]
            assert (await e.http.get("/api/games", headers=lines)).status_code == status


@pytest.mark.parametrize("path", ["/punto/api/tables", "/punto", "/punto/", "/api/tables", "/puntos/api/tables"])
async def test_the_prefix_is_taken_off_once(path: str) -> None:
    async with edge(server=ServerSettings(base_path="/punto")) as e:
        answer = await e.http.get(path)
        assert answer.status_code == 200
        assert ("json" in answer.headers["Content-Type"]) == path.removeprefix("/punto").startswith("/api/")


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
