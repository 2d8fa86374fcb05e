"""What the floor does besides rounds: warnings, cash, duty, the life of a shoe, decisions, limits, closing."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seats


def test_boxes_to_check_are_named_before_bets_close_and_cash_is_recorded_for_a_box(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
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


def test_a_shoe_is_checked_shuffled_and_burned_by_hand(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission", burn="first-card")
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


def test_staff_on_duty_are_shown_at_the_pit_desk_and_may_act_in_another_position(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    dealer, pit = seats.staff(f"/dealer/{table}", "dealer"), seats.staff("/pit", "pit-manager")
    dealer.see("come-on-duty").click()
    expect(dealer.see("go-off-duty")).to_be_visible()
    pit.see(f"override-{table}").click()
    expect(pit.see("duty")).to_contain_text("(Dealer)")
    pit.see("assign-position").click()
    pit.page.locator("select[name=person]").select_option(index=1)
    pit.page.locator("select[name=position]").select_option("Pit Supervisor")
    pit.see("assign-position-send").click()
    expect(pit.see("duty")).to_contain_text("(Pit Supervisor ← Dealer)")


def test_limits_change_between_rounds_and_everyone_sees_them(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong")
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-manager")
    ann.sit(1)
    pit.see(f"override-{table}").click()
    pit.see("change-limits").locator("summary").click()
    pit.page.locator("input[name=minimum]").fill("100")
    pit.page.locator("input[name=tiger-maximum]").fill("250.00")
    pit.see("change-limits-send").click()
    expect(ann.see("refused")).to_contain_text("Minimum 100")
    limits = house.snapshot(table)["table"]["limits"]
    assert limits["minimum_cents"] == 10_000
    assert {"on": "tiger", "minimum_cents": 1_000, "maximum_cents": 25_000} in limits["sides"]


def test_insurance_is_switched_off_at_a_private_table_as_a_patron_asks(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong", private=True)
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-manager")
    ann.sit(1)
    expect(ann.page.locator(".notice")).to_have_count(0)
    pit.see(f"override-{table}").click()
    pit.page.get_by_text("Without insurance, as Ann asks").click()
    expect(ann.page.locator(".notice")).to_contain_text("No insurance is offered at this table (¶ 4.2.2)")
    pit.page.get_by_text("With insurance again, as Ann asks").click()
    expect(ann.page.locator(".notice")).to_have_count(0)


def test_a_bet_is_paid_at_odds_that_the_shift_manager_names(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "easy-six")
    ann, chief = seats.terminal(table), seats.staff("/pit", "shift-manager")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    house.deal(table, "report", situation="not-shuffled", facts={"note": "seen by the Dealer"})
    case = chief.see("case").filter(has_text=table)
    expect(case).to_contain_text("seen by the Dealer")
    case.locator("[data-test=decide-pay-bets]").click()
    case.get_by_label("Box 1 Ann: Player").check()
    case.locator("input[name=odds]").fill("2:1")
    case.locator("input[name=reason]").fill("as agreed")
    case.locator("[data-test=decide-pay-bets-send]").click()
    expect(case.locator("[data-test=decide-pay-bets-send]")).to_have_count(0)
    house.approve(table)
    expect(ann.see("balance")).to_have_text("10,200")
    house.deal(table, "report", situation="not-shuffled")
    case.locator("[data-test=decide-pay-amount]").click()
    case.locator("input[name=account]").fill(house.ask("GET", "/api/me", None, ann.token)["id"])
    case.locator("input[name=amount_cents]").fill("12.50")
    case.locator("input[name=reason]").fill("for the wait")
    case.locator("[data-test=decide-pay-amount-send]").click()
    expect(case.locator("[data-test=decide-pay-amount-send]")).to_have_count(0)
    house.approve(table)
    expect(ann.see("balance")).to_have_text("10,212.50")


def test_a_settled_round_is_corrected_at_the_pit_desk(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission")
    ann, pit = seats.terminal(table), seats.staff("/pit", "shift-manager")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    house.cards(table, "4h 7d 4s Kc")
    house.deal(table, "settle")
    expect(ann.see("balance")).to_have_text("10,100")
    pit.see(f"override-{table}").click()
    pit.see("correct-round").click()
    pit.page.locator("input[name=round]").fill("1")
    pit.page.locator("input[name=cards]").fill("4h 9d 4s Kc")
    pit.page.locator("input[name=reason]").fill("a mis-keyed card")
    pit.see("correct-round-send").click()
    expect(pit.see("case").filter(has_text=table)).to_be_visible()
    house.approve(table)
    expect(ann.see("balance")).to_have_text("9,900")


def test_a_table_that_closes_says_so_keeps_the_cashier_and_opens_again(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    ann, board = seats.terminal(table), seats.open(f"/board/{table}")
    dealer, pit = seats.staff(f"/dealer/{table}", "dealer"), seats.staff("/pit", "pit-supervisor")
    ann.sit(2)
    house.deal(table, "close-table", "pit-supervisor")
    said = (ann.see("call"), dealer.see("call"), board.see("paused"))
    for says in said:
        expect(says).to_contain_text("The table is closed")
    ann.see("cashier").click()
    ann.see("buy-10000").click()
    expect(ann.page.locator("dialog .balance b")).to_have_text("10,100")
    ann.page.keyboard.press("Escape")
    for page in (ann.page, board.page, dealer.page):
        page.reload()
    for says in said:
        expect(says).to_contain_text("The table is closed")
    pit.see(f"override-{table}").click()
    pit.see("reopen").click()
    dealer.see("open-bets").click()
    ann.phase("betting")
    ann.bet("player", 10_000)


def test_a_correction_shows_before_and_after_to_the_second_person_and_leaves_a_debt(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    ann, pit = seats.terminal(table, cents=10_000), seats.staff("/pit", "pit-manager")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    house.cards(table, "4h 7d 4s Kc")
    house.deal(table, "settle")
    expect(ann.see("balance")).to_have_text("200")
    house.ask("POST", "/api/me/cash-out", {}, ann.token)
    correction = {"round": 1, "cards": "4h 9d 4s Kc", "reason": "a mis-keyed card"}
    house.deal(table, "correct-round", "pit-supervisor", **correction)
    case = pit.see("case").filter(has_text=table)
    expect(case).to_contain_text("a mis-keyed card")
    effect = case.locator("[data-test=effect]")
    expect(effect).to_contain_text("4♥ 7♦ 4♠ K♣")
    expect(effect).to_contain_text("4♥ 9♦ 4♠ K♣")
    expect(effect.locator("tr", has_text="Ann")).to_contain_text("200")
    case.locator("[data-test=decide-approve]").click()
    expect(pit.see("debts").locator("tr", has_text="200")).to_contain_text("Ann")
    ann.see("cashier").click()
    expect(ann.see("owed")).to_contain_text("You owe the House 200.")
    expect(ann.see("cash-out")).to_have_count(0)
