"""What can be reported at a table, and with which facts: every situation in every state that makes a difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.bets import Result
from punto.rules.cards import parse_cards
from punto.rules.differential import Limits
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Role, Sheet
from punto.table import facts as f
from punto.table import refusals as r
from punto.table.bounds import ANY, Input, InputType, SituationGroup, Way
from punto.table.commands import BetLimits, Claim, Facts
from punto.table.phases import Phase, Waits
from punto.table.state import Case, LastRound, RoundInPlay, Settings, Shoe, State, TableCard, spot_of
from tests.table_kit import DEALER, NATURAL

COMMISSION, EASY_SIX, TIGER = "commission", "easy-six", "da-hu-ying-xiong"
PLAYER, BANKER = Hand.PLAYER, Hand.BANKER
FOUR, THIRD = Window.FOUR_CARDS, Window.PLAYER_THIRD
FULL = 8 * 52

TOLD = [
    ("bet", "excess-bets below-minimum"),
    ("person", "walk-away"),
    ("equipment", "technical-interruption"),
    ("shoe", "foreign-card deck-count"),
    ("card", "wrong-number-of-cards"),
    ("shoe", "not-enough-cards not-shuffled"),
    ("bet", "late-bet late-withdrawal"),
    ("card", "excess-card wrong-area dealt-face-up simultaneous-cards late-error other-dealing-error"),
    ("bet", "insurance-neglected misplaced-bet"),
    ("equipment", "display-mistake"),
    ("bet", "bet-for-patron"),
    ("other", "anything-else"),
]
GROUPS = {each: SituationGroup(group) for group, situations in TOLD for each in situations.split()}
"""The situations in the order in which they are told, and the group of each."""
OWN = """
extends = "commission"
id = "own"
title = "Own"

