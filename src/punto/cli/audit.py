"""`punto audit`: whether a database holds what was written to it, and whether the money adds up."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.markup import escape

from punto.cli.commands.house import Audit
from punto.cli.output import columns, console, grid, phrase, write
from punto.cli.refusals import HeadMissing
from punto.cli.settings import read_database, require_key
from punto.library.progress import Progress
from punto.rules.money import money
from punto.rules.refusals import Refused
from punto.service.audit.house_audit import Replaying, audit_house
from punto.service.settings import HouseSettings
from punto.service.shoes.anchors import Anchor, read_anchor
from punto.service.shoes.house_key import HouseKey
from punto.store.audit import AuditProblem, AuditReport
from punto.store.errors import StoreError
from punto.store.heads import Heads, read_heads
from punto.store.opening import accept as accept_database
from punto.store.opening import check_heads, open_snapshot, public


def run(ask: Audit) -> int:
    """Audit a database and show the result. Returns 1 if anything is wrong, else 0."""
    house = read_database(ask)
    gc.disable()  # an audit makes millions of rows but no cycles, and the process ends after it
    audited = Replaying(house.database, _key(house))
    kept = [read_anchor(path) for path in ask.anchor]
    report, left_sealed, heads = asyncio.run(_audit(audited, house, kept, accept=ask.accept, quiet=ask.as_json))
    has_key = audited.key is not None or bool(kept)
    checked = {"shoes_left_sealed": left_sealed, "signatures_checked": has_key}

    def show() -> None:
        unchecked = list(_unchecked(heads, left_sealed, has_key=has_key, accept=ask.accept))
        _show(public(house.database), report, heads, house.head_file if ask.accept else None, unchecked)

    write(ask, data=lambda: _plain(report, heads) | checked, text=show)
    return 1 if report.problems else 0


def audit_and_accept(house: HouseSettings) -> tuple[int, str | None]:
    """Audit a copy with everything in it; if all is well, make its head file. The number of records, and a problem."""
    audited = Replaying(house.database, house.key_file)
    try:
        report, _, _ = asyncio.run(_audit(audited, house, (), accept=True, quiet=True))
    except StoreError as error:
        return 0, error.message
    return report.records, report.first.message if report.first else None


def _key(house: HouseSettings) -> Path | None:
    """The house's key, if its file exists; one that was named must."""
    path = require_key(house) if house.key else house.key_file
    return path if path is not None and path.is_file() else None


async def _audit(
    house: Replaying, settings: HouseSettings, anchors: Sequence[Anchor], *, accept: bool, quiet: bool
) -> tuple[AuditReport, int, Heads | None]:
    head = settings.head_file
    # Read before the snapshot: a database in use may be ahead of its head, but never behind.
    heads = read_heads(head) if head else None
    async with open_snapshot(house.address) as (snapshot, store):
        check_heads(heads, store, head)
        sign = house.sign(store)
        for anchor in anchors:
            check_heads(anchor.heads, store, None)
            if house.key and anchor.public_key != HouseKey(house.key).public:
                raise StoreError("an anchor is signed with the key of another house")
            sign = sign or anchor.verifier()
        if settings.head and heads is None and not accept:
            raise Refused(HeadMissing(str(head)))
        with Progress(1, "records-noun", shown=False if quiet else None) as progress:
            compared = None if accept else heads
            report, left_sealed = await audit_house(
                snapshot,
                house,
                heads=compared,
                anchors=[each.heads for each in anchors],
                sign=sign,
                progress=progress.update,
            )
    if accept and head is None:
        raise Refused(HeadMissing())
    if accept and head and not report.problems:
        accept_database(head, store, heads, report)
    return report, left_sealed, heads


def _unchecked(heads: Heads | None, left_sealed: int, *, has_key: bool, accept: bool) -> Iterator[str]:
    """The parts that an audit could not check, and what it may miss."""
    if heads is None and not accept:
        yield phrase("unchecked-head")
    if not has_key:
        yield phrase("unchecked-signatures")
    if left_sealed:
        yield phrase("unchecked-shoes", shoes=left_sealed)


def _show(
    address: str, report: AuditReport, heads: Heads | None, accepted: Path | None, unchecked: Sequence[str]
) -> None:
    out = console()
    table = grid("", columns("stream records> fence> head outside"))
    for tail in report.tails:
        outside = heads.streams.get(tail.stream) if heads else None
        state = "" if outside is None else phrase("same") if outside[0] == tail.seq else phrase("at", seq=outside[0])
        table.add_row(tail.stream, f"{tail.seq:,}", str(tail.fence), tail.hash[:16], state)
    if report.tails:
        out.print(table)
    out.print(phrase("audited", records=report.records, postings=report.postings, replayed=report.replayed))
    patrons, house = money(report.patron_cents), money(report.house_cents)
    out.print(phrase("audited-money", patrons=patrons, house=house, bets=report.bets_open))
    for says in unchecked:
        out.print(f"[yellow]{says}[/]", soft_wrap=True)
    for problem in report.problems:
        out.print(f"[red]{phrase('audit-bad')}[/] ({problem.code}): {escape(problem.message)}", soft_wrap=True)
    if report.first:
        out.print(f"[bold red]{phrase('not-whole', database=escape(address))}[/]", soft_wrap=True)
        out.print(phrase("first-bad", message=escape(report.first.message)), soft_wrap=True)
        return
    out.print(f"[bold green]{phrase('whole', database=escape(address))}[/]", soft_wrap=True)
    if accepted:
        out.print(phrase("head-accepted", file=escape(str(accepted))), soft_wrap=True)


def _plain(report: AuditReport, heads: Heads | None) -> dict[str, object]:
    return {
        "whole": not report.problems,
        "records": report.records,
        "postings": report.postings,
        "replayed": report.replayed,
        "bets_in_play": report.bets_open,
        "patrons": report.patron_cents,
        "house": report.house_cents,
        "streams": {tail.stream: {"seq": tail.seq, "hash": tail.hash, "fence": tail.fence} for tail in report.tails},
        "head": {stream: {"seq": seq, "hash": hash_} for stream, (seq, hash_) in heads.streams.items()}
        if heads
        else None,
        "first": _problem(report.problems[0]) if report.problems else None,
        "problems": [_problem(problem) for problem in report.problems],
    }


def _problem(problem: AuditProblem) -> dict[str, object]:
    return {"code": problem.code, "stream": problem.stream, "seq": problem.seq, "message": problem.message}
