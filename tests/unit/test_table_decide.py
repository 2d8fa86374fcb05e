"""The first checks of a command, and the commands of the round: by whom, when, for which round, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.rules.sheet import Device, Role
from punto.table import commands as c
from punto.table import events as e
from punto.table.decide import decide, refuse_authority
from punto.table.phases import Phase, Waits
from punto.table.refusals import (
    BetsClosed,
    BetsNotOpen,
    BurnPending,
    InsuranceClosed,
    NoChoiceOpen,
    NoInsurance,
    NotPermitted,
    NotYours,
    PlaySuspended,
    RaisePending,
    ReadingRepeated,
    RoundHeld,
    RoundMismatch,
    ShoeFinished,
    ShoeMissing,
    TableNotOpen,
    WrongPhase,
)
from punto.table.state import new_table
from tests.table_kit import DEALER, NATURAL, SHIFT, SUPERVISOR, Play, patron

ANN, BO = patron("ann"), patron("bo")


def betting(game: str = "commission", **settings: Any) -> Play:
    """Ann has 100.00 on Player, bo 200.00 on Banker."""
    return Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))


# ------------------------------------------------------------------------------------------- by whom and when


def test_commission_5_16_nobody_acts_for_another_patron() -> None:
    play = betting()
    theirs = c.RaiseBet(ANN, "bo", 2, "banker", Cents(100))
    assert play.decide(theirs) == NotYours(rule="5.16")
    play.do(c.RaiseBet(DEALER, "bo", 2, "banker", Cents(100)))
    recording = c.RecordBet(ANN, "bo", 2, "banker", Cents(100))
    assert play.decide(recording) == NotPermitted(Role.DEALER), "which is no command of patrons at all"
    assert not isinstance(play.do(c.ComeOnDuty(DEALER)), NotYours)
    assert play.decide(c.OpenCard(ANN, 1)) == WrongPhase("open-card", Phase.BETTING), "it names no patron"


def test_commission_1_11_a_position_gives_its_authority() -> None:
    play = betting().close()
    for actor in (DEALER, SUPERVISOR):
        play.do(c.ComeOnDuty(actor))
    assert refuse_authority(play.state, DEALER, c.AssignPosition) == NotPermitted(Role.PIT_SUPERVISOR)
    play.do(c.AssignPosition(SUPERVISOR, "dan", Role.PIT_SUPERVISOR))
    assert refuse_authority(play.state, DEALER, c.AssignPosition) is None
    (off,) = play.do(c.GoOffDuty(DEALER))
    assert off.by == c.Actor("dan", Role.PIT_SUPERVISOR, own=Role.DEALER)


PLACING = c.PlaceBet(ANN, "ann", 1, "player", Cents(10_000))
STAKING = c.PlaceBets(ANN, "ann", 1, (c.BetStake("player", Cents(10_000)),))
WITHDRAWING = c.WithdrawBet(ANN, "ann", 1, "player")
INSURING = c.Insure(ANN, "ann", 1, "banker-insurance", Cents(1_000))


def closed_table() -> Play:
    return Play("commission", opened=False)


def between_rounds() -> Play:
    return Play("commission").sit("ann")


def dealt(game: str = "commission", cards: str = NATURAL) -> Play:
    return betting(game).close().deal(cards)


def held() -> Play:
    play = dealt(cards="9h")
    play.report("other-dealing-error")
    return play


@pytest.mark.parametrize(
    ("play", "command", "refusal"),
    [
        (closed_table, c.OpenBets(DEALER), TableNotOpen()),
        (closed_table, PLACING, TableNotOpen()),
        (closed_table, INSURING, TableNotOpen()),
        (between_rounds, PLACING, BetsNotOpen("Place your Bets, please", rule="3.3")),
        (between_rounds, STAKING, BetsNotOpen("Place your Bets, please", rule="3.3")),
        (between_rounds, INSURING, InsuranceClosed(NoInsurance.NOT_IN_GAME, rule="3.7")),
        (between_rounds, c.CloseBets(DEALER), WrongPhase("close-bets", Phase.BETWEEN_ROUNDS)),
        (dealt, PLACING, BetsClosed("No more Bets", rule="5.6")),
        (dealt, STAKING, BetsClosed("No more Bets", rule="5.6")),
        (lambda: dealt("commission-insurance"), PLACING, BetsClosed("No more bets", rule="5.2")),
        (lambda: dealt("commission-insurance"), WITHDRAWING, BetsClosed("No more bets", rule="5.3")),
        (dealt, c.Deal(DEALER, parse_cards("7c")[0]), WrongPhase("deal", Phase.RESULT, "excess-card", rule="5.7")),
        (
            lambda: dealt("easy-six"),
            c.Deal(DEALER, parse_cards("7c")[0]),
            WrongPhase("deal", Phase.RESULT, "excess-card", rule=load("easy-six").play.table_of_play_rule),
        ),
        (held, c.Deal(DEALER, parse_cards("7c")[0]), RoundHeld(1, Waits.CHOICES, None)),
        (held, PLACING, RoundHeld(1, Waits.CHOICES, None)),
        (held, INSURING, RoundHeld(1, Waits.CHOICES, None)),
        (held, c.Settle(DEALER), RoundHeld(1, Waits.CHOICES, None)),
    ],
)
def test_what_is_not_legal_now_says_why(play: Callable[[], Play], command: c.Command, refusal: object) -> None:
    assert decide(play().state, command) == refusal


def test_a_reading_that_repeats_is_refused_before_all_else() -> None:
    play = betting().close()
    for reading, card in enumerate(parse_cards(NATURAL), 1):
        play.do(c.Deal(DEALER, card, reading))
    assert play.decide(c.Deal(DEALER, parse_cards("3c")[0], 4)) == ReadingRepeated(4)


def insurable() -> Play:
    return betting("da-hu-ying-xiong").close().deal("5h Kd 6s 6c")


@pytest.mark.parametrize(
    ("play", "command"),
    [
        (betting, c.PlaceBet(ANN, "ann", 1, "tie", Cents(2_500), round=2)),
        (betting, c.PlaceBets(ANN, "ann", 1, (c.BetStake("tie", Cents(2_500)),), round=2)),
        (betting, c.RaiseBet(ANN, "ann", 1, "player", Cents(100), round=2)),
        (betting, c.WithdrawBet(ANN, "ann", 1, "player", round=2)),
        (insurable, c.Insure(BO, "bo", 2, "banker-insurance", Cents(1_000), round=2)),
        (held, c.Choose(ANN, "ann", c.Option.CONTINUE, round=2)),
    ],
)
def test_a_command_for_another_round_is_refused(play: Callable[[], Play], command: Any) -> None:
    at = play()
    assert at.decide(command) == RoundMismatch(2, 1)
    at.do(replace(command, round=1))


def test_a_choice_for_a_round_that_is_over_is_refused() -> None:
    play = dealt()
    play.settle()
    play.report("anything-else")
    assert play.decide(c.Choose(ANN, "ann", c.Option.CONTINUE, 1)) == RoundMismatch(1, None)
    assert play.decide(c.Choose(ANN, "ann", c.Option.CONTINUE)) == NoChoiceOpen(rule="5.12")


# ------------------------------------------------------------------------------------------- the round


def opened(play: Play) -> e.Event:
    return play.do(c.OpenBets(DEALER))[-1]


def test_commission_3_3_a_round_opens_with_its_call() -> None:
    play = Play("commission")
    assert opened(play) == e.BetsOpened(DEALER, 1, 1, False, "Place your Bets, please", "3.3")
    play.close().deal(NATURAL).settle()
    play.do(c.CutCard(DEALER))
    assert opened(play) == e.BetsOpened(DEALER, 2, 1, True, "Place your Bets, please", "3.3")
    play.close().deal(NATURAL).settle()
    assert play.decide(c.OpenBets(DEALER)) == ShoeFinished(1)


def test_no_round_opens_without_a_shoe_or_while_play_is_suspended() -> None:
    play = Play("commission", shoe=None, live=True, burn=c.Burn.FIRST_CARD)
    play.do(c.SuspendPlay(SUPERVISOR, "the lamp is broken"))
    assert play.decide(c.OpenBets(DEALER)) == PlaySuspended("the lamp is broken")
    play.do(c.ResumePlay(SUPERVISOR))
    assert play.decide(c.OpenBets(DEALER)) == ShoeMissing()
    play.do(c.LoadShoe(DEALER))
    assert play.decide(c.OpenBets(DEALER)) == BurnPending()


def test_from_a_shuffler_every_round_has_a_full_set() -> None:
    play = Play("commission", live=True, device=Device.SHUFFLER).sit("ann").open().close().deal(NATURAL)
    play.settle()
    loaded, begun = play.do(c.OpenBets(DEALER))
    assert isinstance(loaded, e.ShoeLoaded)
    assert isinstance(begun, e.BetsOpened)
    assert (loaded.shoe, begun.shoe, begun.round) == (2, 2, 2)


def test_commission_5_2_bets_close_when_nobody_must_raise() -> None:
    """Bo was asked first, then ann; whoever walks away is not waited for."""
    play = Play("commission", live=True).sit("ann")
    play.do(c.Sit(BO, "bo", 8))
    play.open()
    for name, box in (("bo", 8), ("ann", 1)):
        play.do(c.RecordBet(DEALER, name, box, "player", Cents(2_000)))
        play.report("below-minimum", patron=name, box=box, on="player")
    assert play.decide(c.CloseBets(DEALER)) == RaisePending((1, 8), rule="5.2")
    play.do(c.Leave(BO, "bo"))
    assert play.decide(c.CloseBets(DEALER)) == RaisePending((1,), rule="5.2")
    play.do(c.RaiseBet(ANN, "ann", 1, "player", Cents(500)))
    (closed,) = play.do(c.CloseBets(DEALER))
    assert isinstance(closed, e.BetsClosed)
    assert (closed.round, closed.says, closed.rule) == (1, "No more Bets", "3.8")


@pytest.mark.parametrize(
    ("game", "on", "situation"), [("commission", "tie", "over-maximum"), ("easy-six", "banker", "excess-bets")]
)
def test_what_no_paragraph_settles_waits_for_a_decision(game: str, on: str, situation: str) -> None:
    """A side bet over its maximum, and a bet over the Differential where no rule scales it."""
    sides = (c.BetLimits("tie", Cents(0), Cents(5_000)),)
    play = Play(game, live=True, second_person=False, sides=sides).sit("ann").open()
    play.do(c.RecordBet(DEALER, "ann", 1, on, Cents(200_000)))
    play.close().deal(NATURAL)
    reported, referred = play.do(c.Settle(DEALER))
    assert isinstance(reported, e.IncidentReported)
    assert isinstance(referred, e.IncidentReferred)
    assert (reported.situation, referred.to) == (situation, Role.SHIFT_MANAGER)
    play.confirmed(c.Decide(SHIFT, c.Decision.CONTINUE, "let it stand"))
    assert [line.in_play_cents for line in play.settle().lines] == [200_000]


def test_commission_5_12_each_patron_chooses_for_themselves() -> None:
    play = held()
    ann = Bet(1, "ann", "player", Cents(10_000), None, True)
    assert play.do(c.Choose(ANN, "ann", c.Option.TAKE_BACK)) == (
        e.OptionChosen(ANN, 1, "ann", c.Option.TAKE_BACK, "5.12.3"),
        e.BetsReturned(ANN, 1, (e.Returned(ann, e.ReturnReason.OPTION, "5.12.3"),)),
    )
    assert play.decide(c.Choose(ANN, "ann", c.Option.CONTINUE)) == NoChoiceOpen(rule="5.12")
    assert play.do(c.Choose(BO, "bo", c.Option.CONTINUE)) == (
        e.OptionChosen(BO, 1, "bo", c.Option.CONTINUE, "5.12.1"),
        e.CaseClosed(BO, 1),
    )


def test_a_table_that_closes_keeps_what_is_on_it() -> None:
    assert Play("commission").do(c.CloseTable(SUPERVISOR)) == (e.TableClosed(SUPERVISOR, keeps=True),)
    assert decide(new_table(load("commission")), c.CloseTable(SUPERVISOR)) == TableNotOpen()
