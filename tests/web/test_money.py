"""What is asked of money over HTTP: tickets, the statement by round with totals, notices, debts after a correction."""

from __future__ import annotations

from typing import Any

from punto.client import Client
from tests.faults.invariants import check
from tests.web.rig import NATURAL, PIT, Edge, edge, refusal

BANKER_WINS = "2c 9h 3c Kd"  # Player 5, Banker 9
CORRECTION: dict[str, Any] = {"round": 1, "cards": BANKER_WINS, "reason": "keyed wrongly"}


class Floor:
    """A live table with Ann and Bo seated at it, their bets on Player and Banker, and the staff around it."""

    def __init__(self, served: Edge, people: dict[str, Client]) -> None:
        self.edge, self.house = served, served.house
        self.ann, self.bo, self.cy = people["Ann"], people["Bo"], people["Cy"]
        self.dan, self.sue, self.max, self.sam = (people[name] for name in ("Dan", "Sue", "Max", "Sam"))

    @classmethod
    async def set_up(cls, served: Edge, **changes: Any) -> Floor:
        await served.table(PIT | changes)
        people = {name: await served.person(name, cents=10_000) for name in ("Ann", "Bo", "Cy")}
        for name, role in (("Dan", "dealer"), ("Sue", "pit-supervisor"), ("Max", "pit-manager")):
            people[name] = await served.person(name, role)
        people["Sam"] = await served.person("Sam", "shift-manager")
        for box, name in enumerate(("Ann", "Bo"), 1):
            await people[name].command("pit", "sit", box=box)
        await people["Dan"].command("pit", "load-shoe")
        return cls(served, people)

    async def bets(self, ann: int = 10_000, bo: int = 10_000) -> None:
        """A round is called, and Ann bets on Player, Bo on Banker."""
        await self.dan.command("pit", "open-bets")
        for who, box, on, cents in ((self.ann, 1, "player", ann), (self.bo, 2, "banker", bo)):
            if cents:
                await who.command("pit", "place-bet", box=box, on=on, stake_cents=cents)

    async def play(self, cards: tuple[str, ...] = NATURAL, **bets: int) -> None:
        """A whole round."""
        await self.bets(**bets)
        await self.edge.deal(self.dan, cards)

    async def funds(self, who: Client) -> tuple[int | None, int | None]:
        """What someone holds and owes."""
        account = await who.me()
        return account.balance_cents, account.owed_cents

    async def round(self, who: Client, number: int = 1) -> dict[str, Any]:
        found = await who.get(f"/api/tables/pit/rounds/{number}")
        [listed] = [each for each in await who.get("/api/tables/pit/rounds") if each["round"] == number]
        for name in ("cards", "cards_before", "winner", "winner_before", "void", "adjusted", "lines", "house_cents"):
            assert found.get(name) == listed.get(name), "the list tells of a round what the round itself tells"
        return dict(found)


async def test_commission_5_14_a_round_keyed_wrongly_is_corrected_after_the_next_began() -> None:
    """A round is corrected while the next is in play; another person confirms it."""
    async with edge() as e:
        floor = await Floor.set_up(e, game="commission")
        await floor.play()
        await floor.bets(ann=10_000, bo=0)
        refused = await refusal(floor.dan.command("pit", "correct-round", **CORRECTION))
        assert refused.code == "not-permitted"
        await floor.sue.command("pit", "correct-round", **CORRECTION)
        assert await floor.funds(floor.ann) == (10_000, 0), "nothing moves before a second person agrees"
        assert (await refusal(floor.sue.command("pit", "decide", decision="approve"))).code == "same-person"
        await floor.max.command("pit", "decide", decision="approve")
        await floor.house.debts.collect("ann")
        assert await floor.funds(floor.ann) == (0, 10_000)
        assert await floor.funds(floor.bo) == (19_500, 0)
        debts = [{"patron": "ann", "name": "Ann", "owed_cents": 10_000}]
        assert await floor.sue.get("/api/debts") == debts == (await floor.sue.get("/api/floor"))["debts"]
        assert {(await refusal(who.get("/api/debts"))).status for who in (floor.ann, floor.dan)} == {403}
        short = await refusal(floor.ann.cash_out())
        assert (short.status, short.code, getattr(short.refusal, "owed_cents", None)) == (402, "debt-open", 10_000)
        view = await floor.ann.snapshot("pit")
        assert (view.phase, view.round) == ("betting", 2)
        assert view.me is not None
        assert (view.me.owed_cents, view.me.in_play_cents) == (10_000, 10_000)
        await corrected_is_shown(floor)
        await floor.edge.deal(floor.dan)
        await floor.house.debts.collect("ann")
        assert await floor.funds(floor.ann) == (10_000, 0), "what comes in pays the debt first"
        await check(floor.house.store)


