"""Photographs every state of every page at five sizes and in both languages, for people to look at: `make screenshots`.

Names of scenes take those alone. With `readme` it makes the pictures of the README instead, into `docs/pictures`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.chromium import find
from tests.browser.conftest import FLAGS
from tests.browser.house import SQUEEZE_PACE, House
from tests.browser.seats import SIZES, Seat, Seats

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "screenshots"
PICTURES = ROOT / "docs" / "pictures"
LANGUAGES = {"en": "en-GB", "zh": "zh-CN"}
GAME = "da-hu-ying-xiong"
"""The game with the most bets, and with insurance."""
MOST_PICTURE_BYTES = 150_000
PLAIN = "body { background: #0c3129 !important; }"
"""A picture of the README has no grain, which would make it large."""
# Twenty rounds, so that the roads have something to show.
ROUNDS = """
4h 7d 4s Kc / Kh 3d Qs 4c 2h / 9h 8d Kd Kc / 2h 9d 6d Qs / 7h 8s Kd Kc / Kh 2d Qs 2c 5h 2s / 6c 6d Kd Kh / 3h 9c 5s Qd
5h 5d 4s 3c / 8h 2c Kd 4s / Ks 8d 7d Kc / 6h 9d Kd Qs / 7c 6d Qd Kh / 4c 9h 4d Ks / 9s Kd Qh 7c / 2c 8c 7s Kd
6s 7h Kc Kd / 8s 8c Ks Kh / 9c 6h Ts Td / 3s 8h 5d Jc
"""

Pages = dict[str, Seat]
"""One page for each language."""


class Album:
    """The house and its people, and where the pictures go."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house, self.seats = house, Seats(browser, house)

    def each(self, open_page: Callable[..., Seat]) -> Pages:
        """The same page in each language. Nothing moves on it."""
        pages = {}
        for language, locale in LANGUAGES.items():
            pages[language] = open_page(viewport=SIZES["desk"], locale=locale)
        return pages

    def take(self, pages: Pages, name: str, *, whole: bool = False, held: bool = False) -> None:
        """Photograph pages at every size, as much as fits the window or the whole of them.

        Nothing is under the pointer, unless it holds something.
        """
        for language, seat in pages.items():
            if not held:
                seat.page.mouse.move(0, 0)
            for size, viewport in SIZES.items():
                seat.page.set_viewport_size(viewport)
                path = FOLDER / f"{name}-{size}{'' if language == 'en' else f'-{language}'}.png"
                seat.page.screenshot(path=path, full_page=whole)
            seat.page.set_viewport_size(SIZES["desk"])
        print(f"{name}: {len(pages) * len(SIZES)} pictures", flush=True)

    def command(self, table: str, token: str | None, kind: str, **fields: Any) -> None:
        """A command of a patron."""
        self.house.ask("POST", f"/api/tables/{table}/commands", {"kind": kind, **fields}, token)


def seen(pages: Pages, name: str) -> None:
    """Wait until all pages show something."""
    for seat in pages.values():
        expect(seat.see(name).first).to_be_visible()


def in_phase(pages: Pages, phase: str) -> None:
    for seat in pages.values():
        seat.phase(phase)


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


# ------------------------------------------------------------------------------------------- terminals and boards


def seated(album: Album, table: str) -> Pages:
    """Terminals whose patrons sit in the third box and in the fourth; without a layout a seat is chosen for them."""
    pages = album.each(lambda **options: album.seats.terminal(table, cents=5_000_000, **options))
    has_layout = album.house.snapshot(table)["table"]["layout"] is not None
    for box, seat in enumerate(pages.values(), start=3):
        if has_layout:
            album.command(table, seat.token, "sit", box=box)
        expect(seat.page.locator(".box.mine")).to_be_visible()
    return pages


def bets(album: Album, table: str, pages: Pages) -> None:
    """A bet of each terminal on everything that the sheet offers."""
    sheet = album.house.ask("GET", f"/api/games/{album.house.snapshot(table)['table']['game']}")
    for seat in pages.values():
        box = int((seat.page.locator(".box.mine").get_attribute("data-test") or "").removeprefix("box-"))
        for on, bet in sheet["bets"].items():
            cents = 50_000 if bet["hand"] else 2_500
            album.command(table, seat.token, "place-bet", box=box, on=on, stake_cents=cents)
        seat.placed(on, cents)


