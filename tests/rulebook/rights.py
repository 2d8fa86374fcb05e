"""Scenarios about money and rights: who may decide, what patrons may choose, what bets and claims count.

`paragraphs.TABLE` says which sheets have each, and by which paragraph. See `playing` for how a scenario is called.
"""

from __future__ import annotations

from punto.rules.cards import parse_cards
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.phases import Phase
from punto.table.values import BoxProblem, Decision, Waits
from tests.rulebook.playing import everything_went_back, one_bet, table_for, to_check
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, patron

Rule = str | None

CASINO = Actor("carla", Role.CASINO_MANAGER)


# ------------------------------------------------------------------------------------------- authority


def lower_rank_cannot_decline(game: str, rule: Rule) -> None:
    """What the Shift Manager decided, a lower rank confirms or leaves; the same rank or above declines it."""
    play = one_bet(game, "9h", live=True)
    void = acts.Decide(SHIFT, Decision.VOID, "seen on camera")
    decline = acts.Decide(SUPERVISOR, Decision.DECLINE, "I saw nothing")
    referred = play.of(acts.IncidentReferred, play.report("anything-else"))
    assert [(each.to, each.rule) for each in referred] == [(Role.SHIFT_MANAGER, rule)]
    for decider in (CASINO, SHIFT):  # the Casino Manager may do all that the Shift Manager may
        play.do(acts.Decide(decider, void.decision, void.reason))
        for lower in (SUPERVISOR, MANAGER):
            assert play.refused(acts.Decide(lower, decline.decision, "no"))[0] == "not-permitted"
        play.do(acts.Decide(CASINO, Decision.DECLINE, "the camera shows another table"))
        assert play.state.case and play.state.case.waits is Waits.DECISION
    play.do(void)
    play.do(acts.Decide(SHIFT, Decision.DECLINE, "it was another table"))  # who decided takes it back
    assert play.state.case and play.state.case.waits is Waits.DECISION
    play.do(void)
    play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
    everything_went_back(play)
    play.replays()


def order_is_not_declined_from_below(game: str, rule: Rule) -> None:
    play = one_bet(game, "9h 2c", live=True)
    asked = play.of(acts.OrderAsked, play.report("simultaneous-cards", MANAGER, cards="3c Kd"))
    assert [each.rule for each in asked] == [rule]
    play.do(acts.Decide(MANAGER, Decision.ORDER, "", parse_cards("Kd 3c")))
    assert play.refused(acts.Decide(SUPERVISOR, Decision.DECLINE, "the three was first"))[0] == "not-permitted"
    play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
    assert play.cards == parse_cards(NATURAL)


def commanded_void_is_disputed_not_declined(game: str, rule: Rule) -> None:
    """Nobody declines it, not even who reported it: a Pit Manager or above disputes its facts, with a reason."""
    play = one_bet(game, "9h", live=True)
    play.report("foreign-card")
    for by, code in ((DEALER, "not-permitted"), (SUPERVISOR, "decision-not-open"), (SHIFT, "decision-not-open")):
        assert play.refused(acts.Decide(by, Decision.DECLINE, "let us go on"))[0] == code
    dispute = acts.Decide(MANAGER, Decision.DISPUTE, "the card is ours: the back is of this set")
    assert play.refused(acts.Decide(SUPERVISOR, Decision.DISPUTE, dispute.reason))[0] == "not-permitted"
    assert play.refused(acts.Decide(MANAGER, Decision.DISPUTE, " "))[0] == "reason-missing"
    (made,) = play.of(acts.DecisionMade, play.do(dispute))
    assert (made.significant, made.reason) == ("decision", dispute.reason)
    assert play.state.phase is Phase.INITIAL_CARDS
    play.report("foreign-card")
    play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
    assert [each.rule for each in play.of(acts.RoundVoided)] == [rule]


# ------------------------------------------------------------------------------------------- limits


def no_differential_and_no_priority(game: str, rule: Rule) -> None:
    """Each bet keeps its own maximum, whoever bets beside it; a seated bet takes nothing from a standing one."""
    play = table_for(game, "ann")
    if play.sheet.boxes.layouts:
        play.do(acts.Stand(patron("bo"), "bo", 1))
    else:
        play.do(acts.Sit(patron("bo"), "bo", 2))
    play.open(("bo", "banker", 100_000))
    assert play.refused(play.placing("ann", "banker", 100_100)) == ("stake-above-maximum", rule)
    assert play.refused(play.placing("ann", "banker", 2_400)) == ("stake-below-minimum", rule)
    play.bet("ann", "banker", 100_000)
    assert not play.of(acts.BetDisplaced)
    assert play.refused(play.reporting("excess-bets"))[0] == "situation-unknown"
    play.close().deal("2c 9h 3c Kd")
    assert {line.in_play_cents for line in play.settle().lines} == {100_000}


def chips_over_the_maximum(game: str, rule: Rule) -> None:
    """Chips that the Dealer records over the maximum are told before the close, and held for the Shift Manager."""
    play = table_for(game, "ann", live=True).open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    assert [(each.problem, each.limit_cents) for each in to_check(play)] == [(BoxProblem.ABOVE_MAXIMUM, 100_000)]
    play.close().deal(NATURAL)
    (referred,) = play.of(acts.IncidentReferred, play.do(acts.Settle(DEALER)))
    assert (referred.to, referred.rule) == (Role.SHIFT_MANAGER, rule)
    play.confirmed(acts.Decide(SHIFT, Decision.CONTINUE, "the House takes the bet"))
    play.settle()
    assert play.backs() == {("ann", "player"): 300_000}


def betting_behind_a_box(game: str, rule: Rule) -> None:
    """The House decides on it where the sheet does not say who stands."""
    stand = acts.Stand(patron("bo"), "bo", 1)
    play = table_for(game, "ann", seated_only=True)
    if play.sheet.boxes.standing_rule == rule is not None:
        play.do(stand)
    else:
        assert play.refused(stand) == ("standing-closed", rule)
        table_for(game, "ann").do(stand)
