"""Money as a patron sees it: part cash-outs and tickets, the statement, notices kept until read, leaving with bets."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import PHONE, Seats


def test_a_part_is_cashed_out_after_confirmation_and_the_ticket_is_printed_again(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table, cents=100_000)
    part = ann.page.locator("dialog form", has_text="Or a part of it")
    ann.see("cashier").click()
    part.locator("input").fill("300")
    part.locator("button").click()
    expect(ann.see("cash-out-ask")).to_have_text("Cash out 300? 700 stays as credit.")
    ann.see("cash-out-back").click()
    expect(ann.page.locator("dialog .balance b")).to_have_text("1,000")
    part.locator("input").fill("300")
    part.locator("button").click()
    ann.see("cash-out-confirm").click()
    expect(ann.see("ticket")).to_contain_text("300")
    expect(ann.see("copy")).to_have_count(0)
    number = ann.page.locator(".ticket .code").inner_text()
    expect(ann.see("ticket")).to_be_visible()  # Escape ends a dialog that is shown
    ann.page.keyboard.press("Escape")
    expect(ann.see("balance")).to_have_text("700")

    house.deal(table, "close-table", "pit-supervisor")
    expect(ann.see("call")).to_have_attribute("data-phase", "not-open")
    ann.see("cashier").click()
    ann.see("cash-out").click()
    ann.see("cash-out-confirm").click()
    expect(ann.see("ticket")).to_contain_text("700")
    expect(ann.see("ticket")).to_be_visible()
    ann.page.keyboard.press("Escape")

    ann.see("cashier").click()
    expect(ann.see("tickets").locator("li")).to_have_count(2)
    ann.see("tickets").locator("li", has_text="300").locator("button").click()
    expect(ann.see("copy")).to_have_text("Copy")
    expect(ann.page.locator(".ticket .code")).to_have_text(number)
    ann.page.emulate_media(media="print")
    expect(ann.see("ticket")).to_be_visible()
    expect(ann.page.locator("dialog button:visible, .page > :not(dialog):visible")).to_have_count(0)


def test_non_commission_3_3_a_ticket_is_typed_in_at_another_terminal(house: House, seats: Seats) -> None:
    table = house.table("non-commission")
    ann, bo = seats.terminal(table, cents=30_000), seats.terminal(table, cents=0)
    ann.see("cashier").click()
    ann.see("cash-out").click()
    ann.see("cash-out-confirm").click()
    number = ann.page.locator(".ticket .code").inner_text()
    expect(ann.page.locator(".ticket .scanned svg")).to_be_visible()
    bo.see("cashier").click()
    field, refused = bo.page.locator("dialog input[name=ticket]"), bo.see("cashier-refused")
    for typed, says in (("4028", "24 digits"), (f"{number[:-1]}{(int(number[-1]) + 1) % 10}", "A digit")):
        field.fill(typed)
        field.press("Enter")
        expect(refused if says == "A digit" else bo.see("wrong-ticket")).to_contain_text(says)
    field.fill(number)
    field.press("Enter")
    expect(bo.page.locator("dialog .balance b")).to_have_text("300")
    field.fill(number)
    field.press("Enter")
    expect(refused).to_have_text("This ticket was used before.")
    expect(bo.page.locator("dialog .balance b")).to_have_text("300")
    ann.page.keyboard.press("Escape")
    ann.see("cashier").click()
    expect(ann.see("tickets").locator("li")).to_contain_text("used")
    expect(ann.see("tickets").locator("button")).to_have_count(0)


def test_a_void_is_told_until_it_is_read_and_the_statement_comes_by_round(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table, cents=100_000, viewport=PHONE)
    ann.begin(banker=10_000)
    house.deal(table, "close-bets")
    house.deal(table, "report", situation="anything-else", facts={"note": "spilled"})
    house.deal(table, "decide", "shift-manager", decision="void", reason="spilled")
    house.approve(table)
    expect(ann.see("notices-count")).to_have_attribute("data-count", "1")
    ann.page.reload()
    ann.see("notices-count").click()
    expect(ann.see("notices")).to_contain_text(f"Round 1 at table {table} is void. Your bets came back: 100. (¶ 5.17)")
    expect(ann.see("notices")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.see("notices-count")).to_have_attribute("data-count", "1")
    ann.see("notices-count").click()
    ann.see("notices-read").click()
    expect(ann.see("notices-count")).to_have_count(0)
    ann.page.reload()
    expect(ann.see("balance")).to_have_text("1,000")
    expect(ann.see("notices-count")).to_have_count(0)

    ann.tool("open-statement")
    expect(ann.see("statement").locator("tbody tr")).to_have_count(2)
    ann.see("entry-1").click()
    expect(ann.see("statement").locator("tr.line")).to_have_text(
        ["Stake · Banker−100900", "Stake returned · Banker¶ 5.17+1001,000"]
    )
    ann.see("by-session").click()
    expect(ann.see("totals").locator("tbody tr")).to_have_count(1)
    ann.see("by-day").click()
    expect(ann.see("totals").locator("tbody tr")).to_have_count(1)


def test_leaving_with_bets_says_what_becomes_of_them(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table, cents=100_000)
    ann.begin(banker=10_000)
    ann.see("leave").click()
    expect(ann.see("leave-with-bets")).to_contain_text("You have 100 in play.")
    ann.see("stay").click()
    ann.placed("banker", 10_000)
    ann.see("leave").click()
    ann.see("leave-withdraw").click()
    expect(ann.page).to_have_url(f"{house.address}/")
    assert house.balance(ann.token or "") == 100_000
    ann.page.go_back()
    ann.sit(2)
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    ann.phase("initial-cards")
    ann.see("leave").click()
    expect(ann.see("leave-withdraw")).to_have_count(0)
    ann.see("leave-bets-stay").click()
    expect(ann.page).to_have_url(f"{house.address}/")
    house.cards(table, "4h 7d 4s Kc")
    house.deal(table, "settle")
    assert house.balance(ann.token or "") == 110_000


def test_the_first_bet_takes_three_taps_from_the_lobby(house: House, seats: Seats) -> None:
    pace = {"betting_ms": 600_000, "card_ms": 300, "insurance_ms": 300, "pause_ms": 300}
    table = house.table("non-commission", live=False, timing=pace)
    seats.terminal(table, "Bo").phase("betting")

    ann = seats.open("/", house.patron("Ann", 50_000))
    ann.see(f"table-{table}").locator("a.enter").click()
    ann.see("spot-player").click()
    ann.see("confirm").click()
    ann.placed("player", 10_000)
    expect(ann.see("box-2")).to_have_class(re.compile("mine"))

    cy = seats.open(f"/table/{table}", house.patron("Cy", 0))
    expect(cy.see("box-3")).to_have_class(re.compile("mine"))
    cy.see("box-5").click()
    expect(cy.see("box-5")).to_have_class(re.compile("mine"))
    expect(cy.see("box-3")).to_be_enabled()
    cy.see("spot-banker").click()
    expect(cy.see("credits-needed")).to_be_visible()
    cy.see("buy-50000").click()
    expect(cy.page.locator("dialog")).to_have_count(0)
    cy.see("confirm").click()
    cy.placed("banker", 10_000)
    expect(cy.see("balance")).to_have_text("400")


def test_the_seat_of_a_patron_who_is_gone_is_freed(house: House, seats: Seats) -> None:
    pace = {"betting_ms": 500, "card_ms": 20, "insurance_ms": 20, "pause_ms": 100}
    table = house.table("non-commission", live=False, timing=pace)
    ann, bo = seats.terminal(table, "Ann"), seats.terminal(table, "Bo")
    ann.seated()
    bo.seated()
    taken = bo.page.locator(".box.taken")
    expect(taken).to_have_text(re.compile("Ann"))
    ann.page.close()
    expect(taken).to_have_count(0)
    bo.seated()
