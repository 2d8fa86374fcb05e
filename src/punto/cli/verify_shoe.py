"""`punto verify-shoe`: whether a shoe kept its promise, from what was published of it alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rich.markup import escape

from punto.cli.output import Failure, console, write_json
from punto.rules.cards import parse_cards
from punto.rules.refusals import RefusedError
from punto.service.shuffle import check_opened

FIELDS: dict[str, type] = {"commitment": str, "salt": str, "order": str, "decks": int, "dealt": str}
ROUNDS = "rounds"
MOST_DECKS = 16


def verify_file(file: str, *, as_json: bool) -> int:
    """Check a published shoe; 1 if it does not keep its promise, else 0. A shoe still in play cannot be checked yet."""
    shoe = _read(file)
    broken = check_opened(**{name: shoe[name] for name in FIELDS}) or _rounds_differ(shoe)
    dealt = len(shoe["dealt"].split())
    if as_json:
        write_json({"kept": broken is None, "why": broken, "commitment": shoe["commitment"], "dealt": dealt})
        return int(broken is not None)
    out = console()
    name = " ".join(f"{word} {shoe[word]}" for word in ("table", "shoe") if word in shoe).capitalize() or "The shoe"
    if broken:
        out.print(f"[bold red]Broken[/]: {escape(name)} did not keep its promise: {escape(broken)}.")
        return 1
    rounds = shoe[ROUNDS]
    void = sum(bool(each.get("void")) for each in rounds)
    out.print(f"[bold green]Kept[/]: {escape(name)} was dealt as promised.")
    out.print(f"Commitment {shoe['commitment']}, of {shoe['decks']} decks in the order that was opened.")
    out.print(f"{dealt} cards came out in {len(rounds)} rounds ({void} void), each the next of the order.")
    return 0


def _read(file: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
        shoe = json.loads(text)
    except OSError as error:
        raise Failure("file-unreadable", f"cannot read {file}: {error.strerror}") from None
    except ValueError:
        raise Failure("unreadable", f"{file} is not JSON: a published shoe is one JSON object") from None
    if not isinstance(shoe, dict):
        raise Failure("unreadable", "a published shoe is one JSON object")
    if "commitment" in shoe and shoe.get("salt") is None and shoe.get("order") is None:
        raise Failure("shoe-not-open", "this shoe has not been opened: its salt and order are published after its end")
    for name, kind in FIELDS.items():
        if name not in shoe:
            raise Failure("field-missing", f"the record has no {name}; it has {', '.join(FIELDS)}")
        if type(shoe[name]) is not kind:
            raise Failure("field-type", f"{name} must be {'text' if kind is str else 'a whole number'}")
    if not 1 <= shoe["decks"] <= MOST_DECKS:
        raise Failure("field-type", f"decks must be from 1 to {MOST_DECKS}")
    if ROUNDS not in shoe:
        raise Failure("field-missing", f"the record has no {ROUNDS}: the cards of each round, void ones too")
    rounds = shoe[ROUNDS]
    if not isinstance(rounds, list) or not all(
        isinstance(each, dict) and isinstance(each.get("cards"), str) for each in rounds
    ):
        raise Failure("field-type", "rounds must be a list of objects, each with its cards as text")
    return shoe


def _rounds_differ(shoe: dict[str, Any]) -> str | None:
    """The cards of the rounds, void ones too, must be the cards that came out, none left unshown between them."""
    try:
        shown = [card.text for each in shoe[ROUNDS] for card in parse_cards(each["cards"])]
    except RefusedError as error:
        return error.refusal.message
    dealt = shoe["dealt"].split()
    if shown != dealt[: len(shown)]:
        place = next((i for i, (a, b) in enumerate(zip(shown, dealt, strict=False)) if a != b), len(dealt))
        return f"the rounds do not show the cards that were dealt: they part at card {place + 1}"
    if len(dealt) - len(shown) > 6:  # what a last round can have carried over at most
        return f"{len(dealt) - len(shown)} cards came out that no round shows"
    return None
