"""`punto compare`: what differs between two sheets, with what each costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from punto.analysis.counting import distribution
from punto.analysis.pricing import Price, price_sheet
from punto.cli.commands.rules import Compare
from punto.cli.output import console, grid, phrase, said, spread, worded, write
from punto.cli.shoes import percent
from punto.rules.composition import Composition
from punto.rules.loader import load
from punto.rules.sheet import Sheet


def run(ask: Compare) -> None:
    """Show each thing of which two sheets say something else."""
    sheets = load(ask.game), load(ask.other)
    of = distribution(Composition.full(ask.decks))
    in_words = not ask.as_json and ask.csv is None
    first, second = (dict(_said(sheet, price_sheet(sheet, of), in_words=in_words)) for sheet in sheets)
    rows = [
        {"kind": kind, "name": name, "first": first.get((kind, name)), "second": second.get((kind, name))}
        for kind, name in {**first, **second}
        if first.get((kind, name)) != second.get((kind, name))
    ]
    data = {"games": [sheet.id for sheet in sheets], "decks": ask.decks, "differences": rows}
    write(ask, data=lambda: data, text=lambda: _show(sheets, rows), rows=lambda: rows)


def _said(sheet: Sheet, prices: dict[str, Price], *, in_words: bool) -> Iterator[tuple[tuple[str, str], str]]:
    """A sheet's words on each thing: its kind and its name. For people it is in their language."""

    def says(words: str) -> str:
        return worded(sheet, words) if in_words else words

    yield ("decks", ""), f"{sheet.decks.minimum}-{sheet.decks.maximum}"
    for bet in sheet.bets.values():
        yield ("edge", bet.id), percent(prices[bet.id].edge)
        yield ("pays", bet.id), "; ".join([f"{says(line.says)} {line.odds.text}" for line in bet.pays])
        if bet.returned_says:
            yield ("returned", bet.id), says(bet.returned_says)
    for row in sheet.insurance.rows if sheet.insurance else ():
        place = f"{row.hand} {row.window} {spread(row.player)} {spread(row.banker)}"
        if in_words:
            points = {"player": spread(row.player), "banker": spread(row.banker)}
            place = phrase("compare-insurance", hand=row.hand, window=row.window, **points)
        yield ("insurance", place), row.odds.text
    for each in sheet.irregularities.values():
        ruled = f"{each.decides}: {each.ruling}"
        if in_words:
            ruled = f"{phrase('role', role=each.decides)}: {phrase('ruling', ruling=each.ruling)}"
        yield ("ruling", each.id), ruled


def _show(sheets: tuple[Sheet, Sheet], rows: list[dict[str, Any]]) -> None:
    if not rows:
        console().print(phrase("compare-alike"))
        return
    columns = [(phrase("compare-of"), "left"), *[(worded(sheet, sheet.title), "left") for sheet in sheets]]
    table = grid("", columns)
    for row in rows:
        sheet = sheets[0] if row["name"] in (*sheets[0].bets, *sheets[0].irregularities) else sheets[1]
        name = row["name"] if row["kind"] == "insurance" else phrase(f"compare-{row['kind']}", sheet, on=row["name"])
        table.add_row(said(name), *[row[place] or "–" for place in ("first", "second")])
    console().print(table)
