"""The command in a terminal: narrow windows, readers that leave, Ctrl-C, absurd sizes, and completion."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from punto.cli.main import app
from tests.e2e.command import ROOT, punto

NARROW, WIDE = "40", "200"
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


@pytest.mark.parametrize("command", USUAL, ids=" ".join)
def test_a_narrow_window_cuts_no_word_and_overflows_nowhere(command: tuple[str, ...]) -> None:
    narrow, wide = punto(*command, columns=NARROW), punto(*command, columns=WIDE)
    assert narrow.returncode == wide.returncode
    for line in narrow.stdout.splitlines():
        assert len(line.rstrip()) <= int(NARROW), line
    hashes = re.compile(r"\b[0-9a-f]{12,}\b")
    assert words(hashes.sub("", narrow.stdout)) <= words(hashes.sub("", wide.stdout)) | {"If"}


@pytest.mark.parametrize("command", [("settle", "-"), ("settle", "-", "--json"), ("roads", "-", "--json")], ids=" ".join)
def test_a_reader_that_leaves_ends_the_command_quietly(command: tuple[str, ...]) -> None:
    record = json.dumps(json.loads((ROOT / "examples" / "insured-banker.json").read_text(encoding="utf-8")))
    start = [sys.executable, "-m", "punto", *command]
    with subprocess.Popen(start, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        lines = f"{record}\n" * 3000
        subprocess.run([sys.executable, "-c", "import sys; sys.exit(0)"], check=True)
        process.stdout.close()  # as `head` does once it has seen enough
        try:
            process.stdin.write(lines.encode())
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended already
        said = process.stderr.read()
    assert said == b""
    assert process.returncode in (0, 1)


INTERRUPTING = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from punto.__main__ import main
sys.argv = ["punto", *sys.argv[2:]]
main()
"""


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("punto.extras", ("games",)),
        ("punto.rules.refusals", ("games",)),
        ("cyclopts", ("games",)),
        ("punto.cli.main", ("games", "--json")),
        ("rich.table", ("games",)),
        ("numpy", ("odds", "easy-six")),
        ("numba", ("count", "easy-six")),
        ("punto.simulation.kernel", ("simulate", "easy-six")),
        ("punto.service.house", ("serve", "--database", "memory:")),
        ("punto.client.bots", ("bots",)),
    ],
)
def test_ctrl_c_while_something_is_imported_gives_one_line(module: str, command: tuple[str, ...]) -> None:
    start = [sys.executable, "-c", INTERRUPTING, module, *command]
    done = subprocess.run(start, capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {"LANG": "C"})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "punto: Stopped.\n")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("count", "easy-six", "--shoes", "1e30"), "shoes-invalid"),
        (("count", "easy-six", "--shoes", "1e99"), "shoes-invalid"),
        (("count", "easy-six", "--cut", "1" * 30), "shoes-invalid"),
        (("simulate", "easy-six", "--rounds", "1e30"), "rounds-invalid"),
        (("simulate", "easy-six", "--rounds", "1e99"), "rounds-invalid"),
        (("simulate", "easy-six", "--threads", "1" * 30), "threads-invalid"),
        (("patron", "easy-six", "--patrons", "1e30"), "patron-invalid"),
        (("patron", "easy-six", "--bankroll", "9" * 30), "patron-invalid"),
        (("odds", "easy-six", "--decks", "1" * 30), "decks-out-of-range"),
        (("bots", "--patrons", "1" * 30), "patrons-invalid"),
        (("bots", "--seconds", "1" * 30), "seconds-invalid"),
        (("serve", "--port", "1" * 30), "port-invalid"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_an_absurd_size_is_refused_with_a_sentence(command: tuple[str, ...], code: str) -> None:
    done = punto(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"punto: [^\n]{{10,180}} \[{code}\]\n", done.stderr), done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_command_and_option(shell: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = os.environ | {"HOME": str(home), "SHELL": f"/bin/{shell}", "LANG": "C"}
    start = [sys.executable, "-m", "punto", "--install-completion", "--shell", shell]
    done = subprocess.run(start, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    scripts = [file.read_text(encoding="utf-8") for file in home.rglob("*") if file.is_file()]
    script = max(scripts, key=len)
    for command in (name for name in app if not name.startswith("-")):
        assert command in script
    for option in ("--insurance", "--standing-order", "--lang"):
        assert option.removeprefix("--") in script
