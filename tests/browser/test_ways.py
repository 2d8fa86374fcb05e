"""Ways to use the pages: a squeeze, Chinese, the keyboard alone, without motion, and the lobby and analysis."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from punto.rules.loader import GAMES, load
from tests.browser.house import SQUEEZE_PACE, House
from tests.browser.seats import PHONE, Seat, Seats


def test_whoever_has_the_squeeze_may_let_the_dealer_open(house: House, seats: Seats) -> None:
    table = house.table("commission", live=False, face_down=True, timing=SQUEEZE_PACE)
    ann = seats.squeezing(table, viewport=PHONE)
    box = ann.see("pass-squeeze").bounding_box()
    assert box is not None
    assert box["height"] < 60, "its words are on one line"
    assert box["x"] + box["width"] < PHONE["width"] - 10, "inside its panel"
    ann.see("pass-squeeze").click()
    expect(ann.see("squeeze")).to_have_count(0)
    expect(ann.page.locator("[data-test=card] .back")).to_have_count(0)


def test_cards_are_dealt_closed_and_opened_by_place_at_the_console(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", face_down=True)
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


def test_the_felt_in_chinese(house: House, seats: Seats) -> None:
    ann = seats.open("/", house.patron("Ann"))
    for game in GAMES:
        sheet, table = load(game), house.table(game)
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


def test_a_round_in_chinese(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = seats.terminal(table, locale="zh-CN")
    dealer = seats.staff(f"/dealer/{table}", "dealer", locale="zh-CN")
    ann.begin(banker=10_000, tiger=2_500)
    house.play(table, "2h 3h Ks", settled=False)
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


def test_a_private_table_says_so_in_both_languages(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", without_insurance=True, asked_by="Ann")
    for page in (seats.terminal(table), seats.open(f"/board/{table}")):
        notice = page.page.locator(".notice")
        expect(notice).to_contain_text("No insurance is offered at this table")
        page.see("language").click()
        expect(notice).to_contain_text("本台不设保险")


def _tab_to(page: Page, name: str) -> None:
    for _ in range(80):
        if page.evaluate("document.activeElement?.dataset?.test") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {name}")


def test_the_keyboard_alone(house: House, seats: Seats) -> None:
    table = house.table("commission", id=f"0-{house.new_name()}")  # the first of the list
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


def test_the_analysis_of_each_game(seats: Seats) -> None:
    odds = seats.open("/")
    for game in GAMES:
        odds.page.goto(f"/odds/{game}")
        sheet = load(game)
        expect(odds.see("edges").locator("tbody tr")).to_have_count(len(sheet.bets))
        expect(odds.page.locator(".chart-table")).to_have_count(4 if sheet.insurance else 0)


def test_a_squeeze_is_asked_for_and_the_house_consents(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong", face_down=True)
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    ann.begin(player=10_000)
    house.play(table, "2h 3h", settled=False)
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
    house: House, seats: Seats
) -> None:
    table = house.table("commission", face_down=True)
    ann, dealer = seats.terminal(table), seats.staff(f"/dealer/{table}", "dealer")
    ann.begin(player=10_000)
    ann.see("always-squeeze").check()
    house.deal(table, "close-bets")
    for consents in (False, True):  # Player's first card, and the second
        expect(dealer.see("squeeze-asked")).to_contain_text("Ann")
        expect(dealer.see("answer-squeeze-true")).to_be_enabled()
        dealer.page.keyboard.press("y" if consents else "n")
        expect(dealer.see("squeeze-asked")).to_have_count(0)
        if not consents:
            house.cards(table, "2h")
            expect(ann.see("card")).to_have_count(1)
            assert house.snapshot(table)["squeeze"] is None, "the next card is Banker's"
            house.cards(table, "3h")
    ann.page.reload()
    expect(ann.see("always-squeeze")).to_be_checked()


def test_calls_are_spoken_until_the_sound_is_off(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table)
    watch = "each => (document.body.dataset.spoken = `${each.lang} ${each.text}`)"
    ann.page.evaluate(f"() => {{ speechSynthesis.speak = {watch} }}")
    said = ann.page.locator("body")
    ann.sit(1)
    house.deal(table, "open-bets")
    expect(said).to_have_attribute("data-spoken", "en-GB Place your Bets, please")
    house.play(table, "4h 7d 4s Kc", settled=False)
    expect(said).to_have_attribute("data-spoken", "en-GB Player wins 8–7")
    ann.see("language").click()
    house.deal(table, "settle")
    house.deal(table, "open-bets")
    expect(said).to_have_attribute("data-spoken", "zh-CN 请下注")
    ann.see("sound").click()
    house.deal(table, "close-bets")
    ann.phase("initial-cards")
    expect(said).to_have_attribute("data-spoken", "zh-CN 请下注")
