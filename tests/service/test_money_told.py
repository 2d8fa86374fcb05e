"""What a patron is told of money: tickets, the statement by round with its totals, and notices kept until read."""

from __future__ import annotations

from typing import Any

from punto.ledger.table_day import DAY_MS
from punto.protocol.views import StatementEntry, StatementTotal
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.store.memory import MemoryStore
from tests.service.rig import NATURAL, PIT, Rig, code, crash, rig
from tests.service.test_debts import CORRECTION, bet, won_and_cashed_out
from tests.service.test_looking_back import CountingStore


async def told(r: Rig, who: Person) -> list[tuple[str, int | None, str | None, int]]:
    return [(each.code, each.round, each.rule, each.amount_cents) for each in await r.house.notices.unread(who)]


# ------------------------------------------------------------------------------------------- tickets


async def test_a_part_is_cashed_out_and_every_ticket_can_be_found_again() -> None:
    async with rig() as r:
        ann, bo = await r.person("Ann", cents=10_000), await r.person("Bo", cents=5_000)
        assert code(await r.house.cashier.cash_out(ann, 10_001, "out")) == "funds-short"
        assert await r.house.cashier.tickets(ann, 20) == []
        given = []
        for cents, key in ((3_000, "one"), (None, "two")):
            reply = await r.house.cashier.cash_out(ann, cents, key)
            assert reply.ticket is not None, reply.refused
            given.append(reply.ticket)
            await r.clock.step()
        assert [each.amount_cents for each in given] == [3_000, 7_000]
        listed = [(each, False) for each in given[::-1]]
        assert await r.house.cashier.tickets(ann, 20) == listed, "newest first, each as it was given"
        assert await r.house.cashier.tickets(ann, 1) == listed[:1]
        assert await r.house.cashier.tickets(bo, 20) == []


# ------------------------------------------------------------------------------------------- the statement


async def entries(r: Rig, who: Person, **paging: Any) -> list[StatementEntry]:
    return await r.house.statement_entries(who, **{"before": None, "limit": 50} | paging)


async def test_the_statement_comes_by_round_with_the_net_of_each() -> None:
    async with rig() as r:
        dan, sam, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 30_000, "two")
        await bet(r, dan, ann, 5_000)
        await r.done(dan, "pit", "open-bets")
        await r.done(ann, "pit", "place-bet", box=1, on="banker", stake_cents=4_000)
        await r.done(ann, "pit", "withdraw-bet", box=1, on="banker")
        await r.done(dan, "pit", "place-bet", patron="ann", box=1, on="player", stake_cents=1_000)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        found = await entries(r, ann)
        assert [(each.round, each.reason, each.net_cents, each.in_play) for each in found] == [
            (None, "collect", 0, False),
            (1, "adjust", -20_000, False),
            (3, None, -1_000, True),
            (2, None, 5_000, False),
            (None, "buy", 0, False),
            (None, "cash-out", 0, False),
            (1, None, 10_000, False),
            (None, "buy", 0, False),
        ]
        assert (found[1].rule, found[1].owed_cents, found[0].owed_cents) == ("5.14", 20_000, -20_000)
        lines = [(line.reason, line.on, line.amount_cents, line.by_name) for line in found[2].movements]
        assert lines == [
            ("stake", "banker", -4_000, None),
            ("return", "banker", 4_000, None),
            ("stake", "player", -1_000, "Dan"),
        ]
        assert [(line.reason, line.on) for line in found[3].movements] == [("stake", "player"), ("pay", "player")]
        paged: list[StatementEntry] = []
        while page := await entries(r, ann, before=paged[-1].place if paged else None, limit=3):
            paged += page
        assert paged == found
        movements = [line async for page in r.house.whole_statement(ann) for line in page]
        assert sum(len(each.movements) for each in found) == len(movements), "every movement stands in one entry"


async def test_a_choice_that_staff_make_for_a_present_patron_names_them() -> None:
    async with rig() as r:
        dan, _, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 30_000, "two")
        for chooser, named in ((dan, "Dan"), (ann, None)):
            await r.done(dan, "pit", "open-bets")
            await r.done(ann, "pit", "place-bet", box=1, on="player", stake_cents=1_000)
            await r.done(dan, "pit", "close-bets")
            await r.done(dan, "pit", "report", situation="other-dealing-error", facts={})
            mine = {} if chooser is ann else {"patron": "ann"}
            await r.done(chooser, "pit", "choose", option="take-back", **mine)
            (newest, *_) = await entries(r, ann)
            assert [(each.reason, each.by_name) for each in newest.movements] == [("stake", None), ("return", named)]
            for card in NATURAL.split():
                await r.done(dan, "pit", "deal", card=card)
            await r.done(dan, "pit", "settle")


async def test_rounds_of_two_tables_at_once_are_told_apart() -> None:
    async with rig() as r:
        dan, _, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 30_000, "two")
        await r.table(PIT, table="other")
        await r.done(ann, "other", "sit", box=1)
        await r.done(dan, "other", "load-shoe")
        for table in ("other", "pit"):
            await r.done(dan, table, "open-bets")
            await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=1_000)
        for table in ("other", "pit"):
            await r.deal(dan, table)
        found = await entries(r, ann, limit=2)
        assert [(each.table, each.round, each.net_cents) for each in found] == [("pit", 2, 1_000), ("other", 1, 1_000)]


