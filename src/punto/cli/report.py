"""`punto report`: one page with every exact figure of a game."""

from __future__ import annotations

from pathlib import Path

import punto
from punto.analysis.report import report
from punto.cli.output import Failure, console, write_json
from punto.rules.loader import load


def write_report(game: str, *, decks: int, out: str, as_json: bool) -> None:
    """Write the report on a game to a file."""
    sheet = load(game)
    path = Path(out)
    if not path.absolute().parent.is_dir():
        raise Failure("file-unwritable", f"cannot write {out}: there is no folder {path.parent}")
    page = report(sheet, decks, version=punto.__version__)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise Failure("file-unwritable", f"cannot write {out}: {error.strerror}") from None
    if as_json:
        write_json({"game": sheet.id, "decks": decks, "file": str(path), "bytes": len(page.encode())})
    else:
        console().print(
            f"{sheet.title}, {decks} decks: {path} ({len(page.encode()) // 1024:,} KB, opens in any browser)"
        )
