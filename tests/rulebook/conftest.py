"""Assertions in the scenarios explain themselves as those of a test module do."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.rulebook.playing", "tests.rulebook.settling", "tests.rulebook.tables")
