"""`punto settle`: one settlement or refusal for each record."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import BufferedIOBase
from itertools import chain
from typing import TYPE_CHECKING

from punto.cli.files import BOM, reading_bytes
from punto.cli.output import console, named, phrase, said, sentence
from punto.cli.refusals import FileEmpty
from punto.cli.settlement_text import SettlementWriter
from punto.rules.loader import load
from punto.rules.money import money
from punto.rules.notation import RoundToSettle, parse_record
from punto.rules.refusals import Refusal, Refused
from punto.rules.settlement import Settlement, settle
from punto.rules.sheet import Sheet

if TYPE_CHECKING:  # processes that settle parts of a long file need no commands
    from punto.cli.commands.rules import Settle


def settle_record(text: str | bytes) -> tuple[RoundToSettle | None, Settlement | Refusal]:
    """Read one record and settle it. The record is None if it could not be read."""
    try:
        record = parse_record(text)
        sheet = load(record.game)
    except Refused as error:
        return None, error.refusal
    return record, settle(sheet, record.cards, record.bets, decks=record.decks, limits=record.limits)


def run(ask: Settle) -> int:
    """Settle every record of a file, or of standard input for `-`. Returns 1 if any was refused, else 0."""
    with reading_bytes(ask.file) as stream:
        number, first = _first_record(stream, ask.file)
        if ask.as_json:
            return _write_json(first, stream)
        return _show(chain([(number, first)], enumerate(stream, number + 1)))


def _write_json(first: bytes, rest: BufferedIOBase) -> int:
    # Imported here, because text for people needs neither.
    from punto.cli.json_lines import answer, settle_lines
    from punto.cli.parallel import in_order, whole_lines

    text, refused = answer(first)
    out = sys.stdout.buffer  # JSON is UTF-8, whatever the terminal
    out.write(text + b"\n")
    for answers, any_refused in in_order(settle_lines, whole_lines(rest)):
        out.write(answers)
        refused |= any_refused
    return 1 if refused else 0


def sheet_of(record: RoundToSettle | None) -> Sheet | None:
    """The sheet of a record that could be read."""
    return None if record is None else load(record.game)


def _first_record(stream: BufferedIOBase, file: str) -> tuple[int, bytes]:
    """The first record with the number of its line. It is all that there is, if its line is only the start of it."""
    for number, line in enumerate(stream, 1):
        if line.strip():
            return number, line + stream.read() if _is_beginning(line) else line
    raise Refused(FileEmpty("record", **named(file)))


def _is_beginning(line: bytes) -> bool:
    """True if a line is the start of a record that continues on the next line."""
    text = line.removeprefix(BOM).strip()
    return text.startswith(b"{") and text.endswith((b"{", b"[", b","))


def _show(records: Iterable[tuple[int, bytes]]) -> int:
    out = console()
    writer = SettlementWriter(out)
    settled = refused = house = 0
    for number, text in records:
        if not text.strip():
            continue
        record, answer = settle_record(text)
        if isinstance(answer, Refusal):
            refused += 1
            reason = said(sentence(answer, sheet_of(record)))
            why = phrase("record-refused-why", code=answer.code, rule=answer.rule, sentence=reason)
            out.print(f"[bold red]{phrase('record-refused', line=number)}[/]{why}\n")
        elif record is not None:
            settled += 1
            house += answer.house_cents
            writer.write(record, answer)
    if settled + refused > 1:
        out.print(phrase("settled", settled=settled, refused=refused, net=money(house)))
    return 1 if refused else 0
