"""A trainee's progress by kind and paragraph, spaced repetition, and what an examination asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from punto.academy import Drill, Kind, kinds, make_drill
from punto.academy.drill import NO_RULE, Marking
from punto.rules.sheet import Sheet

PAUSES_MS = tuple([60_000 * minutes for minutes in (1, 10, 1_440, 4_320, 10_080, 23_040, 50_400)])
"""How long something rests at each level. A right answer in time lifts it a level; a wrong one begins anew."""
TRIES = 25
"""Drills that are looked through for one that asks a paragraph."""


@dataclass(frozen=True, slots=True)
class Learned:
    """How well a paragraph is known in one kind of drill: the level, when it is due again, and all answers so far."""

    level: int = 0
    due_ms: int = 0
    asked: int = 0
    right: int = 0


Progress = Mapping[str, Learned]
"""The progress in one sheet: by kind and paragraph, as `paying 4.1.2`."""


def after(progress: Progress, marking: Marking, now_ms: int) -> dict[str, Learned]:
    """The progress after a drill was marked at this time."""
    found = dict(progress)
    for one in marking.marks:
        for rule in one.step.rules or (NO_RULE,):
            item = f"{marking.drill.kind} {rule}"
            was = found.get(item, Learned())
            level = min(was.level + marking.in_time, len(PAUSES_MS) - 1) if one.is_right else 0
            due_ms = now_ms + (PAUSES_MS[level] if one.is_right else 0)
            found[item] = Learned(level, due_ms, was.asked + 1, was.right + one.is_right)
    return found


def next_drill(sheet: Sheet, progress: Progress, seed: int, now_ms: int, kind: Kind | None = None) -> Drill:
    """The drill to do now: of what is due, the weakest; otherwise any of this kind, or of the kind least asked."""
    random = Random(f"next/{seed}")  # noqa: S311 — drawn from the seed
    offered = [each for each in kinds(sheet) if each is not Kind.SHOE] if kind is None else [kind]
    due = [item for item, known in progress.items() if known.due_ms <= now_ms and item.split()[0] in offered]
    if not due or Kind.SHOE in offered:
        asked = Counter[str]()
        for item, known in progress.items():
            asked[item.split()[0]] += known.asked
        return make_drill(sheet, min(offered, key=asked.__getitem__), random.randrange(2**31))
    name, rule = min(due, key=lambda each: (progress[each].level, progress[each].due_ms)).split()
    drills = [make_drill(sheet, Kind(name), random.randrange(2**31)) for _ in range(TRIES)]
    return next((drill for drill in drills if rule in drill.rules), drills[0])


@dataclass(frozen=True, slots=True)
class Exam:
    """An examination: the same seed asks everyone the same. `limit_ms` is for all of it."""

    seed: int
    drills: tuple[Drill, ...]
    limit_ms: int


def make_exam(sheet: Sheet, seed: int, questions: int = 20) -> Exam:
    """So many drills of all kinds in turn, with twice their target as the time limit."""
    offered = [kind for kind in kinds(sheet) if kind is not Kind.SHOE]
    random = Random(f"exam/{seed}")  # noqa: S311 — drawn from the seed
    drills = [make_drill(sheet, offered[at % len(offered)], random.randrange(2**31)) for at in range(questions)]
    return Exam(seed, tuple(drills), 2 * sum([drill.target_ms for drill in drills]))
