"""What comes over the bus and cannot be read is not heard, and does not end whoever listens."""

from __future__ import annotations

from punto.service.cluster.cluster_link import ClusterLink, HouseNews
from tests.local_bus import LocalBus


async def test_news_that_cannot_be_read_is_not_heard() -> None:
    bus, heard = LocalBus(), list[HouseNews]()
    link = ClusterLink(bus, "punto", shared=True)
    await link.listen("house", HouseNews, heard.append)
    for news in (b"", b"nonsense", b'{"people": 3}', b'{"people": ["\xff"]}', b"[" * 5_000, b'{"x": ' * 5_000):
        await bus.publish("punto.house", news)
    assert heard == []
    await bus.publish("punto.house", b'{"people": ["ann"], "newer": 1}')
    assert heard == [HouseNews(people=["ann"])]
