"""Changes of recorded cards, voids and adjustments at a live table need two people, and the second is no Dealer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.insurance import Window
from punto.rules.loader import GAMES
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table import commands as c
from punto.table import events as e
from punto.table.evolve import evolve, replay
from punto.table.phases import Phase, Waits
from tests.rulebook.playing import CLAIM, MIXED_UP
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

OTHER_DEALER = c.Actor("dora", Role.DEALER)
APPROVE = c.Decision.APPROVE
SWAPPED = "2c 9h 3c Kd"
"""The two hands of `NATURAL` in each other's place."""


def live(cards: str = "", game: str = "commission", **settings: Any) -> Play:
    play = Play(game, live=True, second_person=True, **settings).sit("ann", "bo")
    return play.open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal(cards)


def waits(play: Play) -> Waits | None:
    return play.state.case.waits if play.state.case else None


# ------------------------------------------------------------------------------------------- what waits


PROPOSALS: dict[str, tuple[str, c.Command]] = {
    "5.5.1-void": ("9h", c.Report(DEALER, "foreign-card")),
    "5.5.3-void": (NATURAL, c.Report(DEALER, "wrong-number-of-cards", c.Facts(**MIXED_UP))),
    "5.7-both-hands-swapped": (NATURAL, c.Report(DEALER, "excess-card", c.Facts(parse_cards(SWAPPED), True))),
    "5.7-cards-never-keyed": ("9h 2c", c.Report(DEALER, "excess-card", c.Facts(parse_cards(NATURAL), True))),
    "5.8-wrong-area": (NATURAL, c.Report(DEALER, "wrong-area", c.Facts(parse_cards(SWAPPED), True))),
    "5.12-reconstructed": ("9h 2c", c.Report(DEALER, "other-dealing-error", c.Facts(parse_cards("2c 9h"), True))),
    "5.4.2-void": ("9h", c.Recover(DEALER)),
}


@pytest.mark.parametrize(("cards", "proposal"), PROPOSALS.values(), ids=[f"commission-{key}" for key in PROPOSALS])
def test_nothing_happens_before_a_second_person_of_the_pit_agrees(cards: str, proposal: c.Command) -> None:
    play = live(cards)
    before = (play.state.round, play.state.shoe)
    asked = play.of(e.ConfirmationAsked, play.do(proposal))[0]
    assert (asked.to, waits(play)) == (Role.PIT_SUPERVISOR, Waits.CONFIRMATION)
    assert (play.state.round, play.state.shoe) == before
    assert play.refused(c.Decide(OTHER_DEALER, APPROVE))[0] == "not-permitted", "two Dealers are not enough"
    assert play.refused(c.Decide(DEALER, APPROVE))[0] == "not-permitted"
    promoted = c.Actor(DEALER.person, Role.SHIFT_MANAGER)
    assert play.refused(c.Decide(promoted, APPROVE))[0] == "same-person"
    assert play.refused(c.Report(OTHER_DEALER, "foreign-card"))[0] == "round-held", "one proposal at a time"
    assert play.refused(c.CorrectCards(SUPERVISOR, parse_cards("9h"), "no"))[0] == "round-held"
    play.do(c.Decide(SUPERVISOR, APPROVE))
    assert (play.state.round, play.state.shoe) != before
    play.replays()


@pytest.mark.parametrize(("cards", "proposal"), PROPOSALS.values(), ids=[f"commission-{key}" for key in PROPOSALS])
def test_what_is_declined_leaves_no_trace_and_asks_again_when_it_comes_again(cards: str, proposal: c.Command) -> None:
    play = live(cards)
    before = play.state
    for _ in range(2):
        play.do(proposal)
        play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, "I see no such thing"))
        assert play.state._replace(cases=0) == before._replace(cases=0)
    play.do(proposal)
    assert play.refused(c.Decide(OTHER_DEALER, APPROVE))[0] == "not-permitted"
    play.do(c.Decide(MANAGER, APPROVE))


