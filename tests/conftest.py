"""Fixed seeds everywhere: a test that passed once passes always. And what tests share: a PostgreSQL, an event loop."""

from __future__ import annotations

import asyncio
import functools
import gc
import inspect
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from punto.cli.output import LANGUAGE
from punto.client import live
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer

# Here, since other tests read the rulebook's tables before its own are collected.
pytest.register_assert_rewrite("tests.rulebook.playing", "tests.rulebook.settling", "tests.rulebook.tables")
os.environ.pop("COLUMNS", None)  # tables are as wide as where there is no terminal
settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")
live.TIMEOUT_SECONDS = PATIENCE_SECONDS  # of every client


@pytest.fixture(autouse=True)
def english() -> None:
    """Commands speak English, whatever another test has made them speak."""
    LANGUAGE.set("en")


def pytest_itemcollected(item: pytest.Item) -> None:
    """A coroutine that would wait for ever fails instead; a long campaign has its time."""
    if not isinstance(item, pytest.Function) or not inspect.iscoroutinefunction(item.obj):
        return
    if item.get_closest_marker("slow"):
        return
    test = item.obj

    @functools.wraps(test)
    async def bounded(**arguments: Any) -> None:
        __tracebackhide__ = True
        async with asyncio.timeout(PATIENCE_SECONDS):
            await test(**arguments)

    item.obj = bounded


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The library that the plugin runs coroutines on: the house's own."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL, one for every worker."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.close()


def pytest_collection_finish() -> None:
    """All that collecting the tests has made stays: garbage is looked for in what the tests make."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """The last line of a run says what was not tested here, and how to get it."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped") if reporter else None
    if reporter and skipped:
        why = Counter(str(each.longrepr[-1]).removeprefix("Skipped: ") for each in skipped)
        reporter.write_line("NOT TESTED: " + "; ".join(f"{reason} ({count})" for reason, count in sorted(why.items())))
