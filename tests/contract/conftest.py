"""The three stores and the one of the simulation, each fresh for every test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from punto.store.memory import MemoryStore
from punto.store.opening import open_store
from tests.contract.places import Place
from tests.postgres import PostgresServer
from tests.simulation.store import SimDatabase

_numbers = count(1)


@asynccontextmanager
async def place_of(kind: str, folder: Path, request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """A place, whose stores are closed at the end."""
    made = _made(kind, folder, request)
    yield made
    for store in [*made.stores]:
        await store.close()


def _made(kind: str, folder: Path, request: pytest.FixtureRequest) -> Place:
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
def postgres_template(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with its schema, to be copied."""

    async def make() -> None:
        head = tmp_path_factory.mktemp("template") / "head"
        await (await open_store(postgres.address("template"), head=head)).close()

    postgres.sql("postgres", "CREATE DATABASE template")
    with ThreadPoolExecutor(1) as thread:  # beside the loop of the fixture that asks for it
        thread.submit(asyncio.run, make()).result()
    return "template"


@pytest.fixture(params=["memory", "simulated", "sqlite", "postgres"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """Each store in turn."""
    async with place_of(request.param, tmp_path, request) as made:
        yield made


@pytest.fixture(params=["sqlite", "postgres"])
async def durable(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """Each store that outlives the process."""
    async with place_of(request.param, tmp_path, request) as made:
        yield made


@pytest.fixture
async def sqlite(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """An SQLite file."""
    async with place_of("sqlite", tmp_path, request) as made:
        yield made


@pytest.fixture
async def server(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Place]:
    """A PostgreSQL database."""
    async with place_of("postgres", tmp_path, request) as made:
        yield made
