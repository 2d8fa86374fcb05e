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

PLAY_KEYS = (
    *("winner", "player-points", "banker-points", "player-cards", "banker-cards"),
    *("margin", "sum", "natural", "cards"),
)
PAIR_KEYS = ("player-pair", "banker-pair", "pairs", "same-pair")


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


def _one_of(value: object, allowed: Iterable[object]) -> frozenset[object]:
    wanted = value if isinstance(value, list) else [value]
    choices = list(allowed)
    for item in wanted:
        if not any(type(item) is type(choice) and item == choice for choice in choices):
            raise ProblemError(Problem.NOT_A_CHOICE, quoted(item), known=tuple(map(str, choices)))
    return frozenset(wanted)


def _pair_test(value: object, rank_of: Callable[[Outcome], Rank | None]) -> OutcomeTest:
    if isinstance(value, bool):
        return lambda o: (rank_of(o) is not None) is value
    symbols = _one_of(value, RANK_SYMBOLS)
    ranks = frozenset(Rank(str(symbol)) for symbol in symbols)
    return lambda o: rank_of(o) in ranks


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ProblemError(Problem.NOT_A_FLAG, quoted(value))
    return value


def _paired_hands(outcome: Outcome) -> int:
    return (outcome.player_pair is not None) + (outcome.banker_pair is not None)


def _is_natural(outcome: Outcome) -> bool:
    """True if a hand has 8 or 9 in two cards. Nobody draws then."""
    two_cards = outcome.player_cards == outcome.banker_cards == 2
    return two_cards and max(outcome.player_points, outcome.banker_points) >= 8


def _test(key: str, value: object) -> OutcomeTest:
    match key:
        case "winner":
            winners = _one_of(value, [winner.value for winner in Winner])
            return lambda o: o.winner.value in winners
        case "player-points":
            points = parse_points(value)
            return lambda o: o.player_points in points
        case "banker-points":
            points = parse_points(value)
            return lambda o: o.banker_points in points
        case "player-cards":
            counts = _one_of(value, (2, 3))
            return lambda o: o.player_cards in counts
        case "banker-cards":
            counts = _one_of(value, (2, 3))
            return lambda o: o.banker_cards in counts
        case "margin":
            margins = parse_points(value)
            return lambda o: abs(o.player_points - o.banker_points) in margins
        case "sum":
            sums = parse_points(value, MAX_SUM)
            return lambda o: o.player_points + o.banker_points in sums
        case "natural":
            natural = _flag(value)
            return lambda o: _is_natural(o) is natural
        case "cards":
            totals = _one_of(value, (4, 5, 6))
            return lambda o: o.player_cards + o.banker_cards in totals
        case "player-pair":
            return _pair_test(value, lambda o: o.player_pair)
        case "banker-pair":
            return _pair_test(value, lambda o: o.banker_pair)
        case "pairs":
            numbers = _one_of(value, (0, 1, 2))
            return lambda o: _paired_hands(o) in numbers
        case "same-pair":
            wanted = _flag(value)
            return lambda o: (o.player_pair is not None and o.player_pair is o.banker_pair) is wanted
    if key in BEYOND:
        raise ProblemError(BEYOND[key])
    raise ProblemError(Problem.CONDITION_UNKNOWN, known=(*PLAY_KEYS, *PAIR_KEYS))


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

    def play(player_points: int, banker_points: int, player_cards: int, banker_cards: int) -> int:
        return Outcome(player_points % 10, banker_points % 10, player_cards, banker_cards, None, None).play

    def possible(at: int) -> Iterable[int]:
        third = thirds[at] if at < len(thirds) else None
        return range(10) if third is None else (third,)

    nexts, lasts = possible(0), possible(1)
    if player_draws(player, banker):
        plays = set()
        for third in nexts:
            if banker_draws(player, banker, third):
                plays |= {play(player + third, banker + last, 3, 3) for last in lasts}
            else:
                plays.add(play(player + third, banker, 3, 2))
        return frozenset(plays)
    if banker_draws(player, banker, None):
        return frozenset(play(player, banker + last, 2, 3) for last in nexts)
    return frozenset({play(player, banker, 2, 2)})


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
