"""The other files of examples/deploy: units of systemd, settings and the container's file fit the server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from punto.cli.settings import read_settings
from punto.service.settings import HouseSettings
from tests.e2e.command import ROOT

DEPLOY = ROOT / "examples" / "deploy"
UNITS = ("punto.service", "punto-backup.service", "punto-backup.timer")


def _values(unit: str, name: str) -> list[str]:
    """What a unit says for a name, line by line."""
    return re.findall(rf"^{name}=(.*)$", (DEPLOY / unit).read_text(), re.MULTILINE)


def test_systemd_finds_no_mistake_in_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    for unit in UNITS:
        # The command that a unit starts must exist.
        (tmp_path / unit).write_text((DEPLOY / unit).read_text().replace("/opt/punto/bin/punto", sys.executable))
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit) for unit in UNITS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if "punto" in line] == []


def test_the_service_has_more_time_and_files_than_the_house_needs() -> None:
    (seconds,), (files,) = _values("punto.service", "TimeoutStopSec"), _values("punto.service", "LimitNOFILE")
    house = HouseSettings()
    assert int(seconds.removesuffix("s")) * 1_000 > 2 * house.stop_ms
    assert int(files) > house.edge.open_connections + 1_000


def test_the_settings_and_the_places_of_the_units_agree() -> None:
    house = read_settings(DEPLOY / "punto.toml", {}, {}).house
    (start,), (copy, _) = _values("punto.service", "ExecStart"), _values("punto-backup.service", "ExecStart")
    assert start.endswith("serve --config /etc/punto/punto.toml")
    assert f"--database {house.database} " in copy
    assert house.database == "sqlite:////var/lib/punto/punto.db"
    assert house.server.trusted_proxies == ("127.0.0.1",)


def test_the_container_sets_what_there_is_to_set() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    given = dict(re.findall(r"(PUNTO_\w+)=(\S+)", text))
    settings = read_settings(DEPLOY / "punto.toml", given, {})
    assert (len(settings.sources), settings.ignored) == (5, ())
    assert f"http://127.0.0.1:{settings.house.server.port}/api/health/live" in text
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["python:3.12-slim"] * 2
