"""Incidents while cards are closed: each test is named by sheet and paragraph.

What is open counts, also behind a closed card. What is closed counts as dealt, and its value is known to nobody.
"""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.established import is_established
from punto.rules.hands import Hand
from punto.rules.sheet import Device
from punto.table import acts
from punto.table.automatic import AUTOMAT, Timing, next_step
from punto.table.phases import Phase
from punto.table.refusals import Contradiction
from punto.table.rulings.cases import RulingEffect
from punto.table.values import Consent, Decision, Option, SqueezeOf, Waits
from tests.rulebook import playing as at
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

COMMISSION, WITH_INSURANCE, TIGER = "commission", "commission-insurance", "da-hu-ying-xiong"
CLOSED: dict[str, Any] = {"face_down": True, "live": True, "second_person": True}


def closed(cards: int, game: str = COMMISSION, **settings: Any) -> Play:
    """A live table with one bet, and this many cards that nobody has seen."""
    play = at.one_bet(game, **(CLOSED | settings))
    for _ in range(cards):
        play.do(acts.Deal(DEALER))
    return play


def squeezed_first(shoe: str, game: str = COMMISSION) -> Play:
    """An automatic table with four cards dealt. All are open but the first, which ann squeezes."""
    play = at.one_bet(game, face_down=True, shoe=shoe)
    at.granted(play, "ann")
    at.deal_on(play, 4)
    assert play.state.phase is Phase.OPENING
    return play


def test_commission_5_4_1_an_outcome_behind_a_closed_card_is_established() -> None:
    play = squeezed_first("9h 2d Ks Kc 4h 5d")
    play.do(acts.Recover(DEALER))
    assert play.of(acts.IncidentRuled)[-1].finding is RulingEffect.CONCLUDED
    assert play.state.phase is Phase.OPENING
    live = closed(1).deal("2d Ks 7c")
    live.report("technical-interruption")
    assert [(each.finding, each.rule) for each in live.of(acts.IncidentRuled)] == [(RulingEffect.CONCLUDED, "5.4.1")]


def test_da_hu_ying_xiong_5_4_1_a_closed_card_that_the_table_knows_establishes_an_outcome() -> None:
    """Nobody has seen the 2 with which Player is paired; the open cards alone decide no bet."""
    play = squeezed_first("2h Kd 2s 6c 4h 5d", TIGER)
    assert not is_established(play.sheet, play.round.visible)
    play.do(acts.Recover(DEALER))
    assert [(each.finding, each.rule) for each in play.of(acts.IncidentRuled)] == [(RulingEffect.CONCLUDED, "5.4.1")]


@pytest.mark.parametrize("game", [COMMISSION, TIGER])
def test_commission_5_4_what_was_opened_may_be_disputed_and_then_the_interruption(game: str) -> None:
    """A Pit Manager says first that other cards lay there, and then that nothing was interrupted."""
    play = closed(2, game)
    play.do(acts.Recover(AUTOMAT))
    play.do(acts.CorrectCards(DEALER, parse_cards("5h Kd"), "opened after the power failed"))
    play.do(acts.Decide(MANAGER, Decision.DISPUTE, "the first is a 6"))
    assert play.case.waits is Waits.CORRECTION
    assert play.refused(acts.Decide(SUPERVISOR, Decision.DISPUTE, "I saw no cut"))[0] == "not-permitted"
    play.do(acts.Decide(MANAGER, Decision.DISPUTE, "the power never failed"))
    assert (play.state.case, play.state.phase) == (None, Phase.INITIAL_CARDS)
    play.replays()


def test_commission_5_9_no_options_once_a_card_behind_a_closed_one_establishes_an_outcome() -> None:
    play = closed(1).deal("2d Ks")
    assert play.of(acts.OptionsOffered, play.report("dealt-face-up"))
    play = closed(1).deal("2d Ks 7c")
    assert not play.of(acts.OptionsOffered, play.report("dealt-face-up"))


@pytest.mark.parametrize(("number", "wrong"), [(0, True), (1, True), (2, False), (3, False), (4, True)])
def test_commission_5_5_3_closed_cards_count_as_dealt(number: int, wrong: bool) -> None:
    play = closed(4)
    facts: dict[str, Any] = {"hand": Hand.PLAYER, "hand_count": number, "reconstructible": False, "note": "mixed up"}
    report = play.reporting("wrong-number-of-cards", **facts)
    if wrong:
        assert play.of(acts.IncidentRuled, play.do(report))[0].rule == "5.5.3"
    else:
        at.contradicts(play, report, Contradiction.NUMBER_RIGHT, "5.5.3")


