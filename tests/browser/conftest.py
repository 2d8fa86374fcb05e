"""Real Chromium against the real server. Run apart from the other tests: Playwright keeps a loop of its own."""

from __future__ import annotations

from collections.abc import Iterator
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


MOST_TABLES = 24
"""Pages that list every table become slow with many: after so many a new house is opened."""


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[House]]:
    """The house that tests use now, if there is one."""
    opened: list[House] = []
    yield opened
    for house in opened:
        house.stop()


@pytest.fixture
def house(houses: list[House], tmp_path_factory: pytest.TempPathFactory) -> House:
    """A house that tests share, as long as it has few tables."""
    if houses and houses[0].tables > MOST_TABLES:
        houses.pop().kill()
    if not houses:
        houses.append(House(tmp_path_factory.mktemp("house")))
        houses[0].start()
    return houses[0]


@pytest.fixture
def seats(browser: Browser, house: House) -> Iterator[Seats]:
    """Browsers of their own for everyone a test needs; whatever a page complains about fails the test."""
    taken = Seats(browser, house)
    yield taken
    taken.close()


@pytest.fixture
def own_seats(browser: Browser, tmp_path: Path) -> Iterator[Seats]:
    """The same in a house that no other test uses."""
    house = House(tmp_path)
    house.start()
    taken = Seats(browser, house)
    yield taken
    house.stop()
    taken.close()
