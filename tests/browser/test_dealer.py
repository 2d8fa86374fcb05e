"""The dealer console: rounds, corrections, cash, insurance and reports by keys; every situation of every sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from punto.rules.cards import DECK, parse_cards
from punto.rules.loader import GAMES
from punto.rules.tableau import next_hand
from tests.browser.axe import found_by_axe
from tests.browser.house import House
from tests.browser.seats import PHONE, Seat, Seats


def _call(dealer: Seat, kind: str) -> None:
    """Give the next call by Enter, once the console takes it."""
    expect(dealer.see(kind)).to_be_enabled()
    dealer.page.keyboard.press("Enter")


def _deal(dealer: Seat, cards: str) -> None:
    """Key cards, each with the Enter that confirms it."""
    expect(dealer.see("entry")).to_be_visible()
    count = dealer.see("card").count()
    for number, card in enumerate(cards.split(), start=count + 1):
        dealer.page.keyboard.type(card)
        dealer.page.keyboard.press("Enter")
        expect(dealer.see("card")).to_have_count(number)


def _key(dealer: Seat, name: str) -> None:
    """Go to something by Tab, and press it."""
    _tab(dealer, dealer.see(name))
    dealer.page.keyboard.press("Enter")


def _tab(dealer: Seat, thing: Locator) -> None:
    """Press Tab until something has the focus."""
    expect(thing).to_be_visible()
    for _ in range(90):
        if thing.evaluate("each => each === document.activeElement"):
            break
        dealer.page.keyboard.press("Tab")
    expect(thing).to_be_focused()


def _tap(dealer: Seat, name: str) -> None:
    dealer.see(name).click()


def test_a_whole_round_at_the_keyboard_only(house: House, seats: Seats) -> None:
    table = house.table("commission", loaded=False)
    ann, bo = seats.terminal(table), seats.terminal(table, "Bo")
    ann.sit(2)
    bo.sit(4)
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("call")).to_contain_text("Load a shoe")
    _call(dealer, "load-shoe")
    expect(dealer.see("call")).to_contain_text("Ready for the next round")
    _call(dealer, "open-bets")
    ann.phase("betting")
    ann.bet("player", 10_000)
    ann.bet("tie", 2_500)
    bo.bet("banker", 10_000, times=2)
    expect(dealer.see("total-2-player")).to_have_text("100")
    expect(dealer.see("total-banker")).to_have_text("200")
    expect(dealer.see("total")).to_have_text("325")
    _call(dealer, "close-bets")
    dealer.phase("initial-cards")
    dealer.page.keyboard.type("9h")
    expect(dealer.see("entry")).to_contain_text("9 of hearts")
    expect(dealer.see("card")).to_have_count(0)  # keyed, not confirmed
    for _ in range(2):
        dealer.page.keyboard.press("Backspace")
    _deal(dealer, "4h 7d 4s")
    expect(dealer.see("guidance")).to_contain_text("Next: Banker")
    dealer.page.keyboard.type("0c\n", delay=0)  # a scanner types and ends with Enter
    dealer.phase("result")
    dealer.page.keyboard.press("x")  # the cut card is not to be drawn now: nothing happens
    _call(dealer, "settle")
    payout = dealer.see("payout")
    expect(payout.locator("li")).to_have_count(2)
    expect(payout).to_contain_text("Box 2 Ann")
    expect(payout).to_contain_text("pay 100")
    expect(payout).to_contain_text("take 200")
    for done in (1, 2):
        dealer.page.keyboard.press("p")
        expect(payout.get_by_role("checkbox", checked=True)).to_have_count(done)
    correction = {"round": 1, "cards": "4h 9d 4s Tc", "reason": "a mis-keyed card"}
    house.deal(table, "correct-round", "pit-supervisor", **correction)
    house.approve(table)
    expect(payout).to_contain_text("+190")  # the list follows the correction: Banker won with 9
    expect(payout.get_by_role("checkbox", checked=True)).to_have_count(0)  # what was paid is not what is due
    dealer.page.keyboard.press("x")
    expect(dealer.see("cut-card")).to_have_count(0)
    _call(dealer, "open-bets")
    ann.phase("betting")
    expect(dealer.page.locator(".bar")).to_contain_text("last round of the shoe")


def test_a_void_first_round_is_named(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    house.deal(table, "open-bets")
    house.deal(table, "report", situation="anything-else", facts={"note": "spilled"})
    house.deal(table, "decide", "shift-manager", decision="void", reason="spilled")
    house.approve(table)
    expect(dealer.see("call")).to_contain_text("Round 1 is void")
    expect(dealer.see("open-bets")).to_be_enabled()


def test_a_second_enter_gives_no_second_call(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    keys, clock = dealer.page.keyboard, dealer.page.clock
    expect(dealer.see("open-bets")).to_be_enabled()
    clock.install(time=0)
    clock.pause_at(1_000)  # from here on no time passes on the page, so every press comes at once
    dealer.page.evaluate("for (let i = 0; i < 3; i++) dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    dealer.phase("betting")
    keys.press("Enter")
    expect(dealer.see("close-bets")).to_be_disabled()
    assert house.snapshot(table)["phase"] == "betting"
    keys.down("Enter")
    clock.run_for(1_000)
    expect(dealer.see("close-bets")).to_be_enabled()
    keys.down("Enter")  # a key that is held down repeats itself
    keys.up("Enter")
    assert house.snapshot(table)["phase"] == "betting"
    keys.press("Enter")
    expect(dealer.see("entry")).to_be_visible()
    keys.type("4h\n\n7d\n\n4s\n\nKc\n\n", delay=0)  # a scanner that ends every card twice
    dealer.phase("result")
    keys.press("Enter")
    expect(dealer.see("settle")).to_be_disabled()
    assert house.snapshot(table)["phase"] == "result"
    clock.run_for(1_000)
    _call(dealer, "settle")
    dealer.phase("between-rounds")


def test_a_card_that_is_read_when_none_is_due_gives_no_call(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    _call(dealer, "open-bets")
    expect(dealer.see("close-bets")).to_be_enabled()
    dealer.page.keyboard.type("9h\n")
    expect(dealer.see("refused")).to_have_attribute("data-code", "wrong-phase")
    assert house.snapshot(table)["phase"] == "betting"


def test_a_mis_keyed_card_is_taken_back_and_keyed_again(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    _call(dealer, "open-bets")
    _call(dealer, "close-bets")
    dealer.phase("initial-cards")
    _deal(dealer, "4h 9d")
    dealer.page.keyboard.type("4")
    dealer.page.keyboard.press("Backspace")  # the key, which is not a card yet
    dealer.page.keyboard.press("Backspace")  # asks which card
    expect(dealer.see("dealt-1")).to_be_focused()
    expect(dealer.see("correct")).to_be_disabled()  # nothing is picked beforehand
    dealer.page.keyboard.press("Backspace")  # the last card
    expect(dealer.see("effect")).to_contain_text("4♥ 9♦ 4♥")
    expect(dealer.see("correct")).to_be_focused()
    dealer.page.keyboard.press("Enter")
    expect(dealer.see("card")).to_have_count(1)
    _deal(dealer, "6d Kc 5c")
    dealer.page.keyboard.press("m")
    expect(dealer.see("dealt-1")).to_be_focused()
    dealer.page.keyboard.press("ArrowRight")
    dealer.page.keyboard.type("3h")  # the first card, as it was: no other changes
    assert _after(dealer) == ["3h", "6d", "Kc", "5c"]
    dealer.page.keyboard.press("ArrowRight")
    dealer.page.keyboard.type("7d")
    assert _after(dealer) == ["3h", "7d", "Kc", "5c"]
    dealer.see("dealt-1").click()
    dealer.page.get_by_text("Leave it as it is").click()
    assert _after(dealer) == ["4h", "7d", "Kc", "5c"]
    expect(dealer.see("effect")).to_contain_text("4♥ 6♦ K♣ 5♣ 4♥ 7♦ K♣ 5♣")
    dealer.enter("correct")
    expect(dealer.see("guidance")).to_contain_text("Pit Supervisor")  # others than the last card need a second person
    house.approve(table)
    expect(dealer.see("points-banker")).to_have_text("2")


def _after(dealer: Seat) -> list[str]:
    """The cards as the form would have them."""
    expect(dealer.see("after")).to_be_visible()
    cards: list[str] = dealer.page.locator("[data-test=after] > span").evaluate_all(
        "all => all.map(each => each.dataset.card)"
    )
    return cards


@pytest.mark.parametrize("press", [_tap, _key])
def test_cash_is_put_on_a_box_and_taken_off_again(
    press: Callable[[Seat, str], None], house: House, seats: Seats
) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    _call(dealer, "open-bets")
    dealer.phase("betting")
    press(dealer, "select-box-5")
    press(dealer, "chip-10000")
    press(dealer, "spot-player")
    expect(dealer.see("total-5-player")).to_have_text("100")
    press(dealer, "spot-player")
    expect(dealer.see("total-5-player")).to_have_text("200")
    press(dealer, "chip-2500")
    press(dealer, "spot-tie")
    expect(dealer.see("total-5-tie")).to_have_text("25")
    expect(dealer.see("total")).to_have_text("225")
    press(dealer, "take-off-tie")
    expect(dealer.see("total")).to_have_text("200")
    bets = house.snapshot(table, house.staff("dealer"))["bets"]
    assert [(bet["box"], bet["patron"], bet["on"], bet["stake_cents"]) for bet in bets] == [
        (5, "cash:5", "player", 20_000)
    ]


def test_the_keyboard_stays_at_a_box_until_it_is_left(house: House, seats: Seats) -> None:
    """What goes with a press gives the focus to what stays; Escape leaves, and then Enter is the next call."""
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    _call(dealer, "open-bets")
    dealer.phase("betting")
    _key(dealer, "select-box-3")
    expect(dealer.page.locator("[data-test=tray] .chips [aria-pressed=true]")).to_be_focused()
    _key(dealer, "chip-10000")
    _key(dealer, "spot-player")
    expect(dealer.see("total-3-player")).to_have_text("100")
    _key(dealer, "take-off-player")
    expect(dealer.see("total")).to_have_text("")
    expect(dealer.see("spot-player")).to_be_focused()
    dealer.page.keyboard.press("Escape")
    expect(dealer.see("tray")).to_have_count(0)
    _call(dealer, "close-bets")
    dealer.phase("initial-cards")


def test_insurance_is_collected_by_keys(house: House, seats: Seats) -> None:
    table = house.table("commission-insurance")
    house.deal(table, "open-bets")
    house.deal(table, "record-bet", patron="cash:3", box=3, on="banker", stake_cents=10_000)
    house.play(table, "2h 3h Ks 3s", settled=False)
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    _key(dealer, "less")
    expect(dealer.see("less")).to_be_focused()
    for chip in (2_500, 500, 500):  # 35 would be too much
        _key(dealer, f"chip-{chip}")
    expect(dealer.see("chip-500")).to_be_disabled()
    _key(dealer, "collect-chips")
    expect(dealer.see("less")).to_be_focused()
    expect(dealer.see("total-3-banker-insurance")).to_have_text("30")
    _key(dealer, "collect-maximum")
    expect(dealer.see("total-3-banker-insurance")).to_have_text("33")


def test_enter_is_the_next_call_after_a_dialog(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("open-bets")).to_be_enabled()
    for opener in ("mis-keyed", "report"):
        _key(dealer, opener)
        expect(dealer.page.locator("dialog[open]")).to_be_visible()
        dealer.page.keyboard.press("Escape")
        expect(dealer.page.locator("dialog")).to_have_count(0)
    _call(dealer, "open-bets")
    dealer.phase("betting")


def test_a_dealer_gives_the_choice_of_whoever_bet_cash(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    house.deal(table, "open-bets")
    house.deal(table, "record-bet", patron="cash:3", box=3, on="banker", stake_cents=10_000)
    house.play(table, "4h 7d", settled=False)
    house.deal(table, "report", situation="other-dealing-error")
    dealer.phase("held")
    dealer.see("held-choices").locator("[data-test=choose-take-back]").click()
    expect(dealer.see("held-choices")).to_have_count(0)
    expect(dealer.see("total")).to_have_text("")


def test_an_automatic_table_offers_no_calls_and_no_cards(house: House, seats: Seats) -> None:
    table = house.table("commission", live=False)
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("guidance")).to_be_visible()
    for name in ("entry", "legend", "mis-keyed", "load-shoe", "open-bets", "close-bets", "deal", "settle", "cut-card"):
        expect(dealer.see(name)).to_have_count(0)


def test_the_console_fits_its_screen(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    ann = seats.terminal(table)
    ann.begin(banker=50_000)

    def overflow() -> list[int]:
        return dealer.page.evaluate(  # type: ignore[no-any-return]
            "[document.documentElement, document.querySelector('.dealer > main')].flatMap("
            "each => [each.scrollHeight - each.clientHeight, each.scrollWidth - each.clientWidth])"
        )

    dealer.phase("betting")
    assert overflow() == [0, 0, 0, 0]
    house.play(table, "2h 3h Ks 3s", settled=False)
    expect(dealer.see("collect")).to_be_visible()
    assert overflow() == [0, 0, 0, 0]
    house.cards(table, "7c Qd")
    house.deal(table, "settle")
    expect(dealer.see("payout")).to_be_visible()
    assert overflow() == [0, 0, 0, 0]
    dealer.page.set_viewport_size(PHONE)
    house.deal(table, "open-bets")
    house.deal(table, "record-bet", patron="cash:2", box=2, on="player", stake_cents=1_000_000)
    expect(dealer.see("total-2-player")).to_have_text("10,000")
    for other in ("zh-Hans", "en"):
        assert dealer.page.evaluate(BESIDE) == 0
        dealer.see("language").evaluate("button => button.click()")
        expect(dealer.page.locator("html")).to_have_attribute("lang", other)


BESIDE = "Math.max(...[...document.querySelectorAll('html, .panel')].map(each => each.scrollWidth - each.clientWidth))"

# ------------------------------------------------------------------------------------------- reports

CARDS = "2h 3h Ks 3s 7c"
"""Banker could be insured after four cards, and five are out."""
NEEDS_A_WHOLE_SHOE = "not-enough-cards"


def test_every_situation_is_reported_from_the_form(house: House, seats: Seats) -> None:
    """Each at a table of its own, all on one page; what asks for the same in several games, once."""
    ann = house.patron("Ann")
    tables = {game: house.table(game) for game in GAMES}
    forms = {
        (way["situation"], *[each["name"] for each in way.get("inputs", [])]): (game, way["group"])
        for game, table in tables.items()
        for way in _ways(house, table)
        if way["situation"] != NEEDS_A_WHOLE_SHOE
    }
    dealer = seats.staff(f"/dealer/{tables[GAMES[0]]}", "dealer")
    for (situation, *_), (game, group) in forms.items():
        table = house.table(game, face_down=True)
        _play_until(house, table, ann, situation)
        _go(dealer, table)
        dealer.page.keyboard.press("r")
        dealer.see(f"group-{group}").click()
        dealer.see(f"situation-{situation}").check()
        _fill_in(dealer)
        dealer.wait("preview")
        dealer.see("report-send").click()
        expect(dealer.page.locator("dialog")).to_have_count(0)
        newest = house.ask("GET", "/api/significant?limit=9", None, house.staff("pit-manager"))
        reported = [each for each in newest if (each["table"], each["code"]) == (table, "incident-reported")]
        assert [each["parameters"]["situation"] for each in reported] == [situation]


def test_a_card_keyed_open_at_a_face_down_table_suggests_its_report(house: House, seats: Seats) -> None:
    for face_down in (True, False):
        table = house.table("commission", face_down=face_down)
        house.deal(table, "open-bets")
        house.deal(table, "close-bets")
        dealer = seats.staff(f"/dealer/{table}", "dealer")
        _deal(dealer, "9h")
        expect(dealer.see("keyed-open")).to_have_count(int(face_down))
        if face_down:
            dealer.see("keyed-open").click()
            dealer.see("group-card").click()
            expect(dealer.see("situation-dealt-face-up")).to_be_enabled()


def test_a_shoe_that_cannot_finish_the_round_is_reported_from_the_form(house: House, seats: Seats) -> None:
    decks = 4
    table = house.table("commission", decks=decks)
    left = [card.text for card in DECK] * decks
    Random(4).shuffle(left)  # its last round draws a card that is not there
    while left:
        house.deal(table, "open-bets")
        house.deal(table, "close-bets")
        dealt: list[str] = []
        while left and next_hand(parse_cards(" ".join(dealt))) is not None:
            dealt.append(left.pop())
            house.deal(table, "deal", card=dealt[-1])
        if left:
            house.deal(table, "settle")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    dealer.see("report").click()
    dealer.see("group-shoe").click()
    dealer.see(f"situation-{NEEDS_A_WHOLE_SHOE}").check()
    expect(dealer.see("preview")).to_contain_text("The round is void")
    dealer.see("report-send").click()
    dealer.phase("held")
    house.approve(table)
    expect(dealer.see("call")).to_contain_text("is void")
    expect(dealer.see("guidance")).to_contain_text("Load a shoe")


def _ways(house: House, table: str) -> list[dict[str, Any]]:
    choices = house.ask("GET", f"/api/tables/{table}/choices", None, house.staff("dealer"))
    return next(each["ways"] for each in choices if each["kind"] == "report")


def _go(dealer: Seat, table: str) -> None:
    """Another table on the same page."""
    dealer.page.evaluate(
        "to => { history.pushState(null, '', to); dispatchEvent(new Event('popstate')) }", f"/dealer/{table}"
    )
    expect(dealer.page.locator(".bar h1")).to_contain_text(f"Table {table} ")


def _play_until(house: House, table: str, ann: str, situation: str) -> None:
    """A round in which this can have been seen: Ann has a bet on Banker, and cards are on the table."""
    path = f"/api/tables/{table}/commands"
    house.ask("POST", path, {"kind": "sit", "box": 1}, ann)
    if situation == "late-error":
        for kind in ("open-bets", "close-bets"):
            house.deal(table, kind)
        house.cards(table, "4h 7d 4s Kc")
        house.deal(table, "settle")
    house.deal(table, "open-bets")
    house.ask("POST", path, {"kind": "place-bet", "box": 1, "on": "banker", "stake_cents": 10_000}, ann)
    stakes = {"below-minimum": 2_000, "excess-bets": 6_000_000}
    if situation in stakes and house.snapshot(table)["table"]["layout"]:  # where bets are chips, they can be wrong
        house.deal(table, "record-bet", patron="cash:2", box=2, on="banker", stake_cents=stakes[situation])
        return
    house.play(table, CARDS, settled=False)


def _fill_in(dealer: Seat) -> None:
    """Whatever the ruling needs, in the first way that it may be."""
    page = dealer.page
    way = page.locator("input[name=way]")
    if way.first.get_attribute("type") == "radio" and not page.locator("input[name=way]:checked").count():
        page.locator("input[name=way]:enabled").first.check()
    for name in ("reconstructible", "hand_count"):
        if page.locator(f"input[name={name}]").count():
            page.locator(f"input[name={name}]").first.check()
    if page.locator("input[name=claims]").count():
        page.locator("input[name=claims]").first.check()
    cards = page.locator("input[name=cards]")
    if cards.count() and not cards.input_value():
        for card in ("9h", "Kd"):
            page.locator(f"[data-test=pick-{card}]:visible").press("Enter")
    if page.locator("input[name=round][required]").count():
        page.locator("input[name=round]").fill("1")
    page.locator("input[name=note]").fill("seen by the Dealer")


def test_axe_finds_nothing_on_the_dealer_console(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = seats.terminal(table)
    ann.sit(1)
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("open-bets")).to_be_enabled()
    assert found_by_axe(dealer.page) == []
    _call(dealer, "open-bets")
    ann.phase("betting")
    ann.bet("banker", 10_000)
    dealer.see("select-box-2").click()
    assert found_by_axe(dealer.page) == []
    _call(dealer, "close-bets")
    dealer.phase("initial-cards")
    _deal(dealer, "2h 3h Ks 3s")
    expect(dealer.see("collect")).to_be_visible()
    assert found_by_axe(dealer.page) == []
    for opener, shows in (("report", "group-mis-keyed"), ("mis-keyed", "correct")):
        dealer.see(opener).click()
        expect(dealer.see(shows)).to_be_visible()
        dealer.see("language").evaluate("button => button.click()")  # under the dialog: once in each language
        assert found_by_axe(dealer.page) == []
        dealer.page.keyboard.press("Escape")
        expect(dealer.page.locator("dialog")).to_have_count(0)
    _deal(dealer, "7c Qd")
    _call(dealer, "settle")
    expect(dealer.see("payout")).to_be_visible()
    assert found_by_axe(dealer.page) == []


def test_a_held_console_shows_the_proposal_who_must_answer_and_the_carried_card(house: House, seats: Seats) -> None:
    table = house.table("commission", second_person=True)
    ann = seats.terminal(table)
    ann.begin(player=10_000)
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("differential-1")).to_have_text("100")
    house.play(table, "4h 7d 4s Kc")
    house.deal(table, "come-on-duty", "pit-supervisor")
    house.deal(table, "correct-round", "pit-supervisor", round=1, cards="4h 9d 4s Kc", reason="a mis-keyed card")
    held = dealer.see("held-case")
    expect(held).to_contain_text("Pit Supervisor")
    expect(held).to_contain_text("a mis-keyed card")
    expect(held.locator(".small-cards").last).to_have_text(re.compile("4♥.*9♦"))
    house.approve(table)
    expect(held).to_have_count(0)


def test_a_report_is_found_by_its_words_and_picked_by_keys(house: House, seats: Seats) -> None:
    table = house.table("commission")
    dealer = seats.staff(f"/dealer/{table}", "dealer")
    expect(dealer.see("open-bets")).to_be_visible()
    keys = dealer.page.keyboard
    keys.press("r")
    search = dealer.page.locator("dialog input[name=find]")
    expect(search).to_be_focused()
    keys.type("not shuf")
    expect(dealer.page.locator(".situations label")).to_have_count(1)
    keys.press("1")
    expect(dealer.see("situation-not-shuffled")).to_be_focused()
    expect(dealer.see("situation-not-shuffled")).to_be_checked()
    search.fill("")
    search.press("1")
    expect(dealer.page.locator(".groups [aria-pressed=true]")).to_have_count(1)
    search.fill("nothing like it")
    expect(dealer.page.locator("dialog")).to_contain_text("Nothing that can be reported is called so.")
    keys.press("Escape")
    expect(dealer.page.locator("dialog")).to_have_count(0)
    house.deal(table, "open-bets")
    house.play(table, "4h", settled=False)
    expect(dealer.see("card")).to_have_count(1)
    keys.press("r")
    dealer.enter("group-mis-keyed")  # the first thing that it offers
    expect(dealer.see("correct")).to_be_visible()
    keys.press("Escape")
    expect(dealer.page.locator("dialog")).to_have_count(0)
    keys.press("r")
    expect(search).to_be_focused()
    keys.type("drawn in excess")
    keys.press("1")
    expect(dealer.see("situation-excess-card")).to_be_focused()
    way = dealer.page.locator("input[name=reconstructible]").first
    _tab(dealer, way)
    keys.press("Space")
    expect(way).to_be_checked()
    _tab(dealer, dealer.page.locator("input[name=cards]"))
    keys.type("4h 9d")
    _tab(dealer, dealer.page.locator("input[name=note]"))
    keys.type("stuck to the next")
    keys.press("Enter")
    expect(dealer.page.locator("dialog")).to_have_count(0)
    dealer.phase("held")
