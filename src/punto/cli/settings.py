"""Settings from a file, the environment and the command line, the later over the earlier; `punto settings` shows them.

The settings are the fields of `HouseSettings`. `edge.burst` is `burst` in the table `[edge]` of the file,
`PUNTO_EDGE_BURST` in the environment and `--set edge.burst=60` on the command line. Any of them can be read from a file
of its own, which is how secrets are handed over: `database_file` in the file, `PUNTO_DATABASE_FILE` in the environment.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import msgspec
from msgspec import inspect

from punto.cli.gaming_days import read_gaming_day
from punto.cli.output import column, console, grid, phrase, said, write_json
from punto.cli.refusals import SettingInvalid, SettingsUnreadable, SettingUnknown
from punto.ledger.table_day import GamingDay
from punto.rules.reasons import Wanted, quoted
from punto.rules.refusals import RefusedError
from punto.service.settings import HouseSettings
from punto.store.opening import public

PREFIX = "PUNTO_"
FROM_FILE = "_file"
PACE = "timing."
"""Settings of the core, which knows no annotations and checks them itself."""
DEFAULT_FILE = Path("punto.toml")
SERVED = HouseSettings(database="sqlite:///data/punto.db")
"""What a server starts from."""


class Given(NamedTuple):
    """A value that was given for a setting, and where. Text stands for a value of any kind if it is `plain`."""

    value: object
    source: str
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """What is in force."""

    house: HouseSettings
    sources: Mapping[str, str]
    """Where each setting that is not at its default comes from."""
    ignored: tuple[str, ...]
    """Variables of the environment that look like settings and are none."""


def read_settings(
    file: Path | None, environment: Mapping[str, str], options: Mapping[str, object], others: Iterable[str] = ()
) -> Settings:
    """The settings in force; a RefusedError names the setting that is unknown or invalid and where it was given.

    Without `file`, `punto.toml` is read if there is one. `options` are those of the command line by the names of their
    settings, None where one was not given; `others` are settings as `name=value`.
    """
    in_environment, ignored = _of_environment(environment)
    here = phrase("command-line")
    given = {**_of_file(file), **in_environment}
    given |= {name: Given(value, here) for name, value in options.items() if value is not None}
    for other in others:
        name, _, value = other.partition("=")
        given[_known(name.strip(), here)] = Given(value.strip(), here)
    house = SERVED
    for name, each in given.items():
        converted = _convert(name, each)
        try:
            house = _set(house, name.split("."), converted)
        except ValueError:  # its own class refuses it
            raise RefusedError(_invalid(name, each, inspect.type_info(KINDS[name]))) from None
    return Settings(house, {name: each.source for name, each in given.items()}, ignored)


def _known(name: str, source: str) -> str:
    if name not in KINDS:
        raise RefusedError(SettingUnknown(quoted(name), source))
    return name


def show_settings(settings: Settings, *, as_json: bool) -> None:
    """Every setting, its value and where it comes from. Passwords are left out."""
    default = phrase("default")
    rows = [(name, _shown(value), settings.sources.get(name, default)) for name, value in _leaves(settings.house)]
    if as_json:
        write_json([{"setting": name, "value": value, "source": source} for name, value, source in rows])
        return
    table = grid("", [column("setting"), column("value"), column("source")], names=("setting",))
    for name, value, source in rows:
        table.add_row(name, _written(value), source, style="" if name in settings.sources else "dim")
    console().print(table)
    for name in settings.ignored:
        console().print(phrase("not-a-setting", name=name))


def _leaves(settings: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting by its name, and its value."""
    for each in fields(settings):
        value = getattr(settings, each.name)
        if is_dataclass(value) and not isinstance(value, GamingDay):
            yield from _leaves(value, f"{prefix}{each.name}.")
        else:
            yield prefix + each.name, value


