"""`punto verify-shoe`: whether a shoe matches its commitment, from its published record alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from punto.cli.commands.rules import VerifyShoe
from punto.cli.files import read_text
from punto.cli.output import console, faces, phrase, said, write_json
from punto.cli.refusals import CommitmentInvalid, ShoeNotOpen
from punto.protocol.codec import Reader
from punto.protocol.derive import SHOWN_TYPES, Deriver
from punto.rules.cards import parse_cards
from punto.rules.notation import read_json
from punto.rules.reasons import DrawReason
from punto.rules.refusals import FieldType, Refused
from punto.table.shoe_proof import OpenedShoe, PutAside, broken_commitment
from punto.texts import say, text

COMMITMENT = re.compile(r"[0-9a-f]{64}")
MAX_DECKS = 16
_shoe = Deriver(SHOWN_TYPES).derive(OpenedShoe)
_SHOE: Reader[OpenedShoe] = Reader(_shoe.struct, _shoe.build)


def run(ask: VerifyShoe) -> int:
    """Check a published shoe. Returns 1 if it does not match its commitment, else 0. A shoe in play cannot be checked.

    `--commitment` is the one that somebody noted before the first bet. The house wrote the record, so without a noted
    commitment a record that was invented afterwards would pass.
    """
    noted = None if ask.commitment is None else ask.commitment.strip().lower()
    if noted is not None and not COMMITMENT.fullmatch(noted):
        raise Refused(CommitmentInvalid())
    record, shoe = _read(ask.file)
    try:
        broken = broken_commitment(shoe, _explain, noted)
    except Refused as error:
        broken = say(error.refusal)
    figures = {"dealt": len(shoe.dealt.split()), "rounds": len(shoe.rounds)}
    figures["void"] = sum(each.void for each in shoe.rounds)
    if ask.as_json:
        asides = {"carried": len(shoe.carried), "closed": len(shoe.closed), "first_burn": shoe.first_burn}
        result = {"kept": broken is None, "why": broken, "commitment": shoe.commitment, "noted": noted}
        write_json(result | figures | asides)
    else:
        table, number = (said(record[name]) if name in record else None for name in ("table", "shoe"))
        name = phrase("shoe-named", table=table, shoe=number).strip().capitalize() or phrase("shoe-unnamed")
        if broken is None:
            _show(name, shoe, figures, noted=noted is not None)
        else:
            says = phrase("shoe-broken-why", name=name, why=said(broken))
            console().print(f"[bold red]{phrase('shoe-broken')}[/]{says}")
    return int(broken is not None)


def _explain(reason: DrawReason) -> str:
    return text("guidance", reason.code, **asdict(reason)).removesuffix(".")  # within a sentence


def _read(file: str) -> tuple[dict[str, Any], OpenedShoe]:
    """A published record, and what it says of its shoe."""
    record = read_json(read_text(file))
    if isinstance(record, dict) and "commitment" in record and record.get("salt") is record.get("order") is None:
        raise Refused(ShoeNotOpen())
    shoe = _SHOE.read(record)
    if not 1 <= shoe.decks <= MAX_DECKS:
        raise Refused(FieldType("decks", "shoe-decks", str(shoe.decks)))
    return record, shoe


def _show(name: str, shoe: OpenedShoe, figures: dict[str, int], *, noted: bool) -> None:
    out = console()
    out.print(f"[bold green]{phrase('shoe-verified')}[/]{phrase('shoe-verified-how', name=name)}")
    out.print(phrase("shoe-commitment", commitment=said(shoe.commitment), decks=shoe.decks))
    out.print(phrase("shoe-dealt", cards=figures["dealt"], rounds=figures["rounds"], void=figures["void"]))
    if shoe.first_burn:
        out.print(phrase("shoe-first-burn", cards=shoe.first_burn, card=faces(parse_cards(shoe.dealt)[:1])))
    left_over = shoe.left_over
    _show_aside("card-carried", [each for each in shoe.carried if each not in left_over])
    _show_aside("card-left-over", left_over)
    _show_aside("card-closed", shoe.closed)
    out.print(phrase("commitment-noted") if noted else f"[yellow]{phrase('commitment-not-noted')}[/]")


def _show_aside(what: str, asides: Iterable[PutAside]) -> None:
    """Show cards that did not go to the round in which they came out, with the reason."""
    for each in asides:
        reason = ", ".join(said(part) for part in (each.rule, each.reason) if part)
        card = faces(parse_cards(each.card))
        console().print(phrase(what, place=each.place, card=card, round=each.round, reason=reason))
