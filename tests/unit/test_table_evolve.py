"""What each event leaves of a table: the shoe, the places, the bets, the cards and the open case, exactly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.bets import Result
from punto.rules.cards import Card, parse_cards
from punto.rules.differential import Limits
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import Cents, Odds
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Device, Role
from punto.table import commands as c
from punto.table import events as e
from punto.table.evolve import evolve, squeezed_place, still_forgone
from punto.table.phases import Phase, Waits
from punto.table.state import (
    Case,
    LastRound,
    OnDuty,
    Request,
    RoundInPlay,
    Settings,
    Shoe,
    State,
    TableCard,
    new_table,
    spot_of,
)
from tests.table_kit import DEALER, NATURAL, SHIFT, SUPERVISOR

NINE, TWO, KING, THREE = parse_cards(NATURAL)
SEVEN, FIVE = parse_cards("7c 5d")
LIMITS = Limits(Cents(2_500), Cents(100_000), Cents(100))
OPENED = e.TableOpened(
    *(SUPERVISOR, "t1", "commission", "2020", 8, 9, Cents(2_500), Cents(100_000), Cents(100), "bean-9", ()),
    face_down=False,
    live=False,
    without_insurance=False,
    second_person=False,
)


def settings(**given: Any) -> Settings:
    return Settings("t1", 8, 9, LIMITS, **given)


def state(**given: Any) -> State:
    return new_table(load("commission"))._replace(settings=settings(), shoe=Shoe(1, 416))._replace(**given)


def in_round(**given: Any) -> State:
    return state(phase=Phase.BETTING, rounds=1, round=RoundInPlay(1, **given))


def bet(name: str, on: str = "player", stake: int = 10_000, box: int = 1, window: Window | None = None) -> Bet:
    return Bet(box, name, on, Cents(stake), window)


def with_bets(*bets: Bet, **given: Any) -> State:
    """A round with these bets."""
    found = in_round(**given)
    for each in bets:
        found = evolve(found, e.BetPlaced(DEALER, 1, each))
    return found


def shoe_of(found: State) -> Shoe:
    assert found.shoe is not None
    return found.shoe


def round_of(found: State) -> RoundInPlay:
    assert found.round is not None
    return found.round


def case_of(found: State) -> Case:
    assert found.case is not None
    return found.case


# ------------------------------------------------------------------------------------------- the table and its shoe


@pytest.mark.parametrize(
    ("shoe", "given", "kept"),
    [
        (Shoe(1, 416, drawn=9), {}, True),
        (Shoe(1, 416, drawn=9), {"decks": 6}, False),
        (Shoe(1, 416, drawn=9), {"live": True}, False),
        (Shoe(1, 416, drawn=9), {"device": Device.SHUFFLER}, False),
        (Shoe(1, 416), {"burn": c.Burn.FIRST_CARD}, True),
        (Shoe(1, 416, drawn=9), {"burn": c.Burn.FIRST_CARD}, False),
        (Shoe(1, 416, drawn=9, burned=3), {"burn": c.Burn.FIRST_CARD}, True),
    ],
)
def test_a_table_that_opens_again_keeps_a_shoe_that_fits(shoe: Shoe, given: dict[str, Any], kept: bool) -> None:
    found = evolve(state(shoe=shoe), replace(OPENED, **given))
    assert (found.shoe, found.phase) == (shoe if kept else None, Phase.BETWEEN_ROUNDS)


def test_a_new_table_has_no_shoe() -> None:
    assert evolve(new_table(load("commission")), OPENED).shoe is None


def test_a_table_that_opens_with_fewer_boxes_keeps_whoever_still_has_all_theirs() -> None:
    before = state(
        seats={9: "ann", 7: "bo"},
        standing=frozenset({(8, "cy"), (7, "cy"), (7, "di")}),
        places={"ann": (9,), "bo": (7,), "cy": (7, 8), "di": (7,)},
    )
    found = evolve(before, replace(OPENED, boxes=7))
    assert (found.seats, found.standing) == ({7: "bo"}, frozenset({(7, "di")}))
    assert found.places == {"bo": (7,), "di": (7,)}


def test_a_table_has_the_settings_that_it_was_opened_with() -> None:
    side = c.BetLimits("tie", Cents(100), Cents(500))
    opened = replace(
        OPENED,
        sides=(side,),
        face_down=True,
        live=True,
        second_person=True,
        second_role=Role.PIT_MANAGER,
        waiver_consent=c.Consent.NEVER,
        device=Device.SHUFFLER,
        burn=c.Burn.FIRST_CARD,
        name="Dragon",
    )
    assert evolve(new_table(load("commission")), opened).settings == settings(
        layout="bean-9",
        sides={"tie": side},
        face_down=True,
        live=True,
        second_person=True,
        second_role=Role.PIT_MANAGER,
        waiver_consent=c.Consent.NEVER,
        device=Device.SHUFFLER,
        burn=c.Burn.FIRST_CARD,
        name="Dragon",
    )


@pytest.mark.parametrize(
    ("private", "without", "is_private"), [(False, False, False), (True, False, True), (False, True, True)]
)
def test_a_table_without_insurance_is_private_in_every_log(private: bool, without: bool, is_private: bool) -> None:
    found = evolve(state(), replace(OPENED, private=private, without_insurance=without)).settings
    assert found is not None
    assert (found.private, found.without_insurance) == (is_private, without)


def test_limits_and_insurance_change_and_the_rest_stays() -> None:
    side = c.BetLimits("tie", Cents(100), Cents(500))
    before = state(settings=settings(name="Dragon", private=True))
    changed = evolve(before, e.LimitsChanged(SUPERVISOR, 2, Cents(100), Cents(900), (side,), None))
    limits = Limits(Cents(100), Cents(900), Cents(100))
    assert changed.settings == replace(settings(name="Dragon", private=True), limits=limits, sides={"tie": side})
    for offered in (False, True):
        found = evolve(before, e.InsuranceChanged(SUPERVISOR, 2, "ann", offered, "4.2.2")).settings
        assert found == settings(name="Dragon", private=True, without_insurance=not offered)


def test_a_closed_table_keeps_its_numbers_and_what_the_closing_says() -> None:
    duty = {"dan": OnDuty(Role.DEALER)}
    before = state(shoes=2, rounds=5, cases=3, seats={1: "ann"}, places={"ann": (1,)}, duty=duty, suspended="fire")
    kept = evolve(before, e.TableClosed(SUPERVISOR, keeps=True))
    assert kept == before._replace(phase=Phase.NOT_OPEN, duty={}, suspended=None)
    cleared = evolve(before, e.TableClosed(SUPERVISOR))
    assert cleared == new_table(before.sheet)._replace(shoes=2, rounds=5, cases=3)


def test_staff_come_on_duty_take_positions_and_go() -> None:
    acting = c.Actor("max", Role.DEALER, Role.PIT_MANAGER)
    found = evolve(evolve(state(), e.StaffOnDuty(DEALER)), e.StaffOnDuty(acting))
    assert found.duty == {"dan": OnDuty(Role.DEALER), "max": OnDuty(Role.PIT_MANAGER)}
    found = evolve(found, e.PositionAssigned(SHIFT, "max", Role.PIT_MANAGER, Role.PIT_SUPERVISOR, None))
    assert found.duty["max"] == OnDuty(Role.PIT_MANAGER, Role.PIT_SUPERVISOR, (SHIFT.person,))
    found = evolve(found, e.PositionAssigned(SHIFT, "max", Role.PIT_MANAGER, Role.PIT_MANAGER, None))
    assert found.duty["max"] == OnDuty(Role.PIT_MANAGER)
    assert evolve(found, e.StaffOffDuty(DEALER)).duty == {"max": OnDuty(Role.PIT_MANAGER)}


def test_a_loaded_shoe_takes_what_was_prepared_for_it() -> None:
    before = state(shoe=Shoe(1, 416, carried=(SEVEN,)), decks_checked=True, cards_shuffled=True)
    found = evolve(before, e.ShoeLoaded(DEALER, 2, 416, 400, "seal", checked=True))
    assert found.shoe == Shoe(2, 416, cut=400, commitment="seal", checked=True)
    assert (found.shoes, found.decks_checked, found.cards_shuffled) == (2, False, False)
    shuffled = evolve(before, e.ShoeLoaded(DEALER, 2, 4, None, None, (NINE, TWO, KING, THREE), shuffled=True))
    assert shuffled.shoe == Shoe(2, 4, (NINE, TWO, KING, THREE), shuffled=True)


def test_the_full_set_of_a_shuffler_comes_without_the_carried_cards() -> None:
    before = state(settings=settings(device=Device.SHUFFLER), shoe=Shoe(1, 416, carried=(SEVEN, SEVEN, FIVE)))
    found = evolve(before, e.ShoeLoaded(DEALER, 2, 416, None, None))
    assert found.shoe == Shoe(2, 416, drawn=3, seen={SEVEN: 2, FIVE: 1}, carried=(SEVEN, SEVEN, FIVE))
    virtual = evolve(before, e.ShoeLoaded(DEALER, 2, 2, None, None, (NINE, TWO)))
    assert virtual.shoe == Shoe(2, 2, (NINE, TWO))


def test_a_burn_counts_its_first_card_and_the_unseen_ones() -> None:
    found = evolve(state(), e.CardsBurned(DEALER, 1, SEVEN, 7))
    assert found.shoe == Shoe(1, 416, drawn=8, burned=8, seen={SEVEN: 1})


def test_a_shoe_is_counted_ended_or_removed() -> None:
    assert evolve(state(), e.ShoeCounted(DEALER, 1, 416, 416)).shoe == Shoe(1, 416, counted=True)
    assert evolve(state(), e.CutCardDrawn(DEALER, 1, 3)).shoe == Shoe(1, 416, last_round=3)
    assert evolve(state(), e.ShoeRemoved(DEALER, 1, None, "worn")).shoe == Shoe(1, 416, removed=True)


# ------------------------------------------------------------------------------------------- patrons and bets


def test_where_a_patron_sits_comes_first() -> None:
    found = evolve(state(), e.PatronStood(DEALER, "ann", 3))
    found = evolve(found, e.PatronStood(DEALER, "ann", 2))
    assert (found.places, found.standing) == ({"ann": (3, 2)}, frozenset({(3, "ann"), (2, "ann")}))
    found = evolve(found, e.PatronSeated(DEALER, "ann", 2))
    assert (found.places, found.seats) == ({"ann": (2, 3)}, {2: "ann"})
    assert found.standing == frozenset({(3, "ann")})


def test_who_walks_away_from_a_bet_is_away_from_when_they_first_did() -> None:
    request = Request("ann", c.SqueezeOf.CARD, "3.1")
    before = with_bets(bet("ann"), bet("bo"), request=request, squeezers={5: "ann", 6: "bo"}, cards=(NINE,))
    before = before._replace(seats={1: "ann"}, places={"ann": (1,)})
    away = evolve(before, e.PatronLeft(DEALER, "ann", None))
    assert (round_of(away).away, round_of(away).walked) == (frozenset({"ann"}), {"ann": 1})
    assert (round_of(away).request, round_of(away).squeezers) == (None, {6: "bo"})
    assert (away.seats, round_of(away).bets) == ({1: "ann"}, round_of(before).bets)
    back = evolve(away, e.PatronSeated(DEALER, "ann", 1))
    assert (round_of(back).away, round_of(back).walked) == (frozenset(), {"ann": 1})
    more = back._replace(round=round_of(back)._replace(cards=(NINE, TWO)))
    assert round_of(evolve(more, e.PatronLeft(DEALER, "ann", None))).walked == {"ann": 1}
    other = evolve(before, e.PatronLeft(DEALER, "bo", None))
    assert (round_of(other).request, round_of(other).squeezers) == (request, {5: "ann"})


def test_who_leaves_without_a_bet_leaves_every_place() -> None:
    before = with_bets(bet("bo"))._replace(
        seats={1: "bo", 2: "ann"}, standing=frozenset({(1, "ann")}), places={"bo": (1,), "ann": (2, 1)}
    )
    found = evolve(before, e.PatronLeft(DEALER, "ann", None))
    assert (found.seats, found.standing, found.places) == ({1: "bo"}, frozenset(), {"bo": (1,)})
    assert round_of(found).away == frozenset()


def test_bets_are_kept_by_box_in_the_order_in_which_they_came() -> None:
    first, second, other = bet("ann"), bet("bo", "banker"), bet("cy", box=2)
    found = with_bets(first, second, other)
    spots = spot_of(first), spot_of(second), spot_of(other)
    assert [*round_of(found).bets] == [*spots]
    assert round_of(found).boxes == {1: spots[:2], 2: spots[2:]}
    raised = bet("ann", stake=12_000)
    found = evolve(found, e.BetRaised(DEALER, 1, raised, Cents(2_000)))
    assert round_of(found).bets[spots[0]] == raised
    assert round_of(found).boxes == {1: spots[:2], 2: spots[2:]}
    less = evolve(found, e.BetWithdrawn(DEALER, 1, raised, Cents(7_000)))
    assert round_of(less).bets[spots[0]] == bet("ann", stake=5_000)
    gone = evolve(found, e.BetDisplaced(DEALER, 1, raised, Cents(12_000), None))
    assert [*round_of(gone).bets] == [*spots[1:]]
    assert round_of(gone).boxes == {1: spots[1:2], 2: spots[2:]}


def test_after_insurance_the_last_card_is_not_undone() -> None:
    insurance = bet("ann", "player-insurance", window=Window.FOUR_CARDS)
    assert round_of(with_bets(bet("ann"), undoable=True)).undoable
    assert not round_of(with_bets(insurance, undoable=True)).undoable


@pytest.mark.parametrize(("stake", "asked"), [(2_400, True), (2_500, False), (2_600, False)])
def test_a_request_to_raise_ends_at_the_minimum(stake: int, asked: bool) -> None:
    low = bet("ann", stake=1_000)
    found = evolve(with_bets(low), e.RaiseAsked(DEALER, 1, low, Cents(2_500), None))
    assert round_of(found).asked == {spot_of(low)}
    found = evolve(found, e.BetRaised(DEALER, 1, bet("ann", stake=stake), Cents(stake - 1_000)))
    assert round_of(found).asked == ({spot_of(low)} if asked else frozenset())


def test_a_request_to_raise_ends_with_its_bet() -> None:
    low = bet("ann", stake=1_000)
    found = evolve(with_bets(low), e.RaiseAsked(DEALER, 1, low, Cents(2_500), None))
    assert round_of(evolve(found, e.BetWithdrawn(DEALER, 1, low, Cents(1_000)))).asked == frozenset()


# ------------------------------------------------------------------------------------------- the round


def test_a_round_begins_and_is_the_last_of_a_set_of_a_shuffler() -> None:
    opened = e.BetsOpened(DEALER, 4, 1, False, "place your bets", "3.1")
    found = evolve(state(last=LastRound(3, (), ())), opened)
    assert (found.phase, found.rounds, found.round, found.last) == (Phase.BETTING, 4, RoundInPlay(4), None)
    assert found.shoe == Shoe(1, 416)
    assert evolve(state(settings=settings(device=Device.SHUFFLER)), opened).shoe == Shoe(1, 416, last_round=4)


def dealt(card: Card | None, **given: Any) -> e.CardDealt:
    return e.CardDealt(DEALER, 1, 1, 1, card, Hand.PLAYER, "3.4", **given)


def test_a_dealt_card_leaves_the_shoe_and_lies_open_or_closed() -> None:
    before = in_round(request=Request("ann", c.SqueezeOf.CARD, "3.1"))
    found = evolve(before, dealt(NINE, reading=7))
    assert found.shoe == Shoe(1, 416, drawn=1, seen={NINE: 1}, reading=7)
    assert (round_of(found).cards, round_of(found).request, round_of(found).undoable) == ((NINE,), None, True)
    again = evolve(found, dealt(NINE))
    assert again.shoe == Shoe(1, 416, drawn=2, seen={NINE: 2}, reading=7)
    closed = evolve(found, dealt(TWO, closed=True))
    assert (shoe_of(closed).drawn, shoe_of(closed).seen) == (2, {NINE: 1})
    assert (round_of(closed).cards, round_of(closed).waiting) == ((NINE,), (TableCard(TWO, False),))
    behind = evolve(closed, dealt(KING))
    assert round_of(behind).waiting == (TableCard(TWO, False), TableCard(KING, True))
    opened = evolve(behind, e.CardOpened(DEALER, 1, 2, TWO, Hand.BANKER, "3.4"))
    assert (round_of(opened).cards, round_of(opened).waiting) == ((NINE, TWO, KING), ())
    assert (shoe_of(opened).seen, round_of(opened).undoable) == ({NINE: 1, KING: 1, TWO: 1}, False)


def test_a_closed_card_behind_a_closed_one_waits_on() -> None:
    waiting = (TableCard(None, False), TableCard(None, False), TableCard(None, False))
    before = in_round(cards=(NINE,), waiting=waiting)
    found = evolve(before, e.CardOpened(DEALER, 1, 3, KING, Hand.PLAYER, "3.4"))
    assert round_of(found).cards == (NINE,)
    assert round_of(found).waiting == (waiting[0], TableCard(KING, True), waiting[2])


def test_a_carried_card_has_left_its_shoe_before() -> None:
    before = in_round()._replace(shoe=Shoe(1, 416, drawn=9, seen={SEVEN: 1, FIVE: 1}, carried=(SEVEN, FIVE)))
    found = evolve(before, dealt(SEVEN, carried=True))
    assert found.shoe == Shoe(1, 416, drawn=9, seen={SEVEN: 1, FIVE: 1}, carried=(FIVE,))
    assert (round_of(found).cards, round_of(found).undoable) == ((SEVEN,), False)


def test_the_order_of_a_virtual_shoe_tells_a_closed_card() -> None:
    before = in_round()._replace(shoe=Shoe(1, 4, (NINE, TWO, KING, THREE), drawn=1))
    found = evolve(before, dealt(None, closed=True))
    assert round_of(found).waiting == (TableCard(TWO, False),)
    assert round_of(evolve(before, dealt(FIVE, closed=True))).waiting == (TableCard(FIVE, False),)


def test_the_windows_of_insurance() -> None:
    for window, phase in ((Window.FOUR_CARDS, Phase.FIRST_WINDOW), (Window.PLAYER_THIRD, Phase.SECOND_WINDOW)):
        assert evolve(in_round(), e.InsuranceOffered(DEALER, 1, window, (), "4.1")).phase is phase
    found = evolve(in_round(announced=frozenset({"bo"})), e.InsuranceAnnounced(DEALER, 1, "ann", "4.1"))
    assert round_of(found).announced == {"ann", "bo"}
    found = evolve(in_round(forgone=frozenset({"bo"})), e.InsuranceForgone(DEALER, 1, ("ann", "cy"), "4.1"))
    assert round_of(found).forgone == {"ann", "bo", "cy"}


def test_who_claims_the_first_window_has_not_forgone_it() -> None:
    claims = (c.Claim("ann", 1, Hand.PLAYER),)
    claimed = e.InsuranceClaimed(DEALER, 1, 1, Window.FOUR_CARDS, claims, "5.1")
    forgone = frozenset({"ann", "bo"})
    assert still_forgone(forgone, claimed) == {"bo"}
    assert still_forgone(forgone, replace(claimed, window=Window.PLAYER_THIRD)) == forgone
    found = evolve(in_round(forgone=forgone, claims={Window.FOUR_CARDS: claims}), claimed)
    assert round_of(found).claims == {Window.FOUR_CARDS: (*claims, *claims)}
    assert (round_of(found).claims_rule, round_of(found).forgone) == ("5.1", frozenset({"bo"}))
    last = state(last=LastRound(1, (), (), forgone=forgone))
    assert evolve(last, claimed).last == LastRound(1, (), (), forgone=frozenset({"bo"}))
    assert evolve(last, replace(claimed, round=2)) == last
    assert evolve(in_round(), replace(claimed, round=2)) == in_round()


def test_a_squeeze_is_asked_for_answered_and_passed() -> None:
    asked = evolve(in_round(cards=(NINE,)), e.SqueezeAsked(DEALER, 1, "ann", c.SqueezeOf.CARD, "3.7"))
    assert round_of(asked).request == Request("ann", c.SqueezeOf.CARD, "3.7")
    assert round_of(asked).requests == {("ann", c.SqueezeOf.CARD, 1)}
    answer = e.SqueezeAnswered(DEALER, 1, "ann", c.SqueezeOf.CARD, True, False, "3.7")
    granted = round_of(evolve(asked, answer))
    assert (granted.request, granted.squeezers, granted.waived) == (None, {2: "ann"}, False)
    refused = round_of(evolve(asked, replace(answer, consent=False)))
    assert (refused.request, refused.squeezers) == (None, {})
    assert round_of(evolve(asked, replace(answer, waives_second_window=True))).waived
    assert round_of(evolve(in_round(waived=True), answer)).waived
    passed = evolve(in_round(squeezers={2: "ann", 3: "bo"}), e.SqueezePassed(DEALER, 1, "ann", 2, "3.7"))
    assert round_of(passed).squeezers == {3: "bo"}


@pytest.mark.parametrize(
    ("what", "place"),
    [(c.SqueezeOf.CARD, 5), (c.SqueezeOf.SHOW_BANKER_THIRD, 5), (c.SqueezeOf.BANKER_THIRD_FIRST, 6)],
)
def test_the_card_that_a_patron_opens(what: c.SqueezeOf, place: int) -> None:
    assert squeezed_place(RoundInPlay(1, cards=(NINE, TWO, KING, THREE)), what) == place


# ------------------------------------------------------------------------------------------- incidents


def reported(number: int, round_: int = 1) -> e.IncidentReported:
    return e.IncidentReported(DEALER, number, round_, "anything-else", c.NO_FACTS)


def test_a_case_remembers_the_phase_to_return_to_and_the_case_before() -> None:
    first = evolve(in_round(), reported(1))
    assert first.case == Case(1, "anything-else", c.NO_FACTS, DEALER, Phase.BETTING, round=1)
    held = evolve(first, e.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, None))
    assert (held.phase, case_of(held).waits, case_of(held).role) == (Phase.HELD, Waits.DECISION, Role.SHIFT_MANAGER)
    second = evolve(held, reported(2))
    assert (case_of(second).resume, case_of(second).previous, second.cases) == (Phase.BETTING, held.case, 2)
    back = evolve(second, e.CaseClosed(DEALER, 2))
    assert (back.phase, back.case) == (Phase.HELD, held.case)
    over = evolve(back, e.CaseClosed(DEALER, 1))
    assert (over.phase, over.case) == (Phase.BETTING, None)


def test_a_declined_proposal_waits_again_for_what_it_waited_for() -> None:
    held = evolve(evolve(in_round(), reported(1)), e.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, None))
    asked = evolve(held, e.ConfirmationAsked(SHIFT, 1, (e.ProRataDecided(SHIFT, 1, 1),), Role.PIT_SUPERVISOR))
    case = case_of(asked)
    assert (case.waits, case.role, case.by) == (Waits.CONFIRMATION, Role.PIT_SUPERVISOR, SHIFT)
    assert case.previous == held.case
    assert case.pending == (e.ProRataDecided(SHIFT, 1, 1),)
    declined = evolve(asked, e.DecisionMade(SUPERVISOR, 1, c.Decision.DECLINE, "no"))
    assert declined.case == held.case
    approved = evolve(asked, e.DecisionMade(SUPERVISOR, 1, c.Decision.APPROVE, "seen"))
    assert approved.case == case._replace(reason="seen")
    assert evolve(asked, e.DecisionMade(SUPERVISOR, 1, c.Decision.APPROVE, "")) == asked
    closed = evolve(asked, e.CaseClosed(SUPERVISOR, 1))
    assert (closed.phase, closed.case) == (Phase.BETTING, None)


def test_a_case_about_an_earlier_round_outlasts_this_one() -> None:
    early = evolve(in_round(away=frozenset({"ann"})), reported(1, round_=0))
    early = early._replace(seats={1: "ann", 2: "bo"}, places={"ann": (1,), "bo": (2,)})
    found = evolve(early, e.RoundClosed(DEALER, 1))
    assert (found.phase, found.round, found.seats) == (Phase.HELD, None, {2: "bo"})
    assert found.case == case_of(early)._replace(resume=Phase.BETWEEN_ROUNDS)
    this = evolve(evolve(in_round(), reported(1)), e.RoundClosed(DEALER, 1))
    assert (this.phase, this.case) == (Phase.BETWEEN_ROUNDS, None)


def test_limits_are_lifted_for_side_bets_or_for_the_boxes() -> None:
    lifted = [round_of(evolve(in_round(), e.LimitsLifted(SHIFT, 1, 1, sides=each))) for each in (False, True)]
    assert [(each.limits_lifted, each.sides_lifted) for each in lifted] == [(True, False), (False, True)]


# ------------------------------------------------------------------------------------------- results and corrections

ANN, BO = bet("ann"), bet("bo", "banker")


def line(of: Bet, back: int) -> Line:
    won = Result.WIN if back else Result.LOSE
    return Line(of, of.stake_cents, won, None, Cents(back), Cents(back - of.stake_cents), "4.1")


def returned(*bets: Bet) -> tuple[e.Returned, ...]:
    return tuple([e.Returned(each, e.ReturnReason.VOID, None) for each in bets])


def test_a_settled_round_is_remembered_with_what_its_corrections_need() -> None:
    paid = (e.Paid(bet("cy"), Odds.parse("1:1"), Cents(20_000), None),)
    before = with_bets(ANN, waived=True, walked={"ann": 2}, forgone=frozenset({"bo"}), paid=paid)
    before = before._replace(settings=settings(without_insurance=True))
    found = evolve(before, e.RoundSettled(DEALER, 1, (NINE, TWO), (line(ANN, 0),), (), Cents(10_000)))
    assert found.last == LastRound(
        *(1, (NINE, TWO), (line(ANN, 0),)),
        waived=True,
        walked={"ann": 2},
        without_insurance=True,
        forgone=frozenset({"bo"}),
        paid=paid,
    )
    assert (round_of(found).bets, round_of(found).boxes) == ({}, {})


def test_returned_bets_leave_the_round_and_still_count_in_the_differential() -> None:
    insurance = bet("ann", "player-insurance", window=Window.FOUR_CARDS)
    request = Request("ann", c.SqueezeOf.CARD, "3.1")
    earlier = (bet("di"),)
    before = with_bets(ANN, BO, insurance, request=request, squeezers={5: "ann", 6: "bo"}, taken_back=earlier)
    one = round_of(evolve(before, e.BetsReturned(DEALER, 1, returned(ANN))))
    assert ([*one.bets.values()], one.boxes) == ([BO, insurance], {1: (spot_of(BO), spot_of(insurance))})
    assert (one.taken_back, one.request, one.squeezers) == ((*earlier, ANN), request, {5: "ann", 6: "bo"})
    both = round_of(evolve(before, e.BetsReturned(DEALER, 1, returned(ANN, insurance))))
    assert ([*both.bets.values()], both.taken_back) == ([BO], (*earlier, ANN))
    assert (both.request, both.squeezers) == (None, {6: "bo"})
    paid = (e.Paid(ANN, Odds.parse("1:1"), Cents(20_000), None),)
    found = round_of(evolve(before, e.BetsPaid(SHIFT, 1, 1, paid)))
    assert (found.paid, found.taken_back) == (paid, (*earlier, ANN))
    assert round_of(evolve(evolve(before, e.BetsPaid(SHIFT, 1, 1, paid)), e.BetsPaid(SHIFT, 1, 1, ()))).paid == paid


def adjusted(*lines: e.Adjustment, **given: Any) -> e.RoundAdjusted:
    return e.RoundAdjusted(SHIFT, 1, lines, **({"void": False, "rule": None, "reason": "seen"} | given))


def adjustment(of: Bet, back: int, new: Line | None = None) -> e.Adjustment:
    return e.Adjustment(of, Cents(0), Cents(back), Cents(back), None, new)


def test_a_correction_changes_the_lines_of_the_last_round() -> None:
    last = LastRound(1, (NINE, TWO), (line(ANN, 0), line(BO, 20_000)))
    before = state(last=last)
    new = line(ANN, 20_000)
    assert evolve(before, adjusted(adjustment(ANN, 20_000, new))).last == last._replace(lines=(line(BO, 20_000), new))
    decided = replace(line(ANN, 0), returned_cents=Cents(15_000), net_cents=Cents(5_000))
    by_decision = evolve(before, adjusted(adjustment(ANN, 15_000), reverses=True)).last
    assert by_decision == last._replace(lines=(line(BO, 20_000), decided))
    assert evolve(before, adjusted(adjustment(ANN, 15_000))).last == last._replace(lines=(line(BO, 20_000),))
    unknown = bet("cy")
    assert evolve(before, adjusted(adjustment(unknown, 15_000), reverses=True)).last == last
    assert evolve(before, replace(adjusted(adjustment(ANN, 0, new)), round=2)) == before
    assert evolve(state(), adjusted(adjustment(ANN, 0, new))) == state()


def test_a_void_round_keeps_no_lines_and_nothing_paid() -> None:
    paid = (e.Paid(BO, Odds.parse("1:1"), Cents(20_000), None),)
    last = LastRound(1, (NINE, TWO), (line(ANN, 0),), paid=paid)
    voided = evolve(state(last=last), adjusted(adjustment(ANN, 10_000), void=True, reverses=True))
    assert voided.last == last._replace(lines=(), void=True, paid=())
    again = evolve(voided, adjusted()).last
    assert again == voided.last
    assert evolve(state(last=last), adjusted()).last == last


def test_corrected_cards_came_from_their_shoe_in_place_of_others() -> None:
    shoe = Shoe(1, 416, drawn=9, seen={NINE: 2, TWO: 1})
    before = state(shoe=shoe, last=LastRound(1, (NINE, TWO), ()))
    event = adjusted(shoe=1, cards_before=(NINE, TWO), cards=(NINE, KING, KING))
    found = evolve(before, event)
    assert found.shoe == shoe._replace(drawn=10, seen={NINE: 2, KING: 2})
    assert found.last == LastRound(1, (NINE, KING, KING), ())
    assert evolve(before, replace(event, shoe=2)).shoe == shoe
    assert evolve(before._replace(shoe=None), event).shoe is None
    assert evolve(before, replace(event, cards=())) == before


def test_approvals_orders_and_corrections_wait_for_their_role() -> None:
    before = evolve(in_round(), reported(1))
    order = evolve(before, e.OrderAsked(DEALER, 1, Role.PIT_SUPERVISOR, (NINE,), None))
    assert (order.phase, case_of(order).waits, case_of(order).role) == (Phase.HELD, Waits.ORDER, Role.PIT_SUPERVISOR)
    corrections = (adjustment(ANN, 100),)
    asked = evolve(before, e.ApprovalAsked(DEALER, 1, Role.PIT_MANAGER, None, corrections, (NINE,)))
    assert asked.case == case_of(before)._replace(
        waits=Waits.APPROVAL, role=Role.PIT_MANAGER, corrections=corrections, cards=(NINE,)
    )
    correction = evolve(before, e.CorrectionAsked(DEALER, 1, Role.PIT_SUPERVISOR, 4, 6, KING))
    assert (shoe_of(correction).reading, case_of(correction).waits) == (6, Waits.CORRECTION)


def test_options_are_offered_to_who_is_there_and_chosen_one_by_one() -> None:
    before = evolve(in_round(away=frozenset({"bo"})), reported(1))
    offered = evolve(before, e.OptionsOffered(DEALER, 1, 1, ("ann", "bo", "cy"), True, "5.10", "5.10.1", None))
    case = case_of(before)._replace(waits=Waits.CHOICES, patrons=("ann", "cy"), continue_rule="5.10.1")
    assert (offered.phase, offered.case) == (Phase.HELD, case)
    chosen = e.OptionChosen(DEALER, 1, "ann", c.Option.CONTINUE, None)
    assert evolve(offered, chosen).case == case._replace(patrons=("cy",))
    later = evolve(offered, reported(2))
    assert evolve(later, chosen).case == case_of(later)._replace(previous=case._replace(patrons=("cy",)))


# ------------------------------------------------------------------------------------------- cards laid anew

LAID = (NINE, TWO, KING, THREE)


def relaid(*after: Card, **given: Any) -> e.CardsRelaid:
    before = {"before": (), "after": after, "carried": (), "rule": None, "reason": "seen"}
    return e.CardsRelaid(DEALER, 1, 1, **(before | given))


def mistaken(**given: Any) -> State:
    """A case about a round that has four cards, of a shoe from which nine came."""
    found = in_round(**({"cards": LAID, "undoable": True} | given))._replace(
        phase=Phase.RESULT,
        shoe=Shoe(1, 416, drawn=9, seen=dict.fromkeys(LAID, 1), reading=9),
    )
    return evolve(found, reported(1))


def test_a_carried_card_leaves_the_round() -> None:
    found = evolve(mistaken(cards=(*LAID, SEVEN)), relaid(*LAID, carried=(SEVEN,)))
    assert (round_of(found).cards, round_of(found).undoable) == (LAID, False)
    assert (shoe_of(found).carried, shoe_of(found).drawn, shoe_of(found).reading) == ((SEVEN,), 9, 9)
    assert (case_of(found).resume, case_of(found).reordered) == (Phase.RESULT, True)


def test_more_cards_came_out_than_were_known() -> None:
    found = evolve(mistaken(), relaid(*LAID, carried=(SEVEN,), burned=(FIVE,), reading=11))
    assert shoe_of(found) == Shoe(
        *(1, 416), drawn=11, seen=dict.fromkeys((*LAID, SEVEN, FIVE), 1), carried=(SEVEN,), reading=11
    )
    assert (round_of(found).cards, case_of(found).reordered) == (LAID, False)


def test_closed_cards_are_replaced_by_those_that_were_named() -> None:
    waiting = (TableCard(None, False), TableCard(None, False))
    before = mistaken(cards=(NINE, TWO), waiting=waiting)
    before = before._replace(shoe=Shoe(1, 416, drawn=4, seen={NINE: 1, TWO: 1}))
    found = evolve(before, relaid(*LAID))
    assert (round_of(found).cards, round_of(found).waiting) == (LAID, ())
    assert (shoe_of(found).drawn, shoe_of(found).seen) == (4, dict.fromkeys(LAID, 1))
    assert case_of(found).reordered


def test_closed_cards_go_back_into_the_shoe_where_only_the_open_ones_were_named() -> None:
    before = mistaken(waiting=(TableCard(None, False),))
    found = evolve(before, relaid(*LAID))
    assert (round_of(found).cards, round_of(found).waiting, shoe_of(found).drawn) == (LAID, (), 8)
    assert case_of(found).reordered


def test_while_bets_are_placed_cards_only_leave_the_shoe() -> None:
    before = evolve(in_round()._replace(shoe=Shoe(1, 416)), reported(1))
    found = evolve(before, relaid(carried=(SEVEN,)))
    assert found.shoe == Shoe(1, 416, drawn=1, seen={SEVEN: 1}, carried=(SEVEN,))
    assert (round_of(found).cards, case_of(found).resume) == ((), Phase.BETTING)
    between = evolve(before._replace(round=None), relaid(carried=(SEVEN,)))
    assert (between.round, between.shoe) == (None, found.shoe)


LOW = parse_cards("2h 2d Ks Kc 4h")


@pytest.mark.parametrize(
    ("after", "forgone"),
    [((*LOW[:4], SEVEN), True), (LOW[:4], False), ((NINE, *LOW[1:]), False)],
)
def test_insurance_stays_forgone_for_the_same_first_four_cards(after: tuple[Card, ...], forgone: bool) -> None:
    found = evolve(mistaken(cards=LOW, forgone=frozenset({"ann"})), relaid(*after))
    assert round_of(found).forgone == (frozenset({"ann"}) if forgone else frozenset())


def test_what_was_permitted_for_cards_to_come_stays_with_the_waiver() -> None:
    request = Request("ann", c.SqueezeOf.CARD, "3.1")
    given: dict[str, Any] = {"cards": LOW, "squeezers": {5: "ann", 6: "bo"}, "request": request}
    waived = round_of(evolve(mistaken(waived=True, **given), relaid(*LOW[:4], SEVEN)))
    assert (waived.waived, waived.squeezers, waived.request) == (True, {6: "bo"}, None)
    ended = round_of(evolve(mistaken(waived=True, **given), relaid(*parse_cards("2h 3d Ks Kc 4h"))))
    assert (ended.waived, ended.squeezers) == (False, {})
    never = round_of(evolve(mistaken(**given), relaid(*LOW[:4])))
    assert (never.waived, never.squeezers) == (False, {5: "ann", 6: "bo"})
