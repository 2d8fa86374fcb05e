"""docs/corpus/rounds.jsonl: rounds with what must come of them, for programs in any language.

`python -m tests.docs.corpus` writes the file. For every sheet it has rounds in which
each bet wins on each of its pay lines, loses, and is returned, and in which insurance by each row wins and loses. After
them come boxes over the Differential, and one input for each code with which reading or settling is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from punto.cli.output import write_refusal
from punto.rules.cards import DECK
from punto.rules.hands import Hand
from punto.rules.insurance import Offer, Window
from punto.rules.loader import GALLERY, GAMES, load
from punto.rules.money import Cents
from punto.rules.notation import RoundToSettle, parse_record, read_line, write_line, write_settlement
from punto.rules.refusals import Refusal, Refused
from punto.rules.settlement import Bet, settle
from punto.rules.sheet import Sheet
from punto.rules.tableau import Round, deal
from tests.e2e.command import ROOT
from tests.written_records import write_record

FOLDER = ROOT / "docs" / "corpus"
FILE = FOLDER / "rounds.jsonl"
SHEETS = (*GAMES, *GALLERY)
ROUNDS = 60_000
"""How many rounds are searched for something new."""

Case = dict[str, Any]
Reached = tuple[object, ...]
"""Something that can come of a bet: its id and the byte of its payoff table, or an insurance row and its result."""


def dealt_rounds() -> list[Round]:
    """Many rounds, the same each time. Every second one has cards of few ranks, because pairs are rare by chance."""
    random, found = Random(1), []
    for number in range(ROUNDS):
        ranks = random.sample(DECK, 2 if number % 2 else 13)
        cards = random.choices([card for card in DECK if card.rank in {each.rank for each in ranks}], k=6)
        dealt = [deal(tuple(cards[:count]), 8) for count in (4, 5, 6)]
        found += [round_ for round_ in dealt if isinstance(round_, Round)][:1]
    return found


def reached(sheet: Sheet, round_: Round) -> dict[Reached, Bet]:
    """What comes of each bet in a round, and the bet."""
    found: dict[Reached, Bet] = {
        (offered.id, offered.payoffs[round_.outcome.index]): Bet(1, "ann", offered.id, Cents(1000))
        for offered in sheet.bets.values()
    }
    if sheet.insurance:
        ids = {bet.hand: bet.id for bet in sheet.insurance.bets}
        for window, hand, offer in offers(sheet, round_):
            row = sheet.insurance.rows.index(offer)
            found["insurance", row, offer.result(round_.outcome.winner)] = Bet(1, "ann", ids[hand], Cents(100), window)
    return found


def offers(sheet: Sheet, round_: Round) -> Iterator[tuple[Window, Hand, Offer]]:
    """The insurance that was on offer in a round."""
    for window in Window:
        if sheet.insurance and len(round_.cards) > window.cards:
            for hand, offer in sheet.insurance.offers(round_.cards[: window.cards]).items():
                yield window, hand, offer


def rounds_of(game: str, rounds: list[Round]) -> Iterator[Case]:
    """Rounds that together reach all that can come of a sheet's bets."""
    sheet, known = load(game), set[Reached]()
    originals = {offered.hand: offered.id for offered in sheet.bets.values() if offered.hand}
    for round_ in rounds:
        new = {key: bet for key, bet in reached(sheet, round_).items() if key not in known}
        known |= new.keys()
        insured = {sheet.insurance_bets[bet.on].hand for bet in new.values() if bet.window}
        placed = {bet.on for bet in new.values()}
        extra = [
            Bet(1, "ann", originals[hand], Cents(2000)) for hand in sorted(insured) if originals[hand] not in placed
        ]
        if new:
            record = RoundToSettle(game, round_.cards, (*extra, *new.values()), sheet.decks.maximum)
            yield settled(f"{game}: {write_line(round_)}", write_record(record))


def settled(says: str, record: Case) -> Case:
    """A record with what comes of it."""
    return {"says": says, "record": record} | expected(json.dumps(record))


def expected(text: str) -> Case:
    """What must come of a record, read from JSON text: the result, or the refusal without its sentence."""
    try:
        record = parse_record(text)
        sheet = load(record.game if record.game in SHEETS else FOLDER / record.game)
    except Refused as error:
        return _refused(error.refusal)
    answer = settle(sheet, record.cards, record.bets, decks=record.decks, limits=record.limits)
    return _refused(answer) if isinstance(answer, Refusal) else {"result": write_settlement(answer)}


