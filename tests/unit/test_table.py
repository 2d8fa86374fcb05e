"""A table, piece by piece: opening, the shoe, places, second persons, readings, and what leaves the house."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from punto.protocol.codec import to_json
from punto.rules.cards import DECK, parse_cards
from punto.rules.hands import Hand
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, kebab, meaning
from punto.rules.sheet import Device, Role
from punto.rules.tableau import next_hand
from punto.table import commands as c
from punto.table import events as e
from punto.table.commands import COMMANDS
from punto.table.decide import _DECIDE, decide
from punto.table.evolve import _EVOLVE, evolve
from punto.table.phases import LEGAL, MOVES, Phase, Waits
from punto.table.refusals import TABLE_REFUSALS, ReadingRepeated, ShoeStays, WrongPhase
from punto.table.roles import AUTHORITY
from punto.table.views import public
from punto.texts import say
from tests.table_kit import BANKER_INSURABLE, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

# ------------------------------------------------------------------------------------------- tables of the code


def test_every_command_and_event_is_handled() -> None:
    commands = set(COMMANDS.values())
    assert set(_DECIDE) == commands == set(AUTHORITY)
    assert set(_EVOLVE) == set(e.EVENTS.values())
    assert {kind for legal in LEGAL.values() for kind in legal} == commands


def test_the_codes_are_closed_and_each_has_a_meaning() -> None:
    assert len({kebab(kind.__name__) for kind in TABLE_REFUSALS}) == len(TABLE_REFUSALS)
    assert all(meaning(kind) for kind in TABLE_REFUSALS)


def test_every_phase_change_is_in_the_diagram() -> None:
    r = Random(11)
    seen = set()
    for game, closed in product(GAMES, (False, True)):
        play = Play(game, face_down=closed, live=closed)
        for _ in range(150):
            before = play.state.phase
            play.open()
            seen.add((before, play.state.phase))
            before = play.state.phase
            play.close()
            seen.add((before, play.state.phase))
            while play.state.phase is not Phase.RESULT:
                before = play.state.phase
                command: c.Command = c.Deal(DEALER, None if closed and r.random() < 0.8 else r.choice(DECK))
                if before is Phase.OPENING and play.state.round is not None:
                    command = c.OpenCard(DEALER, play.state.round.closed_places[0], r.choice(DECK))
                if isinstance(decide(play.state, command), Refusal):
                    continue
                play.do(command)
                if play.state.phase is not before:
                    seen.add((before, play.state.phase))
            play.settle()
            seen.add((Phase.RESULT, play.state.phase))
            if play.state.shoe is None or play.state.shoe.left < 20:
                play.do(c.ReplaceShoe(DEALER, "nearly empty"))
                play.do(c.LoadShoe(DEALER))
    assert seen | {(Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS), (Phase.BETWEEN_ROUNDS, Phase.NOT_OPEN)} == set(MOVES)


# ------------------------------------------------------------------------------------------- refusals and precedence

REFUSED: list[tuple[str, c.Command, str]] = [
    ("a patron opens", c.OpenTable(patron("ann"), "t1", "moon", 99, Cents(9), Cents(1)), "not-permitted"),
    ("another table's game", c.OpenTable(SUPERVISOR, "", "moon", 99, Cents(9), Cents(1)), "game-mismatch"),
    ("no name", c.OpenTable(SUPERVISOR, " ", "commission", 99, Cents(9), Cents(1)), "name-invalid"),
    ("no layout", c.OpenTable(SUPERVISOR, "t", "commission", 99, Cents(9), Cents(1)), "layout-not-allowed"),
    (
        "boxes that the layout lacks",
        c.OpenTable(SUPERVISOR, "t", "commission", 99, Cents(9), Cents(1), layout="mini-7", boxes=9),
        "layout-not-allowed",
    ),
    (
        "eleven decks",
        c.OpenTable(SUPERVISOR, "t", "commission", 11, Cents(9), Cents(1), layout="mini-7"),
        "decks-not-allowed",
    ),
    (
        "a minimum above the maximum",
        c.OpenTable(SUPERVISOR, "t", "commission", 8, Cents(9), Cents(1), layout="mini-7", without_insurance=True),
        "limits-invalid",
    ),
    (
        "limits on an original bet",
        c.OpenTable(
            SUPERVISOR, "t", "commission", 8, Cents(1), Cents(9), layout="mini-7",
            sides=(c.BetLimits("banker", Cents(1), Cents(5)),),
        ),
        "limits-invalid",
    ),
    (
        "side limits upside down",
        c.OpenTable(
            SUPERVISOR, "t", "commission", 8, Cents(1), Cents(9), layout="mini-7",
            sides=(c.BetLimits("tie", Cents(6), Cents(5)),),
        ),
        "limits-invalid",
    ),
    (
        "no insurance where the sheet has none",
        c.OpenTable(SUPERVISOR, "t", "commission", 8, Cents(1), Cents(9), layout="mini-7", without_insurance=True),
        "private-not-allowed",
    ),
    ("anything before it is open", c.Sit(patron("ann"), "ann", 99), "table-not-open"),
    ("for somebody else, before that", c.Sit(patron("ann"), "bo", 99), "not-yours"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "command", "code"), REFUSED, ids=[row[0] for row in REFUSED])
def test_opening_is_refused_by_precedence(what: str, command: c.Command, code: str) -> None:
    assert Play("commission", opened=False).refused(command)[0] == code


def test_bets_are_refused_by_precedence() -> None:
    """Each step puts one thing right and meets the next code of the list."""
    side = (c.BetLimits("tie", Cents(1_000), Cents(5_000)),)
    play = Play("commission", sides=side)
    codes = []

    def bet(name: str, box: int, on: str, stake: int, number: int | None = None, by: str | None = None) -> None:
        codes.append(play.refused(c.PlaceBet(patron(by or name), name, box, on, Cents(stake), number))[0])

    bet("ann", 99, "moon", -1, 7, by="eve")
    bet("ann", 99, "moon", -1, 7)
    play.open()
    bet("ann", 99, "moon", -1, 7)
    bet("ann", 99, "moon", -1, 1)
    bet("ann", 1, "moon", -1, 1)
    play.sit("ann")
    bet("ann", 1, "moon", -1, 1)
    bet("ann", 1, "tie", -1, 1)
    bet("ann", 1, "tie", 50, 1)
    bet("ann", 1, "tie", 500, 1)
    bet("ann", 1, "tie", 6_000, 1)
    bet("ann", 1, "banker", 100_100, 1)
    play.bet("ann", "banker", 10_000)
    bet("ann", 1, "banker", -1, 1)
    play.close()
    bet("ann", 1, "banker", -1, 1)
    assert codes == [
        "not-yours",
        "bets-not-open",
        "round-mismatch",
        "box-unknown",
        "not-at-box",
        "bet-not-offered",
        "stake-invalid",
        "stake-off-unit",
        "stake-below-minimum",
        "stake-above-maximum",
        "over-differential",
        "bet-exists",
        "bets-closed",
    ]


def test_places_are_refused_with_reasons() -> None:
    play = Play("commission").sit("ann")
    assert play.refused(c.Sit(patron("bo"), "bo", 1))[0] == "box-taken"
    assert play.refused(c.Sit(patron("ann"), "ann", 2))[0] == "already-there"
    assert play.refused(c.Sit(patron("bo"), "bo", 10)) == ("box-unknown", "2.1.1")
    assert play.refused(c.Stand(patron("bo"), "bo", 2))[0] == "nobody-seated"
    assert play.refused(c.Leave(patron("bo"), "bo"))[0] == "not-at-box"
    play.do(c.Stand(patron("bo"), "bo", 1))
    assert play.refused(c.Stand(patron("bo"), "bo", 1))[0] == "already-there"
    play.do(c.Leave(patron("bo"), "bo"))
    assert play.state.standing == frozenset()


def test_only_a_live_table_records_chips_on_the_layout() -> None:
    play = Play("commission").sit("ann").open()
    assert play.refused(c.RecordBet(DEALER, "ann", 1, "tie", Cents(100)))[0] == "not-live"
    play = Play("commission", live=True).sit("ann").open()
    play.do(c.RecordBet(DEALER, "ann", 1, "tie", Cents(100)))
    play.do(c.RecordBet(DEALER, "ann", 1, "tie", Cents(300)))
    play.do(c.RecordBet(DEALER, "ann", 1, "tie", Cents(200)))
    assert play.state.round is not None
    assert [bet.stake_cents for bet in play.state.round.bets.values()] == [200]
    play.do(c.RecordBet(DEALER, "ann", 1, "tie", Cents(0)))
    play.close()
    assert play.state.round is not None
    assert play.state.round.bets == {}
    play.deal("9h")
    assert play.refused(c.RecordBet(DEALER, "ann", 1, "tie", Cents(100))) == ("bets-closed", "5.6")


def test_a_withdrawal_returns_the_excess_of_the_other_side() -> None:
    play = Play("commission").sit("ann")
    play.do(c.Stand(patron("bo"), "bo", 1))
    play.open(("ann", "banker", 70_000), ("bo", "player", 80_000))
    play.do(c.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(80_000)))
    moved = play.of(e.BetDisplaced, play.do(c.WithdrawBet(patron("bo"), "bo", 1, "player")))
    assert [(each.bet.patron, each.returned_cents, each.rule) for each in moved] == [("ann", 50_000, "5.1")]


# ------------------------------------------------------------------------------------------- the shoe


def test_a_virtual_shoe_deals_its_order() -> None:
    play = Play("commission", shoe=NATURAL).open().close()
    for _ in range(4):
        play.do(c.Deal(DEALER))
    assert play.cards == parse_cards(NATURAL)
    assert play.of(e.ResultDeclared)[0].player_points == 9


def test_a_virtual_shoe_refuses_other_cards() -> None:
    play = Play("commission", shoe=NATURAL).open().close()
    assert play.refused(c.Deal(DEALER, parse_cards("2d")[0]))[0] == "card-not-next"
    play.do(c.Deal(DEALER, parse_cards("9h")[0]))


def test_a_shoe_that_is_read_needs_its_cards_and_checks_them() -> None:
    play = Play("commission", decks=4).open().close()
    assert play.refused(c.Deal(DEALER))[0] == "card-not-given"
    for _ in range(2):
        play.deal("9h Kh 9h Kh").settle()
        play.open().close()
    assert play.refused(c.Deal(DEALER, parse_cards("9h")[0])) == ("card-copies", "2.2.1")


def test_a_shoe_must_be_of_the_decks() -> None:
    play = Play("commission", shoe=None)
    assert play.refused(c.LoadShoe(DEALER, parse_cards("9h") * 9)) == ("shoe-invalid", "2.2.1")
    assert play.refused(c.LoadShoe(DEALER, parse_cards("9h"), 2))[0] == "shoe-invalid"
    assert play.refused(c.OpenBets(DEALER))[0] == "shoe-missing"
    assert play.refused(c.CutCard(DEALER))[0] == "shoe-missing"


@pytest.mark.parametrize(("cut", "last"), [(3, 2), (4, 2), (0, 1), (6, 3)])
def test_the_round_after_the_cut_card_is_the_last(cut: int, last: int) -> None:
    """Out before a round's first card the cut card makes that round the last; within one, the next."""
    play = Play("commission", shoe=None)
    play.do(c.LoadShoe(DEALER, parse_cards(" ".join([NATURAL] * 4)), cut))
    for number in range(1, last + 1):
        play.open()
        assert play.of(e.BetsOpened)[-1].last_of_shoe is (number == last and play.of(e.CutCardDrawn) != [])
        play.close()
        for _ in range(4):
            play.do(c.Deal(DEALER))
        play.settle()
    assert play.of(e.CutCardDrawn)[0].last_round == last
    assert play.refused(c.OpenBets(DEALER))[0] == "shoe-finished"
    play.do(c.LoadShoe(DEALER))
    play.open()
    assert play.of(e.BetsOpened)[-1].shoe == 2