def play(album: Album) -> None:
    """A round with insurance, at the terminals and on the board; then what is one tap away, and a closed table."""
    house, seats = album.house, album.seats
    table = house.table(GAME, id="tiger", name="Tiger")
    played(house, table)
    board = album.each(lambda **options: seats.open(f"/board/{table}", **options))
    pages = seated(album, table)
    album.take(pages, "terminal-between-rounds")
    house.deal(table, "open-bets")
    in_phase(pages, "betting")
    bets(album, table, pages)
    album.take(pages, "terminal-betting")
    album.take(board, "board-betting")
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h Ks")
    in_phase(pages, "initial-cards")
    album.take(pages, "terminal-dealing")
    house.cards(table, "3s")
    seen(pages, "insurance")
    album.take(pages, "terminal-insurance")
    for seat in pages.values():
        seat.chip(2_500)
        seat.see("insurance-spot-banker-insurance").click()
        seat.wait("insurance-spot-banker-insurance", wanted=2_500)
    album.take(pages, "terminal-insurance-staged")
    for seat in pages.values():
        seat.see("undo").click()
    seen(board, "lammer")
    album.take(board, "board-insurance")
    house.cards(table, "7c Qd")
    in_phase(pages, "result")
    album.take(pages, "terminal-result")
    album.take(board, "board-result")
    house.deal(table, "settle")
    in_phase(pages, "between-rounds")
    album.take(pages, "terminal-settled")
    dialogs(album, pages)
    for seat in (*pages.values(), *board.values()):
        seat.page.context.set_offline(True)
    seen(pages, "link")
    seen(board, "link")
    album.take(pages, "terminal-connection-lost")
    album.take(board, "board-connection-lost")
    for seat in (*pages.values(), *board.values()):
        seat.page.context.set_offline(False)
        expect(seat.see("link")).to_have_count(0)
    house.deal(table, "suspend-play", "pit-supervisor", reason="a spilled drink")
    for seat in (*pages.values(), *board.values()):
        expect(seat.page.locator(".call.player strong")).not_to_contain_text("9")  # the result
    album.take(pages, "terminal-suspended")
    album.take(board, "board-suspended")
    house.deal(table, "close-table", "pit-manager")
    in_phase(pages, "not-open")
    album.take(pages, "terminal-closed")
    seen(board, "paused")
    album.take(board, "board-closed")


def dialogs(album: Album, pages: Pages) -> None:
    """What is one tap away from the felt."""
    for name, opener, shows in (
        ("help", "open-help", "[data-test=help]"),
        ("pays", "open-pays", "dialog table"),
        ("past-rounds", "open-rounds", "[data-test=replay]"),
        ("statement", "open-statement", "dialog tbody tr"),
        ("cashier", "cashier", "dialog .notes"),
        ("sessions", "open-sessions", "[data-test=sessions] li"),
    ):
        for seat in pages.values():
            seat.see(opener).click()
            expect(seat.page.locator(shows).first).to_be_visible()
        album.take(pages, f"terminal-{name}")
        for seat in pages.values():
            seat.page.keyboard.press("Escape")
    for seat in pages.values():
        seat.page.set_viewport_size(SIZES["phone"])
        seat.see("open-roads").click()
        expect(seat.page.locator("dialog [data-test=statistics]")).to_be_visible()
        seat.page.screenshot(
            path=FOLDER / f"terminal-roads-phone-{seat.page.locator('html').get_attribute('lang')}.png"
        )
        seat.page.keyboard.press("Escape")
        seat.see("menu").click()
        seat.page.screenshot(path=FOLDER / f"terminal-menu-phone-{seat.page.locator('html').get_attribute('lang')}.png")
        seat.see("menu").click()
        seat.page.set_viewport_size(SIZES["desk"])


