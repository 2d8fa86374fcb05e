"""Cards, squeezes and devices of the floor over HTTP: who opens which card, and what everyone sees of it before."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from punto.client import Client
from punto.rules.cards import DECK, parse_cards
from punto.service.shoes.shuffle import ShuffledShoe
from punto.table.shoe_proof import OpenedShoe, PlayedRound, PutAside, broken_commitment
from tests.manual_clock import ManualClock
from tests.service.rig import PACE, taken, world
from tests.service.test_squeeze import settle_down
from tests.web.rig import AUTOMATIC, Edge, edge, refusal


class Floor:
    """An automatic table on a clock that the test advances: a Dealer, a Pit Manager, and Ann who bets more than Bo."""

    def __init__(self, e: Edge, clock: ManualClock, table: str) -> None:
        self.edge, self.table = e, table
        self._clock, self._reader = clock, e.house.subscribe(table, None)
        self._unread: list[dict[str, Any]] = []

    async def come(self) -> None:
        self.dealer = await self.edge.person("Dan", "dealer")
        self.manager = await self.edge.person("Max", "pit-manager")
        self.ann = await self.edge.person("Ann", cents=100_000)
        self.bo = await self.edge.person("Bo", cents=100_000)

    @property
    def viewers(self) -> tuple[Client, ...]:
        return self.edge.public, self.ann, self.bo, self.dealer, self.manager

    async def bets(self) -> None:
        """A round with Ann's 200.00 on Player and Bo's 100.00 on Banker."""
        await self.until("bets-opened")
        for box, (who, on, cents) in enumerate(((self.ann, "player", 20_000), (self.bo, "banker", 10_000)), 1):
            await who.command(self.table, "sit", box=box)
            await who.command(self.table, "place-bet", box=box, on=on, stake_cents=cents)

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Let time pass until an event with these fields, and no longer."""
        while True:
            self._unread += [each for each in taken(self._reader) if each["type"] == "event"]
            while self._unread:
                message = self._unread.pop(0)
                if message["event"]["kind"] == kind and fields.items() <= message["event"].items():
                    return message
            await self._clock.step()
            await settle_down()

    async def cards(self, who: Client | None = None) -> list[str | None]:
        return [each.card for each in (await (who or self.edge.public).snapshot(self.table)).cards]


@asynccontextmanager
async def floor(monkeypatch: pytest.MonkeyPatch, cards: str, **settings: Any) -> AsyncIterator[Floor]:
    """A face-down automatic table whose shoes all begin with these cards."""
    order = list(DECK * 8)
    first = parse_cards(cards)
    for card in first:
        order.remove(card)
    shoe = ShuffledShoe((*first, *order), bytes(32))
    monkeypatch.setattr("punto.service.tables.runner.new_shoe", lambda _decks, _entropy: shoe)
    clock = ManualClock()
    async with edge(world(clock), timing=PACE) as e:
        await e.table(AUTOMATIC, face_down=True, **settings)
        made = Floor(e, clock, "auto")
        await made.come()
        yield made


def ways(choices: Any, kind: str) -> list[Any]:
    """The ways of a command that are open."""
    found = [each for each in choices if each.kind == kind and not each.refusal]
    return [way for each in found for way in each.ways if not way.refusal]


# ------------------------------------------------------------------------------------------- squeezes


