"""`punto settle`: one settlement or refusal for each record."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from punto.cli.files import BOM, reading_bytes
from punto.cli.output import column, console, faces, grid, named, phrase, said, sentence, write_refusal
from punto.cli.refusals import FileEmpty
from punto.rules.bets import Result
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.money import money
from punto.rules.notation import RoundToSettle, parse_record, write_settlement
from punto.rules.outcome import Winner
from punto.rules.refusals import Refusal, RefusedError
from punto.rules.settlement import Settlement, settle
from punto.rules.sheet import Sheet

COLOURS = {Result.WIN: "green", Result.LOSE: "red", Result.RETURNED: "yellow"}


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
            _show_settlement(record, answer)
    if settled + refused > 1:
        out.print(phrase("settled", settled=settled, refused=refused, net=money(house)))
    return 1 if refused else 0


def _show_settlement(record: RoundToSettle, settlement: Settlement) -> None:
    out = console()
    sheet = load(record.game)
    round_ = settlement.round
    outcome = round_.outcome
    result = phrase("tie" if outcome.winner is Winner.TIE else "wins", winner=outcome.winner)
    hands = ((Hand.PLAYER, round_.player, outcome.player_points), (Hand.BANKER, round_.banker, outcome.banker_points))
    shown = [f"{phrase('hand', hand=hand)} {faces(cards)} = [bold]{points}[/]" for hand, cards, points in hands]
    out.print(f"[bold]{said(phrase('title', sheet, title=sheet.title))}[/]")
    out.print("    ".join([*shown, f"[bold]{result}[/]"]))
    scaled = any(line.in_play_cents != line.bet.stake_cents for line in settlement.lines)
    columns = [column("box", "right"), column("patron"), column("bet"), column("stake", "right")]
    columns += [column("in-play", "right")] * scaled
    columns += [
        column("result"),
        column("odds", "right"),
        column("back", "right"),
        column("net", "right"),
        column("paragraph"),
    ]
    table = grid("", columns, names=[column("bet")[0]])
    for line in settlement.lines:
        bet = line.bet
        cells = [str(bet.box), said(bet.patron), f"{bet.on}\n  {bet.window}" if bet.window else bet.on]
        cells += [money(bet.stake_cents)] + [money(line.in_play_cents)] * scaled
        cells += [
            f"[{COLOURS[line.result]}]{phrase(f'result-{line.result}')}[/]",
            line.odds.text if line.odds else "",
        ]
        cells += [money(line.returned_cents), money(line.net_cents)]
        cells += [said(f"{line.rule}; {line.in_play_rule}" if line.in_play_rule else line.rule)]
        table.add_row(*cells)
    table.add_section()
    table.add_row("", phrase("house"), *[""] * (len(columns) - 4), money(settlement.house_cents), "")
    out.print(table)
