"""Loads rule sheets: built-in ones by id, others by path. The only module of `rules` that reads files."""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from punto.rules.reasons import Problem, shorten
from punto.rules.refusals import GameUnknown, RefusedError
from punto.rules.sheet import Sheet
from punto.rules.sheet_reader import SheetError, read_sheet

GAMES = ("commission", "commission-insurance", "non-commission", "easy-six", "da-hu-ying-xiong")
"""The ids of the built-in games, in the usual order."""

MAX_BYTES = 1_000_000
"""The maximum size of a sheet file. A record may name any path, so there must be a limit."""


def load(game: str) -> Sheet:
    """The sheet of a built-in game, or of a TOML file at a path (anything with a slash or ending in .toml).

    Raises RefusedError for an unknown game and SheetError for an invalid sheet.
    """
    if game in GAMES:
        return _built_in(game)
    if game.endswith(".toml") or "/" in game or "\\" in game:
        found = _from_path(game)
        if isinstance(found, RefusedError):
            raise found.with_traceback(None)
        return found
    raise RefusedError(_unknown(game))


def load_all() -> tuple[Sheet, ...]:
    """The built-in sheets."""
    return tuple(load(game) for game in GAMES)


@cache
def _built_in(game: str) -> Sheet:
    file = resources.files("punto.sheets") / f"{game}.toml"
    return _parse(file.read_bytes(), file.name)


@cache
def _from_path(path: str) -> Sheet | RefusedError:
    """The sheet at a path, or the error. The error is cached too, because many records may name the same path."""
    shown = shorten(ascii(path)[1:-1], 200)
    try:
        file = Path(path)
        if file.exists() and not file.is_file():
            return RefusedError(GameUnknown(shown, problem=Problem.NOT_A_FILE))
        if file.stat().st_size > MAX_BYTES:
            return RefusedError(GameUnknown(shown, problem=Problem.FILE_TOO_LARGE))
        return _parse(file.read_bytes(), shown)
    except SheetError as error:
        return error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None)
        return RefusedError(GameUnknown(shown, problem="" if reason else Problem.NOT_A_PATH, detail=reason or ""))


def _parse(content: bytes, source: str) -> Sheet:
    try:
        return read_sheet(tomllib.loads(content.decode("utf-8-sig")), source)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SheetError(source, "", Problem.NOT_TOML, str(error)) from None
    except RecursionError:
        raise SheetError(source, "", Problem.SHEET_TOO_DEEP) from None


def _unknown(game: str) -> GameUnknown:
    shown = shorten(ascii(game))
    close = difflib.get_close_matches(game, GAMES, n=1)
    return GameUnknown(shown, similar=close[0]) if close else GameUnknown(shown, GAMES)
