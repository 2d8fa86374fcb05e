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
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.dealing import ways_to_deal, ways_to_open_card
from punto.table.phases import Phase
from punto.table.refusals import (
    CardKnown,
    CardNotClosed,
    CardNotGiven,
    CardNotNext,
    CardStaysClosed,
    NotPermitted,
    PlaceNotDue,
    ReadingRepeated,
    ShoeEmpty,
    SqueezeNotGranted,
)
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


def granted(play: Play, what: c.SqueezeOf = c.SqueezeOf.CARD) -> None:
    play.do(c.AskSqueeze(ANN, "ann", what))
    play.do(c.AnswerSqueeze(DEALER, True))


def deal(play: Play, number: int) -> list[e.Event]:
    """Deal the next cards of a shoe whose order is known, or closed ones."""
    return [event for _ in range(number) for event in play.do(c.Deal(DEALER))]


# ------------------------------------------------------------------------------------------- dealing


def test_commission_3_10_each_card_names_its_place_its_hand_and_its_paragraph() -> None:
    play = table().deal(BOTH_DRAW)
    told = zip(range(1, 7), parse_cards(BOTH_DRAW), (P, B) * 3, ("3.10",) * 4 + ("3.12",) * 2, strict=True)
    assert play.of(e.CardDealt) == [e.CardDealt(DEALER, 1, 1, *each) for each in told]


def test_the_order_of_a_shoe_keeps_the_value_of_a_closed_card_out_of_the_log() -> None:
    """With the fourth card the four are opened, each with its own event, and then each third card."""
    play = table(shoe=BOTH_DRAW, face_down=True)
    drawn = parse_cards(BOTH_DRAW)
    draws = play.sheet.play.table_of_play_rule

    def dealt(place: int, hand: Hand, rule: str) -> e.Event:
        return e.CardDealt(DEALER, 1, 1, place, None, hand, rule, True, closed=True)

    def opened(place: int, hand: Hand, rule: str) -> e.Event:
        return e.CardOpened(DEALER, 1, place, drawn[place - 1], hand, rule)

    initial = [(1, P, "3.10"), (2, B, "3.10"), (3, P, "3.10"), (4, B, "3.10")]
    assert deal(play, 4) == [*[dealt(*each) for each in initial], *[opened(*each) for each in initial]]
    assert deal(play, 1) == [dealt(5, P, draws), opened(5, P, draws)]
    assert deal(play, 1)[:2] == [dealt(6, B, draws), opened(6, B, draws)]
    assert play.state.phase is Phase.RESULT


def test_a_card_that_the_dealer_names_lies_open_and_one_that_the_shoe_reads_does_not() -> None:
    play = table(**CLOSED)
    (named,) = play.do(c.Deal(DEALER, card("9h")))
    (read,) = play.do(c.Deal(DEALER, card("2c"), 1))
    (unnamed,) = play.do(c.Deal(DEALER))
    assert named == e.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10", True)
    assert read == e.CardDealt(DEALER, 1, 1, 2, card("2c"), B, "3.10", True, reading=1, closed=True)
    assert unnamed == e.CardDealt(DEALER, 1, 1, 3, None, P, "3.10", True, closed=True)


def test_a_card_of_known_order_is_closed_whoever_names_it() -> None:
    play = table(shoe=NATURAL, **CLOSED)
    (dealt,) = play.do(c.Deal(DEALER, card("9h")))
    assert dealt == e.CardDealt(DEALER, 1, 1, 1, None, P, "3.10", True, closed=True)


def test_an_open_card_of_known_order_is_named() -> None:
    (dealt,) = table(shoe=NATURAL).do(c.Deal(DEALER))
    assert dealt == e.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10")


def test_an_automatic_table_deals_no_open_card() -> None:
    play = table(face_down=True)
    (dealt,) = play.do(c.Deal(DEALER, card("9h")))
    assert dealt == e.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10", True, closed=True)


def test_a_squeezed_card_is_closed_though_the_dealer_names_it() -> None:
    play = table(**CLOSED)
    granted(play)
    (dealt,) = play.do(c.Deal(DEALER, card("9h")))
    assert dealt == e.CardDealt(DEALER, 1, 1, 1, card("9h"), P, "3.10", True, closed=True)


