"""Settings from a file, the environment and the command line, the later over the earlier; `punto settings` shows them.

The settings are the fields of `HouseSettings`. `edge.burst` is `burst` in the table `[edge]` of the file,
`PUNTO_EDGE_BURST` in the environment and `--set edge.burst=60` on the command line. Any of them can be read from a file
of its own, which is how secrets are handed over: `database_file` in the file, `PUNTO_DATABASE_FILE` in the environment.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass, replace
from datetime import time, timedelta
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec
from msgspec import inspect

from punto.cli.commands import house
from punto.cli.declare import Database, Output
from punto.cli.output import columns, console, grid, phrase, said, write
from punto.cli.refusals import (
    DayStartInvalid,
    KeyMissing,
    Reported,
    SettingInvalid,
    SettingsRefusedError,
    SettingsUnreadable,
    SettingUnknown,
)
from punto.ledger.table_day import GamingDay
from punto.rules.reasons import Wanted, quoted
from punto.rules.refusals import Refusal, Refused
from punto.service.settings import HouseSettings
from punto.store.opening import SQLITE, public, sqlite_path

PREFIX = "PUNTO_"
FROM_FILE = "_file"
PACE = "timing."
"""Settings of the core, which knows no annotations and checks them itself."""
DEFAULT_FILE = Path("punto.toml")
SERVED = HouseSettings(database="sqlite:///data/punto.db")
"""The settings that a server starts from."""


class Given(NamedTuple):
    """A value that was given for a setting, and where. Text stands for a value of any kind if it is `plain`."""

    name: str
    value: object
    source: str
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force."""

    house: HouseSettings
    sources: Mapping[str, str]
    """Where each setting that is not at its default comes from."""
    ignored: tuple[str, ...]
    """Variables of the environment that look like settings and are none."""


def read_settings(
    file: Path | None, environment: Mapping[str, str], options: Mapping[str, object], others: Iterable[str] = ()
) -> Settings:
    """The settings in force; a SettingsRefusedError names all that are unknown or invalid, and where they were given.

    Without `file`, `punto.toml` is read if there is one. `options` are those of the command line by the names of their
    settings, None where one was not given; `others` are settings as `name=value`.
    """
    here = phrase("command-line")
    in_environment, ignored = _of_environment(environment)
    given = [*_of_file(file), *in_environment]
    given += [Given(name, value, here) for name, value in options.items() if value is not None]
    for other in others:
        name, _, value = other.partition("=")
        given.append(Given(name.strip(), value.strip(), here))
    house, sources, refused = SERVED, dict[str, str](), list[Refusal]()
    for each in given:
        try:
            known = _resolve(each)
            house = _set(house, known)
            sources[known.name] = known.source
        except Refused as error:
            refused.append(error.refusal)
    if refused:
        raise SettingsRefusedError(refused, house.server.log_format)
    return Settings(house, sources, ignored)


def read_database(options: Database) -> HouseSettings:
    """The settings of a house whose database a command reads, with the files that the command line names.

    The head and the key in the settings belong to the database in the settings: another has its own beside it.
    """
    house = read_settings(options.config, os.environ, {}).house
    if options.database not in {None, house.database}:
        house = replace(house, database=options.database, head=None, key=None)
    named: dict[str, Path | None] = {"head": options.head, "key": options.key}
    changed: dict[str, Any] = {name: str(path) for name, path in named.items() if path is not None}
    house = replace(house, **changed)
    if says := exposed_key(house):
        sys.stderr.write(f"punto: {says}\n")
    return house


def require_key(house: HouseSettings) -> Path:
    """The file of the key of a house, which must be there."""
    path = house.key_file
    if path is not None and path.is_file():
        return path
    if house.database.startswith(SQLITE) and not (database := sqlite_path(house.database)).exists():
        raise Refused(Reported("database-missing", f"there is no database at {database}"))
    raise Refused(KeyMissing(str(path or "")))


def exposed_key(house: HouseSettings) -> str | None:
    """A sentence about a key that others than its owner can read; None where all is well."""
    path = house.key_file
    if path is None or not path.is_file() or not path.stat().st_mode & 0o044:
        return None
    return phrase("key-exposed", file=str(path))


def run(ask: house.Settings) -> None:
    """Show the settings that a server would start with."""
    show_settings(ask, read_settings(ask.config, os.environ, {}, ask.others))


def show_settings(ask: Output, settings: Settings) -> None:
    """Show every setting, its value and where it comes from. Passwords are left out."""
    default = phrase("default")
    values = [(name, attrgetter(name)(settings.house)) for name in KINDS]
    rows = [(name, _shown(value), settings.sources.get(name, default)) for name, value in values]

    def show() -> None:
        table = grid("", columns("setting value source"), names=("setting",))
        for name, value, source in rows:
            table.add_row(name, _written(value), source, style="" if name in settings.sources else "dim")
        console().print(table)
        for name in settings.ignored:
            console().print(phrase("not-a-setting", name=name))

    data = [{"setting": name, "value": value, "source": source} for name, value, source in rows]
    write(ask, data=lambda: data, text=show)


