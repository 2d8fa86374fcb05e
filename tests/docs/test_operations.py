"""The pages for operators, as scripts from a clean folder: deploy, back up, restore, roll back, change the key."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.browser.house import free_port
from tests.docs.machine import Machine, sections
from tests.nats_server import NatsServer
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer

DEPLOY = "how-to/deploy.md"
pytestmark = pytest.mark.slow


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    for tool in ("curl", "install"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    machine = Machine(tmp_path)
    yield machine
    machine.close()


def deployed(machine: Machine) -> str:
    """Follow the page to a house that serves, without the proxy; the admin's token."""
    steps = sections(DEPLOY, "On one machine")
    install, settings, start, token, *_proxies, backup = steps
    machine.run(install, settings, start)
    told = machine.run(token)
    machine.run(backup)
    return told.split()[-1]


def people(machine: Machine, token: str) -> list[str]:
    return [each["name"] for each in _people(machine, "GET", token).json()]


def admit(machine: Machine, token: str, name: str) -> None:
    _people(machine, "POST", token, json={"name": name, "role": "dealer"})


def _people(machine: Machine, method: str, token: str, **more: Any) -> httpx.Response:
    url, headers = f"http://127.0.0.1:{machine.port}/api/people", {"Authorization": f"Bearer {token}"}
    answer = httpx.request(method, url, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS, **more)
    return answer.raise_for_status()


def test_a_house_is_deployed_upgraded_restored_and_given_a_new_key(machine: Machine) -> None:
    admin = deployed(machine)
    (copy,) = (machine.folder / "var/lib/punto-backups").glob("*.db")
    assert copy.stat().st_mode & 0o777 == 0o600
    admit(machine, admin, "Dan")
    machine.run(*sections(DEPLOY, "Upgrade"))
    assert "Dan" in people(machine, admin)
    admit(machine, admin, "Lost")
    machine.run(*sections("how-to/back-up.md", "Restore under systemd"))
    names = people(machine, admin)
    assert ("Dan" in names, "Lost" in names) == (True, False), "back at the copy that the upgrade made"
    machine.run(*sections("how-to/rotate-the-key.md", "Change the key of the shoes"))
    assert people(machine, admin) == names
    key = machine.folder / "var/lib/punto/punto.db.key"
    assert (len(key.read_text().split()), key.stat().st_mode & 0o777) == (2, 0o600)
    machine.run("sudo systemctl stop punto")
    audited = machine.run("/opt/punto/bin/punto audit --config /etc/punto/punto.toml --json")
    assert json.loads(audited)["whole"]


def test_several_processes_share_a_postgresql_under_one_unit(machine: Machine, postgres: PostgresServer) -> None:
    postgres.sql("postgres", "CREATE DATABASE operated")
    machine.environment["PATH"] = machine.environment["PATH"].replace(
        os.pathsep, f"{os.pathsep}{postgres.binaries}{os.pathsep}", 1
    )
    bus = NatsServer()
    bus.start()
    try:
        install, *_ = sections(DEPLOY, "On one machine")
        settings = machine.folder / "etc/punto/punto.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text(f'bus = "{bus.address}"\nkey = "{machine.folder}/var/lib/punto/shoes.key"\n')
        machine.run(install, "cp examples/deploy/*.service /etc/systemd/system/")
        (hand_over,) = sections(DEPLOY, "PostgreSQL")
        address = postgres.address("operated")
        machine.run(*[line for line in hand_over.splitlines() if line.startswith("sudo install")])
        (machine.folder / "etc/punto/database").write_text(address)
        one, two = str(machine.port), str(free_port())
        started = [block for block in sections("how-to/scale.md", "Set it up") if "systemctl" in block]
        machine.run(*[block.replace("8081", one).replace("8082", two) for block in started])
        backup = machine.run("sudo systemctl start punto-backup")
        assert ".dump: " in backup
        (copy,) = (machine.folder / "var/lib/punto-backups").glob("*.dump")
        assert copy.stat().st_mode & 0o777 == 0o600
        for line in machine.run("ps -eo args").splitlines():
            assert address not in line, "the address of the database is on no command line"
        heads = {each.name for each in (machine.folder / "var/lib/punto").glob("*.head")}
        assert heads == {f"{one}.head", f"{two}.head"}
    finally:
        machine.close()
        bus.kill()
