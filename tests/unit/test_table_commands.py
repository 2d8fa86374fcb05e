"""`punto rule` and `punto replay`, as people and programs use them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from punto.rules.cards import parse_cards
from punto.rules.loader import GAMES, load
from punto.table.answers import Answer, answer_for, parse_phase
from punto.table.codec import parse_event
from punto.table.evolve import replay
from punto.table.facts import situations
from punto.table.phases import Phase

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "table.jsonl"


def punto(*arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "punto.cli.main", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, cwd=ROOT)


# ------------------------------------------------------------------------------------------- rule


@pytest.mark.parametrize("game", GAMES)
def test_rule_lists_every_situation_and_answers_each(game: str) -> None:
    listed = json.loads(punto("rule", game, "--json").stdout)
    assert [answer["situation"] for answer in listed] == list(situations(load(game)))
    for answer in listed:
        assert answer["says"]
        assert answer["decides"]
        assert answer["rule"] is None or answer["rule"] in load(game).paragraphs


def test_rule_tells_whether_an_interrupted_round_is_concluded() -> None:
    void = json.loads(punto("rule", "commission", "technical-interruption", "--cards", "5h Kd", "--json").stdout)
    assert (void["established"], void["rule"]) == (False, "5.4.2")
    go_on = json.loads(punto("rule", "commission", "technical-interruption", "--cards", "5h Kd 6s", "--json").stdout)
    assert (go_on["established"], go_on["rule"]) == (True, "5.4.1")


def test_rule_tells_what_each_patron_is_offered() -> None:
    answer = json.loads(punto("rule", "commission", "excess-card", "--cards", "5h Kd", "--json").stdout)
    assert [option["rule"] for option in answer["options"]] == ["5.12.1", "5.12.2", "5.12.3", "5.12"]
    nothing = json.loads(punto("rule", "commission", "excess-card", "--cards", "5h Kd 6s", "--json").stdout)
    assert [option["rule"] for option in nothing["options"]] == ["5.7.1"]


@pytest.mark.parametrize(
    ("phase", "rule"),
    [("betting", "5.1"), ("result", "5.1.1")],
)
def test_rule_knows_the_phase(phase: str, rule: str) -> None:
    answer = json.loads(punto("rule", "commission", "excess-bets", "--phase", phase, "--json").stdout)
    assert answer["rule"] == rule


def answered(situation: str, cards: str | None = None, phase: str | None = None) -> Answer:
    return answer_for(load("commission"), situation, None if cards is None else parse_cards(cards), parse_phase(phase))


def test_rule_does_not_deal_on_in_a_void_round() -> None:
    assert answered("technical-interruption", "5h Kd").steps == ()
    assert "the next card" in answered("technical-interruption", "5h Kd 6s").steps[-1].says


def test_rule_takes_the_excess_card() -> None:
    answer = answered("excess-card", "9h 2c Kd 3c 7c")
    assert answer.cards == parse_cards("9h 2c Kd 3c")
    assert answer.steps[-1].says.startswith("7c is not of this round")
    assert "note" in answer.reportable
    assert "note" in answered("wrong-number-of-cards").facts


@pytest.mark.parametrize("situation", list(situations(load("commission"))))
def test_rule_offers_nothing_between_rounds(situation: str) -> None:
    assert answered(situation, phase="between-rounds").options == ()


@pytest.mark.parametrize(
    ("situation", "phase", "says", "rule"),
    [
        ("technical-interruption", "betting", "No card is out", "5.4.2"),
        ("technical-interruption", "result", "All cards are out", "5.4.1"),
        ("technical-interruption", "between-rounds", "No round is under way", None),
        ("late-bet", "between-rounds", "No round is under way", None),
        ("below-minimum", "between-rounds", "No round is under way", None),
        ("walk-away", "between-rounds", "No round is under way", None),
        ("simultaneous-cards", "between-rounds", "No round is under way: the table is held", "5.17"),
        ("other-dealing-error", "between-rounds", "No round is under way: the table is held", "5.17"),
        ("wrong-number-of-cards", "betting", "No card of this round lies yet", "5.11"),
        ("not-enough-cards", "result", "The round has all its cards", None),
    ],
)
def test_rule_says_what_the_table_does_in_the_phase(situation: str, phase: str, says: str, rule: str | None) -> None:
    answer = answered(situation, phase=phase)
    assert answer.says.startswith(says)
    assert answer.rule == rule if rule else answer.rule in load("commission").paragraphs


def test_rule_reads_well() -> None:
    shown = punto("rule", "easy-six", "excess-card", "--cards", "9h 2c Kd 3c").stdout
    assert "The sheet is silent" in shown
    assert "Table Game Shift Manager or above" in shown
    assert "5.1.2" in shown


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["moon"], "game-unknown"),
        (["commission", "rain"], "situation-unknown"),
        (["commission", "insurance-neglected"], "situation-unknown"),
        (["commission", "excess-card", "--cards", "5x"], "card-unreadable"),
        (["commission", "technical-interruption", "--cards", "9h 2c Kd 3c 4c"], "facts-contradict"),
        (["commission", "excess-card", "--phase", "first-window"], "wrong-phase"),
        (["commission", "excess-card", "--cards", "9h", "--phase", "result"], "facts-contradict"),
        (["commission", "excess-card", "--phase", "tea"], "wrong-phase"),
        (["commission", "--cards", "9h"], "situation-missing"),
    ],
)
def test_rule_says_what_is_wrong(arguments: list[str], code: str) -> None:
    shown = punto("rule", *arguments)
    assert shown.returncode == 2
    assert shown.stderr.startswith("punto: ")
    assert f"[{code}]" in shown.stderr
    assert "Traceback" not in shown.stderr


# ------------------------------------------------------------------------------------------- replay


def test_replay_plays_the_example() -> None:
    shown = punto("replay", str(EXAMPLE))
    assert shown.returncode == 1, "one command of the example is refused"
    assert "   9  refused patron:bo: bets have closed" in shown.stdout
    assert "House -17.00" in shown.stdout
    assert shown.stdout.rstrip().endswith("events, 1 command refused")


def test_replay_writes_the_log_for_machines() -> None:
    lines = punto("replay", str(EXAMPLE), "--json").stdout.splitlines()
    refused = [json.loads(line) for line in lines if line.startswith('{"line"')]
    assert [(each["line"], each["refused"]["code"]) for each in refused] == [(9, "bets-closed")]
    log = [parse_event(line) for line in lines if not line.startswith('{"line"')]
    assert replay(load("da-hu-ying-xiong"), log).phase is Phase.BETWEEN_ROUNDS


def test_replay_plays_nothing_of_a_file_with_a_bad_line() -> None:
    good = EXAMPLE.read_text()
    bad = good + '{"kind":"fly","by":"dealer:dan"}\n\nnot json\n{"kind":"deal","by":"dealer:dan","cards":"9h"}\n'
    shown = punto("replay", "-", given=bad)
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert [line.split(":")[1].strip() for line in shown.stderr.splitlines()[:3]] == ["line 19", "line 21", "line 22"]
    assert "nothing was played" in shown.stderr
    machine = punto("replay", "-", "--json", given=bad)
    codes = [json.loads(line)["refused"]["code"] for line in machine.stdout.splitlines()]
    assert codes == ["command-unknown", "unreadable", "field-unknown"]


@pytest.mark.parametrize(
    ("given", "code"),
    [("", "file-empty"), ('{"kind":"open-bets","by":"dealer:dan"}', "table-not-open")],
)
def test_replay_needs_a_table(given: str, code: str) -> None:
    shown = punto("replay", "-", given=given)
    assert shown.returncode == 2
    assert f"[{code}]" in shown.stderr


def test_replay_says_which_file_is_missing() -> None:
    shown = punto("replay", "nowhere.jsonl")
    assert (shown.returncode, "[file-unreadable]" in shown.stderr) == (2, True)


def test_replay_takes_a_sheet_by_its_path(tmp_path: Path) -> None:
    sheet = tmp_path / "house.toml"
    text = (ROOT / "src" / "punto" / "sheets" / "commission.toml").read_text()
    sheet.write_text(text.replace('id = "commission"', 'id = "house"', 1))
    opening = {
        "kind": "open-table",
        "by": "pit-supervisor:sue",
        "table": "t1",
        "game": str(sheet),
        "decks": 8,
        "layout": "mini-7",
        "minimum_cents": 100,
        "differential_cents": 10_000,
    }
    shown = punto("replay", "-", "--json", given=json.dumps(opening))
    assert json.loads(shown.stdout)["game"] == "house"
    told = punto("replay", "-", given=json.dumps(opening)).stdout
    assert told.rstrip().endswith("\n1 event, 0 commands refused")


def test_neither_command_loads_numbers_it_does_not_need() -> None:
    code = "import sys, punto.cli.main, punto.cli.rule, punto.cli.replay; print({'numpy', 'numba'} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