def test_commission_5_5_3_a_closed_third_card_counts_for_its_hand() -> None:
    play = closed(0).deal("2h 2d Ks Kc")
    play.do(acts.Deal(DEALER))
    facts: dict[str, Any] = {"reconstructible": False, "note": "mixed up"}
    right = play.reporting("wrong-number-of-cards", hand=Hand.PLAYER, hand_count=3, **facts)
    at.contradicts(play, right, Contradiction.NUMBER_RIGHT, "5.5.3")
    play.report("wrong-number-of-cards", hand=Hand.PLAYER, hand_count=2, **facts)


def test_commission_5_5_4_closed_cards_are_dealt_already() -> None:
    play = at.table_for(COMMISSION, "ann", **CLOSED)
    play.alter_shoe(drawn=8 * 52 - 6)
    play.open(("ann", "player", 10_000)).close()
    at.deal_on(play, 4)
    at.contradicts(play, acts.Report(DEALER, "not-enough-cards"), Contradiction.ENOUGH_CARDS, "3.12")


@pytest.mark.parametrize("shoe", ["9h 2d Ks Kc", "2h 2d Ks Kc"])
def test_commission_5_5_4_the_answer_tells_nothing_about_a_closed_card(shoe: str) -> None:
    play, report = squeezed_first(shoe), acts.Report(DEALER, "not-enough-cards")
    at.contradicts(play, report, Contradiction.ENOUGH_CARDS, "3.12")
    play.do(acts.OpenCard(patron("ann"), 1))
    if shoe.startswith("9h"):
        at.contradicts(play, report, Contradiction.ENOUGH_CARDS, "3.12")
    else:
        assert play.of(acts.RoundVoided, play.do(report))[0].rule == "5.5.4"


@pytest.mark.parametrize("game", [WITH_INSURANCE, TIGER])
def test_da_hu_ying_xiong_3_14_a_waiver_ends_when_the_cards_never_allowed_it(game: str) -> None:
    for fourth, stays in (("Qc", True), ("2c", False)):
        play = at.table_for(game, "ann", **CLOSED).open(("ann", "banker", 10_000)).close().deal("2h 2d Ks Kc")
        at.granted(play, "ann", SqueezeOf.BANKER_THIRD_FIRST)
        play.do(acts.CorrectCards(SUPERVISOR, parse_cards(f"2h 2d Ks {fourth}"), "the fourth card was misread"))
        assert (play.round.waived, play.round.squeezers) == (stays, {6: "ann"} if stays else {})
    play.deal("7h")  # Player 9, Banker 4: Banker draws, and the second window opens
    assert play.state.phase is Phase.SECOND_WINDOW
    play.replays()


@pytest.mark.parametrize("cards", ["", "2h", "2h 2d Ks"])
def test_a_correction_drops_no_closed_card(cards: str) -> None:
    play = closed(4)
    at.contradicts(play, acts.CorrectCards(SUPERVISOR, parse_cards(cards), "misread"), Contradiction.CARDS_CLOSED)


def test_a_correction_while_a_card_is_closed_names_all_cards_and_waits_for_a_second_person() -> None:
    play = closed(0).deal("2h 2d Ks Kc")
    at.granted(play, "ann")
    play.do(acts.Deal(DEALER))
    at.contradicts(
        play, acts.CorrectCards(SUPERVISOR, parse_cards("2h 2d Ks 7c"), "misread"), Contradiction.CARDS_CLOSED
    )
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("2h 2d Ks 2c 5h"), "misread"))
    assert play.of(acts.ConfirmationAsked)
    play.do(acts.Decide(SHIFT, Decision.APPROVE))
    assert play.cards == parse_cards("2h 2d Ks 2c 5h")
    assert play.shoe.drawn == 5
    play.replays()


def test_commission_5_7_a_card_carried_at_a_shuffler_is_used_in_the_next_round() -> None:
    play = at.one_bet(COMMISSION, NATURAL, device=Device.SHUFFLER, live=True)
    play.confirmed(play.reporting("excess-card", cards=f"{NATURAL} 4c", reconstructible=True))
    play.settle()
    assert play.refused(acts.LoadShoe(DEALER)) == ("shoe-stays", "5.7")
    assert play.refused(acts.ReplaceShoe(DEALER, "new cards")) == ("not-permitted", "5.7")
    play.open(("ann", "player", 10_000)).close()
    assert (play.shoe.carried, play.shoe.left) == (parse_cards("4c"), 8 * 52)
    assert play.of(acts.CardDealt, play.do(acts.Deal(DEALER)))[0].carried
    play.deal("9h Kd 5c")
    assert play.cards == parse_cards("4c 9h Kd 5c")
    play.replays()