def test_commission_5_7_a_carried_card_lies_open_and_names_the_round_it_left_the_shoe_in() -> None:
    play = table(**CLOSED).deal(NATURAL)
    play.confirmed(play.reporting("excess-card", cards=f"{NATURAL} 7c 8c", reconstructible=True))
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    assert play.decide(c.Deal(DEALER, card("8c"))) == CardNotNext(card("8c"))
    named = Input("card", InputType.CARD, required=False, refused="card-not-next")
    assert ways_to_deal(play.state) == (Way(place=1, inputs=(named,)),)
    (first,) = play.do(c.Deal(DEALER, card("7c")))
    (second,) = play.do(c.Deal(DEALER))
    assert first == e.CardDealt(DEALER, 2, 1, 1, card("7c"), P, "3.10", True, True)
    assert second == e.CardDealt(DEALER, 2, 1, 2, card("8c"), B, "3.10", True, True)


@pytest.mark.parametrize("game", ["commission-insurance", "da-hu-ying-xiong"])
def test_who_lets_the_first_window_pass_forgoes_insurance_with_players_third_card(game: str) -> None:
    play = table(game, on="banker").deal("5h Kd 6s 6c")
    assert play.sheet.insurance is not None
    rule = play.sheet.insurance.forgone_rule
    events = play.do(c.Deal(DEALER, card("9h")))
    expected = [e.InsuranceForgone(DEALER, 1, ("ann",), rule)] if rule else []
    assert play.of(e.InsuranceForgone, events) == expected
    assert events.index(play.of(e.CardDealt, events)[0]) == len(expected)


@pytest.mark.parametrize(("cut", "place", "last"), [(0, 1, 1), (2, 3, 2), (4, 5, 2)])
def test_the_cut_card_is_told_once_before_the_card_behind_it(cut: int, place: int, last: int) -> None:
    """Within a round it makes the next the last; before a round's first card, that one."""
    play = Play("commission", shoe=None)
    play.do(c.LoadShoe(DEALER, parse_cards(f"{NATURAL} {NATURAL} {NATURAL}"), cut))
    for _ in range(last):
        play.open().close()
        deal(play, 4)
        play.settle()
    told = [each for each in play.log if isinstance(each, e.CardDealt | e.CutCardDrawn)]
    assert [each for each in told if isinstance(each, e.CutCardDrawn)] == [e.CutCardDrawn(DEALER, 1, last)]
    assert told.index(e.CutCardDrawn(DEALER, 1, last)) == place - 1


def test_the_cut_card_comes_with_a_card_of_the_shoe_and_not_with_a_carried_one() -> None:
    play = Play("commission", shoe=None)
    play.do(c.LoadShoe(DEALER, parse_cards(f"{NATURAL} 7c {NATURAL}"), 5))
    play.open().close()
    deal(play, 4)
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    play.settle()
    play.open().close()
    assert [type(each) for each in deal(play, 2)] == [e.CardDealt, e.CutCardDrawn, e.CardDealt]
    assert play.of(e.CutCardDrawn)[0].last_round == 3


def test_da_hu_ying_xiong_5_3_nothing_is_forgone_with_bankers_third_card() -> None:
    """Player stands, so there is no second window to forgo."""
    play = table("da-hu-ying-xiong").deal("2h 2d 4s 3c")
    assert play.state.phase is Phase.FIRST_WINDOW
    assert isinstance(play.do(c.Deal(DEALER, card("4d")))[0], e.CardDealt)


def test_the_dealers_cut_card_counts_for_the_round_that_has_no_card_yet() -> None:
    for cards, last in (("", 1), ("9h", 2)):
        play = table().deal(cards)
        assert play.do(c.CutCard(DEALER)) == (e.CutCardDrawn(DEALER, 1, last),)
    between = Play("commission").open().close().deal(NATURAL)
    between.settle()
    assert between.do(c.CutCard(DEALER)) == (e.CutCardDrawn(DEALER, 1, 2),)


