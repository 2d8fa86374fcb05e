"""Money after the fact over HTTP: voids, corrections, decisions, debts and chips, named by sheet and paragraph."""

from __future__ import annotations

import asyncio
from typing import Any

from punto.client import Client
from tests.faults.invariants import check
from tests.web.rig import NATURAL, PIT, Edge, edge, refusal

BANKER_WINS = "2c 9h 3c Kd"  # Player 5, Banker 9
CORRECTION: dict[str, Any] = {"round": 1, "cards": BANKER_WINS, "reason": "keyed wrongly"}
MIXED_UP: dict[str, Any] = {"reconstructible": False, "note": "mixed up", "hand": "banker", "hand_count": 4}
DECIDED: dict[str, Any] = {"reason": "as agreed"}


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

    async def report(self, by: Client, situation: str = "anything-else", **facts: Any) -> None:
        await by.command("pit", "report", situation=situation, facts=facts)

    async def decide(self, by: Client, decision: str, **inputs: Any) -> Any:
        return await by.command("pit", "decide", decision=decision, **DECIDED | inputs)

    async def funds(self, who: Client) -> tuple[int | None, int | None]:
        """What someone holds and owes."""
        account = await who.me()
        return account.balance_cents, account.owed_cents

    async def collected(self, who: str) -> None:
        """Wait until what can be collected is."""
        await self.house.debts.collect(who)

    async def round(self, who: Client, number: int = 1) -> dict[str, Any]:
        found = await who.get(f"/api/tables/pit/rounds/{number}")
        [listed] = [each for each in await who.get("/api/tables/pit/rounds") if each["round"] == number]
        for name in ("cards", "cards_before", "winner", "winner_before", "void", "adjusted", "lines", "house_cents"):
            assert found.get(name) == listed.get(name), "the list tells of a round what the round itself tells"
        return dict(found)

    async def balanced(self) -> None:
        """The ledger is balanced, and every record moves what it must."""
        assert sum((await self.house.store.balances()).values()) == 0
        await check(self.house.store)


def event(reply: Any, kind: str) -> Any:
    [found] = [each.event for each in reply.events if each.event.__struct_config__.tag == kind]
    return found


# ------------------------------------------------------------------------------------------- a void after a cash-out


async def test_commission_5_5_3_a_void_is_never_blocked_by_a_cash_out() -> None:
    """Ann won and took everything. The void goes through; what she no longer has is a debt."""
    async with edge() as e:
        floor = await Floor.set_up(e, game="commission")
        await floor.play()
        assert (await floor.ann.cash_out()).amount_cents == 20_000
        await floor.report(floor.dan, "wrong-number-of-cards", **MIXED_UP)
        if (await floor.sue.snapshot("pit")).case is not None:
            await floor.max.command("pit", "decide", decision="approve")
        assert (await floor.sue.snapshot("pit")).case is None
        assert await floor.funds(floor.ann) == (0, 10_000)
        assert await floor.funds(floor.bo) == (10_000, 0), "everybody gets their bet back"
        assert await floor.sue.get("/api/debts") == [{"patron": "ann", "name": "Ann", "owed_cents": 10_000}]
        refused = await refusal(floor.dan.get("/api/debts"))
        assert (refused.status, refused.code) == (403, "not-permitted")
        assert (await refusal(floor.ann.get("/api/debts"))).status == 403
        admin = await floor.edge.person("Ada", "admin")
        assert await admin.get("/api/debts") == (await admin.get("/api/floor"))["debts"]
        voided = await floor.round(floor.ann)
        assert (voided["void"], voided["winner"], voided["winner_before"], voided["rule"]) == (
            *(True, None, "player", "5.5.3"),
        )
        # The next credits pay it first; until then nothing is cashed out, and play goes on.
        assert await floor.ann.buy(4_000) == 0
        assert await floor.funds(floor.ann) == (0, 6_000)
        short = await refusal(floor.ann.cash_out())
        assert (short.status, short.code, getattr(short.refusal, "owed_cents", None)) == (402, "debt-open", 6_000)
        assert await floor.ann.buy(7_000) == 1_000
        await floor.play(ann=1_000, bo=0)
        assert await floor.funds(floor.ann) == (2_000, 0)
        assert (await floor.ann.cash_out()).amount_cents == 2_000
        statement = await floor.ann.get("/api/me/statement")
        assert [line["reason"] for line in statement].count("collect") == 2
        [debt] = [line for line in statement if line["owed_cents"] > 0 and line["reason"] == "adjust"]
        assert (debt["table"], debt["round"], debt["rule"]) == ("pit", 1, "5.5.3")
        assert sum(line["owed_cents"] for line in statement) == 0, "all that was owed was taken"
        await floor.balanced()