def test_a_shoe_in_play_cannot_be_loaded_over() -> None:
    play = Play("commission")
    refusal = play.decide(c.LoadShoe(DEALER))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "shoe-stays"
    assert refusal == ShoeStays(1)
    assert play.refused(c.ReplaceShoe(DEALER, ""))[0] == "reason-missing"
    play.do(c.ReplaceShoe(DEALER, "worn"))
    play.do(c.LoadShoe(DEALER))


def test_carried_cards_leave_with_their_shoe() -> None:
    play = Play("commission")
    play.do(c.CutCard(DEALER))
    play.open().close().deal(NATURAL)
    play.report("excess-card", cards=NATURAL + " 7c", reconstructible=True)
    play.settle()
    assert play.state.shoe is not None
    assert play.state.shoe.carried == parse_cards("7c")
    assert play.refused(c.OpenBets(DEALER))[0] == "shoe-finished"
    play.do(c.LoadShoe(DEALER))
    play.open().close().deal("9h")
    assert play.cards == parse_cards("9h")
    play.replays()


def test_the_dealer_reports_the_cut_card_of_a_shoe_that_is_read() -> None:
    play = Play("commission").open().close().deal("9h")
    play.do(c.CutCard(DEALER))
    assert play.refused(c.CutCard(DEALER))[0] == "cut-card-known"
    play.deal("2c Kd 3c").settle()
    play.open()
    assert play.of(e.BetsOpened)[-1].last_of_shoe