# ------------------------------------------------------------------------------------------- which cards may come


def test_a_card_for_another_place_is_refused() -> None:
    play = table().deal("9h")
    assert play.decide(c.Deal(DEALER, card("2c"), place=1)) == PlaceNotDue(1, 2)
    assert play.decide(c.Deal(DEALER, card("2c"), place=3)) == PlaceNotDue(3, 2)
    assert play.decide(c.Deal(DEALER, card("2c"), place=0)) == PlaceNotDue(0, 2)
    play.do(c.Deal(DEALER, card("2c"), place=2))


def test_the_next_card_of_a_known_order_may_be_named_but_no_other() -> None:
    play = table(shoe=NATURAL)
    assert play.decide(c.Deal(DEALER, card("2c"))) == CardNotNext(card("2c"))
    assert ways_to_deal(play.state) == (
        Way(place=1, inputs=(Input("card", InputType.CARD, required=False, refused="card-not-next"),)),
    )
    deal(play, 1)
    ways = ways_to_deal(play.state)
    assert not isinstance(ways, Refusal)
    assert ways[0].place == 2


@pytest.mark.parametrize(
    ("settings", "required"),
    [({}, True), ({"live": True}, True), ({"face_down": True}, True), (CLOSED, False)],
)
def test_a_card_needs_no_name_where_a_dealer_deals_it_closed(settings: dict[str, Any], required: bool) -> None:
    play = table(**settings)
    named = Input("card", InputType.CARD, required=required, missing="card-not-given", refused="card-copies")
    read = Input("reading", InputType.NUMBER, required=False, refused="reading-repeated")
    assert ways_to_deal(play.state) == (Way(place=1, inputs=(named, read)),)
    if required:
        assert play.decide(c.Deal(DEALER)) == CardNotGiven()
    else:
        play.do(c.Deal(DEALER))


def test_the_next_reading_is_more_than_the_last() -> None:
    play = table()
    play.do(c.Deal(DEALER, card("9h"), 7))
    ways = ways_to_deal(play.state)
    assert not isinstance(ways, Refusal)
    assert ways[0].inputs[1].minimum == 8


def test_commission_2_2_1_no_card_comes_more_often_than_the_decks_hold_it() -> None:
    """Closed cards count where the table knows them."""
    play = table(decks=4, **CLOSED)
    for reading in (1, 2, 3, 4):
        ways = ways_to_deal(play.state)
        assert not isinstance(ways, Refusal)
        assert ways[0].inputs[0].excluded == ()
        play.do(c.Deal(DEALER, card("Kh"), reading))
    assert play.state.phase is Phase.PLAYER_THIRD
    ways = ways_to_deal(play.state)
    assert not isinstance(ways, Refusal)
    assert ways[0].inputs[0].excluded == parse_cards("Kh")
    assert play.decide(c.Deal(DEALER, card("Kh"), 5)) == CardCopies("Kh", 5, 4, rule="2.2.1")
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    play.do(c.Deal(DEALER, card("Kh"), 1))
    play.do(c.Deal(DEALER))
    play.do(c.Deal(DEALER, card("Kh"), 2))
    assert play.decide(c.Deal(DEALER, card("Kh"), 3)) == CardCopies("Kh", 5, 4, rule="2.2.1")


def test_commission_2_2_1_a_card_counts_once_wherever_it_lies() -> None:
    """Open behind a closed card, or carried from the round before."""
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    deal(play, 1)
    play.deal("Kh Kh")
    assert play.decide(c.Deal(DEALER, card("Kh"))) == CardCopies("Kh", 5, 4, rule="2.2.1")
    play = table(decks=4).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close().deal("9h Kh Qd 2c")
    play.report("excess-card", cards="9h Kh Qd 2c Kh", reconstructible=True)
    play.settle()
    play.open().close()
    deal(play, 1)
    assert play.cards == parse_cards("Kh")


def test_an_empty_shoe_deals_nothing() -> None:
    play = table(shoe="9h 2c Kd")
    deal(play, 3)
    assert ways_to_deal(play.state) == ShoeEmpty()
    assert play.decide(c.Deal(DEALER)) == ShoeEmpty()


