"""Scenarios about money and rights: who may decide, what patrons may choose, what bets and claims count.

`paragraphs.TABLE` says which sheets have each, and by which paragraph. See `playing` for how a scenario is called.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.phases import Phase
from punto.table.refusals import Contradiction
from punto.table.values import BetLimits, BoxProblem, Claim, Decision, Option, Spot, Waits
from tests.rulebook.playing import contradicts, everything_went_back, insuring, one_bet, table_for, to_check
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


# ------------------------------------------------------------------------------------------- options and cards


def who_goes_on_accepts_what_comes(game: str, rule: Rule) -> None:
    """A later report asks those alone who have not chosen; the Shift Manager's decision reaches everyone."""
    play = table_for(game, "ann", "cy").open(("ann", "player", 10_000), ("cy", "banker", 10_000)).close().deal("2h")
    if play.sheet.authority.accepts_later_rule == rule is not None:
        play.do(acts.Leave(patron("cy"), "cy"))
        play.report("other-dealing-error")
        play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
        play.do(acts.Sit(patron("cy"), "cy", 2))
        play.deal("3d").report("other-dealing-error")
        assert [each.patrons for each in play.of(acts.OptionsOffered)] == [("ann",), ("cy",)]
        assert play.refused(acts.Choose(patron("ann"), "ann", Option.TAKE_BACK)) == ("no-choice-open", rule)
        play.do(acts.Choose(patron("cy"), "cy", Option.CONTINUE))
        play.report("other-dealing-error")
        assert play.state.case is None, "everyone has chosen"
    for _ in range(2):
        play.report("anything-else")
        play.do(acts.Decide(SHIFT, Decision.OPTIONS, "the House gives them"))
        assert play.of(acts.OptionsOffered)[-1].patrons == ("ann", "cy")
        for name in ("ann", "cy"):
            play.do(acts.Choose(patron(name), name, Option.CONTINUE))
    play.replays()


def late_options_need_a_second_person(game: str, rule: Rule, otherwise: Rule) -> None:
    """Once an outcome is established; where the second person does not agree, the Shift Manager decides."""
    play = one_bet(game, "9h 2c")
    play.report("other-dealing-error")
    assert not play.of(acts.ConfirmationAsked), "nobody knows yet what a bet is worth"
    for live in (False, True):
        play = one_bet(game, NATURAL, live=live)
        report = play.reporting("other-dealing-error")
        play.do(report)
        assert not play.of(acts.OptionsOffered)
        assert play.refused(acts.Decide(DEALER, Decision.APPROVE))[0] == "not-permitted"
        referred = play.of(acts.IncidentReferred, play.do(acts.Decide(SUPERVISOR, Decision.DECLINE, "I saw none")))
        assert [(each.to, each.rule) for each in referred] == [(Role.SHIFT_MANAGER, otherwise)]
        play.do(acts.Decide(SHIFT, Decision.CONTINUE, "seen on camera"))
        play.do(report)
        play.do(acts.Decide(DEALER, Decision.DECLINE, "I was wrong"))  # who reported it takes it back
        assert play.state.case is None
        play.do(report)
        offered = play.of(acts.OptionsOffered, play.do(acts.Decide(SUPERVISOR, Decision.APPROVE)))
        assert [each.rule for each in offered] == [rule]
        play.replays()


def card_of_no_hand(game: str, rule: Rule, options: Rule, go_on: Rule) -> None:
    """It cannot be put in order, so it is the first of the next round; this one goes on without it, with options."""
    play = one_bet(game, "9h 2c")
    play.report("excess-card", cards="9h 2c Kd", reconstructible=False, note="nobody saw where it was due")
    assert not play.of(acts.IncidentReferred)
    reordered = play.of(acts.CardsReordered)[0]
    assert (reordered.after, reordered.kept, reordered.rule) == (parse_cards("9h 2c"), parse_cards("Kd"), rule)
    assert play.of(acts.OptionsOffered)[0].rule == options
    chosen = play.of(acts.OptionChosen, play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE)))
    assert [each.rule for each in chosen] == [go_on]
    assert play.shoe.drawn == 3
    play.deal("Ks 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    play.open(("ann", "player", 10_000)).close()
    dealt = play.of(acts.CardDealt, play.do(acts.Deal(DEALER)))[0]
    assert (dealt.card, dealt.carried, play.shoe.drawn) == (parse_cards("Kd")[0], True, 5)
    play.replays()


def card_stays_in_the_books(game: str, rule: Rule) -> None:
    """Whatever the Shift Manager decides, a card that belongs to no hand counts, and the next round has it."""
    for cards in ("9h 2c", NATURAL):
        for decision in (Decision.CONTINUE, Decision.VOID, Decision.OPTIONS, Decision.RETURN_BETS):
            play = one_bet(game, cards, live=True)
            assert play.refused(play.reporting("excess-card")) == ("facts-missing", rule)
            play.report("excess-card", cards=f"{cards} 7s")
            bets = (Spot(1, "ann", "player"),) if decision is Decision.RETURN_BETS else ()
            play.confirmed(acts.Decide(SHIFT, decision, "it lay beside the shoe", bets=bets))
            if decision is Decision.OPTIONS:
                play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
            assert play.shoe.drawn == len(parse_cards(cards)) + 1
            if play.state.phase is Phase.INITIAL_CARDS:
                play.deal("Kd 3c")
            if play.state.round:
                play.settle()
            play.open().close()
            (dealt,) = play.of(acts.CardDealt, play.do(acts.Deal(DEALER)))
            assert (str(dealt.card), dealt.carried) == ("7s", True)
            play.replays()


def hands_go_on_as_they_are(game: str, rule: Rule, go_on: Rule) -> None:
    """Staff say which cards lie in which hand: numbers that the Table of Play gives, and no card left out."""
    play = one_bet(game, NATURAL)
    facts: dict[str, Any] = {"cards": NATURAL, "reconstructible": False, "note": "the hands changed places"}
    lie: dict[str, Any] = {"player_cards": parse_cards("2c 3c"), "banker_cards": parse_cards("9h Kd")}
    three = lie | {"player_cards": parse_cards("2c 3c 9h"), "banker_cards": parse_cards("Kd")}
    assert play.refused(play.reporting("wrong-area", **facts, **three)) == ("facts-contradict", rule)
    play.confirmed(play.reporting("wrong-area", **facts, **lie))
    assert [(each.after, each.rule) for each in play.of(acts.CardsReordered)] == [(parse_cards("2c 9h 3c Kd"), rule)]
    chosen = play.of(acts.OptionChosen, play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE)))
    assert [each.rule for each in chosen] == [go_on]
    play.settle()
    assert play.backs() == {("ann", "player"): 0}
    play.replays()


