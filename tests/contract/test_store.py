"""The contract: what holds for every store, whatever keeps it."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace

import asyncpg
import msgspec
import pytest

from punto.ledger.moves import Reason, buy, cash_out, correct, final, returned, stake
from punto.store import postgres
from punto.store.errors import (
    AccountNotEmptyError,
    CeilingPassedError,
    FencedOutError,
    InsufficientFundsError,
    KeyReusedError,
    KeyTakenError,
    LeaseHeldError,
    OutcomeUnknownError,
    SequenceConflictError,
    StoreError,
)
from punto.store.interface import Store
from punto.store.records import NO_HASH, Batch, NewRecord, StoredPerson, TableSettings, Tail, Unit, record_hash
from punto.store.tokens import new_token, token_hash
from tests.contract.places import Place, bet, body, bought, unit

# ------------------------------------------------------------------------------------------- the log


async def test_a_new_store_is_empty(place: Place) -> None:
    store = await place.open()
    assert await store.tail("t1") == Tail("t1", 0, NO_HASH, 0)
    assert await store.tails() == []
    assert await store.read("t1") == []
    assert await store.balances() == {}
    assert await store.balances(["patron:ann"]) == {"patron:ann": 0}
    assert await store.people() == []
    assert (await place.audit(store)).problems == ()


async def test_records_are_numbered_from_one_and_chained(place: Place) -> None:
    store = await place.open()
    new = tuple(NewRecord("dealt", f'{{"card":{number}}}') for number in range(3))
    await store.append(Batch("t1", 0, 5, (Unit(new[:2]), Unit(new[2:]))))
    done = await store.append(Batch("t1", 3, 6, (unit(payload='{"name":"Zoë ♠"}'),)))
    records = await store.read("t1")
    assert [(record.seq, record.time_ms) for record in records] == [(1, 5), (2, 5), (3, 5), (4, 6)]
    assert records[3].payload == '{"name":"Zoë ♠"}'
    last = NO_HASH
    for record in records:
        last = record_hash(last, record[:11], [])
        assert record.hash == last
    assert done.tail == await store.tail("t1") == Tail("t1", 4, last, 0)


async def test_the_hash_is_computed_as_documented(place: Place) -> None:
    """Worked out here from docs/store.md alone."""
    store = await place.open()
    await store.append(
        Batch("t1", 0, 7, (unit(buy("ann", 500, "r1"), stake("ann", "t1", 20, "b1"), key="k", request="q"),))
    )
    zoe = StoredPerson("zoe", "Zoë", "patron", None)
    await store.append(Batch("t1", 1, 8, (unit(), unit(payload='{"suit":"♠"}')), people=(zoe,)))
    postings = [
        [1, 1, 1, "buy", "r1", "cash-desk", -500, -500],
        [1, 2, 1, "buy", "r1", "patron:ann", 500, 500],
        [1, 3, 2, "stake", "b1", "patron:ann", -20, 480],
        [1, 4, 2, "stake", "b1", "bets:t1", 20, 20],
    ]

    def hashed(*items: object) -> str:
        return hashlib.sha256(msgspec.msgpack.encode(items)).hexdigest()

    said = ("happened", '{"a":1}', "k", hashlib.sha256(b"q").hexdigest(), '{"done":"k"}', None)
    one = hashed("0" * 64, 1, "t1", 1, 7, 0, *said, postings)
    two = hashed(one, 2, "t1", 2, 8, 0, "happened", '{"a":1}', None, None, None, None, [])
    fingerprint = hashed("zoe", "Zoë", "patron", None)
    set_by = ("happened", '{"suit":"♠"}', None, None, None, f"person:zoe={fingerprint}")
    three = hashed(two, 3, "t1", 3, 8, 0, *set_by, [])
    assert [record.hash for record in await store.read("t1")] == [one, two, three]


async def test_streams_are_separate(place: Place) -> None:
    store = await place.open()
    for stream in ("t1", "t2", "t1"):
        await store.append(Batch(stream, None, 1, (unit(),)))
    assert [(tail.stream, tail.seq) for tail in await store.tails()] == [("t1", 2), ("t2", 1)]
    assert [record.seq for record in await store.read("t1", after=1)] == [2]
    assert len(await store.read("t1", limit=1)) == 1


async def test_a_writer_with_an_old_sequence_number_is_refused(place: Place) -> None:
    store = await place.open()
    await store.append(Batch("t1", 0, 1, (unit(),)))
    for wrong in (0, 2):
        with pytest.raises(SequenceConflictError, match="ends at record 1"):
            await store.append(Batch("t1", wrong, 1, (unit(),)))
    assert (await store.tail("t1")).seq == 1


async def test_written_records_are_there_after_reopening(durable: Place) -> None:
    store = await durable.open()
    await store.append(bought("ann", 500))
    await store.append(bet(1))
    before = (await store.tails(), await store.balances(), await store.read("t1"))
    await store.close()
    store = await durable.open()
    assert (await store.tails(), await store.balances(), await store.read("t1")) == before
    assert (await durable.audit(store)).problems == ()


# ------------------------------------------------------------------------------------------- the ledger


async def test_money_moves_with_the_record_it_follows_from(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 1_000))
    placed = await store.append(bet(1, 400))
    assert placed.balances == {"bets:t1": 400, "patron:ann": 600}
    paid = final("ann", "t1", "t1.1", Reason.PAY, 400, 780)
    await store.append(Batch("t1", 1, 2, (unit(paid),)))
    await store.append(Batch("desk", 1, 3, (unit(cash_out("ann", 1_380, "r2")),)))
    held = {"cash-desk": -1_000, "patron:ann": 0, "ticket:r2": 1_380, "bets:t1": 0, "house:t1": -380}
    assert await store.balances() == held
    report = await place.audit(store)
    assert (report.problems, report.records, report.bets_open) == ((), 4, 0)


async def test_a_statement_is_newest_first_and_comes_in_pages(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 1_000))
    await store.append(Batch("t1", 0, 2, (unit(stake("ann", "t1", 100, "a"), stake("ann", "t1", 50, "b")),)))
    await store.append(Batch("t1", 1, 3, (unit(returned("ann", "t1", 100, "a")),)))
    lines = await store.statement("patron:ann")
    assert [(line.reason, line.reference, line.cents) for line in lines] == [
        ("return", "a", 100),
        ("stake", "b", -50),
        ("stake", "a", -100),
        ("buy", "r1", 1_000),
    ]
    assert [(line.record.stream, line.record.seq, line.balance_cents) for line in lines] == [
        ("t1", 2, 950),
        ("t1", 1, 850),
        ("t1", 1, 900),
        ("desk", 1, 1_000),
    ]
    first = await store.statement("patron:ann", limit=2)
    rest = await store.statement("patron:ann", before=first[-1].place)
    assert first + rest == lines


async def test_a_unit_without_funds_refuses_its_batch_and_is_named(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 100))
    await store.append(bought("bo", 100))
    units = [unit(stake(patron, "t1", 60, f"t1.{n}")) for n, patron in enumerate(("ann", "bo", "ann", "bo"))]
    with pytest.raises(InsufficientFundsError) as refused:
        await store.append(Batch("t1", 0, 1, tuple(units)))
    assert (refused.value.unit, refused.value.account, refused.value.short_cents) == (2, "patron:ann", 20)
    assert (await store.tail("t1")).seq == 0
    assert await store.balances(["patron:ann", "bets:t1"]) == {"patron:ann": 100, "bets:t1": 0}
    # What the service does: without the unit that was refused, and with the rest decided again.
    await store.append(Batch("t1", 0, 1, tuple(units[:2])))
    assert (await store.balances(["bets:t1"]))["bets:t1"] == 120


async def test_funds_are_checked_in_the_order_of_the_units(place: Place) -> None:
    store = await place.open()
    late = (unit(stake("ann", "t1", 100, "t1.1")), unit(buy("ann", 100, "r1")))
    with pytest.raises(InsufficientFundsError) as refused:
        await store.append(Batch("t1", 0, 1, late))
    assert refused.value.unit == 0
    await store.append(Batch("t1", 0, 1, late[::-1]))
    assert (await store.balances(["patron:ann"]))["patron:ann"] == 0


async def test_only_one_of_two_withdrawals_of_the_last_credit_succeeds(place: Place) -> None:
    first, second = await place.open_two()
    await first.append(bought("ann", 100))
    spends = [
        first.append(Batch("t1", 0, 1, (unit(stake("ann", "t1", 100, "t1.1")),))),
        second.append(Batch("t2", 0, 1, (unit(stake("ann", "t2", 100, "t2.1")),))),
        second.append(Batch("desk", None, 1, (unit(cash_out("ann", 100, "r2")),))),
    ]
    results = await asyncio.gather(*spends, return_exceptions=True)
    refused = [result for result in results if isinstance(result, BaseException)]
    assert len(refused) == 2
    assert all(isinstance(error, InsufficientFundsError) for error in refused)
    assert (await first.balances(["patron:ann"]))["patron:ann"] == 0


async def test_credit_stays_below_the_exact_numbers_of_json(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 2**53 - 1))
    with pytest.raises(InsufficientFundsError):
        await store.append(bought("ann", 1, "r2"))
    await store.append(bought("bo", 2**53 - 1, "r3"))
    assert (await store.balances(["cash-desk"]))["cash-desk"] == -(2**54) + 2, "what all hold together is not bounded"
    assert (await place.audit(store)).problems == ()


async def test_a_ceiling_holds_for_concurrent_batches(place: Place) -> None:
    first, second = await place.open_two()

    def capped(number: int) -> Batch:
        paid = NewRecord("bought", "{}", (buy("ann", 30, f"r{number}"),))
        return Batch("desk", None, 1, (Unit((paid,), ceiling=("patron:ann", 100)),))

    results = await asyncio.gather(
        *[(first if number % 2 else second).append(capped(number)) for number in range(10)], return_exceptions=True
    )
    refused = [error for error in results if isinstance(error, BaseException)]
    assert len(refused) == 7
    assert all(isinstance(error, CeilingPassedError) for error in refused), refused
    assert (await first.balances(["patron:ann"]))["patron:ann"] == 90
    assert (await first.tail("desk")).seq == 3
    assert (await place.audit(first)).problems == ()


async def test_an_account_that_must_be_empty_holds_a_unit_back(place: Place) -> None:
    first, second = await place.open_two()
    await first.append(bought("ann", 1_000))
    owing = NewRecord("corrected", "{}", (correct("ann", "t1", 400, 0, "x"),))

    def out(number: int) -> Batch:
        paid = NewRecord("cashed-out", "{}", (cash_out("ann", 100, f"o{number}"),))
        return Batch("desk", None, 1, (Unit((paid,), empty="owed:ann"),))

    await first.append(out(1))
    results = await asyncio.gather(
        second.append(Batch("t1", None, 1, (Unit((owing,)),))),
        *[(first if number % 2 else second).append(out(number)) for number in range(2, 8)],
        return_exceptions=True,
    )
    refused = [error for error in results if isinstance(error, BaseException)]
    assert all(
        isinstance(error, AccountNotEmptyError) and error.message == "owed:ann holds -4.00" for error in refused
    ), refused
    held = await first.balances(["patron:ann", "owed:ann"])
    assert held == {"patron:ann": 900 - 100 * (6 - len(refused)), "owed:ann": -400}
    with pytest.raises(AccountNotEmptyError):
        await first.append(out(9))
    assert (await place.audit(first)).problems == ()


# ------------------------------------------------------------------------------------------- idempotency


async def test_a_repeated_key_gives_the_stored_reply(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 1_000))
    await store.append(bet(1))
    with pytest.raises(KeyTakenError) as refused:
        await store.append(bet(1))
    stored = (await store.replies(["bet-1", "bet-2"]))["bet-1"]
    assert refused.value.stored == stored
    assert (stored.text, stored.stream, stored.seq) == ('{"done":"bet-1"}', "t1", 1)
    assert (await store.balances(["bets:t1"]))["bets:t1"] == 100


async def test_a_key_with_another_body_is_refused(place: Place) -> None:
    store = await place.open()
    await store.append(Batch("t1", 0, 1, (unit(key="k", request="one"),)))
    with pytest.raises(KeyReusedError) as refused:
        await store.append(Batch("t2", 0, 1, (unit(key="other"), unit(key="k", request="two"))))
    assert refused.value.unit == 1
    assert await store.replies(["other"]) == {}
    assert (await store.replies(["k"]))["k"].body_hash == body("one")


async def test_a_key_twice_in_one_batch_is_noticed(place: Place) -> None:
    store = await place.open()
    with pytest.raises(KeyTakenError) as refused:
        await store.append(Batch("t1", 0, 1, (unit(key="k"), unit(), unit(key="k"))))
    assert refused.value.unit == 2
    assert (refused.value.stored.stream, refused.value.stored.seq) == ("t1", 1)


async def test_copies_of_a_command_sent_to_many_tables_are_one_command(place: Place) -> None:
    first, second = await place.open_two()
    await asyncio.gather(*[first.append(Batch(f"t{n}", 0, 1, (unit(),))) for n in range(8)])
    copies = [(first, second)[n % 2].append(Batch(f"t{n % 8}", None, 1, (unit(key="k"),))) for n in range(24)]
    results = await asyncio.gather(*copies, return_exceptions=True)
    assert sum(not isinstance(result, BaseException) for result in results) == 1
    assert sum(isinstance(result, KeyTakenError) for result in results) == 23
    assert (await place.audit(first)).problems == ()


# ------------------------------------------------------------------------------------------- leases


async def test_a_lease_excludes_others_until_it_ends(place: Place) -> None:
    store = await place.open()
    lease = await store.acquire("t1", "a", 1_000)
    assert lease.fence == 1
    with pytest.raises(LeaseHeldError, match="held by a"):
        await store.acquire("t1", "b", 1_000)
    place.clock.now_ms += 900
    lease = await store.renew(lease, 1_000)
    place.clock.now_ms += 900
    with pytest.raises(LeaseHeldError):
        await store.acquire("t1", "b", 1_000)
    place.clock.now_ms += 200
    assert (await store.acquire("t1", "b", 1_000)).fence == 2
    with pytest.raises(FencedOutError):
        await store.renew(lease, 1_000)


async def test_a_released_stream_is_free_and_its_number_is_not_given_twice(place: Place) -> None:
    store = await place.open()
    lease = await store.acquire("t1", "a", 1_000)
    await store.release(lease)
    assert (await store.acquire("t1", "b", 1_000)).fence == 2
    await store.release(lease)
    with pytest.raises(LeaseHeldError):
        await store.acquire("t1", "c", 1_000)
    # An owner that starts again does not wait for itself, and fences its former self out.
    assert (await store.acquire("t1", "b", 1_000)).fence == 3


async def test_an_owner_that_was_paused_is_fenced_out(place: Place) -> None:
    first, second = await place.open_two()
    await first.append(bought("ann", 1_000))
    old = await first.acquire("t1", "a", 1_000)
    await first.append(bet(1, after=0, fence=old.fence))
    place.clock.now_ms += 1_001
    # Late, but nobody has taken over: still the owner.
    await first.append(bet(2, after=1, fence=old.fence))
    new = await second.acquire("t1", "b", 1_000)
    for fence in (old.fence, 0, new.fence + 1):
        with pytest.raises(FencedOutError):
            await first.append(bet(3, after=2, fence=fence))
    await second.append(bet(3, after=2, fence=new.fence))
    assert [record.fence for record in await second.read("t1")] == [1, 1, 2]
    assert (await second.balances(["bets:t1"]))["bets:t1"] == 300
    assert (await place.audit(second)).problems == ()


# ------------------------------------------------------------------------------------------- people, tables


async def test_people_and_settings_change_with_their_record(place: Place) -> None:
    store = await place.open()
    token = new_token()
    ann = StoredPerson("ann", "Ann O’Neill", "dealer", token_hash(token))
    settings = TableSettings("t1", '{"betting_seconds":20}')
    await store.append(Batch("people", 0, 1, (unit(),), people=(ann,), tables=(settings,)))
    assert await store.person(token_hash(token)) == ann
    assert await store.person(token_hash("guess")) is None
    promoted = replace(ann, role="pit-supervisor", token_hash=None)
    changed = replace(settings, settings='{"betting_seconds":15}')
    with pytest.raises(SequenceConflictError):
        await store.append(Batch("people", 0, 1, (unit(),), people=(promoted,), tables=(changed,)))
    assert (await store.people(), await store.tables()) == ([ann], [settings])
    await store.append(Batch("people", 1, 1, (unit(),), people=(promoted,), tables=(changed,)))
    assert (await store.people(), await store.tables()) == ([promoted], [changed])
    assert await store.person(token_hash(token)) is None
    assert [len((record.fingerprints or "").split()) for record in await store.read("people")] == [2, 2]
    assert (await place.audit(store)).problems == ()


async def test_people_are_found_by_id(place: Place) -> None:
    store = await place.open()
    known = [StoredPerson(name, name.title(), "patron", token_hash(name)) for name in ("ann", "ann-2", "bo")]
    await store.append(Batch("people", 0, 1, (unit(),), people=tuple(known)))
    assert await store.people() == known
    assert await store.people(["bo", "nobody", "ann", "bo"]) == [known[0], known[2]]
    assert await store.people(["Ann"]) == []
    assert await store.people([]) == []


async def test_two_people_cannot_share_a_token(place: Place) -> None:
    store = await place.open()
    people = tuple(StoredPerson(name, name, "patron", token_hash("same")) for name in ("ann", "bo"))
    with pytest.raises(StoreError):
        await store.append(Batch("people", 0, 1, (unit(),), people=people))
    assert (await store.people(), (await store.tail("people")).seq) == ([], 0)


# ------------------------------------------------------------------------------------------- group commit


async def test_many_batches_at_once_all_arrive_in_order(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 100_000))
    waiting = [store.append(bet(number, after=number - 1)) for number in range(1, 101)]
    other = [store.append(Batch("t2", None, 1, (unit(),))) for _ in range(20)]
    if place.kind == "postgres":
        # Connections do not queue in order; there a table waits for one commit before it sends the next.
        for batch in waiting:
            await batch
        waiting = []
    await asyncio.gather(*waiting, *other)
    assert [record.key for record in await store.read("t1")] == [f"bet-{number}" for number in range(1, 101)]
    assert (await store.tail("t2")).seq == 20
    assert (await place.audit(store)).problems == ()


async def test_two_owners_write_many_streams_at_once_and_each_follows_the_other(place: Place) -> None:
    stores = await place.open_two()
    patrons = [f"p{number}" for number in range(4)]
    for patron in patrons:
        await stores[0].append(bought(patron, 100_000, patron))

    async def play(store: Store, table: str) -> None:
        """Commit bet after bet of one table, each by another patron."""
        for number in range(40):
            staked = unit(stake(patrons[number % len(patrons)], table, 100, f"{table}.{number}"))
            await store.append(Batch(table, number, 1, (staked,)))

    await asyncio.gather(*[play(store, f"t{place}{each}") for place, store in enumerate(stores) for each in range(4)])
    assert sum((await stores[0].balances([f"patron:{patron}" for patron in patrons])).values()) == 400_000 - 320 * 100
    assert (await place.audit(stores[0])).problems == ()


async def test_a_stream_that_waits_does_not_keep_the_connections_from_others(
    server: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_TURN_SECONDS", 60)  # however slow the machine is, nobody gives up
    monkeypatch.setitem(postgres._SESSION, "lock_timeout", "60000")
    store = await server.open()
    await store.append(bought("ann", 1_000))
    holder = await asyncpg.connect(server.address)
    held = holder.transaction()
    await held.start()
    await holder.execute("SELECT 1 FROM streams WHERE name = 'desk' FOR UPDATE")
    waiting = [asyncio.create_task(store.append(bought("ann", 1, f"w{number}"))) for number in range(20)]
    for number in range(1, 4):
        await store.append(bet(number, after=number - 1))
    assert not any(each.done() for each in waiting)
    await held.rollback()
    await asyncio.gather(*waiting)
    assert (await store.balances(["patron:ann"]))["patron:ann"] == 1_000 + 20 - 300
    await holder.close()


async def test_a_refused_batch_does_not_affect_others(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 250))
    waiting = [
        store.append(Batch(f"t{number}", 0, 1, (unit(stake("ann", f"t{number}", 100, f"b{number}")),)))
        for number in range(5)
    ]
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert sum(isinstance(result, InsufficientFundsError) for result in results) == 3
    assert (await store.balances(["patron:ann"]))["patron:ann"] == 50
    assert (await place.audit(store)).problems == ()


async def test_a_cancelled_write_is_still_written(place: Place) -> None:
    store = await place.open()
    task = asyncio.ensure_future(store.append(Batch("t1", 0, 1, (unit(),))))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    # Whatever is sent after it comes after it.
    while (await store.tail("t1")).seq == 0:
        await asyncio.sleep(0)
    assert (await store.append(Batch("t1", 1, 1, (unit(),)))).tail.seq == 2


async def test_an_unknown_outcome_can_be_resolved(place: Place) -> None:
    store = await place.open()
    done = await store.append(Batch("t1", 0, 1, (unit(),)))
    assert await store.resolve(OutcomeUnknownError(done.tail))
    assert not await store.resolve(OutcomeUnknownError(replace(done.tail, seq=2)))
    assert not await store.resolve(OutcomeUnknownError(replace(done.tail, hash=NO_HASH)))
