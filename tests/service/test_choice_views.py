"""What each viewer sees and may do: never stale, as the house does it, and previewed without a trace."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from punto.protocol.codec import to_data
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.store.memory import MemoryStore
from punto.table import acts
from punto.table.engine import choices, patron_commands
from punto.table.refusals import NotPermitted
from tests.filling import anything
from tests.local_bus import LocalBus
from tests.properties.walk import WEIGHTS, command_of
from tests.service.rig import ETG, PIT, Rig, code, kinds, plain, rig, taken

APART = {"type", "seq", "now_ms", "ends_at_ms", "me", "suspended"}
"""The parts of a snapshot that do not come with a view."""
STEPS = 80
PATRONS, STAFF = ("Ann", "Bo", "Cy"), ("dealer", "pit-supervisor", "pit-manager", "shift-manager")
Choice = dict[str, Any]


def by_kind(found: list[Choice]) -> dict[str, Choice]:
    return {choice["kind"]: choice for choice in found}


def open_ways(seen: dict[str, Any], me: dict[str, Any], kind: str) -> list[Any]:
    """The ways that a terminal offers: none where the view refuses the command, else one's own, else the view's."""
    shared, own = by_kind(seen["choices"])[kind], by_kind(me["choices"]).get(kind)
    if "refusal" in shared:
        return []
    return allowed(own if own is not None else shared)


def allowed(choice: Choice) -> list[Any]:
    return [way for way in choice.get("ways", []) if "refusal" not in way]


class Terminal:
    """Lays over its snapshot whatever is sent, and keeps every text."""

    def __init__(self, r: Rig, table: str, person: Person | None, after: int | None = None) -> None:
        self.person, self.reader = person, r.house.subscribe(table, person, after)
        self.seen: dict[str, Any] = {}
        self.me: dict[str, Any] = {}
        self.text = ""

    def read(self) -> None:
        for message in taken(self.reader):
            self.text += json.dumps(message)
            match message["type"]:
                case "snapshot":
                    self.seen, self.me = message, message["me"]
                case "view":
                    self.seen = self.seen | message["view"] | {"seq": message["seq"]}
                case "me":
                    self.me = message["me"]

    def check(self, r: Rig, table: str) -> None:
        """The terminal shows what it would show if it came new, and offers what the house would do."""
        self.read()
        now = plain(r.house.snapshot(table, self.person))
        parts = now.keys() - APART
        assert {name: self.seen[name] for name in parts} == {name: now[name] for name in parts}
        if self.person is None:
            return
        if self.person.is_staff:
            assert self.me["choices"] == now["me"]["choices"]
            return
        whole = by_kind(plain(r.house.choices(table, self.person)))
        assert whole.keys() == {kind.kind for kind in patron_commands()}
        for kind in whole:
            ways = open_ways(self.seen, self.me, kind)
            assert ways == open_ways(now, now["me"], kind) == allowed(whole[kind]), (self.person.id, kind)
            assert not any("patron" in way for way in ways)


async def step(r: Rig, table: str, people: list[Person], chance: Random) -> bool:
    """Someone does something that the table offers them, or anything at all; the preview says what comes of it."""
    person, state = chance.choice(people), r.house.followed(table).state
    told = [each for each in choices(state, person.actor) if any(way.refusal is None for way in each.ways)]
    told = [each for each in told if each.kind not in {"open-table", "close-table"}]
    if chance.random() < 0.2 or not told:
        kind = chance.choice([kind for kind in acts.COMMANDS if kind not in {"open-table", "close-table"}])
        command = anything(state, person.actor, kind, chance, ("ann", "bo", "cy"), wild=True)
    else:
        (choice,) = chance.choices(told, [WEIGHTS[each.kind] for each in told])
        way = chance.choice([way for way in choice.ways if way.refusal is None])
        taken = command_of(state, person.actor, choice.kind, way, chance)
        if taken is None:
            return False  # about an earlier round, whose record allows nothing
        command = taken
    before = plain(r.house.snapshot(table, person))
    preview = await r.house.preview(person, table, command)
    assert r.house.followed(table).state is state
    assert plain(r.house.snapshot(table, person)) == before
    reply = await r.house.command(person, table, command, r.key())
    if command.opens_cards(state) and reply.refused is None:
        assert preview == NotPermitted(""), "nobody sees a closed card by asking what would be"
        return True
    if isinstance(preview, Refusal):
        assert reply.refused == preview, to_data(command)
        return False
    assert reply.refused is None, (to_data(command), reply.refused)
    assert [each.__struct_config__.tag for each in preview.events] == kinds(reply)
    if person.is_staff:
        assert plain(preview.events) == [each["event"] for each in plain(reply.events)]
    return True


@pytest.mark.parametrize("face_down", [False, True])
@pytest.mark.parametrize("game", GAMES)
async def test_no_terminal_is_left_with_stale_choices_and_a_preview_agrees(game: str, face_down: bool) -> None:
    chance = Random(f"{game} {face_down}")
    layouts = load(game).boxes.layouts
    place = {"layout": layouts[0].id} if layouts else {"layout": None, "boxes": 4}
    async with rig() as r:
        table = await r.table(PIT, game=game, face_down=face_down, differential_cents=40_000, **place)
        patrons = [await r.person(name, cents=10_000_000) for name in PATRONS]
        poor = await r.person("Di", cents=3_000)
        staff = [await r.person(role.title(), role) for role in STAFF]
        for box, patron in enumerate(patrons[:2], 1):
            await r.done(patron, table, "sit", box=box)
        if layouts:
            await r.done(patrons[2], table, "stand", box=1)
        terminals = [Terminal(r, table, person) for person in (*patrons, poor, staff[0], staff[3], None)]
        done = 0
        while done < STEPS:
            if done and done % 50 == 0:
                terminals.append(Terminal(r, table, chance.choice(patrons)))
            done += await step(r, table, [*patrons, poor, *staff, staff[0], staff[3]], chance)
            for terminal in terminals:
                terminal.check(r, table)
        for terminal in terminals:
            if terminal.person is None or terminal.person.is_patron:
                others = {"ann", "bo", "cy", "di"} - {terminal.person.id if terminal.person else ""}
                assert not [each for each in others if f'"{each}"' in terminal.text or f":{each}" in terminal.text]


async def test_a_terminal_that_comes_back_is_told_all_it_missed() -> None:
    async with rig() as r:
        ann, table, reader = await r.seated(ETG, cents=100_000)
        first = Terminal(r, table, ann)
        first.read()
        first.reader.close()
        await r.done(ann, table, "place-bet", box=1, on="tie", stake_cents=5_000)
        back = Terminal(r, table, ann, first.seen["seq"])
        back.seen = first.seen
        back.check(r, table)
        assert [bet["stake_cents"] for bet in back.me["bets"]] == [5_000]
        await r.until(reader, "round-closed")
        back.check(r, table)


def code_of(choice: Any) -> str:
    """The code under which a choice refuses."""
    return str(choice.refusal.__struct_config__.tag)


async def test_staff_of_an_automatic_table_are_told_that_it_deals_by_itself() -> None:
    async with rig() as r:
        dan, root = await r.person("Dan", "dealer"), await r.person("Root", "admin")
        _, table, _ = await r.seated(ETG, cents=10_000)
        now = r.house.snapshot(table, dan)
        assert now.choices == ()
        assert now.me is not None
        mine = {choice.kind: choice for choice in now.me.choices}
        assert code_of(mine["deal"]) == code_of(mine["close-bets"]) == "automatic"
        assert code_of(mine["open-table"]) == "not-permitted"
        assert mine["report"].ways
        assert code_of(mine["place-bet"]) == "not-live"
        for_ann = {choice.kind: choice for choice in r.house.choices(table, dan, "ann")}
        assert code_of(for_ann["place-bet"]) == code_of(for_ann["sit"]) == "not-live", "nobody can ask them there"
        assert for_ann["leave"].ways
        admins = r.house.snapshot(table, root).me
        assert admins is not None
        assert (admins.choices, r.house.choices(table, root)) == ((), ())


async def test_what_is_ones_own_is_sent_again_only_when_it_changed() -> None:
    async with rig() as r:
        (ann, dan, table), bo = await r.live(10_000), await r.person("Bo", cents=10_000)
        await r.done(bo, table, "sit", box=2)
        await r.done(dan, table, "open-bets")
        readers = {person.id: r.house.subscribe(table, person) for person in (ann, bo)}
        for reader in readers.values():
            reader.take()
        await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=1_000)
        sent = {who: [message["type"] for message in taken(reader)].count("me") for who, reader in readers.items()}
        assert sent == {"ann": 1, "bo": 0}


async def test_a_preview_does_nothing_and_says_why_not() -> None:
    async with rig() as r:
        ann, dan, table = await r.live(1_000)
        await r.done(dan, table, "open-bets")
        seq = r.house.followed(table).seq
        bet = r.asked(ann, "place-bet", box=1, on="player", stake_cents=1_000)
        preview = await r.house.preview(ann, table, bet)
        assert not isinstance(preview, Refusal)
        assert [each["kind"] for each in plain(preview.events)] == ["bet-placed"]
        assert (r.house.followed(table).seq, await r.house.cashier.balance(ann)) == (seq, 1_000)
        for person, kind, fields, wanted in (
            (ann, "place-bet", {"box": 1, "on": "player", "stake_cents": 1_100}, "funds-short"),
            (ann, "place-bet", {"box": 1, "on": "player", "stake_cents": 100}, "stake-below-minimum"),
            (dan, "sit", {"box": 2, "patron": "nobody"}, "person-unknown"),
            (dan, "load-shoe", {"cards": "5h"}, "not-permitted"),
            (ann, "deal", {"card": "5h"}, "not-permitted"),
        ):
            command = r.asked(person, kind, **fields)
            assert code(await r.house.preview(person, table, command)) == wanted
            assert code(await r.house.command(person, table, command, r.key())) == wanted


async def test_a_preview_asks_the_store_about_people_and_funds_as_the_command_does() -> None:
    store = MemoryStore()
    # Each process has a bus of its own, so that neither hears of what the other does.
    async with rig(store=store, bus=LocalBus()) as r, rig(store=store, bus=LocalBus()) as other:
        dan, table = await r.person("Dan", "dealer"), await r.table(PIT)
        await r.betting(dan, table)
        ann = await other.person("Ann", cents=1_000)
        given: dict[str, Any] = {"patron": ann.id, "box": 1}
        assert not isinstance(await r.house.preview(dan, table, r.asked(dan, "sit", **given)), Refusal)
        await r.done(dan, table, "sit", **given)
        for stake_cents, wanted in ((1_000, ""), (1_100, "funds-short")):
            bet = r.asked(dan, "place-bet", **given, on="player", stake_cents=stake_cents)
            assert code(await r.house.preview(dan, table, bet)) == wanted
        bet = r.asked(dan, "place-bet", **given, on="player", stake_cents=1_000)
        assert code(await r.house.command(dan, table, bet, r.key())) == ""
