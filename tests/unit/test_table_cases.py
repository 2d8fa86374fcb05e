"""Cases over cases: what lies under a proposal waits for its answer, and comes back when it is declined."""

from __future__ import annotations

import pytest

from punto.rules.cards import parse_cards
from punto.rules.money import Cents
from punto.table import acts
from punto.table.phases import Phase
from punto.table.values import Decision, Option, Waits
from tests.table_kit import DEALER, MANAGER, NATURAL, SUPERVISOR, Play, patron

DISPUTE = acts.Decide(MANAGER, Decision.DISPUTE, "it is ours")
APPROVE = acts.Decide(SUPERVISOR, Decision.APPROVE)


def waits(play: Play) -> Waits | None:
    assert play.state.phase is Phase.HELD
    return play.case.waits


def options_open() -> Play:
    play = Play("commission", second_person=True).sit("ann", "bo")
    play.open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal("2h 3d")
    play.report("other-dealing-error")
    return play


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


@pytest.mark.parametrize(
    ("game", "cards", "reported", "held"),
    [
        ("commission", "2h 3d", "other-dealing-error", False),
        ("commission", NATURAL, "anything-else", True),
        ("commission", NATURAL, "other-dealing-error", True),  # a second person is asked
        ("commission", NATURAL, "foreign-card", True),
        ("easy-six", NATURAL, "anything-else", True),
        ("easy-six", NATURAL, "foreign-card", True),
    ],
)
def test_what_becomes_of_a_held_round(game: str, cards: str, reported: str, held: bool) -> None:
    play = Play(game, second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal(cards)
    play.report(reported)
    if held:
        assert play.refused(acts.Recover(DEALER))[0] == "round-held"
    else:
        play.confirmed(acts.Recover(DEALER))
        assert play.of(acts.RoundVoided)
