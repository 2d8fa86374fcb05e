"""The first minute in a demonstration: cards at once, the first settled bet in three clicks, and room for patrons."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.axe import found_by_axe
from tests.browser.house import House
from tests.browser.seats import MOVING, PHONE, Seats


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(tmp_path_factory.mktemp("demo"), "", "--demo")
    opened.start()
    yield opened
    opened.stop()


def test_the_first_bet_is_settled_after_three_clicks(seats: Seats) -> None:
    new = seats.open("/", **MOVING)
    lobby = new.see("recommended")
    expect(lobby.locator("[data-test=card] svg").first).to_be_visible()  # somebody plays already
    expect(new.see("edges-now").locator("b").first).to_contain_text("%")
    expect(new.page.locator("footer a", has_text="Dealer")).to_have_count(0)
    clicks = 0
    new.see("sit-down").click()
    clicks += 1
    name = new.page.locator("input[name=name]")
    expect(name).to_be_focused()
    expect(new.see("spot-banker")).to_be_visible()  # the table is behind the question
    new.page.keyboard.type("Ann")
    new.page.keyboard.press("Enter")
    expect(new.see("balance")).to_have_text("10,000")
    new.seated()
    new.phase("between-rounds")
    new.phase("betting")
    expect(new.see("first-steps")).to_be_visible()
    new.see("spot-banker").click()
    new.confirm()
    clicks += 2
    expect(new.see("verdict-banker")).to_contain_text("¶")
    assert clicks == 3
    expect(new.see("first-steps")).to_have_count(0)
    new.see("leave").click()
    expect(new.see("lobby-balance")).to_contain_text("Ann")


def test_the_lobby_is_filtered_by_game_and_minimum(house: House, seats: Seats) -> None:
    page = seats.open("/").page
    cards = page.locator(".table-card")
    expect(cards).to_have_count(8)
    expect(page.locator("[data-test=table-pit]")).to_contain_text("No Dealer yet")
    house.deal("pit", "come-on-duty")
    expect(page.locator("[data-test=table-pit]")).to_contain_text("Live Dealer")
    page.locator("select[name=game]").select_option("da-hu-ying-xiong")
    expect(cards).to_have_count(2)
    page.locator("select[name=minimum]").select_option("5000")
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Tiger")
    assert found_by_axe(page) == []
    phone = seats.open("/", viewport=PHONE)
    expect(phone.see("sit-down")).to_be_visible()
    assert found_by_axe(phone.page) == []


def test_players_of_the_house_leave_their_seats_to_patrons(house: House, seats: Seats) -> None:
    board = seats.open("/table/easy-six")
    taken = board.page.locator(".box.taken")
    expect(taken.filter(has_text="Demo")).to_have_count(2)
    free = [str(each["box"]) for each in house.snapshot("easy-six")["boxes"] if not each.get("seated")]
    for number, box in enumerate(free[:3]):
        path = "/api/tables/easy-six/commands"
        house.ask("POST", path, {"kind": "sit", "box": int(box)}, house.patron(f"Bo {number}"))
    expect(taken.filter(has_text="Demo")).to_have_count(0)
    expect(taken).to_have_count(3)
