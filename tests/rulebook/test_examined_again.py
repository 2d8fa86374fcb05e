"""The five sheets, examined again: each line with what it comes to in every sheet.

`LINES` reads like `paragraphs.TABLE`. A sheet that has the paragraph is played by it: the ruling and the money. One
that does not has a dash (the table does as the House does, and cites nothing), `decision` (the Shift Manager decides)
or `no-report` (nothing of the kind can happen there, so the report form does not have it).

`pytest tests/rulebook/test_examined_again.py -k 6-easy-six` runs what line 6 is in `easy-six`.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.sheet import Role
from punto.store.memory import MemoryStore
from punto.table import acts
from punto.table.actor import Actor
from punto.table.automatic import AUTOMAT
from punto.table.engine import choices as table_choices
from punto.table.phases import Phase
from punto.table.refusals import Contradiction
from punto.table.rulings.cases import RulingEffect
from punto.table.values import BetLimits, BoxProblem, Claim, Decision, Option, Spot, Waits
from tests.rulebook import playing, settling
from tests.rulebook.paragraphs import Case, functions, read
from tests.rulebook.playing import (
    contradicts,
    everything_went_back,
    insuring,
    one_bet,
    outside_limits,
    reportable,
    table_for,
    to_check,
)
from tests.rulebook.tables import settles
from tests.service.rig import ETG, PIT, SETTINGS, code, problems, rig
from tests.table_kit import DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

LINES = """
                               | commission       | commission-insurance | non-commission | easy-six  | da-hu-ying-xiong

1 Neglected insurance counts only for what could have been bet; a terminal neglects nothing.
insurance-neglected            | no-report        | decision             | no-report      | no-report | 5.13
claim-counts-what-could-be-bet |                  |                      |                |           | 5.13
terminals-neglect-nothing      |                  | -                    |                |           | 5.13

2 Who chose to go on accepts every later card; the Shift Manager's decision reaches everyone.
who-goes-on-accepts-what-comes | 5.12             | -                    | -              | -         | 5.12

3 Once an outcome is established, options need a second person.
late-options-need-a-second-person | 5.12 5.17     | -                    | -              | -         | 5.12 5.18

4 A wrong number in a hand is void; a card of no hand is carried, and never leaves the books.
wrong-number-of-cards          | 5.5.3            | 5.1.2                | 5.1.2          | 5.1.2     | 5.5.3
card-of-no-hand                | 5.7 5.7.1 5.12.1 | -                    | -              | -         | 5.7 5.7.1 5.12.1
hands-go-on-as-they-are        | 5.8 5.12.1       |                      |                |           | 5.8 5.12.1

5 A lower rank confirms or leaves it, the same rank or above declines.
lower-rank-cannot-decline      | 5.17             | -                    | -              | -         | 5.18
order-is-not-declined-from-below | 5.10           | -                    | -              | -         | 5.10

6 No Differential, no priority of seats and no pro rata where the sheet has no limits.
excess-bets                    | 5.1              | no-report            | no-report      | no-report | 5.1
pro-rata                       | 5.1.1            |                      |                |           | 5.1.1
no-differential-and-no-priority|                  | -                    | -              | -         |
chips-over-the-maximum         |                  | -                    |                | -         |
betting-behind-a-box           | 1.18             | -                    | 2.1.1          | -         | 1.21

7 Chips recorded after the call are seen; a terminal's bet is never raised so.
chips-recorded-after-the-call  | 5.6              | 5.2                  |                | 5.2       | 5.6
only-the-terminal-bets         |                  |                      | 3.3 3.2        |           |

8 A commanded void is disputed with a reason, and not declined.
commanded-void-is-disputed-not-declined | 5.5.1   | 5.1.1                | 5.1.1          | 5.1.1     | 5.5.1

9 What is noticed before the call is put right, or the call has a reason.
noticed-is-put-right           | 5.1 5.2          |                      |                |           | 5.1 5.2
excess-seen-in-time-goes-back  | 5.1              |                      |                |           | 5.1
called-all-the-same            | 5.1.1 5.2.1      |                      |                |           | 5.1.1 5.2.1
call-needs-no-reason           |                  | -                    | -              | -         |