async def test_totals_are_by_gaming_day_and_by_session() -> None:
    async with rig() as r:
        dan, _, ann = await won_and_cashed_out(r)
        r.clock.jump(DAY_MS)
        await r.house.cashier.buy(ann, 20_000, "two")
        await bet(r, dan, ann, 5_000)
        assert (await r.house.cashier.cash_out(ann, 5_000, "part")).refused is None
        await bet(r, dan, ann, 5_000)

        async def totals(by: Any, **paging: Any) -> list[StatementTotal]:
            return await r.house.statement_totals(ann, by, **{"before": None, "limit": 50} | paging)

        days, sessions = await totals("day"), await totals("session")
        for found in (days, sessions):
            assert [
                (each.rounds, each.bought_cents, each.cashed_out_cents, each.net_cents, each.after_cents)
                for each in found
            ] == [(2, 20_000, 5_000, 10_000, 25_000), (1, 10_000, 20_000, 10_000, 0)]
        assert days[0].day != days[1].day
        assert sessions[0].day is None
        assert await totals("session", limit=1) == sessions[:1], "a part cashed out does not end a session"
        assert await totals("session", before=sessions[0].place) == sessions[1:]


async def test_a_statement_reads_no_record_for_each_of_its_lines() -> None:
    store = CountingStore()
    async with rig(store=store) as r:
        dan, _, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 20_000, "two")
        for _ in range(3):
            await bet(r, dan, ann, 1_000)
        store.reads = 0
        lines = await r.house.statement(ann)
        assert (len(lines), store.reads) == (11, 0)


# ------------------------------------------------------------------------------------------- notices


async def test_a_void_is_told_with_its_paragraph_and_stays_until_it_is_read() -> None:
    store = MemoryStore()
    async with rig(store=store) as r:
        dan, sam, ann = await won_and_cashed_out(r)
        await r.house.cashier.buy(ann, 10_000, "two")
        await r.done(dan, "pit", "open-bets")
        await r.done(ann, "pit", "place-bet", box=1, on="player", stake_cents=2_000)
        await r.done(dan, "pit", "close-bets")
        await r.done(dan, "pit", "report", situation="anything-else", facts={"note": "spilled"})
        await r.confirmed(sam, "pit", "decide", decision="void", reason="spilled")
        [void] = await r.house.notices.unread(ann)
        assert (void.code, void.table, void.round, void.amount_cents) == ("round-voided", "pit", 2, 2_000)
        bo = await r.person("Bo")
        assert await told(r, bo) == [], "it is told to those whose money it moved"
        assert await r.house.notices.mark_read(bo, [void.id]) == []
        assert await r.house.notices.unread(ann) == [void], "nobody reads for another"
        await crash(r.house)
    async with rig(store=store) as r:
        assert await r.house.notices.unread(ann) == [void]
        assert await r.house.notices.mark_read(ann, [void.id, "unknown", void.id]) == []
        await r.house.notices.mark_read(ann, [void.id])
        await crash(r.house)
    async with rig(store=store) as r:
        assert await r.house.notices.unread(ann) == []
        marks = [each for each in await store.read("desk", 0, 1_000) if each.kind == "notices-read"]
        assert len(marks) == 1, "what is read already is not marked again"


async def test_corrections_debts_and_amounts_decided_are_told() -> None:
    async with rig() as r:
        dan, sam, ann = await won_and_cashed_out(r)
        await r.confirmed(sam, "pit", "correct-round", **CORRECTION)
        assert await told(r, ann) == [("correction-owed", 1, "5.14", 20_000)]
        await r.house.cashier.buy(ann, 30_000, "two")
        assert (await told(r, ann))[1:] == [("debt-collected", None, None, 20_000)]
        back = CORRECTION | {"cards": NATURAL}
        await r.confirmed(sam, "pit", "correct-round", **back)
        assert (await told(r, ann))[2:] == [("round-adjusted", 1, "5.14", 20_000)]
        await r.done(dan, "pit", "report", situation="anything-else", facts={"note": "a claim"})
        decided = {"decision": "pay-amount", "account": "ann", "amount_cents": 500, "reason": "as agreed"}
        await r.confirmed(sam, "pit", "decide", **decided)
        assert [(each[0], each[3]) for each in (await told(r, ann))[3:]] == [("amount-decided", 500)]


async def test_a_token_that_was_replaced_is_told_with_those_who_did_it() -> None:
    async with rig() as r:
        ann, max_, mia = [
            await r.person(name, role)
            for name, role in (("Ann", "patron"), ("Max", "pit-manager"), ("Mia", "pit-manager"))
        ]
        assert code(await r.house.people.replace_token(max_, "ann")) == "second-person-asked"
        assert await r.house.notices.unread(ann) == []
        assert not isinstance(await r.house.people.replace_token(mia, "ann"), Refusal)
        [notice] = await r.house.notices.unread(ann)
        assert (notice.code, notice.by) == ("token-replaced", ("Max", "Mia"))