# ------------------------------------------------------------------------------------------- readings


def test_a_reading_is_refused_when_it_repeats_whatever_the_phase() -> None:
    play = table()
    play.do(c.Deal(DEALER, card("9h"), 3))
    for reading in (3, 2):
        assert play.decide(c.Deal(DEALER, card("9h"), reading)) == ReadingRepeated(reading)
    assert play.decide(c.Deal(ANN, card("9h"), 3)) == NotPermitted(Role.DEALER)
    play.deal("2c Kd 3c").settle()
    assert play.decide(c.Deal(DEALER, card("9h"), 3)) == ReadingRepeated(3)
    assert play.refused(c.Deal(DEALER, card("9h"), 4))[0] == "wrong-phase"
    assert play.refused(c.Deal(DEALER, card("9h")))[0] == "wrong-phase"
    play.do(c.CloseTable(SUPERVISOR))
    assert play.refused(c.Deal(DEALER, card("9h"), 3))[0] == "table-not-open"
    assert Play("commission", shoe=None).refused(c.Deal(DEALER, card("9h"), 3))[0] == "wrong-phase"


def test_a_shoe_of_known_order_has_no_readings_to_miss() -> None:
    play = table(shoe=NATURAL)
    play.do(c.Deal(DEALER, reading=3))
    play.do(c.Deal(DEALER, reading=3))
    play.do(c.Deal(DEALER, reading=9))
    assert play.cards == parse_cards(NATURAL)[:3]


@pytest.mark.parametrize(("closed", "shown"), [(False, "Kd"), (True, None)])
def test_a_lost_reading_holds_the_round_and_tells_no_closed_card(closed: bool, shown: str | None) -> None:
    play = table(face_down=closed, live=True)
    play.do(c.Deal(DEALER, card("9h"), 1))
    reported, asked = play.do(c.Deal(DEALER, card("Kd"), 4))
    assert reported == e.IncidentReported(DEALER, 1, 1, "misread-card", c.NO_FACTS)
    assert asked == e.CorrectionAsked(DEALER, 1, Role.PIT_SUPERVISOR, 2, 4, card(shown) if shown else None)


def test_no_reading_is_missed_while_a_carried_card_is_dealt() -> None:
    play = table()
    for reading, each in enumerate(parse_cards(NATURAL), 1):
        play.do(c.Deal(DEALER, each, reading))
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    play.settle()
    play.open().close()
    play.do(c.Deal(DEALER, card("7c"), 9))
    assert play.cards == parse_cards("7c")


# ------------------------------------------------------------------------------------------- opening


def test_the_dealer_opens_each_closed_card_and_names_the_unknown_ones() -> None:
    play = table(**CLOSED)
    play.do(c.Deal(DEALER))
    play.do(c.Deal(DEALER, card("2c"), 1))
    unknown = Input("card", InputType.CARD, missing="card-not-given", refused="card-copies")
    assert ways_to_open_card(play.state, DEALER) == (Way(place=1, inputs=(unknown,)), Way(place=2))
    assert ways_to_open_card(play.state, ANN) == NotPermitted(Role.DEALER, rule="3.9")
    assert play.refused(c.OpenCard(ANN, 1, card("9h"))) == ("not-permitted", "3.9")
    deal(play, 2)
    assert play.decide(c.OpenCard(DEALER, 1)) == CardNotGiven()
    assert play.decide(c.OpenCard(DEALER, 5)) == CardNotClosed(5)
    assert play.decide(c.OpenCard(DEALER, 0)) == CardNotClosed(0)
    assert play.do(c.OpenCard(DEALER, 1, card("9h"))) == (e.CardOpened(DEALER, 1, 1, card("9h"), P, "3.10"),)
    assert play.decide(c.OpenCard(DEALER, 1, card("9h"))) == CardNotClosed(1)
    assert play.do(c.OpenCard(DEALER, 4, card("3c"))) == (e.CardOpened(DEALER, 1, 4, card("3c"), B, "3.10"),)
    play.do(c.OpenCard(DEALER, 3, card("Kd")))
    assert play.cards == parse_cards(NATURAL)


