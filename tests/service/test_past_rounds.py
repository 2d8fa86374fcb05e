"""The records of earlier rounds: read from the log where a command needs one, and from no further back than it must."""

from __future__ import annotations

from typing import Any

import pytest

from punto.protocol.refusals import PersonUnknown
from punto.rules.cards import write_cards
from punto.service.people.person import Person
from punto.service.shoes.encryption import event_of
from punto.service.streams import table_stream
from punto.service.tables.past_rounds import PastRound
from punto.table.corrections.past_rounds import record_of
from punto.table.history import STATES_AT_HAND
from tests.service.rig import NATURAL, Rig, code, gather, kinds, rig

CORRECTED = "5h Ks Ad 9c"
"""Banker wins."""


async def shoe(r: Rig, dealer: Person) -> None:
    """Another shoe in place of the one before."""
    await r.done(dealer, "pit", "replace-shoe", reason="the end of the shift")
    await r.done(dealer, "pit", "load-shoe")


async def play(r: Rig, dealer: Person, ann: Person, cards: str = NATURAL) -> None:
    """A whole round in which Ann bets on Player."""
    await r.play(dealer, "pit", (ann, "player", 1_000), cards=cards)


async def people(r: Rig) -> tuple[Person, Person, Person]:
    """A Dealer, a Shift Manager, and Ann, who sits at the table."""
    (ann, dan, _), sam = await r.live(100_000), await r.person("Sam", "shift-manager")
    return dan, sam, ann


async def read(r: Rig, number: int) -> Any:
    table = r.house.followed("pit")
    past = PastRound.begin(table, number)
    return (await past.read_on(r.house.store, "pit", table.seq)).fold.record if past else None


async def test_a_record_read_from_the_shoe_on_is_that_of_the_whole_log() -> None:
    async with rig() as r:
        dan, sam, ann = await people(r)
        for _ in range(STATES_AT_HAND + 2):
            await shoe(r, sam)
            await play(r, dan, ann)
            await play(r, dan, ann, CORRECTED)
        rounds = r.house.followed("pit").state.rounds
        # Corrections of a round at hand, of an older one, and of another round in the same shoe.
        for number in (rounds - 1, 1, 2, 1):
            cards = write_cards((await read(r, number)).cards)
            now = "5h Ks 4d 7c" if cards != "5h Ks 4d 7c" else CORRECTED
            await r.confirmed(sam, "pit", "correct-round", round=number, cards=now, reason="keyed wrongly")
        records = await r.house.store.read(table_stream("pit"), 0, 10_000)
        events = [event_of(record) for record in records]
        for number in range(1, rounds + 1):
            assert await read(r, number) == record_of(r.house.followed("pit").sheet, events, number)
        assert await read(r, rounds + 1) is None
        assert r.house.followed("pit").state_before(rounds)[0] > 0, "the last shoes are not read from the start"
        assert r.house.followed("pit").state_before(1)[0] == 0


async def test_only_a_command_about_an_earlier_round_reads_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig() as r:
        dan, sam, ann = await people(r)
        await play(r, dan, ann)
        reads: list[int] = []
        whole = r.house.store.read

        async def counted(stream: str, after: int = 0, limit: int = 1_000) -> Any:
            reads.append(after)
            return await whole(stream, after, limit)

        monkeypatch.setattr(r.house.store, "read", counted)
        await play(r, dan, ann)
        refused = await r.give(dan, "pit", "correct-round", round=1, cards=CORRECTED, reason="keyed wrongly")
        assert (code(refused), reads) == ("not-permitted", [])
        unknown = await r.give(sam, "pit", "correct-round", round=99, cards=CORRECTED, reason="keyed wrongly")
        assert (code(unknown), reads) == ("round-not-settled", [])
        await r.done(sam, "pit", "correct-round", round=1, cards=CORRECTED, reason="keyed wrongly")
        assert reads


async def test_corrections_that_wait_together_follow_on_each_other() -> None:
    """Both are in one batch, so the second cannot read the first from the log."""
    async with rig() as r:
        dan, sam, ann = await people(r)
        await play(r, dan, ann)
        await play(r, dan, ann)
        ask = r.asked(sam, "correct-round", round=1, cards=CORRECTED, reason="keyed wrongly")
        second = await r.second()
        agree = r.asked(second, "decide", decision="approve")
        commands = ((sam, ask, "one"), (sam, ask, "one"), (second, agree, "yes"), (sam, ask, "two"))
        replies = await gather(*[r.house.command(who, "pit", command, key) for who, command, key in commands])
        assert [code(each) for each in replies] == ["", "", "", "facts-contradict"]
        assert replies[0] == replies[1]
        again = await r.house.command(sam, "pit", ask, "one")
        assert kinds(again) == kinds(replies[0])
        assert (await read(r, 1)).bets[0].returned_cents == 0


async def test_only_a_patron_or_cash_of_this_layout_is_paid_an_amount() -> None:
    async with rig() as r:
        dan, sam, ann = await people(r)
        await play(r, dan, ann)
        await r.done(sam, "pit", "report", situation="anything-else", facts={"note": "a complaint"})
        pay: dict[str, Any] = {"decision": "pay-amount", "amount_cents": 500, "reason": "settled"}
        for account in ("nobody", "dan", "cash:0", "cash:99", "cash:x", "patron:ann", "cash:1 "):
            reply = await r.give(sam, "pit", "decide", account=account, **pay)
            assert reply.refused == PersonUnknown(account)
        await r.confirmed(sam, "pit", "decide", account="cash:3", **pay)
        assert r.house.balances["chips:pit"] == 500
