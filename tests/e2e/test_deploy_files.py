"""The other files of examples/deploy: units of systemd, settings and the container's file fit the server."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from punto.cli.settings import read_settings
from punto.service.metrics import Metrics
from punto.service.settings import HouseSettings
from tests.e2e.command import ROOT
from tests.patience import PATIENCE_SECONDS

DEPLOY = ROOT / "examples" / "deploy"
UNITS = ("punto.service", "punto-backup.service", "punto-backup.timer")


def _values(unit: str, name: str) -> list[str]:
    """What a unit says for a name, line by line."""
    return re.findall(rf"^{name}=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE)


@pytest.mark.parametrize("dropped", [(), ("postgresql.conf",), ("several.conf", "postgresql.conf")], ids=len)
def test_systemd_finds_no_mistake_in_the_units(tmp_path: Path, dropped: tuple[str, ...]) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    house = "punto@8081.service" if "several.conf" in dropped else "punto.service"
    units = [house, *UNITS[1:]]
    for name, unit in zip(units, UNITS, strict=True):
        # The command that a unit starts must exist.
        (tmp_path / name).write_text(_text(unit))
    for unit in units[:2]:
        folder = tmp_path / f"{unit}.d"
        folder.mkdir()
        for drop_in in dropped if unit == house else dropped[-1:]:
            (folder / drop_in).write_text(_text(drop_in))
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit) for unit in units)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "punto" in line] == []


def _text(file: str) -> str:
    return (DEPLOY / file).read_text().replace("/opt/punto/bin/punto", sys.executable)


def test_the_service_has_more_time_and_files_than_the_house_needs() -> None:
    (seconds,), (files,) = _values("punto.service", "TimeoutStopSec"), _values("punto.service", "LimitNOFILE")
    house = HouseSettings()
    assert int(seconds.removesuffix("s")) * 1_000 > 2 * house.stop_ms
    assert int(files) > house.edge.open_connections + 1_000


def test_the_settings_and_the_places_of_the_units_agree() -> None:
    house = read_settings(DEPLOY / "punto.toml", {}, {}).house
    (start,), (copy, _) = _values("punto.service", "ExecStart"), _values("punto-backup.service", "ExecStart")
    assert start.endswith("serve --config /etc/punto/punto.toml")
    assert "backup --config /etc/punto/punto.toml " in copy
    assert house.database == "sqlite:////var/lib/punto/punto.db"
    assert house.server.trusted_proxies == ("127.0.0.1",)


def test_the_container_sets_what_there_is_to_set() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    given = dict(re.findall(r"(PUNTO_\w+)=(\S+)", text))
    settings = read_settings(DEPLOY / "punto.toml", given, {})
    assert (len(settings.sources), settings.ignored) == (5, ())
    assert f"http://127.0.0.1:{settings.house.server.port}/api/health/live" in text
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["python:3.12-slim"] * 2


def test_the_service_tells_that_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(str(tmp_path / "notify"))
    told.settimeout(PATIENCE_SECONDS)
    environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
    command = [sys.executable, "-m", "punto", "serve", "--database", "memory:", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert [told.recv(100) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
        process.terminate()
        while (last := told.recv(100)) == b"WATCHDOG=1":
            pass
    assert (last, process.returncode) == (b"STOPPING=1", 0)
    told.close()


def test_every_alert_has_its_runbook_and_reads_figures_that_there_are() -> None:
    rules = (DEPLOY / "alerts.yml").read_text()
    alerts = re.findall(r"alert: (\w+)", rules)
    assert alerts == re.findall(r"^## (\w+)$", (ROOT / "docs" / "how-to" / "runbooks.md").read_text(), re.MULTILINE)
    known = {sample.name for family in Metrics().registry.collect() for sample in family.samples}
    known |= {f"{each.name}_bucket" for each in Metrics().registry.collect() if each.type == "histogram"}
    labelled = {"punto_up", "punto_http_responses_total"}  # no sample before there is a value
    read = set(re.findall(r"\b(?:punto|process)_\w+", "\n".join(re.findall(r"expr: (.*)", rules))))
    assert read - labelled <= known


def test_prometheus_reads_the_alerts_and_they_fire(tmp_path: Path) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not installed: apt-get install prometheus")
    shutil.copy(DEPLOY / "alerts.yml", tmp_path)
    fires = {
        "PuntoDown": 'up{job="punto"} 0x60',
        "PuntoNotReady": 'punto_up{check="store"} 0x60',
        "PuntoBusAway": 'punto_up{check="bus"} 0x60',
        "PuntoDiskFills": "punto_disk_free_bytes 100000000-100000x600",
        "PuntoBackupOld": "punto_backup_timestamp_seconds 0x3000",
        "PuntoTokenEnds": "punto_staff_token_ends_timestamp_seconds 300000x3000",
        "PuntoErrors": 'punto_http_responses_total{status="5xx"} 0+60x60',
    }
    lines = ["rule_files: [alerts.yml]", "evaluation_interval: 1m", "tests:"]
    for alert, series in fires.items():
        name, _, values = series.rpartition(" ")
        lines += [
            "  - interval: 1m",
            f"    input_series: [{{series: '{name}', values: '{values}'}}]",
            "    promql_expr_test:",
            f'      - expr: count(ALERTS{{alertname="{alert}", alertstate="firing"}})',
            f"        eval_time: {values.rpartition('x')[2]}m",
            "        exp_samples: [{labels: '{}', value: 1}]",
        ]
    (tmp_path / "fires.yml").write_text("\n".join(lines) + "\n")
    done = subprocess.run(
        ["promtool", "test", "rules", str(tmp_path / "fires.yml")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
