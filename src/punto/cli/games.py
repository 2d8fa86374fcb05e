"""`punto games` and `punto rules`: the sheets for people."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from punto.cli.commands.rules import Games, Rules
from punto.cli.output import columns, console, grid, phrase, said, spread, worded, write_json
from punto.rules.bets import Result
from punto.rules.hands import Hand
from punto.rules.loader import GALLERY, load, load_all
from punto.rules.plain import plain
from punto.rules.sheet import Irregularity, Sheet
from punto.rules.tableau import BANKER_DRAWS_ALONE_ON, BANKER_DRAWS_ON, PLAYER_DRAWS_ON, PLAYER_STANDS_ON

SECTIONS = {"1": "definitions", "2": "mode", "3": "play", "4": "settlement", "5": "irregularities"}
"""The sections that every sheet has, by number, with the keys of their headings."""


def run(ask: Games) -> None:
    """List the built-in games."""
    sheets = load_all()
    if ask.as_json:
        write_json([_summary(sheet) for sheet in sheets])
        return
    out = console()
    headings = columns("game - decks boxes bets")
    table = grid("", headings, names=headings[0])
    for sheet in sheets:
        boxes = ", ".join(str(boxes) for boxes in sorted({layout.boxes for layout in sheet.boxes.layouts}))
        bets = phrase("bets", sheet, bets=sheet.bet_ids)
        decks = f"{sheet.decks.minimum}-{sheet.decks.maximum}"
        table.add_row(
            f"[bold]{sheet.id}[/]", phrase("title", sheet, title=sheet.short), decks, boxes or phrase("terminals"), bets
        )
    out.print(table)
    rules, settle = "[dim]punto rules GAME[/]", "[dim]punto settle FILE[/]"
    out.print(phrase("games-hint", rules=rules, settle=settle))
    out.print(phrase("gallery-hint", games=GALLERY))


def _summary(sheet: Sheet) -> dict[str, object]:
    return {
        "id": sheet.id,
        "title": sheet.title,
        "version": sheet.version,
        "effective": sheet.effective,
        "decks": [sheet.decks.minimum, sheet.decks.maximum],
        "layouts": {layout.id: layout.boxes for layout in sheet.boxes.layouts},
        "bets": list(sheet.bet_ids),
    }


def show_rules(ask: Rules) -> None:
    """Print a sheet in the order of its paragraphs."""
    sheet = load(ask.game)
    if ask.as_json:
        write_json(plain(sheet) | {"paragraphs": sheet.paragraphs})
        return
    out = console()
    since = f" · {phrase('in-force', version=sheet.version, effective=sheet.effective)}" if sheet.effective else ""
    out.print(f"[bold]{worded(sheet, sheet.title)}[/]\n[dim]{sheet.id}{said(since)}[/]")
    others = sorted({number.split(".")[0] for number in sheet.paragraphs} - SECTIONS.keys())
    for section, heading in (SECTIONS | dict.fromkeys(others, "further")).items():
        out.print(f"\n[bold]{said(section)}  {phrase(f'section-{heading}')}[/]")
        _paragraphs(out, sheet, section)
        for table in _tables(sheet, section):
            out.print(Padding(table, (1, 0, 0, 2)))
    authority = sheet.authority
    out.print(f"\n  {phrase('otherwise', role=authority.decides_otherwise, rule=authority.otherwise_rule)}")


def _paragraphs(out: Console, sheet: Sheet, section: str) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", min_width=8)
    table.add_column()
    for number, says in sheet.paragraphs.items():
        if number == section or number.startswith(f"{section}."):
            table.add_row(said(number), worded(sheet, says))
    out.print(Padding(table, (0, 0, 0, 2)))


def _tables(sheet: Sheet, section: str) -> list[Table]:
    match section:
        case "2":
            return [_layouts(sheet)] if sheet.boxes.layouts else []
        case "3":
            return [_table_of_play(sheet)]
        case "4":
            return [_pay_table(sheet), *([_insurance(sheet)] if sheet.insurance else [])]
        case "5":
            return [_irregularities(sheet)] if sheet.irregularities else []
    return []


def _layouts(sheet: Sheet) -> Table:
    table = grid("", columns("layout - boxes> appendix"))
    for layout in sheet.boxes.layouts:
        table.add_row(layout.id, said(layout.name), str(layout.boxes), said(layout.appendix))
    return table


def _table_of_play(sheet: Sheet) -> Table:
    title = phrase("table-of-play", rule=sheet.play.table_of_play_rule)
    player, banker = (phrase("hand", hand=hand) for hand in Hand)
    always, stands = phrase("draws-always"), phrase("stands")
    table = grid(title, columns("two-cards hand draws"))
    table.add_row(spread(PLAYER_DRAWS_ON), player, always)
    table.add_row(spread(PLAYER_STANDS_ON), player, stands)
    for points, draws_on in BANKER_DRAWS_ON.items():
        if len(draws_on) in (0, 10):
            drawn = always if draws_on else stands
        else:
            drawn = phrase("draws-on-third", points=spread(draws_on))
        table.add_row(str(points), banker, drawn)
    alone = phrase("draws-alone", rule=sheet.play.third_card_rule)
    table.add_row(spread(BANKER_DRAWS_ALONE_ON), banker, alone)
    table.add_row("8-9", phrase("either-hand"), phrase("natural"))
    return table


def _pay_table(sheet: Sheet) -> Table:
    table = grid(phrase("pay-table"), columns("bet when pays> paragraph"))
    for bet in sheet.bets.values():
        for place, line in enumerate(bet.pays):
            name = "" if place else f"[bold]{said(phrase('bet', sheet, on=bet.id))}[/]"
            table.add_row(name, worded(sheet, line.says), line.odds.text, said(line.rule))
        if bet.returned_says and bet.returned_rule:
            table.add_row(
                "", worded(sheet, bet.returned_says), phrase(f"result-{Result.RETURNED}"), said(bet.returned_rule)
            )
    return table


def _insurance(sheet: Sheet) -> Table:
    table = grid(phrase("insurance-table"), columns("window insures player banker pays> paragraph"))
    for row in sheet.insurance.rows if sheet.insurance else ():
        note = phrase("insurance-row", rule=row.rule, tie_rule=row.tie_wins_rule)
        window, hand = phrase("window", window=row.window), phrase("hand", hand=row.hand)
        table.add_row(window, hand, spread(row.player), spread(row.banker), row.odds.text, said(note))
    return table


def _irregularities(sheet: Sheet) -> Table:
    table = grid(phrase("rulings-table"), columns("situation ruling decides paragraph and"))
    for each in sheet.irregularities.values():
        role = phrase("role", role=each.decides)
        ruling = phrase("ruling", ruling=each.ruling)
        table.add_row(worded(sheet, each.situation), ruling, role, said(each.rule or ""), said(_more(each)))
    return table


def _more(irregularity: Irregularity) -> str:
    notes = []
    if irregularity.options:
        notes.append(phrase(f"options-unless-{irregularity.options.unless}", rule=irregularity.options.rule))
    if new_shoe := irregularity.new_shoe:
        notes.append(phrase("may-replace-shoe" if new_shoe.by else "new-cards", rule=new_shoe.rule or "").rstrip())
    if irregularity.cut_card_out:
        notes.append(phrase("cut-card-out"))
    return "; ".join(notes)
