"""`punto rule` and `punto replay`, as people and programs use them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.cli.narrate import Narrator, describe
from punto.cli.preview import ask
from punto.cli.rule import answer_to, parse_phase
from punto.protocol.codec import parse_event
from punto.rules.cards import parse_cards
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refused
from punto.rules.sheet import Role
from punto.table.act import EVENTS, Event, kind_of
from punto.table.actor import Actor
from punto.table.acts.places import PatronLeft
from punto.table.engine import replay
from punto.table.phases import Phase
from punto.table.rulings.cases import IncidentReported
from punto.table.rulings.situations import situations
from punto.texts import LANGUAGES
from tests.table_kit import sheet_text
from tests.unit.command import punto
from tests.unit.test_protocol_codec import instances

EXAMPLE = Path(__file__).parents[2] / "examples" / "table.jsonl"


# ------------------------------------------------------------------------------------------- rule


@pytest.mark.parametrize("game", GAMES)
def test_rule_lists_every_situation_and_answers_each(game: str) -> None:
    sheet, listed = load(game), json.loads(punto("rule", game, "--json").stdout)
    assert [answer["situation"] for answer in listed] == list(situations(sheet))
    for each in listed:
        answer = answered(each["situation"], game=game)
        assert answer["refused"] is None, "somewhere every situation can be reported"
        for told in (each, answer, *answer["previews"]):
            assert told["says"]
            assert told["decides"]
            assert told["rule"] is None or told["rule"] in sheet.paragraphs


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_rule_speaks_of_every_situation_in_every_phase(game: str, language: str) -> None:
    for situation in situations(load(game)):
        for phase in Phase:
            try:
                answer = answered(situation, phase=phase, game=game, language=language)
            except Refused as error:
                assert error.refusal.code in {"insurance-closed", "phase-not-reached"}
            else:
                assert answer["phase"] == phase
                assert (answer["refused"] is None) == bool(answer["previews"])


def test_rule_shows_whether_an_interrupted_round_is_concluded() -> None:
    void = json.loads(punto("rule", "commission", "technical-interruption", "--cards", "5h Kd", "--json").stdout)
    assert (void["established"], void["rule"]) == (False, "5.4.2")
    go_on = json.loads(punto("rule", "commission", "technical-interruption", "--cards", "5h Kd 6s", "--json").stdout)
    assert (go_on["established"], go_on["rule"]) == (True, "5.4.1")
    assert go_on["decided"] == {"player-pair": "lost"}


def test_rule_shows_the_options_of_patrons() -> None:
    put_right, as_it_is, void = answered("excess-card", "5h Kd")["previews"]
    assert [option["rule"] for option in put_right["options"]] == ["5.12.2", "5.12.3", "5.12"]
    assert [option["rule"] for option in as_it_is["options"]] == ["5.12.1", "5.12.3", "5.12"]
    assert (void["hand"], void["rule"], void["options"]) == ("player", "5.5.3", [])
    put_right, as_it_is, _ = answered("excess-card", "5h Kd 6s")["previews"]
    assert [option["rule"] for option in put_right["options"]] == ["5.7.1"]
    assert [option["rule"] for option in as_it_is["options"]] == ["5.7.1"]


def answered(
    situation: str, cards: str | None = None, phase: str | None = None, game: str = "commission", language: str = "en"
) -> dict[str, Any]:
    given = None if cards is None else parse_cards(cards)
    return answer_to(ask(load(game), situation, given, parse_phase(phase)), language)


def test_rule_does_not_deal_on_in_a_void_round() -> None:
    (void,) = answered("technical-interruption", "5h Kd")["previews"]
    assert [step["rule"] for step in void["steps"]] == [None, "5.4.2", "5.15", "5.15", None]
    assert "second person" in void["steps"][0]["says"]
    assert "next card" not in " ".join(step["says"] for step in void["steps"])
    (go_on,) = answered("technical-interruption", "5h Kd 6s")["previews"]
    assert "The next card goes to Banker" in go_on["steps"][-1]["says"]


@pytest.mark.parametrize(
    ("situation", "phase", "says", "rule"),
    [
        ("technical-interruption", "betting", "No bet is decided yet: the round is void", "5.4.2"),
        ("simultaneous-cards", "between-rounds", "The sheet is silent: the table is held", "5.17"),
        ("below-minimum", "betting", "Before the close the patron raises or withdraws the bet", "5.2"),
        ("below-minimum", "result", "It was seen too late", "5.2.1"),
        ("foreign-card", "between-rounds", "No round is under way: there is nothing to void", "5.5.1"),
    ],
)
def test_rule_shows_the_effects_in_the_phase(situation: str, phase: str, says: str, rule: str) -> None:
    answer = answered(situation, phase=phase)
    assert answer["refused"] is None
    assert (answer["says"][: len(says)], answer["rule"]) == (says, rule)


def test_rule_lists_the_decisions_where_the_sheet_is_silent() -> None:
    (in_play,) = answered("anything-else", "5h Kd")["previews"]
    assert in_play["steps"] == [
        {
            "says": "The decision may be: Void the round, Continue, Give the options, Reconstruct, Return named bets, "
            "Pay named bets at named odds, Pay a patron an amount, Take an amount from a patron.",
            "rule": "5.17",
        }
    ]
    (settled,) = answered("anything-else", phase="between-rounds")["previews"]
    assert "Void" not in settled["steps"][0]["says"]


def test_rule_previews_insurance_that_was_neglected() -> None:
    answer = answered("insurance-neglected", game="da-hu-ying-xiong")
    assert answer["facts"] == ["window", "claims"]
    assert "Meant to insure" in answer["previews"][0]["steps"][1]["says"]


def test_rule_reads_well() -> None:
    shown = punto("rule", "easy-six", "excess-card", "--cards", "9h 2c Kd 3c").stdout
    assert "The sheet is silent" in shown
    assert "the Table Game Shift Manager" in shown
    assert "5.1.2" in shown


# ------------------------------------------------------------------------------------------- replay


def test_replay_plays_the_example() -> None:
    shown = punto("replay", str(EXAMPLE))
    assert shown.returncode == 1, "one command of the example is refused"
    assert "   9  refused patron:bo: Bets closed with “No more Bets”" in shown.stdout
    assert "Settled: House −17" in shown.stdout
    assert shown.stdout.rstrip().endswith("events, 1 command refused")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=5, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_event_has_a_description(kind: type[Event], language: str, data: st.DataObject) -> None:
    sheet, event = load("commission-insurance"), data.draw(instances(kind))
    if isinstance(event, IncidentReported):
        event = replace(event, situation="excess-card")
    for told in Narrator(sheet, language).describe(event):
        assert told.says
        assert not set("{}[]") & set(told.says)
    assert list(describe(event, sheet, language))


def test_text_from_people_is_not_markup() -> None:
    left = PatronLeft(Actor("dan", Role.DEALER), "[bold]ann[/]\n", None)
    assert list(describe(left, load("commission"), "en")) == [r"\[bold]ann\[/]\n leaves"]


def test_replay_writes_the_log_for_machines() -> None:
    lines = punto("replay", str(EXAMPLE), "--json").stdout.splitlines()
    refused = [json.loads(line) for line in lines if line.startswith('{"line"')]
    assert [(each["line"], each["refused"]["code"]) for each in refused] == [(9, "bets-closed")]
    log = [parse_event(line) for line in lines if not line.startswith('{"line"')]
    assert replay(load("da-hu-ying-xiong"), log).phase is Phase.BETWEEN_ROUNDS


def test_replay_plays_nothing_of_a_file_with_a_bad_line() -> None:
    good = EXAMPLE.read_text()
    bad = good + '{"kind":"fly","by":"dealer:dan"}\n\nnot json\n{"kind":"deal","by":"dealer:dan","cards":"9h"}\n'
    shown = punto("replay", "-", stdin=bad)
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert [line.split(":")[1].strip() for line in shown.stderr.splitlines()[:3]] == ["line 20", "line 22", "line 23"]
    assert "nothing was played" in shown.stderr
    machine = punto("replay", "-", "--json", stdin=bad)
    codes = [json.loads(line)["refused"]["code"] for line in machine.stdout.splitlines()]
    assert codes == ["command-unknown", "unreadable", "field-unknown"]


def test_replay_takes_a_sheet_by_its_path(tmp_path: Path) -> None:
    sheet = tmp_path / "house.toml"
    sheet.write_text(sheet_text("commission", ('id = "commission"', 'id = "house"')))
    settings = {"table": "t1", "decks": 8, "minimum_cents": 2_500, "differential_cents": 100_000, "layout": "mini-7"}
    command = {"kind": "open-table", "by": "pit-supervisor:sue", "game": str(sheet), "settings": settings}
    shown = punto("replay", "-", "--json", stdin=json.dumps(command))
    assert json.loads(shown.stdout)["game"] == "house"
    told = punto("replay", "-", stdin=json.dumps(command)).stdout
    assert told.rstrip().endswith("\n1 event, 0 commands refused")
