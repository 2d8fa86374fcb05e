"""The command in a terminal: narrow windows, readers that leave, Ctrl-C, absurd sizes, and completion."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from punto.cli.main import app
from tests.unit.command import ROOT, punto

WIDE, *NARROW = "200", "40", "60", "80"
USUAL = (
    ("games",),
    ("rules", "commission-insurance"),
    ("rules", "da-hu-ying-xiong"),
    ("check-sheet", "examples/moon.toml"),
    ("check-sheet", "examples/moon-draft.toml"),
    ("settle", "examples/insured-banker.json"),
    ("rule", "commission"),
    ("rule", "commission", "excess-card", "--cards", "5h Kd"),
    ("replay", "examples/table.jsonl"),
    ("roads", "examples/shoe.txt"),
    ("verify-shoe", "examples/opened-shoe.json"),
    ("odds", "da-hu-ying-xiong"),
    ("odds", "easy-six", "--removed", "6h 6d"),
    ("shoe", "commission-insurance", "--dealt", "6h 6d 7s", "--table", "5h Kd Ks 6c"),
    ("count", "commission", "--bet", "tie", "--shoes", "64"),
    ("count", "commission-insurance", "--bet", "banker-insurance", "--shoes", "64"),
    ("simulate", "commission", "easy-six", "--rounds", "1e4"),
    ("patron", "easy-six", "--patrons", "64", "--rounds", "50"),
)
VARYING = re.compile(r"[\d.,]+ s:|[\d.,]+ \w+ rounds a second|[\d.,]+")
"""What differs from run to run or is no word."""


def words(output: str) -> set[str]:
    """The words of an output, without what a table is drawn with."""
    return set(re.findall(r"[^\W\d_][^\W\d_'’-]*", VARYING.sub(" ", output)))


HASH = re.compile(r"\b[0-9a-f]{12,}\b(\s+[0-9a-f]+\b)?")
NOTICE = {"newest", "of", "columns"}
"""Said of a road that does not fit."""


@pytest.mark.parametrize("command", USUAL, ids=" ".join)
def test_a_narrow_window_cuts_no_word_and_overflows_nowhere(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = {}
    monkeypatch.chdir(ROOT)
    for width in (WIDE, *NARROW):
        monkeypatch.setenv("COLUMNS", width)
        with contextlib.suppress(SystemExit):
            app.meta(list(command), exit_on_error=False)
        shown[width] = capsys.readouterr().out
    for width in NARROW:
        for line in shown[width].splitlines():
            assert len(line.rstrip()) <= int(width), line
        assert words(HASH.sub("", shown[width])) <= words(HASH.sub("", shown[WIDE])) | NOTICE


READ = (("settle", "-"), ("settle", "-", "--json"), ("roads", "-", "--json"))


@pytest.mark.parametrize("command", READ, ids=" ".join)
def test_a_reader_that_leaves_ends_the_command_quietly(command: tuple[str, ...]) -> None:
    record = json.dumps(json.loads((ROOT / "examples" / "insured-banker.json").read_text(encoding="utf-8")))
    start = [sys.executable, "-m", "punto", *command]
    with subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        lines = f"{record}\n" * 3000
        process.stdout.close()  # as `head` does once it has seen enough
        with contextlib.suppress(BrokenPipeError):  # it may have ended already
            process.stdin.write(lines.encode())
            process.stdin.close()
        said = process.stderr.read()
    assert said == b""
    assert process.returncode in (0, 1)


INTERRUPTING = """
import sys

class Interrupting:
    waiting = {sys.argv.pop(1)}

    def find_spec(self, name, path=None, target=None):
        if name in self.waiting:
            self.waiting.clear()
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from punto.__main__ import main
main()
"""
"""Runs `punto` as if Ctrl-C were pressed at the moment when a module is first looked for."""


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("punto.extras", ("games",)),
        ("punto.cli.main", ("games", "--json")),
        ("rich.table", ("games",)),
        ("numpy", ("odds", "easy-six")),
        ("numba", ("count", "easy-six", "--shoes", "1")),
    ],
)
def test_ctrl_c_while_something_is_imported_gives_one_line(module: str, command: tuple[str, ...]) -> None:
    start = [sys.executable, "-c", INTERRUPTING, module, *command]
    done = subprocess.run(start, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {"LANG": "C"})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "punto: Stopped.\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command_and_option(shell: str) -> None:
    script = punto("completion", shell).stdout
    for command in (name for name in app if not name.startswith("-")):
        assert re.search(rf"\b{command}\b", script), f"{command} is not completed in {shell}"
    for option in ("insurance", "standing-order", "conclude-or-void", "lang"):
        assert option in script


COMPLETE = """
source "$1"
COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); COMPREPLY=()
_punto punto "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
echo "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (("si",), "simulate"),
        (("verify",), "verify-shoe"),
        (("serve", "--standing-order", ""), "conclude-or-void void hold"),
        (("odds", "--dec"), "--decks"),
    ],
    ids=str,
)
def test_bash_completes(typed: tuple[str, ...], completed: str, tmp_path: Path) -> None:
    script = tmp_path / "punto"
    script.write_text(punto("completion", "bash").stdout, encoding="utf-8")
    command = ["bash", "--norc", "-c", COMPLETE, "bash", str(script), "punto", *typed]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == completed
