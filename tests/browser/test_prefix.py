"""The pages of a house under a prefix: whatever a page asks for or leads to begins with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seats


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    opened = House(tmp_path, base_path="/floor/punto")
    opened.start()
    yield opened
    opened.stop()


def test_from_the_lobby_to_a_bet_under_a_prefix(house: House, seats: Seats) -> None:
    table = house.table("non-commission", id="one")
    house.deal(table, "open-bets")
    ann = seats.open("/")
    page = ann.page
    ann.see(f"table-{table}").locator("a.enter").click()
    expect(page).to_have_url(f"{house.address}/table/{table}")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Enter", exact=True).click()
    ann.sit(1)
    ann.see("cashier").click()
    ann.see("buy-10000").click()
    page.keyboard.press("Escape")
    ann.bet("banker", 2_500, times=2)
    assert house.snapshot(table)["total_cents"] == 5_000

    page.reload()
    ann.placed("banker", 5_000)
    ann.tool("language")  # the texts are fetched
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.locator("a.mark").click()
    expect(page).to_have_url(f"{house.address}/")
    page.locator("a[href*='/odds/']").first.click()  # the page is fetched
    expect(page.locator("main table").first).to_be_visible()
    page.go_back()
    expect(ann.see(f"table-{table}")).to_be_visible()
    page.goto(house.address)
    expect(ann.see(f"table-{table}")).to_be_visible()

    desk = seats.staff("/pit", "pit-supervisor")
    expect(desk.see(f"override-{table}")).to_be_visible()  # the floor came over its socket
