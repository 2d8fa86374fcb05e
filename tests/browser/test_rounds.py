"""A full round in each of the five games through the player terminal: bets, cards, lines to the cent and paragraph."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.house import PACE, House
from tests.browser.seats import DESK, PHONE, Seats

# Cards in dealing order; the chips put on each bet, in cents; what the terminal says became of it.
ROUNDS = {
    "commission": (
        "4h 7d 4s Kc",  # Player's natural 8 over 7, with a pair
        {"player": 10_000, "tie": 2_500, "player-pair": 2_500},
        {
            "player": "Player 100 won 1:1 +100 ¶ 4.1.2",
            "tie": "Tie 25 lost −25 ¶ 1.19",
            "player-pair": "Player Pair 25 won 11:1 +275 ¶ 4.1.2",
        },
    ),
    "commission-insurance": (
        "Kh 3d Qs 4c 2h",  # Player draws to 2, Banker stands on 7
        {"banker": 10_000, "player": 50_000},
        {"banker": "Banker 100 won 0.95:1 +95 ¶ 4.1.2", "player": "Player 500 lost −500 ¶ 3.8"},
    ),
    "non-commission": (
        "Kh 2d Qs 4c 5h",  # Banker wins on 6: half pay
        {"banker": 10_000, "banker-pair": 2_500},
        {"banker": "Banker 100 won 1:2 +50 ¶ 4.1.1", "banker-pair": "Banker Pair 25 lost −25 ¶ 3.4"},
    ),
    "easy-six": (
        "6h 5d Kd Qs 9h",  # Player stands on 6, Banker draws to 4
        {"player": 10_000, "easy-six": 2_500, "tie": 2_500},
        {
            "player": "Player 100 won 1.05:1 +105 ¶ 4.1.1",
            "easy-six": "Easy Six 25 won 6:1 +150 ¶ 4.1.1",
            "tie": "Tie 25 lost −25 ¶ 3.8",
        },
    ),
    "da-hu-ying-xiong": (
        "Kh 2d Qs 2c 5h 2s",  # Banker wins on 6 with three cards, paired
        {"banker": 10_000, "tiger": 2_500, "big-tiger": 2_500, "small-tiger": 2_500, "tiger-pair": 2_500},
        {
            "banker": "Banker 100 won 1:2 +50 ¶ 4.1.1",
            "tiger": "Tiger 25 won 20:1 +500 ¶ 4.1.1",
            "big-tiger": "Big Tiger 25 won 50:1 +1,250 ¶ 4.1.1",
            "small-tiger": "Small Tiger 25 lost −25 ¶ 1.20",
            "tiger-pair": "Tiger Pair 25 won 4:1 +100 ¶ 4.1.1",
        },
    ),
}


@pytest.mark.parametrize("game", ROUNDS)
def test_a_full_round(game: str, house: House, seats: Seats) -> None:
    """At a desk and on a phone, in two boxes of one table."""
    cards, stakes, lines = ROUNDS[game]
    table = house.table(game)
    patrons = [seats.terminal(table, name, viewport=viewport) for name, viewport in (("Ann", DESK), ("Bo", PHONE))]
    for box, patron in enumerate(patrons, start=1):
        patron.sit(box)
        expect(patron.see("spot-player")).to_be_disabled()
    house.deal(table, "open-bets")
    for patron in patrons:
        patron.phase("betting")
        for on, cents in stakes.items():
            patron.bet(on, cents)
        expect(patron.see("in-play")).to_have_text(f"{sum(stakes.values()) // 100:,}")
        patron.nothing_cut()
    house.deal(table, "close-bets")
    for patron in patrons:
        expect(patron.see("spot-player")).to_be_disabled()
    house.cards(table, cards)
    for patron in patrons:
        patron.phase("result")
        shown = patron.page.locator("[data-test=card]").evaluate_all("cards => cards.map(card => card.dataset.card)")
        assert sorted(shown) == sorted(cards.split())
    house.deal(table, "settle")
    for patron in patrons:
        assert {on: patron.line(on) for on in lines} == lines
        for on, line in lines.items():  # in sight without scrolling, on the spot of the bet
            expect(patron.see(f"verdict-{on}")).to_contain_text(f"¶ {line.rpartition('¶ ')[2]}")
            expect(patron.see(f"verdict-{on}")).to_be_in_viewport()
        patron.nothing_cut()
        expect(patron.see("balance")).to_have_text(_money(house.balance(patron.token or "")))


def _money(cents: int) -> str:
    whole, rest = divmod(cents, 100)
    return f"{whole:,}.{rest:02d}" if rest else f"{whole:,}"


def test_an_automatic_table_plays_and_the_hands_over_the_felt_work(house: House, seats: Seats) -> None:
    timing = PACE | {"betting_ms": 10_000}  # time for every button, also on a slow machine
    table = house.table("non-commission", live=False, timing=timing)
    ann = seats.terminal(table)
    ann.sit(2)
    ann.phase("betting")
    ann.stage("banker", 10_000, times=2)
    ann.see("undo").click()
    ann.wanted("banker", 10_000)
    ann.see("double").click()
    ann.wanted("banker", 20_000)
    ann.confirm()
    ann.placed("banker", 20_000)
    ann.see("clear").click()
    ann.confirm()
    ann.placed("banker", 0)
    ann.bet("player", 10_000)
    ann.bet("tie", 2_500)
    ann.phase("result", "between-rounds")
    assert ann.line("player").startswith("Player 100 ")
    ann.phase("betting")
    ann.see("rebet").click()
    ann.confirm()
    ann.placed("player", 10_000)
    ann.placed("tie", 2_500)
    commitment = house.ask("GET", f"/api/tables/{table}")["shoe"]["commitment"]
    ann.see("open-commitment").click()
    expect(ann.see("commitment")).to_have_text(commitment)


def test_staged_chips_count_against_the_credits(house: House, seats: Seats) -> None:
    table = house.table("commission")
    ann = seats.terminal(table, cents=16_000)
    ann.begin()
    ann.stage("player", 10_000)
    expect(ann.see("balance")).to_have_text("60")
    expect(ann.see("chip-10000")).to_have_class("beyond")
    expect(ann.see("chip-2500")).not_to_have_class("beyond")
    ann.stage("player", 10_000)
    expect(ann.see("confirm")).to_be_disabled()
    expect(ann.see("refused")).to_have_text("40 more credits are needed for these bets.")
    ann.see("undo").click()
    ann.confirm()
    ann.placed("player", 10_000)


def test_credits_ticket_statement_pays_and_past_rounds(house: House, seats: Seats) -> None:
    table = house.table("da-hu-ying-xiong")
    ann = seats.terminal(table, cents=0)
    ann.see("cashier").click()
    ann.see("buy-100000").click()
    expect(ann.page.locator("dialog .balance b")).to_have_text("1,000")
    ann.page.keyboard.press("Escape")
    ann.begin(banker=10_000)
    house.play(table, "Kh 3d Qs 4c 2h")
    assert ann.line("banker") == "Banker 100 won 1:1 +100 ¶ 4.1.1"

    ann.see("open-pays").click()
    expect(ann.page.locator("dialog")).to_contain_text("Both hands paired in one rank (twin)")
    expect(ann.page.locator("dialog")).to_contain_text("Insurance pays when the insured hand loses")
    ann.page.keyboard.press("Escape")

    ann.see("open-rounds").click()
    expect(ann.see("replay")).to_contain_text("Replay")
    expect(ann.see("replay").locator("[data-test=card]")).to_have_count(5)
    expect(ann.see("replay").locator("[data-test=line-banker]")).to_contain_text("+100")
    ann.page.keyboard.press("Escape")

    ann.see("open-statement").click()
    expect(ann.see("statement").locator("tbody tr")).to_have_count(2)
    expect(ann.see("statement").locator("tbody tr").first).to_contain_text("+100")
    expect(ann.see("statement").locator("tbody tr").first).to_contain_text("1,100")
    expect(ann.see("graph")).to_be_visible()
    ann.see("entry-1").click()
    expect(ann.see("round-details")).to_contain_text("Banker 7–2")
    expect(ann.see("round-details")).to_contain_text("K♥ 3♦ Q♠ 4♣ 2♥")
    with ann.page.expect_download() as saved:
        ann.see("save-for-people").click()
    text = saved.value.path().read_text("utf-8-sig")
    assert '"Round","What","¶","Amount","After"' in text
    assert '"200.00"' in text and '"1100.00"' in text
    ann.page.keyboard.press("Escape")

    ann.see("cashier").click()
    ann.see("cash-out").click()
    ann.see("cash-out-confirm").click()
    expect(ann.see("ticket")).to_contain_text("1,100")
    ann.page.keyboard.press("Escape")
    expect(ann.see("balance")).to_have_text("0")
