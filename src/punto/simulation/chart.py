"""A patron study as one self-contained page: its numbers, the results, and bankrolls over the rounds."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import altair as alt

INK, GOOD, BAD, BAND = "#1f2933", "#2f7d5b", "#b5483a", "#5b7fa6"
STYLE = """
body{font:16px/1.5 Georgia,serif;color:#1f2933;max-width:860px;margin:2.5rem auto;padding:0 1.5rem;background:#fffdf9}
h1{font-size:1.6rem;margin:0 0 .25rem}p{color:#52606d;margin:.25rem 0 1.25rem}
table{border-collapse:collapse;margin:1rem 0 2rem;font-variant-numeric:tabular-nums}
td{padding:.25rem 2rem .25rem 0;border-bottom:1px solid #e4e0d8}td+td{text-align:right;padding-right:0}
"""


def page(title: str, subtitle: str, rows: Sequence[tuple[str, str]], summary: dict[str, Any]) -> str:
    """The page, self-contained."""
    chart = alt.vconcat(_results(summary), _bankrolls(summary)).configure(
        font="Georgia",
        axis=alt.AxisConfig(labelColor=INK, titleColor=INK, gridColor="#ece8e0", labelFontSize=12, titleFontSize=13),
        background="#fffdf9",
    )
    drawn = chart.to_html(inline=True, fullhtml=False, output_div="chart", embed_options={"actions": False})
    numbers = "".join(f"<tr><td>{html.escape(what)}</td><td>{html.escape(value)}</td></tr>" for what, value in rows)
    head, sub = html.escape(title), html.escape(subtitle)
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{head}</title><style>{STYLE}</style>"
        f"<h1>{head}</h1><p>{sub}</p><table>{numbers}</table>{drawn}</html>"
    )


def _results(summary: dict[str, Any]) -> Any:
    edges, patrons = summary["distribution"]["edges_cents"], summary["distribution"]["patrons"]
    data = [
        {"from": low / 100, "to": high / 100, "patrons": n, "side": "ahead" if low >= 0 else "behind"}
        for low, high, n in zip(edges, edges[1:], patrons, strict=False)
    ]
    side = alt.Color("side:N", scale=alt.Scale(domain=["behind", "ahead"], range=[BAD, GOOD]), legend=None)
    return (
        alt.Chart(alt.InlineData(values=data), title="What patrons went home with, won or lost", width=760, height=220)
        .mark_bar()
        .encode(
            x=alt.X("from:Q", title="result", axis=alt.Axis(format=",.0f")),
            x2="to:Q",
            y=alt.Y("patrons:Q", title="patrons"),
            y2=alt.datum(0),
            color=side,
            tooltip=["from:Q", "to:Q", "patrons:Q"],
        )
    )


def _bankrolls(summary: dict[str, Any]) -> Any:
    rounds, levels = summary["bankroll_cents"]["rounds"], summary["bankroll_cents"]["quantiles"]
    data = [
        {"round": number, **{f"q{name}": values[place] / 100 for name, values in levels.items()}}
        for place, number in enumerate(rounds)
    ]
    base = alt.Chart(
        alt.InlineData(values=data),
        title="Bankroll: the middle patron, the middle half, nine in ten",
        width=760,
        height=260,
    ).encode(x=alt.X("round:Q", title="round"))
    axis = alt.Axis(format=",.0f")
    wide = base.mark_area(color=BAND, opacity=0.2).encode(y=alt.Y("q5:Q", title="bankroll", axis=axis), y2="q95:Q")
    half = base.mark_area(color=BAND, opacity=0.35).encode(y="q25:Q", y2="q75:Q")
    return alt.layer(wide, half, base.mark_line(color=INK).encode(y="q50:Q"))
