"""Cases over cases: what lies under a proposal waits for its answer, and comes back when it is declined."""

from __future__ import annotations

from typing import Any

import pytest

from punto.cli.narrate import describe
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.loader import GAMES
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table.phases import Phase
from punto.table.refusals import ShoeFinished
from punto.table.values import Decision, Option, SqueezeOf, Waits
from tests.rulebook.rights import CASINO
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

DISPUTE = acts.Decide(MANAGER, Decision.DISPUTE, "it is ours")
APPROVE = acts.Decide(SUPERVISOR, Decision.APPROVE)
THREE_IN_A_NATURAL: dict[str, Any] = {
    "hand": Hand.PLAYER,
    "hand_count": 3,
    "reconstructible": False,
    "note": "three cards",
}


def waits(play: Play) -> Waits | None:
    assert play.state.phase is Phase.HELD
    return play.case.waits


def options_open() -> Play:
    play = Play("commission", second_person=True).sit("ann", "bo")
    play.open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal("2h 3d")
    play.report("other-dealing-error")
    return play


def test_a_disputed_void_leaves_the_options_open() -> None:
    play = options_open()
    play.report("foreign-card")
    play.do(DISPUTE)
    assert waits(play) is Waits.CHOICES
    assert (play.case.number, play.case.patrons) == (1, ("ann", "bo"))
    for name in ("ann", "bo"):
        play.do(acts.Choose(patron(name), name, Option.CONTINUE))
    assert play.state.phase is Phase.INITIAL_CARDS
    assert [event.case for event in play.of(acts.CaseClosed)] == [2, 1]
    play.replays()


def test_a_void_closes_the_previous_case() -> None:
    play = options_open()
    play.report("foreign-card")
    play.do(APPROVE)
    assert (play.state.phase, play.state.case) == (Phase.BETWEEN_ROUNDS, None)
    assert [event.case for event in play.of(acts.CaseClosed)] == [2, 1]
    play.replays()


def test_a_case_does_not_wait_for_patrons_who_left_during_a_proposal() -> None:
    play = options_open()
    play.report("foreign-card")
    for name in ("ann", "bo"):
        play.do(acts.Leave(patron(name), name))
    assert waits(play) is Waits.CONFIRMATION
    play.do(DISPUTE)
    assert (play.state.phase, play.state.case) == (Phase.INITIAL_CARDS, None)
    play.replays()


def test_a_declined_decision_is_referred_again() -> None:
    play = Play("easy-six", second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal("2h 3d")
    play.report("anything-else")
    play.do(acts.Decide(SHIFT, Decision.VOID, "bad cards"))
    play.do(acts.Decide(CASINO, Decision.DECLINE, "they are not"))
    assert waits(play) is Waits.DECISION
    assert play.refused(acts.Decide(DEALER, Decision.CONTINUE, "go on"))[0] == "not-permitted"
    play.do(acts.Decide(SHIFT, Decision.CONTINUE, "go on"))
    assert play.state.phase is Phase.INITIAL_CARDS
    play.replays()


def test_a_declined_correction_leaves_the_gap_open() -> None:
    play = Play("commission", second_person=True).sit("ann").open(("ann", "player", 10_000)).close()
    two, three, nine, king = parse_cards("2h 3d 9h Kh")
    for reading, card in ((1, two), (2, three), (4, nine)):
        play.do(acts.Deal(DEALER, card, reading))
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("2h 3d 4c 9h"), "looked"))
    play.do(acts.Decide(MANAGER, Decision.DECLINE, "it was the 5c"))
    assert waits(play) is Waits.CORRECTION
    assert play.refused(acts.Deal(DEALER, king, 5))[0] == "round-held"
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("2h 3d 5c 9h"), "looked again"))
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    assert play.cards == parse_cards("2h 3d 5c 9h")
    play.replays()


