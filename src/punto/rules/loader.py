"""Loads rule sheets: the built-in ones by id, anyone's own by path. The one place in `rules` that reads a file."""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from punto.rules.refusals import RecordCode, RefusedError, shorten
from punto.rules.sheet import Sheet
from punto.rules.sheet_reader import SheetError, read_sheet

GAMES = ("commission", "commission-insurance", "non-commission", "easy-six", "da-hu-ying-xiong")
"""The ids of the built-in games, in the order people list them."""

MOST_BYTES = 1_000_000
"""No rule sheet is longer; a record may name any path, so something has to be."""


def load(game: str) -> Sheet:
    """The sheet of a built-in game, or of a TOML file at a path (anything with a slash or ending in .toml).

    Raises RefusedError for a game nobody knows and SheetError for a sheet that makes no sense.
    """
    if game in GAMES:
        return _built_in(game)
    if game.endswith(".toml") or "/" in game or "\\" in game:
        found = _from_path(game)
        if isinstance(found, RefusedError):
            raise found.with_traceback(None)
        return found
    raise RefusedError(RecordCode.GAME_UNKNOWN, _unknown(game))


def load_all() -> tuple[Sheet, ...]:
    """The built-in sheets."""
    return tuple(load(game) for game in GAMES)


@cache
def _built_in(game: str) -> Sheet:
    file = resources.files("punto.sheets") / f"{game}.toml"
    return _parse(file.read_bytes(), file.name)


@cache
def _from_path(path: str) -> Sheet | RefusedError:
    """The sheet at a path, or why there is none: many records may name the same wrong one."""
    shown = shorten(ascii(path)[1:-1], 200)
    try:
        file = Path(path)
        if file.exists() and not file.is_file():
            return RefusedError(RecordCode.GAME_UNKNOWN, f"no sheet at {shown}: it is not a file")
        if file.stat().st_size > MOST_BYTES:
            return RefusedError(RecordCode.GAME_UNKNOWN, f"no sheet at {shown}: it is over {MOST_BYTES:,} bytes")
        return _parse(file.read_bytes(), shown)
    except SheetError as error:
        return error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "that is no path"
        return RefusedError(RecordCode.GAME_UNKNOWN, f"no sheet at {shown}: {reason}")


def _parse(content: bytes, source: str) -> Sheet:
    try:
        return read_sheet(tomllib.loads(content.decode("utf-8-sig")), source)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SheetError(source, "", f"not TOML: {error}") from None
    except RecursionError:
        raise SheetError(source, "", "not a sheet: it is nested too deeply") from None


def _unknown(game: str) -> str:
    close = difflib.get_close_matches(game, GAMES, n=1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(GAMES)}, and any sheet of yours by its path"
    return f"no game is called {shorten(ascii(game))}; {hint}"
