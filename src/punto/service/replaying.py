"""The replay of an audit: every record of a table must be one that its state can follow, and move what it must."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from punto.rules.loader import load
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.service.follow import FollowedTable
from punto.service.runner import read_record
from punto.store.audit import Replayer
from punto.store.records import PostingRow, Record, posting_rows
from punto.table import events as e

TABLES = "table:"


class TableReplay:
    """Folds one table's stream and compares the postings of every record with those that follow from its event."""

    def __init__(self, table: str, sheet_of: Callable[[str], Sheet]) -> None:
        self._table, self._sheet_of = table, sheet_of
        self._followed: FollowedTable | None = None

    def __call__(self, record: Record, postings: Sequence[PostingRow], /) -> str | None:
        """What is wrong with a record, if anything."""
        try:
            happened = read_record(record)
            if self._followed is None:
                if not isinstance(happened.event, e.TableOpened):
                    return "the log of a table begins with its opening"
                self._followed = FollowedTable(self._table, self._sheet_of(happened.event.game))
            expected = posting_rows(self._followed.apply(happened))
        except RefusedError as error:
            return error.refusal.message
        except (AssertionError, KeyError, AttributeError, IndexError, ValueError) as error:
            return f"the event cannot follow what came before ({type(error).__name__}: {error})"
        if list(postings) != expected:
            return f"the postings are not those of a {record.kind}: {len(postings)} are there, {len(expected)} follow"
        return None


def replay_of(sheets: Sequence[str] = ()) -> Callable[[str], Replayer | None]:
    """How the streams of a house are replayed; `sheets` are the paths of sheets of its own."""
    own = {load(path).id: path for path in sheets}

    def replay(stream: str) -> Replayer | None:
        if not stream.startswith(TABLES):
            return None
        return TableReplay(stream.removeprefix(TABLES), lambda game: load(own.get(game, game)))

    return replay
