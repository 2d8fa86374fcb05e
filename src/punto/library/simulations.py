"""Billions of dealt rounds, and every bet's estimate next to its exact figure. Dealing needs the extra `simulation`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from punto.extras import naming_extras
from punto.library.by_name import ByName
from punto.library.game import AnyGame, game
from punto.library.inputs import given_burn, read, read_whole
from punto.library.progress import Progress
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS
from punto.rules.html import RED, coloured, table_html
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import RoundsInvalid
from punto.rules.tabular import Row
from punto.rules.words import counted

if TYPE_CHECKING:
    from punto.simulation.estimates import Estimate
    from punto.simulation.simulate import Simulation

MANY_SIGMAS = 4
"""An estimate this far from the exact figure is shown in red."""


@dataclass(frozen=True, repr=False, eq=False)
class SimulationResult(ByName[Mapping[str, "Estimate"]]):
    """The estimates of each game's bets, by the ids of game and bet. `dealt` has the counts themselves."""

    _values = "estimates"
    dealt: Simulation
    sheets: tuple[Sheet, ...]

    @property
    def rounds(self) -> int:
        """The number of rounds dealt."""
        return self.dealt.counts.rounds

    @property
    def winners(self) -> dict[str, int]:
        """The number of rounds by winner."""
        from punto.simulation.estimates import results

        return results(self.dealt.counts.histogram)

    @cached_property
    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """The estimate of each bet, by game and bet."""
        from punto.simulation.estimates import estimate

        return {sheet.id: {bet.id: estimate(bet, self.dealt) for bet in sheet.bets.values()} for sheet in self.sheets}

    def to_dicts(self) -> list[Row]:
        """A row for each bet of each game."""
        return [
            {"game": sheet.id, "bet": bet, **asdict(each)}
            for sheet in self.sheets
            for bet, each in self.estimates[sheet.id].items()
        ]

    def __str__(self) -> str:
        so_far = ", interrupted" if self.dealt.interrupted else ""
        speed = f"{self.dealt.rounds_per_second:,.0f} a second"
        return f"{counted(self.rounds, 'round')} of {', '.join(self)}, {speed}, seed {self.dealt.seed}{so_far}"

    def _repr_html_(self) -> str:
        headings = ("Bet", "Edge", "± ", "Exact", "Sigmas", "Cut card", "±")
        tables = [
            table_html(headings, [_shown(bet.name, self.estimates[sheet.id][bet.id]) for bet in sheet.bets.values()],
                       title=sheet.title)
            for sheet in self.sheets
        ]  # fmt: skip
        return f"<div><b>{escape(str(self))}</b></div>{''.join(tables)}"


def _shown(name: str, each: Estimate) -> tuple[str, ...]:
    sigma = f"{each.sigma:+.2f}"
    return (
        f"<b>{escape(name)}</b>",
        f"{each.edge:.4%}",
        f"{each.stderr:.4%}",
        f"{each.exact:.4%}",
        coloured(sigma, RED) if abs(each.sigma) > MANY_SIGMAS else sigma,
        f"{each.cut_card_effect:+.4%}",
        f"{each.cut_card_stderr:.4%}",
    )


def simulate(
    games: AnyGame | Iterable[AnyGame],
    rounds: float = 1e8,
    *,
    decks: int = DEFAULT_DECKS,
    cut: int = DEFAULT_CUT,
    burn: int | str = 0,
    seed: int = 0,
    backend: str = "numba",
    threads: int | None = None,
    cluster: str | None = None,
    progress: bool | None = None,
) -> SimulationResult:
    """Deal at least so many rounds of full shoes, and price every bet of one game or several from them.

    Memory does not grow with the rounds. The same seed gives the same counts, whatever the threads. `burn` is a number
    of cards, or `card`. `backend` is `numba`, `cuda` or `dask`. Ctrl-C ends the dealing with the counts so far. A
    progress line is shown on a terminal and in a notebook; `progress` says otherwise. Raises Refused.

    >>> import punto
    >>> dealt = punto.simulate("commission", rounds=1e6, seed=7)
    >>> dealt.rounds >= 1_000_000, abs(dealt["commission"]["banker"].sigma) < 4
    (True, True)
    """
    with naming_extras("simulation"):
        from punto.simulation.backends import Resources
        from punto.simulation.shoe import SimulatedShoe
        from punto.simulation.simulate import simulate as deal
    one = isinstance(games, str | Mapping) or not isinstance(games, Iterable)
    named: Any = [games] if one else games
    sheets = tuple([game(each).sheet for each in named])
    target = read_whole(rounds, RoundsInvalid)
    decks, cut, seed = read(decks, int, "decks"), read(cut, int, "cut"), read(seed, int, "seed")
    threads, cluster = read(threads, int | None, "threads"), read(cluster, str | None, "cluster")
    backend = read(backend, str, "backend")
    with Progress(target, "rounds-noun", shown=progress) as line:
        shoe = SimulatedShoe.of_decks(decks, cut, given_burn(burn))
        resources = Resources(threads, cluster)
        dealt = deal(shoe, target, seed, backend=backend, resources=resources, report=line.update)
    return SimulationResult(dealt, sheets)
