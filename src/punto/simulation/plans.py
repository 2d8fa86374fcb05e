"""Staking plans and insurance policies of patrons."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from punto.analysis.insurance import InsuranceCell
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused
from punto.simulation.refusals import FunctionInvalid, PatronInvalid

Levels = npt.NDArray[np.int64]


# ------------------------------------------------------------------------------------------- staking


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """A plan with levels: the last decided round changes the level, and the level gives the stake in units.

    All patrons start on level 0. A returned bet does not change it. Levels are arrays, one element for each patron.
    """

    units: Callable[[Levels], Levels]
    won: Callable[[Levels], Levels]
    lost: Callable[[Levels], Levels]


MAX_DOUBLINGS = 40
_LADDER = np.array([1, 3, 2, 6])

PLANS = {
    "flat": LevelPlan(np.ones_like, np.zeros_like, np.zeros_like),
    "martingale": LevelPlan(
        lambda level: 1 << np.minimum(level, MAX_DOUBLINGS), np.zeros_like, lambda level: level + 1
    ),
    "dalembert": LevelPlan(lambda level: level + 1, lambda level: np.maximum(level - 1, 0), lambda level: level + 1),
    "1-3-2-6": LevelPlan(lambda level: _LADDER[level], lambda level: (level + 1) % 4, np.zeros_like),
}
"""The plans by name."""


@dataclass(slots=True)
class Patron:
    """The argument of a user's staking function before each round, all money in whole cents.

    `won` is True or False for the last round the patron bet on, None before the first and after a returned bet.
    The function may store anything in `memory`. It returns a stake in cents; 0 means no bet.
    """

    unit_cents: int
    bankroll_cents: int
    round: int = 0
    stake_cents: int = 0
    net_cents: int = 0
    won: bool | None = None
    memory: Any = None


OwnPlan = Callable[[Patron], int]


def find_plan(name: str | OwnPlan) -> LevelPlan | OwnPlan:
    """A plan by name, or a user's function: itself, or as `file.py:function`."""
    if not isinstance(name, str):
        return name
    if name in PLANS:
        return PLANS[name]
    if ":" not in name:
        raise Refused(PatronInvalid("plan-unknown", quoted(name), tuple(PLANS)))
    plan: OwnPlan = own_function(name)
    return plan


# ------------------------------------------------------------------------------------------- insurance

Policy = Callable[[InsuranceCell], Fraction]
"""The share of the maximum to insure, from 0 to 1, for an offer at Player's and Banker's points in a full shoe."""

POLICIES: dict[str, Policy] = {
    "never": lambda _: Fraction(0),
    "always": lambda _: Fraction(1),
    "favourable": lambda cell: Fraction((cell.value or 0) > 0),
}
"""The policies by name: insure nothing, the maximum, or the maximum where a full shoe favours the patron."""


OwnPolicy = Callable[[str, str, int, int, str], float | Fraction]


def find_policy(name: str | OwnPolicy) -> Policy:
    """A policy by name, or a user's function: itself, or as `file.py:function`.

    The function is called once for every cell of the pay table, with window, hand, Player's points, Banker's points
    and odds (as text, `3:1`). It returns the share of the maximum to insure, from 0 to 1.
    """
    if not isinstance(name, str):
        function, named = name, getattr(name, "__name__", "policy")
    elif name in POLICIES:
        return POLICIES[name]
    elif ":" not in name:
        raise Refused(PatronInvalid("policy-unknown", quoted(name), tuple(POLICIES)))
    else:
        function, named = own_function(name), name

    def own(cell: InsuranceCell) -> Fraction:
        offer = cell.offer
        share = call_own(function, offer.window.value, offer.hand.value, cell.player, cell.banker, offer.odds.text)
        if not isinstance(share, int | float | Fraction) or not 0 <= share <= 1:
            raise Refused(FunctionInvalid("share-impossible", named, quoted(share)))
        return Fraction(share).limit_denominator(10**6)

    return own


# ------------------------------------------------------------------------------------------- a patron's own


def own_function(reference: str) -> Callable[..., Any]:
    """The function that `file.py:function` names. Raises Refused."""
    path, _, name = reference.rpartition(":")
    file = Path(path)
    if not file.is_file():
        raise Refused(FunctionInvalid("function-file-missing", reference))
    try:
        function: Callable[..., Any] | None = runpy.run_path(str(file)).get(name)
    except Exception as error:
        raise Refused(FunctionInvalid("function-failed", str(file), repr(error))) from None
    if function is None or not callable(function):
        raise Refused(FunctionInvalid("function-missing", reference))
    return function


def call_own(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a user's function. Its exceptions become refusals."""
    try:
        return function(*arguments)
    except Exception as error:
        name = getattr(function, "__name__", repr(function))
        raise Refused(FunctionInvalid("function-failed", name, repr(error))) from None
