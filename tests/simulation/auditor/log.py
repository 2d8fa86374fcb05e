"""The log of a table, read record by record: who acted, what was approved, and the money that each event moves."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.games import GAMES, Game
from tests.simulation.auditor.people import Actor, People
from tests.simulation.auditor.rounds import offers
from tests.simulation.auditor.rows import Posting, Row
from tests.simulation.auditor.settling import Spot
from tests.simulation.auditor.state import IN_CASH, Round, TableState

Event = dict[str, Any]
Move = tuple[str, str, list[tuple[str, int]]]
"""A reason, a reference and what accounts get or give."""


def cards_of(text: str | None) -> list[str]:
    """Cards as the log writes them."""
    return text.split() if text else []


def odds_of(text: str | None) -> tuple[int, int]:
    """Odds such as `12:1` or `0.95:1`, in whole numbers."""
    win, _, stake = (text or "0:1").partition(":")
    ratio = Fraction(win) / Fraction(stake)
    return ratio.numerator, ratio.denominator


class Log:
    """What every part of a table's log shares. A method `on_...` checks an event and takes it into the state."""

    def __init__(self, table: str, findings: Findings, people: People, net: Counter[str]) -> None:
        self.state = TableState(table)
        self._findings, self._people, self._net = findings, people, net
        self._row: Row | None = None
        self._first_of_command = True
        self._moves: list[Move] = []
        self._bets: list[Event] = []
        self._before: dict[Spot, int] = {}
        self._expected: deque[Event] = deque()
        self._approved = False
        self._decided: tuple[int, str] | None = None
        self._actor = Actor("patron:nobody")
        self._methods: dict[str, Callable[[Event], None] | None] = {}

    @property
    def game(self) -> Game:
        """The sheet of the table."""
        return GAMES[self.state.now.game]

    def wrong(self, what: str, invariant: str = "I9") -> None:
        """Note a violation at the present record."""
        row = self._row
        assert row is not None
        self._findings.add(invariant, f"at {row.time_ms} {row.where}", what)

    def take(self, row: Row, postings: list[Posting]) -> Event:
        """Take the next record; its event."""
        event: Event = json.loads(row.payload)
        before, self._row, self._moves = self._row, row, []
        goes_on = before is not None and before.key is None and f'"by":"{event["by"]}"' in before.payload
        self._first_of_command = not goes_on
        kind = row.kind
        if event.get("kind") != kind:
            self.wrong(f"its payload is a {event.get('kind')}", "I5")
        self._approved = bool(self._expected)
        self._actor = self._people.check_actor(row, event, self.state.duty, approved=self._approved)
        if self._approved:
            self._check_approved(event)
        if kind.startswith("bet-") and self.state.round and not self._bets:
            self._before = dict(self.state.round.stakes)
        if kind not in self._methods:
            self._methods[kind] = getattr(self, "on_" + kind.replace("-", "_"), None)
        if (method := self._methods[kind]) is not None:
            try:
                method(event)
            except (KeyError, IndexError, AttributeError, AssertionError) as error:
                self.wrong(f"it cannot follow what was before it ({error!r})")
        self._check_postings(postings)
        if kind.startswith("bet-"):
            self._bets.append(event)
        if row.key is not None:
            self._end_unit()
        return event

    def _check_postings(self, postings: list[Posting]) -> None:
        """Compare the postings of a record with what its event moves."""
        if not postings and not self._moves:
            return
        expected = [
            (number, reason, reference, account, cents)
            for number, (reason, reference, amounts) in enumerate(self._moves, 1)
            for account, cents in amounts
            if cents
        ]
        if expected != [posting[2:7] for posting in postings]:
            self.wrong(f"its event moves {expected}, and its postings are {postings}", "I7")

    def _holder(self, patron: str) -> str:
        return f"chips:{self.state.table}" if patron.startswith(IN_CASH) else f"patron:{patron}"

    def _reference(self, number: int) -> str:
        assert self._row is not None
        return f"{self.state.table}/{number}/{self._row.seq}"

    def _stake(self, patron: str, cents: int, reference: str) -> None:
        self._moves.append(("stake", reference, [(self._holder(patron), -cents), (f"bets:{self.state.table}", cents)]))

    def _end_bet(self, reason: str, reference: str, patron: str, stake: int, returned: int) -> None:
        table = self.state.table
        amounts = [(f"bets:{table}", -stake), (self._holder(patron), returned), (f"house:{table}", stake - returned)]
        self._moves.append((reason, reference, amounts))
        self._net[patron] += returned - stake

    def _round(self, event: Event) -> Round:
        """The round in progress, which the event must be about."""
        round_ = self.state.round
        if round_ is None:
            raise AssertionError("no round is in progress")
        if event.get("round", round_.number) != round_.number:
            self.wrong(f"it is about round {event['round']}, and round {round_.number} is in progress")
        return round_

    def _remove(self, patrons: set[str]) -> None:
        state = self.state
        state.seats = {box: patron for box, patron in state.seats.items() if patron not in patrons}
        state.standing = {place for place in state.standing if place[1] not in patrons}

    def _end_squeezes(self, patrons: set[str]) -> None:
        if round_ := self.state.round:
            round_.squeezers = {place: who for place, who in round_.squeezers.items() if who not in patrons}

    def _by_automat(self) -> None:
        """At an automatic table nobody but the house itself deals and calls."""
        if not self.state.now.live and self._actor.person != "automat":
            self.wrong(f"{self._actor.person} deals at an automatic table", "I8")

    def _offers_now(self, round_: Round) -> dict[str, tuple[int, tuple[int, int]]]:
        if not self.game.insured or self.state.now.without_insurance:
            return {}
        if round_.waived and len(round_.cards) == 5:
            return {}
        return offers(round_.open_cards)

    def _end_unit(self) -> None:
        """Check, after a whole command, what holds for all of its events together."""
        bets, self._bets = self._bets, []
        if bets and self.state.round and not self.state.round.ended:
            self.check_bets(bets)
        self._decided = None

    def check_bets(self, bets: list[Event]) -> None:
        """Check the bets of a whole command."""

    def _check_approved(self, event: Event) -> None:
        """What follows an approval is what was proposed."""
        proposed = self._expected.popleft()
        if proposed != event:
            self.wrong(f"{proposed} was proposed and approved")

    def _needs_second_person(self) -> None:
        """Voids, corrections and decided amounts take two people where the table says so."""
        if not self.state.now.second_person or self._approved:
            return
        cases = [*self.state.cases.values()]
        reported_by = cases[-1]["person"] if cases else None
        if self._decided is None or self._decided[1] == reported_by:
            self.wrong("one person alone did it", "I8")
