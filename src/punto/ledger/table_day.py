"""A table's takings on a gaming day, from its events and the ledger: rounds, handle, win and theoretical win.

*Handle* is what was in play of every bet that a round settled, won, lost or pushed; bets of void rounds are not in it.
*Win* is what the House's account of the table gained, corrections and decided amounts too, on the day of their posting.
*Theoretical win* is the handle of each bet times the exact edge of the bet in a full shoe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from punto.ledger.accounts import house_account
from punto.ledger.moves import Move
from punto.rules.cards import Card
from punto.rules.insurance import Window, totals_in_window
from punto.rules.money import Cents
from punto.rules.settlement import Bet
from punto.table import acts
from punto.table.state import State

DAY_MS = 86_400_000
MINUTE_MS = 60_000
HOUR_MS = 3_600_000
SHORTEST_PACE_MS = 300_000
"""Play for less than five minutes says nothing of a pace."""
COUNTED = frozenset(
    {acts.BetsOpened, acts.RoundSettled, acts.RoundVoided, acts.RoundAdjusted, acts.BetsPaid, acts.AmountDecided}
)
"""The events that change the figures of a day."""


@dataclass(frozen=True, slots=True)
class GamingDay:
    """When a gaming day begins. Days are counted from the epoch, after `shift_ms` is added to a time of the log."""

    shift_ms: int = 0

    def number(self, at_ms: int) -> int:
        """The day of a moment."""
        return (at_ms + self.shift_ms) // DAY_MS

    def ends_ms(self, day: int) -> int:
        """The moment at which the next day begins."""
        return (day + 1) * DAY_MS - self.shift_ms

    def __str__(self) -> str:
        """The time of day, in UTC, at which it begins."""
        minutes = -self.shift_ms % DAY_MS // MINUTE_MS
        return f"{minutes // 60:02}:{minutes % 60:02}"


FROM_MIDNIGHT = GamingDay()
"""Gaming days that begin at midnight UTC."""


class Priced(NamedTuple):
    """The terms that give a bet its edge: the decks and the bet; for insurance also its window and both totals."""

    decks: int
    on: str
    window: Window | None = None
    player: int | None = None
    banker: int | None = None


Edge = Callable[[Priced], Fraction]
"""The House's share of each unit staked on a bet, exactly."""


@dataclass(slots=True)
class TableDay:
    """The figures of one table on one gaming day, so far. `staked` is the handle by what gives each bet its edge.

    `earlier` has what `win_cents` and `staked` were at the end of each earlier hour, counted from the epoch.
    """

    day: int = 0
    rounds: int = 0
    void_rounds: int = 0
    win_cents: int = 0
    staked: dict[Priced, int] = field(default_factory=dict)
    first_ms: int | None = None
    last_ms: int | None = None
    hour: int = 0
    earlier: dict[int, tuple[int, dict[Priced, int]]] = field(default_factory=dict)

    def after(self, day: int, at_ms: int, event: acts.Event, before: State, moves: Sequence[Move]) -> TableDay:
        """The figures after an event of `COUNTED` and its moves. An event of a later day begins with none."""
        now = self if day <= self.day else TableDay(day)
        if now.hour < (hour := at_ms // HOUR_MS):
            if now.hour:
                now.earlier[now.hour] = now.win_cents, dict(now.staked)
            now.hour = hour
        now.count(at_ms, event, before)
        for move in moves:
            now.win_cents += sum([cents for account, cents in move.amounts if account == _house(before)])
        return now

    def count(self, at_ms: int, event: acts.Event, before: State) -> None:
        """Take in what an event says of rounds and of what was in play."""
        match event:
            case acts.BetsOpened():
                self.first_ms = at_ms if self.first_ms is None else self.first_ms
            case acts.RoundSettled():
                self.rounds, self.last_ms = self.rounds + 1, at_ms
                for line in event.lines:
                    self._stake(_priced(before, line.bet, event.cards), line.in_play_cents)
            case acts.RoundVoided():
                self.void_rounds, self.last_ms = self.void_rounds + 1, at_ms
            case acts.BetsPaid():
                cards = before.round.cards if before.round else ()
                for paid in event.lines:
                    self._stake(_priced(before, paid.bet, cards), paid.bet.stake_cents)

    def _stake(self, priced: Priced, cents: int) -> None:
        self.staked[priced] = self.staked.get(priced, 0) + cents

    @property
    def handle_cents(self) -> int:
        """The money in play of every bet that a round settled."""
        return sum(self.staked.values())

    @property
    def rounds_per_hour(self) -> int | None:
        """The rounds ended in an hour, from the first call of the day to the last round that ended."""
        if self.first_ms is None or self.last_ms is None or self.last_ms - self.first_ms < SHORTEST_PACE_MS:
            return None
        return rounded(Fraction((self.rounds + self.void_rounds) * HOUR_MS, self.last_ms - self.first_ms))

    def theoretical_cents(self, edge: Edge) -> Cents:
        """The House's average win on what was staked."""
        return _theoretical(self.staked, edge)

    def course(self, edge: Edge) -> dict[int, tuple[int, Cents]]:
        """Win and theoretical win since the day began, at the end of each hour in which they changed, and now."""
        ends = self.earlier | ({self.hour: (self.win_cents, self.staked)} if self.hour else {})
        return {hour: (win, _theoretical(staked, edge)) for hour, (win, staked) in ends.items()}


def _theoretical(staked: Mapping[Priced, int], edge: Edge) -> Cents:
    return Cents(rounded(sum([cents * edge(priced) for priced, cents in staked.items()], Fraction(0))))


def hold_basis_points(win_cents: int, handle_cents: int) -> int | None:
    """The win as a share of the handle, in hundredths of a per cent; None without a handle."""
    return rounded(Fraction(win_cents * 10_000, handle_cents)) if handle_cents else None


def rounded(exact: Fraction) -> int:
    """The nearest whole number; a half goes up."""
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)


def _house(state: State) -> str:
    return house_account(state.settings.table) if state.settings else ""


def _priced(state: State, bet: Bet, cards: tuple[Card, ...]) -> Priced:
    decks = state.settings.decks if state.settings else 0
    if bet.window is None:
        return Priced(decks, bet.on)
    return Priced(decks, bet.on, bet.window, *totals_in_window(cards[: bet.window.cards]))
