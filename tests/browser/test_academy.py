"""The dealer academy in a browser: a session of each kind, an examination, and progress that the terminal reads too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from punto.academy import Drill, Kind, kinds, make_drill
from punto.cli.academy import _read_progress
from punto.rules.cards import write_cards
from punto.rules.loader import load
from punto.table import acts
from punto.table.engine import choices
from punto.table.rulings.situations import group_of
from punto.table.ways import choice_of
from tests.browser.axe import found_by_axe
from tests.browser.seats import PHONE, Seat, Seats

GAME = "da-hu-ying-xiong"


def asked(seat: Seat, kind: Kind | None = None, after: Drill | None = None) -> Drill:
    """The drill on the page, which comes after another, made here once more."""
    wanted = (f"[data-kind={kind}]" if kind else "") + (f":not([data-seed='{after.seed}'])" if after else "")
    told = seat.page.locator(f"[data-test=drill]{wanted}").evaluate("each => ({...each.dataset})")
    return make_drill(load(GAME), Kind(told["kind"]), int(told["seed"]), int(told["part"]))


def answer(seat: Seat, drill: Drill) -> None:
    """Give the engine's own answers, as a trainee taps and types them."""
    if drill.report:
        report(seat, drill.report, drill)
    for at, step in enumerate(drill.steps):
        fields = seat.page.locator(f"[name=step-{at}]")
        if step.type == "money":
            cents = int(step.right[0])
            fields.fill(f"{cents // 100:,}.{cents % 100:02}")
        for option in step.right if step.options else ():
            seat.page.locator(f"[name=step-{at}][value='{option}']").check()
    seat.see("check").click()


def report(seat: Seat, wanted: acts.Report, drill: Drill) -> None:
    seat.see(f"group-{group_of(wanted.situation)}").click()
    seat.see(f"situation-{wanted.situation}").check()
    offered = choice_of(choices(drill.table, wanted.by), acts.Report).ways
    ways = [way for way in offered if way.situation == wanted.situation and not way.is_past]
    facts = wanted.facts
    meant = [way for way in ways if replace(facts, **way.about) == facts]
    way = max(meant, key=lambda way: len(way.about))
    if any(each.about for each in ways):
        seat.page.locator(f"[name=way][value='{ways.index(way)}']").check()
    for each in way.inputs:
        if each.type == "flag" and facts.reconstructible is not None:
            seat.page.locator(f"[name=reconstructible][value={str(facts.reconstructible).lower()}]").check()
        elif each.is_required(facts.reconstructible):
            field = seat.page.locator(f"[name={each.name}]")
            if each.type == "claims":
                field.nth(each.claims.index(facts.claims[0])).check()
            elif each.allowed:
                seat.page.locator(f"[name={each.name}][value='{facts.hand_count}']").check()
            else:
                shown = {"cards": write_cards(facts.cards), "text": facts.note, "number": facts.round}
                field.fill(str(shown[each.type]))
    seat.see("report-send").click()
    expect(seat.see("reported")).to_be_visible()


WHOLE = make_drill(load(GAME), Kind.SHOE, 4).parts


@pytest.mark.parametrize(
    ("kind", "drills"),
    [*[(kind, 2) for kind in kinds(load(GAME))], pytest.param(Kind.SHOE, WHOLE, marks=pytest.mark.slow)],
)
def test_a_session_of_each_kind_with_right_answers(kind: Kind, drills: int, seats: Seats) -> None:
    seat = seats.open(f"/academy/{GAME}")
    first = asked(seat)
    seat.page.evaluate("() => { let seed = 4; crypto.getRandomValues = numbers => numbers.fill(seed++); }")
    seat.see(f"kind-{kind}").click()
    drill = asked(seat, kind, first)
    assert found_by_axe(seat.page) == []
    for _ in range(drills):
        answer(seat, drill)
        most = len(drill.steps)
        expect(seat.see("result")).to_contain_text(f"{most} of {most} right")
        expect(seat.page.locator(".wrong")).to_have_count(0)
        expect(seat.see("next")).to_be_focused()
        seat.page.keyboard.press("Enter")
        expect(seat.see("result")).to_have_count(0)
        drill = asked(seat)


def test_what_is_wrong_is_told_with_its_paragraph_and_kept_for_the_terminal(seats: Seats, tmp_path: Path) -> None:
    seat = seats.open("/academy", locale="zh-CN", viewport=PHONE)
    seat.see(f"learn-{GAME}").click()
    drill = asked(seat)
    assert drill.kind is Kind.CARDS
    seat.see("check").click()
    expect(seat.see("step-0")).to_contain_text("错误")
    assert found_by_axe(seat.page) == []
    expect(seat.see("step-0")).to_contain_text("¶ 3.2: 各牌的点值。")
    seat.see("progress").click()
    with seat.page.expect_download() as saved:
        seat.see("save-progress").click()
    file = tmp_path / "mine.json"
    saved.value.save_as(file)
    learned = _read_progress(file)[GAME]
    assert {item: (known.level, known.asked > 0) for item, known in learned.items()}["cards 3.2"] == (0, True)
    seat.see("forget-progress").click()
    expect(seat.see("learned").locator("tbody tr")).to_have_count(0)
    seat.see("open-progress").set_input_files(file)
    expect(seat.see("learned").locator("tbody tr")).to_have_count(len(learned))


def test_an_examination_is_marked_at_the_end(seats: Seats) -> None:
    seat = seats.open(f"/academy/{GAME}")
    drill = asked(seat)
    seat.see("examination").click()
    seat.page.locator("[name=seed]").fill("7")
    seat.page.locator("[name=drills]").fill("3")
    seat.see("begin-exam").click()
    most = 0
    for place in (1, 2, 3):
        expect(seat.see("of-exam")).to_contain_text(f"drill {place} of 3")
        expect(seat.see("result")).to_have_count(0)
        drill = asked(seat, after=drill)
        most += len(drill.steps)
        answer(seat, drill)
    expect(seat.see("exam-result")).to_contain_text(f"{most} of {most} answers right (100%)")
    expect(seat.see("print")).to_be_visible()
    seat.see("end-exam").click()
    asked(seat)
