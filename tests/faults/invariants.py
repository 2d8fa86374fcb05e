"""I1 to I5 of a store, after anything: postings sum to zero, nobody owes, every bet ends once, a replay agrees.

I3, that what was acknowledged is durable, needs what was acknowledged: `check` is given the replies.
"""

from __future__ import annotations

from collections.abc import Iterable

from punto.service.audit.replay import HouseReplay
from punto.service.replies import Reply
from punto.store.audit import AuditReport, audit
from punto.store.interface import Store
from tests.service.rig import kinds


async def check(
    store: Store, replies: Iterable[tuple[str, Reply]] = (), *, bets_open: int | None = None
) -> AuditReport:
    """Raise AssertionError for the first invariant that does not hold. Replies come with their table."""
    async with store.snapshot() as snapshot:
        report = await audit(snapshot, replay=HouseReplay())
    assert report.problems == (), report.problems[0]
    assert bets_open is None or report.bets_open == bets_open
    for table, reply in replies:
        for told, kind in zip(reply.events, kinds(reply), strict=True):
            (record,) = await store.read(f"table:{table}", told.seq - 1, 1)
            assert (record.kind, record.time_ms) == (kind, told.at_ms), "acknowledged, and not kept"
    return report
