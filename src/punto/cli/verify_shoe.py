"""`punto verify-shoe`: whether a shoe matches its commitment, from its published record alone."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from types import NoneType
from typing import Any

from punto.cli.output import console, faces, phrase, said, write_json
from punto.cli.refusals import CommitmentInvalid, FileUnreadable, ShoeNotOpen
from punto.rules.cards import parse_cards
from punto.rules.reasons import DrawReason
from punto.rules.refusals import FieldMissing, FieldType, Refused, Unreadable
from punto.table.shoe_proof import OpenedShoe, PlayedRound, PutAside, broken_commitment
from punto.texts import say, text

FIELDS: dict[str, type] = {"commitment": str, "salt": str, "order": str, "decks": int, "dealt": str}
ROUND: dict[str, tuple[type, ...]] = {"round": (int,), "cards": (str,), "void": (bool,)}
ASIDE: dict[str, tuple[type, ...]] = {
    "place": (int,),
    "card": (str,),
    "round": (int,),
    "rule": (str, NoneType),
    "reason": (str,),
}
COMMITMENT = re.compile(r"[0-9a-f]{64}")
MAX_DECKS = 16
WANTED: dict[tuple[type, ...], str] = {
    (str,): "text",
    (int,): "whole-number",
    (bool,): "flag",
    (str, NoneType): "text-or-null",
}


def verify_file(file: str, commitment: str | None = None, *, as_json: bool) -> int:
    """Check a published shoe. Returns 1 if it does not match its commitment, else 0. A shoe in play cannot be checked.

    `commitment` is the one that somebody noted before the first bet. The house wrote the record, so without a noted
    commitment a record that was invented afterwards would pass.
    """
    noted = None if commitment is None else _noted(commitment)
    record = _read(file)
    shoe = OpenedShoe(
        **{name: record[name] for name in FIELDS},
        rounds=tuple([PlayedRound(**each) for each in _items(record, "rounds", ROUND)]),
        carried=tuple([PutAside(**each) for each in _items(record, "carried", ASIDE)]),
        closed=tuple([PutAside(**each) for each in _items(record, "closed", ASIDE)]),
        first_burn=_first_burn(record),
    )
    try:
        broken = broken_commitment(shoe, _explain, noted)
    except Refused as error:
        broken = say(error.refusal)
    dealt, void = len(shoe.dealt.split()), sum(each.void for each in shoe.rounds)
    if as_json:
        result = {"kept": broken is None, "why": broken, "commitment": shoe.commitment, "noted": noted, "dealt": dealt}
        asides = {name: len(getattr(shoe, name)) for name in ("carried", "closed")}
        asides["first_burn"] = shoe.first_burn
        write_json(result | {"rounds": len(shoe.rounds), "void": void} | asides)
        return int(broken is not None)
    out = console()
    table, number = (said(record[name]) if name in record else None for name in ("table", "shoe"))
    name = phrase("shoe-named", table=table, shoe=number).strip().capitalize() or phrase("shoe-unnamed")
    if broken:
        says = phrase("shoe-broken-why", name=name, why=said(broken))
        out.print(f"[bold red]{phrase('shoe-broken')}[/]{says}")
        return 1
    out.print(f"[bold green]{phrase('shoe-verified')}[/]{phrase('shoe-verified-how', name=name)}")
    out.print(phrase("shoe-commitment", commitment=said(shoe.commitment), decks=shoe.decks))
    out.print(phrase("shoe-dealt", cards=dealt, rounds=len(shoe.rounds), void=void))
    if shoe.first_burn:
        out.print(phrase("shoe-first-burn", cards=shoe.first_burn, card=faces(parse_cards(shoe.dealt)[:1])))
    left_over = shoe.left_over
    _show_aside("card-carried", [each for each in shoe.carried if each not in left_over])
    _show_aside("card-left-over", left_over)
    _show_aside("card-closed", shoe.closed)
    if noted is None:
        out.print(f"[yellow]{phrase('commitment-not-noted')}[/]")
    else:
        out.print(phrase("commitment-noted"))
    return 0


def _explain(reason: DrawReason) -> str:
    return text("guidance", reason.code, **{name: value for name, value in asdict(reason).items() if value is not None})


def _noted(commitment: str) -> str:
    noted = commitment.strip().lower()
    if not COMMITMENT.fullmatch(noted):
        raise Refused(CommitmentInvalid())
    return noted


def _show_aside(what: str, asides: Iterable[PutAside]) -> None:
    """Show cards that did not go to the round in which they came out, with the reason."""
    for each in asides:
        reason = ", ".join(said(part) for part in (each.rule, each.reason) if part)
        card = faces(parse_cards(each.card))
        console().print(phrase(what, place=each.place, card=card, round=each.round, reason=reason))


def _read(file: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
        shoe = json.loads(text)
    except OSError as error:
        raise Refused(FileUnreadable(file, detail=error.strerror or "")) from None
    except (ValueError, RecursionError):  # not JSON, not UTF-8, or nested beyond all measure
        raise Refused(Unreadable("shoe-not-object", file)) from None
    if not isinstance(shoe, dict):
        raise Refused(Unreadable("shoe-not-object", file))
    if "commitment" in shoe and shoe.get("salt") is None and shoe.get("order") is None:
        raise Refused(ShoeNotOpen())
    for name, kind in FIELDS.items():
        if name not in shoe:
            raise Refused(FieldMissing(name, WANTED[kind,]))
        if type(shoe[name]) is not kind:
            raise Refused(FieldType(name, WANTED[kind,], ""))
    if not 1 <= shoe["decks"] <= MAX_DECKS:
        raise Refused(FieldType("decks", "shoe-decks", str(shoe["decks"])))
    if "rounds" not in shoe:
        raise Refused(FieldMissing("rounds", "shoe-rounds"))
    return shoe


def _first_burn(shoe: dict[str, Any]) -> int:
    """The number of cards that a record says were burned before the first round; none if it does not say."""
    burn = shoe.get("first_burn", 0)
    if type(burn) is not int:
        raise Refused(FieldType("first_burn", WANTED[int,], ""))
    return burn


def _items(shoe: dict[str, Any], name: str, fields: dict[str, tuple[type, ...]]) -> list[dict[str, Any]]:
    """The rounds of a record, or the cards put aside; empty if the record has none."""
    items = shoe.get(name, [])
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        raise Refused(FieldType(name, f"shoe-{name}", ""))
    for place, each in enumerate(items):
        for field, kinds in fields.items():
            if field not in each:
                raise Refused(FieldMissing(f"{name}[{place}].{field}", WANTED[kinds]))
            if type(each[field]) not in kinds:
                raise Refused(FieldType(f"{name}[{place}].{field}", WANTED[kinds], ""))
    return [{field: each[field] for field in fields} for each in items]
