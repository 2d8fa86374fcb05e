"""What tests of the service share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from punto.service.settings import HouseSettings
from tests.service.rig import SETTINGS


@pytest.fixture
def settings(tmp_path: Path) -> HouseSettings:
    """A house in a file of its own."""
    return replace(SETTINGS, database=f"sqlite:///{tmp_path / 'punto.db'}")
