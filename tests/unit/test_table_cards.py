"""Cards at a table: what each event says of a card, which cards may come, and who opens a closed one."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.refusals import CardCopies, Refusal
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.engine import choices
from punto.table.phases import Phase
from punto.table.refusals import NotPermitted, PlaceNotDue, ReadingRepeated
from punto.table.values import NO_FACTS
from punto.table.ways import Way
from tests.table_kit import BOTH_DRAW, DEALER, NATURAL, SUPERVISOR, Play, patron

ANN = patron("ann")
P, B = Hand.PLAYER, Hand.BANKER
CLOSED: dict[str, Any] = {"face_down": True, "live": True}
"""Player 5, Banker 2: both draw whatever Player's third card is."""


def table(game: str = "commission", shoe: str = "", on: str = "player", **settings: Any) -> Play:
    """Ann has 100.00 on a hand, and bets are closed."""
    return Play(game, shoe=shoe, **settings).sit("ann").open(("ann", on, 10_000)).close()


def told(play: Play, actor: Actor, kind: type[acts.Command]) -> tuple[Way, ...] | Refusal:
    """The ways of a command that someone is told, or why there are none."""
    return next(each.refusal or each.ways for each in choices(play.state, actor) if each.kind == kind.kind)


def deal(play: Play, number: int) -> list[acts.Event]:
    """Deal the next cards of a shoe whose order is known, or closed ones."""
    return [event for _ in range(number) for event in play.do(acts.Deal(DEALER))]


# ------------------------------------------------------------------------------------------- dealing


def test_the_order_of_a_shoe_keeps_the_value_of_a_closed_card_out_of_the_log() -> None:
    """With the fourth card the four are opened, each with its own event, and then each third card."""
    play = table(shoe=BOTH_DRAW, face_down=True)
    drawn = parse_cards(BOTH_DRAW)
    draws = play.sheet.play.table_of_play_rule

    def dealt(place: int, hand: Hand, rule: str) -> acts.Event:
        return acts.CardDealt(DEALER, 1, 1, place, None, hand, rule, True, closed=True)

    def opened(place: int, hand: Hand, rule: str) -> acts.Event:
        return acts.CardOpened(DEALER, 1, place, drawn[place - 1], hand, rule)

    initial = [(1, P, "3.10"), (2, B, "3.10"), (3, P, "3.10"), (4, B, "3.10")]
    assert deal(play, 4) == [*[dealt(*each) for each in initial], *[opened(*each) for each in initial]]
    assert deal(play, 1) == [dealt(5, P, draws), opened(5, P, draws)]
    assert deal(play, 1)[:2] == [dealt(6, B, draws), opened(6, B, draws)]
    assert play.state.phase is Phase.RESULT


def test_a_card_that_the_dealer_names_lies_open_and_one_that_the_shoe_reads_does_not() -> None:
    play = table(**CLOSED)
    (named,) = play.do(acts.Deal(DEALER, Card("9h")))
    (read,) = play.do(acts.Deal(DEALER, Card("2c"), 1))
    (unnamed,) = play.do(acts.Deal(DEALER))
    assert named == acts.CardDealt(DEALER, 1, 1, 1, Card("9h"), P, "3.10", True)
    assert read == acts.CardDealt(DEALER, 1, 1, 2, Card("2c"), B, "3.10", True, reading=1, closed=True)
    assert unnamed == acts.CardDealt(DEALER, 1, 1, 3, None, P, "3.10", True, closed=True)


@pytest.mark.parametrize(("cut", "place", "last"), [(0, 1, 1), (2, 3, 2), (4, 5, 2)])
def test_the_cut_card_is_told_once_before_the_card_behind_it(cut: int, place: int, last: int) -> None:
    """Within a round it makes the next the last; before a round's first card, that one."""
    play = Play("commission", shoe=None)
    play.do(acts.LoadShoe(DEALER, parse_cards(f"{NATURAL} {NATURAL} {NATURAL}"), cut))
    for _ in range(last):
        play.open().close()
        deal(play, 4)
        play.settle()
    told = [each for each in play.log if isinstance(each, acts.CardDealt | acts.CutCardDrawn)]
    assert [each for each in told if isinstance(each, acts.CutCardDrawn)] == [acts.CutCardDrawn(DEALER, 1, last)]
    assert told.index(acts.CutCardDrawn(DEALER, 1, last)) == place - 1


def test_the_cut_card_comes_with_a_card_of_the_shoe_and_not_with_a_carried_one() -> None:
    play = Play("commission", shoe=None)
    play.do(acts.LoadShoe(DEALER, parse_cards(f"{NATURAL} 7c {NATURAL}"), 5))
    play.open().close()
    deal(play, 4)
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    play.settle()
    play.open().close()
    assert [type(each) for each in deal(play, 2)] == [acts.CardDealt, acts.CutCardDrawn, acts.CardDealt]
    assert play.of(acts.CutCardDrawn)[0].last_round == 3


# ------------------------------------------------------------------------------------------- which cards may come