def test_a_repeated_reading_of_an_electronic_shoe_is_refused() -> None:
    play = Play("commission").open().close()
    play.do(c.Deal(DEALER, parse_cards("9h")[0], 1))
    assert play.refused(c.Deal(DEALER, parse_cards("9h")[0], 1))[0] == "reading-repeated"
    play.do(c.Deal(DEALER, parse_cards("2c")[0], 2))
    assert play.cards == parse_cards("9h 2c")
    play.deal("Kd 3c")
    again, more = (
        play.decide(c.Deal(DEALER, parse_cards("2c")[0], 2)),
        play.decide(c.Deal(DEALER, parse_cards("7c")[0])),
    )
    assert isinstance(again, Refusal)
    assert again == ReadingRepeated(2)
    assert isinstance(more, Refusal)
    assert more == WrongPhase("deal", Phase.RESULT, "excess-card", rule="5.7")


def test_a_gap_in_the_readings_freezes_the_table_until_a_supervisor_corrects_it() -> None:
    play = Play("commission").open().close()
    play.do(c.Deal(DEALER, parse_cards("9h")[0], 1))
    asked = play.of(e.CorrectionAsked, play.do(c.Deal(DEALER, parse_cards("Kd")[0], 3)))[0]
    assert (asked.expected, asked.got) == (2, 3)
    assert play.refused(c.Deal(DEALER, parse_cards("3c")[0], 4))[0] == "round-held"
    right = c.CorrectCards(SUPERVISOR, parse_cards("9h 2c Kd"), "the second reading was lost")
    assert play.refused(c.CorrectCards(DEALER, right.cards, right.reason))[0] == "not-permitted"
    relaid = play.of(e.CardsRelaid, play.do(right))[0]
    assert (relaid.before, relaid.after) == (parse_cards("9h"), parse_cards("9h 2c Kd"))
    play.do(c.Deal(DEALER, parse_cards("3c")[0], 4))
    assert play.state.phase is Phase.RESULT