def _kinds(settings: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting by its name, and its type."""
    for name, kind in get_type_hints(settings, include_extras=True).items():
        if is_dataclass(kind) and kind is not GamingDay:
            yield from _kinds(kind, f"{prefix}{name}.")  # type: ignore[arg-type]  # a dataclass, not an instance
        else:
            yield prefix + name, kind


KINDS = dict(_kinds(HouseSettings))
"""The type of each setting."""


def _of_file(file: Path | None) -> Iterator[Given]:
    source = str(file or DEFAULT_FILE)
    try:
        content = tomllib.loads(Path(source).read_text("utf-8"))
    except FileNotFoundError:
        if file is None:
            return
        raise Refused(SettingsUnreadable(source, phrase("no-such-file"))) from None
    except (OSError, ValueError, RecursionError) as error:
        raise Refused(SettingsUnreadable(source, str(error))) from None
    for name, value in _flatten(content):
        yield Given(name, value, source, plain=False)


def _flatten(content: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _of_environment(environment: Mapping[str, str]) -> tuple[list[Given], tuple[str, ...]]:
    names = {PREFIX + name.replace(".", "_").upper(): name for name in KINDS}
    names |= {variable + FROM_FILE.upper(): name + FROM_FILE for variable, name in names.items()} | names
    found = [variable for variable in sorted(environment) if variable.startswith(PREFIX)]
    given = [Given(names[each], environment[each], each) for each in found if each in names]
    return given, tuple(each for each in found if each not in names)


def _resolve(given: Given) -> Given:
    """The given values, with the content of the file where one was named that holds the value."""
    if given.name in KINDS:
        return given
    if (name := given.name.removesuffix(FROM_FILE)) not in KINDS:
        raise Refused(SettingUnknown(quoted(given.name), given.source))
    file = str(given.value)
    try:
        return Given(name, Path(file).read_text("utf-8").strip(), file)
    except (OSError, ValueError) as error:
        raise Refused(SettingsUnreadable(file, str(error))) from None


def _convert(given: Given) -> object:
    """The value of a setting, from what was given."""
    kind, value = KINDS[given.name], given.value
    if kind is GamingDay and isinstance(value, str):
        return read_gaming_day(value)
    if given.plain and isinstance(value, str) and isinstance(inspect.type_info(kind), inspect.VarTupleType):
        value = [each.strip() for each in value.split(",") if each.strip()]
    return msgspec.convert(value, kind, strict=not given.plain)


def read_gaming_day(given: str) -> GamingDay:
    """When a gaming day begins, from a time of day with its offset from UTC; UTC without one."""
    try:
        starts = time.fromisoformat(given)
    except ValueError:
        raise Refused(DayStartInvalid(quoted(given))) from None
    after_midnight = timedelta(hours=starts.hour, minutes=starts.minute, seconds=starts.second)
    return GamingDay(((starts.utcoffset() or timedelta()) - after_midnight) // timedelta(milliseconds=1))


def _set(house: HouseSettings, given: Given) -> HouseSettings:
    """The settings with one other value."""
    group, _, field = given.name.rpartition(".")
    try:
        changed: dict[str, Any] = {field: _convert(given)}
        return replace(house, **({group: replace(getattr(house, group), **changed)} if group else changed))
    except Refused:
        raise
    except (ValueError, TypeError):  # of another kind, bytes that are no text, or refused by its own class
        raise Refused(_invalid(given, inspect.type_info(KINDS[given.name]))) from None


def _invalid(given: Given, kind: inspect.Type) -> SettingInvalid:
    """The values that the setting can take, from its type."""
    invalid = partial(SettingInvalid, given.name, given.source, quoted(public(str(given.value))))
    match kind:
        case inspect.VarTupleType():
            return invalid(Wanted.LIST, like=_invalid(given, kind.item_type).like)
        case inspect.Metadata():
            return invalid(Wanted.TEXT, like=tuple((kind.extra_json_schema or {}).get("examples", ())))
        case inspect.IntType() if given.name.startswith(PACE):
            return invalid(Wanted.PACE)
        case inspect.IntType():
            return invalid(Wanted.WHOLE_NUMBER, least=kind.ge, most=kind.le)
        case inspect.BoolType():
            return invalid(Wanted.FLAG)
        case inspect.EnumType():
            return invalid(Wanted.ONE_OF, known=tuple(kind.cls))
    return invalid(Wanted.TEXT)


def _shown(value: object) -> object:
    """A value as it is shown and given: addresses without their passwords."""
    if isinstance(value, tuple):
        return [public(each) for each in value]
    return public(value) if isinstance(value, str) else str(value) if isinstance(value, GamingDay) else value


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    return said(", ".join(value) if isinstance(value, list) else value)
