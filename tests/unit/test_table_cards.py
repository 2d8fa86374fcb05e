"""Cards at a table: what each event says of a card, which cards may come, and who opens a closed one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from punto.rules.cards import Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.money import Cents
from punto.rules.refusals import CardCopies, Refusal
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.engine import choices
from punto.table.phases import Phase
from punto.table.refusals import (
    CardNotClosed,
    CardNotGiven,
    NotPermitted,
    PlaceNotDue,
    ReadingRepeated,
)
from punto.table.state import Settings
from punto.table.values import NO_FACTS, SqueezeOf
from punto.table.ways import Input, InputType, Way
from tests.table_kit import BOTH_DRAW, DEALER, NATURAL, SUPERVISOR, Play, patron

ANN = patron("ann")
P, B = Hand.PLAYER, Hand.BANKER
CLOSED: dict[str, Any] = {"face_down": True, "live": True}
BANKER_ON_TWO = "2h 2d 3s Kc"
"""Player 5, Banker 2: both draw whatever Player's third card is."""


def card(text: str) -> Card:
    return parse_cards(text)[0]


def table(game: str = "commission", shoe: str = "", on: str = "player", **settings: Any) -> Play:
    """Ann has 100.00 on a hand, and bets are closed."""
    return Play(game, shoe=shoe, **settings).sit("ann").open(("ann", on, 10_000)).close()


def granted(play: Play, what: SqueezeOf = SqueezeOf.CARD) -> None:
    play.do(acts.AskSqueeze(ANN, "ann", what))
    play.do(acts.AnswerSqueeze(DEALER, True))


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
    (named,) = play.do(acts.Deal(DEALER, card("9h")))
    (read,) = play.do(acts.Deal(DEALER, card("2c"), 1))
    (unnamed,) = play.do(acts.Deal(DEALER))
    assert named == acts.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10", True)
    assert read == acts.CardDealt(DEALER, 1, 1, 2, card("2c"), B, "3.10", True, reading=1, closed=True)
    assert unnamed == acts.CardDealt(DEALER, 1, 1, 3, None, P, "3.10", True, closed=True)


def test_a_card_of_known_order_is_closed_whoever_names_it() -> None:
    play = table(shoe=NATURAL, **CLOSED)
    (dealt,) = play.do(acts.Deal(DEALER, card("9h")))
    assert dealt == acts.CardDealt(DEALER, 1, 1, 1, None, P, "3.10", True, closed=True)


def test_an_automatic_table_deals_no_open_card() -> None:
    play = table(face_down=True)
    (dealt,) = play.do(acts.Deal(DEALER, card("9h")))
    assert dealt == acts.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10", True, closed=True)


def test_a_squeezed_card_is_closed_though_the_dealer_names_it() -> None:
    play = table(**CLOSED)
    granted(play)
    (dealt,) = play.do(acts.Deal(DEALER, card("9h")))
    assert dealt == acts.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10", True, closed=True)


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


def test_the_dealers_cut_card_counts_for_the_round_that_has_no_card_yet() -> None:
    for cards, last in (("", 1), ("9h", 2)):
        play = table().deal(cards)
        assert play.do(acts.CutCard(DEALER)) == (acts.CutCardDrawn(DEALER, 1, last),)
    between = Play("commission").open().close().deal(NATURAL)
    between.settle()
    assert between.do(acts.CutCard(DEALER)) == (acts.CutCardDrawn(DEALER, 1, 2),)


# ------------------------------------------------------------------------------------------- which cards may come


def test_a_card_for_another_place_is_refused() -> None:
    play = table().deal("9h")
    assert play.decide(acts.Deal(DEALER, card("2c"), place=1)) == PlaceNotDue(1, 2)
    assert play.decide(acts.Deal(DEALER, card("2c"), place=3)) == PlaceNotDue(3, 2)
    assert play.decide(acts.Deal(DEALER, card("2c"), place=0)) == PlaceNotDue(0, 2)
    play.do(acts.Deal(DEALER, card("2c"), place=2))


def test_commission_2_2_1_no_card_comes_more_often_than_the_decks_hold_it() -> None:
    """Closed cards count where the table knows them."""
    play = table(decks=4, **CLOSED)
    for reading in (1, 2, 3, 4):
        ways = told(play, DEALER, acts.Deal)
        assert not isinstance(ways, Refusal)
        assert ways[0].inputs[0].excluded == ()
        play.do(acts.Deal(DEALER, card("Kh"), reading))
    assert play.state.phase is Phase.PLAYER_THIRD
    ways = told(play, DEALER, acts.Deal)
    assert not isinstance(ways, Refusal)
    assert ways[0].inputs[0].excluded == parse_cards("Kh")
    assert play.decide(acts.Deal(DEALER, card("Kh"), 5)) == CardCopies("Kh", 5, 4, rule="2.2.1")
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    play.do(acts.Deal(DEALER, card("Kh"), 1))
    play.do(acts.Deal(DEALER))
    play.do(acts.Deal(DEALER, card("Kh"), 2))
    assert play.decide(acts.Deal(DEALER, card("Kh"), 3)) == CardCopies("Kh", 5, 4, rule="2.2.1")


