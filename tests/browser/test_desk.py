"""The pages of the desk beside the pit, at the keyboard alone: people, the house and its first steps, the records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from punto.service.audit.software import fingerprint
from tests.browser.house import House
from tests.browser.seats import Seat, Seats


def _ask_token(seat: Seat, what: str, person: str, reason: str = "it was lost") -> None:
    seat.enter(f"{what}-{person}")
    expect(seat.page.locator("input[name=reason]")).to_be_focused()
    seat.page.keyboard.type(reason)
    seat.page.keyboard.press("Enter")


def _kept_token(seat: Seat) -> str:
    """The token that is shown this once, put away."""
    token: str = seat.see("token").inner_text()
    seat.enter("token-kept")
    expect(seat.see("token")).to_have_count(0)
    return token


def test_the_first_start_leads_an_operator_to_a_house_that_is_ready(own_seats: Seats) -> None:
    house, seats = own_seats.house, own_seats
    admin = seats.open("/house")
    expect(admin.page.locator(".sign-in .hint")).to_contain_text("punto serve --new-admin-token")
    expect(admin.page.locator("input[name=token]")).to_be_focused()
    admin.page.keyboard.type(house.tokens["admin"])
    admin.page.keyboard.press("Enter")
    step = admin.page.locator("[aria-current=step]")
    expect(step).to_contain_text("Let a second person in")
    admin.enter("step-people")
    admin.page.locator("input[name=name]").press_sequentially("Sue")
    admin.page.locator("select[name=role]").press_sequentially("Table Game")
    admin.page.locator("input[name=name]").press("Enter")
    _kept_token(admin)
    admin.enter("page-house")
    expect(step).to_contain_text(str(house.folder / "house.db.key"))
    admin.enter("step-key")
    expect(step).to_contain_text("Set up the first table")
    admin.enter("step-table")
    admin.page.locator("input[name=table]").press_sequentially("one")
    admin.page.locator("input[name=table]").press("Enter")
    expect(admin.see("first-steps")).to_have_count(0)
    expect(admin.see("tables")).to_contain_text("one")


def test_someone_is_let_in_given_a_position_and_dismissed(house: House, seats: Seats) -> None:
    table, name = house.table("commission"), house.new_name()
    admin, manager = seats.staff("/people", "admin"), seats.staff("/people", "pit-manager")
    admin.page.locator("input[name=name]").press_sequentially(name)
    admin.page.locator("select[name=role]").press_sequentially("Dealer")
    admin.page.locator("input[name=name]").press("Enter")
    expect(admin.see("token")).to_be_visible()
    dealer = seats.open(f"/dealer/{table}", _kept_token(admin), "staff")
    dealer.enter("come-on-duty")
    manager.page.locator("input[name=find]").press_sequentially(name)
    expect(manager.see(f"token-{name}")).to_have_count(0)
    manager.enter(f"position-{name}")
    manager.enter("assign-position")
    manager.page.locator("select[name=position]").press_sequentially("Pit S")
    manager.enter("assign-position-send")
    expect(manager.page.locator("dialog")).to_contain_text("Pit Supervisor ← Dealer")
    manager.page.keyboard.press("Escape")
    expect(manager.see(f"person-{name}")).to_contain_text(f"{table} · Pit Supervisor")
    expect(manager.page.locator("select[name=role] option")).to_have_text(["patron"])

    admin.enter(f"dismissal-{name}")
    admin.enter("person-send")
    expect(admin.see(f"person-{name}")).to_contain_text("Ended")
    expect(dealer.page.locator("main")).to_contain_text("Staff sign in")
    expect(admin.see(f"dismissal-{name}")).to_have_count(0)


def test_an_admin_gets_a_new_token_once_a_second_person_agrees(own_seats: Seats) -> None:
    admin, chief = own_seats.staff("/people", "admin"), own_seats.staff("/people", "shift-manager")
    _ask_token(admin, "token", "admin")
    expect(admin.see("toast")).to_contain_text("A second person")
    expect(chief.see("person-admin")).to_contain_text("Asked for by Admin")
    _ask_token(chief, "consent", "admin")
    expect(chief.see("person-admin")).to_contain_text("Asked for by Admin, Shift-Manager")
    expect(chief.see("token")).to_have_count(0)
    expect(admin.see("person-admin")).to_contain_text("Shift-Manager")
    _ask_token(admin, "token", "admin")
    expect(admin.see("token")).to_be_visible()
    token = admin.see("token").inner_text()
    again = own_seats.open("/people", token, "staff")
    expect(again.see("person-admin")).to_contain_text("New token")


@pytest.mark.parametrize(
    ("role", "pages"),
    [
        ("dealer", []),
        ("pit-supervisor", ["Pit desk", "Cage", "House", "Records"]),
        ("pit-manager", ["Pit desk", "Cage", "People", "House", "Records"]),
    ],
)
def test_the_desk_has_the_pages_that_the_server_opens_to_a_role(
    role: str, pages: list[str], house: House, seats: Seats
) -> None:
    seat = seats.staff("/records", role)
    expect(seat.see("tab-past-rounds")).to_be_visible()
    expect(seat.page.locator(".desk-pages a")).to_have_text(pages)
    if "People" not in pages:
        seat.page.goto(f"{house.address}/people")
        expect(seat.see("link")).to_contain_text("for others of the staff")


def test_the_house_shows_its_limits_its_health_and_the_fingerprint_of_its_software(house: House, seats: Seats) -> None:
    table = house.table("commission", minimum_cents=2_500)
    seat = seats.staff("/house", "pit-supervisor")
    expect(seat.see("tables").locator("tr", has_text=table).first).to_contain_text("25")
    expect(seat.see("status")).to_have_text("well")
    expect(seat.page.locator("main")).to_contain_text(fingerprint())
    expect(seat.page.locator("main")).to_contain_text("00:00 UTC")
    expect(seat.see("first-steps")).to_have_count(0)


def test_records_are_found_read_and_saved(house: House, seats: Seats) -> None:
    table = house.table("commission")
    house.deal(table, "open-bets")
    house.play(table, "4h 7d 4s Kc")
    house.deal(table, "report", situation="not-shuffled", facts={"note": "seen by the Dealer"})
    seat = seats.staff("/records", "dealer")

    def saved(name: str) -> str:
        with seat.page.expect_download() as download:
            seat.see(name).press("Enter")
        return Path(download.value.path()).read_text(encoding="utf-8")

    seat.page.locator("select[name=table]").press_sequentially(table)
    expect(seat.see("replay")).to_contain_text("Player 8–7")
    assert f"\n{table},1," in saved("rounds-csv")
    assert saved("rounds-jsonl").startswith(f'{{"table":"{table}","round":1,')
    seat.enter("tab-incident-history")
    seat.page.locator("select[name=table]").press_sequentially(table)
    incident = seat.see("past-incident")
    expect(incident).to_have_count(1)
    expect(incident).to_contain_text("seen by the Dealer")
    assert len(re.findall(r",not-shuffled,", saved("incidents-csv"))) == 1
    incident.locator("button").press("Enter")
    expect(seat.see("replay")).to_contain_text("Round 1")
    seat.enter("tab-significant-events")
    seat.page.locator("select[name=table]").press_sequentially(table)
    seat.page.locator("select[name=heading]").press_sequentially("Inc")
    expect(seat.see("significant").locator("li")).to_have_count(1)
    assert saved("significant-csv").count("\n") == 2