def _kinds(settings: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each setting by its name, and its type."""
    for name, kind in get_type_hints(settings, include_extras=True).items():
        if is_dataclass(kind) and kind is not GamingDay:
            yield from _kinds(kind, f"{prefix}{name}.")  # type: ignore[arg-type]  # a dataclass, not an instance
        else:
            yield prefix + name, kind


KINDS = dict(_kinds(HouseSettings))
"""The type of each setting."""


def _of_file(file: Path | None) -> dict[str, Given]:
    source = str(file or DEFAULT_FILE)
    try:
        content = tomllib.loads(Path(source).read_text("utf-8"))
    except FileNotFoundError:
        if file is None:
            return {}
        raise RefusedError(SettingsUnreadable(source, phrase("no-such-file"))) from None
    except (OSError, ValueError, RecursionError) as error:
        raise RefusedError(SettingsUnreadable(source, str(error))) from None
    given = {}
    for name, value in _flatten(content):
        if name not in KINDS and (named := name.removesuffix(FROM_FILE)) in KINDS:
            given[named] = _read_secret(str(value))
        else:
            given[_known(name, source)] = Given(value, source, plain=False)
    return given


def _flatten(content: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, value in content.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _of_environment(environment: Mapping[str, str]) -> tuple[dict[str, Given], tuple[str, ...]]:
    names = {PREFIX + name.replace(".", "_").upper(): name for name in KINDS}
    given: dict[str, Given] = {}
    ignored = []
    for variable in sorted(environment):
        if name := names.get(variable):
            given[name] = Given(environment[variable], variable)
        elif name := names.get(variable.removesuffix(FROM_FILE.upper())):
            given[name] = _read_secret(environment[variable])
        elif variable.startswith(PREFIX):
            ignored.append(variable)
    return given, tuple(ignored)


def _read_secret(file: str) -> Given:
    try:
        return Given(Path(file).read_text("utf-8").strip(), file)
    except (OSError, ValueError) as error:
        raise RefusedError(SettingsUnreadable(file, str(error))) from None


def _convert(name: str, given: Given) -> object:
    """The value of a setting, from what was given."""
    kind = KINDS[name]
    value = given.value
    if kind is GamingDay and isinstance(value, str):
        return read_gaming_day(value)
    if given.plain and isinstance(value, str) and isinstance(inspect.type_info(kind), inspect.VarTupleType):
        value = [each.strip() for each in value.split(",") if each.strip()]
    try:
        return msgspec.convert(value, kind, strict=not given.plain)
    except (ValueError, TypeError):  # of another kind, or bytes that are no text
        raise RefusedError(_invalid(name, given, inspect.type_info(kind))) from None


def _invalid(name: str, given: Given, kind: inspect.Type) -> SettingInvalid:
    """What the setting must be, from its type."""
    value = quoted(public(str(given.value)))
    match kind:
        case inspect.VarTupleType():
            like = _invalid(name, given, kind.item_type).like
            return SettingInvalid(name, given.source, value, Wanted.LIST, like=like)
        case inspect.Metadata():
            like = tuple((kind.extra_json_schema or {}).get("examples", ()))
            return SettingInvalid(name, given.source, value, Wanted.TEXT, like=like)
        case inspect.IntType() if name.startswith(PACE):
            return SettingInvalid(name, given.source, value, Wanted.PACE)
        case inspect.IntType():
            return SettingInvalid(name, given.source, value, Wanted.WHOLE_NUMBER, least=kind.ge, most=kind.le)
        case inspect.BoolType():
            return SettingInvalid(name, given.source, value, Wanted.FLAG)
        case inspect.EnumType():
            return SettingInvalid(name, given.source, value, Wanted.ONE_OF, known=tuple(kind.cls))
        case _:
            return SettingInvalid(name, given.source, value, Wanted.TEXT)


def _set(settings: Any, path: list[str], value: object) -> Any:
    """The settings with one other value."""
    name, *rest = path
    return replace(settings, **{name: _set(getattr(settings, name), rest, value) if rest else value})


def _shown(value: object) -> object:
    """A value as it is shown and given: addresses without their passwords."""
    match value:
        case GamingDay():
            return str(value)
        case str():
            return public(value)
        case tuple():
            return [public(each) for each in value]
    return value


def _written(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(value)
    return said(value)
