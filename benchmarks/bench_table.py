"""A full round at a table of twenty patrons and sixty bets, and the replay of a long log."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
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


def plain_round(r: Random) -> dict[int, int]:
    """The same round without a rule or a limit: every bet copies what is on the table, and is settled at the end."""
    bets: dict[int, tuple[str, int]] = {}
    balances = dict.fromkeys(range(PATRONS), 1_000_000)
    for place in range(BETS):
        bets = bets | {place: (r.choice(("banker", "player")), 10_000)}
        balances = balances | {place % PATRONS: balances[place % PATRONS] - 10_000}
    player, banker = (sum(min(r.choice(DECK).rank, 10) for _ in range(2)) % 10 for _ in range(2))
    for place, (on, stake) in bets.items():
        won = on == ("banker" if banker > player else "player")
        balances = balances | {place % PATRONS: balances[place % PATRONS] + 2 * stake * won}
    return balances


def bytes_of(work: Callable[[], object]) -> int:
    """What the answer of some work holds in memory."""
    tracemalloc.start()
    answer = work()
    held = tracemalloc.get_traced_memory()[0]
    del answer
    tracemalloc.stop()
    return held


def replayed(rounds: int, log: list[acts.Event]) -> State:
    """The state after so many rounds: the log is played again and again."""
    sheet = load(GAME)
    again = rounds // sum([isinstance(each, acts.RoundClosed) for each in log])
    state = new_table(sheet)
    for _ in range(again):
        for event in log:
            state = evolve(state, event)
    return state


def run() -> list[Comparison]:
    """Measure a round against a plain one, and the memory of a replay against a list with a number for each round."""
    state, _ = opened()
    rounds = 20

    def play() -> None:
        r, now = Random(7), state
        for _ in range(rounds):
            now, _ = play_round(now, r)

    play()

    def play_plainly() -> None:
        r = Random(7)
        for _ in range(rounds):
            plain_round(r)

    seconds, plain = (best_seconds(work, clock=time.process_time) / rounds for work in (play, play_plainly))
    note = f"{PATRONS} patrons, {BETS} bets: {seconds * 1000:.2f} ms a round on one core"
    log = long_log(1_000)
    sheet = load(GAME)
    speed = f"{len(log) / best_seconds(lambda: replay(sheet, log), 3):,.0f} events a second"
    held, numbers = bytes_of(lambda: replayed(REPLAYED, log)), bytes_of(lambda: list(range(REPLAYED)))
    memory = f"{held:,} bytes after {REPLAYED:,} rounds; {speed}"
    return [
        Comparison("a full round", "plain dictionaries, no rules", seconds, plain, 60, "cost", note),
        Comparison("memory of a replay", "a list, a number a round", held, numbers, 0.01, "cost", memory),
    ]
