"""Photographs every screen at two sizes into `screenshots/`, so that a person can look at them: `make screenshots`."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import find
from tests.browser.conftest import FLAGS
from tests.browser.house import SQUEEZE_PACE, House
from tests.browser.seats import DESK, PHONE, Seat, Seats

FOLDER = Path(__file__).parents[2] / "screenshots"
WIDE = {"width": 1920, "height": 1080}
SIZES = {"desk": DESK, "phone": PHONE}
BOARD = {"desk": WIDE, "phone": PHONE}
CONSOLE = {"desk": DESK, "wide": WIDE}
WALL = {"desk": WIDE}
"""A large screen, on which the pit desk is shown too."""
# Twenty rounds, so that the roads have something to show.
ROUNDS = """
4h 7d 4s Kc / Kh 3d Qs 4c 2h / 9h 8d Kd Kc / 2h 9d 6d Qs / 7h 8s Kd Kc / Kh 2d Qs 2c 5h 2s / 6c 6d Kd Kh / 3h 9c 5s Qd
5h 5d 4s 3c / 8h 2c Kd 4s / Ks 8d 7d Kc / 6h 9d Kd Qs / 7c 6d Qd Kh / 4c 9h 4d Ks / 9s Kd Qh 7c / 2c 8c 7s Kd
6s 7h Kc Kd / 8s 8c Ks Kh / 9c 6h Ts Td / 3s 8h 5d Jc
"""


class Album:
    """The house and its people, and where the pictures go."""

    def __init__(self, house: House, seats: Seats, size: str, language: str) -> None:
        self.house, self.seats, self.size, self.language = house, seats, size, language

    def options(self, sizes: dict[str, dict[str, int]] = SIZES) -> dict[str, Any]:
        return {
            "viewport": sizes[self.size],
            "locale": "zh-CN" if self.language == "zh" else "en-GB",
            "reduced_motion": "reduce",
        }

    def take(self, seat: Seat, name: str, *, whole: bool = False) -> None:
        path = FOLDER / f"{name}-{self.size}{'-zh' if self.language == 'zh' else ''}.png"
        seat.page.screenshot(path=path, full_page=whole)
        print(path.relative_to(FOLDER.parent))


def played(house: House, table: str) -> None:
    """Deal the rounds above at a live table."""
    for line in ROUNDS.split("\n"):
        for cards in filter(str.strip, line.split("/")):
            house.deal(table, "open-bets")
            house.deal(table, "close-bets")
            house.cards(table, cards)
            while house.snapshot(table)["phase"] != "result":
                house.cards(table, "Qd")
            house.deal(table, "settle")


def photograph(album: Album, table: str, game: str) -> None:
    """One game: betting, insurance where there is any, and the result."""
    house, seats = album.house, album.seats
    ann = seats.terminal(table, **album.options())
    ann.sit(3)
    house.deal(table, "open-bets")
    ann.phase("betting")
    sheet = house.ask("GET", f"/api/games/{game}")
    for on, bet in sheet["bets"].items():
        ann.bet(on, 50_000 if bet["hand"] else 2_500)
    album.take(ann, f"terminal-{game}-betting", whole=album.size == "phone")
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h Ks 3s")
    if sheet["insurance"]:
        expect(ann.see("insurance")).to_be_visible()
        album.take(ann, f"terminal-{game}-insurance")
        board = seats.open(f"/board/{table}", **album.options(BOARD))
        expect(board.see("lammer")).to_be_visible()
        album.take(board, f"board-{game}-insurance")
    house.cards(table, "7c")
    house.cards(table, "Qd")
    house.deal(table, "settle")
    expect(ann.see("lines")).to_be_visible()
    album.take(ann, f"terminal-{game}-result", whole=album.size == "phone")
    if game == "da-hu-ying-xiong":
        dialogs(album, ann)


def dialogs(album: Album, ann: Seat) -> None:
    """What is one tap away."""
    for name, opener, shows in (
        ("pays", "open-pays", "dialog table"),
        ("past-rounds", "open-rounds", "[data-test=replay]"),
        ("statement", "open-statement", "dialog tbody tr"),
        ("cashier", "cashier", "dialog .notes"),
    ):
        ann.see(opener).click()
        expect(ann.page.locator(shows).first).to_be_visible()
        album.take(ann, f"terminal-{name}")
        ann.page.keyboard.press("Escape")
    ann.see("cashier").click()
    ann.see("cash-out").click()
    ann.see("cash-out-confirm").click()
    expect(ann.see("ticket")).to_be_visible()
    album.take(ann, "terminal-ticket")


def commitment(album: Album, table: str) -> None:
    """The mark of an automatic table's shoe."""
    ann = album.seats.terminal(table, **album.options())
    ann.see("open-commitment").click()
    expect(ann.see("commitment")).to_be_visible()
    album.take(ann, "terminal-commitment")


