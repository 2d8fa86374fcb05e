"""Real Chromium against the real server. Run apart from the other tests: Playwright keeps a loop of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.chromium import find
from tests.browser.house import House
from tests.browser.seats import Seats

STATIC = Path(__file__).parents[2] / "src" / "punto" / "web" / "static" / "index.html"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    assert STATIC.is_file(), "the pages are not built: run `make test`, or `python hatch_build.py`"
    chromium = find()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium.path, env={**chromium.environment}, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(tmp_path_factory.mktemp("house"))
    opened.start()
    yield opened
    opened.stop()


@pytest.fixture
def seats(browser: Browser, house: House) -> Iterator[Seats]:
    """Browsers of their own for everyone a test needs; whatever a page complains about fails the test."""
    taken = Seats(browser, house)
    yield taken
    taken.close()


@pytest.fixture(scope="session")
def new_name() -> Callable[[], str]:
    """Names that no other test uses."""
    numbers = iter(range(1, 10_000))
    return lambda: f"t{next(numbers)}"