def money(album: Album) -> None:
    """What a patron is told of money: chips that are too few, a void, a ticket, a correction and the debt of it."""
    house = album.house
    table = house.table("commission", id="money", name="Jade")
    pages = seated(album, table)
    house.deal(table, "open-bets")
    in_phase(pages, "betting")
    for seat in pages.values():
        seat.stage("player", 500, times=3)
    album.take(pages, "terminal-too-few-chips")
    for seat in pages.values():
        seat.see("clear").click()
        seat.bet("banker", 10_000)
        seat.see("leave").click()
    seen(pages, "leave-with-bets")
    album.take(pages, "terminal-leave")
    for seat in pages.values():
        seat.page.keyboard.press("Escape")
    house.deal(table, "close-bets")
    house.deal(table, "report", situation="anything-else", facts={"note": "spilled"})
    house.deal(table, "decide", "shift-manager", decision="void", reason="spilled")
    house.approve(table)
    house.deal(table, "open-bets")
    in_phase(pages, "betting")
    for seat in pages.values():
        seat.bet("banker", 10_000)
    house.deal(table, "close-bets")
    house.cards(table, "2h 9d 6d Qs")
    house.deal(table, "settle")
    in_phase(pages, "between-rounds")
    for seat in pages.values():
        seat.see("cashier").click()
        seat.see("cash-out").click()
    album.take(pages, "terminal-cash-out")
    for seat in pages.values():
        seat.see("cash-out-confirm").click()
    seen(pages, "ticket")
    album.take(pages, "terminal-ticket")
    for seat in pages.values():
        seat.page.keyboard.press("Escape")
    house.deal(table, "correct-round", "pit-supervisor", round=2, cards="2h 7d 6d Qs", reason="a mis-keyed card")
    house.approve(table)
    for seat in pages.values():
        seat.wait("notices-count", count=2)
    album.take(pages, "terminal-told")
    for seat in pages.values():
        seat.see("notices-count").click()
    album.take(pages, "terminal-notices")
    for seat in pages.values():
        seat.see("notices-read").click()
        seat.see("cashier").click()
    seen(pages, "owed")
    album.take(pages, "terminal-debt")
    for seat in pages.values():
        seat.page.keyboard.press("Escape")
        seat.see("open-statement").click()
        seat.see("entry-1").click()
    album.take(pages, "terminal-statement-lines")
    house.deal(table, "open-bets")
    for seat in pages.values():
        seat.page.keyboard.press("Escape")
        seat.phase("betting")
        seat.see("spot-banker").click()
    seen(pages, "credits-needed")
    album.take(pages, "terminal-credits-needed")


def other_games(album: Album) -> None:
    """The felt of each other game, with bets on it."""
    for game in album.house.ask("GET", "/api/games"):
        if game["id"] == GAME:
            continue
        table = album.house.table(game["id"], id=f"felt-{game['id']}", name=f"Pearl {game['id'][0].upper()}")
        pages = seated(album, table)
        album.house.deal(table, "open-bets")
        in_phase(pages, "betting")
        bets(album, table, pages)
        album.take(pages, f"terminal-{game['id']}")


GRIPS = {"end": ((0.5, 0.99), (0.5, 0.55)), "side": ((0.01, 0.5), (0.6, 0.52)), "corner": ((0.98, 0.98), (0.45, 0.6))}
"""Where a card is taken and where it is held, in parts of its width and height."""


def squeeze(album: Album) -> None:
    """A closed card, peeled by whoever has its squeeze."""
    pages = {}
    for language, locale in LANGUAGES.items():
        table = f"squeeze-{language}"
        pace = SQUEEZE_PACE | {"pause_ms": 600_000}
        album.house.table("commission", id=table, name="Salon", live=False, face_down=True, timing=pace)
        pages[language] = album.seats.squeezing(table, locale=locale)
    album.take(pages, "terminal-squeeze")
    for grip, hold in GRIPS.items():
        for seat in pages.values():
            seat.peel(*hold)
            expect(seat.page.locator(".flap .index").first).to_be_attached()
        album.take(pages, f"terminal-squeezing-{grip}", held=True)
        for seat in pages.values():
            seat.page.mouse.up()
    album.take(pages, "terminal-squeezed")
    for seat in pages.values():
        seat.see("open-all").click()
        seat.phase("between-rounds")
        seat.see("open-commitment").click()
    seen(pages, "commitment")
    album.take(pages, "terminal-commitment")


