"""Bets built up on the felt, sent as one, and taken back one action after the other; insurance by chips."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seat, Seats


def _focus(seat: Seat) -> str:
    name: str = seat.page.evaluate("document.activeElement?.dataset.test ?? document.activeElement?.tagName")
    return name


def test_a_bet_is_built_from_small_chips_undone_step_by_step_and_told_when_it_was_not_sent(
    house: House, seats: Seats
) -> None:
    table = house.table("non-commission")  # a minimum of 50, chips from 1
    ann = seats.terminal(table)
    ann.begin()

    ann.stage("banker", 2_500)
    expect(ann.see("spot-banker")).to_contain_text("25 more")
    expect(ann.see("confirm")).to_be_disabled()
    expect(ann.see("refused")).to_have_text("Banker: 25 more for the minimum.")
    ann.stage("banker", 500, times=4)
    expect(ann.see("spot-banker")).to_contain_text("5 more")
    ann.stage("banker", 500)
    assert house.snapshot(table)["total_cents"] == 0, "nothing is sent yet"
    expect(ann.see("confirm")).to_have_text("Confirm 50")
    ann.page.keyboard.press("Enter")  # the focus is on the spot
    ann.placed("banker", 5_000)
    expect(ann.see("spot-banker")).to_contain_text("table 50")
    expect(ann.see("spot-banker")).to_contain_text("1:2 6 points1:1 other points")

    ann.stage("tie", 1_00, times=10)
    ann.see("double").click()
    ann.wanted("banker", 10_000)
    ann.see("clear").click()
    ann.wanted("banker", 0)
    for banker, tie in ((10_000, 2_000), (5_000, 1_000), (5_000, 900)):
        ann.see("undo").click()  # the clearing, the doubling, one chip
        ann.wanted("banker", banker)
        ann.wanted("tie", tie)
    ann.stage("tie", 1_00)
    ann.confirm()
    ann.placed("tie", 1_000)
    ann.see("undo").click()  # the whole confirmation
    ann.wanted("tie", 0)
    ann.confirm()
    ann.placed("tie", 0)
    ann.placed("banker", 5_000)

    ann.stage("player", 2_500, times=2)
    assert _focus(ann) == "spot-player"
    house.deal(table, "close-bets")
    expect(ann.see("refused")).to_have_attribute("data-code", "not-sent")
    expect(ann.see("refused")).to_contain_text("50 went back to your tray")
    ann.placed("player", 0)
    house.cards(table, "Kh 3d Qs 4c 2h")
    house.deal(table, "settle")
    expect(ann.see("spot-banker").locator(".stake.won .amount")).to_have_text("+50")
    expect(ann.see("spot-banker").locator(".stake:not(.won) .amount")).to_have_text("50")
    house.deal(table, "open-bets")
    ann.phase("betting")
    assert _focus(ann) == "spot-player", "the focus stays over a whole round"
    ann.see("rebet").click()
    ann.wanted("banker", 5_000)
    ann.see("undo").click()
    ann.wanted("banker", 0)


def test_insurance_by_chips_is_sent_when_it_is_confirmed(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = seats.terminal(table)
    ann.begin(banker=10_000)
    house.play(table, "2h 3h Ks 3s", settled=False)  # Player 2, Banker 6: Banker may be insured at 3:1, up to 33
    expect(ann.see("forgone")).to_contain_text("¶ 5.3")
    spot = ann.see("insurance-spot-banker-insurance")
    ann.chip(2_500)
    spot.click()
    ann.chip(500)
    spot.click()
    expect(spot).to_have_attribute("data-wanted", "3000")
    expect(spot).to_be_disabled()  # another chip of 5 would be too much
    ann.see("undo").click()
    expect(spot).to_have_attribute("data-wanted", "2500")
    ann.chip(100)
    spot.click()
    assert len(house.snapshot(table, ann.token)["me"]["bets"]) == 1, "nothing is sent yet"
    expect(ann.see("confirm")).to_have_text("Confirm 26")
    ann.page.keyboard.press("Enter")
    expect(ann.see("insurance").locator(".stake:not(.staged) .amount")).to_have_text("26")
    expect(ann.see("undo")).to_be_disabled()
    expect(ann.see("forgone")).to_have_count(0)
    spot.focus()
    house.cards(table, "7h Kc")
    expect(ann.see("insurance")).to_have_count(0)
    assert _focus(ann).startswith("spot-"), "the focus does not go with the panel"
    house.deal(table, "settle")
    assert ann.line("banker-insurance").startswith("Banker Insurance 26 won 3:1 +78 ¶ ")