# ------------------------------------------------------------------------------------------- rounds keyed wrongly


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
        approved = await floor.max.command("pit", "decide", decision="approve")
        assert event(approved, "round-adjusted").rule == "5.14"
        await floor.collected("ann")
        assert await floor.funds(floor.ann) == (0, 10_000)
        assert await floor.funds(floor.bo) == (19_500, 0)
        view = await floor.ann.snapshot("pit")
        assert (view.phase, view.round, view.last) == ("betting", 2, view.last)
        assert view.me is not None
        assert (view.me.owed_cents, view.me.in_play_cents) == (10_000, 10_000)
        await corrected_is_shown(floor)
        await floor.edge.deal(floor.dan)
        await floor.collected("ann")
        assert await floor.funds(floor.ann) == (10_000, 0), "what comes in pays the debt first"
        await floor.balanced()


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


# ------------------------------------------------------------------------------------------- decisions

ANNS, BOS = {"box": 1, "patron": "ann", "on": "player"}, {"box": 2, "patron": "bo", "on": "banker"}


async def test_easy_six_the_shift_manager_decides_about_money_in_a_round() -> None:
    """The sheet has no paragraph for it; Cy, who looks on, learns neither names nor amounts."""
    async with edge() as e:
        floor = await Floor.set_up(e, game="easy-six")
        await floor.bets()
        readers = {name: floor.house.subscribe("pit", floor.house.people.get(name)) for name in ("ann", "cy")}
        await floor.dan.command("pit", "close-bets")
        await floor.report(floor.dan)
        refused = floor.decide(floor.max, "return-bets", bets=[ANNS])
        assert (await refusal(refused)).code == "not-permitted"
        await floor.decide(floor.sam, "return-bets", bets=[ANNS])
        await e.approve()
        assert await floor.funds(floor.ann) == (10_000, 0)
        await floor.report(floor.sam)
        await floor.decide(floor.sam, "pay-bets", bets=[BOS], odds="1:2")
        paid = await e.approve()
        assert [line.returned_cents for line in event(paid, "bets-paid").lines] == [15_000]
        assert await floor.funds(floor.bo) == (15_000, 0)
        await floor.report(floor.sam)
        await floor.decide(floor.sam, "pay-amount", account="ann", amount_cents=700)
        await e.approve()
        assert await floor.funds(floor.ann) == (10_700, 0)
        for card in NATURAL:
            await floor.dan.command("pit", "deal", card=card)
        await floor.dan.command("pit", "settle")
        texts = {name: [each.text for each in reader.take()] for name, reader in readers.items()}
        assert any('"kind":"amount-decided"' in text and '"amount_cents":700' in text for text in texts["ann"])
        for text in texts["cy"]:
            for kind in ("amount-decided", "bets-paid", "bets-returned"):
                if f'"kind":"{kind}"' in text:
                    assert not any(told in text for told in ("Ann", "ann", '"bo"', "700", "15000", "as agreed"))
        for who, amounts in ((floor.ann, [700]), (floor.sue, [700]), (floor.bo, []), (floor.cy, [])):
            found = await floor.round(who)
            assert [each["amount_cents"] for each in found.get("amounts", [])] == amounts
        lines = (await floor.round(floor.bo))["lines"]
        assert [(line["type"], line["returned_cents"]) for line in lines] == [("paid", 15_000)]
        assert (await floor.round(floor.sue))["house_cents"] == -5_000
        told = {each["code"]: each["parameters"] for each in await floor.dan.get("/api/significant")}
        assert told["amount-decided"] == {
            "round": 1,
            "case": 3,
            "reason": "as agreed",
            "patron": "ann",
            "amount_cents": 700,
        }
        assert told["bets-paid"] == {"round": 1, "case": 2}
        await floor.balanced()


# ------------------------------------------------------------------------------------------- attacks


async def test_commission_5_14_the_same_key_corrects_once_and_two_at_once_follow_on_each_other() -> None:
    async with edge() as e:
        floor = await Floor.set_up(e)
        await floor.play()
        await floor.bets(ann=0, bo=0)
        path, body = "/api/tables/pit/commands", {"kind": "correct-round"} | CORRECTION
        answers = await asyncio.gather(*[floor.sam.post(path, body, key="same") for _ in range(3)])
        assert len({each["seq"] for each in answers}) == 1
        await e.approve()
        others = {f"other-{cards[-2:]}": body | {"cards": cards} for cards in ("5h Ks 4d 7c", "5h Ks 4d 8c")}

        async def sent_at_once() -> list[str]:
            """The codes of the refusals when both are sent at the same time."""
            sent = [floor.sam.post(path, other, key=key) for key, other in others.items()]
            answers = await asyncio.gather(*sent, return_exceptions=True)
            return [getattr(each, "code", "") for each in answers if isinstance(each, Exception)]

        assert await sent_at_once() == ["round-held"], "one waits until the other is decided"
        await e.approve()
        assert await sent_at_once() == []
        await e.approve()
        adjusted = [each for each in (await floor.round(floor.bo))["lines"] if each["type"] == "adjusted"]
        assert [each["before_cents"] for each in adjusted] == [0, *[each["after_cents"] for each in adjusted[:-1]]]
        reused = floor.sam.post(path, body | {"cards": "5h Ks 4d 6c"}, key="same")
        assert (await refusal(reused)).code == "key-reused"
        for patron in ("ann", "bo"):
            await floor.collected(patron)
        await floor.balanced()
