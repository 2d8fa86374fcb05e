"""Two terminals on one table, an irregularity from console to pit desk to terminals, the console and the pit desk."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seats


def test_two_terminals_on_one_table_share_a_box_and_see_only_their_own_bets(house: House, seats: Seats) -> None:
    table = house.table("commission", differential_cents=60_000)
    ann, bo = seats.terminal(table, "Ann"), seats.terminal(table, "Bo")
    ann.sit(3)
    expect(bo.see("box-3")).to_contain_text("Ann")
    bo.sit(3)
    expect(ann.see("box-3")).to_contain_text("+1")
    house.deal(table, "open-bets")
    bo.phase("betting")
    expect(bo.see("refused")).to_have_attribute("data-code", "no-seated-bet")
    ann.bet("player", 10_000)
    bo.bet("banker", 50_000)
    expect(ann.see("spot-banker")).to_have_attribute("data-placed", "0")
    expect(ann.see("box-3")).to_contain_text("600")
    bo.stage("banker", 50_000)
    bo.confirm()
    expect(bo.see("refused")).to_have_attribute("data-code", "over-differential")
    bo.see("undo").click()
    bo.placed("banker", 50_000)
    house.play(table, "4h 7d 4s Kc")
    assert ann.line("player") == "Player 100 won 1:1 +100 ¶ 4.1.2"
    assert bo.line("banker").startswith("Banker 500 lost −500")
    expect(ann.see("line-banker")).to_have_count(0)


def test_an_irregularity_from_the_console_to_the_pit_desk_to_the_terminals(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann, bo = seats.terminal(table, "Ann"), seats.terminal(table, "Bo")
    dealer, pit = seats.staff(f"/dealer/{table}", "dealer"), seats.staff("/pit", "pit-supervisor")
    ann.sit(1)
    bo.sit(2)
    dealer.see("open-bets").click()
    ann.phase("betting")
    ann.bet("player", 10_000)
    bo.bet("banker", 10_000)
    dealer.see("close-bets").click()
    dealer.phase("initial-cards")
    house.cards(table, "2h 3d")

    dealer.see("report").click()
    dealer.see("group-card").click()
    dealer.see("situation-other-dealing-error").check()
    dealer.page.locator("input[name=note]").fill("the shoe was knocked")
    expect(dealer.see("preview")).to_contain_text("Held for the choice of Ann, Bo")
    dealer.see("report-send").click()
    dealer.phase("held")
    expect(dealer.see("guidance")).to_contain_text("5.12")

    case = pit.see("case").filter(has_text=table)
    expect(case).to_contain_text("Any other dealing error")
    expect(case).to_contain_text("5.12")
    expect(case).to_contain_text("Ann")
    expect(case).to_contain_text("Bo")
    expect(pit.see("significant")).to_contain_text("Any other dealing error")

    for seat in (ann, bo):
        expect(seat.see("held")).to_contain_text("5.12")
    ann.see("choose-take-back").click()
    expect(ann.see("in-play")).to_have_text("0")
    expect(case).not_to_contain_text("Ann")
    bo.see("choose-continue").click()
    expect(bo.see("held")).to_have_count(0)
    expect(case).to_have_count(0)

    house.cards(table, "Ks 4s 5c")  # Player 7, Banker 7 stands
    dealer.see("settle").click()
    assert bo.line("banker").startswith("Banker 100 returned 0")
    expect(ann.see("balance")).to_have_text("10,000")


def test_a_decision_waits_for_its_authority_and_is_made_with_a_reason(house: House, seats: Seats) -> None:
    table = house.table("easy-six")
    ann = seats.terminal(table)
    ann.begin(player=10_000)
    house.deal(table, "close-bets")
    house.deal(table, "report", situation="not-shuffled")
    low, high = seats.staff("/pit", "pit-supervisor"), seats.staff("/pit", "shift-manager")
    case = low.see("case").filter(has_text=table)
    expect(case).to_contain_text("Waits for a decision (the Table Game Shift Manager or above)")
    expect(case).to_contain_text("You may not do this: it is for the Table Game Shift Manager or above.")
    expect(case.locator("[data-test=decide-void]")).to_have_count(0)
    case = high.see("case").filter(has_text=table)
    case.locator("[data-test=decide-void]").press("Enter")
    reason = case.locator("input[name=reason]")
    expect(reason).to_have_attribute("required", "")
    case.locator("[data-test=decide-void-send]").press("Enter")
    expect(case).to_be_visible()  # nothing is sent without a reason
    reason.fill("the shuffler had stopped")
    case.locator("[data-test=decide-void-send]").press("Enter")
    # A void waits for a second person at this table.
    again = low.see("case").filter(has_text=table)
    expect(again).to_contain_text("second person")
    again.locator("[data-test=decide-approve]").press("Enter")
    expect(again).to_have_count(0)
    expect(ann.see("balance")).to_have_text("10,000")
    expect(high.see("significant")).to_contain_text("the shuffler had stopped")


def test_the_dealer_collects_insurance(house: House, seats: Seats) -> None:
    table = house.table("commission-insurance")
    ann = seats.terminal(table)
    ann.begin(banker=10_000)
    house.deal(table, "close-bets")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    house.cards(table, "2h 3h Ks 3s")
    row = dealer.see("collect").get_by_role("listitem")
    expect(row).to_contain_text("Ann")
    # 33.33 would pay the original bet at 3:1; in whole chips of 1 that is 33.
    expect(row.locator("[data-test=collect-maximum]")).to_contain_text("33")
    row.locator("[data-test=less]").press("Enter")
    for chip in (2_500, 500):
        row.locator(f"[data-test=chip-{chip}]").press("Enter")
    expect(row.locator("[data-test=chip-500]")).to_be_disabled()  # 35 would be too much
    row.locator("[data-test=collect-chips]").press("Enter")
    expect(ann.see("insurance").locator(".amount")).to_have_text("30")
    expect(row.locator("[data-test=collect-maximum]")).not_to_contain_text("33")  # 3 are left: 30 are there
    row.locator("[data-test=collect-maximum]").press("Enter")
    expect(ann.see("insurance").locator(".amount")).to_have_text("33")


def test_an_override_needs_a_reason_and_is_kept(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-supervisor")
    ann.begin(player=10_000)
    house.play(table, "4h 7d 4s Kc", settled=False)
    pit.enter(f"override-{table}")
    card = pit.page.locator(".floor-table").filter(has_text=table)
    card.locator("[data-test=correct-cards]").press("Enter")
    for name in ("cards", "reason"):
        expect(card.locator(f"input[name={name}]")).to_have_attribute("required", "")
    card.locator("input[name=cards]").fill("4h 9d 4s Kc")
    card.locator("input[name=reason]").fill("the nine was keyed as a seven")
    card.locator("[data-test=correct-cards-send]").press("Enter")
    expect(pit.see("case").filter(has_text=table)).to_be_visible()
    house.approve(table)
    expect(pit.see("significant")).to_contain_text("the nine was keyed as a seven")
    expect(ann.see("call")).to_contain_text("Banker wins 9–8")