def test_commission_2_2_1_a_card_counts_once_wherever_it_lies() -> None:
    """Open behind a closed card, or carried from the round before."""
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    deal(play, 1)
    play.deal("Kh Kh")
    assert play.decide(acts.Deal(DEALER, card("Kh"))) == CardCopies("Kh", 5, 4, rule="2.2.1")
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
    play.do(acts.Deal(DEALER, card("9h"), 3))
    for reading in (3, 2):
        assert play.decide(acts.Deal(DEALER, card("9h"), reading)) == ReadingRepeated(reading)
    assert play.decide(acts.Deal(ANN, card("9h"), 3)) == NotPermitted(Role.DEALER)
    play.deal("2c Kd 3c").settle()
    assert play.decide(acts.Deal(DEALER, card("9h"), 3)) == ReadingRepeated(3)
    assert play.refused(acts.Deal(DEALER, card("9h"), 4))[0] == "wrong-phase"
    assert play.refused(acts.Deal(DEALER, card("9h")))[0] == "wrong-phase"
    play.do(acts.CloseTable(SUPERVISOR))
    assert play.refused(acts.Deal(DEALER, card("9h"), 3))[0] == "table-not-open"
    assert Play("commission", shoe=None).refused(acts.Deal(DEALER, card("9h"), 3))[0] == "wrong-phase"


def test_a_shoe_of_known_order_has_no_readings_to_miss() -> None:
    play = table(shoe=NATURAL)
    play.do(acts.Deal(DEALER, reading=3))
    play.do(acts.Deal(DEALER, reading=3))
    play.do(acts.Deal(DEALER, reading=9))
    assert play.cards == parse_cards(NATURAL)[:3]


@pytest.mark.parametrize(("closed", "shown"), [(False, "Kd"), (True, None)])
def test_a_lost_reading_holds_the_round_and_tells_no_closed_card(closed: bool, shown: str | None) -> None:
    play = table(face_down=closed, live=True)
    play.do(acts.Deal(DEALER, card("9h"), 1))
    reported, asked = play.do(acts.Deal(DEALER, card("Kd"), 4))
    assert reported == acts.IncidentReported(DEALER, 1, 1, "misread-card", NO_FACTS)
    assert asked == acts.CorrectionAsked(DEALER, 1, Role.PIT_SUPERVISOR, 2, 4, card(shown) if shown else None)


# ------------------------------------------------------------------------------------------- opening


def test_the_dealer_opens_each_closed_card_and_names_the_unknown_ones() -> None:
    play = table(**CLOSED)
    play.do(acts.Deal(DEALER))
    play.do(acts.Deal(DEALER, card("2c"), 1))
    unknown = Input("card", InputType.CARD, missing=CardNotGiven, refused=CardCopies)
    assert told(play, DEALER, acts.OpenCard) == (Way(place=1, inputs=(unknown,)), Way(place=2))
    assert told(play, ANN, acts.OpenCard) == NotPermitted(Role.DEALER, rule="3.9")
    assert play.refused(acts.OpenCard(ANN, 1, card("9h"))) == ("not-permitted", "3.9")
    deal(play, 2)
    assert play.decide(acts.OpenCard(DEALER, 1)) == CardNotGiven()
    assert play.decide(acts.OpenCard(DEALER, 5)) == CardNotClosed(5)
    assert play.decide(acts.OpenCard(DEALER, 0)) == CardNotClosed(0)
    assert play.do(acts.OpenCard(DEALER, 1, card("9h"))) == (acts.CardOpened(DEALER, 1, 1, card("9h"), P, "3.10"),)
    assert play.decide(acts.OpenCard(DEALER, 1, card("9h"))) == CardNotClosed(1)
    assert play.do(acts.OpenCard(DEALER, 4, card("3c"))) == (acts.CardOpened(DEALER, 1, 4, card("3c"), B, "3.10"),)
    play.do(acts.OpenCard(DEALER, 3, card("Kd")))
    assert play.cards == parse_cards(NATURAL)


def test_a_sheet_with_a_waiver_and_no_squeeze_opens_the_third_card_by_its_waiver() -> None:
    built_in = (Path(__file__).parents[2] / "src" / "punto" / "sheets" / "da-hu-ying-xiong.toml").read_text()
    squeeze = 'squeeze = { by = "seated-highest-bet", rule = "3.9", face-down = true }\n'
    assert squeeze in built_in
    play = Play(built_in.replace(squeeze, ""), opened=False)
    opening = acts.OpenTable(
        SUPERVISOR, play.sheet.id, Settings("t1", 8, Cents(100), Cents(10_000), layout="bean-9", **CLOSED)
    )
    play.do(opening)
    play.do(acts.LoadShoe(DEALER))
    play.sit("ann").open(("ann", "banker", 10_000)).close().deal(BANKER_ON_TWO)
    granted(play, SqueezeOf.BANKER_THIRD_FIRST)
    deal(play, 2)
    (opened,) = play.do(acts.OpenCard(DEALER, 6, card("5d")))
    assert opened == acts.CardOpened(DEALER, 1, 6, card("5d"), B, "3.14", "ann")
