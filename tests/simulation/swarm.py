"""What a seed makes of the world: how often each thing fails, which tables there are, and who plays."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from punto.service.settings import EdgeLimits, HouseSettings
from punto.table.automatic import StandingOrder, Timing
from tests.simulation.bus import BusFaults
from tests.simulation.store import StoreFaults

if TYPE_CHECKING:
    from tests.simulation.scenario import Scenario

Spec = dict[str, Any]
PACE = Timing(betting_ms=1_500, card_ms=120, insurance_ms=1_500, pause_ms=250, squeeze_ms=900)

_SIDES = [
    {"on": "tie", "minimum_cents": 500, "maximum_cents": 100_000},
    {"on": "player-pair", "minimum_cents": 500, "maximum_cents": 100_000},
]
_BASE: Spec = {"decks": 8, "minimum_cents": 1_000, "differential_cents": 400_000, "unit_cents": 100}
TABLES: tuple[Spec, ...] = (
    _BASE | {"table": "terminals", "game": "non-commission", "mode": "automatic", "boxes": 6, "sides": _SIDES},
    _BASE | {"table": "stadium", "game": "non-commission", "mode": "live", "boxes": 6},
    _BASE | {"table": "six", "game": "easy-six", "mode": "automatic", "layout": "bean-7", "sides": _SIDES},
    _BASE | {"table": "tiger", "game": "da-hu-ying-xiong", "mode": "automatic", "layout": "bean-9"},
    _BASE | {"table": "hall", "game": "da-hu-ying-xiong", "mode": "live", "layout": "bean-9"},
    _BASE | {"table": "dragon", "game": "da-hu-ying-xiong", "mode": "automatic", "layout": "mini-7", "face_down": True},
    _BASE | {"table": "insured", "game": "commission-insurance", "mode": "automatic", "layout": "mini-7"},
    _BASE | {"table": "pit", "game": "commission", "mode": "live", "layout": "bean-9", "sides": _SIDES},
    _BASE | {"table": "squeeze", "game": "commission", "mode": "automatic", "layout": "bean-7", "face_down": True},
    _BASE | {"table": "salon", "game": "commission-insurance", "mode": "live", "layout": "mini-7", "face_down": True},
)
_LIMITS: tuple[Spec, ...] = (
    {},
    {"differential_cents": 5_000},
    {"unit_cents": 5, "minimum_cents": 500, "differential_cents": 20_000},
)
"""Limits that nobody comes near, limits that everybody does, and units so small that payouts are rounded."""
_FEW_TABLES = (3, 4)


@dataclass(frozen=True)
class Swarm:
    """One world. Every rate is drawn from the seed; in many worlds some things never fail."""

    tables: list[Spec]
    processes: int
    patrons: int
    faults_s: float
    """How long things fail."""
    lease_ms: int
    standing_order: str
    always_on: bool
    absent_rounds: int
    shoe_cut: int
    keeps_name: bool
    """Whether a process comes back under its old name."""
    queued_messages: int
    mangled: float
    illegal: float
    bold: float
    """How often a patron takes what is another's, or what they let pass."""
    crowd: str | None
    """The table at which all patrons meet, at one box if they may; None where everyone goes where they like."""
    hang_up: float
    slow_reader: float
    travel_ms: float
    store: StoreFaults
    bus: BusFaults
    events: dict[str, float] = field(default_factory=dict)
    """How many times a minute each of these strikes."""

    @classmethod
    def draw(cls, luck: random.Random) -> Swarm:
        """A world drawn at random."""
        every = list(TABLES)
        luck.shuffle(every)
        often = luck.choice([0.3, 1, 1, 2])

        def rate(most: float) -> float:
            return often * luck.choice([0, 1]) * luck.uniform(0.1, 1) * most

        tables = [
            spec | luck.choice(_LIMITS)
            for spec in sorted(every[: luck.choice(_FEW_TABLES)], key=lambda spec: str(spec["table"]))
        ]
        return cls(
            tables=tables,
            processes=luck.choice([1, 2, 2, 3]),
            patrons=luck.randint(3, 5),
            faults_s=luck.uniform(10, 30),
            lease_ms=luck.choice([1_500, 3_000]),
            standing_order=luck.choice(list(StandingOrder)).value,
            always_on=luck.random() < 0.5,
            absent_rounds=luck.choice([0, 0, 0, 3]),
            shoe_cut=luck.choice([14, 300, 380, 395]),
            keeps_name=luck.random() < 0.5,
            queued_messages=luck.choice([40, 256]),
            mangled=luck.choice([0, 0.02, 0.1]),
            illegal=luck.choice([0, 0.05, 0.15]),
            bold=luck.choice([0, 0.7, 0.7]),
            crowd=luck.choice([None, luck.choice(tables)["table"]]),
            hang_up=luck.choice([0, 0.002, 0.01]),
            slow_reader=rate(0.02),
            travel_ms=luck.choice([1, 20, 200]),
            store=StoreFaults(
                unknown=rate(0.03), lost=rate(0.02), broken=rate(0.002), slow=rate(0.02),
                usual_ms=luck.choice([0.5, 3, 20]),
            ),
            bus=BusFaults(lost=rate(0.1), repeated=rate(0.1), late=rate(0.1), usual_ms=luck.choice([0.5, 5, 50])),
            events={name: rate(most) for name, (most, _) in EVENTS.items()},
        )  # fmt: skip

    def settings(self) -> HouseSettings:
        """How each process of the house is run."""
        return HouseSettings(
            bus="simulated",
            timing=PACE,
            edge=EdgeLimits(queued_messages=self.queued_messages),
            free_credit=True,
            always_on=self.always_on,
            absent_rounds=self.absent_rounds,
            standing_order=StandingOrder(self.standing_order),
            lease_ms=self.lease_ms,
            large_win_cents=50_000,  # type: ignore[arg-type]
            shoe_cut=self.shoe_cut,
            stop_ms=8_000,
        )

    def shown(self) -> dict[str, Any]:
        """The world as the history has it."""
        return asdict(self)


