"""Drills of any sheet and seed: the engine's own answers get full marks, and no planted error ever does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from punto.academy import Drill, Kind, kinds, make_drill, mark
from punto.academy.progress import PAUSES_MS, after, make_exam, next_drill
from punto.rules.cards import Card
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refused
from punto.table import acts
from punto.table.engine import choices
from punto.table.ways import choice_of

OWN_SHEETS = (
    """
    extends = "commission"
    id = "lucky"
    title = "Lucky Commission"
    [[bets]]
    id = "banker"
    pays = [{ says = "Banker wins", when = { winner = "banker" }, odds = "0.96:1", rule = "4.1.2" }]
    [[bets]]
    id = "lucky"
    name = "Lucky"
    rule = "3.7"
    lost = "3.13"
    pays = [{ says = "Banker wins by one", when = { winner = "banker", margin = 1 }, odds = "3:1", rule = "4.1.2" }]
    [[irregularities]]
    id = "spilt-drink"
    situation = "A drink is spilt over the cards"
    ruling = "void"
    decides = "pit-manager"
    rule = "5.15"
    """,
    """
    extends = "da-hu-ying-xiong"
    id = "bare"
    title = "Hands alone, without limits"
    remove = [
      "limits", "bets.tie", "bets.tiger", "bets.big-tiger", "bets.small-tiger", "bets.tiger-tie", "bets.tiger-pair"
    ]
    [decks]
    minimum = 1
    maximum = 1
    rule = "2.2.1"
    """,
)
"""Sheets of one's own: another bet, other odds and a situation; and no more than two bets and one deck."""
SHORT, LONG = 25, 20_000
"""Drills of each kind; the long form makes 10^5 of a sheet."""

Answers = list[tuple[str, ...]]


def drills(game: str, most: int) -> Iterator[Drill]:
    """So many drills of each kind, and whole shoes of about as many questions."""
    sheet = load(game)
    for kind in kinds(sheet):
        seed = made = 0
        while made < most:
            drill = make_drill(sheet, kind, seed)
            yield drill
            yield from [make_drill(sheet, kind, seed, part) for part in range(1, drill.parts)]
            seed, made = seed + 1, made + drill.parts


def right(drill: Drill) -> Answers:
    return [step.right for step in drill.steps]


def wrong_answers(drill: Drill) -> Iterator[Answers]:
    """All answers right but one: one cent more or less, another option, one option more or less."""
    for place, step in enumerate(drill.steps):
        planted: Answers = []
        match step.type:
            case "money":
                planted = [(str(int(step.right[0]) + off),) for off in (-1, 1)]
            case "one":
                planted = [(option,) for option in step.options if (option,) != step.right]
            case "several":
                planted = [tuple({*step.right} ^ {option}) for option in step.options]
        for each in [*planted, *([] if step.type == "report" else [("", ""), (*step.right, *step.right, "")])]:
            yield [*right(drill)[:place], each, *right(drill)[place + 1 :]]


def wrong_reports(drill: Drill) -> Iterator[acts.Report | None]:
    """No report, that of another situation, of another box, patron or bet, and with a card that was not there."""
    report = drill.report
    if report is None:
        return
    yield None
    for way in choice_of(choices(drill.table, report.by), acts.Report).ways:
        if way.situation != report.situation:
            yield replace(report, situation=way.situation)
        elif not way.is_past:
            target = {name: getattr(way.facts, name) for name in ("patron", "box", "on", "hand", "window")}
            if any(getattr(report.facts, name) != value for name, value in target.items()):
                yield replace(report, facts=replace(report.facts, **target))
    if cards := report.facts.cards:
        yield replace(report, facts=replace(report.facts, cards=(*cards, Card("7h"))))


@pytest.mark.parametrize("most", [SHORT, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", [*GAMES, *OWN_SHEETS], ids=[*GAMES, "lucky", "bare"])
def test_the_engines_own_answers_get_full_marks_and_planted_errors_never_do(game: str, most: int) -> None:
    found = set()
    for number, drill in enumerate(drills(game, most)):
        assert drill.steps
        assert mark(drill, right(drill), drill.report).points == len(drill.steps), drill
        found.add(drill.kind)
        if number < 20 * SHORT:
            for answers in wrong_answers(drill):
                assert mark(drill, answers, drill.report).points == len(drill.steps) - 1, (drill, answers)
            for report in wrong_reports(drill):
                assert mark(drill, right(drill), report).points == len(drill.steps) - 1, (drill, report)
    assert found == {*kinds(load(game))}


def test_a_sheet_on_which_no_table_can_be_opened_is_refused() -> None:
    with pytest.raises(Refused, match="leaves out boxes"):
        make_drill(load("gallery/quik"), Kind.CARDS, 1)


def test_the_same_seed_is_the_same_drill() -> None:
    sheet = load("da-hu-ying-xiong")
    for kind in kinds(sheet):
        assert make_drill(sheet, kind, 5) == make_drill(sheet, kind, 5)
        assert make_drill(sheet, kind, 5) != make_drill(sheet, kind, 6)


def test_a_sheet_without_insurance_has_no_drills_of_it() -> None:
    assert set(Kind) - set(kinds(load("commission"))) == {Kind.INSURANCE}


def test_a_whole_shoe_goes_from_its_first_round_to_its_last() -> None:
    sheet = load("commission-insurance")
    parts = [make_drill(sheet, Kind.SHOE, 3, part) for part in range(make_drill(sheet, Kind.SHOE, 3).parts)]
    rounds = [drill.table.rounds for drill in parts]
    assert rounds == sorted(rounds)
    assert rounds[0] <= 1
    assert rounds[-1] > 25
    asked = {step.asks.code for drill in parts for step in drill.steps}
    assert {"next-act", "grant", "next-card", "taken", "insurance-odds"} <= asked
    assert any(drill.report for drill in parts), "nobody claims neglected insurance"


def test_what_went_wrong_comes_again_sooner() -> None:
    sheet, now = load("commission"), 1_000_000
    drill = make_drill(sheet, Kind.PAYING, 1)
    good = after({}, mark(drill, right(drill), used_ms=0), now)
    slow = after({}, mark(drill, right(drill), used_ms=drill.target_ms + 1), now)
    bad = after(good, mark(drill, []), now)
    for item in good:
        assert item.split()[1] in drill.rules
        assert now == bad[item].due_ms < slow[item].due_ms < good[item].due_ms <= now + PAUSES_MS[-1]
        assert (good[item].level > slow[item].level, bad[item].level) == (True, 0)
    again = next_drill(sheet, bad, 7, now)
    assert again.kind is Kind.PAYING
    assert {f"{Kind.PAYING} {rule}" for rule in again.rules} & bad.keys()
    assert next_drill(sheet, good, 7, now).kind is not Kind.PAYING, "nothing is due, so what was asked least comes"


def test_an_examination_asks_everyone_the_same() -> None:
    sheet = load("easy-six")
    exam = make_exam(sheet, 11, 12)
    assert exam == make_exam(sheet, 11, 12) != make_exam(sheet, 12, 12)
    assert {drill.kind for drill in exam.drills} == {*kinds(sheet)} - {Kind.SHOE}
    assert exam.limit_ms == 2 * sum(drill.target_ms for drill in exam.drills)
