"""The cage in a browser: a ticket is sold, scanned, paid once, and credit sold, by keyboard alone."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seats


def test_the_cage_sells_a_ticket_and_pays_it_once(house: House, seats: Seats) -> None:
    name = house.new_name()
    house.patron(name, 0)
    cage = seats.staff("/cage", "pit-manager")
    sale = cage.page.locator("section", has=cage.see("sell-ticket")).locator("input[name=amount]")
    sale.fill("1OO")
    sale.press("Enter")
    expect(cage.see("wrong-amount")).to_be_visible()
    sale.fill("120.50")
    sale.press("Enter")
    expect(cage.see("ticket")).to_contain_text("120.50")
    number = cage.page.locator(".ticket .code").inner_text()
    cage.page.keyboard.press("Escape")
    scanned = cage.page.locator("input[name=ticket]")
    scanned.fill(number)
    scanned.press("Enter")
    expect(cage.see("pay-ticket")).to_be_focused()
    cage.page.keyboard.press("Enter")
    expect(cage.see("toast")).to_have_text("120.50 paid.")
    scanned.fill(number)
    scanned.press("Enter")
    expect(cage.see("checked")).to_contain_text("This ticket was used before.")
    expect(cage.see("pay-ticket")).to_have_count(0)
    credit = cage.page.locator("section", has=cage.see("sell-credits"))
    credit.locator("input[name=patron]").fill(name.lower())
    credit.locator("input[name=amount]").fill("50")
    credit.locator("input[name=amount]").press("Enter")
    expect(cage.see("toast")).to_have_text(f"50 of credit sold to {name}.")


def test_a_supervisor_sees_the_cage_and_moves_nothing(house: House, seats: Seats) -> None:
    cage = seats.staff("/cage", "pit-supervisor")
    expect(cage.see("unused")).to_be_visible()
    expect(cage.page.locator("main form")).to_have_count(0)
