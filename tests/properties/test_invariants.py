"""Random play at tables of all five games, and what must hold after every step."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from punto.ledger.balances import Balances
from punto.ledger.bet_ledger import BetLedger
from punto.protocol.codec import parse_command, parse_event, to_json
from punto.rules.hands import Hand
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refusal
from punto.rules.tableau import next_hand
from punto.table import acts
from punto.table.act import kind_of
from punto.table.engine import decide, replay
from punto.table.phases import Phase, phase_of
from punto.table.refusals import TABLE_REFUSALS
from punto.table.state import State
from punto.table.values import Spot, spot_of
from punto.texts import say
from tests.filling import anything
from tests.properties import walk
from tests.properties.walk import ACTORS, PATRONS, RECORDS, next_command, opened

STEPS = 120
WILD = 0.3
"""How many of the commands are about anything and anyone."""
HELD_CENTS = 10**15
PLAYERS = (*PATRONS, *[f"newcomer-{number}" for number in range(1, 30)])


class Audit:
    """Follows the money from events alone, knowing nothing of how the table works."""

    def __init__(self) -> None:
        self.lies: dict[Spot, int] = {}
        self.patrons: Counter[str] = Counter()
        self.house = 0
        self.ended: set[tuple[int, Spot]] = set()
        self.returned: dict[tuple[int, Spot], int] = {}
        self.stakes: dict[tuple[int, Spot], int] = {}
        self.void: set[int] = set()

    def see(self, event: acts.Event) -> None:
        match event:
            case acts.BetPlaced(bet=bet):
                assert spot_of(bet) not in self.lies
                self.lies[spot_of(bet)] = bet.stake_cents
                self.patrons[bet.patron] -= bet.stake_cents
            case acts.BetRaised(bet=bet, added_cents=added):
                self.lies[spot_of(bet)] += added
                self.patrons[bet.patron] -= added
                assert self.lies[spot_of(bet)] == bet.stake_cents
            case acts.BetWithdrawn(bet=bet, returned_cents=back) | acts.BetDisplaced(bet=bet, returned_cents=back):
                assert self.lies[spot_of(bet)] == bet.stake_cents
                assert 0 < back <= bet.stake_cents
                self.lies[spot_of(bet)] -= back
                self.patrons[bet.patron] += back
                if not self.lies[spot_of(bet)]:
                    del self.lies[spot_of(bet)]
            case acts.BetsReturned(round=number, lines=lines) | acts.RoundVoided(round=number, lines=lines):
                for line in lines:
                    self.end(number, line.bet, line.returned_cents)
                if isinstance(event, acts.RoundVoided):
                    self.void.add(number)
            case acts.RoundSettled(round=number, lines=settled, returned=returned, house_cents=house):
                before = self.house
                for paid in settled:
                    self.end(number, paid.bet, paid.returned_cents)
                for line in returned:
                    self.end(number, line.bet, line.returned_cents)
                assert self.house - before == house
            case acts.BetsPaid(round=number, lines=paid_lines):
                for decided in paid_lines:
                    self.end(number, decided.bet, decided.returned_cents)
            case acts.AmountDecided(patron=patron, amount_cents=amount):
                self.patrons[patron] += amount
                self.house -= amount
            case acts.RoundAdjusted(round=number, lines=corrections):
                for each in corrections:
                    assert each.correction_cents == each.after_cents - each.before_cents
                    assert self.returned[number, spot_of(each.bet)] == each.before_cents, "a line that does not stand"
                    self.returned[number, spot_of(each.bet)] = each.after_cents
                    self.patrons[each.bet.patron] += each.correction_cents
                    self.house -= each.correction_cents
                if event.void:
                    self.void.add(number)
                    self.voided(number)
            case acts.RoundClosed(round=number):
                assert self.lies == {}, "a bet without an end"
                if number in self.void:
                    self.voided(number)

    def voided(self, number: int) -> None:
        """Every bet of a void round has returned its stake, those paid by decision before it, too."""
        back = {spot: cents for (of, spot), cents in self.returned.items() if of == number}
        assert back == {spot: cents for (of, spot), cents in self.stakes.items() if of == number}

    def end(self, number: int, bet: Any, back: int) -> None:
        spot = spot_of(bet)
        assert (number, spot) not in self.ended, "a bet ended twice"
        self.ended.add((number, spot))
        self.returned[number, spot] = back
        stake = self.stakes[number, spot] = self.lies.pop(spot)
        assert stake == bet.stake_cents
        self.patrons[bet.patron] += back
        self.house += stake - back


class Unseen:
    """Counts from events alone the cards that left the shoe and that nobody saw.

    Such cards are closed now, were closed when their round was void, or were burned.
    """

    def __init__(self) -> None:
        self.closed: set[tuple[int, int]] = set()
        self.gone = 0

    @property
    def count(self) -> int:
        return self.gone + len(self.closed)

    def see(self, event: acts.Event) -> None:
        match event:
            case acts.ShoeLoaded():
                self.closed.clear()
                self.gone = 0
            case acts.CardDealt(closed=True):
                self.closed.add((event.round, event.place))
            case acts.CardOpened():
                self.closed.remove((event.round, event.place))
            case acts.CardsBurned():
                self.gone += event.unseen
            case acts.RoundVoided():
                self.gone += len(self.closed)
                self.closed.clear()
            case acts.CardsReordered():
                self.closed.clear()


class Watched:
    """A table in play, its money, and what was seen there."""

    def __init__(self, game: str, seed: int, seen: Counter[str]) -> None:
        self.sheet, self.seen, self.chance = load(game), seen, Random(f"{game}/{seed}")
        self.audit, self.unseen = Audit(), Unseen()
        self.bet_ledger = BetLedger("t1")
        self.balances = Balances(dict.fromkeys([f"patron:{name}" for name in PLAYERS], HELD_CENTS))
        self.taken = 0
        self.state: State = opened(game, self.chance)
        self.take()

    def play(self) -> None:
        """A command that the table offers, or any other."""
        command = next_command(self.state, self.chance)
        if command is None or self.chance.random() < WILD:
            actor, kind = self.chance.choice(ACTORS), self.chance.choice([*acts.COMMANDS])
            command = anything(self.state, actor, kind, self.chance, PATRONS, wild=True)
        self.give(command)
        self.money_is_conserved()
        self.the_phase_is_the_cards()
        self.the_limits_hold()
        self.the_shoe_counts()

    def give(self, command: acts.Command) -> None:
        assert parse_command(to_json(command)) == command
        answer = decide(self.state, RECORDS.supply(self.state, command))
        if isinstance(answer, Refusal):
            assert type(answer) in TABLE_REFUSALS
            assert say(answer, sheet=self.sheet)
            assert say(answer, "zh-Hans", self.sheet)
            assert answer.rule is None or answer.rule in self.sheet.paragraphs
            return
        assert self.state.phase in command.during
        for event in answer:
            self.state = RECORDS.evolve(self.state, event)
        self.take()

    def take(self) -> None:
        """See what was written since."""
        for number, event in enumerate(RECORDS.log[self.taken :], self.taken + 1):
            assert parse_event(to_json(event)) == event
            self.audit.see(event)
            self.unseen.see(event)
            transfers, self.bet_ledger = self.bet_ledger.moves(number, event)
            assert self.balances.apply(transfers) is None
            self.seen[kind_of(type(event))] += 1
        self.taken = len(RECORDS.log)

    # ------------------------------------------------------------------ what must hold

    def money_is_conserved(self) -> None:
        assert sum(self.audit.patrons.values()) + sum(self.audit.lies.values()) + self.audit.house == 0
        held = self.balances.snapshot()
        assert sum(held.values()) == len(PLAYERS) * HELD_CENTS
        assert held.get("house:t1", 0) == self.audit.house
        assert held.get("bets:t1", 0) == sum(self.audit.lies.values())
        for name in PLAYERS:
            assert held[f"patron:{name}"] + held.get(f"owed:{name}", 0) == HELD_CENTS + self.audit.patrons[name]
        bets = self.state.round.bets if self.state.round else {}
        assert {spot: bet.stake_cents for spot, bet in bets.items()} == self.audit.lies

    def the_phase_is_the_cards(self) -> None:
        state = self.state
        phase = state.case.resume if state.case and state.phase is Phase.HELD else state.phase
        assert (state.phase is Phase.HELD) == (state.case is not None)
        if state.round is None:
            assert phase in {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS}
            return
        cards, waiting = state.round.cards, state.round.waiting
        assert not waiting or not waiting[0].is_open
        for place in range(len(cards)):
            assert next_hand(cards[:place]) is not None
        if phase is Phase.BETTING:
            assert cards == ()
            assert not waiting
        elif phase is Phase.FIRST_WINDOW:
            assert len(cards) == 4
        elif phase is Phase.SECOND_WINDOW:
            assert len(cards) == 5
        else:
            assert phase is phase_of(cards, len(waiting), waived=state.round.waived)

    def the_limits_hold(self) -> None:
        """Where nothing is recorded as it lies: no box over the Differential, no original bet below the minimum."""
        state = self.state
        if state.round is None or state.settings is None or state.settings.live:
            return
        limits, sums = state.settings.limits, Counter[tuple[int, str]]()
        for spot, bet in state.round.bets.items():
            if spot.on in set(Hand):
                assert bet.stake_cents >= limits.minimum_cents
                sums[spot.box, spot.on] += bet.stake_cents
        # Bets may have left the round since they closed, and a Differential with them.
        if state.phase is Phase.BETTING and self.sheet.limits is not None:
            for box in state.round.boxes:
                assert abs(sums[box, Hand.PLAYER] - sums[box, Hand.BANKER]) <= limits.differential_cents

    def the_shoe_counts(self) -> None:
        shoe = self.state.shoe
        if shoe is not None:
            assert sum(shoe.seen.values()) + self.unseen.count == shoe.drawn <= shoe.size
            assert max(shoe.seen.values(), default=0) <= self.sheet.decks.minimum


USUAL = {
    *("table-opened", "shoe-loaded", "patron-seated", "bet-placed", "bet-raised", "bet-withdrawn", "bets-opened"),
    *("bets-closed", "card-dealt", "result-declared", "round-settled", "round-voided", "round-closed"),
    *("incident-reported", "incident-ruled", "decision-made", "case-closed"),
}
"""What a few walks always reach."""
RARE = {"approval-asked", "bets-paid", "correction-asked", "limits-lifted", "pro-rata-decided", "raise-asked"}
"""What even many walks hardly reach: the tables of `tests/rulebook` do."""


@pytest.fixture(autouse=True)
def troubled(monkeypatch: pytest.MonkeyPatch) -> None:
    """More goes wrong here than at the table of other walks."""
    for kind in ("report", "announce-insurance", "decline-insurance"):
        monkeypatch.setitem(walk.WEIGHTS, kind, 2)


def survive(game: str, walks: int) -> Counter[str]:
    """Play so many walks; how often each event was written."""
    seen: Counter[str] = Counter()
    for seed in range(walks):
        watched = Watched(game, seed, seen)
        for _ in range(STEPS):
            watched.play()
        assert replay(watched.sheet, RECORDS.log) == watched.state
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_random_play_keeps_the_invariants(game: str) -> None:
    assert survive(game, 25).keys() >= USUAL


@pytest.mark.slow
def test_random_play_keeps_the_invariants_for_long() -> None:
    seen = sum([survive(game, 250) for game in GAMES], Counter[str]())
    assert set(acts.EVENTS) - seen.keys() <= RARE
