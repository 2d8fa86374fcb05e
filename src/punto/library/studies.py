"""Patrons who play a staking plan: results, ruin and runs. Dealing needs the extra `simulation`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from punto.extras import naming_extras
from punto.library.game import AnyGame, game
from punto.library.inputs import given_burn, read
from punto.library.progress import Progress
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS
from punto.rules.html import table_html
from punto.rules.money import money
from punto.rules.tabular import Row, Tabular

if TYPE_CHECKING:
    from punto.simulation.plans import OwnPlan, OwnPolicy
    from punto.simulation.study import StudyResult


@dataclass(frozen=True, repr=False, eq=False)
class PatronStudy(Tabular):
    """The results of patrons. `result` has an array of each figure, and `summary` the figures over all patrons."""

    result: StudyResult

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Result, ruin and runs as plain data, each sampled figure with its standard error (`…_error`)."""
        from punto.simulation.summary import summarise

        return summarise(self.result)

    def to_dicts(self) -> list[Row]:
        """A row for each patron."""
        result = self.result
        names = ("net_cents", "ruined_at", "longest_win", "longest_loss", "staked_cents", "insured_cents")
        columns = [getattr(result, name).tolist() for name in names]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]

    def __str__(self) -> str:
        terms, ruin, mean = self.result.terms, self.summary["ruin"], self.summary["result_cents"]
        result = f"{money(round(mean['mean']))} ± {money(round(mean['mean_error']))}"
        who = f"{terms.patrons:,} patrons bet on {terms.bet.id} of {terms.sheet.id} for {terms.rounds:,} rounds"
        return f"{who}: result {result}, ruined {ruin['share']:.2%} ± {ruin['share_error']:.2%}"

    def _repr_html_(self) -> str:
        result = self.summary["result_cents"]
        rows = [
            (f"{share} %", money(cents), money(round(result["quantile_errors"][share])))
            for share, cents in result["quantiles"].items()
        ]
        return table_html(("Patrons below", "Result", "±"), rows, title=str(self))


def study(
    of: AnyGame,
    bet: str = "banker",
    *,
    plan: str | OwnPlan = "flat",
    insurance: str | OwnPolicy = "never",
    bankroll_cents: int = 1_000_00,
    unit_cents: int = 10_00,
    maximum_stake_cents: int | None = None,
    rounds: int = 500,
    patrons: int = 10_000,
    decks: int = DEFAULT_DECKS,
    cut: int = DEFAULT_CUT,
    burn: int | str = 0,
    seed: int = 0,
    progress: bool | None = None,
) -> PatronStudy:
    """Let patrons play a staking plan, each with shoes of their own. Raises Refused.

    `plan` is `flat`, `martingale`, `dalembert`, `1-3-2-6`, or a function of a patron that gives a stake in cents;
    `insurance` is `never`, `always`, `favourable`, or a function of window, hand, Player's points, Banker's points and
    odds that gives the share of the maximum to insure.

    >>> import punto
    >>> studied = punto.study("commission", plan="martingale", rounds=100, patrons=1_000)
    >>> 0 <= studied.summary["ruin"]["share"] < 1, studied.summary["ruin"]["share_error"] > 0
    (True, True)
    """
    with naming_extras("simulation"):
        from punto.simulation.shoe import SimulatedShoe
        from punto.simulation.study import study as play
        from punto.simulation.study import terms_of
    given = {"bankroll_cents": bankroll_cents, "unit_cents": unit_cents, "rounds": rounds, "patrons": patrons}
    numbers = {name: read(value, int, name) for name, value in (given | {"seed": seed}).items()}
    shoe = SimulatedShoe.of_decks(read(decks, int, "decks"), read(cut, int, "cut"), given_burn(burn))
    maximum = read(maximum_stake_cents, int | None, "maximum_stake_cents")
    for name, function in (("plan", plan), ("insurance", insurance)):
        if not callable(function):
            read(function, str, name)
    terms = terms_of(
        game(of).sheet, shoe, read(bet, str, "bet"), plan, insurance, maximum_stake_cents=maximum, **numbers
    )
    with Progress(terms.rounds * terms.patrons, "rounds-noun", shown=progress) as line:
        return PatronStudy(play(terms, line.update))
