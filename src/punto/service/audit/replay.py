"""The replay of an audit: every record of a table must be one that its state can follow, and move what it must.

With the house's key the encrypted shoes are read too: each must be the one committed to, and dealt in its order.
"""

from __future__ import annotations

import json

from punto.ledger.bet_ledger import BetLedger
from punto.ledger.house_moves import DEBT_COLLECTED, TICKETS, house_moves
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.service.audit.actors import Admitted
from punto.service.audit.house_log import STORED_SHEET
from punto.service.money.tickets import TicketNumbers
from punto.service.shoes.encryption import ShoeCipher, event_of, is_encrypted
from punto.service.shoes.house_key import SHOE_KEY, HouseKey
from punto.service.streams import HOUSE_STREAM, table_of
from punto.store.audit import AUDIT_PAGE, Replayer
from punto.store.errors import RefusedStoreError
from punto.store.records import Record
from punto.store.sql import StoreSnapshot
from punto.table import acts
from punto.table.acts.rounds import settle_round
from punto.table.corrections.correct_round import settled_again
from punto.table.draft import Draft
from punto.table.engine import evolve
from punto.table.shoe_proof import broken_by_event
from punto.table.state import EndedRound, State, new_table
from punto.texts import say

ROUNDS_AT_HAND = 1_000
"""The rounds of a table whose corrections an audit works out again; older ones rest on the two who confirmed them."""


class HouseReplay:
    """The replay of the streams of a house.

    Without its `key` the shoes stay encrypted, and are counted.
    """

    def __init__(self, key: HouseKey | None = None) -> None:
        self._stored: dict[str, Sheet] = {}
        self.admitted = Admitted()
        self._key, self._numbers = key, TicketNumbers(key) if key else None
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

    async def learn(self, snapshot: StoreSnapshot) -> None:
        """Learn the sheets and the people of the log, before a table is replayed without the house's own stream."""
        last = 0
        while page := await snapshot.stream(HOUSE_STREAM, last, AUDIT_PAGE):
            for record in [Record(*row) for row in page]:
                self.admitted.take(record)
                if record.kind == STORED_SHEET:
                    self._learn_sheet(record)
            last = page[-1][2]

    def _learn_sheet(self, record: Record) -> str | None:
        try:
            stored = json.loads(record.payload)
            sheet = load(json.loads(stored["canonical"]))
        except (KeyError, TypeError, ValueError, Refused) as error:
            return f"the sheet that it stores cannot be read ({type(error).__name__}: {error})"
        if not sheet.fingerprint == stored.get("fingerprint") == record.body_hash:
            return "the sheet that it stores does not have its fingerprint"
        self._stored[sheet.fingerprint] = sheet
        return None

    def sheet_of(self, opened: acts.TableOpened) -> Sheet | None:
        """The sheet that a table was opened under, if the log has it."""
        return self._stored.get(opened.fingerprint)

    def _event_without_secrets(self, record: Record) -> acts.Event:
        self.left_encrypted += is_encrypted(record)
        return event_of(record)

    def _check_house(self, record: Record, /) -> str | None:
        """Check which key the house was begun with, what its record moves, and who could have written it.

        With another key nothing can be checked.
        """
        self.admitted.take(record)
        if record.kind == SHOE_KEY and self._key and record.body_hash != self._key.fingerprint:
            raise self._key.refuse()
        if record.kind == STORED_SHEET and (problem := self._learn_sheet(record)) is not None:
            return problem
        return self._refuse_moves(record) or self.admitted.refuse_house_record(record)

    def _refuse_moves(self, record: Record) -> str | None:
        """The problem with the postings of a record of the house, which must follow from its payload."""
        try:
            moves = house_moves(record.kind, record.payload)
        except ValueError as error:
            return str(error)
        if record.kind in TICKETS and self._numbers and self._numbers.refuse(moves[0].reference):
            return f"{moves[0].reference} is not a ticket of this house"
        if record.kind == DEBT_COLLECTED and record.key != f":{moves[0].reference}":
            return "its key is not that of what it collects"
        return None if record.moved_by(moves) else f"the postings are not those of a {record.kind}"