def test_a_card_for_another_place_is_refused() -> None:
    play = table().deal("9h")
    assert play.decide(acts.Deal(DEALER, Card("2c"), place=1)) == PlaceNotDue(1, 2)
    assert play.decide(acts.Deal(DEALER, Card("2c"), place=3)) == PlaceNotDue(3, 2)
    assert play.decide(acts.Deal(DEALER, Card("2c"), place=0)) == PlaceNotDue(0, 2)
    play.do(acts.Deal(DEALER, Card("2c"), place=2))


def test_commission_2_2_1_no_card_comes_more_often_than_the_decks_hold_it() -> None:
    """Closed cards count where the table knows them."""
    play = table(decks=4, **CLOSED)
    for reading in (1, 2, 3, 4):
        ways = told(play, DEALER, acts.Deal)
        assert not isinstance(ways, Refusal)
        assert ways[0].inputs[0].excluded == ()
        play.do(acts.Deal(DEALER, Card("Kh"), reading))
    assert play.state.phase is Phase.PLAYER_THIRD
    ways = told(play, DEALER, acts.Deal)
    assert not isinstance(ways, Refusal)
    assert ways[0].inputs[0].excluded == parse_cards("Kh")
    assert play.decide(acts.Deal(DEALER, Card("Kh"), 5)) == CardCopies("Kh", 5, 4, rule="2.2.1")
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    play.do(acts.Deal(DEALER, Card("Kh"), 1))
    play.do(acts.Deal(DEALER))
    play.do(acts.Deal(DEALER, Card("Kh"), 2))
    assert play.decide(acts.Deal(DEALER, Card("Kh"), 3)) == CardCopies("Kh", 5, 4, rule="2.2.1")


def test_commission_2_2_1_a_card_counts_once_wherever_it_lies() -> None:
    """Open behind a closed card, or carried from the round before."""
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    deal(play, 1)
    play.deal("Kh Kh")
    assert play.decide(acts.Deal(DEALER, Card("Kh"))) == CardCopies("Kh", 5, 4, rule="2.2.1")
    play = table(decks=4).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close().deal("9h Kh Qd 2c")
    play.report("excess-card", cards="9h Kh Qd 2c Kh", reconstructible=True)
    play.settle()
    play.open().close()
    deal(play, 1)
    assert play.cards == parse_cards("Kh")


# ------------------------------------------------------------------------------------------- readings


def test_a_reading_is_refused_when_it_repeats_whatever_the_phase() -> None:
    play = table()
    play.do(acts.Deal(DEALER, Card("9h"), 3))
    for reading in (3, 2):
        assert play.decide(acts.Deal(DEALER, Card("9h"), reading)) == ReadingRepeated(reading)
    assert play.decide(acts.Deal(ANN, Card("9h"), 3)) == NotPermitted(Role.DEALER)
    play.deal("2c Kd 3c").settle()
    assert play.decide(acts.Deal(DEALER, Card("9h"), 3)) == ReadingRepeated(3)
    assert play.refused(acts.Deal(DEALER, Card("9h"), 4))[0] == "wrong-phase"
    assert play.refused(acts.Deal(DEALER, Card("9h")))[0] == "wrong-phase"
    play.do(acts.CloseTable(SUPERVISOR))
    assert play.refused(acts.Deal(DEALER, Card("9h"), 3))[0] == "table-not-open"
    assert Play("commission", shoe=None).refused(acts.Deal(DEALER, Card("9h"), 3))[0] == "wrong-phase"


@pytest.mark.parametrize(("closed", "shown"), [(False, "Kd"), (True, None)])
def test_a_lost_reading_holds_the_round_and_tells_no_closed_card(closed: bool, shown: str | None) -> None:
    play = table(face_down=closed, live=True)
    play.do(acts.Deal(DEALER, Card("9h"), 1))
    reported, asked = play.do(acts.Deal(DEALER, Card("Kd"), 4))
    assert reported == acts.IncidentReported(DEALER, 1, 1, "misread-card", NO_FACTS)
    assert asked == acts.CorrectionAsked(DEALER, 1, Role.PIT_SUPERVISOR, 2, 4, Card(shown) if shown else None)


# ------------------------------------------------------------------------------------------- cards in excess


def test_the_reading_of_an_excess_card_is_not_missed_later() -> None:
    play = table()
    for reading, card in enumerate(parse_cards(NATURAL), 1):
        play.do(acts.Deal(DEALER, card, reading))
    assert play.refused(acts.Deal(DEALER, Card("7c"), 5))[0] == "wrong-phase"
    play.report("excess-card", cards=NATURAL + " 7c", reconstructible=True)
    assert len(play.of(acts.ResultDeclared)) == 1
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    play.do(acts.Deal(DEALER))
    play.do(acts.Deal(DEALER, Card("8c"), 6))
    assert play.cards == parse_cards("7c 8c")
    play.replays()


def test_a_correction_keeps_the_cards_that_were_carried() -> None:
    play = table().deal(NATURAL)
    play.report("excess-card", cards=NATURAL + " 7c 8c", reconstructible=True)
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    play.do(acts.Deal(DEALER))
    lost = acts.CorrectCards(SUPERVISOR, parse_cards("6c"), "misread")
    assert play.refused(lost)[0] == "facts-contradict"
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("6c 8c"), "misread"))
    assert play.shoe.drawn == 6
    play.replays()
