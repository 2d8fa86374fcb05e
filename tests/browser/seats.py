"""Pages as people use them: someone at a terminal, a dealer, the pit desk."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.house import House
from tests.patience import PATIENCE_SECONDS

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES: dict[str, ViewportSize] = {
    "phone": PHONE,
    "landscape": {"width": 844, "height": 390},
    "tablet": {"width": 820, "height": 1180},
    "desk": DESK,
    "wide": {"width": 1920, "height": 1080},
}
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
"""For tests about what moves. On all other pages nothing does, so that no test waits for it."""
PATIENCE_MS = PATIENCE_SECONDS * 1_000

expect.set_options(timeout=PATIENCE_MS)

# What its own edge cuts off, and panels that would have to be scrolled. A title may leave out what stands in brackets,
# and a box the end of a patron's name.
CUT = """() => [...document.querySelectorAll('.bar *, .stage, .stage *')].filter(each => {
  const {overflowX, overflowY} = getComputedStyle(each);
  const wide = overflowX === 'hidden' && each.scrollWidth > each.clientWidth + 1;
  const panel = each.matches('.insurance, .held-round, .squeeze-table');
  const high = (overflowY === 'hidden' || panel) && each.scrollHeight > each.clientHeight + 1;
  return (wide || high) && each.clientWidth > 0 && !each.matches('.bar h1 > span, .box > span, .heard');
}).map(each => `${each.className}: ${each.textContent}`)"""


class Seat:
    """One person's page."""

    def __init__(self, page: Page, house: House, token: str | None) -> None:
        self.page, self.house, self.token = page, house, token

    def see(self, name: str) -> Locator:
        return self.page.locator(f"[data-test={name}]")

    def enter(self, name: str) -> None:
        """Press Enter on a button once it may be pressed: unlike a click, a key does not wait for that."""
        expect(self.see(name)).to_be_enabled()
        self.see(name).press("Enter")

    def wait(self, name: str, **attributes: str | int) -> None:
        """Wait until something has these attributes. It looks more often than `expect` does."""
        wanted = "".join(f'[data-{key}="{value}"]' for key, value in attributes.items())
        self.page.locator(f"[data-test={name}]{wanted}").wait_for(state="attached", timeout=PATIENCE_MS)

    def phase(self, *phases: str) -> None:
        """Wait until the table is in one of these phases."""
        told = ", ".join(f"[data-test=call][data-phase={phase}]" for phase in phases)
        self.page.locator(told).wait_for(state="attached", timeout=PATIENCE_MS)

    def seated(self) -> None:
        """Wait for the seat that the page takes where bets are made at terminals."""
        expect(self.page.locator(".box.mine")).to_have_count(1)

    def sit(self, box: int) -> None:
        table = self.house.snapshot(self.table)["table"]
        if table["mode"] == "automatic" or table["layout"] is None:
            self.seated()
        if "mine" not in (self.see(f"box-{box}").get_attribute("class") or ""):
            self.see(f"box-{box}").click()
        expect(self.see(f"box-{box}")).to_have_class(re.compile("mine"))

    @property
    def table(self) -> str:
        """The table of this page."""
        return self.page.url.partition("#")[0].rpartition("/")[2]

    def begin(self, box: int = 1, **stakes: int) -> None:
        """Sit down and have bets opened where they are not, with these bets; `_` stands for a hyphen."""
        self.sit(box)
        if self.house.snapshot(self.table)["phase"] == "between-rounds":
            self.house.deal(self.table, "open-bets")
        self.phase("betting")
        expect(self.see("spot-player")).to_be_enabled()  # what a patron may do comes after the phase
        for on, cents in ((name.replace("_", "-"), cents) for name, cents in stakes.items()):
            bet = {"kind": "place-bet", "box": box, "on": on, "stake_cents": cents}
            self.house.ask("POST", f"/api/tables/{self.table}/commands", bet, self.token)
            self.placed(on, cents)

    def chip(self, cents: int) -> None:
        self.see(f"chip-{cents}").click()

    def stage(self, on: str, cents: int, times: int = 1) -> None:
        """Put chips on a bet, which is not sent yet."""
        before = int(self.see(f"spot-{on}").get_attribute("data-wanted") or 0)
        self.chip(cents)
        for _ in range(times):
            self.see(f"spot-{on}").click()
        self.wanted(on, before + cents * times)

    def confirm(self) -> None:
        self.see("confirm").click()

    def bet(self, on: str, cents: int, times: int = 1) -> None:
        """Put chips on a bet, confirm them and wait for the server's word."""
        before = int(self.see(f"spot-{on}").get_attribute("data-placed") or 0)
        self.stage(on, cents, times)
        self.confirm()
        self.placed(on, before + cents * times)

    def wanted(self, on: str, cents: int) -> None:
        """How much shall stand on a bet, sent or not."""
        self.wait(f"spot-{on}", wanted=cents)

    def placed(self, on: str, cents: int) -> None:
        self.wait(f"spot-{on}", placed=cents, pending=0)

    def peel(self, taken: tuple[float, float], held: tuple[float, float]) -> None:
        """Take the card to squeeze at one point and hold it at another, in parts of its width and height."""
        box = self.see("squeeze").bounding_box()
        assert box
        points = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in (taken, held)]
        self.page.mouse.move(*points[0])
        self.page.mouse.down()
        self.page.mouse.move(*points[1], steps=8)

    def tool(self, name: str) -> None:
        """Use a tool of the bar, which a phone shows behind its menu."""
        if self.see("menu").is_visible():
            self.see("menu").click()
        self.see(name).click()

    def nothing_cut(self, when: str = "") -> None:
        """No text of the stage is cut off."""
        cut = self.page.evaluate(CUT)
        assert not cut, f"{when}: {cut}"

    def line(self, on: str) -> str:
        """What became of a bet, as the page says it; on a phone beside the roads."""
        if sheet := self.see("open-roads").is_visible():
            self.see("open-roads").click()
        row = self.see(f"line-{on}")
        expect(row).to_be_visible()
        text = " ".join(row.inner_text().split())
        if sheet:
            self.page.keyboard.press("Escape")
        return text


