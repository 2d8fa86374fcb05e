"""The house at work: automatic tables, people, money, snapshots."""

from __future__ import annotations

import asyncio
from importlib import resources
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from punto.protocol.refusals import FundsShort
from punto.protocol.views import Movement
from punto.rules.cards import parse_cards
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, Refused
from punto.service.money import statement as statements
from punto.service.people.admissions import SET_UP
from punto.service.people.person import Person
from punto.service.tables.runner import Runner
from punto.service.viewing import history
from punto.store.errors import UnavailableError
from punto.store.memory import MemoryStore
from punto.table import acts
from punto.table.engine import decide
from punto.table.refusals import NotYours
from punto.table.state import State
from punto.texts import say, text
from tests.service.rig import ETG, PIT, TIGER, code, gather, kinds, rig


async def test_an_automatic_table_plays_a_round_by_the_clock() -> None:
    async with rig() as r:
        ann, table, reader = await r.seated(ETG, cents=100_000)
        placed = await r.done(ann, table, "place-bet", box=1, on="banker", stake_cents=5_000)
        assert kinds(placed) == ["bet-placed"]
        assert await r.house.cashier.balance(ann) == 95_000
        settled = await r.until(reader, "round-settled")
        back = settled["event"]["lines"][0]["returned_cents"]
        assert await r.house.cashier.balance(ann) == 95_000 + back
        mine = await r.until_seen(reader, lambda message: message["type"] == "me")
        assert mine["me"]["balance_cents"] == 95_000 + back
        assert mine["me"]["bets"] == []


async def test_the_same_key_is_done_once_and_another_body_is_refused() -> None:
    async with rig() as r:
        ann, table, _ = await r.seated(ETG, cents=100_000)
        bets = [r.give(ann, table, "place-bet", "one", box=1, on="tie", stake_cents=5_000) for _ in range(50)]
        replies = await gather(*bets)
        again = await r.give(ann, table, "place-bet", "one", box=1, on="tie", stake_cents=5_000)
        assert all(reply == replies[0] for reply in [*replies, again])
        assert replies[0].refused is None
        assert await r.house.cashier.balance(ann) == 95_000
        other = await r.give(ann, table, "place-bet", "one", box=1, on="tie", stake_cents=6_000)
        assert code(other) == "key-reused"


async def test_two_terminals_cannot_both_spend_the_last_credit() -> None:
    async with rig() as r:
        ann = await r.person("Ann", cents=5_000)
        tables = [await r.table(ETG), await r.table(ETG, table="etg-2")]
        for table in tables:
            await r.until(r.house.subscribe(table, None), "bets-opened")
            await r.done(ann, table, "sit", box=1)
        replies = await gather(*[r.give(ann, t, "place-bet", box=1, on="tie", stake_cents=5_000) for t in tables])
        assert sorted(map(code, replies)) == ["", "funds-short"]
        assert await r.house.cashier.balance(ann) == 0


async def test_credits_are_bought_and_cashed_out_once_for_each_key() -> None:
    async with rig() as r:
        ann = await r.person("Ann")
        bought = [await r.house.cashier.buy(ann, 10_000, "buy") for _ in range(3)]
        assert all(reply.refused is None and reply.ticket is None for reply in bought)
        assert (await r.house.cashier.buy(ann, 1, "buy")).refused is not None
        out = [await r.house.cashier.cash_out(ann, None, "out") for _ in range(3)]
        assert [reply.ticket for reply in out] == [out[0].ticket] * 3
        assert out[0].ticket is not None
        assert (out[0].ticket.amount_cents, out[0].ticket.patron) == (10_000, "ann")
        assert await r.house.cashier.balance(ann) == 0
        assert code(await r.house.cashier.cash_out(ann, 1, "more")) == "funds-short"
        for cents in (-1, 0, 2**63, True, "5"):
            for ask in (r.house.cashier.buy, r.house.cashier.cash_out):
                assert code(await ask(ann, cents, r.key())) == "amount-invalid"  # type: ignore[arg-type]


async def test_a_command_that_is_given_up_leaves_its_copies_their_answer() -> None:
    async with rig() as r:
        ann = await r.person("Ann", cents=10_000)
        table = await r.table(ETG)
        copies = [asyncio.create_task(r.give(ann, table, "sit", "once", box=1)) for _ in range(3)]
        await asyncio.sleep(0)
        copies[0].cancel()
        assert [reply.refused for reply in await gather(*copies[1:])] == [None, None]