async def strike(scenario: Scenario) -> None:
    """Let things fail until the faults end."""
    luck, rates = scenario.loop.streams.faults, scenario.swarm.events
    total = sum(rates.values())
    if not total:
        return
    while True:
        await asyncio.sleep(luck.expovariate(total / 60))
        kind = luck.choices(list(rates), list(rates.values()))[0]
        EVENTS[kind][1](scenario, luck, kind)


def _crash(scenario: Scenario, luck: random.Random, kind: str) -> None:
    process = luck.choice(scenario.processes)
    scenario.fault(kind, process=process.name)
    process.crash()
    scenario.later(luck.uniform(0.05, 6), process.start_again)


def _pause(scenario: Scenario, luck: random.Random, kind: str) -> None:
    process = luck.choice(scenario.processes)
    for_s = luck.choice([luck.uniform(0.1, 2), luck.uniform(2, 9)])
    scenario.fault(kind, process=process.name, for_s=round(for_s, 3))
    process.pause()
    scenario.later(for_s, process.resume)


def _drain(scenario: Scenario, luck: random.Random, kind: str) -> None:
    process = luck.choice(scenario.processes)
    if process.is_up and not process.is_paused:
        scenario.fault(kind, process=process.name)
        scenario.loop.start(_drain_and_start(scenario, process, luck.uniform(0.05, 3)))


async def _drain_and_start(scenario: Scenario, process: Any, after_s: float) -> None:
    await process.drain()
    scenario.later(after_s, process.start_again)


def _power(scenario: Scenario, luck: random.Random, kind: str) -> None:
    """The database's machine loses its power; with luck, and with one process, the process's too."""
    kept, lost = scenario.database.cut_power()
    scenario.fault(kind, kept=kept, lost=lost)
    scenario.database.is_away = True
    scenario.later(luck.uniform(0.1, 4), scenario.store_back)
    if luck.random() < 0.3:
        for process in scenario.processes:
            process.crash()
            scenario.later(luck.uniform(0.05, 5), process.start_again)


def _away(scenario: Scenario, luck: random.Random, kind: str) -> None:
    scenario.fault(kind)
    scenario.database.is_away = True
    scenario.later(luck.uniform(0.1, 6), scenario.store_back)


def _full(scenario: Scenario, luck: random.Random, kind: str) -> None:
    scenario.fault(kind)
    scenario.database.is_full = True
    scenario.later(luck.uniform(0.1, 6), scenario.store_has_room)


def _cut_off(scenario: Scenario, luck: random.Random, kind: str) -> None:
    process = luck.choice(scenario.processes)
    scenario.fault(kind, process=process.name)
    scenario.network.cut_off.add(process.name)
    scenario.later(luck.uniform(0.1, 8), lambda: scenario.network.cut_off.discard(process.name))


def _clock_jump(scenario: Scenario, luck: random.Random, kind: str) -> None:
    process = luck.choice(scenario.processes)
    by_ms = luck.choice([-3_600_000, -5_000, -300, 300, 5_000, 3_600_000])
    scenario.fault(kind, process=process.name, by_ms=by_ms)
    process.clock.ahead_ms += by_ms


def _store_clock_jump(scenario: Scenario, luck: random.Random, kind: str) -> None:
    by_ms = luck.choice([-5_000, -1_000, 1_000, 5_000])
    scenario.fault(kind, by_ms=by_ms)
    scenario.store_clock.ahead_ms += by_ms


EVENTS: dict[str, tuple[float, Callable[[Scenario, random.Random, str], None]]] = {
    "crash": (8, _crash),
    "pause": (6, _pause),
    "drain": (3, _drain),
    "power": (4, _power),
    "store-away": (4, _away),
    "store-full": (4, _full),
    "cut-off": (5, _cut_off),
    "clock-jump": (4, _clock_jump),
    "store-clock-jump": (2, _store_clock_jump),
}
"""What strikes from time to time: at most so often a minute, in the worst world."""
