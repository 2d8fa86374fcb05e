"""Bets as conditions over the outcome. No other code names a bet or its odds.

A condition is a set of outcomes, stored as one bit mask of pairs for each of the 400 plays. Bit operations then tell
whether two conditions overlap and whether one can happen. A bet compiles to one byte for every outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any

from punto.rules.cards import RANK_SYMBOLS, Rank
from punto.rules.hands import Hand
from punto.rules.money import Odds
from punto.rules.outcome import PAIRS, PLAYS, Outcome, Winner, every_pairs, every_play
from punto.rules.reasons import BEYOND, Problem, ProblemError, quoted
from punto.rules.tableau import banker_draws, player_draws

LOSES = 0
RETURNED = 1
FIRST_PAY_LINE = 2
"""The bytes of a payoff table: 0 loses, 1 is returned, 2 + i wins on the bet's pay line i."""


class Result(StrEnum):
    """The result of a bet."""

    WIN = "win"
    LOSE = "lose"
    RETURNED = "returned"


_LOSS, _NOTHING_WON = Odds(-1, 1, "-1:1"), Odds(0, 1, "0:1")


@dataclass(frozen=True, slots=True, eq=False)
class Payoff:
    """The effect of an outcome on a bet: the result, the odds that a settlement shows, and the paragraph.

    A sheet has few of them and makes each once, so they are compared by identity. `net_odds` is what a stake in play
    comes to, a loss below zero.
    """

    result: Result
    odds: Odds | None
    rule: str
    net_odds: Odds = field(init=False, repr=False)

    def __post_init__(self) -> None:
        won = self.odds if self.result is Result.WIN else None
        object.__setattr__(self, "net_odds", won or (_LOSS if self.result is Result.LOSE else _NOTHING_WON))


# ------------------------------------------------------------------------------------------- conditions

OutcomeTest = Callable[[Outcome], bool]

MAX_POINTS, MAX_SUM = 9, 18


def parse_points(value: object, maximum: int = MAX_POINTS) -> frozenset[int]:
    """Parse points: 6, "0-4", or a list of either. Raises ProblemError."""
    if isinstance(value, list):
        return frozenset().union(*[parse_points(item, maximum) for item in value])
    low, dash, high = value.partition("-") if isinstance(value, str) else (str(value), "", "")
    if type(value) in (int, str) and low.isdecimal() and (high.isdecimal() if dash else True):
        first, last = int(low), int(high or low)
        if first <= last <= maximum:
            return frozenset(range(first, last + 1))
    raise ProblemError(Problem.NOT_POINTS if maximum == MAX_POINTS else Problem.NOT_A_SUM, quoted(value))


def _one_of(*allowed: object) -> Callable[[object], frozenset[Any]]:
    def parse(value: object) -> frozenset[Any]:
        wanted = value if isinstance(value, list) else [value]
        for item in wanted:
            if not any(type(item) is type(choice) and item == choice for choice in allowed):
                raise ProblemError(Problem.NOT_A_CHOICE, quoted(item), known=tuple(map(str, allowed)))
        return frozenset(wanted)

    return parse


def _parse_sum(value: object) -> frozenset[int]:
    return parse_points(value, MAX_SUM)


def _parse_pair(value: object) -> frozenset[Rank | None]:
    if isinstance(value, bool):
        return frozenset(Rank) if value else frozenset({None})
    return frozenset(map(Rank, _one_of(*RANK_SYMBOLS)(value)))


def _parse_flag(value: object) -> frozenset[bool]:
    if not isinstance(value, bool):
        raise ProblemError(Problem.NOT_A_FLAG, quoted(value))
    return frozenset({value})


def _is_natural(outcome: Outcome) -> bool:
    """True if a hand has 8 or 9 in two cards. Nobody draws then."""
    two_cards = outcome.player_cards == outcome.banker_cards == 2
    return two_cards and max(outcome.player_points, outcome.banker_points) >= 8


_Key = tuple[Callable[[object], frozenset[Any]], Callable[[Outcome], object]]
"""A key of a condition: how its value is read as a set, and what of an outcome must be in it."""

PLAY_KEYS: dict[str, _Key] = {
    "winner": (_one_of(*[winner.value for winner in Winner]), lambda o: o.winner),
    "player-points": (parse_points, lambda o: o.player_points),
    "banker-points": (parse_points, lambda o: o.banker_points),
    "player-cards": (_one_of(2, 3), lambda o: o.player_cards),
    "banker-cards": (_one_of(2, 3), lambda o: o.banker_cards),
    "margin": (parse_points, lambda o: abs(o.player_points - o.banker_points)),
    "sum": (_parse_sum, lambda o: o.player_points + o.banker_points),
    "natural": (_parse_flag, _is_natural),
    "cards": (_one_of(4, 5, 6), lambda o: o.player_cards + o.banker_cards),
}
PAIR_KEYS: dict[str, _Key] = {
    "player-pair": (_parse_pair, lambda o: o.player_pair),
    "banker-pair": (_parse_pair, lambda o: o.banker_pair),
    "pairs": (_one_of(0, 1, 2), lambda o: (o.player_pair is not None) + (o.banker_pair is not None)),
    "same-pair": (_parse_flag, lambda o: o.player_pair is not None and o.player_pair is o.banker_pair),
}


