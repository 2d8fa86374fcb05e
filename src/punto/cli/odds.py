"""`punto odds`: every bet and every insurance offer of a sheet, exactly, for any shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from punto.analysis.best_play import BestPlay, best_play
from punto.analysis.figures import Advice
from punto.analysis.insurance import InsuranceCell
from punto.analysis.pricing import Price
from punto.analysis.sheet_figures import bet_figures, insurance_figures
from punto.cli.commands.figures import Odds
from punto.cli.output import columns, console, grid, phrase, worded, write
from punto.cli.shoes import check_device, note_decks, percent, read_numbers, shoe_line, signed
from punto.library.game import game
from punto.library.odds import GameOdds
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.plain import plain
from punto.rules.sheet import Sheet


def run(ask: Odds) -> None:
    """Price every bet of a sheet. The figures of a full shoe are those of every round from a shuffler."""
    check_device(ask.device, counts=ask.counts, removed=ask.removed)
    counts = None if ask.counts is None else read_numbers(ask.counts, int, "--counts", "count-not-whole")
    odds = game(ask.game).odds(ask.decks, removed=ask.removed or "", counts=counts)
    write(ask, data=lambda: _data(odds), text=lambda: _show(odds), rows=odds.to_dicts)


def _data(odds: GameOdds) -> dict[str, Any]:
    sheet = odds.sheet
    return {
        "game": sheet.id,
        "effective": sheet.effective,
        "fingerprint": sheet.fingerprint,
        "date": datetime.now(UTC).date().isoformat(),
        "decks": odds.decks,
        "bets": {bet: plain(bet_figures(price)) for bet, price in odds.prices.items()},
        "insurance": [plain(insurance_figures(cell)) for cell in odds.insurance],
    }


def _show(odds: GameOdds) -> None:
    sheet, out = odds.sheet, console()
    dealt = phrase("deals", shoe=shoe_line(odds.decks, odds.left), deals=odds.left.deals())
    out.print(f"[bold]{worded(sheet, sheet.title)}[/]\n[dim]{dealt}[/]")
    note_decks(sheet, odds.decks)
    show_prices(sheet, odds.prices)
    if odds.insurance:
        _show_values(odds.insurance)
        show_best_play(sheet, odds.left)


# ------------------------------------------------------------------------------------------- text


def show_prices(sheet: Sheet, prices: dict[str, Price]) -> None:
    """A table of bets with their pay lines."""
    table = grid("", columns("bet when pays> probability> house-edge> wins> std-dev>"))
    for price in prices.values():
        for place, (line, share) in enumerate(zip(price.bet.pays, price.lines, strict=True)):
            figures = ("", "", "") if place else (_edge(price), percent(price.hit), f"{price.sd:.4f}")
            name = "" if place else f"[bold]{worded(sheet, price.bet.name)}[/]"
            table.add_row(name, worded(sheet, line.says), line.odds.text, percent(share), *figures)
        if price.returned:
            table.add_row("", phrase("line-returned"), "", percent(price.returned), "", "", "")
    console().print(table)


def _edge(price: Price) -> str:
    text = percent(price.edge)
    return f"[green]{text}[/]" if price.edge < 0 else text


def show_cells(title: str, offers: Sequence[InsuranceCell]) -> None:
    """A table of insurance offers."""
    table = grid(title, columns("window insures player> banker> pays> wins> returned> value>"))
    for cell in offers:
        offer = cell.offer
        figures = [percent(cell.win or 0, 2), percent(cell.push or 0, 2), signed(cell.value or 0)]
        about = phrase("window", window=offer.window), phrase("hand", hand=offer.hand)
        table.add_row(*about, str(cell.player), str(cell.banker), offer.odds.text, *figures)
    console().print(table)


def _show_values(offers: Sequence[InsuranceCell]) -> None:
    """The value of every offer, a table for each window and hand: Banker's points down, Player's across."""
    blocks: dict[tuple[Hand, Window], dict[tuple[int, int], InsuranceCell]] = {}
    for cell in offers:
        blocks.setdefault((cell.offer.hand, cell.offer.window), {})[cell.banker, cell.player] = cell
    for (hand, window), block in blocks.items():
        across = sorted({player for _, player in block})
        title = phrase("insurance-values", hand=hand, window=window)
        console().print(f"[bold]{title}[/]{phrase('insurance-values-in')}")
        points = [(phrase("player-points", points=player), "right") for player in across]
        table = grid("", [*columns("banker"), *points])
        for banker in sorted({banker for banker, _ in block}):
            table.add_row(str(banker), *[_value(block.get((banker, player))) for player in across])
        console().print(table)


def _value(cell: InsuranceCell | None) -> str:
    if cell is None:
        return ""
    return signed(cell.value).removesuffix(" %").replace(" %[/]", "[/]") if cell.value is not None else phrase("never")


def show_best_play(sheet: Sheet, left: Composition) -> None:
    """The edge of original bets with the best play of insurance, and where it insures."""
    headings = "best-play-of-insurance edge-without> by-the-chart> by-every-card-seen>"
    table = grid("", columns(f"{headings} insure-to-the-cap-at-player-banker"))
    for hand in Hand:
        if play := best_play(sheet, hand, left):
            edges = [percent(each) for each in (play.edge, play.chart_edge, play.best_edge)]
            table.add_row(phrase("bet-on", hand=hand), *edges, "\n".join(_where(play)))
            if play.forgone_rule:
                edges = [percent(each) for each in (play.chart_edge_without_token, play.best_edge_without_token)]
                table.add_row(phrase("without-tokens"), "", *edges, phrase("forgone-by", rule=play.forgone_rule))
    console().print(table)


def _where(play: BestPlay) -> Iterator[str]:
    for window in Window:
        yield phrase("insured-at", window=window, points=_cells(play, window, Advice.INSURE) or phrase("nowhere"))
    if tokens := _cells(play, Window.FOUR_CARDS, Advice.KEEP):
        yield phrase("token-at", window=Window.FOUR_CARDS, points=tokens)


def _cells(play: BestPlay, window: Window, advice: Advice) -> str:
    advised = [key for key, choice in play.chart.items() if choice.advice is advice]
    return " ".join([f"{player}-{banker}" for within, player, banker in advised if within is window])
