"""Whatever is bought, staked and settled, in whatever order: the books balance, in every store alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from punto.ledger.balances import Balances
from punto.ledger.moves import Move, Reason, buy, cash_out, collect, collectable, correct, final, returned, stake
from punto.store.audit import audit
from punto.store.errors import InsufficientFundsError
from punto.store.memory import MemoryStore
from punto.store.records import Batch, NewRecord, Unit

people = st.sampled_from(["ann", "bo", "cy"])
patrons = people | st.just("cash:3")
tables = st.sampled_from(["t1", "t2"])
cents = st.integers(1, 500)
transfers = st.one_of(
    st.builds(buy, people, cents, st.just("r")),
    st.builds(cash_out, people, cents, st.just("r")),
    st.builds(stake, patrons, tables, cents, st.just("b")),
    st.builds(returned, patrons, tables, cents, st.just("b")),
    st.builds(final, patrons, tables, st.just("b"), st.just(Reason.PAY), cents, cents),
    st.builds(correct, patrons, tables, cents, cents, st.just("x")).filter(
        lambda each: any(cents for _, cents in each.amounts)
    ),
    st.builds(collect, people, cents, st.just("x")),
)


@given(st.lists(st.lists(transfers, min_size=1, max_size=3), max_size=30))
def test_the_ledger_balances_and_no_patron_is_overdrawn(groups: list[list[Move]]) -> None:
    balances = Balances()
    plain: dict[str, int] = {}
    for group in groups:
        # Computed again in the simplest way, to compare.
        tried = dict(plain)
        covered = True
        for move in group:
            for account, cents in [each for each in move.amounts if each[1]]:
                tried[account] = tried.get(account, 0) + cents
            covered &= all(held >= 0 for account, held in tried.items() if account[:4] in ("patr", "bets"))
            covered &= all(held <= 0 for account, held in tried.items() if account[:4] == "owed")
        assert (balances.apply(group) is None) == covered
        plain = tried if covered else plain
        assert balances.snapshot() == plain
        assert sum(plain.values()) == 0


@given(st.lists(st.tuples(people, tables, cents, st.sampled_from(["pay", "lose", "return", "open"])), max_size=15))
async def test_a_log_of_whole_bets_passes_its_audit(bets: list[tuple[str, str, int, str]]) -> None:
    store = MemoryStore()
    refused = 0
    for patron in ("ann", "bo", "cy"):
        await store.append(Batch("desk", None, 1, (unit(buy(patron, 600, "r")),)))
    for number, (patron, table, amount, end) in enumerate(bets):
        bet = f"b{number}"
        try:
            await store.append(Batch(table, None, 1, (unit(stake(patron, table, amount, bet)),)))
        except InsufficientFundsError:
            refused += 1
            continue
        if end != "open":
            back = {"pay": 2 * amount, "lose": 0, "return": amount}[end]
            ended = final(patron, table, bet, Reason(end), amount, back)
            await store.append(Batch(table, None, 2, (unit(ended),)))
    async with store.snapshot() as snapshot:
        report = await audit(snapshot)
    assert report.problems == ()
    assert report.bets_open <= sum(end == "open" for *_, end in bets)
    assert sum((await store.balances()).values()) == 0


@given(st.integers(0, 500), st.integers(0, 900), st.integers(0, 900), st.booleans())
def test_a_correction_and_its_reverse_leave_all_balances_as_they_were(
    credit: int, before: int, after: int, collects_between: bool
) -> None:
    balances = Balances({"patron:ann": credit, "cash-desk": -credit})
    started = balances.snapshot()

    def collect_debt() -> None:
        if due := collectable(balances["patron:ann"], balances["owed:ann"]):
            assert balances.apply([collect("ann", due, "c")]) is None

    for old, new in ((before, after), (after, before)):
        if old != new:
            assert balances.apply([correct("ann", "t1", old, new, "x")]) is None
        if collects_between:
            collect_debt()
        assert balances["patron:ann"] + balances["owed:ann"] + balances["house:t1"] == credit
    collect_debt()
    assert {account: cents for account, cents in balances.snapshot().items() if cents} == {
        account: cents for account, cents in started.items() if cents
    }


def unit(*moved: Move) -> Unit:
    return Unit((NewRecord("happened", "{}", moved),))
