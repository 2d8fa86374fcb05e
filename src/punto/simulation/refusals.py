"""Reasons why a simulation cannot be run, in order of precedence."""

from __future__ import annotations

from punto.rules.refusals import Refusal, declared


class SplitsInvalid(Refusal):
    """The first-rounds splits are not round numbers above zero."""

    given: str
    maximum: int | None = None


class BackendUnknown(Refusal):
    """No backend has this name."""

    backend: str
    known: tuple[str, ...]


class BackendUnavailable(Refusal):
    """The backend is installed, but its device or cluster cannot be reached."""

    problem: str
    given: str = ""
    detail: str = ""


class PatronInvalid(Refusal):
    """The patron study's money, bet, plan or policy is invalid."""

    problem: str
    given: str = ""
    known: tuple[str, ...] = ()


class FunctionInvalid(Refusal):
    """A user's function cannot be loaded or returned an impossible value."""

    problem: str
    function: str
    detail: str = ""


SIMULATION_REFUSALS = declared(globals())
"""Refusals of a simulation that cannot be run, in order of precedence."""
