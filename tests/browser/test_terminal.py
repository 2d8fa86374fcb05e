"""The terminal as patrons see it: why a bet came out so, what stays in sight, language, light and motion."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.axe import found_by_axe
from tests.browser.house import House
from tests.browser.seats import DESK, MOVING, PHONE, SIZES, Seat, Seats

CHINESE: dict[str, Any] = {"locale": "zh-CN"}


def _begin(house: House, table: str, *patrons: Seat) -> None:
    """Open bets, and let each patron bet on Banker in a box of their own."""
    for box, patron in enumerate(patrons, 1):
        patron.sit(box)
    house.deal(table, "open-bets")
    for patron in patrons:
        patron.phase("betting")
        patron.bet("banker", 10_000)


def _play(house: House, table: str, cards: str) -> None:
    house.play(table, cards)


def test_a_paragraph_opens_by_tap_and_by_key_in_both_languages(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table, viewport={"width": 1280, "height": 720})
    chen = seats.terminal(table, "Chen", viewport=PHONE, **CHINESE)
    _begin(house, table, ann, chen)
    _play(house, table, "4h 7d 4s Kc")
    for patron, paragraph, lost in ((ann, "The higher point total wins", "lost"), (chen, "点数高者胜", "输")):
        expect(patron.see("verdict-banker")).to_be_in_viewport()
        expect(patron.see("verdict-banker")).to_have_text("−100 ¶ 3.13")
        spot = patron.see("spot-banker")
        for opens in (spot.click, lambda on=spot: on.press("Enter")):
            opens()
            expect(patron.see("rule-text")).to_be_visible()
            expect(patron.see("rule-text")).to_contain_text(paragraph)
            patron.page.keyboard.press("Escape")
            expect(patron.see("rule-text")).to_have_count(0)
        patron.tool("open-statement")
        patron.see("entry-1").click()
        details = patron.see("round-details")
        expect(details).to_contain_text("8–7")
        expect(details).to_contain_text("4♥ 7♦ 4♠ K♣")
        expect(details.locator("[data-test=line-banker]")).to_contain_text(lost)
        details.locator("[data-test=rule]").click()
        expect(patron.see("rule-text")).to_contain_text(paragraph)


def test_odds_say_what_they_belong_to_at_every_size(house: House, seats: Seats) -> None:
    for game in ("easy-six", "da-hu-ying-xiong"):
        table = house.table(game)
        for locale in ("en-GB", "zh-CN"):
            ann = seats.terminal(table, locale=locale)
            labels = ann.page.locator(".pays.several small")
            for size, viewport in SIZES.items():
                ann.page.set_viewport_size(viewport)
                for label in labels.all():
                    expect(label).to_be_visible()
                ann.nothing_cut(f"{game}, {size}, {locale}")


def test_a_returned_stake_a_void_round_and_a_choice_speak_to_the_patron(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table)
    _begin(house, table, ann)
    _play(house, table, "Kh Kd 8s 8c")
    expect(ann.see("verdict-banker")).to_have_text("returned ¶ 3.14")
    expect(ann.see("spot-banker").locator(".stake .amount")).to_have_text("100")
    _begin(house, table, ann)
    house.deal(table, "report", situation="anything-else", facts={"note": "spilled"})
    house.deal(table, "decide", "shift-manager", decision="void", reason="spilled")
    house.approve(table)
    expect(ann.see("call")).to_contain_text("Round 2 is void")
    expect(ann.see("verdict-banker")).to_contain_text("returned ¶ 5.1")
    _begin(house, table, ann)
    house.play(table, "2h 3d", settled=False)
    house.deal(table, "report", situation="other-dealing-error")
    expect(ann.see("own-bets")).to_contain_text("Banker 100")
    expect(ann.see("choose-continue")).to_have_text("Play on with my 100")
    expect(ann.see("choose-take-back")).to_have_text("Take my 100 back")


def test_a_phone_shows_a_road_while_bets_are_open_and_one_s_own_seat_alone(house: House, seats: Seats) -> None:
    table = house.table("commission")
    phone, desk = seats.terminal(table, viewport=PHONE), seats.terminal(table, "Bo")
    boxes = phone.page.locator(".box")
    expect(boxes).to_have_count(9)
    _begin(house, table, phone, desk)
    road = phone.page.locator(".area.cards .road")
    expect(road).to_be_visible()
    expect(desk.page.locator(".area.cards .road")).to_have_count(0)
    expect(boxes).to_have_count(2)
    boxes.first.click()  # a tap on one's own shows the free ones
    expect(boxes).to_have_count(9)
    house.deal(table, "close-bets")
    expect(road).to_have_count(0)


def test_chips_travel_and_a_large_win_is_felt_unless_motion_is_unwanted(house: House, seats: Seats) -> None:
    table = house.table("commission")
    moving, still = seats.terminal(table, **MOVING), seats.terminal(table, "Bo")
    watch = """() => {
      window.flown = 0;
      const isChip = each => each.className === 'flying-chip';
      const count = ({addedNodes}) => flown += [...addedNodes].filter(isChip).length;
      new MutationObserver(list => list.forEach(count)).observe(document.body, {childList: true});
    }"""
    for box, patron in enumerate((moving, still), 1):
        patron.sit(box)
        patron.page.evaluate(watch)
    house.deal(table, "open-bets")
    for patron in (moving, still):
        patron.phase("betting")
        patron.bet("player-pair", 2_500)
    assert moving.page.evaluate("flown") == 1
    _play(house, table, "4h 7d 4s Kc")
    for patron in (moving, still):
        expect(patron.page.locator(".won-3")).to_have_text("+275")
    moving.page.wait_for_function("flown === 9")  # the stake, and eight for a win of eleven times as much
    assert still.page.evaluate("flown") == 0
    expect(still.page.locator(".won-3")).to_have_css("animation-name", "none")
    expect(still.page.locator(".won-3")).to_have_css("font-weight", "700")


def test_chinese_has_one_word_for_each_thing(house: House, seats: Seats) -> None:
    table = house.table("commission", name="Jade")
    chen = seats.terminal(table, "Chen", **CHINESE)
    page = chen.page.locator(".page")
    for words in ("抽佣百家乐", "Jade 台", "余额", "例牌"):
        expect(page).to_contain_text(words)
    for words in ("信用", "积分", "桌"):
        expect(page).not_to_contain_text(words)


def test_pages_are_light_where_the_system_asks_for_it(house: House, seats: Seats) -> None:
    table = house.table("commission")
    for path, sign in (("/", f"table-{table}"), (f"/board/{table}", "statistics"), ("/odds/commission", "edges")):
        page = seats.open(path, color_scheme="light")
        expect(page.see(sign)).to_be_visible()
        expect(page.page.locator("html")).to_have_css("background-color", "rgb(239, 231, 214)")
    ann = seats.terminal(table, color_scheme="light", viewport=DESK)
    expect(ann.page.locator(".bar")).to_have_css("background-color", "rgb(255, 253, 247)")
    ann.see("open-statement").click()
    assert found_by_axe(ann.page) == []
