"""A patron's statement by round, and its totals by session and by gaming day: pure, made from the movements.

A session lasts until a cash-out that leaves no credit: the ledger says so plainly, wherever the patron sat meanwhile.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Container, Sequence

from msgspec.structs import replace

from punto.ledger.moves import Reason
from punto.ledger.table_day import GamingDay
from punto.protocol.views import Movement, StatementEntry, StatementTotal
from punto.service.money.statement import place_of
from punto.service.viewing.floor import day_name

MOST_ENTRIES = 100
"""The most entries, or totals, that are given at once."""
_PLAY = frozenset({Reason.STAKE, Reason.PAY, Reason.LOSE, Reason.RETURN})
_Pages = AsyncIterable[Sequence[Movement]]


async def entries(
    pages: _Pages, in_play: Container[tuple[str | None, int | None]], before: str | None, limit: int
) -> list[StatementEntry]:
    """The entries before a place, newest first. `in_play` are the rounds under way, each with its table."""
    return [_entry(group, in_play) for group in await _first(_by_round(pages), before, limit)]


async def totals(pages: _Pages, day: GamingDay | None, before: str | None, limit: int) -> list[StatementTotal]:
    """The totals before a place, newest first: of each gaming day, or of each session where no day is given."""

    def begins(newest: Movement, line: Movement) -> bool:
        """True if a line belongs to the next group, and not to that of a newer one."""
        if day is None:
            return line.reason == Reason.CASH_OUT and line.after_cents == 0
        return day.number(line.at_ms) != day.number(newest.at_ms)

    return [_total(group, day) for group in await _first(_in_turn(pages, begins), before, limit)]


async def _first(groups: AsyncIterator[list[Movement]], before: str | None, limit: int) -> list[list[Movement]]:
    found: list[list[Movement]] = []
    async for group in groups:
        if before is None or place_of(group[0].place) < place_of(before):
            found.append(group)
        if len(found) >= min(limit, MOST_ENTRIES):
            break
    return found


# ------------------------------------------------------------------------------------------- grouping


async def _by_round(pages: _Pages) -> AsyncIterator[list[Movement]]:
    """Movements of play by table and round, all others by record, newest first.

    Rounds of several tables may overlap. Those of one table do not, so an older round of a table closes the newer one.
    """
    waiting: dict[tuple[str, int], list[Movement]] = {}
    last: dict[str, tuple[str, int]] = {}
    async for page in pages:
        for line in page:
            at_table = line.reason in _PLAY and line.table is not None and line.round is not None
            key = (line.table or "", line.round or 0) if at_table else ("", place_of(line.place)[0])
            waiting.setdefault(key, []).append(line)
            last[key[0]] = key
        while waiting and (first := next(iter(waiting))) != last[first[0]]:
            yield waiting.pop(first)
    for group in waiting.values():
        yield group


async def _in_turn(pages: _Pages, begins: Callable[[Movement, Movement], bool]) -> AsyncIterator[list[Movement]]:
    """Movements one after the other, in groups."""
    group: list[Movement] = []
    async for page in pages:
        for line in page:
            if group and begins(group[0], line):
                yield group
                group = []
            group.append(line)
    if group:
        yield group


# ------------------------------------------------------------------------------------------- sums


def _entry(newest_first: list[Movement], in_play: Container[tuple[str | None, int | None]]) -> StatementEntry:
    newest = newest_first[0]
    on = {line.bet: line.on for line in newest_first if line.on is not None}
    of_round = newest.reason in _PLAY
    return StatementEntry(
        place=newest.place,
        at_ms=newest.at_ms,
        table=newest.table,
        round=newest.round,
        reason=None if of_round else newest.reason,
        in_play=of_round and (newest.table, newest.round) in in_play,
        net_cents=_net(newest_first),
        after_cents=newest.after_cents,
        owed_cents=sum([line.owed_cents for line in newest_first]),
        rule=next((line.rule for line in newest_first if line.rule is not None), None),
        movements=tuple([replace(line, on=on.get(line.bet)) for line in newest_first[::-1]]),
    )


def _total(newest_first: list[Movement], day: GamingDay | None) -> StatementTotal:
    newest, oldest = newest_first[0], newest_first[-1]
    return StatementTotal(
        place=newest.place,
        day=day_name(day.number(newest.at_ms)) if day else None,
        from_ms=oldest.at_ms,
        to_ms=newest.at_ms,
        rounds=len({(line.table, line.round) for line in newest_first if line.reason == Reason.STAKE}),
        bought_cents=_sum(newest_first, Reason.BUY),
        cashed_out_cents=_sum(newest_first, Reason.CASH_OUT, -1),
        net_cents=_net(newest_first),
        after_cents=newest.after_cents,
    )


def _sum(lines: Sequence[Movement], reason: Reason, sign: int = 1) -> int:
    return sign * sum([line.amount_cents for line in lines if line.reason == reason])


def _net(lines: Sequence[Movement]) -> int:
    """The net result. A correction against a patron counts when it makes the debt, not when that is collected."""
    play = sum([line.amount_cents for line in lines if line.reason in _PLAY])
    return play + sum([line.amount_cents - line.owed_cents for line in lines if line.reason == Reason.ADJUST])
