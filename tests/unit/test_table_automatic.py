"""An automatic table: which command comes next and when, and what ends a round that was interrupted."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.table import acts
from punto.table.automatic import AUTOMAT, StandingOrder, Step, Timing, next_step, pace, recovery_steps
from punto.table.state import new_table
from punto.table.values import Consent, Decision, Option, Spot, SqueezeOf
from tests.table_kit import BANKER_INSURABLE, BOTH_DRAW, NATURAL, SHIFT, SUPERVISOR, Play, patron

BETTING, CARD, INSURANCE, PAUSE, SQUEEZE = 10, 20, 30, 40, 50
DEAL = acts.Deal(AUTOMAT)


def timing(**changes: Any) -> Timing:
    times = {
        "betting_ms": BETTING,
        "card_ms": CARD,
        "insurance_ms": INSURANCE,
        "pause_ms": PAUSE,
        "squeeze_ms": SQUEEZE,
    }
    return Timing(**(times | changes))


def step(play: Play) -> Step | None:
    return next_step(play.state, timing())


def deal(play: Play, cards: int) -> Play:
    for _ in range(cards):
        play.do(DEAL)
    return play


@pytest.mark.parametrize("name", ["betting_ms", "card_ms", "insurance_ms", "pause_ms", "squeeze_ms"])
@pytest.mark.parametrize("value", [-1, 3_600_001, 1.0, True, "1"])
def test_a_time_is_from_nothing_to_an_hour(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{name} must be a whole number of milliseconds from 0 to an hour"):
        timing(**{name: value})
    for bound in (0, 3_600_000):
        timing(**{name: bound})


def test_a_round_from_its_call_to_the_next() -> None:
    play = Play("commission", shoe=None).sit("ann")
    assert step(play) == Step(0, None), "a shoe is asked for at once"
    play.do(acts.LoadShoe(AUTOMAT, parse_cards(f"{NATURAL} {BOTH_DRAW}")))
    expected = [
        Step(0, acts.OpenBets(AUTOMAT)),
        Step(BETTING, acts.CloseBets(AUTOMAT)),
        *[Step(CARD, DEAL)] * 4,
        Step(CARD, acts.Settle(AUTOMAT)),
        Step(PAUSE, acts.OpenBets(AUTOMAT)),
        Step(BETTING, acts.CloseBets(AUTOMAT)),
        *[Step(CARD, DEAL)] * 6,
        Step(CARD, acts.Settle(AUTOMAT)),
    ]
    for each in expected:
        assert step(play) == each
        assert each.command is not None
        play.do(each.command)
    assert step(play) == Step(PAUSE, None), "no card is left"


def test_nothing_is_next_while_the_table_is_closed_or_waits() -> None:
    assert next_step(new_table(load("commission")), timing()) is None
    play = Play("commission", shoe=NATURAL, face_down=True).sit("ann")
    play.do(acts.SuspendPlay(SUPERVISOR, "the lamp is broken"))
    assert step(play) is None
    play.do(acts.ResumePlay(SUPERVISOR))
    play.open(("ann", "player", 10_000)).close()
    play.do(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))
    play.report("other-dealing-error")
    assert step(play) is None, "not even an answer"


@pytest.mark.parametrize(
    ("bets", "wait_ms"),
    [
        ([], CARD),
        ([("ann", "tie", 2_500)], CARD),  # it cannot be insured
        ([("ann", "tie", 2_500), ("bo", "banker", 10_000)], INSURANCE),
        ([("ann", "player", 10_000)], INSURANCE),
    ],
)
def test_da_hu_ying_xiong_3_12_a_window_stays_open_for_who_could_insure(
    bets: list[tuple[str, str, int]], wait_ms: int
) -> None:
    play = Play("da-hu-ying-xiong", shoe=BANKER_INSURABLE).sit("ann", "bo").open(*bets).close()
    assert step(deal(play, 4)) == Step(wait_ms, DEAL)


def test_a_window_closes_when_all_who_could_insure_have_declined() -> None:
    play = Play("da-hu-ying-xiong", shoe=BANKER_INSURABLE).sit("ann", "bo")
    deal(play.open(("ann", "banker", 10_000), ("bo", "banker", 10_000)).close(), 4)
    play.do(acts.DeclineInsurance(patron("ann"), "ann"))
    assert step(play) == Step(INSURANCE, DEAL), "bo has not answered"
    play.do(acts.DeclineInsurance(patron("bo"), "bo"))
    assert step(play) == Step(CARD, DEAL)


def test_insurance_whose_bet_went_back_keeps_no_window_open() -> None:
    play = Play("da-hu-ying-xiong", shoe=BANKER_INSURABLE).sit("ann").open(("ann", "banker", 10_000)).close()
    deal(play, 4).do(acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(1_000)))
    play.report("anything-else")
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "misled", bets=(Spot(1, "ann", "banker"),)))
    assert step(play) == Step(CARD, DEAL)


def squeezing(shoe: str, what: SqueezeOf, dealt: int = 0) -> Play:
    """Ann asked for a squeeze."""
    play = Play("da-hu-ying-xiong", shoe=shoe, face_down=True, waiver_consent=Consent.ASK).sit("ann")
    deal(play.open(("ann", "player", 10_000)).close(), dealt)
    play.do(acts.AskSqueeze(patron("ann"), "ann", what))
    return play


def test_the_automat_grants_a_card_at_once_and_waits_for_who_squeezes_it() -> None:
    play = squeezing(BANKER_INSURABLE, SqueezeOf.CARD)
    assert step(play) == Step(0, acts.AnswerSqueeze(AUTOMAT, consent=True))
    play.do(acts.AnswerSqueeze(AUTOMAT, consent=True))
    assert step(play) == Step(CARD, DEAL)
    deal(play, 4)
    assert step(play) == Step(SQUEEZE, acts.OpenCard(AUTOMAT, 1))
    play.do(acts.PassSqueeze(patron("ann"), "ann", 1))
    assert step(play) == Step(CARD, acts.OpenCard(AUTOMAT, 1))


def test_the_later_of_two_closed_cards_is_opened_first() -> None:
    play = squeezing(BANKER_INSURABLE, SqueezeOf.CARD)
    play.do(acts.AnswerSqueeze(AUTOMAT, consent=True))
    deal(play, 1).do(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))
    play.do(acts.AnswerSqueeze(AUTOMAT, consent=True))
    later, earlier = (Step(SQUEEZE, acts.OpenCard(AUTOMAT, place)) for place in (2, 1))
    assert step(deal(play, 3)) == later
    before = pace(play.state)
    play.do(acts.OpenCard(patron("ann"), 2))
    assert step(play) == earlier, "each card that was granted has its patron's whole time"
    assert pace(play.state) != before


def test_what_starts_the_automats_time_anew() -> None:
    play = Play("commission", shoe=None, face_down=True).sit("ann", "bo")

    def anew(command: acts.Command) -> bool:
        before = pace(play.state)
        play.do(command)
        return pace(play.state) != before

    assert anew(acts.LoadShoe(AUTOMAT, parse_cards(NATURAL)))
    assert anew(acts.OpenBets(AUTOMAT))
    assert not anew(play.placing("ann", "player", 10_000))
    assert not anew(acts.Leave(patron("bo"), "bo"))
    assert anew(acts.CloseBets(AUTOMAT))
    assert not anew(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))
    assert not anew(acts.AnswerSqueeze(AUTOMAT, consent=True))
    assert anew(DEAL)
    assert anew(play.reporting("other-dealing-error"))
    assert anew(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    deal(play, 3)
    assert anew(acts.OpenCard(patron("ann"), 1))
    assert anew(acts.SuspendPlay(SUPERVISOR, "the lamp is broken"))
    assert anew(acts.Settle(AUTOMAT))


# ------------------------------------------------------------------------------------------- after an interruption


def test_at_a_live_table_play_goes_on_by_hand() -> None:
    play = Play("commission", shoe=BOTH_DRAW, live=True).sit("ann").open(("ann", "player", 10_000)).close()
    assert recovery_steps(deal(play, 6).state, timing(), StandingOrder.HOLD) == [acts.Recover(AUTOMAT)]
