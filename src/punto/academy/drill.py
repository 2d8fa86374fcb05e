"""A drill: a table, questions about it in steps, and the marking of the answers against what the engine said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.reasons import DrawReason
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table.engine import decide
from punto.table.state import State


class Kind(StrEnum):
    """The kinds of drills."""

    CARDS = "cards"
    PAYING = "paying"
    INSURANCE = "insurance"
    LIMITS = "limits"
    IRREGULARITIES = "irregularities"
    SHOE = "shoe"


AnswerType = Literal["one", "several", "money", "report"]
"""The types of answers: one of the options, any number of them, an amount in cents, or a report."""
OptionOf = Literal[
    "points", "draw", "winner", "bet", "spot", "hand", "plain", "box", "role", "rule", "rulings", "grant", "command"
]
"""The kinds of options of a step, so that they are shown in words."""
NO_RULE = "-"
"""The option that no paragraph says it: house practice. Of odds, that nothing is offered."""
GRANTED = "granted"
"""The option that a wish is granted, beside the paragraphs by which it might not be."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something said about the table: the code of its text, and the parameters."""

    code: str
    box: int | None = None
    patron: str | None = None
    on: str | None = None
    hand: Hand | None = None
    window: Window | None = None
    cards: str | None = None
    amount_cents: int | None = None
    n: int | None = None
    situation: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A question of a drill. `right` is what the engine said, by the paragraphs of `rules`; none: house practice.

    Amounts are written in cents. A step with a report has its right answer in the drill.
    """

    asks: Said
    type: AnswerType
    right: tuple[str, ...]
    rules: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    options_of: OptionOf | None = None
    reason: DrawReason | None = None


@dataclass(frozen=True, slots=True)
class Drill:
    """A question that the engine answers. The same game, kind, seed and part are the same drill."""

    table: State
    steps: tuple[Step, ...]
    story: tuple[Said, ...] = ()
    report: acts.Report | None = None
    kind: Kind = Kind.SHOE
    seed: int = 0
    part: int = 0
    parts: int = 1

    @property
    def rules(self) -> frozenset[str]:
        """The paragraphs that it asks; NO_RULE where house practice is asked."""
        return frozenset(rule for step in self.steps for rule in step.rules or (NO_RULE,))

    @property
    def target_ms(self) -> int:
        """The time in which a Dealer who is ready for the table answers it."""
        return sum([TARGETS_MS[step.type] for step in self.steps])


TARGETS_MS = {"one": 6_000, "several": 10_000, "money": 12_000, "report": 40_000}
"""The target for an answer of each type."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of one step: what was answered, and whether it is right. `refusal` is the engine's, of a report."""

    step: Step
    given: tuple[str, ...]
    is_right: bool
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Marking:
    """The marks of a drill, and the time that the answers took."""

    drill: Drill
    marks: tuple[Mark, ...]
    used_ms: int

    @property
    def points(self) -> int:
        """The number of right answers."""
        return sum([mark.is_right for mark in self.marks])

    @property
    def in_time(self) -> bool:
        """True if it took no longer than the target."""
        return self.used_ms <= self.drill.target_ms


def mark(
    drill: Drill, answers: Sequence[Sequence[str]], report: acts.Report | None = None, *, used_ms: int = 0
) -> Marking:
    """Mark the answers of a drill, step by step. An answer that is missing is wrong."""
    marks = []
    for place, step in enumerate(drill.steps):
        given = tuple(answers[place]) if place < len(answers) else ()
        refusal, is_right = None, sorted(given) == sorted(step.right) and len(set(given)) == len(given)
        if step.type == "report":
            refusal, is_right = _mark_report(drill, report)
        marks.append(Mark(step, given, is_right, refusal))
    return Marking(drill, tuple(marks), used_ms)


def _mark_report(drill: Drill, report: acts.Report | None) -> tuple[Refusal | None, bool]:
    """A report is right if the table answers it as it answers the drill's own. The words of a note do not matter."""
    right = drill.report
    if report is None or right is None:
        return None, False
    note = right.facts.note if report.facts.note or right.facts.note is None else None
    given = replace(right, situation=report.situation, facts=replace(report.facts, note=note))
    answer, wanted = decide(drill.table, given), decide(drill.table, right)
    if isinstance(answer, Refusal) or isinstance(wanted, Refusal):
        return answer if isinstance(answer, Refusal) else None, False
    return None, answer.events == wanted.events