# ------------------------------------------------------------------------------------------- neglected insurance


def claim_counts_what_could_be_bet(game: str, rule: Rule) -> None:
    """Ann's insurance in the first window pays as much as her bet: nothing could be bet in the second."""
    play = one_bet(game, "2h Kd 3s 4c", live=True)  # Player 5 and Banker 4: insurance on Player at 2:1
    play.do(insuring("ann", 1, "player-insurance", 5_000))
    play.deal("2s 5d")  # Player 7 and Banker 4: insurance on Player at 4:1; Banker wins with 9
    claims = (Claim("ann", 1, Hand.PLAYER),)
    claim = play.reporting("insurance-neglected", MANAGER, window=Window.PLAYER_THIRD, claims=claims)
    contradicts(play, claim, Contradiction.NO_OFFER, rule)
    play.settle()
    contradicts(play, claim, Contradiction.NO_OFFER, rule)
    assert play.backs() == {("ann", "player"): 0, ("ann", "player-insurance"): 15_000}
    play.open()
    later = play.reporting("insurance-neglected", MANAGER, window=Window.PLAYER_THIRD, claims=claims, round=1)
    contradicts(play, later, Contradiction.NO_OFFER, rule)
    less = one_bet(game, "2h Kd 3s 4c", live=True)
    less.do(insuring("ann", 1, "player-insurance", 4_000))
    less.deal("2s 5d").confirmed(claim)  # 5.00 more could have been bet
    # With a minimum of 10.00 for insurance that is too little, in this round and later.
    sides = (BetLimits("player-insurance", Cents(1_000), Cents(100_000)),)
    short = one_bet(game, "2h Kd 3s 4c", live=True, sides=sides)
    short.do(insuring("ann", 1, "player-insurance", 4_000))
    contradicts(short.deal("2s 5d"), claim, Contradiction.NO_OFFER, rule)
    short.settle()
    contradicts(short.open(), later, Contradiction.NO_OFFER, rule)


def terminals_neglect_nothing(game: str, rule: Rule) -> None:
    """At an automatic table everyone who could bet insurance was offered it, also in an earlier round."""
    play = one_bet(game, "2h Kd 3s 4c 2s 5d")
    claims = (Claim("ann", 1, Hand.PLAYER),)
    claim = play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=claims)
    contradicts(play, claim, Contradiction.OFFERED, rule)
    play.settle()
    play.open()
    later = play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=claims, round=1)
    contradicts(play, later, Contradiction.OFFERED, rule)


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


def chips_recorded_after_the_call(game: str, rule: Rule) -> None:
    """Seen, marked, and above what the House leaves to the Dealer with a second person; terminals' bets stay."""
    play = table_for(game, "ann", "bo", live=True, late_cents=Cents(5_000)).open(("bo", "banker", 10_000))
    play.do(acts.RecordBet(DEALER, "ann", 1, "player", Cents(5_000)))
    play.close()
    raising = acts.RecordBet(DEALER, "ann", 1, "player", Cents(50_000))
    (placed,) = play.of(acts.BetPlaced, play.do(acts.RecordBet(DEALER, "ann", 1, "tie", Cents(5_000))))
    assert (placed.recorded, placed.late, placed.rule) == (True, True, None)
    assert play.refused(acts.RecordBet(DEALER, "bo", 2, "banker", Cents(20_000))) == ("bets-closed", rule)
    reported = play.do(raising)
    assert [each.significant for each in play.of(acts.IncidentReported, reported)] == ["incident"]
    assert not play.of(acts.BetRaised)
    play.do(acts.Decide(MANAGER, Decision.DECLINE, "the chips were pushed in later"))
    assert play.state.phase is Phase.INITIAL_CARDS
    play.do(raising)
    (raised,) = play.of(acts.BetRaised, play.do(acts.Decide(SUPERVISOR, Decision.APPROVE)))
    assert (raised.added_cents, raised.late) == (45_000, True)
    # Once a card is out, every line takes a reason and a second person.
    play.deal("9h")
    more = acts.RecordBet(DEALER, "bo", 2, "tie", Cents(2_500))
    assert play.refused(more) == ("reason-missing", None)
    play.do(replace(more, reason="they lay under the card"))
    assert len(play.of(acts.BetPlaced)) == 3
    play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
    play.deal("2c Kd 3c").settle()
    assert play.backs()[("ann", "player")] == 100_000
    assert play.backs()[("bo", "tie")] == 0
    play.replays()