async def test_nobody_buys_more_than_the_house_can_count() -> None:
    async with rig(most_bought_cents=10_000, most_held_cents=25_000) as r:
        ann, bo = await r.person("Ann"), await r.person("Bo")
        codes = []
        for cents, key in ((10_001, "a"), (10_000, "b"), (10_000, "c"), (10_000, "d"), (10_000, "b"), (5_000, "e")):
            reply = await r.house.cashier.buy(ann, cents, key)
            codes.append(code(reply))
        assert codes == ["credit-limit", "", "", "credit-limit", "", ""]
        assert await r.house.cashier.balance(ann) == 25_000
        assert (await r.house.cashier.buy(bo, 10_000, "b")).refused is None


async def test_a_table_that_cannot_go_on_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = [True]

    def refusing(state: State, command: acts.Command) -> Any:
        if isinstance(command, acts.CloseBets) and stopped:
            return FundsShort(Cents(100))
        return decide(state, command)

    monkeypatch.setattr("punto.service.tables.deciding.decide", refusing)
    async with rig() as r:
        table = await r.table(ETG)
        reader = r.house.subscribe(table, None)
        await r.until(reader, "bets-opened")
        for _ in range(200):
            if (await r.house.health.ready()).checks["tables"] != "ok":
                break
            await r.clock.step()
        assert (await r.house.health.ready()).checks["tables"] == "stuck"
        assert (await r.house.health.ready()).tables[table].stuck == say(FundsShort(Cents(100)))
        await r.clock.step()
        assert [line.code for line in await r.house.significant.newest() if line.heading == "stuck"] == ["table-stuck"]
        stopped.clear()
        await r.until(reader, "round-settled")
        assert (await r.house.health.ready()).checks["tables"] == "ok"


async def test_a_patron_who_names_another_is_not_told_whether_there_is_such_a_person() -> None:
    async with rig() as r:
        ann, bo = await r.person("Ann", cents=10_000), await r.person("Bo", cents=10_000)
        await r.person("Dan", "dealer")
        table = await r.table(PIT)
        refusals = [(await r.give(ann, table, "sit", box=1, patron=named)).refused for named in ("bo", "dan", "nobody")]
        assert set(refusals) == {NotYours(rule="5.16")}
        await r.done(ann, table, "sit", box=1, patron="ann")
        await r.done(bo, table, "stand", box=1)


async def test_a_live_table_is_dealt_by_people_and_a_gap_in_the_feed_holds_it() -> None:
    async with rig() as r:
        (ann, dan, table), sue = await r.live(50_000), await r.person("Sue", "pit-supervisor")
        await r.done(dan, table, "open-bets")
        await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=10_000)
        await r.done(dan, table, "close-bets")
        await r.done(dan, table, "deal", card="9h", reading=1)
        repeat = await r.give(dan, table, "deal", card="9h", reading=1)
        assert code(repeat) == "reading-repeated"
        await r.done(dan, table, "deal", card="Kd", reading=2)
        await r.done(dan, table, "deal", card="3d", reading=4)
        assert r.house.snapshot(table, None).phase == "held"
        assert r.house.incidents()[0].table == table
        await r.confirmed(sue, table, "correct-cards", cards="9h Kd Kc 3d", reason="the third card was not read")
        await r.done(dan, table, "settle")
        assert await r.house.cashier.balance(ann) == 60_000
        assert {"feed-gap", "override"} <= {line.heading for line in await r.house.significant.newest()}
        relaid = r.house.followed(table)
        assert relaid.shoes[1].seen == list(parse_cards("9h Kd Kc 3d"))


async def test_a_statement_is_paged_without_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "PAGE_OF_LINES", 7)
    async with rig() as r:
        ann = await r.person("Ann")
        for place in range(40):
            assert (await r.house.cashier.buy(ann, 100 + place, f"buy-{place}")).refused is None
        whole = [line async for page in r.house.whole_statement(ann) for line in page]
        assert [line.amount_cents for line in whole] == [139 - place for place in range(40)]
        assert (whole[0].after_cents, whole[-1].before_cents) == (await r.house.cashier.balance(ann), 0)
        paged: list[Movement] = []
        while page := await r.house.statement(ann, paged[-1].place if paged else None, 11):
            paged += page
        assert paged == whole


async def test_those_who_come_in_by_the_open_door_do_not_fill_the_list_of_significant_events() -> None:
    async with rig(open_door=True) as r:
        await r.house.people.join("Ann")
        await r.person("Dan", "dealer")
        lines = await r.house.significant.newest()
        said = [text("significant", line.code, "en", None, **line.parameters) for line in lines]
        assert said == ["Dan (dan) was admitted as Dealer."]


