"""The report form: what can be reported, what each ruling needs, and what it would do, all as the table says."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.house import House
from tests.browser.seats import Seat, Seats


def _begin(house: House, seats: Seats, table: str, cards: str) -> tuple[Seat, Seat]:
    """Ann has bets on Banker, and cards are on the table."""
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    ann.begin(banker=10_000)
    house.play(table, cards, settled=False)
    expect(dealer.see("card")).to_have_count(len(cards.split()))
    return ann, dealer


def _reported(house: House, table: str) -> Any:
    """The facts of the open case."""
    return house.snapshot(table, house.staff("dealer"))["case"]["facts"]


def _pick(dealer: Seat, group: str, situation: str) -> None:
    """Open the form and pick what was seen."""
    dealer.see("report").click()
    dealer.see(f"group-{group}").click()
    dealer.see(f"situation-{situation}").check()


def _fact(dealer: Seat, name: str, value: str) -> Locator:
    """One of the values of a fact, to be tapped."""
    return dealer.page.locator(f"input[name={name}][value='{value}']")


def _send(dealer: Seat) -> None:
    dealer.see("report-send").click()
    expect(dealer.page.locator("dialog")).to_have_count(0)


def test_every_situation_that_the_table_knows_is_listed_and_those_it_refuses_say_why(
    house: House, seats: Seats
) -> None:
    table = house.table("da-hu-ying-xiong")
    _, dealer = _begin(house, seats, table, "2h 3d")
    choices = house.ask("GET", f"/api/tables/{table}/choices", None, house.staff("dealer"))
    ways = next(each["ways"] for each in choices if each["kind"] == "report")
    open_to = {way["situation"]: False for way in ways} | {
        way["situation"]: True for way in ways if not way.get("refusal")
    }
    groups = {way["group"] for way in ways}
    assert groups >= {"card", "bet", "shoe", "equipment", "person"}
    dealer.see("report").click()
    shown: dict[str, bool] = {}
    for group in groups:
        dealer.see(f"group-{group}").click()
        radios = dealer.page.locator("input[name=situation]")
        found = dict(radios.evaluate_all("all => all.map(each => [each.value, !each.disabled])"))
        assert found.keys() == {way["situation"] for way in ways if way["group"] == group}
        shown |= found
    assert shown == open_to
    assert not open_to["late-error"]
    dealer.see("group-card").click()
    late = dealer.page.locator("label", has=dealer.see("situation-late-error"))
    expect(late).to_contain_text("The next round has not begun since")


def test_a_card_in_excess_is_reported_with_the_cards_that_came_out(house: House, seats: Seats) -> None:
    table = house.table("commission")
    _, dealer = _begin(house, seats, table, "4h 7d 4s Kc")
    _pick(dealer, "card", "excess-card")
    cards, yes, no = (
        dealer.page.locator("input[name=cards]"),
        _fact(dealer, "reconstructible", "true"),
        _fact(dealer, "reconstructible", "false"),
    )
    expect(cards).to_have_value("4h 7d 4s Kc")
    for field in (cards, yes, no):
        expect(field).to_have_attribute("required", "")
    expect(dealer.page.locator("input[name=note]")).not_to_have_attribute("required", "")
    no.check()
    expect(dealer.page.locator("input[name=note]")).to_have_attribute("required", "")
    yes.check()
    dealer.page.locator("[data-test=pick-9h]:visible").press("Enter")
    expect(cards).to_have_value("4h 7d 4s Kc 9h")
    expect(dealer.see("preview")).to_contain_text("The cards are put back in the order in which they left the shoe.")
    _send(dealer)
    house.approve(table)
    expect(dealer.see("carried")).to_contain_text("9♥")


def test_a_hand_that_cannot_be_put_right_is_named_as_a_hand(house: House, seats: Seats) -> None:
    table = house.table("commission")
    _, dealer = _begin(house, seats, table, "4h 7d 4s Kc")
    _pick(dealer, "card", "wrong-area")
    dealer.page.get_by_label("Player", exact=True).check()
    _fact(dealer, "reconstructible", "false").check()
    _fact(dealer, "hand_count", "3").check()
    dealer.page.locator("input[name=note]").fill("the cards were mixed up")
    preview = dealer.see("preview")
    expect(preview).to_contain_text("The round is void: every bet goes back.")
    expect(preview).to_contain_text("Ann, box 1, Banker: 100 back")
    expect(preview).to_contain_text("a second person must confirm")
    _send(dealer)
    told = {"hand": "player", "hand_count": 3, "reconstructible": False, "note": "the cards were mixed up"}
    assert _reported(house, table) == told


def test_whoever_meant_to_insure_is_ticked_and_the_open_window_cannot_be_neglected(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann, dealer = _begin(house, seats, table, "2h 3h Ks 3s 7c")
    _pick(dealer, "bet", "insurance-neglected")
    dealer.page.get_by_label("after four cards").check()
    expect(_fact(dealer, "way", "1")).to_be_disabled()
    dealer.page.get_by_label("Box 1 Ann: Banker").check()
    expect(dealer.see("preview")).to_contain_text("Held: the Pit Manager or above must approve ¶ 5.13")
    _send(dealer)
    patron = house.ask("GET", "/api/me", None, ann.token)["id"]
    claim = {"patron": patron, "box": 1, "hand": "banker"}
    assert _reported(house, table) == {"window": "four-cards", "claims": [claim]}


def test_a_report_that_the_table_refuses_says_why_before_it_is_sent(house: House, seats: Seats) -> None:
    table = house.table("commission")
    _, dealer = _begin(house, seats, table, "4h 7d 4s Kc")
    _pick(dealer, "card", "excess-card")
    _fact(dealer, "reconstructible", "true").check()
    dealer.page.locator("input[name=cards]").fill("4h 9d 4s Kc")
    expect(dealer.see("preview")).to_contain_text("must be among those given")
    dealer.see("report-send").click()
    expect(dealer.see("report-refused")).to_contain_text("must be among those given")