def test_commission_5_5_3_a_round_is_void_once() -> None:
    play = live(NATURAL)
    play.settle()
    wrong = c.Report(DEALER, "wrong-number-of-cards", c.Facts(**MIXED_UP))
    play.do(wrong)
    play.do(c.Decide(SUPERVISOR, APPROVE))
    assert play.refused(wrong)[0] == "facts-contradict"
    assert play.refused(c.Decide(SUPERVISOR, APPROVE))[0] == "wrong-phase"
    play.open().close().deal("9h")
    play.report("foreign-card")
    play.do(c.Decide(SUPERVISOR, APPROVE))
    assert play.refused(wrong)[0] == "facts-contradict", "a round that was void has nothing to correct"
    assert len(play.of(e.RoundAdjusted)) == len(play.of(e.RoundVoided)) == 1


def test_commission_5_5_1_a_shoe_with_a_carried_card_is_not_removed_by_one_dealer() -> None:
    play = live(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7s", reconstructible=True)
    play.do(c.Decide(SUPERVISOR, APPROVE))
    play.settle()
    play.report("not-shuffled")
    assert waits(play) is Waits.CONFIRMATION
    assert not play.of(e.ShoeRemoved)
    play.do(c.Decide(SUPERVISOR, APPROVE))
    assert play.of(e.ShoeRemoved)[0].rule == "5.5.5"


def test_a_decision_of_the_shift_manager_waits_too() -> None:
    for decision, cards in ((c.Decision.VOID, ""), (c.Decision.RECONSTRUCT, SWAPPED)):
        play = live(NATURAL, "easy-six")
        play.report("wrong-area", note="the hands changed places")
        play.do(c.Decide(SHIFT, decision, "seen on camera", parse_cards(cards)))
        assert waits(play) is Waits.CONFIRMATION
        assert play.refused(c.Decide(SHIFT, APPROVE))[0] == "same-person"
        play.do(c.Decide(SUPERVISOR, APPROVE))
        assert play.state.phase in {Phase.BETWEEN_ROUNDS, Phase.RESULT}


# ------------------------------------------------------------------------------------------- who is the second


def test_da_hu_ying_xiong_5_13_who_approves_what_another_reported_is_the_second_person() -> None:
    play = Play("da-hu-ying-xiong", live=True, second_person=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("Kh Kd 4s 5c 5s Kc").settle()
    claim = play.reporting("insurance-neglected", window=Window.FOUR_CARDS, claims=CLAIM)
    alone = play.decide(replace(claim, by=MANAGER))
    assert isinstance(alone, tuple)
    assert not play.of(e.RoundAdjusted, alone)
    play.do(claim)
    assert play.of(e.RoundAdjusted, play.do(c.Decide(MANAGER, APPROVE)))


def test_commission_5_10_who_reported_the_cards_does_not_order_them_alone() -> None:
    order = c.Decide(SUPERVISOR, c.Decision.ORDER, "", parse_cards("Kd 3c"))
    play = live("9h 2c")
    play.report("simultaneous-cards", DEALER, cards="3c Kd")
    play.do(order)
    assert play.cards == parse_cards(NATURAL)
    play = live("9h 2c")
    play.report("simultaneous-cards", SUPERVISOR, cards="3c Kd")
    play.do(order)
    assert (waits(play), play.cards) == (Waits.CONFIRMATION, parse_cards("9h 2c"))
    play.do(c.Decide(MANAGER, c.Decision.DECLINE, "the king was second"))
    assert waits(play) is Waits.ORDER
    play.do(replace(order, by=MANAGER))
    assert play.cards == parse_cards(NATURAL)
    play.replays()


def test_a_house_may_ask_for_a_higher_role() -> None:
    play = live("9h", second_role=Role.PIT_MANAGER)
    play.report("foreign-card")
    assert play.refused(c.Decide(SUPERVISOR, APPROVE))[0] == "not-permitted"
    play.do(c.Decide(MANAGER, APPROVE))
    assert play.state.phase is Phase.BETWEEN_ROUNDS
    play = live("9h 2c", second_role=Role.PIT_MANAGER)
    play.report("simultaneous-cards", cards="3c Kd")
    play.do(c.Decide(SUPERVISOR, c.Decision.ORDER, "", parse_cards("Kd 3c")))
    assert waits(play) is Waits.CONFIRMATION, "the order is the Supervisor's to say, and the house wants a Manager too"


def test_a_dealer_is_never_the_second_person() -> None:
    opening = c.OpenTable(SUPERVISOR, "t1", "commission", 8, Cents(100), Cents(10_000), layout="bean-9")
    low = replace(opening, second_person=True, second_role=Role.DEALER)
    assert Play("commission", opened=False).refused(low) == ("second-role-too-low", None)


def test_a_proposal_of_an_earlier_version_needs_the_role_too() -> None:
    play = live("9h")
    play.report("foreign-card")
    asked = play.of(e.ConfirmationAsked)[0]
    play.state = evolve(play.state, replace(asked, to=None))
    assert play.refused(c.Decide(OTHER_DEALER, APPROVE))[0] == "not-permitted"
    play.do(c.Decide(SUPERVISOR, APPROVE))


# ------------------------------------------------------------------------------------------- the card keyed last


def correction(cards: str) -> c.CorrectCards:
    return c.CorrectCards(SUPERVISOR, parse_cards(cards), "keyed wrongly")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("cards", ["9h 2c Kd", "9h 2c Kd 4c"])
def test_the_card_keyed_last_is_taken_back_or_replaced_plainly(game: str, cards: str) -> None:
    play = live(NATURAL, game)
    play.do(correction(cards))
    assert play.cards == parse_cards(cards)
    assert waits(play) is None
    play.replays()


@pytest.mark.parametrize("cards", ["9h 2c", "9h 2c 3c Kd", "8h 2c Kd 3c", "9h 2c Kd 3c 7s", ""])
def test_anything_else_than_the_last_card_waits(cards: str) -> None:
    play = live(NATURAL)
    play.do(correction(cards))
    assert (waits(play), play.cards) == (Waits.CONFIRMATION, parse_cards(NATURAL))


def test_the_last_card_waits_after_a_change_of_the_cards() -> None:
    play = live("9h 2c Kd")
    play.report("excess-card", cards=NATURAL, reconstructible=True)
    play.do(c.Decide(SUPERVISOR, APPROVE))
    play.do(correction("9h 2c Kd 4c"))
    assert waits(play) is Waits.CONFIRMATION
    play = live(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7s", reconstructible=True)
    play.do(c.Decide(SUPERVISOR, APPROVE))
    play.do(correction("9h 2c Kd 7s"))
    assert waits(play) is Waits.CONFIRMATION, "it would put the carried card in the place of the last"


@pytest.mark.parametrize("game", ["commission-insurance", "da-hu-ying-xiong"])
def test_the_last_card_waits_after_insurance_was_bet_on_it(game: str) -> None:
    play = live("5h Kd 6s 6c", game)
    play.do(c.Insure(patron("bo"), "bo", 2, "banker-insurance", Cents(1_000)))
    play.do(correction("5h Kd 6s 5c"))
    assert waits(play) is Waits.CONFIRMATION


def test_a_lost_reading_is_filled_by_two() -> None:
    play = live()
    for reading, card in enumerate(parse_cards("9h 2c Kd"), 1):
        play.do(c.Deal(DEALER, card, reading if reading < 3 else 4))
    play.do(correction("9h"))
    assert waits(play) is Waits.CONFIRMATION


# ------------------------------------------------------------------------------------------- while it waits


def test_who_walks_away_while_options_wait_is_not_asked() -> None:
    for leaving in (("ann",), ("ann", "bo")):
        play = live("5h")
        play.report("excess-card", cards="5h Kd", reconstructible=True)
        for name in leaving:
            play.do(c.Leave(patron(name), name))
        play.do(c.Decide(SUPERVISOR, APPROVE))
        if leaving == ("ann",):
            assert play.refused(c.Choose(patron("ann"), "ann", c.Option.TAKE_BACK))[0] == "no-choice-open"
            play.do(c.Choose(patron("bo"), "bo", c.Option.CONTINUE))
        assert (waits(play), play.state.phase) == (None, Phase.INITIAL_CARDS)
        play.deal("5s 2c").replays()


# ------------------------------------------------------------------------------------------- automatic tables


def test_cards_of_a_known_order_need_no_second_person() -> None:
    play = Play("commission", shoe=f"{NATURAL} 7s", second_person=True).open().close()
    play.do(c.Deal(DEALER))
    play.report("excess-card", cards="9h 2c", reconstructible=True)
    assert (waits(play), play.cards) == (None, parse_cards("9h 2c"))
    play.do(c.Recover(DEALER))
    assert waits(play) is Waits.CONFIRMATION, "a void does"


# ------------------------------------------------------------------------------------------- who walked away


@pytest.mark.parametrize("game", GAMES)
def test_who_walked_away_neither_withdraws_nor_raises(game: str) -> None:
    play = Play(game).sit("ann").open(("ann", "player", 10_000))
    play.do(c.Leave(patron("ann"), "ann"))
    for by in (patron("ann"), DEALER):
        assert play.refused(c.WithdrawBet(by, "ann", 1, "player"))[0] == "patron-away"
        assert play.refused(c.RaiseBet(by, "ann", 1, "player", Cents(100)))[0] == "patron-away"
    play.do(c.Sit(patron("ann"), "ann", 1))
    play.do(c.WithdrawBet(patron("ann"), "ann", 1, "player"))


@pytest.mark.parametrize("game", ["commission", "da-hu-ying-xiong"])
def test_5_2_who_was_asked_to_raise_and_walked_away_does_not_keep_bets_open(game: str) -> None:
    play = Play(game, live=True).sit("ann").open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(1_000)))
    play.report("below-minimum", patron="ann", box=1, on="player")
    assert play.refused(c.CloseBets(DEALER))[0] == "raise-pending"
    play.do(c.Leave(patron("ann"), "ann"))
    play.close().deal(NATURAL).settle()
    assert play.backs() == {("ann", "player"): 2_000}


def test_a_hand_and_its_number_are_both_asked_for() -> None:
    play = live(NATURAL)
    for name in ("hand", "hand_count"):
        facts = c.Facts(**MIXED_UP | {name: None})
        assert play.refused(c.Report(DEALER, "wrong-number-of-cards", facts))[0] == "facts-missing"


def test_a_log_with_a_live_table_without_a_second_person_replays_as_it_was() -> None:
    play = Play("commission", live=True).sit("ann")
    opened, *rest = play.log
    assert isinstance(opened, e.TableOpened)
    assert opened.second_person, "a table that is opened now has one"
    play.log = [replace(opened, second_person=False), *rest]
    play.state = replay(play.sheet, play.log)
    play.open(("ann", "player", 10_000)).close().deal("9h 2c").report("foreign-card")
    assert play.of(e.RoundVoided)
    play.replays()


# ------------------------------------------------------------------------------------------- ranks that were given


def relieved(play: Play, giver: c.Actor, person: c.Actor, position: Role) -> None:
    """Somebody comes on duty, and someone else lets them act in a position."""
    for each in (giver, person):
        if each.person not in play.state.duty:
            play.do(c.ComeOnDuty(each))
    play.do(c.AssignPosition(giver, person.person, position))


def test_commission_1_11_a_rank_that_the_proposer_gave_makes_no_second_person() -> None:
    play = live("9h")
    relieved(play, SUPERVISOR, OTHER_DEALER, Role.PIT_SUPERVISOR)
    play.report("foreign-card", SUPERVISOR)
    assert waits(play) is Waits.CONFIRMATION
    assert play.refused(c.Decide(OTHER_DEALER, APPROVE))[0] == "same-person"
    play.do(c.Decide(MANAGER, APPROVE))
    assert play.state.phase is Phase.BETWEEN_ROUNDS


def test_commission_1_11_nor_does_a_rank_given_by_whom_the_proposer_appointed() -> None:
    play = live("9h", second_role=Role.PIT_MANAGER)
    relieved(play, SHIFT, SUPERVISOR, Role.PIT_MANAGER)
    relieved(play, SUPERVISOR, OTHER_DEALER, Role.PIT_SUPERVISOR)
    relieved(play, MANAGER, DEALER, Role.PIT_MANAGER)
    play.report("foreign-card", SHIFT)
    assert play.refused(c.Decide(SUPERVISOR, APPROVE))[0] == "same-person"
    play.do(c.Decide(DEALER, APPROVE))
    assert play.state.phase is Phase.BETWEEN_ROUNDS, "an independent relief has the voice of the position"
