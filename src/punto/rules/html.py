"""Values of the rules as HTML for a notebook. Text takes the notebook's own colour, so it suits light and dark themes.

Styles are inline, because a notebook keeps them with the output. Cards are white with a border in both themes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from punto.rules.bets import Result
from punto.rules.cards import Card
from punto.rules.hands import Cards
from punto.rules.money import money
from punto.rules.outcome import Winner
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line, Settlement
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RED_SUITS = "hd"
RED, BLUE, GREEN, AMBER = "#e5484d", "#3e8ed0", "#2f9e5b", "#c98a1b"
"""Colours that can be read on white and on black."""
LINE = "#80808066"
INKS = {Winner.BANKER: RED, Winner.PLAYER: BLUE, Winner.TIE: GREEN}
RESULTS = {Result.WIN: GREEN, Result.LOSE: RED, Result.RETURNED: AMBER}

_CARD = (
    "display:inline-block;min-width:1.5em;padding:.1em .25em;margin:.1em;border:1px solid #8a8f98;border-radius:.3em;"
    "background:#fff;font-weight:600;line-height:1.3;text-align:center"
)
_CELL = f"padding:.25em .8em;border:0;border-bottom:1px solid {LINE};background:none"


def face(card: Card) -> str:
    """A card with its suit's symbol: 6♥, 10♣."""
    return card.rank.symbol.replace("T", "10") + SUITS[card.suit]


def cards_html(cards: Iterable[Card]) -> str:
    """Cards as small white cards in a line."""
    inks = {suit: "#c62828" if suit in RED_SUITS else "#1c1c1c" for suit in SUITS}
    return "".join([f'<span style="{_CARD};color:{inks[card.suit]}">{face(card)}</span>' for card in cards])


def coloured(text: str, colour: str) -> str:
    """Bold text in a colour."""
    return f'<b style="color:{colour}">{escape(text)}</b>'


def round_html(round_: Round) -> str:
    """Both hands with their points, and the result."""
    outcome = round_.outcome
    hands = (
        (Winner.PLAYER, round_.player, outcome.player_points),
        (Winner.BANKER, round_.banker, outcome.banker_points),
    )
    shown = [
        f'<span style="white-space:nowrap;margin-right:1.5em">{winner.value.title()} {cards_html(cards)} '
        f"<b>{points}</b></span>"
        for winner, cards, points in hands
    ]
    winner = outcome.winner
    says = "Tie" if winner is Winner.TIE else f"{winner.value.title()} wins"
    return f"<div>{''.join(shown)}{coloured(says, INKS[winner])}</div>"


def table_html(headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1, title: str = "") -> str:
    """A table of cells that are HTML. The first `left` columns are aligned left, the others right."""
    aligned = [f"text-align:{'left' if place < left else 'right'}" for place in range(len(headings))]
    head = "".join([f'<th style="{_CELL};{how}">{escape(text)}</th>' for text, how in zip(headings, aligned)])  # noqa: B905 — headings give the columns
    body = "".join([_row(row, aligned) for row in rows])
    caption = f'<div style="font-weight:600;margin:.2em 0">{escape(title)}</div>' if title else ""
    look = "border-collapse:collapse;border:0;font-variant-numeric:tabular-nums;margin:.3em 0"
    return f'{caption}<table style="{look}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(cells: Sequence[str], aligned: Sequence[str]) -> str:
    parts = [f'<td style="{_CELL};{how}">{cell}</td>' for cell, how in zip(cells, aligned, strict=True)]
    return f'<tr style="background:none">{"".join(parts)}</tr>'


_LINE = ("Box", "Patron", "Bet", "¶", "Stake", "Odds", "Back", "Net", "Result")


def _line(line: Line) -> tuple[str, ...]:
    return (
        str(line.bet.box),
        escape(line.bet.patron),
        escape(line.bet.on),
        escape(line.rule),
        money(line.bet.stake_cents),
        line.odds.text if line.odds else "",
        money(line.returned_cents),
        money(line.net_cents),
        coloured(line.result.value, RESULTS[line.result]),
    )


def settlement_html(settlement: Settlement) -> str:
    """The round, and a line for each bet."""
    house = f"<div>House <b>{money(settlement.house_cents)}</b></div>"
    return round_html(settlement.round) + table_html(_LINE, map(_line, settlement.lines), left=4) + house


def bet_html(bet: Bet) -> str:
    """A placed bet in one line."""
    window = f", {bet.window}" if bet.window else ""
    return f"<div><b>{escape(bet.on)}</b> {money(bet.stake_cents)}, {escape(bet.patron)}, box {bet.box}{window}</div>"


def refusal_html(refusal: Refusal) -> str:
    """The sentence of a refusal, its paragraph and its code."""
    paragraph = f" ¶ {escape(refusal.rule)}" if refusal.rule else ""
    code = f'<code style="opacity:.7">{refusal.code}</code>'
    return f"<div>{coloured('Refused', RED)} {escape(str(refusal))}{paragraph} {code}</div>"


def sheet_html(sheet: Sheet) -> str:
    """The game, and what each of its bets pays by which paragraph."""
    rows = [
        (
            f"<b>{escape(bet.name)}</b>" if line is bet.pays[0] else "",
            escape(line.says),
            escape(line.rule),
            line.odds.text,
        )
        for bet in sheet.bets.values()
        for line in bet.pays
    ]
    rows += [
        (f"<b>{escape(bet.name)}</b>", "by the insurance table", escape(sheet.insurance.rows[0].rule), "")
        for bet in sheet.insurance_bets.values()
        if sheet.insurance is not None
    ]
    about = f"{sheet.id} · {sheet.decks.minimum} to {sheet.decks.maximum} decks · {sheet.effective}"
    return (
        f'<div><b>{escape(sheet.title)}</b><br><span style="opacity:.7">{escape(about)}</span></div>'
        f"{table_html(('Bet', 'When', '¶', 'Pays'), rows, left=3)}"
    )


_DRAWN: dict[type, Callable[[Any], str]] = {
    Card: lambda card: cards_html((card,)),
    Cards: lambda cards: f"<div>{cards_html(cards)}</div>",
    Round: round_html,
    Bet: bet_html,
    Line: lambda line: table_html(_LINE, [_line(line)], left=4),
    Settlement: settlement_html,
    Refusal: refusal_html,
    Sheet: sheet_html,
}


def html_of(value: object) -> str:
    """A value as HTML; one without a form of its own as text."""
    drawn = next((draw for kind, draw in _DRAWN.items() if isinstance(value, kind)), lambda each: escape(repr(each)))
    return drawn(value)
