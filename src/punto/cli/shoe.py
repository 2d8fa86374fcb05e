"""`punto shoe`: the value of every bet after the cards seen, and which bets the cards on the table decide."""

from __future__ import annotations

from punto.analysis.best_play import Advice, BestPlay, best_play
from punto.analysis.composition import Composition, shoe_without
from punto.analysis.counting import distribution
from punto.analysis.insurance import Cell, cells
from punto.analysis.plain import write_cell, write_price
from punto.analysis.pricing import Price, price_sheet
from punto.cli.odds import show_cells
from punto.cli.output import LANGUAGE, console, faces, grid, said, write_json
from punto.cli.shoes import percent, shoe_line, signed
from punto.rules.cards import Card, Rank, parse_cards, write_cards
from punto.rules.established import BetStatus, established
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.refusals import CardTooMany, RefusedError
from punto.rules.tableau import INITIAL_CARDS, cards_in_round, draw_reason, next_hand
from punto.texts import text


def show_shoe(game: str, *, dealt: str, table: str, decks: int, as_json: bool) -> None:
    """Price every bet for the cards left; with cards on the table, for the round in play."""
    sheet = load(game)
    gone, on_table = parse_cards(dealt), parse_cards(table)
    _check_table(on_table)
    left = shoe_without(decks, [*gone, *on_table])
    of = distribution(left, on_table)
    prices = price_sheet(sheet, of)
    fresh = price_sheet(sheet, distribution(Composition.full(decks)))
    offers = [cell for cell in cells(sheet.insurance, of) if _is_now(cell, on_table)] if sheet.insurance else []
    plays = [play for cell in offers if (play := best_play(sheet, cell.offer.hand, left, on_table))]
    decided = established(sheet, on_table)
    if as_json:
        write_json(
            {
                "game": sheet.id,
                "decks": decks,
                "left": left.size,
                "counts": list(left.counts),
                "table": [card.text for card in on_table],
                "bets": {bet: {**write_price(prices[bet]), "decided": decided[bet].value} for bet in prices},
                "insurance": [
                    {**write_cell(cell), "advice": _advice(cell, plays).value} for cell in offers
                ],
            }
        )  # fmt: skip
        return
    out = console()
    out.print(f"[bold]{said(sheet.title)}[/]\n[dim]{shoe_line(decks, left)}[/]")
    _show_left(left)
    if on_table:
        to_come = next_hand(on_table)
        key = "card-to-come" if to_come else "round-complete"
        says = text("commands", key, LANGUAGE.get(), reason=draw_reason(on_table), hand=to_come)
        out.print(f"{faces(on_table)}: {said(says)}")
    _show_bets(prices, fresh, decided if on_table else None)
    if offers:
        show_cells("Insurance on offer now", offers)
        for cell in offers:
            out.print(_say(cell, _advice(cell, plays)))
    elif len(on_table) >= INITIAL_CARDS and sheet.insurance and next_hand(on_table):
        out.print("No insurance is on offer at these points.")


def _check_table(cards: tuple[Card, ...]) -> None:
    if (dealt := cards_in_round(cards)) < len(cards):
        left_over = write_cards(cards[dealt:])
        raise RefusedError(CardTooMany(dealt + 1, cards[dealt].text, left_over, draw_reason(cards[:dealt])))


def _is_now(cell: Cell, table: tuple[Card, ...]) -> bool:
    return cell.deals > 0 and cell.offer.window.cards == len(table)


def _advice(cell: Cell, plays: list[BestPlay]) -> Advice:
    return next(play.chart[cell.key].advice for play in plays if play.hand is cell.offer.hand)


def _say(cell: Cell, advice: Advice) -> str:
    hand: Hand = cell.offer.hand
    says = {
        Advice.INSURE: f"insure, up to the cap (1 for each {float(cell.offer.odds.exact):g} of the bet)",
        Advice.WAIT: "wait: what the second window may bring is worth more",
        Advice.KEEP: "stake a token: it keeps the right to the second window, which is worth more",
        Advice.LEAVE: "leave it",
    }
    return f"For a bet on {hand.title()}: {says[advice]}."


def _show_left(left: Composition) -> None:
    table = grid("", [(rank.symbol, "right") for rank in Rank])
    table.add_row(*[str(count) for count in left.counts])
    console().print(table)


def _show_bets(prices: dict[str, Price], fresh: dict[str, Price], decided: dict[str, BetStatus] | None) -> None:
    columns = [("Bet", "left"), ("Value to the patron", "right"), ("In a new shoe", "right"), ("Wins", "right")]
    table = grid("", [*columns, *([("", "left")] if decided else [])])
    colours = {BetStatus.WON: "green", BetStatus.LOST: "red", BetStatus.RETURNED: "yellow", BetStatus.OPEN: "dim"}
    for bet, price in prices.items():
        row = [
            f"[bold]{said(price.bet.name)}[/]",
            signed(price.value, 4),
            signed(fresh[bet].value, 4),
            percent(price.hit),
        ]
        if decided:
            row.append(f"[{colours[decided[bet]]}]{decided[bet]}[/]")
        table.add_row(*row)
    console().print(table)
