"""`punto count`: the effect of one card on a bet, the best counts, and what they gain in dealt shoes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from punto.analysis.bet_counts import BetCounts
from punto.analysis.countability import Counted, CountingResult, Shoes
from punto.analysis.counting import distribution
from punto.analysis.depths import Depths, perfect_play
from punto.analysis.insurance import cells
from punto.analysis.removal import insurance_effects
from punto.cli.commands.figures import Count
from punto.cli.output import columns, console, grid, phrase, worded, write
from punto.cli.shoes import percent, progress, read_numbers, shoe_line, signed
from punto.library.counting import count_rows, game_count, play_row
from punto.library.inputs import read_whole
from punto.rules.cards import Rank
from punto.rules.composition import Composition, read_burn
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.refusals import BetNotOffered, Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import ShoesInvalid
from punto.rules.tabular import Row


def run(ask: Count) -> None:
    """Show the effects of removal and the best counts of one bet or of all, then deal shoes and count them."""
    sheet, number = load(ask.game), read_whole(ask.shoes, partial(ShoesInvalid, "shoes-not-whole"))
    insured = sheet.insurance_bets[ask.bet].hand if ask.bet in sheet.insurance_bets else None
    if not insured and ask.bet not in {None, *sheet.bets}:
        raise Refused(BetNotOffered(str(ask.bet), tuple(sheet.bets)), sheet)
    if ask.cuts:
        _count_depths(ask, sheet, insured, number)
    elif insured:
        _count_insurance(ask, sheet, insured)
    else:
        _count_bets(ask, sheet, number)


def _count_bets(ask: Count, sheet: Sheet, number: int) -> None:
    tags = None if ask.tags is None else read_numbers(ask.tags, float, "--tags", "tag-not-number")
    shoes = Shoes(ask.decks, ask.cut, number, ask.seed, read_burn(ask.burn), ask.one_more)
    found = game_count(sheet, ask.bet, tags, ask.threshold, shoes, False if ask.as_json else None).counts

    def show() -> None:
        _title(sheet, shoes)
        _show_tags(sheet, found, own=tags is not None)
        _show_found(sheet, found, shoes)

    write(
        ask,
        data=lambda: (
            _about(ask, number)
            | {
                "one_more": ask.one_more,
                "shoes_to_choose": shoes.choosing,
                "effects": {bet: [float(effect) for effect in each.effects] for bet, each in found.items()},
                "effects_exact": {bet: [str(effect) for effect in each.effects] for bet, each in found.items()},
                "highest": {bet: each.highest for bet, each in found.items()},
                "plays": _numbers(count_rows(found)),
                "insurance": _insurance_rows(sheet, ask.decks),
            }
        ),
        text=show,
        rows=lambda: count_rows(found),
    )


def _count_depths(ask: Count, sheet: Sheet, insured: Hand | None, number: int) -> None:
    """Show how often a perfect player is ahead, and by how much, for each depth of the cut card."""
    if ask.one_more:
        raise Refused(ShoesInvalid("one-more-and-cuts", "--one-more"))
    shoes = Shoes(ask.decks, ask.cut, number, ask.seed, read_burn(ask.burn))
    with progress(ask, number, "shoes-noun") as line:
        found = perfect_play(sheet, shoes, ask.cuts or (), line.update)
    bets = {bet: plays for bet, plays in found.bets.items() if bet == ask.bet or ask.bet is None}
    offers = [each for each in found.insurance if ask.bet is None or each.offer.hand == insured]
    depths = Depths(found.cuts, bets, tuple(offers))
    rows = _numbers(_depth_rows(depths))
    write(
        ask,
        data=lambda: _about(ask, number) | {"plays": rows},
        text=lambda: _show_depths(sheet, shoes, depths),
        rows=lambda: rows,
    )


def _count_insurance(ask: Count, sheet: Sheet, hand: Hand) -> None:
    """Effects of removal on each offer on a hand. There is no count, because insurance is bet during a round."""
    rows = [row for row in _insurance_rows(sheet, ask.decks) if row["hand"] == hand]

    def show() -> None:
        zeros = Rank.TEN.symbol + "-" + Rank.KING.symbol
        ranks = [(rank.symbol, "right") for rank in Rank if rank.points] + [(zeros, "right")]
        _title(sheet, Shoes(ask.decks))
        table = grid(phrase("count-insurance-effects", hand=hand), [*columns("window player> banker>"), *ranks])
        for row in rows:
            effects = ["" if effect is None else f"{effect * 100:+.2f}" for effect in row["effects"][: len(ranks)]]
            table.add_row(phrase("window", window=row["window"]), str(row["player"]), str(row["banker"]), *effects)
        console().print(table)

    data = {"game": sheet.id, "decks": ask.decks, "insurance": rows}
    write(ask, data=lambda: data, text=show, rows=lambda: rows)


def _title(sheet: Sheet, shoes: Shoes) -> None:
    line = shoe_line(shoes.decks, Composition.full(shoes.decks))
    console().print(f"[bold]{worded(sheet, sheet.title)}[/]\n[dim]{line}[/]")


# ------------------------------------------------------------------------------------------- JSON and CSV


def _about(ask: Count, number: int) -> dict[str, Any]:
    return {
        "game": ask.game, "decks": ask.decks, "cut": ask.cut, "burn": ask.burn, "shoes": number, "seed": ask.seed,
    }  # fmt: skip


def _depth_rows(depths: Depths) -> Iterator[Row]:
    """A row for each bet or offer and each depth."""
    for bet, plays in depths.bets.items():
        for cut, play in zip(depths.cuts, plays, strict=True):
            yield {"bet": bet, "cut": cut} | play_row(play)
    for each in depths.insurance:
        points = {"player": each.player, "banker": each.banker}
        for cut, play in zip(depths.cuts, each.at, strict=True):
            offer = {"window": each.offer.window.value, "hand": each.offer.hand.value} | points
            yield {"bet": None, "cut": cut, **play_row(play), **offer}


def _insurance_rows(sheet: Sheet, decks: int) -> list[Row]:
    """The effects of removal on each insurance offer."""
    full = Composition.full(decks)
    offers = cells(sheet.insurance, distribution(full)) if sheet.insurance else []
    rows: list[Row] = [
        {
            "window": cell.offer.window.value,
            "hand": cell.offer.hand.value,
            "player": cell.player,
            "banker": cell.banker,
            "effects": [None if effect is None else float(effect) for effect in effects],
        }
        for cell, effects in zip(offers, insurance_effects(sheet, full) if offers else (), strict=True)
    ]
    return rows


def _numbers(rows: Iterable[Row]) -> list[Row]:
    """The rows with None for nan, which JSON does not have."""
    return [{key: None if value != value else value for key, value in row.items()} for row in rows]


# ------------------------------------------------------------------------------------------- text


def _bet(sheet: Sheet, bet: str) -> str:
    return f"[bold]{worded(sheet, sheet.bets[bet].name)}[/]"


def _show_tags(sheet: Sheet, found: dict[str, BetCounts], *, own: bool) -> None:
    """The effects of removal, the tags, and the best ones of any size, scaled so that the largest is 3."""
    by_rank = _columns(found)
    headings = [*columns("bet"), *[(name, "right") for name in by_rank]]
    effects, best = grid(phrase("count-effects"), headings), grid(phrase("count-best-tags"), headings)
    tags = grid(phrase("count-own-tags" if own else "count-whole-tags"), [*headings, *columns("fit>")])
    for bet, counts in found.items():
        name, ranks = _bet(sheet, bet), [rank - 1 for rank in by_rank.values()]
        effects.add_row(name, *[f"{float(counts.effects[rank]) * 100:+.3f}" for rank in ranks])
        best.add_row(name, *[f"{counts.best.tags[rank]:+.2f}" for rank in ranks])
        if math.isnan(counts.tags.fit):
            tags.add_row(name, *[""] * len(ranks), phrase("count-no-tags"))
        else:
            shown = [f"{counts.tags.tags[rank]:+g}".replace("+0", "0") for rank in ranks]
            tags.add_row(name, *shown, f"{counts.tags.fit:.4f}")
    for table in (effects, tags, best):
        console().print(table)


def _columns(found: dict[str, BetCounts]) -> dict[str, Rank]:
    """A column for each rank; one column for all ranks of 0 points if no bet here distinguishes them."""
    zeros = [rank for rank in Rank if rank.points == 0]
    rows: list[Sequence[object]] = [row for each in found.values() for row in (each.effects, each.tags.tags)]
    if any(len({row[rank - 1] for rank in zeros}) > 1 for row in rows):
        return {rank.symbol: rank for rank in Rank}
    columns = {rank.symbol: rank for rank in Rank if rank.points}
    return {**columns, f"{zeros[0].symbol}-{zeros[-1].symbol}": zeros[0]}


def _show_depths(sheet: Sheet, shoes: Shoes, depths: Depths) -> None:
    """One table of bets and one of insurance offers; in each a column for every depth."""
    _title(sheet, shoes)
    cuts = [(phrase("count-cut", cards=cut), "right") for cut in depths.cuts]
    bets = grid(phrase("count-ahead", shoes=shoes.number, seed=shoes.seed), [*columns("bet"), *cuts])
    for bet, results in depths.bets.items():
        bets.add_row(_bet(sheet, bet), *map(_ahead, results))
    console().print(bets)
    if not depths.insurance:
        return
    offers = grid(phrase("count-insurance-ahead"), [*columns("window hand player> banker>"), *cuts])
    for each in depths.insurance:
        window, hand = phrase("window", window=each.offer.window), phrase("hand", hand=each.offer.hand)
        offers.add_row(window, hand, str(each.player), str(each.banker), *map(_ahead, each.at))
    console().print(offers)


def _ahead(play: CountingResult) -> str:
    return f"{percent(play.share, 3)}, {signed(play.average)}" if play.bets else phrase("never")


def _show_found(sheet: Sheet, found: dict[str, BetCounts], shoes: Shoes) -> None:
    rounds = next(iter(found.values())).perfect.rounds
    title = phrase("count-dealt", shoes=shoes.number, cards=shoes.cut, rounds=rounds, seed=shoes.seed)
    headings = "bet player bets-on> average-gain> units-a-shoe> units-in-100> correlation> best-seen>"
    table = grid(title, columns(headings))
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
