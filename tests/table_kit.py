"""A table to play on in tests: short to drive, and every command and event it sees makes a trip through JSON."""

from __future__ import annotations

from importlib import resources
from typing import Any, TypeVar

from punto.protocol.codec import parse_command, parse_event, to_json
from punto.rules.cards import Card, parse_cards
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.corrections.past_rounds import supply
from punto.table.draft import Draft
from punto.table.engine import decide, replay
from punto.table.limits import to_put_right
from punto.table.state import Case, RoundInPlay, Settings, Shoe, State, new_table
from punto.table.values import Decision, Facts
from punto.texts import say

E = TypeVar("E", bound=acts.Event)

DEALER = Actor("dan", Role.DEALER)
SUPERVISOR = Actor("sue", Role.PIT_SUPERVISOR)
MANAGER = Actor("max", Role.PIT_MANAGER)
SHIFT = Actor("shirin", Role.SHIFT_MANAGER)
STAFF = (DEALER, SUPERVISOR, MANAGER, SHIFT)
SECOND = Actor("sam", Role.PIT_SUPERVISOR)
"""Who confirms what others propose."""

# Shorthand for whole rounds, by what happens in them.
NATURAL = "9h 2c Kd 3c"  # Player 9, Banker 5
BANKER_INSURABLE = "5h Kd 6s 6c 9h"  # Player 1 and Banker 6 after four; Player draws 9, Banker stands and wins
BOTH_DRAW = "2h 2d Ks Kc 4h 5d"  # Player 2 draws 4, Banker 2 draws 5: 6 to 7


def patron(name: str) -> Actor:
    return Actor(name)


