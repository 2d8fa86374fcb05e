"""`punto serve`: run a house and its web server in one process until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import closing
from itertools import count
from pathlib import Path
from socket import socket
from typing import Any

import punto
from punto.analysis import edges
from punto.cli.commands.house import Serve
from punto.cli.house_players import play_for_house
from punto.cli.output import console, phrase, said, sentence, write_json
from punto.cli.refusals import DatabaseUnreadable, SettingsRefusedError, Unreachable, refused
from punto.cli.settings import KINDS, Settings, exposed_key, read_settings
from punto.cli.systemd import READY, STOPPING, keep_alive, notify
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.service.house import House, open_house
from punto.service.people.person import Person
from punto.service.settings import HouseSettings, LogFormat
from punto.service.world import World
from punto.store.locks import DatabaseLock
from punto.store.opening import SQLITE, is_older, public, sqlite_path
from punto.texts import LANGUAGES
from punto.web.logs import log_to_stderr
from punto.web.server import bind, listening

TOKENS_FILE = "first-tokens"

log = logging.getLogger("punto.serve")


def run(ask: Serve) -> int:
    """Run a house until SIGTERM or Ctrl-C. Returns 1 if it had to stop because its storage failed.

    Why it cannot start is told as the log is written, if that is JSON.
    """
    style = ""
    options = {name: getattr(ask, name.rpartition(".")[2], None) for name in KINDS}
    try:
        settings = read_settings(
            ask.config, os.environ, options | {"free_credit": ask.demo or ask.free_credit}, ask.others
        )
        style = settings.house.server.log_format
        return _serve_house(settings, ask)
    except Exception as error:
        if (told := refused(error)) is None:
            raise
        refusals = [told.refusal]
        if isinstance(error, SettingsRefusedError):
            refusals, style = error.refusals, error.log_format
        if style != LogFormat.JSON:
            raise
        log_to_stderr(LogFormat.JSON)
        for refusal in refusals:
            says = sentence(refusal, language=LANGUAGES[0])  # what programs read is English
            log.error("cannot start: %s", says, extra={"fields": {"code": refusal.code}})  # noqa: TRY400
        if ask.as_json:
            raise
        return 2


def _serve_house(settings: Settings, ask: Serve) -> int:
    house = settings.house
    for path in house.sheets:
        load(path)
    try:
        # First of all: a port that is taken leaves no files behind.
        with closing(bind(house.server.host, house.server.port)) as listener:
            _make_folder(house)
            return _run_loop(_serve(settings, ask, listener))
    except OSError as error:
        raise Refused(Unreachable(str(error))) from None


def _make_folder(house: HouseSettings) -> None:
    """Make the folder of an SQLite file, or that of the head beside which a house in PostgreSQL keeps its files."""
    on_disk = house.database.startswith(SQLITE)
    if (file := sqlite_path(house.database) if on_disk else house.head_file) is None:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refused(DatabaseUnreadable(str(file.parent), error.strerror or "")) from None


def _run_loop(work: Coroutine[Any, Any, int]) -> int:
    """Run in the faster event loop if it is installed."""
    if sys.platform == "win32":
        return asyncio.run(work)
    import uvloop

    return uvloop.run(work)


async def _serve(settings: Settings, ask: Serve, listener: socket) -> int:
    server = settings.house.server
    log_to_stderr(server.log_format, server.log_level)
    for name in settings.ignored:
        log.warning("%s", phrase("not-a-setting", name=name))
    if says := exposed_key(settings.house):
        log.warning("%s", says)
    if ask.demo and (moved := _set_aside(settings.house)):
        log.warning("%s", phrase("set-aside", file=said(str(moved))))
    house = await open_house(settings.house, World(analyst=edges))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends the loop there
            loop.add_signal_handler(each, stop.set)
    try:
        async with listening(house, listener) as port:
            tokens = _TokenWriter(settings.house, as_json=ask.as_json)
            await house.first_run.run(tokens, demo=ask.demo, new_admin_token=ask.new_admin_token)
            _say_open(house, port, tokens, as_json=ask.as_json)
            fields = {"version": punto.__version__, "port": port, "database": public(settings.house.database)}
            fields |= {"owner": settings.house.owner, "tables": len(house.registry.hosts)}
            log.info("open", extra={"fields": fields})
            notify(READY)
            watched = house.supervisor.spawn(keep_alive(house.health))
            players = ask.demo and ask.house_players and settings.house.open_door
            playing = asyncio.create_task(play_for_house(house)) if players else None
            stopped = asyncio.create_task(stop.wait())
            ends: list[asyncio.Future[Any]] = [stopped, house.failed]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            watched.cancel()
            notify(STOPPING)
            if playing is not None:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            if house.failed.done():
                log.error("stopping: the storage failed: %s", house.failed.result())
            else:
                log.info("stopping: rounds are finished or held")
            await house.release()
        return 1 if house.failed.done() else 0
    finally:
        await house.close()
        log.info("stopped")


def _set_aside(house: HouseSettings) -> Path | None:
    """Move the files of a demonstration of punto 0.x aside; where its database is now, if there was one."""
    if not house.database.startswith(SQLITE) or not is_older(path := sqlite_path(house.database)):
        return None
    lock = DatabaseLock(path)
    try:
        aside = next(name for number in count(1) if not (name := path.with_name(f"{path.name}.0.x-{number}")).exists())
        moves = {path: aside, **{Path(f"{path}{each}"): Path(f"{aside}{each}") for each in ("-wal", "-shm")}}
        others = (house.head_file, house.key_file, house.checkpoint_file, _tokens_file(house))
        suffix = aside.name.removeprefix(path.name)
        moves |= {file: file.with_name(file.name + suffix) for file in others if file is not None}
        for file, to in moves.items():
            with contextlib.suppress(FileNotFoundError):
                file.replace(to)
    finally:
        lock.release()
    return aside


def _address(house: House, port: int) -> str:
    """Where this machine reaches the server."""
    server = house.settings.server
    host = "127.0.0.1" if server.host in {"0.0.0.0", "::"} else server.host  # noqa: S104
    return f"http://{host}:{port}{server.base_path}"


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
    return settings.head_file and settings.head_file.with_name(TOKENS_FILE)


def _say_open(house: House, port: int, tokens: _TokenWriter, *, as_json: bool) -> None:
    address = _address(house, port)
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
    out.print(phrase("staff-sign-in", address=address), soft_wrap=True)
    out.print(phrase("first-steps" if tokens.any else "token-again", address=address), soft_wrap=True)
    out.print(f"\n[dim]{phrase('how-to-stop')}[/]")
    sys.stdout.flush()