[[irregularities]]
id = "spilled-drink"
situation = "A drink is spilled over the cards"
ruling = "void"
decides = "dealer"
rule = "5.17"
"""

ANN, BO = Bet(1, "ann", "banker", Cents(10_000)), Bet(2, "bo", "player", Cents(20_000))
CY, TIE = Bet(3, "cy", "banker", Cents(5_000)), Bet(1, "ann", "tie", Cents(1_000))
INSURED = Bet(1, "ann", "banker-insurance", Cents(100), FOUR)
SETTINGS = Settings("t1", 8, 9, Limits(Cents(2_500), Cents(100_000), Cents(100)))

NOT_NOW = Input("reconstructible", InputType.FLAG, allowed=("false",))
FLAG, OPTIONAL = Input("reconstructible", InputType.FLAG), Input("reconstructible", InputType.FLAG, required=False)
NOTE = Input("note", InputType.TEXT, when_reconstructible=False)

Parts = list[RoundInPlay | LastRound | Shoe | Settings | Phase | Case | int | None]
"""What a table has of its own: a round, a shoe or None for no shoe, a number of rounds so far, and so on."""
Ways = tuple[Way, ...] | Refusal
Answer = Refusal | None
NAMES = {RoundInPlay: "round", LastRound: "last", Settings: "settings", Phase: "phase", Case: "case", int: "rounds"}


def table(game: str | Sheet, parts: Parts) -> State:
    """A table with these parts. The order of its shoe is not known, from which the cards on the table came."""
    sheet = load(game) if isinstance(game, str) else game
    given: dict[str, Any] = {NAMES.get(type(each), "shoe"): each for each in parts}
    drawn = sum([len(each.cards) for each in parts if isinstance(each, RoundInPlay | LastRound)])
    return State(sheet, SETTINGS, Phase.BETWEEN_ROUNDS, Shoe(1, FULL, drawn=drawn))._replace(**given)


def in_play(cards: str = "", *bets: Bet, closed: int = 0, **more: Any) -> RoundInPlay:
    """A round with these open cards and so many closed ones behind them."""
    waiting = (TableCard(None, False),) * closed
    return RoundInPlay(1, {spot_of(bet): bet for bet in bets}, cards=parse_cards(cards), waiting=waiting, **more)


def over(cards: str = NATURAL, *bets: tuple[Bet, int], **more: Any) -> LastRound:
    """The last round, in which each of these bets won or lost so much."""
    nets = [(bet, bet.stake_cents, Cents(net)) for bet, net in bets]
    lines = [Line(bet, stake, Result.WIN, None, Cents(stake + net), net, "4.1.2") for bet, stake, net in nets]
    return LastRound(1, parse_cards(cards), tuple(lines), **more)


def left(number: int, **more: Any) -> Shoe:
    """A shoe with so many cards left, whose order is not known."""
    return Shoe(1, FULL, drawn=FULL - number, **more)


def known(order: str, drawn: int) -> Shoe:
    """A shoe of known order, from which so many cards came."""
    cards = parse_cards(order)
    return Shoe(1, len(cards), cards, drawn=drawn)


def without(game: str, situation: str) -> Sheet:
    """The sheet of a game, silent on a situation."""
    sheet = load(game)
    return replace(sheet, irregularities={name: it for name, it in sheet.irregularities.items() if name != situation})


def no(problem: str, rule: str | None, **more: Any) -> Refusal:
    return r.FactsContradict(r.Contradiction(problem), rule=rule, **more)


def wrong(hand: Hand, numbers: str, refusal: Refusal | None = None) -> Way:
    """The way to report that a hand has one of these numbers of cards."""
    number = Input("hand_count", InputType.NUMBER, allowed=tuple(numbers))
    return Way(hand=hand, inputs=(NOT_NOW, number, NOTE), refusal=refusal)


def listing(cards: str, maximum: int = FULL, **more: Any) -> Input:
    """The input for all cards of a round that has these."""
    given = parse_cards(cards)
    bounds: dict[str, Any] = {"minimum": len(given) or 1, "maximum": maximum, "includes": given}
    return Input("cards", InputType.CARDS, **(bounds | more))


def way(*inputs: Input) -> Way:
    return Way(inputs=inputs)


def earlier(latest: int, *, required: bool = True) -> Input:
    code = "round-not-settled"
    return Input("round", InputType.NUMBER, required, code, code, minimum=1, maximum=latest)


def up_to(latest: int) -> Input:
    return Input("round", InputType.NUMBER, minimum=1, maximum=latest)


# ------------------------------------------------------------------------------------------- situations


UNKNOWN = {
    COMMISSION: {"insurance-neglected"},
    "commission-insurance": set[str](),
    "non-commission": {"insurance-neglected", "excess-bets"},
    EASY_SIX: {"insurance-neglected"},
    TIGER: set[str](),
}


@pytest.mark.parametrize("game", UNKNOWN)
def test_each_game_has_its_situations_in_one_order(game: str) -> None:
    sheet, unknown = load(game), UNKNOWN[game]
    told = tuple([each for each in GROUPS if each not in unknown])
    assert f.situations(sheet) == told
    assert {each: f.refuse_situation(sheet, each) for each in told} == dict.fromkeys(told)
    for each in (*unknown, "rain"):
        assert f.refuse_situation(sheet, each) == r.SituationUnknown(each, told)


def test_a_situation_that_only_an_own_sheet_knows_comes_last() -> None:
    sheet = load(OWN)
    assert f.situations(sheet) == (*[each for each in GROUPS if each != "insurance-neglected"], "spilled-drink")
    assert f.refuse_situation(sheet, "spilled-drink") is None
    assert f.ways_to_report(table(sheet, [3]), "spilled-drink") == ANY


def test_each_situation_is_found_where_people_look_for_it() -> None:
    assert {each: f.group_of(each) for each in GROUPS} == GROUPS
    assert f.group_of("spilled-drink") is SituationGroup.OTHER


def test_dealing_errors_may_leave_a_wrong_number_of_cards() -> None:
    """In the first sheet two of them have rulings of another kind; the second has no ruling on any."""
    errors = {"excess-card", "wrong-area", "simultaneous-cards", "other-dealing-error"}
    for game, those in ((COMMISSION, {"excess-card", "wrong-area"}), (EASY_SIX, errors)):
        assert {each for each in GROUPS if f.may_be_beyond_reconstruction(load(game), each)} == those


@pytest.mark.parametrize(
    ("game", "situation", "given", "ruling"),
    [
        (COMMISSION, "excess-card", Facts(reconstructible=False, hand=PLAYER), "wrong-number-of-cards"),
        (COMMISSION, "excess-card", Facts(reconstructible=True, hand=PLAYER), "excess-card"),
        (COMMISSION, "excess-card", Facts(hand=PLAYER), "excess-card"),
        (COMMISSION, "excess-card", Facts(reconstructible=False), "excess-card"),
        (COMMISSION, "foreign-card", Facts(reconstructible=False, hand=PLAYER), "foreign-card"),
        (EASY_SIX, "wrong-area", Facts(reconstructible=False, hand=PLAYER), "wrong-number-of-cards"),
        (EASY_SIX, "wrong-area", Facts(reconstructible=False), ""),
        (EASY_SIX, "anything-else", Facts(reconstructible=False, hand=PLAYER), ""),
    ],
)
def test_commission_5_5_3_a_wrong_number_has_its_own_ruling(
    game: str, situation: str, given: Facts, ruling: str
) -> None:
    sheet = load(game)
    assert f.ruling_on(sheet, situation, given) == sheet.irregularities.get(ruling)


def test_commission_5_7_a_sheet_silent_on_wrong_numbers_keeps_to_its_ruling() -> None:
    sheet, given = without(COMMISSION, "wrong-number-of-cards"), Facts(reconstructible=False, hand=PLAYER)
    assert f.ruling_on(sheet, "excess-card", given) == sheet.irregularities["excess-card"]
    ways = f.ways_to_report(table(sheet, [in_play("9h")]), "excess-card")
    assert ways == (way(listing("9h"), FLAG, NOTE),)


def test_commission_5_11_the_answer_to_a_late_error() -> None:
    sheet, silent = load(COMMISSION), without(COMMISSION, "late-error")
    assert f.late_error(sheet) == sheet.irregularities["late-error"]
    assert f.late_error(silent) is None
    no_card = f.ways_to_report(table(silent, [in_play()]), "wrong-number-of-cards")
    assert no_card == no("no-card-yet", "5.5.3"), "where it says nothing, the paragraph on the number of cards does"


# ------------------------------------------------------------------------------------------- inputs


def test_the_facts_that_name_a_target() -> None:
    assert f.targets_of(Way()) == ()
    assert f.targets_of(Way(patron="ann", box=1, on="player")) == ("patron", "box", "on")
    assert f.targets_of(Way(hand=PLAYER, window=FOUR, situation="late-bet")) == ("hand", "window")


@pytest.mark.parametrize(
    ("parts", "listed"),
    [
        ([], listing("")),
        ([in_play("9h 2c")], listing("9h 2c")),
        ([in_play("9h 2c"), left(3)], listing("9h 2c", 5)),
        ([over(), None], listing(NATURAL, 4)),
        ([in_play("9h"), known(NATURAL, 1)], listing("9h", 4, includes=(), starts_with=parse_cards("9h"))),
    ],
)
def test_listed_cards_include_the_known_ones_and_are_no_more_than_there_were(parts: Parts, listed: Input) -> None:
    assert f.cards_input(table(COMMISSION, parts)) == listed
    assert f.cards_input(table(COMMISSION, parts), when=True) == replace(listed, when_reconstructible=True)


def test_a_way_about_an_earlier_round_needs_its_record() -> None:
    assert f.round_input(7) == earlier(7)
    assert f.round_input(7, required=False) == earlier(7, required=False)
    assert f.needs_record(way(earlier(7), NOTE))
    assert not f.needs_record(way(earlier(7, required=False), NOTE))
    assert not f.needs_record(way(NOTE))


def test_closed_cards_cannot_be_listed() -> None:
    for parts in ([], [in_play()], [in_play("9h")]):
        assert f.refuse_closed(table(COMMISSION, [*parts]), "5.7") is None
    assert f.refuse_closed(table(COMMISSION, [in_play("9h", closed=1)]), "5.7") == no("cards-closed", "5.7")


# ------------------------------------------------------------------------------------------- ways to report

NINE, CLOSED = in_play("9h", ANN, BO, TIE), in_play("9h", closed=1)
LOW = in_play("", Bet(2, "bo", "player", Cents(2_499)), Bet(1, "ann", "banker", Cents(2_500)))
FACE_DOWN, WITHOUT = replace(SETTINGS, face_down=True), replace(SETTINGS, without_insurance=True)
KNOWN = known(NATURAL, 1)
NO_CARD_YET, NUMBER_RIGHT = no("no-card-yet", "5.11"), no("number-right", "5.5.3")
AFTER_ONE = wrong(PLAYER, "0456"), wrong(BANKER, "456")
AFTER_NATURAL = wrong(PLAYER, "013456"), wrong(BANKER, "013456")
TOO_EARLY = wrong(PLAYER, "456", NO_CARD_YET), wrong(BANKER, "456", NO_CARD_YET)

REPORTS: list[tuple[str, Parts, Ways]] = [
    ("excess-bets", [], no("nothing-over", "5.1.1")),
    ("excess-bets", [NINE], no("nothing-over", "5.1.1")),
    ("excess-bets", [in_play("", Bet(1, "ann", "banker", Cents(100_100)))], ANY),
    ("below-minimum", [], no("not-below-minimum", "5.2")),
    ("below-minimum", [NINE], no("not-below-minimum", "5.2")),
    ("below-minimum", [LOW], (Way(patron="bo", box=2, on="player"),)),
    ("walk-away", [], no("no-bet", "5.3")),
    ("walk-away", [in_play("9h")], no("no-bet", "5.3")),
    ("walk-away", [NINE], (Way(patron="ann"), Way(patron="bo"))),
    ("walk-away", [NINE._replace(away=frozenset({"ann"}))], (Way(patron="bo"),)),
    ("walk-away", [NINE._replace(away=frozenset({"ann", "bo"}))], no("walked-away", "5.3")),
    ("foreign-card", [None], ANY),
    ("foreign-card", [3], ANY),
    ("foreign-card", [KNOWN], no("shoe-known", "5.5.1")),
    ("deck-count", [KNOWN], no("shoe-known", "5.5.2")),
    ("wrong-number-of-cards", [], no("no-round", "5.5.3")),
    ("wrong-number-of-cards", [in_play()], NO_CARD_YET),
    ("wrong-number-of-cards", [NINE], AFTER_ONE),
    ("wrong-number-of-cards", [in_play(closed=1)], AFTER_ONE),
    ("wrong-number-of-cards", [NINE, KNOWN], NUMBER_RIGHT),
    ("wrong-number-of-cards", [over()], AFTER_NATURAL),
    ("wrong-number-of-cards", [over(), None], AFTER_NATURAL),
    ("wrong-number-of-cards", [over(void=True)], no("already-void", "5.5.3")),
    ("not-enough-cards", [None], r.ShoeMissing()),
    ("not-shuffled", [KNOWN], no("shoe-known", "5.5.5")),
    ("late-withdrawal", [Phase.BETTING], no("bets-open", "5.6")),
    ("excess-card", [None], r.ShoeMissing()),
    ("excess-card", [NINE], (way(listing("9h"), FLAG, NOTE), *AFTER_ONE)),
    ("excess-card", [CLOSED], (way(NOT_NOW, NOTE), AFTER_ONE[0], wrong(BANKER, "0456"))),
    ("wrong-area", [in_play()], (way(listing(""), FLAG, NOTE), *TOO_EARLY)),
    ("dealt-face-up", [NINE], no("dealt-face-up", "5.9")),
    ("dealt-face-up", [FACE_DOWN], no("no-card-yet", "5.9")),
    ("dealt-face-up", [FACE_DOWN, in_play()], no("no-card-yet", "5.9")),
    ("dealt-face-up", [FACE_DOWN, NINE], ANY),
    ("simultaneous-cards", [None], r.ShoeMissing()),
    ("simultaneous-cards", [NINE, KNOWN], no("cards-known", "5.10")),
    ("simultaneous-cards", [NINE, left(1)], no("few-cards-left", "5.10")),
    ("simultaneous-cards", [NINE, left(2)], (way(Input("cards", InputType.CARDS, minimum=2, maximum=2)),)),
    ("simultaneous-cards", [CLOSED], ANY),
    ("late-error", [1], no("round-not-over", "5.11")),
    ("late-error", [2], (way(up_to(1)),)),
    ("late-error", [5], (way(up_to(4)),)),
    ("other-dealing-error", [over()], (way(OPTIONAL, NOTE),)),
    ("other-dealing-error", [CLOSED], (way(replace(NOT_NOW, required=False), NOTE),)),
    ("other-dealing-error", [NINE], (way(OPTIONAL, listing("9h", when_reconstructible=True), NOTE),)),
    ("display-mistake", [KNOWN, 3], ANY),
    ("anything-else", [], ANY),
    ("anything-else", [3], (way(earlier(3, required=False)),)),
]
"""In the order of the sheet, from 5.1.1 to 5.17."""


@pytest.mark.parametrize(("situation", "parts", "ways"), REPORTS)
def test_how_each_situation_is_reported(situation: str, parts: Parts, ways: Ways) -> None:
    assert f.ways_to_report(table(COMMISSION, parts), situation) == ways


@pytest.mark.parametrize("phase", Phase)
def test_commission_5_6_a_late_bet_is_one_after_bets_closed(phase: Phase) -> None:
    bets_open = phase in {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS, Phase.BETTING}
    ways = no("bets-open", "5.6") if bets_open else ANY
    assert f.ways_to_report(table(COMMISSION, [phase]), "late-bet") == ways


def test_commission_insurance_5_3_a_late_withdrawal_that_stands_is_one_after_bets_closed() -> None:
    for phase, ways in ((Phase.BETTING, no("bets-open", "5.3")), (Phase.RESULT, ANY)):
        assert f.ways_to_report(table("commission-insurance", [phase]), "late-withdrawal") == ways


def test_easy_six_5_1_2_what_a_sheet_is_silent_on_can_be_a_wrong_number_of_cards() -> None:
    state, right = table(EASY_SIX, [NINE, KNOWN, 3]), no("number-right", "5.1.2")
    hands = wrong(PLAYER, "0456", right), wrong(BANKER, "456", right)
    assert f.ways_to_report(state, "wrong-area") == (way(earlier(3, required=False)), *hands)
    assert f.ways_to_report(state, "deck-count") == no("shoe-known", None)


DRAWS = "2h 3d Ks Kc"  # Player 2 draws, and Banker 3 may


@pytest.mark.parametrize(
    ("parts", "enough"),
    [
        ([left(4)], True),
        ([left(3)], False),
        ([left(3, carried=parse_cards("4c"))], True),
        ([in_play(NATURAL), left(0)], True),
        ([in_play(DRAWS), left(0)], False),
        ([in_play("2h 3d Ks", closed=1), left(0)], True),  # the closed one may make a natural
        ([in_play("2h 3d Ks", closed=1), known(f"{DRAWS} 4h", 4)], True),  # and nobody learns that it does not
        ([in_play("2h 3d", closed=1), left(0)], False),
        ([in_play("2h 3d", closed=1), left(1)], True),
        ([in_play(DRAWS), known(DRAWS, 4)], False),
        ([in_play(DRAWS), known(f"{DRAWS} 4h", 4)], False),  # after a 4 Banker draws, too
        ([in_play(DRAWS), known(f"{DRAWS} 4h 5d", 4)], True),
        ([in_play(DRAWS), known(f"{DRAWS} 8h", 4)], True),
    ],
)
def test_commission_5_5_4_whether_the_shoe_has_the_cards_that_must_come(parts: Parts, enough: bool) -> None:
    ways = no("enough-cards", "3.12") if enough else ANY
    assert f.ways_to_report(table(COMMISSION, parts), "not-enough-cards") == ways


def test_easy_six_5_1_3_the_shoe_runs_out_once_the_cut_card_is_out() -> None:
    silent = without(EASY_SIX, "not-enough-cards")
    assert f.ways_to_report(table(EASY_SIX, [left(3)]), "not-enough-cards") == no("cut-card-in", "5.1.3")
    assert f.ways_to_report(table(EASY_SIX, [left(3, last_round=2)]), "not-enough-cards") == ANY
    assert f.ways_to_report(table(silent, [left(3)]), "not-enough-cards") == ANY


def test_da_hu_ying_xiong_5_2_insurance_is_never_below_the_minimum() -> None:
    settings = replace(SETTINGS, sides={INSURED.on: BetLimits(INSURED.on, Cents(500), Cents(2_000))})
    state = table(TIGER, [settings, in_play("", ANN, INSURED)])
    assert f.ways_to_report(state, "below-minimum") == no("not-below-minimum", "5.2")


# ------------------------------------------------------------------------------------------- insurance

FIRST, SECOND = "2h Kd 2s 6c", "2h Kd 2s 6c 7h"  # Banker 6 against 4, then against 1: Banker can be insured in both
ENDED = f"{SECOND} 5d"
ALL = (ANN, BO, CY, TIE)
A, C, B = Claim("ann", 1, BANKER), Claim("cy", 3, BANKER), Claim("bo", 2, PLAYER)
NONE, WAIVED = no("no-offer", "5.13"), no("waived", "3.14")
OPEN = no("window-open", "5.13")
FORGONE, AWAY = no("forgone", "5.3"), no("was-away", "5.3")


def settled(ann: int, cy: int, **more: Any) -> LastRound:
    return over(ENDED, (BO, 0), (ANN, ann), (CY, cy), (TIE, 0), **more)


@pytest.mark.parametrize(
    ("parts", "first", "second"),
    [
        ([in_play("", *ALL)], [NONE], [NONE]),
        ([in_play("2h 2d 3s Kc", *ALL)], [NONE], [NONE]),
        ([in_play(FIRST, *ALL)], [OPEN, A, C], [NONE]),
        ([in_play(FIRST, *ALL, closed=1)], [None, A, C], [NONE]),
        ([in_play(SECOND, *ALL)], [None, A, C], [OPEN, A, C]),
        ([in_play(ENDED, *ALL)], [None, A, C], [None, A, C]),
        ([in_play(ENDED, *ALL, INSURED)], [None, C], [None, A, C]),
        ([in_play(ENDED, *ALL, waived=True)], [None, A, C], [WAIVED, A, C]),
        ([in_play(ENDED, *ALL, forgone={"ann"})], [None, A, C], [None, C]),
        ([in_play(ENDED, *ALL, forgone={"ann", "cy"})], [None, A, C], [FORGONE]),
        ([in_play(ENDED, *ALL, walked={"ann": 4, "cy": 5})], [None, C], [AWAY]),
        ([settled(-10_000, -5_000)], [None, A, C], [None, A, C]),
        ([settled(-10_000, 0)], [None, A], [None, A]),
        ([settled(1, -1, waived=True)], [None, A, C], [WAIVED, A, C]),
        ([settled(1, -1, forgone={"cy"})], [None, A, C], [None, A]),
        ([settled(1, -1), WITHOUT], [None, A, C], [None, A, C]),
    ],
)
def test_da_hu_ying_xiong_5_13_who_may_claim_in_each_window(parts: Parts, first: list[Any], second: list[Any]) -> None:
    """For each window why nobody may, or None, and the claims."""
    ways = [
        Way(window=window, inputs=(Input("claims", InputType.CLAIMS, claims=tuple(claims)),), refusal=refusal)
        for window, (refusal, *claims) in ((FOUR, first), (THIRD, second))
    ]
    assert f.ways_to_report(table(TIGER, parts), "insurance-neglected") == tuple(ways)


def test_da_hu_ying_xiong_5_13_nobody_claims_where_nothing_could_be_offered() -> None:
    without_any, private = replace(load(TIGER), insurance=None), no("no-insurance", "4.2.2")
    for sheet, parts, refusal in (
        (TIGER, [], NONE),
        (without_any, [in_play(ENDED, *ALL)], NONE),
        (TIGER, [in_play(ENDED, *ALL), WITHOUT], private),
        (TIGER, [settled(1, -1, without_insurance=True)], private),
    ):
        assert f.ways_to_report(table(sheet, [*parts]), "insurance-neglected") == refusal


@pytest.mark.parametrize(
    ("game", "parts", "latest"),
    [
        (TIGER, [3], 3),
        (TIGER, [3, in_play()], 2),
        (TIGER, [3, over()], 2),
        (TIGER, [1, over()], None),
        (TIGER, [], None),
        (COMMISSION, [3], None),
    ],
)
def test_insurance_of_an_earlier_round_can_be_claimed_later(game: str, parts: Parts, latest: int | None) -> None:
    window = Input("window", InputType.ONE_OF, allowed=("four-cards", "player-third"))
    ways = (way(earlier(latest), window, Input("claims", InputType.CLAIMS)),) if latest else ()
    assert f.ways_to_claim_later(table(game, parts)) == ways


@pytest.mark.parametrize(
    ("window", "walked", "forgone", "refusal"),
    [
        (FOUR, {}, {"cy"}, None),
        (THIRD, {}, {"cy"}, FORGONE),
        (THIRD, {}, {"bo"}, None),
        (FOUR, {"cy": 4}, {}, AWAY),
        (FOUR, {"cy": 5}, {}, None),
        (THIRD, {"cy": 5}, {"cy"}, AWAY),
        (THIRD, {"cy": 6}, {}, None),
        (None, {"cy": 0}, {"cy"}, None),
    ],
)
def test_da_hu_ying_xiong_5_3_who_forgoes_insurance(window: Any, walked: Any, forgone: Any, refusal: Answer) -> None:
    """Cy walked away when so many cards were dealt, or let the first window pass."""
    round_ = in_play(ENDED, *ALL, walked=walked, forgone=forgone)
    assert f.refuse_forgone(load(TIGER), [A, C], round_, window) == refusal


def test_original_bets_are_claimed_once_and_side_bets_and_insurance_never() -> None:
    sheet, bets = load(TIGER), [ANN, TIE, INSURED, BO, CY]
    assert f.claims_of(sheet, [*bets, ANN]) == [A, B, C]
    assert f.uninsured(sheet, bets, FOUR) == [B, C]
    assert f.uninsured(sheet, bets, THIRD) == [A, B, C]


# ------------------------------------------------------------------------------------------- facts


def facts(cards: str = "", **more: Any) -> Facts:
    return Facts(cards=parse_cards(cards), **more)


def lacks(situation: str, rule: str, *names: str) -> Refusal:
    return r.FactsMissing(situation, names, rule=rule)


LOST: dict[str, Any] = {"reconstructible": False, "note": "mixed up"}
FOUND: dict[str, Any] = {"reconstructible": True}
FOUR_CARDS = facts(hand=PLAYER, hand_count=4, **LOST)
ONE, NUMBER = "excess-card", "wrong-number-of-cards"
TOGETHER, OTHER = "simultaneous-cards", "other-dealing-error"


@pytest.mark.parametrize(
    ("situation", "parts", "given", "refusal"),
    [
        ("excess-bets", [], facts(), no("nothing-over", "5.1.1")),
        ("below-minimum", [LOW], facts(patron="bo"), lacks("below-minimum", "5.2", "box", "on")),
        ("below-minimum", [LOW], facts(patron="bo", box=3, on="player"), no("no-bet", "5.2")),
        ("below-minimum", [LOW], facts(patron="bo", box=2, on="player"), None),
        ("walk-away", [NINE], facts(), lacks("walk-away", "5.3", "patron")),
        ("walk-away", [NINE], facts(patron="zed"), no("no-bet", "5.3")),
        ("walk-away", [NINE], facts(patron="ann", box=9), None),
        ("technical-interruption", [NINE], facts(), None),
        (NUMBER, [NINE], facts(), lacks(NUMBER, "5.5.3", "hand", "reconstructible", "hand_count")),
        (NUMBER, [NINE], facts(hand=PLAYER, hand_count=4, **FOUND), no("reconstructible", "5.5.3")),
        (ONE, [NINE], facts(hand=BANKER, reconstructible=False), lacks(ONE, "5.5.3", "hand_count", "note")),
        (ONE, [NINE], facts(hand=PLAYER, hand_count=1, **LOST), no("number-right", "5.5.3", hand=PLAYER)),
        (ONE, [NINE], FOUR_CARDS, None),
        (ONE, [NINE, KNOWN], FOUR_CARDS, NUMBER_RIGHT),
        (ONE, [NINE], facts(), lacks(ONE, "5.7", "cards", "reconstructible")),
        (ONE, [NINE], facts(reconstructible=False, note=""), lacks(ONE, "5.7", "cards", "note")),
        (ONE, [NINE], facts("2c", **FOUND), no("cards-missing", None, cards=parse_cards("9h"))),
        (ONE, [NINE], facts("9h 2c", hand=PLAYER, **FOUND), None),
        (ONE, [NINE], facts("9h 2c", **LOST), None),
        (ONE, [in_play()], facts("4c", **FOUND), None),
        (ONE, [CLOSED], facts("9h 2c", **LOST), no("cards-closed", "5.7")),
        (ONE, [CLOSED], facts(**LOST), None),
        ("wrong-area", [CLOSED], facts(**FOUND), no("cards-closed", "5.8")),
        ("wrong-area", [CLOSED], facts("9h 2c", **LOST), None),
        (TOGETHER, [NINE], facts(), lacks(TOGETHER, "5.10", "cards")),
        (TOGETHER, [NINE], facts("2c"), no("one-card", "5.10")),
        (TOGETHER, [NINE], facts("2c 3c"), None),
        (TOGETHER, [CLOSED], facts("2c 3c"), no("cards-closed", "5.10")),
        (TOGETHER, [CLOSED], facts(), None),
        ("late-error", [4], facts(), lacks("late-error", "5.11", "round")),
        ("late-error", [4], facts(round=0), no("round-not-over", "5.11")),
        ("late-error", [4], facts(round=1), None),
        ("late-error", [4], facts(round=3), None),
        ("late-error", [4], facts(round=4), no("round-not-over", "5.11")),
        (OTHER, [NINE], facts(), None),
        (OTHER, [NINE], facts(reconstructible=False), lacks(OTHER, "5.12", "note")),
        (OTHER, [NINE], facts(**FOUND), lacks(OTHER, "5.12", "cards")),
        (OTHER, [NINE], facts("2c", **LOST), None),
        (OTHER, [CLOSED], facts(**FOUND), no("cards-closed", "5.12")),
        ("anything-else", [4], facts("2c"), None),
    ],
)
def test_what_each_ruling_needs(situation: str, parts: Parts, given: Facts, refusal: Answer) -> None:
    assert f.refuse_facts(table(COMMISSION, parts), situation, given) == refusal


@pytest.mark.parametrize("part", [in_play(ENDED, *ALL, forgone={"cy"}), settled(1, -1, forgone={"cy"})])
@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        (facts(), lacks("insurance-neglected", "5.13", "window", "claims")),
        (facts(window=FOUR, claims=(A, C)), None),
        (facts(window=THIRD, claims=(A,)), None),
        (facts(window=THIRD, claims=(A, C)), FORGONE),
        (facts(window=FOUR, claims=(A, Claim("zed", 9, BANKER))), no("not-neglected", "5.13", hand=BANKER)),
        (facts(window=FOUR, claims=(B, Claim("zed", 9, BANKER))), no("not-neglected", "5.13", hand=PLAYER)),
    ],
)
def test_da_hu_ying_xiong_5_13_only_neglected_insurance_is_claimed(part: Any, given: Facts, refusal: Answer) -> None:
    assert f.refuse_facts(table(TIGER, [part]), "insurance-neglected", given) == refusal


# ------------------------------------------------------------------------------------------- recovering

CASE = Case(2, "anything-else", Facts(), DEALER, Phase.INITIAL_CARDS, Waits.DECISION, Role.SHIFT_MANAGER)


@pytest.mark.parametrize(
    ("parts", "refusal"),
    [
        ([], r.NothingToRecover()),
        ([CASE], r.NothingToRecover()),
        ([in_play(NATURAL)], None),
        ([in_play(NATURAL), CASE], r.RoundHeld(2, Waits.DECISION, Role.SHIFT_MANAGER)),
        ([in_play(), CASE], None),
    ],
)
def test_commission_5_4_a_round_that_a_case_holds_stays_so_unless_it_is_void(parts: Parts, refusal: Answer) -> None:
    assert f.refuse_recovery(table(COMMISSION, parts)) == refusal
    assert f.ways_to_report(table(COMMISSION, parts), "technical-interruption") == (refusal or ANY)
