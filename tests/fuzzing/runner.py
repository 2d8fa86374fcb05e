"""Runs a target on spoiled inputs: nothing may be raised but what its reader documents, and no case may take long."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from punto.cli.refusals import COMMAND_REFUSALS, Reported
from punto.protocol.refusals import REFUSALS
from punto.rules.refusals import Refused
from punto.rules.shoe_refusals import SHOE_REFUSALS
from punto.rules.toml_table import SheetError
from punto.texts import LANGUAGES, say
from tests.fuzzing.mutation import spoil
from tests.fuzzing.targets import Target

CASE_SECONDS = 5.0
"""The processor time after which a case hangs. The slowest that does not takes a tenth of it."""
DOCUMENTED = frozenset({*REFUSALS.values(), *COMMAND_REFUSALS, *SHOE_REFUSALS, Reported})


class HangError(BaseException):
    """A case did not end. No reader may catch it."""


class FoundError(Exception):
    """A case that raised what its reader does not document. The message repeats it."""


def run(target: Target, cases: int, first: int = 0) -> Counter[str]:
    """How many cases of a target, from a seed on, were taken, were answered so by the edge, or were refused, by code or
    by kind of error. Raises FoundError at the first that fails."""
    counts = Counter[str]()
    corpus, read = target.corpus(), target.read
    for seed in range(first, first + cases):
        given = spoil(Random(f"{target.name}/{seed}"), corpus)
        try:
            with _bounded():
                result = read(given)
            counts[result if isinstance(result, str) else "taken"] += 1
        except target.errors as error:
            try:
                counts[_kind(error)] += 1
            except Exception as broken:
                raise _found(target, seed, given, broken) from broken
        except (Exception, HangError) as error:
            raise _found(target, seed, given, error) from error
    return counts


def _found(target: Target, seed: int, given: bytes, error: BaseException) -> FoundError:
    shown = given if len(given) < 2_000 else given[:2_000] + b"..."
    return FoundError(
        f"python -m tests.fuzzing --target {target.name} --first {seed} --cases 1\n"
        f"{type(error).__name__}: {str(error)[:500]}\n{shown!r}"
    )


def _kind(error: Exception) -> str:
    """What an error is counted as. A refusal must be documented, and be said in every language."""
    if not isinstance(error, Refused):
        return type(error).__name__
    refusals: tuple[Any, ...] = error.refusals if isinstance(error, SheetError) else (error.refusal,)
    for refusal in refusals:
        if type(refusal) not in DOCUMENTED:
            raise AssertionError(f"{refusal} is in no list of refusals")
        for language in LANGUAGES:
            if not isinstance(refusal, Reported):
                say(refusal, language)
    return error.refusal.code


@contextmanager
def _bounded() -> Iterator[None]:
    """Raise HangError in what takes too much of the processor's time; how busy the machine is does not count."""

    def hang(*_: object) -> None:
        raise HangError(f"no end after {CASE_SECONDS} seconds")

    before = signal.signal(signal.SIGPROF, hang)
    signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
