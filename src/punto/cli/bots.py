"""`punto bots`: fill a server's tables with automatic patrons."""

from __future__ import annotations

import asyncio
import contextlib
import signal

from rich.live import Live
from rich.table import Table

from punto.cli.commands.house import Bots
from punto.cli.output import console, grid, phrase, write
from punto.cli.refusals import AddressInvalid, Unreachable
from punto.client import Client, ConnectionLostError
from punto.client.bots import Tally, play
from punto.rules.money import money
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused

COUNTED = ("patrons", "bets", "insured", "chosen", "rounds", "lost_connections")
AMOUNTS = ("bought_cents", "cashed_cents")
RETRIES = 30
"""The tries of a request: all bots join at once, and a house limits joins."""


def run(ask: Bots) -> None:
    """Play until the time is over or Ctrl-C, then leave the tables, cash out and show a summary."""
    if not ask.address.startswith(("http://", "https://")):
        raise Refused(AddressInvalid(quoted(ask.address)))
    tally = Tally()
    try:
        asyncio.run(_run(ask, tally))
    except ConnectionLostError as error:
        raise Refused(Unreachable(str(error))) from None
    data = {name: getattr(tally, name) for name in (*COUNTED, *AMOUNTS, "refused")}
    write(ask, data=lambda: data, text=lambda: console().print(_table(tally, phrase("bots-left"))))


async def _run(ask: Bots, tally: Tally) -> None:
    loop = asyncio.get_running_loop()
    async with Client(ask.address, retries=0) as first:
        await first.get("/api/health/live")  # report an unreachable address at once
    async with Client(ask.address, ask.token, retries=RETRIES) as house:
        playing = asyncio.create_task(play(house, ask.patrons, ask.tables, tally, seed=ask.seed))
        for each in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(each, playing.cancel)
        showing = None if ask.as_json else asyncio.create_task(_show(tally))
        try:
            async with asyncio.timeout(ask.seconds):
                await playing  # wait for the cancelled task: the bots leave before it ends
        except (TimeoutError, asyncio.CancelledError):
            pass  # stopped: all bots have left
        finally:
            if showing is not None:
                showing.cancel()
                await asyncio.gather(showing, return_exceptions=True)


async def _show(tally: Tally) -> None:
    out = console()
    if not out.is_terminal:
        return
    with Live(console=out, transient=True, auto_refresh=False) as live:
        while True:
            live.update(_table(tally, phrase("bots-playing")), refresh=True)
            await asyncio.sleep(0.5)


def _table(tally: Tally, title: str) -> Table:
    table = grid(title, [("", "left"), ("", "right")])
    table.show_header = False
    for name in COUNTED:
        table.add_row(phrase(f"bots-{name.replace('_', '-')}"), f"{getattr(tally, name):,}")
    for name in AMOUNTS:
        table.add_row(phrase(f"bots-{name.removesuffix('_cents')}"), money(getattr(tally, name)))
    for code, count in tally.refused.most_common():
        table.add_row(f"[dim]{phrase('bots-refused', code=code)}[/]", f"[dim]{count:,}[/]")
    return table
