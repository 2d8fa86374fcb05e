"""Fixed seeds everywhere: a test that passed once passes always."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.pop("COLUMNS", None)  # tables are as wide as where there is no terminal
settings.register_profile("fixed", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")
