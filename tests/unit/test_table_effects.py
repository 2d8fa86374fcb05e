"""What a proposal changes, before it is approved: cards, outcome, and the money of each patron."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards, write_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import GAMES
from punto.rules.money import Cents, Odds
from punto.rules.outcome import Winner
from punto.table import acts
from punto.table.effects import CHANGES, IncidentEffect, effect_of, effect_of_command, effect_of_event
from punto.table.engine import replay
from punto.table.values import CardChange, Decision, Facts, Spot
from tests.rulebook.playing import CLAIM
from tests.table_kit import BOTH_DRAW, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron


def two_bets(cards: str, game: str = "commission") -> Play:
    play = Play(game, live=True, second_person=True).sit("ann", "bo")
    return play.open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close().deal(cards)


def effect(play: Play) -> IncidentEffect:
    found = effect_of(play.state, play.case)
    assert found is not None
    return found


def money(found: IncidentEffect) -> dict[str, tuple[int | None, int | None]]:
    return {each.patron: (each.before_cents, each.after_cents) for each in found.money}


def winners(found: IncidentEffect) -> list[Winner | None]:
    return [each.outcome.winner if each.outcome else None for each in (found.before, found.after)]


@pytest.mark.parametrize("game", GAMES)
def test_a_substitution_is_called_one_and_shows_what_it_moves(game: str) -> None:
    play = two_bets(NATURAL, game)
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("2h 2c Kd 7c 7d"), "keyed the wrong round"))
    found = effect(play)
    assert found.change is CardChange.SUBSTITUTION
    assert (write_cards(found.before.cards), write_cards(found.after.cards)) == (NATURAL, "2h 2c Kd 7c")
    assert write_cards(found.after.carried) == "7d", "the natural ends the round; the card beyond it comes next"
    assert (winners(found), found.reason) == ([Winner.PLAYER, Winner.BANKER], "keyed the wrong round")
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    play.settle()
    after = {each.patron: each.after_cents for each in found.money}
    assert {who: back for (who, _), back in play.backs().items()} == after
    assert money(found)["ann"] == (20_000, 0)


def test_more_cards_are_an_addition_and_fewer_a_removal() -> None:
    play = two_bets(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7s", reconstructible=True)
    assert (effect(play).change, effect(play).after.carried) == (CardChange.ADDITION, parse_cards("7s"))
    assert money(effect(play)) == {"ann": (20_000, 20_000), "bo": (0, 0)}
    play = two_bets(NATURAL)
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("9h 2c"), "two were never dealt"))
    assert effect(play).change is CardChange.REMOVAL
    assert money(effect(play)) == {"ann": (20_000, None), "bo": (0, None)}


def test_a_void_of_a_settled_round_shows_what_is_corrected() -> None:
    play = two_bets(NATURAL)
    play.settle()
    four = Facts(hand=Hand.BANKER, hand_count=4, reconstructible=False, note="four in one hand")
    play.do(acts.Report(DEALER, "wrong-number-of-cards", four))
    found = effect(play)
    assert (found.before.void, found.after.void) == (False, True)
    assert money(found) == {"ann": (20_000, 10_000), "bo": (0, 20_000)}
    assert (found.change, write_cards(found.after.cards), found.after.outcome) == (None, NATURAL, None)


def test_the_correction_of_an_earlier_round_shows_that_round() -> None:
    play = two_bets(NATURAL)
    play.settle()
    play.open(("ann", "player", 5_000)).close().deal("2h 2c")
    play.do(acts.CorrectRound(SUPERVISOR, 1, parse_cards("2c 9h 3c Kd"), "keyed in another order"))
    found = effect(play)
    assert (write_cards(found.before.cards), write_cards(found.after.cards)) == (NATURAL, "2c 9h 3c Kd")
    assert winners(found) == [Winner.PLAYER, Winner.BANKER]
    assert money(found) == {"ann": (20_000, 0), "bo": (0, 39_000)}
    assert (found.change, found.reason) == (CardChange.ORDER, "keyed in another order")


@pytest.mark.parametrize("at_once", [True, False])
def test_what_a_command_changes_is_known_before_it_is_given(at_once: bool) -> None:
    """Whether it is done at once or waits for a second person."""
    play = Play("commission", live=not at_once).sit("ann", "bo")
    play.open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close().deal("9h 2c")
    before = play.state
    events = play.report("foreign-card")
    assert bool(play.of(acts.RoundVoided, events)) is at_once
    found = effect_of_command(before, events)
    assert found is not None
    assert (found.after.void, money(found)) == (True, {"ann": (None, 10_000), "bo": (None, 20_000)})
    assert effect_of_command(before, ()) is None


def test_what_a_recorded_event_changed_is_what_was_proposed() -> None:
    """Insurance on an offer that the corrected cards do not make goes back in the event after the change."""
    play = Play("da-hu-ying-xiong", live=True, second_person=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("5h Kd 6s 6c")
    play.do(acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(1_000)))
    play.deal("9h")
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards(NATURAL), "keyed the wrong round"))
    proposed, state = effect(play), play.state
    [decided, *changed] = play.do(acts.Decide(MANAGER, Decision.APPROVE))
    assert effect_of_event(state, decided) is None
    [change] = [event for event in changed if isinstance(event, CHANGES)][:1]
    assert effect_of_event(state, change) == proposed


def test_a_decision_on_an_earlier_round_shows_that_round() -> None:
    play = two_bets(NATURAL)
    play.settle()
    play.open(("bo", "banker", 5_000)).close().deal(BOTH_DRAW)
    play.report("anything-else", round=1)
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "a dispute", bets=(Spot(1, "ann", "player"),)))
    found = effect(play)
    assert (write_cards(found.before.cards), write_cards(found.after.cards), found.change) == (NATURAL, NATURAL, None)
    assert (money(found), found.reason) == ({"ann": (20_000, 10_000)}, "a dispute")
    play.do(acts.Decide(SHIFT, Decision.DECLINE, "no"))
    play.do(acts.Decide(SHIFT, Decision.VOID, "on reflection"))
    assert (effect(play).after.void, effect(play).after.outcome) == (True, None)
    play.do(acts.Decide(SHIFT, Decision.DECLINE, "no"))
    play.do(acts.Decide(SHIFT, Decision.PAY_AMOUNT, "goodwill", account="ann", amount_cents=Cents(500)))
    assert (money(effect(play)), effect(play).before.cards) == ({"ann": (0, 500)}, ())


def earlier_round_claimed(cards: str) -> Play:
    """A Dealer claims for Ann that insurance was not offered in round 1; round 2 is open."""
    play = Play("da-hu-ying-xiong", live=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal(cards).settle()
    play.open()
    play.report("insurance-neglected", DEALER, round=1, window=Window.FOUR_CARDS, claims=CLAIM)
    return play


def test_da_hu_ying_xiong_5_13_a_claim_about_an_earlier_round_tells_what_approval_changes() -> None:
    play = earlier_round_claimed("Kh Kd 4s 5c 5s Kc")
    told = effect(play)
    assert (told.before, told.change) == (told.after, None)
    assert (told.before.cards, told.after.void) == (parse_cards("Kh Kd 4s 5c 5s Kc"), False)
    assert told.before.outcome is not None
    assert money(told) == {"ann": (0, 10_000)}
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    (adjusted,) = play.of(acts.RoundAdjusted)
    assert [(each.before_cents, each.after_cents) for each in adjusted.lines] == [(0, 10_000)]
    play.replays()


def decided(play: Play, decision: Decision, **given: Any) -> Play:
    """Someone reported what no paragraph answers, and the Shift Manager proposes this."""
    play.report("anything-else")
    play.do(acts.Decide(SHIFT, decision, "as seen", **given))
    return play


def test_cards_that_wait_for_the_next_round_are_shown_with_those_of_this() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7s", reconstructible=True)
    play.report("anything-else")
    found = effect_of_event(play.state, acts.BetsReturned(SHIFT, 1, ()))
    assert found is not None
    assert write_cards(found.before.carried) == write_cards(found.after.carried) == "7s"


@pytest.mark.parametrize(
    ("decision", "kind", "given", "after"),
    [
        (Decision.VOID, acts.RoundVoided, {}, 10_000),
        (Decision.RETURN_BETS, acts.BetsReturned, {"bets": (Spot(1, "ann", "player"),)}, 10_000),
        (
            Decision.PAY_BETS,
            acts.BetsPaid,
            {"bets": (Spot(1, "ann", "player"),), "odds": Odds.parse("2:1")},
            30_000,
        ),
        (Decision.PAY_AMOUNT, acts.AmountDecided, {"account": "ann", "amount_cents": Cents(500)}, 20_500),
    ],
)
def test_what_a_decision_changed_is_told_of_its_event(
    decision: Decision, kind: type[acts.Event], given: dict[str, Any], after: int
) -> None:
    play = decided(two_bets(NATURAL), decision, **given)
    proposed, log = effect(play), play.log.copy()
    assert money(proposed)["ann"] == (20_000, after)
    events = play.do(acts.Decide(MANAGER, Decision.APPROVE))
    at = next(place for place, event in enumerate(events) if isinstance(event, kind))
    state = replay(play.sheet, [*log, *events[:at]])
    found = effect_of_event(state, events[at])
    assert found is not None
    assert (money(found), found.after, found.reason) == (money(proposed), proposed.after, proposed.reason)
    assert effect_of_event(play.state, events[at]) is None, "no case is open any more"
