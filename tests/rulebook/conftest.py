"""What all tests of the rulebook share."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from punto.cli.commands.rules import Replay
from punto.cli.replay import run
from punto.protocol.codec import to_data, to_json
from punto.rules.refusals import Refusal
from tests.table_kit import Play


@pytest.fixture(autouse=True)
def through_replay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Every table that a test plays is played again by `punto replay`, which must show the same.

    So each paragraph that is shown at a table is shown through the command too.
    """
    plays: list[Play] = []
    begin = Play.__init__

    def noted(play: Play, *arguments: Any, **settings: Any) -> None:
        plays.append(play)
        begin(play, *arguments, **settings)

    monkeypatch.setattr(Play, "__init__", noted)
    yield
    for play in plays:
        if play.given and not play.altered:
            assert replayed(play, tmp_path / "commands.jsonl") == answers(play)


def replayed(play: Play, file: Path) -> list[Any]:
    """What `punto replay` prints for all that the table was given: its events, and of a refusal what programs read."""
    file.write_text("\n".join([to_json(command) for command, _ in play.given]), encoding="utf-8")
    out = io.StringIO()
    with redirect_stdout(out):
        status = run(Replay(str(file), as_json=True))
    assert status == any(isinstance(answer, Refusal) for _, answer in play.given)
    printed = [json.loads(line) for line in out.getvalue().splitlines()]
    return [
        (each["line"], each["refused"]["code"], each["refused"]["rule"]) if "refused" in each else each
        for each in printed
    ]


def answers(play: Play) -> list[Any]:
    """What the table answered, written in the same way."""
    found: list[Any] = []
    for line, (_, answer) in enumerate(play.given, 1):
        if isinstance(answer, Refusal):
            found.append((line, answer.code, answer.rule))
        else:
            found += [to_data(event) for event in answer]
    return found
