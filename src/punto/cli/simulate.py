"""`punto simulate`: deal and count shoes, and show every bet's estimate next to its exact figure."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from rich.console import Console

from punto.cli.commands.figures import Patron, Simulate
from punto.cli.output import columns, console, grid, phrase, said, sentence, worded, write
from punto.cli.refusals import Interrupted
from punto.cli.shoes import check_device, note_decks, note_device, progress
from punto.library.inputs import read_whole
from punto.library.simulations import SimulationResult
from punto.rules.composition import Burn, read_burn
from punto.rules.defaults import DEFAULT_CUT
from punto.rules.loader import load
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import RoundsInvalid
from punto.simulation.backends import Resources
from punto.simulation.counts import MAX_ROUNDS
from punto.simulation.estimates import first_rounds, results
from punto.simulation.refusals import SplitsInvalid
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import simulate

INTERRUPTED = 130
NO_BURN = "0"


def run(ask: Simulate) -> int:
    """Deal, count and show. Returns 130 after an interruption, else 0."""
    sheets = {sheet.id: sheet for sheet in map(load, ask.games)}
    shoe, splits, target = shoe_of(ask), _read_splits(ask.first), read_whole(ask.rounds, RoundsInvalid)
    # A named cluster implies dask.
    backend = "dask" if ask.cluster is not None and ask.backend == "numba" else ask.backend
    resources = Resources(ask.threads, ask.cluster)
    with progress(ask, target, "rounds-noun") as line:
        simulation = simulate(
            shoe, target, ask.seed, backend=backend, splits=splits, resources=resources, report=line.update
        )
    if not simulation.counts.rounds:
        nothing = Interrupted()
        sys.stderr.write(f"punto: {sentence(nothing)} [{nothing.code}]\n")
        return INTERRUPTED
    dealt = SimulationResult(simulation, tuple(sheets.values()))
    write(
        ask,
        data=lambda: _data(dealt, splits, ask),
        text=lambda: _show(dealt, splits, ask),
        rows=dealt.to_dicts,
    )
    return INTERRUPTED if simulation.interrupted else 0


def shoe_of(ask: Simulate | Patron) -> SimulatedShoe:
    """The shoe to deal, or the full set of a shuffler."""
    given = {"cut": None if ask.cut == DEFAULT_CUT else ask.cut, "burn": None if ask.burn == NO_BURN else ask.burn}
    check_device(ask.device, **given)
    if ask.device == "shuffler":
        return SimulatedShoe.of_shuffler(ask.decks)
    return SimulatedShoe.of_decks(ask.decks, ask.cut, read_burn(ask.burn))


def _read_splits(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise Refused(SplitsInvalid(quoted(text)))
    splits = tuple(sorted({int(part[:9]) for part in parts}))
    if splits and splits[-1] > MAX_ROUNDS:
        raise Refused(SplitsInvalid(quoted(text), MAX_ROUNDS))
    return splits


def _data(dealt: SimulationResult, splits: tuple[int, ...], ask: Simulate) -> dict[str, Any]:
    simulation = dealt.dealt
    counts, shoe = simulation.counts, simulation.shoe

    def first(split: int) -> dict[str, Any]:
        counted = counts.first(split)
        edges = {
            sheet.id: {
                bet.id: dict(zip(("edge", "stderr"), first_rounds(bet, simulation, split), strict=True))
                for bet in sheet.bets.values()
            }
            for sheet in dealt.sheets
        }
        return {"rounds": int(counted.sum()), "results": results(counted), "games": edges}

    return {
        "rounds": counts.rounds,
        "shoes": counts.shoes,
        "seconds": simulation.seconds,
        "rounds_per_second": simulation.rounds_per_second,
        "backend": simulation.backend,
        "interrupted": simulation.interrupted,
        "seed": simulation.seed,
        "decks": ask.decks,
        "cut": shoe.cut,
        "burn": shoe.burn,
        "device": ask.device,
        "results": dealt.winners,
        "rounds_per_shoe": counts.rounds_per_shoe,
        "compared": {"rounds_of_each_shoe": shoe.sure_rounds, "rounds": int(counts.first(shoe.sure_rounds).sum())},
        "games": {game: {bet: asdict(each) for bet, each in bets.items()} for game, bets in dealt.estimates.items()},
        "first": {split: first(split) for split in splits},
    }


def _show(dealt: SimulationResult, splits: tuple[int, ...], ask: Simulate) -> None:
    out, simulation = console(), dealt.dealt
    counts, shoe = simulation.counts, simulation.shoe
    burn = {0: "simulated-no-burn", Burn.CARD: "simulated-burn-card"}.get(shoe.burn, "simulated-burn")
    key = "simulated-shuffler" if ask.device == "shuffler" else "simulated-shoe"
    how = phrase(key, decks=ask.decks, cut=shoe.cut, burning=phrase(burn, cards=shoe.burn))
    begin = f"[yellow]{phrase('simulated-so-far')}[/] " if simulation.interrupted else ""
    says = phrase(
        "simulated", rounds=counts.rounds, shoes=counts.shoes, dealt=how, seconds=f"{simulation.seconds:,.2f}",
        speed=f"{simulation.rounds_per_second:,.0f}", backend=simulation.backend, seed=simulation.seed,
    )  # fmt: skip
    out.print(begin + says)
    won = dealt.winners.items()
    out.print(", ".join([f"{phrase('hand-or-tie', winner=who)} {n:,} ({n / counts.rounds:.4%})" for who, n in won]))
    lengths, mean = counts.rounds_per_shoe, f"{counts.rounds / counts.shoes:.2f}"
    out.print(phrase("simulated-lengths", mean=mean, least=min(lengths), most=max(lengths)) + "\n")
    for sheet in dealt.sheets:
        note_decks(sheet, ask.decks)
        note_device(sheet, ask.device)
        _show_game(out, sheet, dealt, splits)
    out.print(f"[dim]{phrase('simulated-note', rounds=shoe.sure_rounds)}[/]")


def _show_game(out: Console, sheet: Sheet, dealt: SimulationResult, splits: tuple[int, ...]) -> None:
    headings = columns("bet edge> - exact> sigmas> cut-card> -")
    headings[2], headings[6] = ("± %", "right"), ("± % ", "right")
    headings += [(phrase("simulated-first", rounds=split), "right") for split in splits]
    table = grid(f"{worded(sheet, sheet.title)} ({said(sheet.id)})", headings)
    for bet in sheet.bets.values():
        e = dealt.estimates[sheet.id][bet.id]
        far = f"[red]{e.sigma:+.2f}[/]" if abs(e.sigma) > 4 else f"{e.sigma:+.2f}"
        early = [f"{100 * first_rounds(bet, dealt.dealt, split)[0]:.4f}" for split in splits]
        table.add_row(
            f"[bold]{worded(sheet, bet.name)}[/]",
            f"{100 * e.edge:.4f}", f"{100 * e.stderr:.4f}", f"{100 * e.exact:.4f}", far,
            f"{100 * e.cut_card_effect:+.4f}", f"{100 * e.cut_card_stderr:.4f}", *early,
        )  # fmt: skip
    out.print(table)
