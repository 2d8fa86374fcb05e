"""`punto patron`: the results of patrons who play a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from rich.bar import Bar
from rich.table import Table

from punto.cli.commands.figures import Patron
from punto.cli.files import write_file
from punto.cli.output import console, grid, phrase, said, shown, write
from punto.cli.shoes import note_decks, note_device, progress
from punto.cli.simulate import shoe_of
from punto.extras import naming_extras
from punto.library.inputs import read_whole
from punto.rules.loader import load
from punto.rules.money import money
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import RoundsInvalid
from punto.simulation.plans import LevelPlan
from punto.simulation.refusals import PatronInvalid
from punto.simulation.study import Terms, study, terms_of
from punto.simulation.summary import summarise

_AMOUNT = re.compile(r"(\d[\d,]*)(?:\.(\d{1,2}))?")
_BAR = 46


def read_cents(text: str) -> int:
    """Parse an amount such as 1000 or 12.50, in cents."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise Refused(PatronInvalid("not-an-amount", quoted(text)))
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "0").ljust(2, "0"))


def run(ask: Patron) -> None:
    """Play, count and show."""
    sheet = load(ask.game)
    terms = terms_of(
        sheet,
        shoe_of(ask),
        ask.bet,
        ask.plan,
        ask.insurance,
        bankroll_cents=read_cents(ask.bankroll),
        unit_cents=read_cents(ask.unit),
        rounds=read_whole(ask.rounds, RoundsInvalid),
        patrons=read_whole(ask.patrons, partial(PatronInvalid, "patrons-not-whole")),
        maximum_stake_cents=None if ask.most is None else read_cents(ask.most),
        seed=ask.seed,
    )
    with progress(ask, terms.rounds * terms.patrons, "rounds-noun") as line:
        summary = summarise(study(terms, line.update))
    asked = {
        "game": ask.game, "bet": ask.bet, "plan": ask.plan, "insurance_policy": ask.insurance, "decks": ask.decks,
        "cut": ask.cut, "seed": ask.seed, "device": ask.device,
        "patrons": terms.patrons, "rounds": terms.rounds, "start_cents": terms.bankroll_cents,
        "unit_cents": terms.unit_cents,
        "most_stake_cents": None if ask.most is None else terms.maximum_stake_cents,
    }  # fmt: skip
    titles, rows = _titles(sheet, terms, asked), _rows(asked, summary)
    if ask.out is not None:
        _write_page(ask.out, titles, rows, summary)

    def show() -> None:
        note_decks(sheet, ask.decks)
        note_device(sheet, ask.device)
        _show(titles, rows, summary)
        if ask.out is not None:
            console().print(f"\n{phrase('patron-charts', file=said(ask.out))}")

    figures = [{"figure": what, "value": value} for what, value in _figures(asked | summary)]
    write(ask, data=lambda: asked | summary, text=show, rows=lambda: figures)


def _figures(data: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, object]]:
    """The single figures of plain data, each by its path."""
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _figures(value, f"{within}{key}.")
        elif not isinstance(value, list):
            yield within + key, value


def _rows(asked: dict[str, Any], summary: dict[str, Any]) -> list[tuple[str, str]]:
    result, runs, ruin, insured = (summary[key] for key in ("result_cents", "longest_runs", "ruin", "insurance"))
    q, errors = result["quantiles"], result["quantile_errors"]

    def cents(amount: float) -> str:
        return money(round(amount))

    def share(data: dict[str, Any], key: str) -> str:
        return f"{data[key]:.2%} ± {data[f'{key}_error']:.2%}"

    def between(low: str, high: str) -> str:
        parts = [f"{cents(q[each])} ± {cents(errors[each])}" for each in (low, high)]
        return phrase("patron-between", low=parts[0], high=parts[1])

    def run(which: str) -> str:
        mean = f"{runs[which]['mean']:.2f} ± {runs[which]['mean_error']:.2f}"
        return phrase("patron-run", mean=mean, most=runs[which]["most"])

    ruined = share(ruin, "share")
    if ruin["share"]:
        middle = f"{ruin['median_round']} ± {ruin['median_round_error']:g}"
        ruined = phrase("patron-ruined-by", share=ruined, round=middle)
    mean = f"{cents(result['mean'])} ± {cents(result['mean_error'])}"
    house = f"{summary['house_share_of_stakes']:.3%} ± {summary['house_share_of_stakes_error']:.3%}"
    values = {
        "mean": phrase("patron-mean-sd", mean=mean, sd=cents(result["sd"])),
        "middle": f"{cents(q['50'])} ± {cents(errors['50'])}",
        "half": between("25", "75"),
        "nine-in-ten": between("5", "95"),
        "extremes": phrase("patron-between", low=cents(result["least"]), high=cents(result["most"])),
        "ahead": ", ".join([share(summary, key) for key in ("ahead", "even", "behind")]),
        "ruined": ruined,
        "won-run": run("won"),
        "lost-run": run("lost"),
        "house": phrase("patron-of-stakes", share=house, staked_cents=summary["staked_cents"]),
    }
    if asked["insurance_policy"] != "never":
        net = f"{cents(insured['net_cents'])} ± {cents(insured['net_error'])}"
        values["insurance"] = phrase("patron-insured", staked_cents=insured["staked_cents"], net=net)
    return [(phrase(f"patron-{name}"), value) for name, value in values.items()]


def _titles(sheet: Sheet, terms: Terms, asked: dict[str, Any]) -> tuple[str, str]:
    title = phrase("patron-title", sheet, patrons=terms.patrons, on=terms.bet.id, game=asked["game"])
    says = phrase(f"plan-{asked['plan']}") if isinstance(terms.plan, LevelPlan) else phrase("plan-own")
    most = asked["most_stake_cents"]
    subtitle = phrase(
        "patron-subtitle", plan=asked["plan"], says=says, rounds=terms.rounds, start_cents=terms.bankroll_cents,
        unit_cents=terms.unit_cents, most=None if most is None else money(most),
        policy=asked["insurance_policy"], decks=asked["decks"], seed=terms.seed,
    )  # fmt: skip
    return shown(title), shown(subtitle)


def _show(titles: tuple[str, str], rows: list[tuple[str, str]], summary: dict[str, Any]) -> None:
    out = console()
    title, subtitle = map(said, titles)
    out.print(f"[bold]{title}[/]\n[dim]{subtitle}[/]")
    table = grid("", [("", "left"), ("", "left")])
    table.show_header = False
    for what, value in rows:
        table.add_row(what, f"[bold]{value}[/]")
    out.print(table)
    out.print(f"[dim]{phrase('patron-errors')}[/]")
    _histogram(summary)


def _histogram(summary: dict[str, Any]) -> None:
    """The results as bars."""
    edges, patrons = summary["distribution"]["edges_cents"], summary["distribution"]["patrons"]
    rows = Table.grid(padding=(0, 1))
    for justify in ("right", "left", "right", "left", "right"):
        rows.add_column(justify=justify, max_width=_BAR, no_wrap=justify == "right")
    for low, high, n in zip(edges, edges[1:], patrons, strict=False):
        bar = Bar(max(patrons), 0, n, color="green" if low >= 0 else "red")
        rows.add_row(money(low), "…", money(high), bar, f"{n / sum(patrons):.1%}")
    console().print(f"[bold]{phrase('patron-histogram')}[/]", rows, sep="\n")


def _write_page(out: str, titles: tuple[str, str], rows: list[tuple[str, str]], summary: dict[str, Any]) -> None:
    with naming_extras("charts"):
        from punto.simulation.chart import page

    write_file(out, page(*titles, rows, summary))