def test_a_mis_keyed_card_is_corrected_with_its_reason() -> None:
    play = Play("commission").open().close().deal("9h 2c Kd 4c")
    assert play.state.phase is Phase.RESULT
    assert play.refused(c.CorrectCards(SUPERVISOR, parse_cards("9h 2c Kd 3c"), " "))[0] == "reason-missing"
    play.do(c.CorrectCards(SUPERVISOR, parse_cards("9h 2c Kd 3c"), "keyed 4 for 3"))
    assert play.of(e.ResultDeclared)[-1].banker_points == 5
    assert play.state.shoe is not None
    assert play.state.shoe.seen == dict.fromkeys(parse_cards("9h 2c Kd 3c"), 1)


def test_public_events_hide_undealt_cards() -> None:
    play = Play("commission", shoe=NATURAL + " " + BANKER_INSURABLE)
    loaded = play.of(e.ShoeLoaded)[0]
    assert loaded.cards
    shown = public(loaded)
    assert isinstance(shown, e.ShoeLoaded)
    assert (shown.cards, shown.count) == ((), 9)
    # A refusal does not reveal the next cards either.
    play.open().close()
    answer = play.decide(play.reporting("excess-card", cards="2d", reconstructible=True))
    assert isinstance(answer, Refusal)
    assert "9h" not in say(answer, sheet=play.sheet)


