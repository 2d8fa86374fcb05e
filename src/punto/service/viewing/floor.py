"""The floor at a glance: the figures of every table and of all together, from what each table's log has come to.

The pit desk and `punto day-report` show what `floor` gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction

from punto.ledger.accounts import owner_of
from punto.ledger.table_day import HOUR_MS, Edge, Priced, TableDay, hold_basis_points
from punto.protocol import views as v
from punto.rules.cards import Card
from punto.rules.sheet import Sheet
from punto.service.analyst import Analyst
from punto.service.people.person import Names
from punto.service.tables.followed_table import FollowedTable
from punto.service.viewing.table_views import mode_of, on_duty
from punto.table.acts.shoe import has_shuffler
from punto.table.exposure import most_house_can_lose
from punto.table.state import Case

_EPOCH = date(1970, 1, 1)

_SUMMED = [name for name in v.FloorFigures.__struct_fields__ if name not in {"hold_basis_points", "theoretical_cents"}]

Favourable = Mapping[str, tuple[str, ...]]
"""The bets that favour patrons at each table."""


def day_name(day: int) -> str:
    """A gaming day as people write it, by its number."""
    return (_EPOCH + timedelta(days=day)).isoformat()


def day_number(name: str) -> int:
    """The number of a gaming day; a ValueError for what is no date."""
    return (date.fromisoformat(name) - _EPOCH).days


def floor(
    tables: Iterable[FollowedTable],
    balances: Mapping[str, int],
    day: int,
    names: Names,
    analyst: Analyst | None = None,
    favourable: Favourable | None = None,
) -> v.Floor:
    """All tables on a gaming day, and what patrons owe. Without an analyst nothing theoretical is worked out."""
    shown = tuple([_table(table, day, names, analyst, favourable) for table in tables])
    debts = debts_in(balances, names)
    return v.Floor(
        day=day_name(day),
        tables=shown,
        total=_total(shown),
        receivables_cents=sum([debt.owed_cents for debt in debts]),
        debts=debts,
    )


def course(tables: Iterable[FollowedTable], day: int, analyst: Analyst) -> list[v.FloorHour]:
    """How the win of a gaming day came about: all tables together, hour by hour, from the first with a result."""
    of_tables = [each.day.course(_edge(analyst, each.sheet)) for each in tables if each.day.day == day]
    hours = sorted({hour for ends in of_tables for hour in ends})
    now = [(0, 0)] * len(of_tables)
    found = []
    for hour in range(hours[0], hours[-1] + 1) if hours else ():
        now = [ends.get(hour, before) for ends, before in zip(of_tables, now, strict=True)]
        win_cents, theoretical_cents = map(sum, zip(*now, strict=True))
        found.append(v.FloorHour((hour + 1) * HOUR_MS, win_cents, theoretical_cents))
    return found


def debts_in(balances: Mapping[str, int], names: Names) -> tuple[v.Debt, ...]:
    """Everyone who owes something, by id."""
    owed = {patron: -cents for account, cents in balances.items() if cents < 0 and (patron := owner_of(account))}
    return tuple([v.Debt(patron, names(patron), cents) for patron, cents in sorted(owed.items())])


def favourable_bets(analyst: Analyst, sheet: Sheet, decks: int, gone: Sequence[Card]) -> tuple[str, ...]:
    """The bets that favour patrons in a round that begins after these cards have left the shoe. A full one has none."""
    return analyst.favourable_bets(sheet, decks, gone) if gone else ()


def cards_gone(table: FollowedTable) -> tuple[Card, ...]:
    """The cards that have left the shoe in play, as far as anyone has seen them. A shuffler is always full."""
    state = table.state
    if state.shoe is None or state.settings is None or has_shuffler(state):
        return ()
    return tuple(table.shoes[state.shoe.number].seen)


def _table(
    table: FollowedTable, day: int, names: Names, analyst: Analyst | None, favourable: Favourable | None
) -> v.FloorTable:
    state, settings, shoe = table.state, table.state.settings, table.state.shoe
    figures = table.day if table.day.day == day else TableDay(day)
    bets = state.round.bets.values() if state.round else ()
    cases = _open_cases(state.case)
    reported = [table.reported_at[case.number] for case in cases if case.number in table.reported_at]
    return v.FloorTable(
        table=table.id,
        name=table.name,
        game=table.sheet.id,
        mode=mode_of(settings),
        phase=state.phase,
        play_suspended=state.suspended,
        round=state.rounds,
        shoe=shoe.number if shoe else None,
        cards=shoe.size if shoe else None,
        dealt=shoe.drawn if shoe else None,
        last_round=state.in_last_round,
        seats=settings.boxes if settings else 0,
        seats_taken=len(state.seats),
        standing=len({patron for _, patron in state.standing}),
        minimum_cents=settings.limits.minimum_cents if settings else None,
        differential_cents=settings.limits.differential_cents if settings else None,
        rounds=figures.rounds,
        void_rounds=figures.void_rounds,
        rounds_per_hour=figures.rounds_per_hour,
        duty=on_duty(state, names),
        in_play_cents=sum([bet.stake_cents for bet in bets]),
        exposure_cents=most_house_can_lose(state),
        handle_cents=figures.handle_cents,
        win_cents=figures.win_cents,
        hold_basis_points=hold_basis_points(figures.win_cents, figures.handle_cents),
        theoretical_cents=figures.theoretical_cents(_edge(analyst, table.sheet)) if analyst else None,
        incidents=len(cases),
        waiting_since_ms=min(reported, default=None),
        favourable=favourable.get(table.id, ()) if favourable is not None else None,
        seq=table.seq,
    )


def _open_cases(case: Case | None) -> list[Case]:
    """The open cases of a table: the one that holds it, and those that it interrupted."""
    found: dict[int, Case] = {}
    while case is not None:
        found.setdefault(case.number, case)
        case = case.previous
    return list(found.values())


def _edge(analyst: Analyst, sheet: Sheet) -> Edge:
    def edge(priced: Priced) -> Fraction:
        if priced.window is None or priced.player is None or priced.banker is None:
            return analyst.bet_edge(sheet, priced.decks, priced.on)
        offered = priced.window, sheet.insurance_bets[priced.on].hand, priced.player, priced.banker
        return analyst.insurance_edge(sheet, priced.decks, offered)

    return edge


def _total(tables: tuple[v.FloorTable, ...]) -> v.FloorFigures:
    """All tables together. What the House can lose at once is the sum, since rounds do not depend on each other."""
    sums = {name: sum([getattr(each, name) for each in tables]) for name in _SUMMED}
    expected = [each.theoretical_cents for each in tables if each.theoretical_cents is not None]
    return v.FloorFigures(
        **sums,
        hold_basis_points=hold_basis_points(sums["win_cents"], sums["handle_cents"]),
        theoretical_cents=sum(expected) if len(expected) == len(tables) else None,
    )
