"""An edge beside the test, for clients that have no loop: another process, or a library of plain calls."""

from __future__ import annotations

import asyncio
import threading

from tests.patience import PATIENCE_SECONDS
from tests.web.rig import AUTOMATIC, PIT, edge


class Served:
    """An edge in a thread of its own, so that a client without a loop can ask it."""

    def __init__(self) -> None:
        self.address = ""
        self.tokens: dict[str, str] = {}
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))

    async def _serve(self) -> None:
        async with edge() as e:
            await e.table(PIT)
            await e.table(AUTOMATIC)
            dealer = await e.person("Dan", "dealer")
            ann = await e.person("Ann", cents=100_000)
            admin = await e.person("Ada", "admin")
            zed = await e.person("Zed")  # whose token may end
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            await ann.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)
            await e.deal(dealer)
            await dealer.command("pit", "open-bets")
            clients = {"patron": ann, "staff": dealer, "admin": admin, "zed": zed}
            self.tokens = {name: client.token or "" for name, client in clients.items()}
            self.address = e.address
            self._ready.set()
            await self._stop.wait()

    def __enter__(self) -> Served:
        self._thread.start()
        assert self._ready.wait(PATIENCE_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE_SECONDS)
        self._loop.close()
