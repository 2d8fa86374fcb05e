"""The ledger: transfers that sum to zero, balances that are never overdrawn."""

from __future__ import annotations

import json

import pytest

from punto.ledger import moves as m
from punto.ledger.accounts import (
    CASH_DESK,
    Account,
    is_patron,
    may_be_negative,
    may_be_positive,
    owner_of,
    parse_account,
    patron_account,
)
from punto.ledger.balances import Balances, PostingRow
from punto.ledger.house_moves import house_moves
from punto.ledger.moves import (
    Move,
    Reason,
    buy,
    by_patron,
    cash_out,
    check_move,
    collect,
    collectable,
    correct,
    final,
    stake,
)

MOST = 2**53 - 1


def test_postings_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(ValueError, match=r"sum to 0\.01, not to zero"):
        check_move(Move(Reason.BUY, "r", ((CASH_DESK, -5), (patron_account("ann"), 6))))
    for amounts in ((), ((CASH_DESK, 0),)):
        with pytest.raises(ValueError, match="moves nothing"):
            check_move(Move(Reason.BUY, "r", amounts))
    with pytest.raises(ValueError, match="does not end in stake"):
        final("ann", "t1", "b", Reason.STAKE, 5, 5)


def test_amounts_and_references_at_their_bounds() -> None:
    check_move(buy("ann", MOST, "x" * 128))
    for cents in (0, -1, MOST + 1, True):
        for make in (buy, cash_out):
            with pytest.raises(ValueError, match="cents"):
                check_move(make("ann", cents, "r"))
    for reference in ("", "a b", "a\nb", "x" * 129):
        with pytest.raises(ValueError, match="reference"):
            check_move(buy("ann", 1, reference))


def test_whose_account_it_is() -> None:
    accounts = ("patron:ann", "owed:ann", "bets:t1", "house:t1", "chips:t1", "cash-desk")
    assert [owner_of(account) for account in accounts] == ["ann", "ann", None, None, None, None]
    assert [account for account in accounts if is_patron(account)] == ["patron:ann"]
    assert [parse_account(account) for account in accounts] == list(accounts)
    assert [account for account in accounts if not may_be_negative(account)] == ["patron:ann", "bets:t1"]
    assert [account for account in accounts if not may_be_positive(account)] == ["owed:ann"]
    gained = by_patron([m.stake("ann", "t1", 5, "b"), m.buy("ann", 7, "r"), m.buy("bo", 1, "r")])
    assert gained == {"patron:ann": 2, "patron:bo": 1}


@pytest.mark.parametrize(
    "name",
    [
        "",
        "ann",
        "patron:",
        "patron:a b",
        "patron:a\n",
        "bets:-a",
        "owed:a:b",
        "till:x",
        "cash-desk:1",
        "house:" + "x" * 65,
    ],
)
def test_an_invalid_account_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not an account"):
        parse_account(name)
    with pytest.raises(ValueError, match="is not an account"):
        check_move(Move(Reason.BUY, "r", ((CASH_DESK, -1), (Account(name), 1))))


def test_no_more_is_collected_than_is_owed_or_there() -> None:
    pairs = ((70, -50), (30, -50), (0, -50), (70, 0), (-5, -50), (70, 5))
    assert [collectable(*each) for each in pairs] == [50, 30, 0, 0, 0, 0]


OVERDRAWN = [
    ({"patron:ann": 70, "owed:ann": -50}, [collect("ann", 51, "x")], ("owed:ann", 1)),
    ({"patron:ann": 100}, [stake("ann", "t1", 60, "a"), stake("ann", "t1", 60, "b")], ("patron:ann", 20)),
    ({"patron:ann": 99}, [stake("ann", "t1", 100, "a")], ("patron:ann", 1)),
    ({"patron:ann": MOST}, [buy("ann", 1, "r")], ("patron:ann", 1)),
]


@pytest.mark.parametrize(("held", "transfers", "short"), OVERDRAWN)
def test_transfers_are_made_together_or_not_at_all(
    held: dict[str, int], transfers: list[Move], short: tuple[str, int]
) -> None:
    balances = Balances(held)
    overdrawn = balances.apply(transfers)
    assert overdrawn
    assert (overdrawn.account, overdrawn.short_cents) == short
    assert balances.snapshot() == held


MADE = [
    (
        {"patron:ann": 100},
        [stake("ann", "t1", 60, "a"), stake("ann", "t1", 40, "b")],
        {"patron:ann": 0, "bets:t1": 100},
    ),
    ({"patron:ann": 70, "owed:ann": -50}, [collect("ann", 50, "x")], {"patron:ann": 20, "owed:ann": 0}),
    ({"cash-desk": -MOST}, [buy("ann", 1_000, "r")], {"cash-desk": -MOST - 1_000, "patron:ann": 1_000}),
    (
        {"patron:ann": MOST, "bets:t1": 1_000, "house:t1": -MOST},
        [final("ann", "t1", "b", Reason.PAY, 1_000, 2_000)],
        {"patron:ann": MOST + 2_000, "bets:t1": 0, "house:t1": -MOST - 1_000},
    ),
    ({"house:t1": -950}, [correct("ann", "t1", 1_950, 1_000, "x")], {"house:t1": 0, "owed:ann": -950}),
]


@pytest.mark.parametrize(("held", "transfers", "after"), MADE)
def test_only_credit_is_bounded_and_a_bet_is_settled_however_much_is_held(
    held: dict[str, int], transfers: list[Move], after: dict[str, int]
) -> None:
    balances = Balances(held)
    assert balances.apply(transfers) is None
    assert balances.snapshot() == after


def test_postings_are_numbered_in_their_record_and_say_the_balance_after_them() -> None:
    rows: list[PostingRow] = []
    moves = [buy("ann", 500, "r"), stake("ann", "t1", 200, "b")]
    assert Balances({"patron:ann": 100}).apply(moves, 7, rows) is None
    assert rows == [
        (7, 1, 1, "buy", "r", "cash-desk", -500, -500),
        (7, 2, 1, "buy", "r", "patron:ann", 500, 600),
        (7, 3, 2, "stake", "b", "patron:ann", -200, 400),
        (7, 4, 2, "stake", "b", "bets:t1", 200, 200),
    ]


@pytest.mark.parametrize(
    ("kind", "move", "says"),
    [
        ("credits-bought", m.buy("ann", 500, "r"), "buy cash-desk patron:ann"),
        ("cashed-out", m.cash_out("ann", 500, "r"), "cash-out patron:ann ticket:r"),
        ("ticket-taken", m.take_in("ann", 500, "r"), "buy ticket:r patron:ann"),
        ("debt-collected", m.collect("ann", 500, "r"), "collect patron:ann owed:ann"),
        ("ticket-issued", m.issue(500, "r"), "issue cash-desk ticket:r"),
        ("ticket-paid", m.redeem(500, "r"), "redeem ticket:r cash-desk"),
    ],
)
def test_a_record_of_the_house_moves_what_its_kind_says(kind: str, move: Move, says: str) -> None:
    (giver, less), (taker, more) = move.amounts
    assert (f"{move.reason} {giver} {taker}", less, more) == (says, -500, 500)
    payload = {"patron": "ann", "cents": 500, "reference": "r"}
    assert house_moves(kind, json.dumps(payload)) == [move]
    for name in ("cents", "reference"):
        with pytest.raises(ValueError, match=f"what a {kind} moves cannot be read"):
            house_moves(kind, json.dumps({key: value for key, value in payload.items() if key != name}))
    assert house_moves("admitted", "{}") == []
