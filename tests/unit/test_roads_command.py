"""`punto roads` as its users meet it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.command import punto

EXAMPLES = Path(__file__).parents[2] / "examples"
BANKER, PLAYER, TIE = "2h Kd Ks 7c 4d = B 6-7", "9h Kd Ks 7c", "9h 9d Ks Kc"


def test_draws_all_five_roads_and_says_what_next_hand_rows_are() -> None:
    status, out, _ = punto("roads", str(EXAMPLES / "shoe.txt"))
    assert status == 0
    for name in ("Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig", "Next hand"):
        assert name in out
    assert "tradition, not information" in out


def test_reads_comments_blank_lines_and_rounds_without_a_result() -> None:
    text = f"# shoe 12\n\n{BANKER}  # after the shuffle\n{PLAYER}\n   \n  # a break\n{TIE}\n"
    status, out, _ = punto("roads", "-", "--json", stdin=text)
    assert status == 0
    assert [cell["colour"] for cell in json.loads(out)["roads"]["bead_plate"]] == ["red", "blue", "green"]


def test_reads_records_and_their_answers(tmp_path: Path) -> None:
    cards = ["5h Kd 6s 6c 9h", "9h Kd Ks 7c", "2h Kd Ks 7c 4d", "6h 2d Kh 3d Th"]
    records = "".join(json.dumps({"game": "commission", "cards": each, "bets": []}) + "\n" for each in cards)
    _, from_records, _ = punto("roads", "-", "--json", stdin=records)
    beads = json.loads(from_records)["roads"]["bead_plate"]
    assert [cell["colour"] for cell in beads] == ["red", "blue", "red", "blue"]
    file = tmp_path / "rounds.jsonl"
    file.write_text(records)
    _, answers, _ = punto("settle", str(file), "--json")
    assert punto("roads", "-", "--json", stdin=answers)[1] == from_records
    assert punto("roads", "-", "--json", stdin="\n".join(cards))[1] == from_records


def test_reads_one_record_spread_over_many_lines() -> None:
    status, out, _ = punto("roads", str(EXAMPLES / "insured-banker.json"), "--json")
    assert (status, json.loads(out)["rounds"]) == (0, 1)


def test_writes_svg_to_a_file_or_to_output(tmp_path: Path) -> None:
    file = tmp_path / "roads.svg"
    status, out, _ = punto("roads", "-", "--svg", str(file), "--lang", "zh-Hans", stdin=BANKER)
    assert status == 0
    assert out == f"{file}：1 局的路单\n"
    drawing = file.read_text(encoding="utf-8")
    assert drawing.startswith("<svg ")
    assert "庄" in drawing
    assert punto("roads", "-", "--svg", "-", "--lang", "zh-Hans", stdin=BANKER)[1] == drawing


WRONG = [
    # what is read, the code, and what the sentence must say
    (f"{BANKER}\n\n5h Kd 6s", "card-missing", "standard input, line 3: Card 4 is missing"),
    (f"# shoe\n{BANKER}\n10h Kd Ks 7c", "card-unreadable", "line 3: Card 1, '10h'"),
    ("9h Kd Ks 7c 2d", "card-too-many", "line 1: Card 5, 2d, is one too many"),
    ("9h Kd Ks 7c = B 9-7", "result-mismatch", "line 1: The result is given as 'B 9-7', but the cards give 'P 9-7'"),
    (f'{BANKER}\n{{"game": "commission"', "unreadable", "line 2: The record is not JSON"),
    ('{"game": "commission", "bets": []}', "field-missing", "line 1: cards is missing"),
    ('{"game": "commission", "cards": "9h Kd", "bets": []}', "card-missing", "line 1: Card 3 is missing"),
    (f'{BANKER}\n{{"refused": {{}}}}', "unreadable", "line 2: This round was refused"),
    ('{"player": 1, "banker": 2}', "field-type", "line 1: player must be an object"),
    (
        '{"player": {"cards": ["9h"]}, "banker": {"cards": []}}',
        "card-missing",
        "line 1: Card 2 is missing; it goes to B",
    ),
    (
        '{"player": {"cards": ["9h", "Kd"]}, "banker": {"cards": ["2h", "Ks"]}, "result": "tie"}',
        "result-mismatch",
        "line 1: The result is given as 'tie', but the cards give 'player'",
    ),
    ("BBPX", "card-unreadable", "line 1: Card 1, 'BBPX'"),
    ("# nothing yet\n\n", "file-empty", "standard input holds no round"),
]


@pytest.mark.parametrize(("text", "code", "sentence"), WRONG)
def test_names_the_wrong_line_and_the_reason(text: str, code: str, sentence: str) -> None:
    status, out, err = punto("roads", "-", stdin=text)
    assert (status, out) == (2, "")
    assert sentence in err
    assert f"[{code}]" in err
    status, out, _ = punto("roads", "-", "--json", stdin=text)
    assert (status, json.loads(out)["refused"]["code"]) == (2, code)


def test_refuses_files_it_cannot_read_or_write(tmp_path: Path) -> None:
    assert "[file-unreadable]" in punto("roads", str(tmp_path / "none.txt"))[2]
    assert "[file-unreadable]" in punto("roads", str(tmp_path))[2]
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe9h")
    assert "not UTF-8" in punto("roads", str(tmp_path / "latin.txt"))[2]
    assert "[file-unwritable]" in punto("roads", "-", "--svg", str(tmp_path / "no" / "r.svg"), stdin=BANKER)[2]


def test_refuses_to_write_two_things_to_one_output() -> None:
    status, out, _ = punto("roads", "-", "--svg", "-", "--json", stdin=BANKER)
    assert (status, json.loads(out)["refused"]["code"]) == (2, "output-twice")
