"""Settlements as text: laid out fast where they fit, and exactly as rich would."""

from __future__ import annotations

import json

import pytest

from benchmarks.bench_settle import records
from punto.cli.output import LANGUAGE, console
from punto.cli.settle import settle_record
from punto.cli.settlement_text import SettlementWriter
from punto.rules.settlement import Settlement

LINES = [
    *records(60),
    json.dumps(
        {
            "game": "commission",
            "cards": "6h 2d Ks 3c 4c",
            "bets": [
                {"box": 1, "patron": "[red]安娜[/] win", "on": "banker", "stake": 1_234_567_89},
                {"box": 2, "patron": "win", "on": "tie", "stake": 100},
            ],
        }
    ),
]


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("width", [118, 72, 40])
def test_both_layouts_are_the_same(
    language: str, width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    token = LANGUAGE.set(language)
    writer, folding = SettlementWriter(console()), SettlementWriter(console())
    monkeypatch.setattr(folding, "_write_fast", lambda *_: False)
    for line in LINES:
        record, answer = settle_record(line)
        assert record is not None
        assert isinstance(answer, Settlement)
        writer.write(record, answer)
        written = capsys.readouterr().out
        folding.write(record, answer)
        assert written == capsys.readouterr().out
    LANGUAGE.reset(token)


def test_a_terminal_gets_colours(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    record, answer = settle_record(LINES[-1])
    assert record is not None
    assert isinstance(answer, Settlement)
    SettlementWriter(console()).write(record, answer)
    written = capsys.readouterr().out
    assert "\x1b[32mwin\x1b[0m " in written
    assert "  2  win  " in written
    assert "\x1b[31m6♥\x1b[0m" in written
    monkeypatch.setenv("NO_COLOR", "1")
    SettlementWriter(console()).write(record, answer)
    assert "\x1b[3" not in capsys.readouterr().out
