"""What the floor does besides rounds: warnings, cash, duty, the life of a shoe, decisions, limits, closing."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seats


def test_boxes_to_check_are_named_before_bets_close_and_cash_is_recorded_for_a_box(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    dealer.see("open-bets").click()
    dealer.phase("betting")
    dealer.see("select-box-3").click()
    dealer.see("chip-500").click()
    for total in ("5", "10", "15", "20"):
        dealer.see("spot-banker").click()
        expect(dealer.see("total-3-banker")).to_have_text(total)
    expect(dealer.see("tray")).to_contain_text("For cash")
    expect(dealer.see("warnings")).to_contain_text("box 3, cash, Banker: 20 below the minimum of 50 ¶ 5.2")
    expect(dealer.page.locator(".next")).to_have_count(0)
    dealer.see("put-right-0").click()
    expect(dealer.see("return-low-bet-0")).to_be_visible()
    dealer.see("close-bets").click()
    dealer.page.locator("input[name=reason]").fill("the call was made")
    dealer.see("close-bets-send").click()
    dealer.phase("initial-cards")
    house.cards(table, "Kh 3d Qs 4c 2h")
    dealer.see("settle").click()
    expect(dealer.see("payout")).to_contain_text("Box 3 cash")
    expect(dealer.see("payout")).to_contain_text("pay 19")


def test_a_shoe_is_checked_shuffled_and_burned_by_hand(house: House, seats: Seats) -> None:
    table = house.table("commission", burn="first-card")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("call")).to_contain_text("Burn the first card")
    dealer.page.keyboard.type("5d\n")
    expect(dealer.see("call")).to_contain_text("Ready for the next round")
    expect(dealer.see("check-decks")).to_have_count(0)  # a shoe is in play
    house.deal(table, "replace-shoe", "pit-supervisor", reason="a worn deck")
    dealer.see("check-decks").click()
    expect(dealer.page.locator("input[name=count]")).to_have_value("416")
    dealer.see("check-decks-send").click()
    dealer.see("shuffle-cards").click()
    dealer.see("load-shoe").click()
    expect(dealer.see("call")).to_contain_text("Burn the first card")


def test_insurance_is_switched_off_at_a_private_table_as_a_patron_asks(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", private=True)
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-manager")
    ann.sit(1)
    expect(ann.page.locator(".notice")).to_have_count(0)
    pit.enter(f"override-{table}")
    pit.page.get_by_text("Without insurance, as Ann asks").press("Enter")
    expect(ann.page.locator(".notice")).to_contain_text("No insurance is offered at this table (¶ 4.2.2)")
    pit.page.get_by_text("With insurance again, as Ann asks").press("Enter")
    expect(ann.page.locator(".notice")).to_have_count(0)


def test_a_bet_is_paid_at_odds_that_the_shift_manager_names(house: House, seats: Seats) -> None:
    table = house.table("easy-six")
    ann, chief = seats.terminal(table), seats.staff("/pit", "shift-manager")
    ann.begin(player=10_000)
    house.deal(table, "close-bets")
    house.deal(table, "report", situation="not-shuffled", facts={"note": "seen by the Dealer"})
    case = chief.see("case").filter(has_text=table)
    expect(case).to_contain_text("seen by the Dealer")
    case.locator("[data-test=decide-pay-bets]").press("Enter")
    case.get_by_label("Box 1 Ann: Player").check()
    case.locator("input[name=odds]").fill("2:1")
    case.locator("input[name=reason]").fill("as agreed")
    case.locator("[data-test=decide-pay-bets-send]").press("Enter")
    expect(case.locator("[data-test=decide-pay-bets-send]")).to_have_count(0)
    house.approve(table)
    expect(ann.see("balance")).to_have_text("10,200")
    house.deal(table, "report", situation="not-shuffled")
    case.locator("[data-test=decide-pay-amount]").press("Enter")
    case.locator("input[name=account]").fill(house.ask("GET", "/api/me", None, ann.token)["id"])
    case.locator("input[name=amount_cents]").fill("12.50")
    case.locator("input[name=reason]").fill("for the wait")
    case.locator("[data-test=decide-pay-amount-send]").press("Enter")
    expect(case.locator("[data-test=decide-pay-amount-send]")).to_have_count(0)
    house.approve(table)
    expect(ann.see("balance")).to_have_text("10,212.50")


def test_a_correction_leaves_a_debt(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann, pit = seats.terminal(table, cents=10_000), seats.staff("/pit", "pit-manager")
    ann.begin(player=10_000)
    house.play(table, "4h 7d 4s Kc")
    expect(ann.see("balance")).to_have_text("200")
    house.ask("POST", "/api/me/cash-out", {}, ann.token)
    correction = {"round": 1, "cards": "4h 9d 4s Kc", "reason": "a mis-keyed card"}
    house.deal(table, "correct-round", "pit-supervisor", **correction)
    case = pit.see("case").filter(has_text=table)
    case.locator("[data-test=decide-approve]").press("Enter")
    expect(pit.see("debts").locator("tr", has_text="200")).to_contain_text("Ann")
    ann.see("cashier").click()
    expect(ann.see("owed")).to_contain_text("You owe the House 200.")
    expect(ann.see("cash-out")).to_have_count(0)
