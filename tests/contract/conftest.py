"""The three stores and the one of the simulation, each fresh for every test."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from punto.store.memory import MemoryStore
from punto.store.opening import open_store
from tests.contract.places import Place
from tests.postgres import PostgresServer
from tests.simulation.store import SimDatabase

_numbers = count(1)


def place_of(kind: str, folder: Path, request: pytest.FixtureRequest) -> Place:
    if kind == "memory":
        place = Place(kind, "memory:", folder)
        place.memory = MemoryStore(place.clock)
        return place
    if kind == "simulated":
        place = Place(kind, "memory:", folder)
        place.memory = SimDatabase(place.clock)
        return place
    if kind == "sqlite":
        return Place(kind, f"sqlite:///{folder / 'punto.db'}", folder)
    server: PostgresServer = request.getfixturevalue("postgres")
    template = request.getfixturevalue("postgres_template")
    name = f"contract_{next(_numbers)}"
    server.sql("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
    request.addfinalizer(lambda: server.sql("postgres", f"DROP DATABASE {name} WITH (FORCE)"))
    return Place(kind, server.address(name), folder, server)


@pytest.fixture(scope="session")
async def postgres_template(
    anyio_backend: str, postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A database with its schema, to be copied."""
    postgres.sql("postgres", "CREATE DATABASE template")
    head = tmp_path_factory.mktemp("template") / "head"
    await (await open_store(postgres.address("template"), head=head)).close()
    return "template"


@pytest.fixture(params=["memory", "simulated", "sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Each store in turn."""
    return place_of(request.param, tmp_path, request)


@pytest.fixture(params=["sqlite", "postgres"])
def durable(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Each store that outlives the process."""
    return place_of(request.param, tmp_path, request)


@pytest.fixture
def sqlite(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An SQLite file."""
    return place_of("sqlite", tmp_path, request)


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A PostgreSQL database."""
    return place_of("postgres", tmp_path, request)
