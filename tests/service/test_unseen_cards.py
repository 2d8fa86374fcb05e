"""No message to anyone rests on a card that is not open, at a face-down automatic table that people play at random.

What was done is done again in a second house, whose shoe differs in the cards that nobody has seen: those burned
unseen, those closed, and those still to come. Every viewer must be told the same, word for word, whatever they ask.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from punto.rules.cards import DECK, Card
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.service.viewing.subscriptions import Subscription
from tests.service.rig import SETTINGS, TIGER, Rig, plain, rig
from tests.service.test_squeeze import settle_down

STEPS = 45
PEOPLE = {"Ann": "patron", "Bo": "patron", "Dan": "dealer", "Max": "pit-manager", "Kim": "shift-manager"}
TABLES: dict[str, dict[str, Any]] = {
    "squeezes": {"game": "commission"},
    "waivers": {"game": "da-hu-ying-xiong", "waiver_consent": "always"},
    "waivers-asked": {"game": "commission-insurance", "waiver_consent": "ask"},
    "burned": {"game": "easy-six", "burn": "first-card"},
    "shuffler": {"game": "commission", "device": "shuffler"},
}
Act = tuple[str, str, dict[str, Any]] | None
"""What someone does: who, which command, with which fields. None lets time pass until the automat acts."""


@dataclass(frozen=True)
class Shoe:
    """A shoe whose commitment tells nothing, so that two orders can be compared."""

    cards: tuple[Card, ...]
    salt: bytes = bytes(32)
    commitment: str = "0" * 64


@dataclass
class Evening:
    """A house with one table, and all that each viewer was told there; None is the public."""

    r: Rig
    people: dict[str, Person]
    told: dict[str | None, list[Any]] = field(default_factory=dict)
    readers: dict[str | None, Subscription] = field(default_factory=dict)

    @classmethod
    async def begin(cls, r: Rig, settings: dict[str, Any]) -> Evening:
        people = {name: await r.person(name, role, 500_000 * (role == "patron")) for name, role in PEOPLE.items()}
        made = cls(r, people)
        await r.table(TIGER, table="t", face_down=True, **settings)
        made.readers = {name: r.house.subscribe("t", who) for name, who in made.viewers.items()}
        made.told = {name: [] for name in made.viewers}
        await made.do(None)
        for box, name in enumerate(("Ann", "Bo"), 1):
            await made.do((name, "sit", {"box": box}))
        return made

    @property
    def viewers(self) -> dict[str | None, Person | None]:
        return dict[str | None, Person | None](self.people) | {None: None}

    async def do(self, act: Act) -> None:
        """Do something, and note what everyone is told and would be told if they asked."""
        if act is None:
            seq = self.r.house.followed("t").seq
            while self.r.house.followed("t").seq == seq:
                await self.r.clock.step()
                await settle_down()
        else:
            by, kind, fields = act
            reply = await self.r.give(self.people[by], "t", kind, **fields)
            self.told[by].append([repr(reply.refused), plain(reply.events)])
        await settle_down()
        house = self.r.house
        for name, who in self.viewers.items():
            said = self.told[name]
            said += [json.loads(message.text) for message in self.readers[name].take()]
            said.append(plain([house.snapshot("t", who), house.tables(), await house.history.rounds("t", who)]))
            shoes = range(1, house.followed("t").state.shoes + 1)
            said.append(plain([await house.history.shoe("t", number, who) for number in shoes]))
            if who is not None:
                said.append(plain(house.choices("t", who)))
                for place in range(1, 7):
                    answer = await house.preview(who, "t", self.r.asked(who, "open-card", place=place))
                    said.append(repr(answer) if isinstance(answer, Refusal) else plain(answer))

    def next_act(self, chance: Random) -> Act:
        """A request, an opening or an answer by someone, or time passes."""
        state, name = self.r.house.followed("t").state, chance.choice(["Ann", "Bo"])
        if state.phase == "betting" and chance.random() < 0.5:
            fields = {"box": 1 + (name == "Bo"), "on": chance.choice(["player", "banker"]), "stake_cents": 5_000}
            return name, "place-bet", fields
        if state.phase == "held":
            return "Kim", "decide", {"decision": chance.choice(["void", "continue"]), "reason": "seen"}
        if state.round is None or chance.random() < 0.4:
            return None
        return chance.choice(
            [
                (
                    name,
                    "ask-squeeze",
                    {"what": chance.choice(["card", "card", "banker-third-first", "show-banker-third"])},
                ),
                (name, "ask-squeeze", {"what": "card"}),
                (chance.choice([*PEOPLE]), "open-card", {"place": chance.randint(1, 6)}),
                ("Dan", "answer-squeeze", {"consent": chance.random() < 0.8}),
                ("Dan", "report", {"situation": "anything-else"}) if chance.random() < 0.2 else None,
            ]
        )

    def unseen(self) -> list[int]:
        """The places of the present shoe that nobody has seen."""
        followed = self.r.house.followed("t")
        played = followed.shoes[followed.state.shoes]
        seen = [place for place, card in enumerate(played.dealt) if card is not None]
        return [place for place in range(played.loaded.count) if place not in set(seen)]


def shuffled(chance: Random) -> tuple[Card, ...]:
    return tuple(chance.sample(DECK * 8, 416))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("table", TABLES)
async def test_nobody_is_told_anything_that_rests_on_a_card_that_is_not_open(
    table: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(f"{table}/{seed}")
    orders = [shuffled(chance) for _ in range(STEPS)]
    acts: list[Act] = []
    kept: list[tuple[int, int, list[int]]] = []

    def deal_from(orders: list[tuple[Card, ...]]) -> None:
        shoes = iter([Shoe(order) for order in orders])
        monkeypatch.setattr("punto.service.tables.runner.new_shoe", lambda _decks, _entropy: next(shoes))

    deal_from(orders)
    async with rig(SETTINGS) as r:
        evening = await Evening.begin(r, TABLES[table])
        for _ in range(STEPS):
            act = evening.next_act(chance)
            acts.append(act)
            await evening.do(act)
            state = r.house.followed("t").state
            if state.round is not None and state.round.closed_places:
                kept.append((len(acts), state.shoes, evening.unseen()))
        told = evening.told
    assert kept, "cards were closed"
    for steps, shoe, places in chance.sample(kept, min(len(kept), 4)):
        order = orders[shoe - 1]
        cards = [order[place] for place in places]
        chance.shuffle(cards)
        swapped = dict(zip(places, cards, strict=True))
        other = tuple([swapped.get(place, card) for place, card in enumerate(order)])
        deal_from([*orders[: shoe - 1], other, *orders[shoe:]])
        async with rig(SETTINGS) as r:
            evening = await Evening.begin(r, TABLES[table])
            for act in acts[:steps]:
                await evening.do(act)
            for name, said in evening.told.items():
                assert said == told[name][: len(said)], name
