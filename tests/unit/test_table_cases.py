"""Cases over cases: what lies under a proposal waits for its answer, and comes back when it is declined."""

from __future__ import annotations

import pytest

from punto.cli.narrate import tell
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.loader import GAMES
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table import commands as c
from punto.table import events as e
from punto.table.phases import Phase
from punto.table.refusals import TableCode
from punto.table.state import Waits
from tests.table_kit import DEALER, NATURAL, SHIFT, SUPERVISOR, Play, patron

DECLINE = c.Decide(SUPERVISOR, c.Decision.DECLINE, "it is ours")
APPROVE = c.Decide(SUPERVISOR, c.Decision.APPROVE)


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


def test_a_void_that_goes_through_closes_what_lay_under_it() -> None:
    play = options_open()
    play.report("foreign-card")
    play.do(APPROVE)
    assert (play.state.phase, play.state.case) == (Phase.BETWEEN_ROUNDS, None)
    assert [event.case for event in play.of(e.CaseClosed)] == [2, 1]
    play.replays()


def test_nothing_waits_for_patrons_who_left_while_a_void_was_proposed() -> None:
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
    assert play.refused(c.Report(DEALER, "not-shuffled"))[0] is TableCode.ROUND_HELD


def test_a_declined_decision_is_referred_again() -> None:
    play = Play("easy-six", second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal("2h 3d")
    play.report("anything-else")
    play.do(c.Decide(SHIFT, c.Decision.VOID, "bad cards"))
    play.do(c.Decide(DEALER, c.Decision.DECLINE, "they are not"))
    assert waits(play) is Waits.DECISION
    assert play.refused(c.Decide(DEALER, c.Decision.CONTINUE, "go on"))[0] is TableCode.NOT_PERMITTED
    play.do(c.Decide(SHIFT, c.Decision.CONTINUE, "go on"))
    assert play.state.phase is Phase.INITIAL_CARDS
    play.replays()


def test_a_declined_correction_leaves_the_gap_open() -> None:
    play = Play("commission", second_person=True).sit("ann").open(("ann", "player", 10_000)).close()
    two, three, nine, king = parse_cards("2h 3d 9h Kh")
    for reading, card in ((1, two), (2, three), (4, nine)):
        play.do(c.Deal(DEALER, card, reading))
    play.do(c.CorrectCards(SUPERVISOR, parse_cards("2h 3d 4c 9h"), "looked"))
    play.do(c.Decide(DEALER, c.Decision.DECLINE, "it was the 5c"))
    assert waits(play) is Waits.CORRECTION
    assert play.refused(c.Deal(DEALER, king, 5))[0] is TableCode.ROUND_HELD
    play.do(c.CorrectCards(SUPERVISOR, parse_cards("2h 3d 5c 9h"), "looked again"))
    play.do(c.Decide(DEALER, c.Decision.APPROVE))
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
def test_whoever_walks_away_from_bets_keeps_the_place_until_the_round_ends(game: str, reported: bool) -> None:
    play = Play(game).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal("2h 3d")
    went = play.report("walk-away", patron="ann") if reported else play.do(c.Leave(patron("ann"), "ann"))
    left = play.of(e.PatronLeft, went)[0]
    assert next(iter(tell(left))).startswith("ann leaves; the bets stay and are settled")
    assert play.state.round is not None
    assert play.state.round.away == {"ann"}
    assert play.refused(c.Sit(patron("cy"), "cy", 1))[0] is TableCode.BOX_TAKEN
    assert play.refused(play.reporting("walk-away", patron="ann"))[0] is TableCode.FACTS_CONTRADICT
    play.report("foreign-card")
    assert play.state.seats == {2: "bo"}
    play.replays()


# ------------------------------------------------------------------------------------------- voids and what is known


@pytest.mark.parametrize("game", GAMES)
def test_a_round_that_can_be_finished_has_cards_enough(game: str) -> None:
    play = Play(game).sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    enough = c.Report(DEALER, "not-enough-cards")
    assert play.refused(enough) == (TableCode.FACTS_CONTRADICT, play.sheet.play.table_of_play_rule)
    play = Play(game, shoe=NATURAL).sit("ann").open(("ann", "player", 10_000)).close()
    assert play.refused(enough)[0] is TableCode.FACTS_CONTRADICT
    play = Play(game, shoe="2h 2d Ks Kc 4h").sit("ann").open(("ann", "player", 10_000)).close()
    play.do(enough)
    assert play.of(e.RoundVoided)


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_without_cards_has_no_wrong_number_of_them(game: str) -> None:
    play = Play(game).sit("ann")
    wrong = play.reporting("wrong-number-of-cards", reconstructible=False, note="three cards")
    late = play.sheet.irregularities["late-error"].rule
    assert play.refused(wrong)[0] is TableCode.FACTS_CONTRADICT
    play.open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.settle()
    play.open(("ann", "player", 10_000))
    assert play.refused(wrong) == (TableCode.FACTS_CONTRADICT, late)
    play.close()
    excess = play.reporting("excess-card", cards="9h", reconstructible=False, hand=Hand.PLAYER, note="burnt")
    assert play.refused(excess)[0] is TableCode.FACTS_CONTRADICT


def test_a_settled_round_without_bets_is_void_once() -> None:
    play = Play("commission").open().close().deal(NATURAL)
    play.settle()
    wrong = play.reporting("wrong-number-of-cards", reconstructible=False, note="three cards")
    adjusted = play.of(e.RoundAdjusted, play.do(wrong))[0]
    assert (adjusted.lines, adjusted.void) == ((), True)
    assert play.refused(wrong)[0] is TableCode.FACTS_CONTRADICT
    play.replays()


# ------------------------------------------------------------------------------------------- options


def test_a_reconstructed_hand_is_reconstructed_before_it_is_offered() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal("2h 3d")
    error = "other-dealing-error"
    assert play.refused(play.reporting(error, reconstructible=True))[0] is TableCode.FACTS_MISSING
    other = play.reporting(error, cards="3d 9c", reconstructible=True)
    assert play.refused(other)[0] is TableCode.FACTS_CONTRADICT
    play.report(error, cards="3d 2h 9c", reconstructible=True)
    assert play.cards == parse_cards("3d 2h 9c")
    offered = play.of(e.OptionsOffered)[0]
    chosen = play.of(e.OptionChosen, play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE)))[0]
    assert offered.reconstructed
    assert chosen.rule == offered.continue_rule == "5.12.2"
    play.replays()


