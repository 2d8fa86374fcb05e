"""A program that uses every public name; mypy --strict checks it, and it runs."""

from __future__ import annotations

from fractions import Fraction

import punto

game: punto.Game = punto.game("da-hu-ying-xiong")
sheet: punto.Sheet = game.sheet
assert {sheet} == {each.sheet for each in punto.games() if each == game}

card = punto.Card("6h")
assert (card.rank, card.suit) == (punto.Rank("6"), punto.Suit("h"))
cards: punto.Cards = punto.Cards("9h 9d")[1:] + "Ks"
points: int = cards.points
assert "9d" in cards
assert [str(each) for each in sorted(cards)] == ["9d", "Ks"]

bet = punto.Bet("banker", 10_00, patron="ann")
limits = punto.Limits(1_00, 1_000_00)
settled: punto.Settlement = game.settle("5h Kd 6s 6c 9h", [bet], limits=limits)
line: punto.Line = settled.lines[0]
round_: punto.Round = settled.round
outcome: punto.Outcome = round_.outcome
assert (round_.banker.points, outcome.winner, line.net_cents) == (6, punto.Winner.BANKER, 5_00)
answer = game.try_settle("5h", [])
assert isinstance(answer, punto.Refusal)
try:
    punto.Bet("banker", -5)
except punto.Refused as refused:
    assert (refused.code, refused.paragraph) == ("stake-invalid", None)
    assert refused.sentence and refused.parameters["stake_cents"] == -5
missing: type[ImportError] = punto.ExtraMissingError
assert issubclass(missing, punto.Refused)

odds: punto.GameOdds = game.odds()
edge: Fraction = odds["tiger"].edge
assert {row["window"] for row in odds.insurance_dicts()} == {"four-cards", "player-third"}
effects: punto.GameEffects = game.effects()
effect: Fraction = effects["tiger"][punto.Rank("6")]
assert game.best_play()["banker"].best_edge < odds["banker"].edge
count: punto.GameCount = game.count(
    "tiger", tags=[0, 0, 0, 0, 0, -3, 1, 1, 1, 0], shoes=64, burn="card", progress=False
)
error: float = count["tiger"].perfect.per_100_error
page: str = game.report()
studied: punto.PatronStudy = punto.study(game, insurance="favourable", rounds=20, patrons=100, progress=False)
dealt: punto.SimulationResult = punto.simulate(game, rounds=1e4, progress=False, threads=1)
assert 0 < error < 1 and len(studied.to_dicts()) == 100 and dealt.rounds >= 10_000

shoe = punto.Shoe(seed=1)
assert shoe == punto.Shoe(seed=1)
rounds: punto.Rounds = shoe.deal(100, progress=False)
assert (len(rounds), rounds[3], rounds[:2]) == (100, list(shoe)[3], list(shoe)[:2])
roads: punto.Roads = punto.roads(shoe)
table = punto.Table(game, shoe=shoe)
table.advance()
while table.state.round:
    table.advance()
assert punto.roads(table.results).rounds == table.rounds == 1 < roads.rounds == shoe.rounds

for value in (card, cards, bet, settled, line, round_, answer, odds, odds["tiger"], effects, count, studied, dealt):
    assert value._repr_html_()
    assert "\n" not in repr(value)
assert odds.to_frame().width == len(odds.to_dicts()[0])
