"""The commands as a new user tries them, with wrong input too."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from punto.rules.loader import GAMES
from tests.unit.command import ROOT, punto

EXAMPLE = ROOT / "examples" / "insured-banker.json"
RECORD = json.dumps(json.loads(EXAMPLE.read_text()))
REFUSED = json.dumps(json.loads(RECORD) | {"decks": 11})


def test_games_lists_all_five() -> None:
    shown = punto("games")
    assert shown.returncode == 0
    assert all(game in shown.stdout for game in GAMES)
    assert [game["id"] for game in json.loads(punto("games", "--json").stdout)] == list(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_rules_reads_a_sheet(game: str) -> None:
    shown = punto("rules", game)
    assert shown.returncode == 0
    for heading in ("Definitions", "Mode of play", "How to play", "Table of Play", "Settlement", "Irregularities"):
        assert heading in shown.stdout
    data = json.loads(punto("rules", game, "--json").stdout)
    assert data["id"] == game
    assert data["bets"]["player"]["pays"][0]["odds"]
    assert data["paragraphs"]["3.3"]


def test_an_unknown_game_is_named_with_the_one_that_may_be_meant() -> None:
    shown = punto("rules", "easysix")
    assert shown.stderr == "punto: No game or sheet is called 'easysix'. Did you mean easy-six? [game-unknown]\n"


def test_settle_a_record_spread_over_many_lines() -> None:
    assert json.loads(punto("settle", str(EXAMPLE), "--json").stdout)["house"] == -37000


def test_settle_many_lines_with_some_refused() -> None:
    lines = [b"{broken", *map(str.encode, (RECORD, REFUSED)), b"", b'{"game": "\xff"}', RECORD.encode()]
    done = punto("settle", "-", "--json", stdin=b"\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [next(iter(answer)) for answer in answers] == ["refused", "player", "refused", "refused", "player"]
    assert answers[2]["refused"].keys() == {"code", "rule", "message"}
    codes = [answers[place]["refused"]["code"] for place in (0, 2, 3)]
    assert codes == ["unreadable", "decks-not-allowed", "unreadable"]


def test_a_slip_in_a_record_spread_over_many_lines_is_one_refusal() -> None:
    done = punto("settle", "-", "--json", stdin=EXAMPLE.read_text().replace('"decks": 8,', '"decks": 8'))
    assert len(done.stdout.splitlines()) == 1
    assert "line 4" in json.loads(done.stdout)["refused"]["message"]


@pytest.mark.parametrize("columns", ["80", "60", "118"])
def test_no_amount_is_ever_cut(columns: str) -> None:
    record = json.loads(RECORD) | {"limits": None}
    record["bets"][0]["stake"] = 1_234_567_890_123
    record["bets"][3]["patron"] = "a patron whose name is rather long and takes up most of the line"
    for text in (RECORD, json.dumps(record)):
        shown = punto("settle", "-", stdin=text, columns=columns).stdout
        assert "…" not in shown
    # Folded over lines where room is short, but all there.
    assert columns != "118" or "12,345,678,901.23" in shown


def test_a_full_disk_is_a_sentence() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    command = [sys.executable, "-m", "punto", "games"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"punto: Cannot go on: No space left on device. [input-output]\n"


def test_words_of_a_sheet_are_only_words(tmp_path: Path) -> None:
    text = (ROOT / "src" / "punto" / "sheets" / "easy-six.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('"The Table of Play."', '"The [/] [bold]Table of Play."'))
    assert "The [/] [bold]Table of Play." in punto("rules", "mine.toml", cwd=tmp_path).stdout


def test_settle_shows_people_a_table_and_the_line_that_was_refused() -> None:
    done = punto("settle", "-", stdin=f"{RECORD}\n{REFUSED}\n")
    assert done.returncode == 1
    assert "Player 5♥ 6♠ 9♥ = 0" in done.stdout
    assert "Line 2 refused (decks-not-allowed, paragraph 2.2.1)" in done.stdout
    assert "1 settled, 1 refused" in done.stdout


def test_a_patrons_name_is_only_a_name() -> None:
    record = json.loads(RECORD)
    record["bets"][0]["patron"] = record["bets"][1]["patron"] = "[red]ann[/]"
    assert "[red]ann[/]" in punto("settle", "-", stdin=json.dumps(record)).stdout


WRONG = """
settle nowhere.json | file-unreadable
settle src | file-unreadable
settle --jsno | option-unknown
replay nowhere.jsonl | file-unreadable
rule moon | game-unknown
rule commission rain | situation-unknown
rule commission insurance-neglected | situation-unknown
rule commission excess-card --cards 5x | card-unreadable
rule commission technical-interruption --cards "9h 2c Kd 3c 4c" | card-too-many
rule commission excess-card --phase first-window | insurance-closed
rule commission excess-card --cards 9h --phase result | phase-not-reached
rule commission excess-card --cards 9h --phase betting | phase-not-reached
rule commission excess-card --phase tea | phase-unknown
rule commission --cards 9h | situation-missing
odds commission --counts 1 1 1 1 1 0 0 0 0 0 0 0 0 | too-few-cards
odds commission --counts x x x x x x x x x x x x x | counts-invalid
odds commission --removed "6h 10d" | card-unreadable
odds commission --device shuffler --removed 6h | device-option
odds easy-six --decks 111111111111111111111111111111 | decks-out-of-range
odds baccarat | game-unknown
shoe commission --decks 1 --dealt "6h 6h" | card-copies
shoe commission --table "9h Kd Ks 6c 9d" | card-too-many
count commission --bet tiger | bet-not-offered
count commission --cut 2 | cut-invalid
count commission --shoes many | shoes-invalid
count easy-six --shoes 1e30 | shoes-invalid
report commission --out /no/such/folder/report.html | file-unwritable
report commission --out report.pdf | file-unwritable
simulate nonesuch | game-unknown
simulate commission --rounds 1.5 | rounds-invalid
simulate commission --rounds many | rounds-invalid
simulate easy-six --rounds 1e30 | rounds-invalid
simulate commission --decks 11 | decks-out-of-range
simulate commission --cut 2 | cut-invalid
simulate commission --first 1,x | splits-invalid
simulate commission --device shuffler --cut 20 | device-option
simulate commission --device shuffler --burn card | device-option
patron commission --bet nothing | bet-not-offered
patron commission --plan guess | patron-invalid
patron commission --insurance always | patron-invalid
patron commission-insurance --bet tie --insurance always | patron-invalid
patron commission-insurance --insurance nothere.py:f | function-invalid
patron commission --bankroll lots | patron-invalid
patron commission --unit 5000 | patron-invalid
patron easy-six --patrons 1e30 | patron-invalid
patron commission --patrons 20 --rounds 10 --out /nonexistent/x.html | file-unwritable
serve --port 111111111111111111111111111111 | setting-invalid
simulate | usage
bots --patrons 0 | usage
""".strip().splitlines()


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_gets_a_sentence_and_a_code(case: str) -> None:
    words, code = shlex.split(case.partition(" | ")[0]), case.partition(" | ")[2]
    told = punto(*words)
    assert (told.returncode, told.stdout) == (2, "")
    assert re.fullmatch(rf"punto: [^\n]{{10,400}} \[{code}\]\n", told.stderr)
    assert json.loads(punto(*words, "--json").stdout)["refused"]["code"] == code


@pytest.mark.parametrize(
    ("command", "stdin", "code"),
    [
        ("settle", "", "file-empty"),
        ("settle", "\n\n", "file-empty"),
        ("roads", b"\xff\xfe\x00", "file-unreadable"),
        ("replay", "", "file-empty"),
        ("replay", '{"kind":"open-bets","by":"dealer:dan"}', "open-table-missing"),
    ],
)
def test_wrong_standard_input_gets_a_sentence_and_a_code(command: str, stdin: str | bytes, code: str) -> None:
    done = punto(command, "-", stdin=stdin)
    assert (done.returncode, f"[{code}]" in done.stderr) == (2, True)


def test_a_broken_sheet_of_ones_own_is_refused_where_it_is_used(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("id = 7\n")
    done = punto("settle", "-", "--json", stdin=json.dumps(json.loads(RECORD) | {"game": "./mine.toml"}), cwd=tmp_path)
    assert json.loads(done.stdout)["refused"]["code"] == "sheet-invalid"
    assert punto("rules", "mine.toml", cwd=tmp_path).returncode == 2


def test_help_imports_no_rules_and_no_table() -> None:
    program = (
        "import sys\nfrom punto.cli.main import main\nsys.argv = ['punto', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "parts = {name for name in sys.modules if name.startswith('punto.')}\n"
        "print(*sorted(parts), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    light = {"cli", "cli.declare", "cli.help", "cli.main", "cli.output", "extras", "rules", "rules.defaults"}
    light |= {"cli.commands", *[f"cli.commands.{each}" for each in ("figures", "house", "rules")]}
    light |= {"texts", "texts.catalogues", "texts.rendering"}
    assert {name.removeprefix("punto.") for name in done.stderr.split()} <= light


HEAVY = {"numpy", "numba", "altair"}


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (("--help",), HEAVY),
        (("games",), HEAVY),
        (("rules", "commission"), HEAVY),
        (("settle", str(EXAMPLE)), HEAVY),
        (("odds", "da-hu-ying-xiong"), HEAVY - {"numpy"}),
    ],
)
def test_quick_commands_import_no_heavy_package(arguments: tuple[str, ...], heavy: set[str]) -> None:
    program = (
        "import sys\nfrom punto.cli.main import main\n"
        f"sys.argv = ['punto', *{arguments!r}]\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"heavy = {heavy!r} & sys.modules.keys()\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr.decode()
