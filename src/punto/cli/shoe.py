"""`punto shoe`: the value of every bet after the cards seen, and which bets the cards on the table decide."""

from __future__ import annotations

from punto.analysis.best_play import BestPlay, best_play
from punto.analysis.counting import distribution
from punto.analysis.figures import Advice
from punto.analysis.insurance import InsuranceCell, cells
from punto.analysis.pricing import Price, price_sheet
from punto.analysis.sheet_figures import bet_figures, insurance_figures
from punto.cli.commands.figures import Shoe
from punto.cli.odds import show_cells
from punto.cli.output import columns, console, faces, grid, phrase, said, worded, write_json
from punto.cli.shoes import percent, shoe_line, signed
from punto.rules.cards import Card, Rank, parse_cards, write_cards
from punto.rules.composition import Composition, shoe_without
from punto.rules.established import BetStatus, established
from punto.rules.loader import load
from punto.rules.plain import plain
from punto.rules.refusals import CardTooMany, Refused
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS, cards_in_round, draw_reason, next_hand


def run(ask: Shoe) -> None:
    """Price every bet for the cards left; with cards on the table, for the round in play."""
    sheet, on_table = load(ask.game), parse_cards(ask.table)
    _check_table(on_table)
    left = shoe_without(ask.decks, [*parse_cards(ask.dealt), *on_table])
    of = distribution(left, on_table)
    prices = price_sheet(sheet, of)
    offers = [
        cell
        for cell in (cells(sheet.insurance, of) if sheet.insurance else ())
        if cell.deals > 0 and cell.offer.window.cards == len(on_table)
    ]
    plays = [play for cell in offers if (play := best_play(sheet, cell.offer.hand, left, on_table))]
    decided = established(sheet, on_table)
    if ask.as_json:
        insurance = [{**plain(insurance_figures(cell)), "advice": _advice(cell, plays).value} for cell in offers]
        write_json(
            {
                "game": sheet.id,
                "decks": ask.decks,
                "left": left.size,
                "counts": list(left.counts),
                "table": [card.text for card in on_table],
                "bets": {bet: {**plain(bet_figures(prices[bet])), "decided": decided[bet].value} for bet in prices},
                "insurance": insurance,
            }
        )
        return
    out = console()
    out.print(f"[bold]{worded(sheet, sheet.title)}[/]\n[dim]{shoe_line(ask.decks, left)}[/]")
    _show_left(left)
    if on_table:
        to_come = next_hand(on_table)
        key = "card-to-come" if to_come else "round-complete"
        says = phrase(key, reason=draw_reason(on_table), hand=to_come)
        out.print(f"{faces(on_table)}: {said(says)}")
    fresh = price_sheet(sheet, distribution(Composition.full(ask.decks)))
    _show_bets(sheet, prices, fresh, decided if on_table else None)
    if offers:
        show_cells(phrase("insurance-now"), offers)
        for cell in offers:
            out.print(_say(cell, _advice(cell, plays)))
    elif len(on_table) >= INITIAL_CARDS and sheet.insurance and next_hand(on_table):
        out.print(phrase("no-insurance-now"))


def _check_table(cards: tuple[Card, ...]) -> None:
    if (dealt := cards_in_round(cards)) < len(cards):
        left_over = write_cards(cards[dealt:])
        raise Refused(CardTooMany(dealt + 1, cards[dealt].text, left_over, draw_reason(cards[:dealt])))


def _advice(cell: InsuranceCell, plays: list[BestPlay]) -> Advice:
    return next(play.chart[cell.key].advice for play in plays if play.hand is cell.offer.hand)


def _say(cell: InsuranceCell, advice: Advice) -> str:
    ratio = f"{float(cell.offer.odds.exact):g}"
    return phrase("advice", hand=cell.offer.hand, says=phrase(f"advice-{advice}", ratio=ratio))


def _show_left(left: Composition) -> None:
    table = grid("", [(rank.symbol, "right") for rank in Rank])
    table.add_row(*[str(count) for count in left.counts])
    console().print(table)


def _show_bets(
    sheet: Sheet, prices: dict[str, Price], fresh: dict[str, Price], decided: dict[str, BetStatus] | None
) -> None:
    table = grid("", [*columns("bet value-to-the-patron> in-a-new-shoe> wins>"), *([("", "left")] if decided else [])])
    colours = {BetStatus.WON: "green", BetStatus.LOST: "red", BetStatus.RETURNED: "yellow", BetStatus.OPEN: "dim"}
    for bet, price in prices.items():
        figures = signed(price.value, 4), signed(fresh[bet].value, 4), percent(price.hit)
        is_decided = [f"[{colours[decided[bet]]}]{phrase(f'bet-{decided[bet]}')}[/]"] if decided else []
        table.add_row(f"[bold]{worded(sheet, price.bet.name)}[/]", *figures, *is_decided)
    console().print(table)
