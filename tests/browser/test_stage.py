"""The stage of the terminal: its areas never move, and nothing is told before its card is open and has landed."""

from __future__ import annotations

import json
import re
import time
from typing import Any

from playwright.sync_api import expect

from tests.browser.axe import found_by_axe
from tests.browser.house import SQUEEZE_PACE, House
from tests.browser.seats import MOVING, SIZES, Seats

WATCH_SHIFTS = """() => {
  window.shifts = [];
  const named = ({node}) => `${node?.parentElement?.className} > ${node?.className || node?.nodeName}`;
  const note = list => list.getEntries().forEach(each => shifts.push([each.value, each.sources.map(named).join()]));
  new PerformanceObserver(note).observe({type: 'layout-shift'});
}"""
AREAS = """() => Object.fromEntries([...document.querySelectorAll('.area, .bar')].map(each => {
  const {x, y, width, height} = each.getBoundingClientRect();
  return [each.className, [x, y, width, height].map(Math.round).join(' ')];
}))"""
HIDDEN_SPOTS = """() => [...document.querySelectorAll('.spot')].filter(each => {
  const {left, top, right, bottom} = each.getBoundingClientRect();
  const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !each.contains(seen) || bottom > document.querySelector('.area.tray').getBoundingClientRect().top;
}).map(each => each.dataset.test)"""


def test_nothing_moves_in_a_round_at_any_size(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    sized = enumerate(SIZES.items(), 1)
    pages = {size: seats.terminal(table, f"Ann {n}", viewport=viewport, **MOVING) for n, (size, viewport) in sized}
    areas: dict[str, dict[str, str]] = {}
    for box, page in enumerate(pages.values(), 1):
        page.sit(box)
    for size, page in pages.items():
        expect(page.page.locator(".box.taken")).to_have_count(len(pages) - 1)
        page.page.evaluate(WATCH_SHIFTS)
        areas[size] = page.page.evaluate(AREAS)

    def unmoved(when: str) -> None:
        for size, page in pages.items():
            page.page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished))")
            assert page.page.evaluate(AREAS) == areas[size], f"{size}, {when}"
            assert (size, when, page.page.evaluate("shifts")) == (size, when, [])
            page.nothing_cut(f"{size}, {when}")

    house.deal(table, "open-bets")
    for size, page in pages.items():
        page.phase("betting")
        assert page.page.evaluate(HIDDEN_SPOTS) == [], size
        page.bet("banker", 10_000)
        page.bet("tiger", 2_500)
    unmoved("betting")
    house.play(table, "2h 3h Ks 3s", settled=False)  # Banker may be insured
    for page in pages.values():
        expect(page.see("insurance")).to_be_visible()
    unmoved("insurance")
    house.deal(table, "report", situation="anything-else")
    for page in pages.values():
        expect(page.see("held")).to_be_visible()
    unmoved("held")
    house.deal(table, "decide", "shift-manager", decision="continue", reason="nothing was wrong")
    house.cards(table, "7c Qd")
    for page in pages.values():
        page.phase("result")
    unmoved("result")
    house.deal(table, "settle")
    for page in pages.values():
        page.phase("between-rounds")
        expect(page.see("in-play")).to_have_text("0")
    unmoved("settled")
    house.deal(table, "open-bets")
    for page in pages.values():
        page.phase("betting")
    unmoved("the next round")
    for size in ("phone", "desk"):
        assert found_by_axe(pages[size].page) == [], size
    for size in ("phone", "landscape"):
        pages[size].tool("language")
        expect(pages[size].page.locator("html")).to_have_attribute("lang", "zh-Hans")
        pages[size].nothing_cut(f"{size}, in Chinese")


# Everything that a page says, noted with every picture, and whether a card is on its way then.
WATCH_TEXT = """() => {
  window.told = [];
  const look = () => {
    const cards = [...document.querySelectorAll('[data-test=card]')];
    const flying = cards.some(each => each.getAnimations({subtree: true}).some(one => one.playState === 'running'));
    const marked = document.querySelectorAll('.won, .spot.win, .spot.lose').length;
    told.push({cards: cards.length, flying, marked, text: document.body.textContent});
    requestAnimationFrame(look);
  };
  look();
}"""


def _tells(text: str) -> bool:
    """Whether a text tells how the first round ended."""
    return re.search(r"wins|Tie at|[+−]\d|Your bets|(Banker|Player|Tie) 1(?!\d)", text) is not None


def test_a_result_waits_until_the_last_card_has_landed(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table, **MOVING)
    ann.begin(player=10_000)
    house.play(table, "4h 7d 4s", settled=False)
    expect(ann.see("points-player")).to_have_text("8")
    ann.page.evaluate(WATCH_TEXT)
    house.cards(table, "Kc")
    house.deal(table, "settle")  # all is known to the page while the card is in the air
    expect(ann.see("line-player")).to_be_visible()
    expect(ann.see("balance")).to_have_text("10,100")
    told = ann.page.evaluate("told")
    early = [each for each in told if each["cards"] < 4 or each["flying"]]
    assert any(each["cards"] == 4 for each in early)
    assert [each["text"] for each in early if each["marked"] or _tells(each["text"])] == []
    assert _tells(told[-1]["text"])