def test_nothing_is_opened_where_nothing_is_closed() -> None:
    play = table(**CLOSED).deal("9h 2c")
    assert ways_to_open_card(play.state, DEALER) == CardNotClosed(None)


def test_commission_3_9_who_has_the_squeeze_opens_that_card_alone() -> None:
    play = table(shoe=BOTH_DRAW, face_down=True)
    granted(play)
    deal(play, 1)
    granted(play)
    deal(play, 2)
    assert ways_to_open_card(play.state, ANN) == (Way(place=1), Way(place=2)), "and not the third"
    deal(play, 1)
    assert ways_to_open_card(play.state, ANN) == (Way(place=1), Way(place=2))
    assert play.decide(c.OpenCard(ANN, 3)) == SqueezeNotGranted(3, rule="3.9")
    assert play.decide(c.OpenCard(ANN, 1, card("2h"))) == CardKnown(1)
    assert play.decide(c.OpenCard(DEALER, 1, card("2h"))) == CardKnown(1)
    assert play.decide(c.OpenCard(patron("bo"), 1)) == SqueezeNotGranted(1, rule="3.9")
    assert ways_to_open_card(play.state, patron("bo")) == SqueezeNotGranted(None, rule="3.9")
    assert play.do(c.OpenCard(ANN, 2)) == (e.CardOpened(ANN, 1, 2, card("2d"), B, "3.9", "ann"),)
    (first,) = play.do(c.OpenCard(DEALER, 1))
    assert first == e.CardOpened(DEALER, 1, 1, card("2h"), P, "3.9", "ann")
    assert ways_to_open_card(play.state, ANN) == SqueezeNotGranted(None, rule="3.9")
    assert play.cards == parse_cards(BOTH_DRAW)[:4]


def test_commission_2_2_1_an_opened_card_does_not_come_more_often_than_the_decks_hold_it() -> None:
    play = table(decks=4, **CLOSED).deal("9h Kh 9h Kh")
    play.settle()
    play.open().close()
    play.do(c.Deal(DEALER, card("Kh"), 1))
    play.do(c.Deal(DEALER, card("Kh"), 2))
    deal(play, 1)
    assert play.decide(c.OpenCard(DEALER, 3, card("Kh"))) == CardCopies("Kh", 5, 4, rule="2.2.1")
    play.do(c.OpenCard(DEALER, 1))
    play.do(c.OpenCard(DEALER, 3, card("Qh")))


def waived(game: str = "da-hu-ying-xiong", **settings: Any) -> Play:
    """Ann has Banker's third card opened before Player's; four open cards by which both draw."""
    play = table(game, on="banker", **(CLOSED | settings)).deal(BANKER_ON_TWO)
    granted(play, c.SqueezeOf.BANKER_THIRD_FIRST)
    return play


def test_da_hu_ying_xiong_3_14_players_third_card_stays_closed_until_bankers_is_open() -> None:
    play = waived()
    assert play.sheet.insurance is not None
    rule, draws = play.sheet.insurance.waiver_rule, play.sheet.play.table_of_play_rule
    stays = CardStaysClosed(5, rule=rule)
    fifth = play.of(e.CardDealt, play.do(c.Deal(DEALER, card("4h"))))
    assert fifth == [e.CardDealt(DEALER, 1, 1, 5, card("4h"), P, draws, True, closed=True)]
    assert play.state.phase is Phase.BANKER_THIRD
    assert play.decide(c.OpenCard(DEALER, 5)) == stays
    assert ways_to_open_card(play.state, DEALER) == (Way(place=5, refusal=stays),)
    (sixth,) = play.do(c.Deal(DEALER))
    assert sixth == e.CardDealt(DEALER, 1, 1, 6, None, B, draws, True, closed=True)
    assert play.decide(c.OpenCard(DEALER, 5)) == stays
    opened = play.of(e.CardOpened, play.do(c.OpenCard(DEALER, 6, card("5d"))))
    assert play.sheet.play.squeeze is not None
    assert opened == [
        e.CardOpened(DEALER, 1, 6, card("5d"), B, play.sheet.play.squeeze.rule, "ann"),
        e.CardOpened(DEALER, 1, 5, card("4h"), P, draws),
    ]
    assert play.cards == (*parse_cards(BANKER_ON_TWO), card("4h"), card("5d"))


