"""`punto academy`: drills and examinations in the terminal, answered by a few keys."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from io import StringIO
from pathlib import Path
from time import monotonic_ns, time_ns

import msgspec
from rich.console import Console

from punto.academy import Drill, Kind, kinds, make_drill, mark
from punto.academy.drill import GRANTED, NO_RULE, Marking, Said, Step
from punto.academy.progress import Exam, Learned, after, make_exam, next_drill
from punto.cli.commands.rules import Academy
from punto.cli.files import read_text, write_file
from punto.cli.output import LANGUAGE, PIPE_WIDTH, columns, console, faces, grid, phrase, said, worded
from punto.cli.refusals import FileUnreadable
from punto.rules.cards import parse_cards, write_cards
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.table import acts
from punto.table.engine import choices
from punto.table.phases import Phase
from punto.table.rulings.procedures import ReportWay
from punto.table.values import Facts
from punto.table.views import hands_of
from punto.table.ways import Input, InputType, choice_of
from punto.texts import money, say, text

_PROGRESS = msgspec.json.Decoder(dict[str, dict[str, Learned]])
MS = 1_000_000
"""Nanoseconds in a millisecond."""

TELLS_NOTHING = {Phase.BETWEEN_ROUNDS, Phase.BETTING, Phase.INITIAL_CARDS, Phase.HELD}
"""The phases that answer no question when they are shown; the cards show the others."""


def run(ask: Academy) -> int:
    """Train or examine. Status 1 after an examination that took too long."""
    if ask.exam:
        return _examine(ask.game, ask.seed or 0, ask.drills, ask.report)
    file = ask.progress or Path.home() / ".punto-academy.json"
    _train(ask.game, ask.kind and Kind(ask.kind), ask.drills, file, ask.seed)
    return 0


def _train(game: str, kind: Kind | None, drills: int, file: Path, seed: int | None) -> None:
    """Ask so many drills, what is due first, and keep the progress. With a seed, nothing but the seed chooses."""
    sheet, kept = load(game), _read_progress(file)
    out = console()
    out.print(f"[dim]{phrase('academy-keys')}[/]")
    part = sum([known.asked for item, known in kept.get(sheet.id, {}).items() if item.startswith(Kind.SHOE)])
    with suppress(EOFError):
        for place in range(drills):
            progress, now = kept.get(sheet.id, {}), time_ns() // MS
            if seed is not None:
                offered = kinds(sheet) if kind is None else (kind,)
                drill = make_drill(sheet, offered[place % len(offered)], seed + place)
            elif kind is Kind.SHOE:
                drill = make_drill(sheet, kind, len(progress), part + place)
            else:
                drill = next_drill(sheet, progress, now, now, kind)
            marking = _ask(out, sheet, drill)
            _show_marking(out, sheet, marking)
            kept[sheet.id] = after(progress, marking, time_ns() // MS)
            write_file(str(file), msgspec.json.encode(kept).decode())
    if sheet.id in kept:
        _show_progress(out, sheet, kept[sheet.id])
        out.print(f"[dim]{said(phrase('academy-saved', file=str(file)))}[/]")


def _examine(game: str, seed: int, questions: int, report: str | None) -> int:
    """Ask an examination without a word between; then show the report, and write it. Status 1 if it took too long."""
    sheet, out = load(game), console()
    exam = make_exam(sheet, seed, questions)
    out.print(f"[bold]{_says('exam', sheet, seed=str(seed), title=sheet.title)}[/]")
    minutes = -(-exam.limit_ms // 60_000)
    out.print(f"{_says('limit', drills=questions, minutes=minutes)}\n[dim]{phrase('academy-keys')}[/]")
    markings: list[Marking] = []
    with suppress(EOFError):
        for drill in exam.drills:
            markings.append(_ask(out, sheet, drill))  # noqa: PERF401 — those before the end count
    _show_report(out, sheet, exam, markings)
    if report is not None:
        paper = StringIO()
        _show_report(Console(file=paper, width=PIPE_WIDTH), sheet, exam, markings)
        write_file(report, paper.getvalue())
    return 0 if _used_ms(markings) <= exam.limit_ms else 1


# ------------------------------------------------------------------------------------------- a drill


def _ask(out: Console, sheet: Sheet, drill: Drill) -> Marking:
    """Show a drill and read its answers."""
    out.rule(_says("part" if drill.parts > 1 else "title", sheet, **_heading(sheet, drill)))
    _show_table(out, sheet, drill)
    started, report = monotonic_ns(), None
    answers: list[tuple[str, ...]] = []
    for step in drill.steps:
        out.print(f"\n[bold]{said(_words(step.asks, sheet))}[/]")
        if step.type == "report":
            report = _read_report(out, sheet, drill)
            answers.append(())
        else:
            answers.append(_read_answer(out, sheet, step))
    return mark(drill, answers, report, used_ms=(monotonic_ns() - started) // MS)


def _heading(sheet: Sheet, drill: Drill) -> dict[str, object]:
    return {"kind": drill.kind, "title": sheet.title, "part": drill.part + 1, "parts": drill.parts}


def _show_table(out: Console, sheet: Sheet, drill: Drill) -> None:
    state, language = drill.table, LANGUAGE.get()
    if state.settings is not None:
        line, limits = "limits-line" if sheet.limits else "limits-line-maximum", asdict(state.settings)
        out.print(f"[dim]{text('pages', line, language, **limits)}[/]")
    if state.phase in TELLS_NOTHING:
        out.print(f"[dim]{phrase('academy-stands', phase=state.phase)}[/]")
    cards = state.visible_cards
    for hand in Hand:
        own = [card for card, to in zip(cards, hands_of(cards), strict=True) if to is hand and card is not None]
        if own:
            out.print(f"{phrase('hand', hand=hand)}: {faces(own)}")
    rows = grid("", columns("box> patron bet stake>"))
    standing = f" ({text('pages', 'standing', language)})"
    people = [(box, name, "") for box, name in state.seats.items()] + [(*place, standing) for place in state.standing]
    for box, name, more in sorted(people):
        bets = [bet for bet in state.round.bets.values() if (bet.box, bet.patron) == (box, name)] if state.round else []
        for bet in bets:
            rows.add_row(str(box), name + more, said(phrase("bet", sheet, on=bet.on)), money(bet.stake_cents))
        if not bets:
            rows.add_row(str(box), name + more)
    out.print(rows)
    for each in drill.story:
        out.print(f"[yellow]{said(_words(each, sheet))}[/]")


def _says(code: str, sheet: Sheet | None = None, /, **fields: object) -> str:
    return text("academy", code, LANGUAGE.get(), sheet, **fields)


def _words(asks: Said, sheet: Sheet) -> str:
    return _says(asks.code, sheet, **asdict(asks))


def option_words(step: Step, option: str, sheet: Sheet) -> str:
    """An option as it is shown."""
    if option == NO_RULE:
        return _says("none" if step.options_of == "plain" else "no-rule")
    if option == GRANTED:
        return _says("granted")
    if step.options_of == "spot":
        box, patron, on = option.split("/")
        return _says("spot", sheet, box=box, patron=patron, on=on)
    return _says(f"option-{step.options_of}", sheet, value=option)


# ------------------------------------------------------------------------------------------- answers


def _read(prompt: str) -> str:
    """A line of the trainee's. EOFError ends the session, also for `q`."""
    if (given := input(f"{prompt}: ").strip()).lower() == "q":
        raise EOFError
    return given


