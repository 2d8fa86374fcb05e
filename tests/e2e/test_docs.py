"""What the documents show is what the program does."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from punto.analysis.composition import ShoeCode
from punto.cli.main import app
from punto.rules.notation import parse_record, read_line, write_line
from punto.rules.refusals import RecordCode
from punto.service.refusals import code_table as house_codes
from punto.simulation.shoe import SimulationCode
from tests.e2e.command import ROOT, punto

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), flags=re.DOTALL | re.MULTILINE)


EXAMPLES = [(page.name, block) for page in PAGES for block in blocks(page, "console")]


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize(
    ("page", "block"), EXAMPLES, ids=[f"{name}: {block.splitlines()[0]}" for name, block in EXAMPLES]
)
def test_examples_run(page: str, block: str) -> None:
    command, _, expected = block.removeprefix("$ ").partition("\n")
    words = shlex.split(command)
    assert words[0] == "punto", f"{page}: {command}"
    done = punto(*words[1:])
    assert trimmed(done.stdout) == trimmed(expected)


def test_there_are_examples_in_the_readme() -> None:
    assert sum(name == "README.md" for name, _ in EXAMPLES) >= 2


def test_every_command_is_documented() -> None:
    documented = "\n".join(page.read_text() for page in PAGES)
    commands = [name for name in app if not name.startswith("-")]
    assert commands
    for name in commands:
        assert re.search(rf"(`|\$ |^)punto {name}\b", documented, flags=re.MULTILINE), f"punto {name} is not documented"


def test_the_refusal_codes_are_documented_as_they_are() -> None:
    page = (ROOT / "docs" / "refusals.md").read_text()
    for codes in ([*RecordCode], [*ShoeCode, *SimulationCode]):
        assert "".join(f"| `{code}` | {code.meaning} |\n" for code in codes) in page


def test_the_refusals_of_the_house_are_documented_as_they_are() -> None:
    assert house_codes() in (ROOT / "docs" / "service.md").read_text()


def test_records_in_the_notation_page_read() -> None:
    page = ROOT / "docs" / "notation.md"
    records = [json.loads(block) for block in blocks(page, "json")]
    games = [record for record in records if "game" in record]
    assert games
    for record in games:
        parse_record(json.dumps(record))
    lines = [line for block in blocks(page, "rounds") for line in block.splitlines() if line and line[0] != "#"]
    assert lines
    for line in lines:
        assert write_line(read_line(line)) == line


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_python_in_the_readme_runs() -> None:
    programs = blocks(ROOT / "README.md", "python")
    assert programs
    for program in programs:
        exec(compile(program, "README.md", "exec"), {})  # noqa: S102 — our own page
