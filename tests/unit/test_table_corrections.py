"""Rounds settled, voided and corrected, event by event: what each bet returns, and who must agree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from punto.rules.bets import Result
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents, Odds
from punto.rules.outcome import Winner
from punto.rules.refusals import CardCopies, Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import REASON, Input, InputType, Way
from punto.table.corrections import ways_to_correct_round
from punto.table.decide import decide
from punto.table.phases import Phase, Waits
from punto.table.play import offers_now
from punto.table.refusals import (
    Contradiction,
    FactsContradict,
    FactsMissing,
    NotPermitted,
    ReasonMissing,
    RoundNotSettled,
)
from punto.table.round_record import record_of
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

ANN = patron("ann")
PIT = Role.PIT_SUPERVISOR
COMMISSION, TIGER, EASY_SIX = "commission", "da-hu-ying-xiong", "easy-six"
BANKER_WINS = "2c 9h 3c Kd"  # Player 5, Banker 9
NEGLECTED = "Kh Kd 4s 5c 5s Kc"  # after four cards insurance on Banker is on offer, and would win
BANKER_STANDS = "Kh Kd 4s 5c Ks"  # the same offer, and Banker wins
ANN_BET = Bet(1, "ann", "player", Cents(10_000), None, True)
BO_BET = Bet(2, "bo", "banker", Cents(20_000), None, True)


def table(cards: str = "", game: str = COMMISSION, **settings: Any) -> Play:
    """Ann has 100.00 on Player and bo 200.00 on Banker; bets are closed, and these cards are dealt."""
    play = Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))
    return play.close().deal(cards)


def settled(cards: str = NATURAL, game: str = COMMISSION, **settings: Any) -> Play:
    play = table(cards, game, **settings)
    play.settle()
    return play


def correcting(cards: str, number: int = 1, by: c.Actor = SUPERVISOR, reason: str = "keyed wrongly") -> c.CorrectRound:
    return c.CorrectRound(by, number, parse_cards(cards), reason)


# ------------------------------------------------------------------------------------------- settling


def test_commission_3_13_a_settlement_says_what_each_bet_returns_and_what_the_house_takes() -> None:
    play = table(NATURAL)
    won, lost = play.settle().lines
    assert (won.bet, won.result, won.returned_cents, won.net_cents) == (ANN_BET, Result.WIN, 20_000, 10_000)
    assert (lost.bet, lost.result, lost.returned_cents, lost.net_cents) == (BO_BET, Result.LOSE, 0, -20_000)
    events = play.log[-2:]
    assert events == [
        e.RoundSettled(DEALER, 1, parse_cards(NATURAL), (won, lost), (), Cents(10_000)),
        e.RoundClosed(DEALER, 1),
    ]


@pytest.mark.parametrize(
    ("cards", "winner", "player", "banker"),
    [(NATURAL, Winner.PLAYER, 9, 5), (BANKER_WINS, Winner.BANKER, 5, 9), ("9h 9d Kd Kc", Winner.TIE, 9, 9)],
)
def test_commission_3_13_the_result_is_declared_with_both_totals(
    cards: str, winner: Winner, player: int, banker: int
) -> None:
    assert table(cards).log[-1] == e.ResultDeclared(DEALER, 1, winner, player, banker, "3.13")


def test_da_hu_ying_xiong_3_12_each_window_names_the_hands_and_odds_on_offer() -> None:
    play = table("2h Kd 2s 6c", TIGER)
    first = play.log[-1]
    assert isinstance(first, e.InsuranceOffered)
    assert (first.round, first.window, first.rule) == (1, Window.FOUR_CARDS, "3.12")
    assert play.sheet.insurance is not None
    offers = play.sheet.insurance.offers(play.cards)
    assert [(each.on, each.hand, each.odds, each.rule) for each in first.offers] == [
        (bet.id, bet.hand, offers[bet.hand].odds, offers[bet.hand].rule)
        for bet in play.sheet.insurance.bets
        if bet.hand in offers
    ]
    play.deal("7h")
    second = play.log[-1]
    assert isinstance(second, e.InsuranceOffered)
    assert (second.window, [each.hand for each in second.offers]) == (Window.PLAYER_THIRD, [Hand.BANKER])


def test_da_hu_ying_xiong_4_2_2_nothing_is_offered_without_insurance_or_while_a_card_is_closed() -> None:
    play = table("2h Kd 2s 6c", TIGER, private=True, without_insurance=True)
    assert not play.of(e.InsuranceOffered)
    closed = table("2h Kd 2s", TIGER, face_down=True, live=True)
    closed.do(c.Deal(DEALER))
    assert not closed.of(e.InsuranceOffered)
    closed.do(c.OpenCard(DEALER, 4, parse_cards("6c")[0]))
    assert len(closed.of(e.InsuranceOffered)) == 1


@pytest.mark.parametrize(("cards", "still"), [("2h Kd 2s 6c", [Hand.BANKER]), ("2h Kd 2s 6c 7h", [])])
def test_da_hu_ying_xiong_3_14_a_waiver_takes_the_second_window_alone(cards: str, still: list[Hand]) -> None:
    state = table(cards, TIGER).state
    assert list(offers_now(state)) == [Hand.BANKER]
    assert state.round is not None
    assert list(offers_now(state._replace(round=state.round._replace(waived=True)))) == still


def test_nothing_is_on_offer_behind_a_closed_card_or_in_a_sheet_without_insurance() -> None:
    play = table("2h Kd 2s 6c", TIGER, face_down=True, live=True)
    assert list(offers_now(play.state)) == [Hand.BANKER]
    play.do(c.Deal(DEALER))
    assert offers_now(play.state) == {}
    assert offers_now(table("2h Kd 2s 6c").state) == {}


def test_easy_six_an_excess_that_left_with_a_bet_taken_back_is_not_scaled() -> None:
    """Bets of another patron stay whole; with the excess still there, somebody must decide."""
    for taking_back, lines in (("ann", ["bo"]), ("bo", None)):
        play = Play(EASY_SIX, live=True).sit("ann", "bo").open(("bo", "banker", 10_000))
        play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(500_000)))
        play.close().deal("2h 3d").report("other-dealing-error")
        play.confirmed(c.Decide(SHIFT, c.Decision.OPTIONS, "cards fell"))
        for name in ("ann", "bo"):
            option = c.Option.TAKE_BACK if name == taking_back else c.Option.CONTINUE
            play.do(c.Choose(patron(name), name, option))
        play.deal("6h 4d")
        events = play.do(c.Settle(DEALER))
        found = [[each.bet.patron for each in event.lines] for event in play.of(e.RoundSettled, events)]
        assert found == ([] if lines is None else [lines])
        assert bool(play.of(e.IncidentReferred, events)) is (lines is None)


def test_commission_insurance_insurance_stays_when_its_original_bet_and_an_excess_go_back() -> None:
    play = Play("commission-insurance", live=True).sit("ann", "bo").open(("ann", "banker", 10_000))
    play.do(c.RecordBet(DEALER, "bo", 2, "player", Cents(500_000)))
    play.close().deal("5h Kd 6s 6c")
    play.do(c.Insure(ANN, "ann", 1, "banker-insurance", Cents(1_000)))
    play.report("anything-else")
    spots = (c.Spot(1, "ann", "banker"), c.Spot(2, "bo", "player"))
    play.confirmed(c.Decide(SHIFT, c.Decision.RETURN_BETS, "a dispute", bets=spots))
    settlement = play.deal("9h").settle()
    assert [(each.bet.on, each.result) for each in settlement.lines] == [("banker-insurance", Result.LOSE)]


def test_commission_5_1_1_a_bet_taken_back_does_not_lift_the_limits_of_another() -> None:
    play = Play(COMMISSION, live=True).sit("ann", "bo").open(("bo", "banker", 10_000))
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close().deal("9h").report("other-dealing-error")
    play.do(c.Choose(patron("bo"), "bo", c.Option.TAKE_BACK))
    play.do(c.Choose(ANN, "ann", c.Option.CONTINUE))
    settlement = play.deal("2c Kd 3c").settle()
    assert [(each.bet.patron, each.in_play_cents) for each in settlement.lines] == [("ann", 100_000)]


def test_da_hu_ying_xiong_5_13_only_neglected_insurance_that_would_have_won_returns_the_original_bet() -> None:
    for cards, back in ((NEGLECTED, [("ann", 10_000)]), (BANKER_STANDS, [])):
        play = Play(TIGER).sit("ann", "bo").open(("ann", "banker", 10_000), ("bo", "banker", 20_000)).close()
        play.deal(cards)
        play.report("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=(c.Claim("ann", 1, Hand.BANKER),))
        event = play.settle()
        assert [(each.bet.patron, each.returned_cents) for each in event.returned] == back
        assert len(event.lines) == 2 - len(back)
        assert event.house_cents == -sum(each.net_cents for each in event.lines)


# ------------------------------------------------------------------------------------------- voiding


def test_commission_5_15_a_void_corrects_bets_that_were_paid_by_decision() -> None:
    play = table("9h 2c")
    play.report("anything-else")
    spot, odds = c.Spot(2, "bo", "banker"), Odds.parse("1:2")
    play.do(c.Decide(SHIFT, c.Decision.PAY_BETS, "as agreed", bets=(spot,), odds=odds))
    events = play.report("foreign-card")
    reason = play.sheet.irregularities["foreign-card"].situation
    whole = e.Adjustment(BO_BET, Cents(30_000), Cents(20_000), Cents(-10_000), "5.15")
    back = (e.Returned(ANN_BET, e.ReturnReason.VOID, "5.15"),)
    assert list(events[2:]) == [
        e.RoundVoided(DEALER, 1, parse_cards("9h 2c"), back, "5.5.1", reason),
        e.RoundAdjusted(DEALER, 1, (whole,), False, "5.5.1", reason, reverses=True),
        e.CaseClosed(DEALER, 2),
        e.ShoeRemoved(DEALER, 1, "5.5.1", reason),
        e.RoundClosed(DEALER, 1),
    ]


def test_commission_5_15_a_void_closes_the_cases_about_its_round_and_no_other() -> None:
    play = table("9h")
    play.report("other-dealing-error")
    events = play.report("foreign-card")
    assert [each.case for each in play.of(e.CaseClosed, events)] == [2, 1]
    play = settled()
    play.open(("ann", "player", 10_000)).close().deal("9h")
    play.report("anything-else", SHIFT, round=1)
    events = play.report("foreign-card")
    assert [each.case for each in play.of(e.CaseClosed, events)] == [2]
    assert play.state.case is not None
    assert (play.state.case.number, play.state.case.waits) == (1, Waits.DECISION)


def test_commission_5_5_3_a_void_of_the_last_round_takes_back_what_was_paid_by_decision() -> None:
    play = table("9h 2c")
    play.report("anything-else")
    spot, odds = c.Spot(2, "bo", "banker"), Odds.parse("1:2")
    play.do(c.Decide(SHIFT, c.Decision.PAY_BETS, "as agreed", bets=(spot,), odds=odds))
    play.deal("Kd 3c").settle()
    wrong: dict[str, Any] = {"reconstructible": False, "note": "mixed up", "hand": Hand.BANKER, "hand_count": 4}
    play.report("wrong-number-of-cards", **wrong)
    assert play.of(e.RoundAdjusted)[0].lines == (
        e.Adjustment(ANN_BET, Cents(20_000), Cents(10_000), Cents(-10_000), "5.15"),
        e.Adjustment(BO_BET, Cents(30_000), Cents(20_000), Cents(-10_000), "5.15"),
    )


def test_commission_5_10_2_a_shoe_that_was_replaced_is_not_removed_again() -> None:
    play = table("9h")
    play.report("simultaneous-cards", cards="2c Kd")
    play.do(c.Decide(SUPERVISOR, c.Decision.ORDER, cards=parse_cards("2c Kd")))
    for name in ("ann", "bo"):
        play.do(c.Choose(patron(name), name, c.Option.CONTINUE))
    play.do(c.ReplaceShoe(SUPERVISOR, "two at once"))
    play.report("foreign-card")
    assert len(play.of(e.ShoeRemoved)) == 1


def test_commission_5_5_3_a_void_of_the_last_round_leaves_another_case_open() -> None:
    play = settled()
    play.report("anything-else")
    wrong: dict[str, Any] = {"reconstructible": False, "note": "mixed up", "hand": Hand.BANKER, "hand_count": 4}
    events = play.report("wrong-number-of-cards", **wrong)
    assert [each.case for each in play.of(e.CaseClosed, events)] == [2]
    assert play.state.case is not None
    assert (play.state.case.number, play.state.phase) == (1, Phase.HELD)


def test_easy_six_a_void_without_a_paragraph_for_returns_cites_its_own() -> None:
    play = table("9h", EASY_SIX)
    play.report("foreign-card")
    voided = play.of(e.RoundVoided)[0]
    assert {each.rule for each in voided.lines} == {voided.rule} == {"5.1.1"}


# ------------------------------------------------------------------------------------------- proposing


@pytest.mark.parametrize(
    ("by", "approver", "waits"),
    [(DEALER, MANAGER, None), (c.Actor("max", Role.DEALER), MANAGER, Waits.CONFIRMATION)],
)
def test_da_hu_ying_xiong_5_13_whoever_approves_what_another_reported_is_the_second_person(
    by: c.Actor, approver: c.Actor, waits: Waits | None
) -> None:
    play = Play(TIGER, second_person=True).sit("ann").open(("ann", "banker", 10_000)).close().deal(NEGLECTED)
    claims = (c.Claim("ann", 1, Hand.BANKER),)
    play.report("insurance-neglected", by, window=Window.FOUR_CARDS, claims=claims)
    play.do(c.Decide(approver, c.Decision.APPROVE))
    assert (play.state.case.waits if play.state.case else None) is waits


def test_whoever_approves_needs_the_role_of_a_second_person() -> None:
    play = Play(TIGER, second_person=True, second_role=Role.SHIFT_MANAGER).sit("ann").open(("ann", "banker", 10_000))
    play.close().deal(NEGLECTED)
    claims = (c.Claim("ann", 1, Hand.BANKER),)
    play.report("insurance-neglected", DEALER, window=Window.FOUR_CARDS, claims=claims)
    events = play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    assert [each.to for each in play.of(e.ConfirmationAsked, events)] == [Role.SHIFT_MANAGER]


def test_cards_of_a_known_order_and_cards_that_stay_need_no_second_person() -> None:
    play = Play(COMMISSION, shoe=f"{NATURAL} 7c", second_person=True).open().close()
    for _ in range(4):
        play.do(c.Deal(DEALER))
    assert not play.of(e.ConfirmationAsked, play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True))
    same = table("9h 2c", second_person=True)
    assert not same.of(e.ConfirmationAsked, same.report("wrong-area", cards="9h 2c", reconstructible=True))


def test_a_case_goes_on_where_the_cards_stand_after_it_reordered_them() -> None:
    play = table("9h Kd 2c 3c")
    events = play.report("wrong-area", cards=NATURAL, reconstructible=True)
    assert isinstance(events[-1], e.ResultDeclared)
    untouched = table(NATURAL)
    assert not untouched.of(e.ResultDeclared, untouched.report("display-mistake"))


# ------------------------------------------------------------------------------------------- correcting a round


def test_commission_5_14_the_ways_to_correct_a_round() -> None:
    cards = Input("cards", InputType.CARDS, missing="card-missing", minimum=4, maximum=6)

    def ways(latest: int) -> tuple[Way, ...]:
        code = "round-not-settled"
        number = Input("round", InputType.NUMBER, missing=code, refused=code, minimum=1, maximum=latest)
        return (Way(inputs=(number, cards, REASON)),)

    none = FactsContradict(Contradiction.NO_ROUND, rule="5.14")
    assert ways_to_correct_round(Play(COMMISSION).state, SUPERVISOR) == none
    play = table()
    assert ways_to_correct_round(play.state, SUPERVISOR) == none
    play.deal(NATURAL).settle()
    assert ways_to_correct_round(play.state, SUPERVISOR) == ways(1)
    play.open()
    assert ways_to_correct_round(play.state, SUPERVISOR) == ways(1)
    assert ways_to_correct_round(play.state, DEALER) == NotPermitted(PIT, rule="5.17")
    silent = settled(game=EASY_SIX)
    assert ways_to_correct_round(silent.state, MANAGER) == NotPermitted(Role.SHIFT_MANAGER)


def test_commission_5_14_a_correction_reverses_each_line_that_changes() -> None:
    play = settled(second_person=False)
    play.open()
    reported, adjusted, closed = play.do(correcting(BANKER_WINS))
    facts = c.Facts(cards=parse_cards(BANKER_WINS), round=1, note="keyed wrongly")
    assert reported == e.IncidentReported(SUPERVISOR, 1, 1, "misread-card", facts)
    assert isinstance(adjusted, e.RoundAdjusted)
    assert [(each.bet, each.before_cents, each.after_cents, each.correction_cents) for each in adjusted.lines] == [
        (ANN_BET, 20_000, 0, -20_000),
        (BO_BET, 0, 39_000, 39_000),
    ]
    assert [each.rule for each in adjusted.lines] == [each.line.rule for each in adjusted.lines if each.line]
    assert adjusted == e.RoundAdjusted(
        SUPERVISOR,
        1,
        adjusted.lines,
        False,
        "5.14",
        "keyed wrongly",
        reverses=True,
        shoe=1,
        cards_before=parse_cards(NATURAL),
        cards=parse_cards(BANKER_WINS),
    )
    assert closed == e.CaseClosed(SUPERVISOR, 1)
    assert not any(each.decided for each in adjusted.lines)


def test_commission_5_14_a_bet_that_returns_the_same_has_no_correction() -> None:
    play = settled()
    adjusted = play.of(e.RoundAdjusted, play.do(correcting("8h 2c Kd 3c")))[0]
    assert adjusted.lines == ()


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (correcting(NATURAL), FactsContradict(Contradiction.SAME_CARDS, parse_cards(NATURAL), rule="5.14")),
        (correcting(BANKER_WINS, 2), RoundNotSettled(2, rule="5.14")),
        (correcting(BANKER_WINS, 0), RoundNotSettled(0, rule="5.14")),
        (correcting(BANKER_WINS, reason=" "), ReasonMissing(rule="5.14")),
        (correcting(BANKER_WINS, by=DEALER), NotPermitted(PIT)),
    ],
)
def test_commission_5_14_a_refused_correction_says_why(command: c.CorrectRound, refusal: Refusal) -> None:
    assert settled().decide(command) == refusal


def test_the_record_of_another_round_corrects_nothing() -> None:
    play = settled()
    play.open().close().deal(NATURAL).settle()
    play.open()
    record = record_of(play.sheet, play.log, 2)
    assert decide(play.state, replace(correcting(BANKER_WINS), record=record)) == RoundNotSettled(1, rule="5.14")
    report = play.reporting("anything-else", round=1)
    assert decide(play.state, replace(report, record=record)) == RoundNotSettled(1, rule="5.17")


@pytest.mark.parametrize(
    ("game", "decision", "back"),
    [
        (COMMISSION, None, 50_000),  # by 5.1.1
        (EASY_SIX, c.Decision.PRO_RATA, 50_000),
        (EASY_SIX, c.Decision.CONTINUE, 0),  # the whole bet was in play
    ],
)
def test_5_1_1_a_corrected_round_scales_what_was_over_the_limits_as_its_settlement_did(
    game: str, decision: c.Decision | None, back: int
) -> None:
    play = Play(game, live=True).sit("ann").open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close().deal(NATURAL)
    if decision is not None:
        play.do(c.Settle(DEALER))
        play.confirmed(c.Decide(SHIFT, decision, "as the House does"))
    play.settle()
    adjusted = play.of(e.RoundAdjusted, play.confirmed(correcting(BANKER_WINS, by=SHIFT)))[0]
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


def test_commission_5_14_a_shoe_of_known_order_was_not_keyed() -> None:
    play = Play(COMMISSION, shoe=NATURAL).sit("ann").open(("ann", "player", 10_000)).close()
    for _ in range(4):
        play.do(c.Deal(DEALER))
    play.settle()
    assert play.decide(correcting(BANKER_WINS)) == FactsContradict(Contradiction.CARDS_KNOWN, rule="5.14")


def test_commission_5_14_a_void_round_has_nothing_to_correct() -> None:
    play = table("9h")
    play.report("foreign-card")
    assert play.decide(correcting(BANKER_WINS)) == FactsContradict(Contradiction.ALREADY_VOID, rule="5.14")


def test_da_hu_ying_xiong_5_15_insurance_on_an_offer_that_never_was_goes_back_by_the_correction() -> None:
    play = Play(TIGER).sit("ann").open(("ann", "banker", 30_000)).close().deal("5h Kd 6s 6c")
    play.do(c.Insure(ANN, "ann", 1, "banker-insurance", Cents(1_000)))
    play.deal("9h").settle()
    adjusted = play.of(e.RoundAdjusted, play.do(correcting("5h Kd 4s 6c")))[0]
    insured = Bet(1, "ann", "banker-insurance", Cents(1_000), Window.FOUR_CARDS, True)
    assert adjusted.lines[1] == e.Adjustment(insured, Cents(0), Cents(1_000), Cents(1_000), "5.15")


def test_da_hu_ying_xiong_5_13_a_claim_stays_when_the_cards_of_its_round_are_corrected() -> None:
    """Cards with which the insurance had won as well return the bet by the claim's paragraph."""
    play = Play(TIGER).sit("ann").open(("ann", "banker", 10_000)).close().deal(BANKER_STANDS)
    claims = (c.Claim("ann", 1, Hand.BANKER),)
    play.settle()
    play.report("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=claims)
    assert not play.of(e.RoundAdjusted)
    (adjusted,) = play.of(e.RoundAdjusted, play.do(correcting(NEGLECTED)))
    assert [(each.after_cents, each.rule, each.line) for each in adjusted.lines] == [(10_000, "5.13", None)]


def test_da_hu_ying_xiong_5_13_a_claim_ends_with_cards_that_never_made_the_offer() -> None:
    play = Play(TIGER).sit("ann").open(("ann", "banker", 10_000)).close().deal(NEGLECTED)
    play.settle()
    claims = (c.Claim("ann", 1, Hand.BANKER),)
    play.report("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=claims)
    adjusted = play.of(e.RoundAdjusted, play.do(correcting("Kh 9d 4s Kc")))[0]
    assert [(each.before_cents, each.after_cents) for each in adjusted.lines] == [(10_000, 20_000)]


# ------------------------------------------------------------------------------------------- insurance not offered


def earlier(cards: str = NEGLECTED, on: str = "banker", **settings: Any) -> Play:
    """Ann's bet on a hand was settled in round 1, and round 2 has begun."""
    play = Play(TIGER, **settings).sit("ann").open(("ann", on, 10_000)).close().deal(cards)
    play.settle()
    return play.open()


def claiming(
    play: Play, hand: Hand = Hand.BANKER, window: Window | None = Window.FOUR_CARDS, by: c.Actor = MANAGER, **facts: Any
) -> c.Report:
    given = {"round": 1, "window": window, "claims": (c.Claim("ann", 1, hand),)} | facts
    return play.reporting("insurance-neglected", by, **given)


def test_da_hu_ying_xiong_5_13_a_claim_of_an_earlier_round_returns_what_was_lost() -> None:
    bet = Bet(1, "ann", "banker", Cents(10_000), None, True)
    lost = e.Adjustment(bet, Cents(0), Cents(10_000), Cents(10_000), "5.13")
    play = earlier()
    claims = (c.Claim("ann", 1, Hand.BANKER),)
    reason, cards = play.sheet.irregularities["insurance-neglected"].situation, parse_cards(NEGLECTED)
    assert list(play.do(claiming(play)))[1:] == [
        e.IncidentRuled(MANAGER, 1, Ruling.RETURN_ORIGINAL, "5.13"),
        e.InsuranceClaimed(MANAGER, 1, 1, Window.FOUR_CARDS, claims, "5.13"),
        e.RoundAdjusted(MANAGER, 1, (lost,), False, "5.13", reason, reverses=True, cards_before=cards),
        e.CaseClosed(MANAGER, 1),
    ]
    waiting = earlier()
    (_, asked) = waiting.do(claiming(waiting, by=DEALER))
    decides = waiting.sheet.irregularities["insurance-neglected"].decides
    assert asked == e.ApprovalAsked(DEALER, 1, decides, "5.13", (lost,), cards)
    without_record = decide(waiting.state, c.Decide(MANAGER, c.Decision.APPROVE))
    assert without_record == RoundNotSettled(1, rule="5.13")


def test_da_hu_ying_xiong_5_13_a_claim_returns_the_bet_of_the_claimant_alone() -> None:
    play = Play(TIGER).sit("bo", "ann").open(("bo", "banker", 20_000), ("ann", "banker", 10_000)).close()
    play.deal(NEGLECTED).settle()
    play.open()
    play.do(claiming(play, claims=(c.Claim("ann", 2, Hand.BANKER),)))
    assert [each.bet.patron for each in play.of(e.RoundAdjusted)[0].lines] == ["ann"]


def test_da_hu_ying_xiong_4_2_1_a_bet_that_a_tie_returned_has_lost_nothing() -> None:
    """Insurance is paid on a tie of 9, but the original bet went back already."""
    play = earlier("3s 6h Kd Kc 6s 3h", "player")
    events = play.do(claiming(play, Hand.PLAYER, Window.PLAYER_THIRD))
    assert [type(each) for each in events][-2:] == [e.InsuranceClaimed, e.CaseClosed]


def test_da_hu_ying_xiong_5_13_a_claim_that_moves_no_money_needs_no_second_person() -> None:
    play = earlier(BANKER_STANDS, second_person=True)
    events = play.do(claiming(play))
    assert [type(each) for each in events] == [e.IncidentReported, e.IncidentRuled, e.InsuranceClaimed, e.CaseClosed]
    moving = earlier(second_person=True)
    assert moving.of(e.ConfirmationAsked, moving.do(claiming(moving)))


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ({"round": 9}, RoundNotSettled(9, rule="5.13")),
        ({"window": None}, FactsMissing("insurance-neglected", ("window",), rule="5.13")),
        ({"claims": ()}, FactsMissing("insurance-neglected", ("claims",), rule="5.13")),
        ({"hand": Hand.PLAYER}, FactsContradict(Contradiction.NOT_NEGLECTED, hand=Hand.PLAYER, rule="5.13")),
        (
            {"claims": (c.Claim("ann", 2, Hand.BANKER),)},
            FactsContradict(Contradiction.NOT_NEGLECTED, hand=Hand.BANKER, rule="5.13"),
        ),
    ],
)
def test_da_hu_ying_xiong_5_13_a_claim_of_an_earlier_round_is_checked(facts: dict[str, Any], refusal: Refusal) -> None:
    play = earlier()
    hand = facts.pop("hand", Hand.BANKER)
    assert play.decide(claiming(play, hand, **facts)) == refusal


