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
from punto.table import commands as c
from punto.table import events as e
from punto.table.automatic import AUTOMAT
from punto.table.evolve import evolve
from punto.table.phases import Phase, Waits
from punto.table.refusals import ShoeFinished
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

DECLINE = c.Decide(SUPERVISOR, c.Decision.DECLINE, "it is ours")
APPROVE = c.Decide(SUPERVISOR, c.Decision.APPROVE)
THREE_IN_A_NATURAL: dict[str, Any] = {
    "hand": Hand.PLAYER,
    "hand_count": 3,
    "reconstructible": False,
    "note": "three cards",
}


def waits(play: Play) -> Waits | None:
    assert play.state.case is not None
    assert play.state.phase is Phase.HELD
    return play.state.case.waits


def options_open() -> Play:
    play = Play("commission", second_person=True).sit("ann", "bo")
    play.open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal("2h 3d")
    play.report("other-dealing-error")
    return play


def test_a_declined_void_leaves_the_options_open() -> None:
    play = options_open()
    play.report("foreign-card")
    play.do(DECLINE)
    assert waits(play) is Waits.CHOICES
    assert play.state.case is not None
    assert (play.state.case.number, play.state.case.patrons) == (1, ("ann", "bo"))
    for name in ("ann", "bo"):
        play.do(c.Choose(patron(name), name, c.Option.CONTINUE))
    assert play.state.phase is Phase.INITIAL_CARDS
    assert [event.case for event in play.of(e.CaseClosed)] == [2, 1]
    play.replays()


def test_a_void_closes_the_previous_case() -> None:
    play = options_open()
    play.report("foreign-card")
    play.do(APPROVE)
    assert (play.state.phase, play.state.case) == (Phase.BETWEEN_ROUNDS, None)
    assert [event.case for event in play.of(e.CaseClosed)] == [2, 1]
    play.replays()


def test_a_case_does_not_wait_for_patrons_who_left_during_a_proposal() -> None:
    play = options_open()
    play.report("foreign-card")
    for name in ("ann", "bo"):
        play.do(c.Leave(patron(name), name))
    assert waits(play) is Waits.CONFIRMATION
    play.do(DECLINE)
    assert (play.state.phase, play.state.case) == (Phase.INITIAL_CARDS, None)
    play.replays()


def test_one_proposal_at_a_time() -> None:
    play = options_open()
    play.report("foreign-card")
    assert play.refused(c.Report(DEALER, "not-shuffled"))[0] == "round-held"


def test_a_declined_decision_is_referred_again() -> None:
    play = Play("easy-six", second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal("2h 3d")
    play.report("anything-else")
    play.do(c.Decide(SHIFT, c.Decision.VOID, "bad cards"))
    play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, "they are not"))
    assert waits(play) is Waits.DECISION
    assert play.refused(c.Decide(DEALER, c.Decision.CONTINUE, "go on"))[0] == "not-permitted"
    play.do(c.Decide(SHIFT, c.Decision.CONTINUE, "go on"))
    assert play.state.phase is Phase.INITIAL_CARDS
    play.replays()


def test_a_declined_correction_leaves_the_gap_open() -> None:
    play = Play("commission", second_person=True).sit("ann").open(("ann", "player", 10_000)).close()
    two, three, nine, king = parse_cards("2h 3d 9h Kh")
    for reading, card in ((1, two), (2, three), (4, nine)):
        play.do(c.Deal(DEALER, card, reading))
    play.do(c.CorrectCards(SUPERVISOR, parse_cards("2h 3d 4c 9h"), "looked"))
    play.do(c.Decide(MANAGER, c.Decision.DECLINE, "it was the 5c"))
    assert waits(play) is Waits.CORRECTION
    assert play.refused(c.Deal(DEALER, king, 5))[0] == "round-held"
    play.do(c.CorrectCards(SUPERVISOR, parse_cards("2h 3d 5c 9h"), "looked again"))
    play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    assert play.cards == parse_cards("2h 3d 5c 9h")
    play.replays()


