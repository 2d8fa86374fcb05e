"""`punto.simulate`, which needs the extra `simulation` only when it is called."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from punto.analysis.composition import DEFAULT_CUT
from punto.extras import naming_extras
from punto.library.game import AnyGame
from punto.rules.settlement import DEFAULT_DECKS

if TYPE_CHECKING:
    from punto.library.simulations import SimulationResult


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
        from punto.library.simulations import run_simulation
    return run_simulation(
        games,
        rounds,
        decks=decks,
        cut=cut,
        burn=burn,
        seed=seed,
        backend=backend,
        threads=threads,
        cluster=cluster,
        progress=progress,
    )