def empty(album: Album) -> None:
    """A house in which no table is set up."""
    lobby = album.each(lambda **options: album.seats.open("/", **options))
    pit = album.each(lambda **options: album.seats.staff("/pit", "pit-manager", **options))
    for seat in lobby.values():
        expect(seat.page.locator(".games li").first).to_be_visible()
    seen(pit, "totals")
    album.take(lobby, "lobby-empty", whole=True)
    album.take(pit, "pit-empty", whole=True)


def around(album: Album) -> None:
    """The lobby, a board between shoes, the analysis and the ways in."""
    seats = album.seats
    without_shoe = album.house.table(
        GAME, id="between-shoes", name="Garden", loaded=False, private=True, without_insurance=True, asked_by="Ann"
    )
    lobby = album.each(lambda **options: seats.open("/", **options))
    seen(lobby, f"table-{without_shoe}")
    album.take(lobby, "lobby", whole=True)
    board = album.each(lambda **options: seats.open(f"/board/{without_shoe}", **options))
    seen(board, "paused")
    album.take(board, "board-between-shoes")
    album.take(album.each(lambda **options: seats.terminal(without_shoe, **options)), "terminal-between-shoes")
    odds = album.each(lambda **options: seats.open(f"/odds/{GAME}", **options))
    seen(odds, "edges")
    album.take(odds, "odds", whole=True)
    for name, path, sign in (
        ("sign-in", f"/table/{without_shoe}", "form.sign-in"),
        ("sign-in-staff", "/pit", "form.sign-in"),
        ("no-such-table", "/table/nowhere", "main"),
    ):
        pages = album.each(lambda path=path, **options: seats.open(path, **options))
        for seat in pages.values():
            expect(seat.page.locator(sign)).to_be_visible()
        album.take(pages, name)


# ------------------------------------------------------------------------------------------- dealer and pit


def crowd(house: House, table: str) -> None:
    """Patrons who sit and stand at many boxes, and what they bet."""
    path = f"/api/tables/{table}/commands"
    for box, name in enumerate(("Ann", "Bo Larsson", "Chen Wei", "Dara", "Eduardo"), start=1):
        token = house.patron(name, 5_000_000)
        house.ask("POST", path, {"kind": "sit", "box": box}, token)
        house.ask("POST", path, {"kind": "place-bet", "box": box, "on": "banker", "stake_cents": box * 125_000}, token)
        if box > 1:
            side = {"kind": "place-bet", "box": box, "on": "tie", "stake_cents": 2_500 * box}
            house.ask("POST", path, side, token)
    token = house.patron("Faye", 5_000_000)
    house.ask("POST", path, {"kind": "stand", "box": 3}, token)
    house.ask("POST", path, {"kind": "place-bet", "box": 3, "on": "player", "stake_cents": 350_000}, token)
    house.deal(table, "record-bet", patron="cash:7", box=7, on="banker", stake_cents=10_000)


