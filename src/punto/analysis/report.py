"""A report on one game as a single self-contained page: what a regulator calls a PAR sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from fractions import Fraction
from html import escape

from punto.analysis import charts
from punto.analysis.best_play import BestPlay, best_play
from punto.analysis.counting import Distribution, distribution
from punto.analysis.insurance import InsuranceCell, cells
from punto.analysis.pricing import Price, correlation, price_sheet
from punto.analysis.removal import removal_effects
from punto.rules.bets import FIRST_PAY_LINE, LOSES, RETURNED
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.sheet import Sheet
from punto.rules.words import counted

DECKS = range(4, 11)
"""The shoes compared in every report."""

ROUNDS = (100, 1_000, 10_000, 100_000)
NINETY = 1.6448536269514722
"""90 % of the results of a normal variable are within this many standard deviations."""


def report(sheet: Sheet, decks: int, *, version: str, made_on: date) -> str:
    """The page, as HTML. Raises Refused if this number of decks cannot be analysed."""
    left = Composition.full(decks)
    of = distribution(left)
    prices = price_sheet(sheet, of)
    by_decks = {number: price_sheet(sheet, distribution(Composition.full(number))) for number in DECKS}
    sections = [
        _summary(prices),
        ("Pay tables", "".join([_pay_table(price) for price in prices.values()])),
        _volatility(prices),
        _decks(by_decks, decks),
        *([_insurance(sheet, left, of)] if sheet.insurance else []),
        _effects(sheet, left, decks),
        _correlations(sheet, of),
        _method(of, decks, version, made_on),
    ]
    numbered = [
        f"<section><h2>{place}. {title}</h2>{body}</section>" for place, (title, body) in enumerate(sections, 1)
    ]
    title = f"{escape(sheet.title)}: exact figures, {counted(decks, 'deck')}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body>{_masthead(sheet, left, of, decks)}{''.join(numbered)}</body></html>\n"
    )


Section = tuple[str, str]


def _masthead(sheet: Sheet, left: Composition, of: Distribution, decks: int) -> str:
    version = f", version {escape(sheet.version)}" if sheet.version else ""
    since = f", in force from {escape(sheet.effective)}" if sheet.effective else ""
    outside = "" if decks in sheet.decks else f" The sheet allows {sheet.decks.minimum} to {sheet.decks.maximum} decks."
    facts = [
        ("Rule sheet", f"{escape(sheet.id)}{version}{since}"),
        ("Its SHA-256", f'<span class="hash">{sheet.fingerprint}</span>'),
        ("Shoe", f"{counted(decks, 'deck')}, {counted(left.size, 'card')}, complete.{outside}"),
        ("Counted", f"{of.total:,} ordered deals of six cards, all of them"),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f"<header><p>Probability accounting report</p><h1>{escape(sheet.title)}</h1><dl>{rows}</dl></header>"


def _summary(prices: dict[str, Price]) -> Section:
    rows = [
        [
            f"<b>{escape(price.bet.name)}</b>",
            _percent(price.edge),
            _percent(1 - price.edge),
            _percent(price.hit),
            _percent(price.returned),
            f"{price.sd:.5f}",
            f'<span class="exact">{price.edge}</span>',
        ]
        for price in prices.values()
    ]
    heads = ["Bet", "House edge", "Return", "Wins", "Returned", "Std deviation", "House edge, exact"]
    return "House edge", _table(heads, rows, left=1) + _figure(charts.edges_chart(prices), "House edge of every bet.")


def _pay_table(price: Price) -> str:
    rows = []
    for line, deals in zip(price.bet.pays, price.deals[FIRST_PAY_LINE:], strict=True):
        share = Fraction(deals, price.total)
        rows.append([escape(line.says), line.odds.text, line.rule, *_line(deals, share, share * line.odds.exact)])
    if price.deals[RETURNED]:
        rule = price.bet.returned_rule or ""
        rows.append(["Stake returned", "", rule, *_line(price.deals[RETURNED], price.returned, Fraction(0))])
    rows.append(["Loses", "", price.bet.lost_rule, *_line(price.deals[LOSES], price.loses, -price.loses)])
    rows.append(["<b>All deals</b>", "", "", *_line(price.total, Fraction(1), price.value)])
    heads = ["When", "Pays", "¶", "Deals", "Probability", "One in", "To the patron"]
    return f"<h3>{escape(price.bet.name)}</h3>{_table(heads, rows, left=1, total=True)}"


def _line(deals: int, share: Fraction, worth: Fraction) -> list[str]:
    one_in = f"{float(1 / share):,.2f}" if share else "–"
    return [f"{deals:,}", f"{float(share):.10f}", one_in, f"{float(worth):+.8f}"]


def _volatility(prices: dict[str, Price]) -> Section:
    rows = []
    for price in prices.values():
        bands = [f"{_band(price, rounds, -1)} to {_band(price, rounds, 1)}" for rounds in ROUNDS]
        rows.append([f"<b>{escape(price.bet.name)}</b>", f"{float(price.variance):.4f}", *bands])
    heads = ["Bet", "Variance", *[f"{rounds:,} rounds" for rounds in ROUNDS]]
    note = (
        "<p>The House's share of all stakes after this many equal bets is within these bounds nine times in ten by the "
        "normal approximation; bets that seldom win need the larger numbers for it.</p>"
    )
    return "Volatility", note + _table(heads, rows, left=1)


def _band(price: Price, rounds: int, sign: int) -> str:
    return f"{(float(price.edge) + sign * NINETY * price.sd / math.sqrt(rounds)) * 100:+.1f} %"


def _decks(by_decks: dict[int, dict[str, Price]], decks: int) -> Section:
    rows = []
    for bet, price in next(iter(by_decks.values())).items():
        edges = [_percent(prices[bet].edge) for prices in by_decks.values()]
        marked = [f"<b>{edge}</b>" if number == decks else edge for number, edge in zip(by_decks, edges, strict=True)]
        rows.append([f"<b>{escape(price.bet.name)}</b>", *marked])
    heads = ["Bet", *[counted(number, "deck") for number in by_decks]]
    caption = "House edge in % by number of decks, each bet on a scale of its own."
    return "Number of decks", _table(heads, rows, left=1) + _figure(charts.decks_chart(by_decks), caption)


def _insurance(sheet: Sheet, left: Composition, of: Distribution) -> Section:
    offers = cells(sheet.insurance, of) if sheet.insurance else []
    note = (
        "<p>What a unit of insurance is worth to the patron, in %, by the points of both hands when it is offered; its "
        "odds below. Green favours the patron.</p>"
    )
    heat = []
    for hand in (Hand.BANKER, Hand.PLAYER):
        maps = []
        for window in Window:
            block = [cell for cell in offers if cell.offer.hand is hand and cell.offer.window is window]
            if block:
                across = sorted({cell.player for cell in block})
                name = f"{hand.title()} insurance {window.spoken}"
                maps.append(_figure(charts.insurance_chart(block, across), name))
        heat.append(_side_by_side(maps))
    plays = [play for hand in Hand if (play := best_play(sheet, hand, left))]
    return "Insurance", f"{note}{''.join(heat)}{_best_play(plays)}<h3>Every offer</h3>{_offers(offers)}"


def _best_play(plays: Sequence[BestPlay]) -> str:
    rows = []
    for play in plays:
        ways = [(f"<b>{play.hand.title()}</b>", play.chart_edge, play.best_edge)]
        if play.forgone_rule:
            ways.append(("no token stake", play.chart_edge_without_token, play.best_edge_without_token))
        for name, chart, best in ways:
            exact = f'<span class="exact">{best}</span>'
            rows.append([name, _percent(play.edge), _percent(chart), _percent(best), exact])
    heads = ["Original bet", "Edge without insurance", "By the chart", "By every card seen", "The last, exact"]
    text = (
        "<h3>Best play</h3><p>Expected value is linear in the stake, so the best insurance is always all that the cap "
        "over both windows allows, or none. The charts go by the points alone. <i>Wait</i> leaves the cap for the "
        "second window; a chart for the second window applies to whatever the first has left of it.</p>"
    )
    if rules := {play.forgone_rule for play in plays if play.forgone_rule}:
        text += (
            f"<p>An offer that is let pass in the first window forgoes the second (¶ {', '.join(rules)}). <i>Keep</i> "
            "is therefore a stake as small as a chip can be. It keeps the right to the second window, and the edges "
            "count it as nothing. Without token stakes the edges are those of the second row.</p>"
        )
    figures = []
    for play in plays:
        drawn = {window: charts.advice_chart(play, window) for window in Window}
        name = f"A bet on {play.hand.title()}"
        figures.append(_side_by_side([_figure(d, f"{name}, {window.spoken}") for window, d in drawn.items() if d]))
    return text + _table(heads, rows, left=1) + "".join(figures)


def _offers(offers: Sequence[InsuranceCell]) -> str:
    rows = [
        [
            cell.offer.hand.title(),
            cell.offer.window.spoken,
            str(cell.player),
            str(cell.banker),
            cell.offer.odds.text,
            f"{cell.deals:,}",
            *[f"{float(each):.8f}" for each in (cell.win, cell.push, cell.lose) if each is not None],
            "" if cell.value is None else f"{float(cell.value) * 100:+.4f} %",
        ]
        for cell in offers
    ]
    heads = ["Hand", "Window", "Player", "Banker", "Pays", "Deals", "Wins", "Returned", "Loses", "To the patron"]
    return _table(heads, rows, left=2)


def _effects(sheet: Sheet, left: Composition, decks: int) -> Section:
    effects = removal_effects(sheet, left)
    names = [sheet.bets[bet].name for bet in effects]
    drawn = charts.effects_chart(names, [rank.symbol for rank in Rank], list(effects.values()))
    caption = f"What one card less of {counted(decks, 'deck')} adds to a bet's value to the patron, in % of the stake."
    return "Effect of removal", _figure(drawn, caption)


def _correlations(sheet: Sheet, of: Distribution) -> Section:
    names = [bet.name for bet in sheet.bets.values()]
    square = [[correlation(sheet, one, other, of) for other in sheet.bets] for one in sheet.bets]
    return "Correlation", _figure(charts.correlation_chart(names, square), "Correlation between bets in one round.")


def _method(of: Distribution, decks: int, version: str, made_on: date) -> Section:
    text = (
        f"<p>Nothing here is simulated. Every order in which six cards can leave {counted(decks, 'deck')} is counted, "
        f"the cards a round does not use included, so that all figures are shares of the same {of.total:,} deals. "
        "Each deal is played by the Table of Play and each bet settled by the pay lines of its rule sheet. House edge "
        "is minus the patron's expected net for each unit staked, returned stakes included; standard deviation is "
        "that of the net for one unit. Fractions are exact; decimals are rounded from them.</p>"
        f"<p>Made by punto {escape(version)} on {made_on.isoformat()}.</p>"
    )
    return "Method", text


# ------------------------------------------------------------------------------------------- HTML


def _percent(value: Fraction) -> str:
    return f"{float(value) * 100:.4f} %"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: int, total: bool = False) -> str:
    """A table with words in the first columns and figures in the others."""

    def cells_of(row: Sequence[str], tag: str) -> Iterator[str]:
        for place, cell in enumerate(row):
            yield f"<{tag}{' class=w' if place < left else ''}>{cell}</{tag}>"

    body = "".join(f"<tr>{''.join(cells_of(row, 'td'))}</tr>" for row in rows)
    head = "".join(cells_of(heads, "th"))
    table = f"<table{' class=total' if total else ''}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _side_by_side(figures: Sequence[str]) -> str:
    return f'<div class="pair">{"".join(figures)}</div>'


def _figure(drawn: str, caption: str) -> str:
    return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"


STYLE = """
@page { size: A4; margin: 18mm 16mm; }
:root { color-scheme: light; }
body { margin: 0 auto; padding: 3rem 2rem 5rem; max-width: 54rem; background: #fff; color: #1b1b1b;
  font: 15px/1.5 Georgia, 'Times New Roman', serif; font-variant-numeric: lining-nums tabular-nums; }
