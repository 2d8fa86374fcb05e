"""`punto simulate`: deal and count shoes, and show every bet's estimate next to its exact figure."""

from __future__ import annotations

import sys
from dataclasses import asdict

from rich.console import Console

from punto.cli.numbers import read_whole
from punto.cli.output import column, console, grid, phrase, said, sentence, worded, write_csv, write_json
from punto.cli.refusals import GameMissing, Interrupted, ThreadsInvalid
from punto.cli.shoes import read_device
from punto.library.progress import Progress
from punto.library.simulations import SimulationResult
from punto.rules.composition import Burn, read_burn
from punto.rules.defaults import DEFAULT_CUT
from punto.rules.loader import load
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused
from punto.rules.sheet import Device, Sheet
from punto.rules.shoe_refusals import RoundsInvalid
from punto.simulation.backends import Resources
from punto.simulation.counts import MAX_ROUNDS
from punto.simulation.estimates import estimate, first_rounds, results
from punto.simulation.refusals import SplitsInvalid
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import Simulation, simulate

INTERRUPTED = 130
MAX_THREADS = 256
NO_BURN = "0"


def simulate_games(
    games: tuple[str, ...],
    *,
    rounds: str,
    decks: int,
    cut: int,
    burn: str,
    device: str,
    seed: int,
    first: str,
    backend: str,
    threads: int | None,
    cluster: str | None,
    csv: str | None,
    as_json: bool,
) -> int:
    """Deal, count and show. Returns 130 after an interruption, else 0."""
    sheets = sheets_for(games)
    shoe = shoe_of(device, decks, cut, burn)
    splits = _read_splits(first)
    target = read_whole(rounds, RoundsInvalid)
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise Refused(ThreadsInvalid(threads, MAX_THREADS))
    if cluster is not None and backend == "numba":
        backend = "dask"  # a named cluster implies dask
    resources = Resources(threads, cluster)
    with Progress(target, phrase("rounds-noun"), shown=False if as_json else None) as line:
        simulation = simulate(
            shoe, target, seed, backend=backend, splits=splits, resources=resources, report=line.update
        )
    if not simulation.counts.rounds:
        nothing = Interrupted()
        sys.stderr.write(f"punto: {sentence(nothing)} [{nothing.code}]\n")
        return INTERRUPTED
    if csv is not None:
        write_csv(csv, SimulationResult(simulation, tuple(sheets.values())).to_dicts())
    if as_json:
        write_json(_as_json(simulation, sheets, splits, decks) | {"device": device})
    elif csv is None:
        _show(simulation, sheets, splits, decks, Device(device))
    return INTERRUPTED if simulation.interrupted else 0


def sheets_for(games: tuple[str, ...]) -> dict[str, Sheet]:
    """The sheets by the given names."""
    if not games:
        raise Refused(GameMissing())
    return {game: load(game) for game in games}


def shoe_of(device: str, decks: int, cut: int, burn: str) -> SimulatedShoe:
    """The shoe to deal, or the full set of a shuffler."""
    given = {"cut": None if cut == DEFAULT_CUT else cut, "burn": None if burn == NO_BURN else burn}
    if read_device(device, **given) is Device.SHUFFLER:
        return SimulatedShoe.of_shuffler(decks)
    return SimulatedShoe.of_decks(decks, cut, read_burn(burn))


def note_device(sheet: Sheet, device: Device) -> None:
    """Note it if the sheet does not know this device. The figures are valid all the same."""
    if device not in sheet.play.devices:
        console().print(f"[yellow]{said(phrase('no-shuffler', sheet, title=sheet.title))}[/]")


def note_decks(sheet: Sheet, decks: int) -> None:
    """Note it if the sheet does not allow this number of decks. The figures are valid all the same."""
    if decks not in sheet.decks:
        least, most = sheet.decks.minimum, sheet.decks.maximum
        console().print(f"[yellow]{phrase('decks-of-sheet', least=least, most=most, rule=sheet.decks.rule)}[/]")


def _read_splits(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdecimal() for part in parts):
        raise Refused(SplitsInvalid(quoted(text)))
    splits = tuple(sorted({int(part[:9]) for part in parts}))
    if splits and splits[-1] > MAX_ROUNDS:
        raise Refused(SplitsInvalid(quoted(text), MAX_ROUNDS))
    return splits


def _short(number: float) -> str:
    for size, unit in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if number >= size:
            return f"{number / size:,.2f}{unit}"
    return f"{number:,.0f}"


