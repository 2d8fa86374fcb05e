"""What someone can do who writes to a database by hand, and has everything but the key."""

from __future__ import annotations

from punto.store.records import PostingRow, Tail, older_record_hash, posting_rows
from tests.ledger import buy

ADDED = "ON CONFLICT (account) DO UPDATE SET cents = balances.cents + excluded.cents"


def payload(cents: int) -> str:
    return f'{{"patron":"mallory","cents":{cents}}}'


def forged(tail: Tail, cents: int) -> tuple[str, list[PostingRow]]:
    """What someone without the key can make: a buy that never was, rightly chained; its hash, and its postings."""
    rows = posting_rows([buy("mallory", cents, "forged")])
    fields = (tail.stream, tail.seq + 1, 1, tail.fence, "credits-bought", payload(cents), None, None, None, None)
    return older_record_hash(tail.hash, fields, rows), rows


def forgery(tail: Tail, cents: int, *, known: bool = True) -> list[str]:
    """The statements that add it to a database, with the balances and the tail that it leads to."""
    hashed, rows = forged(tail, cents)
    values = f"'{tail.stream}', {tail.seq + 1}, 1, {tail.fence}, 'credits-bought', '{payload(cents)}', '{hashed}'"
    number = f"(SELECT id FROM records WHERE stream = '{tail.stream}' AND seq = {tail.seq + 1})"
    statements = [f"INSERT INTO records (stream, seq, time_ms, fence, kind, payload, hash) VALUES ({values})"]
    for line, (transfer, reason, reference, account, moved) in enumerate(rows, 1):
        kept = f"{number}, {line}, {transfer}, '{reason}', '{reference}', '{account}', {moved}"
        statements += [
            f"INSERT INTO postings (record, line, transfer, reason, reference, account, cents) VALUES ({kept})",
            f"INSERT INTO balances VALUES ('{account}', {moved}) {ADDED}",
        ]
    if known:
        row = f"'{tail.stream}', {tail.seq + 1}, '{hashed}', {tail.fence}, 0"
        statements.append(
            f"INSERT INTO streams (name, seq, hash, fence, expires_ms) VALUES ({row}) "
            "ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, hash = excluded.hash"
        )
    return statements
