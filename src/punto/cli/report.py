"""`punto report`: one page with every exact figure of a game."""

from __future__ import annotations

from pathlib import Path

from punto.cli.commands.figures import Report
from punto.cli.files import write_file
from punto.cli.output import console, phrase, said, write
from punto.cli.refusals import FileUnwritable
from punto.library.game import game
from punto.rules.refusals import Refused


def run(ask: Report) -> None:
    """Write the report on a game to a file."""
    of, path = game(ask.game), Path(ask.out)
    if ask.out != "-" and path.suffix not in (".html", ".htm"):
        raise Refused(FileUnwritable(ask.out, problem="not-a-page"))
    if not path.absolute().parent.is_dir():
        raise Refused(FileUnwritable(ask.out, problem="no-folder", detail=str(path.parent)))
    page = of.report(ask.decks)
    write_file(ask.out, page)
    data = {"game": of.id, "decks": ask.decks, "file": str(path), "bytes": len(page.encode())}
    size = f"{len(page.encode()) // 1024:,} KB"
    says = phrase("report-written", of.sheet, title=of.sheet.title, decks=ask.decks, file=path, size=size)
    write(ask, data=lambda: data, text=lambda: console().print(said(says)))
