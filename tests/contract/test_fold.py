"""What decides money is the store's own fold of the log. A row that says otherwise decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from punto.ledger.moves import Reason, cash_out, final, stake
from punto.store.audit import audit
from punto.store.errors import AccountStoppedError, ForgedError, InsufficientFundsError, KeyMissingError
from punto.store.fold import Finding
from punto.store.interface import Store
from punto.store.opening import open_snapshot
from punto.store.records import Batch, StoredPerson, TableSettings
from tests.contract.damage import rename_in_index
from tests.contract.places import Place, bet, bought, unit
from tests.contract.test_signatures import signer

ANN = StoredPerson("ann", "Ann", "patron", "a" * 64)
PIT = TableSettings("pit", '{"game":"x"}')


async def filled(place: Place, owner: str = "one") -> Store:
    store = await place.open(owner, signer=signer)
    await store.append(bought("ann", 1_000))
    await store.append(bought("bob", 800_000, "r2"))
    await store.append(bet(1, after=0))
    await store.append(Batch("desk", None, 5, (unit(),), people=(ANN,), tables=(PIT,)))
    return store


def out(patron: str, cents: int, key: str = "out") -> Batch:
    return Batch("desk", None, 9, (unit(cash_out(patron, cents, key), key=key),))


def set_balance(place: Place, account: str, cents: int) -> None:
    place.edit([f"UPDATE balances SET cents = {cents} WHERE account = '{account}'"])


def told(store: Store) -> list[Finding]:
    """What was found, as a house takes it: each is noted."""
    found = store.findings()
    for finding in found:
        store.finding_noted(finding)
    return found


async def test_a_balance_changed_while_serving_is_never_paid_out(place: Place) -> None:
    store = await filled(place)
    set_balance(place, "patron:ann", 800_000)
    for _ in range(2):
        with pytest.raises(AccountStoppedError) as stopped:
            await store.append(out("ann", 700_000))
        assert (stopped.value.account, stopped.value.unit) == ("patron:ann", 0)
    found = told(store)
    assert [(each.code, each.subject) for each in found] == [("account-stopped", "patron:ann")], "told once"
    assert store.findings() == []
    await store.append(out("bob", 1_000, "other"))  # nobody else is stopped


async def test_a_bet_in_play_ends_by_the_log_and_puts_the_row_right(place: Place) -> None:
    store = await filled(place)
    set_balance(place, "patron:ann", 5)
    paid = unit(final("ann", "t1", "t1.1", Reason.PAY, 100, 200))
    done = await store.append(Batch("t1", 1, 9, (paid,)))
    assert done.balances["patron:ann"] == 1_100
    assert await store.balances(["patron:ann"]) == {"patron:ann": 1_100}
    with pytest.raises(AccountStoppedError):
        await store.append(Batch("t1", 2, 9, (unit(stake("ann", "t1", 100, "t1.2")),)))
    async with store.snapshot() as snapshot:
        assert (await audit(snapshot)).problems == ()


async def test_a_failed_batch_leaves_the_fold_as_it_was(place: Place) -> None:
    store = await filled(place)
    with pytest.raises(InsufficientFundsError):
        await store.append(out("ann", 901))
    await store.append(out("ann", 900))
    await store.close()
    await (await place.open(signer=signer)).close()


async def test_two_processes_follow_each_other(server: Place) -> None:
    one = await filled(server)
    two = await server.open("two", signer=signer)
    for number in range(2, 6):
        await (two if number % 2 else one).append(bet(number, after=number - 1))
        await (one if number % 2 else two).append(bought("ann", 10, f"r-{number}"))
    assert (await two.balances(["patron:ann"])) == {"patron:ann": 1_000 - 500 + 40}
    late = StoredPerson("late", "Late", "patron", "b" * 64)
    await one.append(Batch("desk", None, 5, (unit(),), people=(late,)))
    assert await two.person("b" * 64) == late
    assert [each.id for each in await two.people()] == ["ann", "late"]
    assert {each.code for each in one.findings() + two.findings()} == {"head-accepted"}
    await one.close()
    await two.close()
    async with open_snapshot(server.address) as (snapshot, _):
        assert (await audit(snapshot)).problems == ()


async def test_asking_what_an_account_holds_leaves_no_row_of_it(server: Place) -> None:
    one, other = await filled(server), await server.open("other", signer=signer)
    await one.append(bought("ann", 500, "r3"))
    assert await other.balances(["patron:ann", "owed:ann"]) == {"patron:ann": 1_400, "owed:ann": 0}
    async with one.snapshot() as snapshot:
        assert (await audit(snapshot)).problems == ()


async def test_another_processs_account_rolled_back_is_noticed(server: Place) -> None:
    one = await filled(server)
    two = await server.open("two", signer=signer)
    await one.append(out("ann", 900))
    server.edit(["UPDATE balances SET cents = 900 WHERE account = 'patron:ann'"])
    with pytest.raises(AccountStoppedError):
        await two.append(out("ann", 900, "again"))


async def test_postings_that_no_signature_covers_are_not_followed(server: Place) -> None:
    one = await filled(server)
    two = await server.open("two", signer=signer)
    await one.append(bought("ann", 10, "r-more"))
    server.edit_log(
        [
            "UPDATE postings SET cents = 1000 * cents WHERE reference = 'r-more'",
            "UPDATE balances SET cents = cents + 9990 WHERE account = 'patron:ann'",
        ]
    )
    with pytest.raises(ForgedError):
        await two.append(out("ann", 900))


async def test_a_stream_rolled_back_while_serving_is_refused(durable: Place) -> None:
    store = await filled(durable)
    before = await store.tail("desk")
    await store.append(out("ann", 900))
    later = f"stream = 'desk' AND seq > {before.seq}"
    end = f"seq = {before.seq}, hash = '{before.hash}', signature = '{before.signature}'"
    durable.edit_log(
        [
            f"DELETE FROM postings WHERE record IN (SELECT id FROM records WHERE {later})",
            f"DELETE FROM records WHERE {later}",
            f"UPDATE streams SET {end} WHERE name = 'desk'",
            "UPDATE balances SET cents = 900 WHERE account = 'patron:ann'",
            "UPDATE balances SET cents = -801000 WHERE account = 'cash-desk'",
        ]
    )
    with pytest.raises((ForgedError, AccountStoppedError)):
        await store.append(out("ann", 900, "again"))


async def test_a_person_written_by_somebody_else_does_not_come_in(place: Place) -> None:
    store = await filled(place)
    place.edit([f"INSERT INTO people VALUES ('eve', 'Eve', 'admin', '{'e' * 64}')"])
    assert await store.person("e" * 64) is None
    assert [each.id for each in await store.people()] == ["ann"]
    assert await store.people(["eve"]) == []
    assert [(each.code, each.subject) for each in told(store)] == [("person-stopped", "eve")]
    place.edit(["UPDATE people SET role = 'admin' WHERE id = 'ann'"])
    assert await store.person("a" * 64) is None
    place.edit(["UPDATE table_settings SET settings = '{}'"])
    assert await store.tables() == []
    found = [(each.code, each.subject) for each in told(store)]
    assert found == [("person-stopped", "ann"), ("table-stopped", "pit")]


async def test_a_key_that_the_index_has_lost_is_not_carried_out_again(sqlite: Place) -> None:
    store = await filled(sqlite)
    sqlite.edit(["PRAGMA wal_checkpoint(TRUNCATE)"])
    file = Path(sqlite.address.removeprefix("sqlite:///"))
    rename_in_index(file, "records_by_key", b"bet-1", b"bet-0")
    sqlite.edit(["PRAGMA user_version = 1"])  # so that the open store reads its pages again
    with pytest.raises(KeyMissingError):
        await store.append(bet(1, after=1))
    assert [(each.code, each.subject) for each in told(store)] == [("key-missing", "bet-1")]


ABSURD = {
    "expiry": "expires_ms = 9000000000000000000, owner = 'nobody'",
    "fence": "fence = 9000000000000000000",
    "lowered fence": "fence = 0",
}


@pytest.mark.parametrize("change", ABSURD.values(), ids=ABSURD)
async def test_an_absurd_lease_is_noticed_and_healed(durable: Place, change: str) -> None:
    store = await durable.open(signer=signer)
    await store.append(bought("ann", 1_000))
    lease = await store.acquire("t1", "a", 1_000)
    await store.append(bet(1, after=0, fence=lease.fence))
    durable.edit([f"UPDATE streams SET {change} WHERE name = 't1'"])
    again = await store.acquire("t1", "b" if "owner" in change else "a", 1_000)
    assert lease.fence < again.fence < 2**53
    assert [(each.code, each.subject) for each in told(store)] == [("lease-healed", "t1")]
    await store.append(bet(2, after=1, fence=again.fence))
    await store.close()
    await (await durable.open(signer=signer)).close()