10 A private table is without insurance at the request of a patron, who is named.
private-table-without-insurance| -                | -                    | -              | -         | 4.2.2

11 Cash becomes a ticket, credit, a bet, and cash again; at terminals nobody else bets.
tickets-are-used-once          | -                | -                    | 3.3            | -         | -

12 Banker's third card first: at face-down tables, or at every table.
waiver-only-face-down          | -                |                      | -              | -         | 3.14
waiver-heard-at-every-table    |                  | 4.1.5                |                |           |

13 After an interruption closed cards count; unknown ones are opened before a witness.
closed-cards-after-an-interruption | 5.4.1        | -                    | -              | -         | 5.4.1
unknown-cards-are-opened-first | 5.4 5.4.2 5.4.1  | -                    | -              | -         | 5.4 5.4.2 5.4.1

14 A shoe not recorded as checked and shuffled is told; a card keyed open may be reported.
unprepared-shoe-is-recorded    | 5.5.5            | -                    | -              | -         | 5.5.5
card-keyed-open                | 5.9              | -                    | -              | -         | 5.9

15 Odd amounts are rounded down at the patron's cost; one chip unit pays every line exactly.
odd-amounts-are-rounded-down   | 4.1.2            | 4.1.2                | 4.1.1          | 4.1.1     | 4.1.1
unit-that-pays-every-line-exactly | 4.1.2         | 4.1.2                | 4.1.1          | 4.1.1     | 4.1.1