def test_da_hu_ying_xiong_5_13_nothing_was_on_offer_after_the_last_card() -> None:
    play = earlier(NATURAL, "player")
    refusal = FactsContradict(Contradiction.NOT_NEGLECTED, hand=Hand.PLAYER, rule="5.13")
    assert play.decide(claiming(play, Hand.PLAYER)) == refusal


def test_a_sheet_without_insurance_neglects_none() -> None:
    """Even if it rules what becomes of such a claim."""
    built_in = (Path(__file__).parents[2] / "src" / "punto" / "sheets" / "commission.toml").read_text(encoding="utf-8")
    ruling = 'id = "insurance-neglected"\nsituation = "No offer"\nruling = "return-original"\nrule = "5.12"\n'
    first = f'[[irregularities]]\n{ruling}decides = "pit-manager"\n\n[[irregularities]]'
    play = Play(built_in.replace("[[irregularities]]", first, 1), opened=False)
    play.do(c.OpenTable(SUPERVISOR, "t1", play.sheet.id, 8, Cents(2_500), Cents(100_000), layout="bean-9"))
    play.do(c.LoadShoe(DEALER))
    play.sit("ann").open(("ann", "banker", 10_000)).close().deal(NEGLECTED).settle()
    play.open()
    assert play.decide(claiming(play)) == FactsContradict(Contradiction.NO_INSURANCE, rule="5.12")