def test_a_squeeze_is_spoiled_by_nothing(house: House, seats: Seats) -> None:
    pace = SQUEEZE_PACE | {"pause_ms": 600_000}
    table = house.table("commission", live=False, face_down=True, timing=pace)
    seats.listen = True
    ann = seats.squeezing(table)
    place = [each["card"] for each in house.snapshot(table)["cards"]].index(None)
    assert found_by_axe(ann.page) == []
    ann.page.evaluate(WATCH_TEXT)
    ann.peel((0.5, 0.99), (0.5, 0.84))
    expect(ann.page.locator(".flap")).to_have_count(1)
    expect(ann.page.locator(".flap text")).to_have_count(0)  # nobody knows the card before it is open
    ann.page.mouse.up()
    expect(ann.see("squeeze")).to_have_attribute("data-bend", "0")  # let go too early, it lies flat again
    ann.peel((0.98, 0.98), (0.58, 0.68))  # a corner, held there
    expect(ann.see("squeeze")).to_have_attribute("data-state", "lifted")
    while house.snapshot(table)["phase"] != "between-rounds":
        time.sleep(0.1)  # the table goes on while the patron still looks at the card
    expect(ann.page.locator(".flap .index").first).to_be_attached()
    expect(ann.see("total-banker")).to_have_text(re.compile(r"\d"))  # beside the card
    assert [each["text"] for each in ann.page.evaluate("told") if each["marked"] or _tells(each["text"])] == []
    expect(ann.see("balance")).to_have_text("9,900")
    ann.page.mouse.up()
    for taken, held in (((0.01, 0.5), (0.4, 0.5)), ((0.99, 0.5), (0.6, 0.5)), ((0.5, 0.01), (0.5, 0.3))):
        ann.peel(taken, held)  # from every other edge, too
        expect(ann.see("squeeze")).not_to_have_attribute("data-bend", "0")
        expect(ann.page.locator(".flap .corner").first).to_have_css("opacity", "0")
        ann.page.mouse.up()
        expect(ann.see("squeeze")).to_have_attribute("data-bend", "0")
    assert not [each for each in ann.page.evaluate("told") if each["marked"] or _tells(each["text"])]
    ann.peel((0.5, 0.99), (0.5, 0.2))
    expect(ann.page.locator(".late .flap .corner").first).to_have_css("opacity", "1")
    ann.page.mouse.move(0, 0)
    expect(ann.see("squeeze")).to_have_attribute("data-state", "open")
    expect(ann.see("squeeze")).to_have_count(0)
    ann.page.mouse.up()
    expect(ann.see("lines")).to_be_visible()
    views = [frame.get("view", frame) for frame in map(json.loads, seats.frames)]
    opened = next(at for at, view in enumerate(views) if _face(view, place) or view.get("event", {}).get("card"))
    assert opened > 0
    for view in views[:opened]:
        assert not view.get("result"), view
        assert not (view.get("me") or {}).get("lines"), view
        assert view.get("roads", {"rounds": 0})["rounds"] == 0, view


def test_a_patron_opens_every_card_of_the_hand_and_the_others_wait(house: House, seats: Seats) -> None:
    pace = SQUEEZE_PACE | {"betting_ms": 15_000, "card_ms": 3_000, "pause_ms": 600_000}
    table = house.table("commission", live=False, face_down=True, timing=pace)
    ann, bo = seats.terminal(table, **MOVING), seats.terminal(table, "Bo", **MOVING)
    for seat, on in ((ann, "player"), (bo, "banker")):
        seat.seated()
        seat.phase("betting")
        seat.bet(on, 10_000)
    ann.see("always-squeeze").check()
    granted = 0
    while True:
        ann.page.locator("[data-test=squeeze], [data-phase=between-rounds]").first.wait_for()
        if not ann.see("squeeze").count():
            break
        granted += 1
        expect(ann.see("squeeze")).to_have_attribute("data-state", "closed")
        expect(ann.see("call")).to_contain_text("Open your cards")
        expect(bo.page.locator(".squeezer").first).to_have_text("Ann")
        expect(bo.see("squeeze")).to_have_count(0)
        ann.peel((0.5, 0.99), (0.5, 0.6))
        expect(ann.see("squeeze")).to_have_attribute("data-state", "lifted")
        ann.page.mouse.up()
        ann.see("open-all").click()
        expect(ann.page.locator("[data-state=lifted], [data-state=open]")).to_have_count(0)
    expect(ann.page.locator(".hand.player [data-test=card]")).to_have_count(granted)
    bo.phase("between-rounds")
    expect(bo.page.locator(".hand.player .card.squeezed")).to_have_count(granted)
    expect(bo.page.locator(".hand.banker .card.squeezed")).to_have_count(0)
    expect(ann.page.locator(".squeeze-table, .flying-chip, .toast")).to_have_count(0)


def _face(view: dict[str, Any], place: int) -> str | None:
    cards = view.get("cards") or []
    return cards[place]["card"] if len(cards) > place else None
