"""`punto settle`: records in, settlements or refusals out, one for one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.markup import escape

from punto.cli.files import called, reading
from punto.cli.output import Failure, console, faces, grid
from punto.rules.bets import Result
from punto.rules.loader import load
from punto.rules.money import money
from punto.rules.notation import Record, parse_record, write_refusal, write_settlement
from punto.rules.refusals import Refusal, RefusedError
from punto.rules.settlement import Settlement, settle


def settle_record(text: str) -> tuple[Record | None, Settlement | Refusal]:
    """Read one record and settle it; the record is None where it could not be read."""
    try:
        record = parse_record(text)
        sheet = load(record.game)
    except RefusedError as error:
        return None, error.refusal
    return record, settle(sheet, record.cards, record.bets, decks=record.decks, limits=record.limits)


def settle_file(file: str, *, as_json: bool) -> int:
    """Settle every record of a file, or of standard input for `-`; 1 if any was refused, else 0."""
    with reading(file) as stream:
        records = _records(stream, file)
        return _write_json(records) if as_json else _show(records)


def _write_json(records: Iterable[tuple[int, str]]) -> int:
    refused = 0
    write = sys.stdout.write
    for _, text in records:
        _, answer = settle_record(text)
        if isinstance(answer, Refusal):
            refused = 1
            write(json.dumps(write_refusal(answer)) + "\n")
        else:
            write(json.dumps(write_settlement(answer)) + "\n")
    return refused


def _records(stream: TextIO, file: str) -> Iterator[tuple[int, str]]:
    """The records with their line numbers: line by line, unless the whole is one record spread over many lines."""
    found = False
    lines = iter(enumerate(stream, 1))
    for number, line in lines:
        if not line.strip():
            continue
        if not found and not _is_json(line):
            rest = [(number, line), *lines]
            whole = "".join(text for _, text in rest)
            if _is_json(whole) or not any(_is_json(text) for _, text in rest):
                yield number, whole
            else:
                yield from ((n, text) for n, text in rest if text.strip())
            return
        found = True
        yield number, line
    if not found:
        raise Failure("file-empty", f"{called(file)} holds no record")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _show(records: Iterable[tuple[int, str]]) -> int:
    out = console()
    settled = refused = house = 0
    for number, text in records:
        record, answer = settle_record(text)
        if isinstance(answer, Refusal):
            refused += 1
            rule = f", paragraph {answer.rule}" if answer.rule else ""
            out.print(f"[bold red]Line {number} refused[/] ({answer.code}{rule}): {escape(answer.message)}\n")
        elif record is not None:
            settled += 1
            house += answer.house_cents
            _show_settlement(record, answer)
    if settled + refused > 1:
        out.print(f"{settled:,} settled, {refused:,} refused; House net {money(house)}")
    return 1 if refused else 0


def _show_settlement(record: Record, settlement: Settlement) -> None:
    out = console()
    sheet = load(record.game)
    round_ = settlement.round
    outcome = round_.outcome
    result = "Tie" if outcome.winner == "tie" else f"{outcome.winner.title()} wins"
    out.print(
        f"[bold]{sheet.title}[/]\n"
        f"Player {faces(round_.player)} = [bold]{outcome.player_points}[/]    "
        f"Banker {faces(round_.banker)} = [bold]{outcome.banker_points}[/]    [bold]{result}[/]"
    )
    columns = [("Box", "right"), ("Patron", "left"), ("Bet", "left"), ("Stake", "right"), ("In play", "right")]
    columns += [("Result", "left"), ("Odds", "right"), ("Back", "right"), ("Net", "right"), ("¶", "left")]
    table = grid("", columns)
    colours = {Result.WIN: "green", Result.LOSE: "red", Result.RETURNED: "yellow"}
    for line in settlement.lines:
        bet = line.bet
        table.add_row(
            str(bet.box),
            escape(bet.patron),
            f"{bet.on} ({bet.window})" if bet.window else bet.on,
            money(bet.stake_cents),
            money(line.in_play_cents),
            f"[{colours[line.result]}]{line.result}[/]",
            line.odds.text if line.odds else "",
            money(line.returned_cents),
            money(line.net_cents),
            f"{line.rule}; {line.in_play_rule}" if line.in_play_rule else line.rule,
        )
    table.add_section()
    table.add_row("", "House", "", "", "", "", "", "", money(settlement.house_cents), "")
    out.print(table)