def test_a_window_and_a_result_are_announced_after_a_disputed_void() -> None:
    play = Play("da-hu-ying-xiong", second_person=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("5h Kd").report("simultaneous-cards", cards="6s 6c")
    play.do(acts.Decide(SUPERVISOR, Decision.ORDER, "", parse_cards("6s 6c")))
    play.report("foreign-card")
    play.do(DISPUTE)
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    assert play.state.phase is Phase.FIRST_WINDOW
    play.do(acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(1_000)))

    play = Play("commission", second_person=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("9h 2c").report("simultaneous-cards", cards="Kd 3c")
    play.do(acts.Decide(SUPERVISOR, Decision.ORDER, "", parse_cards("Kd 3c")))
    play.report("foreign-card")
    play.do(DISPUTE)
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    assert len(play.of(acts.ResultDeclared)) == 1
    assert play.settle().cards == parse_cards(NATURAL)
    play.replays()


# ------------------------------------------------------------------------------------------- walking away


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reported", [True, False])
def test_a_patron_who_walks_away_keeps_the_place_until_the_round_ends(game: str, reported: bool) -> None:
    play = Play(game).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal("2h 3d")
    went = play.report("walk-away", patron="ann") if reported else play.do(acts.Leave(patron("ann"), "ann"))
    left = play.of(acts.PatronLeft, went)[0]
    assert next(iter(describe(left, play.sheet, "en"))).startswith("ann leaves; the bets stay and are settled")
    assert play.round.away == {"ann"}
    assert play.refused(acts.Sit(patron("cy"), "cy", 1))[0] == "box-taken"
    assert play.refused(play.reporting("walk-away", patron="ann"))[0] == "facts-contradict"
    play.report("foreign-card")
    assert play.state.seats == {2: "bo"}
    play.replays()


def test_who_comes_back_to_the_own_seat_sits_there_and_nowhere_else() -> None:
    play = Play("easy-six").sit("ann", "bo").open(("ann", "player", 10_000)).close().deal("2h 3d")
    play.do(acts.Leave(patron("ann"), "ann"))
    assert play.refused(acts.Stand(patron("ann"), "ann", 1))[0] == "already-there"
    play.do(acts.Stand(patron("ann"), "ann", 2))
    assert play.refused(acts.Sit(patron("ann"), "ann", 3))[0] == "already-there"
    assert play.state.sits_at("ann") == 1
    play.replays()


# ------------------------------------------------------------------------------------------- voids and what is known


def test_a_settled_round_without_bets_can_be_voided_only_once() -> None:
    play = Play("commission").open().close().deal(NATURAL)
    play.settle()
    wrong = play.reporting("wrong-number-of-cards", **THREE_IN_A_NATURAL)
    adjusted = play.of(acts.RoundAdjusted, play.do(wrong))[0]
    assert (adjusted.lines, adjusted.void) == ((), True)
    assert play.refused(wrong)[0] == "facts-contradict"
    play.replays()


# ------------------------------------------------------------------------------------------- what a refusal says


def test_an_open_case_takes_precedence_over_closed_bets() -> None:
    play = options_open()
    assert play.refused(play.placing("ann", "banker", 10_000))[0] == "round-held"


def test_a_shoe_out_of_play_has_no_rounds_and_no_cut_card() -> None:
    play = Play("commission")
    play.do(acts.ReplaceShoe(DEALER, "worn"))
    refusal = play.decide(acts.OpenBets(DEALER))
    assert isinstance(refusal, Refusal)
    assert refusal == ShoeFinished(1)
    assert play.refused(acts.CutCard(DEALER))[0] == "shoe-missing"


def test_a_squeeze_request_ends_when_its_patron_takes_the_bets_back() -> None:
    play = Play("commission", face_down=True).sit("ann", "bo")
    play.open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close()
    play.do(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))
    play.report("other-dealing-error")
    play.do(acts.Choose(patron("ann"), "ann", Option.TAKE_BACK))
    play.do(acts.Choose(patron("bo"), "bo", Option.CONTINUE))
    assert play.refused(acts.AnswerSqueeze(DEALER, True))[0] == "squeeze-not-asked"
    play.do(acts.AskSqueeze(patron("bo"), "bo", SqueezeOf.CARD))
    play.replays()
