"""What holds for every page: how much a newcomer fetches, and what axe-core finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from playwright.sync_api import CDPSession, expect

from tests.browser.house import House
from tests.browser.seats import Seats

MOST_BYTES = 120_000


class Wire:
    """What a page receives over the network, as it was sent: files and answers with their headers, and frames."""

    def __init__(self, session: CDPSession) -> None:
        self.bytes: Counter[str] = Counter()
        self.encodings: dict[str, str] = {}
        session.on("Network.responseReceived", lambda event: self._answered(event["response"]))
        session.on("Network.loadingFinished", lambda event: self._count("files", int(event["encodedDataLength"])))
        session.on(
            "Network.webSocketFrameReceived", lambda event: self._count("frames", len(event["response"]["payloadData"]))
        )
        session.send("Network.enable")

    def _answered(self, response: dict[str, object]) -> None:
        headers = response["headers"]
        assert isinstance(headers, dict)
        lower = {str(name).lower(): str(value) for name, value in headers.items()}
        self.encodings[str(response["url"])] = lower.get("content-encoding", "")

    def _count(self, kind: str, size: int) -> None:
        self.bytes[kind] += size


def test_a_newcomer_s_terminal_is_small(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong")
    ann = seats.open("about:blank")
    wire = Wire(ann.page.context.new_cdp_session(ann.page))
    ann.page.goto(f"/table/{table}")
    ann.page.locator("input[name=name]").fill("Ann")
    ann.page.keyboard.press("Enter")
    expect(ann.see("spot-tiger")).to_be_visible()
    assert wire.bytes["frames"] > 0
    assert wire.bytes.total() <= MOST_BYTES, wire.bytes
    scripts = {url: encoding for url, encoding in wire.encodings.items() if url.endswith((".js", ".css"))}
    assert set(scripts.values()) == {"br"}
    assert not any("staff" in url for url in scripts), "the pages of staff are not for patrons"