def test_a_sheet_with_a_waiver_and_no_squeeze_opens_the_third_card_by_its_table_of_play() -> None:
    built_in = (Path(__file__).parents[2] / "src" / "punto" / "sheets" / "da-hu-ying-xiong.toml").read_text()
    squeeze = 'squeeze = { by = "seated-highest-bet", rule = "3.9" }\n'
    assert squeeze in built_in
    play = Play(built_in.replace(squeeze, ""), opened=False)
    opening = c.OpenTable(SUPERVISOR, "t1", play.sheet.id, 8, Cents(100), Cents(10_000), layout="bean-9", **CLOSED)
    play.do(opening)
    play.do(c.LoadShoe(DEALER))
    play.sit("ann").open(("ann", "banker", 10_000)).close().deal(BANKER_ON_TWO)
    granted(play, c.SqueezeOf.BANKER_THIRD_FIRST)
    deal(play, 2)
    (opened,) = play.do(c.OpenCard(DEALER, 6, card("5d")))
    assert opened == e.CardOpened(DEALER, 1, 6, card("5d"), B, "3.15", "ann")


def test_commission_3_9_players_third_card_waits_for_nobody_without_a_waiver() -> None:
    play = table(**CLOSED).deal(BANKER_ON_TWO)
    deal(play, 1)
    assert ways_to_open_card(play.state, DEALER) == (
        Way(place=5, inputs=(Input("card", InputType.CARD, missing="card-not-given", refused="card-copies"),)),
    )
    (opened,) = play.of(e.CardOpened, play.do(c.OpenCard(DEALER, 5, card("4h"))))
    assert (opened.hand, opened.rule) == (P, play.sheet.play.table_of_play_rule)


def test_da_hu_ying_xiong_3_14_a_third_card_that_the_dealer_names_lies_open_unless_bankers_comes_first() -> None:
    play = table("da-hu-ying-xiong", on="banker", **CLOSED).deal(f"{BANKER_ON_TWO} 4h")
    assert not any(each.closed for each in play.of(e.CardDealt))
    play = table("da-hu-ying-xiong", on="banker", **CLOSED).deal(BANKER_ON_TWO)
    granted(play, c.SqueezeOf.SHOW_BANKER_THIRD)
    play.deal("4h 5d")
    assert [(each.place, each.closed) for each in play.of(e.CardDealt)][4:] == [(5, True), (6, False)]


def test_da_hu_ying_xiong_3_14_bankers_third_card_opens_by_itself_where_its_value_is_known() -> None:
    play = table("da-hu-ying-xiong", on="banker", **CLOSED).deal(BANKER_ON_TWO)
    granted(play, c.SqueezeOf.SHOW_BANKER_THIRD)
    play.do(c.Deal(DEALER, card("4h"), 1))
    dealt, opened = play.do(c.Deal(DEALER, card("5d"), 2))
    assert dealt == e.CardDealt(DEALER, 1, 1, 6, card("5d"), B, "3.15", True, reading=2, closed=True)
    assert opened == e.CardOpened(DEALER, 1, 6, card("5d"), B, "3.15")
    (opened, *_) = play.do(c.OpenCard(DEALER, 5))
    assert opened == e.CardOpened(DEALER, 1, 5, card("4h"), P, "3.9", "ann")


def test_bankers_third_card_is_the_fifth_where_player_stands() -> None:
    play = table(**CLOSED).deal("2h 2d 4s Kc")
    deal(play, 1)
    (opened,) = play.of(e.CardOpened, play.do(c.OpenCard(DEALER, 5, card("4h"))))
    assert opened == e.CardOpened(DEALER, 1, 5, card("4h"), B, play.sheet.play.table_of_play_rule)
    assert play.state.phase is Phase.RESULT