16 What each cites, and whom it names.
shoe-ends:foreign-card         | -                | -                    | -              | 5.1.1     | -
shoe-ends:deck-count           | -                |                      |                |           | -
shoe-ends:not-shuffled         | -                |                      |                |           | -
late-withdrawal                | 5.6              | 5.3                  | 3.2            | 5.2       | 5.6
waiver-at-a-table              |                  | 4.1.5                |                |           | 3.14
choice-by-staff-names-them     | 5.12             | -                    | -              | -         | 5.12
carried-card-leaves-with-its-shoe | -             | -                    | -              | -         | -
"""

Rule = str | None

CASINO = Actor("carla", Role.CASINO_MANAGER)
EXAMINED = [*read(LINES)]


@pytest.mark.parametrize("case", EXAMINED, ids=lambda case: case.id)
def test_line(case: Case) -> None:
    case.play(functions(playing) | functions(settling) | _OWN)


def test_every_line_is_shown_in_every_sheet() -> None:
    assert {(case.line, case.game) for case in EXAMINED} == {(line, game) for line in range(1, 17) for game in GAMES}


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
    """Where the sheet is silent on two cards at once, the Shift Manager puts them in order."""
    play = one_bet(game, "9h 2c", live=True)
    asked = play.report("simultaneous-cards", MANAGER, cards="3c Kd")
    assert [each.rule for each in asked if isinstance(each, acts.OrderAsked | acts.IncidentReferred)] == [rule]
    if rule is None:
        play.do(acts.Decide(SHIFT, Decision.RECONSTRUCT, "seen on camera", parse_cards(NATURAL)))
        assert play.refused(acts.Decide(MANAGER, Decision.DECLINE, "the three was first"))[0] == "not-permitted"
    else:
        play.do(acts.Decide(MANAGER, Decision.ORDER, "", parse_cards("Kd 3c")))
    assert play.refused(acts.Decide(SUPERVISOR, Decision.DECLINE, "the three was first"))[0] == "not-permitted"
    play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
    assert play.cards == parse_cards(NATURAL)


def commanded_void_is_disputed_not_declined(game: str, rule: Rule) -> None:
    """Nobody declines it, not even who reported it: a Pit Manager or above disputes its facts, with a reason."""
    play = one_bet(game, "9h", live=True)
    play.report("foreign-card")
    for by, why in ((DEALER, "not-permitted"), (SUPERVISOR, "decision-not-open"), (SHIFT, "decision-not-open")):
        assert play.refused(acts.Decide(by, Decision.DECLINE, "let us go on"))[0] == why
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
    play.deal(" ".join(["2h", "3d", "4s", "6c"][len(play.cards) :])).settle()  # Player 6, Banker 9
    banker_back = 19_500 if "commission" in game.split("-")[0] else 20_000
    assert play.backs() == {("ann", "player"): 0, ("cy", "banker"): banker_back}
    play.replays()


def late_options_need_a_second_person(game: str, rule: Rule, otherwise: Rule = None) -> None:
    """Where the second person does not agree, and where the sheet is silent, the Shift Manager decides."""
    if rule is None:
        play = one_bet(game, NATURAL, live=True)
        referred = play.of(acts.IncidentReferred, play.report("other-dealing-error"))
        assert [(each.to, each.rule) for each in referred] == [(Role.SHIFT_MANAGER, None)]
        play.confirmed(acts.Decide(SHIFT, Decision.CONTINUE, "seen on camera"))
        play.settle()
        assert not play.of(acts.OptionsOffered)
        assert play.backs() == {("ann", "player"): 20_000}
        return
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


def card_of_no_hand(game: str, rule: Rule, options: Rule = None, go_on: Rule = None) -> None:
    """It cannot be put in order, so it is the first of the next round; this one goes on without it, with options."""
    if rule is None:
        _card_stays_in_the_books(game)
        return
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


def _card_stays_in_the_books(game: str) -> None:
    """Whatever the Shift Manager decides, a card that belongs to no hand counts, and the next round has it."""
    for cards in ("9h 2c", NATURAL):
        for decision in (Decision.CONTINUE, Decision.VOID, Decision.OPTIONS, Decision.RETURN_BETS):
            play = one_bet(game, cards, live=True)
            assert play.refused(play.reporting("excess-card")) == ("facts-missing", None)
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
    if rule is None:
        return  # about an earlier round the Shift Manager decides
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
    if not load(game).boxes.layouts:
        assert table_for(game, "ann").refused(stand) == ("box-taken", rule), "a terminal is for one"
        return
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


def only_the_terminal_bets(game: str, rule: Rule, closed: Rule) -> None:
    """Staff make no bet there, before the call or after it."""
    play = table_for(game, "ann", live=True).open(("ann", "player", 10_000))
    raised = acts.RaiseBet(patron("ann"), "ann", 1, "player", Cents(5_000))
    by_staff = (
        acts.PlaceBet(DEALER, "ann", 1, "banker", Cents(5_000)),
        replace(raised, by=DEALER),
        acts.WithdrawBet(SUPERVISOR, "ann", 1, "player"),
        acts.PlaceBets(SUPERVISOR, "ann", 1, (acts.BetStake("tie", Cents(5_000)),)),
        acts.RecordBet(DEALER, "ann", 1, "banker", Cents(5_000)),
    )
    assert {play.refused(each) for each in by_staff} == {("terminals-only", rule)}
    play.do(raised)
    kinds = {each.kind for each in table_choices(play.state, DEALER) if each.ways}
    assert not kinds & {kind.kind for kind in acts.COMMANDS.values() if kind.makes_bets}
    play.close()
    assert {play.refused(each) for each in by_staff} == {("terminals-only", rule)}
    assert play.refused(raised) == ("bets-closed", closed)
    play.deal(NATURAL).settle()
    assert play.backs() == {("ann", "player"): 30_000}


def call_needs_no_reason(game: str, rule: Rule) -> None:
    """The sheet has nothing put right before the call; a terminal takes no bet outside the limits."""
    if load(game).boxes.terminals_rule is None:
        play = outside_limits(game)
    else:
        play = table_for(game, "ann", live=True).open()
        assert play.refused(play.placing("ann", "banker", 2_400)) == ("stake-below-minimum", rule)
        assert play.refused(play.placing("ann", "banker", 100_100)) == ("stake-above-maximum", rule)
    assert play.refused(acts.PutRight(DEALER)) == ("within-limits", rule)
    play.do(acts.CloseBets(DEALER))
    assert not play.of(acts.LimitsOverlooked)


# ------------------------------------------------------------------------------------------- tables and terminals


def private_table_without_insurance(game: str, rule: Rule) -> None:
    """The opening names the patron who asked; no other sheet lets a table run so, or has insurance at all."""
    (opening, _), *_ = Play(game).given
    assert isinstance(opening, acts.OpenTable)
    asked = replace(opening, settings=replace(opening.settings, without_insurance=True), asked_by="ann")
    if rule is None:
        assert Play(game, opened=False).refused(asked) == ("private-not-allowed", None)
        private = Play(game, private=True).sit("ann")
        assert private.refused(acts.ChangeInsurance(SUPERVISOR, "ann", offered=False)) == ("private-not-allowed", None)
        return
    for nobody in (None, " "):
        assert Play(game, opened=False).refused(replace(asked, asked_by=nobody)) == ("request-missing", rule)
    play = Play(game, opened=False)
    (opened,) = play.of(acts.TableOpened, play.do(asked))
    assert (opened.settings.without_insurance, opened.asked_by) == (True, "ann")
    play.do(acts.CloseTable(SUPERVISOR))
    play.do(replace(asked, asked_by=None))  # as it was: the request stands
    play.do(acts.LoadShoe(DEALER))
    play.sit("ann").open(("ann", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    assert not play.of(acts.InsuranceOffered)
    assert play.refused(insuring("ann", 1, "banker-insurance", 100)) == ("insurance-closed", rule)
    play.deal("8h").settle()
    assert play.backs() == {("ann", "banker"): 0}


def tickets_are_used_once(game: str, rule: Rule) -> None:
    """Where bets are made at terminals, staff make none; elsewhere they place them for a patron."""
    asyncio.run(_tickets(game, rule))


async def _tickets(game: str, rule: Rule) -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        cashier, key = r.house.cashier, r.house.key
        max_, dan, ann = await r.person("Max", "pit-manager"), await r.person("Dan", "dealer"), await r.person("Ann")
        sold = (await cashier.issue(max_, 50_000, "sold")).ticket
        assert sold is not None
        assert code(await cashier.take_in(ann, sold.ticket, "in")) == ""
        for who, use in ((ann, cashier.take_in), (max_, cashier.pay)):
            assert code(await use(who, sold.ticket, r.key())) == "ticket-used"
        table = await r.table((ETG if rule else PIT) | {"game": game, "mode": "live"})
        await r.done(ann, table, "sit", box=1)
        await r.betting(dan, table)
        bet: dict[str, Any] = {"box": 1, "on": "player", "stake_cents": 10_000}
        refused = (await r.give(dan, table, "place-bet", patron="ann", **bet)).refused
        assert (refused and (refused.code, refused.rule)) == (rule and ("terminals-only", rule))
        if rule:
            await r.done(ann, table, "place-bet", **bet)
        await r.deal(dan, table)
        out = (await cashier.cash_out(ann, None, "out")).ticket
        assert out is not None
        assert (out.amount_cents, (await cashier.cage()).tickets_cents) == (60_000, 60_000)
        assert code(await cashier.pay(max_, out.ticket, "paid")) == ""
        assert (await store.balances(["cash-desk", f"house:{table}"])) == {
            "cash-desk": 10_000,
            f"house:{table}": -10_000,
        }
    assert await problems(store, key) == []


# ------------------------------------------------------------------------------------------- closed cards


def closed_cards_after_an_interruption(game: str, rule: Rule) -> None:
    """Nobody has seen Player's natural, which decides bets; the table knows it."""
    play = one_bet(game, face_down=True, shoe=NATURAL)
    playing.deal_on(play, 3)
    assert not any(play.round.visible)
    answered = play.do(acts.Recover(DEALER))
    if rule is None:
        _shift_manager_voids(play, answered)
        return
    assert [(each.finding, each.rule) for each in play.of(acts.IncidentRuled)] == [(RulingEffect.CONCLUDED, rule)]
    playing.deal_on(play, 1)
    play.settle()
    assert play.backs() == {("ann", "player"): 20_000}


