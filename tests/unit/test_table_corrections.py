"""Rounds settled, voided and corrected, event by event: what each bet returns, and who must agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import CardCopies
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.insurance import offers_now
from punto.table.corrections.past_rounds import record_of
from punto.table.engine import decide
from punto.table.phases import Phase
from punto.table.refusals import Contradiction, FactsContradict
from punto.table.values import Claim, Decision, SqueezeOf
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron, sheet_text

ANN = patron("ann")
COMMISSION, TIGER, EASY_SIX = "commission", "da-hu-ying-xiong", "easy-six"
BANKER_WINS = "2c 9h 3c Kd"  # Player 5, Banker 9
NEGLECTED = "Kh Kd 4s 5c 5s Kc"  # after four cards insurance on Banker is on offer, and would win


def table(cards: str = "", game: str = COMMISSION, **settings: Any) -> Play:
    """Ann has 100.00 on Player and bo 200.00 on Banker; bets are closed, and these cards are dealt."""
    play = Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))
    return play.close().deal(cards)


def settled(cards: str = NATURAL, game: str = COMMISSION, **settings: Any) -> Play:
    play = table(cards, game, **settings)
    play.settle()
    return play


def correcting(cards: str, number: int = 1, by: Actor = SUPERVISOR, reason: str = "keyed wrongly") -> acts.CorrectRound:
    return acts.CorrectRound(by, number, parse_cards(cards), reason)


# ------------------------------------------------------------------------------------------- settling


def test_nothing_is_on_offer_behind_a_closed_card_or_in_a_sheet_without_insurance() -> None:
    play = table("2h Kd 2s 6c", TIGER, face_down=True, live=True)
    assert list(offers_now(play.state)) == [Hand.BANKER]
    play.do(acts.Deal(DEALER))
    assert offers_now(play.state) == {}
    assert offers_now(table("2h Kd 2s 6c").state) == {}


# ------------------------------------------------------------------------------------------- correcting a round


@pytest.mark.parametrize(
    ("game", "decision", "back"),
    [
        (COMMISSION, None, 50_000),  # by 5.1.1
        (EASY_SIX, Decision.CONTINUE, 0),  # the whole bet was in play
    ],
)
def test_5_1_1_a_corrected_round_scales_what_was_over_the_limits_as_its_settlement_did(
    game: str, decision: Decision | None, back: int
) -> None:
    play = Play(game, live=True).sit("ann").open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close().deal(NATURAL)
    if decision is not None:
        play.do(acts.Settle(DEALER))
        play.confirmed(acts.Decide(SHIFT, decision, "as the House does"))
    play.settle()
    adjusted = play.of(acts.RoundAdjusted, play.confirmed(correcting(BANKER_WINS, by=SHIFT)))[0]
    assert [each.after_cents for each in adjusted.lines] == [back]


def test_commission_5_14_no_correction_has_more_cards_than_there_were() -> None:
    """Neither more copies than the decks hold, nor more cards than the shoe had left."""
    play = settled(decks=4)
    for _ in range(3):
        play.open().close().deal(NATURAL)
        play.settle()
    assert play.decide(correcting("9h 2c 9h 3c")) == CardCopies("9h", 5, 4, rule="2.2.1")
    play.do(correcting("9h 2c Kh 3c"))
    record = record_of(play.sheet, play.log, 1)
    assert record is not None
    for left, refused in ((1, True), (2, False)):
        six = replace(correcting("2h 2d Ks Qc 4h 5d"), record=replace(record, cards_left=left))
        few = FactsContradict(Contradiction.FEW_CARDS_LEFT, rule="3.12")
        assert (decide(play.state, six) == few) is refused


# ------------------------------------------------------------------------------------------- insurance not offered


def claiming(
    play: Play, hand: Hand = Hand.BANKER, window: Window | None = Window.FOUR_CARDS, by: Actor = MANAGER, **facts: Any
) -> acts.Report:
    given = {"round": 1, "window": window, "claims": (Claim("ann", 1, hand),)} | facts
    return play.reporting("insurance-neglected", by, **given)


def test_a_sheet_without_insurance_neglects_none() -> None:
    """Even if it rules what becomes of such a claim."""
    ruling = 'id = "insurance-neglected"\nsituation = "No offer"\nruling = "return-original"\nrule = "5.12"\n'
    first = f'[[irregularities]]\n{ruling}decides = "pit-manager"\n\n[[irregularities]]'
    play = Play(sheet_text(COMMISSION, ("[[irregularities]]", first))).sit("ann")
    play.open(("ann", "banker", 10_000)).close().deal(NEGLECTED).settle()
    play.open()
    assert play.decide(claiming(play)) == FactsContradict(Contradiction.NO_INSURANCE, rule="5.12")


def test_da_hu_ying_xiong_3_14_a_waived_window_was_not_neglected() -> None:
    play = Play(TIGER, face_down=True, live=True).sit("ann").open(("ann", "player", 10_000)).close()
    play.deal("2h 2d 3s Kc")
    play.do(acts.AskSqueeze(ANN, "ann", SqueezeOf.BANKER_THIRD_FIRST))
    play.do(acts.AnswerSqueeze(DEALER, True))
    for _ in range(2):
        play.do(acts.Deal(DEALER))
    play.do(acts.OpenCard(DEALER, 6, Card("5d")))
    play.do(acts.OpenCard(DEALER, 5, Card("4h")))
    play.settle()
    play.open()
    waived = FactsContradict(Contradiction.WAIVED, rule="3.14")
    assert play.decide(claiming(play, Hand.PLAYER, Window.PLAYER_THIRD)) == waived
    assert play.state.phase is Phase.BETTING
    assert play.decide(claiming(play, Hand.PLAYER)) != waived