def _test(key: str, value: object) -> OutcomeTest:
    known = PLAY_KEYS | PAIR_KEYS
    if key not in known:
        beyond = BEYOND.get(key)
        raise ProblemError(beyond) if beyond else ProblemError(Problem.CONDITION_UNKNOWN, known=tuple(known))
    parse, of = known[key]
    wanted = parse(value)
    return lambda outcome: of(outcome) in wanted


def _tests(table: object, at: str, problems: list[ProblemError]) -> dict[str, OutcomeTest]:
    """The test of each key of a table. What is wrong with it is added to the problems."""
    tests: dict[str, OutcomeTest] = {}
    if not isinstance(table, Mapping) or not table:
        problems.append(ProblemError(Problem.NOT_CONDITIONS, quoted(table), at=at))
        return tests
    for key, wanted in table.items():
        try:
            tests[key] = _test(key, wanted)
        except ProblemError as error:
            error.at = f"{at}.{key}"
            problems.append(error)
    return tests


@dataclass(frozen=True, slots=True)
class Condition:
    """A set of possible outcomes: for each play, the pairs with which it belongs to the set, as bits.

    `source` is the condition as written in a sheet, if it comes from one.
    """

    rows: tuple[int, ...] = field(repr=False)
    source: object = field(default=None, compare=False)

    @classmethod
    def parse(cls, value: object) -> Condition:
        """Parse a table of keys that must all hold, or a list of such tables of which one must hold.

        Raises ProblemError with every problem.
        """
        alternatives = value if isinstance(value, list) else [value]
        if not alternatives:
            raise ProblemError(Problem.CONDITIONS_EMPTY)
        problems: list[ProblemError] = []
        many = isinstance(value, list)
        tables = [_tests(each, f"[{at}]" * many, problems) for at, each in enumerate(alternatives)]
        if problems:
            problems[0].more = tuple(problems[1:])
            raise problems[0]
        rows = [0] * PLAYS
        for tests in tables:
            play_tests = [test for key, test in tests.items() if key in PLAY_KEYS]
            pair_tests = [test for key, test in tests.items() if key in PAIR_KEYS]
            pairs = _bits(all(test(outcome) for test in pair_tests) for outcome in every_pairs())
            for play, outcome in enumerate(every_play()):
                if all(test(outcome) for test in play_tests):
                    rows[play] |= pairs
        return cls(tuple([row & can for row, can in zip(rows, reachable(), strict=True)]), value)

    def __contains__(self, outcome: Outcome) -> bool:
        return bool(self.rows[outcome.play] >> outcome.pairs & 1)

    def __bool__(self) -> bool:
        return any(self.rows)

    def __and__(self, other: Condition) -> Condition:
        return Condition(tuple([a & b for a, b in zip(self.rows, other.rows, strict=True)]))

    def __or__(self, other: Condition) -> Condition:
        return Condition(tuple([a | b for a, b in zip(self.rows, other.rows, strict=True)]))

    def __le__(self, other: Condition) -> bool:
        return all(a & ~b == 0 for a, b in zip(self.rows, other.rows, strict=True))

    def example(self) -> Outcome:
        """One outcome of the set, for a message; the set must not be empty."""
        play, row = next((play, row) for play, row in enumerate(self.rows) if row)
        return Outcome.at(play * PAIRS + (row & -row).bit_length() - 1)


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


NOTHING = Condition((0,) * PLAYS)
"""The empty set of outcomes."""


@cache
def reachable() -> tuple[int, ...]:
    """For each play, the pairs with which it can happen, as bits, in a shoe that is large enough."""
    rows = [0] * PLAYS
    for player in range(10):
        for banker in range(10):
            pairs = _pairs_with_totals(player, banker)
            for play in plays_from(player, banker):
                rows[play] |= pairs
    return tuple(rows)


def _pairs_with_totals(player: int, banker: int) -> int:
    """The pairs that two-card totals allow. Every total is possible without a pair, only some with a given pair."""

    def fits(pair: Rank | None, total: int) -> bool:
        return pair is None or 2 * pair.points % 10 == total

    return _bits(fits(o.player_pair, player) and fits(o.banker_pair, banker) for o in every_pairs())