async def test_commission_3_9_the_patron_who_was_granted_the_squeeze_opens_the_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ann asks for the second card, has it, and opens it: nobody knows it before, whoever they are."""
    async with floor(monkeypatch, "5h Kd 6s 6c 9h", game="commission") as f:
        await f.bets()
        await f.until("card-dealt", place=1)
        assert (await refusal(f.bo.command("auto", "ask-squeeze", what="card"))).code == "squeeze-not-highest"
        asked = await f.ann.command("auto", "ask-squeeze", what="card")
        assert asked.events[0].event.rule == "3.9"
        await f.until("squeeze-answered", consent=True)
        await f.until("card-dealt", place=4)
        for who in f.viewers:
            view = await who.snapshot("auto")
            assert [each.card for each in view.cards] == ["5h", None, "6s", "6c"]
            assert [each.squeezed_by for each in view.cards] == [None, "Ann", None, None]
            assert (view.phase, view.next.hand, view.result) == ("opening", None, None)
            assert (view.points.player, view.points.banker) == (1, 6), "of the open cards alone"
        for who in (f.ann, f.dealer):
            assert (await refusal(who.preview("auto", "open-card", place=2))).code in {"not-permitted", "automatic"}
        assert (await refusal(f.bo.command("auto", "open-card", place=2))).code == "squeeze-not-granted"
        for staff in (f.dealer, f.manager):
            assert (await refusal(staff.command("auto", "open-card", place=2))).code == "automatic"
            assert not ways(await staff.choices("auto"), "open-card")
        me = (await f.ann.snapshot("auto")).me
        assert me is not None
        assert [way.place for way in ways(me.choices, "open-card")] == [2]
        assert (await refusal(f.ann.command("auto", "open-card", place=2, card="Kd"))).code == "card-known"
        opened = await f.ann.command("auto", "open-card", place=2)
        assert (opened.events[0].event.card, opened.events[0].event.rule) == ("Kd", "3.9")
        assert await f.cards() == ["5h", "Kd", "6s", "6c"]
        seen = await f.until("card-opened", place=2)
        assert (seen["event"]["by"], seen["event"]["squeezed_by"]) == ("patron", "Ann")
        await f.until("round-closed")


# ------------------------------------------------------------------------------------------- devices and shoes


def opened_shoe(record: dict[str, Any]) -> OpenedShoe:
    """A published shoe, as `punto verify-shoe` reads it."""
    fields = {name: record[name] for name in ("commitment", "salt", "order", "decks", "dealt", "first_burn")}
    for name in ("carried", "closed"):
        fields[name] = tuple([PutAside(**each) for each in record[name]])
    return OpenedShoe(rounds=tuple([PlayedRound(**each) for each in record["rounds"]]), **fields)


async def test_commission_1_6_every_round_from_a_shuffler_has_its_own_commitment() -> None:
    """Three rounds of an automatic table: each from a full set under its own commitment, on one page of roads."""
    clock = ManualClock()
    async with edge(world(clock), timing=PACE) as e:
        await e.table(AUTOMATIC, game="commission", device="shuffler")
        f = Floor(e, clock, "auto")
        commitments = []
        for number in (1, 2, 3):
            opened = await f.until("bets-opened", round=number)
            shoe = (await e.public.snapshot("auto")).shoe
            assert shoe is not None
            assert (opened["event"]["shoe"], shoe.number, shoe.dealt, shoe.cut) == (number, number, 0, None)
            assert (shoe.checked, shoe.shuffled, shoe.burned) == (True, True, 0)
            commitments.append(shoe.commitment)
            assert (await e.public.get(f"/api/tables/auto/shoes/{number}"))["order"] is None
            await f.until("round-closed", round=number)
            record = await e.public.get(f"/api/tables/auto/shoes/{number}")
            assert len(record["rounds"]) == 1
            assert broken_commitment(opened_shoe(record), str, shoe.commitment) is None
        assert len({*commitments}) == 3
        assert (await e.public.snapshot("auto")).roads.rounds == 3


async def test_an_automatic_shoe_burns_by_its_first_card_and_its_record_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    async with floor(monkeypatch, "3h 9d 9c 9s 5h Kd 4s 7c", burn="first-card") as f:
        await f.until("bets-opened")
        shoe = (await f.edge.public.snapshot("auto")).shoe
        assert shoe is not None
        assert (shoe.burned, shoe.dealt) == (4, 4)
        for who in f.viewers:
            text = str(await who.get("/api/tables/auto/shoes/1")) + str(await who.get("/api/tables/auto"))
            assert not any(card in text for card in ("9d", "9c", "9s")), "what was burned unseen"
        await f.until("round-closed")
        await f.manager.command("auto", "replace-shoe", reason="worn")
        record = await f.edge.public.get("/api/tables/auto/shoes/1")
        assert (record["first_burn"], record["dealt"]) == (4, "3h 9d 9c 9s 5h Kd 4s 7c")
        assert broken_commitment(opened_shoe(record), str, shoe.commitment) is None
        for burn in (0, 3, 5):
            assert broken_commitment(opened_shoe(record | {"first_burn": burn}), str) is not None


async def test_a_void_round_with_closed_cards_is_published_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    async with floor(monkeypatch, "5h Kd 6s 6c 9h 9h") as f:
        shift = await f.edge.person("Kim", "shift-manager")
        await f.bets()
        await f.until("card-dealt", place=1)
        await f.ann.command("auto", "ask-squeeze", what="card")
        await f.until("card-dealt", place=4)
        await f.dealer.command("auto", "report", situation="anything-else")
        await shift.command("auto", "decide", decision="void", reason="seen on camera")
        for who in f.viewers:
            assert "Kd" not in str(await who.get("/api/tables/auto/shoes/1"))
            assert "Kd" not in str(await who.get("/api/tables/auto/rounds/1"))
        await f.manager.command("auto", "replace-shoe", reason="worn")
        record = await f.edge.public.get("/api/tables/auto/shoes/1")
        assert [(each["place"], each["card"]) for each in record["closed"]] == [(2, "Kd"), (3, "6s"), (4, "6c")]
        assert [each["cards"] for each in record["rounds"]] == ["5h"]
        assert broken_commitment(opened_shoe(record), str) is None
        lies: tuple[dict[str, Any], ...] = ({"closed": []}, {"rounds": [record["rounds"][0] | {"void": False}]})
        for lie in lies:
            assert broken_commitment(opened_shoe(record | lie), str) is not None
