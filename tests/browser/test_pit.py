"""The pit desk: figures of the day, two people on one correction, the life of a table, and what axe finds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.axe import found_by_axe
from tests.browser.house import House
from tests.browser.seats import Seats


def rows_of(table: Locator) -> dict[str, list[str]]:
    """What a table shows, by the heading of each row."""
    rows = [row.locator("th, td").all_inner_texts() for row in table.locator("tbody tr").all()]
    return {" ".join(heading.split()): [" ".join(cell.split()) for cell in cells] for heading, *cells in rows}


def cents(shown: str) -> int:
    """An amount as the page writes it, in cents."""
    whole, _, rest = shown.replace(",", "").replace("−", "-").partition(".")
    return 0 if shown == "–" else int(whole) * 100 + int(f"{'-' if whole.startswith('-') else ''}{rest or '0':0<2}")


def test_two_people_approve_a_corrected_card_and_read_what_it_changes(house: House, seats: Seats) -> None:
    table = house.table("commission", second_person=True, name="Lotus salon")
    ann = seats.terminal(table)
    ann.begin(player=10_000, tie=1_000)
    house.play(table, "4h 7d 4s Kc")
    expect(ann.see("balance")).to_have_text("10,090")
    first, second = seats.staff("/pit", "pit-supervisor"), seats.staff("/pit", "pit-manager")
    first.enter(f"override-{table}")
    first.enter("correct-round")
    first.page.locator("input[name=round]").fill("1")
    first.page.locator("input[name=cards]").fill("4h 8d 4s Kc")
    first.page.locator("input[name=reason]").fill("the eight was keyed as a seven")
    first.enter("correct-round-send")
    case = second.see("case").filter(has_text="Lotus salon")
    expect(case).to_contain_text("the eight was keyed as a seven")
    expect(case).to_contain_text("Reported by Pit-Supervisor (Pit Supervisor)")
    expect(case.locator("[data-test=waited]")).to_have_text("0 min")
    # 100 on Player came back as 200, 10 on the tie were lost: now Player's stake goes back and the tie pays 80.
    assert rows_of(case.locator("[data-test=effect]")) == {
        "Cards substituted": ["4♥ 7♦ 4♠ K♣", "4♥ 8♦ 4♠ K♣"],
        "Result": ["Player 8–7", "Tie 8–8"],
        "Ann": ["200", "190"],
    }
    mine = first.see("case").filter(has_text="Lotus salon")
    expect(mine).to_contain_text("Pit Supervisor")
    expect(mine.locator("[data-test=decide-approve]")).to_have_count(0)  # nobody confirms what they proposed
    case.locator("[data-test=decide-approve]").press("Enter")
    expect(case).to_have_count(0)
    expect(ann.see("balance")).to_have_text("10,080")
    second.enter("page-records")
    second.enter("tab-incident-history")
    entry = second.see("past-incident").filter(has_text="Lotus salon")
    expect(entry).to_contain_text("Approve · Pit-Manager")
    entry.locator(".recall").press("Enter")
    expect(second.see("correction")).to_contain_text("4♥ 7♦ 4♠ K♣  · Player")
    expect(second.see("correction")).to_contain_text("4♥ 8♦ 4♠ K♣  · Tie")


def test_a_proposal_is_declined_with_a_reason(house: House, seats: Seats) -> None:
    table = house.table("commission", second_person=True)
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-manager")
    ann.begin(player=10_000)
    house.play(table, "4h 7d 4s Kc")
    house.deal(table, "correct-round", "pit-supervisor", round=1, cards="4h 9d 4s Kc", reason="a doubt")
    case = pit.see("case").filter(has_text=table)
    case.locator("[data-test=decide-decline]").press("Enter")
    expect(case.locator("input[name=reason]")).to_have_attribute("required", "")
    case.locator("input[name=reason]").fill("the camera shows a seven")
    case.locator("[data-test=decide-decline-send]").press("Enter")
    expect(case).to_have_count(0)
    expect(pit.see("significant")).to_contain_text("the camera shows a seven")
    expect(ann.see("balance")).to_have_text("10,100")


def test_limits_change_play_is_suspended_and_the_table_closes_and_opens_with_patrons_seated(
    house: House, seats: Seats
) -> None:
    table = house.table("commission", second_person=True, name="Jade room")
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    lobby, pit = seats.open("/"), seats.staff("/pit", "pit-manager")
    ann.sit(1)
    expect(lobby.see(f"table-{table}")).to_contain_text("Jade room")
    pit.enter(f"override-{table}")
    pit.see("change-limits").locator("summary").press("Enter")
    pit.page.locator("input[name=minimum]").fill("200")
    pit.enter("change-limits-send")
    expect(pit.see("limits-now")).to_contain_text("Minimum200")
    pit.enter("suspend-play")
    pit.page.locator("input[name=reason]").fill("a spilled drink")
    pit.enter("suspend-play-send")
    expect(pit.see(f"floor-{table}")).to_contain_text("suspended")
    expect(ann.see("call")).to_contain_text("Play is suspended")
    reply = house.snapshot(table, house.staff("dealer"))["me"]["choices"]
    assert next(each for each in reply if each["kind"] == "open-bets")["refusal"]["code"] == "play-suspended"
    pit.enter("resume-play")
    dealer.enter("open-bets")
    ann.phase("betting")
    ann.bet("player", 50_000)
    expect(pit.see(f"floor-{table}")).to_contain_text("500")
    house.play(table, "4h 7d 4s Kc")
    pit.enter("close-table")
    expect(pit.page.locator("dialog")).to_contain_text("Patrons keep their credit and their seats")
    expect(pit.page.locator("dialog")).to_contain_text("1 patron sits at the table now.")
    pit.enter("close-table-confirm")
    expect(ann.see("call")).to_contain_text("The table is closed")
    expect(lobby.see(f"table-{table}")).to_have_count(0)
    expect(pit.see(f"floor-{table}")).to_contain_text("closed")
    pit.enter("reopen")
    expect(lobby.see(f"table-{table}")).to_be_visible()
    expect(pit.see(f"floor-{table}")).to_contain_text("1/9")
    dealer.enter("open-bets")
    ann.phase("betting")
    ann.bet("player", 50_000)


def test_the_figures_of_the_floor_are_those_of_the_day_report(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", name="Tiger salon")
    ann, pit = seats.terminal(table), seats.staff("/pit", "pit-manager")
    ann.sit(1)
    house.deal(table, "come-on-duty")
    ann.begin(player=10_000, tiger=2_000)
    house.play(table, "4h 7d 4s Kc")
    ann.begin(banker=30_000)
    house.play(table, "2h 9d 6d Qs")
    house.deal(table, "open-bets")
    body = {"kind": "place-bet", "box": 1, "on": "player", "stake_cents": 7_000}
    house.ask("POST", f"/api/tables/{table}/commands", body, ann.token)
    row = pit.see(f"floor-{table}")
    expect(row).to_contain_text("70")
    expect(row).to_contain_text(re.compile("Dealer"))
    report = day_report(house)
    told = next(each for each in report["tables"] if each["table"] == table)
    state, _, rounds, duty, seated, handle, win, theoretical, risk = [
        " ".join(cell.split()) for cell in row.locator("td").all_inner_texts()
    ]
    assert state == "place your bets"
    assert rounds == f"{told['rounds']}" == "2"
    assert duty == told["duty"][0]["name"]
    assert seated == f"{told['seats_taken']}/{told['seats']}" == "1/9"
    assert cents(handle) == told["handle_cents"] == 42_000
    assert cents(win.split()[0]) == told["win_cents"]
    assert win.split()[1] == f"{told['hold_basis_points'] / 100:.2f}%".replace("-", "−")
    assert cents(theoretical) == told["theoretical_cents"]
    assert [cents(each) for each in risk.split()] == [told["exposure_cents"], told["in_play_cents"]] == [7_000, 7_000]
    pit.page.reload()  # the course of the day is asked for every half minute
    course = house.ask("GET", "/api/floor/hours", None, house.staff("pit-manager"))
    assert course[-1]["win_cents"] == report["total"]["win_cents"]
    assert course[-1]["theoretical_cents"] == report["total"]["theoretical_cents"]
    name = f"Theoretical {'+' if course[-1]['theoretical_cents'] > 0 else ''}{shown(course[-1]['theoretical_cents'])}"
    expect(pit.see("graph").get_by_role("img")).to_have_attribute("aria-label", re.compile(re.escape(name)))
    expect(row).to_contain_text("70")
    totals = " ".join(pit.see("totals").inner_text().split())
    assert f"Handle {shown(report['total']['handle_cents'])} " in totals
    assert f"Theoretical {shown(report['total']['theoretical_cents'])} " in totals
    assert f"At risk {shown(report['total']['exposure_cents'])} " in totals
    assert f"Receivables {shown(report['receivables_cents'])} " in totals


def day_report(house: House) -> dict[str, Any]:
    """What `punto day-report` says of the server's database."""
    database = f"sqlite:///{house.folder / 'house.db'}"
    command = [sys.executable, "-m", "punto", "day-report", "--database", database, "--json"]
    report: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return report


