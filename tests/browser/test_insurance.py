"""Insurance through the terminal in both windows, with odds, cap and one-tap stakes."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.house import House
from tests.browser.seats import Seat, Seats


def _begin(house: House, seats: Seats, table: str, on: str) -> Seat:
    ann = seats.terminal(table)
    ann.begin()
    ann.bet(on, 10_000)
    house.deal(table, "close-bets")
    return ann


def test_first_window(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = _begin(house, seats, table, "banker")
    house.cards(table, "2h 3h Ks 3s")  # Player 2, Banker 6: Banker may be insured at 3:1
    panel = ann.see("insurance")
    expect(panel).to_contain_text("3:1")
    expect(panel).to_contain_text("up to 33 against your 100")
    stakes = ann.see("insure-banker-insurance")
    assert [text.split() for text in stakes.all_inner_texts()] == [
        ["8", "wins", "24"],
        ["16", "wins", "48"],
        ["33", "wins", "99"],
    ]
    stakes.last.click()
    expect(panel).to_contain_text("33")
    expect(panel.locator(".stake:not(.staged) .amount")).to_have_text("33")
    house.cards(table, "7h")  # Player 9: Banker's 6 stands on a third card worth 7? it draws
    house.cards(table, "Kc")
    house.deal(table, "settle")
    assert ann.line("banker-insurance").startswith("Banker Insurance 33 won 3:1 +99 ¶ ")
    assert ann.line("banker").startswith("Banker 100 lost −100 ¶ ")


def test_second_window_after_the_first(house: House, seats: Seats) -> None:
    table = house.table("commission-insurance")
    ann = _begin(house, seats, table, "player")
    house.cards(table, "Kh 2h 3s 2s")  # Player 3, Banker 4: nothing yet
    expect(ann.see("insurance")).to_have_count(0)
    house.cards(table, "3c")  # Player 6, Banker 4 draws on a 3: Player may be insured at 3:1
    expect(ann.see("insurance")).to_contain_text("after Player's third card")
    ann.see("insure-player-insurance").first.click()
    expect(ann.see("insurance").locator(".stake:not(.staged) .amount")).to_have_text("8")
    house.cards(table, "4c")  # Banker 8 beats 6
    house.deal(table, "settle")
    assert ann.line("player-insurance").startswith("Player Insurance 8 won 3:1 +24 ¶ ")


def test_insurance_by_keys_says_what_it_pays_and_may_be_declined(house: House, seats: Seats) -> None:
    table = house.table("commission-insurance")
    ann = _begin(house, seats, table, "banker")
    house.cards(table, "2h 3h Ks 3s")
    expect(ann.see("insurance")).to_be_focused()
    expect(ann.see("own-bets")).to_contain_text("Banker 100")
    ann.page.keyboard.press("n")
    expect(ann.see("insurance")).to_have_count(0)
    assert len(house.snapshot(table, ann.token)["me"]["bets"]) == 1
    choices = {each["kind"]: each for each in house.ask("GET", f"/api/tables/{table}/choices", None, ann.token)}
    assert choices["decline-insurance"]["refusal"]["code"] == "nothing-to-decline", "it was recorded"
    house.cards(table, "7h Kc")
    house.deal(table, "settle")
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    house.play(table, "2h 3h Ks 3s", settled=False)
    expect(ann.see("insurance")).to_be_focused()
    ann.page.keyboard.press("3")
    expect(ann.see("insured-banker-insurance")).to_have_text(
        "Insured 33: pays 99 if Banker loses; a tie gives it back."
    )
    expect(ann.see("insurance")).not_to_contain_text("at most 0")
    house.cards(table, "7h Kc")
    house.deal(table, "settle")
    verdict = ann.see("verdict-banker-insurance")
    expect(verdict).to_contain_text("+99")
    verdict.locator("[data-test=rule]").press("Enter")
    expect(ann.see("rule-text")).to_contain_text("insurance pay table")


def test_without_an_original_bet_nothing_can_be_tapped(house: House, seats: Seats) -> None:
    table = house.table("commission-insurance")
    ann = _begin(house, seats, table, "player")
    house.cards(table, "2h 3h Ks 3s")
    expect(ann.see("insurance")).to_contain_text("There is no bet on Banker in box 1 to insure.")
    expect(ann.see("insure-banker-insurance")).to_have_count(0)


def test_the_board_shows_the_lammer_and_no_one_needs_to_sign_in(house: House, seats: Seats) -> None:
    table = house.table("commission-insurance")
    board = seats.open(f"/board/{table}")
    house.deal(table, "open-bets")
    house.play(table, "2h 3h Ks 3s", settled=False)
    expect(board.see("lammer")).to_contain_text("3:1")
    house.cards(table, "9h")
    house.cards(table, "Kc") if house.snapshot(table)["next"]["hand"] else None
    house.deal(table, "settle")
    expect(board.page.locator(".road")).to_have_count(5)
    expect(board.page.locator(".road.bead_plate text")).to_have_count(1)
