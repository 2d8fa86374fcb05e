"""The examples of the pages do what the pages say."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import punto as library
from hatch_build import project
from punto.cli.main import app
from punto.rules.notation import parse_record, read_line, write_line
from tests.docs.pages import PAGES, blocks, every_block
from tests.unit.command import ROOT, punto

CONSOLE = every_block("console")
PLAYED_ELSEWHERE = ("api.md", "tutorials/operator.md")
"""Pages whose Python needs a server: tests/web/test_client.py and test_tutorials.py."""


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, as a reader has; whatever an example writes goes there."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("example", CONSOLE)
def test_commands_print_the_documented_output(example: str, folder: Path) -> None:
    command, _, expected = CONSOLE[example].removeprefix("$ ").partition("\n")
    words = shlex.split(command)
    assert words[0] == "punto"
    assert trimmed(punto(*words[1:], cwd=folder).stdout) == trimmed(expected)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python") and page not in PLAYED_ELSEWHERE])
@pytest.mark.usefixtures("folder")
def test_python_runs(page: str) -> None:
    """The Python of a page is one session: a dialogue gives the answers shown; a program runs."""
    names: dict[str, object] = {"__name__": "__main__"}
    for place, block in enumerate(blocks(page, "python")):
        session = doctest.DocTestParser().get_doctest(block, names, f"{page}[{place}]", None, 0)
        if session.examples:
            assert doctest.DocTestRunner().run(session, clear_globs=False).failed == 0
            names = session.globs
        else:
            exec(compile(block, f"{page}[{place}]", "exec"), names)  # noqa: S102 — our own page


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_are_only_shown_can_be_read(page: str) -> None:
    """The lines of `sh` blocks are not run, but every command and option in them exists."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for part in line.split("|"):
                words = shlex.split(part, comments=True)
                if words[:1] == ["punto"]:
                    arguments = words[1 : words.index(">")] if ">" in words else words[1:]
                    plain = [word for word in arguments if word not in ("--lang", "zh-Hans", "en")]
                    app.parse_args(plain, exit_on_error=False, print_error=False)


def test_the_dialogue_of_the_library_page_is_typed(tmp_path: Path) -> None:
    """Type checkers see what the front door gives, though it is loaded late."""
    examples = doctest.DocTestParser().get_examples(blocks("library.md", "python")[0])
    file = tmp_path / "dialogue.py"
    file.write_text("".join([example.source for example in examples]) + "reveal_type(punto.roads('B'))\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "pyproject.toml", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "Success: no issues found" in done.stdout, done.stdout
    assert 'Revealed type is "punto.roads.roads.Roads"' in done.stdout


def test_a_program_that_uses_every_public_name_runs() -> None:
    """`make check` types it, as it does all tests."""
    program = ROOT / "tests" / "data" / "every_name.py"
    text = program.read_text()
    assert {name for name in library.__all__ if f"punto.{name}" not in text} == set()
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_records_in_the_notation_page_read() -> None:
    records = [json.loads(block) for block in blocks("notation.md", "json")]
    games = [record for record in records if "game" in record]
    assert games
    for record in games:
        parse_record(json.dumps(record))
    lines = [
        line for block in blocks("notation.md", "rounds") for line in block.splitlines() if line and line[0] != "#"
    ]
    assert lines
    for line in lines:
        assert write_line(read_line(line)) == line


def test_links_between_pages_lead_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_links_of_the_readme_work_on_a_package_index() -> None:
    text = project("https://example.org/punto", "1.2.3")["readme"]["text"]
    links = re.findall(r"\]\(([^)]+)\)|<img src=\"([^\"]+)", text)
    assert len(links) > 20
    assert all((link or image).startswith("https://example.org/punto/") for link, image in links)
    assert project("", "1.2.3") == {
        "readme": {"content-type": "text/markdown", "text": (ROOT / "README.md").read_text(encoding="utf-8")},
        "urls": {},
    }


def test_the_functions_of_the_simulation_page_work(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(blocks("simulation.md", "python")[1])

    def insured(*words: str) -> int:
        game, few = "commission-insurance", ("--patrons", "64", "--rounds", "50", "--json")
        shown = punto("patron", game, "--plan", "mine.py:stake", *words, *few, cwd=tmp_path)
        return int(json.loads(shown.stdout)["insurance"]["staked_cents"])

    assert 0 < insured("--insurance", "mine.py:insure") < insured("--insurance", "always")
