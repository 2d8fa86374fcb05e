"""The dealer academy over HTTP: a seed and a kind make a question, and answers get their marks. Nothing is kept here.

Trainees keep their progress themselves and send it along.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from msgspec import Meta, convert

from punto.academy import Drill, Kind, kinds, make_drill, mark
from punto.academy.drill import AnswerType, Mark, OptionOf, Said
from punto.academy.progress import Progress, after, make_exam, next_drill
from punto.protocol.codec import AnyCommand, command_by
from punto.protocol.shown import (
    AnyRefusal,
    Choice,
    DrawReason,
    Facts,
    show_choice,
    show_facts,
    show_reason,
    show_refusal,
)
from punto.protocol.views import Incoming, Outgoing, View
from punto.rules.reasons import Wanted
from punto.rules.refusals import FieldType, Refused
from punto.rules.sheet import Sheet
from punto.service.tables.followed_table import FollowedTable
from punto.service.viewing.table_views import TableViews
from punto.table import acts
from punto.table.automatic import StandingOrder
from punto.table.engine import choices
from punto.table.ways import choice_of
from punto.web.access import PUBLIC
from punto.web.requests import Request
from punto.web.routes import Routes

Seed = Annotated[int, Meta(ge=0, lt=2**53)]
Count = Annotated[int, Meta(ge=0, lt=2**53)]
Given = Annotated[tuple[Annotated[str, Meta(max_length=80)], ...], Meta(max_length=80)]
routes = Routes("academy")


class LearnedItem(Incoming, frozen=True):
    """How well a paragraph is known in one kind of drill."""

    level: Annotated[int, Meta(ge=0, le=20)]
    due_ms: Count
    asked: Count
    right: Count


Learning = dict[Annotated[str, Meta(pattern=r"^[a-z]+ [0-9.-]+$", max_length=40)], LearnedItem]


class DrillWanted(Incoming, frozen=True):
    """The drill that a trainee wants: `exact` asks that of a kind, a seed and a part, else what is due comes first."""

    seed: Seed
    now_ms: Count
    progress: Learning
    kind: Kind | None = None
    part: Annotated[int, Meta(ge=0, lt=100_000)] = 0
    exact: bool = False


class DrillStep(Outgoing, frozen=True):
    """One question of a drill, without its answer."""

    asks: Said
    type: AnswerType
    options: tuple[str, ...]
    options_of: OptionOf | None


class DrillQuestion(Outgoing, frozen=True):
    """A drill as a trainee sees it. `report` has the ways to report, where a report is asked."""

    game: str
    kind: Kind
    kinds: tuple[Kind, ...]
    seed: int
    part: int
    parts: int
    target_ms: int
    story: tuple[Said, ...]
    steps: tuple[DrillStep, ...]
    view: View
    report: Choice | None


class DrillAnswers(Incoming, frozen=True):
    """The answers to a drill: for each step those picked, or an amount in cents; and the report, if one was asked."""

    kind: Kind
    seed: Seed
    used_ms: Count
    now_ms: Count
    answers: Annotated[tuple[Given, ...], Meta(max_length=200)]
    progress: Learning
    part: Annotated[int, Meta(ge=0, lt=100_000)] = 0
    report: AnyCommand | None = None


class DrillMark(Outgoing, frozen=True):
    """The mark of one step: what is `right`, by which paragraphs, and why. `refusal` is the table's, of a report."""

    is_right: bool
    right: tuple[str, ...]
    rules: tuple[str, ...]
    reason: DrawReason | None
    refusal: AnyRefusal | None
    situation: str | None
    facts: Facts | None


class DrillMarking(Outgoing, frozen=True):
    """The marks of a drill, and the progress after it."""

    marks: tuple[DrillMark, ...]
    points: int
    in_time: bool
    target_ms: int
    progress: dict[str, LearnedItem]


class ExamDrill(Outgoing, frozen=True):
    """One drill of an examination."""

    kind: Kind
    seed: int