# ------------------------------------------------------------------------------------------- reconstruction


@pytest.mark.parametrize("cards", [NATURAL, BANKER_INSURABLE, "2h 2d Ks Kc 4h 5d", "2h 2d 4s 3c Kh"])
@pytest.mark.parametrize("game", ["commission", "da-hu-ying-xiong"])
def test_reconstruction_gives_what_an_undisturbed_deal_gives(game: str, cards: str) -> None:
    """Whatever way the cards were keyed, the order in which they left the shoe decides."""
    drawn = parse_cards(cards)
    straight = Play(game).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close().deal(cards)
    straight.settle()
    tried = 0
    for keyed in permutations(drawn):
        if any(next_hand(keyed[:place]) is None for place in range(len(keyed))) or tried > 12:
            continue
        tried += 1
        play = Play(game).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close()
        for card in keyed:
            play.do(c.Deal(DEALER, card))
        play.report("wrong-area", cards=drawn, reconstructible=True)
        assert play.cards == drawn
        play.settle()
        assert play.backs() == straight.backs()
    assert tried


def test_cards_that_did_not_come_out_cannot_be_reconstructed() -> None:
    play = Play("commission").open().close().deal("9h 2c")
    assert play.refused(play.reporting("wrong-area", cards="9h 3c", reconstructible=True))[0] == "facts-contradict"
    assert play.refused(play.reporting("wrong-area", reconstructible=True)) == ("facts-missing", "5.8")
    assert play.refused(play.reporting("wrong-area", cards="9h", reconstructible=False))[0] == "facts-missing"


def test_insurance_on_an_offer_that_was_never_valid_is_returned() -> None:
    play = Play("da-hu-ying-xiong").sit("ann").open(("ann", "banker", 10_000)).close().deal("5h Kd 6s 6c")
    play.do(c.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(3_000)))
    events = play.report("wrong-area", cards="5h 6s Kd 6c", reconstructible=True)
    returned = play.of(e.BetsReturned, events)[0]
    assert [(line.bet.on, line.why, line.rule) for line in returned.lines] == [
        ("banker-insurance", e.ReturnReason.RECONSTRUCTED, "5.8")
    ]


def test_an_excess_card_while_bets_are_open_waits_for_the_first_deal() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000))
    play.report("excess-card", cards="9h", reconstructible=True)
    assert play.state.phase is Phase.BETTING
    assert not play.of(e.OptionsOffered)
    play.close()
    assert play.of(e.CardDealt, play.do(c.Deal(DEALER)))[0].carried


def test_an_excess_card_seen_after_settlement_is_carried() -> None:
    play = Play("commission").open().close().deal(NATURAL)
    play.settle()
    play.report("excess-card", cards=NATURAL + " 7s", reconstructible=True)
    play.open().close().do(c.Deal(DEALER))
    assert play.cards == parse_cards("7s")


# ------------------------------------------------------------------------------------------- who decides