def squeeze(album: Album, table: str) -> None:
    """A closed card, half bent by whoever has its squeeze."""
    ann = album.seats.squeezing(table, **album.options())
    box = ann.see("squeeze").bounding_box()
    assert box
    ann.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
    ann.page.mouse.down()
    ann.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.45, steps=4)
    album.take(ann, "terminal-squeeze")


def console(album: Album, table: str) -> None:
    """Every phase of a round at the dealer console, with patrons in many boxes."""
    house, seats = album.house, album.seats
    dealer = seats.staff(f"/dealer/{table}", "pit-supervisor", **album.options(CONSOLE))
    expect(dealer.see("load-shoe")).to_be_enabled()
    album.take(dealer, "console-load-shoe")
    house.deal(table, "load-shoe")
    expect(dealer.see("open-bets")).to_be_enabled()
    album.take(dealer, "console-ready")
    house.deal(table, "open-bets")
    _bets(house, table)
    expect(dealer.see("close-bets")).to_be_enabled()
    album.take(dealer, "console-betting")
    dealer.see("select-box-7").click()
    dealer.see("chip-10000").click()
    dealer.see("spot-banker").click()
    expect(dealer.see("total-7-banker")).to_have_text("200")
    album.take(dealer, "console-cash")
    house.deal(table, "record-bet", patron="cash:7", box=7, on="tie", stake_cents=900_000)
    expect(dealer.see("warnings")).to_be_visible()
    album.take(dealer, "console-warnings")
    house.deal(table, "record-bet", patron="cash:7", box=7, on="tie", stake_cents=100_000)
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h")
    dealer.page.keyboard.type("Ks")
    expect(dealer.see("confirm-card")).to_be_enabled()
    album.take(dealer, "console-dealing")
    dealer.page.keyboard.press("Enter")
    dealer.page.keyboard.type("3s\n")
    expect(dealer.see("collect")).to_be_visible()
    dealer.see("less").first.click()
    album.take(dealer, "console-insurance")
    dealer.see("mis-keyed").click()
    dealer.see("pick-9d").click()
    expect(dealer.see("effect")).to_be_visible()
    album.take(dealer, "console-mis-keyed")
    dealer.page.keyboard.press("Escape")
    dealer.see("report").click()
    album.take(dealer, "console-report-groups")
    dealer.see("group-card").click()
    dealer.see("situation-excess-card").check()
    dealer.page.locator("input[name=reconstructible][value=true]").check()
    dealer.see("pick-9h").click()
    expect(dealer.see("effect")).to_be_visible()
    album.take(dealer, "console-report")
    dealer.page.keyboard.press("Escape")
    house.cards(table, "7c Qd")
    expect(dealer.see("settle")).to_be_enabled()
    album.take(dealer, "console-result")
    house.deal(table, "settle")
    expect(dealer.see("payout")).to_be_visible()
    dealer.page.keyboard.press("p")
    expect(dealer.see("open-bets")).to_be_enabled()
    album.take(dealer, "console-payout")
    house.deal(table, "open-bets")
    house.deal(table, "report", situation="anything-else", facts={"note": "a dispute at box 3"})
    dealer.phase("held")
    album.take(dealer, "console-held")