class Seats:
    """Everyone who takes part in a test."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.browser, self.house = browser, house
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.frames: list[str] = []
        """What the server sent over sockets, as far as `listen` was said."""
        self.listen = False

    def open(self, path: str, token: str | None = None, kind: str = "patron", **options: Any) -> Seat:
        options = {"viewport": DESK, "locale": "en-GB", "reduced_motion": "reduce", "color_scheme": "dark", **options}
        context = self.browser.new_context(base_url=self.house.address, **options)
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        if token:
            cookie = {"name": f"punto-{kind}", "value": token, "url": f"{self.house.address}/api", "httpOnly": True}
            context.add_cookies([{**cookie, "sameSite": "Strict"}])  # type: ignore[typeddict-item]
            context.add_init_script(f"localStorage.setItem('punto{self.house.base_path}.{kind}', 'since 0')")
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._heard(request.url))
        if self.listen:
            page.on(
                "websocket", lambda socket: socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
            )
        page.goto(f"{self.house.address}{path}" if path.startswith("/") else path, wait_until="commit")
        return Seat(page, self.house, token)

    def terminal(self, table: str, name: str = "Ann", cents: int = 1_000_000, **options: Any) -> Seat:
        seat = self.open(f"/table/{table}", self.house.patron(name, cents), **options)
        expect(seat.see("call")).to_be_visible()
        return seat

    def squeezing(self, table: str, **options: Any) -> Seat:
        """Ann has a bet and the squeeze of a closed card, which this automatic table waits for."""
        seat = self.terminal(table, **MOVING | options)  # an automatic table rests while nobody looks
        path = f"/api/tables/{table}/commands"
        seat.seated()
        bet = {"kind": "place-bet", "box": 1, "on": "player", "stake_cents": 10_000}
        placed = False
        while not placed:
            seat.phase("betting")
            try:
                placed = bool(self.house.ask("POST", path, bet, seat.token))
            except AssertionError as refused:
                assert "bets-closed" in str(refused)  # the time for bets is short: the next round, then
        seat.phase("initial-cards")
        self.house.ask("POST", path, {"kind": "ask-squeeze", "what": "card"}, seat.token)
        seat.phase("opening")
        expect(seat.see("squeeze")).to_have_count(1)
        moving = "document.getAnimations().filter(each => each instanceof CSSAnimation)"  # the ring drains on
        seat.page.evaluate(f"Promise.allSettled({moving}.map(each => each.finished))")
        return seat

    def staff(self, path: str, role: str, **options: Any) -> Seat:
        return self.open(path, self.house.staff(role), "staff", **options)

    def _heard(self, url: str) -> None:
        if not url.startswith((self.house.address, self.house.address.replace("http", "ws"), "data:", "blob:")):
            self.elsewhere.append(url)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert self.complaints == [], "a page raised an error"
        assert self.elsewhere == [], "a page asked for something outside its own server"
