"""`punto rule`: what happens now, and why, for pit staff and trainees."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from punto.cli.output import Failure, console, faces, grid, write_json
from punto.rules.cards import parse_cards
from punto.rules.loader import load
from punto.rules.sheet import Sheet
from punto.table.answers import Answer, answer_for, parse_phase
from punto.table.facts import situations


def show_rule(game: str, situation: str | None, *, cards: str | None, phase: str | None, as_json: bool) -> None:
    """Answer one situation, or list them all."""
    sheet = load(game)
    if situation is None:
        if cards or phase:
            raise Failure("situation-missing", "say which situation: punto rule GAME SITUATION --cards … --phase …")
        _list(sheet, as_json=as_json)
        return
    answer = answer_for(sheet, situation, parse_cards(cards) if cards is not None else None, parse_phase(phase))
    if as_json:
        write_json(_plain(answer))
    else:
        _show(sheet, answer)


def _list(sheet: Sheet, *, as_json: bool) -> None:
    answers = [answer_for(sheet, situation, None, None) for situation in situations(sheet)]
    if as_json:
        write_json([_plain(answer) for answer in answers])
        return
    out = console()
    columns = [("Situation", "left"), ("What it is", "left"), ("Ruling", "left"), ("Decides", "left"), ("¶", "left")]
    table = grid(f"Irregularities: {sheet.title}", columns, fold="What it is")
    for each in answers:
        ruling = each.ruling or "[dim]decision[/]"
        table.add_row(f"[bold]{each.situation}[/]", each.seen, ruling, each.decides.spoken, each.rule or "—")
    out.print(table)
    out.print(
        f"[dim]punto rule {sheet.id} SITUATION[/] says what happens then; add [dim]--cards[/] and [dim]--phase[/]."
    )


def _show(sheet: Sheet, answer: Answer) -> None:
    out = console()
    out.print(f"[bold]{escape(answer.seen)}[/]\n[dim]{sheet.title} · {answer.situation}[/]\n")
    if answer.cards is not None:
        state = "an outcome is established" if answer.established else "no outcome is established"
        out.print(f"On the table: {faces(answer.cards) or 'no card'} — {state}: {escape(answer.why_established)}.\n")
    table = grid("", [("", "left"), ("", "left"), ("¶", "left")], fold="")
    for column in table.columns[1:2]:
        column.no_wrap = False
    table.add_row("[bold]Now[/]", escape(answer.says), answer.rule or "house practice")
    table.add_row("[bold]Decides[/]", f"{answer.decides.spoken} or above", answer.decides_rule or "")
    for place, step in enumerate(answer.steps):
        table.add_row("" if place else "[bold]Then[/]", escape(step.says), step.rule or "")
    for place, option in enumerate(answer.options):
        table.add_row("" if place else "[bold]Each patron[/]", escape(option.says), option.rule or "")
    if answer.reportable:
        table.add_row("[bold]To report[/]", escape(answer.reportable), "")
    out.print(table)


def _plain(answer: Answer) -> dict[str, Any]:
    return {
        "situation": answer.situation,
        "seen": answer.seen,
        "ruling": answer.ruling,
        "says": answer.says,
        "rule": answer.rule,
        "decides": answer.decides.value,
        "decides_rule": answer.decides_rule,
        "established": answer.established,
        "steps": [{"says": step.says, "rule": step.rule} for step in answer.steps],
        "options": [{"says": option.says, "rule": option.rule} for option in answer.options],
        "facts": list(answer.facts),
    }