def held_for_a_second_person() -> Play:
    play = Play("commission", second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal("9h")
    play.report("foreign-card")
    return play


def test_a_second_person_confirms_a_void() -> None:
    play = held_for_a_second_person()
    assert play.state.case is not None
    assert play.state.case.waits is Waits.CONFIRMATION
    assert not play.of(e.RoundVoided)
    assert play.refused(c.Decide(DEALER, c.Decision.APPROVE))[0] == "not-permitted"
    assert play.refused(c.Decide(c.Actor("dan", Role.PIT_MANAGER), c.Decision.APPROVE))[0] == "same-person"
    assert play.refused(c.Decide(patron("ann"), c.Decision.APPROVE))[0] == "not-permitted"
    assert play.refused(c.Decide(SHIFT, c.Decision.VOID, "now"))[0] == "decision-not-open"
    assert play.refused(c.Recover(DEALER))[0] == "round-held"
    play.do(c.Decide(SUPERVISOR, c.Decision.APPROVE))
    assert play.backs() == {("ann", "player"): 10_000}
    play.replays()


def test_a_second_person_may_decline_with_a_reason() -> None:
    play = held_for_a_second_person()
    assert play.refused(c.Decide(SUPERVISOR, c.Decision.DECLINE))[0] == "reason-missing"
    play.do(c.Decide(SUPERVISOR, c.Decision.DECLINE, "it is a card of the set"))
    play.deal("2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}


def test_a_second_person_confirms_an_adjustment_and_a_correction() -> None:
    play = Play("commission", second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal("9h 2c Kd 4c")
    play.do(c.CorrectCards(SUPERVISOR, parse_cards("9h 2c Kc 3c"), "keyed 4 for 3, and diamonds for clubs"))
    assert not play.of(e.CardsRelaid)
    play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    play.settle()
    three = c.Facts(hand=Hand.PLAYER, hand_count=3, reconstructible=False, note="three in a natural")
    play.do(c.Report(DEALER, "wrong-number-of-cards", three))
    play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    assert play.of(e.RoundAdjusted)[0].lines[0].correction_cents == -10_000
    assert play.state.phase is Phase.BETWEEN_ROUNDS


def test_a_void_supersedes_an_open_choice() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal("9h")
    play.report("other-dealing-error")
    assert play.refused(play.reporting("display-mistake"))[0] == "round-held"
    play.report("foreign-card")
    assert play.backs() == {("ann", "player"): 10_000}
    assert play.state.case is None


def test_a_bet_taken_back_leaves_the_others_in_its_box_whole() -> None:
    """The Differential is that of the chips at the close, so who stays is not scaled because somebody left."""
    play = Play("commission").sit("ann")
    play.do(c.Stand(patron("bo"), "bo", 1))
    play.open(("ann", "player", 60_000), ("bo", "banker", 90_000))
    play.do(c.RaiseBet(patron("ann"), "ann", 1, "player", Cents(90_000)))
    play.close().deal("9h")
    play.report("other-dealing-error")
    play.do(c.Choose(patron("bo"), "bo", c.Option.TAKE_BACK))
    play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE))
    settled = play.deal("2c Kd 3c").settle()
    assert [(line.bet.patron, line.in_play_cents) for line in settled.lines] == [("ann", 150_000)]
    assert settled.house_cents == -150_000
    assert play.backs() == {("bo", "banker"): 90_000, ("ann", "player"): 300_000}


def test_a_patron_who_walks_away_from_a_choice_is_settled() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal("9h")
    play.report("other-dealing-error")
    play.do(c.Leave(patron("ann"), "ann"))
    play.deal("2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}


def test_staff_answer_a_choice_on_a_patrons_behalf() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal("9h")
    play.report("other-dealing-error")
    assert play.refused(c.Choose(patron("bo"), "ann", c.Option.TAKE_BACK))[0] == "not-yours"
    assert play.refused(c.Choose(DEALER, "bo", c.Option.TAKE_BACK)) == ("no-choice-open", "5.12")
    play.do(c.Choose(DEALER, "ann", c.Option.TAKE_BACK))
    assert play.backs() == {("ann", "player"): 10_000}


def test_the_shift_manager_may_void_reconstruct_or_offer_options() -> None:
    for decision, cards in ((c.Decision.VOID, ""), (c.Decision.OPTIONS, ""), (c.Decision.RECONSTRUCT, "9h 2c Kd 3c")):
        play = Play("easy-six").sit("ann").open(("ann", "player", 10_000)).close().deal("9h Kd 2c 3c")
        play.report("wrong-area", note="two cards changed places")
        play.do(c.Decide(SHIFT, decision, "seen on camera", parse_cards(cards)))
        if decision is c.Decision.OPTIONS:
            play.do(c.Choose(patron("ann"), "ann", c.Option.TAKE_BACK))
        if decision is c.Decision.RECONSTRUCT:
            play.settle()
            assert play.backs() == {("ann", "player"): 20_000}
        else:
            assert play.backs() == {("ann", "player"): 10_000}


def test_an_interruption_between_rounds_has_no_effect() -> None:
    play = Play("commission")
    assert play.refused(c.Recover(DEALER))[0] == "wrong-phase"
    assert play.refused(play.reporting("technical-interruption"))[0] == "nothing-to-recover"


def test_situations_are_those_of_the_game() -> None:
    play = Play("commission")
    assert play.refused(play.reporting("rain"))[0] == "situation-unknown"
    assert play.refused(play.reporting("insurance-neglected"))[0] == "situation-unknown"


def test_a_sheet_may_ask_a_higher_role_for_a_void(tmp_path: Path) -> None:
    built_in = (Path(__file__).parents[2] / "src" / "punto" / "sheets" / "easy-six.toml").read_text()
    before = 'ruling = "void"\ndecides = "dealer"\nrule = "5.1.2"'
    path = tmp_path / "house.toml"
    path.write_text(built_in.replace(before, before.replace("dealer", "pit-manager")))
    play = Play(str(path), opened=False)
    play.do(c.OpenTable(SUPERVISOR, "t1", play.sheet.id, 8, Cents(100), Cents(10_000), layout="bean-9"))
    play.do(c.LoadShoe(DEALER))
    play.open().close().deal("9h")
    asked = play.report("excess-card", reconstructible=False, hand=Hand.PLAYER, hand_count=4, note="mixed up")[-1]
    assert isinstance(asked, e.ApprovalAsked)
    assert asked.to is Role.PIT_MANAGER
    play.do(c.Decide(MANAGER, c.Decision.APPROVE))
    assert play.of(e.RoundVoided)[0].rule == "5.1.2"


# ------------------------------------------------------------------------------------------- the log


@pytest.mark.parametrize("game", GAMES)
def test_the_log_replays_to_the_same_state_and_the_same_bytes(game: str) -> None:
    def played() -> Play:
        play = Play(game).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close()
        play.deal(BANKER_INSURABLE if load(game).insurance is None else "9h 2c Kd 3c").settle()
        return play

    first, second = played(), played()
    first.replays()
    assert [to_json(event) for event in first.log] == [to_json(event) for event in second.log]


def test_every_event_names_who_caused_it() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.settle()
    assert {event.by.text for event in play.log} == {"pit-supervisor:sue", "dealer:dan", "patron:ann"}
    assert all(event.by.role is not Role.SHIFT_MANAGER for event in play.log)


def test_a_table_that_closes_and_opens_again_keeps_its_shoe_and_its_seats() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.settle()
    shoe, opening = play.state.shoe, c.OpenTable(SUPERVISOR, "t1", "commission", 8, Cents(2_500), Cents(100_000))
    opening = replace(opening, layout=play.sheet.boxes.layouts[0].id)
    play.do(c.CloseTable(SUPERVISOR))
    assert play.refused(c.OpenBets(DEALER))[0] == "table-not-open"
    play.do(opening)
    assert play.state.shoe == shoe
    assert play.state.seats == {1: "ann"}
    play.do(c.CloseTable(SUPERVISOR))
    play.do(c.Leave(patron("ann"), "ann"))
    play.do(replace(opening, decks=6))
    assert play.state.shoe is None
    assert not play.state.seats


@pytest.mark.parametrize("settings", [{"device": Device.SHUFFLER}, {"burn": c.Burn.FIRST_CARD}])
def test_a_table_that_opens_with_another_device_or_a_burn_does_not_keep_a_used_shoe(settings: dict[str, Any]) -> None:
    play = Play("commission", live=True).open().close().deal(NATURAL)
    play.settle()
    play.do(c.CloseTable(SUPERVISOR))
    opening = c.OpenTable(SUPERVISOR, "t1", "commission", 8, Cents(2_500), Cents(100_000), live=True)
    play.do(replace(opening, layout=play.sheet.boxes.layouts[0].id, **settings))
    assert play.refused(c.OpenBets(DEALER))[0] == "shoe-missing"


def test_a_closing_of_an_earlier_version_clears_the_table() -> None:
    play = Play("commission").sit("ann")
    state = evolve(play.state, e.TableClosed(SUPERVISOR))
    assert state.shoe is None
    assert not state.seats


def test_whoever_walked_away_does_not_stand_behind_their_own_seat_and_take_another() -> None:
    play = Play("easy-six").sit("ann").open(("ann", "banker", 2_500))
    play.do(c.Leave(patron("ann"), "ann"))
    assert play.refused(c.Stand(patron("ann"), "ann", 1))[0] == "already-there"
    assert play.refused(c.Sit(patron("ann"), "ann", 2))[0] == "already-there"
    play.do(c.Sit(patron("ann"), "ann", 1))
    assert play.state.seats == {1: "ann"}
