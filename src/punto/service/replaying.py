"""The replay of an audit: every record of a table must be one that its state can follow, and move what it must.

With the house's key the sealed shoes are opened too: each must be the one promised, and dealt in its order.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from punto.rules.cards import write_cards
from punto.rules.loader import load
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.service.desk import DESK
from punto.service.follow import FollowedTable, Happened
from punto.service.sealing import SHOE_KEY, Seals, is_sealed, read_record
from punto.service.shuffle import commit
from punto.store.audit import Replayer
from punto.store.errors import RefusedStoreError
from punto.store.records import PostingRow, Record, posting_rows
from punto.table import events as e
from punto.table.state import State, known_cards

TABLES = "table:"


class HouseReplay:
    """How the streams of a house are replayed.

    `sheets` are the paths of sheets of its own. Without `seals` the shoes stay sealed, and are counted.
    """

    def __init__(self, sheets: Sequence[str] = (), seals: Seals | None = None) -> None:
        self._own = {load(path).id: path for path in sheets}
        self._seals = seals
        self.left_sealed = 0

    def __call__(self, stream: str) -> Replayer | None:
        """The replayer of a stream, or None for one with nothing to replay."""
        if not stream.startswith(TABLES):
            return self.of_the_house(stream)
        return TableReplay(stream.removeprefix(TABLES), self)

    def of_the_house(self, stream: str) -> Replayer | None:
        """The replayer of a stream that is no table's."""
        return self._check_key if stream == DESK and self._seals is not None else None

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a game by its id."""
        return load(self._own.get(game, game))

    def read(self, record: Record) -> Happened:
        """A record as an event, as far as it can be opened."""
        if self._seals is not None:
            return self._seals.read(record)
        self.left_sealed += is_sealed(record)
        return read_record(record)

    def _check_key(self, record: Record, _postings: Sequence[PostingRow], /) -> str | None:
        """The desk's stream says which key the house was begun with: with another one nothing can be checked."""
        if record.kind == SHOE_KEY and self._seals and json.loads(record.payload).get("mark") != self._seals.mark:
            raise self._seals.refuse()
        return None


class TableReplay:
    """Folds one table's stream and compares the postings of every record with those that follow from its event."""

    def __init__(self, table: str, house: HouseReplay) -> None:
        self._table, self._house = table, house
        self._followed: FollowedTable | None = None

    def __call__(self, record: Record, postings: Sequence[PostingRow], /) -> str | None:
        """What is wrong with a record, if anything."""
        try:
            happened = self._house.read(record)
            if self._followed is None:
                if not isinstance(happened.event, e.TableOpened):
                    return "the log of a table begins with its opening"
                self._followed = FollowedTable(self._table, self._house.sheet_of(happened.event.game))
            before = self._followed.state
            expected = posting_rows(self._followed.apply(happened))
        except RefusedError as error:
            return error.refusal.message
        except RefusedStoreError:
            return "the order of its shoe does not open under the key of this house"
        except (AssertionError, KeyError, AttributeError, IndexError, ValueError) as error:
            return f"the event cannot follow what came before ({type(error).__name__}: {error})"
        if list(postings) != expected:
            return f"the postings are not those of a {record.kind}: {len(postings)} are there, {len(expected)} follow"
        return _broken_promise(before, happened.event)


def _broken_promise(state: State, event: e.Event) -> str | None:
    """Whether a shoe that was opened is not the one promised, or a card not the next of its order."""
    match event:
        case e.ShoeLoaded(salt=str(salt)) if commit(event.cards, bytes.fromhex(salt)) != event.commitment:
            return "the shoe is not the one that was promised"
        case e.CardDealt(carried=False) if state.shoe and state.shoe.order:
            order, drawn = state.shoe.order, state.shoe.drawn
            if drawn >= len(order) or order[drawn] != event.card:
                return f"{event.card.text} is not the next card of its shoe"
        case e.CardsRelaid() if state.shoe and state.shoe.order:
            known, now = known_cards(state), (*event.after, *event.carried, *event.burned)
            if now != (*known, *state.shoe.order[state.shoe.drawn :][: len(now) - len(known)]):
                return f"{write_cards(now)} is not what left its shoe"
    return None