def _read_answer(out: Console, sheet: Sheet, step: Step) -> tuple[str, ...]:
    if step.type == "money":
        return (_read_amount(),)
    if step.options_of == "points":
        return (_read(phrase("academy-answer")),)
    for number, option in enumerate(step.options, 1):
        out.print(f"  [bold]{number}[/]  {said(option_words(step, option, sheet))}")
    picked = _pick(_read(phrase("academy-answer")), len(step.options))
    return tuple([step.options[place] for place in picked])


def _read_amount() -> str:
    while True:
        whole, _, part = _read(phrase("academy-amount")).replace(",", "").partition(".")
        if (whole + part).isdecimal() and len(part) <= 2:
            return str(int(whole or "0") * 100 + int(part.ljust(2, "0")))


def _pick(given: str, most: int) -> list[int]:
    numbers = [int(each) - 1 for each in given.replace(",", " ").split() if each.isdecimal()]
    return [number for number in dict.fromkeys(numbers) if 0 <= number < most]


def _choose(out: Console, shown: Sequence[str]) -> int:
    for number, words in enumerate(shown, 1):
        out.print(f"  [bold]{number}[/]  {said(words)}")
    while not (picked := _pick(_read(phrase("academy-which")), len(shown))):
        pass
    return picked[0]


def _read_report(out: Console, sheet: Sheet, drill: Drill) -> acts.Report:
    """Ask the report that the console's form asks: the situation, what it is about, and the facts that it needs."""
    assert drill.report is not None  # noqa: S101 — a step asks for it
    by, language = drill.report.by, LANGUAGE.get()
    offered = choice_of(choices(drill.table, by), acts.Report).ways
    offered = tuple([way for way in offered if way.refusal is None and not way.is_past])
    situations = list(dict.fromkeys([way.situation for way in offered]))
    seen = [text("rule", "seen", language, sheet, situation=each) for each in situations]
    situation = situations[_choose(out, seen)]
    ways = [way for way in offered if way.situation == situation]
    way = ways[0] if len(ways) == 1 else ways[_choose(out, [_target(way, sheet) for way in ways])]
    facts = way.facts
    for each in way.inputs:
        if each.type is InputType.FLAG or each.is_required(facts.reconstructible):
            facts = _read_fact(out, each, facts)
    return acts.Report(by, situation, facts)


