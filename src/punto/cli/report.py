"""`punto report`: one page with every exact figure of a game."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import punto
from punto.analysis.report import report
from punto.cli.files import write_file
from punto.cli.output import console, said, write_json
from punto.cli.refusals import FileUnwritable
from punto.rules.loader import load
from punto.rules.refusals import Refused
from punto.rules.words import counted


def write_report(game: str, *, decks: int, out: str, as_json: bool) -> None:
    """Write the report on a game to a file."""
    sheet = load(game)
    path = Path(out)
    if out != "-" and path.suffix not in (".html", ".htm"):
        raise Refused(FileUnwritable(out, problem="not-a-page"))
    if not path.absolute().parent.is_dir():
        raise Refused(FileUnwritable(out, problem="no-folder", detail=str(path.parent)))
    page = report(sheet, decks, version=punto.__version__, made_on=datetime.now(UTC).date())
    write_file(out, page)
    if as_json:
        write_json({"game": sheet.id, "decks": decks, "file": str(path), "bytes": len(page.encode())})
    else:
        size = f"{len(page.encode()) // 1024:,} KB"
        console().print(f"{said(sheet.title)}, {counted(decks, 'deck')}: {said(path)} ({size}, opens in any browser)")
