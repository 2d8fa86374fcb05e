"""`punto serve`: run a house and its web server in one process until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from punto.cli.gaming_days import DEFAULT_DAY_START, read_gaming_day
from punto.cli.output import console, phrase, write_json
from punto.cli.refusals import DatabaseUnreadable, OriginInvalid, PortInvalid, Reported, Unreachable
from punto.rules.loader import load
from punto.rules.reasons import quoted
from punto.rules.refusals import RefusedError
from punto.service.house import House, open_house
from punto.service.people.first_run import SetUpError
from punto.service.people.person import Person
from punto.service.settings import HouseSettings, owner_name
from punto.service.world import World
from punto.store.errors import StoreError
from punto.store.opening import public, sqlite_path
from punto.table.automatic import StandingOrder

SQLITE = "sqlite:///"
LAST_PORT = 65_535
ORIGIN = re.compile(r"https?://[a-z0-9.:\[\]-]+")


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of the command line."""

    database: str
    head: Path | None
    key: Path | None
    adopt_head: bool
    bus: str | None
    host: str
    port: int
    demo: bool
    open_door: bool
    always_on: bool
    sheets: tuple[str, ...]
    owner: str | None
    new_admin_token: bool = False
    origins: tuple[str, ...] = ()
    standing_order: str = StandingOrder.CONCLUDE_OR_VOID
    day_starts: str = DEFAULT_DAY_START
    free_credit: bool = False


def serve_house(choices: Choices, *, as_json: bool) -> int:
    """Run a house until SIGTERM or Ctrl-C. Returns 1 if it had to stop because its storage failed."""
    if not 0 <= choices.port <= LAST_PORT:
        raise RefusedError(PortInvalid(choices.port, LAST_PORT))
    for path in choices.sheets:
        load(path)
    for origin in choices.origins:
        if not ORIGIN.fullmatch(origin):
            raise RefusedError(OriginInvalid(quoted(origin)))
    if choices.database.startswith(SQLITE):
        _make_folder(sqlite_path(choices.database).parent)
    elif choices.head is not None:
        _make_folder(choices.head.parent)
    settings = HouseSettings(
        database=choices.database,
        head=str(choices.head) if choices.head else None,
        key=str(choices.key) if choices.key else None,
        bus=choices.bus,
        owner=choices.owner or owner_name(),
        open_door=choices.open_door,
        free_credit=choices.demo or choices.free_credit,
        always_on=choices.always_on,
        sheets=choices.sheets,
        origins=choices.origins,
        standing_order=StandingOrder(choices.standing_order),
        gaming_day=read_gaming_day(choices.day_starts),
    )
    try:
        return _run_loop(_serve(settings, choices, as_json=as_json))
    except StoreError as error:
        raise RefusedError(Reported(error.code, error.message)) from None
    except SetUpError as error:
        raise RefusedError(error.refusal) from None
    except OSError as error:
        raise RefusedError(Unreachable(str(error))) from None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RefusedError(DatabaseUnreadable(str(folder), error.strerror or "")) from None


def _run_loop(work: Coroutine[Any, Any, int]) -> int:
    """Run in the faster event loop if it is installed."""
    if sys.platform == "win32":
        return asyncio.run(work)
    import uvloop

    return uvloop.run(work)


async def _serve(settings: HouseSettings, choices: Choices, *, as_json: bool) -> int:
    from punto.web.analyst import ExactAnalyst
    from punto.web.logs import log_to_stderr
    from punto.web.server import listening

    log_to_stderr()
    house = await open_house(settings, World(analyst=ExactAnalyst()), adopt_head=choices.adopt_head)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends the loop there
            loop.add_signal_handler(each, stop.set)
    try:
        async with listening(house, choices.host, choices.port) as port:
            # Not earlier: tokens are shown once, and an address in use would lose them.
            printer = _TokenPrinter(as_json=as_json)
            await house.first_run.run(printer, demo=choices.demo, new_admin_token=choices.new_admin_token)
            _say_open(house, choices, port, as_json=as_json, tokens=printer.any)
            stopped = asyncio.create_task(stop.wait())
            ends: list[asyncio.Future[Any]] = [stopped, house.failed]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if house.failed.done():
                sys.stderr.write(f"punto: stopping, the storage failed: {house.failed.result()}\n")
            await house.close()
        return 1 if house.failed.done() else 0
    finally:
        await house.close()


class _TokenPrinter:
    """Shows each token at once."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self.any = False

    def __call__(self, person: Person, token: str) -> None:
        if self._as_json:
            write_json({"id": person.id, "name": person.name, "role": person.role, "token": token})
        else:
            out = console()
            if not self.any:
                out.print(phrase("tokens"))
            out.print(f"  {person.role:<15} {person.name:<6} {token}", soft_wrap=True)
        self.any = True
        sys.stdout.flush()
        with contextlib.suppress(OSError):  # a terminal cannot be synced
            os.fsync(sys.stdout.fileno())


def _say_open(house: House, choices: Choices, port: int, *, as_json: bool, tokens: bool) -> None:
    address = f"http://{'127.0.0.1' if choices.host in {'0.0.0.0', '::'} else choices.host}:{port}"  # noqa: S104
    if as_json:
        write_json({"address": address, "tables": [each.id for each in house.tables()]})
        sys.stdout.flush()
        return
    out = console()
    if tokens:
        out.print()
    open_ = phrase("open", punto="[bold]Punto[/]", address=f"[bold]{address}[/]")
    out.print(f"{open_}  [dim]({public(choices.database)})[/]", soft_wrap=True)
    for table in house.tables():
        mode = phrase("dealt-by-people" if table.mode == "live" else "plays-by-itself")
        out.print(f"  {address}/table/{table.id:<11} {table.title} [dim]({mode})[/]", soft_wrap=True)
    if tokens:
        out.print(phrase("staff-sign-in", address=address), soft_wrap=True)
    out.print(f"\n[dim]{phrase('how-to-stop')}[/]")
    sys.stdout.flush()