def unknown_cards_are_opened_first(game: str, rule: Rule, void: Rule = None, conclude: Rule = None) -> None:
    """By a report, or by the restart of a house: the round is held until a second person has seen the cards.

    Where the sheet is silent, whoever decides says what becomes of the cards.
    """
    for cards, finding, found in (
        ("5h Kd", RulingEffect.UNDECIDED, void),
        (NATURAL, RulingEffect.CONCLUDED, conclude),
    ):
        listed = parse_cards(cards)
        for command in (acts.Report(DEALER, "technical-interruption"), acts.Recover(AUTOMAT)):
            play = one_bet(game, face_down=True, live=True, second_person=True)
            playing.deal_on(play, len(listed))
            answered = play.do(command)
            if rule is None:
                _shift_manager_voids(play, answered)
                continue
            ruled = play.of(acts.IncidentRuled, answered)
            assert [(each.finding, each.rule) for each in ruled] == [(RulingEffect.CARDS_TO_OPEN, rule)]
            for go_on in (acts.OpenCard(DEALER, 1, listed[0]), command):
                assert play.refused(go_on)[0] == "round-held"
            play.do(acts.CorrectCards(DEALER, listed, "opened after the power failed"))
            assert play.round.closed_places
            assert play.refused(acts.Decide(DEALER, Decision.APPROVE))[0] == "not-permitted"
            approved = play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
            assert [(each.finding, each.rule) for each in play.of(acts.IncidentRuled, approved)] == [(finding, found)]
            assert bool(play.of(acts.RoundVoided, approved)) is (finding is RulingEffect.UNDECIDED)
            if finding is RulingEffect.CONCLUDED:
                play.settle()
            play.replays()


