"""Conditions over the outcome, the outcomes that can happen, and pay lines that make no sense."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from punto.rules.bets import (
    FIRST_PAY_LINE,
    LOSES,
    NOTHING,
    PAIR_KEYS,
    PLAY_KEYS,
    RETURNED,
    Condition,
    OfferedBet,
    PayLine,
    parse_points,
    plays_from,
    reachable,
)
from punto.rules.cards import Rank
from punto.rules.hands import Hand
from punto.rules.loader import GAMES, load
from punto.rules.money import Odds
from punto.rules.outcome import PLAYS, SIZE, Outcome, Winner
from punto.rules.reasons import Problem, ProblemError
from tests.rulebook.tables import draws, each_start

Points = tuple[int, int, int, int]
"""Both totals and both numbers of cards."""


def finished(player: int, banker: int, thirds: tuple[int | None, ...] = ()) -> set[Points]:
    """What can follow from two-card totals and third cards, by the printed Table of Play; a closed card is None."""
    nexts, lasts = [range(10) if third is None else (third,) for third in (*thirds, None, None)[:2]]
    if draws(player, banker) == "player":
        return {
            ((player + third) % 10, (banker + last) % 10, 3, 3)
            if draws(player, banker, third) == "banker"
            else ((player + third) % 10, banker, 3, 2)
            for third, last in product(nexts, lasts)
        }
    if draws(player, banker) == "banker":
        return {(player, (banker + last) % 10, 2, 3) for last in nexts}
    return {(player, banker, 2, 2)}


def of(points: Points, player: Rank | None = None, banker: Rank | None = None) -> Outcome:
    return Outcome(*points, player, banker)


@pytest.fixture(scope="module")
def possible() -> list[Outcome]:
    """Every outcome that some six cards give."""
    hands = {((a.points + b.points) % 10, a if a is b else None) for a, b in product(Rank, repeat=2)}
    return list(
        {
            of(points, player_pair, banker_pair)
            for (player, player_pair), (banker, banker_pair) in product(hands, repeat=2)
            for points in finished(player, banker)
        }
    )


def test_205_plays_and_10924_outcomes_can_happen() -> None:
    rows = reachable()
    assert (sum(map(bool, rows)), sum(row.bit_count() for row in rows)) == (205, 10_924)


@pytest.mark.parametrize("thirds", [(), (None,), (8,), (None, 4), (8, None), (6, 7), (9, 0)])
def test_the_plays_that_can_follow_from_two_totals(thirds: tuple[int | None, ...]) -> None:
    for player, banker in each_start():
        expected = {of(points).play for points in finished(player, banker, thirds)}
        assert plays_from(player, banker, thirds) == expected, (player, banker)


def natural(o: Outcome) -> bool:
    return o.player_cards + o.banker_cards == 4 and bool({8, 9} & {o.player_points, o.banker_points})


CONDITIONS: list[tuple[Any, Callable[[Outcome], bool]]] = [
    ({"winner": "tie"}, lambda o: o.winner is Winner.TIE),
    ({"winner": ["player", "banker"]}, lambda o: o.player_points != o.banker_points),
    ({"player-points": 0}, lambda o: o.player_points == 0),
    ({"player-points": "9"}, lambda o: o.player_points == 9),
    ({"banker-points": ["1-3", 6]}, lambda o: o.banker_points in (1, 2, 3, 6)),
    ({"player-cards": 2}, lambda o: o.player_cards == 2),
    ({"banker-cards": 3}, lambda o: o.banker_cards == 3),
    ({"margin": "4-6"}, lambda o: 4 <= abs(o.player_points - o.banker_points) <= 6),
    ({"sum": ["0-1", 18]}, lambda o: o.player_points + o.banker_points in {0, 1, 18}),
    ({"natural": True}, natural),
    ({"natural": False}, lambda o: not natural(o)),
    ({"cards": 5}, lambda o: o.player_cards != o.banker_cards),
    ({"cards": [4, 6]}, lambda o: o.player_cards == o.banker_cards),
    ({"player-pair": True}, lambda o: o.player_pair is not None),
    ({"banker-pair": False}, lambda o: o.banker_pair is None),
    ({"player-pair": "A"}, lambda o: o.player_pair is Rank.ACE),
    ({"banker-pair": ["T", "K"]}, lambda o: o.banker_pair in (Rank.TEN, Rank.KING)),
    ({"pairs": 0}, lambda o: o.player_pair is None and o.banker_pair is None),
    ({"pairs": 1}, lambda o: (o.player_pair is None) != (o.banker_pair is None)),
    ({"pairs": [1, 2]}, lambda o: o.player_pair is not None or o.banker_pair is not None),
    ({"same-pair": True}, lambda o: o.player_pair is not None and o.player_pair is o.banker_pair),
    ({"same-pair": False}, lambda o: o.player_pair is None or o.player_pair is not o.banker_pair),
    (
        {"winner": "banker", "banker-points": 6, "pairs": 2},
        lambda o: o.winner is Winner.BANKER and o.banker_points == 6 and None not in (o.player_pair, o.banker_pair),
    ),
    (
        [{"player-points": 6, "player-pair": True}, {"banker-points": 7}],
        lambda o: (o.player_points == 6 and o.player_pair is not None) or o.banker_points == 7,
    ),
]


@pytest.mark.parametrize(("when", "holds"), CONDITIONS, ids=lambda each: "" if callable(each) else str(each))
def test_a_condition_is_the_outcomes_for_which_it_holds(
    possible: list[Outcome], when: Any, holds: Callable[[Outcome], bool]
) -> None:
    condition, rows = Condition.parse(when), [0] * PLAYS
    for outcome in filter(holds, possible):
        rows[outcome.play] |= 1 << outcome.pairs
    assert condition.rows == tuple(rows)
    assert condition.source == when
    assert condition
    assert condition.example() in condition


def test_sets_of_outcomes() -> None:
    six, two = Condition.parse({"banker-points": 6}), Condition.parse({"banker-points": 6, "banker-cards": 2})
    three = Condition.parse({"banker-points": 6, "banker-cards": 3})
    assert (two | three, six & two, two & three) == (six, two, NOTHING)
    assert [two <= six, six <= two, six <= six, two <= NOTHING] == [True, False, True, False]
    assert not NOTHING
    assert (two & three) <= two


@pytest.mark.parametrize(
    "value", [10, -1, True, 6.0, Fraction(6), None, "", "-", "5-", "-5", "4-2", "0-10", "x", "1-2-3", [3, "x"]]
)
def test_what_are_no_points(value: object) -> None:
    with pytest.raises(ProblemError) as caught:
        parse_points(value)
    assert caught.value.problem is Problem.NOT_POINTS
    assert caught.value.given == (repr(value[-1] if isinstance(value, list) else value),)


KEYS = (*PLAY_KEYS, *PAIR_KEYS)
RANKS = tuple("A23456789TJQK")


@pytest.mark.parametrize(
    ("when", "problem", "given", "known"),
    [
        ([], Problem.CONDITIONS_EMPTY, (), ()),
        ({}, Problem.NOT_CONDITIONS, ("{}",), ()),
        ("tie", Problem.NOT_CONDITIONS, ("'tie'",), ()),
        ([{"winner": "tie"}, 3], Problem.NOT_CONDITIONS, ("3",), ()),
        ({"hands": 1}, Problem.CONDITION_UNKNOWN, (), KEYS),
        ({"colour": 1}, Problem.BEYOND_SUITS, (), ()),
        ({"sum": 19}, Problem.NOT_A_SUM, ("19",), ()),
        ({"winner": "nobody"}, Problem.NOT_A_CHOICE, ("'nobody'",), ("player", "banker", "tie")),
        ({"winner": ["tie", 1]}, Problem.NOT_A_CHOICE, ("1",), ("player", "banker", "tie")),
        ({"player-cards": 4}, Problem.NOT_A_CHOICE, ("4",), ("2", "3")),
        ({"player-cards": 1}, Problem.NOT_A_CHOICE, ("1",), ("2", "3")),
        ({"banker-cards": "2"}, Problem.NOT_A_CHOICE, ("'2'",), ("2", "3")),
        ({"cards": 3}, Problem.NOT_A_CHOICE, ("3",), ("4", "5", "6")),
        ({"cards": 5.0}, Problem.NOT_A_CHOICE, ("5.0",), ("4", "5", "6")),
        ({"pairs": True}, Problem.NOT_A_CHOICE, ("True",), ("0", "1", "2")),
        ({"pairs": 3}, Problem.NOT_A_CHOICE, ("3",), ("0", "1", "2")),
        ({"player-pair": "10"}, Problem.NOT_A_CHOICE, ("'10'",), RANKS),
        ({"banker-pair": 6}, Problem.NOT_A_CHOICE, ("6",), RANKS),
        ({"natural": 1}, Problem.NOT_A_FLAG, ("1",), ()),
        ({"same-pair": "yes"}, Problem.NOT_A_FLAG, ("'yes'",), ()),
        ({"margin": 10}, Problem.NOT_POINTS, ("10",), ()),
    ],
)
def test_what_is_no_condition(when: object, problem: Problem, given: tuple[str, ...], known: tuple[str, ...]) -> None:
    with pytest.raises(ProblemError) as caught:
        Condition.parse(when)
    assert (caught.value.problem, caught.value.given, caught.value.known) == (problem, given, known)


# ------------------------------------------------------------------------------------------- bets


LINES: dict[str, tuple[str, dict[str, object]]] = {
    "six": ("1:2", {"winner": "banker", "banker-points": 6}),
    "banker": ("0.95:1", {"winner": "banker"}),
    "tie": ("8:1", {"winner": "tie"}),
    "two cards": ("1:1", {"banker-cards": 2}),
    "two cards on 6": ("1:1", {"banker-cards": 2, "banker-points": 6}),
    "never": ("1:1", {"winner": "player", "player-points": 0}),
}


def bet(*lines: str, returned: str = "", rule: str | None = None, first: bool = False) -> OfferedBet:
    pays = [PayLine(says, Condition.parse(LINES[says][1]), Odds.parse(LINES[says][0]), says.upper()) for says in lines]
    back = Condition.parse(LINES[returned][1]) if returned else NOTHING
    flags = {"first_fits": True} if first else {}
    return OfferedBet("b", "B", Hand.BANKER, "3", tuple(pays), "lost", back, "Tie", rule, **flags)


@pytest.mark.parametrize(
    ("lines", "returned", "problem", "given", "example"),
    [
        ([], "", Problem.PAY_LINE_MISSING, (), ""),
        (["banker"], "never", Problem.RETURN_UNREACHABLE, (), ""),
        (["banker", "never"], "", Problem.PAY_LINE_UNREACHABLE, ("'never'",), ""),
        (["banker", "six"], "", Problem.PAY_LINE_SHADOWED, ("'six'",), ""),
        (["six", "banker", "six"], "", Problem.PAY_LINE_SHADOWED, ("'six'",), ""),
        (
            ["tie", "banker"],
            "two cards on 6",
            Problem.PAY_LINE_RETURNED,
            ("'tie'",),
            "player-points = 6, player-cards = 2, banker-points = 6, banker-cards = 2",
        ),
        (
            ["banker", "two cards"],
            "",
            Problem.PAY_LINES_OVERLAP,
            ("'banker'", "'two cards'"),
            "player-points = 0, player-cards = 3, banker-points = 3, banker-cards = 2",
        ),
        (
            ["six", "two cards on 6", "tie"],
            "",
            Problem.PAY_LINES_OVERLAP,
            ("'six'", "'two cards on 6'"),
            "player-points = 0, player-cards = 3, banker-points = 6, banker-cards = 2",
        ),
        (
            ["six", "tie", "banker", "two cards"],
            "",
            Problem.PAY_LINES_OVERLAP,
            ("'six'", "'two cards'"),
            "player-points = 0, player-cards = 3, banker-points = 6, banker-cards = 2",
        ),
    ],
)
def test_pay_lines_that_make_no_sense(
    lines: list[str], returned: str, problem: Problem, given: tuple[str, ...], example: str
) -> None:
    with pytest.raises(ProblemError) as caught:
        bet(*lines, returned=returned)
    assert (caught.value.problem, caught.value.given, caught.value.example) == (problem, given, example)


def test_the_first_line_that_fits_pays_where_a_bet_says_so() -> None:
    with pytest.raises(ProblemError):
        bet("two cards", "six")
    assert bet("two cards", "six", first=True).payoff(of((5, 6, 3, 2)).index).rule == "TWO CARDS"


@pytest.mark.parametrize("game", GAMES)
def test_the_payoff_table_says_what_the_conditions_say(game: str) -> None:
    for each in load(game).bets.values():
        assert len(each.payoffs) == SIZE
        for index in range(0, SIZE, 7):
            outcome = Outcome.at(index)
            assert outcome.index == index
            matching = [place for place, line in enumerate(each.pays) if outcome in line.when]
            expected = FIRST_PAY_LINE + matching[0] if matching else RETURNED if outcome in each.returned else LOSES
            assert each.payoffs[index] == expected
