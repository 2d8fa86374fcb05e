"""No card leaks before it is open: whatever anyone is shown is the same for every value that a closed card may have.

A table is played at random. Then the same commands are given to a second table whose shoe differs in the cards that
nobody has seen: those closed now and those still to come. Nobody at the one table may see, do or be refused anything
that they would not at the other.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from punto.rules.cards import DECK, Card
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.tableau import banker_always_draws
from punto.table import acts
from punto.table.actor import Actor
from punto.table.engine import choices, decide, evolve
from punto.table.state import Settings, State, new_table
from punto.table.values import Consent, Decision, SqueezeOf
from punto.table.views import visible_cards
from tests.table_kit import DEALER, SHIFT, SUPERVISOR

PATRONS = ("ann", "bo")
VIEWERS = (DEALER, SUPERVISOR, SHIFT, *[Actor(name) for name in PATRONS])


class Table:
    """A face-down table of a virtual shoe, the commands given to it and the events that followed."""

    def __init__(self, game: str, order: tuple[Card, ...]) -> None:
        self.sheet = load(game)
        self.state: State = new_table(self.sheet)
        self.log: list[acts.Event] = []
        self.given: list[acts.Command] = []
        layouts = self.sheet.boxes.layouts
        opening = acts.OpenTable(SUPERVISOR, game, Settings("t1", 4, Cents(100), Cents(100_000), face_down=True))
        where: dict[str, Any] = {"layout": layouts[0].id} if layouts else {"boxes": 5}
        consent = Consent.ALWAYS if self.sheet.insurance else None
        self.give(replace(opening, settings=replace(opening.settings, waiver_consent=consent, **where)))
        self.give(acts.LoadShoe(DEALER, order, 150))
        for box, name in enumerate(PATRONS, 1):
            self.give(acts.Sit(Actor(name), name, box))
        self.given.clear()

    def give(self, command: acts.Command) -> str | None:
        """Give a command. Returns the code of its refusal."""
        self.given.append(command)
        answer = decide(self.state, command)
        if isinstance(answer, Refusal):
            return answer.code
        for event in answer:
            self.state = evolve(self.state, event)
        self.log += answer
        return None

    def shown(self) -> tuple[object, ...]:
        """All that anyone is shown: the cards, the events, what each viewer may do, and the state but for the cards."""
        state, round_ = self.state, self.state.round
        told = [choices(state, viewer) for viewer in VIEWERS]
        rest = state._replace(
            shoe=state.shoe and state.shoe._replace(order=()),
            round=round_ and round_._replace(waiting=()),
        )
        return visible_cards(state), [event.public() for event in self.log], told, rest


def unseen(table: Table) -> list[int]:
    """The places of the shoe's order that nobody has seen: of closed cards, and of those still to come."""
    shoe = table.state.shoe
    assert shoe is not None
    dealt = [event for event in table.log if isinstance(event, acts.CardDealt)]
    opened = {(event.round, event.place) for event in table.log if isinstance(event, acts.CardOpened)}
    closed = [at for at, event in enumerate(dealt) if event.closed and (event.round, event.place) not in opened]
    return [*closed, *range(shoe.drawn, shoe.size)]


def with_other_cards(table: Table, game: str, order: tuple[Card, ...], chance: Random) -> Table:
    """A table with other cards where nobody has seen any, and the same commands given to it."""
    places = unseen(table)
    cards = [order[place] for place in places]
    chance.shuffle(cards)
    swapped = dict(zip(places, cards, strict=True))
    other = Table(game, tuple([swapped.get(place, card) for place, card in enumerate(order)]))
    for command in table.given:
        other.give(command)
    return other


def next_command(table: Table, chance: Random) -> acts.Command:
    """A command that goes on, or a request, an opening or a report by anyone."""
    state, patron = table.state, chance.choice(PATRONS)
    anyone = chance.choice(VIEWERS)
    going_on = {
        "between-rounds": acts.OpenBets(DEALER),
        "betting": acts.CloseBets(DEALER),
        "result": acts.Settle(DEALER),
        "held": acts.Decide(VIEWERS[2], chance.choice([Decision.VOID, Decision.CONTINUE]), "seen"),
    }
    if state.round is not None and state.round.request is not None and chance.random() < 0.8:
        return acts.AnswerSqueeze(DEALER, chance.random() < 0.9)
    may_waive = (
        state.phase in {"first-window", "player-third"} and state.round and banker_always_draws(state.round.cards)
    )
    if may_waive and chance.random() < 0.5:
        what = chance.choice([each for each in SqueezeOf if each.waives])
        return acts.AskSqueeze(Actor(patron), patron, what)
    if state.phase == "betting" and chance.random() < 0.6:
        box, on = PATRONS.index(patron) + 1, chance.choice(["player", "banker"])
        return acts.PlaceBet(Actor(patron), patron, box, on, STAKE)
    if chance.random() < 0.5 or state.phase in {"between-rounds", "betting", "held"}:
        return going_on.get(state.phase, acts.Deal(DEALER))
    return chance.choice(
        [
            *[acts.AskSqueeze(Actor(patron), patron, what) for what in SqueezeOf],
            acts.AskSqueeze(Actor(patron), patron, SqueezeOf.CARD),
            acts.OpenCard(anyone, chance.randint(1, 6)),
            acts.PassSqueeze(Actor(patron), patron, chance.randint(1, 6)),
            acts.OpenCard(anyone, chance.randint(1, 6), chance.choice(DECK)),
            acts.Report(DEALER, chance.choice(REPORTED)) if chance.random() < 0.2 else acts.Deal(DEALER),
            acts.Recover(DEALER) if chance.random() < 0.05 else acts.Deal(DEALER),
        ]
    )


STAKE = Cents(1_000)
REPORTED = ("excess-card", "dealt-face-up", "technical-interruption", "anything-else")


@pytest.mark.parametrize("rounds", [15, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_that_anyone_is_shown_depends_on_a_closed_card(game: str, rounds: int) -> None:
    compared, squeezed, waived = 0, 0, 0
    for number in range(rounds):
        chance = Random(f"{game}/{number}")
        order = tuple(chance.sample(DECK * 4, 208))
        table = Table(game, order)
        other: Table | None = None
        for _ in range(60):
            command = next_command(table, chance)
            refused = table.give(command)
            round_ = table.state.round
            if round_ is None or not round_.closed_places:
                other = None
                continue
            if refused and other is not None:
                # Nothing changed since the two were compared, so all that is shown is still the same.
                assert other.give(command) == refused
                continue
            other = with_other_cards(table, game, order, chance)
            assert other.shown() == table.shown()
            compared += 1
            squeezed += bool(round_.squeezers)
            waived += round_.waived
    assert compared > 100
    if table.sheet.play.squeeze:
        assert squeezed > 20
    if table.sheet.insurance:
        assert waived > 0
