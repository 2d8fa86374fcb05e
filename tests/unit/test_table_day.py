"""What a table took in on a gaming day: days, rounds, handle, win, pace and theoretical win."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.table_day import COUNTED, DAY_MS, HOUR_MS, GamingDay, Priced, TableDay, rounded
from punto.rules.insurance import Window
from punto.rules.money import Cents, Odds
from punto.table import acts
from punto.table.engine import evolve
from punto.table.state import new_table
from punto.table.values import Paid
from tests.table_kit import NATURAL, SHIFT, Play, patron


def day_of(play: Play, *, every_ms: int = 60_000, first_ms: int = 0) -> TableDay:
    """The figures of a day from the log of a table, an event every so often."""
    state, ledger, found = new_table(play.sheet), BetLedger("t1"), TableDay()
    for place, event in enumerate(play.log):
        moves, ledger = ledger.moves(place, event)
        if type(event) in COUNTED:
            found = found.after(0, first_ms + place * every_ms, event, state, moves)
        state = evolve(state, event)
    return found


def test_a_day_begins_where_it_is_set_to_begin() -> None:
    assert [GamingDay().number(at) for at in (0, DAY_MS - 1, DAY_MS)] == [0, 0, 1]
    assert GamingDay().ends_ms(0) == DAY_MS
    at_six = GamingDay(-6 * HOUR_MS)
    assert [at_six.number(at) for at in (6 * HOUR_MS - 1, 6 * HOUR_MS, at_six.ends_ms(0) - 1)] == [-1, 0, 0]
    assert at_six.number(at_six.ends_ms(0)) == 1
    assert at_six.ends_ms(0) == DAY_MS + 6 * HOUR_MS
    assert (DAY_MS, HOUR_MS) == (24 * 3_600_000, 3_600_000)


@pytest.mark.parametrize(
    ("begins_ms", "shown"),
    [
        (0, "00:00"),
        (6 * HOUR_MS + 30 * 60_000, "06:30"),
        (6 * HOUR_MS + 30 * 60_000 - 1, "06:29"),
        (DAY_MS - 1, "23:59"),
    ],
)
def test_the_time_at_which_a_day_begins(begins_ms: int, shown: str) -> None:
    assert str(GamingDay(-begins_ms)) == shown


def test_rounds_handle_and_win() -> None:
    """Ann wins 100.00 on Player, bo loses 40.00 on Banker; the next round is void."""
    play = Play("commission").sit("ann", "bo")
    play.open(("ann", "player", 10_000), ("bo", "banker", 4_000)).close().deal(NATURAL).settle()
    play.open(("ann", "player", 10_000)).close().deal("9h")
    play.report("foreign-card")
    day = day_of(play)
    assert (day.rounds, day.void_rounds, day.handle_cents, day.win_cents) == (1, 1, 14_000, -6_000)
    assert day.staked == {Priced(8, "player"): 10_000, Priced(8, "banker"): 4_000}
    assert (day.day, TableDay().handle_cents, TableDay().rounds_per_hour) == (0, 0, None)


def test_insurance_is_priced_by_its_window_and_both_totals() -> None:
    """Player 1, Banker 6 after four cards: insurance on Banker, which wins."""
    play = Play("da-hu-ying-xiong").sit("ann").open(("ann", "banker", 30_000)).close().deal("5h Kd 6s 6c")
    play.do(acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(2_500)))
    play.deal("9h").settle()
    day = day_of(play)
    assert day.staked == {
        Priced(8, "banker"): 30_000,
        Priced(8, "banker-insurance", Window.FOUR_CARDS, 1, 6): 2_500,
    }


def test_bets_that_a_decision_paid_are_in_the_handle() -> None:
    """Player 1, Banker 6: the Table Game Shift Manager pays a bet and its insurance, and the round goes on."""
    play = Play("da-hu-ying-xiong").sit("ann").open(("ann", "banker", 30_000)).close().deal("5h Kd 6s 6c")
    play.do(acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(2_500)))
    state = play.state
    assert state.round is not None
    lines = [Paid(bet, Odds.parse("1:1"), Cents(2 * bet.stake_cents), None) for bet in state.round.bets.values()]
    day = TableDay()
    day.count(5, acts.BetsPaid(SHIFT, 1, 1, tuple(lines)), state)
    assert day == TableDay(
        staked={Priced(8, "banker"): 30_000, Priced(8, "banker-insurance", Window.FOUR_CARDS, 1, 6): 2_500}
    )


def test_a_later_day_begins_with_nothing_and_an_earlier_one_counts_on() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    state, settled = play.state, play.settle()
    first = TableDay(3).after(3, 10, settled, state, [])
    assert (first.day, first.rounds, first.last_ms) == (3, 1, 10)
    assert first.after(2, 20, settled, state, []).rounds == 2
    following = first.after(4, 30, settled, state, [])
    assert (following.day, following.rounds, following.handle_cents) == (4, 1, 10_000)


def test_the_pace_is_from_the_first_call_to_the_last_round_that_ended() -> None:
    opened = Play("commission").open().of(acts.BetsOpened)[0]
    day, state = TableDay(rounds=9, void_rounds=1, last_ms=300_999), Play("commission").state
    day.count(1_000, opened, state)
    day.count(2_000, opened, state)
    assert day.first_ms == 1_000
    assert day.rounds_per_hour is None, "it played for less than five minutes"
    day.last_ms = 301_000
    assert day.rounds_per_hour == 120
    day.last_ms = 1_000 + HOUR_MS
    assert day.rounds_per_hour == 10
    assert TableDay(rounds=1, last_ms=HOUR_MS).rounds_per_hour is None, "the only round was called the day before"
    assert TableDay(first_ms=1_000).rounds_per_hour is None, "no round ended"


def test_the_course_of_a_day_has_its_figures_at_the_end_of_each_hour() -> None:
    play = Play("commission").sit("ann")
    for _ in range(2):
        play.open(("ann", "player", 10_000)).close().deal(NATURAL).settle()
    day = day_of(play, every_ms=10 * 60_000, first_ms=9 * HOUR_MS)
    of_edge = {hour: (-staked, staked // 100) for hour, staked in enumerate((0, 10_000, 10_000, 20_000), 9)}
    assert day.course(lambda _: Fraction(1, 100)) == of_edge
    assert TableDay().course(lambda _: Fraction(0)) == {}


@pytest.mark.parametrize(("half", "whole"), [((1, 2), 1), ((-1, 2), 0), ((49, 100), 0), ((3, 2), 2), ((-3, 2), -1)])
def test_a_half_goes_up(half: tuple[int, int], whole: int) -> None:
    assert rounded(Fraction(*half)) == whole