def test_commission_5_7_a_card_carried_at_a_virtual_shuffler_goes_back_with_its_set() -> None:
    play = Play(COMMISSION, shoe=f"{NATURAL} 4c", device=Device.SHUFFLER).sit("ann")
    play.open(("ann", "player", 10_000)).close()
    at.deal_on(play, 4)
    play.report("excess-card", cards=f"{NATURAL} 4c", reconstructible=True)
    play.settle()
    play.do(acts.LoadShoe(DEALER, parse_cards(f"{NATURAL} 4c")))
    assert (play.shoe.carried, play.shoe.left) == ((), 5), "the set that was committed to is whole"
    play.replays()


def test_commission_3_9_a_carried_card_cannot_be_squeezed() -> None:
    play = at.table_for(COMMISSION, "ann", face_down=True, live=True).open(("ann", "player", 10_000))
    play.confirmed(play.reporting("excess-card", cards="4c", reconstructible=True))
    play.close()
    asking = acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD)
    assert play.refused(asking) == ("squeeze-too-late", "3.9")
    play.do(acts.Deal(DEALER))
    play.do(asking)


@pytest.mark.parametrize("what", [SqueezeOf.CARD, SqueezeOf.SHOW_BANKER_THIRD])
def test_commission_insurance_4_1_5_nobody_takes_a_squeeze_from_another(what: SqueezeOf) -> None:
    play = at.table_for(WITH_INSURANCE, "ann", "bo", **CLOSED)
    play.open(("ann", "banker", 10_000), ("bo", "player", 2_500)).close().deal("2h 2d Ks Kc")
    at.granted(play, "ann")
    assert play.refused(acts.AskSqueeze(patron("bo"), "bo", what)) == ("squeeze-repeated", "4.1.5")
    assert play.round.squeezers == {5: "ann"}


def test_da_hu_ying_xiong_3_14_an_automatic_table_does_not_consent_where_the_house_must_be_asked() -> None:
    play = at.table_for(TIGER, "ann", face_down=True, shoe="2h 2d Ks Kc 4h 5d", waiver_consent=Consent.ASK)
    play.open(("ann", "banker", 10_000)).close()
    at.deal_on(play, 4)
    play.do(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.BANKER_THIRD_FIRST))
    step = next_step(play.state, Timing())
    assert step is not None
    assert step.command == acts.AnswerSqueeze(AUTOMAT, consent=False)


@pytest.mark.parametrize(("situation", "rule"), [("wrong-area", "5.8"), ("other-dealing-error", "5.12")])
def test_commission_5_12_what_lists_no_cards_is_reported_while_cards_are_closed(situation: str, rule: str) -> None:
    play = closed(2)
    listed = play.reporting(situation, cards="9h 2c", reconstructible=True)
    at.contradicts(play, listed, Contradiction.CARDS_CLOSED, rule)
    offered = play.of(acts.OptionsOffered, play.report(situation, reconstructible=False, note="mixed up"))
    assert [each.patrons for each in offered] == [("ann",)]
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    assert play.round.closed_places == (1, 2)
    play.replays()


@pytest.mark.parametrize(("situation", "rule"), [("excess-card", "5.7"), ("simultaneous-cards", "5.10")])
def test_commission_5_10_cards_are_listed_when_all_are_open(situation: str, rule: str) -> None:
    report = closed(2).reporting(situation, cards="9h 2c", reconstructible=False, note="two at once")
    at.contradicts(closed(2), report, Contradiction.CARDS_CLOSED, rule)


def test_commission_5_10_which_closed_card_comes_first_is_decided_at_once() -> None:
    play = closed(2)
    play.report("simultaneous-cards")
    assert play.refused(acts.Decide(DEALER, Decision.ORDER, "the left one"))[0] == "not-permitted"
    assert play.refused(acts.Decide(SUPERVISOR, Decision.ORDER))[0] == "reason-missing"
    first = play.do(acts.Decide(SUPERVISOR, Decision.ORDER, "the left one is first"))
    (offered,) = play.of(acts.OptionsOffered, first)
    assert (offered.patrons, offered.rule) == (("ann",), "5.10.1")
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    at.deal_on(play, 2)
    assert play.round.closed_places == (1, 2, 3, 4)
    play.replays()


def test_commission_5_7_1_a_card_in_excess_gives_the_options_while_no_closed_card_establishes_an_outcome() -> None:
    play = closed(4)
    (offered,) = play.of(acts.OptionsOffered, play.report("excess-card", reconstructible=False, note="a fifth card"))
    assert (offered.patrons, offered.rule) == (("ann",), "5.7.1")
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    for place, card in enumerate(parse_cards(NATURAL), 1):
        play.do(acts.OpenCard(DEALER, place, card))
    play.confirmed(play.reporting("excess-card", cards=f"{NATURAL} 4c", reconstructible=True))
    assert play.shoe.carried == parse_cards("4c"), "an outcome is established: the card waits for the next round"
    assert len(play.of(acts.OptionsOffered)) == 1
    play.settle()
    play.replays()
