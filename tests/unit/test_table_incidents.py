"""Incidents at a table, event by event: what is ruled, what is asked of whom, and what is done about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from punto.rules.cards import Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.outcome import Winner
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import REASON, Input, InputType, Way
from punto.table.incidents import refuse_decision, role_needed, ways_to_correct, ways_to_decide
from punto.table.phases import Phase, Waits
from punto.table.refusals import (
    Contradiction,
    DecisionNotOpen,
    FactsContradict,
    NotPermitted,
    ReasonMissing,
    RoundHeld,
    SamePerson,
    ShoeMissing,
)
from punto.table.state import DECISIONS_FOR
from tests.table_kit import BOTH_DRAW, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

ANN, BO = patron("ann"), patron("bo")
PIT = Role.PIT_SUPERVISOR
TIGER = "da-hu-ying-xiong"
CLAIM = (c.Claim("ann", 1, Hand.BANKER),)
ANN_BET = Bet(1, "ann", "player", Cents(10_000), None, True)
BO_BET = Bet(2, "bo", "banker", Cents(20_000), None, True)


def table(cards: str = "", game: str = "commission", **settings: Any) -> Play:
    """Ann has 100.00 on Player and bo 200.00 on Banker; bets are closed, and these cards are dealt."""
    play = Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))
    return play.close().deal(cards)


def settled(cards: str = NATURAL, game: str = "commission", **settings: Any) -> Play:
    play = table(cards, game, **settings)
    play.settle()
    return play


def after_report(play: Play, situation: str, by: c.Actor = DEALER, **facts: Any) -> list[e.Event]:
    """What follows a report: its own event names the round, the case and the facts."""
    report = play.reporting(situation, by, **facts)
    number, case = play.state.rounds, play.state.cases + 1
    first, *rest = play.do(report)
    assert first == e.IncidentReported(by, case, number, situation, report.facts)
    return rest


def returned(bet: Bet, rule: str) -> e.Returned:
    return e.Returned(bet, e.ReturnReason.VOID, rule)


def asked(proposed: tuple[e.Event, ...], by: c.Actor = DEALER) -> e.Event:
    return e.ConfirmationAsked(by, 1, proposed, PIT)


def says(play: Play, situation: str) -> str:
    """What a sheet calls a situation, which becomes the reason of what is done about it."""
    return play.sheet.irregularities[situation].situation


def ruled(ruling: Ruling, rule: str, finding: e.Finding | None = None, by: c.Actor = DEALER) -> e.Event:
    return e.IncidentRuled(by, 1, ruling, rule, finding)


CLOSED = e.CaseClosed(DEALER, 1)


# ------------------------------------------------------------------------------------------- rulings


@pytest.mark.parametrize(
    ("situation", "ruling", "rule"),
    [
        ("late-bet", Ruling.REFUSE, "5.6"),
        ("late-withdrawal", Ruling.REFUSE, "5.6"),
        ("display-mistake", Ruling.TABLE_PREVAILS, "5.14"),
        ("misplaced-bet", Ruling.CHIPS_PREVAIL, "5.13"),
    ],
)
def test_commission_5_6_what_changes_nothing_is_ruled_and_closed(situation: str, ruling: Ruling, rule: str) -> None:
    assert after_report(table("9h"), situation) == [ruled(ruling, rule), CLOSED]


def test_commission_5_5_1_a_foreign_card_voids_the_round_and_ends_the_shoe() -> None:
    play = table("9h")
    reason = says(play, "foreign-card")
    void = (
        e.RoundVoided(DEALER, 1, play.cards, (returned(ANN_BET, "5.15"), returned(BO_BET, "5.15")), "5.5.1", reason),
        CLOSED,
        e.ShoeRemoved(DEALER, 1, "5.5.1", reason),
        e.RoundClosed(DEALER, 1),
    )
    assert after_report(play, "foreign-card") == [ruled(Ruling.VOID, "5.5.1"), *void]
    second = table("9h", second_person=True)
    assert after_report(second, "foreign-card") == [ruled(Ruling.VOID, "5.5.1"), asked(void)]


def test_commission_5_5_1_between_rounds_only_the_shoe_ends_and_only_once() -> None:
    play = settled()
    nothing = ruled(Ruling.VOID, "5.5.1", e.Finding.NOTHING_TO_VOID)
    removed = e.ShoeRemoved(DEALER, 1, "5.5.1", says(play, "foreign-card"))
    assert after_report(settled(second_person=True), "foreign-card") == [nothing, asked((removed, CLOSED))]
    assert after_report(play, "foreign-card") == [nothing, removed, CLOSED]
    again = e.IncidentRuled(DEALER, 2, Ruling.VOID, "5.5.1", e.Finding.NOTHING_TO_VOID)
    assert after_report(play, "foreign-card") == [again, e.CaseClosed(DEALER, 2)]


def test_commission_5_5_3_a_settled_round_is_corrected_and_its_shoe_stays() -> None:
    play = settled()
    facts: dict[str, Any] = {"reconstructible": False, "note": "mixed up", "hand": Hand.BANKER, "hand_count": 4}
    lines = (
        e.Adjustment(ANN_BET, Cents(20_000), Cents(10_000), Cents(-10_000), "5.15"),
        e.Adjustment(BO_BET, Cents(0), Cents(20_000), Cents(20_000), "5.15"),
    )
    reason = says(play, "wrong-number-of-cards")
    assert after_report(play, "wrong-number-of-cards", **facts) == [
        ruled(Ruling.VOID, "5.5.3"),
        e.RoundAdjusted(DEALER, 1, lines, True, "5.5.3", reason, reverses=True),
        CLOSED,
    ]


def test_commission_5_1_chips_over_the_differential_go_back_box_by_box_while_bets_are_open() -> None:
    play = Play("commission", live=True).sit("ann")
    play.do(c.Sit(BO, "bo", 9))
    play.open()
    for name, box in (("bo", 9), ("ann", 1)):
        play.do(c.RecordBet(DEALER, name, box, "player", Cents(150_000)))
    chips = {name: Bet(box, name, "player", Cents(150_000), None, True) for name, box in (("ann", 1), ("bo", 9))}
    assert after_report(play, "excess-bets") == [
        ruled(Ruling.PRO_RATA, "5.1.1"),
        e.BetDisplaced(DEALER, 1, chips["ann"], Cents(50_000), "5.1"),
        e.BetDisplaced(DEALER, 1, chips["bo"], Cents(50_000), "5.1"),
        CLOSED,
    ]


def test_commission_5_1_1_after_the_close_the_settlement_scales_what_is_over() -> None:
    play = Play("commission", live=True).sit("ann").open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close()
    assert after_report(play, "excess-bets") == [ruled(Ruling.PRO_RATA, "5.1.1"), CLOSED]


def test_commission_5_2_a_bet_below_the_minimum_is_raised_or_withdrawn_or_was_seen_too_late() -> None:
    def recorded() -> Play:
        play = Play("commission", live=True).sit("bo", "ann").open()
        play.do(c.RecordBet(DEALER, "ann", 2, "player", Cents(1_000)))
        return play

    low: dict[str, Any] = {"patron": "ann", "box": 2, "on": "player"}
    bet = Bet(2, "ann", "player", Cents(1_000), None, True)
    assert after_report(recorded(), "below-minimum", **low) == [
        ruled(Ruling.RAISE_OR_WITHDRAW, "5.2"),
        e.RaiseAsked(DEALER, 1, bet, Cents(2_500), "5.2"),
        CLOSED,
    ]
    late = ruled(Ruling.RAISE_OR_WITHDRAW, "5.2.1", e.Finding.SEEN_TOO_LATE)
    assert after_report(recorded().close(), "below-minimum", **low) == [late, CLOSED]


def test_commission_5_3_who_walks_away_leaves_their_bets() -> None:
    assert after_report(table("9h"), "walk-away", patron="ann", box=1, on="player") == [
        ruled(Ruling.SETTLE, "5.3"),
        e.PatronLeft(DEALER, "ann", "5.3", bets_stay=True),
        CLOSED,
    ]


def test_commission_5_4_an_interrupted_round_is_concluded_or_void() -> None:
    play = table("9h")
    lines = (returned(ANN_BET, "5.15"), returned(BO_BET, "5.15"))
    reason = says(play, "technical-interruption")
    void = (e.RoundVoided(DEALER, 1, play.cards, lines, "5.4.2", reason), CLOSED, e.RoundClosed(DEALER, 1))
    undecided = ruled(Ruling.CONCLUDE_OR_VOID, "5.4.2", e.Finding.UNDECIDED)
    assert after_report(play, "technical-interruption") == [undecided, *void]
    second = table("9h", second_person=True)
    first, *rest = second.do(c.Recover(DEALER))
    assert first == e.IncidentReported(DEALER, 1, 1, "technical-interruption", c.Facts())
    assert rest == [undecided, asked(void)]
    concluded = ruled(Ruling.CONCLUDE_OR_VOID, "5.4.1", e.Finding.CONCLUDED)
    assert after_report(table("5h Kd 5s"), "technical-interruption") == [concluded, CLOSED]


def offered(
    rule: str, *, reconstructed: bool, by: c.Actor = DEALER, patrons: tuple[str, ...] = ("ann", "bo")
) -> e.Event:
    go_on = "5.12.2" if reconstructed else "5.12.1"
    return e.OptionsOffered(by, 1, 1, patrons, reconstructed, rule, go_on, "5.12.3")


def relaid(
    play: Play, situation: str, before: str, after: str, rule: str, change: e.CardChange, by: c.Actor = DEALER
) -> e.Event:
    cards = parse_cards(before), parse_cards(after)
    return e.CardsRelaid(by, 1, 1, *cards, (), rule, says(play, situation), (), None, change)


@pytest.mark.parametrize(
    ("situation", "ruling", "rule", "options"),
    [
        ("wrong-area", Ruling.RECONSTRUCT, "5.8", "5.8"),
        ("excess-card", Ruling.RECONSTRUCT, "5.7", "5.7.1"),
        ("other-dealing-error", Ruling.OPTIONS, "5.12", "5.12"),
    ],
)
def test_commission_5_12_2_cards_put_in_order_go_on_reconstructed(
    situation: str, ruling: Ruling, rule: str, options: str
) -> None:
    play = table("9h 2c")
    right = relaid(play, situation, "9h 2c", "2c 9h", rule, e.CardChange.ORDER)
    rest = (right, offered(options, reconstructed=True))
    assert after_report(play, situation, cards="2c 9h", reconstructible=True) == [ruled(ruling, rule), *rest]
    second = table("9h 2c", second_person=True)
    proposed = after_report(second, situation, cards="2c 9h", reconstructible=True)
    assert proposed == [ruled(ruling, rule), asked(rest)]


def test_commission_5_12_1_cards_that_cannot_be_put_in_order_go_on_as_they_are() -> None:
    beyond = ruled(Ruling.RECONSTRUCT, "5.8", e.Finding.NOT_RECONSTRUCTIBLE)
    events = after_report(table("9h 2c"), "wrong-area", cards="9h 2c", reconstructible=False, note="mixed up")
    assert events == [beyond, offered("5.8", reconstructed=False)]
    events = after_report(table("9h"), "other-dealing-error")
    assert events == [ruled(Ruling.OPTIONS, "5.12"), offered("5.12", reconstructed=False)]


def test_commission_5_8_1_an_established_outcome_goes_on_without_options_once_the_cards_are_in_order() -> None:
    play = table("9h Kd 2c 3c")
    assert after_report(play, "wrong-area", cards=NATURAL, reconstructible=True) == [
        ruled(Ruling.RECONSTRUCT, "5.8"),
        relaid(play, "wrong-area", "9h Kd 2c 3c", NATURAL, "5.8", e.CardChange.ORDER),
        CLOSED,
        e.ResultDeclared(DEALER, 1, Winner.PLAYER, 9, 5, "3.13"),
    ]


def test_commission_5_9_a_card_dealt_face_up_gives_the_options_until_an_outcome_is_established() -> None:
    play = table("9h", face_down=True, live=True)
    rule = play.sheet.irregularities["dealt-face-up"].rule
    assert rule is not None
    assert after_report(play, "dealt-face-up")[0] == ruled(Ruling.CONTINUE, rule)
    assert play.of(e.OptionsOffered)[0].reconstructed is False
    decided = table(NATURAL, face_down=True, live=True)
    assert after_report(decided, "dealt-face-up") == [ruled(Ruling.CONTINUE, rule), CLOSED]


def test_commission_5_12_only_present_patrons_choose_and_nobody_while_bets_are_open() -> None:
    play = table("9h")
    play.do(c.Leave(ANN, "ann"))
    events = after_report(play, "other-dealing-error")
    assert events[-1] == offered("5.12", reconstructed=False, patrons=("bo",))
    empty = Play("commission").open().close().deal("9h")
    assert after_report(empty, "other-dealing-error") == [ruled(Ruling.OPTIONS, "5.12"), CLOSED]
    betting = Play("commission").sit("ann").open(("ann", "player", 10_000))
    assert after_report(betting, "other-dealing-error") == [ruled(Ruling.OPTIONS, "5.12"), CLOSED]


def test_commission_5_10_the_order_of_two_cards_is_decided_and_then_the_options_are_given() -> None:
    def came_together(**settings: Any) -> Play:
        play = table("9h", **settings)
        came = parse_cards("2c Kd")
        ask = e.OrderAsked(DEALER, 1, PIT, came, "5.10")
        assert after_report(play, "simultaneous-cards", cards="2c Kd") == [ruled(Ruling.ORDER_CARDS, "5.10"), ask]
        return play

    def order(by: c.Actor, cards: str = "Kd 2c") -> c.Decide:
        return c.Decide(by, c.Decision.ORDER, cards=parse_cards(cards))

    play = came_together()
    (way,) = ways_to_decide(play.state)
    came = parse_cards("2c Kd")
    listed = Input("cards", InputType.CARDS, includes=came, minimum=2, maximum=2)
    assert way == Way(decision=c.Decision.ORDER, inputs=(listed,))
    wrong = FactsContradict(Contradiction.NOT_THESE_CARDS, came, rule="5.10")
    assert play.decide(order(SUPERVISOR, "Kd 3c")) == wrong
    assert play.decide(order(DEALER)) == NotPermitted(PIT)
    made = e.DecisionMade(SUPERVISOR, 1, c.Decision.ORDER, "")
    right = relaid(play, "simultaneous-cards", "9h", "9h Kd 2c", "5.10", e.CardChange.ADDITION, SUPERVISOR)
    rest = [right, offered("5.10.1", reconstructed=True, by=SUPERVISOR)]
    assert list(play.do(order(SUPERVISOR))) == [made, *rest]
    assert list(came_together(second_person=True).do(order(SUPERVISOR))) == [made, *rest], "that is the second person"


def test_commission_5_10_closed_cards_are_ordered_by_the_reason() -> None:
    play = table(face_down=True, live=True)
    for _ in range(2):
        play.do(c.Deal(DEALER))
    play.report("simultaneous-cards")
    assert play.do(c.Decide(SUPERVISOR, c.Decision.ORDER, "the left one is first")) == (
        e.DecisionMade(SUPERVISOR, 1, c.Decision.ORDER, "the left one is first"),
        offered("5.10.1", reconstructed=True, by=SUPERVISOR),
    )


@pytest.mark.parametrize(
    ("situation", "facts"),
    [
        ("anything-else", {"note": "a bird on the layout"}),
        ("excess-card", {"cards": "9h 2c", "reconstructible": False, "note": "fell on the floor"}),
    ],
)
def test_commission_5_17_what_no_paragraph_answers_waits_for_the_shift_manager(
    situation: str, facts: dict[str, Any]
) -> None:
    referred = e.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, "5.17")
    assert after_report(table("9h"), situation, **facts) == [referred]


@pytest.mark.parametrize(
    ("situation", "facts"),
    [
        ("other-dealing-error", {}),
        ("simultaneous-cards", {"cards": "2c Kd"}),
        ("wrong-area", {"cards": "2c 9h Kd 3c", "reconstructible": True}),
    ],
)
def test_commission_5_17_no_paragraph_speaks_of_a_round_that_was_settled(situation: str, facts: dict[str, Any]) -> None:
    referred = e.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, "5.17")
    assert after_report(settled(), situation, **facts) == [referred]


def test_commission_5_8_cards_of_a_settled_round_that_cannot_be_put_in_order_stay_as_they_are() -> None:
    beyond = ruled(Ruling.RECONSTRUCT, "5.8", e.Finding.NOT_RECONSTRUCTIBLE)
    facts: dict[str, Any] = {"cards": "2c 9h Kd 3c", "reconstructible": False, "note": "mixed up"}
    assert after_report(settled(), "wrong-area", **facts) == [beyond, CLOSED]


def test_commission_5_7_a_card_drawn_before_the_first_round_waits_for_it() -> None:
    play = Play("commission")
    play.report("excess-card", cards="7c", reconstructible=True)
    play.open().close()
    play.do(c.Deal(DEALER))
    assert play.cards == parse_cards("7c")


# ------------------------------------------------------------------------------------------- other sheets

BUILT_IN = (Path(__file__).parents[2] / "src" / "punto" / "sheets" / "commission.toml").read_text(encoding="utf-8")


def own_sheet(cards: str, *changes: tuple[str, str]) -> Play:
    """A table of the sheet `commission` with these changes; ann has 100.00 on Player."""
    text = BUILT_IN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    play = Play(text, opened=False)
    play.do(c.OpenTable(SUPERVISOR, "t1", play.sheet.id, 8, Cents(2_500), Cents(100_000), layout="bean-9", live=True))
    play.do(c.LoadShoe(DEALER))
    return play.sit("ann").open(("ann", "player", 10_000)).close().deal(cards)


NEW_SHOE = 'rule = "5.5.1"\nnew-shoe = { rule = "5.5.1" }\n'


@pytest.mark.parametrize(
    "new", ['rule = "5.5.1"\n', 'rule = "5.5.1"\nnew-shoe = { rule = "5.5.1", by = "pit-supervisor" }\n']
)
def test_a_sheet_may_leave_the_shoe_in_play_after_a_void(new: str) -> None:
    """It says nothing of a new shoe, or names who may replace it."""
    play = own_sheet("9h", (NEW_SHOE, new))
    play.confirmed(play.reporting("foreign-card"))
    assert not play.of(e.ShoeRemoved)
    nothing = e.IncidentRuled(DEALER, 2, Ruling.VOID, "5.5.1", e.Finding.NOTHING_TO_VOID)
    assert after_report(play, "foreign-card") == [nothing, e.CaseClosed(DEALER, 2)]


def test_a_sheet_may_give_no_options() -> None:
    none = ('options = { unless = "outcome-established-and-reconstructible", rule = "5.8" }\n', "")
    facts: dict[str, Any] = {"cards": "9h 2c", "reconstructible": False, "note": "mixed up"}
    beyond = ruled(Ruling.RECONSTRUCT, "5.8", e.Finding.NOT_RECONSTRUCTIBLE)
    assert after_report(own_sheet("9h 2c", none), "wrong-area", **facts) == [beyond, CLOSED]


def test_a_sheet_may_rule_an_interruption_by_one_paragraph() -> None:
    one = (('conclude = "5.4.1"\n', ""), ('void-interrupted = "5.4.2"\n', ""))
    undecided = after_report(own_sheet("9h", *one), "technical-interruption")
    assert undecided[0] == ruled(Ruling.CONCLUDE_OR_VOID, "5.4", e.Finding.UNDECIDED)
    concluded = after_report(own_sheet("5h Kd 5s", *one), "technical-interruption")
    assert concluded[0] == ruled(Ruling.CONCLUDE_OR_VOID, "5.4", e.Finding.CONCLUDED)


def test_a_sheet_without_limits_returns_no_excess() -> None:
    start, end = BUILT_IN.index("[limits]"), BUILT_IN.index("# -", BUILT_IN.index("[limits]"))
    play = own_sheet(NATURAL, (BUILT_IN[start:end], ""))
    play.settle()
    play.open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    assert after_report(play, "excess-bets") == [ruled(Ruling.PRO_RATA, "5.1.1"), CLOSED]


def test_a_foreign_card_before_the_first_shoe_changes_nothing() -> None:
    nothing = ruled(Ruling.VOID, "5.5.1", e.Finding.NOTHING_TO_VOID)
    assert after_report(Play("commission", shoe=None), "foreign-card") == [nothing, CLOSED]


# ------------------------------------------------------------------------------------------- insurance neglected


def neglected(**settings: Any) -> Play:
    """Insurance on Banker was not offered; it would have won, for Banker loses."""
    play = Play(TIGER, **settings).sit("ann", "bo").open(("ann", "banker", 10_000), ("bo", "banker", 20_000)).close()
    return play.deal("Kh Kd 4s 5c 5s Kc")


def claim(play: Play, by: c.Actor) -> list[e.Event]:
    return after_report(play, "insurance-neglected", by, window=Window.FOUR_CARDS, claims=CLAIM)


def test_da_hu_ying_xiong_5_13_a_claim_waits_for_the_role_that_decides() -> None:
    play = neglected()
    ruling = play.sheet.irregularities["insurance-neglected"]
    assert claim(play, DEALER) == [e.ApprovalAsked(DEALER, 1, ruling.decides, "5.13")]
    assert play.state.case is not None
    assert (play.state.case.waits, role_needed(play.state)) == (Waits.APPROVAL, ruling.decides)
    assert ways_to_decide(play.state) == (
        Way(decision=c.Decision.APPROVE),
        Way(decision=c.Decision.DECLINE, inputs=(REASON,)),
    )
    approved = play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    assert approved == (
        e.DecisionMade(MANAGER, 1, c.Decision.APPROVE, ""),
        ruled(Ruling.RETURN_ORIGINAL, "5.13", by=MANAGER),
        e.InsuranceClaimed(MANAGER, 1, 1, Window.FOUR_CARDS, CLAIM, "5.13"),
        e.CaseClosed(MANAGER, 1),
    )


def test_da_hu_ying_xiong_5_13_a_claim_of_a_settled_round_corrects_the_original_bet() -> None:
    play = neglected()
    play.settle()
    bet = Bet(1, "ann", "banker", Cents(10_000), None, True)
    line = e.Adjustment(bet, Cents(0), Cents(10_000), Cents(10_000), "5.13")
    reason = says(play, "insurance-neglected")
    cards = parse_cards("Kh Kd 4s 5c 5s Kc")
    assert claim(play, MANAGER) == [
        ruled(Ruling.RETURN_ORIGINAL, "5.13", by=MANAGER),
        e.InsuranceClaimed(MANAGER, 1, 1, Window.FOUR_CARDS, CLAIM, "5.13"),
        e.RoundAdjusted(MANAGER, 1, (line,), False, "5.13", reason, reverses=True, cards_before=cards),
        e.CaseClosed(MANAGER, 1),
    ]


def test_da_hu_ying_xiong_5_13_a_claim_needs_a_second_person_where_the_table_does() -> None:
    claimed = e.InsuranceClaimed(MANAGER, 1, 1, Window.FOUR_CARDS, CLAIM, "5.13")
    rest = (claimed, e.CaseClosed(MANAGER, 1))
    first = ruled(Ruling.RETURN_ORIGINAL, "5.13", by=MANAGER)
    assert claim(neglected(second_person=True), MANAGER) == [first, asked(rest, MANAGER)]


# ------------------------------------------------------------------------------------------- while a case is open


def test_while_a_case_is_open_only_what_may_end_the_round_is_reported() -> None:
    play = table("9h")
    play.report("other-dealing-error")
    held = RoundHeld(1, Waits.CHOICES, None)
    for situation in ("anything-else", "display-mistake", "wrong-area"):
        assert play.decide(c.Report(DEALER, situation)) == held
    assert play.decide(c.CorrectCards(SUPERVISOR, parse_cards("8h"), "misread")) == held
    play.report("technical-interruption")
    assert play.of(e.RoundVoided)
    second = table("9h", second_person=True)
    second.report("foreign-card")
    assert second.decide(c.Report(DEALER, "foreign-card")) == RoundHeld(1, Waits.CONFIRMATION, PIT)


def test_a_case_that_is_closed_leaves_the_one_before_it_open() -> None:
    play = settled()
    play.report("anything-else")
    assert after_report(play, "foreign-card")[-1] == e.CaseClosed(DEALER, 2)
    assert play.state.case is not None
    assert (play.state.case.number, play.state.case.waits) == (1, Waits.DECISION)
    play = table("9h", second_person=True)
    play.report("other-dealing-error")
    play.report("foreign-card")
    play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, "it is a card of the set"))
    assert play.state.case is not None
    assert (play.state.case.number, play.state.case.patrons) == (1, ("ann", "bo"))


# ------------------------------------------------------------------------------------------- decisions


def referred(play: Play) -> Play:
    play.report("anything-else")
    return play


def test_each_case_takes_the_decisions_it_waits_for() -> None:
    play = referred(table("9h"))
    assert play.decide(c.Decide(MANAGER, c.Decision.VOID, "now")) == NotPermitted(Role.SHIFT_MANAGER, rule="5.17")
    waits = Waits.DECISION
    assert play.decide(c.Decide(SHIFT, c.Decision.APPROVE)) == DecisionNotOpen(1, waits, DECISIONS_FOR[waits])
    assert play.decide(c.Decide(SHIFT, c.Decision.VOID, " ")) == ReasonMissing()
    choosing = table("9h")
    choosing.report("other-dealing-error")
    assert role_needed(choosing.state) is None
    closed = DecisionNotOpen(1, Waits.CHOICES, ())
    assert choosing.decide(c.Decide(SHIFT, c.Decision.VOID, "now")) == refuse_decision(choosing.state, SHIFT) == closed
    second = table("9h", second_person=True)
    second.report("foreign-card", SUPERVISOR)
    assert role_needed(second.state) is PIT
    assert second.decide(c.Decide(DEALER, c.Decision.APPROVE)) == NotPermitted(PIT)
    assert second.decide(c.Decide(SUPERVISOR, c.Decision.APPROVE)) == SamePerson()
    assert role_needed(Play("commission").state) is None


def way_of(play: Play, decision: c.Decision) -> Way:
    return next(way for way in ways_to_decide(play.state) if way.decision is decision)


def test_commission_5_17_the_ways_of_a_decision_within_a_round() -> None:
    play = referred(table("9h 2c"))
    for decision in (c.Decision.VOID, c.Decision.CONTINUE, c.Decision.OPTIONS):
        assert way_of(play, decision) == Way(decision=decision, inputs=(REASON,))
    way = way_of(play, c.Decision.RECONSTRUCT)
    cards, reason = way.inputs
    assert (cards.name, cards.includes, cards.minimum, cards.starts_with) == ("cards", parse_cards("9h 2c"), 2, ())
    assert (reason, way.refusal) == (REASON, None)


def test_commission_5_17_cards_of_a_known_order_begin_with_those_that_came() -> None:
    play = Play("commission", shoe=NATURAL).open().close()
    for _ in range(2):
        play.do(c.Deal(DEALER))
    assert way_of(referred(play), c.Decision.RECONSTRUCT).inputs[0].starts_with == parse_cards("9h 2c")


def test_a_sheet_may_let_a_settled_round_be_void_by_decision() -> None:
    wrong_area = 'rule = "5.8"\noptions = { unless = "outcome-established-and-reconstructible", rule = "5.8" }\n'
    play = own_sheet(NATURAL, (wrong_area, f"{wrong_area}until-next-round = true\n"))
    play.settle()
    assert after_report(play, "wrong-area", cards="2c 9h Kd 3c", reconstructible=True) == [
        e.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, "5.17")
    ]
    play.confirmed(c.Decide(SHIFT, c.Decision.VOID, "seen on camera"))
    (adjusted,) = play.of(e.RoundAdjusted)
    assert (adjusted.void, [each.after_cents for each in adjusted.lines]) == (True, [10_000])


def test_commission_5_17_the_ways_of_a_decision_after_the_settlement() -> None:
    play = referred(settled())
    void, options = way_of(play, c.Decision.VOID), way_of(play, c.Decision.OPTIONS)
    assert void.refusal == FactsContradict(Contradiction.NO_ROUND, rule="5.15")
    assert options.refusal == FactsContradict(Contradiction.SETTLED)
    cards = way_of(play, c.Decision.RECONSTRUCT).inputs[0]
    assert (cards.minimum, cards.starts_with) == (4, parse_cards(NATURAL))
    other = c.Decide(SHIFT, c.Decision.RECONSTRUCT, "seen on camera", parse_cards("2c 9h Kd 3c"))
    assert play.decide(other) == FactsContradict(Contradiction.SETTLED)
    more = c.Decide(SHIFT, c.Decision.RECONSTRUCT, "seen on camera", parse_cards(f"{NATURAL} 7s"))
    play.do(more)
    assert play.state.shoe is not None
    assert play.state.shoe.carried == parse_cards("7s")


def test_commission_5_17_without_a_shoe_there_are_no_cards_to_put_in_order() -> None:
    play = referred(Play("commission", shoe=None))
    assert way_of(play, c.Decision.RECONSTRUCT).refusal == ShoeMissing()


def decided(play: Play, decision: c.Decision, reason: str = "seen on camera", cards: str = "") -> list[e.Event]:
    first, *rest = play.do(c.Decide(SHIFT, decision, reason, parse_cards(cards)))
    assert first == e.DecisionMade(SHIFT, 1, decision, reason)
    return rest


def test_commission_5_17_what_the_shift_manager_decides_is_done() -> None:
    lines = (returned(ANN_BET, "5.15"), returned(BO_BET, "5.15"))
    closed = e.CaseClosed(SHIFT, 1)
    void = (
        e.RoundVoided(SHIFT, 1, parse_cards("9h 2c"), lines, "5.17", "seen on camera"),
        closed,
        e.RoundClosed(SHIFT, 1),
    )
    options = offered("5.17", reconstructed=False, by=SHIFT)
    order = e.CardsRelaid(
        SHIFT,
        1,
        1,
        parse_cards("9h 2c"),
        parse_cards("2c 9h"),
        (),
        "5.17",
        "seen on camera",
        (),
        None,
        e.CardChange.ORDER,
    )
    for decision, cards, events in (
        (c.Decision.VOID, "", void),
        (c.Decision.OPTIONS, "", (options,)),
        (c.Decision.RECONSTRUCT, "2c 9h", (order, closed)),
    ):
        assert decided(referred(table("9h 2c")), decision, cards=cards) == [*events]
        second = referred(table("9h 2c", second_person=True))
        assert decided(second, decision, cards=cards) == [asked(events, SHIFT)]
    assert decided(referred(table("9h 2c", second_person=True)), c.Decision.CONTINUE) == [closed]
    known = referred(table("9h 2c"))
    wrong = c.Decide(SHIFT, c.Decision.RECONSTRUCT, "seen on camera", parse_cards("2c"))
    assert known.decide(wrong) == FactsContradict(Contradiction.CARDS_MISSING, parse_cards("9h"))


@pytest.mark.parametrize(("on", "sides"), [("player", False), ("tie", True)])
def test_easy_six_to_go_on_with_bets_over_the_limits_lifts_them(on: str, sides: bool) -> None:
    limits = (c.BetLimits("tie", Cents(500), Cents(5_000)),)
    play = Play("easy-six", live=True, sides=limits).sit("ann").open()
    play.do(c.RecordBet(DEALER, "ann", 1, on, Cents(150_000)))
    play.close().deal(NATURAL)
    play.do(c.Settle(DEALER))
    lifted = (e.LimitsLifted(SHIFT, 1, 1, sides), e.CaseClosed(SHIFT, 1))
    assert decided(play, c.Decision.CONTINUE) == [asked(lifted, SHIFT)]


def test_easy_six_to_go_on_after_an_earlier_round_was_over_the_limits_lifts_none_now() -> None:
    play = settled(game="easy-six").open(("ann", "player", 10_000))
    play.report("excess-bets", SHIFT, round=1)
    assert decided(play, c.Decision.CONTINUE) == [e.CaseClosed(SHIFT, 1)]


def test_what_is_declined_is_closed_or_waits_again_for_what_it_waited_for() -> None:
    no = "I see no such thing"
    play = table("9h", second_person=True)
    play.report("foreign-card")
    assert play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, no)) == (
        e.DecisionMade(SUPERVISOR, 1, c.Decision.DECLINE, no),
        e.CaseClosed(SUPERVISOR, 1),
    )
    play = referred(table("9h", second_person=True))
    decided(play, c.Decision.VOID)
    assert play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, no)) == (
        e.DecisionMade(SUPERVISOR, 1, c.Decision.DECLINE, no),
    )
    assert play.state.case is not None
    assert play.state.case.waits is Waits.DECISION


def test_whoever_had_to_choose_may_have_left_when_the_options_are_confirmed() -> None:
    play = table("9h", second_person=True)
    play.report("other-dealing-error")
    play.report("foreign-card")
    for name in ("ann", "bo"):
        play.do(c.Leave(patron(name), name))
    play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, "it is a card of the set"))
    assert (play.state.case, play.state.phase) == (None, Phase.INITIAL_CARDS)


def test_what_is_confirmed_leaves_a_case_about_another_round_open() -> None:
    play = settled(second_person=True).open(("ann", "player", 10_000)).close().deal("9h")
    play.report("anything-else", SHIFT, round=1)
    play.report("foreign-card")
    play.do(c.Decide(SUPERVISOR, c.Decision.APPROVE))
    assert play.state.case is not None
    assert (play.state.case.number, play.state.case.waits) == (1, Waits.DECISION)


# ------------------------------------------------------------------------------------------- cards keyed wrongly


def correction(cards: str, by: c.Actor = SUPERVISOR) -> c.CorrectCards:
    return c.CorrectCards(by, parse_cards(cards), "misread")


@pytest.mark.parametrize(
    ("cards", "by", "refusal"),
    [
        ("9h", DEALER, NotPermitted(PIT)),
        ("9h", SUPERVISOR, None),
    ],
)
def test_who_corrects_cards_without_a_second_person(cards: str, by: c.Actor, refusal: Refusal | None) -> None:
    answer = table("9h 2c").decide(correction(cards, by))
    assert answer == refusal if refusal else not isinstance(answer, Refusal)


def test_the_ways_to_correct_cards() -> None:
    """As few as were carried, and as many as are left."""
    play = table("9h 2c")
    cards = Input("cards", InputType.CARDS, minimum=0, maximum=416)
    assert ways_to_correct(play.state, SUPERVISOR) == (Way(inputs=(cards, REASON)),)
    closed = Play("commission", face_down=True, live=True).open().close().deal("9h")
    for _ in range(2):
        closed.do(c.Deal(DEALER))
    listed = Input("cards", InputType.CARDS, minimum=3, maximum=416)
    assert ways_to_correct(closed.state, SUPERVISOR) == (Way(inputs=(listed, REASON)),)
    assert closed.decide(correction("9h 2c")) == FactsContradict(Contradiction.CARDS_CLOSED)
    closed.confirmed(correction("9h 2c 3d"))
    known = Play("commission", shoe=NATURAL).open().close()
    assert ways_to_correct(known.state, SUPERVISOR) == FactsContradict(Contradiction.CARDS_KNOWN)
    carrying = table(NATURAL)
    carrying.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    carrying.settle()
    carrying.open().close()
    kept = Input("cards", InputType.CARDS, minimum=1, maximum=412, includes=parse_cards("7c"))
    assert ways_to_correct(carrying.state, SUPERVISOR) == (Way(inputs=(kept, REASON)),)


def corrected(before: str, after: str, by: c.Actor, change: e.CardChange) -> e.Event:
    cards = parse_cards(before), parse_cards(after)
    return e.CardsRelaid(by, 1, 1, *cards, (), None, "misread", (), None, change)


@pytest.mark.parametrize(
    ("keyed", "right", "waits"),
    [
        ("9h 2c", "9h 3c", False),  # the card keyed last is another
        ("9h 2c", "9h", False),  # or was none
        ("9h 2c", "8h 2c", True),
        ("9h 2c", "9h 2c Kd", True),
        ("9h 2c", "", True),
        ("9h", "", False),
    ],
)
def test_only_the_card_keyed_last_is_corrected_by_one_person(keyed: str, right: str, waits: bool) -> None:
    play = table(keyed, second_person=True)
    first, *rest = play.do(correction(right, DEALER))
    assert first == e.IncidentReported(DEALER, 1, 1, "misread-card", c.Facts(cards=parse_cards(right), note="misread"))
    change = e.CardChange.between(parse_cards(keyed), parse_cards(right))
    done = (corrected(keyed, right, DEALER, change), CLOSED)
    assert rest == ([asked(done)] if waits else [*done])


@pytest.mark.parametrize("cards", ["9h 2c Kd", "8h"])
def test_a_correction_of_a_lost_reading_waits_for_a_second_person(cards: str) -> None:
    play = table(second_person=True)
    nine, king = parse_cards("9h Kd")
    play.do(c.Deal(DEALER, nine, 1))
    play.do(c.Deal(DEALER, king, 3))
    (proposal,) = play.do(correction(cards))
    assert isinstance(proposal, e.ConfirmationAsked)


def test_interruptions_of_a_silent_sheet_are_referred() -> None:
    play = table("9h", "easy-six")
    assert play.do(c.Recover(DEALER)) == (
        e.IncidentReported(DEALER, 1, 1, "technical-interruption", c.Facts()),
        e.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, None),
    )


def test_reconstruction_after_both_hands_drew_takes_all_cards() -> None:
    play = table(BOTH_DRAW)
    swapped: tuple[Card, ...] = parse_cards("2d 2h Ks Kc 4h 5d")
    play.report("wrong-area", cards=swapped, reconstructible=True)
    assert play.cards == swapped
