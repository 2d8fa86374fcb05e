"""The most that the House can lose in a round, against every finished round that the cards allow."""

from __future__ import annotations

from random import Random

import pytest

from punto.rules.cards import DECK, Card, parse_cards
from punto.rules.exposure import most_to_lose
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.settlement import Bet, Settlement, settle
from punto.rules.sheet import Sheet
from punto.rules.tableau import next_hand
from punto.table import acts
from punto.table.exposure import most_house_can_lose
from punto.table.values import Claim, Decision, Option, Spot
from tests.table_kit import DEALER, MANAGER, SHIFT, Play, patron


def worst(sheet: Sheet, cards: tuple[Card, ...], bets: list[Bet]) -> int:
    """The worst result by settling every round that can follow, one card of each rank at a time."""
    if next_hand(cards) is None:
        settled = settle(sheet, cards, bets)
        assert isinstance(settled, Settlement)
        return -settled.house_cents
    return max(worst(sheet, (*cards, card), bets) for card in DECK if card.suit == "h")


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_worst_of_all_rounds_that_can_follow(game: str) -> None:
    sheet, chance = load(game), Random(1)
    for _ in range(12):
        cards = tuple(chance.sample([card for card in DECK if card.suit != "h"], chance.choice([3, 4, 4, 4])))
        if len(cards) == 4 and next_hand(cards) is None:
            continue
        some = chance.sample(list(sheet.bets), chance.randint(1, len(sheet.bets)))
        bets = [Bet(1, "ann", on, Cents(chance.randint(1, 99) * 100)) for on in some]
        expected = max(0, worst(sheet, cards, bets))
        assert most_to_lose(sheet, cards, bets, [bet.stake_cents for bet in bets]) == expected


def test_insurance_counts_with_the_bet_it_insures() -> None:
    sheet = load("da-hu-ying-xiong")
    cards = parse_cards("2h 3h Ks 4s")  # Player 2, Banker 7
    assert sheet.insurance is not None
    [(hand, offer)] = sheet.insurance.offers(cards).items()
    insuring = next(bet.id for bet in sheet.insurance_bets.values() if bet.hand is hand)
    original = next(bet.id for bet in sheet.bets.values() if bet.hand is hand)
    bets = [Bet(1, "ann", original, Cents(10_000)), Bet(1, "ann", insuring, Cents(1_000), Window.FOUR_CARDS)]
    lost = offer.odds.pays(1_000) - 10_000
    won = max(0, lost, worst(sheet, cards, bets))
    assert most_to_lose(sheet, cards, bets, [10_000, 1_000]) == won


def test_a_closed_card_may_be_any_card() -> None:
    sheet = load("commission")
    bets = [Bet(1, "ann", "player", Cents(10_000)), Bet(1, "ann", "tie", Cents(1_000))]
    first, second, third, _ = parse_cards("9h 9d Ks Kd")
    stakes = [bet.stake_cents for bet in bets]
    assert most_to_lose(sheet, (first, second, third, None), bets, stakes) == 9_000  # Player wins, or both have 9
    assert most_to_lose(sheet, parse_cards("9h 9d Ks Kd"), bets, stakes) == 8_000
    assert most_to_lose(sheet, (), [], []) == 0


def test_what_is_known_behind_a_closed_card_counts() -> None:
    """Player's first card is closed, Banker has 9: Player cannot win, and a tie is the worst."""
    sheet = load("commission")
    bets = [Bet(1, "ann", "player", Cents(10_000)), Bet(1, "ann", "tie", Cents(100))]
    _, second, third, fourth = parse_cards("2h 9d Ks Kd")
    assert most_to_lose(sheet, (None, second, third, fourth), bets, [10_000, 100]) == 800


def test_cards_that_the_round_does_not_need_are_left_out() -> None:
    """A natural, and a card that was drawn all the same."""
    bets = [Bet(1, "ann", "player", Cents(10_000)), Bet(1, "ann", "banker", Cents(2_000))]
    assert most_to_lose(load("commission"), parse_cards("9h 2d Ks Kd 5h"), bets, [10_000, 2_000]) == 8_000


def test_insurance_of_the_first_window_keeps_its_offer_when_more_cards_come() -> None:
    """Player 1 and Banker 6 after four cards: 3:1. Player draws a 6, so that Banker draws too, and may lose."""
    sheet = load("da-hu-ying-xiong")
    insured = Bet(1, "ann", "banker-insurance", Cents(1_000), Window.FOUR_CARDS)
    bets = [Bet(1, "ann", "banker", Cents(1_000)), insured]
    for cards in ("5h Kd 6s 6c", "5h Kd 6s 6c 6h"):
        assert most_to_lose(sheet, parse_cards(cards), bets, [1_000, 1_000]) == 2_000  # 3,000 less the bet that lost


