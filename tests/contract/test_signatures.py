"""Signed tails: a record added to the database without the key is noticed."""

from __future__ import annotations

import hashlib

import pytest

from punto.store.audit import AuditReport, audit
from punto.store.errors import BrokenStoreError, ForgedError, RefusedStoreError
from punto.store.interface import Store
from punto.store.records import Sign, Tail
from tests.contract.forging import forgery
from tests.contract.places import Place, bet, bought

HELD = {"cash-desk": -10_000}


def signer(store: str) -> Sign:
    """A keyed hash, as a store sees one."""
    secret = hashlib.sha256(f"secret {store}".encode()).digest()

    def sign(tail: Tail) -> str:
        return hashlib.sha256(f"{secret.hex()} {tail.stream} {tail.seq} {tail.hash}".encode()).hexdigest()

    return Sign(sign, lambda: secret)


async def signed(place: Place) -> Store:
    return await place.open(signer=signer)


async def filled(place: Place) -> Store:
    store = await signed(place)
    await store.append(bought("ann", 10_000))
    for number in range(1, 4):
        await store.append(bet(number, after=number - 1))
    return store


async def audited(place: Place, store: Store) -> AuditReport:
    """Audit with the signer of the open store."""
    async with store.snapshot() as snapshot:
        return await audit(snapshot, sign=store._sign)


async def forge(place: Place, store: Store, stream: str) -> None:
    tail = await store.tail(stream)
    place.edit(forgery(tail, 5_000, HELD, postgres=place.server is not None))


async def test_every_commit_signs_the_tail(place: Place) -> None:
    store = await filled(place)
    tails = await store.tails()
    assert [(tail.stream, tail.seq) for tail in tails] == [("desk", 1), ("t1", 3)]
    sign = store._sign
    assert sign is not None
    assert [tail.signature for tail in tails] == [sign.tail(tail) for tail in tails]
    assert (await store.append(bet(4, after=3))).tail == await store.tail("t1")
    assert (await audited(place, store)).problems == ()
    await store.close()
    again = await signed(place)
    assert (await again.append(bet(5, after=4))).tail.seq == 5


async def test_leases_do_not_change_the_signature(place: Place) -> None:
    store = await signed(place)
    lease = await store.acquire("t1", "a", 1_000)
    assert (await store.tail("t1")).signature is None, "nothing was written, so nothing is signed"
    assert (await audited(place, store)).problems == ()
    await store.append(bought("ann", 1_000))
    first = (await store.append(bet(1, after=0, fence=lease.fence))).tail.signature
    await store.renew(lease, 2_000)
    await store.release(lease)
    taken = await store.acquire("t1", "b", 1_000)
    assert (await store.tail("t1")).signature == first
    assert (await store.append(bet(2, after=1, fence=taken.fence))).tail.signature != first
    assert (await audited(place, store)).problems == ()
    await store.close()
    await (await signed(place)).close()


async def test_a_store_without_a_signer_signs_nothing_and_does_not_pass_as_signed(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 1_000))
    assert (await store.tail("desk")).signature is None
    assert (await place.audit(store)).problems == ()
    await store.close()
    if place.memory is None:
        with pytest.raises(RefusedStoreError, match="desk 1 does not have the code of this house"):
            await signed(place)


@pytest.mark.parametrize("stream", ["desk", "t1", "t2"])
async def test_a_forged_record_is_refused_at_start_and_named(durable: Place, stream: str) -> None:
    """The chain, the postings, the balances and the tail are right, and the head file may be behind a database."""
    store = await filled(durable)
    tail = await store.tail(stream)
    await store.close()
    head = durable.head().read_bytes()
    durable.edit(forgery(tail, 5_000, HELD, postgres=durable.server is not None))
    await (await durable.open("unsigned", adopt_head=True)).close()  # nothing else in it is wrong
    with pytest.raises(RefusedStoreError) as refused:
        await signed(durable)
    assert refused.value.code == "signature-wrong"
    assert refused.value.message.startswith(f"{stream} {tail.seq + 1} ")
    assert durable.head().read_bytes() == head, "a database that is refused does not change the head file"
    with pytest.raises(RefusedStoreError, match="does not have the code"):
        await durable.open("another", adopt_head=True, signer=signer)


async def test_an_old_signature_or_one_of_another_stream_is_refused(durable: Place) -> None:
    store = await filled(durable)
    tail = await store.tail("t1")
    await store.close()
    swap = "UPDATE streams SET signature = (SELECT signature FROM streams WHERE name = 'desk')"
    durable.edit([*forgery(tail, 5_000, HELD, postgres=durable.server is not None), swap])
    with pytest.raises(RefusedStoreError, match="t1 4 does not have the code"):
        await signed(durable)


async def test_a_tail_forged_while_the_store_is_open_is_refused(place: Place) -> None:
    """Otherwise the next commit's signature would cover it."""
    store = await filled(place)
    await forge(place, store, "desk")
    before = await store.tail("desk")
    for _ in range(2):
        with pytest.raises(ForgedError, match="desk 2, where that stream ends") as forged_:
            await store.append(bought("ann", 1_000, "r2"))
    assert isinstance(forged_.value, BrokenStoreError), "the process must stop"
    assert forged_.value.code == "signature-wrong"
    assert await store.tail("desk") == before
    report = await audited(place, store)
    assert "signature-wrong" in {each.code for each in report.problems}


async def test_signatures_are_bound_to_their_store(durable: Place) -> None:
    store = await filled(durable)
    tail = await store.tail("t1")
    assert tail.signature != signer("").tail(tail)
