"""Charts of a report as SVG, so that a page needs no script and no network to show them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import altair as alt
import vl_convert

from punto.analysis.best_play import BestPlay
from punto.analysis.figures import Advice
from punto.analysis.insurance import InsuranceCell
from punto.analysis.pricing import Price
from punto.rules.insurance import Window

INK, RULE, GAIN = "#1b1b1b", "#c9c4b8", "#1d6b42"
SHADES = ["#dc8f83", "#fdfcf9", "#7fb69b"]
"""From the patron's loss over nothing to the patron's gain."""

FONT = "Georgia, 'Times New Roman', serif"


def edges_chart(prices: Mapping[str, Price]) -> str:
    """A bar for each bet's house edge, the largest first."""
    rows = [{"bet": price.bet.name, "edge": float(price.edge) * 100} for price in prices.values()]
    base = _chart(rows).encode(
        y=alt.Y("bet:N", sort="-x", title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=8)),
        x=alt.X("edge:Q", title="House edge, % of the stake", axis=alt.Axis(grid=False, tickCount=6)),
    )
    bars = base.mark_bar(color=INK, height=11)
    labels = base.mark_text(align="left", dx=5, font=FONT).encode(text=alt.Text("edge:Q", format=".3f"))
    return _svg((bars + labels).properties(width=520, height=24 * len(rows)))


def decks_chart(by_decks: Mapping[int, Mapping[str, Price]]) -> str:
    """Each bet's house edge by the number of decks: a small panel for each, on its own scale."""
    rows = [
        {"decks": decks, "bet": price.bet.name, "edge": float(price.edge) * 100}
        for decks, prices in by_decks.items()
        for price in prices.values()
    ]
    names = [price.bet.name for price in next(iter(by_decks.values())).values()]
    panel = (
        alt.Chart()
        .mark_line(color=INK, strokeWidth=1.3, point=alt.OverlayMarkDef(color=INK, size=18))
        .encode(
            x=alt.X("decks:O", title=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y(
                "edge:Q", title=None, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(tickCount=3, format=".3f")
            ),
        )
        .properties(width=165, height=80)
    )
    facet = panel.facet(
        alt.Facet("bet:N", title=None, sort=names, header=alt.Header(labelFont=FONT, labelFontSize=12)),
        columns=3,
        data=_data(rows),
    ).resolve_scale(y="independent", x="shared")
    return _svg(facet)


def insurance_chart(offers: Sequence[InsuranceCell], across: Sequence[int]) -> str:
    """A heat map of one window and hand: the value of insurance by the points of both hands."""
    rows = [
        {
            "player": cell.player,
            "banker": cell.banker,
            "value": float(cell.value) * 100,
            "text": f"{float(cell.value) * 100:+.2f}",
            "odds": cell.offer.odds.text,
        }
        for cell in offers
        if cell.value is not None
    ]
    base = _chart(rows).encode(
        x=alt.X("player:O", title="Player's points", scale=alt.Scale(domain=list(across)), axis=alt.Axis(labelAngle=0)),
        y=alt.Y("banker:O", title="Banker's points"),
    )
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(domain=[-35, 0, 10], range=SHADES, interpolate="rgb", clamp=True),
        legend=None,
    )
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(color=colour)
    favours = alt.when("datum.value > 0").then(alt.value(GAIN)).otherwise(alt.value(INK))
    values = base.mark_text(font=FONT, fontSize=11, dy=-5).encode(text="text:N", color=favours)
    odds = base.mark_text(font=FONT, fontSize=9, dy=8, color="#666").encode(text="odds:N")
    height = 34 * len({cell.banker for cell in offers})
    return _svg((cells + values + odds).properties(width=54 * len(across), height=height))


def advice_chart(play: BestPlay, window: Window) -> str | None:
    """The best play in one window as a chart: where to insure, where to wait, where to do neither."""
    rows = [
        {"player": player, "banker": banker, "advice": choice.advice.value}
        for (within, player, banker), choice in play.chart.items()
        if within is window
    ]
    if not rows:
        return None
    base = _chart(rows).encode(
        x=alt.X("player:O", title="Player", axis=alt.Axis(labelAngle=0)), y=alt.Y("banker:O", title="Banker")
    )
    scale = alt.Scale(domain=[each.value for each in Advice], range=[SHADES[2], "#e7d9a8", "#e7d9a8", SHADES[1]])
    cells = base.mark_rect(stroke=RULE).encode(color=alt.Color("advice:N", scale=scale, legend=None))
    words = base.mark_text(font=FONT, fontSize=10).encode(text="advice:N")
    across, down = len({row["player"] for row in rows}), len({row["banker"] for row in rows})
    return _svg((cells + words).properties(width=46 * across, height=26 * down))


def correlation_chart(names: Sequence[str], correlations: Sequence[Sequence[float]]) -> str:
    """A square of correlations between bets."""
    rows = [
        {"one": names[i], "other": names[j], "value": value, "text": f"{value:+.2f}"}
        for i, row in enumerate(correlations)
        for j, value in enumerate(row)
        if j <= i and value == value
    ]
    base = _chart(rows).encode(
        x=alt.X("other:N", sort=list(names), title=None, axis=alt.Axis(labelAngle=-35)),
        y=alt.Y("one:N", sort=list(names), title=None),
    )
    return _svg(_squares(base, "value").properties(width=52 * len(names), height=26 * len(names)))


def effects_chart(names: Sequence[str], ranks: Sequence[str], effects: Sequence[Sequence[Fraction]]) -> str:
    """The effect of one card less of each rank on each bet: colours compare within a bet."""
    rows = []
    for name, row in zip(names, effects, strict=True):
        largest = max(abs(effect) for effect in row) or 1
        rows += [
            {"bet": name, "rank": rank, "share": float(effect / largest), "text": f"{float(effect) * 100:+.3f}"}
            for rank, effect in zip(ranks, row, strict=True)
        ]
    base = _chart(rows).encode(
        x=alt.X(
            "rank:N", sort=list(ranks), title="Card taken out of the shoe", axis=alt.Axis(labelAngle=0, orient="top")
        ),
        y=alt.Y("bet:N", sort=list(names), title=None),
    )
    return _svg(_squares(base, "share").properties(width=50 * len(ranks), height=25 * len(names)))


def _squares(base: alt.Chart, shaded: str) -> Any:
    """A square for each row, with its text, shaded by a value from -1 to 1."""
    scale = alt.Scale(domain=[-1, 0, 1], range=SHADES, interpolate="rgb")
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=alt.Color(f"{shaded}:Q", scale=scale, legend=None)
    )
    return cells + base.mark_text(font=FONT, fontSize=10).encode(text="text:N")


def _data(rows: Sequence[Mapping[str, object]]) -> alt.Data:
    return alt.Data(values=rows)  # type: ignore[no-untyped-call]


def _chart(rows: Sequence[Mapping[str, object]]) -> alt.Chart:
    return alt.Chart(_data(rows))


def _svg(chart: Any) -> str:
    axis = {"labelFont": FONT, "titleFont": FONT, "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal"}
    axis |= {"domainColor": RULE, "tickColor": RULE, "gridColor": "#eeeae0", "labelColor": INK, "titleColor": "#555"}
    styled = chart.configure(background="transparent", font=FONT).configure_axis(**axis).configure_view(stroke=None)
    drawn = vl_convert.vegalite_to_svg(styled.to_dict())
    # Inside a page SVG needs no namespace, and without one the page contains no address.
    return re.sub(r'\s+xmlns(:\w+)?="[^"]*"', "", drawn)