def _bets(house: House, table: str) -> None:
    """Patrons who sit and stand at many boxes, and what they bet."""
    for box, name in enumerate(("Ann", "Bo Larsson", "Chen Wei", "Dara", "Eduardo"), start=1):
        token = house.patron(name, 5_000_000)
        path = f"/api/tables/{table}/commands"
        house.ask("POST", path, {"kind": "sit", "box": box}, token)
        house.ask("POST", path, {"kind": "place-bet", "box": box, "on": "banker", "stake_cents": box * 125_000}, token)
        if box > 1:
            side = {"kind": "place-bet", "box": box, "on": "tie", "stake_cents": 2_500 * box}
            house.ask("POST", path, side, token)
    token = house.patron("Faye", 5_000_000)
    house.ask("POST", path, {"kind": "stand", "box": 3}, token)
    house.ask("POST", path, {"kind": "place-bet", "box": 3, "on": "player", "stake_cents": 350_000}, token)
    house.deal(table, "record-bet", patron="cash:7", box=7, on="banker", stake_cents=10_000)


def closed(album: Album, table: str) -> None:
    """A console with a warning before bets close, then with closed cards; and what the pit desk may change."""
    house, seats = album.house, album.seats
    dealer = seats.staff(f"/dealer/{table}", "dealer", **album.options())
    dealer.see("come-on-duty").click()
    house.deal(table, "open-bets")
    for on, cents in (("banker", 2_000), ("tie", 900_000)):
        house.deal(table, "record-bet", patron="cash:3", box=3, on=on, stake_cents=cents)
    expect(dealer.see("warnings")).to_be_visible()
    album.take(dealer, "dealer-warnings", whole=album.size == "phone")
    house.deal(table, "record-bet", patron="cash:3", box=3, on="tie", stake_cents=1_000)
    house.deal(table, "close-bets")
    for _ in range(4):
        house.deal(table, "deal")
    house.deal(table, "open-card", place=1, card="4h")
    dealer.phase("opening")
    album.take(dealer, "dealer-closed", whole=album.size == "phone")
    for place, card in enumerate(("7d", "4s", "Kc"), start=2):
        house.deal(table, "open-card", place=place, card=card)
    house.deal(table, "settle")
    house.deal(table, "correct-round", "pit-supervisor", round=1, cards="4h 9d 4s Kc", reason="a mis-keyed card")
    pit = seats.staff("/pit", "pit-manager", **album.options())
    expect(pit.see("effect").first).to_be_visible()
    pit.see(f"override-{table}").click()
    expect(pit.see("duty")).to_be_visible()
    album.take(pit, "pit-correction", whole=True)
    house.deal(table, "decide", "pit-manager", decision="approve")


