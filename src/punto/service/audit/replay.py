"""The replay of an audit: every record of a table must be one that its state can follow, and move what it must.

With the house's key the encrypted shoes are read too: each must be the one committed to, and dealt in its order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.moves import Reason, collect
from punto.rules.loader import load
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.service.audit.house_log import DEBT_COLLECTED
from punto.service.shoes.encryption import ShoeCipher, event_of, is_encrypted
from punto.service.shoes.house_key import SHOE_KEY, HouseKey
from punto.service.streams import HOUSE_STREAM, table_of
from punto.store.audit import RawPosting, Replayer
from punto.store.errors import RefusedStoreError
from punto.store.records import Record, moved_rows
from punto.table import events as e
from punto.table.evolve import evolve
from punto.table.shoe_proof import broken_by_event
from punto.table.state import State, new_table
from punto.texts import say


class HouseReplay:
    """How the streams of a house are replayed.

    `sheets` are the paths of sheets of its own. Without its `key` the shoes stay encrypted, and are counted.
    """

    def __init__(self, sheets: Sequence[str] = (), key: HouseKey | None = None) -> None:
        self._own = {load(path).id: path for path in sheets}
        self._key = key
        self.event_of = ShoeCipher(key).event_of if key is not None else self._event_without_secrets
        """Reads the event of a record, as far as it can be decrypted."""
        self.left_encrypted = 0

    def __call__(self, stream: str) -> Replayer | None:
        """The replayer of a stream, or None for one with nothing to replay."""
        table = table_of(stream)
        return self.of_the_house(stream) if table is None else TableReplay(table, self)

    def of_the_house(self, stream: str) -> Replayer | None:
        """The replayer of a stream that is no table's."""
        return self._check_house if stream == HOUSE_STREAM else None

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a game by its id."""
        return load(self._own.get(game, game))

    def _event_without_secrets(self, record: Record) -> e.Event:
        self.left_encrypted += is_encrypted(record)
        return event_of(record)

    def _check_house(self, record: Record, postings: list[RawPosting], /) -> str | None:
        """Check which key the house was begun with, and what it has collected.

        With another key nothing can be checked.
        """
        if record.kind == SHOE_KEY and self._key and json.loads(record.payload).get("mark") != self._key.fingerprint:
            raise self._key.refuse()
        if record.kind == DEBT_COLLECTED:
            return _check_collected(record, postings)
        collects = any(reason == Reason.COLLECT for _, _, reason, *_ in postings)
        return f"a {record.kind} collects no debt" if collects else None


def _check_collected(record: Record, postings: list[RawPosting]) -> str | None:
    """What is wrong with a record that takes a debt from a patron's credit, if anything."""
    try:
        told = json.loads(record.payload)
        move = collect(told["patron"], told["cents"], told["reference"])
    except (KeyError, TypeError, ValueError) as error:
        return f"what it collects cannot be read ({type(error).__name__}: {error})"
    if record.key != f":{move.reference}":
        return "its key is not that of what it collects"
    if postings != moved_rows(record.id, [move]):
        return f"the postings are not those of a {record.kind}"
    return None


class TableReplay:
    """Folds one table's stream and compares the postings of every record with those that follow from its event."""

    def __init__(self, table: str, replay: HouseReplay) -> None:
        self._replay = replay
        self._state: State | None = None
        self._bet_ledger = BetLedger(table)
        self._seq = 0

    def __call__(self, record: Record, postings: list[RawPosting], /) -> str | None:
        """What is wrong with a record, if anything."""
        try:
            event = self._replay.event_of(record)
            before = self._state or self._begun(event)
            if before is None:
                return "the log of a table begins with its opening"
            if record.seq != self._seq + 1:
                return f"it cannot follow record {self._seq}"
            moves, bet_ledger = self._bet_ledger.moves(record.seq, event)
            self._state = evolve(before, event)
            self._bet_ledger, self._seq = bet_ledger, record.seq
        except RefusedError as error:
            return say(error.refusal)
        except RefusedStoreError:
            return "the order of its shoe does not open under the key of this house"
        except (AssertionError, KeyError, AttributeError, IndexError, ValueError) as error:
            return f"the event cannot follow what came before ({type(error).__name__}: {error})"
        if postings != (expected := moved_rows(record.id, moves)):
            return f"the postings are not those of a {record.kind}: {len(postings)} are there, {len(expected)} follow"
        return broken_by_event(before, event)

    def _begun(self, event: e.Event) -> State | None:
        return new_table(self._replay.sheet_of(event.game)) if isinstance(event, e.TableOpened) else None
