"""A lost connection and a crash of the server: said, resumed, and never a bet shown that was not acknowledged."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.axe import found_by_axe
from tests.browser.house import House
from tests.browser.seats import Seat, Seats


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


def test_a_bet_lost_on_the_wire_is_pending_then_placed_once(house: House, seats: Seats) -> None:
    table = house.table("commission")
    line = Line()
    ann = seats.open("/")
    ann.page.route_web_socket("**/events", line.connect)
    token = house.patron("Ann")
    ann.page.goto(f"/table/{table}#patron={token}")
    ann.begin()
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


def test_a_bet_that_came_too_late_after_the_gap_is_refused_and_not_shown(house: House, seats: Seats) -> None:
    table = house.table("commission")
    line = Line()
    ann = seats.open("/")
    ann.page.route_web_socket("**/events", line.connect)
    ann.page.goto(f"/table/{table}#patron={house.patron('Ann')}")
    ann.begin()
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


def _open_with(seats: Seats, kind: str, token: str, path: str, line: Line | None = None) -> Seat:
    """A page of someone whose token is not set anew with every load."""
    seat = seats.open("/")
    failed: list[str] = []

    def fail_once(route: Route) -> None:
        if failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.fulfill(status=503)

    seat.page.route("**/api/games/*", fail_once)  # a page asks for its sheet again
    if line is not None:
        seat.page.route_web_socket("**/events", line.connect)
    seat.page.goto(f"{path}#{kind}={token}")
    return seat


def test_of_two_consoles_that_key_the_same_card_the_second_is_refused_and_a_token_is_ended(
    house: House, seats: Seats
) -> None:
    table, line = house.table("commission"), Line()
    eve = house.ask("POST", "/api/people", {"name": f"Eve {table}", "role": "dealer"}, house.staff("admin"))
    house.deal(table, "open-bets")
    house.deal(table, "close-bets")
    console = _open_with(seats, "staff", eve["token"], f"/dealer/{table}", line)
    expect(console.see("entry")).to_be_visible()
    line.swallow = True
    console.page.keyboard.type("5h\n")
    expect(console.see("open-sessions")).to_be_visible()
    while not line.sent:
        console.page.wait_for_timeout(10)
    line.cut()
    house.deal(table, "deal", card="5h")
    line.swallow = line.down = False
    expect(console.see("refused")).to_have_attribute("data-code", "place-not-due")
    expect(console.see("card")).to_have_count(1)
    assert [each["card"] for each in house.snapshot(table)["cards"]] == ["5h"]
    console.page.keyboard.type("Ks\n4d\n", delay=0)  # ahead of the answers: each for the place after the one before
    expect(console.see("card")).to_have_count(3)

    console.see("open-sessions").click()
    expect(console.see("sessions")).to_contain_text("Your token ends at")
    console.see("end-token").click()
    console.see("end-token-confirm").click()
    expect(console.page.locator("input[name=token]")).to_be_visible()
    with pytest.raises(AssertionError, match="token-unknown"):
        house.ask("GET", "/api/me", None, eve["token"])


def test_a_patron_is_told_who_replaced_their_token(house: House, seats: Seats) -> None:
    table = house.table("commission")
    admitted = house.ask("POST", "/api/join", {"name": f"Ann {table}"})
    path = f"/api/people/{admitted['person']['id']}/token"
    with pytest.raises(AssertionError, match="second-person-asked"):
        house.ask("POST", path, {}, house.staff("pit-manager"))
    token = house.ask("POST", path, {}, house.staff("shift-manager"))["token"]
    terminal = _open_with(seats, "patron", token, f"/table/{table}")
    terminal.see("open-sessions").click()
    expect(terminal.see("token-given-by")).to_contain_text("pit-manager, shift-manager")
    assert found_by_axe(terminal.page) == []


def test_a_token_nobody_knows_leads_to_the_sign_in_and_a_table_nobody_has_to_the_lobby(
    house: House, seats: Seats
) -> None:
    table = house.table("commission")
    stranger = seats.open("/")
    for kind, path in (("patron", f"/table/{table}"), ("staff", "/pit"), ("staff", f"/dealer/{table}")):
        stranger.page.goto(f"{path}#{kind}={'x' * 43}")
        expect(stranger.page.locator("form.sign-in")).to_be_visible()
    stranger.page.goto(f"/table/{table}")
    stranger.page.locator("input[name=name]").fill("Returning")
    stranger.page.keyboard.press("Enter")
    expect(stranger.page.locator("form.sign-in")).to_have_count(0)
    stranger.page.evaluate("localStorage.removeItem('punto.patron')")
    stranger.page.reload()
    expect(stranger.page.locator("input[name=name]")).to_have_value("Returning")
    lost = seats.open("/table/nowhere", house.patron("Ann"))
    expect(lost.see("link")).to_contain_text("There is no such table")
    lost.page.get_by_text("Back to the tables").click()
    expect(lost.see(f"table-{table}")).to_be_visible()


def test_a_crash_of_the_server_in_mid_round(own_seats: Seats) -> None:
    house, seats = own_seats.house, own_seats
    table = house.table("da-hu-ying-xiong", id="one")
    ann = seats.terminal(table)
    ann.begin(banker=10_000)
    house.play(table, "Kh 3d", settled=False)
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


def test_no_script_can_read_a_token(house: House, seats: Seats) -> None:
    table, token = house.table("commission"), house.patron("Ann")
    ann = seats.open(f"/table/{table}", token)
    expect(ann.see("balance")).to_be_visible()
    for held in ("JSON.stringify(localStorage)", "JSON.stringify(sessionStorage)", "document.cookie", "location.href"):
        assert token not in ann.page.evaluate(held)
