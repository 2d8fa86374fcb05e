"""`punto settle`: one settlement or refusal for each record."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from punto.cli.files import BOM, reading_bytes
from punto.cli.output import console, named, phrase, said, sentence, write_refusal
from punto.cli.refusals import FileEmpty
from punto.cli.settlement_text import SettlementWriter
from punto.rules.loader import load
from punto.rules.money import money
from punto.rules.notation import RoundToSettle, parse_record, write_settlement
from punto.rules.refusals import Refusal, RefusedError
from punto.rules.settlement import Settlement, settle
from punto.rules.sheet import Sheet


def settle_record(text: str | bytes) -> tuple[RoundToSettle | None, Settlement | Refusal]:
    """Read one record and settle it. The record is None if it could not be read."""
    try:
        record = parse_record(text)
        sheet = load(record.game)
    except RefusedError as error:
        return None, error.refusal
    return record, settle(sheet, record.cards, record.bets, decks=record.decks, limits=record.limits)


def settle_file(file: str, *, as_json: bool) -> int:
    """Settle every record of a file, or of standard input for `-`. Returns 1 if any was refused, else 0."""
    with reading_bytes(file) as stream:
        records = _records(stream, file)
        return _write_json(records) if as_json else _show(records)


def _write_json(records: Iterable[tuple[int, bytes]]) -> int:
    refused = 0
    write = sys.stdout.write
    for _, text in records:
        record, answer = settle_record(text)
        if isinstance(answer, Refusal):
            refused = 1
            write(json.dumps(write_refusal(answer, _sheet(record))) + "\n")
        else:
            write(json.dumps(write_settlement(answer)) + "\n")
    return refused


def _sheet(record: RoundToSettle | None) -> Sheet | None:
    return None if record is None else load(record.game)


def _records(stream: BinaryIO, file: str) -> Iterator[tuple[int, bytes]]:
    """The records with their line numbers: one on each line, unless the first line is only the start of one."""
    found = False
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        if not found and _is_beginning(line):
            yield number, line + stream.read()
            return
        found = True
        yield number, line
    if not found:
        raise RefusedError(FileEmpty("record", **named(file)))


def _is_beginning(line: bytes) -> bool:
    """Whether a line is the start of a record that continues on the next line."""
    text = line.removeprefix(BOM).strip()
    return text.startswith(b"{") and text.endswith((b"{", b"[", b","))


def _show(records: Iterable[tuple[int, bytes]]) -> int:
    out = console()
    writer = SettlementWriter(out)
    settled = refused = house = 0
    for number, text in records:
        record, answer = settle_record(text)
        if isinstance(answer, Refusal):
            refused += 1
            reason = said(sentence(answer, _sheet(record)))
            why = phrase("record-refused-why", code=answer.code, rule=answer.rule, sentence=reason)
            out.print(f"[bold red]{phrase('record-refused', line=number)}[/]{why}\n")
        elif record is not None:
            settled += 1
            house += answer.house_cents
            writer.write(record, answer)
    if settled + refused > 1:
        out.print(phrase("settled", settled=settled, refused=refused, net=money(house)))
    return 1 if refused else 0