def console(album: Album) -> None:
    """Every phase of a round at the dealer console, with patrons in many boxes."""
    house = album.house
    table = house.table(GAME, id="console", name="Dragon", loaded=False)
    open_console = lambda **options: album.seats.staff(f"/dealer/{table}", "pit-supervisor", **options)  # noqa: E731
    pages = album.each(open_console)
    seen(pages, "load-shoe")
    album.take(pages, "dealer-load-shoe")
    house.deal(table, "load-shoe")
    seen(pages, "open-bets")
    album.take(pages, "dealer-ready")
    house.deal(table, "open-bets")
    crowd(house, table)
    seen(pages, "close-bets")
    for seat in pages.values():
        expect(seat.see("total-7-banker")).to_have_text("100")
    album.take(pages, "dealer-betting")
    house.deal(table, "record-bet", patron="cash:7", box=7, on="tie", stake_cents=900_000)
    seen(pages, "warnings")
    album.take(pages, "dealer-warnings")
    house.deal(table, "record-bet", patron="cash:7", box=7, on="tie", stake_cents=100_000)
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h")
    for seat in pages.values():
        seat.page.keyboard.type("Ks")
        expect(seat.see("confirm-card")).to_be_enabled()
    album.take(pages, "dealer-dealing")
    for seat in pages.values():
        seat.page.keyboard.press("Backspace")
        seat.page.keyboard.press("Backspace")
    house.cards(table, "Ks 3s")
    seen(pages, "collect")
    album.take(pages, "dealer-insurance")
    for seat in pages.values():
        seat.see("mis-keyed").click()
        seat.see("dealt-4").click()
        seat.see("pick-9d").click()
    seen(pages, "effect")
    album.take(pages, "dealer-mis-keyed")
    for seat in pages.values():
        seat.page.keyboard.press("Escape")
        seat.see("report").click()
        seat.see("group-card").click()
        seat.see("situation-excess-card").check()
        seat.page.locator("input[name=reconstructible][value=true]").check()
        seat.see("pick-9h").first.click()
    seen(pages, "effect")
    album.take(pages, "dealer-report")
    for seat in pages.values():
        seat.page.keyboard.press("Escape")
    house.cards(table, "7c Qd")
    seen(pages, "settle")
    album.take(pages, "dealer-result")
    house.deal(table, "settle")
    seen(pages, "payout")
    album.take(pages, "dealer-payout")
    house.deal(table, "open-bets")
    house.deal(table, "report", situation="anything-else", facts={"note": "a dispute at box 3"})
    in_phase(pages, "held")
    album.take(pages, "dealer-held")


def closed_cards(album: Album) -> None:
    """A console with closed cards."""
    house = album.house
    table = house.table("commission", id="closed-cards", name="Lotus", face_down=True)
    terminals = seated(album, table)
    pages = album.each(lambda **options: album.seats.staff(f"/dealer/{table}", "dealer", **options))
    house.deal(table, "open-bets")
    in_phase(terminals, "betting")
    for seat in terminals.values():
        seat.bet("player", 10_000)
    house.deal(table, "close-bets")
    for _ in range(2):
        house.deal(table, "deal")
    seen(terminals, "always-squeeze")
    album.take(terminals, "terminal-ask-squeeze")
    terminals["en"].see("always-squeeze").check()
    seen(pages, "squeeze-asked")
    album.take(pages, "dealer-squeeze-asked")
    album.take(terminals, "terminal-squeeze-asked")
    house.deal(table, "answer-squeeze", consent=False)
    house.deal(table, "deal")
    house.deal(table, "deal")
    house.deal(table, "open-card", place=1, card="4h")
    in_phase(pages, "opening")
    album.take(pages, "dealer-face-down")


def held(album: Album) -> None:
    """A round held for its patrons' choice, at the terminal and at the pit desk."""
    house, seats = album.house, album.seats
    table = house.table("commission", id="held", name="Orchid")
    pages = seated(album, table)
    house.deal(table, "open-bets")
    in_phase(pages, "betting")
    bets(album, table, pages)
    house.deal(table, "close-bets")
    house.cards(table, "2h 3d")
    house.deal(table, "report", situation="other-dealing-error")
    seen(pages, "held")
    album.take(pages, "terminal-held")
    pit = album.each(lambda **options: seats.staff("/pit", "pit-manager", **options))
    seen(pit, "case")
    album.take(pit, "pit", whole=True)
    for seat in pit.values():
        seat.see(f"values-{table}").click()
        expect(seat.see("values").locator("tbody tr").first).to_be_visible()
    album.take(pit, "pit-values", whole=True)
    for seat in pit.values():
        seat.see(f"override-{table}").click()
        expect(seat.see("duty")).to_be_visible()
    album.take(pit, "pit-controls", whole=True)
    for page, shows in (("people", "people"), ("house", "status"), ("cage", "unused"), ("records", "tab-past-rounds")):
        role = "pit-manager" if page == "cage" else "admin"
        desk = album.each(lambda page=page, role=role, **options: album.seats.staff(f"/{page}", role, **options))
        seen(desk, shows)
        album.take(desk, f"desk-{page}", whole=True)
    for tab, shows in (("incident-history", "past-incident"), ("significant-events", "significant")):
        for seat in desk.values():
            seat.see(f"tab-{tab}").click()
        seen(desk, shows)
        album.take(desk, f"desk-{tab}", whole=True)
    for seat in pit.values():
        seat.page.reload()
        seat.see("set-up").click()
        seat.page.locator("dialog select[name=game]").select_option(GAME)
        expect(seat.page.locator("dialog input[name=private]")).to_be_visible()
    album.take(pit, "pit-set-up")