def expected_of_line(line: str) -> Case:
    """What must come of a round in one line: the line as it is written, or the refusal."""
    try:
        return {"result": write_line(read_line(line))}
    except Refused as error:
        return _refused(error.refusal)


def _refused(refusal: Refusal) -> Case:
    refused = write_refusal(refusal)["refused"]
    return {"refused": {"code": refused["code"], "rule": refused["rule"]}}


CARDS = "5h Kd 6s 6c 9h"
"""Player 5 and Banker 6 after four cards: Banker can be insured, Player cannot."""
BANKER = {"box": 1, "patron": "ann", "on": "banker", "stake": 10_000}
INSURED = {"box": 1, "patron": "ann", "on": "banker-insurance", "stake": 3_000, "window": "four-cards"}
LIMITS = {"minimum": 2_500, "differential": 100_000}


def record(*bets: Case, game: str = "da-hu-ying-xiong", cards: str = CARDS, **more: Any) -> Case:
    """A record to settle."""
    return {"game": game, "cards": cards, "bets": list(bets)} | more


def bet(given: Case = BANKER, **changes: Any) -> Case:
    """A bet with something else about it."""
    return given | changes


BOXES = {
    "two patrons share the cut": record(bet(stake=90_000), bet(patron="bo", stake=60_000), limits=LIMITS),
    "the odd cent goes to the seated patron": record(
        *(bet(stake=50_001), bet(patron="bo", seated=True, stake=50_001)), limits=LIMITS
    ),
    "a bet below the minimum stays whole": record(bet(stake=2_000), bet(patron="bo", stake=150_000), limits=LIMITS),
    "the other side counts": record(bet(stake=150_000), bet(patron="bo", on="player", stake=30_000), limits=LIMITS),
    "chips are not broken": record(
        *(bet(stake=75_000), bet(patron="bo", stake=50_000)), limits=LIMITS | {"unit": 2_500}
    ),
    "within the limit nothing is cut": record(bet(stake=100_000), limits=LIMITS),
}
REFUSED: dict[str, Case] = {
    "unreadable": {"text": '{"game": "commission", "cards": "9h 2d Ks 2c", "bets": ['},
    "field-unknown": record(colour="red"),
    "field-missing": {"game": "commission", "cards": CARDS},
    "field-type": record(bet(stake=0.5)),
    "card-unreadable": record(cards="5h Kd 6s 1c"),
    "limits-invalid": record(limits={"minimum": 200_000, "differential": 100_000}),
    "game-unknown": record(game="comission"),
    "sheet-invalid": record(game="invalid.toml"),
    "decks-not-allowed": record(decks=11),
    "card-missing": record(cards="5h Kd 6s 6c"),
    "card-too-many": record(cards="9h 2d Ks 2c 3c"),
    "card-copies": record(cards="Ah Ah Ah Ah Ah Ah", decks=4),
    "box-unknown": record(bet(box=13)),
    "stake-invalid": record(bet(stake=0)),
    "stake-off-unit": record(bet(stake=10_001), limits=LIMITS | {"unit": 100}),
    "bet-not-offered": record(bet(on="dragon")),
    "window-missing": record(BANKER, {key: value for key, value in INSURED.items() if key != "window"}),
    "window-not-for-bet": record(bet(window="four-cards")),
    "insurance-window-closed": record(BANKER, bet(INSURED), cards="9h 2d Ks 2c"),
    "insurance-hand-not-on-offer": record(bet(on="player"), bet(INSURED, on="player-insurance")),
    "insurance-without-original": record(bet(on="player"), INSURED),
    "insurance-over-cap": record(BANKER, bet(INSURED, stake=3_334)),
}
LINES = ("9h 2d Ks 2c = P 9-4", "6h Kd Ts 6c", "2h 3d Ks Kc 2d 4h = B 4-7", "9h 2d Ks 2c = B 4-9", "9h 2d Ks 2x")


def corpus() -> Iterator[Case]:
    """Every case of the file."""
    rounds = dealt_rounds()
    for game in SHEETS:
        yield from rounds_of(game, rounds)
    for says, given in BOXES.items():
        yield settled(f"Differential: {says}", given)
    for code, given in REFUSED.items():
        text = given.get("text")
        yield (
            {"says": f"refused: {code}", "text": text} | expected(text) if text else settled(f"refused: {code}", given)
        )
    for line in LINES:
        yield {"says": f"one line: {line}", "line": line} | expected_of_line(line)


def text() -> str:
    """The whole file."""
    return "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in corpus())


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
