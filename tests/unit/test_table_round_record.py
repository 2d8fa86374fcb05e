"""The record of an earlier round: which command needs one, and what it holds after all that came later."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from punto.rules.cards import Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.table import acts
from punto.table.corrections.past_rounds import record_of, supply
from punto.table.engine import round_needed
from punto.table.state import EndedRound
from punto.table.values import Claim, Decision, RecordedBet, Spot
from tests.table_kit import BOTH_DRAW, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

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


def backs(found: EndedRound) -> list[tuple[str, int, bool]]:
    """What each bet returned, and whether that was decided."""
    return [(each.bet.patron, each.returned_cents, each.decided) for each in found.bets]


# ------------------------------------------------------------------------------------------- which round


def test_which_commands_need_a_record() -> None:
    play, decision = played(NATURAL), acts.Decide(SHIFT, Decision.VOID, "seen")
    correction = acts.CorrectRound(SUPERVISOR, 1, parse_cards(BOTH_DRAW), "misread")
    assert round_needed(play.state, correction) == 1
    assert round_needed(play.state, decision) is None, "there is no case"
    assert round_needed(play.state, acts.OpenBets(DEALER)) is None
    assert supply(play.state, acts.OpenBets(DEALER), lambda: play.log) == acts.OpenBets(DEALER)
    supplied = supply(play.state, correction, lambda: play.log)
    assert isinstance(supplied, acts.CorrectRound)
    assert supplied.record == record(play)
    assert round_needed(play.state, replace(correction, by=patron("ann"))) is None, "it is refused without one"
    play.report("anything-else", round=1)
    assert round_needed(play.state, decision) == 1
    assert round_needed(play.state, correction) is None, "a held table refuses it"


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


def decide_later(play: Play, decision: Decision, **given: Any) -> None:
    play.report("anything-else", SHIFT, round=1)
    play.do(acts.Decide(SHIFT, decision, "seen", **given))


def test_a_correction_leaves_what_was_decided_and_what_was_first_settled() -> None:
    play = played(NATURAL, NATURAL)
    decide_later(play, Decision.RETURN_BETS, bets=(Spot(2, "bo", "banker"),))
    assert backs(record(play)) == [("ann", 20_000, False), ("bo", 20_000, True)]
    assert record(play).cards == parse_cards(NATURAL)
    correct(play, 1, BOTH_DRAW)
    found = record(play)
    assert backs(found) == [("ann", 0, False), ("bo", 20_000, True)]
    assert (found.cards, found.cards_at_settlement) == (parse_cards(BOTH_DRAW), parse_cards(NATURAL))
    assert backs(record(play, 2)) == [("ann", 20_000, False), ("bo", 0, False)], "round 2 stands"
    decide_later(play, Decision.VOID)
    assert record(play).void
    assert backs(record(play)) == [("ann", 10_000, False), ("bo", 20_000, True)], "it was decided all the same"
    assert not record(play, 2).void


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


def test_da_hu_ying_xiong_5_13_claims_come_to_the_record_when_they_are_made() -> None:
    """Ann forgoes insurance in the round; a claim that it was not offered restores her right."""
    play = Play("da-hu-ying-xiong", live=True).sit("ann", "bo")
    for _ in range(2):
        play.open(("ann", "banker", 10_000), ("bo", "banker", 20_000)).close().deal("Kh Kd 4s 5c 5s Kc").settle()
    before = record(play)
    assert (before.claims, before.forgone) == ((), frozenset({"ann", "bo"}))
    claim = Claim("ann", 1, Hand.BANKER)
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=(claim,), round=1))
    found = record(play)
    assert (found.claims, found.forgone) == (((Window.FOUR_CARDS, claim),), frozenset({"bo"}))
    assert record(play, 2).claims == ()
    play.open(("ann", "banker", 10_000)).close().deal("Kh Kd 4s 5c 5s Kc")
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=(claim,)))
    play.settle()
    assert record(play, 3).claims == ((Window.FOUR_CARDS, claim),)
    assert backs(record(play, 3)) == [("ann", 10_000, False)], "a bet that goes back is one of its bets"
