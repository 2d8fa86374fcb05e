"""`punto serve`: run a house and its web server in one process until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import punto
from punto.cli.output import console, phrase, said, write_json
from punto.cli.refusals import DatabaseUnreadable, Reported, Unreachable
from punto.cli.settings import Settings
from punto.rules.loader import load
from punto.rules.refusals import RefusedError
from punto.service.house import House, open_house
from punto.service.people.first_run import SetUpError
from punto.service.people.person import Person
from punto.service.settings import HouseSettings
from punto.service.world import World
from punto.store.errors import StoreError
from punto.store.opening import SQLITE, default_head, public, sqlite_path

TOKENS_FILE = "first-tokens"

log = logging.getLogger("punto.serve")


@dataclass(frozen=True, slots=True)
class Start:
    """What one start does besides serving."""

    demo: bool = False
    adopt_head: bool = False
    new_admin_token: bool = False


def serve_house(settings: Settings, start: Start, *, as_json: bool) -> int:
    """Run a house until SIGTERM or Ctrl-C. Returns 1 if it had to stop because its storage failed."""
    house = settings.house
    for path in house.sheets:
        load(path)
    if house.database.startswith(SQLITE):
        _make_folder(sqlite_path(house.database).parent)
    elif house.head is not None:
        _make_folder(Path(house.head).parent)
    try:
        return _run_loop(_serve(settings, start, as_json=as_json))
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


async def _serve(settings: Settings, start: Start, *, as_json: bool) -> int:
    from punto.web.analyst import ExactAnalyst
    from punto.web.logs import log_to_stderr
    from punto.web.server import listening

    server = settings.house.server
    log_to_stderr(server.log_format, server.log_level)
    for name in settings.ignored:
        log.warning("%s", phrase("not-a-setting", name=name))
    house = await open_house(settings.house, World(analyst=ExactAnalyst()), adopt_head=start.adopt_head)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends the loop there
            loop.add_signal_handler(each, stop.set)
    try:
        async with listening(house, server.host, server.port) as port:
            # Not earlier: tokens are shown once, and an address in use would lose them.
            tokens = _TokenWriter(settings.house, as_json=as_json)
            await house.first_run.run(tokens, demo=start.demo, new_admin_token=start.new_admin_token)
            _say_open(house, port, tokens, as_json=as_json)
            _log_open(house, port)
            stopped = asyncio.create_task(stop.wait())
            ends: list[asyncio.Future[Any]] = [stopped, house.failed]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if house.failed.done():
                log.error("stopping: the storage failed: %s", house.failed.result())
            else:
                log.info("stopping: rounds are finished or held")
            await house.release()
        return 1 if house.failed.done() else 0
    finally:
        await house.close()
        log.info("stopped")


def _log_open(house: House, port: int) -> None:
    settings = house.settings
    fields = {
        "version": punto.__version__,
        "port": port,
        "database": public(settings.database),
        "owner": settings.owner,
        "tables": len(house.registry.hosts),
    }
    log.info("open", extra={"fields": fields})


class _TokenWriter:
    """Hands over each token at once: to whoever is at the terminal or reads JSON, else into a file for the owner alone.

    What a service prints ends in logs that many read.
    """

    def __init__(self, settings: HouseSettings, *, as_json: bool) -> None:
        self._as_json, self.any = as_json, False
        self.file = None if as_json or sys.stdout.isatty() else _tokens_file(settings)

    def __call__(self, person: Person, token: str) -> None:
        line = f"  {person.role:<15} {person.name:<6} {token}"
        if self.file is not None:
            file = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(file, "a", encoding="utf-8") as out:
                out.write(f"{line}\n")
                out.flush()
                os.fsync(out.fileno())
        elif self._as_json:
            write_json({"id": person.id, "name": person.name, "role": person.role, "token": token})
        else:
            if not self.any:
                console().print(phrase("tokens"))
            console().print(line, soft_wrap=True)
        self.any = True
        sys.stdout.flush()
        with contextlib.suppress(OSError):  # a terminal cannot be synced
            os.fsync(sys.stdout.fileno())


def _tokens_file(settings: HouseSettings) -> Path | None:
    """Where first tokens are written; None for a house in memory, which keeps nothing."""
    if settings.server.tokens_file is not None:
        return Path(settings.server.tokens_file)
    head = Path(settings.head) if settings.head else default_head(settings.database)
    return head.with_name(TOKENS_FILE) if head is not None else None


def _say_open(house: House, port: int, tokens: _TokenWriter, *, as_json: bool) -> None:
    server = house.settings.server
    shown_host = "127.0.0.1" if server.host in {"0.0.0.0", "::"} else server.host  # noqa: S104
    address = f"http://{shown_host}:{port}{server.base_path}"
    if as_json:
        write_json({"address": address, "tables": [each.id for each in house.tables()]})
        sys.stdout.flush()
        return
    out = console()
    if tokens.any and tokens.file is not None:
        out.print(phrase("tokens-in-file", file=said(tokens.file)), soft_wrap=True)
    if tokens.any:
        out.print()
    open_ = phrase("open", punto="[bold]Punto[/]", address=f"[bold]{address}[/]")
    out.print(f"{open_}  [dim]({public(house.settings.database)})[/]", soft_wrap=True)
    for table in house.tables():
        mode = phrase("dealt-by-people" if table.mode == "live" else "plays-by-itself")
        out.print(f"  {address}/table/{table.id:<11} {table.title} [dim]({mode})[/]", soft_wrap=True)
    if tokens.any:
        out.print(phrase("staff-sign-in", address=address), soft_wrap=True)
    out.print(f"\n[dim]{phrase('how-to-stop')}[/]")
    sys.stdout.flush()