def test_a_window_and_a_result_are_announced_after_a_declined_void() -> None:
    play = Play("da-hu-ying-xiong", second_person=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("5h Kd").report("simultaneous-cards", cards="6s 6c")
    play.do(c.Decide(SUPERVISOR, c.Decision.ORDER, "", parse_cards("6s 6c")))
    play.report("foreign-card")
    play.do(DECLINE)
    play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE))
    assert play.state.phase is Phase.FIRST_WINDOW
    play.do(c.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(1_000)))

    play = Play("commission", second_person=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("9h 2c").report("simultaneous-cards", cards="Kd 3c")
    play.do(c.Decide(SUPERVISOR, c.Decision.ORDER, "", parse_cards("Kd 3c")))
    assert play.state.case is not None
    play.report("foreign-card")
    play.do(DECLINE)
    play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE))
    assert len(play.of(e.ResultDeclared)) == 1
    assert play.settle().cards == parse_cards(NATURAL)
    play.replays()


# ------------------------------------------------------------------------------------------- walking away


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reported", [True, False])
def test_a_patron_who_walks_away_keeps_the_place_until_the_round_ends(game: str, reported: bool) -> None:
    play = Play(game).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal("2h 3d")
    went = play.report("walk-away", patron="ann") if reported else play.do(c.Leave(patron("ann"), "ann"))
    left = play.of(e.PatronLeft, went)[0]
    assert next(iter(describe(left, play.sheet, "en"))).startswith("ann leaves; the bets stay and are settled")
    assert play.state.round is not None
    assert play.state.round.away == {"ann"}
    assert play.refused(c.Sit(patron("cy"), "cy", 1))[0] == "box-taken"
    assert play.refused(play.reporting("walk-away", patron="ann"))[0] == "facts-contradict"
    play.report("foreign-card")
    assert play.state.seats == {2: "bo"}
    play.replays()


def test_who_comes_back_to_the_own_seat_sits_there_and_nowhere_else() -> None:
    play = Play("easy-six").sit("ann", "bo").open(("ann", "player", 10_000)).close().deal("2h 3d")
    play.do(c.Leave(patron("ann"), "ann"))
    assert play.refused(c.Stand(patron("ann"), "ann", 1))[0] == "already-there"
    play.do(c.Stand(patron("ann"), "ann", 2))
    assert play.refused(c.Sit(patron("ann"), "ann", 3))[0] == "already-there"
    assert play.state.sits_at("ann") == 1
    play.replays()


def test_a_log_in_which_somebody_stood_behind_the_own_seat_shows_one_seat() -> None:
    play = Play("easy-six").sit("ann", "bo")
    state = evolve(evolve(play.state, e.PatronStood(AUTOMAT, "ann", 2)), e.PatronStood(AUTOMAT, "ann", 1))
    assert state.sits_at("ann") == 1


# ------------------------------------------------------------------------------------------- voids and what is known


@pytest.mark.parametrize("game", GAMES)
def test_not_enough_cards_is_refused_if_the_round_can_finish(game: str) -> None:
    play = Play(game).sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    enough = c.Report(DEALER, "not-enough-cards")
    assert play.refused(enough) == ("facts-contradict", play.sheet.play.table_of_play_rule)
    play = Play(game, shoe=NATURAL).sit("ann").open(("ann", "player", 10_000)).close()
    assert play.refused(enough)[0] == "facts-contradict"
    play = Play(game, shoe="2h 2d Ks Kc 4h").sit("ann").open(("ann", "player", 10_000)).close()
    play.do(c.CutCard(DEALER))
    play.do(enough)
    assert play.of(e.RoundVoided)


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_number_of_cards_needs_a_card(game: str) -> None:
    play = Play(game).sit("ann")
    wrong = play.reporting("wrong-number-of-cards", **THREE_IN_A_NATURAL)
    late = play.sheet.irregularities["late-error"].rule
    assert play.refused(wrong)[0] == "facts-contradict"
    play.open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.settle()
    play.open(("ann", "player", 10_000))
    assert play.refused(wrong) == ("facts-contradict", late)
    play.close()
    excess = play.reporting("excess-card", cards="9h", **THREE_IN_A_NATURAL)
    assert play.refused(excess)[0] == "facts-contradict"