class TableReplay:
    """Folds one table's stream and compares the postings of every record with those that follow from its event."""

    def __init__(self, table: str, replay: HouseReplay) -> None:
        self._replay = replay
        self._state: State | None = None
        self._bet_ledger = BetLedger(table)
        self._seq = 0
        self._corrections = Corrections()

    def __call__(self, record: Record, /) -> str | None:
        """The problem with a record, if there is one."""
        try:
            event = self._replay.event_of(record)
            if isinstance(event, acts.TableOpened) and (problem := self._open(event)):
                return problem
            before = self._state
            if before is None:
                return "the log of a table begins with its opening"
            if record.seq != self._seq + 1:
                return f"it cannot follow record {self._seq}"
            moves, bet_ledger = self._bet_ledger.moves(record.seq, event)
            unlike = isinstance(event, acts.RoundSettled) and not settled_alike(before, event)
            unlike = unlike or not self._corrections.follows(before, event)
            self._state = evolve(before, event)
            self._bet_ledger, self._seq = bet_ledger, record.seq
        except Refused as error:
            return say(error.refusal)
        except RefusedStoreError:
            return "the order of its shoe does not open under the key of this house"
        except (AssertionError, KeyError, AttributeError, IndexError, ValueError) as error:
            return f"the event cannot follow what came before ({type(error).__name__}: {error})"
        if not record.moved_by(moves):
            return f"the postings are not those of a {record.kind}"
        if (actor := self._replay.admitted.refuse_actor(event, record.id)) is not None:
            return actor
        if unlike:
            return "the cards and the sheet of the round give another settlement"
        return broken_by_event(before, event)

    def _open(self, opened: acts.TableOpened) -> str | None:
        """Take the sheet that the table is opened under; rounds before keep theirs."""
        sheet = self._replay.sheet_of(opened)
        if sheet is None:
            return f"the sheet {opened.game!r} that the table was opened under is not in the log"
        self._state = new_table(sheet) if self._state is None else self._state._replace(sheet=sheet)
        return None


class Corrections:
    """The last rounds of a table as they stand, by which each correction is worked out again.

    A correction by other cards must give the amounts that those settle, and a void round the stakes. What people
    decided is theirs, but must start from what the bet had returned before.
    """

    def __init__(self) -> None:
        self._rounds: dict[int, EndedRound] = {}

    def follows(self, before: State, event: acts.Event) -> bool:
        """Take the next event. False for a correction whose amounts do not follow from the round."""
        if not event.records:
            return True
        number: int = getattr(event, "round")  # noqa: B009 — of every event that makes or changes a record
        record = self._rounds.get(number)
        follows = record is None or not isinstance(event, acts.RoundAdjusted) or corrected_alike(record, before, event)
        after = event.ended_record(record, before)
        if after is not None:
            self._rounds[number] = after
            self._rounds.pop(number - ROUNDS_AT_HAND, None)
        return follows


def corrected_alike(record: EndedRound, before: State, event: acts.RoundAdjusted) -> bool:
    """True if a correction follows from the round as it stood."""
    stood = [(each.bet, each.returned_cents) for each in (*record.bets, *record.paid)]
    for line in event.lines:
        if (line.bet, line.before_cents) not in stood:
            return False
        if line.correction_cents != line.after_cents - line.before_cents:
            return False
        if event.void and line.after_cents != line.bet.stake_cents:
            return False
    return not event.cards or event.lines == settled_again(before, record, event.cards, event.rule)


def settled_alike(before: State, event: acts.RoundSettled) -> bool:
    """True if a round, dealt and settled again, ends as its record says: every line, every return, the House's part."""
    draft = Draft(before)
    settle_round(draft, event.by)
    return draft.events[0] == event