def irregular(album: Album, table: str) -> None:
    """A round held for the patrons' choice, at the terminal, the console and the pit desk."""
    house, seats = album.house, album.seats
    ann = seats.terminal(table, **album.options())
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    dealer = seats.staff(f"/dealer/{table}", "dealer", **album.options())
    expect(dealer.see("close-bets")).to_be_visible()
    album.take(dealer, "dealer-betting", whole=album.size == "phone")
    house.deal(table, "close-bets")
    house.cards(table, "2h 3d Kh")
    expect(dealer.see("entry")).to_be_visible()
    dealer.page.keyboard.type("9h")
    album.take(dealer, "dealer-card", whole=album.size == "phone")
    dealer.see("report").click()
    dealer.see("group-card").click()
    dealer.see("situation-excess-card").check()
    album.take(dealer, "dealer-report")
    dealer.page.keyboard.press("Escape")
    house.deal(table, "report", situation="other-dealing-error")
    expect(ann.see("held")).to_be_visible()
    album.take(ann, "terminal-held")
    pit = seats.staff("/pit", "pit-manager", **album.options())
    expect(pit.see("case").first).to_be_visible()
    pit.see(f"values-{table}").click()
    expect(pit.see("values").locator("tbody tr").first).to_be_visible()
    album.take(pit, "pit", whole=True)
    if album.size in WALL:
        wall = seats.staff("/pit", "pit-manager", **album.options(WALL))
        expect(wall.see("case").first).to_be_visible()
        album.take(wall, "pit-wall")
    pit.see("set-up").click()
    pit.page.locator("dialog select[name=game]").select_option("da-hu-ying-xiong")
    expect(pit.page.locator("dialog input[name=private]")).to_be_visible()
    album.take(pit, "pit-set-up")
    ann.see("choose-continue").click()
    house.cards(table, "4s 5c")
    house.deal(table, "settle")
    expect(dealer.see("payout")).to_be_visible()
    album.take(dealer, "dealer-payout", whole=album.size == "phone")


def around(album: Album, table: str) -> None:
    """The lobby, the board and the analysis."""
    seats = album.seats
    lobby = seats.open("/", **album.options())
    expect(lobby.see(f"table-{table}")).to_be_visible()
    album.take(lobby, "lobby", whole=True)
    board = seats.open(f"/board/{table}", **album.options(BOARD))
    expect(board.page.locator(".road")).to_have_count(5)
    album.take(board, "board", whole=album.size == "phone")
    odds = seats.open("/odds/da-hu-ying-xiong", **album.options())
    expect(odds.see("edges")).to_be_visible()
    album.take(odds, "odds", whole=True)
    staff = seats.open("/pit", **album.options())
    album.take(staff, "sign-in")


def main() -> None:
    """Everything, at both sizes, in English; and in Chinese what patrons see."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    chromium = find()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.start()
        browser = playwright.chromium.launch(executable_path=chromium.path, env={**chromium.environment}, args=FLAGS)
        try:
            for language in ("en", "zh"):
                for size in SIZES:
                    album_of(house, Seats(browser, house), size, language)
                for size in CONSOLE:
                    consoles(house, Seats(browser, house), size, language)
        finally:
            browser.close()
            house.stop()


def album_of(house: House, seats: Seats, size: str, language: str) -> None:
    """All pictures of one size and language, at tables of their own."""
    album = Album(house, seats, size, language)
    mark = f"{size}-{language}"
    games = [game["id"] for game in house.ask("GET", "/api/games")]
    shown: list[Callable[[], None]] = []
    for game in games:
        table = house.table(f"{game}-{mark}", game)
        if game == "da-hu-ying-xiong":
            played(house, table)
        shown.append(lambda table=table, game=game: photograph(album, table, game))  # type: ignore[misc]
    for show in shown:
        show()
    squeeze(album, house.table(f"squeeze-{mark}", "commission", live=False, face_down=True, timing=SQUEEZE_PACE))
    closed(album, house.table(f"closed-{mark}", "commission", face_down=True))
    commitment(album, house.table(f"commitment-{mark}", "easy-six", live=False))
    irregular(album, house.table(f"held-{mark}", "commission"))
    around(album, f"da-hu-ying-xiong-{mark}")
    seats.close()


def consoles(house: House, seats: Seats, size: str, language: str) -> None:
    """The dealer console in every phase, and at a table that deals by itself."""
    album, mark = Album(house, seats, size, language), f"{size}-{language}"
    console(album, house.table(f"console-{mark}", "da-hu-ying-xiong", loaded=False))
    automatic = house.table(f"automatic-{mark}", "da-hu-ying-xiong", live=False)
    dealer = seats.staff(f"/dealer/{automatic}", "dealer", **album.options(CONSOLE))
    expect(dealer.see("guidance")).to_be_visible()
    album.take(dealer, "console-automatic")
    seats.close()


if __name__ == "__main__":
    main()
