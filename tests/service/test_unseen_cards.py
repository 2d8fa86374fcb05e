"""No message to anyone rests on a card that is not open, at a face-down table that people play at random.

What was done is done again in a second house whose cards differ where nobody has seen them: those burned unseen, those
closed, and those still to come. Up to the moment when one of these is opened every viewer must be told the same, byte
for byte, whatever they ask. A second house for each opened card compares every prefix of what was done: between two
openings the same cards are unseen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count, groupby
from random import Random
from typing import Any

import msgspec
import pytest

from punto.protocol.views import PublishedShoe
from punto.rules.cards import DECK, Card
from punto.rules.refusals import Refusal
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.viewing.subscriptions import Subscription
from punto.table.phases import Phase
from tests.service.rig import SETTINGS, TIGER, Rig, code, rig
from tests.service.test_squeeze import settle_down

STEPS = 40
"""The most that is done in one evening: it ends with its first round."""
PEOPLE = {
    "Ann": "patron",
    "Bo": "patron",
    "Cy": "patron",
    "Dan": "dealer",
    "Max": "pit-manager",
    "Kim": "shift-manager",
}
"""Ann and Bo sit at the table, and Cy watches it from elsewhere."""
TABLES: dict[str, dict[str, Any]] = {
    "squeezes": {"game": "commission"},
    "waivers": {"game": "da-hu-ying-xiong", "waiver_consent": "always"},
    "waivers-asked": {"game": "commission-insurance", "waiver_consent": "ask"},
    "burned": {"game": "easy-six", "burn": "first-card"},
    "shuffler": {"game": "commission", "device": "shuffler"},
    "live": {"game": "da-hu-ying-xiong", "mode": "live", "waiver_consent": "always"},
}
Act = tuple[str, str, dict[str, Any]] | None
"""What someone does: who, which command, which fields. None lets the automat, or the Dealer, take the next step."""
SQUEEZE: list[Act] = [
    ("Ann", "place-bet", {"box": 1, "on": "player", "stake_cents": 10_000}),
    None,
    ("Ann", "ask-squeeze", {"what": "card"}),
    ("Dan", "answer-squeeze", {"consent": True}),
]
"""How the first evening of each table begins: Ann may squeeze the first card. The others are random all through."""
Order = tuple[Card, ...]
Unseen = tuple[int, tuple[int, ...]]
"""The number of a shoe, and the places in it of the cards that nobody has seen."""


def _counted(house: House) -> list[str]:
    """The metrics, but for times and what the process takes of its machine."""
    lines = house.metrics.text().decode().splitlines()
    return [line for line in lines if "_seconds" not in line and not line.startswith("process_")]


@dataclass(frozen=True)
class Shoe:
    """A shoe whose commitment tells nothing, so that two orders can be compared."""

    cards: Order
    salt: bytes = bytes(32)
    commitment: str = "0" * 64


@dataclass
class Evening:
    """A house with one table, and all that each viewer was told there, one list a step; None is the public."""

    r: Rig
    orders: list[Order]
    """The cards of each shoe. At a live table the Dealer names them as they are opened."""
    people: dict[str, Person]
    told: dict[str | None, list[list[bytes]]] = field(default_factory=dict)
    unseen: list[Unseen] = field(default_factory=list)
    """What nobody has seen after each step."""
    readers: dict[str | None, Subscription] = field(default_factory=dict)
    asked_at: int = -1
    """The record after which everyone was last asked what they see."""

    @classmethod
    async def begin(cls, r: Rig, settings: dict[str, Any], orders: list[Order]) -> Evening:
        people = {name: await r.person(name, role, 500_000 * (role == "patron")) for name, role in PEOPLE.items()}
        made = cls(r, orders, people)
        await r.table(TIGER, table="t", face_down=True, **settings)
        made.readers = {name: r.house.subscribe("t", who) for name, who in made.viewers.items()}
        made.told = {name: [] for name in made.viewers}
        await made.do(None)
        for box, name in enumerate(("Ann", "Bo"), 1):
            await made.do((name, "sit", {"box": box}))
        if made.live:
            await made.do(None)
        return made

    @property
    def viewers(self) -> dict[str | None, Person | None]:
        return dict[str | None, Person | None](self.people) | {None: None}

    @property
    def live(self) -> bool:
        """Whether a Dealer deals."""
        settings = self.r.house.followed("t").state.settings
        return settings is not None and settings.live

    @property
    def over(self) -> bool:
        """Whether the first round is."""
        state = self.r.house.followed("t").state
        return state.rounds > 0 and state.round is None

    async def do(self, act: Act) -> None:
        """Do something, and note what everyone is told and would be told if they asked."""
        for said in self.told.values():
            said.append([])
        if act is not None:
            await self.give(*act)
        elif self.live:
            await self.deal_on()
        else:
            seq = self.r.house.followed("t").seq
            while self.r.house.followed("t").seq == seq:
                await self.r.clock.step()
                await settle_down()
        await settle_down()
        await self.note()
        self.unseen.append(await self.not_seen())

    async def give(self, by: str, kind: str, fields: dict[str, Any]) -> bool:
        """Give a command, and note the reply to who gave it. Returns whether it was done."""
        reply = await self.r.give(self.people[by], "t", kind, **fields)
        self.told[by][-1] += [repr(reply.refused).encode(), msgspec.json.encode(reply.events)]
        return not code(reply)

    async def deal_on(self) -> None:
        """The Dealer of a live table takes the next step: cards come out closed, and are named when they are opened."""
        state = self.r.house.followed("t").state
        match state.phase:
            case Phase.BETWEEN_ROUNDS:
                await self.give("Dan", "load-shoe" if state.shoe is None else "open-bets", {})
            case Phase.BETTING:
                await self.give("Dan", "close-bets", {})
            case Phase.RESULT:
                await self.give("Dan", "settle", {})
            case Phase.OPENING:
                assert state.round is not None
                assert state.shoe is not None
                first = state.shoe.drawn - state.round.dealt
                for place in state.round.closed_places:
                    card = self.orders[state.shoes - 1][first + place - 1]
                    if await self.give("Dan", "open-card", {"place": place, "card": card.text}):
                        return
            case _:
                await self.give("Dan", "deal", {})

    async def note(self) -> None:
        """Note what everyone was sent. What they would see if they asked is noted once after each record."""
        house, seq = self.r.house, self.r.house.followed("t").seq
        for name, reader in self.readers.items():
            self.told[name][-1] += [message.text.encode() for message in reader.take()]
        if seq == self.asked_at:
            return
        self.asked_at = seq
        state = house.followed("t").state
        for name, who in self.viewers.items():
            shown: list[Any] = [house.snapshot("t", who), house.tables(), _counted(house)]
            shown.append(await house.history.rounds("t", who))
            shown += [await house.history.shoe("t", number, who) for number in range(1, state.shoes + 1)]
            if who is not None:
                shown += [house.choices("t", who), await house.me("t", who)]
                for place in range(1, 1 + (state.round.dealt if state.round else 0)):
                    answer = await house.preview(who, "t", self.r.asked(who, "open-card", place=place))
                    shown.append(repr(answer) if isinstance(answer, Refusal) else answer)
                if who.is_staff:
                    shown += [house.incidents(), await house.significant.newest()]
                else:
                    shown.append(await house.statement(who))
            self.told[name][-1] += [msgspec.json.encode(each) for each in shown]

    async def not_seen(self) -> Unseen:
        """What nobody has seen of the present shoe; nothing once its order is published."""
        followed = self.r.house.followed("t")
        number = followed.state.shoes
        shoe = await self.r.house.history.shoe("t", number)
        if not isinstance(shoe, PublishedShoe) or shoe.order is not None:
            return number, ()
        played = followed.shoes[number]
        seen = {place for place, each in enumerate(played.dealt) if each.card is not None}
        return number, tuple([place for place in range(played.loaded.count) if place not in seen])

    def next_act(self, chance: Random) -> Act:
        """A request, an opening or an answer by someone, or the next step."""
        state, name = self.r.house.followed("t").state, chance.choice(["Ann", "Bo"])
        if state.phase == "betting" and chance.random() < 0.7:
            fields = {"box": 1 + (name == "Bo"), "on": chance.choice(["player", "banker"]), "stake_cents": 5_000}
            return name, "place-bet", fields
        if state.phase == "held":
            if chance.random() < 0.5:
                return "Max", "decide", {"decision": "approve"}
            return "Kim", "decide", {"decision": chance.choice(["void", "continue"]), "reason": "seen"}
        if state.round is None or chance.random() < 0.5:
            return None
        what = chance.choice(["card", "card", "card", "banker-third-first", "show-banker-third"])
        return chance.choice(
            [
                (name, "ask-squeeze", {"what": what}),
                (name, "ask-squeeze", {"what": what}),
                (chance.choice([*PEOPLE]), "open-card", {"place": chance.randint(1, 6)}),
                (name, "pass-squeeze", {"place": chance.randint(1, 6)}),
                ("Dan", "answer-squeeze", {"consent": chance.random() < 0.8}),
                ("Dan", "report", {"situation": "anything-else"}) if chance.random() < 0.2 else None,
            ]
        )


def shuffled(chance: Random) -> Order:
    return tuple(chance.sample(DECK * 8, 416))


def with_others(order: Order, places: tuple[int, ...], chance: Random) -> Order:
    """The order with other cards in these places."""
    cards = [order[place] for place in places]
    chance.shuffle(cards)
    swapped = dict(zip(places, cards, strict=True))
    return tuple([swapped.get(place, card) for place, card in enumerate(order)])


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20)]])
@pytest.mark.parametrize("table", TABLES)
async def test_nobody_is_told_anything_that_rests_on_a_card_that_is_not_open(
    table: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(f"{table}/{seed}")
    orders = [shuffled(chance) for _ in range(STEPS)]
    acts: list[Act] = []

    async def begin(r: Rig, orders: list[Order]) -> Evening:
        monkeypatch.setattr("tests.service.rig.KEYS", count(1))  # a statement names the keys of its movements
        shoes = iter([Shoe(order) for order in orders])
        monkeypatch.setattr("punto.service.tables.runner.new_shoe", lambda _decks, _entropy: next(shoes))
        return await Evening.begin(r, TABLES[table], orders)

    async with rig(SETTINGS) as r:
        evening = await begin(r, orders)
        before = len(evening.unseen)
        closed = squeezed = False
        while len(acts) < STEPS and not evening.over:
            planned = len(acts) < len(SQUEEZE) and not seed
            acts.append(SQUEEZE[len(acts)] if planned else evening.next_act(chance))
            await evening.do(acts[-1])
            if (round_ := r.house.followed("t").state.round) is not None:
                closed |= bool(round_.closed_places)
                squeezed |= bool(round_.squeezers)
        told, unseen = evening.told, evening.unseen
    # The last prefix after which these cards are unseen stands for all of them: it contains the others.
    prefixes = [(shoe, places, len([*steps])) for (shoe, places), steps in groupby(unseen[before:])]
    assert closed, "cards were closed"
    assert squeezed or seed or TABLES[table]["game"] == "easy-six", "a squeeze was granted where the sheet has one"
    steps = 0
    for shoe, places, length in prefixes:
        steps += length
        if not places:
            continue
        others = [*orders[: shoe - 1], with_others(orders[shoe - 1], places, chance), *orders[shoe:]]
        async with rig(SETTINGS) as r:
            evening = await begin(r, others)
            for act in acts[:steps]:
                await evening.do(act)
            for name, said in evening.told.items():
                assert said == told[name][: len(said)], name