def sheet_text(game: str, *changes: tuple[str, str]) -> str:
    """The text of a built-in sheet with these changes."""
    text = (resources.files("punto.sheets") / f"{game}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


class Play:
    """A table under test, its log, and the money of its patrons followed from the events alone."""

    def __init__(self, game: str, *, shoe: str | None = "", opened: bool = True, **settings: Any) -> None:
        self.sheet = load(game)
        self.state: State = new_table(self.sheet)
        self.log: list[acts.Event] = []
        self.given: list[tuple[acts.Command, tuple[acts.Event, ...] | Refusal]] = []
        self.altered = False
        if opened:
            layouts = self.sheet.boxes.layouts
            where: dict[str, Any] = {"layout": layouts[0].id} if layouts else {"boxes": 9}
            asked_by = "ann" if settings.get("without_insurance") else None
            limits = {"minimum_cents": 2_500, "differential_cents": 100_000, "unit_cents": 100, "decks": 8}
            self.do(acts.OpenTable(SUPERVISOR, self.sheet.id, Settings("t1", **(limits | where | settings)), asked_by))
            if shoe is not None:
                self.do(acts.LoadShoe(DEALER, parse_cards(shoe)))

    def do(self, command: acts.Command) -> tuple[acts.Event, ...]:
        """Decide and evolve; the command must not be refused."""
        answer = self.decide(command)
        assert not isinstance(answer, Refusal), f"{to_json(command)} was refused: {answer}"
        events = tuple(answer)
        for event in events:
            assert parse_event(to_json(event)) == event
        self.state = answer.state
        self.log.extend(events)
        self.given.append((command, events))
        return events

    def confirmed(self, command: acts.Command) -> tuple[acts.Event, ...]:
        """Do a command. If it waits for a second person, one approves it."""
        events = self.do(command)
        if self.of(acts.ConfirmationAsked, events):
            events += self.do(acts.Decide(SECOND, Decision.APPROVE))
        return events

    def decide(self, command: acts.Command) -> Draft | Refusal:
        """What the table would answer. A refusal changes nothing, so it counts as given."""
        assert parse_command(to_json(command)) == command
        answer = decide(self.state, supply(self.state, command, lambda: self.log))
        if isinstance(answer, Refusal):
            self.given.append((command, answer))
        return answer

    def alter_shoe(self, **changes: Any) -> None:
        """Change the shoe by hand. What is given to such a table is no record of it."""
        assert self.state.shoe is not None
        self.state = self.state._replace(shoe=self.state.shoe._replace(**changes))
        self.altered = True

    def refused(self, command: acts.Command) -> tuple[str, str | None]:
        """The code and paragraph of a command that must be refused."""
        refusal = self.decide(command)
        assert isinstance(refusal, Refusal), f"{to_json(command)} was done: {refusal}"
        assert say(refusal, sheet=self.sheet)
        return refusal.code, refusal.rule

    # ------------------------------------------------------------------ what is there

    @property
    def round(self) -> RoundInPlay:
        assert self.state.round is not None
        return self.state.round

    @property
    def shoe(self) -> Shoe:
        assert self.state.shoe is not None
        return self.state.shoe

    @property
    def case(self) -> Case:
        assert self.state.case is not None
        return self.state.case

    @property
    def settings(self) -> Settings:
        assert self.state.settings is not None
        return self.state.settings

    # ------------------------------------------------------------------ shorthand

    def sit(self, *patrons: str) -> Play:
        for box, name in enumerate(patrons, 1):
            self.do(acts.Sit(patron(name), name, box))
        return self

    def bet(self, name: str, on: str, stake: int, box: int | None = None) -> tuple[acts.Event, ...]:
        return self.do(self.placing(name, on, stake, box))

    def placing(self, name: str, on: str, stake: int, box: int | None = None) -> acts.PlaceBet:
        box = box or self.state.sits_at(name) or next(b for b, who in self.state.standing if who == name)
        return acts.PlaceBet(patron(name), name, box, on, Cents(stake))

    def open(self, *bets: tuple[str, str, int]) -> Play:
        self.do(acts.OpenBets(DEALER))
        for name, on, stake in bets:
            self.bet(name, on, stake)
        return self

    def close(self) -> Play:
        """Close bets. With known bets outside the limits the call was made all the same."""
        self.do(acts.CloseBets(DEALER, "the call was made" if to_put_right(self.state) else None))
        return self

    def deal(self, cards: str) -> Play:
        """These cards one by one, from a shoe that is read as they come."""
        for card in parse_cards(cards):
            self.do(acts.Deal(DEALER, card))
        return self

    def settle(self) -> acts.RoundSettled:
        return self.of(acts.RoundSettled, self.do(acts.Settle(DEALER)))[0]

    def report(self, situation: str, by: Actor = DEALER, **facts: Any) -> tuple[acts.Event, ...]:
        return self.do(self.reporting(situation, by, **facts))

    def reporting(self, situation: str, by: Actor = DEALER, **facts: Any) -> acts.Report:
        if isinstance(facts.get("cards"), str):
            facts["cards"] = parse_cards(facts["cards"])
        return acts.Report(by, situation, Facts(**facts))

    def of(self, kind: type[E], events: tuple[acts.Event, ...] | None = None) -> list[E]:
        """The events of a kind, of these or of the whole log."""
        return [event for event in (self.log if events is None else events) if isinstance(event, kind)]

    # ------------------------------------------------------------------ what must hold

    @property
    def cards(self) -> tuple[Card, ...]:
        return self.round.cards

    def backs(self) -> dict[tuple[str, str], int]:
        """What each bet gave back in the end, by patron and bet."""
        back: dict[tuple[str, str], int] = {}
        for event in self.log:
            lines: tuple[Any, ...] = ()
            if isinstance(event, acts.RoundSettled):
                lines = (*event.lines, *event.returned)
            elif isinstance(event, acts.BetsReturned | acts.RoundVoided):
                lines = event.lines
            for line in lines:
                key = (line.bet.patron, line.bet.on)
                back[key] = back.get(key, 0) + line.returned_cents
        return back

    def replays(self) -> None:
        assert replay(self.sheet, self.log) == self.state