def test_a_settled_round_without_bets_can_be_voided_only_once() -> None:
    play = Play("commission").open().close().deal(NATURAL)
    play.settle()
    wrong = play.reporting("wrong-number-of-cards", **THREE_IN_A_NATURAL)
    adjusted = play.of(e.RoundAdjusted, play.do(wrong))[0]
    assert (adjusted.lines, adjusted.void) == ((), True)
    assert play.refused(wrong)[0] == "facts-contradict"
    play.replays()


# ------------------------------------------------------------------------------------------- options


def test_cards_are_reconstructed_before_options_are_offered() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal("2h 3d")
    error = "other-dealing-error"
    assert play.refused(play.reporting(error, reconstructible=True))[0] == "facts-missing"
    other = play.reporting(error, cards="3d 9c", reconstructible=True)
    assert play.refused(other)[0] == "facts-contradict"
    play.report(error, cards="3d 2h 9c", reconstructible=True)
    assert play.cards == parse_cards("3d 2h 9c")
    offered = play.of(e.OptionsOffered)[0]
    chosen = play.of(e.OptionChosen, play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE)))[0]
    assert offered.reconstructed
    assert chosen.rule == offered.continue_rule == "5.12.2"
    play.replays()


# ------------------------------------------------------------------------------------------- what a refusal says


def test_an_open_case_takes_precedence_over_closed_bets() -> None:
    play = options_open()
    assert play.refused(play.placing("ann", "banker", 10_000))[0] == "round-held"


def test_face_up_cannot_be_reported_before_the_first_card() -> None:
    play = Play("commission", face_down=True).sit("ann").open(("ann", "player", 10_000)).close()
    assert play.refused(c.Report(DEALER, "dealt-face-up")) == ("facts-contradict", "5.9")


def test_a_shoe_out_of_play_has_no_rounds_and_no_cut_card() -> None:
    play = Play("commission")
    play.do(c.ReplaceShoe(DEALER, "worn"))
    refusal = play.decide(c.OpenBets(DEALER))
    assert isinstance(refusal, Refusal)
    assert refusal == ShoeFinished(1)
    assert play.refused(c.CutCard(DEALER))[0] == "shoe-missing"


def test_the_highest_bet_is_among_present_patrons() -> None:
    play = Play("commission", face_down=True).sit("ann", "bo")
    play.open(("ann", "banker", 10_000), ("bo", "player", 5_000)).close()
    ask = c.AskSqueeze(patron("bo"), "bo", c.SqueezeOf.CARD)
    assert play.refused(ask)[0] == "squeeze-not-highest"
    play.do(c.Leave(patron("ann"), "ann"))
    play.do(ask)


def test_a_squeeze_request_ends_when_its_patron_takes_the_bets_back() -> None:
    play = Play("commission", face_down=True).sit("ann", "bo")
    play.open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close()
    play.do(c.AskSqueeze(patron("ann"), "ann", c.SqueezeOf.CARD))
    play.report("other-dealing-error")
    play.do(c.Choose(patron("ann"), "ann", c.Option.TAKE_BACK))
    play.do(c.Choose(patron("bo"), "bo", c.Option.CONTINUE))
    assert play.refused(c.AnswerSqueeze(DEALER, True))[0] == "squeeze-not-asked"
    play.do(c.AskSqueeze(patron("bo"), "bo", c.SqueezeOf.CARD))
    play.replays()