def _target(way: ReportWay, sheet: Sheet) -> str:
    facts = way.facts
    if not way.about:
        return _says("none")
    return _says(
        "fact-about", sheet, box=facts.box, patron=facts.patron, on=facts.on, hand=facts.hand, window=facts.window
    )


def _read_fact(out: Console, wanted: Input, facts: Facts) -> Facts:
    """Ask for one fact until it can be read; whether it is right, the table says."""
    name = phrase("academy-fact", fact=wanted.name)
    while True:
        match wanted.type:
            case InputType.FLAG:
                given = _read(f"{name} ({phrase('academy-yes-no')})").lower()
                if given[:1] in {"y", "n", "是", "否"}:
                    return replace(facts, reconstructible=given[0] in {"y", "是"})
            case InputType.CARDS:
                try:
                    return replace(facts, cards=parse_cards(_read(f"{name} ({phrase('academy-cards')})")))
                except Refused as error:
                    out.print(f"[red]{said(say(error.refusal, LANGUAGE.get()))}[/]")
            case InputType.CLAIMS:
                shown = [f"{claim.patron}, {claim.hand}" for claim in wanted.claims]
                return replace(facts, claims=(wanted.claims[_choose(out, shown)],))
            case InputType.NUMBER:
                given = _read(f"{name} ({phrase('academy-number')})")
                if given.isdecimal():
                    number = int(given)
                    return replace(facts, round=number) if wanted.name == "round" else replace(facts, hand_count=number)
            case _:
                return replace(facts, note=_read(name) or None)


# ------------------------------------------------------------------------------------------- marking


