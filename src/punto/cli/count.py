"""`punto count`: the effect of one card on a bet, the best counts, and what they gain in dealt shoes."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from punto.analysis.countability import Countability, CountingResult, Shoes, countability
from punto.analysis.counting import distribution
from punto.analysis.depths import Depths, perfect_play
from punto.analysis.insurance import cells
from punto.analysis.removal import (
    Effects,
    LinearCount,
    best_tags,
    best_whole_tags,
    fit,
    insurance_effects,
    removal_effects,
)
from punto.cli.output import column, console, grid, phrase, said, write_json
from punto.cli.refusals import ThresholdInvalid
from punto.cli.shoes import bet_of, percent, read_tags, shoe_line, signed
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.rules.words import counted


def show_count(
    game: str,
    *,
    bet: str | None,
    tags: Sequence[str] | None,
    threshold: float | None,
    shoes: Shoes,
    as_json: bool,
) -> None:
    """Show the effects of removal and the best counts of one bet or of all, then deal shoes and count them."""
    sheet = load(game)
    if bet in sheet.insurance_bets:
        _show_insurance(sheet, sheet.insurance_bets[bet].hand, shoes.decks, as_json=as_json)
        return
    bets = [bet_of(sheet, bet).id] if bet else list(sheet.bets)
    own = None if tags is None else read_tags(tags, "--tags")
    if threshold is not None and not math.isfinite(threshold):
        raise RefusedError(ThresholdInvalid(str(threshold)))
    full = Composition.full(shoes.decks)
    effects = {each: values for each, values in removal_effects(sheet, full).items() if each in bets}
    counts = {each: _count(effects[each], own) for each in bets}
    used = {each: count.tags for each, count in counts.items() if any(count.tags)}
    dealt = _deal(sheet, shoes, used, threshold)
    found = {each: dealt[each] for each in bets}
    best = {each: best_tags(effects[each]) for each in bets}
    finest = _deal(sheet, shoes, {each: count.tags for each, count in best.items() if any(count.tags)}, None)
    if as_json:
        write_json(
            {
                "game": sheet.id,
                "decks": shoes.decks,
                "cut": shoes.cut,
                "shoes": shoes.number,
                "seed": shoes.seed,
                "rounds": next(iter(found.values())).perfect.rounds,
                "bets": {
                    each: _write(effects[each], counts[each], found[each], best[each], finest[each]) for each in bets
                },
                "insurance": _write_insurance(sheet, full),
            }
        )
        return
    out = console()
    out.print(f"[bold]{said(phrase('title', sheet, title=sheet.title))}[/]\n[dim]{shoe_line(shoes.decks, full)}[/]")
    _show_effects(sheet, effects, counts, own=own is not None)
    _show_best(sheet, best)
    _show_found(sheet, found, finest, shoes)


def show_depths(game: str, *, bet: str | None, cuts: Sequence[int], shoes: Shoes, as_json: bool) -> None:
    """Show how often a perfect player is ahead, and by how much, for each depth of the cut card."""
    sheet = load(game)
    hand = sheet.insurance_bets[bet].hand if bet in sheet.insurance_bets else None
    bets = list(sheet.bets) if bet is None else [] if hand else [bet_of(sheet, bet).id]
    with _progress(shoes) as (progress, task):
        depths = perfect_play(sheet, shoes, cuts, lambda done: progress.update(task, completed=done))
    offers = [each for each in depths.insurance if bet is None or each.offer.hand == hand]
    shown = Depths(depths.cuts, {each: depths.bets[each] for each in bets}, tuple(offers))
    if as_json:
        write_json(_write_depths(sheet, shoes, shown))
    else:
        _show_depths(sheet, shoes, shown)


def _show_insurance(sheet: Sheet, hand: Hand, decks: int, *, as_json: bool) -> None:
    """Effects of removal on each offer on a hand. There is no count, because insurance is bet during a round."""
    rows = [row for row in _write_insurance(sheet, Composition.full(decks)) if row["hand"] == hand]
    if as_json:
        write_json({"game": sheet.id, "decks": decks, "insurance": rows})
        return
    zeros = Rank.TEN.symbol + "-" + Rank.KING.symbol
    ranks = [(rank.symbol, "right") for rank in Rank if rank.points] + [(zeros, "right")]
    columns = [column("window"), column("player", "right"), column("banker", "right"), *ranks]
    title = phrase("title", sheet, title=sheet.title)
    console().print(f"[bold]{said(title)}[/]\n[dim]{shoe_line(decks, Composition.full(decks))}[/]")
    table = grid(f"One card less: what it adds to {hand.title()} insurance, in % of its stake", columns)
    for row in rows:
        effects = [_effect(effect) for effect in row["effects"][: len(ranks)]]
        table.add_row(row["window"], str(row["player"]), str(row["banker"]), *effects)
    console().print(table)


def _effect(effect: float | None) -> str:
    return "" if effect is None else f"{effect * 100:+.2f}"


def _count(effects: Effects, own: tuple[float, ...] | None) -> LinearCount:
    return LinearCount(own, fit(own, effects)) if own else best_whole_tags(effects)


def _deal(
    sheet: Sheet, shoes: Shoes, tags: dict[str, tuple[float, ...]], threshold: float | None
) -> dict[str, Countability]:
    with _progress(shoes) as (progress, task):
        return countability(
            sheet, shoes, tags, threshold=threshold, progress=lambda done: progress.update(task, completed=done)
        )


@contextmanager
def _progress(shoes: Shoes) -> Iterator[tuple[Progress, TaskID]]:
    columns = (TextColumn("dealing shoes"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        yield progress, progress.add_task("", total=shoes.number)


# ------------------------------------------------------------------------------------------- JSON


def _write_depths(sheet: Sheet, shoes: Shoes, depths: Depths) -> dict[str, object]:
    def by_cut(results: Sequence[CountingResult]) -> list[dict[str, object]]:
        pairs = zip(depths.cuts, results, strict=True)
        return [{"cut": cut, "rounds": each.rounds, **_write_play(each)} for cut, each in pairs]

    return {
        "game": sheet.id,
        "decks": shoes.decks,
        "shoes": shoes.number,
        "seed": shoes.seed,
        "bets": {bet: by_cut(results) for bet, results in depths.bets.items()},
        "insurance": [
            {
                "window": each.offer.window.value,
                "hand": each.offer.hand.value,
                "player": each.player,
                "banker": each.banker,
                "cuts": by_cut(each.at),
            }
            for each in depths.insurance
        ],
    }


def _write(
    effects: Effects, count: LinearCount, found: Countability, best: LinearCount, finest: Countability
) -> dict[str, object]:
    return {
        "effects": [float(effect) for effect in effects],
        "effects_exact": [str(effect) for effect in effects],
        "best_tags": list(best.tags),
        "best_counted": _write_counted(finest),
        "tags": list(count.tags),
        "fit": _number(count.fit),
        "perfect": _write_play(found.perfect) | {"highest": found.highest},
        "counted": _write_counted(found),
    }


def _write_counted(found: Countability) -> dict[str, object] | None:
    if found.counted is None:
        return None
    by_tags = found.counted
    return {
        "threshold": by_tags.threshold,
        "correlation": _number(by_tags.correlation),
        **_write_play(by_tags.play),
    }


def _write_play(play: CountingResult) -> dict[str, object]:
    return {
        "bets": play.bets,
        "share": _number(play.share),
        "average": _number(play.average),
        "per_shoe": play.per_shoe,
        "per_shoe_error": play.shoe_error,
    }


def _write_insurance(sheet: Sheet, full: Composition) -> list[dict[str, Any]]:
    if sheet.insurance is None:
        return []
    offers = cells(sheet.insurance, distribution(full))
    return [
        {
            "window": cell.offer.window.value,
            "hand": cell.offer.hand.value,
            "player": cell.player,
            "banker": cell.banker,
            "effects": [_number(effect) for effect in effects],
        }
        for cell, effects in zip(offers, insurance_effects(sheet, full), strict=True)
    ]


def _number(value: Fraction | float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)  # JSON has no nan


# ------------------------------------------------------------------------------------------- text


def _show_effects(sheet: Sheet, effects: dict[str, Effects], counts: dict[str, LinearCount], *, own: bool) -> None:
    columns = _columns(effects, counts)
    ranks = [(name, "right") for name in columns]
    table = grid("One card less: what it adds to the bet's value, in % of the stake", [column("bet"), *ranks])
    tags = grid("Tags" if own else "Best whole tags from -3 to 3", [column("bet"), *ranks, column("fit", "right")])
    for bet, values in effects.items():
        name, count = f"[bold]{said(sheet.bets[bet].name)}[/]", counts[bet]
        table.add_row(name, *[f"{float(values[rank - 1]) * 100:+.3f}" for rank in columns.values()])
        if math.isnan(count.fit):
            tags.add_row(name, *["" for _ in columns], "none: all alike")
        else:
            tags.add_row(
                name,
                *[f"{count.tags[rank - 1]:+g}".replace("+0", "0") for rank in columns.values()],
                f"{count.fit:.4f}",
            )
    console().print(table)
    console().print(tags)


def _columns(effects: dict[str, Effects], counts: dict[str, LinearCount]) -> dict[str, Rank]:
    """A column for each rank; one column for all ranks of 0 points if no bet here distinguishes them."""
    zeros = [rank for rank in Rank if rank.points == 0]
    rows: list[Sequence[object]] = [*effects.values(), *[count.tags for count in counts.values()]]
    if any(len({row[rank - 1] for rank in zeros}) > 1 for row in rows):
        return {rank.symbol: rank for rank in Rank}
    columns = {rank.symbol: rank for rank in Rank if rank.points}
    return {**columns, f"{zeros[0].symbol}-{zeros[-1].symbol}": zeros[0]}


def _show_best(sheet: Sheet, best: dict[str, LinearCount]) -> None:
    """The best tags of any size, scaled so that the largest is 3."""
    table = grid("Best tags of any size", [column("bet"), *[(rank.symbol, "right") for rank in Rank]])
    for bet, count in best.items():
        largest = max(map(abs, count.tags)) or 1
        table.add_row(f"[bold]{said(sheet.bets[bet].name)}[/]", *[f"{3 * tag / largest:+.2f}" for tag in count.tags])
    console().print(table)


def _show_depths(sheet: Sheet, shoes: Shoes, depths: Depths) -> None:
    """One table of bets and one of insurance offers; in each a column for every depth."""
    console().print(f"[bold]{said(phrase('title', sheet, title=sheet.title))}[/]")
    console().print(f"[dim]{shoe_line(shoes.decks, Composition.full(shoes.decks))}[/]")
    cuts = [(counted(cut, "card"), "right") for cut in depths.cuts]
    dealt = f"{counted(shoes.number, 'shoe')} dealt, seed {shoes.seed}"
    bets = grid(f"How often a perfect player is ahead, and by how much: {dealt}", [column("bet"), *cuts])
    for bet, results in depths.bets.items():
        bets.add_row(f"[bold]{said(sheet.bets[bet].name)}[/]", *map(_ahead, results))
    console().print(bets)
    if not depths.insurance:
        return
    points = [column("player", "right"), column("banker", "right")]
    offers = grid("Insurance: of the times that it is on offer", [column("window"), column("hand"), *points, *cuts])
    for each in depths.insurance:
        where = each.offer.window.value, each.offer.hand.title(), str(each.player), str(each.banker)
        offers.add_row(*where, *map(_ahead, each.at))
    console().print(offers)


def _ahead(play: CountingResult) -> str:
    return f"{percent(play.share, 3)}, {signed(play.average)}" if play.bets else "never"


def _show_found(sheet: Sheet, found: dict[str, Countability], finest: dict[str, Countability], shoes: Shoes) -> None:
    rounds = next(iter(found.values())).perfect.rounds
    title = (
        f"{counted(shoes.number, 'shoe')} dealt to {counted(shoes.cut, 'card')}, {counted(rounds, 'round')}, each "
        f"priced exactly (seed {shoes.seed})"
    )
    columns = [column("bet"), column("player"), column("bets-on", "right"), column("average-gain", "right")]
    columns += [column("units-a-shoe", "right"), column("correlation", "right"), column("best-seen", "right")]
    table = grid(title, columns)
    for bet, each in found.items():
        name = f"[bold]{said(sheet.bets[bet].name)}[/]"
        table.add_row(name, "perfect", *_figures(each.perfect), "", signed(each.highest))
        if coarse := each.counted:
            level = f"true count ≥ {coarse.threshold:g}" + ("" if coarse.play.bets else ": not reached")
            table.add_row("", level, *_figures(coarse.play), f"{coarse.correlation:.4f}", "")
        if fine := finest[bet].counted:
            table.add_row("", "best tags of any size", *_figures(fine.play), f"{fine.correlation:.4f}", "")
    console().print(table)
    console().print(
        "[dim]A unit is bet whenever that is favourable (perfect) or the true count allows. True count: the tags of "
        "the cards gone, less what they add on average, for each deck left; where no threshold was given, the best one "
        "on these same shoes. Fit: correlation of tags and effects. Correlation: of true count and exact value.[/]"
    )


def _figures(play: CountingResult) -> tuple[str, str, str]:
    if not play.bets:
        return "never", "", ""
    return percent(play.share, 3), signed(play.average, 3), f"{play.per_shoe:.4f} ± {1.96 * play.shoe_error:.4f}"