def test_commission_5_17_an_earlier_round_that_was_not_settled_is_not_reported() -> None:
    play = settled()
    play.open()
    assert play.decide(play.reporting("anything-else", round=9)) == RoundNotSettled(9, rule="5.17")
    play.report("anything-else", round=1)


def test_da_hu_ying_xiong_3_14_a_waived_window_was_not_neglected() -> None:
    play = Play(TIGER, face_down=True, live=True).sit("ann").open(("ann", "player", 10_000)).close()
    play.deal("2h 2d 3s Kc")
    play.do(c.AskSqueeze(ANN, "ann", c.SqueezeOf.BANKER_THIRD_FIRST))
    play.do(c.AnswerSqueeze(DEALER, True))
    for _ in range(2):
        play.do(c.Deal(DEALER))
    play.do(c.OpenCard(DEALER, 6, parse_cards("5d")[0]))
    play.do(c.OpenCard(DEALER, 5, parse_cards("4h")[0]))
    play.settle()
    play.open()
    waived = FactsContradict(Contradiction.WAIVED, rule="3.14")
    assert play.decide(claiming(play, Hand.PLAYER, Window.PLAYER_THIRD)) == waived
    assert play.state.phase is Phase.BETTING
    assert play.decide(claiming(play, Hand.PLAYER)) != waived


def test_an_insured_bet_was_not_neglected() -> None:
    play = Play(TIGER).sit("ann").open(("ann", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    play.do(c.Insure(ANN, "ann", 1, "banker-insurance", Cents(1_000)))
    play.deal("9h").settle()
    play.open()
    refusal = FactsContradict(Contradiction.NOT_NEGLECTED, hand=Hand.BANKER, rule="5.13")
    assert play.decide(claiming(play)) == refusal