def test_da_hu_ying_xiong_5_13_a_bet_whose_insurance_was_neglected_may_come_back() -> None:
    """Banker 6 against Player 1. Where Banker loses, ann's bet is returned, and nothing pays for what bo wins."""
    sheet = load("da-hu-ying-xiong")
    cards = parse_cards("5h Kd 6s 6c")
    ann, bo = Bet(1, "ann", "banker", Cents(10_000)), Bet(2, "bo", "player", Cents(9_000))
    stakes = [10_000, 9_000]
    assert most_to_lose(sheet, cards, [ann, bo], stakes) == 1_000
    assert most_to_lose(sheet, cards, [ann, bo], stakes, [(ann, Window.FOUR_CARDS)]) == 9_000
    assert most_to_lose(sheet, cards, [ann], stakes[:1], [(ann, Window.FOUR_CARDS)]) == 10_000, "Banker may win"
    cards = parse_cards("5h Kd 6s 6c 6h")  # Player 7: only Player can be insured now
    assert most_to_lose(sheet, cards, [ann, bo], stakes, [(ann, Window.FOUR_CARDS)]) == 9_000
    assert most_to_lose(sheet, cards, [ann, bo], stakes, [(ann, Window.PLAYER_THIRD)]) == 1_000


def test_a_bet_that_loses_where_its_neglected_insurance_would_be_returned_stays_lost() -> None:
    """Banker 6 against Player 6, by a sheet in which Banker loses on most ties."""
    sheet = load(
        """
        extends = "da-hu-ying-xiong"
        id = "ties-lose"
        title = "Ties lose"

        [[bets]]
        id = "banker"
        returned = { says = "Tie on 0 points", when = { winner = "tie", banker-points = 0 }, rule = "3.17" }
        """
    )
    ann, bo = Bet(1, "ann", "banker", Cents(10_000)), Bet(2, "bo", "tie", Cents(1_000))
    neglected = [(ann, Window.FOUR_CARDS)]
    assert most_to_lose(sheet, parse_cards("5h Kd 6s 6c 5d"), [ann, bo], [10_000, 1_000], neglected) == 0


# ------------------------------------------------------------------------------------------- at a table


def over_the_differential(game: str) -> Play:
    """Ann has 2,000.00 on Banker, where 1,000.00 is the Differential."""
    play = Play(game, live=True).sit("ann").open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "banker", Cents(200_000)))
    return play.close()


def decided(play: Play, situation: str, decision: Decision, *bets: Spot) -> int:
    """What the House can lose once a case is decided."""
    play.report(situation)
    play.confirmed(acts.Decide(SHIFT, decision, "seen", bets=bets))
    return most_house_can_lose(play.state)


def test_without_a_round_the_house_can_lose_nothing() -> None:
    play = Play("commission").sit("ann")
    assert most_house_can_lose(play.state) == 0
    assert most_house_can_lose(play.open().state) == 0
    play.bet("ann", "player", 10_000)
    assert most_house_can_lose(play.state) == 10_000


def test_commission_5_1_what_is_over_the_differential_is_not_paid() -> None:
    assert most_house_can_lose(over_the_differential("commission").state) == 95_000


def test_commission_5_1_a_bet_that_went_back_still_counts_against_those_of_its_box() -> None:
    """Ann has 1,500.00 on Player and bo had 900.00 on Banker: without his chips 500.00 of hers would be no stake."""
    play = Play("commission").sit("ann")
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.open(("ann", "player", 60_000), ("bo", "banker", 90_000))
    play.do(acts.RaiseBet(patron("ann"), "ann", 1, "player", Cents(90_000)))
    play.close().deal("9h").report("other-dealing-error")
    play.do(acts.Choose(patron("bo"), "bo", Option.TAKE_BACK))
    assert most_house_can_lose(play.state) == 150_000


def test_where_no_rule_scales_bets_they_count_whole() -> None:
    assert most_house_can_lose(over_the_differential("easy-six").state) == 200_000


def test_da_hu_ying_xiong_5_13_what_goes_back_for_neglected_insurance_is_not_won() -> None:
    """Player wins. Ann had meant to insure Banker, so she keeps her 100.00; then they are returned by decision."""
    play = (
        Play("da-hu-ying-xiong", live=True).sit("ann", "bo").open(("ann", "banker", 10_000), ("bo", "player", 20_000))
    )
    play.close().deal("Kh Kd 4s 5c 5s Kc")
    assert most_house_can_lose(play.state) == 10_000
    play.confirmed(
        play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=(Claim("ann", 1, Hand.BANKER),))
    )
    assert most_house_can_lose(play.state) == 20_000
    assert decided(play, "anything-else", Decision.RETURN_BETS, Spot(1, "ann", "banker")) == 20_000
