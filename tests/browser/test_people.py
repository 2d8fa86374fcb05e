"""Two terminals on one table, an irregularity from console to pit desk to terminals, the console and the pit desk."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seats


def test_two_terminals_on_one_table_share_a_box_and_see_only_their_own_bets(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission", differential_cents=60_000)
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
    house.deal(table, "close-bets")
    house.cards(table, "4h 7d 4s Kc")
    house.deal(table, "settle")
    assert ann.line("player") == "Player 100 won 1:1 +100 ¶ 4.1.2"
    assert bo.line("banker").startswith("Banker 500 lost −500")
    expect(ann.see("line-banker")).to_have_count(0)


def test_an_irregularity_from_the_console_to_the_pit_desk_to_the_terminals(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
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


def test_a_decision_waits_for_its_authority_and_is_made_with_a_reason(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "easy-six")
    ann = seats.terminal(table)
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    house.deal(table, "report", situation="not-shuffled")
    low, high = seats.staff("/pit", "pit-supervisor"), seats.staff("/pit", "shift-manager")
    case = low.see("case").filter(has_text=table)
    expect(case).to_contain_text("Waits for a decision (the Table Game Shift Manager)")
    expect(case).to_contain_text("You may not do this: it is for the Table Game Shift Manager.")
    expect(case.locator("[data-test=decide-void]")).to_have_count(0)
    case = high.see("case").filter(has_text=table)
    case.locator("[data-test=decide-void]").click()
    reason = case.locator("input[name=reason]")
    expect(reason).to_have_attribute("required", "")
    case.locator("[data-test=decide-void-send]").click()
    expect(case).to_be_visible()  # nothing is sent without a reason
    reason.fill("the shuffler had stopped")
    case.locator("[data-test=decide-void-send]").click()
    # A void waits for a second person at this table.
    again = low.see("case").filter(has_text=table)
    expect(again).to_contain_text("second person")
    again.locator("[data-test=decide-approve]").click()
    expect(again).to_have_count(0)
    expect(ann.see("balance")).to_have_text("10,000")
    expect(high.see("significant")).to_contain_text("the shuffler had stopped")


def test_the_console_by_keys_alone_guides_undoes_and_lists_what_to_pay(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission")
    ann = seats.terminal(table)
    ann.sit(4)
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    dealer.see("open-bets").click()
    ann.phase("betting")
    ann.bet("player", 10_000)
    dealer.see("close-bets").click()
    keys = dealer.page.keyboard
    expect(dealer.see("entry")).to_be_visible()
    keys.type("9h")
    expect(dealer.see("entry")).to_contain_text("9 of hearts")
    expect(dealer.see("card")).to_have_count(0)  # keyed, not confirmed
    keys.press("Backspace")
    keys.press("Backspace")
    keys.type("2h")
    keys.press("Enter")
    expect(dealer.see("card")).to_have_count(1)
    for card in ("kd", "js"):
        keys.type(card)
        keys.press("Enter")
    expect(dealer.see("card")).to_have_count(3)
    keys.type("0c\n", delay=0)  # a scanner types and ends with Enter
    expect(dealer.see("guidance")).to_contain_text("Next: Player")
    expect(dealer.see("guidance")).to_contain_text("draws")
    keys.type("5d\n")
    expect(dealer.see("guidance")).to_contain_text("Next: Banker")
    keys.type("3d\n")
    dealer.phase("result")
    dealer.see("settle").click()
    expect(dealer.see("payout")).to_contain_text("pay 100")
    expect(dealer.see("payout")).to_contain_text("Box 4")
    dealer.see("payout").get_by_role("checkbox").check()
    expect(dealer.see("payout").locator("li").first).to_have_css("text-decoration-line", "line-through")


def test_the_dealer_collects_insurance(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission-insurance")
    ann = seats.terminal(table)
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    house.deal(table, "close-bets")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    house.cards(table, "2h 3h Ks 3s")
    row = dealer.see("collect").get_by_role("listitem")
    expect(row).to_contain_text("Ann")
    # 33.33 would pay the original bet at 3:1; in whole chips of 1 that is 33.
    expect(row.locator("[data-test=collect-maximum]")).to_contain_text("33")
    row.locator("[data-test=less]").click()
    for chip in (2_500, 500):
        row.locator(f"[data-test=chip-{chip}]").click()
    expect(row.locator("[data-test=chip-500]")).to_be_disabled()  # 35 would be too much
    row.locator("[data-test=collect-chips]").click()
    expect(ann.see("insurance").locator(".amount")).to_have_text("30")
    row.locator("[data-test=collect-maximum]").click()  # less the 30 that are there, 3 are left
    expect(ann.see("insurance").locator(".amount")).to_have_text("33")


def test_the_pit_desk_sets_a_table_up_and_shows_live_values(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    name = new_name()
    pit = seats.staff("/pit", "pit-manager")
    pit.see("set-up").click()
    form = pit.page.locator("dialog form")
    form.locator("input[name=table]").fill(name)
    form.locator("select[name=game]").select_option("da-hu-ying-xiong")
    form.locator("select[name=layout]").select_option("bean-7")
    second = form.locator("input[name=second_person]")
    expect(second).not_to_be_checked()
    form.locator("select[name=mode]").select_option("live")
    expect(second).to_have_count(0)  # a second person confirms at every live table
    pit.see("set-up-send").click()
    expect(pit.page.locator("dialog")).to_have_count(0)
    table = house.snapshot(name)["table"]
    assert (table["boxes"], table["second_person"]) == (7, True)
    house.deal(name, "load-shoe")
    pit.see(f"values-{name}").click()
    expect(pit.see("values")).to_contain_text("416 left")
    expect(pit.see("values").locator(".edges tbody tr")).to_have_count(8)
    expect(pit.see("ahead")).to_have_text("No bet favours the patron now.")
    expect(pit.see("value-tiger-pair")).to_contain_text("no simple count")


def test_an_override_needs_a_reason_and_is_kept(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission")
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-supervisor")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    house.cards(table, "4h 7d 4s Kc")
    pit.see(f"override-{table}").click()
    card = pit.page.locator(".floor-table").filter(has_text=table)
    card.locator("[data-test=correct-cards]").click()
    for name in ("cards", "reason"):
        expect(card.locator(f"input[name={name}]")).to_have_attribute("required", "")
    card.locator("input[name=cards]").fill("4h 9d 4s Kc")
    card.locator("input[name=reason]").fill("the nine was keyed as a seven")
    card.locator("[data-test=correct-cards-send]").click()
    expect(pit.see("case").filter(has_text=table)).to_be_visible()
    house.approve(table)
    expect(pit.see("significant")).to_contain_text("the nine was keyed as a seven")
    expect(ann.see("call")).to_contain_text("Banker wins 9–8")


def test_values_are_not_for_patrons(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission")
    patron = seats.open("/pit", house.patron("Ann"), "staff")
    expect(patron.see("problem")).to_be_visible()
    ann = seats.terminal(table)
    status = ann.page.evaluate(
        "async ([path, token]) => (await fetch(path, {headers: {Authorization: `Bearer ${token}`}})).status",
        [f"/api/tables/{table}/values", ann.token],
    )
    assert status == 403