def shown(cents: int) -> str:
    """An amount as the page writes it."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'−' if cents < 0 else ''}{whole:,}{f'.{rest:02d}' if rest else ''}"


def test_a_table_is_set_up_with_its_pace_and_seen_before(house: House, seats: Seats) -> None:
    name = house.new_name()
    pit = seats.staff("/pit", "pit-manager")
    pit.enter("set-up")
    form = pit.page.locator("dialog form")
    form.locator("input[name=table]").press_sequentially(name)
    form.locator("select[name=game]").select_option("da-hu-ying-xiong")
    expect(pit.see("preview-tiger")).to_have_text(re.compile("Tiger.*12:1.*20:1.*10–1,000"))
    expect(pit.see("preview-player")).to_contain_text("Minimum 50")
    form.locator("select[name=layout]").select_option("bean-7")
    expect(pit.see("felt-preview").locator(".box")).to_have_count(7)
    form.locator("input[name=tiger-maximum]").fill("25O")
    expect(pit.see("preview-tiger")).to_contain_text("10––")
    form.locator("input[name=tiger-maximum]").fill("250")
    expect(pit.see("preview-tiger")).to_contain_text("10–250")
    mode, second = form.locator("select[name=mode]"), form.locator("input[name=second_person]")
    mode.select_option("live")
    for gone in (second, form.locator("input[name=betting_ms]")):  # of an automatic table alone
        expect(gone).to_have_count(0)
    mode.select_option("automatic")
    expect(second).not_to_be_checked()
    betting = form.locator("input[name=betting_ms]")
    expect(betting).to_have_value("15")
    for typed, says in (("1e1", "Not a number of seconds"), ("7200", "to 3600")):
        betting.fill(typed)
        betting.press("Enter")
        expect(pit.see("wrong-betting_ms")).to_contain_text(says)
    betting.fill("2.5")
    betting.press("Enter")
    expect(pit.page.locator("dialog")).to_have_count(0)
    ann = seats.terminal(name)
    ann.phase("betting")
    table = house.snapshot(name)
    assert 0 < table["ends_at_ms"] - table["now_ms"] <= 2_500


def test_a_refusal_of_the_set_up_form_stands_beside_its_field(house: House, seats: Seats) -> None:
    name = house.new_name()
    pit = seats.staff("/pit", "pit-manager")
    pit.enter("set-up")
    form = pit.page.locator("dialog form")
    form.locator("input[name=table]").fill(name)
    form.locator("input[name=name]").fill("Orchid 7")
    form.locator("select[name=game]").select_option("easy-six")
    form.locator("input[name=minimum_cents]").fill("20,000")
    pit.enter("set-up-send")
    expect(pit.see("wrong-minimum_cents")).to_contain_text("The limits cannot be used")
    form.locator("input[name=minimum_cents]").fill("100")
    form.locator("input[name=easy-six-minimum]").fill("2,000")
    pit.enter("set-up-send")
    expect(pit.see("wrong-easy-six")).to_be_visible()
    form.locator("input[name=easy-six-minimum]").fill("50")
    pit.enter("set-up-send")
    expect(pit.page.locator("dialog")).to_have_count(0)
    expect(pit.see(f"floor-{name}")).to_contain_text("Orchid 7")
    table = house.snapshot(name)["table"]
    assert (table["name"], table["limits"]["minimum_cents"], table["decks"]) == ("Orchid 7", 10_000, 8)
    assert {"on": "easy-six", "minimum_cents": 5_000, "maximum_cents": 100_000} in table["limits"]["sides"]


def test_the_desk_says_when_a_bet_turns_to_favour_patrons(house: House, seats: Seats) -> None:
    table = house.table("commission", decks=4, name="Orchid 1")
    pit = seats.staff("/pit", "pit-manager")
    expect(pit.see(f"floor-{table}")).to_be_visible()
    row = pit.see(f"floor-{table}")
    for cards in ["8s 9s 8h 9h", "8d 9d 8c 9c"] * 4:  # without eights and nines the other ranks pair more often
        expect(row).not_to_contain_text("Pair")
        house.deal(table, "open-bets")
        house.play(table, cards)
    expect(row).to_contain_text("Player Pair, Banker Pair")
    expect(pit.see("toast")).to_have_text("A bet now favours patrons at Orchid 1.")
    pit.enter(f"values-{table}")
    expect(pit.see("ahead")).to_contain_text("Player Pair, Banker Pair")


def test_axe_finds_nothing_on_the_pit_desk(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", second_person=True)
    ann = seats.terminal(table)
    ann.begin(player=10_000)
    house.play(table, "4h 7d 4s Kc")
    house.deal(table, "correct-round", "pit-supervisor", round=1, cards="4h 9d 4s Kc", reason="a doubt")
    for language in ("zh-CN", "en-GB"):
        pit = seats.staff("/pit", "pit-manager", locale=language)
        expect(pit.see("effect").first).to_be_visible()
        expect(case := pit.see("case").filter(has_text=table)).to_have_count(1)
        rule, sheet = case.locator(".paragraph b").inner_text().removeprefix("¶ "), house.sheets["da-hu-ying-xiong"]
        paragraph = sheet["paragraphs"][rule]
        expect(case).to_contain_text(sheet["zh"][paragraph] if language == "zh-CN" else paragraph)
    assert found_by_axe(pit.page) == []
    pit.enter(f"override-{table}")
    expect(pit.see("duty")).to_be_visible()
    assert found_by_axe(pit.page) == []
    pit.enter(f"values-{table}")
    expect(pit.see("values").locator("tbody tr").first).to_be_visible()
    assert found_by_axe(pit.page) == []
    pit.enter("set-up")
    expect(pit.page.locator("dialog select[name=game]")).to_be_visible()
    assert found_by_axe(pit.page) == []
    pit.page.keyboard.press("Escape")
    pit.enter("recall")
    expect(pit.see("replay")).to_be_visible()
    assert found_by_axe(pit.page) == []
    pit.page.keyboard.press("Escape")
    for page, shows in (("people", "people"), ("house", "tables"), ("records", "replay")):
        pit.enter(f"page-{page}")
        if page == "records":
            pit.page.locator("select[name=table]").select_option(table)  # others may have no rounds
        expect(pit.see(shows)).to_be_visible()
        assert found_by_axe(pit.page) == [], page
    for tab, shows in (("incident-history", "past-incident"), ("significant-events", "significant")):
        pit.enter(f"tab-{tab}")
        expect(pit.see(shows).first).to_be_visible()
        assert found_by_axe(pit.page) == [], tab
    house.approve(table)


def test_tables_are_found_and_sorted_and_their_panel_opens_beside_the_list(house: House, seats: Seats) -> None:
    low, high = house.table("commission"), house.table("commission-insurance")
    pit = seats.staff("/pit", "pit-supervisor", viewport={"width": 1440, "height": 900})
    rows = pit.see("floor").locator("tbody tr")
    order = rows.evaluate_all
    name = pit.page.locator(".sorts").first
    names = "rows => rows.map(row => row.querySelector('.name').textContent)"
    expect(pit.see(f"floor-{high}")).to_be_visible()
    name.press("Enter")
    expect(pit.page.locator("[aria-sort=ascending]")).to_have_count(1)
    assert (first := order(names)) == sorted(first, key=str.casefold)
    name.press("Enter")
    expect(pit.page.locator("[aria-sort=descending]")).to_have_count(1)
    assert order(names) == first[::-1]
    pit.page.locator("input[name=find]").press_sequentially(high)
    expect(rows).to_have_count(1)
    cut = "each => each.scrollWidth > each.clientWidth + 1"
    assert not rows.locator(".name, small").evaluate_all(f"all => all.some({cut})"), "a name is cut off"
    pit.enter(f"override-{high}")
    panel, listed = pit.page.locator(".floor-table"), pit.see("floor")
    expect(panel).to_be_in_viewport()
    beside, floor = panel.bounding_box(), listed.bounding_box()
    assert beside is not None and floor is not None
    assert beside["x"] >= floor["x"] + floor["width"] - 1
    assert abs(beside["y"] - floor["y"]) < 120
    pit.page.set_viewport_size({"width": 390, "height": 844})
    expect(panel).to_be_in_viewport()
    assert pit.page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    assert low != high


def test_the_records_name_what_each_patron_chose_and_the_roles_that_acted(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann, bo = seats.terminal(table), seats.terminal(table, "Bo")
    ann.sit(1)
    bo.sit(2)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    bo.bet("banker", 10_000)
    house.play(table, "2h 3d", settled=False)
    house.deal(table, "report", situation="other-dealing-error", facts={"note": "the shoe was knocked"})
    ann.enter("choose-take-back")
    bo.enter("choose-continue")
    expect(bo.see("held")).to_have_count(0)
    records = seats.staff("/records#incident-history", "pit-manager")
    incident = records.see("past-incident").filter(has_text="the shoe was knocked").first
    expect(incident).to_contain_text("Reported by Dealer (Dealer)")
    expect(incident.locator("[data-test=choice]")).to_have_text([re.compile("Ann: Take"), re.compile("Bo: ")])