def _right(marking: Marking, step: Step, sheet: Sheet) -> str:
    """The engine's answer to a step, in words."""
    if step.type == "money":
        return money(int(step.right[0]))
    if step.type == "report" and (report := marking.drill.report):
        cards = write_cards(report.facts.cards)
        seen = text("rule", "seen", LANGUAGE.get(), sheet, situation=report.situation)
        return f"{seen} · {cards}" if cards else seen
    return " · ".join([option_words(step, each, sheet) for each in step.right]) or _says("none")


def _show_marking(out: Console, sheet: Sheet, marking: Marking) -> None:
    out.print()
    for each in marking.marks:
        step = each.step
        rules = "" if step.options_of == "rule" else " ".join([f"¶ {rule}" for rule in step.rules])
        verdict = f"[green]✓ {_says('right')}[/]"
        if not each.is_right:
            verdict = f"[red]✗ {said(_says('wrong', right=_right(marking, step, sheet)))}[/]"
        out.print(f"{verdict} [cyan]{rules}[/]  [dim]{said(_words(step.asks, sheet))}[/]")
        if step.reason is not None:
            out.print(f"    [dim]{said(_says('reason', reason=step.reason))}[/]")
        if each.refusal is not None:
            out.print(f"    [red]{said(say(each.refusal, LANGUAGE.get(), sheet))}[/]")
        if not each.is_right:
            for rule in step.rules:
                out.print(f"    [cyan]¶ {rule}[/] {worded(sheet, sheet.paragraphs.get(rule, ''))}")
    used, target = marking.used_ms // 1000, marking.drill.target_ms // 1000
    points = {"points": marking.points, "most": len(marking.marks)}
    out.print(f"[bold]{_says('in-time', **points, seconds=used, target=target)}[/]\n")


def _show_report(out: Console, sheet: Sheet, exam: Exam, markings: Sequence[Marking]) -> None:
    """The report of an examination, to be shown or printed."""
    out.print(f"\n[bold]{_says('exam', sheet, seed=str(exam.seed), title=sheet.title)}[/]\n")
    for marking in markings:
        out.rule(_says("title", sheet, **_heading(sheet, marking.drill)))
        _show_marking(out, sheet, marking)
    used_ms, marks = _used_ms(markings), [mark for marking in markings for mark in marking.marks]
    over = exam.limit_ms // 1000 if used_ms > exam.limit_ms else None
    points, most = sum([mark.is_right for mark in marks]), sum([len(drill.steps) for drill in exam.drills])
    figures = {"points": points, "most": most, "percent": points * 100 // most}
    out.print(f"[bold]{_says('result', **figures, seconds=used_ms // 1000, over=over)}[/]")
    wrong = dict.fromkeys([rule for mark in marks if not mark.is_right for rule in mark.step.rules])
    if wrong:
        out.print(_says("repeat", rules=[f"¶ {rule}" for rule in wrong]))


def _used_ms(markings: Sequence[Marking]) -> int:
    return sum([marking.used_ms for marking in markings])


# ------------------------------------------------------------------------------------------- progress


def _read_progress(file: Path) -> dict[str, dict[str, Learned]]:
    """The progress so far, by the id of the sheet."""
    try:
        return _PROGRESS.decode(read_text(str(file))) if file.exists() else {}
    except msgspec.DecodeError:
        raise Refused(FileUnreadable(str(file), problem="not-progress")) from None


def _show_progress(out: Console, sheet: Sheet, progress: dict[str, Learned]) -> None:
    """Show the items learned, kind by kind, the weakest first."""
    rows = grid(_says("progress", sheet, title=sheet.title), columns("drill paragraph right> level>"))
    order = list(Kind)
    for item in sorted(progress, key=lambda each: (order.index(Kind(each.split()[0])), progress[each].level, each)):
        (kind, rule), known = item.split(), progress[item]
        paragraph = "—" if rule == NO_RULE else rule
        rows.add_row(_says("option-kind", value=kind), paragraph, f"{known.right}/{known.asked}", str(known.level))
    out.print(rows)
