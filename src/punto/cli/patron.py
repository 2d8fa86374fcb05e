"""`punto patron`: the results of patrons who play a plan."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

from punto.cli.numbers import read_whole
from punto.cli.output import console, grid, said, write_json
from punto.cli.refusals import FileUnwritable
from punto.cli.simulate import note_decks, note_device, progress, sheets_for, shoe_of
from punto.rules.money import money
from punto.rules.reasons import quoted
from punto.rules.refusals import BetNotOffered, RefusedError
from punto.rules.sheet import Device
from punto.rules.shoe_refusals import RoundsInvalid
from punto.rules.words import counted
from punto.simulation.plans import LevelPlan, find_plan, find_policy
from punto.simulation.refusals import PatronInvalid
from punto.simulation.study import MAX_STAKE_CENTS, Terms, study
from punto.simulation.summary import summarise

_AMOUNT = re.compile(r"(\d[\d,]*)(?:\.(\d{1,2}))?")
_BAR = 46


def read_cents(text: str) -> int:
    """Parse an amount such as 1000 or 12.50, in cents."""
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise RefusedError(PatronInvalid("not-an-amount", quoted(text)))
    return int(match[1].replace(",", "")) * 100 + int((match[2] or "0").ljust(2, "0"))


def study_patrons(
    game: str,
    *,
    bet: str,
    plan: str,
    insurance: str,
    bankroll: str,
    unit: str,
    most: str | None,
    rounds: str,
    patrons: str,
    decks: int,
    cut: int,
    burn: str,
    device: str,
    seed: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Play, count and show."""
    sheet = sheets_for((game,))[game]
    if bet not in sheet.bets:
        raise RefusedError(BetNotOffered(bet, tuple(sheet.bets)))
    if insurance != "never" and not (sheet.insurance and sheet.bets[bet].hand):
        raise RefusedError(PatronInvalid("bet-not-insurable" if sheet.insurance else "no-insurance", bet))
    terms = Terms(
        sheet=sheet,
        shoe=shoe_of(device, decks, cut, burn),
        bet=sheet.bets[bet],
        plan=find_plan(plan),
        policy=find_policy(insurance),
        bankroll_cents=read_cents(bankroll),
        unit_cents=read_cents(unit),
        rounds=read_whole(rounds, RoundsInvalid),
        patrons=read_whole(patrons, partial(PatronInvalid, "patrons-not-whole")),
        maximum_stake_cents=MAX_STAKE_CENTS if most is None else read_cents(most),
        seed=seed,
    )
    with progress(terms.rounds * terms.patrons, shown=not as_json) as report:
        summary = summarise(study(terms, report))
    says = terms.plan.says if isinstance(terms.plan, LevelPlan) else "a function of the patron's own"
    asked = {
        "game": game, "bet": bet, "plan": plan, "insurance_policy": insurance, "decks": decks, "cut": cut, "seed": seed,
        "device": device,
        "patrons": terms.patrons, "rounds": terms.rounds, "start_cents": terms.bankroll_cents,
        "unit_cents": terms.unit_cents,
        "most_stake_cents": None if most is None else terms.maximum_stake_cents,
    }  # fmt: skip
    if out is not None:
        _write_page(out, sheet.bets[bet].name, says, asked, summary)
    if as_json:
        write_json(asked | summary)
        return 0
    note_decks(sheet, decks)
    note_device(sheet, Device(device))
    _show(sheet.bets[bet].name, says, asked, summary)
    if out is not None:
        console().print(f"\nThe charts are in {said(out)}")
    return 0


def _rows(asked: dict[str, Any], summary: dict[str, Any]) -> list[tuple[str, str]]:
    result, runs, ruin, insured = (summary[key] for key in ("result_cents", "longest_runs", "ruin", "insurance"))
    q = result["quantiles"]
    rows = [
        ("Result on average", f"{money(round(result['mean']))} (standard deviation {money(round(result['sd']))})"),
        ("The middle patron", money(q["50"])),
        ("Half end between", f"{money(q['25'])} and {money(q['75'])}"),
        ("Nine in ten end between", f"{money(q['5'])} and {money(q['95'])}"),
        ("Worst and best", f"{money(result['least'])} and {money(result['most'])}"),
        ("Ahead, even, behind", f"{summary['ahead']:.2%}, {summary['even']:.2%}, {summary['behind']:.2%}"),
        (
            "Ruined",
            f"{ruin['share']:.2%}" + (f", half of them by round {ruin['median_round']}" if ruin["share"] else ""),
        ),
        ("Longest winning run", f"{runs['won']['mean']:.1f} on average, {runs['won']['most']} at most"),
        ("Longest losing run", f"{runs['lost']['mean']:.1f} on average, {runs['lost']['most']} at most"),
        (
            "The House keeps",
            f"{summary['house_share_of_stakes']:.3%} of {money(summary['staked_cents'])} first staked",
        ),
    ]
    if asked["insurance_policy"] != "never":
        rows.append(
            ("Insurance", f"{money(insured['staked_cents'])} staked, {money(insured['net_cents'])} to the patrons")
        )
    return rows


def _titles(name: str, says: str, asked: dict[str, Any]) -> tuple[str, str]:
    limit = f", at most {money(asked['most_stake_cents'])}" if asked["most_stake_cents"] else ""
    bet = "bets" if asked["patrons"] == 1 else "bet"
    title = f"{counted(asked['patrons'], 'patron')} {bet} on {name} in {asked['game']}"
    rounds, decks = counted(asked["rounds"], "round"), counted(asked["decks"], "deck")
    subtitle = (
        f"{asked['plan']}: {says}. {rounds} each from a bankroll of {money(asked['start_cents'])}, "
        f"unit {money(asked['unit_cents'])}{limit}; insurance {asked['insurance_policy']}; {decks}, "
        f"seed {asked['seed']}"
    )
    return title, subtitle


def _show(name: str, says: str, asked: dict[str, Any], summary: dict[str, Any]) -> None:
    out = console()
    title, subtitle = map(said, _titles(name, says, asked))
    out.print(f"[bold]{title}[/]\n[dim]{subtitle}[/]")
    table = grid("", [("", "left"), ("", "left")])
    table.show_header = False
    for what, value in _rows(asked, summary):
        table.add_row(what, f"[bold]{value}[/]")
    out.print(table)
    _histogram(summary)


def _histogram(summary: dict[str, Any]) -> None:
    """The results as bars."""
    out = console()
    edges, patrons = summary["distribution"]["edges_cents"], summary["distribution"]["patrons"]
    largest, everyone = max(patrons), sum(patrons)
    wide = max([len(money(edge)) for edge in edges])
    most = max(1, min(_BAR, out.width - len(f"{'':{wide}} … {'':{wide}}   100.0%")))
    out.print("[bold]What they went home with[/] [dim](won or lost, share of patrons)[/]")
    for low, high, n in zip(edges, edges[1:], patrons, strict=False):
        eighths = round(8 * most * n / largest)
        bar = "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]
        colour = "green" if low >= 0 else "red"
        out.print(f"{money(low):>{wide}} … {money(high):>{wide}}  [{colour}]{bar}[/] {n / everyone:.1%}")


def _write_page(out: str, name: str, says: str, asked: dict[str, Any], summary: dict[str, Any]) -> None:
    from punto.simulation.chart import page

    title, subtitle = _titles(name, says, asked)
    try:
        Path(out).write_text(page(title, subtitle, _rows(asked, summary), summary), encoding="utf-8")
    except OSError as error:
        raise RefusedError(FileUnwritable(out, detail=error.strerror or "")) from None
