"""Loads rule sheets: built-in ones by id, others by path, text or mapping. The only module of `rules` to read files."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache, reduce
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from punto.rules.extension import extended
from punto.rules.reasons import Problem, quoted, shorten
from punto.rules.refusals import GameUnknown, Refused, SheetInvalid
from punto.rules.sheet import Sheet
from punto.rules.sheet_reader import read_sheet
from punto.rules.toml_table import SheetError, find_lines

GAMES = ("commission", "commission-insurance", "non-commission", "easy-six", "da-hu-ying-xiong")
"""The ids of the built-in games, in the usual order."""

_GALLERY = "baccarat ez-baccarat super-6 lucky-6 lucky-7 dragon-bonus either-pair big-small 4-5-6 three-card-six"
_GALLERY += " over-under quik egalite eights-and-nines"
GALLERY = tuple([f"gallery/{name}" for name in _GALLERY.split()])
"""Well-known games and bets of other houses, as examples of sheets: mathematics only."""

MAX_BYTES = 1_000_000
"""The maximum size of a sheet file. A record may name any path, so there must be a limit."""

MAX_EXTENSIONS = 8
"""The number of sheets that may extend each other in a row."""


class _File(NamedTuple):
    """The content of a sheet, what messages call it, and the folder that its paths start from."""

    content: bytes
    name: str
    folder: Path = Path()


def load(source: str | Path | Mapping[str, object]) -> Sheet:
    """A sheet: by the id of a built-in game, a path (with a slash or ending in .toml), TOML text, or a mapping.

    A file is read anew each time. Raises Refused for an unknown game and SheetError for an invalid sheet.
    """
    if isinstance(source, str) and source in GAMES:
        return _built_in(source)
    if isinstance(source, Mapping):
        return _from_mapping(source)
    if not isinstance(source, str | Path):
        raise Refused(GameUnknown(quoted(source), GAMES))
    file = _file(source, Path())
    return _from_files(file, *_bases(_parse(file), file))


def load_all() -> tuple[Sheet, ...]:
    """The sheets of the built-in games."""
    return tuple(map(load, GAMES))


@cache
def _built_in(game: str) -> Sheet:
    return _from_files(_file(game, Path()))


def _file(source: str | Path, folder: Path) -> _File:
    """The content that a source names. Raises Refused."""
    if isinstance(source, str) and (source in GAMES or source in GALLERY):
        file = resources.files("punto.sheets") / f"{source}.toml"
        return _File(file.read_bytes(), source.rpartition("/")[2] + ".toml")
    if isinstance(source, str) and "\n" in source:
        return _File(source.encode("utf-8", "surrogatepass"), "sheet", folder)
    if isinstance(source, Path) or source.endswith(".toml") or "/" in source or "\\" in source:
        return _at_path(folder / source, shorten(ascii(str(source))[1:-1], 200))
    raise Refused(_unknown(source))


def _at_path(path: Path, shown: str) -> _File:
    problem, detail = "", ""
    try:
        if path.exists() and not path.is_file():
            problem = Problem.NOT_A_FILE
        elif path.stat().st_size > MAX_BYTES:
            problem = Problem.FILE_TOO_LARGE
        else:
            return _File(path.read_bytes(), shown, path.parent)
    except (OSError, ValueError) as error:
        detail = getattr(error, "strerror", None) or ""
        problem = "" if detail else Problem.NOT_A_PATH
    raise Refused(GameUnknown(shown, problem=problem, detail=detail))


def _bases(data: Mapping[str, object], file: _File) -> tuple[_File, ...]:
    """The sheet that a sheet extends, the one that this extends, and so on."""
    bases: list[_File] = []
    while isinstance(name := data.get("extends"), str):
        bases.append(_base(name, data, file))
        if len(bases) > MAX_EXTENSIONS:
            raise SheetError(SheetInvalid(bases[0].name, "extends", Problem.NOT_EXTENDED, (quoted(name),)))
        file = bases[-1]
        data = _parse(file)
    return tuple(bases)


def _base(name: str, data: Mapping[str, object], file: _File) -> _File:
    try:
        return _file(name, file.folder)
    except Refused:
        beside = [path.name for path in sorted(file.folder.glob("*.toml"))] if file.content else []
        similar = "".join(difflib.get_close_matches(name, (*GAMES, *GALLERY, *beside), n=1))
        line = find_lines(_text(file), data).get("extends") if file.content else None
        unknown = SheetInvalid(
            file.name, "extends", Problem.BASE_UNKNOWN, (quoted(name),), similar=similar, known=GAMES, line=line
        )
        raise SheetError(unknown) from None


def _from_mapping(source: Mapping[str, object]) -> Sheet:
    try:
        return read_sheet(_whole(source, _bases(source, _File(b"", "sheet"))), "sheet")
    except RecursionError:
        raise SheetError(SheetInvalid("sheet", "", Problem.SHEET_TOO_DEEP)) from None


@lru_cache(maxsize=64)
def _from_files(file: _File, *bases: _File) -> Sheet:
    """The sheet with these contents. The cache holds contents, not paths, so a changed file is never stale."""
    data = _parse(file)
    return read_sheet(_whole(data, bases), file.name, lambda: find_lines(_text(file), data))


def _whole(data: Mapping[str, object], bases: tuple[_File, ...]) -> Mapping[str, object]:
    """The content of a sheet together with that of the sheets it extends."""
    return reduce(extended, [*map(_parse, reversed(bases)), data])


def _text(file: _File) -> str:
    return file.content.decode("utf-8-sig")


@lru_cache(maxsize=64)
def _parse(file: _File) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(file))
    except ValueError as error:  # not TOML, not UTF-8, or a number with thousands of digits
        line = _line_of(error, file.content)
        says = re.sub(r" \(at .*\)$", "", str(error))
        raise SheetError(SheetInvalid(file.name, "", Problem.NOT_TOML, (says,), line=line)) from None
    except RecursionError:
        raise SheetError(SheetInvalid(file.name, "", Problem.SHEET_TOO_DEEP)) from None


def _line_of(error: ValueError, content: bytes) -> int | None:
    """The line of what is not TOML, or not UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        return content.count(b"\n", 0, error.start) + 1
    if place := re.search(r"\(at line (\d+)", str(error)):
        return int(place[1])
    return content.rstrip().count(b"\n") + 1 if "end of document" in str(error) else None


def _unknown(game: str) -> GameUnknown:
    shown = shorten(ascii(game))
    close = difflib.get_close_matches(game, (*GAMES, *GALLERY), n=1)
    return GameUnknown(shown, similar=close[0]) if close else GameUnknown(shown, GAMES)
