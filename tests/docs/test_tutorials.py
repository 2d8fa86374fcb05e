"""The operator's tutorial: the commands and programs of the page, against the server that they start."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.docs.pages import blocks
from tests.e2e.command import punto
from tests.e2e.test_serve import serving
from tests.patience import PATIENCE_SECONDS

PAGE = "tutorials/operator.md"
QUICK = '"timing": {"betting_ms": 1500, "card_ms": 1, "insurance_ms": 1, "pause_ms": 200, "squeeze_ms": 1}'


def test_an_operator_opens_a_house_plays_and_audits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    serve, bots, audit = (shlex.split(block.strip()) for block in blocks(PAGE, "sh"))
    assert (serve[:2], bots[1:3], audit[:2]) == (["punto", "serve"], ["punto", "bots"], ["punto", "audit"])
    set_up, play = blocks(PAGE, "python")
    (tmp_path / "house").mkdir()
    database = f"sqlite:///{tmp_path}/house/punto.db"
    assert serve[3] == audit[3] == "sqlite:///house/punto.db"
    with serving("--database", database, *serve[4:]) as served:
        (admin,) = served.tokens
        facts = {"ADDRESS": served.told["address"], "TOKEN": admin["token"]}
        for name, value in facts.items():
            set_up = re.sub(rf'^{name} = ".*"$', f'{name} = "{value}"', set_up, flags=re.MULTILINE)
        session: dict[str, object] = {"__name__": "__main__"}
        quick = set_up.replace('"mode": "automatic"', f'"mode": "automatic", {QUICK}')
        assert quick != set_up
        exec(compile(quick, PAGE, "exec"), session)  # noqa: S102 — our own page
        assert "['one']" in capsys.readouterr().out
        exec(compile(play, PAGE, "exec"), session)  # noqa: S102
        assert re.match(r"banker (win|lose|returned) \d+ by paragraph [\d.]+\nticket \d+\n", capsys.readouterr().out)
        token = ("--token", str(session["MANAGER"]))
        played = punto("bots", served.told["address"], *bots[3:5], "--seconds", "3", *token)
        assert played.returncode == 0, played.stderr
        served.process.terminate()
        assert served.process.wait(PATIENCE_SECONDS) == 0
    monkeypatch.chdir(tmp_path)
    audited = punto("audit", "--database", database, *audit[4:])
    assert audited.returncode == 0, audited.stdout