SCENES = (empty, play, money, other_games, squeeze, console, closed_cards, held, around)
"""All scenes, in an order that shows an empty house first."""


def everything(album: Album, names: Collection[str]) -> None:
    """The scenes of these names, or all of them in place of whatever was there."""
    if not names:
        shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(exist_ok=True)
    for scene in SCENES:
        if not names or scene.__name__ in names:
            scene(album)


# ------------------------------------------------------------------------------------------- pictures of the README


def readme(album: Album) -> None:
    """A terminal, a phone, a board, a dealer console and the pit desk in the middle of a round."""
    house, seats = album.house, album.seats
    PICTURES.mkdir(exist_ok=True)
    table = house.table(GAME, id="tiger", name="Tiger")
    played(house, table)
    ann = seats.terminal(table, cents=5_000_000, viewport=SIZES["desk"])
    phone = seats.terminal(table, "Bo", 5_000_000, viewport=SIZES["phone"])
    house.deal(table, "open-bets")
    for box, seat in ((8, ann), (9, phone)):
        album.command(table, seat.token, "sit", box=box)
        for on, cents in (("banker", 50_000), ("tiger", 2_500), ("tie", 5_000)):
            album.command(table, seat.token, "place-bet", box=box, on=on, stake_cents=cents)
    crowd(house, table)
    phone.placed("tie", 5_000)
    picture(phone, "phone")
    dealer = seats.staff(f"/dealer/{table}", "dealer", viewport=SIZES["desk"])
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h Ks 3s")
    expect(dealer.see("collect")).to_be_visible()
    picture(dealer, "dealer")
    house.cards(table, "7c 9d")
    house.deal(table, "settle")
    ann.phase("between-rounds")
    picture(ann, "terminal")
    board = seats.open(f"/board/{table}", viewport=SIZES["wide"])
    expect(board.see("statistics")).to_be_visible()
    picture(board, "board")
    for game in house.ask("GET", "/api/games"):
        if game["id"] != GAME and game["layouts"]:
            other = house.table(game["id"], id=game["id"], name=game["id"].replace("-", " ").title())
            house.deal(other, "open-bets")
            crowd(house, other)
    house.deal(table, "open-bets")
    house.deal(table, "report", situation="anything-else", facts={"note": "a dispute at box 3"})
    pit = seats.staff("/pit", "shift-manager", viewport=SIZES["desk"])
    expect(pit.see("case").first).to_be_visible()
    picture(pit, "pit")


def picture(seat: Seat, name: str) -> None:
    """One picture of the README, small enough to be fetched with it."""
    seat.page.add_style_tag(content=PLAIN)
    path = PICTURES / f"{name}.webp"
    session = seat.page.context.new_cdp_session(seat.page)
    taken = session.send("Page.captureScreenshot", {"format": "webp", "quality": 80})
    path.write_bytes(b64decode(taken["data"]))
    size = path.stat().st_size
    assert size <= MOST_PICTURE_BYTES, f"{path.name} has {size} bytes"
    print(path.relative_to(ROOT), flush=True)


@contextmanager
def opened() -> Iterator[Album]:
    """A house of its own, and a browser."""
    chromium = find()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        house.start()
        browser = playwright.chromium.launch(executable_path=chromium.path, env={**chromium.environment}, args=FLAGS)
        try:
            yield Album(house, browser)
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    with opened() as album:
        if sys.argv[1:] == ["readme"]:
            readme(album)
        else:
            everything(album, sys.argv[1:])
