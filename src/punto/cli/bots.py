"""`punto bots`: fill a server's tables with automatic patrons."""

from __future__ import annotations

import asyncio
import contextlib
import signal

from rich.live import Live
from rich.table import Table

from punto.cli.output import console, grid, phrase, write_json
from punto.cli.refusals import AddressInvalid, PatronsInvalid, SecondsInvalid, Unreachable
from punto.client import Client, ConnectionLostError, RefusedByServerError
from punto.client.bots import Tally, play
from punto.rules.money import money
from punto.rules.reasons import quoted, shorten
from punto.rules.refusals import Refused

COUNTED = ("patrons", "bets", "insured", "chosen", "rounds", "lost_connections")
AMOUNTS = ("bought_cents", "cashed_cents")
MAX_PATRONS = 10_000
MAX_SECONDS = 366 * 24 * 60 * 60
RETRIES = 30
"""The tries of a request: all bots join at once, and a house limits joins."""


def run_bots(
    address: str,
    *,
    patrons: int,
    tables: tuple[str, ...],
    seconds: int | None,
    token: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Play until the time is over or Ctrl-C, then leave the tables, cash out and show a summary."""
    if not 1 <= patrons <= MAX_PATRONS:
        raise Refused(PatronsInvalid(shorten(patrons), MAX_PATRONS))
    if seconds is not None and not 1 <= seconds <= MAX_SECONDS:
        raise Refused(SecondsInvalid(shorten(seconds), MAX_SECONDS))
    if not address.startswith(("http://", "https://")):
        raise Refused(AddressInvalid(quoted(address)))
    tally = Tally()
    try:
        asyncio.run(_run(address, patrons, tables, seconds, token, seed, tally, as_json=as_json))
    except RefusedByServerError as error:
        raise Refused(error.refusal) from None
    except ConnectionLostError as error:
        raise Refused(Unreachable(str(error))) from None
    if as_json:
        write_json({name: getattr(tally, name) for name in (*COUNTED, *AMOUNTS, "refused")})
    else:
        console().print(_table(tally, phrase("bots-left")))


async def _run(
    address: str,
    patrons: int,
    tables: tuple[str, ...],
    seconds: int | None,
    token: str | None,
    seed: int,
    tally: Tally,
    *,
    as_json: bool,
) -> None:
    loop = asyncio.get_running_loop()
    async with Client(address, retries=0) as first:
        await first.get("/api/health/live")  # report an unreachable address at once
    async with Client(address, token, retries=RETRIES) as house:
        playing = asyncio.create_task(play(house, patrons, tables, tally, seed=seed))
        for each in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(each, playing.cancel)
        showing = None if as_json else asyncio.create_task(_show(tally))
        try:
            async with asyncio.timeout(seconds):
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
