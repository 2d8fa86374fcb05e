"""A table, piece by piece: opening, the shoe, places, second persons, readings, and what leaves the house."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from punto.rules.cards import DECK, parse_cards
from punto.rules.hands import Hand
from punto.rules.loader import GAMES
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, kebab
from punto.rules.sheet import Device, Role
from punto.rules.tableau import next_hand
from punto.table import acts
from punto.table.engine import decide
from punto.table.phases import MOVES, Phase
from punto.table.refusals import TABLE_REFUSALS
from punto.table.values import BetLimits, Burn, Decision, Option
from tests.table_kit import BANKER_INSURABLE, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron, sheet_text

# ------------------------------------------------------------------------------------------- tables of the code


def test_the_codes_are_closed_and_each_has_a_meaning() -> None:
    assert len({kebab(kind.__name__) for kind in TABLE_REFUSALS}) == len(TABLE_REFUSALS)
    assert all(kind.__doc__ for kind in TABLE_REFUSALS)


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
                command: acts.Command = acts.Deal(DEALER, None if closed and r.random() < 0.8 else r.choice(DECK))
                if before is Phase.OPENING and play.state.round is not None:
                    command = acts.OpenCard(DEALER, play.state.round.closed_places[0], r.choice(DECK))
                if isinstance(decide(play.state, command), Refusal):
                    continue
                play.do(command)
                if play.state.phase is not before:
                    seen.add((before, play.state.phase))
            play.settle()
            seen.add((Phase.RESULT, play.state.phase))
            if play.state.shoe is None or play.state.shoe.left < 20:
                play.do(acts.ReplaceShoe(DEALER, "nearly empty"))
                play.do(acts.LoadShoe(DEALER))
    assert seen | {(Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS), (Phase.BETWEEN_ROUNDS, Phase.NOT_OPEN)} == set(MOVES)


# ------------------------------------------------------------------------------------------- refusals and precedence


def test_bets_are_refused_by_precedence() -> None:
    """Each step puts one thing right and meets the next code of the list."""
    side = (BetLimits("tie", Cents(1_000), Cents(5_000)),)
    play = Play("commission", sides=side)
    codes = []

    def bet(name: str, box: int, on: str, stake: int, number: int | None = None, by: str | None = None) -> None:
        codes.append(play.refused(acts.PlaceBet(patron(by or name), name, box, on, Cents(stake), number))[0])

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
    assert play.refused(acts.Sit(patron("bo"), "bo", 1))[0] == "box-taken"
    assert play.refused(acts.Sit(patron("ann"), "ann", 2))[0] == "already-there"
    assert play.refused(acts.Sit(patron("bo"), "bo", 10)) == ("box-unknown", "2.1.1")
    assert play.refused(acts.Stand(patron("bo"), "bo", 2))[0] == "nobody-seated"
    assert play.refused(acts.Leave(patron("bo"), "bo"))[0] == "not-at-box"
    play.do(acts.Stand(patron("bo"), "bo", 1))
    assert play.refused(acts.Stand(patron("bo"), "bo", 1))[0] == "already-there"
    play.do(acts.Leave(patron("bo"), "bo"))
    assert play.state.standing == frozenset()
    for nobody in ("", "  ", "cash:1"):
        assert play.refused(acts.Sit(DEALER, nobody, 2))[0] == "name-invalid"


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
            play.do(acts.Deal(DEALER, card))
        play.report("wrong-area", cards=drawn, reconstructible=True)
        assert play.cards == drawn
        play.settle()
        assert play.backs() == straight.backs()
    assert tried


# ------------------------------------------------------------------------------------------- who decides


def test_a_bet_taken_back_leaves_the_others_in_its_box_whole() -> None:
    """The Differential is that of the chips at the close, so who stays is not scaled because somebody left."""
    play = Play("commission").sit("ann")
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.open(("ann", "player", 60_000), ("bo", "banker", 90_000))
    play.do(acts.RaiseBet(patron("ann"), "ann", 1, "player", Cents(90_000)))
    play.close().deal("9h")
    play.report("other-dealing-error")
    play.do(acts.Choose(patron("bo"), "bo", Option.TAKE_BACK))
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    settled = play.deal("2c Kd 3c").settle()
    assert [(line.bet.patron, line.in_play_cents) for line in settled.lines] == [("ann", 150_000)]
    assert settled.house_cents == -150_000
    assert play.backs() == {("bo", "banker"): 90_000, ("ann", "player"): 300_000}


def test_bets_taken_back_leave_no_excess_to_decide() -> None:
    play = Play("easy-six", live=True).sit("ann", "bo").open(("bo", "banker", 10_000))
    play.do(acts.RecordBet(DEALER, "ann", 1, "player", Cents(500_000)))
    play.close().deal("2h 3d").report("other-dealing-error")
    play.confirmed(acts.Decide(SHIFT, Decision.OPTIONS, "cards fell"))
    play.do(acts.Choose(patron("ann"), "ann", Option.TAKE_BACK))
    play.do(acts.Choose(patron("bo"), "bo", Option.CONTINUE))
    play.deal("6h 4d")
    assert play.state.phase is Phase.RESULT
    assert [line.bet.patron for line in play.settle().lines] == ["bo"]
    play.replays()


def test_a_sheet_may_ask_a_higher_role_for_a_void() -> None:
    before = 'ruling = "void"\ndecides = "dealer"\nrule = "5.1.2"'
    play = Play(sheet_text("easy-six", (before, before.replace("dealer", "pit-manager"))))
    play.open().close().deal("9h")
    asked = play.report("excess-card", reconstructible=False, hand=Hand.PLAYER, hand_count=4, note="mixed up")[-1]
    assert isinstance(asked, acts.ApprovalAsked)
    assert asked.to is Role.PIT_MANAGER
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    assert play.of(acts.RoundVoided)[0].rule == "5.1.2"


# ------------------------------------------------------------------------------------------- the log


@pytest.mark.parametrize(
    ("played", "given", "kept"),
    [
        (True, {}, True),
        (True, {"decks": 6}, False),
        (True, {"live": False}, False),
        (True, {"device": Device.SHUFFLER}, False),
        (True, {"burn": Burn.FIRST_CARD}, False),
        (False, {"burn": Burn.FIRST_CARD}, True),
    ],
)
def test_a_table_that_opens_again_keeps_a_shoe_that_fits(played: bool, given: dict[str, Any], kept: bool) -> None:
    play = Play("commission", live=True)
    if played:
        play.open().close().deal(NATURAL).settle()
    again, _ = play.given[0]
    assert isinstance(again, acts.OpenTable)
    shoe = play.state.shoe
    play.do(acts.CloseTable(SUPERVISOR))
    play.do(replace(again, settings=replace(again.settings, **given)))
    assert play.state.shoe == (shoe if kept else None)
    assert kept or play.refused(acts.OpenBets(DEALER))[0] == "shoe-missing"
