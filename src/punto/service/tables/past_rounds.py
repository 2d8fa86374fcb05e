"""The records of earlier rounds, read from the log for commands that are about such a round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from punto.service.shoes.encryption import event_of
from punto.service.streams import PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable
from punto.store.interface import Store
from punto.table import acts
from punto.table.corrections.past_rounds import RoundFold
from punto.table.state import EndedRound

_CHANGES = frozenset([kind for kind, event in acts.EVENTS.items() if event.records])


class PastRound(NamedTuple):
    """An earlier round of a table, folded from its log up to and with record `seq`."""

    fold: RoundFold
    seq: int

    @classmethod
    def begin(cls, table: FollowedTable, number: int) -> PastRound | None:
        """Begin as near to the round as the table knows its state. Nothing is read yet. None without such a round."""
        if table.places.round(number) is None:
            return None
        seq, state = table.state_before(number)
        return cls(RoundFold(number, state), seq)

    async def read_on(self, store: Store, table: str, last: int) -> PastRound:
        """Read the log on, up to and with record `last`. Where the shoe of the round is past, little is folded."""
        fold, seq = self
        while seq < last:
            records = await store.read(table_stream(table), seq, min(PAGE, last - seq))
            for record in records:
                if not fold.shoe_is_past or record.kind in _CHANGES:
                    fold = fold.take(event_of(record))
            if not records:
                raise AssertionError(f"the log of {table} ends before record {last}")
            seq = records[-1].seq
        return PastRound(fold, seq)

    def record_after(self, events: Iterable[acts.Event]) -> EndedRound | None:
        """The record of the round after further events, which the log does not have yet."""
        fold = self.fold
        for event in events:
            fold = fold.take(event)
        return fold.record
