"""A full round at a table of twenty patrons and sixty bets, and the replay of a long log."""

from __future__ import annotations

import tracemalloc
from random import Random

from benchmarks.harness import Comparison, best_seconds
from punto.rules.cards import DECK
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.engine import decide, evolve, replay
from punto.table.phases import Phase
from punto.table.state import Settings, State, new_table

GAME = "da-hu-ying-xiong"
PATRONS = 20
BETS = 60
ROUND_SECONDS = 0.005
REPLAYED = 100_000
DEALER = Actor("dan", Role.DEALER)
SUPERVISOR = Actor("sue", Role.PIT_SUPERVISOR)


def opened(patrons: int = PATRONS) -> tuple[State, list[acts.Event]]:
    """A table with its patrons seated and standing, and the events that led to it."""
    state = new_table(load(GAME))
    log: list[acts.Event] = []
    limits = (Cents(2_500), Cents(10_000_000), Cents(100))
    commands: list[acts.Command] = [acts.OpenTable(SUPERVISOR, GAME, Settings("bench", 8, *limits, layout="big-12"))]
    for place in range(patrons):
        name, box = f"p{place:02}", place % 12 + 1
        commands.append((acts.Sit if place < 12 else acts.Stand)(Actor(name), name, box))
    for command in commands:
        state, events = step(state, command)
        log += events
    return state, log


def step(state: State, command: acts.Command) -> tuple[State, tuple[acts.Event, ...]]:
    """Decide and evolve; nothing here may be refused."""
    answer = decide(state, command)
    if isinstance(answer, Refusal):
        raise AssertionError(answer)  # noqa: TRY004 — a refusal here is a bug of the benchmark
    return answer.state, tuple(answer)


def play_round(state: State, r: Random, bets: int = BETS) -> tuple[State, list[acts.Event]]:
    """One round: open, bets, insurance where it is on offer, cards, settlement."""
    sheet = state.sheet
    log: list[acts.Event] = []
    ids = list(sheet.bets)
    places = [*state.seats.items(), *sorted(state.standing)]
    if state.shoe is not None and state.shoe.left < 10:
        state, events = step(state, acts.ReplaceShoe(DEALER, "few cards left"))
        log += events
    if state.shoe is None or state.shoe.removed:
        state, events = step(state, acts.LoadShoe(DEALER))
        log += events
    state, events = step(state, acts.OpenBets(DEALER))
    log += events
    for place in range(bets):
        box, name = places[place % len(places)]
        on = ids[place // len(places) * 2 + place % 2]
        state, events = step(state, acts.PlaceBet(Actor(name), name, box, on, Cents(10_000)))
        log += events
    state, events = step(state, acts.CloseBets(DEALER))
    log += events
    while state.phase is not Phase.RESULT:
        if state.phase in {Phase.FIRST_WINDOW, Phase.SECOND_WINDOW} and state.round:
            for box, name in places[:4]:
                for insured in sheet.insurance_bets:
                    answer = decide(state, acts.Insure(Actor(name), name, box, insured, Cents(500)))
                    for event in () if isinstance(answer, Refusal) else answer:
                        state = evolve(state, event)
                        log.append(event)
        answer = decide(state, acts.Deal(DEALER, r.choice(DECK)))
        for event in () if isinstance(answer, Refusal) else answer:
            state = evolve(state, event)
            log.append(event)
    state, events = step(state, acts.Settle(DEALER))
    return state, log + list(events)


def long_log(rounds: int) -> list[acts.Event]:
    """The log of so many small rounds of one shoe after another."""
    state, log = opened(2)
    r = Random(3)
    for _ in range(rounds):
        state, events = play_round(state, r, 2)
        log += events
    return log


def memory_of_replay(rounds: int, log: list[acts.Event]) -> tuple[int, int]:
    """Bytes held after a tenth of a replay and after all of it, the log itself apart: it is played again and again."""
    sheet = load(GAME)
    again = rounds // sum([isinstance(each, acts.RoundClosed) for each in log])
    tracemalloc.start()
    sizes = []
    state = new_table(sheet)
    for time in range(1, again + 1):
        for event in log:
            state = evolve(state, event)
        if time in {again // 10, again}:
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    return sizes[0], sizes[1]


def run() -> list[Comparison]:
    """Measure a round against the budget of five milliseconds, and the replay's memory after 10% and all of it."""
    state, _ = opened()
    rounds = 20

    def play() -> None:
        r, now = Random(7), state
        for _ in range(rounds):
            now, _ = play_round(now, r)

    play()
    seconds = best_seconds(play) / rounds
    note = f"{PATRONS} patrons, {BETS} bets: {seconds * 1000:.2f} ms a round on one core"
    log = long_log(1_000)
    sheet = load(GAME)
    speed = f"{len(log) / best_seconds(lambda: replay(sheet, log), 3):,.0f} events a second"
    early, late = memory_of_replay(REPLAYED, log)
    grown = f"{early:,} bytes after a tenth of {REPLAYED:,} rounds, {late:,} after all; {speed}"
    return [
        Comparison("a full round", "a budget of 5 ms", seconds, ROUND_SECONDS, 1, "cost", note),
        Comparison("memory of a replay", "memory after a tenth of it", late, early, 1.05, "cost", grown),
    ]