def _as_json(
    simulation: Simulation, sheets: dict[str, Sheet], splits: tuple[int, ...], decks: int
) -> dict[str, object]:
    counts, shoe = simulation.counts, simulation.shoe
    return {
        "rounds": counts.rounds,
        "shoes": counts.shoes,
        "seconds": simulation.seconds,
        "rounds_per_second": simulation.rounds_per_second,
        "backend": simulation.backend,
        "interrupted": simulation.interrupted,
        "seed": simulation.seed,
        "decks": decks,
        "cut": shoe.cut,
        "burn": shoe.burn,
        "results": results(counts.histogram),
        "rounds_per_shoe": counts.rounds_per_shoe,
        "compared": {"rounds_of_each_shoe": shoe.sure_rounds, "rounds": int(counts.first(shoe.sure_rounds).sum())},
        "games": {
            game: {bet.id: asdict(estimate(bet, simulation)) for bet in sheet.bets.values()}
            for game, sheet in sheets.items()
        },
        "first": {
            split: {
                "rounds": int(counts.first(split).sum()),
                "results": results(counts.first(split)),
                "games": {
                    game: {
                        bet.id: dict(zip(("edge", "stderr"), first_rounds(bet, simulation, split), strict=True))
                        for bet in sheet.bets.values()
                    }
                    for game, sheet in sheets.items()
                },
            }
            for split in splits
        },
    }


def _show(
    simulation: Simulation, sheets: dict[str, Sheet], splits: tuple[int, ...], decks: int, device: Device
) -> None:
    out = console()
    counts, shoe = simulation.counts, simulation.shoe
    burn = {0: "simulated-no-burn", Burn.CARD: "simulated-burn-card"}.get(shoe.burn, "simulated-burn")
    key = "simulated-shuffler" if device is Device.SHUFFLER else "simulated-shoe"
    dealt = phrase(key, decks=decks, cut=shoe.cut, burning=phrase(burn, cards=shoe.burn))
    begin = f"[yellow]{phrase('simulated-so-far')}[/] " if simulation.interrupted else ""
    says = phrase(
        "simulated", rounds=counts.rounds, shoes=counts.shoes, dealt=dealt, seconds=f"{simulation.seconds:,.2f}",
        speed=_short(simulation.rounds_per_second), backend=simulation.backend, seed=simulation.seed,
    )  # fmt: skip
    out.print(begin + says)
    won = results(counts.histogram).items()
    out.print(", ".join([f"{phrase('hand-or-tie', winner=who)} {n:,} ({n / counts.rounds:.4%})" for who, n in won]))
    lengths, mean = counts.rounds_per_shoe, f"{counts.rounds / counts.shoes:.2f}"
    out.print(phrase("simulated-lengths", mean=mean, least=min(lengths), most=max(lengths)) + "\n")
    for game, sheet in sheets.items():
        note_decks(sheet, decks)
        note_device(sheet, device)
        _show_game(out, game, sheet, simulation, splits)
    out.print(f"[dim]{phrase('simulated-note', rounds=shoe.sure_rounds)}[/]")


def _show_game(out: Console, game: str, sheet: Sheet, simulation: Simulation, splits: tuple[int, ...]) -> None:
    firsts = [(phrase("simulated-first", rounds=split), "right") for split in splits]
    columns = [
        column("bet"),
        column("edge", "right"),
        ("± %", "right"),
        column("exact", "right"),
        column("sigmas", "right"),
    ]
    columns += [
        column("cut-card", "right"),
        ("± % ", "right"),
        *firsts,
    ]
    table = grid(f"{worded(sheet, sheet.title)} ({said(game)})", columns)
    for bet in sheet.bets.values():
        e = estimate(bet, simulation)
        far = f"[red]{e.sigma:+.2f}[/]" if abs(e.sigma) > 4 else f"{e.sigma:+.2f}"
        early = [f"{100 * first_rounds(bet, simulation, split)[0]:.4f}" for split in splits]
        table.add_row(
            f"[bold]{worded(sheet, bet.name)}[/]",
            f"{100 * e.edge:.4f}", f"{100 * e.stderr:.4f}", f"{100 * e.exact:.4f}", far,
            f"{100 * e.cut_card_effect:+.4f}", f"{100 * e.cut_card_stderr:.4f}", *early,
        )  # fmt: skip
    out.print(table)
