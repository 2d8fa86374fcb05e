"""Billions of dealt rounds, and every bet's estimate next to its exact figure. Needs the extra `simulation`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from html import escape

from punto.analysis.composition import DEFAULT_CUT
from punto.library.game import AnyGame, game
from punto.library.progress import Progress
from punto.library.refused import Refused, raising_refused
from punto.rules.html import RED, coloured, table_html
from punto.rules.settlement import DEFAULT_DECKS
from punto.rules.sheet import Sheet
from punto.rules.tabular import Row, Tabular
from punto.rules.words import counted
from punto.simulation import simulate as core
from punto.simulation.backends import Resources
from punto.simulation.estimates import Estimate, estimate, results
from punto.simulation.refusals import RoundsInvalid
from punto.simulation.shoe import Burn, SimulatedShoe

MANY_SIGMAS = 4
"""An estimate this far from the exact figure is shown in red."""


@dataclass(frozen=True, repr=False, eq=False)
class SimulationResult(Tabular, Mapping[str, Mapping[str, Estimate]]):
    """The estimates of each game's bets, by the ids of game and bet. `dealt` has the counts themselves."""

    dealt: core.Simulation
    sheets: tuple[Sheet, ...]

    @property
    def rounds(self) -> int:
        """The number of rounds dealt."""
        return self.dealt.counts.rounds

    @property
    def winners(self) -> dict[str, int]:
        """The number of rounds by winner."""
        return results(self.dealt.counts.histogram)

    @cached_property
    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """The estimate of each bet, by game and bet."""
        return {sheet.id: {bet.id: estimate(bet, self.dealt) for bet in sheet.bets.values()} for sheet in self.sheets}

    def __getitem__(self, game_id: str) -> Mapping[str, Estimate]:
        return self.estimates[game_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

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

    def __repr__(self) -> str:
        return f"<SimulationResult {self}>"

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


def run_simulation(
    games: AnyGame | Iterable[AnyGame],
    rounds: float,
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
    """Deal, count and compare: see `punto.simulate`."""
    named = [games] if isinstance(games, str) or not isinstance(games, Iterable) else games
    sheets = tuple([game(each).sheet for each in named])
    with raising_refused():
        target = _whole(rounds)
        shoe = SimulatedShoe.of_decks(decks, cut, Burn.CARD if burn == Burn.CARD else int(burn))
        with Progress(target, "rounds", shown=progress) as shown:
            resources = Resources(threads, cluster)
            dealt = core.simulate(shoe, target, seed, backend=backend, resources=resources, report=shown.update)
    return SimulationResult(dealt, sheets)


def _whole(rounds: float) -> int:
    """A number of rounds, also as 1e9."""
    try:
        whole = Fraction(rounds)
    except (ValueError, OverflowError):  # not a number, or infinite
        whole = Fraction(1, 2)
    if whole.denominator != 1:
        raise Refused(RoundsInvalid(str(rounds), core.MAX_ROUNDS_COUNTED))
    return whole.numerator