# ------------------------------------------------------------------------------------------- what a refusal says


def test_an_open_case_comes_before_closed_bets() -> None:
    play = options_open()
    assert play.refused(play.placing("ann", "banker", 10_000))[0] is TableCode.ROUND_HELD


def test_no_card_is_face_up_before_one_lies() -> None:
    play = Play("commission", face_down=True).sit("ann").open(("ann", "player", 10_000)).close()
    assert play.refused(c.Report(DEALER, "dealt-face-up")) == (TableCode.FACTS_CONTRADICT, "5.9")


def test_a_shoe_out_of_play_has_no_rounds_and_no_cut_card() -> None:
    play = Play("commission")
    play.do(c.ReplaceShoe(DEALER, "worn"))
    refusal = play.decide(c.OpenBets(DEALER))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.message) == (TableCode.SHOE_FINISHED, "shoe 1 is out of play: load a new one")
    assert play.refused(c.CutCard(DEALER))[0] is TableCode.SHOE_MISSING


def test_the_highest_bet_is_of_those_who_are_there() -> None:
    play = Play("commission", face_down=True).sit("ann", "bo")
    play.open(("ann", "banker", 10_000), ("bo", "player", 5_000)).close()
    ask = c.AskSqueeze(patron("bo"), "bo", c.SqueezeOf.CARD)
    assert play.refused(ask)[0] is TableCode.SQUEEZE_NOT_HIGHEST
    play.do(c.Leave(patron("ann"), "ann"))
    play.do(ask)


def test_a_squeeze_asked_by_one_who_took_the_bets_back_is_asked_no_more() -> None:
    play = Play("commission", face_down=True).sit("ann", "bo")
    play.open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close()
    play.do(c.AskSqueeze(patron("ann"), "ann", c.SqueezeOf.CARD))
    play.report("other-dealing-error")
    play.do(c.Choose(patron("ann"), "ann", c.Option.TAKE_BACK))
    play.do(c.Choose(patron("bo"), "bo", c.Option.CONTINUE))
    assert play.refused(c.AnswerSqueeze(DEALER, True))[0] is TableCode.SQUEEZE_NOT_ASKED
    play.do(c.AskSqueeze(patron("bo"), "bo", c.SqueezeOf.CARD))
    play.replays()
