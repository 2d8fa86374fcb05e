"""A followed table in a checkpoint: all that its log has come to, exactly, as bytes."""

from __future__ import annotations

import hashlib
from collections import deque
from typing import NamedTuple

import msgspec

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.table_day import TableDay
from punto.protocol.codec import strict
from punto.protocol.derive import CARDS, Deriver, WireType
from punto.roads.roads import Roads
from punto.rules.cards import write_cards
from punto.rules.hands import Cards
from punto.rules.outcome import Outcome
from punto.rules.sheet import Sheet
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


_ALIKE = [
    name for name in SavedTable._fields if name not in {"table", "rules", "shift_ms", "results", "places", "outcomes"}
]
"""The fields that a followed table has too."""
_WIRES = {
    bytes: WireType(bytes),
    Sheet: WireType(None, None, lambda _: None),
    Cards: WireType(CARDS, Cards, write_cards),
}
"""Tables name their sheet, and have it at hand."""
_SAVED = Deriver({**strict.wires, **_WIRES}, remember=False).derive(SavedTable)


def layout() -> str:
    """A hash of how saved tables are laid out."""
    return hashlib.sha256(repr(msgspec.inspect.type_info(_SAVED.struct)).encode()).hexdigest()


def save_table(table: FollowedTable) -> bytes:
    """A table as bytes. They hold the order of its shoe, so they must be encrypted."""
    saved = SavedTable(
        **{name: getattr(table, name) for name in _ALIKE},
        table=table.id,
        rules=table.sheet.fingerprint,
        shift_ms=table.gaming_day.shift_ms,
        results=tuple(table.results),
        places=table.places.save(),
        outcomes=tuple(table.roads.outcomes),
    )
    return msgspec.msgpack.encode(_SAVED.write(saved))


def restore_table(table: FollowedTable, data: bytes) -> None:
    """Put a new table where a saved one was; ValueError where the bytes are not of this table under these rules."""
    saved: SavedTable = _SAVED.build(msgspec.msgpack.decode(data, type=_SAVED.struct))
    here = (table.id, table.sheet.fingerprint, table.gaming_day.shift_ms)
    if (saved.table, saved.rules, saved.shift_ms) != here:
        raise ValueError(f"it is of {saved.table} under other rules or gaming days")
    for name in _ALIKE:
        setattr(table, name, getattr(saved, name))
    table.state = saved.state._replace(sheet=table.sheet)
    table.before_shoes = {shoe: state._replace(sheet=table.sheet) for shoe, state in saved.before_shoes.items()}
    table.results = deque(saved.results, maxlen=LAST_ROUNDS)
    table.places, table.roads = Places.restore(saved.places), Roads.of(saved.outcomes)
