"""What terminals are told: a snapshot with every view laid over it is the snapshot that a newcomer gets."""

from __future__ import annotations

from typing import Any

import pytest

from punto.protocol.views import Snapshot
from punto.service.people.person import Person
from tests.service.rig import TIGER, Rig, plain, rig, taken

APART = {"type", "seq", "now_ms", "ends_at_ms", "me"}
"""What other messages bring."""


class Terminal:
    """Folds nothing: it lays views over its snapshot."""

    def __init__(self, r: Rig, table: str, person: Person | None, after: int | None = None) -> None:
        self.reader = r.house.subscribe(table, person, after)
        self.seen: dict[str, Any] = {}
        self.me: dict[str, Any] | None = None

    def read(self) -> None:
        for message in taken(self.reader):
            match message["type"]:
                case "snapshot":
                    self.seen, self.me = dict(message), message["me"]
                case "view":
                    self.seen |= message["view"] | {"seq": message["seq"]}
                case "me":
                    self.me = message["me"]

    def ways(self, kind: str) -> Any:
        """The ways of a command that the table does not refuse."""
        assert self.me is not None
        (choice,) = [each for each in self.me["choices"] if each["kind"] == kind]
        return choice["ways"]

    def agrees_with(self, now: Snapshot) -> bool:
        self.read()
        snapshot = plain(now)
        parts = snapshot.keys() - APART - {"suspended"}
        return {name: self.seen[name] for name in parts} == {name: snapshot[name] for name in parts}


@pytest.mark.parametrize("role", ["patron", "dealer", None])
async def test_views_add_up_to_the_snapshot(role: str | None) -> None:
    async with rig() as r:
        ann = await r.person("Ann", cents=1_000_000)
        watcher = ann if role == "patron" else await r.person("Dan", role) if role else None
        table = await r.table(TIGER)
        terminal, late = Terminal(r, table, watcher), None
        terminal.read()
        pace = r.house.subscribe(table, None)
        for number in range(1, 7):
            await r.until(pace, "bets-opened")
            if number == 1:
                await r.done(ann, table, "sit", box=1)
            for on in ("player", "banker"):
                await r.done(ann, table, "place-bet", box=1, on=on, stake_cents=10_000)
            assert terminal.agrees_with(r.house.snapshot(table, watcher))
            late = late or Terminal(r, table, watcher)
            await r.until(pace, "round-closed")
            now = r.house.snapshot(table, watcher)
            assert terminal.agrees_with(now)
            assert late.agrees_with(now)
        assert terminal.seen["roads"]["rounds"] == 6


async def test_a_terminal_that_comes_back_is_told_all_it_missed() -> None:
    async with rig() as r:
        ann = await r.person("Ann", cents=100_000)
        table = await r.table(TIGER)
        first = Terminal(r, table, ann)
        pace = r.house.subscribe(table, None)
        await r.until(pace, "bets-opened")
        first.read()
        first.reader.close()
        await r.done(ann, table, "sit", box=1)
        await r.done(ann, table, "place-bet", box=1, on="tiger", stake_cents=5_000)
        back = Terminal(r, table, ann, first.seen["seq"])
        back.seen = first.seen
        assert back.agrees_with(r.house.snapshot(table, ann))
        assert back.me is not None
        assert [bet["stake_cents"] for bet in back.me["bets"]] == [5_000]
