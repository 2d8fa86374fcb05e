"""`punto replay`: play a file of commands at a table and print the events."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from punto.cli.files import read_text
from punto.cli.narrate import describe
from punto.cli.output import LANGUAGE, console, named, said, sentence, shown, write_json, write_refusal
from punto.cli.refusals import FileEmpty, OpenTableMissing
from punto.protocol.codec import parse_command, to_data
from punto.rules.loader import load
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Sheet
from punto.table.act import Command, Event
from punto.table.acts.settings import OpenTable
from punto.table.corrections.past_rounds import supply
from punto.table.engine import decide
from punto.table.state import new_table
from punto.texts import text

if TYPE_CHECKING:
    from punto.cli.commands.rules import Replay

Numbered = tuple[int, Command]


def run(ask: Replay) -> int:
    """Play every command of a file, or of standard input for `-`. Returns 1 if the table refused any, else 0.

    A file with an invalid line is not played at all: every such line is named, and the status is 2.
    """
    sheet, commands = _read(ask.file, as_json=ask.as_json)
    if sheet is None:
        return 2
    answers = _answers(sheet, commands)
    return _write_json(answers, sheet) if ask.as_json else _show(answers, sheet)


def _read(file: str, *, as_json: bool) -> tuple[Sheet | None, list[Numbered]]:
    commands: list[Numbered] = []
    bad: list[tuple[int, Refusal]] = []
    sheet: Sheet | None = None
    lines = enumerate(read_text(file).split("\n"), 1)
    for number, line in [(number, line) for number, line in lines if line.strip()]:
        try:
            command = parse_command(line)
            if isinstance(command, OpenTable) and sheet is None:
                sheet = load(command.game)
            # A command may name a sheet by its path; the table uses its id.
            if isinstance(command, OpenTable):
                command = replace(command, game=load(command.game).id)
            commands.append((number, command))
        except Refused as error:
            bad.append((number, error.refusal))
    for number, refusal in bad:
        _write_bad(number, refusal, as_json=as_json)
    if bad:
        if not as_json:
            message = text("commands", "lines-unreadable", LANGUAGE.get(), bad=len(bad), lines=len(bad) + len(commands))
            sys.stderr.write(f"punto: {message}\n")
        return None, []
    if not commands:
        raise Refused(FileEmpty("command", **named(file)))
    if sheet is None:
        raise Refused(OpenTableMissing(**named(file)))
    return sheet, commands


def _answers(sheet: Sheet, commands: list[Numbered]) -> Iterator[tuple[int, Command, tuple[Event, ...] | Refusal]]:
    """Each command with its events or its refusal."""
    state = new_table(sheet)
    log: list[Event] = []
    for number, command in commands:
        answer = decide(state, supply(state, command, lambda: log))
        if isinstance(answer, Refusal):
            yield number, command, answer
        else:
            state = answer.state
            log.extend(answer)
            yield number, command, tuple(answer)


def _write_bad(number: int, refusal: Refusal, *, as_json: bool) -> None:
    if as_json:
        write_json({"line": number, **write_refusal(refusal)})
    else:
        message = text("commands", "line-unreadable", LANGUAGE.get(), line=number, sentence=shown(sentence(refusal)))
        sys.stderr.write(f"punto: {message} [{refusal.code}]\n")


def _write_json(answers: Iterator[tuple[int, Command, tuple[Event, ...] | Refusal]], sheet: Sheet) -> int:
    refused = 0
    for number, _, answer in answers:
        if isinstance(answer, Refusal):
            refused = 1
            write_json({"line": number, **write_refusal(answer, sheet)})
        else:
            for event in answer:
                sys.stdout.write(json.dumps(to_data(event), ensure_ascii=False) + "\n")
    return refused


def _show(answers: Iterator[tuple[int, Command, tuple[Event, ...] | Refusal]], sheet: Sheet) -> int:
    out, language = console(), LANGUAGE.get()
    refused = events = 0
    for number, command, answer in answers:
        lines: Iterable[str]
        if isinstance(answer, Refusal):
            refused += 1
            by, reason = command.by.text, sentence(answer, sheet)
            message = text(
                "commands", "command-refused", language, by=by, sentence=reason, code=answer.code, rule=answer.rule
            )
            lines = [f"[red]{said(message)}[/]"]
        else:
            events += len(answer)
            lines = [line for event in answer for line in describe(event, sheet, language)]
        for line in lines:
            out.print(f"[dim]{number:>4}[/]  {line}")
    out.print(f"\n{text('commands', 'replayed', language, events=events, refused=refused)}")
    return 1 if refused else 0
