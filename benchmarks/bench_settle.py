"""Settling JSON Lines, on one core, on all cores and for people, against the plain `json` module."""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from multiprocessing import get_context

from benchmarks.harness import Comparison, best_seconds
from punto.cli.commands.rules import Settle
from punto.cli.json_lines import settle_lines
from punto.cli.parallel import in_order, whole_lines
from punto.cli.settle import run as settle
from punto.rules.cards import DECK, Card
from punto.rules.loader import GAMES, load
from punto.rules.tableau import next_hand

RECORDS = 5_000
LONG = 20
"""How many times the records a long file has."""


def records(count: int, seed: int = 7) -> list[str]:
    """Rounds of all five games, each with three patrons' bets: original, side and, where on offer, insurance."""
    random_ = random.Random(seed)
    shoe = DECK * 8
    lines = []
    for place in range(count):
        sheet = load(GAMES[place % len(GAMES)])
        cards: list[Card] = []
        while next_hand(cards) is not None:
            cards.append(random_.choice(shoe))
        bets: list[dict[str, object]] = [
            {"box": box, "patron": f"p{box}", "seated": True, "on": on, "stake": random_.randrange(100, 500) * 100}
            for box, on in enumerate(random_.choices(list(sheet.bets), k=3), 1)
        ]
        bets.append({"box": 5, "patron": "ann", "seated": True, "on": "banker", "stake": 100_000})
        if sheet.insurance and "banker" in sheet.insurance.offers(cards[:4]) and len(cards) > 4:
            insurance = next(bet.id for bet in sheet.insurance.bets if bet.hand == "banker")
            bets.append({"box": 5, "patron": "ann", "on": insurance, "window": "four-cards", "stake": 20_000})
        text = " ".join(card.text for card in cards)
        record = {"game": sheet.id, "decks": 8, "cards": text, "bets": bets}
        if sheet.limits and place % 2:  # every second table shows limits, and box 5 is over them
            record["limits"] = {"minimum": 2_500, "differential": 50_000}
        lines.append(json.dumps(record))
    return lines


def run() -> list[Comparison]:
    """Measure all ways over the same lines."""
    lines = records(RECORDS)
    text = "\n".join(lines).encode()

    def ours() -> None:
        _, refused = settle_lines(text)
        assert not refused  # noqa: S101 — a refused line costs something else, and would be unfair

    ours()
    seconds = best_seconds(ours, clock=time.process_time)
    baseline = best_seconds(lambda: _plain_json(text), clock=time.process_time)
    note = f"{RECORDS / seconds:,.0f} records a second on one core"
    plain = "json reads and writes the lines"
    return [
        Comparison("settle JSON Lines", plain, seconds, baseline, 3.5, "cost", note),
        _on_all_cores(text, plain),
        _for_people(text, plain, baseline),
    ]


def _plain_json(lines: bytes) -> bytes:
    """Lines of JSON, read and written again."""
    return b"\n".join([json.dumps(json.loads(line)).encode() for line in lines.splitlines()])


def _on_all_cores(text: bytes, plain: str) -> Comparison:
    """A long file on all cores, both with the start of the processes."""
    parts, cores = list(whole_lines(BytesIO(b"\n".join([text] * LONG)))), os.cpu_count()

    def plain_json() -> None:
        with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
            deque(pool.map(_plain_json, parts), maxlen=0)

    seconds = best_seconds(lambda: deque(in_order(settle_lines, parts), maxlen=0), repeats=3)
    baseline = best_seconds(plain_json, repeats=3)
    note = f"{RECORDS * LONG / seconds:,.0f} records a second on {cores} cores"
    return Comparison("settle on all cores", f"{plain}, so too", seconds, baseline, 5, "cost", note)


def _for_people(text: bytes, plain: str, baseline: float) -> Comparison:
    """`punto settle` as people read it, without the start of the command."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(text)
        file.flush()

        def work() -> None:
            with redirect_stdout(StringIO()):
                settle(Settle(file.name))

        seconds = best_seconds(work, repeats=3, clock=time.process_time)
    note = f"{RECORDS / seconds:,.0f} records a second"
    return Comparison("settle for people", plain, seconds, baseline, 18, "cost", note)