@cache
def plays_from(player: int, banker: int, thirds: tuple[int | None, ...] = ()) -> frozenset[int]:
    """The plays that can follow from two-card totals and the points of third cards already dealt, None if closed."""

    def possible(at: int) -> Iterable[int]:
        third = thirds[at] if at < len(thirds) else None
        return range(10) if third is None else (third,)

    drawn: list[tuple[int | None, int | None]] = [(None, None)]
    if player_draws(player, banker):
        fifth, sixth = possible(0), possible(1)
        drawn = [(x, y) for x in fifth for y in (sixth if banker_draws(player, banker, x) else (None,))]
    elif banker_draws(player, banker, None):
        drawn = [(None, x) for x in possible(0)]
    return frozenset(
        Outcome((player + (x or 0)) % 10, (banker + (y or 0)) % 10, 2 + (x is not None), 2 + (y is not None)).play
        for x, y in drawn
    )


# ------------------------------------------------------------------------------------------- bets


@dataclass(frozen=True, slots=True)
class PayLine:
    """One line of a pay table: when it wins, what it pays, and its paragraph."""

    says: str
    when: Condition
    odds: Odds
    rule: str


@dataclass(frozen=True, slots=True, repr=False)
class OfferedBet:
    """A bet that a sheet offers. An original bet names its hand; a side bet has none.

    The constructor raises ProblemError for pay lines that can never win or are ambiguous. With `first_fits`, lines may
    overlap as they like, and the first that fits pays.
    """

    id: str
    name: str
    hand: Hand | None
    rule: str
    pays: tuple[PayLine, ...]
    lost_rule: str
    returned: Condition = NOTHING
    returned_says: str | None = None
    returned_rule: str | None = None
    first_fits: bool = False
    payoffs: bytes = field(init=False, repr=False, compare=False)
    payoff_of: tuple[Payoff, ...] = field(init=False, repr=False, compare=False)
    """The payoff that each byte of `payoffs` stands for."""

    def __post_init__(self) -> None:
        _check_lines(self.pays, self.returned, first_fits=self.first_fits)
        object.__setattr__(self, "payoffs", _compile(self.pays, self.returned))
        lost = Payoff(Result.LOSE, None, self.lost_rule)
        returned = Payoff(Result.RETURNED, None, self.returned_rule or self.rule)
        won = [Payoff(Result.WIN, line.odds, line.rule) for line in self.pays]
        object.__setattr__(self, "payoff_of", (lost, returned, *won))

    def __repr__(self) -> str:
        return f"<OfferedBet {self.id}: {', '.join([line.odds.text for line in self.pays])}>"

    def payoff(self, index: int) -> Payoff:
        """The effect of the outcome with this index on the bet."""
        return self.payoff_of[self.payoffs[index]]

    @property
    def nets(self) -> tuple[Fraction, ...]:
        """The patron's net result for one unit staked, for each byte of the payoff table."""
        return tuple([payoff.net_odds.exact for payoff in self.payoff_of])


def _check_lines(pays: tuple[PayLine, ...], returned: Condition, *, first_fits: bool) -> None:
    if not pays:
        raise ProblemError(Problem.PAY_LINE_MISSING)
    if returned is not NOTHING and not returned:
        raise ProblemError(Problem.RETURN_UNREACHABLE)
    earlier = NOTHING
    for line in pays:
        if not line.when:
            raise ProblemError(Problem.PAY_LINE_UNREACHABLE, quoted(line.says))
        if line.when <= earlier:
            raise ProblemError(Problem.PAY_LINE_SHADOWED, quoted(line.says))
        if both := line.when & returned:
            raise ProblemError(Problem.PAY_LINE_RETURNED, quoted(line.says), example=str(both.example()))
        earlier |= line.when
    if first_fits:
        return
    for place, line in enumerate(pays):
        for later in pays[place + 1 :]:
            # The first match wins, so lines may overlap only where a special line comes before the general one.
            if (both := line.when & later.when) and not line.when <= later.when:
                lines = quoted(line.says), quoted(later.says)
                raise ProblemError(Problem.PAY_LINES_OVERLAP, *lines, example=str(both.example()))


def _compile(pays: tuple[PayLine, ...], returned: Condition) -> bytes:
    """One byte for each outcome index. Many plays have equal rows, so each distinct row is made once."""

    @cache
    def row(returned_pairs: int, *paid: int) -> bytes:
        codes = bytearray(PAIRS)
        for code, pairs in reversed([(RETURNED, returned_pairs), *enumerate(paid, FIRST_PAY_LINE)]):
            for place in range(PAIRS):
                if pairs >> place & 1:
                    codes[place] = code
        return bytes(codes)

    return b"".join(map(row, returned.rows, *[line.when.rows for line in pays]))
