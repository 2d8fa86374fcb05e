"""`punto check-sheet`: what is wrong with a sheet of one's own, line by line; or what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.cli.commands.rules import CheckSheet
from punto.cli.output import console, phrase, said, sentence, worded, write, write_json, write_refusal
from punto.rules.composition import MAX_DECKS, Composition
from punto.rules.loader import load
from punto.rules.plain import plain
from punto.rules.sheet import Sheet
from punto.rules.toml_table import SheetError

if TYPE_CHECKING:
    from punto.analysis.pricing import Price


def run(ask: CheckSheet) -> int:
    """Explain a sheet. The exit status is 1 if it has a problem."""
    try:
        sheet = load(ask.file)
    except SheetError as error:
        if ask.as_json:
            problems = [write_refusal(each)["refused"] | {"line": each.line} for each in error.refusals]
            write_json({"valid": False, "problems": problems})
        else:
            for each in error.refusals:
                console().print(said(sentence(each)))
            console().print(f"[red]{phrase('sheet-problems', problems=len(error.refusals))}[/]")
        return 1
    write(ask, data=lambda: _data(sheet), text=lambda: _explain(sheet))
    return 0


def _data(sheet: Sheet) -> dict[str, object]:
    from punto.analysis.sheet_figures import bet_figures

    return {
        "valid": True,
        "game": sheet.id,
        "fingerprint": sheet.fingerprint,
        "decks": _decks(sheet),
        "bets": {bet: plain(bet_figures(price)) for bet, price in _prices(sheet).items()},
        "missing_for_a_table": list(sheet.missing),
    }


def _explain(sheet: Sheet) -> None:
    """The sheet in short, with the exact price of every bet from the largest shoe that can be counted."""
    from punto.cli.odds import show_prices

    out, decks = console(), sheet.decks
    out.print(f"[bold]{worded(sheet, sheet.title)}[/] [dim]{sheet.id}[/]")
    out.print(phrase("sheet-decks", least=decks.minimum, most=decks.maximum))
    show_prices(sheet, _prices(sheet))
    out.print(phrase("sheet-for-mathematics", missing=sheet.missing) if sheet.missing else phrase("sheet-for-tables"))
    out.print(f"[dim]SHA-256 {sheet.fingerprint}[/]")


def _decks(sheet: Sheet) -> int:
    """The decks of the largest shoe that can be counted."""
    return min(sheet.decks.maximum, MAX_DECKS)


def _prices(sheet: Sheet) -> dict[str, Price]:
    from punto.analysis.counting import distribution
    from punto.analysis.pricing import price_sheet

    return price_sheet(sheet, distribution(Composition.full(_decks(sheet))))