header { border-top: 3px solid #1b1b1b; border-bottom: 1px solid #1b1b1b; padding: 1rem 0 .6rem; margin-bottom: 2rem; }
header p { margin: 0; font-size: .8rem; letter-spacing: .12em; text-transform: uppercase; color: #555; }
h1 { font-size: 1.9rem; font-weight: normal; line-height: 1.2; margin: .2rem 0 .8rem; }
h2 { font-size: 1.25rem; font-weight: normal; margin: 2.6rem 0 .8rem; padding-bottom: .2rem;
  border-bottom: 1px solid #c9c4b8; }
h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; }
dl { display: grid; grid-template-columns: 7rem 1fr; margin: 0; font-size: .9rem; }
dt { color: #555; } dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: .82rem; margin: .4rem 0 1rem; }
th { font-weight: normal; font-style: italic; color: #555; border-bottom: 1px solid #1b1b1b; vertical-align: bottom; }
th, td { text-align: right; padding: .22rem .1rem .22rem .7rem; }
th.w, td.w { text-align: left; padding-left: 0; }
tbody tr { border-bottom: 1px solid #eeeae0; break-inside: avoid; }
table.total tbody tr:last-child { border-top: 1px solid #1b1b1b; border-bottom: 0; }
table.total { table-layout: fixed; }
table.total th:nth-child(1) { width: 29%; } table.total th:nth-child(2), table.total th:nth-child(3) { width: 7%; }
table.total th:nth-child(4) { width: 20%; } table.total th:nth-child(6) { width: 9%; }
.hash { font: .78rem monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
.exact { font-size: .74rem; color: #555; }
figure { margin: 1rem 0 1.4rem; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; }
figcaption { font-size: .8rem; font-style: italic; color: #555; }
.pair { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: flex-end; }
@media (max-width: 40rem) {
  body { padding: 1rem 1rem 3rem; } h1 { font-size: 1.5rem; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
  th, td { white-space: nowrap; } th.w, td.w { white-space: normal; min-width: 7rem; }
  table.total { table-layout: auto; } table.total th { width: auto !important; }
  table.total :is(th, td):is(:nth-child(3), :nth-child(4), :nth-child(6)) { display: none; } /* turn the phone */
}
@media print { body { padding: 0; max-width: none; font-size: 10pt; } h2, h3 { break-after: avoid; } }
"""
