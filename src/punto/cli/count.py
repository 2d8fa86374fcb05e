"""`punto count`: the effect of one card on a bet, the best counts, and what they gain in dealt shoes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from punto.analysis.bet_counts import BetCounts, count_bets, shoes_in
from punto.analysis.countability import Counted, CountingResult, Shoes
from punto.analysis.counting import distribution
from punto.analysis.depths import Depths, perfect_play
from punto.analysis.insurance import cells
from punto.analysis.removal import insurance_effects
from punto.cli.output import column, console, grid, phrase, worded, write_csv, write_json
from punto.cli.refusals import ThresholdInvalid
from punto.cli.shoes import bet_of, percent, read_tags, shoe_line, signed
from punto.library.counting import count_rows
from punto.library.progress import Progress
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import ShoesInvalid


def show_count(
    game: str,
    *,
    bet: str | None,
    tags: Sequence[str] | None,
    threshold: float | None,
    shoes: Shoes,
    as_json: bool,
    csv: str | None,
) -> None:
    """Show the effects of removal and the best counts of one bet or of all, then deal shoes and count them."""
    sheet = load(game)
    if bet in sheet.insurance_bets:
        _show_insurance(sheet, sheet.insurance_bets[bet].hand, shoes.decks, as_json=as_json)
        return
    bets = [bet_of(sheet, bet).id] if bet else list(sheet.bets)
    own = None if tags is None else read_tags(tags, "--tags")
    if threshold is not None and not math.isfinite(threshold):
        raise Refused(ThresholdInvalid(str(threshold)))
    with Progress(shoes_in(shoes), phrase("shoes-noun"), shown=False if as_json else None) as progress:
        found = count_bets(sheet, bets, shoes, tags=own, threshold=threshold, progress=progress.update)
    full = Composition.full(shoes.decks)
    if csv is not None:
        write_csv(csv, count_rows(found))
    if as_json:
        write_json(
            {
                "game": sheet.id,
                "decks": shoes.decks,
                "cut": shoes.cut,
                "burn": shoes.burn,
                "one_more": shoes.one_more,
                "shoes": shoes.number,
                "shoes_to_choose": shoes.choosing,
                "seed": shoes.seed,
                "rounds": next(iter(found.values())).perfect.rounds,
                "bets": {each: _write(counts) for each, counts in found.items()},
                "insurance": _write_insurance(sheet, full),
            }
        )
    if as_json or csv is not None:
        return
    _title(sheet, shoes)
    _show_effects(sheet, found, own=own is not None)
    _show_best(sheet, found)
    _show_found(sheet, found, shoes)


def show_depths(game: str, *, bet: str | None, cuts: Sequence[int], shoes: Shoes, as_json: bool) -> None:
    """Show how often a perfect player is ahead, and by how much, for each depth of the cut card."""
    if shoes.one_more:
        raise Refused(ShoesInvalid("one-more-and-cuts", "--one-more"))
    sheet = load(game)
    hand = sheet.insurance_bets[bet].hand if bet in sheet.insurance_bets else None
    bets = list(sheet.bets) if bet is None else [] if hand else [bet_of(sheet, bet).id]
    with Progress(shoes.number, phrase("shoes-noun"), shown=False if as_json else None) as progress:
        depths = perfect_play(sheet, shoes, cuts, progress.update)
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
    _title(sheet, Shoes(decks))
    table = grid(phrase("count-insurance-effects", hand=hand), columns)
    for row in rows:
        effects = ["" if effect is None else f"{effect * 100:+.2f}" for effect in row["effects"][: len(ranks)]]
        table.add_row(row["window"], str(row["player"]), str(row["banker"]), *effects)
    console().print(table)


def _title(sheet: Sheet, shoes: Shoes) -> None:
    line = shoe_line(shoes.decks, Composition.full(shoes.decks))
    console().print(f"[bold]{worded(sheet, sheet.title)}[/]\n[dim]{line}[/]")


# ------------------------------------------------------------------------------------------- JSON


def _write_depths(sheet: Sheet, shoes: Shoes, depths: Depths) -> dict[str, object]:
    def by_cut(results: Sequence[CountingResult]) -> list[dict[str, object]]:
        pairs = zip(depths.cuts, results, strict=True)
        return [{"cut": cut, "rounds": each.rounds, **_write_play(each)} for cut, each in pairs]

    return {
        "game": sheet.id,
        "decks": shoes.decks,
        "burn": shoes.burn,
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


def _write(counts: BetCounts) -> dict[str, object]:
    return {
        "effects": [float(effect) for effect in counts.effects],
        "effects_exact": [str(effect) for effect in counts.effects],
        "best_tags": list(counts.best.tags),
        "best_counted": _write_counted(counts.best_counted),
        "tags": list(counts.tags.tags),
        "fit": _number(counts.tags.fit),
        "perfect": _write_play(counts.perfect) | {"highest": counts.highest},
        "counted": _write_counted(counts.counted),
    }


def _write_counted(counted: Counted | None) -> dict[str, object] | None:
    if counted is None:
        return None
    return {
        "threshold": counted.threshold,
        "correlation": _number(counted.correlation),
        "correlation_error": _number(counted.correlation_error),
        **_write_play(counted.play),
    }


def _write_play(play: CountingResult) -> dict[str, object]:
    figures = ("share", "average", "per_shoe", "per_100")
    names = [name for figure in figures for name in (figure, f"{figure}_error")]
    return {"bets": play.bets} | {name: _number(getattr(play, name)) for name in names}


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


def _bet(sheet: Sheet, bet: str) -> str:
    return f"[bold]{worded(sheet, sheet.bets[bet].name)}[/]"


def _show_effects(sheet: Sheet, found: dict[str, BetCounts], *, own: bool) -> None:
    columns = _columns(found)
    ranks = [(name, "right") for name in columns]
    table = grid(phrase("count-effects"), [column("bet"), *ranks])
    title = phrase("count-own-tags" if own else "count-whole-tags")
    tags = grid(title, [column("bet"), *ranks, column("fit", "right")])
    for bet, counts in found.items():
        table.add_row(_bet(sheet, bet), *[f"{float(counts.effects[rank - 1]) * 100:+.3f}" for rank in columns.values()])
        shown = [f"{counts.tags.tags[rank - 1]:+g}".replace("+0", "0") for rank in columns.values()]
        if math.isnan(counts.tags.fit):
            tags.add_row(_bet(sheet, bet), *["" for _ in columns], phrase("count-no-tags"))
        else:
            tags.add_row(_bet(sheet, bet), *shown, f"{counts.tags.fit:.4f}")
    console().print(table)
    console().print(tags)


def _columns(found: dict[str, BetCounts]) -> dict[str, Rank]:
    """A column for each rank; one column for all ranks of 0 points if no bet here distinguishes them."""
    zeros = [rank for rank in Rank if rank.points == 0]
    rows: list[Sequence[object]] = [row for each in found.values() for row in (each.effects, each.tags.tags)]
    if any(len({row[rank - 1] for rank in zeros}) > 1 for row in rows):
        return {rank.symbol: rank for rank in Rank}
    columns = {rank.symbol: rank for rank in Rank if rank.points}
    return {**columns, f"{zeros[0].symbol}-{zeros[-1].symbol}": zeros[0]}


def _show_best(sheet: Sheet, found: dict[str, BetCounts]) -> None:
    """The best tags of any size, scaled so that the largest is 3."""
    table = grid(phrase("count-best-tags"), [column("bet"), *[(rank.symbol, "right") for rank in Rank]])
    for bet, counts in found.items():
        table.add_row(_bet(sheet, bet), *[f"{tag:+.2f}" for tag in counts.best.tags])
    console().print(table)


def _show_depths(sheet: Sheet, shoes: Shoes, depths: Depths) -> None:
    """One table of bets and one of insurance offers; in each a column for every depth."""
    _title(sheet, shoes)
    cuts = [(phrase("count-cut", cards=cut), "right") for cut in depths.cuts]
    bets = grid(phrase("count-ahead", shoes=shoes.number, seed=shoes.seed), [column("bet"), *cuts])
    for bet, results in depths.bets.items():
        bets.add_row(_bet(sheet, bet), *map(_ahead, results))
    console().print(bets)
    if not depths.insurance:
        return
    points = [column("player", "right"), column("banker", "right")]
    offers = grid(phrase("count-insurance-ahead"), [column("window"), column("hand"), *points, *cuts])
    for each in depths.insurance:
        hand = phrase("hand", hand=each.offer.hand)
        offers.add_row(each.offer.window, hand, str(each.player), str(each.banker), *map(_ahead, each.at))
    console().print(offers)


def _ahead(play: CountingResult) -> str:
    return f"{percent(play.share, 3)}, {signed(play.average)}" if play.bets else phrase("never")


def _show_found(sheet: Sheet, found: dict[str, BetCounts], shoes: Shoes) -> None:
    rounds = next(iter(found.values())).perfect.rounds
    title = phrase("count-dealt", shoes=shoes.number, cards=shoes.cut, rounds=rounds, seed=shoes.seed)
    columns = [column("bet"), column("player"), column("bets-on", "right"), column("average-gain", "right")]
    columns += [column("units-a-shoe", "right"), column("units-in-100", "right"), column("correlation", "right")]
    table = grid(title, [*columns, column("best-seen", "right")])
    for bet, counts in found.items():
        perfect = _figures(counts.perfect)
        table.add_row(_bet(sheet, bet), phrase("count-perfect"), *perfect, "", signed(counts.highest))
        if own := counts.counted:
            key = "count-from" if own.play.bets else "count-not-reached"
            table.add_row("", phrase(key, level=f"{own.threshold:g}"), *_figures(own.play), _correlation(own), "")
        if best := counts.best_counted:
            level = phrase("count-best-from", level=f"{best.threshold:g}")
            table.add_row("", level, *_figures(best.play), _correlation(best), "")
    console().print(table)
    console().print(f"[dim]{phrase('count-note', shoes=shoes.choosing)}[/]")


def _correlation(counted: Counted) -> str:
    return f"{counted.correlation:.4f}" + ("" if math.isnan(counted.correlation_error) else
        f" ± {counted.correlation_error:.4f}")  # fmt: skip


def _figures(play: CountingResult) -> tuple[str, ...]:
    if not play.bets:
        return phrase("never"), "", "", ""
    return (
        f"{play.share * 100:.3f} ± {play.share_error * 100:.3f}",
        f"[green]{play.average * 100:+.3f}[/] ± {play.average_error * 100:.3f}",
        f"{play.per_shoe:.4f} ± {play.per_shoe_error:.4f}",
        f"{play.per_100:.4f} ± {play.per_100_error:.4f}",
    )