async def corrected_is_shown(floor: Floor) -> None:
    """Before and after are shown to whoever they concern; roads, results and the shoe have the cards as they were."""
    for who, patrons in ((floor.ann, {"ann"}), (floor.bo, {"bo"}), (floor.sue, {"ann", "bo"}), (floor.cy, set())):
        found = await floor.round(who)
        assert (found["cards_before"], found["cards"]) == (" ".join(NATURAL), BANKER_WINS)
        assert (found["winner_before"], found["winner"], found["adjusted"]) == ("player", "banker", True)
        assert {line["bet"]["patron"] for line in found["lines"]} == patrons
    anns = [line for line in (await floor.round(floor.ann))["lines"] if line["type"] == "adjusted"]
    assert [(line["before_cents"], line["after_cents"]) for line in anns] == [(20_000, 0)]
    roads = await floor.edge.public.get("/api/tables/pit/roads")
    assert roads["results"] == {"banker": 1, "player": 0, "tie": 0}
    assert (await floor.edge.public.tables())[0].last == ("banker",)
    shoe = await floor.sue.get("/api/tables/pit/shoes/1")
    assert (shoe["dealt"], shoe["rounds"][0]["cards"]) == (BANKER_WINS, BANKER_WINS)
    significant = await floor.dan.get("/api/significant")
    assert [each["code"] for each in significant].count("round-adjusted") == 1


async def test_tickets_rounds_totals_and_notices_are_ones_own() -> None:
    async with edge() as e:
        floor = await Floor.set_up(e)
        await floor.play()
        await floor.bets(ann=1_000, bo=0)
        await floor.dan.command("pit", "close-bets")
        await floor.dan.command("pit", "report", situation="anything-else", facts={"note": "spilled"})
        await floor.sam.command("pit", "decide", decision="void", reason="as agreed")
        await e.approve()
        ticket = await floor.ann.cash_out(5_000)
        listed = await floor.ann.get("/api/me/tickets")
        assert [(each["ticket"], each["amount_cents"]) for each in listed] == [(ticket.ticket, 5_000)]
        rounds = await floor.ann.get("/api/me/statement/rounds")
        assert [(each["round"], each["reason"], each["net_cents"]) for each in rounds] == [
            (None, "cash-out", 0),
            (2, None, 0),
            (1, None, 10_000),
            (None, "buy", 0),
        ]
        older = await floor.ann.get(f"/api/me/statement/rounds?limit=1&before={rounds[1]['place']}")
        assert older == rounds[2:3]
        [session] = await floor.ann.get("/api/me/statement/totals?by=session")
        [day] = await floor.ann.get("/api/me/statement/totals")
        assert session | {"day": day["day"]} == day
        assert (day["rounds"], day["net_cents"], day["after_cents"]) == (2, 10_000, 15_000)
        [notice] = await floor.ann.get("/api/me/notices")
        assert (notice["code"], notice["round"], notice["amount_cents"]) == ("round-voided", 2, 1_000)
        assert await floor.bo.get("/api/me/notices") == []
        headers = {"Authorization": f"Bearer {floor.ann.token}"}
        left = await e.http.post("/api/me/notices/read", json={"ids": [notice["id"]]}, headers=headers)
        assert left.json() == []
        assert await floor.ann.get("/api/me/notices") == []
