"""`punto odds`: every bet and every insurance offer of a sheet, exactly, for any shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from punto.analysis.best_play import Advice, BestPlay, best_play
from punto.analysis.composition import Composition
from punto.analysis.counting import distribution
from punto.analysis.insurance import Cell, cells
from punto.analysis.plain import write_cell, write_price
from punto.analysis.pricing import Price, price_sheet
from punto.cli.output import console, grid, said, write_json
from punto.cli.shoes import percent, read_device, read_shoe, shoe_line, signed
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.sheet import Sheet


def show_odds(
    game: str, *, decks: int, counts: Sequence[str] | None, removed: str | None, device: str, as_json: bool
) -> None:
    """Price every bet of a sheet. The figures of a full shoe are those of every round from a shuffler."""
    sheet = load(game)
    read_device(device, counts=counts, removed=removed)
    left = read_shoe(decks, counts, removed)
    of = distribution(left)
    prices = price_sheet(sheet, of)
    offers = cells(sheet.insurance, of) if sheet.insurance else []
    if as_json:
        bets = {bet: write_price(price) for bet, price in prices.items()}
        write_json({"game": sheet.id, "decks": decks, "bets": bets, "insurance": [write_cell(cell) for cell in offers]})
        return
    out = console()
    out.print(
        f"[bold]{said(sheet.title)}[/]\n[dim]{shoe_line(decks, left)}; {of.total:,} ordered deals of six cards[/]"
    )
    if decks not in sheet.decks:
        allowed = f"{sheet.decks.minimum} to {sheet.decks.maximum}"
        out.print(f"[yellow]The sheet is played with {allowed} decks ({sheet.decks.rule}).[/]")
    show_prices(prices)
    if offers:
        _show_values(offers)
        show_best_play(sheet, left)


# ------------------------------------------------------------------------------------------- text


def show_prices(prices: dict[str, Price]) -> None:
    """A table of bets with their pay lines."""
    columns = [("Bet", "left"), ("When", "left"), ("Pays", "right"), ("Probability", "right")]
    columns += [("House edge", "right"), ("Wins", "right"), ("Std dev", "right")]
    table = grid("", columns)
    for price in prices.values():
        for place, (line, share) in enumerate(zip(price.bet.pays, price.lines, strict=True)):
            figures = ("", "", "") if place else (_edge(price), percent(price.hit), f"{price.sd:.4f}")
            name = "" if place else f"[bold]{said(price.bet.name)}[/]"
            table.add_row(name, said(line.says), line.odds.text, percent(share), *figures)
        if price.returned:
            table.add_row("", "Returned", "", percent(price.returned), "", "", "")
    console().print(table)


def _edge(price: Price) -> str:
    text = percent(price.edge)
    return f"[green]{text}[/]" if price.edge < 0 else text


def show_cells(title: str, offers: Sequence[Cell]) -> None:
    """A table of insurance offers."""
    columns = [("Window", "left"), ("Insures", "left"), ("Player", "right"), ("Banker", "right"), ("Pays", "right")]
    columns += [("Wins", "right"), ("Returned", "right"), ("Value", "right")]
    table = grid(title, columns)
    for cell in offers:
        offer = cell.offer
        figures = [percent(cell.win or 0, 2), percent(cell.push or 0, 2), signed(cell.value or 0)]
        points = str(cell.player), str(cell.banker)
        table.add_row(offer.window, offer.hand.title(), *points, offer.odds.text, *figures)
    console().print(table)


def _show_values(offers: Sequence[Cell]) -> None:
    """The value of every offer, a table for each window and hand: Banker's points down, Player's across."""
    blocks: dict[tuple[Hand, Window], dict[tuple[int, int], Cell]] = {}
    for cell in offers:
        blocks.setdefault((cell.offer.hand, cell.offer.window), {})[cell.banker, cell.player] = cell
    for (hand, window), block in blocks.items():
        across = sorted({player for _, player in block})
        console().print(f"[bold]Insurance on {hand.title()} {window.spoken}:[/] its value to the patron, in %")
        table = grid("", [("Banker", "left"), *[(f"Player {player}", "right") for player in across]])
        for banker in sorted({banker for banker, _ in block}):
            table.add_row(str(banker), *[_value(block.get((banker, player))) for player in across])
        console().print(table)


def _value(cell: Cell | None) -> str:
    if cell is None:
        return ""
    return signed(cell.value).removesuffix(" %").replace(" %[/]", "[/]") if cell.value is not None else "never"


def show_best_play(sheet: Sheet, left: Composition) -> None:
    """The edge of original bets with the best play of insurance, and where it insures."""
    columns = [("Best play of insurance", "left"), ("Edge without", "right"), ("By the chart", "right")]
    columns += [("By every card seen", "right"), ("Insure, to the cap, at Player-Banker", "left")]
    table = grid("", columns)
    for hand in Hand:
        if play := best_play(sheet, hand, left):
            edges = [percent(each) for each in (play.edge, play.chart_edge, play.best_edge)]
            table.add_row(f"a bet on {hand.title()}", *edges, "\n".join(_where(play)))
    console().print(table)


def _where(play: BestPlay) -> Iterator[str]:
    for window in Window:
        insured = [key for key, choice in play.chart.items() if choice.advice is Advice.INSURE]
        at = [f"{player}-{banker}" for within, player, banker in insured if within is window]
        yield f"{window.spoken}: {' '.join(at) or 'nowhere'}"
