"""Changes of recorded cards, voids and adjustments at a live table need two people, and the second is no Dealer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.phases import Phase
from punto.table.rulings.decide import decisions_for
from punto.table.values import Decision, Facts, Waits
from tests.rulebook.playing import MIXED_UP
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play

OTHER_DEALER = Actor("dora", Role.DEALER)
APPROVE = Decision.APPROVE
SWAPPED = "2c 9h 3c Kd"
"""The two hands of `NATURAL` in each other's place."""


def live(cards: str = "", game: str = "commission", **settings: Any) -> Play:
    play = Play(game, live=True, second_person=True, **settings).sit("ann", "bo")
    return play.open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal(cards)


def waits(play: Play) -> Waits | None:
    return play.state.case.waits if play.state.case else None


# ------------------------------------------------------------------------------------------- what waits


PROPOSALS: dict[str, tuple[str, acts.Command]] = {
    "5.5.1-void": ("9h", acts.Report(DEALER, "foreign-card")),
    "5.5.3-void": (NATURAL, acts.Report(DEALER, "wrong-number-of-cards", Facts(**MIXED_UP))),
    "5.7-both-hands-swapped": (NATURAL, acts.Report(DEALER, "excess-card", Facts(parse_cards(SWAPPED), True))),
    "5.7-cards-never-keyed": ("9h 2c", acts.Report(DEALER, "excess-card", Facts(parse_cards(NATURAL), True))),
    "5.8-wrong-area": (NATURAL, acts.Report(DEALER, "wrong-area", Facts(parse_cards(SWAPPED), True))),
    "5.12-reconstructed": ("9h 2c", acts.Report(DEALER, "other-dealing-error", Facts(parse_cards("2c 9h"), True))),
    "5.4.2-void": ("9h", acts.Recover(DEALER)),
}


@pytest.mark.parametrize(("cards", "proposal"), PROPOSALS.values(), ids=[f"commission-{key}" for key in PROPOSALS])
def test_what_is_declined_or_disputed_leaves_no_trace_and_asks_again_when_it_comes_again(
    cards: str, proposal: acts.Command
) -> None:
    play = live(cards)
    before = play.state
    for _ in range(2):
        play.do(proposal)
        decision = next(each for each in decisions_for(play.state) if each is not APPROVE)
        play.do(acts.Decide(MANAGER, decision, "I see no such thing"))
        assert play.state._replace(cases=0) == before._replace(cases=0)
    play.do(proposal)
    assert play.refused(acts.Decide(OTHER_DEALER, APPROVE))[0] == "not-permitted"
    play.do(acts.Decide(MANAGER, APPROVE))


# ------------------------------------------------------------------------------------------- who is the second


def test_commission_5_10_who_reported_the_cards_does_not_order_them_alone() -> None:
    order = acts.Decide(SUPERVISOR, Decision.ORDER, "", parse_cards("Kd 3c"))
    play = live("9h 2c")
    play.report("simultaneous-cards", DEALER, cards="3c Kd")
    play.do(order)
    assert play.cards == parse_cards(NATURAL)
    play = live("9h 2c")
    play.report("simultaneous-cards", SUPERVISOR, cards="3c Kd")
    play.do(order)
    assert (waits(play), play.cards) == (Waits.CONFIRMATION, parse_cards("9h 2c"))
    play.do(acts.Decide(MANAGER, Decision.DECLINE, "the king was second"))
    assert waits(play) is Waits.ORDER
    play.do(replace(order, by=MANAGER))
    assert play.cards == parse_cards(NATURAL)
    play.replays()


def test_a_house_may_ask_for_a_higher_role() -> None:
    play = live("9h", second_role=Role.PIT_MANAGER)
    play.report("foreign-card")
    assert play.refused(acts.Decide(SUPERVISOR, APPROVE))[0] == "not-permitted"
    play.do(acts.Decide(MANAGER, APPROVE))
    assert play.state.phase is Phase.BETWEEN_ROUNDS
    play = live("9h 2c", second_role=Role.PIT_MANAGER)
    play.report("simultaneous-cards", cards="3c Kd")
    play.do(acts.Decide(SUPERVISOR, Decision.ORDER, "", parse_cards("Kd 3c")))
    assert waits(play) is Waits.CONFIRMATION, "the order is the Supervisor's to say, and the house wants a Manager too"


# ------------------------------------------------------------------------------------------- the card keyed last


def correction(cards: str) -> acts.CorrectCards:
    return acts.CorrectCards(SUPERVISOR, parse_cards(cards), "keyed wrongly")


@pytest.mark.parametrize("cards", ["9h 2c", "9h 2c 3c Kd", "8h 2c Kd 3c", "9h 2c Kd 3c 7s", ""])
def test_anything_else_than_the_last_card_waits(cards: str) -> None:
    play = live(NATURAL)
    play.do(correction(cards))
    assert (waits(play), play.cards) == (Waits.CONFIRMATION, parse_cards(NATURAL))


def test_the_last_card_waits_after_a_change_of_the_cards() -> None:
    play = live("9h 2c Kd")
    play.report("excess-card", cards=NATURAL, reconstructible=True)
    play.do(acts.Decide(SUPERVISOR, APPROVE))
    play.do(correction("9h 2c Kd 4c"))
    assert waits(play) is Waits.CONFIRMATION
    play = live(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7s", reconstructible=True)
    play.do(acts.Decide(SUPERVISOR, APPROVE))
    play.do(correction("9h 2c Kd 7s"))
    assert waits(play) is Waits.CONFIRMATION, "it would put the carried card in the place of the last"


# ------------------------------------------------------------------------------------------- ranks that were given


def relieved(play: Play, giver: Actor, person: Actor, position: Role) -> None:
    """Somebody comes on duty, and someone else lets them act in a position."""
    for each in (giver, person):
        if each.person not in play.state.duty:
            play.do(acts.ComeOnDuty(each))
    play.do(acts.AssignPosition(giver, person.person, position))


def test_commission_1_11_nor_does_a_rank_given_by_whom_the_proposer_appointed() -> None:
    play = live("9h", second_role=Role.PIT_MANAGER)
    relieved(play, SHIFT, SUPERVISOR, Role.PIT_MANAGER)
    relieved(play, SUPERVISOR, OTHER_DEALER, Role.PIT_SUPERVISOR)
    relieved(play, MANAGER, DEALER, Role.PIT_MANAGER)
    play.report("foreign-card", SHIFT)
    assert play.refused(acts.Decide(SUPERVISOR, APPROVE))[0] == "same-person"
    play.do(acts.Decide(DEALER, APPROVE))
    assert play.state.phase is Phase.BETWEEN_ROUNDS, "an independent relief has the voice of the position"
