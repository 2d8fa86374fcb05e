"""What someone can do who writes to a database by hand, and has everything but the key."""

from __future__ import annotations

from collections.abc import Mapping

from punto.ledger.balances import Balances, PostingRow
from punto.ledger.moves import buy
from punto.store.records import Tail, record_hash

ADDED = "ON CONFLICT (account) DO UPDATE SET cents = excluded.cents"
NUMBER = 1_000
"""The number of the forged record in the whole store, beyond all others."""


def forgery(tail: Tail, cents: int, held: Mapping[str, int], *, postgres: bool = False) -> list[str]:
    """The statements that add a buy that never was, rightly chained, with the balances and the tail it leads to."""
    rows: list[PostingRow] = []
    assert Balances(held).apply([buy("mallory", cents, "forged")], NUMBER, rows) is None
    payload = f'{{"at":1,"cents":{cents},"patron":"mallory","reference":"forged"}}'
    fields = (NUMBER, tail.stream, tail.seq + 1, 1, tail.fence, "credits-bought", payload, None, None, None, None)
    hashed = record_hash(tail.hash, fields, rows)
    values = f"{NUMBER}, '{tail.stream}', {tail.seq + 1}, 1, {tail.fence}, 'credits-bought', '{payload}', '{hashed}'"
    into = "records (id, stream, seq, time_ms, fence, kind, payload, hash)" + " OVERRIDING SYSTEM VALUE" * postgres
    statements = [f"INSERT INTO {into} VALUES ({values})"]
    for row in rows:
        statements += [
            f"INSERT INTO postings VALUES ({', '.join([repr(each) for each in row])})",
            f"INSERT INTO balances VALUES ('{row[5]}', {row[7]}) {ADDED}",
        ]
    end = f"'{tail.stream}', {tail.seq + 1}, '{hashed}', {tail.fence}, 0"
    extended = "ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, hash = excluded.hash"
    return [*statements, f"INSERT INTO streams (name, seq, hash, fence, expires_ms) VALUES ({end}) {extended}"]
