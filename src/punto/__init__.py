"""Punto: a baccarat table that plays exactly as its rule sheet says, and proves it.

>>> import punto
>>> punto.game("easy-six").settle("6h 2d Ks 3c 4c", [punto.Bet("banker", 10_00)]).house_cents
-1000

Names are loaded when they are first used, so that `import punto` takes a moment. docs/library.md lists them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself would double the time to import this
if TYPE_CHECKING:
    from punto.library.counting import GameCount, GameEffects
    from punto.library.game import Bet, Game, Limits, game, games
    from punto.library.odds import GameOdds
    from punto.library.shoes import Rounds, Shoe
    from punto.library.simulations import SimulationResult, simulate
    from punto.library.studies import PatronStudy, study
    from punto.library.tables import Table
    from punto.roads.results import roads_of as roads
    from punto.roads.roads import Roads
    from punto.rules.cards import Card, Rank, Suit
    from punto.rules.hands import Cards
    from punto.rules.missing import ExtraMissingError
    from punto.rules.outcome import Outcome, Winner
    from punto.rules.refusals import Refusal, Refused
    from punto.rules.settlement import Line, Settlement
    from punto.rules.sheet import Sheet
    from punto.rules.tableau import Round

__version__ = "0.2.0"

__all__ = [
    "Bet",
    "Card",
    "Cards",
    "ExtraMissingError",
    "Game",
    "GameCount",
    "GameEffects",
    "GameOdds",
    "Limits",
    "Line",
    "Outcome",
    "PatronStudy",
    "Rank",
    "Refusal",
    "Refused",
    "Roads",
    "Round",
    "Rounds",
    "Settlement",
    "Sheet",
    "Shoe",
    "SimulationResult",
    "Suit",
    "Table",
    "Winner",
    "game",
    "games",
    "roads",
    "simulate",
    "study",
]

_MODULES = {
    "Bet": "library.game",
    "Card": "rules.cards",
    "Cards": "rules.hands",
    "ExtraMissingError": "rules.missing",
    "Game": "library.game",
    "GameCount": "library.counting",
    "GameEffects": "library.counting",
    "GameOdds": "library.odds",
    "Limits": "library.game",
    "Line": "rules.settlement",
    "Outcome": "rules.outcome",
    "PatronStudy": "library.studies",
    "Rank": "rules.cards",
    "Refusal": "rules.refusals",
    "Refused": "rules.refusals",
    "Roads": "roads.roads",
    "Round": "rules.tableau",
    "Rounds": "library.shoes",
    "Settlement": "rules.settlement",
    "Sheet": "rules.sheet",
    "Shoe": "library.shoes",
    "SimulationResult": "library.simulations",
    "Suit": "rules.cards",
    "Table": "library.tables",
    "Winner": "rules.outcome",
    "game": "library.game",
    "games": "library.game",
    "roads": "roads",
    "simulate": "library.simulations",
    "study": "library.studies",
}
"""The module of each public name. `roads` is a package that can be called."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_MODULES[name]}")
    found = module if name == "roads" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