def _shift_manager_voids(play: Play, answered: tuple[acts.Event, ...]) -> None:
    referred = play.of(acts.IncidentReferred, answered)
    assert [(each.to, each.rule) for each in referred] == [(Role.SHIFT_MANAGER, None)]
    play.confirmed(acts.Decide(SHIFT, Decision.VOID, "the power is not coming back"))
    everything_went_back(play)


def card_keyed_open(game: str, rule: Rule) -> None:
    """At a face-down table it can be reported at once; elsewhere a card lies open as it should."""
    play = one_bet(game, "5h", live=True, face_down=True)
    assert reportable(play, "dealt-face-up")
    answered = play.report("dealt-face-up")
    if rule is None:
        _shift_manager_voids(play, answered)
    else:
        assert [each.rule for each in play.of(acts.OptionsOffered, answered)] == [rule]
        play.do(acts.Choose(patron("ann"), "ann", Option.TAKE_BACK))
        assert play.backs() == {("ann", "player"): 10_000}
    assert not reportable(one_bet(game, "5h", live=True), "dealt-face-up")


# ------------------------------------------------------------------------------------------- cents and names


def odd_amounts_are_rounded_down(game: str, rule: str) -> None:
    """A cent wins nothing where less than a whole one would be paid."""
    banker = {
        "0.95:1": """
            7 9 K K   | banker 1  | win 0.95:1 1 0 {pay-table}
            7 9 K K   | banker 33 | win 0.95:1 64 31 {pay-table}
        """,
        "1:2": """
            K 6 5 K K | banker 1  | win 1:2 1 0 {pay-table}
            K 6 5 K K | banker 25 | win 1:2 37 12 {pay-table}
        """,
    }
    settles(game, banker["0.95:1" if game.startswith("commission") else "1:2"])
    if game == "easy-six":
        settles(
            game,
            """
            6 5 K K K | player 30 | win 1.05:1 61 31 {pay-table}
            6 5 K K K | player 19 | win 1.05:1 38 19 {pay-table}
            """,
        )


def choice_by_staff_names_them(game: str, rule: Rule) -> None:
    """A choice that the Dealer makes for a patron who is present is the Dealer's, and so is what goes back."""
    play = one_bet(game, "9h", live=True)
    play.report("other-dealing-error")
    if rule is None:
        play.do(acts.Decide(SHIFT, Decision.OPTIONS, "the House gives them"))
        play.do(acts.Decide(SUPERVISOR, Decision.APPROVE))
    assert [each.rule for each in play.of(acts.OptionsOffered)] == [rule]
    chosen = play.do(acts.Choose(DEALER, "ann", Option.TAKE_BACK))
    assert {each.by for each in chosen} == {DEALER}
    assert play.backs() == {("ann", "player"): 10_000}


_OWN = functions(sys.modules[__name__])