class ExamPaper(Outgoing, frozen=True):
    """An examination: its drills in order, and the time for all of them."""

    seed: int
    limit_ms: int
    drills: tuple[ExamDrill, ...]


@routes.post("/api/academy/{game}/questions", PUBLIC)
async def ask_drill(request: Request, game: str, body: DrillWanted) -> DrillQuestion:
    """The drill to do now. Nothing is kept: the same kind, seed and part are the same drill."""
    sheet = _sheet(request, game, body.kind)
    return await asyncio.to_thread(_ask, sheet, body)


@routes.post("/api/academy/{game}/marks", PUBLIC)
async def mark_drill(request: Request, game: str, body: DrillAnswers) -> DrillMarking:
    """The marks of the answers to a drill, and the progress after it."""
    drill = await asyncio.to_thread(make_drill, _sheet(request, game, body.kind), body.kind, body.seed, body.part)
    given = drill.report and body.report and command_by(body.report, drill.report.by)
    report = given if isinstance(given, acts.Report) else None
    marking = mark(drill, body.answers, report, used_ms=body.used_ms)
    progress = after(convert(body.progress, Progress, from_attributes=True), marking, body.now_ms)
    return DrillMarking(
        marks=tuple([_mark(drill, each) for each in marking.marks]),
        points=marking.points,
        in_time=marking.in_time,
        target_ms=drill.target_ms,
        progress=convert(progress, dict[str, LearnedItem], from_attributes=True),
    )


@routes.get("/api/academy/{game}/exam", PUBLIC)
async def read_exam(
    request: Request, game: str, seed: Seed = 0, drills: Annotated[int, Meta(ge=1, le=100)] = 20
) -> ExamPaper:
    """An examination: the same seed asks everyone the same."""
    exam = await asyncio.to_thread(make_exam, request.house.registry.sheet_of(game), seed, drills)
    return ExamPaper(seed, exam.limit_ms, convert(exam.drills, tuple[ExamDrill, ...], from_attributes=True))


def _sheet(request: Request, game: str, kind: Kind | None) -> Sheet:
    sheet = request.house.registry.sheet_of(game)
    if kind is not None and kind not in kinds(sheet):
        raise Refused(FieldType("kind", Wanted.ONE_OF, kind, kinds(sheet)))
    return sheet


def _ask(sheet: Sheet, wanted: DrillWanted) -> DrillQuestion:
    if wanted.exact and wanted.kind is not None:
        return _question(sheet, make_drill(sheet, wanted.kind, wanted.seed, wanted.part))
    progress = convert(wanted.progress, Progress, from_attributes=True)
    return _question(sheet, next_drill(sheet, progress, wanted.seed, wanted.now_ms, wanted.kind))


def _question(sheet: Sheet, drill: Drill) -> DrillQuestion:
    table = FollowedTable("academy", sheet)
    table.state = drill.table
    report = None
    if drill.report is not None:
        choice = choice_of(choices(drill.table, drill.report.by), acts.Report)
        ways = tuple([way for way in choice.ways if not way.is_past])  # a drill's table has no log
        report = show_choice(choice._replace(ways=ways))
    return DrillQuestion(
        game=sheet.id,
        kind=drill.kind,
        kinds=kinds(sheet),
        seed=drill.seed,
        part=drill.part,
        parts=drill.parts,
        target_ms=drill.target_ms,
        story=drill.story,
        steps=convert(drill.steps, tuple[DrillStep, ...], from_attributes=True),
        view=TableViews(table, lambda person: person, StandingOrder.HOLD).view(staff=True),
        report=report,
    )


def _mark(drill: Drill, given: Mark) -> DrillMark:
    report: Any = drill.report if given.step.type == "report" else None
    return DrillMark(
        is_right=given.is_right,
        right=given.step.right,
        rules=given.step.rules,
        reason=given.step.reason and show_reason(given.step.reason),
        refusal=given.refusal and show_refusal(given.refusal),
        situation=report and report.situation,
        facts=report and show_facts(report.facts),
    )
