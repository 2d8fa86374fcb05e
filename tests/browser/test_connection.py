"""A lost connection and a crash of the server: said, resumed, and never a bet shown that was not acknowledged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.house import House
from tests.browser.seats import Seats


class Line:
    """The wire between a terminal and the server, in the test's hands."""

    def __init__(self) -> None:
        self.routes: list[WebSocketRoute] = []
        self.servers: list[WebSocketRoute] = []
        self.swallow = False
        self.down = False
        self.sent: list[str] = []

    def connect(self, route: WebSocketRoute) -> None:
        if self.down:
            route.close(code=1012)
            return
        server = route.connect_to_server()
        self.routes.append(route)
        self.servers.append(server)

        def pass_on(message: str | bytes) -> None:
            text = message if isinstance(message, str) else message.decode()
            if '"command"' in text:
                self.sent.append(text)
                if self.swallow:
                    return
            server.send(message)

        route.on_message(pass_on)

    def cut(self) -> None:
        self.down = True
        self.routes[-1].close(code=1012)
        self.servers[-1].close()


def test_a_bet_lost_on_the_wire_is_pending_then_placed_once(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    line = Line()
    ann = seats.open("/")
    ann.page.route_web_socket("**/events", line.connect)
    token = house.patron("Ann")
    ann.page.evaluate("token => localStorage.setItem('punto.patron', token)", token)
    ann.page.goto(f"/table/{table}")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)

    line.swallow = True
    ann.see("spot-banker").click()
    ann.confirm()
    expect(ann.see("spot-banker")).to_have_attribute("data-pending", "10000")
    line.cut()
    expect(ann.see("link")).to_contain_text("Connection lost")
    expect(ann.see("link")).to_contain_text("1 not yet acknowledged")
    expect(ann.see("spot-banker")).to_have_attribute("data-placed", "10000")
    expect(ann.see("spot-player")).to_be_disabled()
    assert house.snapshot(table, token)["me"]["in_play_cents"] == 10_000

    line.swallow = line.down = False
    ann.placed("banker", 20_000)
    expect(ann.see("link")).to_have_count(0)
    assert house.snapshot(table, token)["me"]["in_play_cents"] == 20_000
    _, *raised = [text for text in line.sent if "place-bets" in text]
    assert len(raised) == 2
    assert raised[0] == raised[1], "the same command under the same key"


def test_a_bet_that_came_too_late_after_the_gap_is_refused_and_not_shown(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    line = Line()
    ann = seats.open("/")
    ann.page.route_web_socket("**/events", line.connect)
    ann.page.evaluate("token => localStorage.setItem('punto.patron', token)", house.patron("Ann"))
    ann.page.goto(f"/table/{table}")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    line.swallow = True
    ann.chip(10_000)
    ann.see("spot-player").click()
    ann.confirm()
    expect(ann.see("spot-player")).to_have_attribute("data-pending", "10000")
    line.cut()
    expect(ann.see("link")).to_be_visible()
    house.deal(table, "close-bets")
    line.swallow = line.down = False
    ann.phase("initial-cards")
    expect(ann.see("refused")).to_have_attribute("data-code", "bets-closed")
    ann.placed("player", 0)


def test_a_token_nobody_knows_leads_to_the_sign_in_and_a_table_nobody_has_to_the_lobby(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    stranger = seats.open("/")
    for kind, path in (("patron", f"/table/{table}"), ("staff", "/pit"), ("staff", f"/dealer/{table}")):
        stranger.page.evaluate("kind => localStorage.setItem(`punto.${kind}`, 'x'.repeat(43))", kind)
        stranger.page.goto(path)
        expect(stranger.page.locator("form.sign-in")).to_be_visible()
    lost = seats.open("/table/nowhere", house.patron("Ann"))
    expect(lost.see("link")).to_contain_text("There is no such table")
    lost.page.get_by_text("Back to the tables").click()
    expect(lost.see(f"table-{table}")).to_be_visible()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[House]:
    opened = House(tmp_path)
    opened.start()
    yield opened
    opened.stop()


def test_a_crash_of_the_server_in_mid_round(own_house: House, browser: Browser) -> None:
    house, seats = own_house, Seats(browser, own_house)
    table = house.table("one", "da-hu-ying-xiong")
    ann = seats.terminal(table)
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    house.deal(table, "close-bets")
    house.cards(table, "Kh 3d")
    expect(ann.see("card")).to_have_count(2)
    house.kill()
    expect(ann.see("link")).to_contain_text("Connection lost")
    house.start()
    expect(ann.see("link")).to_have_count(0)
    # No bet of the game was decided by two cards: by 5.4 the round is void, once a second person agrees.
    ann.phase("held")
    house.approve(table)
    ann.phase("between-rounds")
    expect(ann.see("in-play")).to_have_text("0")
    expect(ann.see("balance")).to_have_text("10,000")
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    seats.close()


def test_no_script_can_read_a_token(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table, token = house.table(new_name(), "commission"), house.patron("Ann")
    ann = seats.open(f"/table/{table}", token)
    expect(ann.see("balance")).to_be_visible()
    for held in ("JSON.stringify(localStorage)", "JSON.stringify(sessionStorage)", "document.cookie", "location.href"):
        assert token not in ann.page.evaluate(held)