async def test_a_table_is_not_run_under_another_edition_of_its_sheet(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    built_in = resources.files("punto.sheets").joinpath("easy-six.toml").read_text()
    own.write_text(built_in.replace('id = "easy-six"\ntitle', 'id = "our-six"\ntitle', 1))
    store = MemoryStore(lambda: 0)
    spec = TIGER | {"table": "own", "game": "our-six"}
    async with rig(store=store, sheets=(str(own),)) as r:
        assert await r.table(spec) == "own"
    async with rig(store=store, sheets=(str(own),)) as r:
        assert "own" in r.house.registry.hosts
    newer = tmp_path / "newer.toml"
    newer.write_text(own.read_text().replace('effective = "2012', 'effective = "2032', 1))
    with pytest.raises(Refused) as refused:
        async with rig(store=store, sheets=(str(newer),)):
            pass
    assert "the table was opened under another edition of this sheet" in say(refused.value.refusal)


class Told:
    """Keeps the tokens it is told; stops at one of them, as a power cut would."""

    def __init__(self, cut_at: str | None = None) -> None:
        self.cut_at = cut_at
        self.tokens: dict[str, str] = {}

    def __call__(self, person: Person, token: str) -> None:
        if person.role == self.cut_at:
            raise ConnectionAbortedError
        self.tokens[person.role] = token


@pytest.mark.parametrize("cut_at", ["admin", "dealer", "shift-manager"])
async def test_a_token_is_told_after_its_commit_and_given_anew_if_it_was_not_told(cut_at: str) -> None:
    async with rig() as r:
        cut, later, last = Told(cut_at), Told(), Told()
        with pytest.raises(ConnectionAbortedError):
            await r.house.first_run.run(cut, demo=True)
        for role, token in cut.tokens.items():
            person = await r.house.people.authenticate(token)
            assert person is not None, "told, so it opens"
            assert person.role == role
        await r.house.first_run.run(later, demo=True)
        await r.house.first_run.run(last, demo=True)
        assert last.tokens == {}
        assert cut_at in later.tokens
        assert not later.tokens.keys() & cut.tokens.keys(), "what was told stays as it was told"
        for token in (cut.tokens | later.tokens).values():
            assert await r.house.people.authenticate(token) is not None
        assert len(r.house.people.all()) == 5


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"mode": "self"}, "field-type"),
        ({"table": "A b"}, "name-invalid"),
        ({"table": "etg"}, "table-exists"),
        ({"game": "chess"}, "game-unknown"),
        ({"decks": 80}, "decks-not-allowed"),
        ({"minimum_cents": 1e3}, "field-type"),
        ({"timing": {"betting_ms": -1}}, "field-type"),
        ({"timing": {"fast": 1}}, "field-unknown"),
        ({"colour": "red"}, "field-unknown"),
        ({"minimum_cents": 10**9}, "limits-invalid"),
    ],
)
async def test_a_table_that_cannot_be_set_up_is_refused(change: dict[str, Any], wanted: str) -> None:
    async with rig() as r:
        await r.table(ETG)
        assert code(await r.set_up(SET_UP, ETG | {"table": "new"} | change)) == wanted
        assert len(r.house.tables()) == 1


async def test_a_house_that_closes_meanwhile_does_not_begin_to_run_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig() as r:
        host = r.house.registry.hosts[await r.table(ETG)]
        await r.house.registry.runners[host.followed.id].stop()
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def recover(_: Runner) -> None:
            begun.set()
            await go_on.wait()

        monkeypatch.setattr(Runner, "recover", recover)
        taking = asyncio.create_task(r.house.leases.take(host))
        await begun.wait()
        await r.house.close()
        go_on.set()
        assert not await taking
        assert r.house.registry.runners == {}


async def test_an_old_shoe_is_folded_again_from_the_log_as_it_was_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "PAGE", 5)
    async with rig(shoe_cut=400) as r:
        ann = await r.person("Ann", cents=100_000)
        table = await r.table(ETG)
        reader = r.house.subscribe(table, ann)
        told = {}
        for number in range(1, 5):
            while r.house.followed(table).state.shoes <= number:
                await r.until(reader, "shoe-loaded")
            told[number] = await r.house.history.shoe(table, number)
        assert set(r.house.followed(table).shoes) == {4, 5}
        for number, at_hand in told.items():
            again = await r.house.history.shoe(table, number)
            assert again == at_hand
            assert not isinstance(again, Refusal)
            assert again.over
            assert len(again.rounds or ()) > 1
        unknown = await r.house.history.shoe(table, 6)
        assert isinstance(unknown, Refusal)
        assert unknown.code == "shoe-unknown"


async def test_a_house_closes_where_a_table_could_not_read_the_log_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig() as r:
        await r.table(PIT)
        host = r.house.registry.hosts["pit"]
        monkeypatch.setattr(r.house.store, "read", AsyncMock(side_effect=UnavailableError("away")))
        host.fall_behind()
        assert host._behind is not None
        await asyncio.wait([host._behind])
        monkeypatch.undo()
        await r.house.close()
        assert not r.house.failed.done()
