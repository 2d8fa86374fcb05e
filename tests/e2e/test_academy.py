"""`punto academy` as a trainee uses it: a few keys an answer, marks with paragraphs, progress in a file, a report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from punto.academy import Drill, Kind, kinds, make_drill
from punto.academy.progress import make_exam
from punto.rules.cards import write_cards
from punto.rules.loader import load
from punto.table import acts
from punto.table.engine import choices
from punto.table.ways import choice_of
from tests.unit.command import punto

GAME = "da-hu-ying-xiong"


def keys(drill: Drill) -> list[str]:
    """The lines that a trainee types who answers all of it right."""
    typed = []
    for step in drill.steps:
        if step.type == "money":
            typed.append(f"{int(step.right[0]) // 100}.{int(step.right[0]) % 100:02}")
        elif step.type == "report":
            typed += keys_of_report(drill)
        elif step.options_of == "points":
            typed += step.right
        else:
            typed.append(" ".join(str(step.options.index(each) + 1) for each in step.right))
    return typed


def keys_of_report(drill: Drill) -> list[str]:
    report = drill.report
    assert report
    ways = choice_of(choices(drill.table, report.by), acts.Report).ways
    ways = tuple([way for way in ways if way.refusal is None and not way.is_past])
    situations = list(dict.fromkeys([way.situation for way in ways]))
    typed, facts = [str(situations.index(report.situation) + 1)], report.facts
    ways = tuple([way for way in ways if way.situation == report.situation])
    meant = [way for way in ways if replace(facts, **way.about) == facts]
    way = max(meant, key=lambda way: len(way.about))
    typed += [str(ways.index(way) + 1)] if len(ways) > 1 else []
    for each in way.inputs:
        if each.type == "flag":
            typed.append("y" if facts.reconstructible else "n")
        elif each.is_required(facts.reconstructible):
            shown = {"cards": write_cards(facts.cards), "text": facts.note, "number": facts.hand_count or facts.round}
            typed.append(str(each.claims.index(facts.claims[0]) + 1 if each.type == "claims" else shown[each.type]))
    return typed


@pytest.mark.parametrize("kind", kinds(load(GAME)))
def test_right_answers_by_keys_are_all_marked_right(kind: Kind, tmp_path: Path) -> None:
    drills = [make_drill(load(GAME), kind, seed) for seed in (3, 4)]
    progress = tmp_path / "mine.json"
    typed = "\n".join([line for drill in drills for line in keys(drill)]) + "\n"
    options = ("--kind", kind, "--seed", "3", "--drills", "2", "--progress", str(progress))
    done = punto("academy", GAME, *options, stdin=typed)
    assert done.returncode == 0, done.stderr
    for drill in drills:
        assert f"{len(drill.steps)} of {len(drill.steps)} right" in done.stdout
    assert "Wrong" not in done.stdout
    kept = json.loads(progress.read_text())[GAME]
    assert kept.keys() == {f"{kind} {rule}" for drill in drills for rule in drill.rules}


def test_what_is_wrong_is_told_with_its_paragraph_and_kept(tmp_path: Path) -> None:
    progress = tmp_path / "mine.json"
    options = ("--kind", "cards", "--seed", "3", "--drills", "1", "--progress", str(progress))
    done = punto("academy", "commission", *options, stdin="\n" * 20)
    assert "✗ Wrong" in done.stdout
    assert "¶ 3.12 The Table of Play." in done.stdout
    assert json.loads(progress.read_text())["commission"]["cards 3.2"]["level"] == 0
    chinese = punto("--lang", "zh-Hans", "academy", "commission", *options, stdin="\n" * 20)
    assert "错误" in chinese.stdout


def test_an_examination_is_marked_at_the_end_and_reported(tmp_path: Path) -> None:
    exam = make_exam(load("commission"), 7, 5)
    typed = "\n".join([line for drill in exam.drills[:-1] for line in keys(drill)]) + "\nq\n"
    report = tmp_path / "report.txt"
    options = ("--exam", "--seed", "7", "--drills", "5", "--report", str(report))
    done = punto("academy", "commission", *options, stdin=typed)
    assert done.returncode == 0
    most, last = sum(len(drill.steps) for drill in exam.drills), len(exam.drills[-1].steps)
    told = f"{most - last} of {most} answers right ({(most - last) * 100 // most}%)"
    assert told in done.stdout
    assert told in report.read_text()
    assert done.stdout.index("✓ Right") > done.stdout.rindex("Answer")


def test_a_file_that_is_no_progress_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("[1]")
    done = punto("academy", "commission", "--progress", str(tmp_path / "mine.json"))
    assert done.returncode == 2
    assert done.stderr.endswith("[file-unreadable]\n")
