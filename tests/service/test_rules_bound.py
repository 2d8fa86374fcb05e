"""Rules are part of the proof: the log has the sheet of every table, and an audit settles every round again by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.refusals import Refused
from punto.rules.settlement import Line, Settlement, settle
from punto.service.audit.house_audit import Replaying, audit_house
from punto.service.settings import HouseSettings
from punto.store.audit import AuditReport
from punto.store.opening import open_snapshot
from punto.table.acts import rounds
from punto.table.corrections import correct_round
from punto.table.corrections.correct_round import settled_again
from punto.table.values import Adjustment
from tests.service.rig import PIT, SETTINGS, Rig, rig

SHEET = (Path(rounds.__file__).parents[2] / "sheets" / f"{PIT['game']}.toml").read_text(encoding="utf-8")
OWN = SHEET.replace(f'id = "{PIT["game"]}"', 'id = "own"', 1)


@pytest.fixture
def settings(tmp_path: Path) -> HouseSettings:
    sheet = tmp_path / "own.toml"
    sheet.write_text(OWN, encoding="utf-8")
    return replace(SETTINGS, database=f"sqlite:///{tmp_path / 'punto.db'}", sheets=(str(sheet),))


async def play_round(r: Rig) -> None:
    ann, dan, table = await r.live(10_000, game="own")
    await r.play(dan, table, (ann, "player", 1_000), cards="9h 3h Ks Kd")


async def audited(settings: HouseSettings, worth: int = 2**62) -> AuditReport:
    house = Replaying(settings.database)
    async with open_snapshot(settings.database) as (snapshot, _):
        return (await audit_house(snapshot, house, worth=worth))[0]


@pytest.mark.parametrize("worth", [2**62, 0], ids=["one process", "several processes"])
async def test_an_audit_needs_no_sheet_but_the_one_in_the_log(settings: HouseSettings, worth: int) -> None:
    async with rig(settings) as r:
        await play_round(r)
    Path(settings.sheets[0]).unlink()
    assert (await audited(settings, worth)).problems == ()


async def test_a_sheet_is_stored_once(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        for name in ("pit", "pit2"):
            await r.table(PIT | {"game": "own", "table": name})
        desk = await r.house.store.read("desk")
    assert [record.kind for record in desk].count("sheet-stored") == 1


async def test_a_sheet_changed_under_an_open_table_is_refused(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        await play_round(r)
    path = Path(settings.sheets[0])
    path.write_text(OWN.replace('odds = "8:1"', 'odds = "9:1"', 1), encoding="utf-8")
    assert load(str(path)).fingerprint != load(OWN).fingerprint
    with pytest.raises(Refused) as refused:
        async with rig(settings):
            pass
    assert refused.value.refusal.code == "sheet-invalid"
    assert "other-rules" in str(refused.value.refusal.problem)  # type: ignore[attr-defined]
    assert (await audited(settings)).problems == (), "old rounds keep the sheet of the log"


async def test_a_settlement_that_does_not_follow_from_cards_and_sheet_is_noticed(
    settings: HouseSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def generous(*given: Any, **named: Any) -> Settlement:
        settlement = settle(*given, **named)
        assert isinstance(settlement, Settlement)
        return replace(settlement, lines=tuple(_richer(line) for line in settlement.lines))

    with monkeypatch.context() as bent:
        bent.setattr(rounds, "settle", generous)
        async with rig(settings) as r:
            await play_round(r)
    report = await audited(settings)
    assert [each.code for each in report.problems] == ["replay-differs"]
    assert "give another settlement" in report.problems[0].message


def _richer(line: Line) -> Line:
    return replace(line, net_cents=Cents(line.net_cents + 500), returned_cents=Cents(line.returned_cents + 500))


async def test_a_missing_sheet_is_said_as_such(settings: HouseSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as forgetful:
        forgetful.setattr("punto.service.audit.house_log.HouseLog.store_sheet", _nothing)
        async with rig(settings) as r:
            await play_round(r)
    report = await audited(settings)
    assert report.first is not None
    assert report.first.message.endswith("the sheet 'own' that the table was opened under is not in the log")


async def _nothing(*_: object) -> None:
    return None


@pytest.mark.parametrize("more", [0, 100])
async def test_a_correction_is_settled_again_by_the_audit(
    settings: HouseSettings, monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    def generous(*given: Any) -> tuple[Adjustment, ...]:
        return tuple(
            [
                replace(
                    line,
                    after_cents=Cents(line.after_cents + more),
                    correction_cents=Cents(line.correction_cents + more),
                )
                for line in settled_again(*given)
            ]
        )

    async with rig(settings) as r:
        await play_round(r)
        sue = await r.person("Sue", "shift-manager")
        monkeypatch.setattr(correct_round, "settled_again", generous)
        await r.confirmed(sue, "pit", "correct-round", round=1, cards="3h 9h Ks Kd", reason="misread")
    problems = (await audited(settings)).problems
    assert [problem.code for problem in problems] == (["replay-differs"] if more else [])
    assert all("another settlement" in problem.message for problem in problems)
