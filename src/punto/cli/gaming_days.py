"""Gaming days as the options of commands name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from punto.ledger.table_day import GamingDay


def read_gaming_day(given: str) -> GamingDay:
    """When a gaming day begins, from a time of day with its offset from UTC; UTC without one."""
    # Imported here, so that help, which shows the default, is fast.
    from datetime import time, timedelta

    from punto.cli.refusals import DayStartInvalid
    from punto.ledger.table_day import GamingDay
    from punto.rules.reasons import quoted
    from punto.rules.refusals import Refused

    try:
        starts = time.fromisoformat(given)
    except ValueError:
        raise Refused(DayStartInvalid(quoted(given))) from None
    after_midnight = timedelta(hours=starts.hour, minutes=starts.minute, seconds=starts.second)
    return GamingDay(((starts.utcoffset() or timedelta()) - after_midnight) // timedelta(milliseconds=1))
