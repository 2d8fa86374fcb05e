"""The roads of results in any of their forms."""

from __future__ import annotations

from collections.abc import Iterable

from punto.roads.roads import LETTERS, Roads
from punto.rules.notation import read_line
from punto.rules.outcome import Outcome, Winner
from punto.rules.reasons import Wanted, quoted
from punto.rules.refusals import FieldType, Refused
from punto.rules.settlement import Settlement
from punto.rules.tableau import Round

AnyResult = Outcome | Round | Settlement | str
"""A result: an outcome, a round, a settled round, a winner (`B` or `banker`), or a line of notation."""

_BY_WINNER = {
    Winner.BANKER: Outcome(0, 1, 2, 2),
    Winner.PLAYER: Outcome(1, 0, 2, 2),
    Winner.TIE: Outcome(0, 0, 2, 2),
}
"""Stands for every outcome with a winner and no pair: a road shows no more of it."""
_BY_NAME = {name: outcome for winner, outcome in _BY_WINNER.items() for name in (winner.value, LETTERS[winner])}


def roads_of(results: Iterable[AnyResult]) -> Roads:
    """The roads of a shoe, from its results in order: `"BPPT"`, or lines such as `5h Kd 6s 6c 9h = B 0-6`.

    A result that names only its winner has no pairs. Blank text is skipped. Raises Refused for what is not a result.
    """
    if not isinstance(results, Iterable):
        raise Refused(FieldType("results", Wanted.LIST, quoted(results)))
    return Roads.of(_outcome(each) for each in results if not isinstance(each, str) or each.strip())


def _outcome(result: AnyResult) -> Outcome:
    if isinstance(result, str):
        name = result.strip()
        return _BY_NAME.get(name) or read_line(name).outcome
    if isinstance(result, Settlement):
        return result.round.outcome
    if isinstance(result, Outcome):
        return result
    if not isinstance(result, Round):
        raise Refused(FieldType("result", Wanted.TEXT, quoted(result)))
    return result.outcome
