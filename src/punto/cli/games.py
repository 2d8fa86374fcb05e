"""`punto games` and `punto rules`: the sheets for people."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from punto.cli.output import console, grid, said, spread, write_json
from punto.rules.loader import load, load_all
from punto.rules.plain import plain
from punto.rules.sheet import Irregularity, Options, OptionsUnless, Sheet
from punto.rules.tableau import BANKER_DRAWS_ALONE_ON, BANKER_DRAWS_ON, PLAYER_DRAWS_ON, PLAYER_STANDS_ON

SECTIONS = {"1": "Definitions", "2": "Mode of play", "3": "How to play", "4": "Settlement", "5": "Irregularities"}


def show_games(*, as_json: bool) -> None:
    """List the built-in games."""
    sheets = load_all()
    if as_json:
        write_json([_summary(sheet) for sheet in sheets])
        return
    out = console()
    table = grid(
        "", [("Game", "left"), ("", "left"), ("Decks", "left"), ("Boxes", "left"), ("Bets", "left")], names=["Game"]
    )
    for sheet in sheets:
        boxes = ", ".join(str(boxes) for boxes in sorted({layout.boxes for layout in sheet.boxes.layouts}))
        bets = ", ".join(sheet.bet_names)
        decks = f"{sheet.decks.minimum}-{sheet.decks.maximum}"
        table.add_row(f"[bold]{sheet.id}[/]", sheet.short, decks, boxes or "terminals", bets)
    out.print(table)
    out.print("[dim]punto rules GAME[/] reads a sheet; [dim]punto settle FILE[/] settles rounds.")


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


def show_rules(game: str, *, as_json: bool) -> None:
    """Print a sheet in the order of its paragraphs."""
    sheet = load(game)
    if as_json:
        write_json(plain(sheet) | {"paragraphs": sheet.paragraphs})
        return
    out = console()
    version = f"version {sheet.version}, " if sheet.version else ""
    out.print(
        f"[bold]{said(sheet.title)}[/]\n[dim]{sheet.id} · {said(version)}in force from {said(sheet.effective)}[/]"
    )
    others = sorted({number.split(".")[0] for number in sheet.paragraphs} - SECTIONS.keys())
    for section, heading in (SECTIONS | dict.fromkeys(others, "Further paragraphs")).items():
        _heading(out, section, heading)
        _paragraphs(out, sheet, section)
        for table in _tables(sheet, section):
            out.print(Padding(table, (1, 0, 0, 2)))
    otherwise = f" ({sheet.authority.otherwise_rule})" if sheet.authority.otherwise_rule else ""
    decides = sheet.authority.decides_otherwise.spoken
    out.print(f"\n  Whatever is not settled above is decided by the {decides} or above{otherwise}.")


def _heading(out: Console, section: str, heading: str) -> None:
    out.print(f"\n[bold]{said(section)}  {heading}[/]")


def _paragraphs(out: Console, sheet: Sheet, section: str) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", min_width=8)
    table.add_column()
    for number, says in sheet.paragraphs.items():
        if number == section or number.startswith(f"{section}."):
            table.add_row(said(number), said(says))
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
            return [_irregularities(sheet)]
    return []


def _layouts(sheet: Sheet) -> Table:
    table = grid("", [("Layout", "left"), ("", "left"), ("Boxes", "right"), ("Appendix", "left")])
    for layout in sheet.boxes.layouts:
        table.add_row(layout.id, said(layout.name), str(layout.boxes), said(layout.appendix))
    return table


def _table_of_play(sheet: Sheet) -> Table:
    title = f"Table of Play ({sheet.play.table_of_play_rule})"
    table = grid(title, [("Two cards", "left"), ("Hand", "left"), ("Draws", "left")])
    table.add_row(spread(PLAYER_DRAWS_ON), "Player", "always")
    table.add_row(spread(PLAYER_STANDS_ON), "Player", "stands")
    for points, draws_on in BANKER_DRAWS_ON.items():
        if len(draws_on) in (0, 10):
            drawn = "always" if draws_on else "stands"
        else:
            drawn = f"when Player's third card is worth {spread(draws_on)}"
        table.add_row(str(points), "Banker", drawn)
    table.add_row(spread(BANKER_DRAWS_ALONE_ON), "Banker", f"when Player stands ({sheet.play.third_card_rule})")
    table.add_row("8-9", "either", "natural: nobody draws")
    return table


def _pay_table(sheet: Sheet) -> Table:
    table = grid("What wins and what it pays", [("Bet", "left"), ("When", "left"), ("Pays", "right"), ("¶", "left")])
    for bet in sheet.bets.values():
        for place, line in enumerate(bet.pays):
            name = "" if place else f"[bold]{said(bet.name)}[/]"
            table.add_row(name, said(line.says), line.odds.text, said(line.rule))
        if bet.returned_says and bet.returned_rule:
            table.add_row("", said(bet.returned_says), "returned", said(bet.returned_rule))
    return table


def _insurance(sheet: Sheet) -> Table:
    columns = [
        ("Window", "left"),
        ("Insures", "left"),
        ("Player", "left"),
        ("Banker", "left"),
        ("Pays", "right"),
        ("¶", "left"),
    ]
    table = grid("Insurance: pays when the hand loses, returned on a tie", columns)
    for row in sheet.insurance.rows if sheet.insurance else ():
        note = f"{row.rule}; a tie wins too ({row.tie_wins_rule})" if row.tie_wins_rule else row.rule
        table.add_row(row.window, row.hand.title(), spread(row.player), spread(row.banker), row.odds.text, said(note))
    return table


def _irregularities(sheet: Sheet) -> Table:
    columns = [("Situation", "left"), ("Ruling", "left"), ("Decides", "left"), ("¶", "left"), ("And", "left")]
    table = grid("Rulings", columns)
    for each in sheet.irregularities.values():
        table.add_row(said(each.situation), each.ruling, each.decides.spoken, said(each.rule or ""), said(_more(each)))
    return table


def _more(irregularity: Irregularity) -> str:
    notes = []
    if irregularity.options:
        notes.append(_options(irregularity.options))
    if new_shoe := irregularity.new_shoe:
        notes.append(f"{'may replace the shoe' if new_shoe.by else 'new cards'} {new_shoe.rule}")
    if irregularity.cut_card_out:
        notes.append("once the cut card is out")
    return "; ".join(notes)


def _options(options: Options) -> str:
    unless = {
        OptionsUnless.NEVER: "",
        OptionsUnless.OUTCOME_ESTABLISHED: " if none established",
        OptionsUnless.ESTABLISHED_AND_RECONSTRUCTIBLE: " unless established and restored",
    }
    return f"options{unless[options.unless]} {options.rule}"
