"""`punto replay`: play a file of commands at a table and print the events."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

from punto.cli.commands.rules import Replay
from punto.cli.files import read_text
from punto.cli.narrate import describe
from punto.cli.output import LANGUAGE, console, named, phrase, said, sentence, shown, write_json, write_refusal
from punto.cli.refusals import FileEmpty, OpenTableMissing
from punto.protocol.codec import parse_command, to_data
from punto.rules.loader import load
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Sheet
from punto.table.act import Command, Event
from punto.table.acts.settings import OpenTable
from punto.table.corrections.past_rounds import supply
from punto.table.draft import Draft
from punto.table.engine import decide
from punto.table.state import new_table


def run(ask: Replay) -> int:
    """Play every command of a file, or of standard input for `-`. Returns 1 if the table refused any, else 0.

    A file with an invalid line is not played at all: every such line is named, and the status is 2.
    """
    sheet, commands, bad = _read(ask.file)
    for number, refusal in bad:
        _write_bad(ask, number, refusal)
    if bad:
        if not ask.as_json:
            says = phrase("lines-unreadable", bad=len(bad), lines=len(bad) + len(commands))
            sys.stderr.write(f"punto: {says}\n")
        return 2
    if not commands:
        raise Refused(FileEmpty("command", **named(ask.file)))
    if sheet is None:
        raise Refused(OpenTableMissing(**named(ask.file)))
    state, refused = new_table(sheet), 0
    log: list[Event] = []
    for number, command in commands:
        answer = decide(state, supply(state, command, lambda: log))
        if isinstance(answer, Refusal):
            refused += 1
        else:
            state = answer.state
            log.extend(answer)
        _write(ask, sheet, number, command, answer)
    if not ask.as_json:
        console().print(f"\n{phrase('replayed', events=len(log), refused=refused)}")
    return int(refused > 0)


def _read(file: str) -> tuple[Sheet | None, list[tuple[int, Command]], list[tuple[int, Refusal]]]:
    """The sheet of the table, the commands, and why lines cannot be read, each with the number of its line."""
    sheet: Sheet | None = None
    commands: list[tuple[int, Command]] = []
    bad: list[tuple[int, Refusal]] = []
    for number, line in enumerate(read_text(file).split("\n"), 1):
        if not line.strip():
            continue
        try:
            command = parse_command(line)
            if isinstance(command, OpenTable):
                # A command may name a sheet by its path; the table uses its id.
                opened = load(command.game)
                sheet, command = sheet or opened, replace(command, game=opened.id)
            commands.append((number, command))
        except Refused as error:
            bad.append((number, error.refusal))
    return sheet, commands, bad


def _write_bad(ask: Replay, number: int, refusal: Refusal) -> None:
    if ask.as_json:
        write_json({"line": number, **write_refusal(refusal)})
    else:
        message = phrase("line-unreadable", line=number, sentence=shown(sentence(refusal)))
        sys.stderr.write(f"punto: {message} [{refusal.code}]\n")


def _write(ask: Replay, sheet: Sheet, number: int, command: Command, answer: Draft | Refusal) -> None:
    """Write the events that a command led to, or its refusal."""
    if isinstance(answer, Refusal):
        if ask.as_json:
            write_json({"line": number, **write_refusal(answer, sheet)})
            return
        by, reason = command.by.text, sentence(answer, sheet)
        message = phrase("command-refused", by=by, sentence=reason, code=answer.code, rule=answer.rule)
        lines = [f"[red]{said(message)}[/]"]
    elif ask.as_json:
        sys.stdout.writelines([json.dumps(to_data(event), ensure_ascii=False) + "\n" for event in answer])
        return
    else:
        lines = [line for event in answer for line in describe(event, sheet, LANGUAGE.get())]
    for line in lines:
        console().print(f"[dim]{number:>4}[/]  {line}")
