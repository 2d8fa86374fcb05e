"""Settling JSON Lines against the plain `json` module, and for people against settling them as JSON."""

from __future__ import annotations

import io
import json
import random
import tempfile
from contextlib import redirect_stdout

from benchmarks.harness import Comparison, best_seconds
from punto.cli.settle import settle_file, settle_record
from punto.rules.cards import DECK, Card
from punto.rules.loader import GAMES, load
from punto.rules.notation import write_settlement
from punto.rules.settlement import Settlement
from punto.rules.tableau import next_hand

RECORDS = 5_000


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
    """Measure both over the same lines."""
    lines = records(RECORDS)

    def ours() -> None:
        for line in lines:
            _, answer = settle_record(line)
            assert isinstance(answer, Settlement)  # noqa: S101 — a refused line would be cheaper, and unfair
            json.dumps(write_settlement(answer))

    def plain_json() -> None:
        for line in lines:
            json.dumps(json.loads(line))

    ours()
    seconds = best_seconds(ours)
    note = f"{RECORDS / seconds:,.0f} records a second on one core"
    baseline = best_seconds(plain_json)
    return [
        Comparison("settle JSON Lines", "json reads and writes the lines", seconds, baseline, 8, "cost", note),
        _for_people(lines),
    ]


def _for_people(lines: list[str]) -> Comparison:
    """`punto settle` as people read it, against `punto settle --json`, without the start of the command."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join(lines))
        file.flush()

        def settled(*, as_json: bool) -> float:
            def work() -> None:
                with redirect_stdout(io.StringIO()):
                    settle_file(file.name, as_json=as_json)

            return best_seconds(work, repeats=3)

        people, programs = settled(as_json=False), settled(as_json=True)
    note = f"{RECORDS / people:,.0f} records a second"
    return Comparison("settle for people", "punto settle --json", people, programs, 3, "cost", note)
