"""Commands speak the language that was asked for; programs get English whatever it was."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from punto.analysis.compiled import say_once
from punto.cli.declare import PURPOSES
from punto.cli.help import in_language
from punto.cli.main import app
from punto.cli.output import LANGUAGE, language_of
from punto.rules.loader import GALLERY, GAMES
from tests.unit.command import punto

ENGLISH = "punto: A shoe cannot have 11 decks; it has 1 to 10. [decks-out-of-range]\n"
CHINESE = "punto: 牌靴不能有 11 副牌；应为 1 至 10 副。 [decks-out-of-range]\n"
WRONG = ("odds", "commission", "--decks", "11")


def test_a_refusal_is_said_in_the_language_asked_for() -> None:
    assert punto(*WRONG) == (2, "", ENGLISH)
    assert punto(*WRONG, "--lang", "zh-Hans") == (2, "", CHINESE)
    assert punto("--lang", "zh-Hans", *WRONG) == (2, "", CHINESE)
    assert punto(*WRONG, lang="zh_CN.UTF-8") == (2, "", CHINESE)
    assert punto(*WRONG, "--lang", "en", lang="zh_CN.UTF-8") == (2, "", ENGLISH)


def test_sheets_are_compared_in_words() -> None:
    _, english, _ = punto("compare", "commission", "easy-six")
    _, chinese, _ = punto("compare", "commission", "easy-six", "--lang", "zh-Hans")
    assert "Pit Supervisor: Someone" in english
    assert not re.search("pro-rata|raise-or-withdraw|dealer:", english)
    assert not re.search("[a-z]-[a-z]|dealer", chinese)


def test_programs_get_the_english_sentence() -> None:
    _, out, err = punto(*WRONG, "--json", "--lang", "zh-Hans")
    message = "A shoe cannot have 11 decks; it has 1 to 10."
    assert json.loads(out) == {"refused": {"code": "decks-out-of-range", "rule": None, "message": message}}
    assert err == ""


def test_a_language_without_a_catalogue_is_refused() -> None:
    _, out, _ = punto(*WRONG, "--json", "--lang", "fr")
    refused = json.loads(out)["refused"]
    assert refused["code"] == "usage"
    assert "zh-Hans" in refused["message"]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_SG"}, "zh-Hans"),
    ],
    ids=str,
)
def test_the_environment_names_a_language(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_the_line_that_was_refused_is_named_in_the_language_asked_for(tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text('{"game": "nothing"}\n{}\n')
    assert "Line 1 refused (" in punto("settle", str(records)).stdout
    assert "第 1 行被拒绝（" in punto("settle", str(records), "--lang", "zh-Hans").stdout


UNKNOWN = "There is no command oods; `punto --help` lists them. Did you mean odds?"


@pytest.mark.parametrize(
    ("words", "english", "chinese"),
    [
        ("odds", "GAME needs a value.", "GAME 须有值。"),
        ("oods", UNKNOWN, "没有命令 oods；`punto --help` 列出全部。是否想用 odds？"),
        ("odds commission easy-six", "This is too much: easy-six.", "多余：easy-six。"),
        ("odds commission --decks x", "--decks cannot be x.", "--decks 不能是 x。"),
        (
            "odds commission --dekcs 8",
            "There is no option --dekcs. Did you mean --decks?",
            "没有选项 --dekcs。是否想用 --decks？",
        ),
        ("odds commission --decks 2 --decks 3", "--decks is given twice.", "--decks 给出了两次。"),
        (
            "odds commission --device x",
            "--device cannot be x. There are card-shoe, shuffler.",
            "--device 不能是 x。可用：card-shoe、shuffler。",
        ),
        (
            "simulate commission --threads 0",
            "--threads cannot be 0. It has 1 to 256.",
            "--threads 不能是 0。应为 1 至 256。",
        ),
    ],
)
def test_wrong_words_are_refused_in_the_language_asked_for(words: str, english: str, chinese: str) -> None:
    assert punto(*words.split()) == (2, "", f"punto: {english} [usage]\n")
    assert punto(*words.split(), lang="zh_CN.UTF-8") == (2, "", f"punto: {chinese} [usage]\n")
    status, out, err = punto(*words.split(), "--json", lang="zh_CN.UTF-8")
    assert (status, err) == (2, "")
    assert json.loads(out)["refused"] == {"code": "usage", "rule": None, "message": english}


def test_waiting_for_compiled_loops_is_said_in_the_language_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    say_once.cache_clear()
    token = LANGUAGE.set("zh-Hans")
    say_once("compiling-loops")
    LANGUAGE.reset(token)
    say_once.cache_clear()
    assert capsys.readouterr().err == "punto: 正在编译循环（仅一次）\n"


SHORTER = {"1e8": "1e5", "1e4": "20", "examples/moon.toml": "easy-six"}
"""Examples that would take long, or whose sheet is in English alone."""
NOT_RUN = {"academy", "completion", "report", *PURPOSES["A house"], *PURPOSES["Its records"]}
NAMES = {"Bean", "Mini", "Baccarat", "bean-9", "bean-7", "mini-7", "ann", "Etg", "numba", "never"}
NAMES |= {"punto", "rules", "settle", *GAMES, *GALLERY, *[each.removeprefix("gallery/") for each in GALLERY]}
"""Names of table tops, patrons, tables, engines, policies, commands and games."""
TYPED = re.compile(r"`[^`]*`|--[a-z-]+|[a-z-]+:[a-z]+|（[a-z-]+，¶|[0-9a-f]{64}|SHA-256")
"""What a reader types or finds as it is in records: commands, actors, codes and hashes."""
ENGLISH_WORD = re.compile(r"[A-Za-z][\w/-]*[a-z]{2}[\w/-]*", re.ASCII)


@pytest.mark.parametrize(
    "example", [each for some in PURPOSES.values() for name, each in some.items() if name not in NOT_RUN]
)
def test_an_example_speaks_no_english_in_chinese(example: str) -> None:
    words = [SHORTER.get(word, word) for word in shlex.split(example)[1:]]
    _, out, err = punto(*words, "--lang", "zh-Hans", columns="300")
    assert set(ENGLISH_WORD.findall(TYPED.sub("", out + err))) <= {*words, *NAMES}


# ------------------------------------------------------------------------------------------- help


def test_every_command_has_a_purpose_and_an_example_that_can_be_read() -> None:
    examples = {name: example for some in PURPOSES.values() for name, example in some.items()}
    assert set(examples) == {name for name in app if not name.startswith("-")}
    for name, example in examples.items():
        words = shlex.split(example)
        assert words[:2] == ["punto", name]
        app.parse_args(words[1:], exit_on_error=False, print_error=False)


def test_the_help_is_there_in_chinese() -> None:
    arguments = [each for name in examples_of() for each in app[name].assemble_argument_collection() if each.show]
    labels = {"Usage", "Arguments", "Parameters", "Commands", "Example", "choices", "default", "required"}
    said = {each.parameter.help for each in arguments} | set(PURPOSES) | labels
    token = LANGUAGE.set("zh-Hans")
    try:
        assert [words for words in said if words and in_language(words) == words] == []
    finally:
        LANGUAGE.reset(token)


def examples_of() -> list[str]:
    return [name for name in app if not name.startswith("-")]


@pytest.mark.parametrize(
    "words", [["--lang", "zh-Hans", "--help"], ["odds", "--help", "--lang=zh-Hans"], ["odds", "-h"]]
)
def test_help_speaks_the_language_that_is_asked_for(words: list[str]) -> None:
    command = [sys.executable, "-m", "punto", *words]
    environment = os.environ | {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, encoding="utf-8")
    chinese = "zh-Hans" in " ".join(words)
    assert ("选项" in done.stdout, "Parameters" in done.stdout) == (chinese, not chinese)
    assert ("Price every bet" in done.stdout) is (words == ["odds", "-h"])
    if words[0] == "odds":
        assert "punto odds da-hu-ying-xiong --decks 8" in done.stdout
