"""What holds for every page: how much a newcomer fetches, and what axe-core finds."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import CDPSession, expect

from tests.browser.axe import found_by_axe
from tests.browser.house import House
from tests.browser.seats import DESK, PHONE, Seat, Seats

MOST_BYTES = 120_000


class Wire:
    """What a page receives over the network, as it was sent: files and answers with their headers, and frames."""

    def __init__(self, session: CDPSession) -> None:
        self.bytes: Counter[str] = Counter()
        self.encodings: dict[str, str] = {}
        session.on("Network.responseReceived", lambda event: self._answered(event["response"]))
        session.on("Network.loadingFinished", lambda event: self._count("files", int(event["encodedDataLength"])))
        session.on(
            "Network.webSocketFrameReceived", lambda event: self._count("frames", len(event["response"]["payloadData"]))
        )
        session.send("Network.enable")

    def _answered(self, response: dict[str, object]) -> None:
        headers = response["headers"]
        assert isinstance(headers, dict)
        lower = {str(name).lower(): str(value) for name, value in headers.items()}
        self.encodings[str(response["url"])] = lower.get("content-encoding", "")

    def _count(self, kind: str, size: int) -> None:
        self.bytes[kind] += size


def test_a_newcomer_s_terminal_is_small(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = seats.open("about:blank")
    wire = Wire(ann.page.context.new_cdp_session(ann.page))
    ann.page.goto(f"/table/{table}")
    ann.page.locator("input[name=name]").fill("Ann")
    ann.page.keyboard.press("Enter")
    expect(ann.see("spot-tiger")).to_be_visible()
    assert wire.bytes["frames"] > 0
    assert wire.bytes.total() <= MOST_BYTES, wire.bytes
    scripts = {url: encoding for url, encoding in wire.encodings.items() if url.endswith((".js", ".css"))}
    assert set(scripts.values()) == {"br"}
    assert not any("staff" in url for url in scripts), "the pages of staff are not for patrons"


BESIDE = "Math.max(...[...document.querySelectorAll('html, dialog')].map(each => each.scrollWidth - each.clientWidth))"
DIALOGS = ("open-help", "open-pays", "open-rounds", "open-statement", "cashier")


def test_axe_finds_nothing_on_any_page(house: House, seats: Seats) -> None:
    table, closed = house.table("da-hu-ying-xiong"), house.table("commission")
    house.deal(closed, "close-table", "pit-manager")
    found: dict[str, list[str]] = {}

    def look(seat: Seat, what: str, sign: str) -> None:
        expect(seat.page.locator(sign).first).to_be_visible()
        found[what] = found_by_axe(seat.page)
        for viewport in (PHONE, DESK):
            seat.page.set_viewport_size(viewport)
            if beside := seat.page.evaluate(BESIDE):
                found[what].append(f"{beside} pixels beside a window {viewport['width']} wide")

    look(seats.open("/"), "lobby", f"[data-test=table-{table}]")
    look(seats.open(f"/table/{table}"), "the name", "form.sign-in")
    look(seats.open("/pit"), "signing in", "form.sign-in")
    look(seats.open("/nowhere"), "no page", "main a")
    look(seats.open("/table/nowhere"), "no table", "[data-test=link]")
    look(seats.open("/odds/da-hu-ying-xiong"), "odds", "[data-test=edges]")
    look(seats.staff(f"/dealer/{table}", "dealer"), "dealer", "[data-test=call]")
    look(seats.staff("/pit", "pit-manager"), "pit", f"[data-test=values-{table}]")
    look(seats.open(f"/board/{closed}"), "closed board", "[data-test=paused]")
    house.deal(table, "open-bets")
    look(seats.open(f"/board/{table}"), "board", "[data-test=statistics]")
    look(seats.terminal(table, "Bo", viewport=PHONE), "phone", "[data-test=spot-player]")
    look(seats.staff("/cage", "pit-manager"), "cage", "[data-test=unused]")
    ann = seats.terminal(table)
    look(ann, "terminal", "[data-test=spot-player]")
    for opener in DIALOGS:
        ann.see(opener).click()
        look(ann, opener, "dialog h2")
        ann.page.keyboard.press("Escape")
    assert {what: problems for what, problems in found.items() if problems} == {}


def test_a_board_tells_every_state_of_its_table(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", loaded=False)
    board = seats.open(f"/board/{table}")
    paused = board.see("paused")
    expect(paused).to_have_attribute("data-state", "between-shoes")
    house.deal(table, "load-shoe")
    expect(paused).to_have_count(0)
    ann = house.patron("Ann")
    house.deal(table, "open-bets")
    for command in (
        {"kind": "sit", "box": 1},
        {"kind": "place-bet", "box": 1, "on": "banker", "stake_cents": 10_000},
        {"kind": "place-bet", "box": 1, "on": "tiger", "stake_cents": 2_500},
    ):
        house.ask("POST", f"/api/tables/{table}/commands", command, ann)
    expect(board.see("totals")).to_have_text("Player0Banker100Tiger25")
    house.play(table, "Kh 2d Qs 4c 5h")
    expect(board.see("count-banker")).to_have_text("Banker1 100.0%")
    expect(board.see("count-tiger")).to_have_text("Tiger1 100.0%")
    expect(board.see("count-big-tiger")).to_have_text("Big Tiger0 0.0%")
    expect(board.page.locator(".road")).to_have_count(5)
    board.page.context.set_offline(True)
    expect(board.see("link")).to_be_visible()
    board.page.context.set_offline(False)
    expect(board.see("link")).to_have_count(0)
    house.deal(table, "close-table", "pit-manager")
    expect(paused).to_have_attribute("data-state", "closed")
    board.page.reload()
    expect(paused).to_have_attribute("data-state", "closed")
    expect(board.see("count-banker")).to_have_text("Banker1 100.0%")


def test_help_explains_the_felt_and_every_key_of_it_works(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = seats.terminal(table)
    ann.page.keyboard.press("?")
    help_sheet = ann.see("help")
    expect(help_sheet).to_be_visible()
    expect(help_sheet).to_contain_text("Banker wins on 6 points with three cards")
    expect(help_sheet.locator("kbd")).to_have_text(
        ["1", "9", "P", "B", "T", "Q", "W", "E", "Y", "I", "N", "Enter", "U", "C", "R", "D", "O", "L", "M", "?"]
    )
    ann.page.keyboard.press("Escape")
    expect(help_sheet).to_have_count(0)
    ann.begin()
    ann.page.keyboard.press("4")
    chip = ann.page.locator(".chips [aria-checked=true]")
    expect(chip).to_have_attribute("data-test", "chip-10000")
    ann.page.keyboard.press("b")
    ann.wanted("banker", 10_000)
    ann.page.keyboard.press("Enter")
    ann.placed("banker", 10_000)
    ann.page.keyboard.press("d")
    ann.wanted("banker", 20_000)
    ann.page.keyboard.press("u")
    ann.wanted("banker", 10_000)
    ann.page.keyboard.press("c")
    ann.wanted("banker", 0)
    ann.page.keyboard.press("m")
    expect(ann.see("sound")).to_have_attribute("aria-pressed", "false")
    ann.page.keyboard.press("l")
    expect(ann.page.locator("dialog")).to_be_visible()


def test_the_reference_shows_every_operation_with_files_of_this_server_alone(house: House, seats: Seats) -> None:
    """Whatever the page complains about, a script or style that the policy forbids too, fails the test."""
    reader = seats.open("about:blank")
    asked: set[str] = set()
    reader.page.on("request", lambda request: asked.add(request.url))
    reader.page.goto("/schema")
    operations = house.ask("GET", "/schema/openapi.json")["paths"]
    count = sum(len(methods) for methods in operations.values())
    expect(reader.page.locator(".opblock")).to_have_count(count)
    reader.page.locator("[data-path='/api/tables/{table}/commands']").click()
    expect(reader.page.get_by_text("Idempotency-Key").first).to_be_visible()
    assert {"/".join(url.split("/")[:3]) for url in asked if not url.startswith("data:")} == {house.address}
