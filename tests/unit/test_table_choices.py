"""Choices: what each person is told they may do, command by command, with the exact bounds and refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from punto.rules.cash import cash_patron
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import InsuranceWithoutOriginal, Refusal
from punto.rules.settlement import Bet
from punto.rules.sheet import AskedBy, Role
from punto.table import commands as c
from punto.table import refusals as r
from punto.table.bounds import ANY, REASON, Amount, Choice, Cover, Input, InputType, SituationGroup, StakeAndWin, Way
from punto.table.choices import Acting, choices, own_choices, shared_choices
from punto.table.events import BoxProblem, BoxWarning
from punto.table.phases import Phase, Waits
from punto.table.roles import AUTHORITY
from punto.table.state import Spot, State, new_table
from tests.table_kit import DEALER, MANAGER, NATURAL, SECOND, SHIFT, STAFF, SUPERVISOR, Play, patron

ANN, BO, CY, ZED = map(patron, ("ann", "bo", "cy", "zed"))
CARD, *WAIVERS = c.SqueezeOf
NUMBER, CARDS = InputType.NUMBER, InputType.CARDS
COMMISSION, INSURED = "commission", "da-hu-ying-xiong"
BOXES = range(1, 10)
BETS = ("player", "banker", "tie", "player-pair", "banker-pair")

Told = tuple[Way, ...] | Refusal


def told(state: State, actor: c.Actor, kind: type[c.Command], patrons: Sequence[str] | None = None) -> Told:
    """The ways of a command, or its refusal: never both."""
    (choice,) = [each for each in choices(state, actor, patrons) if each.kind == c.kind_of(kind)]
    assert not (choice.ways and choice.refusal)
    return choice.ways if choice.refusal is None else choice.refusal


def after(play: Play, *commands: c.Command) -> Play:
    for command in commands:
        play.do(command)
    return play


# ------------------------------------------------------------------------------------------- who and when


@pytest.mark.parametrize("actor", [ANN, *STAFF])
def test_everyone_is_told_of_every_command_and_a_table_that_is_not_open_can_only_be_opened(actor: c.Actor) -> None:
    state = new_table(load(COMMISSION))
    found = {choice.kind: choice for choice in choices(state, actor)}
    assert list(found) == list(c.COMMANDS)
    for name, kind in c.COMMANDS.items():
        role, refusal = AUTHORITY[kind], Choice(name, refusal=r.TableNotOpen())
        if role is not None and not actor.may_act_as(role):
            assert found[name] == Choice(name, refusal=r.NotPermitted(role))
        elif kind is c.Leave:
            assert found[name] == Choice(name, refusal=r.NotAtBox(None))
        elif kind is c.OpenTable:
            (way,) = found[name].ways
            limits = ["minimum_cents", "differential_cents", "unit_cents"]
            assert [each.name for each in way.inputs] == ["table", "decks", "layout", *limits]
        else:
            assert found[name] == refusal


def test_whoever_acts_in_a_position_is_told_what_that_position_may_do() -> None:
    play = on_duty()
    assert told(play.state, DEALER, c.CloseTable) == r.NotPermitted(Role.PIT_SUPERVISOR)
    play.do(c.AssignPosition(SUPERVISOR, "dan", Role.PIT_SUPERVISOR))
    assert told(play.state, DEALER, c.CloseTable) == ANY


def test_staff_name_the_patron_and_commands_are_for_cash_only_where_that_is_said() -> None:
    patrons, staff = [Acting({"ann": (1,)}, by_staff=by_staff) for by_staff in (False, True)]
    assert (patrons.name("ann"), patrons.cash) == (None, False)
    assert (staff.name("ann"), staff.cash) == ("ann", False)


# ------------------------------------------------------------------------------------------- the table


def loaded(**settings: Any) -> Play:
    return Play(COMMISSION, **settings)


def on_duty() -> Play:
    return after(loaded(), c.ComeOnDuty(DEALER), c.ComeOnDuty(SUPERVISOR))


def betting() -> Play:
    """Ann and bo sit; bo stands behind box 1, too, and cy behind box 2. Box 3 has too little cash in it."""
    play = after(loaded(live=True).sit("ann", "bo"), c.Stand(BO, "bo", 1), c.Stand(CY, "cy", 2))
    play.open(("ann", "tie", 10_000), ("ann", "player", 5_000), ("bo", "player", 100_000))
    return after(play, c.RecordBet(DEALER, "cash:3", 3, "player", Cents(1_000)))


def dealt(cards: str = "2h 3d", **settings: Any) -> Play:
    """Ann has a bet, bo sits without one."""
    return loaded(**settings).sit("ann", "bo").open(("ann", "player", 10_000)).close().deal(cards)


def closed_cards(*more: c.Command) -> Play:
    """Bo has the highest bet at a table of closed cards."""
    play = loaded(face_down=True, live=True).sit("ann", "bo")
    return after(play.open(("ann", "player", 10_000), ("bo", "player", 20_000)).close(), *more)


ASK, GRANT = c.AskSqueeze(BO, "bo", CARD), c.AnswerSqueeze(DEALER, True)
LOW_CASH = c.Facts(patron="cash:3", box=3, on="player")
STATES: dict[str, Callable[[], Play]] = {
    "no shoe": partial(loaded, shoe=None),
    "loaded": loaded,
    "suspended": lambda: after(loaded(), c.SuspendPlay(SUPERVISOR, "a fire alarm")),
    "on duty": on_duty,
    "betting": betting,
    "below minimum": lambda: after(betting(), c.Report(DEALER, "below-minimum", LOW_CASH)),
    "dealt": dealt,
    "result": partial(dealt, NATURAL),
    "settled": lambda: after(dealt(NATURAL), c.Settle(DEALER)),
    "held": lambda: after(loaded(live=True), c.Report(DEALER, "anything-else")),
    "proposed": lambda: after(dealt(live=True), c.Report(SUPERVISOR, "foreign-card")),
    "choosing": lambda: after(dealt(), c.Report(DEALER, "other-dealing-error")),
    "closed cards": closed_cards,
    "asked": partial(closed_cards, ASK),
    "granted": partial(closed_cards, ASK, GRANT),
    "squeezed": partial(closed_cards, ASK, GRANT, c.Deal(DEALER)),
}


def limit(name: str, minimum: int) -> Input:
    return Input(name, NUMBER, refused="limits-invalid", minimum=minimum, maximum=MAX_CENTS - 1)


def with_inputs(*inputs: Input) -> tuple[Way, ...]:
    return (Way(inputs=inputs),)


def squeeze(name: str | None, refusal: Refusal | None = None) -> tuple[Way, ...]:
    waivers = [Way(name, what=what, refusal=r.SqueezeNotOffered(what)) for what in WAIVERS]
    return (Way(name, what=CARD, refusal=refusal), *waivers)


NOT_HIGHEST = r.SqueezeNotHighest(AskedBy.SEATED_HIGHEST_BET, rule="3.9")
OPTIONS = tuple(c.Option)
SHOE = "shoe-invalid"
CUT = Input("cut", NUMBER, False, refused=SHOE, minimum=0, maximum=416)
COUNT = Input("count", NUMBER, missing=SHOE, refused=SHOE, minimum=416, maximum=416)
NEXT_CARD = Input("card", InputType.CARD, missing="card-not-given", refused="card-copies")
READING = Input("reading", NUMBER, False, refused="reading-repeated")
ROUND = Input("round", NUMBER, True, "round-not-settled", "round-not-settled", minimum=1, maximum=1)
CARDS_OF_ROUND = Input("cards", CARDS, missing="card-missing", minimum=4, maximum=6)
PERSON = Input("person", InputType.ONE_OF, missing="not-on-duty", refused="not-on-duty", allowed=("dan",))
POSITION = Input("position", InputType.ONE_OF, False, refused="position-not-assignable", allowed=tuple(Role)[:2])
APPROVE, DECLINE = c.Decision.APPROVE, c.Decision.DECLINE
LOW = BoxWarning(BoxProblem.BELOW_MINIMUM, 3, Cents(1_000), Cents(2_500), "5.2", "cash:3", "player")


@pytest.mark.parametrize(
    ("state", "actor", "kind", "expected"),
    [
        ("loaded", SUPERVISOR, c.CloseTable, ANY),
        ("no shoe", DEALER, c.LoadShoe, with_inputs(CUT)),
        ("loaded", DEALER, c.LoadShoe, r.ShoeStays(1)),
        ("loaded", DEALER, c.CutCard, ANY),
        ("no shoe", DEALER, c.CutCard, r.ShoeMissing()),
        ("loaded", DEALER, c.OpenBets, ANY),
        ("suspended", DEALER, c.OpenBets, r.PlaySuspended("a fire alarm")),
        ("betting", DEALER, c.CloseBets, (Way(warnings=(LOW,)),)),
        ("below minimum", DEALER, c.CloseBets, r.RaisePending((3,), rule="5.2")),
        ("dealt", DEALER, c.Deal, (Way(place=3, inputs=(NEXT_CARD, READING)),)),
        ("result", DEALER, c.Settle, ANY),
        ("dealt", DEALER, c.Recover, ANY),
        ("held", DEALER, c.Recover, r.NothingToRecover()),
        ("loaded", SUPERVISOR, c.ChangeLimits, with_inputs(limit("minimum_cents", 0), limit("differential_cents", 1))),
        ("no shoe", DEALER, c.CheckDecks, with_inputs(COUNT)),
        ("loaded", DEALER, c.CheckDecks, r.ShoeStays(1)),
        ("no shoe", DEALER, c.ShuffleCards, ANY),
        ("loaded", DEALER, c.ShuffleCards, r.ShoeStays(1)),
        ("loaded", DEALER, c.BurnCards, r.BurnNotDue()),
        ("loaded", DEALER, c.CountShoe, r.ShoeStays(1)),
        ("loaded", SUPERVISOR, c.SuspendPlay, with_inputs(REASON)),
        ("suspended", SUPERVISOR, c.SuspendPlay, r.NothingToChange()),
        ("suspended", SUPERVISOR, c.ResumePlay, ANY),
        ("loaded", SUPERVISOR, c.ResumePlay, r.NothingToChange()),
        ("loaded", DEALER, c.ReplaceShoe, with_inputs(REASON)),
        ("dealt", DEALER, c.ReplaceShoe, r.ShoeStays(1)),
        ("loaded", DEALER, c.ComeOnDuty, ANY),
        ("on duty", DEALER, c.ComeOnDuty, r.AlreadyOnDuty()),
        ("on duty", DEALER, c.GoOffDuty, ANY),
        ("loaded", DEALER, c.GoOffDuty, r.NotOnDuty("dan")),
        ("on duty", SUPERVISOR, c.AssignPosition, with_inputs(PERSON, POSITION)),
        ("loaded", SUPERVISOR, c.AssignPosition, r.NotOnDuty(None, rule="1.11")),
        ("dealt", SUPERVISOR, c.CorrectCards, with_inputs(Input("cards", CARDS, minimum=0, maximum=416), REASON)),
        ("dealt", DEALER, c.CorrectCards, r.NotPermitted(Role.PIT_SUPERVISOR)),
        ("settled", SUPERVISOR, c.CorrectRound, with_inputs(ROUND, CARDS_OF_ROUND, REASON)),
        ("settled", DEALER, c.CorrectRound, r.NotPermitted(Role.PIT_SUPERVISOR)),
        ("held", MANAGER, c.Decide, r.NotPermitted(Role.SHIFT_MANAGER, rule="5.17")),
        ("choosing", SHIFT, c.Decide, r.DecisionNotOpen(1, Waits.CHOICES, ())),
        ("proposed", SUPERVISOR, c.Decide, r.SamePerson()),
        ("proposed", SECOND, c.Decide, (Way(decision=APPROVE), Way(decision=DECLINE, inputs=(REASON,)))),
        ("closed cards", DEALER, c.AnswerSqueeze, r.SqueezeNotAsked()),
        ("asked", DEALER, c.AnswerSqueeze, (Way(consent=True), Way(consent=False))),
        ("squeezed", DEALER, c.OpenCard, (Way(place=1, inputs=(NEXT_CARD,)),)),
        ("squeezed", BO, c.OpenCard, r.NotPermitted(Role.DEALER, rule="3.9")),
        ("closed cards", BO, c.AskSqueeze, squeeze(None)),
        ("closed cards", ANN, c.AskSqueeze, squeeze(None, NOT_HIGHEST)),
        ("closed cards", DEALER, c.AskSqueeze, squeeze("ann", NOT_HIGHEST) + squeeze("bo")),
        ("dealt", DEALER, c.AskSqueeze, r.SqueezeNotOffered(CARD)),
        ("closed cards", DEALER, c.PassSqueeze, r.SqueezeNotGranted(None, rule="3.9")),
        ("granted", DEALER, c.PassSqueeze, (Way("bo", place=1),)),
        ("granted", BO, c.PassSqueeze, (Way(place=1),)),
        ("granted", ANN, c.PassSqueeze, r.SqueezeNotGranted(None, rule="3.9")),
        ("choosing", DEALER, c.Choose, tuple([Way("ann", option=option) for option in OPTIONS])),
        ("choosing", ANN, c.Choose, tuple([Way(option=option) for option in OPTIONS])),
        ("choosing", BO, c.Choose, r.NoChoiceOpen(rule="5.12")),
        ("held", DEALER, c.Choose, r.NoChoiceOpen(rule="5.12")),
    ],
)
def test_everyone_is_told_what_the_table_accepts(
    state: str, actor: c.Actor, kind: type[c.Command], expected: Told
) -> None:
    assert told(STATES[state]().state, actor, kind) == expected


# ------------------------------------------------------------------------------------------- places, bets and insurance

NEWCOMER = (Input("patron", InputType.NEWCOMER, refused="already-there"),)
FREE = (1, *range(4, 10))


def at(*boxes: int, name: str | None = None, inputs: tuple[Input, ...] = ()) -> tuple[Way, ...]:
    return tuple([Way(name, box, inputs=inputs) for box in boxes])


def seated() -> Play:
    """Bo sits at box 3, ann at box 2, and cy stands behind box 3."""
    return after(loaded(), c.Sit(BO, "bo", 3), c.Sit(ANN, "ann", 2), c.Stand(CY, "cy", 3))


MOST = MAX_CENTS - 100
INVALID, BELOW, OVER = "stake-invalid", "stake-below-minimum", "over-differential"


def amount(minimum: int, maximum: int, below: str, above: str, also: int | None = None) -> Amount:
    return Amount(Cents(minimum), Cents(maximum), Cents(100), below, above, None if also is None else Cents(also))


SIDE = amount(100, MOST, INVALID, INVALID)
FULL = r.OverDifferential(2, "player", Cents(100_000), Cents(0), rule="5.1")
ON_PLAYER = Way(None, 1, "player", amount(2_500, 100_000, BELOW, OVER))
ON_BANKER = Way(None, 1, "banker", amount(2_500, 105_000, BELOW, OVER))
RAISES = (
    Way(None, 1, "tie", amount(100, MOST - 10_000, INVALID, "stake-above-maximum")),
    Way(None, 1, "player", amount(100, 95_000, INVALID, OVER)),
)
WITHDRAWALS = (
    Way("ann", 1, "tie", amount(100, 9_900, INVALID, BELOW, 10_000)),
    Way("ann", 1, "player", amount(100, 2_500, INVALID, BELOW, 5_000)),
    Way("bo", 2, "player", amount(100, 97_500, INVALID, BELOW, 100_000)),
    Way("cash:3", 3, "player", amount(100, 0, INVALID, BELOW, 1_000)),
)
CY_BETS = (
    Way("cy", 2, "player", amount(2_500, 0, BELOW, OVER), refusal=FULL),
    Way("cy", 2, "banker", amount(2_500, 200_000, BELOW, OVER)),
    *[Way("cy", 2, on, SIDE) for on in BETS[2:]],
)


def window() -> Play:
    """Banker may be insured at 3:1: ann and cash have bets on Banker, bo has not."""
    play = Play(INSURED, live=True).sit("ann", "bo").open(("ann", "banker", 10_000), ("bo", "tie", 500))
    return after(play, c.RecordBet(DEALER, "cash:3", 3, "banker", Cents(3_000))).close().deal("5h Kd 6s 6c")


def cover(name: str | None, box: int, original: int, *stakes: int) -> Way:
    covered = tuple([StakeAndWin(Cents(stake), Cents(3 * stake)) for stake in stakes])
    most = amount(100, stakes[-1], INVALID, "insurance-over-cap")
    return Way(name, box, "banker-insurance", most, cover=Cover(Cents(original), covered, "5.3"))


ANNS = (10_000, 800, 1_600, 3_300)


@pytest.mark.parametrize(
    ("make", "actor", "patrons", "kind", "expected"),
    [
        (seated, ANN, None, c.Sit, r.AlreadyThere(2)),
        (seated, ANN, None, c.Stand, at(3)),
        (seated, CY, None, c.Sit, at(*FREE)),
        (seated, ZED, None, c.Sit, at(*FREE)),
        (seated, ZED, None, c.Stand, at(2, 3)),
        (seated, DEALER, None, c.Sit, at(*FREE, name="cy") + at(*FREE, inputs=NEWCOMER)),
        (seated, DEALER, ["ann"], c.Sit, at(*FREE, inputs=NEWCOMER)),
        (seated, DEALER, ["zed"], c.Sit, at(*FREE, name="zed") + at(*FREE, inputs=NEWCOMER)),
        (seated, DEALER, ["bo", "ann"], c.Stand, at(2, name="bo") + at(3, name="ann") + at(2, 3, inputs=NEWCOMER)),
        (seated, DEALER, None, c.Leave, (Way("bo"), Way("ann"), Way("cy"))),
        (seated, DEALER, ["zed", "ann"], c.Leave, (Way("ann"),)),
        (seated, DEALER, ["zed"], c.Leave, r.NotAtBox(None)),
        (seated, DEALER, [], c.Leave, r.NotAtBox(None)),
        (seated, ANN, None, c.Leave, ANY),
        (seated, ZED, None, c.Leave, r.NotAtBox(None)),
        (betting, ANN, None, c.PlaceBet, (ON_BANKER, *[Way(None, 1, on, SIDE) for on in BETS[3:]])),
        (betting, DEALER, ["cy"], c.PlaceBet, CY_BETS),
        (betting, ANN, None, c.PlaceBets, (ON_PLAYER, ON_BANKER, *[Way(None, 1, on, SIDE) for on in BETS[2:]])),
        (betting, DEALER, ["cy"], c.PlaceBets, CY_BETS),
        (betting, ANN, None, c.RaiseBet, RAISES),
        (betting, BO, None, c.RaiseBet, (Way(None, 2, "player", amount(100, 0, INVALID, OVER), refusal=FULL),)),
        (betting, CY, None, c.RaiseBet, r.BetUnknown(2, "player")),
        (betting, ZED, None, c.RaiseBet, r.NotAtBox(None)),
        (betting, DEALER, None, c.WithdrawBet, WITHDRAWALS),
        (betting, CY, None, c.WithdrawBet, r.BetUnknown(2, "player")),
        (betting, ZED, None, c.WithdrawBet, r.BetUnknown(None, None)),
        (betting, DEALER, ["cy"], c.RecordBet, tuple([Way("cy", 2, on, SIDE) for on in BETS])),
        (betting, DEALER, ["zed"], c.RecordBet, r.NotAtBox(None)),
        (window, ANN, None, c.Insure, (cover(None, 1, *ANNS),)),
        (window, DEALER, None, c.Insure, (cover("ann", 1, *ANNS), cover("cash:3", 3, 3_000, 200, 500, 1_000))),
        (window, BO, None, c.Insure, InsuranceWithoutOriginal(2, Hand.BANKER, rule="3.11")),
        (window, ZED, None, c.Insure, r.NotAtBox(None)),
        (window, DEALER, None, c.AnnounceInsurance, (Way("ann"), Way("cash:3"))),
        (window, DEALER, ["bo"], c.AnnounceInsurance, r.NothingToAnnounce(rule="5.3")),
        (window, DEALER, [], c.AnnounceInsurance, r.NotAtBox(None)),
    ],
)
def test_everyone_is_told_what_they_may_do_for_whom(
    make: Callable[[], Play], actor: c.Actor, patrons: list[str] | None, kind: type[c.Command], expected: Told
) -> None:
    assert told(make().state, actor, kind, patrons) == expected


def test_nobody_stands_where_nobody_sits_and_the_own_box_is_named_first() -> None:
    state = loaded().state
    assert told(state, DEALER, c.Stand) == told(state, ZED, c.Stand) == r.NobodySeated(1, rule="1.18")
    play = after(loaded(), c.Sit(ANN, "ann", 2))
    assert told(play.state, ANN, c.Stand) == r.AlreadyThere(2)


def test_whoever_walked_away_may_come_back_to_their_own_seat() -> None:
    play = after(dealt(), c.Leave(ANN, "ann"))
    assert told(play.state, ANN, c.Sit) == at(1)
    assert told(play.state, DEALER, c.Sit) == at(1, name="ann") + at(*range(3, 10), inputs=NEWCOMER)
    assert told(play.state, ANN, c.Leave) == told(play.state, DEALER, c.Leave, ["ann"]) == r.PatronAway()


@pytest.mark.parametrize("actor", [ANN, DEALER, ZED])
def test_nobody_stands_behind_a_terminal(actor: c.Actor) -> None:
    play = after(Play("non-commission"), c.Sit(ANN, "ann", 2))
    assert told(play.state, actor, c.Stand) == r.BoxTaken(1, rule="2.1.1")
    assert told(play.state, ZED, c.Sit) == at(1, *range(3, 10))


def test_a_full_table_refuses_each_place_in_order() -> None:
    play = after(loaded(), *[c.Sit(patron(f"p{box}"), f"p{box}", box) for box in reversed(BOXES)])
    sit, stand, *_ = shared_choices(play.state)
    assert sit == Choice("sit", tuple([Way(box=box, refusal=r.BoxTaken(box)) for box in BOXES]))
    assert stand == Choice("stand", at(*BOXES))
    assert told(play.state, ZED, c.Sit) == told(play.state, DEALER, c.Sit, []) == r.BoxTaken(1)
    assert told(play.state, DEALER, c.Sit) == r.AlreadyThere(9)


# ------------------------------------------------------------------------------------------- all patrons, and one


def test_all_patrons_share_the_free_places_and_what_the_table_refuses() -> None:
    state = betting().state
    out_of_phase = ("ask-squeeze", "choose", "open-card", "pass-squeeze")
    not_in_game = r.InsuranceClosed(r.NoInsurance.NOT_IN_GAME, rule=state.sheet.offered_rule)
    assert shared_choices(state) == (
        Choice("sit", at(*range(3, 10))),
        Choice("stand", at(1, 2, 3)),
        *[Choice(kind) for kind in ("leave", "place-bet", "raise-bet", "withdraw-bet", "place-bets")],
        Choice("insure", refusal=not_in_game),
        *[Choice(kind, refusal=r.WrongPhase(kind, Phase.BETTING)) for kind in out_of_phase],
    )


def test_a_table_that_is_not_open_refuses_places_to_all() -> None:
    sit, stand, leave, *others = shared_choices(new_table(load(COMMISSION)))
    assert (sit, stand) == tuple([Choice(kind, refusal=r.TableNotOpen()) for kind in ("sit", "stand")])
    assert leave == Choice("leave")
    assert {each.refusal for each in others} == {r.TableNotOpen()}


def test_a_patron_with_a_place_has_choices_of_their_own() -> None:
    state = seated().state
    places = Choice("sit", refusal=r.AlreadyThere(2)), Choice("stand", at(3)), Choice("leave", ANY)
    assert own_choices(state, "ann", (2,)) == places
    assert own_choices(state, "ann", (2,), [c.Leave, c.PlaceBet]) == places[2:]
    assert own_choices(state, "zed", ()) == ()


# ------------------------------------------------------------------------------------------- chips


def test_chips_may_be_recorded_for_whoever_has_a_place_and_in_cash_in_every_box() -> None:
    cash = [(cash_patron(box), box) for box in (3, 1, 2, *range(4, 10))]
    placed = {Spot(1, "ann", "tie"), Spot(1, "ann", "player"), Spot(2, "bo", "player"), Spot(3, "cash:3", "player")}
    assert told(betting().state, DEALER, c.RecordBet) == tuple(
        [
            Way(name, box, on, amount(0, MOST, INVALID, INVALID) if Spot(box, name, on) in placed else SIDE)
            for name, box in [("ann", 1), ("bo", 2), ("bo", 1), ("cy", 2), *cash]
            for on in BETS
        ]
    )


def test_chips_are_recorded_for_nobody_where_nobody_is_and_no_cash_is_taken() -> None:
    play = loaded().open()
    assert told(play.state, DEALER, c.RecordBet) == r.NotAtBox(None)
    play.close().deal("2h")
    assert told(play.state, DEALER, c.RecordBet) == r.BetsClosed("No more Bets", rule="5.6")


def test_cash_that_was_taken_back_from_every_spot_is_not_recorded_again() -> None:
    state = Play(COMMISSION, live=True).open().close().state
    assert state.round is not None
    back = tuple([Bet(box, cash_patron(box), on, Cents(100)) for box in BOXES for on in BETS])
    state = state._replace(round=state.round._replace(taken_back=back))
    assert told(state, DEALER, c.RecordBet) == r.BetsClosed("No more Bets", rule="5.6")


# ------------------------------------------------------------------------------------------- insurance


@pytest.mark.parametrize(
    ("settings", "patrons", "expected"),
    [
        ({"private": True}, None, (Way("ann", offered=False), Way("bo", offered=False))),
        ({"without_insurance": True}, ["zed", "bo"], (Way("bo", offered=True),)),
        ({"private": True}, ["zed"], r.NotAtBox(None)),
        ({}, None, r.NotPrivate(rule="4.2.2")),
        ({}, [], r.NotPrivate(rule="4.2.2")),
    ],
)
def test_insurance_is_offered_again_or_no_more(settings: Any, patrons: list[str] | None, expected: Told) -> None:
    play = Play(INSURED, **settings).sit("ann", "bo")
    assert told(play.state, SUPERVISOR, c.ChangeInsurance, patrons) == expected


# ------------------------------------------------------------------------------------------- reports

ABOUT_CARDS = ("excess-card", "wrong-area", "dealt-face-up", "simultaneous-cards", "late-error", "other-dealing-error")
ABOUT_BETS = ("excess-bets", "below-minimum", "late-bet", "late-withdrawal", "insurance-neglected")
ABOUT_THE_REST = ("misplaced-bet", "bet-for-patron", "foreign-card", "deck-count", "not-enough-cards", "not-shuffled")
LAST = ("technical-interruption", "display-mistake", "walk-away", "anything-else")
WRONG_NUMBER = ("wrong-number-of-cards",) * 2
"""One way for each hand."""


def two_rounds() -> Play:
    play = Play(INSURED, live=True).sit("ann")
    for _ in range(2):
        play.open(("ann", "player", 10_000)).close().deal(NATURAL).settle()
    return play


def reports(play: Play) -> tuple[Way, ...]:
    (found,) = [each for each in choices(play.state, DEALER) if each.kind == "report"]
    return found.ways


def test_situations_are_told_by_their_groups_each_with_its_ways() -> None:
    ways = reports(two_rounds())
    cards = [name for name in ABOUT_CARDS for _ in range(3 if name in {"excess-card", "wrong-area"} else 1)]
    bets = [name for name in ABOUT_BETS for _ in range(3 if name == "insurance-neglected" else 1)]
    assert [way.situation for way in ways] == [*WRONG_NUMBER, *cards, *bets, *ABOUT_THE_REST, *LAST]
    assert list(dict.fromkeys([way.group for way in ways])) == list(SituationGroup)
    assert Way(situation="misplaced-bet", group=SituationGroup.BET) in ways
    nothing_over = r.FactsContradict(r.Contradiction.NOTHING_OVER, rule="5.1.1")
    assert Way(situation="excess-bets", group=SituationGroup.BET, refusal=nothing_over) in ways
    neglected = Way(situation="insurance-neglected", group=SituationGroup.BET)
    claims, no_offer = Input("claims", InputType.CLAIMS), r.FactsContradict(r.Contradiction.NO_OFFER, rule="5.13")
    in_window = Input("window", InputType.ONE_OF, allowed=tuple(Window))
    assert [way for way in ways if way.situation == "insurance-neglected"] == [
        *[neglected._replace(window=window, inputs=(claims,), refusal=no_offer) for window in Window],
        neglected._replace(inputs=(ROUND, in_window, claims)),
    ]


def test_while_a_case_is_open_only_what_may_end_the_round_is_reported() -> None:
    ways = reports(after(two_rounds(), c.Report(DEALER, "anything-else")))
    refusal = r.RoundHeld(1, Waits.DECISION, Role.SHIFT_MANAGER)
    assert [way.situation for way in ways] == [*WRONG_NUMBER, *ABOUT_CARDS, *ABOUT_BETS, *ABOUT_THE_REST, *LAST]
    ending = [*WRONG_NUMBER, "foreign-card", "deck-count", "not-shuffled"]
    assert [way.situation for way in ways if way.refusal is None] == ending
    assert Way(situation="insurance-neglected", group=SituationGroup.BET, refusal=refusal) in ways
