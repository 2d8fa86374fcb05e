"""Ways to use the pages: a squeeze, Chinese, the keyboard alone, without motion, and the lobby and analysis."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from punto.rules.loader import GAMES, load
from tests.browser.house import SQUEEZE_PACE, House
from tests.browser.seats import DESK, MOVING, PHONE, Seat, Seats


def test_a_squeeze_by_dragging(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    ann = seats.squeezing(house.table(new_name(), "commission", live=False, face_down=True, timing=SQUEEZE_PACE))
    card = ann.see("squeeze")
    box = card.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 6
    mouse = ann.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - box["height"] * 0.15, steps=6)
    assert 0.05 < float(card.get_attribute("data-bend") or 0) < 0.1
    expect(ann.page.locator(".flap")).to_have_count(1)
    expect(ann.page.locator(".flap text")).to_have_count(0)  # nobody knows the card before it is open
    mouse.up()
    expect(card).to_have_attribute("data-bend", "0")  # let go too early, it lies flat again
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y - box["height"] * 0.5, steps=8)
    expect(ann.page.locator(".flap text").first).to_be_attached()  # open, and the patron alone still looks
    mouse.move(x, y - box["height"] * 0.95, steps=8)
    mouse.up()
    assert ann.page.evaluate("getSelection().toString()") == ""
    expect(card).to_have_count(0)
    expect(ann.see("points-player")).to_have_text(re.compile(r"\d"))


def test_everyone_waits_for_whoever_has_the_squeeze(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission", live=False, face_down=True, timing=SQUEEZE_PACE)
    ann, bo = seats.squeezing(table), seats.terminal(table, "Bo")
    expect(ann.see("call")).to_contain_text("Open your cards")
    expect(bo.see("call")).to_contain_text("Cards are to be opened")
    expect(bo.see("squeeze")).to_have_count(0)
    expect(bo.page.locator(".squeezer")).to_have_text("Ann")
    expect(bo.page.locator("[data-test=card] .back")).to_have_count(1)
    expect(ann.see("lines")).to_have_count(0)
    ann.see("squeeze").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.see("lines")).to_be_visible()
    expect(bo.page.locator("[data-test=card] .back")).to_have_count(0)


def test_whoever_has_the_squeeze_may_let_the_dealer_open(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission", live=False, face_down=True, timing=SQUEEZE_PACE)
    ann = seats.squeezing(table, viewport=PHONE)
    box = ann.see("pass-squeeze").bounding_box()
    assert box is not None
    assert box["height"] < 60, "its words are on one line"
    assert box["x"] + box["width"] < PHONE["width"] - 10, "inside its panel"
    ann.see("pass-squeeze").click()
    expect(ann.see("squeeze")).to_have_count(0)
    expect(ann.page.locator("[data-test=card] .back")).to_have_count(0)


def test_cards_are_dealt_closed_and_opened_by_place_at_the_console(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong", face_down=True)
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    house.deal(table, "open-bets")
    house.deal(table, "close-bets")
    for count in range(1, 5):
        dealer.see("deal").click()
        expect(ann.page.locator("[data-test=card] .back")).to_have_count(count)
    dealer.phase("opening")
    expect(ann.see("squeeze")).to_have_count(0)
    keys = dealer.page.keyboard
    dealer.see("entry").get_by_text("Open card 3").click()
    for card in ("5s", "4h", "7d", "Kc"):
        keys.type(card)
        keys.press("Enter")
        expect(dealer.page.locator(f"[data-card='{card}']")).to_be_visible()
    ann.phase("result")
    expect(ann.see("points-player")).to_have_text("9")


def test_the_felt_in_chinese(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    ann = seats.open("/", house.patron("Ann"))
    for game in GAMES:
        sheet, table = load(game), house.table(new_name(), game)
        ann.page.goto(f"/table/{table}")
        for bet in sheet.bets.values():
            expect(ann.see(f"spot-{bet.id}")).to_contain_text(bet.name)
        ann.see("language").click()
        for _ in range(2):
            expect(ann.page.locator("html")).to_have_attribute("lang", "zh-Hans")
            for bet in sheet.bets.values():
                expect(ann.see(f"spot-{bet.id}")).to_contain_text(sheet.zh[bet.name])
            expect(ann.page.locator(".bar h1")).to_contain_text(sheet.zh[sheet.title])
            assert _english(ann, "main") == []
            ann.page.reload()
        ann.see("language").click()


def _english(seat: Seat, where: str) -> list[str]:
    """The English words in sight, where Chinese should be; a card's letter and a patron's name aside."""
    left: list[str] = seat.page.evaluate(
        "where => document.querySelector(where).innerText.match(/[A-Za-z]{3,}/g)", where
    )
    return [word for word in left or [] if word not in {"Ann", "CSV"}]


def test_a_round_in_chinese(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong")
    ann = seats.terminal(table, locale="zh-CN")
    dealer = seats.staff(f"/dealer/{table}", "dealer", locale="zh-CN")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    ann.bet("tiger", 2_500)
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h Ks")
    expect(dealer.see("guidance")).to_contain_text("前四张牌轮流发给闲与庄")
    house.cards(table, "3s")
    expect(ann.see("insurance")).to_contain_text("庄输则赔，和局退回。")
    expect(dealer.see("guidance")).to_contain_text("闲 2 点须补牌")
    assert _english(ann, "main") == []
    house.cards(table, "7c")
    expect(dealer.see("guidance")).to_contain_text("闲补得 7 点，庄 6 点须补牌")
    house.cards(table, "Qd")
    expect(dealer.see("guidance")).to_contain_text("双方各有三张牌")
    house.deal(table, "settle")
    expect(ann.see("lines")).to_be_visible()
    assert _english(ann, "main") == []
    assert _english(dealer, "main") == []
    for opener in ("open-pays", "open-rounds", "open-statement", "cashier"):
        ann.see(opener).click()
        expect(ann.page.locator("dialog")).to_be_visible()
        assert [word for word in _english(ann, "dialog") if word not in table] == []
        ann.page.keyboard.press("Escape")


def test_the_commitment_to_a_shoe_is_told_in_chinese(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission", live=False)
    ann = seats.terminal(table)
    ann.see("language").click()
    ann.see("open-commitment").click()
    expect(ann.page.locator("dialog")).to_contain_text("第 1 靴的承诺")
    expect(ann.see("commitment")).to_have_text(house.ask("GET", f"/api/tables/{table}")["shoe"]["commitment"])


def test_who_draws_in_chinese(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer", locale="zh-CN")
    for cards, reason, rest in (
        ("4h 7d 4s Kc", "闲 8 点，庄 7 点：例牌，双方停牌", ""),
        ("4h 2d 2s Kc", "闲 6 点停牌，庄 2 点须补牌", "Kd"),
        ("4h 2d 2s Kc 3h", "闲 6 点停牌，庄已补牌", ""),
        ("Kh 3d 2s Kc 8h", "闲补得 8 点，庄 3 点停牌", ""),
    ):
        house.deal(table, "open-bets")
        house.deal(table, "close-bets")
        house.cards(table, cards)
        expect(dealer.see("guidance")).to_contain_text(reason)
        house.cards(table, rest)
        house.deal(table, "settle")


def test_a_private_table_says_so_in_both_languages(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong", without_insurance=True, asked_by="Ann")
    for page in (seats.terminal(table), seats.open(f"/board/{table}")):
        notice = page.page.locator(".notice")
        expect(notice).to_contain_text("No insurance is offered at this table")
        page.see("language").click()
        expect(notice).to_contain_text("本台不设保险")


def test_nothing_hides_beside_a_phone(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong")
    ann = seats.terminal(table, viewport=PHONE)
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    ann.bet("small-tiger", 2_500)
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h Ks 3s 7c Qd")
    house.deal(table, "settle")
    for opener, shows in (("open-pays", "table"), ("open-rounds", ".lines"), ("open-statement", "tbody tr")):
        ann.tool(opener)
        expect(ann.page.locator(f"dialog {shows}").first).to_be_visible()
        beside = "[...document.querySelectorAll('html, dialog')].map(each => each.scrollWidth - each.clientWidth)"
        assert ann.page.evaluate(beside) == [0, 0], opener
        ann.page.keyboard.press("Escape")


def _tab_to(page: Page, name: str) -> None:
    for _ in range(80):
        if page.evaluate("document.activeElement?.dataset?.test") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {name}")


def test_the_keyboard_alone(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(f"0-{new_name()}", "commission")  # the first of the list
    ann = seats.open("/")
    page = ann.page
    expect(ann.see(f"table-{table}")).to_be_visible()
    for _ in range(200):
        page.keyboard.press("Tab")
        if (page.evaluate("document.activeElement?.getAttribute('href')") or "").endswith(f"/table/{table}"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("input[name=name]")).to_be_visible()
    while page.evaluate("document.activeElement?.name") != "name":
        page.keyboard.press("Tab")
    page.keyboard.type("Kay")
    page.keyboard.press("Enter")
    expect(page.locator("form.sign-in")).to_have_count(0)
    _tab_to(page, "cashier")
    page.keyboard.press("Enter")
    _tab_to(page, "buy-50000")
    page.keyboard.press("Enter")
    expect(page.locator("dialog .balance b")).to_have_text("10,500")
    page.keyboard.press("Escape")
    _tab_to(page, "box-2")
    page.keyboard.press("Enter")
    expect(ann.see("box-2")).to_have_class(re.compile("mine"))
    house.deal(table, "open-bets")
    ann.phase("betting")
    _tab_to(page, "chip-10000")
    page.keyboard.press("Space")
    _tab_to(page, "spot-banker")
    page.keyboard.press("Enter")
    ann.wanted("banker", 10_000)
    page.keyboard.press("Space")
    ann.wanted("banker", 20_000)
    page.keyboard.press("Enter")  # now that chips are staged, it confirms them
    ann.placed("banker", 20_000)
    _tab_to(page, "undo")
    page.keyboard.press("Enter")
    ann.wanted("banker", 0)
    _tab_to(page, "confirm")
    page.keyboard.press("Enter")
    ann.placed("banker", 0)


def test_everything_that_can_be_pressed_has_a_name(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong")
    ann = seats.terminal(table)
    dealer, pit = seats.staff(f"/dealer/{table}", "dealer"), seats.staff("/pit", "pit-manager")
    lobby, odds = seats.open("/"), seats.open("/odds/da-hu-ying-xiong")
    expect(ann.see("spot-tiger")).to_be_visible()
    expect(dealer.see("call")).to_be_visible()
    expect(lobby.see(f"table-{table}")).to_be_visible()
    for seat in (ann, dealer, pit, lobby, odds):
        nameless = seat.page.evaluate(
            """[...document.querySelectorAll('button, a, input, select, [role=button], [role=img]')].filter(
                 each => !(each.getAttribute('aria-label') || each.innerText || each.closest('label')?.innerText)
               ).map(each => each.outerHTML)"""
        )
        assert nameless == []
        assert seat.page.locator("h1").count() == 1


def test_no_motion_for_those_who_want_none(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission")
    moving, still = seats.terminal(table, **MOVING), seats.terminal(table, "Bo")
    house.deal(table, "open-bets")
    house.deal(table, "close-bets")
    house.cards(table, "4h")
    names = []
    for seat in (moving, still):
        card = seat.see("card").first
        expect(card).to_be_visible()
        names.append(card.evaluate("card => getComputedStyle(card).animationName"))
    assert names == ["deal", "none"]


def test_nothing_runs_over_the_edge(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong")
    pages = [
        seats.open("/"),
        seats.terminal(table),
        seats.open(f"/board/{table}"),
        seats.staff(f"/dealer/{table}", "dealer"),
        seats.staff("/pit", "pit-manager"),
        seats.open("/odds/da-hu-ying-xiong"),
    ]
    expect(pages[0].see(f"table-{table}")).to_be_visible()
    expect(pages[2].see("statistics")).to_be_visible()
    expect(pages[3].see("call")).to_be_visible()
    expect(pages[-1].see("edges")).to_be_visible()
    pages[4].see(f"values-{table}").click()
    expect(pages[4].see("values").locator("tbody tr").first).to_be_visible()
    for seat in pages:
        for viewport in (DESK, PHONE):
            seat.page.set_viewport_size(viewport)
            wide = seat.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= viewport["width"], f"{seat.page.url} is {wide} wide"


def test_the_analysis_of_each_game(seats: Seats) -> None:
    odds = seats.open("/")
    for game in GAMES:
        odds.page.goto(f"/odds/{game}")
        sheet = load(game)
        expect(odds.see("edges").locator("tbody tr")).to_have_count(len(sheet.bets))
        expect(odds.page.locator(".chart-table")).to_have_count(4 if sheet.insurance else 0)


def test_a_squeeze_is_asked_for_and_the_house_consents(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "da-hu-ying-xiong", face_down=True)
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    house.deal(table, "close-bets")
    house.cards(table, "2h 3h")
    ann.see("always-squeeze").check()
    expect(dealer.see("squeeze-asked")).to_contain_text("Ann")
    expect(dealer.see("squeeze-asked")).to_contain_text("3.9")
    dealer.see("answer-squeeze-true").click()
    expect(dealer.see("squeeze-asked")).to_have_count(0)
    ann.see("always-squeeze").uncheck()
    dealer.see("deal").click()  # closed: Ann opens the card itself, and the Dealer names it
    house.cards(table, "8d")
    dealer.phase("opening")
    expect(dealer.see("entry")).to_contain_text("Open card 3")
    dealer.page.keyboard.type("Ks")
    dealer.page.keyboard.press("Enter")  # Player 2 and Banker 1, who draws whatever Player's third card is
    ann.see("ask-squeeze-banker-third-first").click()
    expect(dealer.see("squeeze-asked")).to_contain_text("3.14")
    dealer.see("answer-squeeze-true").click()
    dealer.see("deal").click()
    dealer.phase("banker-third")
    dealer.page.keyboard.type("3c")
    dealer.page.keyboard.press("Enter")
    dealer.see("open-card-6").click()  # Ann has its squeeze, so it was dealt closed
    expect(dealer.see("entry")).to_contain_text("Open card 5")
    dealer.page.keyboard.type("3d")
    dealer.page.keyboard.press("Enter")  # Player 5 and Banker 4: the window that would open now is waived
    dealer.phase("result")
    expect(ann.see("insurance")).to_have_count(0)


def test_a_squeeze_is_asked_for_once_and_goes_to_the_house_for_each_card_of_the_hand(
    house: House, seats: Seats, new_name: Callable[[], str]
) -> None:
    table = house.table(new_name(), "commission", face_down=True)
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    ann.sit(1)
    house.deal(table, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    ann.see("always-squeeze").check()
    house.deal(table, "close-bets")
    for consents in (False, True):  # Player's first card, and the second
        expect(dealer.see("squeeze-asked")).to_contain_text("Ann")
        dealer.see(f"answer-squeeze-{str(consents).lower()}").click()
        expect(dealer.see("squeeze-asked")).to_have_count(0)
        if not consents:
            house.cards(table, "2h")
            expect(ann.see("card")).to_have_count(1)
            assert house.snapshot(table)["squeeze"] is None, "the next card is Banker's"
            house.cards(table, "3h")
    ann.page.reload()
    expect(ann.see("always-squeeze")).to_be_checked()


def test_calls_are_spoken_until_the_sound_is_off(house: House, seats: Seats, new_name: Callable[[], str]) -> None:
    table = house.table(new_name(), "commission")
    ann = seats.terminal(table)
    watch = "each => (document.body.dataset.spoken = `${each.lang} ${each.text}`)"
    ann.page.evaluate(f"() => {{ speechSynthesis.speak = {watch} }}")
    said = ann.page.locator("body")
    ann.sit(1)
    house.deal(table, "open-bets")
    expect(said).to_have_attribute("data-spoken", "en-GB Place your Bets, please")
    house.deal(table, "close-bets")
    house.cards(table, "4h 7d 4s Kc")
    expect(said).to_have_attribute("data-spoken", "en-GB Player wins 8–7")
    ann.see("language").click()
    house.deal(table, "settle")
    house.deal(table, "open-bets")
    expect(said).to_have_attribute("data-spoken", "zh-CN 请下注")
    ann.see("sound").click()
    house.deal(table, "close-bets")
    ann.phase("initial-cards")
    expect(said).to_have_attribute("data-spoken", "zh-CN 请下注")
