"""A followed table in a checkpoint: all that its log has come to, exactly, as bytes."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import msgspec

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.table_day import TableDay
from punto.protocol.state_codec import StateCodec
from punto.roads.roads import Roads
from punto.rules.outcome import Outcome
from punto.rules.tableau import Round
from punto.service.tables.followed_table import FollowedTable
from punto.table import acts
from punto.table.history import LAST_ROUNDS, Places, PlayedShoe, SavedPlaces
from punto.table.state import State


class SavedTable(NamedTuple):
    """A table folded from its log. `rules` is the fingerprint of the sheet that it was folded under.

    `shift_ms` is when gaming days began for the figures of the day. The roads are those of the `outcomes`.
    """

    table: str
    seq: int
    rules: str
    shift_ms: int
    effective: str | None
    fingerprint: str
    state: State
    results: tuple[tuple[int, Round], ...]
    shoes: dict[int, PlayedShoe]
    before_shoes: dict[int, State]
    places: SavedPlaces
    settled: acts.RoundSettled | None
    ruled: acts.IncidentRuled | None
    day: TableDay
    bet_ledger: BetLedger
    outcomes: tuple[Outcome, ...]
    reported_at: dict[int, int]


def layout() -> str:
    """A hash of how saved tables are laid out."""
    return StateCodec().layout(SavedTable)


def save_table(table: FollowedTable) -> bytes:
    """A table as bytes. They hold the order of its shoe, so they must be encrypted."""
    saved = SavedTable(
        table=table.id,
        seq=table.seq,
        rules=table.sheet.fingerprint,
        shift_ms=table.gaming_day.shift_ms,
        effective=table.effective,
        fingerprint=table.fingerprint,
        state=table.state,
        results=tuple(table.results),
        shoes=table.shoes,
        before_shoes=table.before_shoes,
        places=table.places.save(),
        settled=table.settled,
        ruled=table.ruled,
        day=table.day,
        bet_ledger=table.bet_ledger,
        outcomes=tuple(table.roads.outcomes),
        reported_at=table.reported_at,
    )
    return msgspec.msgpack.encode(StateCodec(table.sheet).write(SavedTable, saved))


def restore_table(table: FollowedTable, data: bytes) -> None:
    """Put a new table where a saved one was; ValueError where the bytes are not of this table under these rules."""
    saved: SavedTable = StateCodec(table.sheet).read(SavedTable, msgspec.msgpack.decode(data))
    here = (table.id, table.sheet.fingerprint, table.gaming_day.shift_ms)
    if (saved.table, saved.rules, saved.shift_ms) != here:
        raise ValueError(f"it is of {saved.table} under other rules or gaming days")
    table.seq = saved.seq
    table.effective, table.fingerprint, table.state = saved.effective, saved.fingerprint, saved.state
    table.results = deque(saved.results, maxlen=LAST_ROUNDS)
    table.shoes, table.before_shoes, table.places = saved.shoes, saved.before_shoes, Places.restore(saved.places)
    table.settled, table.ruled, table.day = saved.settled, saved.ruled, saved.day
    table.bet_ledger, table.roads = saved.bet_ledger, Roads.of(saved.outcomes)
    table.reported_at = saved.reported_at
