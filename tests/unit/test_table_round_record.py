"""The record of an earlier round, and what it holds after all that came later."""

from __future__ import annotations

from collections import Counter
from typing import Any

from punto.rules.cards import Card, parse_cards
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.table import acts
from punto.table.corrections.past_rounds import record_of
from punto.table.state import EndedRound
from punto.table.values import Decision, RecordedBet, Spot
from tests.table_kit import BOTH_DRAW, DEALER, NATURAL, SHIFT, SUPERVISOR, Play

ANN = Bet(1, "ann", "player", Cents(10_000), None, True)
BO = Bet(2, "bo", "banker", Cents(20_000), None, True)
BETS = (("ann", "player", 10_000), ("bo", "banker", 20_000))


def played(*rounds: str, game: str = "commission", **settings: Any) -> Play:
    """Rounds with these cards, in each 100.00 of ann on Player and 200.00 of bo on Banker."""
    play = Play(game, **settings).sit("ann", "bo")
    for cards in rounds:
        play.open(*BETS).close().deal(cards)
        play.settle()
    return play


def record(play: Play, number: int = 1) -> EndedRound:
    found = record_of(play.sheet, play.log, number)
    assert found is not None
    return found


# ------------------------------------------------------------------------------------------- what it holds


def test_a_record_holds_the_round_and_the_other_cards_of_its_shoe() -> None:
    play = played(NATURAL, BOTH_DRAW)
    assert record(play) == EndedRound(
        number=1,
        shoe=1,
        cards=parse_cards(NATURAL),
        bets=(RecordedBet(ANN, Cents(20_000)), RecordedBet(BO, Cents(0))),
        settings=play.settings,
        other_cards=parse_cards(BOTH_DRAW),
        cards_left=8 * 52 - 10,
        cards_at_settlement=parse_cards(NATURAL),
    )


def test_a_record_tells_that_the_order_of_its_shoe_was_known() -> None:
    """Also who sees the commitment alone knows that the cards were not keyed."""
    play = Play("commission", shoe=None).sit("ann")
    play.do(acts.LoadShoe(DEALER, parse_cards(NATURAL), commitment="hash", salt="salt"))
    play.open(("ann", "player", 10_000)).close()
    for _ in range(4):
        play.do(acts.Deal(DEALER))
    play.settle()
    assert record(play).order_known
    shown = record_of(play.sheet, [event.public() for event in play.log], 1)
    assert shown is not None
    assert shown.order_known
    assert not record(played(NATURAL)).order_known


# ------------------------------------------------------------------------------------------- what came later


def correct(play: Play, number: int, cards: str) -> None:
    play.do(acts.CorrectRound(SUPERVISOR, number, parse_cards(cards), "misread"))


def test_a_correction_leaves_what_was_decided_and_what_was_first_settled() -> None:
    play = played(NATURAL)
    play.report("anything-else", SHIFT, round=1)
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "seen", bets=(Spot(2, "bo", "banker"),)))
    correct(play, 1, BOTH_DRAW)
    found = record(play)
    assert [(each.returned_cents, each.decided) for each in found.bets] == [(0, False), (20_000, True)]
    assert (found.cards, found.cards_at_settlement) == (parse_cards(BOTH_DRAW), parse_cards(NATURAL))


def others(play: Play, number: int = 1) -> tuple[Counter[Card], int]:
    found = record(play, number)
    return Counter(found.other_cards), found.cards_left


def test_the_other_cards_of_a_shoe_follow_its_corrections_also_when_it_is_gone() -> None:
    play = played(NATURAL, BOTH_DRAW)
    play.do(acts.ReplaceShoe(SUPERVISOR, "worn"))
    play.do(acts.LoadShoe(DEALER))
    play.open(*BETS).close().deal("9d 2s Kc 3s").settle()
    assert others(play) == (Counter(parse_cards(BOTH_DRAW)), 406), "another shoe is in play"
    correct(play, 2, "9c 2d Ks 3d")
    assert others(play) == (Counter(parse_cards("9c 2d Ks 3d")), 408)
    correct(play, 3, "8d 2s Kc 3s")
    assert others(play) == (Counter(parse_cards("9c 2d Ks 3d")), 408)
    assert others(play, 3) == (Counter(), 412)
